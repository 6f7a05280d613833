#include "record/settings.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/key.h"
#include "record/os.h"

struct llrec_settings llrec_settings;

enum {
	EVENTS_DEFAULT = 1 << 20,
	EVENTS_MAX = 1 << 25,
	COUNTERS_DEFAULT = 1 << 18,
	COUNTERS_MAX = 1 << 24,
	OBJECTS_MAX = 1 << 20,
};

/* The working directory may be another one at the end. */
static void set_path(char *path, const char *value)
{
	size_t length = 0;
	if (*value && *value != '/' && getcwd(path, PATH_MAX)) {
		length = strlen(path);
		length = llrec_append(path, length, PATH_MAX, "/");
	}
	llrec_append(path, length, PATH_MAX, value);
}

/* Digits at *text, which moves behind them. 0 when there are none, or too many. */
static uint64_t parse_number(const char **text)
{
	uint64_t number = 0;
	for (; **text >= '0' && **text <= '9'; ++*text) {
		if (number > UINT64_MAX / 10 - 1)
			return 0;
		number = number * 10 + (uint64_t)(**text - '0');
	}
	return number;
}

static uint64_t read_number(const char *variable, uint64_t standard, uint64_t most)
{
	const char *value = secure_getenv(variable);
	if (!value)
		return standard;
	uint64_t number = parse_number(&value);
	if (!*value && number && number <= most)
		return number;
	char text[128];
	size_t length = llrec_append(text, 0, sizeof(text), "expected a number from 1 to ");
	length = llrec_append_number(text, length, sizeof(text), most);
	length = llrec_append(text, length, sizeof(text), "; recording with ");
	llrec_append_number(text, length, sizeof(text), standard);
	llrec_complain(variable, text);
	return standard;
}

/* NAME=BYTES at *text, which moves behind it. */
static bool parse_heap(const char **text, struct llrec_heap *ret)
{
	size_t length = strcspn(*text, "=,");
	if (!length || length >= sizeof(ret->name) || (*text)[length] != '=')
		return false;
	memcpy(ret->name, *text, length);
	ret->name[length] = '\0';
	*text += length + 1;
	ret->bytes = parse_number(text);
	return ret->bytes && ret->bytes <= LLREC_OFFSET_MAX && (!**text || **text == ',');
}

static void read_heap(const char *value)
{
	struct llrec_settings *settings = &llrec_settings;
	while (*value) {
		if (settings->heap_count == LLREC_HEAP_MAX ||
			!parse_heap(&value, &settings->heap[settings->heap_count])) {
			llrec_complain("LINELINT_RECORD_HEAP",
				"expected NAME=BYTES[,NAME=BYTES...], at "
				"most 64; the rest of it is not recorded");
			return;
		}
		settings->heap_count++;
		value += *value == ',';
	}
}

void llrec_settings_read(void)
{
	struct llrec_settings *settings = &llrec_settings;
	const char *file = secure_getenv("LINELINT_RECORD");
	const char *trace = secure_getenv("LINELINT_RECORD_TRACE");
	const char *heap = secure_getenv("LINELINT_RECORD_HEAP");
	const char *globals = secure_getenv("LINELINT_RECORD_GLOBALS");
	set_path(settings->file, file ? file : "linelint.record");
	set_path(settings->trace, trace ? trace : "");
	settings->trace_events =
		read_number("LINELINT_RECORD_TRACE_EVENTS", EVENTS_DEFAULT, EVENTS_MAX);
	settings->counters =
		read_number("LINELINT_RECORD_COUNTERS", COUNTERS_DEFAULT, COUNTERS_MAX);
	settings->objects = read_number("LINELINT_RECORD_OBJECTS", OBJECTS_MAX, OBJECTS_MAX);
	settings->globals = !globals || strcmp(globals, "0") != 0;
	read_heap(heap ? heap : "");
}

bool llrec_has_pid(const char *name)
{
	return strstr(name, "%p") != NULL;
}

void llrec_expand_pid(const char *name, char *ret, size_t capacity)
{
	size_t length = 0;
	*ret = '\0';
	for (; *name; name++) {
		char one[2] = {*name, '\0'};
		if (name[0] == '%' && name[1] == 'p') {
			length = llrec_append_number(ret, length, capacity, (uint64_t)getpid());
			name++;
		} else {
			length = llrec_append(ret, length, capacity, one);
		}
	}
}

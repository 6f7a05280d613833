#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/number.h"
#include "import/trace/form.h"

enum { WORDS_MAX = 64 };

/* A trace while its lines are read; the tables are on the heap. */
struct reader {
	struct arena *arena;
	const struct trace_target *target;
	const char *name;
	size_t line;
	char *words[WORDS_MAX];
	size_t word_count;
	bool has_struct, in_events;

	const char **roles;
	size_t role_count, role_capacity;
	uint32_t *thread_roles; /* 1 + index; 0: not stated */
	bool *has_begun;        /* [thread]: an operation */
	size_t thread_count, thread_capacity, begun_capacity;
	uint64_t *objects;
	bool *is_stated; /* [object]: its address */
	size_t object_count, object_capacity, stated_capacity;
	struct trace_event *events;
	size_t event_count, event_capacity;
};

static struct error *fault(const struct reader *reader, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static struct error *fault(const struct reader *reader, const char *format, ...)
{
	struct buf text;
	va_list args;
	buf_init(&text);
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	struct error *error = error_new("%s:%zu: %s", reader->name, reader->line, text.data);
	buf_release(&text);
	return error;
}

/* "FILE:LINE" */
static const char *where(const struct reader *reader)
{
	return arena_printf(reader->arena, "%s:%zu", reader->name, reader->line);
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

/* Decimal, or hexadecimal after 0x. */
static bool parse_number(const char *text, uint64_t *ret)
{
	int base = text[0] == '0' && text[1] == 'x' ? 16 : 10;
	uint64_t value = 0;
	text += base == 16 ? 2 : 0;
	if (!*text)
		return false;
	for (; *text; text++) {
		int digit = digit_of(*text);
		if (digit >= base || __builtin_mul_overflow(value, (uint64_t)base, &value) ||
			__builtin_add_overflow(value, (uint64_t)digit, &value))
			return false;
	}
	*ret = value;
	return true;
}

static struct error *number_below(const struct reader *reader, const char *text, const char *what,
	uint64_t limit, uint32_t *ret)
{
	uint64_t value;
	if (!parse_number(text, &value) || value >= limit)
		return fault(reader, "'%s' is no %s; expected a number from 0 to %" PRIu64, text,
			what, limit - 1);
	*ret = (uint32_t)value;
	return NULL;
}

/* ---- the lines before the accesses ---- */

static uint32_t role_index(struct reader *reader, const char *name)
{
	for (size_t i = 0; i < reader->role_count; i++)
		if (strcmp(reader->roles[i], name) == 0)
			return (uint32_t)i;
	reader->roles = mem_grow(reader->roles, &reader->role_capacity, reader->role_count + 1,
		sizeof(*reader->roles));
	reader->roles[reader->role_count] = arena_strdup(reader->arena, name);
	return (uint32_t)reader->role_count++;
}

static void thread_exists(struct reader *reader, uint32_t thread)
{
	if (thread < reader->thread_count)
		return;
	size_t known = reader->thread_count;
	reader->thread_count = thread + 1;
	reader->thread_roles = mem_grow(reader->thread_roles, &reader->thread_capacity,
		reader->thread_count, sizeof(*reader->thread_roles));
	memset(reader->thread_roles + known, 0,
		(reader->thread_count - known) * sizeof(*reader->thread_roles));
	reader->has_begun = mem_grow(reader->has_begun, &reader->begun_capacity,
		reader->thread_count, sizeof(*reader->has_begun));
	memset(reader->has_begun + known, 0,
		(reader->thread_count - known) * sizeof(*reader->has_begun));
}

static void object_exists(struct reader *reader, uint32_t object)
{
	if (object < reader->object_count)
		return;
	size_t known = reader->object_count;
	reader->object_count = object + 1;
	reader->objects = mem_grow(reader->objects, &reader->object_capacity, reader->object_count,
		sizeof(*reader->objects));
	memset(reader->objects + known, 0,
		(reader->object_count - known) * sizeof(*reader->objects));
	reader->is_stated = mem_grow(reader->is_stated, &reader->stated_capacity,
		reader->object_count, sizeof(*reader->is_stated));
	memset(reader->is_stated + known, 0,
		(reader->object_count - known) * sizeof(*reader->is_stated));
}

/* The words [1, end) with one blank between them: names of templates have blanks. */
static const char *joined(const struct reader *reader, size_t end)
{
	const char *text = reader->words[1];
	for (size_t i = 2; i < end; i++)
		text = arena_printf(reader->arena, "%s %s", text, reader->words[i]);
	return text;
}

static struct error *read_struct(struct reader *reader)
{
	uint64_t size = 0;
	size_t last = reader->word_count - 1;
	bool has_size = last > 1 && parse_number(reader->words[last], &size);
	if (reader->has_struct)
		return fault(reader, "a second 'struct'; a trace is of one");
	if (last == 2 && !has_size && !strchr(reader->words[1], '<'))
		return fault(reader, "'%s' is no size; expected 'struct NAME [BYTES]'",
			reader->words[2]);
	reader->has_struct = true;
	return trace_check_struct(
		reader->target, where(reader), joined(reader, has_size ? last : last + 1), size);
}

static struct error *read_build_id(struct reader *reader)
{
	const char *id = reader->words[1];
	size_t length = strlen(id);
	if (strspn(id, "0123456789abcdef") != length || length % 2 ||
		length > 2 * TRACE_BUILD_ID_MAX)
		return fault(reader,
			"'%s' is no build-id; expected what 'file BINARY' shows, in small "
			"hexadecimal digits",
			id);
	return trace_check_build(reader->target, where(reader), id);
}

static struct error *read_thread(struct reader *reader)
{
	uint32_t thread = 0;
	struct error *error =
		number_below(reader, reader->words[1], "thread", TRACE_THREADS_MAX, &thread);
	if (error)
		return error;
	thread_exists(reader, thread);
	uint32_t role = role_index(reader, reader->words[2]);
	if (role >= TRACE_ROLES_MAX)
		return fault(reader,
			"more than %d roles; give threads that do the same the same role",
			TRACE_ROLES_MAX);
	if (reader->thread_roles[thread] && reader->thread_roles[thread] != role + 1)
		return fault(reader, "thread %u is '%s' already; give it one role", thread,
			reader->roles[reader->thread_roles[thread] - 1]);
	reader->thread_roles[thread] = role + 1;
	return NULL;
}

static struct error *read_object(struct reader *reader)
{
	uint32_t object = 0;
	uint64_t address;
	struct error *error =
		number_below(reader, reader->words[1], "object", TRACE_OBJECTS_MAX, &object);
	if (error)
		return error;
	if (!parse_number(reader->words[2], &address))
		return fault(reader, "'%s' is no address; expected a number such as 0x1040",
			reader->words[2]);
	object_exists(reader, object);
	if (reader->is_stated[object] && reader->objects[object] != address)
		return fault(reader,
			"object %u lies at 0x%" PRIx64
			" already; give objects that come later other "
			"numbers",
			object, reader->objects[object]);
	reader->objects[object] = address;
	reader->is_stated[object] = true;
	return NULL;
}

static const struct statement {
	const char *word, *form;
	size_t least, most; /* words */
	struct error *(*read)(struct reader *reader);
} statements[] = {
	{"struct", "struct NAME [BYTES]", 2, WORDS_MAX, read_struct},
	{"build-id", "build-id HEX", 2, 2, read_build_id},
	{"thread", "thread NUMBER ROLE", 3, 3, read_thread},
	{"object", "object NUMBER ADDRESS", 3, 3, read_object},
};
enum { STATEMENT_COUNT = sizeof(statements) / sizeof(statements[0]) };

static struct error *read_statement(struct reader *reader)
{
	for (size_t i = 0; i < STATEMENT_COUNT; i++) {
		const struct statement *statement = &statements[i];
		if (strcmp(reader->words[0], statement->word) != 0)
			continue;
		if (reader->word_count < statement->least || reader->word_count > statement->most)
			return fault(reader, "%zu word%s; expected '%s'", reader->word_count,
				number_s(reader->word_count),
				statement->form);
		if (reader->in_events)
			return fault(reader, "'%s' behind an access; move it before the first one",
				statement->word);
		return statement->read(reader);
	}
	return fault(reader,
		"'%s' is no word of a trace; expected struct, build-id, thread, object or the "
		"number of a thread",
		reader->words[0]);
}

/* ---- accesses ---- */

static struct error *read_begins(const struct reader *reader, struct trace_event *event)
{
	const char *word = reader->words[1];
	event->begins = strcmp(word, "op") == 0;
	if (event->begins || strcmp(word, ".") == 0)
		return NULL;
	return fault(reader, "'%s' instead of op (an operation begins) or . (it goes on)", word);
}

static struct error *read_kind(const struct reader *reader, struct trace_event *event)
{
	const char *word = reader->words[2];
	const char *found = word[0] && !word[1] ? strchr("rwx", word[0]) : NULL;
	if (!found)
		return fault(reader,
			"'%s' is no kind of access; expected r, w or x (read-modify-write)", word);
	event->kind = *word == 'r' ? ACCESS_READ : *word == 'w' ? ACCESS_WRITE : ACCESS_RMW;
	return NULL;
}

/* A field or an element: its bytes; of an array without a subscript its first element's. */
static struct error *read_field(
	const struct reader *reader, const char *path, struct trace_event *event)
{
	const struct layout *layout = reader->target->layout;
	struct layout_element element;
	const char *what = layout_find_element(reader->arena, layout, path, &element);
	if (what)
		return fault(reader, "'%s' has %s", path, what);
	if (!element.member)
		return fault(reader,
			"'%s' has no field '%s'; 'linelint BINARY struct %s --expand' shows all",
			layout->name, path, layout->name);
	if (element.member->is_dynamic)
		return fault(reader,
			"only the running program knows where '%s' lies; state the offset", path);
	if (element.off_bytes > TRACE_OFFSET_MAX || element.size_bytes > TRACE_OFFSET_MAX)
		return fault(reader, "'%s' lies behind what can be replayed, %d bytes", path,
			TRACE_OFFSET_MAX);
	event->off_bytes = (uint32_t)element.off_bytes;
	event->size_bytes = element.size_bytes ? (uint32_t)element.size_bytes : 1;
	return NULL;
}

/* FIELD or OFFSET, and :SIZE, which an offset needs not have either: 1 byte. */
static struct error *read_place(const struct reader *reader, struct trace_event *event)
{
	char *place = reader->words[3];
	char *colon = strrchr(place, ':');
	struct error *error;
	if (colon)
		*colon = '\0';
	event->size_bytes = 1;
	if (*place >= '0' && *place <= '9')
		error = number_below(reader, place, "offset", TRACE_OFFSET_MAX, &event->off_bytes);
	else
		error = read_field(reader, place, event);
	if (!error && colon)
		error = number_below(
			reader, colon + 1, "size", TRACE_OFFSET_MAX, &event->size_bytes);
	return error ? error : trace_check_event(reader->target, where(reader), event);
}

static struct error *read_access(struct reader *reader)
{
	struct trace_event event = {0};
	if (reader->word_count < 4 || reader->word_count > 5)
		return fault(reader,
			"%zu words; expected 'THREAD op|. r|w|x FIELD|OFFSET[:SIZE] [OBJECT]'",
			reader->word_count);
	if (!reader->has_struct)
		return fault(reader,
			"an access before 'struct NAME'; say first whose recording this is");
	struct error *error =
		number_below(reader, reader->words[0], "thread", TRACE_THREADS_MAX, &event.thread);
	if (!error)
		error = read_begins(reader, &event);
	if (!error)
		error = read_kind(reader, &event);
	if (!error)
		error = read_place(reader, &event);
	if (!error && reader->word_count == 5)
		error = number_below(
			reader, reader->words[4], "object", TRACE_OBJECTS_MAX, &event.object);
	if (!error && reader->event_count >= TRACE_EVENTS_MAX)
		error = fault(reader, "more than %d accesses; record for a shorter time",
			TRACE_EVENTS_MAX);
	if (error)
		return error;
	thread_exists(reader, event.thread);
	object_exists(reader, event.object);
	if (!event.begins && !reader->has_begun[event.thread])
		return fault(reader,
			"thread %u goes on with an operation that it has not begun; write op",
			event.thread);
	reader->has_begun[event.thread] = true;
	reader->events = mem_grow(reader->events, &reader->event_capacity, reader->event_count + 1,
		sizeof(*reader->events));
	reader->events[reader->event_count++] = event;
	reader->in_events = true;
	return NULL;
}

/* ---- lines ---- */

/* Words up to a comment; the line is cut up. Too many are counted, not kept. */
static void split(struct reader *reader, char *line)
{
	reader->word_count = 0;
	line[strcspn(line, "#")] = '\0';
	char *rest;
	for (char *word = strtok_r(line, " \t\r", &rest); word;
		word = strtok_r(NULL, " \t\r", &rest)) {
		if (reader->word_count < WORDS_MAX)
			reader->words[reader->word_count] = word;
		reader->word_count++;
	}
}

static struct error *read_first(struct reader *reader)
{
	if (strcmp(reader->words[0], TRACE_TEXT_MAGIC) != 0)
		return fault(reader,
			"not a trace; expected its first line to be '%s %d' (see "
			"linelint-trace(5))",
			TRACE_TEXT_MAGIC, TRACE_VERSION);
	if (reader->word_count != 2 || strcmp(reader->words[1], "1") != 0)
		return fault(reader, "a trace of another version; this linelint reads '%s %d'",
			TRACE_TEXT_MAGIC, TRACE_VERSION);
	return NULL;
}

static struct error *read_lines(struct reader *reader, const char *bytes, size_t length)
{
	struct buf line;
	struct error *error = NULL;
	bool is_first = true;
	buf_init(&line);
	for (const char *at = bytes, *end = bytes + length; at < end && !error;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t columns = (size_t)((newline ? newline : end) - at);
		reader->line++;
		buf_clear(&line);
		buf_add(&line, at, columns);
		at += columns + 1;
		if (line.length) /* an empty buffer must not be written to */
			split(reader, line.data);
		if (!line.length || !reader->word_count)
			continue;
		if (is_first)
			error = read_first(reader);
		else if (digit_of(reader->words[0][0]) < 10)
			error = read_access(reader);
		else
			error = read_statement(reader);
		is_first = false;
	}
	if (!error && is_first)
		error = error_new("%s: no line in it; expected '%s %d' and accesses (see "
				  "linelint-trace(5))",
			reader->name, TRACE_TEXT_MAGIC, TRACE_VERSION);
	buf_release(&line);
	return error;
}

/* Threads without a role of their own have this one. */
static const char other_role[] = "all";

static void keep(struct reader *reader, struct trace *ret)
{
	for (size_t i = 0; i < reader->thread_count; i++)
		if (!reader->thread_roles[i])
			reader->thread_roles[i] = role_index(reader, other_role) + 1;
	for (size_t i = 0; i < reader->thread_count; i++)
		reader->thread_roles[i]--;
	*ret = (struct trace){
		.path = ret->path,
		.roles = arena_copy(
			reader->arena, reader->roles, reader->role_count, sizeof(*reader->roles)),
		.role_count = reader->role_count,
		.thread_roles = arena_copy(reader->arena, reader->thread_roles,
			reader->thread_count, sizeof(*reader->thread_roles)),
		.thread_count = reader->thread_count,
		.objects = arena_copy(reader->arena, reader->objects, reader->object_count,
			sizeof(*reader->objects)),
		.object_count = reader->object_count,
		.events = arena_copy(reader->arena, reader->events, reader->event_count,
			sizeof(*reader->events)),
		.event_count = reader->event_count,
	};
}

struct error *trace_parse_text(struct arena *arena, const char *name, const char *bytes,
	size_t length, const struct trace_target *target, struct trace *ret)
{
	struct reader reader = {.arena = arena, .target = target, .name = name};
	struct error *error = read_lines(&reader, bytes, length);
	if (!error)
		keep(&reader, ret);
	mem_free(reader.roles);
	mem_free(reader.thread_roles);
	mem_free(reader.has_begun);
	mem_free(reader.is_stated);
	mem_free(reader.objects);
	mem_free(reader.events);
	return error;
}

#include "import/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"
#include "import/trace/form.h"

/* ---- what both forms must keep to ---- */

/* A recorder knows the address of a variable that has, or points to, the type: "@0x4010". */
static struct error *resolve(
	const struct trace_target *target, const char *where, const char *name, const char **ret)
{
	uint64_t address = 0;
	const char *digits = name + strlen("@0x");
	size_t length = strncmp(name, "@0x", strlen("@0x")) == 0 ? strlen(digits) : 0;
	if (!length || length > 16 || strspn(digits, "0123456789abcdef") != length)
		return error_new(
			"%s: '%s' is no struct; expected a name, or @0x and the address of "
			"a variable",
			where, name);
	for (; *digits; digits++)
		address = address << 4 |
			  (uint64_t)(*digits <= '9' ? *digits - '0' : *digits - 'a' + 10);
	if (!target->name_at)
		return error_new("%s: '%s' is an address, and there is no binary to look it up in",
			where, name);
	struct error *error = target->name_at(target->context, address, ret);
	return error ? error_wrap(error, "%s", where) : NULL;
}

struct error *trace_check_struct(
	const struct trace_target *target, const char *where, const char *name, uint64_t size_bytes)
{
	const struct layout *layout = target->layout;
	if (*name == '@') {
		struct error *error = resolve(target, where, name, &name);
		if (error)
			return error;
	}
	if (strcmp(name, layout->name) != 0 && strcmp(name, target->qualified_name) != 0)
		return error_new(
			"%s: a recording of '%s', not of '%s'; replay that, or record again", where,
			name, target->qualified_name);
	if (size_bytes && size_bytes != layout->size_bytes)
		return error_new("%s: recorded from a '%s' of %" PRIu64
				 " bytes, in %s it has %" PRIu64 "; record again with this build",
			where, name, size_bytes, target->binary, layout->size_bytes);
	return NULL;
}

struct error *trace_check_build(
	const struct trace_target *target, const char *where, const char *build_id)
{
	if (!target->build_id)
		return error_new(
			"%s: recorded from the build %s, but %s has no build-id; link with "
			"-Wl,--build-id and record again",
			where, build_id, target->binary);
	if (strcmp(build_id, target->build_id) != 0)
		return error_new(
			"%s: recorded from another build (%s) than %s (%s); replay with that "
			"binary, or record again",
			where, build_id, target->binary, target->build_id);
	return NULL;
}

/* Objects may be longer than the struct: a flexible array is at its end. */
static bool is_open_ended(const struct layout *layout)
{
	const struct layout_member *members = layout->members;
	for (size_t i = 0; i < layout->member_count; i++)
		if (members[i].is_array && !members[i].size_bytes &&
			layout_first_byte(&members[i]) >=
				layout->size_bytes - layout->padding_bytes)
			return true;
	return false;
}

struct error *trace_check_event(
	const struct trace_target *target, const char *where, const struct trace_event *event)
{
	uint64_t end = (uint64_t)event->off_bytes + event->size_bytes;
	if (!event->size_bytes)
		return error_new("%s: an access of 0 bytes; expected at least 1", where);
	if (end > TRACE_OFFSET_MAX)
		return error_new("%s: reaches up to byte %" PRIu64 "; at most %d can be replayed",
			where, end, TRACE_OFFSET_MAX);
	if (end > target->layout->size_bytes && !is_open_ended(target->layout))
		return error_new("%s: reaches up to byte %" PRIu64 " of a struct of %" PRIu64
				 "; is it a recording of '%s'?",
			where, end, target->layout->size_bytes, target->qualified_name);
	return NULL;
}

/* ---- files ---- */

static bool begins_with(const char *bytes, size_t length, const char *start)
{
	size_t want = strlen(start);
	return length >= want && memcmp(bytes, start, want) == 0;
}

struct error *trace_parse(struct arena *arena, const char *name, const char *bytes, size_t length,
	const struct trace_target *target, struct trace *ret)
{
	struct trace trace = {.path = name};
	struct error *error;
	if (begins_with(bytes, length, TRACE_MAGIC))
		error = trace_parse_binary(arena, name, bytes, length, target, &trace);
	else if (length && !memchr(bytes, '\0', length))
		error = trace_parse_text(arena, name, bytes, length, target, &trace);
	else
		error = error_new("%s: %s; a trace is what the recorder writes, or text as in "
				  "linelint-trace(5)",
			name, length ? "not a trace" : "empty");
	if (error)
		return error;
	for (size_t i = 0; i < trace.event_count; i++)
		trace.operations += trace.events[i].begins;
	if (!trace.operations)
		return error_new(
			"%s: no access begins an operation, so that nothing can be counted per "
			"operation; mark where they begin (linelint-trace(5))",
			name);
	*ret = trace;
	return NULL;
}

struct error *trace_read(
	struct arena *arena, const char *path, const struct trace_target *target, struct trace *ret)
{
	struct buf bytes;
	buf_init(&bytes);
	struct error *error = file_read(path, TRACE_BYTES_MAX, "record for a shorter time", &bytes);
	if (!error)
		error = trace_parse(
			arena, arena_strdup(arena, path), bytes.data, bytes.length, target, ret);
	buf_release(&bytes);
	return error;
}

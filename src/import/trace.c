#include "import/trace.h"

#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "import/trace/form.h"

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

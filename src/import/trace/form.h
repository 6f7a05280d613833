/*
 * trace/form: the two forms of a trace. Private to trace.c and trace/.
 *
 * bytes -> [trace_parse_binary, trace_parse_text] -> struct trace. linelint-trace(5). `where` is "FILE" or "FILE:LINE".
 */
#ifndef IMPORT_TRACE_FORM_H
#define IMPORT_TRACE_FORM_H

#include "import/trace.h"

#define TRACE_MAGIC "\x7fLLTRACE"
#define TRACE_TEXT_MAGIC "linelint-trace"

enum { TRACE_BYTES_MAX = 1 << 30 };

/* What both must keep to (check.c): the struct that is replayed, its build, and places in it. */
struct error *trace_check_struct(
	const struct trace_target *target, const char *where, const char *name, uint64_t size_bytes);
struct error *trace_check_build(const struct trace_target *target, const char *where, const char *build_id);
struct error *trace_check_event(
	const struct trace_target *target, const char *where, const struct trace_event *event);

/* Everything but `operations`, into a trace whose path is set. */
struct error *trace_parse_binary(struct arena *arena, const char *name, const char *bytes, size_t length,
	const struct trace_target *target, struct trace *ret);
struct error *trace_parse_text(struct arena *arena, const char *name, const char *bytes, size_t length,
	const struct trace_target *target, struct trace *ret);

#endif

/* record: what the recorder wrote (linelint-record(5)), and traces, text or binary (linelint-trace(5)). */
#include <string.h>

#include "import/record.h"
#include "import/trace.h"
#include "layout.h"
#include "target.h"
#include "type.h"

enum { STRUCT_BYTES = 64 };

/* Whichever the variable is. */
static struct error *name_at(void *context, uint64_t address, const char **ret)
{
	(void)context;
	if (address == 1)
		return error_new("no variable; choose another");
	*ret = "table";
	return NULL;
}

static void check_trace(const struct trace *trace)
{
	HOLDS(trace->operations);
	for (size_t i = 0; i < trace->event_count; i++) {
		const struct trace_event *event = &trace->events[i];
		HOLDS(event->thread < trace->thread_count && event->object < trace->object_count);
		HOLDS(event->size_bytes && event->kind < ACCESS_UNKNOWN);
		HOLDS((uint64_t)event->off_bytes + event->size_bytes <= STRUCT_BYTES);
	}
	for (size_t i = 0; i < trace->thread_count; i++)
		HOLDS(trace->thread_roles[i] < trace->role_count);
}

static void check_record(const struct record *record)
{
	for (size_t i = 0; i < record->count_count; i++) {
		const struct record_count *count = &record->counts[i];
		HOLDS(count->role < record->role_count && count->access.size_bytes);
		HOLDS(count->class_index < record->class_count ||
			count->class_index == RECORD_GLOBALS);
	}
	for (size_t i = 0; i < record->operation_count; i++)
		HOLDS(record->operations[i].step_count &&
			record->operations[i].step_count <= RECORD_SEQUENCE_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena;
	struct record record;
	struct trace trace;
	struct layout_member members[] = {
		{.name = "mask", .path = "mask", .size_bytes = 8},
		{.name = "entries", .path = "entries", .off_bits = 64, .size_bytes = 8},
		{.name = "inserted", .path = "inserted", .off_bits = 128, .size_bytes = 4},
	};
	for (size_t i = 0; i < 3; i++) {
		members[i].align_bytes = 4;
		members[i].parent = LAYOUT_NO_PARENT;
		members[i].elements = 1;
		members[i].element_bytes = members[i].size_bytes;
	}
	struct layout layout = {.name = "table",
		.members = members,
		.member_count = 3,
		.size_bytes = STRUCT_BYTES,
		.size_known = true,
		.align_bytes = 8,
		.line_bytes = 64,
		.line_count = 1};
	arena_init(&arena);
	const struct trace_target target = {.layout = &layout,
		.qualified_name = "table",
		.binary = "x",
		.build_id = "0123456789abcdef",
		.name_at = name_at};
	char *bytes = malloc(size + 1); /* of just its length: no NUL behind it is promised */
	HOLDS(bytes);
	if (size)
		memcpy(bytes, data, size);
	bytes = realloc(bytes, size ? size : 1);
	if (!refused(record_parse(&arena, "r", bytes, size, &record)))
		check_record(&record);
	if (!refused(trace_parse(&arena, "t", bytes, size, &target, &trace)))
		check_trace(&trace);
	free(bytes);
	arena_release(&arena);
	return 0;
}

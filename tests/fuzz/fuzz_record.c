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

/* struct table { long mask, entries; int inserted; short slots[2][3]; long rest[3]; }: 64 bytes. */
static void make_layout(struct arena *arena, struct types *types, struct layout *ret)
{
	static const uint64_t dims[] = {2, 3}, rest[] = {3};
	types_init(types, arena, (struct type_machine){8, false, 16});
	type_id wide = types_add(types,
		&(struct type){
			.kind = TYPE_BASE, .name = "long", .size_bytes = 8, .size_known = true});
	type_id word = types_add(types,
		&(struct type){
			.kind = TYPE_BASE, .name = "int", .size_bytes = 4, .size_known = true});
	type_id half = types_add(types,
		&(struct type){
			.kind = TYPE_BASE, .name = "short", .size_bytes = 2, .size_known = true});
	type_id slots = types_add(types,
		&(struct type){.kind = TYPE_ARRAY, .target = half, .dims = dims, .dim_count = 2});
	type_id tail = types_add(types,
		&(struct type){.kind = TYPE_ARRAY, .target = wide, .dims = rest, .dim_count = 1});
	struct type_member members[] = {
		{.name = "mask", .type = wide},
		{.name = "entries", .type = wide, .off_bits = 64},
		{.name = "inserted", .type = word, .off_bits = 128},
		{.name = "slots", .type = slots, .off_bits = 160},
		{.name = "rest", .type = tail, .off_bits = 320},
	};
	struct type_member *kept = arena_new(arena, 1, sizeof(members));
	memcpy(kept, members, sizeof(members));
	type_id table =
		types_add(types, &(struct type){.kind = TYPE_STRUCT,
					 .name = "table",
					 .size_bytes = STRUCT_BYTES,
					 .size_known = true,
					 .members = kept,
					 .member_count = sizeof(members) / sizeof(*members)});
	HOLDS(!layout_build(arena, types, table, "table", 64, ret));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena;
	struct record record;
	struct trace trace;
	struct types types;
	struct layout layout;
	arena_init(&arena);
	make_layout(&arena, &types, &layout);
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

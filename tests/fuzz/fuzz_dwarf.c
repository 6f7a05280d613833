/*
 * dwarf: every definition that the index finds is read into types and laid out.
 *
 * guard.h says how faults of libdwarf are told from ours, and why; how many there were is said at the end.
 */
#include <stdlib.h>

#include "guard.h"
#include "layout.h"
#include "read/dwarf.h"
#include "read/index.h"
#include "sections.h"
#include "target.h"

enum { DEFINITIONS_MAX = 64, MEMBERS_MAX = 1 << 16 };

struct job {
	const uint8_t *data;
	size_t size;
	struct arena arena;
	struct sections sections;
};

/* Returns how many members it has. */
static size_t lay_out(struct arena *arena, const struct dwarf_type *read, const char *name)
{
	struct layout layout;
	const struct layout_gap *gaps;
	HOLDS(read->unit && read->comp_dir && read->producer);
	if (refused(layout_build(arena, read->types, read->id, name, 64, &layout)))
		return 0;
	for (size_t i = 0; i < layout.member_count; i++) {
		const struct layout_member *member = &layout.members[i];
		HOLDS(member->name && member->path && member->align_bytes);
		HOLDS(member->parent == LAYOUT_NO_PARENT || member->parent < i);
	}
	if (layout.member_count < MEMBERS_MAX)
		layout_inner_gaps(arena, &layout, &gaps);
	return layout.member_count;
}

static void read_all(void *context)
{
	struct job *job = context;
	const struct object *object = &job->sections.object;
	const struct index_query query = {.jobs = 1};
	const struct index_def *defs[DEFINITIONS_MAX];
	struct dwarf_type read[DEFINITIONS_MAX];
	struct index index;
	if (refused(index_build(&job->arena, object, &query, &index)))
		return;
	size_t count = index.count < DEFINITIONS_MAX ? index.count : DEFINITIONS_MAX;
	for (size_t i = 0; i < count; i++)
		defs[i] = &index.defs[i];
	/* one by one: a damaged one does not hide the others */
	for (size_t i = 0, members = 0; i < count && members < MEMBERS_MAX; i++)
		if (!refused(dwarf_read(&job->arena, object, &defs[i], 1, 1, &read[i])) &&
			!read[i].damage)
			members += lay_out(&job->arena, &read[i], defs[i]->name);
	if (!refused(dwarf_read(&job->arena, object, defs, count, 1, read)))
		for (size_t i = 0; i < count; i++)
			HOLDS(read[i].damage ? !read[i].types : read[i].types && read[i].id);
}

/* Bytes that are allocated, where a sanitizer counts them: malloc() itself counts what it keeps for later. */
size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

static size_t in_use(void)
{
	return __sanitizer_get_current_allocated_bytes ? __sanitizer_get_current_allocated_bytes()
						       : 0;
}

static bool run(const uint8_t *data, size_t size)
{
	struct job job = {.data = data, .size = size};
	arena_init(&job.arena);
	sections_init(&job.sections, data, size);
	bool whole = guard_run(read_all, &job);
	sections_release(&job.sections);
	arena_release(&job.arena);
	return whole;
}

static void tell(void)
{
	struct guard_count counts = guard_counts();
	fprintf(stderr, "libdwarf's: %zu crashes, %zu hangs\n", counts.crashes, counts.hangs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum {
		ROUNDS = 4
	}; /* of which the first ones may fill caches; LeakSanitizer would name what libdwarf loses */
	static bool is_ready;
	if (!is_ready)
		atexit(tell);
	is_ready = true;
	size_t had = in_use(), has = had;
	for (int round = 0; round < ROUNDS; round++) {
		if (!run(data, size))
			return 0;
		has = in_use();
		if (has <= had)
			return 0;
		had = has;
	}
	fprintf(stderr, "memory is left behind each time\n");
	abort();
}

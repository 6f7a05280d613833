/* index: what is found in .debug_info, asked for in each of the ways that the commands have. */
#include <string.h>

#include "read/index.h"
#include "sections.h"
#include "target.h"

static bool build(struct arena *arena, const struct object *object, const char *const *patterns,
	size_t count, struct index *ret)
{
	const struct index_query query = {.patterns = patterns,
		.pattern_count = count,
		.probe = "task_struct",
		.jobs = 1,
		.compares = object->sections[OBJECT_DEBUG_STR].size & 1};
	*ret = (struct index){.count = 0};
	if (refused(index_build(arena, object, &query, ret)))
		return false;
	for (size_t i = 0; i < ret->count; i++) {
		const struct index_def *def = &ret->defs[i];
		HOLDS(*def->name && (!def->scope || *def->scope) && def->copies && def->layouts);
		HOLDS(def->unit_off < def->die_off && def->die_off < object_limit(object));
		HOLDS(def->kind == TYPE_STRUCT || def->kind == TYPE_UNION ||
			def->kind == TYPE_CLASS);
		HOLDS(!i || strcmp(ret->defs[i - 1].name, def->name) <= 0);
	}
	for (size_t i = 1; i < ret->name_count; i++)
		HOLDS(strcmp(ret->names[i - 1], ret->names[i]) < 0);
	return true;
}

/* What is found among all is found by its name too. */
static void ask_by_name(struct arena *arena, const struct object *object, const struct index *all)
{
	enum { NAMES_MAX = 4 };
	size_t step = 1 + all->count / NAMES_MAX;
	for (size_t i = 0; i < all->count; i += step) {
		struct index one;
		const char *name = all->defs[i].name;
		if (build(arena, object, &name, 1, &one))
			HOLDS(one.count || !index_name_matches(name, all->defs[i].scope, name));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"s", "list_t", "ns::*", "Outer<int>::inner"};
	struct sections sections;
	struct arena arena;
	struct index all, some;
	arena_init(&arena);
	sections_init(&sections, data, size);
	bool whole = build(&arena, &sections.object, NULL, 0, &all);
	build(&arena, &sections.object, names, 4, &some);
	if (whole)
		ask_by_name(&arena, &sections.object, &all);
	sections_release(&sections);
	arena_release(&arena);
	return 0;
}

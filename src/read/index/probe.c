#include "read/index/probe.h"

#include "read/index/scan.h"

enum { UNITS = 32 };

/* One that defines it; false too where a unit is damaged, which whoever reads all of them will tell. */
static bool is_defined(struct dies *dies, struct names *names, const struct units *units)
{
	struct candidates found;
	candidates_init(&found);
	for (size_t i = 0; i < units->count && i < UNITS && !found.wanted.count && !dies->error;
		i++)
		if (!units->items[i].is_idle && dies_open(dies, &units->items[i]))
			scan_unit(dies, names, &found);
	bool defined = found.wanted.count > 0;
	candidates_release(&found);
	return defined;
}

bool probe(const struct object *object, const struct units *units, const char *name)
{
	struct arena arena;
	struct patterns patterns;
	struct dies dies;
	struct names names;
	arena_init(&arena);
	patterns_init(&patterns, &arena, &name, 1);
	dies_init(&dies, object, units);
	names_init(&names, &patterns);
	bool defined = is_defined(&dies, &names, units);
	names_release(&names);
	dies_release(&dies);
	patterns_release(&patterns);
	arena_release(&arena);
	return defined;
}

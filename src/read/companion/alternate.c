#include "read/companion/alternate.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "read/companion/places.h"
#include "read/dw.h"
#include "read/index/die.h"
#include "read/object/links.h"

/* ---- finding it ---- */

struct search {
	struct arena *arena;
	const struct object *object;
	struct object_links links;
	struct places places;
	struct object found;
	bool is_found;
};

static bool is_wanted(const struct search *search, const struct object *candidate)
{
	struct object_links links;
	object_links_read(search->arena, candidate, &links);
	const char *id = links.supplement_id ? links.supplement_id : candidate->build_id;
	return !*search->links.alternate_id || (id && strcmp(id, search->links.alternate_id) == 0);
}

static void try_place(struct search *search, const char *path)
{
	if (search->is_found || !places_try(&search->places, path))
		return;
	struct error *error = object_open(search->arena, path, &search->found);
	if (error) {
		places_reject(&search->places, path, "unreadable");
		error_free(error);
		return;
	}
	search->is_found = is_wanted(search, &search->found);
	if (search->is_found)
		return;
	places_reject(&search->places, path, "of another build");
	object_close(&search->found);
}

/* Relative names count from the file that has them, where that really is. */
static void try_places(struct search *search, const char *debug_dir)
{
	struct arena *arena = search->arena;
	const char *name = search->links.alternate_name, *id = search->links.alternate_id;
	const char *base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
	const char *path = object_debug_path(search->object);
	const char *directory = places_real_directory(arena, path);
	if (!directory)
		directory = places_directory(arena, path);
	try_place(search, *name == '/' ? name : arena_printf(arena, "%s/%s", directory, name));
	if (strlen(id) > 2)
		try_place(search,
			arena_printf(arena, "%s/.build-id/%.2s/%s.debug", debug_dir, id, id + 2));
	const char *below = strstr(name, ".dwz/"); /* of /usr/lib/debug, which may be elsewhere */
	if (below)
		try_place(search, arena_printf(arena, "%s/%s", debug_dir, below));
	else
		try_place(search, arena_printf(arena, "%s/.dwz/%s", debug_dir, base));
	if (base != name)
		try_place(search, arena_printf(arena, "%s/%s", directory, base));
	try_place(search, arena_printf(arena, "%s/%s", debug_dir, base));
}

static struct error *not_there(const struct search *search)
{
	return error_new("%s: a part of its debug information is in a file that several share "
			 "(dwz), '%s', which is not there: looked at %s; install the package that "
			 "has it, or name its directory with --debug-dir",
		object_debug_path(search->object), search->links.alternate_name,
		places_text(&search->places));
}

/* ---- what is imported ---- */

struct imports {
	struct dies dies;
	const struct units *units;
	const struct object *alternate;
	const struct unit **used; /* of the alternate file, as they were met; owned */
	size_t count, capacity;
	bool *is_used; /* by index of a unit; owned */
};

static void note_import(struct imports *imports, const struct die *die)
{
	uint64_t off;
	const struct unit *unit = die_refers(&imports->dies, die, SLOT_IMPORT, &off)
					  ? units_find(imports->units, off)
					  : NULL;
	if (!unit || unit->object != imports->alternate ||
		imports->is_used[unit - imports->units->items])
		return;
	imports->is_used[unit - imports->units->items] = true;
	imports->used = mem_grow(
		imports->used, &imports->capacity, imports->count + 1, sizeof(struct unit *));
	imports->used[imports->count++] = unit;
}

/* Imports are children of a unit's own DIE. False after damage. */
static bool read_imports(struct imports *imports, const struct unit *unit)
{
	struct dies *dies = &imports->dies;
	if (!dies_open(dies, unit))
		return false;
	struct view *view = &dies->main;
	const struct abbrev *abbrev;
	const uint8_t *p = view->children;
	while (p && (abbrev = die_abbrev(dies, view, &p))) {
		struct die die;
		if (abbrev->tag == DW_TAG_imported_unit) {
			if (!die_read(dies, view, abbrev, p, &die))
				return false;
			note_import(imports, &die);
		}
		p = die_skip_tree(dies, view, abbrev, p);
	}
	return !dies->error;
}

static int compare_offsets(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;
	return (*a > *b) - (*a < *b);
}

/* What a damaged unit imports is not known; the index tells of the unit. */
static void read_imports_of(struct imports *imports, const struct unit *unit)
{
	if (read_imports(imports, unit))
		return;
	error_free(imports->dies.error);
	imports->dies.error = NULL;
}

static void find_imports(struct arena *arena, const struct object *object, struct object *alternate)
{
	struct units units;
	units_read(object, &units);
	struct imports imports = {.units = &units, .alternate = alternate};
	dies_init(&imports.dies, object, &units);
	imports.is_used = mem_new(units.count, sizeof(*imports.is_used));
	for (size_t i = 0; i < units.count; i++)
		if (units.items[i].object == object)
			read_imports_of(&imports, &units.items[i]);
	for (size_t i = 0; i < imports.count; i++) /* which grows meanwhile */
		read_imports_of(&imports, imports.used[i]);
	uint64_t *used = arena_new(arena, imports.count, sizeof(*used));
	for (size_t i = 0; i < imports.count; i++)
		used[i] = imports.used[i]->off;
	if (imports.count)
		qsort(used, imports.count, sizeof(*used), compare_offsets);
	alternate->is_shared = true;
	alternate->used_units = used;
	alternate->used_count = imports.count;
	mem_free(imports.used);
	mem_free(imports.is_used);
	dies_release(&imports.dies);
	units_release(&units);
}

struct error *alternate_attach(struct companion_list *list, const char *debug_dir)
{
	struct error *error = NULL;
	struct search search = {.arena = list->arena, .object = list->object};
	object_links_read(list->arena, list->object, &search.links);
	if (!search.links.alternate_name || !object_span(list->object))
		return NULL;
	places_init(&search.places, list->arena);
	try_places(&search, debug_dir);
	if (!search.is_found)
		error = not_there(&search);
	places_release(&search.places);
	if (error)
		return error;
	struct object *alternate = companion_add(list, &search.found);
	if (!alternate) /* nothing in it but strings, or not even those */
		return NULL;
	list->object->alternate = alternate;
	find_imports(list->arena, list->object, alternate);
	return NULL;
}

#include "read/dwarf/opened.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "read/dw.h"
#include "read/dwarf.h"
#include "read/dwarf/scoped.h"

/*
 * Each open unit costs libdwarf's tables of abbreviations and files; opening one again takes some
 * microseconds.
 */
enum { OPEN_MAX = 64 };

/* ---- the map of all units ---- */

void opened_map_init(struct opened_map *map, const struct object *object)
{
	entry_begin();
	*map = (struct opened_map){.object = object};
	pthread_mutex_init(&map->lock, NULL);
	homes_init(&map->homes);
}

void opened_map_release(struct opened_map *map)
{
	mem_free(map->starts);
	mem_free(map->signatures);
	homes_release(&map->homes);
	pthread_mutex_destroy(&map->lock);
}

static int compare_signatures(const void *left, const void *right)
{
	const struct opened_signature *a = left, *b = right;
	return (a->signature > b->signature) - (a->signature < b->signature);
}

static void read_map(struct opened_map *map)
{
	uint64_t limit = object_limit(map->object);
	for (uint64_t off = 0; off < limit;) {
		struct entry_extent extent;
		struct error *error = entry_extent_read(map->object, off, &extent);
		if (error) { /* whoever needs that unit will tell */
			error_free(error);
			off = entry_extent_skip(map->object, off);
			continue;
		}
		map->starts = mem_grow(map->starts, &map->start_capacity, map->start_count + 1,
			sizeof(*map->starts));
		map->starts[map->start_count++] = off;
		if (extent.type_off) {
			map->signatures = mem_grow(map->signatures, &map->signature_capacity,
				map->signature_count + 1, sizeof(*map->signatures));
			map->signatures[map->signature_count++] =
				(struct opened_signature){extent.signature, off, extent.type_off};
		}
		off = extent.end;
	}
	if (map->signature_count)
		qsort(map->signatures, map->signature_count, sizeof(*map->signatures),
			compare_signatures);
}

static void need_map(struct opened_map *map)
{
	pthread_mutex_lock(&map->lock);
	if (!map->ready) {
		read_map(map);
		map->ready = true;
	}
	pthread_mutex_unlock(&map->lock);
}

struct error *opened_enter(const struct opened *opened, uint64_t off, struct trail_step *before)
{
	const struct trail_step step = {TRAIL_DEFINITION, opened->file, off};
	struct trail *trail = opened->object->trail;
	if (trail_is_aside(trail, step))
		return entry_damaged(
			opened->object, off, "libdwarf crashes or hangs when it reads this");
	*before = trail_enter(trail, opened->worker, step);
	return NULL;
}

void opened_leave(const struct opened *opened, struct trail_step before)
{
	trail_leave(opened->object->trail, opened->worker, before);
}

/* Where libdwarf has died once it is not sent again. */
static struct error *open_entries(const struct opened *opened, uint64_t off, struct entry_unit *ret)
{
	const struct object *object = opened->object;
	const struct trail_step step = {TRAIL_UNIT, opened->file, off};
	if (trail_is_aside(object->trail, step))
		return entry_damaged(
			object, off, "libdwarf crashes or hangs when it opens this unit");
	struct trail_step before = trail_enter(object->trail, opened->worker, step);
	struct error *error = entry_unit_open(object, off, ret);
	trail_leave(object->trail, opened->worker, before);
	return error;
}

/*
 * The language of what a partial unit is imported into. dwz puts them before all others; C++ wins, for what is C++ is read
 * wrongly as C (bases whose padding others use), and C is read as well as C++.
 */
static uint16_t find_language(const struct opened *opened)
{
	const struct opened_map *map = opened->map;
	enum { UNITS_MAX = 64 };
	uint16_t first = 0;
	int left = UNITS_MAX;
	for (size_t i = map->start_count; i > 0 && left > 0; i--) {
		struct entry_unit unit;
		if (object_at(map->object, map->starts[i - 1]) != map->object)
			continue;
		left--;
		struct error *error = open_entries(opened, map->starts[i - 1], &unit);
		if (error) { /* whoever needs that unit will tell */
			error_free(error);
			continue;
		}
		uint16_t language = unit.language;
		entry_unit_close(&unit);
		if (dwarf_is_cxx(language))
			return language;
		if (!first && language != DW_LANG_Mips_Assembler)
			first = language;
	}
	return first;
}

static uint16_t need_language(const struct opened *opened)
{
	struct opened_map *map = opened->map;
	need_map(map);
	pthread_mutex_lock(&map->lock);
	if (!map->language_ready)
		map->language = find_language(opened);
	map->language_ready = true;
	uint16_t language = map->language;
	pthread_mutex_unlock(&map->lock);
	return language;
}

/* ---- the units of a worker ---- */

void opened_init(
	struct opened *opened, const struct object *object, struct opened_map *map, size_t worker)
{
	*opened = (struct opened){
		.object = object, .map = map, .worker = worker, .file = trail_file(object->path)};
}

static void close_unit(struct opened *opened, struct opened_unit *unit)
{
	if (!unit->is_open)
		return;
	entry_unit_close(&unit->entries);
	unit->is_open = false;
	opened->open_count--;
}

static void free_unit(struct opened *opened, struct opened_unit *unit)
{
	close_unit(opened, unit);
	map_release(&unit->types);
	scoped_free(unit->root);
	mem_free(unit);
}

void opened_release(struct opened *opened)
{
	for (size_t i = 0; i < opened->count; i++)
		free_unit(opened, opened->items[i]);
	mem_free(opened->items);
	*opened = (struct opened){0};
}

/* Index of the first unit that starts behind `off`. */
static size_t opened_behind(const struct opened *opened, uint64_t off)
{
	size_t low = 0, high = opened->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (opened->items[middle]->off <= off)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct error *opened_get(struct opened *opened, uint64_t off, struct opened_unit **ret)
{
	size_t at = opened_behind(opened, off);
	if (at && opened->items[at - 1]->off == off) {
		*ret = opened->items[at - 1];
		return NULL;
	}
	struct entry_extent extent;
	struct error *error = entry_extent_read(opened->object, off, &extent);
	if (error)
		return error;
	opened->items = mem_grow(
		opened->items, &opened->capacity, opened->count + 1, sizeof(struct opened_unit *));
	memmove(opened->items + at + 1, opened->items + at,
		(opened->count - at) * sizeof(struct opened_unit *));
	opened->count++;
	struct opened_unit *unit = opened->items[at] = mem_new(1, sizeof(*unit));
	unit->off = off;
	unit->end = extent.end;
	map_init(&unit->types);
	*ret = unit;
	return NULL;
}

void opened_drop(struct opened *opened, struct opened_unit *unit)
{
	size_t at = opened_behind(opened, unit->off);
	memmove(opened->items + at - 1, opened->items + at,
		(opened->count - at) * sizeof(struct opened_unit *));
	opened->count--;
	free_unit(opened, unit);
}

struct error *opened_find(
	struct opened *opened, struct opened_unit *near, uint64_t off, struct opened_unit **ret)
{
	if (near && off > near->off && off < near->end) {
		*ret = near;
		return NULL;
	}
	need_map(opened->map);
	size_t low = 0, high = opened->map->start_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (opened->map->starts[middle] <= off)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || off >= object_limit(opened->object))
		return error_new("%s: damaged debug information: a reference to offset 0x%" PRIx64
				 " of .debug_info, past its end; build it again",
			object_debug_path(opened->object), off);
	struct error *error = opened_get(opened, opened->map->starts[low - 1], ret);
	if (error)
		return error;
	if (off >= (*ret)->end)
		return entry_damaged(opened->object, off, "a reference into a damaged unit");
	(*ret)->is_shared = true;
	return NULL;
}

struct error *opened_find_signature(
	struct opened *opened, uint64_t signature, struct opened_unit **ret, uint64_t *off)
{
	const struct opened_map *map = opened->map;
	struct opened_signature key = {.signature = signature};
	need_map(opened->map);
	*ret = NULL;
	if (!map->signature_count)
		return NULL;
	const struct opened_signature *found = bsearch(&key, map->signatures, map->signature_count,
		sizeof(*map->signatures), compare_signatures);
	if (!found)
		return NULL;
	struct error *error = opened_get(opened, found->unit_off, ret);
	if (error)
		return error;
	(*ret)->is_shared = true;
	*off = found->type_off;
	return NULL;
}

static void close_oldest(struct opened *opened)
{
	struct opened_unit *oldest = NULL;
	for (size_t i = 0; i < opened->count; i++)
		if (opened->items[i]->is_open && (!oldest || opened->items[i]->used < oldest->used))
			oldest = opened->items[i];
	if (oldest)
		close_unit(opened, oldest);
}

struct error *opened_use(struct opened *opened, struct opened_unit *unit, struct entry_unit **ret)
{
	unit->used = ++opened->clock;
	trail_tick(opened->object->trail, opened->worker);
	*ret = &unit->entries;
	if (unit->is_open)
		return NULL;
	if (opened->open_count >= OPEN_MAX)
		close_oldest(opened);
	struct error *error = open_entries(opened, unit->off, &unit->entries);
	if (error)
		return error;
	unit->is_open = true;
	opened->open_count++;
	if (!unit->entries.language)
		unit->entries.language = need_language(opened);
	return NULL;
}

#include "read/companion/split.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "read/companion/content.h"
#include "read/companion/places.h"
#include "read/dw.h"
#include "read/index/die.h"
#include "read/map.h"

enum {
	NAMES_SHOWN = 3, /* of split files that are not there */
	PACKAGES_MOST = 2, /* of the binary and of its separate debug file */
	SMALL_BYTES =
		64 * 1024, /* of .debug_info: too little to ask first whether it is worth it */
};

/* A skeleton unit. */
struct skeleton {
	struct object_skeleton known;
	const char *dwo_name;
};

static const char other_build[] = "of another build: its dwo_id differs";

struct split {
	struct companion_list *list;
	struct arena *arena;
	struct object *object;
	struct skeleton *skeletons; /* in file order; owned */
	size_t count, capacity;
	struct map wanted;  /* the ids of all skeletons -> 1 */
	struct map ids;     /* of the split units that are there -> 1 */
	struct map paths;   /* hash of a path that was opened -> 1 */
	struct buf missing; /* the text of object->missing */
	const char *packages[PACKAGES_MOST]; /* those that are there; in the arena */
	const char *reasons[PACKAGES_MOST];  /* why a unit that is wanted is not in them */
	size_t package_count;
};

/* ---- skeletons ---- */

/* A skeleton unit that refers to a function has an address, which is then in .debug_addr. */
static bool may_be_split(const struct object *object)
{
	return !object->is_split &&
	       (object->sections[OBJECT_DEBUG_ADDR].size || object_span(object) < SMALL_BYTES);
}

static bool may_be_skeleton(const struct unit *unit)
{
	return unit->version >= 5 ? unit->type == DW_UT_skeleton : unit->type == DW_UT_compile;
}

static const char *text_of(struct dies *dies, const struct die *die, enum die_slot slot)
{
	return die_has(die, slot) ? die_kept_string(dies, die->view, &die->values[slot]) : "";
}

static bool note_skeleton(struct split *split, struct dies *dies, const struct unit *unit)
{
	struct die root;
	if (!dies_open(dies, unit))
		return false;
	if (!dies->main.is_skeleton || !die_read_at(dies, unit->die_off, &root))
		return !dies->error;
	const struct value *lines = &root.values[SLOT_LINES];
	split->skeletons = mem_grow(
		split->skeletons, &split->capacity, split->count + 1, sizeof(*split->skeletons));
	split->skeletons[split->count++] = (struct skeleton){
		.known = {.dwo_id = content_id(unit, &root),
			.comp_dir = text_of(dies, &root, SLOT_COMP_DIR),
			.line_off = die_has(&root, SLOT_LINES) ? lines->number : 0,
			.addr_base = dies->main.addr_base,
			.has_lines = die_has(&root, SLOT_LINES)},
		.dwo_name = text_of(dies, &root, SLOT_DWO_NAME),
	};
	return !dies->error;
}

/* Of damaged ones the index tells. */
static void find_skeletons(struct split *split)
{
	struct units units;
	struct dies dies;
	units_read(split->object, &units);
	dies_init(&dies, split->object, &units);
	for (size_t i = 0; i < units.count; i++)
		if (units.items[i].object == split->object && may_be_skeleton(&units.items[i]) &&
			!note_skeleton(split, &dies, &units.items[i])) {
			error_free(dies.error);
			dies.error = NULL;
		}
	dies_release(&dies);
	units_release(&units);
}

/* ---- split files ---- */

static void add_id(struct map *ids, uint64_t id)
{
	if (id && !map_find(ids, id))
		map_add(ids, id, 1);
}

static void note_ids(const struct split *split, const struct content *content, struct map *ids)
{
	for (size_t i = 0; i < content->id_count; i++)
		if (map_find(&split->wanted, content->ids[i]))
			add_id(ids, content->ids[i]);
}

/* Opens a file and adds it when it has the unit `dwo_id` (0: any that is wanted); the reason when not. */
static const char *add_file(struct split *split, const char *path, uint64_t dwo_id)
{
	struct object file;
	struct content content;
	struct map ids;
	const char *reason = NULL;
	struct error *error = object_open_split(split->arena, path, &file);
	if (error) {
		error_free(error);
		return "unreadable";
	}
	map_init(&ids);
	error = content_read(split->arena, &file, &split->wanted, &content);
	note_ids(split, &content, &ids);
	if (error)
		reason = "damaged";
	else if (!content.id_count)
		reason = "without split units";
	else if (dwo_id ? !map_find(&ids, dwo_id) : !ids.count)
		reason = other_build;
	error_free(error);
	if (reason) {
		object_close(&file);
	} else {
		note_ids(split, &content, &split->ids);
		struct object *added = companion_add(split->list, &file);
		if (added)
			content_use(&content, added);
	}
	map_release(&ids);
	return reason;
}

static uint64_t path_key(const char *path)
{
	return die_hash_bytes(path, strlen(path)) | 1;
}

/* A place for the split file of a skeleton; true when it was there. */
static bool try_place(struct split *split, struct places *places, const struct skeleton *skeleton,
	const char *path)
{
	uint64_t key = path_key(path);
	if (map_find(&split->ids, skeleton->known.dwo_id))
		return true;
	if (!places_try(places, path))
		return false;
	const char *reason = map_find(&split->paths, key)
				     ? other_build
				     : add_file(split, path, skeleton->known.dwo_id);
	if (!reason) {
		map_add(&split->paths, key, 1);
		return true;
	}
	places_reject(places, path, reason);
	return false;
}

static bool try_places(struct split *split, struct places *places, const struct skeleton *skeleton)
{
	struct arena *arena = split->arena;
	const char *name = skeleton->dwo_name, *slash = strrchr(name, '/');
	const char *directory = places_directory(arena, object_debug_path(split->object));
	const char *compiled =
		*name == '/' || !*skeleton->known.comp_dir
			? name
			: arena_printf(arena, "%s/%s", skeleton->known.comp_dir, name);
	const char *beside = arena_printf(arena, "%s/%s", directory, slash ? slash + 1 : name);
	if (try_place(split, places, skeleton, compiled))
		return true;
	if (slash && *name != '/' &&
		try_place(split, places, skeleton, arena_printf(arena, "%s/%s", directory, name)))
		return true;
	return strcmp(beside, compiled) != 0 && try_place(split, places, skeleton, beside);
}

static void note_missing(
	struct split *split, const struct skeleton *skeleton, const struct places *places)
{
	struct object *object = split->object;
	if (++object->missing_count > NAMES_SHOWN)
		return;
	if (split->missing.length)
		buf_puts(&split->missing, ", ");
	buf_printf(&split->missing, "%s (looked at %s)", skeleton->dwo_name, places_text(places));
}

static void find_file(struct split *split, const struct skeleton *skeleton)
{
	struct places places;
	places_init(&places, split->arena);
	for (size_t i = 0; i < split->package_count; i++)
		places_reject(&places, split->packages[i], split->reasons[i]);
	if (!try_places(split, &places, skeleton))
		note_missing(split, skeleton, &places);
	places_release(&places);
}

static void try_package(struct split *split, const char *binary)
{
	struct places places;
	const char *path = arena_printf(split->arena, "%s.dwp", binary);
	places_init(&places, split->arena);
	if (places_try(&places, path)) {
		const char *reason = add_file(split, path, 0);
		split->packages[split->package_count] = path;
		split->reasons[split->package_count++] = reason ? reason : other_build;
	}
	places_release(&places);
}

/* A package beside the binary has all of them, most often. */
static void find_package(struct split *split)
{
	const char *path = split->object->path, *debug_path = object_debug_path(split->object);
	try_package(split, path);
	if (strcmp(path, debug_path) != 0)
		try_package(split, debug_path);
}

/* ---- the whole ---- */

static int compare_skeletons(const void *left, const void *right)
{
	const struct object_skeleton *a = left, *b = right;
	return (a->dwo_id > b->dwo_id) - (a->dwo_id < b->dwo_id);
}

/* The skeletons whose split units are there, by id. */
static void keep_skeletons(struct split *split)
{
	struct object *object = split->object;
	struct object_skeleton *known = arena_new(split->arena, split->count, sizeof(*known));
	size_t count = 0;
	for (size_t i = 0; i < split->count; i++)
		if (map_find(&split->ids, split->skeletons[i].known.dwo_id))
			known[count++] = split->skeletons[i].known;
	qsort(known, count, sizeof(*known), compare_skeletons);
	object->skeletons = known;
	object->skeleton_count = count;
	if (object->missing_count > NAMES_SHOWN)
		buf_printf(&split->missing, " and %zu more", object->missing_count - NAMES_SHOWN);
	if (object->missing_count)
		object->missing = arena_strdup(split->arena, split->missing.data);
}

struct error *split_attach(struct companion_list *list)
{
	struct split split = {.list = list, .arena = list->arena, .object = list->object};
	if (!may_be_split(split.object))
		return NULL;
	map_init(&split.wanted);
	map_init(&split.ids);
	map_init(&split.paths);
	buf_init(&split.missing);
	find_skeletons(&split);
	for (size_t i = 0; i < split.count; i++)
		add_id(&split.wanted, split.skeletons[i].known.dwo_id);
	if (split.count) {
		find_package(&split);
		for (size_t i = 0; i < split.count; i++)
			find_file(&split, &split.skeletons[i]);
		keep_skeletons(&split);
	}
	buf_release(&split.missing);
	map_release(&split.wanted);
	map_release(&split.ids);
	map_release(&split.paths);
	mem_free(split.skeletons);
	return NULL;
}

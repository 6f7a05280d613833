#include "read/companion/debug_file.h"

#include <string.h>

#include "read/companion/places.h"
#include "read/object/links.h"

/* What is looked for, and where. */
struct search {
	struct arena *arena;
	const struct object *object; /* the stripped one */
	struct object_links links;
	const char *debug_dir;
	struct places places;
	struct object found;
	bool is_found;
};

/* NULL: it is the one. */
static const char *mismatch(
	const struct search *search, const struct object *candidate, bool by_build_id)
{
	const char *wanted = search->object->build_id, *has = candidate->build_id;
	if (!candidate->sections[OBJECT_DEBUG_INFO].data)
		return "without .debug_info";
	if (candidate->elf_machine != search->object->elf_machine)
		return "of another machine";
	if (by_build_id)
		return has && strcmp(wanted, has) == 0 ? NULL : "of another build";
	return object_crc(candidate) == search->links.debug_crc
		       ? NULL
		       : "of another build: its CRC differs";
}

/* One place. A file there that cannot be read at all is as good as none, with the reason. */
static void try_place(struct search *search, const char *path, bool by_build_id)
{
	if (search->is_found || !places_try(&search->places, path))
		return;
	struct error *error = object_open(search->arena, path, &search->found);
	if (error) {
		places_reject(&search->places, path, "unreadable");
		error_free(error);
		return;
	}
	const char *reason = mismatch(search, &search->found, by_build_id);
	search->is_found = !reason;
	if (!reason)
		return;
	places_reject(&search->places, path, reason);
	object_close(&search->found);
}

static void search_by_build_id(struct search *search)
{
	const char *id = search->object->build_id;
	if (!id || strlen(id) <= 2)
		return;
	try_place(search,
		arena_printf(
			search->arena, "%s/.build-id/%.2s/%s.debug", search->debug_dir, id, id + 2),
		true);
}

static void search_in(struct search *search, const char *directory)
{
	const char *name = search->links.debug_name;
	const char *beside = arena_printf(search->arena, "%s/%s", directory, name);
	/* a debug file may bear the name of its binary, which is then no place to look at */
	if (!places_are_same(beside, search->object->path))
		try_place(search, beside, false);
	try_place(search, arena_printf(search->arena, "%s/.debug/%s", directory, name), false);
}

static void search_by_link(struct search *search)
{
	struct arena *arena = search->arena;
	const char *path = search->object->path, *name = search->links.debug_name;
	if (!name)
		return;
	const char *near = places_directory(arena, path);
	const char *real = places_real_directory(arena, path);
	search_in(search, near);
	if (real && !places_are_same(near, real)) /* the path is a symbolic link */
		search_in(search, real);
	if (real)
		try_place(search, arena_printf(arena, "%s%s/%s", search->debug_dir, real, name), false);
	/* gdb does not look there; who names a directory for the one file in it expects it */
	try_place(search, arena_printf(arena, "%s/%s", search->debug_dir, name), false);
}

struct error *debug_file_attach(struct arena *arena, const char *debug_dir, struct object *object)
{
	struct search search = {.arena = arena, .object = object, .debug_dir = debug_dir};
	if (object->sections[OBJECT_DEBUG_INFO].data)
		return NULL;
	object_links_read(arena, object, &search.links);
	places_init(&search.places, arena);
	search_by_build_id(&search);
	search_by_link(&search);
	object->looked_at = places_text(&search.places);
	if (search.is_found)
		object_take_debug(object, &search.found);
	places_release(&search.places);
	return NULL;
}

#include "layout/apart.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* A member, while those of one path are put side by side. */
struct place {
	const char *path;
	size_t index;
};

static bool is_frame(const struct layout_member *member)
{
	return member->is_base || layout_is_frame(member);
}

/* The class whose scope it is in: a base, what has a name, or LAYOUT_NO_PARENT for the outermost. */
static uint32_t class_of(const struct layout_member *members, size_t index)
{
	uint32_t at = members[index].parent;
	while (at != LAYOUT_NO_PARENT && !members[at].is_base && layout_is_frame(&members[at]))
		at = members[at].parent;
	return at;
}

static bool is_inherited(const struct layout_member *members, size_t index)
{
	uint32_t class = class_of(members, index);
	return class != LAYOUT_NO_PARENT && members[class].is_base;
}

static bool is_in(const struct layout_member *members, uint32_t class, size_t index)
{
	return class == LAYOUT_NO_PARENT ||
	       (index > class && index <= (size_t) class + members[class].descendants);
}

/* Does this one hide all others of its path? */
static bool hides(
	const struct layout_member *members, const struct place *places, size_t count, size_t at)
{
	uint32_t class = class_of(members, places[at].index);
	for (size_t i = 0; i < count; i++)
		if (i != at && (!is_in(members, class, places[i].index) ||
				       class_of(members, places[i].index) == class))
			return false;
	return true;
}

static size_t mark(struct layout_member *members, const struct place *places, size_t count)
{
	size_t marked = 0;
	for (size_t i = 0; count > 1 && i < count; i++) {
		struct layout_member *member = &members[places[i].index];
		member->by_bases =
			is_inherited(members, places[i].index) && !hides(members, places, count, i);
		marked += member->by_bases;
	}
	return marked;
}

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	int order = strcmp(a->path, b->path);
	return order ? order : (a->index > b->index) - (a->index < b->index);
}

static size_t mark_all(struct layout_member *members, size_t count)
{
	struct place *places = mem_new(count, sizeof(*places));
	size_t used = 0, marked = 0;
	for (size_t i = 0; i < count; i++)
		if (*members[i].path && !is_frame(&members[i]))
			places[used++] = (struct place){members[i].path, i};
	if (used)
		qsort(places, used, sizeof(*places), compare_places);
	for (size_t i = 0, end; i < used; i = end) {
		for (end = i + 1; end < used && strcmp(places[end].path, places[i].path) == 0;)
			end++;
		marked += mark(members, places + i, end - i);
	}
	mem_free(places);
	return marked;
}

/* What its path starts with: the path of what it lies in, and the bases in between where they are named. */
static const char *prefix_of(struct arena *arena, const struct layout_member *members,
	const struct layout_member *member)
{
	uint32_t at = member->parent;
	const char *bases = "";
	for (; at != LAYOUT_NO_PARENT && is_frame(&members[at]); at = members[at].parent)
		if (members[at].is_base && member->by_bases)
			bases = arena_printf(arena, "%s.%s", members[at].name, bases);
	return at == LAYOUT_NO_PARENT ? bases
				      : arena_printf(arena, "%s.%s", members[at].path, bases);
}

void apart_tell(struct arena *arena, struct layout_member *members, size_t count)
{
	bool any = false;
	for (size_t i = 0; i < count && !any; i++)
		any = members[i].is_base;
	if (!any || !mark_all(members, count))
		return;
	for (size_t i = 0; i < count; i++) /* what is around comes first */
		if (*members[i].path)
			members[i].path = arena_printf(arena, "%s%s",
				prefix_of(arena, members, &members[i]), members[i].name);
}

/* ---- finding ---- */

/* Takes `name`, and subscripts behind it, off the end of what is left of a path. */
static bool take(const char *path, size_t *left, const char *name)
{
	size_t at = *left, length = strlen(name);
	while (at && path[at - 1] == ']') {
		while (at && path[at - 1] != '[')
			at--;
		at -= at > 0;
	}
	if (at < length || strncmp(path + at - length, name, length) != 0)
		return false;
	at -= length;
	if (at && path[at - 1] != '.')
		return false;
	*left = at ? at - 1 : 0;
	return true;
}

static bool is_meant(
	const struct layout *layout, const struct layout_member *member, const char *path)
{
	size_t left = strlen(path);
	if (is_frame(member) || !take(path, &left, member->name))
		return false;
	for (uint32_t at = member->parent; at != LAYOUT_NO_PARENT;
		at = layout->members[at].parent) {
		const struct layout_member *around = &layout->members[at];
		if (around->is_base)
			take(path, &left, around->name);
		else if (!layout_is_frame(around) && !take(path, &left, around->name))
			return false;
	}
	return !left;
}

const struct layout_member *apart_find(const struct layout *layout, const char *path)
{
	const struct layout_member *found = NULL;
	for (size_t i = 0; i < layout->member_count; i++) {
		if (!is_meant(layout, &layout->members[i], path))
			continue;
		if (found)
			return NULL;
		found = &layout->members[i];
	}
	return found;
}

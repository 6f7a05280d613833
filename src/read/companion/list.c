#include "read/companion/list.h"

struct object *companion_add(struct companion_list *list, struct object *opened)
{
	struct object *object = list->object;
	if (!object_span(opened)) {
		object_close(opened);
		return NULL;
	}
	const struct object *last = object_at(object, UINT64_MAX);
	struct object *added = arena_copy(list->arena, opened, 1, sizeof(*opened));
	object_close_file(added);
	added->start = object_limit(object);
	added->strings_start = last->strings_start + last->sections[OBJECT_DEBUG_STR].size +
			       last->sections[OBJECT_DEBUG_LINE_STR].size;
	list->items = arena_grow(list->arena, list->items, &list->capacity, list->count + 1,
		sizeof(struct object *));
	list->items[list->count++] = added;
	object->companions = list->items;
	object->companion_count = list->count;
	return added;
}

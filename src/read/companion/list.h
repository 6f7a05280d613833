/*
 * list: the companions of an object as they are found. Private to companion.
 */
#ifndef READ_COMPANION_LIST_H
#define READ_COMPANION_LIST_H

#include <stddef.h>

#include "base/arena.h"
#include "read/object.h"

struct companion_list {
	struct arena *arena;    /* not owned */
	struct object *object;  /* whose companions they are; its list is kept up to date */
	struct object **items;  /* in the arena */
	size_t count, capacity;
};

/*
 * Adds a file that was opened: its offsets come behind all others, and the object closes it. Its descriptor is closed at
 * once: there may be thousands. One without .debug_info is closed altogether. Where it is, NULL for that.
 */
struct object *companion_add(struct companion_list *list, struct object *opened);

#endif

/*
 * intern: one copy of each string, so that equal strings are equal pointers. The copies live in the arena given.
 */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include <stddef.h>

#include "base/arena.h"

struct intern {
	struct arena *arena; /* where the strings live; not owned */
	const char **slots;  /* open addressing, NULL when free; owned */
	size_t capacity;     /* a power of two, or 0 */
	size_t count;
};

/* intern_release() frees the table; the strings stay in the arena. */
void intern_init(struct intern *intern, struct arena *arena);
void intern_release(struct intern *intern);

/* The one copy of `string`; lives as long as the arena. */
const char *intern_get(struct intern *intern, const char *string);

#endif

/*
 * uses: does something in the new text use a name before it is defined, that the old text used behind its definition?
 *
 * Names that a body defines for itself: tags, enumerators, macros; in C++ also its types, and members in initializers.
 */
#ifndef PATCH_USES_H
#define PATCH_USES_H

#include "base/arena.h"
#include "patch/body.h"

/* The first such name; NULL when there is none. */
const char *uses_find_broken(
	struct arena *arena, const struct body *before, const struct body *after);

#endif

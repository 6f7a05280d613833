/*
 * layout/apart: fields that C++ bases give one name. Private to layout.
 *
 * A member of a base goes by its own name, as in the language, and hides those of that name in the bases of its class ([class.member.lookup]);
 * what is hidden, or ambiguous, goes by its bases as well: "Base.a", "Left.Root.a".
 */
#ifndef LAYOUT_APART_H
#define LAYOUT_APART_H

#include "layout.h"

/* Sets their paths, those of what is in them, and by_bases. */
void apart_tell(struct arena *arena, struct layout_member *members, size_t count);

/* The one member that `path` names with or without any of its bases; NULL: none, or several. */
const struct layout_member *apart_find(const struct layout *layout, const char *path);

#endif

/*
 * access/container: can an object lie in the member that a profile names? Private to access.
 *
 * It can where that is such an object, an array of them, or begins with one; and where it is storage without a type of its
 * own, an array of numbers (skb->cb, the private bytes behind a struct), that is large enough or open-ended.
 */
#ifndef ACCESS_CONTAINER_H
#define ACCESS_CONTAINER_H

#include "base/arena.h"
#include "layout.h"

/* Why it cannot, to go behind "NAME: "; NULL: it can. `member` is of `container`. Text in the arena. */
const char *container_fault(struct arena *arena, const struct layout *object, const struct layout *container,
	const struct layout_member *member);

#endif

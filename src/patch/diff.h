/*
 * diff: two texts as a unified diff that git apply and patch -p1 take.
 *
 * Lines are compared byte for byte (Myers, "An O(ND) Difference Algorithm and Its Variations", 1986), three lines of
 * context; names with special bytes are quoted as git does, a missing newline at the end is said.
 */
#ifndef PATCH_DIFF_H
#define PATCH_DIFF_H

#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"

struct diff_text {
	const char *bytes;
	size_t length;
};

/* Appends to `out`; nothing when the texts are equal. `name` is relative, "/" between its parts. */
void diff_build(struct arena *arena, const char *name, struct diff_text before,
	struct diff_text after, struct buf *out);

#endif

/*
 * fields: what of a struct a profile names: its members, as far in as whoever writes about accesses goes.
 *
 * layout -> [fields] -> record, profile init. A member without members of its own; a lock, whose innards are nobody's
 * business; a named aggregate that is no more than a word or wraps a single member (atomic_t). What has no name, and bases
 * in C++, are gone through.
 */
#ifndef IMPORT_FIELDS_H
#define IMPORT_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "layout.h"

/* Is this member named as a whole? */
bool fields_is_leaf(
	const struct layout *layout, const struct layout_member *member, uint32_t pointer_bytes);

/* Of a type that locks or waits, of the C library's, C++'s or the kernel's. */
bool fields_is_lock(const struct layout *layout, const struct layout_member *member);

/* The path, with "[]" behind each array that it leads through, itself included. Replaces what is in `path`. */
void fields_path(const struct layout *layout, const struct layout_member *member, struct buf *path);

#endif

/*
 * access/place: where objects start on a line, and where a field lies in its object. Private to access.c and access/.
 *
 * layout + profile -> [place] -> cost. linelint-profile(5), "placement".
 *
 * Starts: an allocation (the object, or its container) is aligned to what is stated, else to a line when its
 * type is, or in a kernel when it is at least half a line and nothing is stated, else to its type's
 * alignment. Slabs start pages, so a stride (stated; of a slab: the size rounded up to the alignment; of
 * kmalloc: the class) makes object k start at k * stride: its largest power of two is an alignment, too. In
 * an array the alignment is that of element 0, and element k starts k strides (sizeof, unless stated) behind
 * it. With a container, alignment, stride and allocator are the container's. All starts are alike, at most
 * 64 of them are told apart on a line.
 */
#ifndef ACCESS_PLACE_H
#define ACCESS_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "cost.h"
#include "layout.h"
#include "profile.h"

struct access_place {
	uint64_t align_bytes;  /* of every object */
	uint64_t stride_bytes; /* 0: unknown; never below least_bytes */
	uint64_t least_bytes;  /* of an allocation; a stated stride below that is not believed */
	bool stated;           /* by the profile */
	const uint64_t *starts;
	size_t start_count; /* at least one */
};

/* The container that a profile states, found in the binary. */
struct access_container {
	const struct layout *layout; /* NULL: none */
	const struct layout_member *member;
};

struct access_place access_place_build(struct arena *arena, const struct layout *layout,
	const struct profile_struct *profile, const struct access_container *container,
	bool is_kernel);

/*
 * Where the accesses of a field go: the bytes of a member, or of an element; the first bytes where the
 * profile limits them; all elements of an array, or each thread its own, where it says so (an array's
 * default: all). Of nested arrays the index counts elements of the outermost, the inner ones are spread;
 * cost_field.array is that outermost one, so that one operation accesses one element of it. A flexible
 * array has as many elements as the stride leaves room for, at least one.
 */
struct cost_field access_field_place(const struct layout *layout,
	const struct layout_member *member, const struct profile_field *profile,
	uint64_t stride_bytes);

/* The array that an index of this field counts in: the member, or the outermost one around it; NULL when none. */
const struct layout_member *access_array_of(
	const struct layout *layout, const struct layout_member *member);

#endif

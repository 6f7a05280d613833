/*
 * inherit: where the parts of a C++ class lie that its debug information leaves out.
 *
 * Private to layout. Itanium C++ ABI, section 2.4: a base class takes its own data only, without its virtual bases and, unless
 * it is plain old data, without the padding behind its last member; virtual bases lie once in the complete object, behind all
 * else, in the order in which they are met. DWARF says of a virtual base only how the running program finds it. Places are
 * worked out, then checked: where they do not add up to the size of the class, they are not known.
 */
#ifndef LAYOUT_INHERIT_H
#define LAYOUT_INHERIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "type.h"

struct inherit_base {
	const struct type_member *source; /* where it is inherited for the first time */
	type_id type;                     /* without typedefs */
	uint64_t off_bytes;               /* in the complete object; see is_known */
	bool is_known;
};

/* Bytes that a class takes as a base of another (its nvsize); 1 for an empty one, as sizeof says. */
uint64_t inherit_base_bytes(const struct types *types, type_id id);

/*
 * All virtual bases of a complete object of class `id`, direct or not, in the order of the inheritance graph; how many. None of
 * them is known when one is not. Classes of absurd depth have none.
 */
size_t inherit_virtual_bases(
	struct arena *arena, const struct types *types, type_id id, const struct inherit_base **ret);

#endif

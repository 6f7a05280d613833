/*
 * order/align: what is known of a type's alignment. Private to order.c and order/.
 *
 * types -> [align] -> order. An aggregate without any gap may be packed, one with an unexplained gap may be aligned: then
 * the alignment is a range. Of scalars it is one number (type.h).
 */
#ifndef ORDER_ALIGN_H
#define ORDER_ALIGN_H

#include <stdbool.h>
#include <stdint.h>

#include "type.h"

struct align_range {
	uint32_t low, high; /* bytes, powers of two */
};

struct align_range align_of_type(const struct types *types, type_id id);

/* The same for a member of an aggregate, what is stated for it included; its offset is not looked at. */
struct align_range align_of_member(const struct types *types, const struct type_member *member);

/*
 * Is an alignment stated for the member itself? Compilers state for it what its type asks for, too, which packing does
 * away with.
 */
bool align_is_own(const struct types *types, const struct type_member *member);

/* Up to which byte an aggregate's members reach: its size without padding. */
uint64_t align_data_bytes(const struct types *types, type_id id);

/* The largest power of two that divides n, at most 2^30; of 0 that. */
uint32_t align_allowed(uint64_t n);

/* The next multiple of a power of two. */
static inline uint64_t align_up(uint64_t n, uint64_t align)
{
	return (n + align - 1) & ~(align - 1);
}

#endif

/*
 * order/fit: today's layout reproduced. Private to order.c and order/.
 *
 * members and their places -> [fit] -> what placement depends on (order.h).
 */
#ifndef ORDER_FIT_H
#define ORDER_FIT_H

#include "base/arena.h"
#include "order.h"
#include "order/align.h"

/*
 * Sets low, high, slack_bits and reused_bits of `members` (order->members), and is_packed, is_packed_perhaps, low and
 * high of the order. Returns NULL, or why today's layout cannot be reproduced.
 */
const char *order_fit(struct arena *arena, struct order *order, struct order_member *members);

/* Where a bit-field goes that comes at `cursor_bits`: not across more units of its type than it has. */
static inline uint64_t order_bits_start(
	const struct order_member *member, bool is_packed, uint64_t cursor_bits)
{
	uint64_t start =
		member->stated ? align_up(cursor_bits, 8 * (uint64_t)member->stated) : cursor_bits;
	uint64_t align_bits = 8 * (uint64_t)member->high;
	/* the units of its alignment that it touches */
	uint64_t spans = align_up((start & (align_bits - 1)) + member->size_bits, align_bits);
	return is_packed || spans <= member->type_bits ? start : align_up(start, align_bits);
}

#endif

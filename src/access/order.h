/*
 * access/order: the accesses of one operation in their order. Private to access.c and access/.
 *
 * counts -> [order] -> cost. linelint-profile(5), "sequence": floor(rmw / 2) pairs of each field
 * bracket the operation, nested in profile order; a lock's rmw and its last write bracket likewise, and
 * further whole pairs of them let it go and take it again at the lock's place. What is left follows in
 * profile order, each field's reads (and accesses of unknown kind), rmw, writes; of each kind whole accesses
 * and one fractional one. A stated sequence takes each field's accesses in that same order of their own, one
 * a mention; fields that it does not mention follow behind it.
 *
 * A lock is taken by its first rmw and let go by its last write, or by the last rmw where it is never
 * written. Between two consecutive accesses nobody comes (`held`) when one lock is held from before the
 * first until the second and orders both: fields that it protects, and its own words.
 */
#ifndef ACCESS_ORDER_H
#define ACCESS_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "cost.h"

/* What an operation does to one field. */
struct access_use {
	double counts[ACCESS_KIND_COUNT];
	uint32_t lock; /* it is the word of this lock, index into the model's; COST_NO_LOCK */
};

struct access_order {
	const struct access_use *uses; /* by field, in profile order */
	size_t use_count;
	const uint32_t *sequence; /* fields as mentioned; NULL: none is stated */
	size_t sequence_count;
	const bool *orders; /* [lock * use_count + field]: the lock orders accesses to the field */
	size_t lock_count;
};

/* Sets accesses and access_count of `ret`, in `arena`. */
void access_order_build(
	struct arena *arena, const struct access_order *order, struct cost_role *ret);

#endif

/*
 * order/whole: what had better stay whole, and did not. Private to order/.
 *
 * placement -> [whole] -> search. An accessed field, and a lock, that fits on a line had better not lie across two; a lock
 * had better share a line with each field that the profile says it protects, and have nothing more between them than today. No price: it decides between equal ones.
 */
#ifndef ORDER_WHOLE_H
#define ORDER_WHOLE_H

#include "base/arena.h"
#include "order.h"

struct whole;

/* What is to be looked at in every placement; in the arena. */
const struct whole *whole_list(struct arena *arena, const struct order *order);

/* How many of these are not so, summed over where objects start on a line today. */
size_t whole_torn(const struct whole *whole, const struct order_place *place);

#endif

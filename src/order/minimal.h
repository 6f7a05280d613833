/*
 * order/minimal: the fewest moves that save most of what can be saved. Private to order/.
 */
#ifndef ORDER_MINIMAL_H
#define ORDER_MINIMAL_H

#include "order.h"

struct search;

/* Every unit of `from` to every place: offered as orders of so many moves, the cheapest kept to be followed up. */
void minimal_try_singles(struct search *search, const struct order_found *from, size_t moves);

/* When the best is known: fills `minimal` of the result. */
void minimal_find(struct search *search);

#endif

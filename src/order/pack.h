/*
 * order/pack: the smallest size without a higher cost. Private to order/.
 */
#ifndef ORDER_PACK_H
#define ORDER_PACK_H

#include <stddef.h>

struct search;

/* Gaps are filled, beginning at `today` and at the best that was found; what comes of it is offered. */
void pack_find(struct search *search, const size_t *today);

#endif

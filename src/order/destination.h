/*
 * order/destination: every place that one unit could go to, priced. Private to order/.
 */
#ifndef ORDER_DESTINATION_H
#define ORDER_DESTINATION_H

#include "order.h"

struct search;

/* Best first, in the arena; legal ones only. `aligns` NULL: none. */
const struct order_priced *destination_price(
	struct search *search, const size_t *today, size_t unit, const uint32_t *aligns, size_t *ret_count);

/* Those of the minimal suggestion's unit, when it is one. */
void destination_find(struct search *search, const size_t *today);

#endif

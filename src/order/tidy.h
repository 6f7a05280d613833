/*
 * order/tidy: needless moves undone. Private to order/.
 *
 * order_found -> [tidy] -> order_found. A climb shuffles what makes no difference. Here units go back among those that stay
 * in declared order, as long as cost, size and lines stay what they are: a suggestion's diff shows what it needs, and no more.
 */
#ifndef ORDER_TIDY_H
#define ORDER_TIDY_H

#include "order.h"

struct search;

/* `found` becomes an order of no more moves, cost and bytes, and of as many lines; its moves are counted. */
void tidy_order(struct search *search, struct order_found *found);

#endif

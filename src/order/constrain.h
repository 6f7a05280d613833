/*
 * order/constrain: the profile's constraints on units. Private to order.c.
 */
#ifndef ORDER_CONSTRAIN_H
#define ORDER_CONSTRAIN_H

#include "order.h"

/* Marks `units` (order->units), and sets first_count and last_count. */
void order_constrain(struct order *order, struct order_unit *units);

#endif

/*
 * order/constrain: the profile's constraints on units, and which of them contradict each other. Private to order.c.
 */
#ifndef ORDER_CONSTRAIN_H
#define ORDER_CONSTRAIN_H

#include "base/arena.h"
#include "base/error.h"
#include "order.h"

/* Marks `units` (order->units); texts in `arena`. Error: two constraints that cannot both hold, with their positions. */
struct error *order_constrain(struct arena *arena, struct order *order, struct order_unit *units);

#endif

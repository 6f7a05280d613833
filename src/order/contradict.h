/*
 * order/contradict: wishes of the profile that no order of this struct's members can fulfil together. Private to order.c.
 *
 * order, profile/wish -> [contradict] -> error. Those that contradict each other in any layout were found when the profile was
 * read (profile/contradict). Only what is certain is an error: whether the rest can be had, the search shows.
 */
#ifndef ORDER_CONTRADICT_H
#define ORDER_CONTRADICT_H

#include "base/arena.h"
#include "base/error.h"
#include "order.h"

/* Error: two wishes, with their positions. Texts in `arena`. The units are marked (order/constrain). */
struct error *order_contradict(struct arena *arena, const struct order *order);

#endif

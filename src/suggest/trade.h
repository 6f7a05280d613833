/*
 * suggest/trade: where no order costs less, one that a role gains by and another pays for. Private to suggest.c and suggest/.
 *
 * cost + order -> [trade] -> suggest. Looks at every place of each field that somebody writes, aligned to a line too where
 * the profile allows padding.
 */
#ifndef SUGGEST_TRADE_H
#define SUGGEST_TRADE_H

#include "order.h"
#include "suggest.h"

/* A role gains at least this, in transactions of its operation. */
#define TRADE_GAIN 0.25

/* The one of the largest gain; is_found false: there is none. */
struct order_found trade_find(struct arena *arena, const struct suggest_input *input, const struct order *order);

#endif

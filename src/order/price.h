/*
 * order/price: what a placement costs. Private to order/.
 *
 * placement -> [price] -> search. The map's model with its fields where they lie then. Where the size changes, so may
 * stride and placement of objects: then the second layout is joined with the profile again (once for each such size).
 * Costs are remembered by what they depend on: which fields share lines.
 */
#ifndef ORDER_PRICE_H
#define ORDER_PRICE_H

#include "base/arena.h"
#include "order.h"

struct price_book;

struct price {
	double cost;    /* transactions an operation */
	double touched; /* lines touched by an operation */
};

struct price_book *price_open(struct arena *arena, const struct order *order);
void price_close(struct price_book *book);

struct price price_of(struct price_book *book, const struct order_sequence *sequence,
	const struct order_place *place);

/* How often cost was computed so far. */
unsigned long price_evaluations(const struct price_book *book);

#endif

/*
 * order/climb: an order, improved step by step: each to the best of its neighbours. Private to order/.
 *
 * Neighbours of an order are those with one unit, or a short run of them, elsewhere, and those with two exchanged.
 */
#ifndef ORDER_CLIMB_H
#define ORDER_CLIMB_H

#include "order.h"
#include "order/compare.h"

/* An order under improvement, in buffers of its own. */
struct climb {
	struct search *search;
	comparison *compare;
	bool only_cheap;        /* what costs more than today is no neighbour */
	struct order_found now; /* of units and aligns */
	size_t *units;
	uint32_t *aligns;
	size_t *trial_units, *best_units;
	uint32_t *trial_aligns, *best_aligns;
	struct order_found best; /* of the neighbours tried since */
};

void climb_init(struct climb *climb, struct search *search, comparison *compare);
void climb_release(struct climb *climb);

/* Begins anew there; false: that order is not legal. `aligns` NULL: none. */
bool climb_from(struct climb *climb, const size_t *units, const uint32_t *aligns);

/* Uphill until nothing is better. */
void climb_up(struct climb *climb);

/* For those that choose neighbours themselves: tries trial_units and trial_aligns. */
void climb_neighbour(struct climb *climb);

/* The unit at position `a` exchanged with each other one. */
void climb_swaps(struct climb *climb, size_t a);

/* The best neighbour that was tried becomes the order; false: there is none. */
bool climb_step(struct climb *climb);

size_t climb_position(const struct climb *climb, size_t unit);

#endif

/*
 * suggest/second: the second layout, joined with the profile and linted. Private to suggest.c and suggest/.
 */
#ifndef SUGGEST_SECOND_H
#define SUGGEST_SECOND_H

#include "lint.h"
#include "order.h"
#include "suggest.h"

struct second {
	struct order_sequence sequence;
	struct order_place place;
	struct types types;
	struct layout layout;
	struct access_map map;
	struct lint_result lint;
};

/* What was found, laid out anew; `ret` points into itself and stays where it is. */
struct error *second_build(struct arena *arena, const struct order *order,
	const struct lint_input *before, const struct order_found *found, struct second *ret);

/* Pairs that share a line in one of the layouts only, or in other placements (suggest.h), dearest first; costs are set. */
void second_pairs(struct arena *arena, const struct access_map *before,
	const struct access_map *after, struct suggestion *ret);

/* The struct in C, in its new order. */
const char *second_definition(
	struct arena *arena, const struct order *order, const struct order_sequence *sequence);

#endif

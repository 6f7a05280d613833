/*
 * order/compare: which of two orders is the better one. Private to order/.
 *
 * order_found x 2 -> [compare] -> search. What an order that was not found loses against any.
 */
#ifndef ORDER_COMPARE_H
#define ORDER_COMPARE_H

#include "order.h"

#define COMPARE_SAME 1e-9 /* costs that differ by less are the same */

struct search;

/* Below 0: a is better; 0: they are the same order. */
typedef int comparison(const struct search *search, const struct order_found *a, const struct order_found *b);

comparison compare_best;    /* cost, then size, moves, locality */
comparison compare_minimal; /* of one number of moves: cost, then size, what stays where it stands, what tears nothing
                             * apart, what stays on its lines, locality, nearness */
comparison compare_pack;    /* size, then cost, moves, locality */

/* Transactions an operation, with what added lines and bytes have to earn: growth is never for nothing. */
double compare_price(const struct search *search, const struct order_found *found);

/* What it saves of today's; 0 when it was not found. */
double compare_saving(const struct search *search, const struct order_found *found);

int compare_numbers(double a, double b);

#endif

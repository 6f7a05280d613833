/*
 * order/start: orders from which a climb begins. Private to order/.
 */
#ifndef ORDER_START_H
#define ORDER_START_H

#include <stdbool.h>
#include <stddef.h>

struct search;

/*
 * Sorts units by what they are to the roles: read ones, written ones by who writes, and what nobody accesses between the
 * two or behind them. Each goes to a place that one of its zone had.
 */
void start_sort(const struct search *search, size_t *units, bool cold_between);

/* What the profile wants first and last goes there. */
void start_obey_ends(const struct search *search, size_t *units);

#endif

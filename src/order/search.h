/*
 * order/search: what the parts of the search share: what is searched, and the best that was found so far. Private to order/.
 *
 * order -> every, climb, minimal, pack, tidy -> [search] -> order_search. Every order that is tried is laid out and priced here,
 * and offered to all that look for one: an order that the one part comes by may be what another looks for.
 */
#ifndef ORDER_SEARCH_H
#define ORDER_SEARCH_H

#include "base/arena.h"
#include "order.h"

struct price_book;
struct whole;

enum {
	SEARCH_WIDE_UNITS = 40, /* up to so many, units are moved and swapped that nobody accesses, too */
	SEARCH_MOVES_MAX = 5,   /* of a suggestion that is looked for move by move */
	SEARCH_BEAM = 6,        /* so many orders are followed up, move by move */
};

/* Of as many moves: what they are, the better sort first. */
enum search_sort {
	SEARCH_DIRECT,
	SEARCH_SHIFT,
	SEARCH_OTHERS, /* what nobody accesses is moved, so that others come elsewhere: a last resort */
	SEARCH_SORTS,
};

struct search {
	struct arena *arena; /* of what is found */
	const struct order *order;
	struct price_book *book;
	const struct whole *whole;
	struct order_search *ret;
	size_t count;                 /* units */
	bool padding;                 /* alignments may be put on members */
	bool counts_shifted;          /* order_found.shifted and torn are wanted: where moves are to be few */
	double line_price;            /* transactions an operation that an added line has to earn */
	struct order_place place;     /* scratch: of what was tried last */
	bool *moved;                  /* scratch, [unit] */
	struct order_found *by_moves; /* [SEARCH_SORTS * moves + search_sort]: the cheapest of so many */
	struct order_place hybrid;    /* scratch */
	struct order_found beam[SEARCH_BEAM]; /* one of each price, the cheapest first */
	size_t beam_count;
};

/* Lays out and prices an order; moves are left out. `ret` keeps the pointers. False: it is not legal. */
bool search_try(struct search *search, const size_t *units, const uint32_t *aligns, struct order_found *ret);

/* Fills in moves, moves_others, relocated, distance, shifted and torn. */
void search_count_moves(struct search *search, struct order_found *found);

enum search_sort search_sort(const struct order_found *found);

/* Fills in is_direct, of an order that was just tried; `moved`: which units are. */
void search_judge(struct search *search, struct order_found *found, const bool *moved);

/* How many units one passes from one position to another. The end is near from everywhere: nothing behind it moves up. */
size_t search_distance(const struct search *search, size_t from, size_t to);

/* Copies, with the units and alignments, into the arena. */
void search_keep(struct search *search, struct order_found *kept, const struct order_found *found);

/* To all that look for something; `with_moves`: its moves were counted. */
void search_offer(struct search *search, const struct order_found *found, bool with_moves);

/* `units` with `length` of them from position `from` put behind `to` of the others. */
void search_relocate(const size_t *units, size_t count, size_t from, size_t length, size_t to, size_t *ret);

/* May the unit be moved? Of many units only those that somebody accesses are. */
bool search_moves_unit(const struct search *search, size_t unit);

/* May an alignment be put on it? */
bool search_aligns_unit(const struct search *search, size_t unit);

#endif

#include "order/minimal.h"

#include <string.h>

#include "base/mem.h"
#include "order/compare.h"
#include "order/search.h"

enum { MOVES_MAX = 5 }; /* of a suggestion that is looked for move by move */

#define MOST 0.5 /* of what can be saved */

static void beam_add(struct search *search, const struct order_found *found)
{
	size_t at = search->beam_count;
	while (at > 0 && compare_minimal(search, found, &search->beam[at - 1]) < 0)
		at--;
	/* one of each price: the others are the same idea */
	if (at > 0 && compare_numbers(found->cost, search->beam[at - 1].cost) == 0)
		return;
	if (at >= SEARCH_BEAM)
		return;
	size_t last = search->beam_count < SEARCH_BEAM ? search->beam_count : SEARCH_BEAM - 1;
	memmove(&search->beam[at + 1], &search->beam[at], (last - at) * sizeof(*search->beam));
	search_keep(search, &search->beam[at], found);
	search->beam_count = last + 1;
}

/* One unit of an order, moved from there. */
struct single {
	size_t at, moves;
	bool others;
};

static void offer_single(struct search *search, const struct order_found *from,
	struct order_found *found, const struct single *single, size_t to)
{
	found->moves = single->moves;
	found->moves_others = single->others;
	found->relocated = from->relocated + (to != single->at);
	found->distance = from->distance + search_distance(search, single->at, to);
	search_offer(search, found, true);
	beam_add(search, found);
}

/* Every unit of an order moved to every place. */
void minimal_try_singles(struct search *search, const struct order_found *from, size_t moves)
{
	size_t n = search->count;
	size_t *units = mem_new(n, sizeof(*units));
	uint32_t *aligns = mem_new(n, sizeof(*aligns));
	for (size_t at = 0; at < n; at++) {
		size_t unit = from->units[at];
		if (from->aligns)
			memcpy(aligns, from->aligns, n * sizeof(*aligns));
		if (!search_moves_unit(search, unit))
			continue;
		struct single single = {
			at, moves, from->moves_others || !search->order->units[unit].is_accessed};
		for (size_t to = 0; to < n; to++) {
			struct order_found found;
			search_relocate(from->units, n, at, 1, to, units);
			if (to != at && search_try(search, units, aligns, &found))
				offer_single(search, from, &found, &single, to);
			if (!search_aligns_unit(search, unit) || aligns[unit])
				continue;
			aligns[unit] = (uint32_t)search->order->layout->line_bytes;
			if (search_try(search, units, aligns, &found))
				offer_single(search, from, &found, &single, to);
			aligns[unit] = 0;
		}
	}
	mem_free(units);
	mem_free(aligns);
}

static void follow_beam(struct search *search, size_t moves)
{
	struct order_found last[SEARCH_BEAM];
	size_t count = search->beam_count;
	memcpy(last, search->beam, count * sizeof(*last));
	search->beam_count = 0;
	for (size_t i = 0; i < count; i++)
		minimal_try_singles(search, &last[i], moves);
}

/* The fewest moves that save most of what can be saved. */
void minimal_find(struct search *search)
{
	struct order_search *ret = search->ret;
	double wanted = MOST * compare_saving(search, &ret->best);
	if (compare_saving(search, &ret->best) < ORDER_PAYS)
		return;
	for (size_t moves = 1; moves <= search->count && !ret->minimal.is_found; moves++) {
		if (!ret->is_exact && moves > 1 && moves <= MOVES_MAX)
			follow_beam(search, moves);
		/* to move what nobody accesses, so that others come elsewhere, is a last resort */
		for (size_t i = 2 * moves; i <= 2 * moves + 1 && !ret->minimal.is_found; i++)
			if (compare_saving(search, &search->by_moves[i]) > wanted)
				ret->minimal = search->by_moves[i];
	}
	if (ret->minimal.is_found)
		search_count_moves(search, &ret->minimal);
}

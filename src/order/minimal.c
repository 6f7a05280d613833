#include "order/minimal.h"

#include <string.h>

#include "base/mem.h"
#include "order/compare.h"
#include "order/search.h"

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
	const bool *moved; /* with those that were before */
};

static void offer_single(struct search *search, const struct order_found *from,
	struct order_found *found, const struct single *single, size_t to)
{
	found->moves = single->moves;
	found->moves_others = single->others;
	found->relocated = from->relocated + (to != single->at);
	found->distance = from->distance + search_distance(search, single->at, to);
	found->moved = single->moved;
	search_judge(search, found, single->moved);
	search_offer(search, found, true);
	beam_add(search, found);
}

/* Every unit of an order moved to every place. */
void minimal_try_singles(struct search *search, const struct order_found *from, size_t moves)
{
	size_t n = search->count;
	size_t *units = mem_new(n, sizeof(*units));
	uint32_t *aligns = mem_new(n, sizeof(*aligns));
	bool *moved = mem_new(n, sizeof(*moved));
	order_moves(search->order, from->units, moved);
	for (size_t at = 0; at < n; at++) {
		size_t unit = from->units[at];
		if (from->aligns)
			memcpy(aligns, from->aligns, n * sizeof(*aligns));
		if (!search_moves_unit(search, unit))
			continue;
		bool others = from->moves_others || !search->order->units[unit].is_accessed;
		struct single single = {at, moves, others, moved};
		bool before = moved[unit];
		moved[unit] = true;
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
		moved[unit] = before;
	}
	mem_free(moved);
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

/* What saves enough with so many moves, of a sort; NULL: nothing does. */
static const struct order_found *of_sort(
	const struct search *search, size_t moves, enum search_sort sort, double wanted)
{
	const struct order_found *found = &search->by_moves[SEARCH_SORTS * moves + sort];
	return moves <= search->count && compare_saving(search, found) > wanted ? found : NULL;
}

static bool is_near(const struct search *search, const struct order_found *direct,
	const struct order_found *other)
{
	return compare_saving(search, direct) >=
	       (1 - ORDER_DIRECT_MARGIN) * compare_saving(search, other);
}

/* Of so many moves, the direct ones where they are as good or little dearer. */
static const struct order_found *pick(const struct search *search, size_t moves, double wanted)
{
	const struct order_found *direct = of_sort(search, moves, SEARCH_DIRECT, wanted);
	const struct order_found *shift = of_sort(search, moves, SEARCH_SHIFT, wanted);
	if (direct && (!shift || is_near(search, direct, shift)))
		return direct;
	return shift ? shift : of_sort(search, moves, SEARCH_OTHERS, wanted);
}

static void follow(struct search *search, size_t moves)
{
	if (!search->ret->is_exact && moves > 1 && moves <= SEARCH_MOVES_MAX)
		follow_beam(search, moves);
}

/*
 * A shift gives way to what is direct and nearly as good, with one move more at most where the shift moves what nobody
 * accesses, for a member more on another line; else that is kept beside it.
 */
static void prefer_direct(struct search *search, size_t moves)
{
	struct order_search *ret = search->ret;
	size_t most = moves + (search_sort(&ret->minimal) == SEARCH_OTHERS);
	follow(search, most);
	for (size_t n = moves; n <= most; n++) {
		const struct order_found *direct = of_sort(search, n, SEARCH_DIRECT, ORDER_PAYS);
		if (direct && compare_saving(search, direct) > compare_saving(search, &ret->direct))
			ret->direct = *direct;
	}
	if (!ret->direct.is_found)
		return;
	search_count_moves(search, &ret->direct);
	bool pushes_more = ret->direct.moves > ret->minimal.moves &&
			   ret->direct.shifted > ret->minimal.shifted + 1;
	if (!pushes_more && is_near(search, &ret->direct, &ret->minimal)) {
		ret->minimal = ret->direct;
		ret->direct.is_found = false;
	}
}

/* The fewest moves that save most of what can be saved. */
void minimal_find(struct search *search)
{
	struct order_search *ret = search->ret;
	double wanted = MOST * compare_saving(search, &ret->best);
	if (compare_saving(search, &ret->best) < ORDER_PAYS)
		return;
	size_t moves = 0;
	const struct order_found *found = NULL;
	while (!found && ++moves <= search->count) {
		follow(search, moves);
		found = pick(search, moves, wanted);
	}
	if (!found)
		return;
	ret->minimal = *found;
	search_count_moves(search, &ret->minimal);
	if (search_sort(found) != SEARCH_DIRECT)
		prefer_direct(search, moves);
}

#include "order/search.h"

#include <string.h>

#include "order/compare.h"
#include "order/price.h"
#include "order/whole.h"

/* Of what is saved: what all that is moved has to save by itself, and each of it. */
#define DIRECT_SHARE 0.5
#define EACH_SHARE   0.1

static bool may_be(const struct search *search, const struct order_found *found)
{
	return compare_price(search, found) <= 1e200;
}

static size_t count_shifted(const struct search *search)
{
	const struct order *order = search->order;
	/* of a power of two */
	uint64_t line = ~(8 * order->layout->line_bytes - 1);
	size_t count = 0;
	for (size_t i = 0; i < search->count; i++) {
		size_t first = order->units[i].first, last = first + order->units[i].count - 1;
		const struct order_member *a = &order->members[first], *b = &order->members[last];
		uint64_t end = b->size_bits ? b->size_bits - 1 : 0;
		count += ((a->off_bits ^ search->place.off_bits[first]) & line) != 0 ||
			 (((b->off_bits + end) ^ (search->place.off_bits[last] + end)) & line) != 0;
	}
	return count;
}

/* What is counted of a placement where moves are to be few. */
static void count_places(const struct search *search, struct order_found *ret)
{
	ret->shifted = count_shifted(search);
	ret->torn = whole_torn(search->whole, &search->place);
	ret->breaks = 0;
	for (size_t i = 0; i <= search->count; i++) {
		size_t unit = i < search->count ? ret->units[i] : i;
		ret->breaks += unit != (i ? ret->units[i - 1] + 1 : 0);
	}
}

/* Lays out and prices; moves are left out. */
bool search_try(
	struct search *search, const size_t *units, const uint32_t *aligns, struct order_found *ret)
{
	const struct order *order = search->order;
	struct order_sequence sequence = {units, aligns};
	*ret = (struct order_found){.units = units, .aligns = aligns};
	if (!order_is_allowed(order, units) || !order_place(order, &sequence, &search->place) ||
		!order_fulfils(order, &search->place))
		return false;
	struct price price = price_of(search->book, &sequence, &search->place);
	uint64_t line_bytes = order->layout->line_bytes;
	ret->cost = price.cost;
	ret->touched = price.touched;
	ret->size_bytes = search->place.size_bytes;
	ret->lines = (ret->size_bytes + line_bytes - 1) / line_bytes;
	if (search->counts_shifted)
		count_places(search, ret);
	ret->is_found = true;
	return may_be(search, ret);
}

size_t search_distance(const struct search *search, size_t from, size_t to)
{
	if (to + 1 == search->count)
		return 0;
	return from > to ? from - to : to - from;
}

enum search_sort search_sort(const struct order_found *found)
{
	return found->moves_others ? SEARCH_OTHERS
	       : found->is_direct  ? SEARCH_DIRECT
				   : SEARCH_SHIFT;
}

/* As if the moved units alone, but one, went to their new places, and all others lay where they lie today. */
static double price_alone(
	struct search *search, const struct order_found *found, const bool *moved, size_t but)
{
	const struct order *order = search->order;
	struct order_sequence sequence = {found->units, found->aligns};
	struct order_place *hybrid = &search->hybrid;
	uint64_t *off_bits = hybrid->off_bits;
	*hybrid = search->place;
	hybrid->off_bits = off_bits;
	for (size_t i = 0; i < order->member_count; i++) {
		const struct order_member *member = &order->members[i];
		/* an open end is where the size has it */
		bool goes = (moved[member->unit] && member->unit != but) || !member->size_bits;
		off_bits[i] = goes ? search->place.off_bits[i] : member->off_bits;
	}
	return price_of(search->book, &sequence, hybrid).cost;
}

void search_judge(struct search *search, struct order_found *found, const bool *moved)
{
	double today = search->ret->today.cost, saved = today - found->cost;
	struct order_sequence sequence = {found->units, found->aligns};
	found->is_direct = false;
	if (saved < ORDER_PAYS || !order_place(search->order, &sequence, &search->place))
		return;
	for (size_t i = 0; found->aligns && i < search->count; i++)
		found->is_direct |= found->aligns[i] != 0;
	if (found->is_direct)
		return;
	double cost = price_alone(search, found, moved, SIZE_MAX);
	found->is_direct = today - cost >= DIRECT_SHARE * saved;
	for (size_t i = 0; found->is_direct && i < search->count; i++)
		if (moved[i] && found->moves > 1 && found->moves <= SEARCH_MOVES_MAX)
			found->is_direct =
				price_alone(search, found, moved, i) - cost >= EACH_SHARE * saved;
}

void search_count_moves(struct search *search, struct order_found *found)
{
	order_found_moves(search->order, found, search->moved);
	found->moves = found->relocated = found->distance = 0;
	found->moves_others = false;
	/* else search_try counted */
	if (!search->counts_shifted &&
		order_place(search->order, &(struct order_sequence){found->units, found->aligns},
			&search->place))
		count_places(search, found);
	for (size_t i = 0; i < search->count; i++) {
		size_t unit = found->units[i];
		found->relocated += search->moved[i];
		if (search->moved[unit])
			found->distance += search_distance(search, unit, i);
		found->moves += search->moved[i] || (found->aligns && found->aligns[i]);
		found->moves_others |= search->moved[i] && !search->order->units[i].is_accessed;
	}
	search_judge(search, found, search->moved);
}

void search_keep(struct search *search, struct order_found *kept, const struct order_found *found)
{
	*kept = *found;
	kept->units = arena_copy(search->arena, found->units, search->count, sizeof(*found->units));
	if (found->aligns)
		kept->aligns = arena_copy(
			search->arena, found->aligns, search->count, sizeof(*found->aligns));
	if (found->moved)
		kept->moved = arena_copy(
			search->arena, found->moved, search->count, sizeof(*found->moved));
}

static bool pays_to_pack(const struct search *search, const struct order_found *found)
{
	const struct order_found *today = &search->ret->today;
	return found->size_bytes < today->size_bytes && found->cost <= today->cost + COMPARE_SAME;
}

/* Offers what was found to all that look for something. */
void search_offer(struct search *search, const struct order_found *found, bool with_moves)
{
	struct order_search *ret = search->ret;
	if (compare_best(search, found, &ret->best) < 0)
		search_keep(search, &ret->best, found);
	if (pays_to_pack(search, found) && compare_pack(search, found, &ret->pack) < 0)
		search_keep(search, &ret->pack, found);
	if (!with_moves || found->moves > search->count)
		return;
	struct order_found *cheapest =
		&search->by_moves[SEARCH_SORTS * found->moves + search_sort(found)];
	if (compare_minimal(search, found, cheapest) < 0)
		search_keep(search, cheapest, found);
}

/* ---- neighbours ---- */

/* units with `length` of them from `from` moved to come behind `to` of the others. */
void search_relocate(
	const size_t *units, size_t count, size_t from, size_t length, size_t to, size_t *ret)
{
	size_t next = 0;
	for (size_t i = 0, others = 0; i <= count; i++) {
		if (others == to && next == others) {
			memcpy(&ret[next], &units[from], length * sizeof(*ret));
			next += length;
		}
		if (i == count)
			break;
		if (i >= from && i < from + length)
			continue;
		ret[next++] = units[i];
		others++;
	}
}

bool search_moves_unit(const struct search *search, size_t unit)
{
	const struct order_unit *it = &search->order->units[unit];
	return !it->is_fixed && !it->is_pinned &&
	       (it->is_accessed || search->count <= SEARCH_WIDE_UNITS);
}

bool search_aligns_unit(const struct search *search, size_t unit)
{
	const struct order_unit *it = &search->order->units[unit];
	const struct order_member *member = &search->order->members[it->first];
	/* on an unnamed aggregate it would be its type's, whose size would grow */
	return search->padding && !it->is_fixed && !it->is_pinned && !member->is_bits &&
	       *member->source->name;
}

#include "order/pack.h"

#include <string.h>

#include "base/mem.h"
#include "order/climb.h"
#include "order/compare.h"
#include "order/search.h"

enum { PASSES_MAX = 12 };

/* Bytes that an order leaves unused before each of its units, and at the end. */
static bool has_gaps(
	struct search *search, const struct order_found *found, bool *beside, uint64_t *largest)
{
	const struct order *order = search->order;
	struct order_sequence sequence = {found->units, found->aligns};
	uint64_t end = 0;
	bool any = false;
	memset(beside, 0, (search->count + 1) * sizeof(*beside));
	*largest = 0;
	if (!order_place(order, &sequence, &search->place))
		return false;
	for (size_t i = 0; i < search->count; i++) {
		const struct order_unit *unit = &order->units[found->units[i]];
		size_t last = unit->first + unit->count - 1;
		uint64_t from = (end + 7) / 8, to = search->place.off_bits[unit->first] / 8;
		bool gap = to > from;
		*largest = gap && to - from > *largest ? to - from : *largest;
		beside[i] |= gap;
		any |= gap;
		if (gap && i > 0)
			beside[i - 1] = true;
		end = search->place.off_bits[last] + order->members[last].size_bits;
	}
	uint64_t from = (end + 7) / 8;
	if (search->place.inner_bytes > from)
		beside[search->count] = any = true;
	if (search->place.inner_bytes > from && search->place.inner_bytes - from > *largest)
		*largest = search->place.inner_bytes - from;
	return any;
}

/* Of many units only those of these bytes or less are tried, and only in places beside a gap. */
static bool fills_gap(
	const struct search *search, const struct climb *climb, size_t from, uint64_t bytes)
{
	const struct order_unit *unit = &search->order->units[climb->units[from]];
	const struct order_member *last = &search->order->members[unit->first + unit->count - 1];
	const struct order_member *first = &search->order->members[unit->first];
	return last->off_bits + last->size_bits - first->off_bits <= 8 * bytes;
}

/* One unit into every gap; beside a gap, anywhere. */
static void try_gaps(struct climb *climb, size_t from, const bool *beside, uint64_t largest)
{
	struct search *search = climb->search;
	const struct order_unit *unit = &search->order->units[climb->units[from]];
	bool wide = search->count > 2 * (size_t)SEARCH_WIDE_UNITS;
	if (unit->is_fixed || unit->is_pinned ||
		(wide && !beside[from] && !fills_gap(search, climb, from, largest)))
		return;
	memcpy(climb->trial_aligns, climb->aligns, search->count * sizeof(*climb->aligns));
	for (size_t to = 0; to < search->count; to++) {
		size_t behind = to + (to >= from);
		if (to == from || (!beside[behind] && (wide || !beside[from])))
			continue;
		search_relocate(climb->units, search->count, from, 1, to, climb->trial_units);
		climb_neighbour(climb);
	}
	if (beside[from] && !wide)
		climb_swaps(climb, from);
}

static void fill_gaps(struct climb *climb, bool *beside)
{
	struct search *search = climb->search;
	uint64_t largest;
	bool improved = true;
	for (int pass = 0; improved && pass < PASSES_MAX; pass++) {
		improved = false;
		if (!has_gaps(search, &climb->now, beside, &largest))
			return;
		for (size_t unit = 0; unit < search->count; unit++) {
			try_gaps(climb, climb_position(climb, unit), beside, largest);
			if (!climb_step(climb))
				continue;
			improved = true;
			if (!has_gaps(search, &climb->now, beside, &largest))
				return;
		}
	}
}

void pack_find(struct search *search, const size_t *today)
{
	struct climb climb;
	bool *beside = mem_new(search->count + 1, sizeof(*beside));
	climb_init(&climb, search, compare_pack);
	climb.only_cheap = true;
	for (int start = 0; start < 2; start++) {
		bool known = start == 0 ? climb_from(&climb, today, NULL)
					: search->ret->best.is_found &&
						  climb_from(&climb, search->ret->best.units, NULL);
		if (!known || climb.now.cost > search->ret->today.cost + COMPARE_SAME)
			continue;
		fill_gaps(&climb, beside);
		search_count_moves(search, &climb.now);
		search_offer(search, &climb.now, false);
	}
	climb_release(&climb);
	mem_free(beside);
}

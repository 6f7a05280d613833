#include <string.h>

#include "base/mem.h"
#include "order.h"
#include "order/climb.h"
#include "order/compare.h"
#include "order/destination.h"
#include "order/every.h"
#include "order/minimal.h"
#include "order/pack.h"
#include "order/price.h"
#include "order/search.h"
#include "order/start.h"
#include "order/tidy.h"
#include "order/whole.h"

enum {
	EXACT_UNITS = 8, /* so many are tried in every order */
	STARTS = 3,
};

static void climb_from_all(struct search *search, const size_t *today)
{
	struct climb climb;
	size_t *units = mem_new(search->count, sizeof(*units));
	climb_init(&climb, search, compare_best);
	for (int start = 0; start < STARTS; start++) {
		memcpy(units, today, search->count * sizeof(*units));
		if (start > 0)
			start_sort(search, units, start == 1);
		if (start > 0 && (search->order->first_count || search->order->last_count))
			start_obey_ends(search, units);
		if (!climb_from(&climb, units, NULL))
			continue;
		climb_up(&climb);
		search_count_moves(search, &climb.now);
		search_offer(search, &climb.now, true);
	}
	if (search->ret->best.is_found &&
		climb_from(&climb, search->ret->best.units, search->ret->best.aligns)) {
		climb_up(&climb);
		search_count_moves(search, &climb.now);
		search_offer(search, &climb.now, true);
	}
	climb_release(&climb);
	mem_free(units);
}

/* What was found by climbing has moves that make no difference. */
static void tidy_up(struct search *search)
{
	struct order_search *ret = search->ret;
	if (ret->best.is_found) {
		tidy_order(search, &ret->best);
		search_offer(search, &ret->best, true);
	}
	if (ret->pack.is_found)
		tidy_order(search, &ret->pack);
}

static void drop_what_does_not_pay(struct search *search)
{
	struct order_search *ret = search->ret;
	if (compare_saving(search, &ret->best) < ORDER_PAYS)
		ret->best.is_found = false;
}

/* As it is, priced, even if it is against the profile's constraints. */
static void price_today(struct search *search, const size_t *units)
{
	const struct order *order = search->order;
	struct order_found *today = &search->ret->today;
	struct order_sequence sequence = {units, NULL};
	*today = (struct order_found){.units = units, .is_found = true};
	for (size_t i = 0; i < order->member_count; i++)
		search->place.off_bits[i] = order->members[i].off_bits;
	search->place.size_bytes = order->layout->size_bytes;
	search->place.align_bytes = order->layout->align_bytes;
	struct price price = price_of(search->book, &sequence, &search->place);
	today->cost = price.cost;
	today->touched = price.touched;
	today->size_bytes = order->layout->size_bytes;
	today->lines = order->layout->line_count;
}

static const size_t *search_open(struct search *search, struct arena *arena,
	const struct order *order, struct order_search *ret)
{
	*search = (struct search){
		.arena = arena,
		.order = order,
		.ret = ret,
		.count = order->unit_count,
		.padding = order->constraints && order->constraints->padding_allowed,
		.line_price = order->map->profile->document->line_price,
	};
	size_t *today = arena_new(arena, search->count, sizeof(*today));
	*ret = (struct order_search){0};
	search->book = price_open(arena, order);
	search->whole = whole_list(arena, order);
	search->place.off_bits = mem_new(order->member_count, sizeof(uint64_t));
	search->moved = mem_new(search->count, sizeof(*search->moved));
	search->by_moves = mem_new(SEARCH_SORTS * (search->count + 1), sizeof(*search->by_moves));
	search->hybrid.off_bits = mem_new(order->member_count, sizeof(uint64_t));
	for (size_t i = 0; i < search->count; i++)
		today[i] = i;
	price_today(search, today);
	return today;
}

static void search_close(struct search *search)
{
	search->ret->evaluations = price_evaluations(search->book);
	price_close(search->book);
	mem_free(search->place.off_bits);
	mem_free(search->hybrid.off_bits);
	mem_free(search->moved);
	mem_free(search->by_moves);
}

void order_destinations(struct arena *arena, const struct order *order, size_t unit,
	uint32_t align_bytes, const struct order_priced **ret, size_t *count)
{
	struct search search;
	struct order_search found;
	const size_t *today = search_open(&search, arena, order, &found);
	uint32_t *aligns = mem_new(search.count, sizeof(*aligns));
	aligns[unit] = align_bytes;
	search.counts_shifted = true;
	*ret = destination_price(&search, today, unit, align_bytes ? aligns : NULL, count);
	mem_free(aligns);
	search_close(&search);
}

void order_search(struct arena *arena, const struct order *order, struct order_search *ret)
{
	struct search search;
	struct order_found found;
	const size_t *today = search_open(&search, arena, order, ret);
	size_t *start = arena_copy(arena, today, search.count, sizeof(*start));
	search.counts_shifted = true;
	if (!search_try(&search, start, NULL, &found))
		start_obey_ends(&search, start);
	struct order_found first = {.units = start, .is_found = true};
	minimal_try_singles(&search, &first, 1);
	if (search.count <= EXACT_UNITS)
		every_try(&search);
	if (!ret->is_exact || search.padding) {
		search.counts_shifted = false;
		climb_from_all(&search, start);
		pack_find(&search, start);
		search.counts_shifted = true;
		tidy_up(&search);
	}
	ret->none_allowed = !ret->best.is_found;
	minimal_find(&search);
	drop_what_does_not_pay(&search);
	destination_find(&search, today);
	search_close(&search);
}

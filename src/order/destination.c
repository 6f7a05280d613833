#include "order/destination.h"

#include <string.h>

#include "base/mem.h"
#include "order/compare.h"
#include "order/search.h"

const struct order_priced *destination_price(struct search *search, const size_t *today,
	size_t unit, const uint32_t *aligns, size_t *ret_count)
{
	size_t n = search->count, count = 0;
	struct order_priced *priced = arena_new(search->arena, n, sizeof(*priced));
	size_t *units = mem_new(n, sizeof(*units));
	memset(search->moved, 0, n * sizeof(*search->moved));
	search->moved[unit] = true;
	for (size_t to = 0; to < n; to++) {
		struct order_found found;
		search_relocate(today, n, unit, 1, to, units);
		if (!search_try(search, units, aligns, &found))
			continue;
		found.moves = found.relocated = to != unit;
		found.distance = search_distance(search, unit, to);
		search_judge(search, &found, search->moved);
		size_t at = count++;
		while (at > 0 && compare_minimal(search, &found, &priced[at - 1].found) < 0) {
			priced[at] = priced[at - 1];
			at--;
		}
		priced[at].place = to;
		priced[at].growth = compare_price(search, &found) - found.cost;
		search_keep(search, &priced[at].found, &found);
	}
	mem_free(units);
	*ret_count = count;
	return priced;
}

void destination_find(struct search *search, const size_t *today)
{
	struct order_search *ret = search->ret;
	if (!ret->minimal.is_found || ret->minimal.moves != 1)
		return;
	order_found_moves(search->order, &ret->minimal, search->moved);
	for (size_t i = 0; i < search->count; i++)
		if (search->moved[i] || (ret->minimal.aligns && ret->minimal.aligns[i]))
			ret->moved = i;
	ret->destinations = destination_price(
		search, today, ret->moved, ret->minimal.aligns, &ret->destination_count);
}

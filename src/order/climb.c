#include "order/climb.h"

#include <string.h>

#include "base/mem.h"
#include "order/compare.h"
#include "order/search.h"

enum {
	PASSES_MAX = 12,
	RUN_MAX = 3, /* neighbours that are moved together */
};

void climb_init(struct climb *climb, struct search *search, comparison *compare)
{
	size_t n = search->count;
	*climb = (struct climb){.search = search, .compare = compare};
	climb->units = mem_new(n, sizeof(*climb->units));
	climb->trial_units = mem_new(n, sizeof(*climb->units));
	climb->best_units = mem_new(n, sizeof(*climb->units));
	climb->aligns = mem_new(n, sizeof(*climb->aligns));
	climb->trial_aligns = mem_new(n, sizeof(*climb->aligns));
	climb->best_aligns = mem_new(n, sizeof(*climb->aligns));
}

void climb_release(struct climb *climb)
{
	mem_free(climb->units);
	mem_free(climb->trial_units);
	mem_free(climb->best_units);
	mem_free(climb->aligns);
	mem_free(climb->trial_aligns);
	mem_free(climb->best_aligns);
}

bool climb_from(struct climb *climb, const size_t *units, const uint32_t *aligns)
{
	size_t n = climb->search->count;
	memcpy(climb->units, units, n * sizeof(*units));
	if (aligns)
		memcpy(climb->aligns, aligns, n * sizeof(*aligns));
	else
		memset(climb->aligns, 0, n * sizeof(*climb->aligns));
	bool found = search_try(climb->search, climb->units, climb->aligns, &climb->now);
	climb->best = climb->now;
	return found;
}

void climb_neighbour(struct climb *climb)
{
	struct search *search = climb->search;
	struct order_found found;
	if (!search_try(search, climb->trial_units, climb->trial_aligns, &found))
		return;
	if (climb->only_cheap && found.cost > search->ret->today.cost + COMPARE_SAME)
		return;
	if (climb->compare(search, &found, &climb->best) >= 0)
		return;
	size_t n = search->count;
	memcpy(climb->best_units, climb->trial_units, n * sizeof(*climb->units));
	memcpy(climb->best_aligns, climb->trial_aligns, n * sizeof(*climb->aligns));
	climb->best = found;
	climb->best.units = climb->best_units;
	climb->best.aligns = climb->best_aligns;
}

bool climb_step(struct climb *climb)
{
	size_t n = climb->search->count;
	if (climb->best.units != climb->best_units)
		return false;
	memcpy(climb->units, climb->best_units, n * sizeof(*climb->units));
	memcpy(climb->aligns, climb->best_aligns, n * sizeof(*climb->aligns));
	climb->now = climb->best;
	climb->now.units = climb->units;
	climb->now.aligns = climb->aligns;
	climb->best = climb->now;
	return true;
}

static void try_relocations(struct climb *climb, size_t from, size_t length)
{
	struct search *search = climb->search;
	size_t unit = climb->units[from];
	memcpy(climb->trial_aligns, climb->aligns, search->count * sizeof(*climb->aligns));
	for (size_t to = 0; to + length <= search->count; to++) {
		search_relocate(climb->units, search->count, from, length, to, climb->trial_units);
		if (to != from)
			climb_neighbour(climb);
		if (!search_aligns_unit(search, unit) || length > 1)
			continue;
		uint32_t old = climb->aligns[unit];
		climb->trial_aligns[unit] = old ? 0 : (uint32_t)search->order->layout->line_bytes;
		climb_neighbour(climb);
		climb->trial_aligns[unit] = old;
	}
}

void climb_swaps(struct climb *climb, size_t a)
{
	struct search *search = climb->search;
	memcpy(climb->trial_units, climb->units, search->count * sizeof(*climb->units));
	memcpy(climb->trial_aligns, climb->aligns, search->count * sizeof(*climb->aligns));
	for (size_t b = 0; b < search->count; b++) {
		const struct order_unit *other = &search->order->units[climb->units[b]];
		if (b == a || other->is_fixed || other->is_pinned)
			continue;
		climb->trial_units[a] = climb->units[b];
		climb->trial_units[b] = climb->units[a];
		climb_neighbour(climb);
		climb->trial_units[a] = climb->units[a];
		climb->trial_units[b] = climb->units[b];
	}
}

size_t climb_position(const struct climb *climb, size_t unit)
{
	size_t at = 0;
	while (climb->units[at] != unit)
		at++;
	return at;
}

void climb_up(struct climb *climb)
{
	struct search *search = climb->search;
	bool improved = true;
	/* of many units, runs of them are too many to try */
	size_t longest = search->count <= SEARCH_WIDE_UNITS ? RUN_MAX : 1;
	for (int pass = 0; improved && pass < PASSES_MAX; pass++) {
		improved = false;
		for (size_t unit = 0; unit < search->count; unit++) {
			if (!search_moves_unit(search, unit))
				continue;
			for (size_t length = 1; length <= longest; length++) {
				size_t at = climb_position(climb, unit);
				if (at + length <= search->count)
					try_relocations(climb, at, length);
				if (length == 1)
					climb_swaps(climb, at);
			}
			improved |= climb_step(climb);
		}
	}
}

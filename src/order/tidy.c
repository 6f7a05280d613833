#include "order/tidy.h"

#include <string.h>

#include "base/mem.h"
#include "order/compare.h"
#include "order/search.h"

enum { TRIES_MAX = 60000 }; /* two units at a time: so many orders are tried */

struct tidy {
	struct search *search;
	struct order_found now; /* of units and aligns */
	size_t *units, *rest, *trial;
	uint32_t *aligns;
	bool *moved; /* [unit] */
	size_t tries;
};

/* Takes `trial` when it is as good, with fewer moves. */
static bool take(struct tidy *tidy)
{
	struct search *search = tidy->search;
	struct order_found found;
	tidy->tries++;
	if (!search_try(search, tidy->trial, tidy->aligns, &found) ||
		found.size_bytes != tidy->now.size_bytes || found.lines != tidy->now.lines ||
		compare_numbers(found.cost, tidy->now.cost) > 0)
		return false;
	search_count_moves(search, &found);
	if (found.moves >= tidy->now.moves)
		return false;
	memcpy(tidy->units, tidy->trial, search->count * sizeof(*tidy->units));
	tidy->now = found;
	tidy->now.units = tidy->units;
	order_moves(search->order, tidy->units, tidy->moved);
	return true;
}

static size_t position_of(const size_t *units, size_t unit)
{
	size_t at = 0;
	while (units[at] != unit)
		at++;
	return at;
}

/* Behind how many of the others a unit may come, so that it lies between those that stay and are declared around it. */
struct range {
	size_t first, last;
};

static struct range home_of(const struct tidy *tidy, const size_t *units, size_t unit)
{
	size_t count = tidy->search->count, others = 0;
	struct range home = {0, count - 1};
	for (size_t i = 0; i < count; i++) {
		if (units[i] == unit)
			continue;
		bool stays = !tidy->moved[units[i]];
		if (stays && units[i] < unit)
			home.first = others + 1;
		if (stays && units[i] > unit && home.last == count - 1)
			home.last = others;
		others++;
	}
	return home;
}

/* One unit, back among those that stay. */
static bool put_back(struct tidy *tidy, size_t unit)
{
	size_t count = tidy->search->count, from = position_of(tidy->units, unit);
	struct range home = home_of(tidy, tidy->units, unit);
	for (size_t to = home.first; to <= home.last; to++) {
		search_relocate(tidy->units, count, from, 1, to, tidy->trial);
		if (take(tidy))
			return true;
	}
	return false;
}

/* One unit back, at one end of its range, and another one, that stays moved or goes back as well, anywhere. */
static bool put_back_with(struct tidy *tidy, size_t unit, size_t other)
{
	size_t count = tidy->search->count, from = position_of(tidy->units, unit);
	struct range home = home_of(tidy, tidy->units, unit);
	for (int end = 0; end < 2; end++) {
		if (end && home.last == home.first)
			break;
		search_relocate(
			tidy->units, count, from, 1, end ? home.last : home.first, tidy->rest);
		size_t at = position_of(tidy->rest, other);
		for (size_t to = 0; to < count; to++) {
			search_relocate(tidy->rest, count, at, 1, to, tidy->trial);
			if (to != at && take(tidy))
				return true;
		}
	}
	return false;
}

/* An alignment that makes no difference. */
static void drop_alignments(struct tidy *tidy)
{
	for (size_t unit = 0; unit < tidy->search->count; unit++) {
		uint32_t align = tidy->aligns[unit];
		if (!align)
			continue;
		tidy->aligns[unit] = 0;
		memcpy(tidy->trial, tidy->units, tidy->search->count * sizeof(*tidy->trial));
		if (!take(tidy))
			tidy->aligns[unit] = align;
	}
}

static bool singles(struct tidy *tidy)
{
	bool any = false;
	for (size_t unit = 0; unit < tidy->search->count; unit++)
		any |= tidy->moved[unit] && put_back(tidy, unit);
	return any;
}

static bool pairs(struct tidy *tidy)
{
	size_t count = tidy->search->count;
	for (size_t unit = 0; unit < count; unit++)
		for (size_t other = 0; tidy->moved[unit] && other < count; other++)
			if (other != unit && tidy->moved[other] && tidy->tries < TRIES_MAX &&
				put_back_with(tidy, unit, other))
				return true;
	return false;
}

void tidy_order(struct search *search, struct order_found *found)
{
	size_t count = search->count;
	struct tidy tidy = {.search = search, .now = *found};
	search_count_moves(search, &tidy.now);
	tidy.units = arena_copy(search->arena, found->units, count, sizeof(*tidy.units));
	tidy.aligns = arena_new(search->arena, count, sizeof(*tidy.aligns));
	if (found->aligns)
		memcpy(tidy.aligns, found->aligns, count * sizeof(*tidy.aligns));
	tidy.rest = mem_new(count, sizeof(*tidy.rest));
	tidy.trial = mem_new(count, sizeof(*tidy.trial));
	tidy.moved = mem_new(count, sizeof(*tidy.moved));
	tidy.now.units = tidy.units;
	tidy.now.aligns = found->aligns ? tidy.aligns : NULL;
	order_moves(search->order, tidy.units, tidy.moved);
	drop_alignments(&tidy);
	while (singles(&tidy) || pairs(&tidy))
		;
	*found = tidy.now;
	mem_free(tidy.rest);
	mem_free(tidy.trial);
	mem_free(tidy.moved);
}

#include <string.h>

#include "base/mem.h"
#include "order.h"
#include "order/price.h"

enum {
	EXACT_UNITS = 8, /* so many are tried in every order */
	WIDE_UNITS = 40, /* up to so many, units are moved and swapped that nobody accesses, too */
	MOVES_MAX = 5,   /* of a minimal suggestion that is looked for move by move */
	BEAM = 6,        /* so many are followed up */
	PASSES_MAX = 12,
	RUN_MAX = 3, /* neighbours that are moved together */
	STARTS = 3,
};

#define SAME 1e-9 /* costs that differ by less are the same */
#define MOST 0.5  /* of what can be saved */

struct search {
	struct arena *arena;
	const struct order *order;
	struct price_book *book;
	struct order_search *ret;
	size_t count; /* units */
	bool padding;
	bool counts_shifted; /* moves are wanted to be few */
	double line_price;
	struct order_place place;     /* scratch */
	bool *moved;                  /* scratch */
	struct order_found *by_moves; /* [2 * moves + moves_others]: the cheapest of so many */
	struct order_found beam[BEAM];
	size_t beam_count;
};

/* ---- comparing ---- */

/* With what added lines have to earn, and a little for added bytes: growth is never for nothing. */
static double price_with_lines(const struct search *search, const struct order_found *found)
{
	const struct order_found *today = &search->ret->today;
	double price = found->cost;
	if (found->lines > today->lines)
		price += search->line_price * (double)(found->lines - today->lines);
	if (found->size_bytes > today->size_bytes)
		price += ORDER_BYTE_PRICE * (double)(found->size_bytes - today->size_bytes);
	return price;
}

static int compare_numbers(double a, double b)
{
	return a < b - SAME ? -1 : a > b + SAME;
}

static int compare_sizes(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_units(const struct search *search, const size_t *a, const size_t *b)
{
	for (size_t i = 0; i < search->count; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

/* Below 0: a is better. */
static int compare_best(
	const struct search *search, const struct order_found *a, const struct order_found *b)
{
	if (!b->is_found)
		return -1;
	int by = compare_numbers(price_with_lines(search, a), price_with_lines(search, b));
	by = by ? by : compare_numbers(a->touched, b->touched);
	by = by ? by : compare_sizes(a->size_bytes, b->size_bytes);
	by = by ? by : compare_sizes(a->moves, b->moves);
	return by ? by : compare_units(search, a->units, b->units);
}

/* Where few moves are wanted, what stays where it is comes before locality, and the end before the front. */
static int compare_minimal(
	const struct search *search, const struct order_found *a, const struct order_found *b)
{
	if (!b->is_found)
		return -1;
	int by = compare_numbers(price_with_lines(search, a), price_with_lines(search, b));
	by = by ? by : compare_sizes(a->size_bytes, b->size_bytes);
	by = by ? by : compare_sizes(a->shifted, b->shifted);
	by = by ? by : compare_numbers(a->touched, b->touched);
	return by ? by : compare_units(search, b->units, a->units);
}

static int compare_pack(
	const struct search *search, const struct order_found *a, const struct order_found *b)
{
	if (!b->is_found)
		return -1;
	int by = compare_sizes(a->size_bytes, b->size_bytes);
	by = by ? by : compare_numbers(a->cost, b->cost);
	by = by ? by : compare_numbers(a->touched, b->touched);
	by = by ? by : compare_sizes(a->moves, b->moves);
	return by ? by : compare_units(search, a->units, b->units);
}

typedef int comparison(
	const struct search *search, const struct order_found *a, const struct order_found *b);

/* ---- trying ---- */

static bool may_be(const struct search *search, const struct order_found *found)
{
	return price_with_lines(search, found) <= 1e200;
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

/* Lays out and prices; moves are left out. */
static bool try_order(
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
	ret->shifted = search->counts_shifted ? count_shifted(search) : 0;
	ret->is_found = true;
	return may_be(search, ret);
}

static void count_moves(struct search *search, struct order_found *found)
{
	order_moves(search->order, found->units, search->moved);
	found->moves = 0;
	found->moves_others = false;
	if (order_place(search->order, &(struct order_sequence){found->units, found->aligns},
		    &search->place))
		found->shifted = count_shifted(search);
	for (size_t i = 0; i < search->count; i++) {
		found->moves += search->moved[i] || (found->aligns && found->aligns[i]);
		found->moves_others |= search->moved[i] && !search->order->units[i].is_accessed;
	}
}

static void keep(struct search *search, struct order_found *kept, const struct order_found *found)
{
	*kept = *found;
	kept->units = arena_copy(search->arena, found->units, search->count, sizeof(*found->units));
	if (found->aligns)
		kept->aligns = arena_copy(
			search->arena, found->aligns, search->count, sizeof(*found->aligns));
}

static bool pays_to_pack(const struct search *search, const struct order_found *found)
{
	const struct order_found *today = &search->ret->today;
	return found->size_bytes < today->size_bytes && found->cost <= today->cost + SAME;
}

/* Offers what was found to all that look for something. */
static void offer(struct search *search, const struct order_found *found, bool with_moves)
{
	struct order_search *ret = search->ret;
	if (compare_best(search, found, &ret->best) < 0)
		keep(search, &ret->best, found);
	if (pays_to_pack(search, found) && compare_pack(search, found, &ret->pack) < 0)
		keep(search, &ret->pack, found);
	if (!with_moves || found->moves > search->count)
		return;
	struct order_found *cheapest = &search->by_moves[2 * found->moves + found->moves_others];
	if (compare_minimal(search, found, cheapest) < 0)
		keep(search, cheapest, found);
}

/* ---- every order ---- */

struct permute {
	struct search *search;
	size_t *units;
	bool *used;
	size_t *twins; /* [unit]: one before it that is as good in every place; SIZE_MAX: none */
};

/* Nobody accesses either, and they are laid out alike: their order among themselves makes no difference. */
static bool are_twins(const struct order *order, size_t a, size_t b)
{
	const struct order_unit *x = &order->units[a], *y = &order->units[b];
	const struct order_member *m = &order->members[x->first], *n = &order->members[y->first];
	return !x->is_accessed && !y->is_accessed && !x->is_fixed && !y->is_fixed &&
	       x->zone == y->zone && x->is_first == y->is_first && x->is_last == y->is_last &&
	       !x->is_pinned && !y->is_pinned && x->count == 1 && y->count == 1 && !m->is_bits &&
	       !n->is_bits && m->size_bits == n->size_bits && m->low == n->low &&
	       m->high == n->high && !m->slack_bits && !n->slack_bits;
}

/* Fields that constraints or expectations name are not alike, whoever accesses them. */
static bool is_told_apart(const struct order *order)
{
	const struct profile_struct *profile = order->map->profile;
	return profile->expect_count || profile->constraints.keep_together_count;
}

static void permute(struct permute *p, size_t depth)
{
	struct search *search = p->search;
	if (depth == search->count) {
		struct order_found found;
		if (!try_order(search, p->units, NULL, &found))
			return;
		count_moves(search, &found);
		offer(search, &found, true);
		return;
	}
	for (size_t unit = 0; unit < search->count; unit++) {
		if (p->used[unit] || (p->twins[unit] != SIZE_MAX && !p->used[p->twins[unit]]))
			continue;
		p->used[unit] = true;
		p->units[depth] = unit;
		permute(p, depth + 1);
		p->used[unit] = false;
	}
}

static void try_every(struct search *search)
{
	struct permute p = {.search = search};
	bool apart = is_told_apart(search->order);
	p.units = mem_new(search->count, sizeof(*p.units));
	p.used = mem_new(search->count, sizeof(*p.used));
	p.twins = mem_new(search->count, sizeof(*p.twins));
	for (size_t i = 0; i < search->count; i++) {
		p.twins[i] = SIZE_MAX;
		for (size_t k = 0; k < i && !apart; k++)
			if (are_twins(search->order, k, i))
				p.twins[i] = k;
	}
	permute(&p, 0);
	mem_free(p.units);
	mem_free(p.used);
	mem_free(p.twins);
	search->ret->is_exact = true;
}

/* ---- neighbours ---- */

/* units with `length` of them from `from` moved to come behind `to` of the others. */
static void relocated(
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

static bool is_mover(const struct search *search, size_t unit)
{
	const struct order_unit *it = &search->order->units[unit];
	return !it->is_fixed && !it->is_pinned && (it->is_accessed || search->count <= WIDE_UNITS);
}

static bool takes_alignment(const struct search *search, size_t unit)
{
	const struct order_unit *it = &search->order->units[unit];
	const struct order_member *member = &search->order->members[it->first];
	/* on an unnamed aggregate it would be its type's, whose size would grow */
	return search->padding && !it->is_fixed && !it->is_pinned && !member->is_bits &&
	       *member->source->name;
}

/* An order under improvement, in buffers of its own. */
struct climb {
	struct search *search;
	comparison *compare;
	bool only_cheap; /* what costs more than today is no neighbour */
	struct order_found now;
	size_t *units;
	uint32_t *aligns;
	size_t *trial_units, *best_units;
	uint32_t *trial_aligns, *best_aligns;
	struct order_found best; /* of the neighbours tried since */
};

static void climb_init(struct climb *climb, struct search *search, comparison *compare)
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

static void climb_release(struct climb *climb)
{
	mem_free(climb->units);
	mem_free(climb->trial_units);
	mem_free(climb->best_units);
	mem_free(climb->aligns);
	mem_free(climb->trial_aligns);
	mem_free(climb->best_aligns);
}

static bool climb_from(struct climb *climb, const size_t *units, const uint32_t *aligns)
{
	size_t n = climb->search->count;
	memcpy(climb->units, units, n * sizeof(*units));
	if (aligns)
		memcpy(climb->aligns, aligns, n * sizeof(*aligns));
	else
		memset(climb->aligns, 0, n * sizeof(*climb->aligns));
	bool found = try_order(climb->search, climb->units, climb->aligns, &climb->now);
	climb->best = climb->now;
	return found;
}

/* Tries trial_units and trial_aligns. */
static void neighbour(struct climb *climb)
{
	struct search *search = climb->search;
	struct order_found found;
	if (!try_order(search, climb->trial_units, climb->trial_aligns, &found))
		return;
	if (climb->only_cheap && found.cost > search->ret->today.cost + SAME)
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

/* The best neighbour that was tried becomes the order; false: there is none. */
static bool step(struct climb *climb)
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
		relocated(climb->units, search->count, from, length, to, climb->trial_units);
		if (to != from)
			neighbour(climb);
		if (!takes_alignment(search, unit) || length > 1)
			continue;
		uint32_t old = climb->aligns[unit];
		climb->trial_aligns[unit] = old ? 0 : (uint32_t)search->order->layout->line_bytes;
		neighbour(climb);
		climb->trial_aligns[unit] = old;
	}
}

static void try_swaps(struct climb *climb, size_t a)
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
		neighbour(climb);
		climb->trial_units[a] = climb->units[a];
		climb->trial_units[b] = climb->units[b];
	}
}

static size_t position_of(const struct climb *climb, size_t unit)
{
	size_t at = 0;
	while (climb->units[at] != unit)
		at++;
	return at;
}

/* Uphill until nothing is better. */
static void climb_up(struct climb *climb)
{
	struct search *search = climb->search;
	bool improved = true;
	/* of many units, runs of them are too many to try */
	size_t longest = search->count <= WIDE_UNITS ? RUN_MAX : 1;
	for (int pass = 0; improved && pass < PASSES_MAX; pass++) {
		improved = false;
		for (size_t unit = 0; unit < search->count; unit++) {
			if (!is_mover(search, unit))
				continue;
			for (size_t length = 1; length <= longest; length++) {
				size_t at = position_of(climb, unit);
				if (at + length <= search->count)
					try_relocations(climb, at, length);
				if (length == 1)
					try_swaps(climb, at);
			}
			improved |= step(climb);
		}
	}
}

/* ---- starts ---- */

/* What a unit is to the roles: readers' first, written ones by who writes, then what nobody accesses. */
static unsigned long class_of(const struct search *search, size_t unit, bool cold_between)
{
	const struct access_map *map = search->order->map;
	unsigned long writers = 0;
	bool read = false;
	for (size_t i = 0; i < map->field_count; i++) {
		size_t entry = search->order->entries[i];
		if (entry == SIZE_MAX || search->order->members[entry].unit != unit)
			continue;
		for (size_t r = 0; r < map->role_count; r++) {
			const double *counts = map->fields[i].counts[r];
			if (counts[ACCESS_WRITE] + counts[ACCESS_RMW] >= 0.01)
				writers |= 1UL << (r % 32);
			read |= counts[ACCESS_READ] + counts[ACCESS_UNKNOWN] > 0;
		}
	}
	if (writers)
		return 2 + writers;
	if (read)
		return 0;
	return cold_between ? 1 : 1UL << 40;
}

/* Units sorted by class, each in a place that one of its zone had. */
static void sort_units(const struct search *search, size_t *units, bool cold_between)
{
	const struct order *order = search->order;
	for (size_t i = 0; i < search->count; i++) {
		if (order->units[units[i]].is_fixed)
			continue;
		for (size_t k = i; k-- > 0;) {
			const struct order_unit *a = &order->units[units[k]],
						*b = &order->units[units[k + 1]];
			if (a->is_fixed || a->zone != b->zone)
				break;
			unsigned long of_a = class_of(search, units[k], cold_between);
			unsigned long of_b = class_of(search, units[k + 1], cold_between);
			uint32_t align_a = order->members[a->first].high;
			uint32_t align_b = order->members[b->first].high;
			if (of_a < of_b || (of_a == of_b && align_a >= align_b))
				break;
			size_t unit = units[k];
			units[k] = units[k + 1];
			units[k + 1] = unit;
		}
	}
}

/* What the profile wants first and last goes there. */
static void obey_ends(const struct search *search, size_t *units)
{
	const struct order *order = search->order;
	size_t *front = mem_new(search->count, sizeof(*front)), next = 0;
	for (int part = 0; part < 5; part++) {
		for (size_t i = 0; i < search->count; i++) {
			const struct order_unit *unit = &order->units[units[i]];
			const struct layout_member *member = order->members[unit->first].member;
			bool base = member->is_base || member->is_artificial;
			bool tail = unit->is_fixed && !unit->is_last &&
				    unit->zone_behind == ORDER_NOWHERE && i + 1 == search->count;
			int own = base ? 0 : unit->is_first ? 1 : unit->is_last ? 3 : tail ? 4 : 2;
			if (own == part)
				front[next++] = units[i];
		}
	}
	memcpy(units, front, search->count * sizeof(*units));
	mem_free(front);
}

static void climb_from_all(struct search *search, const size_t *today)
{
	struct climb climb;
	size_t *units = mem_new(search->count, sizeof(*units));
	climb_init(&climb, search, compare_best);
	for (int start = 0; start < STARTS; start++) {
		memcpy(units, today, search->count * sizeof(*units));
		if (start > 0)
			sort_units(search, units, start == 1);
		if (start > 0 && (search->order->first_count || search->order->last_count))
			obey_ends(search, units);
		if (!climb_from(&climb, units, NULL))
			continue;
		climb_up(&climb);
		count_moves(search, &climb.now);
		offer(search, &climb.now, true);
	}
	if (search->ret->best.is_found &&
		climb_from(&climb, search->ret->best.units, search->ret->best.aligns)) {
		climb_up(&climb);
		count_moves(search, &climb.now);
		offer(search, &climb.now, true);
	}
	climb_release(&climb);
	mem_free(units);
}

/* ---- move by move ---- */

static void beam_add(struct search *search, const struct order_found *found)
{
	size_t at = search->beam_count;
	while (at > 0 && compare_minimal(search, found, &search->beam[at - 1]) < 0)
		at--;
	/* one of each price: the others are the same idea */
	if (at > 0 && compare_numbers(found->cost, search->beam[at - 1].cost) == 0)
		return;
	if (at >= BEAM)
		return;
	size_t last = search->beam_count < BEAM ? search->beam_count : BEAM - 1;
	memmove(&search->beam[at + 1], &search->beam[at], (last - at) * sizeof(*search->beam));
	keep(search, &search->beam[at], found);
	search->beam_count = last + 1;
}

/* Every unit of an order moved to every place. */
static void try_singles(struct search *search, const struct order_found *from, size_t moves)
{
	size_t n = search->count;
	size_t *units = mem_new(n, sizeof(*units));
	uint32_t *aligns = mem_new(n, sizeof(*aligns));
	for (size_t at = 0; at < n; at++) {
		size_t unit = from->units[at];
		if (from->aligns)
			memcpy(aligns, from->aligns, n * sizeof(*aligns));
		if (!is_mover(search, unit))
			continue;
		bool others = from->moves_others || !search->order->units[unit].is_accessed;
		for (size_t to = 0; to < n; to++) {
			struct order_found found;
			relocated(from->units, n, at, 1, to, units);
			if (to != at && try_order(search, units, aligns, &found)) {
				found.moves = moves;
				found.moves_others = others;
				offer(search, &found, true);
				beam_add(search, &found);
			}
			if (!takes_alignment(search, unit) || aligns[unit])
				continue;
			aligns[unit] = (uint32_t)search->order->layout->line_bytes;
			if (try_order(search, units, aligns, &found)) {
				found.moves = moves;
				found.moves_others = others;
				offer(search, &found, true);
				beam_add(search, &found);
			}
			aligns[unit] = 0;
		}
	}
	mem_free(units);
	mem_free(aligns);
}

static void follow_beam(struct search *search, size_t moves)
{
	struct order_found last[BEAM];
	size_t count = search->beam_count;
	memcpy(last, search->beam, count * sizeof(*last));
	search->beam_count = 0;
	for (size_t i = 0; i < count; i++)
		try_singles(search, &last[i], moves);
}

static double saves(const struct search *search, const struct order_found *found)
{
	return found->is_found ? price_with_lines(search, &search->ret->today) -
					 price_with_lines(search, found)
			       : 0;
}

/* The fewest moves that save most of what can be saved. */
static void find_minimal(struct search *search)
{
	struct order_search *ret = search->ret;
	double wanted = MOST * saves(search, &ret->best);
	if (saves(search, &ret->best) < ORDER_PAYS)
		return;
	for (size_t moves = 1; moves <= search->count && !ret->minimal.is_found; moves++) {
		if (!ret->is_exact && moves > 1 && moves <= MOVES_MAX)
			follow_beam(search, moves);
		/* to move what nobody accesses, so that others come elsewhere, is a last resort */
		for (size_t i = 2 * moves; i <= 2 * moves + 1 && !ret->minimal.is_found; i++)
			if (saves(search, &search->by_moves[i]) > wanted)
				ret->minimal = search->by_moves[i];
	}
	if (ret->minimal.is_found)
		count_moves(search, &ret->minimal);
}

/* ---- smaller ---- */

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
	bool wide = search->count > 2 * (size_t)WIDE_UNITS;
	if (unit->is_fixed || unit->is_pinned ||
		(wide && !beside[from] && !fills_gap(search, climb, from, largest)))
		return;
	memcpy(climb->trial_aligns, climb->aligns, search->count * sizeof(*climb->aligns));
	for (size_t to = 0; to < search->count; to++) {
		size_t behind = to + (to >= from);
		if (to == from || (!beside[behind] && (wide || !beside[from])))
			continue;
		relocated(climb->units, search->count, from, 1, to, climb->trial_units);
		neighbour(climb);
	}
	if (beside[from] && !wide)
		try_swaps(climb, from);
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
			try_gaps(climb, position_of(climb, unit), beside, largest);
			if (!step(climb))
				continue;
			improved = true;
			if (!has_gaps(search, &climb->now, beside, &largest))
				return;
		}
	}
}

static void find_pack(struct search *search, const size_t *today)
{
	struct climb climb;
	bool *beside = mem_new(search->count + 1, sizeof(*beside));
	climb_init(&climb, search, compare_pack);
	climb.only_cheap = true;
	for (int start = 0; start < 2; start++) {
		bool known = start == 0 ? climb_from(&climb, today, NULL)
					: search->ret->best.is_found &&
						  climb_from(&climb, search->ret->best.units, NULL);
		if (!known || climb.now.cost > search->ret->today.cost + SAME)
			continue;
		fill_gaps(&climb, beside);
		count_moves(search, &climb.now);
		offer(search, &climb.now, false);
	}
	climb_release(&climb);
	mem_free(beside);
}

/* ---- destinations ---- */

static const struct order_priced *price_destinations(struct search *search, const size_t *today,
	size_t unit, const uint32_t *aligns, size_t *ret_count)
{
	size_t n = search->count, count = 0;
	struct order_priced *priced = arena_new(search->arena, n, sizeof(*priced));
	size_t *units = mem_new(n, sizeof(*units));
	for (size_t to = 0; to < n; to++) {
		struct order_found found;
		relocated(today, n, unit, 1, to, units);
		if (!try_order(search, units, aligns, &found))
			continue;
		found.moves = to != unit;
		size_t at = count++;
		while (at > 0 && compare_minimal(search, &found, &priced[at - 1].found) < 0) {
			priced[at] = priced[at - 1];
			at--;
		}
		priced[at].place = to;
		keep(search, &priced[at].found, &found);
	}
	mem_free(units);
	*ret_count = count;
	return priced;
}

static void find_destinations(struct search *search, const size_t *today)
{
	struct order_search *ret = search->ret;
	if (!ret->minimal.is_found || ret->minimal.moves != 1)
		return;
	order_moves(search->order, ret->minimal.units, search->moved);
	for (size_t i = 0; i < search->count; i++)
		if (search->moved[i] || (ret->minimal.aligns && ret->minimal.aligns[i]))
			ret->moved = i;
	ret->destinations = price_destinations(
		search, today, ret->moved, ret->minimal.aligns, &ret->destination_count);
}

/* ---- */

static void drop_what_does_not_pay(struct search *search)
{
	struct order_search *ret = search->ret;
	if (saves(search, &ret->best) < ORDER_PAYS)
		ret->best.is_found = false;
	if (ret->pack.is_found)
		count_moves(search, &ret->pack);
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
	search->place.off_bits = mem_new(order->member_count, sizeof(uint64_t));
	search->moved = mem_new(search->count, sizeof(*search->moved));
	search->by_moves = mem_new(2 * search->count + 2, sizeof(*search->by_moves));
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
	mem_free(search->moved);
	mem_free(search->by_moves);
}

void order_destinations(struct arena *arena, const struct order *order, size_t unit,
	const struct order_priced **ret, size_t *count)
{
	struct search search;
	struct order_search found;
	const size_t *today = search_open(&search, arena, order, &found);
	search.counts_shifted = true;
	*ret = price_destinations(&search, today, unit, NULL, count);
	search_close(&search);
}

void order_search(struct arena *arena, const struct order *order, struct order_search *ret)
{
	struct search search;
	struct order_found found;
	const size_t *today = search_open(&search, arena, order, ret);
	size_t *start = arena_copy(arena, today, search.count, sizeof(*start));
	search.counts_shifted = true;
	if (!try_order(&search, start, NULL, &found))
		obey_ends(&search, start);
	if (search.count <= EXACT_UNITS)
		try_every(&search);
	if (!ret->is_exact || search.padding) {
		struct order_found first = {.units = start, .is_found = true};
		try_singles(&search, &first, 1);
		search.counts_shifted = false;
		climb_from_all(&search, start);
		find_pack(&search, start);
		search.counts_shifted = true;
	}
	ret->none_allowed = !ret->best.is_found;
	find_minimal(&search);
	drop_what_does_not_pay(&search);
	find_destinations(&search, today);
	search_close(&search);
}

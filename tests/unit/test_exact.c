/*
 * order: of structs of up to 8 units the cheapest order is found, with the fewest moves that have its cost and size. Held against
 * every order: of scalars, arrays, runs of bit-fields, members with an alignment of their own, aligned blocks, flexible tails.
 *
 * Which orders count is asked again here, in another way. What debug information leaves open is tried out (unnamed bit-fields
 * before, in and behind a run; a struct without gaps packed): an order counts when every one of these declarations lays it out alike.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "structs.h"

static struct world w, other;

static int setup(void **state)
{
	(void)state;
	world_init(&w);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_release(&w.arena);
	return 0;
}

/* ---- random structs ---- */

static uint64_t seed;

static unsigned below(unsigned n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)(seed % n);
}

enum { UNITS = 8, RUN = 3, LINE_BITS = 512 };

struct unit {
	char text[96];
	unsigned bytes, align,
		dim; /* of the element, of a run the type; align: with what is stated */
	unsigned widths[RUN], fields; /* of a run; fields 0: none */
	bool begins_block, in_block, is_tail;
	/* what order.h says of runs: */
	bool is_tied;   /* moves with the run before it: one unit */
	uint32_t phase; /* bits: a run begins where it does today, modulo this; 0: anywhere */
};

static struct unit units[UNITS];
static size_t unit_count;

static void make_run(struct unit *unit, size_t index, unsigned bytes)
{
	unit->bytes = unit->align = bytes;
	unit->fields = 1 + below(RUN);
	for (unsigned i = 0; i < unit->fields; i++) {
		unit->widths[i] = 1 + below(4 * bytes);
		sprintf(unit->text + strlen(unit->text), "m%zu%c:%u/%u ", index, "xyz"[i], bytes,
			unit -> widths[i]);
	}
}

static void make_unit(struct unit *unit, size_t index, bool bits, bool aligned)
{
	static const unsigned sizes[] = {8, 8, 8, 4, 4, 2, 1};
	unsigned bytes = sizes[below(7)];
	*unit = (struct unit){.bytes = bytes, .align = bytes, .dim = 1};
	/* two runs side by side would be one */
	bool behind_run = index > 0 && units[index - 1].fields;
	if (bits && !behind_run && below(3) == 0) {
		make_run(unit, index, bytes);
		return;
	}
	unit->dim = below(3) ? 1 : 2 + below(9);
	sprintf(unit->text, "m%zu:%u", index, bytes);
	if (unit->dim > 1)
		sprintf(unit->text + strlen(unit->text), "*%u", unit->dim);
	if (aligned && below(4) == 0) {
		unit->begins_block = below(2);
		unit->align = unit->begins_block ? 64 : 16;
		sprintf(unit->text + strlen(unit->text), "^%u", unit->align);
	}
	strcat(unit->text, " ");
}

static void make_struct(size_t count, bool bits, bool aligned, bool tail)
{
	unit_count = count;
	for (size_t i = 0; i < count; i++)
		make_unit(&units[i], i, bits, aligned);
	if (!tail)
		return;
	units[count - 1] = (struct unit){.bytes = 1 << below(4), .is_tail = true};
	units[count - 1].align = units[count - 1].bytes;
	sprintf(units[count - 1].text, "m%zu:%u*? ", count - 1, units[count - 1].bytes);
}

static void make_profile(char *profile)
{
	static const char *const uses[] = {"{a: {read: 2}}", "{b: {rmw: 2}}",
		"{b: {write: 1}, a: {read: 1}}", "{a: {rmw: 1}}",
		"{a: {read: 1}, b: {read: 1, write: 1}}", "{b: {read: 3}}"};
	unsigned accessed = 0;
	strcpy(profile, "    placement: {alignment: 64}\n    fields:\n");
	for (size_t i = 0; i < unit_count; i++) {
		if (units[i].is_tail || (below(5) > 2 && (accessed || i + 2 < unit_count)))
			continue;
		accessed++;
		sprintf(profile + strlen(profile), "      m%zu%s: %s\n", i,
			units[i].fields ? "x" : "", uses[below(6)]);
	}
}

static const char head[] = "roles:\n  a: {threads: 8}\n  b: {threads: 3, rate: 0.5}\n";

/* ---- what a compiler makes of a declaration ---- */

/* Unnamed bit-fields that may have been declared, and did not change where everything lies today. */
struct hidden {
	uint64_t lead, slack; /* bits, before and behind the run */
	uint64_t inside[RUN]; /* bits, before a field of it */
	unsigned bounds[RUN]; /* it begins at a multiple: one of no width is before it; 1: none */
};

struct places {
	uint64_t at[UNITS][RUN]; /* bits */
	uint64_t end[UNITS];
	uint64_t bytes;
};

static uint64_t up_to(uint64_t n, uint64_t to)
{
	return (n + to - 1) / to * to;
}

static void lay_out(
	const size_t *order, const struct hidden *hidden, unsigned packed, struct places *ret)
{
	uint64_t bit = 0, most = packed ? packed : 1;
	for (size_t i = 0; i < unit_count; i++) {
		size_t index = order[i];
		const struct unit *unit = &units[index];
		const struct hidden *own = &hidden[index];
		uint64_t word = 8 * (uint64_t)unit->bytes;
		bool stated = unit->align > unit->bytes;
		uint64_t align = packed && !stated ? 1 : unit->align;
		most = align > most ? align : most;
		bit += own->lead;
		for (unsigned k = 0; k < unit->fields; k++) {
			bit = up_to(bit + own->inside[k], own->bounds[k]);
			if (!packed && bit % word + unit->widths[k] > word)
				bit = up_to(bit, word);
			ret->at[index][k] = bit;
			bit += unit->widths[k];
		}
		if (!unit->fields) {
			ret->at[index][0] = bit = up_to(bit, 8 * align);
			bit += unit->is_tail ? 0 : word * unit->dim;
		}
		ret->end[index] = bit;
		bit += own->slack;
	}
	ret->bytes = up_to(up_to(bit, 8) / 8, most);
}

static bool same_places(const struct places *a, const struct places *b)
{
	for (size_t i = 0; i < unit_count; i++)
		for (unsigned k = 0; k < (units[i].fields ? units[i].fields : 1); k++)
			if (a->at[i][k] != b->at[i][k])
				return false;
	return a->bytes == b->bytes;
}

static unsigned bound_of(uint64_t bit)
{
	unsigned bound = 1;
	while (bound < 64 && bit % (2 * bound) == 0)
		bound *= 2;
	return bound;
}

enum { DECLARATIONS_MAX = 1 << 13 };

struct declaration {
	struct hidden hidden[UNITS];
	unsigned packed; /* bytes to which a packed struct is aligned; 0: it is not packed */
};

static struct declaration declarations[DECLARATIONS_MAX];
static size_t declaration_count;
static struct places today;

static const size_t as_declared[UNITS] = {0, 1, 2, 3, 4, 5, 6, 7};

/* A packed struct has gaps behind bit-fields only. */
static bool has_lead(const struct declaration *it)
{
	for (size_t i = 0; i < unit_count; i++) {
		bool gap = today.at[i][0] > (i ? today.end[i - 1] : 0);
		if (it->hidden[i].lead || (gap && it->hidden[i].bounds[0] > 1))
			return true;
	}
	return false;
}

/* All that lay out today's order as it is. */
static void declare(size_t unit, struct declaration *now)
{
	struct places places;
	if (unit == unit_count) {
		/* bytes at the end are alignment's, but of bit-fields they may be unnamed ones */
		unsigned most = units[unit_count - 1].fields ? 64 : 1;
		for (unsigned packed = 0; packed <= most; packed = packed ? 2 * packed : 1) {
			lay_out(as_declared, now->hidden, packed, &places);
			if (!same_places(&places, &today) || (packed && has_lead(now)))
				continue;
			assert_true(declaration_count < DECLARATIONS_MAX);
			declarations[declaration_count] = *now;
			declarations[declaration_count++].packed = packed;
		}
		return;
	}
	uint64_t before = unit ? today.end[unit - 1] : 0;
	uint64_t behind = unit + 1 < unit_count ? today.at[unit + 1][0] : 8 * today.bytes;
	for (int choice = 0; choice < (units[unit].fields ? 16 : 1); choice++) {
		struct hidden *own = &now->hidden[unit];
		*own = (struct hidden){0, 0, {0}, {1, 1, 1}};
		if (choice & 1)
			own->lead = today.at[unit][0] - before;
		if (choice & 2)
			own->slack = behind - today.end[unit];
		for (unsigned k = 0; choice & 4 && k < units[unit].fields; k++)
			own->bounds[k] = bound_of(today.at[unit][k]);
		for (unsigned k = 1; choice & 8 && k < units[unit].fields; k++)
			own->inside[k] = today.at[unit][k] - today.at[unit][k - 1] -
					 units[unit].widths[k - 1];
		if (((choice & 1) && !own->lead) || ((choice & 2) && !own->slack))
			continue;
		declare(unit + 1, now);
	}
}

/* ---- which orders count ---- */

/* Blocks: what is behind an aligned member on its line stays there, alone. */
static void find_blocks(void)
{
	uint64_t end = 0;
	for (size_t i = 0; i < unit_count; i++) {
		if (units[i].begins_block)
			end = (today.at[i][0] / LINE_BITS + 1) * LINE_BITS;
		units[i].in_block = today.at[i][0] < end;
	}
}

static bool stays(size_t unit)
{
	return units[unit].in_block || units[unit].is_tail;
}

static bool counts(const size_t *order, struct places *places)
{
	uint64_t block_end = 0;
	size_t last = SIZE_MAX;
	if (units[0].in_block && order[0] != 0)
		return false; /* nothing comes before what is kept at the front */
	for (size_t i = 0; i < unit_count; i++) {
		size_t unit = order[i];
		bool follows = units[unit].in_block && !units[unit].begins_block;
		if (stays(unit) && last != SIZE_MAX && unit < last)
			return false;
		last = stays(unit) ? unit : last;
		if (((follows || units[unit].is_tied) && (i == 0 || order[i - 1] != unit - 1)) ||
			(units[unit].is_tail && i + 1 < unit_count))
			return false;
	}
	for (size_t i = 0; i < declaration_count; i++) {
		struct places again;
		lay_out(order, declarations[i].hidden, declarations[i].packed, i ? &again : places);
		if (i && !same_places(places, &again))
			return false;
	}
	for (size_t i = 0; i < unit_count; i++) {
		size_t unit = order[i];
		uint64_t at = places->at[unit][0];
		if (!stays(unit) && at < block_end)
			return false;
		if (units[unit].phase && (at - today.at[unit][0]) % units[unit].phase)
			return false;
		/* its bytes of today */
		if (units[unit].begins_block) {
			uint64_t length =
				(today.at[unit][0] / LINE_BITS + 1) * LINE_BITS - today.at[unit][0];
			block_end = places->at[unit][0] + length;
		}
	}
	return true;
}

static size_t moves_of(const size_t *order)
{
	size_t most = 0, count = 0;
	for (unsigned kept = 0; kept < 1U << unit_count; kept++) {
		size_t last = SIZE_MAX, stay = 0;
		bool fits = true;
		for (size_t i = 0; i < unit_count && fits; i++) {
			if (units[order[i]].is_tied)
				continue;
			if (!(kept >> order[i] & 1)) {
				fits = !stays(order[i]);
				continue;
			}
			fits = last == SIZE_MAX || order[i] > last;
			last = order[i];
			stay++;
		}
		most = fits && stay > most ? stay : most;
	}
	for (size_t i = 0; i < unit_count; i++)
		count += !units[i].is_tied;
	return count - most;
}

/* ---- every order ---- */

struct best {
	double price;
	uint64_t bytes;
	size_t moves, count;
	double cheapest[UNITS + 1]; /* [moves] */
};

static double price_of(const char *profile, const size_t *order, uint64_t bytes, uint64_t before)
{
	char text[UNITS * 96] = "";
	for (size_t i = 0; i < unit_count; i++)
		strcat(text, units[order[i]].text);
	world_init(&other);
	world_join(&other, text, head, profile, EVIDENCE_STATED);
	assert_int_equal(other.layout.size_bytes, bytes);
	double price = cost_total(&other.arena, &other.map.model);
	uint64_t lines = (bytes + 63) / 64, lines_before = (before + 63) / 64;
	arena_release(&other.arena);
	if (lines > lines_before)
		price += 0.25 * (double)(lines - lines_before);
	return bytes > before ? price + ORDER_BYTE_PRICE * (double)(bytes - before) : price;
}

static void try_every(const char *profile, size_t *order, size_t depth, struct best *best)
{
	struct places places;
	if (depth == unit_count) {
		if (!counts(order, &places))
			return;
		double price = price_of(profile, order, places.bytes, today.bytes);
		bool cheaper = price < best->price - 1e-9,
		     same = !cheaper && price <= best->price + 1e-9;
		size_t moves = moves_of(order);
		best->count++;
		if (price < best->cheapest[moves])
			best->cheapest[moves] = price;
		if (cheaper ||
			(same && (places.bytes < best->bytes ||
					 (places.bytes == best->bytes && moves < best->moves)))) {
			best->price = price;
			best->bytes = places.bytes;
			best->moves = moves;
		}
		return;
	}
	for (size_t i = depth; i < unit_count; i++) {
		size_t unit = order[i];
		order[i] = order[depth];
		order[depth] = unit;
		try_every(profile, order, depth + 1, best);
		order[depth] = order[i];
		order[i] = unit;
	}
}

static size_t unit_named(const char *name)
{
	return strtoul(name + 1, NULL, 10);
}

static void find_ties(void)
{
	struct order order;
	assert_null(order_build(&w.arena, &w.map, &w.context, &order));
	for (size_t i = 0; i < order.member_count; i++) {
		struct unit *unit = &units[unit_named(order.members[i].source->name)];
		unit->is_tied |= order.members[i].is_tied;
		if (i == order.units[order.members[i].unit].first)
			unit->phase = order.members[i].phase_bits;
	}
}

/* What has to part is moved itself, with one move more, where that saves little less than pushing it apart. */
static bool may_take_one_more(
	const struct suggestion *minimal, const struct best *best, size_t moves)
{
	double saved = minimal->cost_before - minimal->cost_after;
	double most = minimal->cost_before - best->cheapest[moves];
	return minimal->move_count == moves + 1 && !minimal->shift &&
	       saved >= (1 - ORDER_DIRECT_MARGIN) * most - 1e-9;
}

/* The minimal suggestion has the fewest moves that save more than half of it. */
static void check_minimal(const char *text, const char *profile, const struct best *best)
{
	const struct suggestion *minimal = world_find(&w, SUGGEST_MINIMAL);
	double half = (w.lint.cost.total + best->price) / 2;
	size_t moves = 0;
	while (best->cheapest[moves] >= half)
		moves++;
	if (!minimal ||
		(minimal->move_count != moves && !may_take_one_more(minimal, best, moves)))
		fail_msg("%s\n%s%s%zu moves are minimal, %zu suggested", text, head, profile, moves,
			minimal ? minimal->move_count : 0);
}

/* Returns whether an order is suggested. */
static bool one(void)
{
	char profile[1024], text[UNITS * 96] = "";
	size_t order[UNITS];
	struct hidden none[UNITS];
	struct declaration now = {0};
	make_profile(profile);
	for (size_t i = 0; i < unit_count; i++) {
		strcat(text, units[i].text);
		none[i] = (struct hidden){0, 0, {0}, {1, 1, 1}};
		order[i] = i;
	}
	arena_release(&w.arena);
	world_init(&w);
	world_build(&w, text, head, profile, EVIDENCE_STATED);
	const char *message = world_suggest(&w);
	if (message)
		fail_msg("%s\n%s%s%s", text, head, profile, message);
	lay_out(as_declared, none, 0, &today);
	assert_int_equal(today.bytes, w.layout.size_bytes);
	declaration_count = 0;
	declare(0, &now);
	find_blocks();
	find_ties();
	struct best best = {.price = 1e300};
	for (size_t i = 0; i <= UNITS; i++)
		best.cheapest[i] = 1e300;
	try_every(profile, order, 0, &best);
	const struct suggestion *ours = world_find(&w, SUGGEST_BEST);
	double price = w.lint.cost.total;
	if (ours) {
		size_t next = 0;
		for (size_t i = 0; i < ours->order_count; i++) {
			size_t unit = unit_named(ours->order[i].field);
			if (next == 0 || order[next - 1] != unit)
				order[next++] = unit;
		}
		price = price_of(profile, order, ours->size_after, today.bytes);
	}
	if (!w.result.is_exact && !w.result.why_none)
		fail_msg("%s\nnot exact", text);
	bool pays = w.lint.cost.total - best.price >= ORDER_PAYS;
	if (best.count == 0 || pays != (ours != NULL) ||
		(ours && (price > best.price + 1e-9 || price < best.price - 1e-9 ||
				 ours->size_after != best.bytes || ours->move_count != best.moves)))
		fail_msg("%s\n%s%sours %.12f, %zu moves, %llu bytes; of %zu orders %.12f, %zu "
			 "moves, %llu "
			 "bytes; today %.12f; %s",
			text, head, profile, price, ours ? ours->move_count : 0,
			ours ? (unsigned long long)ours->size_after : 0, best.count, best.price,
			best.moves, (unsigned long long)best.bytes, w.lint.cost.total,
			w.result.why_none ? w.result.why_none : "");
	if (ours)
		check_minimal(text, profile, &best);
	return ours != NULL;
}

/* `least` of them must have something to suggest: else nothing is tested. */
static void of_units(bool bits, bool aligned, bool tail, unsigned least)
{
	static const unsigned structs[UNITS + 1] = {0, 0, 0, 60, 60, 60, 30, 8, 2};
	unsigned suggested = 0;
	seed = 88172645463325252ULL + bits + 2 * aligned + 4 * tail;
	for (size_t count = 3; count <= UNITS; count++)
		for (unsigned n = 0; n < structs[count]; n++) {
			make_struct(count, bits, aligned, tail);
			suggested += one();
		}
	if (suggested < least)
		fail_msg("only %u structs have a suggestion", suggested);
}

static void scalars(void **state)
{
	(void)state;
	of_units(false, false, false, 20);
}

static void bit_fields(void **state)
{
	(void)state;
	of_units(true, false, false, 5);
}

static void aligned_members(void **state)
{
	(void)state;
	of_units(false, true, false, 20);
}

static void flexible_tails(void **state)
{
	(void)state;
	of_units(false, false, true, 20);
}

static void all_of_it(void **state)
{
	(void)state;
	of_units(true, true, true, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(scalars),
		TEST(bit_fields),
		TEST(aligned_members),
		TEST(flexible_tails),
		TEST(all_of_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "order.h"
#include "order/align.h"
#include "order/fit.h"

/* ---- the sequence ---- */

static bool front_and_back(const struct order *order, const size_t *units)
{
	size_t at = 0, end = order->unit_count;
	if (order->first_count) {
		/* a base class comes before everything */
		while (order->members[order->units[units[at]].first].member->is_base ||
			order->members[order->units[units[at]].first].member->is_artificial)
			at++;
		for (size_t i = 0; i < order->first_count; i++)
			if (!order->units[units[at + i]].is_first)
				return false;
	}
	if (order->last_count) {
		/* and a flexible array behind it */
		while (order->units[units[end - 1]].is_fixed &&
			!order->units[units[end - 1]].is_last)
			end--;
		for (size_t i = 0; i < order->last_count; i++)
			if (i >= end || !order->units[units[end - 1 - i]].is_last)
				return false;
	}
	return true;
}

bool order_is_allowed(const struct order *order, const size_t *units)
{
	uint32_t zone = 0;
	size_t fixed = 0;
	for (size_t i = 0; i < order->unit_count; i++) {
		const struct order_unit *unit = &order->units[units[i]];
		if (unit->is_fixed) {
			if (units[i] < fixed)
				return false;
			fixed = units[i];
			zone = unit->zone_behind;
		} else if (unit->zone != zone) {
			return false;
		}
	}
	return front_and_back(order, units);
}

/* ---- the placement ---- */

/* Where the next member may begin at the earliest: between these, in bits. */
struct cursor {
	uint64_t lo, hi;
};

static bool place_bits(const struct order *order, const struct order_member *member,
	struct cursor *cursor, uint64_t *off)
{
	uint64_t start = cursor->lo + member->gap_bits;
	bool certain = true;
	if (!member->gap_bits) {
		start = order_bits_start(member, order->is_packed, cursor->lo);
		certain = start == order_bits_start(member, order->is_packed,
					   cursor->hi + member->lead_bits);
	}
	if (order->is_packed_perhaps && !member->gap_bits)
		certain &= start == order_bits_start(member, true, cursor->lo);
	if (member->phase_bits)
		certain &= ((start - member->off_bits) & (member->phase_bits - 1)) == 0;
	cursor->lo = start + member->size_bits;
	cursor->hi = cursor->lo + member->slack_bits;
	*off = start;
	return certain;
}

static bool place_bytes(
	const struct order_member *member, uint32_t align, struct cursor *cursor, uint64_t *off)
{
	if (member->is_tied) {
		*off = cursor->lo + member->gap_bits;
		cursor->lo = cursor->hi = *off + member->size_bits;
		return true;
	}
	uint64_t low = align > member->low ? align : member->low;
	uint64_t high = align > member->high ? align : member->high;
	uint64_t start = align_up((cursor->hi + 7) / 8, high);
	bool certain = start == align_up((cursor->lo + 7) / 8, low);
	*off = 8 * start;
	cursor->hi = *off + member->size_bits + member->slack_bits;
	cursor->lo = *off + member->size_bits - member->reused_bits;
	return certain;
}

/* The outermost struct around the one in which order is made. */
static void place_around(const struct order *order, struct order_place *place)
{
	const struct layout *layout = order->layout;
	const struct type *type = types_get(layout->types, layout->type);
	uint64_t end = place->size_bytes;
	for (size_t i = 1; i < type->member_count; i++)
		end = align_up(end, type_member_align(layout->types, &type->members[i]));
	if (layout->align_bytes > place->align_bytes)
		place->align_bytes = layout->align_bytes;
	place->size_bytes = align_up(end, place->align_bytes);
}

static uint64_t unit_start(const struct order *order, const struct order_place *place, size_t unit)
{
	return place->off_bits[order->units[unit].first] / 8;
}

bool order_place(
	const struct order *order, const struct order_sequence *sequence, struct order_place *ret)
{
	struct cursor cursor = {0, 0};
	uint64_t low = order->low, high = order->high;
	uint64_t free_from = 0; /* bytes: where an aligned block's last line ends */
	for (size_t i = 0; i < order->unit_count; i++) {
		const struct order_unit *unit = &order->units[sequence->units[i]];
		uint32_t align = sequence->aligns ? sequence->aligns[sequence->units[i]] : 0;
		low = align > low ? align : low;
		high = align > high ? align : high;
		for (size_t k = unit->first; k < unit->first + unit->count; k++) {
			const struct order_member *member = &order->members[k];
			bool certain =
				member->is_bits
					? place_bits(order, member, &cursor, &ret->off_bits[k])
					: place_bytes(member, k == unit->first ? align : 0, &cursor,
						  &ret->off_bits[k]);
			if (!certain)
				return false;
		}
		if (ret->off_bits[unit->first] / 8 < free_from && !unit->is_fixed)
			return false;
		if (unit->block_bytes)
			free_from = unit_start(order, ret, unit->block_first) + unit->block_bytes;
	}
	/* the run at the end stays there, with what may be behind it */
	const struct order_member *last = &order->members[order->member_count - 1];
	uint64_t moved = ret->off_bits[order->member_count - 1] - last->off_bits;
	if (last->is_bits && sequence->units[order->unit_count - 1] == last->unit &&
		moved % (8 * high) == 0)
		cursor.lo = cursor.hi;
	ret->align_bytes = (uint32_t)high;
	ret->size_bytes = align_up((cursor.hi + 7) / 8, high);
	if (ret->size_bytes != align_up((cursor.lo + 7) / 8, low))
		return false;
	ret->inner_bytes = ret->size_bytes;
	ret->inner_align = ret->align_bytes;
	if (order->inner)
		place_around(order, ret);
	return true;
}

/* ---- what the profile wants of a placement ---- */

struct lines {
	uint64_t first, last;
};

/* The top-level member that a member of the layout lies in, and how far in; NULL: behind them. */
static const struct order_member *member_around(
	const struct order *order, const struct layout_member *inner)
{
	size_t index = (size_t)(inner - order->layout->members);
	for (size_t i = 0; i < order->member_count; i++) {
		size_t first = (size_t)(order->members[i].member - order->layout->members);
		if (index >= first && index <= first + order->members[i].member->descendants)
			return &order->members[i];
	}
	return NULL;
}

/* Where a path lies in the placement; false: nowhere that is known. */
static bool bits_of(const struct order *order, const struct order_place *place, const char *path,
	uint64_t *first, uint64_t *last)
{
	const struct layout_member *member = layout_find(order->layout, path);
	const struct order_member *around = member ? member_around(order, member) : NULL;
	if (!around)
		return false;
	size_t entry = (size_t)(around - order->members);
	uint64_t off = place->off_bits[entry] + (member->off_bits - around->member->off_bits);
	uint64_t size = member->bit_size ? member->bit_size : 8 * member->size_bytes;
	*first = off;
	*last = size ? off + size - 1 : off;
	return true;
}

static bool lines_of(const struct order *order, const struct order_place *place, const char *path,
	struct lines *ret)
{
	uint64_t first, last, line_bits = 8 * order->layout->line_bytes;
	if (!bits_of(order, place, path, &first, &last))
		return false;
	*ret = (struct lines){first / line_bits, last / line_bits};
	return true;
}

/* All on one line, where they would fit on one. */
static bool on_one_line(const struct order *order, const struct order_place *place,
	const char *const *names, size_t count, bool only_if_they_fit)
{
	uint64_t bits = 0;
	struct lines all = {UINT64_MAX, 0};
	for (size_t i = 0; i < count; i++) {
		uint64_t first, last;
		struct lines lines;
		if (!bits_of(order, place, names[i], &first, &last) ||
			!lines_of(order, place, names[i], &lines))
			continue;
		bits += last - first + 1;
		all.first = lines.first < all.first ? lines.first : all.first;
		all.last = lines.last > all.last ? lines.last : all.last;
	}
	return (only_if_they_fit && bits > 8 * order->layout->line_bytes) || all.first >= all.last;
}

static bool apart(const struct order *order, const struct order_place *place,
	const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		for (size_t k = i + 1; k < count; k++) {
			struct lines a, b;
			if (lines_of(order, place, names[i], &a) &&
				lines_of(order, place, names[k], &b) && a.first <= b.last &&
				b.first <= a.last)
				return false;
		}
	}
	return true;
}

static bool expectation_holds(const struct order *order, const struct order_place *place,
	const struct profile_expect *expect)
{
	struct lines lines;
	uint64_t line_bytes = order->layout->line_bytes;
	switch (expect->kind) {
	case EXPECT_SAME_LINE:
		return on_one_line(order, place, expect->fields, expect->field_count, false);
	case EXPECT_APART:
		return apart(order, place, expect->fields, expect->field_count);
	case EXPECT_LINE:
		return !lines_of(order, place, expect->fields[0], &lines) ||
		       (lines.first == expect->value && lines.last == expect->value);
	case EXPECT_MAX_SIZE:
		return place->size_bytes <= expect->value;
	case EXPECT_MAX_LINES:
		return (place->size_bytes + line_bytes - 1) / line_bytes <= expect->value;
	}
	return true;
}

static bool pins_hold(const struct order *order, const struct order_place *place)
{
	for (size_t i = 0; i < order->member_count; i++)
		if (order->units[order->members[i].unit].is_pinned &&
			place->off_bits[i] != order->members[i].off_bits)
			return false;
	return true;
}

bool order_fulfils(const struct order *order, const struct order_place *place)
{
	const struct profile_struct *profile = order->map->profile;
	if (!profile)
		return true;
	const struct profile_constraints *constraints = &profile->constraints;
	if ((constraints->max_size_bytes && place->size_bytes > constraints->max_size_bytes) ||
		!pins_hold(order, place))
		return false;
	for (size_t i = 0; i < constraints->keep_together_count; i++)
		if (!on_one_line(order, place, constraints->keep_together[i].names,
			    constraints->keep_together[i].count, true))
			return false;
	if (!profile->expect_count)
		return true;
	/* one that is broken today is no reason against an order */
	uint64_t *off_bits = mem_new(order->member_count, sizeof(*off_bits));
	struct order_place today = {.off_bits = off_bits, .size_bytes = order->layout->size_bytes};
	bool holds = true;
	for (size_t i = 0; i < order->member_count; i++)
		off_bits[i] = order->members[i].off_bits;
	for (size_t i = 0; i < profile->expect_count && holds; i++)
		holds = expectation_holds(order, place, &profile->expects[i]) ||
			!expectation_holds(order, &today, &profile->expects[i]);
	mem_free(off_bits);
	return holds;
}

/* ---- what has been moved ---- */

/* Dearer to move: what the profile does not speak of. */
static unsigned weight_of(const struct order *order, size_t unit)
{
	enum { KEPT = 1 << 12, FIXED = 1 << 24 };
	const struct order_unit *it = &order->units[unit];
	return it->is_fixed || it->is_pinned ? FIXED : it->is_accessed ? KEPT : KEPT + 1;
}

/* The heaviest ascending part of the sequence stays; of several the one that ends first. */
size_t order_moves(const struct order *order, const size_t *units, bool *moved)
{
	size_t count = order->unit_count, kept = 0, end = 0;
	uint64_t *weights = mem_new(count, sizeof(*weights));
	size_t *before = mem_new(count, sizeof(*before));
	for (size_t i = 0; i < count; i++) {
		before[i] = SIZE_MAX;
		for (size_t k = 0; k < i; k++) {
			if (units[k] < units[i] && weights[k] > weights[i]) {
				weights[i] = weights[k];
				before[i] = k;
			}
		}
		weights[i] += weight_of(order, units[i]);
		end = weights[i] > weights[end] ? i : end;
	}
	for (size_t i = 0; moved && i < count; i++)
		moved[i] = true;
	for (size_t i = count ? end : SIZE_MAX; i != SIZE_MAX; i = before[i]) {
		kept++;
		if (moved)
			moved[units[i]] = false;
	}
	mem_free(weights);
	mem_free(before);
	return count - kept;
}

size_t order_found_moves(const struct order *order, const struct order_found *found, bool *moved)
{
	size_t fewest = order_moves(order, found->units, moved), meant = 0;
	for (size_t i = 0; found->moved && i < order->unit_count; i++)
		meant += found->moved[i];
	if (found->moved && meant == fewest)
		memcpy(moved, found->moved, order->unit_count * sizeof(*moved));
	return fewest;
}

/* ---- the second layout ---- */

static struct type_member *members_in_order(struct arena *arena, const struct order *order,
	const struct order_sequence *sequence, const struct order_place *place)
{
	struct type_member *members = arena_new(arena, order->member_count, sizeof(*members));
	size_t count = 0;
	for (size_t i = 0; i < order->unit_count; i++) {
		const struct order_unit *unit = &order->units[sequence->units[i]];
		uint32_t align = sequence->aligns ? sequence->aligns[sequence->units[i]] : 0;
		for (size_t k = unit->first; k < unit->first + unit->count; k++) {
			members[count] = *order->members[k].source;
			members[count].off_bits = place->off_bits[k];
			if (k == unit->first && align > members[count].align_bytes)
				members[count].align_bytes = align;
			count++;
		}
	}
	return members;
}

/* The unnamed struct with all in it, and what is empty behind it. */
static void wrap(struct arena *arena, const struct order *order, struct types *types,
	struct type *outer, const struct type *inner)
{
	struct type_member *members =
		arena_copy(arena, outer->members, outer->member_count, sizeof(*members));
	uint64_t end = inner->size_bytes;
	members[0].type = types_add(types, inner);
	for (size_t i = 1; i < outer->member_count; i++) {
		end = align_up(end, type_member_align(order->layout->types, &members[i]));
		members[i].off_bits = 8 * end;
	}
	outer->members = members;
}

struct error *order_layout(struct arena *arena, const struct order *order,
	const struct order_sequence *sequence, const struct order_place *place, struct types *types,
	struct layout *ret)
{
	const struct layout *layout = order->layout;
	*types = *layout->types;
	types->arena = arena;
	types->items = arena_copy(arena, types->items, types->count, sizeof(*types->items));
	types->capacity = types->count;
	struct type type = *types_get(types, layout->type);
	if (order->inner) {
		struct type inner = *types_get(types, types_strip(types, order->inner->type));
		inner.members = members_in_order(arena, order, sequence, place);
		inner.member_count = order->member_count;
		inner.align_bytes = place->inner_align;
		inner.size_bytes = place->inner_bytes;
		wrap(arena, order, types, &type, &inner);
	} else {
		type.members = members_in_order(arena, order, sequence, place);
		type.member_count = order->member_count;
	}
	type.size_bytes = place->size_bytes;
	type.align_bytes = place->align_bytes;
	type_id id = types_add(types, &type);
	return layout_build(arena, types, id, layout->name, layout->line_bytes, ret);
}

#include "suggest.h"

#include <string.h>

#include "base/mem.h"
#include "order.h"
#include "suggest/judge.h"
#include "suggest/second.h"
#include "suggest/shift.h"
#include "suggest/trade.h"

enum { SLAB_BYTES = 4096 };

const char *suggest_kind_name(enum suggest_kind kind)
{
	static const char *const names[] = {"minimal", "best", "pack"};
	return names[kind];
}

struct suggest {
	struct arena *arena;
	const struct suggest_input *input;
	struct order order;
	struct order_search search;
};

/* ---- one suggestion ---- */

static const char *name_before(const struct suggest *s, const size_t *units, size_t at)
{
	return at ? s->order.units[units[at - 1]].name : NULL;
}

static void fill_moves(
	const struct suggest *s, const struct order_found *found, struct suggestion *ret)
{
	size_t count = s->order.unit_count;
	bool *moved = mem_new(count, sizeof(*moved));
	struct suggest_move *moves = arena_new(s->arena, count, sizeof(*moves));
	order_found_moves(&s->order, found, moved);
	for (size_t i = 0; i < count; i++) {
		size_t unit = found->units[i];
		uint32_t align = found->aligns ? found->aligns[unit] : 0;
		if (moved[unit] || align)
			moves[ret->move_count++] = (struct suggest_move){
				.field = s->order.units[unit].name,
				.after = name_before(s, found->units, i),
				.unit = unit,
				.align_bytes = align,
				.stays = !moved[unit],
			};
	}
	ret->moves = moves;
	mem_free(moved);
}

static const char *place_name(const struct suggest *s, const struct order_member *member)
{
	return *member->source->name ? member->source->name
				     : order_name(s->order.layout, member->member);
}

/* Members in their new order; empty ones behind a transparent struct at the end. */
static void fill_order(const struct suggest *s, const struct second *second, struct suggestion *ret)
{
	const struct order *order = &s->order;
	const struct layout *layout = order->layout;
	struct suggest_place *places =
		arena_new(s->arena, layout->member_count + order->member_count, sizeof(*places));
	for (size_t i = 0; i < order->unit_count; i++) {
		const struct order_unit *unit = &order->units[second->sequence.units[i]];
		for (size_t k = unit->first; k < unit->first + unit->count; k++)
			places[ret->order_count++] = (struct suggest_place){
				.field = place_name(s, &order->members[k]),
				.member = order->members[k].member,
				.off_bits = second->place.off_bits[k],
				.before_bits = order->members[k].member->off_bits,
			};
	}
	for (size_t i = order->inner ? 1 + order->inner->descendants : layout->member_count;
		i < layout->member_count; i += 1 + layout->members[i].descendants) {
		const struct layout_member *after =
			layout_find(&second->layout, layout->members[i].path);
		places[ret->order_count++] = (struct suggest_place){
			.field = layout->members[i].name,
			.member = &layout->members[i],
			.off_bits = after ? after->off_bits : 8 * second->place.inner_bytes,
			.before_bits = layout->members[i].off_bits,
		};
	}
	ret->order = places;
}

static void fill_collateral(
	const struct suggest *s, const struct second *second, struct suggestion *ret)
{
	const struct order *order = &s->order;
	uint64_t line_bits = 8 * order->layout->line_bytes;
	struct suggest_collateral *items = arena_new(s->arena, order->unit_count, sizeof(*items));
	bool *moved = mem_new(order->unit_count, sizeof(*moved));
	for (size_t i = 0; i < ret->move_count; i++)
		moved[ret->moves[i].unit] = true;
	for (size_t i = 0; i < order->unit_count; i++) {
		const struct order_unit *unit = &order->units[i];
		const struct order_member *first = &order->members[unit->first];
		const struct order_member *last = &order->members[unit->first + unit->count - 1];
		uint64_t before = first->off_bits, after = second->place.off_bits[unit->first];
		uint64_t before_end = last->off_bits + last->size_bits;
		uint64_t after_end =
			second->place.off_bits[unit->first + unit->count - 1] + last->size_bits;
		if (moved[i] || before_end == before)
			continue;
		struct suggest_collateral it = {unit->name, before / line_bits,
			(before_end - 1) / line_bits, after / line_bits,
			(after_end - 1) / line_bits};
		if (it.first_line_before != it.first_line_after ||
			it.last_line_before != it.last_line_after)
			items[ret->collateral_count++] = it;
	}
	ret->collateral = items;
	mem_free(moved);
}

static void fill_destinations(const struct suggest *s, struct suggestion *ret)
{
	const struct order *order = &s->order;
	const struct order_search *search = &s->search;
	size_t unit = search->moved;
	struct order_place place = {
		.off_bits = mem_new(order->member_count, sizeof(*place.off_bits))};
	struct suggest_destination *items =
		arena_new(s->arena, search->destination_count, sizeof(*items));
	for (size_t i = 0; i < search->destination_count; i++) {
		const struct order_priced *priced = &search->destinations[i];
		const struct order_found *found = &priced->found;
		struct order_sequence sequence = {found->units, found->aligns};
		/* where it is now is no destination, unless an alignment is what is suggested */
		bool align = found->aligns && found->aligns[unit];
		if ((priced->place == unit && !align) || !order_place(order, &sequence, &place))
			continue;
		items[ret->destination_count++] = (struct suggest_destination){
			.after = name_before(s, found->units, priced->place),
			.is_here = priced->place == unit,
			.line = place.off_bits[order->units[unit].first] / 8 /
				order->layout->line_bytes,
			.size_bytes = found->size_bytes,
			.cost = found->cost,
			.growth = priced->growth,
		};
	}
	ret->destinations = items;
	mem_free(place.off_bits);
}

static uint64_t objects_of(uint64_t stride_bytes)
{
	return stride_bytes ? SLAB_BYTES / stride_bytes : 0;
}

static struct error *fill(const struct suggest *s, enum suggest_kind kind,
	const struct order_found *found, struct suggestion *ret)
{
	const struct lint_input *before = s->input->lint;
	struct second *second = arena_new(s->arena, 1, sizeof(*second));
	struct error *error = second_build(s->arena, &s->order, before, found, second);
	if (error)
		return error;
	*ret = (struct suggestion){
		.kind = kind,
		.units = found->units,
		.unit_count = s->order.unit_count,
		.size_before = before->layout->size_bytes,
		.size_after = second->layout.size_bytes,
		.lines_before = before->layout->line_count,
		.lines_after = second->layout.line_count,
		.align_before = before->layout->align_bytes,
		.align_after = second->layout.align_bytes,
		.stride_before = before->access->stride_bytes,
		.stride_after = second->map.stride_bytes,
		.objects_before = objects_of(before->access->stride_bytes),
		.objects_after = objects_of(second->map.stride_bytes),
		.cost_before = s->input->result->cost.total,
		.cost_after = second->lint.cost.total,
		.role_before = s->input->result->cost.roles,
		.role_after = second->lint.cost.roles,
		.placements_after = second->map.model.start_count,
		.line_costs = second->lint.cost.lines,
		.line_cost_count = second->lint.cost.line_count,
		.findings = second->lint.findings,
		.finding_count = second->lint.finding_count,
		.definition = second_definition(s->arena, &s->order, &second->sequence),
	};
	fill_moves(s, found, ret);
	fill_order(s, second, ret);
	fill_collateral(s, second, ret);
	second_pairs(s->arena, before->access, &second->map, ret);
	if (!found->is_direct && kind == SUGGEST_MINIMAL)
		ret->shift = shift_text(s->arena, before->layout, ret);
	if (found == &s->search.minimal && ret->move_count == 1)
		fill_destinations(s, ret);
	return NULL;
}

/* The other one, beside a minimal suggestion that is a shift. */
static struct error *fill_direct(const struct suggest *s, struct suggestion *minimal)
{
	struct suggestion *direct = arena_new(s->arena, 1, sizeof(*direct));
	if (!s->search.direct.is_found || !minimal->shift)
		return NULL;
	minimal->direct = direct;
	return fill(s, SUGGEST_MINIMAL, &s->search.direct, direct);
}

/* ---- what padding would make of it ---- */

/* The profile with padding allowed and, where an added line need not pay, no price of it. */
static const struct access_map *padded_map(const struct suggest *s, double line_price)
{
	struct access_map *map = arena_copy(s->arena, s->order.map, 1, sizeof(*map));
	struct profile_struct *profile = arena_copy(s->arena, map->profile, 1, sizeof(*profile));
	struct profile *document = arena_copy(s->arena, profile->document, 1, sizeof(*document));
	profile->constraints.padding_allowed = true;
	document->line_price = line_price;
	profile->document = document;
	map->profile = profile;
	return map;
}

static struct error *suggest_padded(
	const struct suggest *s, double line_price, struct suggest_result *result)
{
	struct suggest padded = {.arena = s->arena, .input = s->input};
	struct suggestion *ret = arena_new(s->arena, 1, sizeof(*ret));
	struct error *error = order_build(
		s->arena, padded_map(s, line_price), s->input->lint->context, &padded.order);
	if (error || padded.order.why_none)
		return error;
	order_search(s->arena, &padded.order, &padded.search);
	if (!padded.search.minimal.is_found)
		return NULL;
	error = fill(&padded, SUGGEST_MINIMAL, &padded.search.minimal, ret);
	if (!error)
		result->padded = ret;
	return error;
}

/* Somebody is told of a cost that no order saves, or less gravely than it deserves. */
static bool wants_padded(const struct suggest *s, bool any_unavoidable)
{
	const struct lint_result *lint = s->input->result;
	unsigned saving = 1U << SUGGEST_MINIMAL | 1U << SUGGEST_BEST;
	bool loud = false;
	for (size_t i = 0; i < lint->finding_count; i++)
		loud |= judge_is_loud(&lint->findings[i]);
	return loud && s->input->kinds & saving && (any_unavoidable || !s->search.minimal.is_found);
}

static struct error *find_padded(const struct suggest *s, struct suggest_result *result)
{
	double line_price = s->order.map->profile->document->line_price;
	struct error *error = NULL;
	result->padding_tried = result->padded_pays = true;
	if (!s->order.constraints->padding_allowed)
		error = suggest_padded(s, line_price, result);
	if (error || result->padded)
		return error;
	result->padded_pays = false;
	return suggest_padded(s, 0, result);
}

static struct error *find_trade(const struct suggest *s, struct suggest_result *result)
{
	struct order_found found = {.is_found = false};
	if (!s->search.minimal.is_found && !s->search.best.is_found)
		found = trade_find(s->arena, s->input, &s->order);
	if (!found.is_found)
		return NULL;
	struct suggestion *trade = arena_new(s->arena, 1, sizeof(*trade));
	result->trade = trade;
	return fill(s, SUGGEST_BEST, &found, trade);
}

/* No order but today's: its errors stay, whatever is moved. */
static const char *const *lower_all(const struct judge *judge)
{
	const struct lint_result *lint = judge->input->result;
	const char **lowered = arena_new(judge->arena, lint->finding_count, sizeof(*lowered));
	for (size_t i = 0; i < lint->finding_count; i++)
		lowered[i] = judge_settled(judge, &lint->findings[i]);
	return lowered;
}

static struct error *judge(struct suggest *s, struct suggest_result *result)
{
	const struct lint_result *lint = s->input->result;
	const struct judge it = {s->arena, s->input, &s->order, &s->search, result};
	const bool *unavoidable = judge_unavoidable(&it);
	struct error *error = wants_padded(s, unavoidable) ? find_padded(s, result) : NULL;
	error = error ? error : find_trade(s, result);
	if (error)
		return error;
	if (!result->count || !s->search.minimal.is_found)
		result->why_none = judge_why_nothing(&it);
	if (!unavoidable)
		return NULL;
	const char **lowered = arena_new(s->arena, lint->finding_count, sizeof(*lowered));
	for (size_t i = 0; i < lint->finding_count; i++)
		lowered[i] = unavoidable[i] ? judge_lowered(&it, &lint->findings[i]) : NULL;
	result->lowered = lowered;
	return NULL;
}

struct error *suggest_contradictions(
	struct arena *arena, const struct access_map *map, const struct access_context *context)
{
	const struct profile_struct *profile = map->profile;
	struct order order;
	bool wants = profile && (profile->expect_count || profile->constraints.position.line);
	return wants ? order_build(arena, map, context, &order) : NULL;
}

struct error *suggest_run(
	struct arena *arena, const struct suggest_input *input, struct suggest_result *ret)
{
	struct suggest s = {.arena = arena, .input = input};
	struct suggest_result result = {0};
	struct error *error =
		order_build(arena, input->lint->access, input->lint->context, &s.order);
	if (error)
		return error;
	const struct judge it = {arena, input, &s.order, &s.search, &result};
	result.why_none = judge_why_not(&it);
	if (result.why_none) {
		result.is_unknown = !judge_is_settled(&it);
		if (!result.is_unknown)
			result.lowered = lower_all(&it);
		*ret = result;
		return NULL;
	}
	order_search(arena, &s.order, &s.search);
	const struct order_found *found[SUGGEST_KIND_COUNT] = {
		&s.search.minimal, &s.search.best, &s.search.pack};
	struct suggestion *items = arena_new(arena, SUGGEST_KIND_COUNT, sizeof(*items));
	for (int kind = 0; kind < SUGGEST_KIND_COUNT && !error; kind++)
		if (found[kind]->is_found && input->kinds & 1U << kind)
			error = fill(
				&s, (enum suggest_kind)kind, found[kind], &items[result.count++]);
	if (!error && result.count && items[0].kind == SUGGEST_MINIMAL)
		error = fill_direct(&s, &items[0]);
	if (error)
		return error;
	result.items = items;
	result.is_exact = s.search.is_exact;
	if (s.search.best.is_found)
		result.avoidable = s.search.today.cost - s.search.best.cost;
	error = judge(&s, &result);
	if (!error)
		*ret = result;
	return error;
}

static bool is_same_name(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Of all places for the unit, the one behind `after`. */
static const struct order_found *find_place(const struct suggest *s, size_t unit, const char *after)
{
	const struct order_priced *priced;
	size_t count;
	order_destinations(s->arena, &s->order, unit, 0, &priced, &count);
	for (size_t i = 0; i < count; i++)
		if (priced[i].place != unit &&
			is_same_name(name_before(s, priced[i].found.units, priced[i].place), after))
			return &priced[i].found;
	return NULL;
}

bool suggest_instead(struct arena *arena, const struct suggest_input *input,
	const struct suggestion *minimal, size_t destination, struct suggestion *ret)
{
	struct suggest s = {.arena = arena, .input = input};
	const struct suggest_move *move = &minimal->moves[0];
	if (minimal->move_count != 1 || move->align_bytes ||
		destination >= minimal->destination_count)
		return false;
	struct error *error =
		order_build(arena, input->lint->access, input->lint->context, &s.order);
	const struct order_found *found =
		error ? NULL : find_place(&s, move->unit, minimal->destinations[destination].after);
	if (found)
		error = fill(&s, SUGGEST_MINIMAL, found, ret);
	bool is_had = found && !error;
	error_free(error);
	return is_had;
}

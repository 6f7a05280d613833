#include "order.h"

#include <string.h>

#include "order/align.h"
#include "order/constrain.h"
#include "order/contradict.h"
#include "order/fit.h"

enum { UNITS_MAX = 1 << 14 };

struct builder {
	struct arena *arena;
	struct order *order;
	const struct types *types;
	struct order_member *members;
	struct order_unit *units;
	size_t unit_count;
};

/* ---- members ---- */

static const struct type *type_of(const struct builder *b, type_id id)
{
	return types_get(b->types, types_strip(b->types, id));
}

/* A struct whose only member, but for empty ones behind it, is an unnamed struct. */
static const struct layout_member *sole_unnamed(const struct builder *b, const struct type *type)
{
	const struct layout *layout = b->order->layout;
	if (!type->member_count || *type->members[0].name || type->members[0].off_bits ||
		type->members[0].is_base || type_of(b, type->members[0].type)->kind != TYPE_STRUCT)
		return NULL;
	for (size_t i = 1; i < type->member_count; i++) {
		uint64_t size = 0;
		if (!type_size(b->types, type->members[i].type, &size) || size)
			return NULL;
	}
	return &layout->members[0];
}

static const struct order_member *collect_members(struct builder *b, const struct type *type)
{
	const struct layout *layout = b->order->layout;
	size_t at = b->order->inner ? 1 : 0;
	b->members = arena_new(b->arena, type->member_count, sizeof(*b->members));
	for (size_t i = 0; i < type->member_count; i++) {
		const struct type_member *source = &type->members[i];
		struct order_member *member = &b->members[i];
		uint64_t size = 0;
		type_size(b->types, source->type, &size);
		if (source->is_base)
			size = layout->members[at].size_bytes;
		*member = (struct order_member){
			.member = &layout->members[at],
			.source = source,
			.off_bits = source->off_bits,
			.size_bits = source->bit_size ? source->bit_size : 8 * size,
			.type_bits = 8 * size,
			.is_bits = source->bit_size != 0,
			.stated = source->align_bytes,
		};
		at += 1 + layout->members[at].descendants;
	}
	return b->members;
}

const char *order_name(const struct layout *layout, const struct layout_member *member)
{
	size_t index = (size_t)(member - layout->members);
	for (size_t i = index; i <= index + member->descendants; i++)
		if (*layout->members[i].name && !layout->members[i].is_base)
			return layout->members[i].path;
	return *member->name ? member->name : "(unnamed)";
}

static void collect_units(struct builder *b)
{
	struct order *order = b->order;
	b->units = arena_new(b->arena, order->member_count, sizeof(*b->units));
	for (size_t i = 0; i < order->member_count; i++) {
		bool goes_on = b->members[i].is_tied ||
			       (i > 0 && b->members[i].is_bits && b->members[i - 1].is_bits);
		if (goes_on)
			b->units[b->unit_count - 1].count++;
		else
			b->units[b->unit_count++] = (struct order_unit){
				.name = order_name(order->layout, b->members[i].member),
				.first = i,
				.count = 1,
			};
		b->members[i].unit = b->unit_count - 1;
	}
	order->units = b->units;
	order->unit_count = b->unit_count;
}

/* ---- what keeps its place ---- */

/* Ends in an array without bound, however deep: nothing can stand behind it. */
static bool is_open_ended(const struct builder *b, type_id id, int depth)
{
	const struct type *type = type_of(b, id);
	if (depth > LAYOUT_DEPTH_MAX)
		return true;
	if (type->kind == TYPE_ARRAY)
		return type->dim_count && type->dims[0] == TYPE_NO_COUNT;
	if (!type_is_aggregate(type) || !type->member_count)
		return false;
	size_t from = type->kind == TYPE_UNION ? 0 : type->member_count - 1;
	for (size_t i = from; i < type->member_count; i++)
		if (is_open_ended(b, type->members[i].type, depth + 1))
			return true;
	return false;
}

static bool is_empty_array(const struct builder *b, const struct order_member *member)
{
	return !member->size_bits && type_of(b, member->source->type)->kind == TYPE_ARRAY;
}

/* More than one scalar in it, however deep: counters and locks are structs of one. */
static bool has_several(const struct builder *b, const struct type *type, int depth)
{
	if (type->kind != TYPE_STRUCT && type->kind != TYPE_CLASS)
		return false;
	if (type->member_count != 1 || depth > LAYOUT_DEPTH_MAX)
		return type->member_count > 1;
	return has_several(b, type_of(b, type->members[0].type), depth + 1);
}

/*
 * A base that others embed and cast to, or that is at offset 0 because code counts on it: a named struct of
 * several members. Whoever knows better says so with `first`.
 */
static bool is_base_like(const struct builder *b, const struct order_member *member)
{
	return *member->source->name && has_several(b, type_of(b, member->source->type), 0);
}

/* Aligned by an attribute of its own for the sake of the line, not of its type; or nothing but aligned. */
static bool begins_block(const struct builder *b, const struct order_member *member)
{
	uint32_t most =
		b->types->machine.scalar_align_max > 16 ? b->types->machine.scalar_align_max : 16;
	uint32_t align = member->stated ? member->stated : member->low;
	struct align_range of_type = align_of_type(b->types, member->source->type);
	return align > most && (align > of_type.high || !member->size_bits);
}

struct zones {
	uint32_t last; /* the newest */
	uint32_t now, outside;
	uint64_t block_end_bits; /* of today's, while in a block */
	size_t block_first;
};

static void fix(struct order_unit *unit, uint32_t zone_behind)
{
	unit->is_fixed = true;
	unit->zone_behind = zone_behind;
}

/* The unit before this one was the last of an aligned block. */
static void close_block(struct builder *b, struct zones *zones, size_t unit)
{
	const struct order_member *first = &b->members[b->units[zones->block_first].first];
	struct order_unit *last = &b->units[unit - 1];
	last->zone_behind = zones->now;
	last->block_first = zones->block_first;
	last->block_bytes = (zones->block_end_bits - first->off_bits) / 8;
	zones->block_end_bits = 0;
}

static void zone_unit(struct builder *b, struct zones *zones, size_t index)
{
	struct order_unit *unit = &b->units[index];
	const struct order_member *member = &b->members[unit->first];
	/* tied to a run of bit-fields, it may be anything */
	const struct order_member *end = &b->members[unit->first + unit->count - 1];
	uint64_t line_bits = 8 * b->order->layout->line_bytes;
	const char *group;
	int marker = layout_group_marker(end->member, &group);
	if (zones->block_end_bits &&
		(member->off_bits >= zones->block_end_bits || begins_block(b, member)))
		close_block(b, zones, index);
	unit->zone = zones->now;
	if (marker > 0) {
		zones->now = ++zones->last;
	} else if (marker < 0) {
		zones->now = zones->outside;
	} else if (is_empty_array(b, end)) {
		/* a mark that something counts from: nothing crosses it */
		zones->outside = zones->now == zones->outside ? zones->last + 1 : zones->outside;
		zones->now = ++zones->last;
	}
	if (zones->block_end_bits) {
		fix(unit, ORDER_NOWHERE);
	} else if (begins_block(b, member)) {
		fix(unit, ORDER_NOWHERE);
		zones->block_first = index;
		zones->block_end_bits = (member->off_bits / line_bits + 1) * line_bits;
	} else if (marker || is_empty_array(b, end)) {
		fix(unit, zones->now);
	} else if (member->source->is_base || member->source->is_artificial) {
		fix(unit, zones->now);
	}
	if (index + 1 == b->unit_count && is_open_ended(b, end->source->type, 0))
		fix(unit, ORDER_NOWHERE);
}

static void find_zones(struct builder *b)
{
	struct zones zones = {0};
	const struct profile_constraints *constraints = b->order->constraints;
	for (size_t i = 0; i < b->unit_count; i++)
		zone_unit(b, &zones, i);
	if (zones.block_end_bits)
		close_block(b, &zones, b->unit_count);
	/* an empty array at the end is an open end */
	struct order_unit *last = &b->units[b->unit_count - 1];
	if (is_empty_array(b, &b->members[last->first + last->count - 1]))
		fix(last, ORDER_NOWHERE);
	bool told = constraints && constraints->first.count;
	if (!b->units[0].is_fixed && !told && is_base_like(b, &b->members[0]))
		fix(&b->units[0], b->units[0].zone);
	/* nothing may come before what is fixed at offset 0 */
	if (b->units[0].is_fixed && b->units[0].zone == 0)
		for (size_t i = 0; i < b->unit_count; i++) {
			b->units[i].zone += 1;
			if (b->units[i].is_fixed && b->units[i].zone_behind != ORDER_NOWHERE)
				b->units[i].zone_behind += 1;
		}
}

/* ---- what cannot be put in order ---- */

static const char *unfit_member(const struct builder *b, const struct order_member *member)
{
	const struct type_member *source = member->source;
	uint64_t size;
	if (source->is_virtual || source->is_dynamic)
		return "a class with virtual bases";
	if (member->is_bits && (member->size_bits > member->type_bits || !member->type_bits))
		return "a bit-field is wider than its type";
	if (!type_size(b->types, source->type, &size))
		return "the size of a member is not constant";
	return NULL;
}

/* There is one order only, or its compiler sees to it. */
static const char *settled(const struct builder *b)
{
	const struct type *type = types_get(b->types, b->order->layout->type);
	if (type->kind == TYPE_UNION)
		return "a union: all its members lie at offset 0";
	if (!b->order->layout->size_known)
		return NULL;
	if (type->variant_count)
		return "what has variants is put in order by its compiler";
	if (type->is_reordered)
		return "its compiler has put the fields in an order of its own; #[repr(C)] keeps yours";
	return NULL;
}

static const char *unfit(const struct builder *b)
{
	const struct order *order = b->order;
	const struct type *type = types_get(b->types, order->layout->type);
	if (!order->layout->size_known)
		return "its size is not constant";
	if (type->member_count < 1)
		return "it has no members";
	if (type->is_go)
		return "Go has no alignment of fields, and gives a last one of no size bytes: move or pad them by hand";
	for (size_t i = 0; i < order->layout->member_count;
		i += 1 + order->layout->members[i].descendants)
		if (order->layout->members[i].is_virtual)
			return "a class with virtual bases";
	return NULL;
}

static const char *unfit_members(const struct builder *b)
{
	for (size_t i = 0; i < b->order->member_count; i++) {
		const char *why = unfit_member(b, &b->members[i]);
		if (why)
			return why;
	}
	if (b->order->member_count < 2)
		return "it has one member only";
	return b->order->member_count > UNITS_MAX ? "it has too many members" : NULL;
}

/* ---- fields ---- */

static void find_entries(struct builder *b)
{
	const struct access_map *map = b->order->map;
	size_t *entries = arena_new(b->arena, map->field_count, sizeof(*entries));
	for (size_t i = 0; i < map->field_count; i++) {
		size_t index = (size_t)(map->fields[i].member - b->order->layout->members);
		entries[i] = SIZE_MAX;
		for (size_t k = 0; k < b->order->member_count; k++) {
			size_t first = (size_t)(b->members[k].member - b->order->layout->members);
			if (index >= first && index <= first + b->members[k].member->descendants)
				entries[i] = k;
		}
		if (entries[i] != SIZE_MAX && map->fields[i].reads + map->fields[i].writes > 0)
			b->units[b->members[entries[i]].unit].is_accessed = true;
	}
	b->order->entries = entries;
}

struct error *order_build(struct arena *arena, const struct access_map *map,
	const struct access_context *context, struct order *ret)
{
	struct order order = {
		.layout = map->layout,
		.map = map,
		.context = context,
		.constraints = map->profile ? &map->profile->constraints : NULL,
	};
	struct builder b = {.arena = arena, .order = &order, .types = map->layout->types};
	struct error *error = NULL;
	order.why_none = settled(&b);
	order.is_settled = order.why_none != NULL;
	if (!order.why_none)
		order.why_none = unfit(&b);
	if (!order.why_none) {
		const struct type *type = types_get(b.types, order.layout->type);
		order.inner = sole_unnamed(&b, type);
		if (order.inner)
			type = type_of(&b, order.inner->type);
		order.size_bytes = type->size_bytes;
		order.member_count = type->member_count;
		order.members = collect_members(&b, type);
		order.why_none = unfit_members(&b);
	}
	if (!order.why_none)
		order.why_none = order_fit(arena, &order, b.members);
	if (!order.why_none) {
		collect_units(&b);
		find_zones(&b);
		find_entries(&b);
		order_constrain(&order, b.units);
		error = order_contradict(arena, &order);
	}
	if (!error)
		*ret = order;
	return error;
}

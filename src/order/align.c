#include "order/align.h"

#include <stdbool.h>

enum { DEPTH_MAX = 64, VISITS_MAX = 1 << 18, ALIGN_MAX = 1 << 30 };

struct walk {
	const struct types *types;
	uint32_t visits; /* left */
};

static struct align_range range_of(struct walk *walk, type_id id, int depth);

uint32_t align_allowed(uint64_t n)
{
	uint64_t bit = n & (~n + 1);
	return !n || bit > ALIGN_MAX ? ALIGN_MAX : (uint32_t)bit;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static struct align_range member_range(
	struct walk *walk, const struct type_member *member, int depth)
{
	struct align_range range = range_of(walk, member->type, depth);
	return (struct align_range){
		larger(range.low, member->align_bytes), larger(range.high, member->align_bytes)};
}

/* Stated for the type itself, or the elements of an array; 0: nothing. */
static uint32_t stated_for(const struct types *types, type_id id)
{
	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		const struct type *type = types_get(types, id);
		if (type->align_bytes)
			return type->align_bytes;
		if (type->kind != TYPE_TYPEDEF && type->kind != TYPE_ARRAY &&
			type->kind != TYPE_CONST && type->kind != TYPE_VOLATILE)
			break;
		id = type->target;
	}
	return 0;
}

static bool is_own(struct walk *walk, const struct type_member *member, int depth)
{
	struct align_range range = range_of(walk, member->type, depth);
	return member->align_bytes > range.high ||
	       (member->align_bytes > 1 && range.low == range.high &&
		       !stated_for(walk->types, member->type));
}

/* What an aggregate's members say of it. */
struct view {
	struct align_range range;
	uint32_t stated;      /* the largest alignment stated for a member */
	uint32_t unexplained; /* an alignment that would explain a gap; 0: all are */
	uint64_t end_bits;
	bool lowered, gaps;
};

static void view_member(struct walk *walk, const struct type_member *member, bool is_union,
	int depth, struct view *view)
{
	struct align_range range = member_range(walk, member, depth);
	uint64_t off = member->off_bits / 8, size = 0, end;
	type_size(walk->types, member->type, &size);
	if (member->bit_size) {
		end = member->off_bits + member->bit_size;
		view->gaps |= !is_union && member->off_bits > view->end_bits;
	} else {
		uint64_t from = (view->end_bits + 7) / 8;
		end = member->off_bits + 8 * size;
		view->gaps |= !is_union && off > from;
		if (!is_union && off > align_up(from, range.high))
			view->unexplained = larger(view->unexplained, align_allowed(off));
		if (off % range.low) {
			view->lowered = true;
			range.low = member->align_bytes && off % member->align_bytes == 0
					    ? member->align_bytes
					    : 1;
		}
		range.high = larger(smaller(range.high, align_allowed(off)), range.low);
	}
	view->range.low = larger(view->range.low, range.low);
	view->range.high = larger(view->range.high, range.high);
	/* what is stated for a member because its type asks for it, packing does away with */
	if (is_own(walk, member, depth))
		view->stated = larger(view->stated, member->align_bytes);
	if (end > view->end_bits)
		view->end_bits = end;
}

/* A pointer by value, however deep. */
static bool has_pointer(struct walk *walk, type_id id, int depth)
{
	const struct type *type = types_get(walk->types, types_strip(walk->types, id));
	if (depth > DEPTH_MAX || !walk->visits)
		return false;
	walk->visits--;
	if (type->kind == TYPE_ARRAY)
		return has_pointer(walk, type->target, depth + 1);
	for (size_t i = 0; type_is_aggregate(type) && i < type->member_count; i++)
		if (has_pointer(walk, type->members[i].type, depth + 1))
			return true;
	return type->kind == TYPE_POINTER || type->kind == TYPE_REFERENCE;
}

/*
 * What is packed is laid out for a wire or a device, and has no pointers: a type with a name, with pointers, and
 * without a gap that packing would have closed, is none.
 */
static bool is_surely_plain(struct walk *walk, const struct type *type, bool named, int depth)
{
	for (size_t i = 0; named && i < type->member_count; i++)
		if (has_pointer(walk, type->members[i].type, depth))
			return true;
	return false;
}

static struct align_range aggregate_range(
	struct walk *walk, const struct type *type, bool named, int depth)
{
	struct view view = {.range = {1, 1}};
	for (size_t i = 0; i < type->member_count; i++)
		view_member(walk, &type->members[i], type->kind == TYPE_UNION, depth + 1, &view);
	uint64_t end = (view.end_bits + 7) / 8;
	struct align_range range = view.range;
	bool tight = !view.gaps && type->size_bytes <= end;
	if (type->size_known && type->size_bytes > align_up(end, range.high))
		view.unexplained = larger(view.unexplained, align_allowed(type->size_bytes));
	if (type->align_bytes) {
		/* clang states what an attribute asks for, even when there is more */
		range.low = tight || view.lowered ? type->align_bytes
						  : larger(range.low, type->align_bytes);
		range.high =
			view.lowered ? type->align_bytes : larger(range.high, type->align_bytes);
	} else if (view.lowered) {
		range.low = larger(view.stated, 1);
		range.high = tight ? range.low : range.high;
	} else if (tight) {
		range.low = is_surely_plain(walk, type, named, depth) ? range.low
								      : larger(view.stated, 1);
	} else {
		range.high = larger(range.high, view.unexplained);
	}
	if (type->size_known && type->size_bytes)
		range.high = smaller(range.high, align_allowed(type->size_bytes));
	range.low = smaller(range.low, range.high);
	return range;
}

static struct align_range range_of(struct walk *walk, type_id id, int depth)
{
	const struct type *type = types_get(walk->types, id);
	uint32_t one = 1;
	if (depth > DEPTH_MAX || !walk->visits)
		return (struct align_range){
			1, ALIGN_MAX}; /* nothing is known: nothing can be said */
	walk->visits--;
	switch (type->kind) {
	case TYPE_TYPEDEF: {
		const struct type *target = types_get(walk->types, type->target);
		if (type->align_bytes)
			break;
		if (type_is_aggregate(target))
			return aggregate_range(walk, target, true, depth + 1);
		return range_of(walk, type->target, depth + 1);
	}
	case TYPE_ARRAY:
		if (type->align_bytes || type->is_vector)
			break;
		return range_of(walk, type->target, depth + 1);
	case TYPE_CONST:
	case TYPE_VOLATILE:
	case TYPE_RESTRICT:
		return range_of(walk, type->target, depth + 1);
	case TYPE_STRUCT:
	case TYPE_UNION:
	case TYPE_CLASS:
		return aggregate_range(walk, type, type->name != NULL, depth);
	case TYPE_VOID:
	case TYPE_BASE:
	case TYPE_ENUM:
	case TYPE_POINTER:
	case TYPE_REFERENCE:
	case TYPE_RVALUE_REFERENCE:
	case TYPE_MEMBER_POINTER:
	case TYPE_ATOMIC:
	case TYPE_FUNCTION:
	case TYPE_UNSPECIFIED:
		break;
	}
	one = type_align(walk->types, id);
	return (struct align_range){one, one};
}

struct align_range align_of_type(const struct types *types, type_id id)
{
	struct walk walk = {types, VISITS_MAX};
	return range_of(&walk, id, 0);
}

struct align_range align_of_member(const struct types *types, const struct type_member *member)
{
	struct walk walk = {types, VISITS_MAX};
	return member_range(&walk, member, 0);
}

bool align_is_own(const struct types *types, const struct type_member *member)
{
	struct walk walk = {types, VISITS_MAX};
	return is_own(&walk, member, 0);
}

uint64_t align_data_bytes(const struct types *types, type_id id)
{
	const struct type *type = types_get(types, types_strip(types, id));
	uint64_t end_bits = 0;
	for (size_t i = 0; i < type->member_count; i++) {
		const struct type_member *member = &type->members[i];
		uint64_t size = 0;
		type_size(types, member->type, &size);
		uint64_t end = member->off_bits + (member->bit_size ? member->bit_size : 8 * size);
		end_bits = end > end_bits ? end : end_bits;
	}
	return (end_bits + 7) / 8;
}

#include "layout.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "layout/extent.h"
#include "layout/apart.h"
#include "layout/inherit.h"

/* ---- the tree of members, flattened ---- */

struct builder {
	struct arena *arena;
	const struct types *types;
	struct layout_member *members; /* on the heap while it grows */
	size_t count, capacity;
};

/* What an aggregate hands down to its members. */
struct around {
	const char *path; /* prefix of its members' paths, "" at top level */
	uint64_t off_bits;
	uint32_t index, depth;
	uint32_t align_bytes; /* no member is aligned better than what holds it */
	bool in_array, in_union, is_dynamic;
	bool is_base; /* virtual bases are not in it, but in the complete object */
};

static const char *join_path(struct arena *arena, const char *prefix, const char *name)
{
	if (!*prefix)
		return name;
	if (!*name)
		return prefix;
	size_t length = strlen(prefix), more = strlen(name);
	char *path = arena_new(
		arena, length + 1 + more + 1, 1); /* printf would take most of a layout's time */
	memcpy(path, prefix, length);
	path[length] = '.';
	memcpy(path + length + 1, name, more);
	return path;
}

/* Elements of an array in all dimensions; 0 without bound. */
static uint64_t count_elements(const struct type *array)
{
	uint64_t count = 1;
	for (size_t i = 0; i < array->dim_count; i++)
		if (array->dims[i] == TYPE_NO_COUNT ||
			__builtin_mul_overflow(count, array->dims[i], &count))
			return 0;
	return count;
}

static struct error *add_members(struct builder *b, type_id aggregate, const struct around *around);

static struct error *add_member(struct builder *b, const struct type *aggregate,
	const struct type_member *source, const struct around *around)
{
	if (b->count >= LAYOUT_MEMBERS_MAX) /* virtual bases count where they end up */
		return extent_too_many();
	b->members = mem_grow(b->members, &b->capacity, b->count + 1, sizeof(*b->members));
	uint32_t index = (uint32_t)b->count++;
	struct layout_member *member = &b->members[index];
	const struct type *inner = types_get(b->types, types_strip(b->types, source->type));
	*member = (struct layout_member){
		.name = source->name,
		.type = source->type,
		.bit_size = source->bit_size,
		.align_bytes = type_member_align(b->types, source),
		.parent = around->index,
		.depth = around->depth,
		.elements = 1,
		.in_array = around->in_array,
		.in_union = around->in_union || aggregate->kind == TYPE_UNION || source->variant,
		.variant = source->variant,
		.is_body = source->is_body,
		.is_discriminant = source->is_discriminant,
		.is_base = source->is_base,
		.is_virtual = source->is_virtual,
		.is_artificial = source->is_artificial,
		.is_dynamic = around->is_dynamic || source->is_dynamic,
		.file = source->file,
		.line = source->line,
	};
	if (__builtin_add_overflow(around->off_bits, source->off_bits, &member->off_bits))
		return error_new(
			"the offset of '%s' does not fit 64 bits; the debug information is damaged",
			source->name);
	if (member->align_bytes > around->align_bytes)
		member->align_bytes = around->align_bytes;
	member->is_open = !type_size(b->types, source->type, &member->size_bytes);
	if (source->is_base && !member->is_open)
		member->size_bytes = inherit_base_bytes(b->types, source->type);
	member->element_bytes = member->size_bytes;
	member->path = *source->name ? join_path(b->arena, around->path, source->name) : "";

	struct around within = {
		/* members of unnamed aggregates and of bases go by their own names */
		.path = *source->name && !source->is_base ? member->path : around->path,
		.off_bits = member->off_bits,
		.index = index,
		.depth = around->depth + 1,
		.align_bytes = member->align_bytes,
		.in_array = around->in_array,
		.in_union = member->in_union,
		.is_dynamic = member->is_dynamic,
		.is_base = source->is_base,
	};
	type_id inner_id = types_strip(b->types, source->type);
	if (inner->kind == TYPE_ARRAY && !inner->is_vector) {
		member->is_array = true;
		member->elements = count_elements(inner);
		member->element_bytes = 0;
		type_size(b->types, inner->target, &member->element_bytes);
		inner_id = types_strip(b->types, inner->target);
		inner = types_get(b->types, inner_id);
		within.in_array = true;
	}
	if (!type_is_aggregate(inner))
		return NULL;
	struct error *error = add_members(b, inner_id, &within);
	if (error)
		return error;
	b->members[index].descendants = (uint32_t)(b->count - index - 1);
	return NULL;
}

/* The virtual bases of a complete object, each once: what lies at offset 0 comes `first`, before its members. */
static struct error *add_virtual_bases(struct builder *b, type_id aggregate,
	const struct inherit_base *bases, size_t count, bool first, const struct around *around)
{
	const struct type *type = types_get(b->types, aggregate);
	for (size_t i = 0; i < count; i++) {
		struct type_member member = *bases[i].source;
		bool at_0 = bases[i].is_known && !bases[i].off_bytes;
		if (at_0 != first)
			continue;
		member.is_dynamic = !bases[i].is_known;
		if (bases[i].is_known &&
			__builtin_mul_overflow(bases[i].off_bytes, 8, &member.off_bits))
			member.is_dynamic = true;
		struct error *error = add_member(b, type, &member, around);
		if (error)
			return error;
	}
	return NULL;
}

static struct error *add_members(struct builder *b, type_id aggregate, const struct around *around)
{
	const struct type *type = types_get(b->types, aggregate);
	const struct inherit_base *bases = NULL;
	size_t base_count = 0;
	bool has_bases = false;
	if (around->depth > LAYOUT_DEPTH_MAX)
		return extent_too_deep();
	for (size_t i = 0; i < type->member_count; i++)
		has_bases |= type->members[i].is_base;
	if (has_bases && !around->is_base)
		base_count = inherit_virtual_bases(b->arena, b->types, aggregate, &bases);
	struct error *error = add_virtual_bases(b, aggregate, bases, base_count, true, around);
	for (size_t i = 0; i < type->member_count && !error; i++)
		if (!type->members[i].is_base || !type->members[i].is_virtual)
			error = add_member(b, type, &type->members[i], around);
	return error ? error : add_virtual_bases(b, aggregate, bases, base_count, false, around);
}

/* ---- what no member uses ---- */

struct span {
	uint64_t begin_bits, end_bits;
	bool is_open; /* it goes on, nobody knows how far: to the next one */
};

static int compare_spans(const void *left, const void *right)
{
	const struct span *a = left, *b = right;
	return (a->begin_bits > b->begin_bits) - (a->begin_bits < b->begin_bits);
}

static uint64_t member_end_bits(const struct layout_member *member)
{
	uint64_t bits = member->bit_size, end;
	if (!bits && __builtin_mul_overflow(member->size_bytes, 8, &bits))
		return UINT64_MAX;
	return __builtin_add_overflow(member->off_bits, bits, &end) ? UINT64_MAX : end;
}

/* A struct, or an aggregate in it: its members in preorder, and where it lies. */
struct extent {
	const struct layout_member *members;
	size_t member_count;
	uint64_t begin_bits, end_bits;
	bool is_dynamic; /* the extent itself lies at a place known at run time only, and so does all in it */
};

/* What is unused in an extent. */
struct gaps {
	struct layout_hole *holes;
	size_t hole_count, hole_capacity;
	uint64_t hole_bytes;
	struct layout_bit_hole *bit_holes;
	size_t bit_hole_count, bit_hole_capacity;
	uint64_t padding_bytes;
};

/*
 * The bits that members use: named ones as a whole, unnamed aggregates by what is in them. A flexible array uses none, but
 * it has a place: what is unused before it is a hole, and no padding.
 */
static size_t collect_spans(const struct extent *extent, struct span *spans)
{
	size_t count = 0;
	for (size_t i = 0; i < extent->member_count; i++) {
		const struct layout_member *member = &extent->members[i];
		if (layout_is_frame(member))
			continue;
		if (member->is_dynamic && !extent->is_dynamic) {
			i += member->descendants;
			continue;
		}
		struct span span = {member->off_bits, member_end_bits(member), member->is_open};
		if (span.begin_bits >= extent->begin_bits && span.end_bits <= extent->end_bits)
			spans[count++] = span;
		i += member->descendants;
	}
	qsort(spans, count, sizeof(*spans), compare_spans);
	return count;
}

static void add_bit_hole(struct arena *arena, struct gaps *gaps, uint64_t begin, uint64_t end)
{
	if (begin == end)
		return;
	gaps->bit_holes = arena_grow(arena, gaps->bit_holes, &gaps->bit_hole_capacity,
		gaps->bit_hole_count + 1, sizeof(*gaps->bit_holes));
	gaps->bit_holes[gaps->bit_hole_count++] =
		(struct layout_bit_hole){begin / 8, (uint32_t)(begin % 8), (uint32_t)(end - begin)};
}

/* A run of unused bits: whole bytes are a hole (or padding, at the end), what is left at its ends are bit holes. */
static void add_gap(
	struct arena *arena, struct gaps *gaps, uint64_t begin, uint64_t end, bool at_end)
{
	uint64_t first = (begin + 7) / 8, last = end / 8; /* whole bytes [first, last) */
	if (first > last) {
		add_bit_hole(arena, gaps, begin, end);
		return;
	}
	add_bit_hole(arena, gaps, begin, first * 8);
	if (at_end) {
		gaps->padding_bytes = last - first;
	} else if (last > first) {
		gaps->holes = arena_grow(arena, gaps->holes, &gaps->hole_capacity,
			gaps->hole_count + 1, sizeof(*gaps->holes));
		gaps->holes[gaps->hole_count++] = (struct layout_hole){first, last - first};
		gaps->hole_bytes += last - first;
	}
	add_bit_hole(arena, gaps, last * 8, end);
}

/* What lies nobody knows where may lie behind the others. */
static bool has_unplaced(const struct extent *extent)
{
	for (size_t i = 0; i < extent->member_count && !extent->is_dynamic; i++) {
		if (extent->members[i].is_dynamic)
			return true;
		if (!layout_is_frame(&extent->members[i]))
			i += extent->members[i].descendants;
	}
	return false;
}

static struct gaps find_gaps(struct arena *arena, const struct extent *extent)
{
	struct span *spans = mem_new(extent->member_count, sizeof(*spans));
	struct gaps gaps = {0};
	size_t count = collect_spans(extent, spans);
	uint64_t used = extent->begin_bits;
	for (size_t i = 0; i < count; i++) {
		if (spans[i].begin_bits > used)
			add_gap(arena, &gaps, used, spans[i].begin_bits, false);
		if (spans[i].end_bits > used)
			used = spans[i].end_bits;
		uint64_t next = i + 1 < count ? spans[i + 1].begin_bits : extent->end_bits;
		if (spans[i].is_open && next > used)
			used = next;
	}
	if (used < extent->end_bits && !has_unplaced(extent))
		add_gap(arena, &gaps, used, extent->end_bits, true);
	mem_free(spans);
	return gaps;
}

static void find_own_gaps(struct arena *arena, struct layout *layout)
{
	const struct extent extent = {
		.members = layout->members,
		.member_count = layout->member_count,
		.end_bits = layout->size_bytes * 8,
	};
	struct gaps gaps = find_gaps(arena, &extent);
	layout->holes = gaps.holes;
	layout->hole_count = gaps.hole_count;
	layout->hole_bytes = gaps.hole_bytes;
	layout->bit_holes = gaps.bit_holes;
	layout->bit_hole_count = gaps.bit_hole_count;
	layout->padding_bytes = gaps.padding_bytes;
}

/* ---- what is unused inside of members ---- */

struct gap_list {
	struct arena *arena;
	const struct layout *layout;
	bool overlaps; /* members may share bytes, so that a gap of one may be used by another */
	struct layout_gap *items;
	size_t count, capacity;
};

static bool covers(const struct layout_member *member, uint64_t off_bytes)
{
	return !member->is_dynamic && member_end_bits(member) > member->off_bits &&
	       off_bytes >= layout_first_byte(member) && off_bytes <= layout_last_byte(member);
}

/* The same byte in element 0, for which the layout has members. */
static uint64_t in_first_element(const struct layout_member *member, uint64_t off_bytes)
{
	uint64_t first = layout_first_byte(member);
	if (!member->is_array || !member->element_bytes)
		return off_bytes;
	return first + (off_bytes - first) % member->element_bytes;
}

/* Does anything without members of its own cover the byte? */
static bool is_used(const struct layout *layout, size_t begin, size_t end, uint64_t off_bytes)
{
	for (size_t i = begin; i < end; i += 1 + layout->members[i].descendants) {
		const struct layout_member *member = &layout->members[i];
		size_t next = i + 1 + member->descendants;
		if (!covers(member, off_bytes))
			continue;
		if (!member->descendants ||
			is_used(layout, i + 1, next, in_first_element(member, off_bytes)))
			return true;
	}
	return false;
}

static void add_inner_gap(struct gap_list *list, struct layout_gap gap)
{
	list->items = arena_grow(
		list->arena, list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	list->items[list->count++] = gap;
}

/* Whole bytes; what another alternative uses is cut out. */
static void add_inner_bytes(struct gap_list *list, struct layout_gap gap)
{
	enum { LOOKED_AT_MOST = 4096 };
	if (!list->overlaps || gap.size_bytes > LOOKED_AT_MOST) {
		add_inner_gap(list, gap);
		return;
	}
	uint64_t end = gap.off_bytes + gap.size_bytes, from = gap.off_bytes;
	for (uint64_t at = from; at <= end; at++) {
		if (at < end && !is_used(list->layout, 0, list->layout->member_count, at))
			continue;
		gap.off_bytes = from;
		gap.size_bytes = at - from;
		if (gap.size_bytes)
			add_inner_gap(list, gap);
		from = at + 1;
	}
}

static void add_inner_gaps_of(struct gap_list *list, uint32_t parent)
{
	const struct layout_member *member = &list->layout->members[parent];
	const struct extent extent = {
		.members = member + 1,
		.member_count = member->descendants,
		.begin_bits = member->off_bits,
		.is_dynamic = member->is_dynamic,
		.end_bits = member->off_bits + member->element_bytes * 8,
	};
	struct gaps gaps = find_gaps(list->arena, &extent);
	for (size_t i = 0; i < gaps.hole_count; i++)
		add_inner_bytes(list, (struct layout_gap){.off_bytes = gaps.holes[i].off_bytes,
					      .size_bytes = gaps.holes[i].size_bytes,
					      .parent = parent});
	if (gaps.padding_bytes)
		add_inner_bytes(list,
			(struct layout_gap){.off_bytes = extent.end_bits / 8 - gaps.padding_bytes,
				.size_bytes = gaps.padding_bytes,
				.parent = parent,
				.is_padding = true});
	for (size_t i = 0; i < gaps.bit_hole_count && !member->in_union; i++)
		add_inner_gap(list, (struct layout_gap){.off_bytes = gaps.bit_holes[i].off_bytes,
					    .bit_offset = gaps.bit_holes[i].bit_offset,
					    .bit_size = gaps.bit_holes[i].bit_size,
					    .parent = parent});
}

size_t layout_inner_gaps(
	struct arena *arena, const struct layout *layout, const struct layout_gap **ret)
{
	enum { MEMBERS_COMPARED_MOST = 4096 }; /* with each other, for overlaps */
	struct gap_list list = {.arena = arena, .layout = layout};
	for (size_t i = 0; i < layout->member_count && !list.overlaps; i++)
		list.overlaps = layout->members[i].in_union || layout->members[i].is_base;
	list.overlaps &= layout->member_count <= MEMBERS_COMPARED_MOST;
	for (size_t i = 0; i < layout->member_count; i++) {
		const struct layout_member *member = &layout->members[i];
		bool inside = member_end_bits(member) <= layout->size_bytes * 8;
		if (member->descendants && !layout_is_frame(member) && member->size_bytes && inside)
			add_inner_gaps_of(&list, (uint32_t)i);
	}
	*ret = list.items;
	return list.count;
}

struct error *layout_build(struct arena *arena, const struct types *types, type_id id,
	const char *name, uint64_t line_bytes, struct layout *ret)
{
	id = types_strip(types, id);
	const struct type *type = types_get(types, id);
	if (!type_is_aggregate(type))
		return error_new("'%s' is not a struct, union or class", name);
	struct error *error = extent_check(types, id);
	if (error)
		return error_wrap(error, "'%s'", name);
	struct layout layout = {
		.types = types,
		.type = id,
		.name = name,
		.size_known = type->size_known,
		.align_bytes = type_align(types, id),
		.line_bytes = line_bytes,
	};
	if (type->size_known)
		layout.size_bytes = type->size_bytes;
	if (layout.size_bytes > UINT64_MAX / 16)
		return error_new("'%s' is %llu bytes; the debug information is damaged", name,
			(unsigned long long)layout.size_bytes);
	layout.line_count = number_parts(layout.size_bytes, line_bytes);

	struct builder builder = {.arena = arena, .types = types};
	struct around top = {
		.path = "", .index = LAYOUT_NO_PARENT, .align_bytes = layout.align_bytes};
	error = add_members(&builder, id, &top);
	if (!error) {
		apart_tell(arena, builder.members, builder.count);
		layout.members =
			arena_copy(arena, builder.members, builder.count, sizeof(*builder.members));
		layout.member_count = builder.count;
		find_own_gaps(arena, &layout);
		*ret = layout;
	}
	mem_free(builder.members);
	return error ? error_wrap(error, "'%s'", name) : NULL;
}

/* Do a member's path and a path as a user writes it, with [] or [number] behind arrays, name the same? */
static bool same_path(const char *path, const char *wanted)
{
	while (*wanted) {
		if (*wanted == '[') {
			wanted += strcspn(wanted, "]");
			if (*wanted)
				wanted++;
			continue;
		}
		if (*path++ != *wanted++)
			return false;
	}
	return !*path;
}

const struct layout_member *layout_find(const struct layout *layout, const char *path)
{
	if (!*path || *path == '[')
		return NULL;
	for (size_t i = 0; i < layout->member_count; i++)
		if (same_path(layout->members[i].path, path))
			return &layout->members[i];
	return apart_find(layout, path);
}

uint64_t layout_first_byte(const struct layout_member *member)
{
	return member->off_bits / 8;
}

uint64_t layout_last_byte(const struct layout_member *member)
{
	uint64_t end = member_end_bits(member);
	return end > member->off_bits ? (end - 1) / 8 : member->off_bits / 8;
}

const struct layout_member *layout_find_at(const struct layout *layout, uint64_t off_bytes)
{
	const struct layout_member *found = NULL;
	size_t begin = 0, end = layout->member_count;
	while (begin < end) {
		size_t i = begin;
		while (i < end && !covers(&layout->members[i], off_bytes))
			i += 1 + layout->members[i].descendants;
		if (i >= end)
			break;
		found = &layout->members[i];
		off_bytes = in_first_element(found, off_bytes);
		begin = i + 1;
		end = i + 1 + found->descendants;
	}
	/* a gap inside an unnamed aggregate belongs to no member */
	return found && !*found->name && found->descendants ? NULL : found;
}

bool layout_straddles(const struct layout *layout, const struct layout_member *member)
{
	return member_end_bits(member) > member->off_bits &&
	       layout_first_byte(member) / layout->line_bytes !=
		       layout_last_byte(member) / layout->line_bytes;
}

bool layout_is_open_ended(const struct layout *layout)
{
	for (size_t i = 0; i < layout->member_count; i++) {
		const struct layout_member *member = &layout->members[i];
		if (member->is_array && !member->size_bytes && member->element_bytes &&
			layout_first_byte(member) >= layout->size_bytes - layout->padding_bytes)
			return true;
	}
	return false;
}

bool layout_is_frame(const struct layout_member *member)
{
	return member->is_body || (!*member->name && member->descendants && !member->is_array);
}

int layout_group_marker(const struct layout_member *member, const char **group)
{
	static const char begin[] = "__cacheline_group_begin__", end[] = "__cacheline_group_end__";
	if (member->size_bytes || !member->is_array)
		return 0;
	if (strncmp(member->name, begin, sizeof(begin) - 1) == 0) {
		*group = member->name + sizeof(begin) - 1;
		return 1;
	}
	if (strncmp(member->name, end, sizeof(end) - 1) == 0) {
		*group = member->name + sizeof(end) - 1;
		return -1;
	}
	return 0;
}

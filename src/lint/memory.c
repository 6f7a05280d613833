#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "lint/rules.h"

/* "Just": by at most one in so many of its size, and by less than half of what it would save. */
#define JUST_MISSES 8

/* ---- what the allocator makes of a size ---- */

static uint64_t slab_align(const struct lint *lint)
{
	return lint->profile->alignment_bytes ? lint->profile->alignment_bytes
					      : lint->layout->align_bytes;
}

/* Bytes that an object of `bytes` takes; 0: not known. */
static uint64_t allocation(const struct lint *lint, uint64_t bytes)
{
	if (!lint->profile)
		return 0;
	if (lint->profile->allocator == ALLOCATOR_SLAB)
		return number_round_up(bytes, slab_align(lint));
	return lint->profile->allocator == ALLOCATOR_KMALLOC
		       ? profile_slab_class(lint->profile, bytes)
		       : 0;
}

/* The next smaller one; 0: there is none. */
static uint64_t smaller_allocation(const struct lint *lint, uint64_t allocated)
{
	uint64_t smaller = 0;
	if (lint->profile->allocator == ALLOCATOR_SLAB)
		return allocated - slab_align(lint);
	for (size_t i = 0; i < lint->profile->slab_class_count; i++)
		if (lint->profile->slab_classes[i] < allocated)
			smaller = lint->profile->slab_classes[i];
	return smaller;
}

static bool saves_memory(uint64_t now, uint64_t then)
{
	if (!now || !then || then >= now)
		return false;
	return then > PROFILE_PAGE_BYTES || PROFILE_PAGE_BYTES / then > PROFILE_PAGE_BYTES / now;
}

static const char *memory_of(const struct lint *lint, uint64_t allocated)
{
	const char *kind = lint->profile->allocator == ALLOCATOR_SLAB ? "of slab" : "of kmalloc";
	if (allocated > PROFILE_PAGE_BYTES)
		return arena_printf(
			lint->arena, "%llu bytes %s", (unsigned long long)allocated, kind);
	uint64_t objects = PROFILE_PAGE_BYTES / allocated;
	return arena_printf(lint->arena, "%llu bytes %s, %llu object%s a page",
		(unsigned long long)allocated, kind, (unsigned long long)objects,
		number_s(objects));
}

/* ---- how small the struct could be ---- */

/* What moves as one: a member, or a run of bit-fields. */
struct unit {
	uint64_t size_bytes;
	uint64_t align_bytes;
	bool begins; /* stays in front of what follows: over-aligned members and group markers */
	size_t index;
};

static int compare_units(const void *left, const void *right)
{
	const struct unit *a = left, *b = right;
	if (a->begins != b->begins)
		return a->begins ? -1 : 1;
	if (a->align_bytes != b->align_bytes)
		return a->align_bytes > b->align_bytes ? -1 : 1;
	bool tail_a = a->size_bytes % a->align_bytes != 0,
	     tail_b = b->size_bytes % b->align_bytes != 0;
	if (tail_a != tail_b)
		return tail_a ? 1 : -1;
	return a->index < b->index ? -1 : 1;
}

/* Members of the struct itself; when that is one unnamed struct around everything, that one's. */
static bool find_top(const struct layout *layout, size_t *begin, size_t *end)
{
	*begin = 0;
	*end = layout->member_count;
	while (*begin < *end) {
		const struct layout_member *member = &layout->members[*begin];
		const struct type *type =
			types_get(layout->types, types_strip(layout->types, member->type));
		if (*member->name || type->kind != TYPE_STRUCT ||
			*begin + 1 + member->descendants != *end)
			break;
		++*begin;
	}
	return *begin < *end;
}

static bool is_movable(const struct layout_member *member)
{
	return !member->is_base && !member->is_virtual && !member->is_artificial;
}

/* The units in their order; 0 where members have a place of their own (C++ bases, unions). */
static size_t find_units(const struct layout *layout, struct unit *units)
{
	size_t begin, end, count = 0;
	if (!find_top(layout, &begin, &end) ||
		types_get(layout->types, layout->type)->kind == TYPE_UNION)
		return 0;
	const struct layout_member *run = NULL; /* the bit-field that began the run at hand */
	for (size_t i = begin; i < end; i += 1 + layout->members[i].descendants) {
		const struct layout_member *member = &layout->members[i];
		const char *group;
		if (!is_movable(member))
			return 0;
		if (member->bit_size && run) {
			uint64_t bytes = layout_last_byte(member) - layout_first_byte(run) + 1;
			units[count - 1].size_bytes = bytes;
			continue;
		}
		run = member->bit_size ? member : NULL;
		units[count] = (struct unit){
			.size_bytes = run ? layout_last_byte(member) - layout_first_byte(member) + 1
					  : member->size_bytes,
			.align_bytes = member->align_bytes ? member->align_bytes : 1,
			.begins = member->align_bytes >= layout->line_bytes ||
				  layout_group_marker(member, &group) != 0,
			.index = count,
		};
		count++;
	}
	return count;
}

/*
 * The size that a plain order of the same members has: the most aligned first, between the
 * members that the source itself puts on a line of their own or marks as the border of a group.
 * Never more than now.
 */
static uint64_t packed_size(const struct lint *lint)
{
	const struct layout *layout = lint->layout;
	struct unit *units = mem_new(layout->member_count, sizeof(*units));
	size_t count = find_units(layout, units);
	uint64_t size = 0;
	for (size_t from = 0; from < count;) {
		size_t to = from + 1;
		while (to < count && !units[to].begins)
			to++;
		qsort(&units[from], to - from, sizeof(*units), compare_units);
		for (; from < to; from++)
			size = number_round_up(size, units[from].align_bytes) +
			       units[from].size_bytes;
	}
	mem_free(units);
	size = number_round_up(size, layout->align_bytes);
	return count && size < layout->size_bytes ? size : layout->size_bytes;
}

/* Gaps that a finding names a member for; its figures count all of them. */
enum { GAPS_NAMED = 32 };

/* Members that end before a hole, and the last one when there is padding. */
static size_t before_gaps(const struct layout *layout, const char **fields)
{
	size_t count = 0;
	for (size_t i = 0; i <= layout->hole_count && count < GAPS_NAMED; i++) {
		uint64_t gap = i < layout->hole_count ? layout->holes[i].off_bytes
						      : layout->size_bytes - layout->padding_bytes;
		if (i == layout->hole_count && !layout->padding_bytes)
			break;
		const struct layout_member *member = gap ? layout_find_at(layout, gap - 1) : NULL;
		if (member && *member->path)
			fields[count++] = member->path;
	}
	return count;
}

/* ---- LL006 ---- */

static void holes_of(struct lint *lint)
{
	const struct layout *layout = lint->layout;
	uint64_t packed = packed_size(lint), line_bytes = layout->line_bytes;
	uint64_t lines = number_parts(packed, line_bytes);
	uint64_t now = allocation(lint, layout->size_bytes), then = allocation(lint, packed);
	bool memory = saves_memory(now, then);
	if (packed == layout->size_bytes || (lines >= layout->line_count && !memory))
		return;
	const char **fields = mem_new(layout->hole_count + 2, sizeof(*fields));
	size_t count = before_gaps(layout, fields);
	if (!count)
		fields[count++] = lint_any_field(lint);
	struct finding *finding = lint_add(lint, "LL006", SEVERITY_INFO, "");
	lint_set_fields(lint, finding, fields, count);
	mem_free(fields);
	uint64_t first = layout->hole_count ? layout->holes[0].off_bytes
					    : layout->size_bytes - layout->padding_bytes;
	finding->line = first / line_bytes;
	const char *gain = "";
	if (lines < layout->line_count)
		gain = arena_printf(lint->arena, "%llu line%s instead of %llu",
			(unsigned long long)lines, lines == 1 ? "" : "s",
			(unsigned long long)layout->line_count);
	if (memory)
		gain = arena_printf(lint->arena, "%s%s%s instead of %llu", gain,
			*gain ? ", and " : "", memory_of(lint, then), (unsigned long long)now);
	finding->message = arena_printf(lint->arena,
		"%llu byte%s in %zu hole%s and %llu of padding: the same members take %llu bytes in "
		"another order, not %llu: %s",
		(unsigned long long)layout->hole_bytes, number_s(layout->hole_bytes),
		layout->hole_count,
		layout->hole_count == 1 ? "" : "s", (unsigned long long)layout->padding_bytes,
		(unsigned long long)packed, (unsigned long long)layout->size_bytes, gain);
	finding->advice = "put smaller members into the holes, where that does not bring written "
			  "and read fields together";
}

/* ---- LL008 ---- */

/* Members that reach past an offset. */
static size_t members_behind(const struct layout *layout, uint64_t off_bytes, const char **fields)
{
	size_t count = 0;
	for (size_t i = 0; i < layout->member_count;
		i += 1 + (*layout->members[i].path ? layout->members[i].descendants : 0)) {
		const struct layout_member *member = &layout->members[i];
		if (*member->path && member->size_bytes && layout_last_byte(member) >= off_bytes)
			fields[count++] = member->path;
	}
	return count;
}

static void allocation_of(struct lint *lint)
{
	const struct layout *layout = lint->layout;
	uint64_t now = allocation(lint, layout->size_bytes);
	uint64_t then = now ? smaller_allocation(lint, now) : 0;
	if (!then || then >= layout->size_bytes || !saves_memory(now, then))
		return;
	uint64_t over = layout->size_bytes - then;
	if (over > layout->size_bytes / JUST_MISSES || over > (now - then) / 2)
		return;
	const char **fields = mem_new(layout->member_count + 1, sizeof(*fields));
	size_t count = members_behind(layout, then, fields);
	if (!count)
		fields[count++] = lint_any_field(lint);
	struct finding *finding = lint_add(lint, "LL008", SEVERITY_INFO, "");
	lint_set_fields(lint, finding, fields, count);
	mem_free(fields);
	finding->line = then / layout->line_bytes;
	finding->message =
		arena_printf(lint->arena, "%llu byte%s take%s %s; %llu byte%s less would take %s",
			(unsigned long long)layout->size_bytes, number_s(layout->size_bytes),
			layout->size_bytes == 1 ? "s" : "", memory_of(lint, now),
			(unsigned long long)over, number_s(over), memory_of(lint, then));
	finding->advice = arena_printf(lint->arena,
		"find %llu byte%s: a member that another struct can hold, a smaller type, a hole",
		(unsigned long long)over, number_s(over));
}

void lint_memory(struct lint *lint)
{
	if (!lint->layout->size_known || !lint->layout->size_bytes)
		return;
	holes_of(lint);
	allocation_of(lint);
}

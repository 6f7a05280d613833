#include "locate.h"

/* Steps being collected. */
struct walk {
	struct arena *arena;
	const struct layout *layout;
	struct locate_step *steps;
	size_t count, capacity;
	const struct layout_gap *gaps;
	size_t gap_count;
};

/* Members [begin, end) with everything moved up by `shift` and reached under `prefix`; true when one covers the byte. */
static bool walk_members(struct walk *walk, size_t begin, size_t end, uint64_t off_bytes,
	uint64_t shift, const char *prefix);

static bool covers(const struct layout_member *member, uint64_t off_bytes)
{
	return !member->is_dynamic && (member->bit_size || member->size_bytes) &&
	       off_bytes >= layout_first_byte(member) && off_bytes <= layout_last_byte(member);
}

static const char *join(struct arena *arena, const char *prefix, const char *name)
{
	return *prefix && *name ? arena_printf(arena, "%s.%s", prefix, name) : *name ? name : "";
}

/* The gap of member `index` in which the byte lies, which is given as in element 0. */
static void find_gap(
	const struct walk *walk, size_t index, uint64_t off_bytes, struct locate_step *step)
{
	for (size_t i = 0; i < walk->gap_count; i++) {
		const struct layout_gap *gap = &walk->gaps[i];
		if (gap->parent != index || off_bytes < gap->off_bytes ||
			off_bytes - gap->off_bytes >= gap->size_bytes)
			continue;
		step->in_gap = true;
		step->gap = *gap;
		step->gap.off_bytes -= layout_first_byte(step->member);
	}
}

/* The member at `index`, which covers `off_bytes` once `shift` is taken off. */
static void walk_member(
	struct walk *walk, size_t index, uint64_t off_bytes, uint64_t shift, const char *prefix)
{
	const struct layout_member *member = &walk->layout->members[index];
	uint64_t first = layout_first_byte(member) + shift;
	const char *path = join(walk->arena, prefix, member->name), *within = *path ? path : prefix;
	struct locate_step step = {
		.member = member,
		.path = path,
		.off_bytes = first,
		.inside = off_bytes - first,
		.depth = member->depth,
	};
	if (member->is_array && member->element_bytes) {
		step.has_element = true;
		step.element = step.inside / member->element_bytes;
		step.element_inside = step.inside % member->element_bytes;
		shift += step.element * member->element_bytes;
		within = arena_printf(
			walk->arena, "%s[%llu]", within, (unsigned long long)step.element);
	}
	if (member->is_base)
		within = prefix;
	walk->steps = arena_grow(
		walk->arena, walk->steps, &walk->capacity, walk->count + 1, sizeof(*walk->steps));
	size_t place = walk->count++;
	walk->steps[place] = step;
	bool deeper = walk_members(
		walk, index + 1, index + 1 + member->descendants, off_bytes, shift, within);
	walk->steps[place].is_leaf = !deeper;
	if (!deeper && member->descendants)
		find_gap(walk, index, off_bytes - shift, &walk->steps[place]);
}

static bool walk_members(struct walk *walk, size_t begin, size_t end, uint64_t off_bytes,
	uint64_t shift, const char *prefix)
{
	bool found = false;
	for (size_t i = begin; i < end; i += 1 + walk->layout->members[i].descendants)
		if (covers(&walk->layout->members[i], off_bytes - shift)) {
			walk_member(walk, i, off_bytes, shift, prefix);
			found = true;
		}
	return found;
}

void locate_build(
	struct arena *arena, const struct layout *layout, uint64_t off_bytes, struct locate *ret)
{
	struct walk walk = {.arena = arena, .layout = layout};
	walk.gap_count = layout_inner_gaps(arena, layout, &walk.gaps);
	walk_members(&walk, 0, layout->member_count, off_bytes, 0, "");
	*ret = (struct locate){
		.off_bytes = off_bytes,
		.line = off_bytes / layout->line_bytes,
		.line_offset = off_bytes % layout->line_bytes,
		.steps = walk.steps,
		.step_count = walk.count,
		.in_padding = off_bytes < layout->size_bytes &&
			      off_bytes >= layout->size_bytes - layout->padding_bytes,
	};
	for (size_t i = 0; i < layout->hole_count; i++)
		if (off_bytes >= layout->holes[i].off_bytes &&
			off_bytes - layout->holes[i].off_bytes < layout->holes[i].size_bytes)
			ret->hole = &layout->holes[i];
}

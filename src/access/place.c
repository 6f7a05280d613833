#include "access/place.h"

#include "base/number.h"

enum { STARTS_MAX = 64 };

/* ---- objects ---- */

/* What is larger than every class comes in whole pages. */
static uint64_t kmalloc_bytes(const struct profile_struct *profile, uint64_t bytes)
{
	uint64_t class_bytes = profile_slab_class(profile, bytes);
	return class_bytes ? class_bytes : number_round_up(bytes, PROFILE_PAGE_BYTES);
}

/* From one allocation of `bytes` to the next; 0: unknown. */
static uint64_t stride_of(
	const struct profile_struct *profile, uint64_t bytes, uint64_t align_bytes)
{
	if (profile->stride_bytes && profile->stride_bytes >= bytes)
		return profile->stride_bytes;
	if (!bytes)
		return 0;
	if (profile->instance == INSTANCE_ARRAY)
		return bytes;
	if (profile->allocator == ALLOCATOR_SLAB)
		return number_round_up(bytes, align_bytes);
	return profile->allocator == ALLOCATOR_KMALLOC ? kmalloc_bytes(profile, bytes) : 0;
}

static bool is_stated(const struct profile_struct *profile)
{
	return profile->alignment_bytes || profile->stride_bytes || profile->container ||
	       profile->allocator != ALLOCATOR_UNSTATED;
}

/* What an allocation is aligned to, or element 0 of an array. */
static uint64_t base_align(const struct layout *allocated, const struct profile_struct *profile,
	uint64_t stride, bool is_kernel)
{
	uint64_t type_align = number_larger(allocated->align_bytes, 1);
	uint64_t align = profile->alignment_bytes ? profile->alignment_bytes : type_align;
	bool assumed = is_kernel && !is_stated(profile) &&
		       allocated->size_bytes >= allocated->line_bytes / 2;
	if (assumed)
		align = number_larger(align, allocated->line_bytes);
	if (profile->instance == INSTANCE_ARRAY || profile->allocator == ALLOCATOR_NONE || !stride)
		return align;
	return number_larger(align, number_common_divisor(stride, PROFILE_PAGE_BYTES));
}

/* Does the container hold the array's elements itself, or is it one container an element? */
static bool holds_elements(const struct access_container *container)
{
	return container->member && container->member->is_array;
}

struct access_place access_place_build(struct arena *arena, const struct layout *layout,
	const struct profile_struct *profile, const struct access_container *container,
	bool is_kernel)
{
	uint64_t line_bytes = layout->line_bytes;
	const struct layout *allocated = container->layout ? container->layout : layout;
	uint64_t object_off = container->member ? layout_first_byte(container->member) : 0;
	uint64_t unit_bytes =
		holds_elements(container) ? layout->size_bytes : allocated->size_bytes;
	uint64_t align = number_larger(
		profile->alignment_bytes ? profile->alignment_bytes : allocated->align_bytes, 1);
	struct access_place place = {
		.stride_bytes = stride_of(profile, unit_bytes, align),
		.least_bytes = unit_bytes,
		.stated = is_stated(profile),
	};
	align = base_align(allocated, profile, place.stride_bytes, is_kernel);
	if (profile->instance == INSTANCE_ARRAY)
		align = number_common_divisor(align, place.stride_bytes);
	place.align_bytes = number_common_divisor(align, object_off);

	uint64_t step =
		number_larger(number_common_divisor(align, line_bytes), line_bytes / STARTS_MAX);
	uint64_t *starts = arena_new(arena, line_bytes / step, sizeof(*starts));
	for (uint64_t at = 0; at < line_bytes; at += step)
		starts[place.start_count++] = (object_off + at) % line_bytes;
	place.starts = starts;
	return place;
}

/* ---- fields ---- */

const struct layout_member *access_array_of(
	const struct layout *layout, const struct layout_member *member)
{
	const struct layout_member *array = member->is_array ? member : NULL;
	while (member->parent != LAYOUT_NO_PARENT) {
		member = &layout->members[member->parent];
		if (member->is_array)
			array = member;
	}
	return array;
}

/* The innermost array around a member that is not the outermost one: its elements are spread over its bytes. */
static const struct layout_member *part_of(const struct layout *layout,
	const struct layout_member *member, const struct layout_member *outermost)
{
	const struct layout_member *part = member;
	while (member != outermost && member->parent != LAYOUT_NO_PARENT) {
		if (member->is_array)
			part = member;
		member = &layout->members[member->parent];
	}
	return part;
}

static uint64_t array_bytes(const struct layout_member *array, uint64_t stride_bytes)
{
	uint64_t off = layout_first_byte(array);
	if (array->size_bytes)
		return array->size_bytes;
	if (array->element_bytes && stride_bytes > off)
		return number_larger((stride_bytes - off) / array->element_bytes, 1) *
		       array->element_bytes;
	return number_larger(array->element_bytes, 1);
}

static uint64_t own_bytes(const struct layout_member *member)
{
	if (member->size_bytes || member->bit_size)
		return layout_last_byte(member) - layout_first_byte(member) + 1;
	return number_larger(member->element_bytes, 1);
}

static uint64_t limited(uint64_t bytes, const struct profile_field *profile)
{
	return profile->bytes && profile->bytes < bytes ? profile->bytes : bytes;
}

static struct cost_field place_in_array(const struct layout *layout,
	const struct layout_member *member, const struct layout_member *array,
	const struct profile_field *profile, uint64_t stride_bytes)
{
	const struct layout_member *part = part_of(layout, member, array);
	uint64_t element_bytes = number_larger(array->element_bytes, 1);
	uint64_t part_bytes = limited(part == array ? element_bytes : own_bytes(part), profile);
	uint64_t off_bytes = layout_first_byte(part);
	uint64_t skip;
	if (profile->index == PROFILE_INDEX_ELEMENT) {
		if (__builtin_mul_overflow(profile->element, element_bytes, &skip))
			skip = 0;
		return (struct cost_field){.off_bytes = off_bytes + skip, .size_bytes = part_bytes};
	}
	skip = array_bytes(array, stride_bytes) / element_bytes * element_bytes - element_bytes;
	return (struct cost_field){
		.off_bytes = off_bytes,
		.size_bytes = skip + part_bytes,
		.element_bytes = element_bytes,
		.part_bytes = part_bytes < element_bytes ? part_bytes : 0,
		.place = profile->index == PROFILE_INDEX_THREAD ? COST_THREAD : COST_SPREAD,
		.array = (uint32_t)(array - layout->members) + 1,
	};
}

struct cost_field access_field_place(const struct layout *layout,
	const struct layout_member *member, const struct profile_field *profile,
	uint64_t stride_bytes)
{
	const struct layout_member *array = access_array_of(layout, member);
	bool first_bytes = array == member && profile->bytes && !profile->index_stated;
	if (array && !first_bytes)
		return place_in_array(layout, member, array, profile, stride_bytes);
	return (struct cost_field){
		.off_bytes = layout_first_byte(member),
		.size_bytes = limited(
			array ? array_bytes(array, stride_bytes) : own_bytes(member), profile),
	};
}

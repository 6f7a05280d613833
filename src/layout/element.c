#include <inttypes.h>
#include <string.h>

#include "layout.h"

/* The array that the next subscript counts in. */
struct level {
	const struct types *types;
	const struct type *array; /* NULL: there is none any more */
	size_t dim;
};

static void enter(struct level *level, type_id id)
{
	const struct type *type = types_get(level->types, types_strip(level->types, id));
	level->array = type->kind == TYPE_ARRAY && type->dim_count ? type : NULL;
	level->dim = 0;
}

/* Bytes from one element of this dimension to the next; false where they are not known. */
static bool stride_of(const struct level *level, uint64_t *ret)
{
	if (!type_size(level->types, level->array->target, ret))
		return false;
	for (size_t i = level->dim + 1; i < level->array->dim_count; i++)
		if (level->array->dims[i] == TYPE_NO_COUNT ||
			__builtin_mul_overflow(*ret, level->array->dims[i], ret))
			return false;
	return true;
}

static void go_inside(struct level *level)
{
	if (++level->dim == level->array->dim_count)
		enter(level, level->array->target);
}

/* "[12]"; *p moves behind it. "[]" is the first. */
static bool parse_subscript(const char **p, uint64_t *ret)
{
	const char *s = *p + 1;
	for (*ret = 0; *s >= '0' && *s <= '9'; s++)
		if (__builtin_mul_overflow(*ret, 10, ret) ||
			__builtin_add_overflow(*ret, (uint64_t)(*s - '0'), ret))
			return false;
	if (*s != ']')
		return false;
	*p = s + 1;
	return !**p || **p == '.' || **p == '[';
}

static const char *add_subscript(
	struct arena *arena, struct level *level, uint64_t index, uint64_t *off_bytes)
{
	uint64_t stride, more;
	if (!level->array)
		return arena_printf(
			arena, "no array that [%" PRIu64 "] could be an element of", index);
	uint64_t count = level->array->dims[level->dim];
	bool is_open = count == TYPE_NO_COUNT || count == 0;
	if (!is_open && index >= count)
		return arena_printf(arena,
			"no element [%" PRIu64 "]; there are %" PRIu64 ", from [0]", index, count);
	if (!stride_of(level, &stride) || __builtin_mul_overflow(stride, index, &more) ||
		__builtin_add_overflow(*off_bytes, more, off_bytes))
		return arena_printf(
			arena, "no place that is known for its element [%" PRIu64 "]", index);
	go_inside(level);
	return NULL;
}

/* The member, or what is around it, whose path has this length; NULL: none. */
static const struct layout_member *member_of_path(
	const struct layout *layout, const struct layout_member *member, size_t length)
{
	for (;; member = &layout->members[member->parent]) {
		if (strlen(member->path) == length)
			return member;
		if (member->parent == LAYOUT_NO_PARENT)
			return NULL;
	}
}

/* All the subscripts behind one name: *path moves behind them. */
static const char *add_subscripts(
	struct arena *arena, const char **path, struct level *level, struct layout_element *element)
{
	while (**path == '[') {
		uint64_t index;
		if (!parse_subscript(path, &index))
			return "no such element; a subscript is a number, [0] is the first";
		const char *fault = add_subscript(arena, level, index, &element->off_bytes);
		if (fault)
			return fault;
	}
	return NULL;
}

/* Of what is an array still, the first element's. */
static uint64_t size_of(const struct level *level, const struct layout_member *member)
{
	uint64_t size;
	if (level->array)
		return type_size(level->types, level->array->target, &size) ? size : 0;
	if (member->is_array)
		return member->element_bytes;
	return member->size_bytes ? layout_last_byte(member) - layout_first_byte(member) + 1 : 0;
}

const char *layout_find_element(struct arena *arena, const struct layout *layout, const char *path,
	struct layout_element *ret)
{
	const struct layout_member *member = layout_find(layout, path);
	*ret = (struct layout_element){.member = member};
	if (!member)
		return NULL;
	size_t length = 0;
	struct level level = {.types = layout->types};
	ret->off_bytes = layout_first_byte(member);
	enter(&level, member->type);
	ret->size_bytes = size_of(&level, member);
	for (const char *p = path; *p;) {
		if (*p != '[') {
			p++;
			length++;
			continue;
		}
		const struct layout_member *array = member_of_path(layout, member, length);
		if (!array)
			return "no array before the '['";
		enter(&level, array->type);
		const char *fault = add_subscripts(arena, &p, &level, ret);
		if (fault)
			return fault;
		if (array == member)
			ret->size_bytes = size_of(&level, member);
	}
	return NULL;
}

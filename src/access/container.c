#include "access/container.h"

#include <inttypes.h>
#include <string.h>

enum { DEPTH_MAX = 32 };

static const struct type *strip(const struct types *types, type_id *id)
{
	const struct type *type;
	*id = types_strip(types, *id);
	type = types_get(types, *id);
	while (type->kind == TYPE_ARRAY) {
		*id = types_strip(types, type->target);
		type = types_get(types, *id);
	}
	return type;
}

/* Compilers spell templates differently, and what has no tag goes by a typedef: then the size decides. */
static bool is_same(const struct layout *object, const struct type *type)
{
	const struct type *own = types_get(object->types, object->type);
	if (own == type)
		return true;
	const char *a = type->name ? type->name : "", *b = own->name ? own->name : "";
	if (*a && strcmp(a, b) == 0)
		return true;
	bool may_be = (!*a && !*b) || (strchr(a, '<') && strchr(b, '<'));
	return may_be && type->kind == own->kind && type->size_bytes == object->size_bytes;
}

/* Is it, or begins it with one? */
static bool has_in_front(
	const struct layout *object, const struct types *types, type_id id, unsigned depth)
{
	const struct type *type = strip(types, &id);
	if (!type_is_aggregate(type) || depth > DEPTH_MAX)
		return false;
	if (is_same(object, type))
		return true;
	for (size_t i = 0; i < type->member_count; i++)
		if (type->members[i].off_bits == 0 &&
			has_in_front(object, types, type->members[i].type, depth + 1))
			return true;
	return false;
}

static bool is_storage(const struct types *types, const struct layout_member *member)
{
	type_id id = member->type;
	const struct type *type = strip(types, &id);
	return member->is_array && (type->kind == TYPE_BASE || type->kind == TYPE_ENUM);
}

const char *container_fault(struct arena *arena, const struct layout *object,
	const struct layout *container, const struct layout_member *member)
{
	type_id id = member->type;
	const struct type *type = strip(container->types, &id);
	if (member->is_dynamic)
		return "only the running program knows where the container's field lies";
	if (type->kind == TYPE_POINTER)
		return arena_printf(arena,
			"a pointer to what lies elsewhere; no %s lies in the container there",
			object->name);
	if (has_in_front(object, container->types, member->type, 0))
		return NULL;
	if (!is_storage(container->types, member))
		return arena_printf(
			arena, "no %s; another type lies in the container there", object->name);
	if (member->size_bytes && member->size_bytes < object->size_bytes)
		return arena_printf(arena,
			"%" PRIu64 " bytes in the container, too few for %s of %" PRIu64,
			member->size_bytes, object->name, object->size_bytes);
	return NULL;
}

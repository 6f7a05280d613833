#include "layout/extent.h"

#include "layout.h"

struct error *extent_too_deep(void)
{
	return error_new(
		"nested deeper than %d; the debug information is damaged", LAYOUT_DEPTH_MAX);
}

struct error *extent_too_many(void)
{
	return error_new(
		"more than %d members, nested ones counted; the debug information is damaged",
		LAYOUT_MEMBERS_MAX);
}

/* The aggregate that a member of this type is, or has as its elements; 0: neither. */
static type_id inner_aggregate(const struct types *types, type_id id)
{
	id = types_strip(types, id);
	const struct type *type = types_get(types, id);
	if (type->kind == TYPE_ARRAY && !type->is_vector) {
		id = types_strip(types, type->target);
		type = types_get(types, id);
	}
	return type_is_aggregate(type) ? id : 0;
}

/* What lies in an aggregate. */
struct extent {
	type_id id;       /* 0: none */
	uint32_t members; /* nested ones counted; at most LAYOUT_MEMBERS_MAX */
	uint32_t levels;  /* of aggregates in it */
};

/* By the last bits of their ids: what is there many times is counted once. */
enum { EXTENTS_KNOWN = 64 };

struct extents {
	struct extent known[EXTENTS_KNOWN];
};

static struct error *measure(struct extents *extents, const struct types *types, type_id aggregate,
	uint32_t depth, struct extent *ret)
{
	const struct type *type = types_get(types, aggregate);
	struct extent *known = &extents->known[aggregate % EXTENTS_KNOWN],
		      found = {.id = aggregate};
	bool is_known = known->id == aggregate;
	if (depth + (is_known ? known->levels : 0) > LAYOUT_DEPTH_MAX)
		return extent_too_deep();
	if (is_known) {
		*ret = *known;
		return NULL;
	}
	for (size_t i = 0; i < type->member_count; i++) {
		struct extent inside = {.id = 0};
		if (type->members[i].is_base && type->members[i].is_virtual)
			continue; /* once each, whatever the number of ways to them */
		type_id inner = inner_aggregate(types, type->members[i].type);
		struct error *error =
			inner ? measure(extents, types, inner, depth + 1, &inside) : NULL;
		if (error)
			return error;
		if (inside.members >= LAYOUT_MEMBERS_MAX - found.members)
			return extent_too_many();
		found.members += 1 + inside.members;
		if (inner && inside.levels + 1 > found.levels)
			found.levels = inside.levels + 1;
	}
	*known = *ret = found;
	return NULL;
}

struct error *extent_check(const struct types *types, type_id aggregate)
{
	struct extents extents = {.known = {{.id = 0}}};
	struct extent ignored;
	return measure(&extents, types, aggregate, 0, &ignored);
}

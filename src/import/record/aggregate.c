#include <inttypes.h>
#include <string.h>

#include "import/record/aggregate.h"

/* "ns::Type"; of an unnamed aggregate the typedef's; NULL when it has no name. */
static const char *name_of(struct arena *arena, const struct types *types, type_id id)
{
	enum { HOPS_MAX = 16 };
	const struct type *type = types_get(types, id), *named = NULL;
	for (int hops = 0; hops < HOPS_MAX && !type_is_aggregate(type); hops++) {
		if (type->kind == TYPE_TYPEDEF)
			named = type;
		type = types_get(types, type->target);
	}
	if (type->name || !named)
		named = type;
	if (!named->name)
		return NULL;
	return named->scope ? arena_printf(arena, "%s::%s", named->scope, named->name)
			    : named->name;
}

bool record_find_aggregate(struct arena *arena, const struct types *types, type_id id,
	struct record_type *ret, bool *is_array)
{
	enum { HOPS_MAX = 64 };
	*is_array = false;
	type_id element = id;
	for (int hops = 0; hops < HOPS_MAX; hops++) {
		const struct type *type = types_get(types, types_strip(types, element));
		if (type->kind != TYPE_ARRAY || type->is_vector)
			break;
		*is_array = true;
		element = type->target;
	}
	const struct type *aggregate = types_get(types, types_strip(types, element));
	if (!type_is_aggregate(aggregate))
		return false;
	*ret = (struct record_type){
		types, types_strip(types, element), name_of(arena, types, element)};
	return ret->name != NULL;
}

struct error *record_type_at(struct arena *arena, const struct object *object,
	const struct variables *variables, uint64_t address, struct record_type *ret,
	bool *is_array)
{
	struct variable variable;
	size_t first, count = variables_near(variables, address, &first);
	const struct variable_place *place = count ? &variables->places[first] : NULL;
	if (!place || place->address != address)
		return error_new(
			"no variable lies at 0x%" PRIx64 " as far as the debug information "
			"of %s says%s; build all that is recorded with -g, and record again",
			address, object->path,
			variables->split_units ? ", parts of which are in other files" : "");
	struct error *error = variables_read(arena, object, variables, &place, 1, &variable);
	if (!error)
		error = variables_require_read(&variable, 1);
	if (error)
		return error;
	const struct types *types = variable.types;
	const struct type *type = types_get(types, types_strip(types, variable.type));
	if (!record_find_aggregate(arena, types,
		    type->kind == TYPE_POINTER ? type->target : variable.type, ret, is_array))
		return error_new("what lies at 0x%" PRIx64 ", '%s', is no struct with a name, and "
				 "does not point to one; track a struct",
			address, variable.name);
	return NULL;
}

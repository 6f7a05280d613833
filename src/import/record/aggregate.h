/*
 * aggregate: the struct in the type of what was recorded.
 */
#ifndef IMPORT_RECORD_AGGREGATE_H
#define IMPORT_RECORD_AGGREGATE_H

#include "import/record.h"

/* The aggregate in a type, through arrays; false: there is none, or none with a name. */
bool record_find_aggregate(struct arena *arena, const struct types *types, type_id id,
	struct record_type *ret, bool *is_array);

#endif

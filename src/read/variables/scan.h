/*
 * scan: the entries of variables that have a static address.
 *
 * .debug_info -> [scan] -> variables. Private to variables.c. Walks over every entry, for variables lie in functions and
 * blocks too; nothing is allocated for one that is not kept.
 */
#ifndef READ_VARIABLES_SCAN_H
#define READ_VARIABLES_SCAN_H

#include "read/index/unit.h"
#include "read/variables.h"

struct variable_places {
	struct variable_place *items; /* in no order; owned by whoever asked */
	size_t count, capacity;
	uint64_t split_units;
	struct unit_damages damages; /* of units that are read up to there, in no order; owned likewise */
};

/* All that lie in an area of `symbols`. `jobs` as variables_find()'s. */
void variables_scan(const struct object *object, const struct object_symbols *symbols, unsigned jobs,
	struct variable_places *ret);

#endif

/*
 * join: a recording while it is joined with the binary: which struct, or variable, each class and address is counted as.
 *
 * record.c runs the steps in this order: bind (classes and addresses -> targets), count (onto the subjects), document (the
 * subjects -> a profile).
 */
#ifndef IMPORT_RECORD_JOIN_H
#define IMPORT_RECORD_JOIN_H

#include "base/buf.h"
#include "import/record.h"
#include "import/record/subject.h"
#include "read/variables.h"

/* What a class, or a variable, is counted as. */
struct target {
	struct subject *subject; /* NULL: nothing */
	uint64_t base;           /* address of a variable; 0 for classes */
	uint64_t unit_bytes; /* of one struct, where an object is an array of them; 0: it is one */
	size_t row;          /* of a variable that is no struct */
};

struct join {
	struct arena *arena;
	const struct record *record;
	const struct record_binary *binary;
	struct variables variables;
	struct subject **subjects; /* of structs, in the order of the file; owned */
	size_t subject_count, subject_capacity;
	struct target *classes; /* of record->classes; owned */
	const struct variable_place *
		*places; /* of the variables that were accessed; ascending; owned */
	size_t place_count, place_capacity;
	struct variable *read;        /* of places; owned */
	struct target *read_targets;  /* of places; owned */
	struct record_global *shared; /* stretches that several threads touch; owned */
	size_t shared_count;
	struct subject others; /* variables that are no structs */
	uint64_t nameless;     /* accesses to addresses that are no variable's */
	struct record_spots spots;
	struct buf remarks;
};

/*
 * Fills `classes`, and the targets of all variables that were accessed; `variables` must have been found. Errors: a tag
 * that leads to no struct, sizes that differ, one name for two structs.
 */
struct error *join_bind(struct join *join);

/* The variable that holds an address; NULL: none that the debug information knows. */
const struct target *join_find_variable(const struct join *join, uint64_t address);

/* The profile, in the arena, of what was counted. Error: nothing that is tracked was accessed. */
struct error *join_document(struct join *join, struct profile *ret);

#endif

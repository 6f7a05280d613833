/*
 * dwarf: the definitions that are wanted, read into types.
 *
 * object + index -> [dwarf] -> types. What is unusual or damaged libdwarf reads (entry.h), which gets its sections
 * through the object-access interface over our mapping, so that it copies and relocates nothing. DWARF 4 and 5, sections
 * 5.1 to 5.14. A definition is read with everything that lies in it by value. What is behind pointers is read by name
 * only: a struct, union or class with is_declaration and no members (its size is filled in where the entry has it).
 * Offsets count from the start of .debug_info; those of .debug_types (DWARF 4) count on behind it.
 */
#ifndef READ_DWARF_H
#define READ_DWARF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "read/index.h"
#include "read/object.h"
#include "type.h"

/* A definition that was read. */
struct dwarf_type {
	const struct types *types; /* in the arena; shared by the definitions of one worker */
	type_id id;                /* the aggregate */
	const char *unit;          /* name of its compilation unit (DW_AT_name); "" when there is none */
	const char *comp_dir;      /* where it was compiled (DW_AT_comp_dir); "" when there is none */
	const char *producer;      /* DW_AT_producer; "" when there is none */
	uint16_t dwarf_version;    /* of its unit */
	uint16_t language;         /* DW_AT_language (DW_LANG_*), 0 unknown */
	const char *damage;        /* NULL, or why it could not be read, as an error says it: nothing else is known then; in the arena */
};

/* Is it one of the versions of C++? */
bool dwarf_is_cxx(uint16_t language);

/*
 * Reads `defs[0..count)`; results in the same order in ret[0..count), which the caller provides. `jobs` as in index_query;
 * the result does not depend on it. Damaged DIEs, with the offset, are said by the definition that they are in. Errors: no
 * debug information.
 */
struct error *dwarf_read(struct arena *arena, const struct object *object, const struct index_def *const *defs,
	size_t count, unsigned jobs, struct dwarf_type *ret);

#endif

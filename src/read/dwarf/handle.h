/*
 * handle: what plain and libdwarf hold of one open unit.
 *
 * Private to the files that call libdwarf: unit.c opens and closes it; entry.c, attribute.c, form.c and string.c read
 * through it.
 */
#ifndef READ_DWARF_HANDLE_H
#define READ_DWARF_HANDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "read/dwarf/entry.h"
#include "read/dwarf/libdwarf.h"
#include "read/dwarf/lines.h"
#include "read/dwarf/plain.h"

struct entry_handle {
	const struct object *object; /* with all companions */
	const struct object *file;   /* the one that the unit lies in */
	const struct object_contribution
		*part;             /* of its sections, in a package; NULL: all of them */
	uint8_t *abbrevs;          /* in place of the unit's table (thirds.h); NULL: none; owned */
	const struct object_skeleton *skeleton; /* of a split unit; NULL: none */
	bool is_types;                          /* the unit lies in .debug_types */
	struct plain plain;                     /* what does not need libdwarf */
	Dwarf_Debug debug; /* NULL: not asked yet */
	Dwarf_Die root;
	struct lines lines; /* read when first needed */
	bool lines_read;
	uint64_t line_off; /* DW_AT_stmt_list */
	bool has_lines;
	struct libdwarf_source source;
	libdwarf_interface interface;
	struct libdwarf_section sections[OBJECT_DWARF_COUNT];
};

/* Has libdwarf look at the unit, when it has not yet (unit.c). Errors: what it says. */
struct error *handle_open(struct entry_unit *unit);

/* An error of libdwarf, which it releases, as one of ours; `off` is where it was met. */
struct error *handle_error(const struct entry_unit *unit, uint64_t off, Dwarf_Error error);

#endif

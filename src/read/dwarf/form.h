/*
 * form: the value of one attribute, as whichever form writes it.
 *
 * Private to dwarf. libdwarf's attribute -> [form, string] -> a plain value. DWARF 5 section 7.5.5 and the GNU forms of
 * dwz and of split DWARF. False: libdwarf's *error, or NULL there where the value leads out of its section. Blocks and
 * strings lie in the files' mappings.
 */
#ifndef READ_DWARF_FORM_H
#define READ_DWARF_FORM_H

#include <stdbool.h>
#include <stdint.h>

#include "read/dwarf/entry.h"
#include "read/dwarf/libdwarf.h"

/* A constant, or an expression that is one; ENTRY_DYNAMIC for all that only the running program knows. */
bool form_number(const struct entry_unit *unit, Dwarf_Attribute attribute, Dwarf_Half form,
	struct entry_number *ret, Dwarf_Error *error);

/* The same; 0 for what is no constant. */
bool form_constant(const struct entry_unit *unit, Dwarf_Attribute attribute, Dwarf_Half form,
	uint64_t *ret, Dwarf_Error *error);

bool form_flag(Dwarf_Attribute attribute, bool *ret, Dwarf_Error *error);

/* A block as it is; *length bytes. */
bool form_block(const struct entry_unit *unit, Dwarf_Attribute attribute, Dwarf_Half form,
	const uint8_t **ret, uint64_t *length, Dwarf_Error *error);

/* The number that stands in the attribute's `size` bytes (1 to 4, or 8), or as ULEB128 where that is 0. */
bool form_bytes(const struct entry_unit *unit, Dwarf_Die die, Dwarf_Attribute attribute,
	uint64_t size, uint64_t *ret, Dwarf_Error *error);

bool form_ref(const struct entry_unit *unit, Dwarf_Die die, Dwarf_Attribute attribute,
	Dwarf_Half form, struct entry_ref *ret, Dwarf_Error *error);

/* NULL for "", and for one in an alternate file that is not there (string.c). */
bool form_string(const struct entry_unit *unit, Dwarf_Die die, Dwarf_Attribute attribute,
	Dwarf_Half form, const char **ret, Dwarf_Error *error);

#endif

/*
 * attribute: the attributes of an entry, into the fields that we keep of them.
 *
 * Private to dwarf. libdwarf's entry -> [attribute] -> struct entry, or struct field_root. DWARF 5 section 7.5.4.
 */
#ifndef READ_DWARF_ATTRIBUTE_H
#define READ_DWARF_ATTRIBUTE_H

#include <stdint.h>

#include "base/error.h"
#include "read/dwarf/entry.h"
#include "read/dwarf/field.h"
#include "read/dwarf/libdwarf.h"

/* Those of the entry at `off`; what it does not have stays as it is in *ret. */
struct error *attribute_read(
	struct entry_unit *unit, Dwarf_Die die, uint64_t off, struct entry *ret);

/* What a unit says of itself in its first entry; where its strings by index start goes into its handle. */
struct error *attribute_read_root(struct entry_unit *unit, struct field_root *ret);

#endif

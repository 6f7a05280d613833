/*
 * attribute: the attributes of an entry, into the fields that we keep of them.
 *
 * Private to dwarf. libdwarf's entry -> [attribute] -> struct entry, and the root's into struct entry_unit. DWARF 5
 * section 7.5.4.
 */
#ifndef READ_DWARF_ATTRIBUTE_H
#define READ_DWARF_ATTRIBUTE_H

#include <stdint.h>

#include "base/error.h"
#include "read/dwarf/entry.h"
#include "read/dwarf/libdwarf.h"

/* Those of the entry at `off`; what it does not have stays as it is in *ret. */
struct error *attribute_read(
	struct entry_unit *unit, Dwarf_Die die, uint64_t off, struct entry *ret);

/* What a unit says of itself in its first entry, into the unit and its handle. */
struct error *attribute_read_root(struct entry_unit *unit);

#endif

/*
 * expression: a location expression that needs nothing of the running program. Private to dwarf.
 *
 * DWARF 5 sections 2.5 and 5.7.3: of a member's offset, what pushing 0 (the beginning of the aggregate) and running it
 * leaves. Offsets of members are sums of constants; whatever else it does is for the running program to know.
 */
#ifndef READ_DWARF_EXPRESSION_H
#define READ_DWARF_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "read/dwarf/entry.h"

/* Of `length` untrusted bytes; `swap`: they are of the other byte order. ENTRY_CONSTANT or ENTRY_DYNAMIC. */
struct entry_number expression_evaluate(const uint8_t *at, uint64_t length, bool swap);

#endif

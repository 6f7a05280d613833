/*
 * split: split DWARF, where the linked file has skeleton units and the rest is elsewhere. Private to companion.
 *
 * DWARF 5 sections 3.1.2 (skeleton units), 7.3.2 (split files) and 7.3.5 (packages); GNU's of DWARF 4
 * (https://gcc.gnu.org/wiki/DebugFission).
 */
#ifndef READ_COMPANION_SPLIT_H
#define READ_COMPANION_SPLIT_H

#include "base/error.h"
#include "read/companion/list.h"

/* See companion_attach(). Errors: the binary is damaged. */
struct error *split_attach(struct companion_list *list);

#endif

/*
 * alternate: the file in which dwz has put what several binaries have in common. Private to companion.
 */
#ifndef READ_COMPANION_ALTERNATE_H
#define READ_COMPANION_ALTERNATE_H

#include "base/error.h"
#include "read/companion/list.h"

/*
 * See companion_attach(). Of the alternate file only the units count that are imported (DW_TAG_imported_unit), from the
 * binary and from each other: the rest is of other binaries. Errors: it is nowhere, or damaged, or the binary is.
 */
struct error *alternate_attach(struct companion_list *list, const char *debug_dir);

#endif

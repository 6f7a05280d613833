/* Growth: slots and bits for more numbers, by powers of two, while others look up, open and close. */
#ifndef FDTABLE_EXPAND_H
#define FDTABLE_EXPAND_H

#include "files_struct.h"

/* Room for `fd` (below FDTABLE_MAX) and all below it. May wait for a grace period. 0 or -ENOMEM. */
int expand_files(struct files_struct *files, unsigned int fd);

/* What a new table has: room for NR_OPEN_DEFAULT in itself. */
void embedded_init(struct files_struct *files);

/* Frees all that growth allocated: nobody looks at it any more. */
void expanded_free(struct files_struct *files);

#endif

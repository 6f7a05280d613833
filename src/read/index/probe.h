/*
 * probe: does the file define a struct of this name? A look at its first units, where a kernel's task_struct is.
 *
 * object, unit -> scan -> [probe] -> index.
 */
#ifndef READ_PROBE_H
#define READ_PROBE_H

#include <stdbool.h>

#include "read/index/unit.h"
#include "read/object.h"

/* False: not in the first units, or they are damaged. */
bool probe(const struct object *object, const struct units *units, const char *name);

#endif

/*
 * package: which part of its sections each unit of a package of split files (.dwp) uses.
 *
 * .debug_cu_index, .debug_tu_index -> [package] -> object.contributions. DWARF 5 section 7.3.5.3; GNU's version 2 of it
 * (https://gcc.gnu.org/wiki/DebugFissionDWP), in which type units are in .debug_types.
 */
#ifndef READ_OBJECT_PACKAGE_H
#define READ_OBJECT_PACKAGE_H

#include "base/arena.h"
#include "base/error.h"
#include "read/object.h"

/* Sets contributions and their count; nothing where there is no index. Errors: damaged, an unknown version. */
struct error *package_read(struct arena *arena, struct object *object);

#endif

/*
 * debug_file: the debug information of a stripped binary, in a file of its own. Private to companion.
 */
#ifndef READ_COMPANION_DEBUG_FILE_H
#define READ_COMPANION_DEBUG_FILE_H

#include "base/arena.h"
#include "base/error.h"
#include "read/object.h"

/* See companion_attach(). Nothing where the object has .debug_info itself. */
struct error *debug_file_attach(struct arena *arena, const char *debug_dir, struct object *object);

#endif

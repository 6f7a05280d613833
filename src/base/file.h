/*
 * file: all bytes of a file that has to be small.
 *
 * For text and recordings, which are read as a whole. Binaries are mapped instead: read/object.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

/*
 * Appends what `path` holds, pipes included. Errors: cannot be opened or read, with the system's reason; longer than
 * `most_bytes`, with `advice` ("record for a shorter time"). What was read until then is in `ret` all the same.
 */
struct error *file_read(const char *path, size_t most_bytes, const char *advice, struct buf *ret);

#endif

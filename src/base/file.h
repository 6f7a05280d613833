/*
 * file: all bytes of a file that has to be small, or some bytes of an open one.
 *
 * Text and recordings are read as a whole. Binaries are mapped instead: read/object.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"

/*
 * Appends what `path` holds, pipes included. Errors: cannot be opened or read, with the system's reason; longer than
 * `most_bytes`, with `advice` ("record for a shorter time"). What was read until then is in `ret` all the same.
 */
struct error *file_read(const char *path, size_t most_bytes, const char *advice, struct buf *ret);

/* `size` bytes at `off`; false: not all of them are there, or can be read. */
bool file_read_at(int fd, void *buffer, uint64_t size, uint64_t off);

#endif

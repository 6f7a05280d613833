/*
 * magic: is this an ELF file, and what is it if not?
 *
 * Private to object. Looks at the first bytes of a file only.
 */
#ifndef READ_MAGIC_H
#define READ_MAGIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* As many bytes as tell all kinds of files apart: a bzImage is known by its byte 0x202. */
enum { MAGIC_BYTES = 1024 };

/*
 * NULL for an ELF file of a class and byte order that exist. Otherwise what the file is, and what to use
 * instead. `length` is below MAGIC_BYTES when the file is shorter.
 */
struct error *magic_check(const char *path, const uint8_t *head, size_t length);

/* Does it begin as raw BTF does, in either byte order (0xeb9f, linux/btf.h)? */
bool magic_is_btf(const uint8_t *head, size_t length, bool *big_endian);

/* Do these bytes begin an ELF file? */
bool magic_is_elf(const uint8_t *head, size_t length);

#endif

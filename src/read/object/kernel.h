/*
 * kernel: the vmlinux in a compressed kernel image (bzImage).
 *
 * Private to object. Documentation/arch/x86/boot.rst of Linux: "HdrS" at 0x202, the protocol's version at 0x206; from 2.08 on
 * where the payload is, counted from the end of the setup sectors. The payload ends with its unpacked size.
 */
#ifndef READ_OBJECT_KERNEL_H
#define READ_OBJECT_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Is it one, by its first bytes? */
bool kernel_is_image(const uint8_t *head, size_t length);

/*
 * Unpacks an image of `size` bytes: *ret, of *ret_size bytes, is the caller's (mem_free). Errors: of a compressor whose
 * library is not linked, with what to use instead; damaged.
 */
struct error *kernel_unpack(
	const char *path, const uint8_t *image, size_t size, uint8_t **ret, size_t *ret_size);

#endif

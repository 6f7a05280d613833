/*
 * kernel: what is in a compressed kernel image, and the BTF in one without an ELF header.
 *
 * Private to object. bzImage (Documentation/arch/x86/boot.rst of Linux): "HdrS" at 0x202, the protocol's version at 0x206;
 * from 2.08 on where the payload is, counted from the end of the setup sectors; it ends with its unpacked size, which gzip
 * has anyway. EFI zboot (drivers/firmware/efi/libstub/zboot-header.S): "MZ", "zimg", offset and size of the payload, at 24
 * the compressor's name; its last 4 bytes are the unpacked size. In a bzImage is an ELF file, in the others an Image
 * (Documentation/arch/arm64/booting.rst, Documentation/arch/riscv/boot-image-header.rst): memory as it will be, of which
 * .BTF is a part that linux/btf.h's header tells from all others.
 */
#ifndef READ_OBJECT_KERNEL_H
#define READ_OBJECT_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Is it a compressed one, by its first bytes? */
bool kernel_is_image(const uint8_t *head, size_t length);

/*
 * Unpacks an image of `size` bytes: *ret, of *ret_size bytes, is the caller's (mem_free). Errors: of a compressor whose
 * library is not linked, with what to use instead; damaged.
 */
struct error *kernel_unpack(
	const char *path, const uint8_t *image, size_t size, uint8_t **ret, size_t *ret_size);

/* The EM_* of elf.h that an Image is for; 0: it is none. */
uint16_t kernel_bare_machine(const uint8_t *head, size_t length);

/* The BTF in an Image: *off and *length in it; false: there is none, or several could be it. */
bool kernel_bare_btf(const uint8_t *image, size_t size, size_t *off, size_t *length);

#endif

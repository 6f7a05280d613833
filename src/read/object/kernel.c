#include "read/object/kernel.h"

#include <elf.h>
#include <string.h>

#include "base/mem.h"
#include "read/bytes.h"
#include "read/object/relocate.h"
#include "read/unpack.h"

enum {
	SETUP_SECTORS = 0x1f1,
	MAGIC = 0x202,
	VERSION = 0x206,
	PAYLOAD_OFFSET = 0x248,
	PAYLOAD_LENGTH = 0x24c,
	HEADER_END = 0x250,
	SECTOR = 512,
	ZBOOT_MAGIC = 4,
	ZBOOT_OFFSET = 8,
	ZBOOT_LENGTH = 12,
	ZBOOT_END = 64,
	SIZE_BYTES = 4,       /* behind what is packed */
	MOST_BYTES = 1 << 30, /* of a vmlinux without debug information */
	IMAGE_MAGIC = 0x38,   /* of an Image */
};

#define OTHER_WAYS                                                                                 \
	"use the vmlinux of its debug package (linux-image-*-dbg, kernel-debuginfo), or "          \
	"/sys/kernel/btf/vmlinux for the kernel that is running"

/* Everything in the image is little-endian. */
static uint64_t number(const uint8_t *p, size_t size)
{
	return bytes_uint(p, size, bytes_swapped(false));
}

static bool is_zboot(const uint8_t *head, size_t length)
{
	return length >= ZBOOT_END && memcmp(head, "MZ", 2) == 0 &&
	       memcmp(head + ZBOOT_MAGIC, "zimg", 4) == 0;
}

static bool is_bzimage(const uint8_t *head, size_t length)
{
	return length >= MAGIC + 4 && memcmp(head + MAGIC, "HdrS", 4) == 0;
}

bool kernel_is_image(const uint8_t *head, size_t length)
{
	return is_zboot(head, length) || is_bzimage(head, length);
}

/* False where there is none inside of the file. */
static bool find_payload(const uint8_t *image, size_t size, const uint8_t **ret, size_t *length)
{
	uint64_t off;
	if (is_zboot(image, size)) {
		off = number(image + ZBOOT_OFFSET, 4);
		*length = (size_t)number(image + ZBOOT_LENGTH, 4);
	} else {
		if (size < HEADER_END || number(image + VERSION, 2) < 0x208)
			return false;
		uint64_t sectors = image[SETUP_SECTORS] ? image[SETUP_SECTORS] : 4;
		off = (sectors + 1) * SECTOR + number(image + PAYLOAD_OFFSET, 4);
		*length = (size_t)number(image + PAYLOAD_LENGTH, 4);
	}
	if (off > size || *length > size - off || *length < UNPACK_MAGIC_BYTES + SIZE_BYTES)
		return false;
	*ret = image + off;
	return true;
}

/* Exactly as many bytes as it says. */
static bool unpack_payload(const struct unpack_format *format, const uint8_t *payload,
	size_t length, uint8_t **ret, size_t *ret_size)
{
	bool size_is_gzips = strcmp(format->name, "gzip") == 0;
	*ret_size = (size_t)number(payload + length - SIZE_BYTES, SIZE_BYTES);
	if (!*ret_size || *ret_size > MOST_BYTES || *ret_size > unpack_believable(length))
		return false;
	*ret = mem_new(*ret_size, 1);
	return unpack_exactly(
		format, payload, size_is_gzips ? length : length - SIZE_BYTES, *ret, *ret_size);
}

struct error *kernel_unpack(
	const char *path, const uint8_t *image, size_t size, uint8_t **ret, size_t *ret_size)
{
	const char *kind = is_zboot(image, size) ? "EFI zboot" : "bzImage";
	const uint8_t *payload;
	size_t length;
	*ret = NULL;
	if (!find_payload(image, size, &payload, &length))
		return error_new("%s: is a compressed kernel image (%s), cut off or too old to "
				 "say where its vmlinux is; " OTHER_WAYS,
			path, kind);
	const struct unpack_format *format = unpack_format_of(payload, length);
	if (!format || !unpack_is_here(format))
		return error_new("%s: is a compressed kernel image (%s, %s), which is not "
				 "unpacked here; " OTHER_WAYS,
			path, kind, format ? format->name : "an unknown compressor");
	if (unpack_payload(format, payload, length, ret, ret_size))
		return NULL;
	mem_free(*ret);
	*ret = NULL;
	return error_new("%s: is a compressed kernel image (%s, %s), and damaged: it does not "
			 "unpack to the size that it says; copy or build it again",
		path, kind, format->name);
}

/* ---- without an ELF header ---- */

uint16_t kernel_bare_machine(const uint8_t *head, size_t length)
{
	if (length < IMAGE_MAGIC + 4)
		return 0;
	if (memcmp(head + IMAGE_MAGIC, "ARM\x64", 4) == 0)
		return EM_AARCH64;
	return memcmp(head + IMAGE_MAGIC, "RSC\x05", 4) == 0 ? MACHINE_RISCV : 0;
}

/* All that follows from linux/btf.h for a whole section as the kernel's build writes it; 0: these bytes do not begin one. */
static size_t btf_length(const uint8_t *at, size_t left)
{
	enum { HEADER = 24, TYPE_AT_LEAST = 12 };
	if (left < HEADER || number(at, 4) != 0x1eb9f || number(at + 4, 4) != HEADER ||
		number(at + 8, 4) != 0)
		return 0;
	uint64_t types = number(at + 12, 4), strings_off = number(at + 16, 4),
		 strings = number(at + 20, 4);
	if (types < TYPE_AT_LEAST || strings_off != types || !strings ||
		HEADER + types + strings > left)
		return 0;
	const uint8_t *text = at + HEADER + types;
	return text[0] || text[strings - 1] ? 0 : (size_t)(HEADER + types + strings);
}

bool kernel_bare_btf(const uint8_t *image, size_t size, size_t *off, size_t *length)
{
	bool found = false;
	*length = 0;
	for (size_t i = 0; i < size;) {
		size_t here = btf_length(image + i, size - i);
		if (here && found)
			return false;
		if (here) {
			*off = i;
			*length = here;
			found = true;
		}
		i += here ? (here + 3) & ~(size_t)3 : 4;
	}
	return found;
}

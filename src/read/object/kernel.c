#include "read/object/kernel.h"

#include <string.h>
#include <zlib.h>

#include "base/mem.h"
#include "read/bytes.h"

enum {
	SETUP_SECTORS = 0x1f1,
	MAGIC = 0x202,
	VERSION = 0x206,
	PAYLOAD_OFFSET = 0x248,
	PAYLOAD_LENGTH = 0x24c,
	HEADER_END = 0x250,
	SECTOR = 512,
	MOST_BYTES = 1 << 30, /* of a vmlinux without debug information */
};

#define OTHER_WAYS                                                                                 \
	"use the vmlinux of its debug package (linux-image-*-dbg, kernel-debuginfo), or "          \
	"/sys/kernel/btf/vmlinux for the kernel that is running"

struct compressor {
	const char *name, *magic;
	size_t length;
};

static const struct compressor compressors[] = {
	{"gzip", "\x1f\x8b", 2},
	{"xz", "\xfd\x37zXZ", 5},
	{"zstd", "\x28\xb5\x2f\xfd", 4},
	{"lz4", "\x02\x21\x4c\x18", 4},
	{"bzip2", "BZh", 3},
	{"lzop", "\x89LZO", 4},
	{"lzma", "\x5d\x00\x00", 3},
};

/* Everything in the image is little-endian. */
static uint64_t number(const uint8_t *p, size_t size)
{
	return bytes_uint(p, size, bytes_swapped(false));
}

bool kernel_is_image(const uint8_t *head, size_t length)
{
	return length >= MAGIC + 4 && memcmp(head + MAGIC, "HdrS", 4) == 0;
}

/* False where there is none inside of the file. */
static bool find_payload(const uint8_t *image, size_t size, const uint8_t **ret, size_t *length)
{
	if (size < HEADER_END || number(image + VERSION, 2) < 0x208)
		return false;
	uint64_t sectors = image[SETUP_SECTORS] ? image[SETUP_SECTORS] : 4;
	uint64_t off = (sectors + 1) * SECTOR + number(image + PAYLOAD_OFFSET, 4);
	*length = (size_t)number(image + PAYLOAD_LENGTH, 4);
	if (off > size || *length > size - off || *length < 8)
		return false;
	*ret = image + off;
	return true;
}

static const char *compressor_of(const uint8_t *payload)
{
	for (size_t i = 0; i < sizeof(compressors) / sizeof(compressors[0]); i++)
		if (memcmp(payload, compressors[i].magic, compressors[i].length) == 0)
			return compressors[i].name;
	return "an unknown compressor";
}

/* Exactly `want` bytes. */
static bool inflate_to(const uint8_t *payload, size_t length, uint8_t *ret, size_t want)
{
	enum { GZIP = 16 };
	z_stream stream = {.next_in = (z_const Bytef *)(uintptr_t)payload,
		.avail_in = (uInt)length,
		.next_out = ret,
		.avail_out = (uInt)want};
	if (inflateInit2(&stream, GZIP + MAX_WBITS) != Z_OK)
		return false;
	int result = inflate(&stream, Z_FINISH);
	inflateEnd(&stream);
	return result == Z_STREAM_END && stream.avail_out == 0;
}

struct error *kernel_unpack(
	const char *path, const uint8_t *image, size_t size, uint8_t **ret, size_t *ret_size)
{
	const uint8_t *payload;
	size_t length;
	if (!find_payload(image, size, &payload, &length))
		return error_new(
			"%s: is a compressed kernel image (bzImage), cut off or too old to "
			"say where its vmlinux is; " OTHER_WAYS,
			path);
	const char *compressor = compressor_of(payload);
	if (strcmp(compressor, "gzip") != 0)
		return error_new("%s: is a compressed kernel image (bzImage, %s), and only gzip is "
				 "unpacked here; " OTHER_WAYS,
			path, compressor);
	*ret_size = (size_t)number(payload + length - 4, 4);
	*ret = *ret_size && *ret_size <= MOST_BYTES ? mem_new(*ret_size, 1) : NULL;
	if (*ret && inflate_to(payload, length, *ret, *ret_size))
		return NULL;
	mem_free(*ret);
	*ret = NULL;
	return error_new("%s: is a compressed kernel image (bzImage), and damaged: it does not "
			 "unpack; copy or build it again",
		path);
}

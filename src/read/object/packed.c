#include "read/object/packed.h"

#include <zlib.h>

#include "base/mem.h"
#include "read/bytes.h"
#include "read/object/handle.h"
#include "read/unpack.h"

/* Not in the elf.h of every C library that we build with. */
enum { COMPRESS_ZSTD = 2 };

/* `how`: "" or " with NAME"; `why` not. */
static struct error *cannot_unpack(
	const struct packed_section *packed, const char *how, const char *why)
{
	return error_new("%s: %s is compressed%s and cannot be unpacked here (%s); run objcopy "
			 "--decompress-debug-sections IN OUT and use OUT",
		packed->object->path, packed->name, how, why);
}

static struct error *libelf_cannot(const struct packed_section *packed)
{
	return cannot_unpack(packed, "", elf_errmsg(-1));
}

/* What is behind the section's Chdr, which gelf_getchdr() has found to be there. */
static const uint8_t *payload(const struct packed_section *packed, size_t *ret_bytes)
{
	size_t header = packed->object->is_64bit ? sizeof(Elf64_Chdr) : sizeof(Elf32_Chdr);
	*ret_bytes = packed->header->sh_size - header;
	return packed->object->handle->image + packed->header->sh_offset + header;
}

/* Many sections may be the same bytes of the file: what they unpack to counts together. */
static struct error *check_size(const struct packed_section *packed, uint64_t size, uint64_t *total)
{
	uint64_t most = unpack_believable(packed->object->handle->image_bytes);
	if (size <= most && *total <= most - size) {
		*total += size;
		return NULL;
	}
	return error_new("%s: damaged: its compressed sections up to %s say that they unpack to "
			 "more than a hundred times the file; copy or build it again",
		packed->object->path, packed->name);
}

static struct error *unpack_zstd_section(
	const struct packed_section *packed, uint64_t unpacked, uint8_t **ret)
{
	const struct unpack_format *zstd = unpack_format_named("zstd");
	size_t bytes;
	const uint8_t *at = payload(packed, &bytes);
	if (!unpack_is_here(zstd))
		return cannot_unpack(packed, " with zstd", "built without libzstd");
	*ret = mem_new(unpacked ? unpacked : 1, 1);
	if (unpack_exactly(zstd, at, bytes, *ret, unpacked))
		return NULL;
	mem_free(*ret);
	*ret = NULL;
	return error_new("%s: %s is compressed with zstd, and damaged; copy or build it again",
		packed->object->path, packed->name);
}

/* What libelf refuses for the bytes behind it: of 32-bit files llvm-objcopy 14 writes 12 too many. */
static bool unpack_zlib_section(
	const struct packed_section *packed, uint64_t unpacked, uint8_t **ret)
{
	size_t packed_bytes;
	const uint8_t *at = payload(packed, &packed_bytes);
	uLong taken = packed_bytes;
	uLongf bytes = unpacked;
	*ret = mem_new(unpacked ? unpacked : 1, 1);
	if (uncompress2(*ret, &bytes, at, &taken) == Z_OK && bytes == unpacked)
		return true;
	mem_free(*ret);
	*ret = NULL;
	return false;
}

/* libelf believes the size that .zdebug_* says up to what zlib can do. */
static struct error *unpack_gnu(const struct packed_section *packed, uint64_t *total)
{
	enum { SIZE_OFF = 4, HEADER = 12 };
	const uint8_t *head = packed->object->handle->image + packed->header->sh_offset;
	struct error *error = NULL;
	if (packed->header->sh_size >= HEADER)
		error = check_size(packed, bytes_u64(head + SIZE_OFF, bytes_swapped(true)), total);
	if (!error && elf_compress_gnu(packed->section, 0, 0) < 0)
		error = libelf_cannot(packed);
	return error;
}

static struct error *unpack_gabi(
	const struct packed_section *packed, uint64_t *total, uint64_t *size, uint8_t **owned)
{
	GElf_Chdr header;
	if (!gelf_getchdr(packed->section, &header))
		return libelf_cannot(packed);
	struct error *error = check_size(packed, header.ch_size, total);
	if (error)
		return error;
	*size = header.ch_size;
	if (header.ch_type == COMPRESS_ZSTD)
		return unpack_zstd_section(packed, header.ch_size, owned);
	if (elf_compress(packed->section, 0, 0) >= 0)
		return NULL;
	error = libelf_cannot(packed);
	if (header.ch_type != ELFCOMPRESS_ZLIB ||
		!unpack_zlib_section(packed, header.ch_size, owned))
		return error;
	error_free(error);
	return NULL;
}

struct error *packed_read(const struct packed_section *packed, uint64_t *total,
	const uint8_t **bytes, uint64_t *size, uint8_t **owned)
{
	*owned = NULL;
	struct error *error = packed->is_gnu ? unpack_gnu(packed, total)
					     : unpack_gabi(packed, total, size, owned);
	if (error)
		return error;
	*bytes = *owned;
	if (*owned)
		return NULL;
	Elf_Data *data = elf_getdata(packed->section, NULL);
	if (!data)
		return libelf_cannot(packed);
	*bytes = data->d_buf;
	*size = data->d_size;
	return NULL;
}

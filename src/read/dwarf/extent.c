#include <inttypes.h>
#include <string.h>

#include "read/bytes.h"
#include "read/dw.h"
#include "read/dwarf/entry.h"

struct error *entry_damaged(const struct object *object, uint64_t off, const char *what)
{
	const struct object *file = object_at(object, off);
	return error_new("%s: damaged debug information at offset 0x%" PRIx64
			 " of .debug_info: %s; build it again",
		object_debug_path(file), off - file->start, what);
}

const uint8_t *entry_bytes(const struct object *object, uint64_t off, uint64_t *have)
{
	const struct object *file = object_at(object, off);
	const struct object_section *info = &file->sections[OBJECT_DEBUG_INFO];
	const struct object_section *types = &file->sections[OBJECT_DEBUG_TYPES];
	off -= file->start;
	if (off < info->size) {
		*have = info->size - off;
		return info->data + off;
	}
	off -= info->size;
	*have = off < types->size ? types->size - off : 0;
	return *have ? types->data + off : NULL;
}

/* What type units have behind the common header: a signature, and where the type is. */
static void read_signature(const uint8_t *at, bool swap, struct entry_extent *ret)
{
	ret->signature = bytes_u64(at, swap);
	ret->type_off = ret->off + bytes_uint(at + 8, ret->offset_bytes, swap);
	ret->root_off += 8u + ret->offset_bytes;
}

uint64_t entry_extent_skip(const struct object *object, uint64_t off)
{
	uint64_t have;
	const uint8_t *at = entry_bytes(object, off, &have);
	bool swap = bytes_swapped(object->types.big_endian);
	uint64_t length = have < 4 ? UINT64_MAX : bytes_u32(at, swap), prefix = 4;
	if (length == 0xffffffff) {
		length = have < 12 ? UINT64_MAX : bytes_u64(at + 4, swap);
		prefix = 12;
	}
	return have >= prefix && length && length <= have - prefix ? off + prefix + length
								   : off + have;
}

struct error *entry_extent_read(const struct object *object, uint64_t off, struct entry_extent *ret)
{
	enum { HEADER_MAX = 12 + 2 + 2 + 8 + 8 + 8 };
	uint64_t have;
	const uint8_t *at = entry_bytes(object, off, &have);
	bool swap = bytes_swapped(object->types.big_endian);
	const struct object *file = object_at(object, off);
	bool is_types = off - file->start >= file->sections[OBJECT_DEBUG_INFO].size;
	struct entry_extent extent = {.off = off, .object = file, .offset_bytes = 4};
	uint8_t header[HEADER_MAX] = {0};
	if (have < 12)
		return entry_damaged(object, off, "no unit header");
	memcpy(header, at, have < HEADER_MAX ? have : HEADER_MAX);

	uint64_t length = bytes_u32(header, swap), prefix = 4;
	if (length == 0xffffffff) {
		length = bytes_u64(header + 4, swap);
		extent.offset_bytes = 8;
		prefix = 12;
	}
	if (length > have - prefix)
		return entry_damaged(object, off, "the unit reaches past the end of its section");
	extent.end = off + prefix + length;
	extent.version = bytes_u16(header + prefix, swap);
	if (extent.version < 2 || extent.version > 5)
		return error_new("%s: unit at offset 0x%" PRIx64
				 " of .debug_info has DWARF version %u;"
				 " build it with -gdwarf-5 or -gdwarf-4",
			object_debug_path(file), off - file->start, (unsigned)extent.version);
	bool is_type_unit = is_types, has_id = false;
	const uint8_t *behind;
	if (extent.version == 5) {
		uint8_t type = header[prefix + 2];
		extent.address_bytes = header[prefix + 3];
		is_type_unit = type == DW_UT_type || type == DW_UT_split_type;
		extent.abbrev_off = bytes_uint(header + prefix + 4, extent.offset_bytes, swap);
		behind = header + prefix + 4 + extent.offset_bytes;
		has_id = type == DW_UT_split_compile || type == DW_UT_skeleton;
		if (type == DW_UT_split_compile)
			extent.dwo_id = bytes_u64(behind, swap);
	} else {
		extent.abbrev_off = bytes_uint(header + prefix + 2, extent.offset_bytes, swap);
		extent.address_bytes = header[prefix + 2 + extent.offset_bytes];
		behind = header + prefix + 3 + extent.offset_bytes;
	}
	extent.root_off = off + (uint64_t)(behind - header) + (has_id ? 8 : 0);
	if (is_type_unit)
		read_signature(behind, swap, &extent);
	*ret = extent;
	return NULL;
}

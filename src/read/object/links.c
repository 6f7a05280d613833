#include "read/object/links.h"

#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <zlib.h>

#include "read/bytes.h"
#include "read/object/handle.h"

struct span {
	const uint8_t *data;
	uint64_t size;
};

/* The name that starts a span, which then starts behind its NUL; NULL when there is none. */
static const char *take_name(struct span *span)
{
	const uint8_t *nul = span->size ? memchr(span->data, 0, span->size) : NULL;
	const char *name = (const char *)span->data;
	if (!nul || nul == span->data)
		return NULL;
	span->size -= (uint64_t)(nul + 1 - span->data);
	span->data = nul + 1;
	return name;
}

const char *object_hex(struct arena *arena, const uint8_t *bytes, uint64_t size)
{
	char *text = arena_new(arena, 2 * size + 1, 1);
	for (uint64_t i = 0; i < size; i++) {
		text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
		text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
	}
	return text;
}

static void read_debug_link(struct span span, bool swap, struct object_links *ret)
{
	uint64_t size = span.size;
	const char *name = take_name(&span);
	uint64_t crc_off = name ? (strlen(name) + 1 + 3) & ~(uint64_t)3 : 0;
	if (!name || size < crc_off + 4)
		return;
	ret->debug_name = name;
	ret->debug_crc = bytes_u32((const uint8_t *)name + crc_off, swap);
}

static void read_alternate_link(struct arena *arena, struct span span, struct object_links *ret)
{
	ret->alternate_name = take_name(&span);
	ret->alternate_id = object_hex(arena, span.data, span.size);
}

static void read_supplement(struct arena *arena, struct span span, struct object_links *ret)
{
	enum { HEADER_BYTES = 3 };
	uint64_t length;
	if (span.size < HEADER_BYTES + 1)
		return;
	bool is_supplement = span.data[2] != 0;
	span.data += HEADER_BYTES;
	span.size -= HEADER_BYTES;
	const uint8_t *end = span.data + span.size;
	const char *name = take_name(&span);
	if (!name) /* a supplementary file need not name itself */
		span.data++;
	if (!bytes_uleb(&span.data, end, &length) || length > (uint64_t)(end - span.data))
		return;
	const char *id = object_hex(arena, span.data, length);
	if (is_supplement) {
		ret->supplement_id = id;
		return;
	}
	ret->alternate_name = name;
	ret->alternate_id = id;
}

void object_links_read(struct arena *arena, const struct object *object, struct object_links *ret)
{
	const struct object_handle *handle = object->handle;
	bool swap = bytes_swapped(object->types.big_endian);
	Elf_Scn *section = NULL;
	size_t names;
	*ret = (struct object_links){.debug_name = NULL};
	if (!handle || !handle->elf || elf_getshdrstrndx(handle->elf, &names) != 0)
		return;
	while ((section = elf_nextscn(handle->elf, section))) {
		GElf_Shdr header;
		if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS ||
			header.sh_offset > handle->image_bytes ||
			header.sh_size > handle->image_bytes - header.sh_offset)
			continue;
		const char *name = elf_strptr(handle->elf, names, header.sh_name);
		struct span span = {handle->image + header.sh_offset, header.sh_size};
		if (!name)
			continue;
		if (strcmp(name, ".gnu_debuglink") == 0)
			read_debug_link(span, swap, ret);
		else if (strcmp(name, ".gnu_debugaltlink") == 0)
			read_alternate_link(arena, span, ret);
		else if (strcmp(name, ".debug_sup") == 0)
			read_supplement(arena, span, ret);
	}
}

uint32_t object_crc(const struct object *object)
{
	const struct object_handle *handle = object->handle;
	return (uint32_t)crc32_z(0, handle->image, handle->image_bytes);
}

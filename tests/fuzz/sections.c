#include "sections.h"

#include <string.h>

#include "base/mem.h"
#include "pieces.h"
#include "read/object/handle.h"

static struct object_handle no_file = {.fd = -1};

static void describe(struct object *object, const char *path, uint8_t flags)
{
	bool is_64bit = !(flags & FLAG_32_BIT);
	*object = (struct object){
		.path = path,
		.debug_path = path,
		.handle = &no_file,
		.is_64bit = is_64bit,
		.is_split = flags & FLAG_SPLIT,
		.machine = is_64bit ? "x86-64" : "i386",
		.line_bytes = 64,
		.types = {.pointer_bytes = is_64bit ? 8 : 4,
			.big_endian = flags & FLAG_BIG_ENDIAN,
			.scalar_align_max = is_64bit ? 16 : 4},
	};
	for (int id = 0; id < OBJECT_SECTION_COUNT; id++)
		object->sections[id].name = ".debug";
}

void sections_init(struct sections *sections, const uint8_t *data, size_t size)
{
	struct pieces pieces;
	pieces_read(data, size, &pieces);
	describe(&sections->object, "x.o", pieces.flags);
	describe(&sections->alternate, "shared", pieces.flags & ~FLAG_SPLIT);
	for (size_t i = 0; i < pieces.count; i++) {
		const struct piece *piece = &pieces.items[i];
		struct object *object =
			piece->id & ID_ALTERNATE ? &sections->alternate : &sections->object;
		struct object_section *section =
			&object->sections[(piece->id & ID_SECTION) % OBJECT_SECTION_COUNT];
		if (section->data || !piece->size)
			continue;
		uint8_t *copy = mem_new(piece->size, 1);
		memcpy(copy, piece->data, piece->size);
		section->data = copy;
		section->size = piece->size;
	}
	if (!sections->alternate.sections[OBJECT_DEBUG_INFO].data)
		return;
	sections->alternate.start = object_span(&sections->object);
	sections->alternate.strings_start = sections->object.sections[OBJECT_DEBUG_STR].size +
					    sections->object.sections[OBJECT_DEBUG_LINE_STR].size;
	sections->companions[0] = &sections->alternate;
	sections->object.companions = sections->companions;
	sections->object.companion_count = 1;
	sections->object.alternate = &sections->alternate;
}

void sections_release(struct sections *sections)
{
	for (int id = 0; id < OBJECT_SECTION_COUNT; id++) {
		mem_free((void *)(uintptr_t)sections->object.sections[id].data);
		mem_free((void *)(uintptr_t)sections->alternate.sections[id].data);
	}
}

/*
 * btf: types and strings, to which a header is made, or a section as it is; with a base, if there is one.
 *
 * Definitions that are found are read, and laid out.
 */
#include <linux/btf.h>
#include <string.h>

#include "base/mem.h"
#include "layout.h"
#include "pieces.h"
#include "read/btf.h"
#include "sections.h"
#include "target.h"

enum { ID_RAW, ID_TYPES, ID_STRINGS, ID_KINDS, ID_BASE = 4 };
enum { FLAG_RAW_FILE = 4 };
enum { DEFINITIONS_MAX = 256 };

static uint32_t order(uint32_t number, bool swap)
{
	return swap ? __builtin_bswap32(number) : number;
}

/* Whoever reads it reads no byte behind it: it has memory of its own. */
static struct object_section assemble(const struct pieces *pieces, unsigned first)
{
	struct piece kinds[ID_KINDS] = {{0}};
	struct object_section section = {.name = ".BTF"};
	bool swap = pieces->flags & FLAG_BIG_ENDIAN;
	for (size_t i = 0; i < pieces->count; i++)
		if (pieces->items[i].id - first < ID_KINDS &&
			!kinds[pieces->items[i].id - first].size)
			kinds[pieces->items[i].id - first] = pieces->items[i];
	if (!kinds[ID_TYPES].size && !kinds[ID_STRINGS].size && !kinds[ID_RAW].size)
		return section;
	struct btf_header header = {.magic = swap ? 0x9feb : 0xeb9f,
		.version = BTF_VERSION,
		.hdr_len = order(sizeof(header), swap),
		.type_len = order((uint32_t)kinds[ID_TYPES].size, swap),
		.str_off = order((uint32_t)kinds[ID_TYPES].size, swap),
		.str_len = order((uint32_t)kinds[ID_STRINGS].size, swap)};
	bool is_made = kinds[ID_TYPES].size || kinds[ID_STRINGS].size;
	size_t head = is_made ? sizeof(header) : 0;
	section.size = head + kinds[ID_TYPES].size + kinds[ID_STRINGS].size + kinds[ID_RAW].size;
	uint8_t *bytes = mem_new(section.size, 1), *at = bytes + head;
	memcpy(bytes, &header, head);
	static const int places[] = {ID_TYPES, ID_STRINGS, ID_RAW};
	for (int i = 0; i < ID_KINDS; i++) {
		const struct piece *piece = &kinds[places[i]];
		if (piece->size)
			memcpy(at, piece->data, piece->size);
		at += piece->size;
	}
	section.data = bytes;
	return section;
}

static void read_definitions(
	struct arena *arena, const struct btf_file *file, const struct index *index)
{
	const struct index_def *defs[DEFINITIONS_MAX];
	struct btf_definition read[DEFINITIONS_MAX];
	size_t count = index->count < DEFINITIONS_MAX ? index->count : DEFINITIONS_MAX;
	for (size_t i = 0; i < count; i++)
		defs[i] = &index->defs[i];
	btf_file_read(arena, file, defs, count, read);
	for (size_t i = 0; i < count; i++) {
		struct layout layout;
		const struct layout_gap *gaps;
		HOLDS(!read[i].types == (read[i].damage != NULL));
		if (read[i].damage)
			continue;
		if (!refused(layout_build(
			    arena, read[i].types, read[i].id, defs[i]->name, 64, &layout)))
			layout_inner_gaps(arena, &layout, &gaps);
	}
}

static void read_file(struct arena *arena, const struct object *object, const struct btf_base *base)
{
	static const char *const names[] = {"s", "list_t", "*_*"};
	struct btf_file *file;
	struct index all, some;
	const struct index_query everything = {.compares = true, .jobs = 1};
	const struct index_query by_name = {.patterns = names, .pattern_count = 3, .jobs = 1};
	if (refused(btf_file_open(arena, object, base, &file)))
		return;
	if (!refused(btf_file_index(arena, file, &everything, &all)))
		read_definitions(arena, file, &all);
	refused(btf_file_index(arena, file, &by_name, &some));
	btf_file_close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sections sections;
	struct pieces pieces;
	struct arena arena;
	struct btf_base base = {.path = "base"};
	bool needs_base;
	arena_init(&arena);
	sections_init(&sections, data, size ? 1 : 0);
	pieces_read(data, size, &pieces);
	sections.object.is_raw_btf = pieces.flags & FLAG_RAW_FILE;
	struct object_section own = assemble(&pieces, 0), other = assemble(&pieces, ID_BASE);
	sections.object.sections[OBJECT_BTF] = own;
	base.section = &other;
	if (!refused(btf_file_needs_base(&sections.object, &needs_base)))
		read_file(&arena, &sections.object, needs_base && other.data ? &base : NULL);
	sections_release(&sections);
	mem_free((void *)(uintptr_t)other.data);
	arena_release(&arena);
	return 0;
}

#include "read/object.h"

#include <elf.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/number.h"
#include "read/archive.h"
#include "read/object/areas.h"
#include "read/object/handle.h"
#include "read/object/image.h"
#include "read/object/machine.h"
#include "read/object/magic.h"
#include "read/object/package.h"
#include "read/object/packed.h"
#include "read/object/relocate.h"

static const char *const section_names[OBJECT_SECTION_COUNT] = {
	[OBJECT_DEBUG_INFO] = ".debug_info",
	[OBJECT_DEBUG_ABBREV] = ".debug_abbrev",
	[OBJECT_DEBUG_STR] = ".debug_str",
	[OBJECT_DEBUG_LINE] = ".debug_line",
	[OBJECT_DEBUG_LINE_STR] = ".debug_line_str",
	[OBJECT_DEBUG_STR_OFFSETS] = ".debug_str_offsets",
	[OBJECT_DEBUG_ADDR] = ".debug_addr",
	[OBJECT_DEBUG_RANGES] = ".debug_ranges",
	[OBJECT_DEBUG_RNGLISTS] = ".debug_rnglists",
	[OBJECT_DEBUG_LOC] = ".debug_loc",
	[OBJECT_DEBUG_LOCLISTS] = ".debug_loclists",
	[OBJECT_DEBUG_TYPES] = ".debug_types",
	[OBJECT_DEBUG_ARANGES] = ".debug_aranges",
	[OBJECT_DEBUG_CU_INDEX] = ".debug_cu_index",
	[OBJECT_DEBUG_TU_INDEX] = ".debug_tu_index",
	[OBJECT_BTF] = ".BTF",
	[OBJECT_BTF_BASE] = ".BTF.base",
};

/* Nobody reads these to learn a type; they are not worth unpacking or relocating. */
static bool section_is_idle(int id)
{
	return id == OBJECT_DEBUG_LOC || id == OBJECT_DEBUG_LOCLISTS ||
	       id == OBJECT_DEBUG_ARANGES || id == OBJECT_DEBUG_RANGES ||
	       id == OBJECT_DEBUG_RNGLISTS;
}

/* ---- section table ---- */

/*
 * A debug section of the file. Relocatable objects have several of one name (type units in COMDAT groups).
 */
struct part {
	Elf_Scn *section;
	GElf_Shdr header;
	int id;
	uint64_t size;      /* once its bytes are in place: unpacked */
	bool is_split;      /* .debug_*.dwo */
	bool is_packed;     /* SHF_COMPRESSED */
	bool is_packed_gnu; /* .zdebug_*: "ZLIB" and a big-endian size before the data */
};

struct loader {
	const char *path;
	struct object *object;
	Elf *elf;
	struct part *parts; /* in file order; owned */
	size_t part_count, part_capacity;
	size_t section_count;
	uint64_t *bases; /* by section index: where its bytes went in their object_section; owned */
	bool wants_split;  /* the .dwo sections, whatever else is there */
	uint64_t unpacked; /* bytes of all compressed sections */
	size_t *relocs; /* by section index: the section with its relocations, 0 without; owned */
};

/* "debug_info" of .debug_info, .zdebug_info and both with .dwo, or -1. */
static int section_id(const char *name, bool *is_split)
{
	*is_split = false;
	if (strcmp(name, section_names[OBJECT_BTF]) == 0)
		return OBJECT_BTF;
	if (strcmp(name, section_names[OBJECT_BTF_BASE]) == 0)
		return OBJECT_BTF_BASE;
	size_t length = strlen(name);
	*is_split = length > 4 && strcmp(name + length - 4, ".dwo") == 0;
	const char *start = name;
	if (*is_split)
		length -= 4;
	if (strncmp(name, ".zdebug_", 8) == 0)
		name += 2;
	else if (strncmp(name, ".debug_", 7) == 0)
		name += 1;
	else
		return -1;
	length -= (size_t)(name - start);
	for (int i = 0; i < OBJECT_SECTION_COUNT; i++)
		if (strlen(section_names[i]) - 1 == length &&
			memcmp(section_names[i] + 1, name, length) == 0)
			return i;
	return -1;
}

static struct error *truncated(const char *path, const char *what, uint64_t end, uint64_t have)
{
	return error_new("%s: truncated: %s end at byte %" PRIu64 " of %" PRIu64
			 "; copy or build it again",
		path, what, end, have);
}

/* The table itself, before libelf is asked for it: libelf says "no sections" to a table past the end. */
static struct error *check_table(
	const struct loader *loader, const GElf_Ehdr *header, uint64_t file_bytes)
{
	uint64_t entry_bytes =
		header->e_ident[EI_CLASS] == ELFCLASS64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	if (header->e_shoff == 0)
		return NULL;
	uint64_t count = header->e_shnum ? header->e_shnum : 1;
	if (header->e_shoff > file_bytes || file_bytes - header->e_shoff < count * entry_bytes)
		return truncated(loader->path, "its section headers",
			header->e_shoff + count * entry_bytes, file_bytes);
	if (header->e_shentsize != entry_bytes)
		return error_new("%s: damaged ELF header (section headers of %u bytes); copy or "
				 "build it again",
			loader->path, (unsigned)header->e_shentsize);
	return NULL;
}

static void note_section(
	struct loader *loader, Elf_Scn *section, const GElf_Shdr *header, const char *name)
{
	struct object_handle *handle = loader->object->handle;
	if (strcmp(name, ".symtab") == 0)
		handle->has_symbols = true;
	else if (strncmp(name, ".gnu.lto_", 9) == 0)
		handle->is_lto = true;

	bool is_split;
	int id = section_id(name, &is_split);
	if (id < 0)
		return;
	loader->parts = mem_grow(
		loader->parts, &loader->part_capacity, loader->part_count + 1, sizeof(struct part));
	loader->parts[loader->part_count++] = (struct part){
		.section = section,
		.header = *header,
		.id = id,
		.is_split = is_split,
		.is_packed = header->sh_flags & SHF_COMPRESSED,
		.is_packed_gnu = name[1] == 'z',
	};
}

/* So that the addresses of data in the debug sections say in which section it lies. */
static void place_areas(struct loader *loader)
{
	struct object_handle *handle = loader->object->handle;
	if (!loader->object->is_relocatable)
		return;
	handle->areas = areas_place(loader->elf, loader->section_count);
	handle->area_count = loader->section_count;
	memcpy(loader->bases, handle->areas, loader->section_count * sizeof(*loader->bases));
}

/* Finds the sections that matter; none may reach past the end of the file. */
static struct error *scan_sections(struct loader *loader)
{
	const struct object_handle *handle = loader->object->handle;
	size_t names;
	if (elf_getshdrnum(loader->elf, &loader->section_count) != 0)
		return error_new("%s: damaged section headers (%s); copy or build it again",
			loader->path, elf_errmsg(-1));
	bool has_names = elf_getshdrstrndx(loader->elf, &names) == 0;
	loader->bases = mem_new(loader->section_count, sizeof(*loader->bases));
	loader->relocs = mem_new(loader->section_count, sizeof(*loader->relocs));

	place_areas(loader);
	for (size_t i = 1; i < loader->section_count; i++) {
		Elf_Scn *section = elf_getscn(loader->elf, i);
		GElf_Shdr header;
		if (!section || !gelf_getshdr(section, &header))
			return error_new(
				"%s: damaged header of section %zu (%s); copy or build it again",
				loader->path, i, elf_errmsg(-1));
		const char *name =
			has_names ? elf_strptr(loader->elf, names, header.sh_name) : NULL;
		if (header.sh_type == SHT_NOBITS || header.sh_type == SHT_NULL ||
			header.sh_size == 0)
			continue;
		if (header.sh_offset > handle->image_bytes ||
			header.sh_size > handle->image_bytes - header.sh_offset)
			return error_new(
				"%s: truncated: section %s reaches past the end of the file"
				" (%zu byte%s); copy or build it again",
				loader->path, name && *name ? name : "without a name",
				handle->image_bytes, number_s(handle->image_bytes));
		if ((header.sh_type == SHT_RELA || header.sh_type == SHT_REL) &&
			header.sh_info < loader->section_count)
			loader->relocs[header.sh_info] = i;
		if (name)
			note_section(loader, section, &header, name);
	}
	return NULL;
}

/* ---- contents ---- */

/* The bytes of one section of the file, unpacked: a view of the mapping or of libelf's memory, or in *owned, the caller's. */
static struct error *part_bytes(struct loader *loader, const struct part *part,
	const uint8_t **bytes, uint64_t *size, uint8_t **owned)
{
	const struct packed_section packed = {
		.object = loader->object,
		.name = section_names[part->id],
		.section = part->section,
		.header = &part->header,
		.is_gnu = part->is_packed_gnu,
	};
	*owned = NULL;
	if (part->is_packed || part->is_packed_gnu)
		return packed_read(&packed, &loader->unpacked, bytes, size, owned);
	*bytes = loader->object->handle->image + part->header.sh_offset;
	*size = part->header.sh_size;
	return NULL;
}

static bool part_is_relocated(const struct loader *loader, const struct part *part)
{
	/* of BTF only the places of variables are relocated */
	return loader->object->is_relocatable && part->id < OBJECT_DWARF_COUNT &&
	       loader->relocs[elf_ndxscn(part->section)] != 0;
}

/*
 * A section that is one piece of final bytes is a view; anything else is put together in memory of our own.
 */
static bool needs_copy(const struct loader *loader, int id)
{
	size_t count = 0;
	for (size_t i = 0; i < loader->part_count; i++) {
		if (loader->parts[i].id != id)
			continue;
		if (++count > 1 || part_is_relocated(loader, &loader->parts[i]))
			return true;
	}
	return false;
}

static bool is_packed(const struct loader *loader, int id)
{
	for (size_t i = 0; i < loader->part_count; i++)
		if (loader->parts[i].id == id &&
			(loader->parts[i].is_packed || loader->parts[i].is_packed_gnu))
			return true;
	return false;
}

static struct error *copy_parts(struct loader *loader, int id)
{
	struct object *object = loader->object;
	struct object_section *target = &object->sections[id];
	size_t capacity = 0;
	uint8_t *copy = NULL;
	for (size_t i = 0; i < loader->part_count; i++) {
		struct part *part = &loader->parts[i];
		const uint8_t *bytes;
		uint8_t *owned;
		if (part->id != id)
			continue;
		struct error *error = part_bytes(loader, part, &bytes, &part->size, &owned);
		if (error)
			return error;
		uint64_t size = part->size;
		loader->bases[elf_ndxscn(part->section)] = target->size;
		copy = mem_grow(copy, &capacity, target->size + size, 1);
		object->handle->copies[id] = copy;
		memcpy(copy + target->size, bytes, size);
		mem_free(owned);
		target->size += size;
	}
	target->data = copy;
	return NULL;
}

static struct error *load_section(struct loader *loader, int id)
{
	struct object_section *target = &loader->object->sections[id];
	if (section_is_idle(id) && (needs_copy(loader, id) || is_packed(loader, id)))
		return NULL;
	if (needs_copy(loader, id))
		return copy_parts(loader, id);
	for (size_t i = 0; i < loader->part_count; i++)
		if (loader->parts[i].id == id)
			return part_bytes(loader, &loader->parts[i], &target->data, &target->size,
				&loader->object->handle->copies[id]);
	return NULL;
}

/* After all sections are in place: a relocation of one counts from where another ended up. */
static struct error *relocate_sections(struct loader *loader)
{
	const struct object_handle *handle = loader->object->handle;
	const struct relocate_file file = {
		.object = loader->object,
		.elf = loader->elf,
		.section_count = loader->section_count,
		.bases = loader->bases,
	};
	for (size_t i = 0; i < loader->part_count; i++) {
		const struct part *part = &loader->parts[i];
		size_t index = elf_ndxscn(part->section);
		if (!handle->copies[part->id] || !part_is_relocated(loader, part))
			continue;
		struct relocate_target target = {
			.name = section_names[part->id],
			.data = handle->copies[part->id] + loader->bases[index],
			.size = part->size,
			.base = loader->bases[index],
		};
		struct error *error = relocate(&file, &target, loader->relocs[index]);
		if (error)
			return error;
	}
	return NULL;
}

/* The indexes of a package have no .dwo in their names, and BTF is of neither set. */
static bool is_of_set(const struct part *part, bool is_split)
{
	return part->id >= OBJECT_DEBUG_CU_INDEX || part->is_split == is_split;
}

/* Leaves one of the two sets of sections, the .dwo ones where they are wanted or the others are not there. */
static void choose_set(struct loader *loader)
{
	bool has[2] = {false, false};
	size_t kept = 0;
	for (size_t i = 0; i < loader->part_count; i++)
		if (loader->parts[i].id == OBJECT_DEBUG_INFO)
			has[loader->parts[i].is_split] = true;
	bool is_split = loader->wants_split || (has[true] && !has[false]);
	for (size_t i = 0; i < loader->part_count; i++)
		if (is_of_set(&loader->parts[i], is_split))
			loader->parts[kept++] = loader->parts[i];
	loader->part_count = kept;
	loader->object->is_split = is_split;
}

static struct error *load_sections(struct loader *loader)
{
	struct error *error = NULL;
	choose_set(loader);
	for (int id = 0; id < OBJECT_SECTION_COUNT && !error; id++)
		error = load_section(loader, id);
	return error ? error : relocate_sections(loader);
}

/* ---- build-id ---- */

static const char *build_id_of(struct arena *arena, Elf_Data *notes)
{
	GElf_Nhdr note;
	size_t name_off, desc_off, next;
	for (size_t off = 0; (next = gelf_getnote(notes, off, &note, &name_off, &desc_off)) > off;
		off = next) {
		const uint8_t *data = notes->d_buf;
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof("GNU") ||
			note.n_descsz == 0 || note.n_descsz > 64 ||
			memcmp(data + name_off, "GNU", sizeof("GNU")) != 0)
			continue;
		char *text = arena_new(arena, 2 * note.n_descsz + 1, 1);
		for (size_t i = 0; i < note.n_descsz; i++) {
			text[2 * i] = "0123456789abcdef"[data[desc_off + i] >> 4];
			text[2 * i + 1] = "0123456789abcdef"[data[desc_off + i] & 15];
		}
		return text;
	}
	return NULL;
}

static void find_build_id(struct arena *arena, const struct loader *loader)
{
	for (size_t i = 1; i < loader->section_count && !loader->object->build_id; i++) {
		Elf_Scn *section = elf_getscn(loader->elf, i);
		GElf_Shdr header;
		if (!section || !gelf_getshdr(section, &header) || header.sh_type != SHT_NOTE)
			continue;
		Elf_Data *notes = elf_getdata(section, NULL);
		if (notes)
			loader->object->build_id = build_id_of(arena, notes);
	}
}

/* ---- the whole ---- */

static struct error *check_type(const char *path, const GElf_Ehdr *header)
{
	if (header->e_type == ET_CORE)
		return error_new("%s: is a core dump, which has no debug information; use the "
				 "program that dumped it",
			path);
	if (header->e_type != ET_REL && header->e_type != ET_EXEC && header->e_type != ET_DYN)
		return error_new("%s: is an ELF file of unknown type %u; use an executable, a "
				 "library or an object",
			path, (unsigned)header->e_type);
	return NULL;
}

static struct error *load_elf(struct arena *arena, struct loader *loader)
{
	struct object_handle *handle = loader->object->handle;
	GElf_Ehdr header;
	if (!gelf_getehdr(handle->elf, &header))
		return error_new("%s: truncated or damaged ELF file (%s); copy or build it again",
			loader->path, elf_errmsg(-1));
	loader->elf = handle->elf;

	struct error *error = check_type(loader->path, &header);
	if (!error)
		error = check_table(loader, &header, handle->image_bytes);
	if (error)
		return error;
	machine_describe(arena, &header, loader->object);
	error = scan_sections(loader);
	if (!error)
		error = load_sections(loader);
	if (error)
		return error;
	find_build_id(arena, loader);
	return package_read(arena, loader->object);
}

/* `member`: NULL, or what `path` names. */
static struct error *open_set(struct arena *arena, const char *path,
	const struct archive_member *member, bool wants_split, struct object *ret)
{
	struct object object = {
		.path = arena_strdup(arena, path),
		.handle = arena_new(arena, 1, sizeof(struct object_handle)),
	};
	object.debug_path = object.path;
	struct loader loader = {.path = object.path, .object = &object, .wants_split = wants_split};
	object.handle->fd = -1;
	for (int id = 0; id < OBJECT_SECTION_COUNT; id++)
		object.sections[id].name = section_names[id];
	struct error *error =
		member ? image_open_member(member, &object) : image_open(arena, path, &object);
	if (!error && !object.is_raw_btf)
		error = load_elf(arena, &loader);
	mem_free(loader.parts);
	mem_free(loader.bases);
	mem_free(loader.relocs);
	if (error) {
		object_close(&object);
		return error;
	}
	*ret = object;
	return NULL;
}

struct error *object_open(struct arena *arena, const char *path, struct object *ret)
{
	return open_set(arena, path, NULL, false, ret);
}

struct error *object_open_member(
	struct arena *arena, const struct archive_member *member, struct object *ret)
{
	return open_set(arena, member->path, member, false, ret);
}

struct error *object_open_split(struct arena *arena, const char *path, struct object *ret)
{
	return open_set(arena, path, NULL, true, ret);
}

void object_close_file(struct object *object)
{
	if (object->handle->fd >= 0)
		close(object->handle->fd);
	object->handle->fd = -1;
}

static void close_handle(struct object_handle *handle)
{
	elf_end(handle->elf);
	if (handle->fd >= 0)
		close(handle->fd);
	for (int id = 0; id < OBJECT_SECTION_COUNT; id++)
		mem_free(handle->copies[id]);
	mem_free(handle->raw);
	mem_free(handle->areas);
	*handle = (struct object_handle){0};
}

void object_close(struct object *object)
{
	for (size_t i = 0; i < object->companion_count; i++)
		object_close(object->companions[i]);
	object->companion_count = 0;
	for (struct object_handle *handle = object->handle, *next; handle; handle = next) {
		next = handle->stripped;
		close_handle(handle);
	}
	object->handle = NULL;
}

/*
 * Symbols are read from the debug file as well: strip leaves them there, with the headers of all sections.
 */
void object_take_debug(struct object *object, struct object *debug)
{
	/* BTF is loaded with the program: it stays in the stripped file */
	for (int id = 0; id < OBJECT_SECTION_COUNT; id++)
		if (id < OBJECT_DWARF_COUNT || !object->sections[OBJECT_BTF].data)
			object->sections[id] = debug->sections[id];
	debug->handle->stripped = object->handle;
	object->handle = debug->handle;
	object->debug_path = debug->path;
	debug->handle = NULL;
}

bool object_copy(const struct object *object, enum object_section_id id, uint64_t off,
	uint64_t size, uint8_t *buffer)
{
	const struct object_handle *handle = object->handle;
	const struct object_section *section = &object->sections[id];
	if (!handle || handle->fd < 0)
		return false; /* sections that somebody made up */
	uintptr_t image = (uintptr_t)handle->image, data = (uintptr_t)section->data;
	if (data < image || data - image > handle->image_bytes || off > section->size ||
		size > section->size - off)
		return false;
	return file_read_at(handle->fd, buffer, size, data - image + off);
}

/* Why there is none, and what to do. */
static void describe_absence(const struct object *object, struct buf *text)
{
	if (object->sections[OBJECT_BTF].data) {
		buf_printf(text, "no .debug_info section, only %s",
			object->is_raw_btf ? "raw BTF" : ".BTF");
		if (object->looked_at)
			buf_printf(text, " (looked for a separate file at %s)", object->looked_at);
		buf_puts(text,
			"; use the file with DWARF (build with -g, or install the -dbg package");
		buf_puts(text,
			object->looked_at ? ", or name its directory with --debug-dir)" : ")");
		return;
	}
	if (object->handle->is_lto) {
		buf_puts(text, "no .debug_info section yet: built with -flto, it gets its debug "
			       "information when it is linked; use the linked program, or build "
			       "with -ffat-lto-objects or without -flto");
		return;
	}
	buf_printf(text, "no debug information (no .debug_info section; %s",
		object->handle->has_symbols ? "built without -g" : "stripped");
	if (object->looked_at)
		buf_printf(text, "; looked for a separate file at %s", object->looked_at);
	buf_puts(text, "); build with -g, or install the -dbg or -dbgsym package");
	if (object->looked_at)
		buf_puts(text, " or name its directory with --debug-dir");
	else if (object->build_id && strlen(object->build_id) > 2)
		buf_printf(text, " and use the debug file, /usr/lib/debug/.build-id/%.2s/%s.debug",
			object->build_id, object->build_id + 2);
	else
		buf_puts(text, " and use the debug file");
}

struct error *object_require_dwarf(const struct object *object)
{
	if (object->sections[OBJECT_DEBUG_INFO].data)
		return NULL;
	struct buf text;
	buf_init(&text);
	describe_absence(object, &text);
	struct error *error = error_new("%s: %s", object->path, text.data);
	buf_release(&text);
	return error;
}

#include "read/dwarf/entry.h"

#include "base/mem.h"
#include "read/dwarf/attribute.h"
#include "read/dwarf/handle.h"
#include "read/dwarf/thirds.h"

/* Of these libdwarf would read every header, whatever it is asked for. */
static bool is_hidden(int id)
{
	return id == OBJECT_DEBUG_RANGES || id == OBJECT_DEBUG_RNGLISTS || id == OBJECT_DEBUG_LOC ||
	       id == OBJECT_DEBUG_LOCLISTS || id == OBJECT_DEBUG_ARANGES ||
	       id == OBJECT_DEBUG_LINE || id == OBJECT_DEBUG_CU_INDEX ||
	       id == OBJECT_DEBUG_TU_INDEX;
}

/* What starts at `off` of a section: the units of a package count from there. */
static void cut(struct libdwarf_section *section, uint64_t off)
{
	uint64_t cut_bytes = off < section->size ? off : section->size;
	if (!section->data)
		return;
	section->data += cut_bytes;
	section->size -= cut_bytes;
}

/* Where libdwarf needs another abbreviation table, it is shown that one at the same offset, and no others. */
static void replace_abbrevs(struct entry_handle *handle, uint64_t off)
{
	struct libdwarf_section *section = &handle->sections[OBJECT_DEBUG_ABBREV];
	size_t size;
	if (off >= section->size || !(handle->sections[OBJECT_DEBUG_STR_OFFSETS].data ||
					    handle->sections[OBJECT_DEBUG_ADDR].data))
		return;
	handle->abbrevs = thirds_rewrite(section->data + off, section->data + section->size, &size);
	if (!handle->abbrevs)
		return;
	section->data = (const uint8_t *)((uintptr_t)handle->abbrevs - off);
	section->size = off + size;
}

/* The unit alone, with the sections that its attributes point into. */
static void present(const struct entry_extent *extent, struct entry_handle *handle)
{
	uint64_t have;
	const struct object *file = extent->object;
	for (int i = 0; i < OBJECT_DWARF_COUNT; i++) {
		const struct object_section *section = &file->sections[i];
		if (!is_hidden(i))
			handle->sections[i] = (struct libdwarf_section){
				section->name, section->data, section->size};
	}
	if (handle->part)
		cut(&handle->sections[OBJECT_DEBUG_ABBREV], handle->part->abbrev_off);
	if (extent->version >= 5)
		replace_abbrevs(handle, extent->abbrev_off);
	handle->sections[OBJECT_DEBUG_INFO].data = NULL;
	handle->sections[OBJECT_DEBUG_TYPES].data = NULL;
	struct libdwarf_section *own =
		&handle->sections[handle->is_types ? OBJECT_DEBUG_TYPES : OBJECT_DEBUG_INFO];
	own->data = entry_bytes(handle->object, extent->off, &have);
	own->size = extent->end - extent->off;
	handle->source = (struct libdwarf_source){
		.sections = handle->sections,
		.section_count = OBJECT_DWARF_COUNT,
		.is_big_endian = handle->object->types.big_endian,
		.offset_bytes = extent->offset_bytes,
		.address_bytes = extent->address_bytes,
	};
}

static struct error *open_root(struct entry_unit *unit)
{
	struct entry_handle *handle = unit->handle;
	Dwarf_Error error = NULL;
	Dwarf_Unsigned length, type_off, next;
	Dwarf_Half version, address_bytes, offset_bytes, extension, unit_type;
	Dwarf_Off abbrev_off;
	Dwarf_Sig8 signature;
	if (libdwarf_open(&handle->source, &handle->interface, &handle->debug, &error) != DW_DLV_OK)
		return handle_error(unit, unit->extent.off, error);
	if (dwarf_next_cu_header_d(handle->debug, !handle->is_types, &length, &version, &abbrev_off,
		    &address_bytes, &offset_bytes, &extension, &signature, &type_off, &next,
		    &unit_type, &error) != DW_DLV_OK ||
		dwarf_siblingof_b(handle->debug, NULL, !handle->is_types, &handle->root, &error) !=
			DW_DLV_OK)
		return handle_error(unit, unit->extent.off, error);
	Dwarf_Off off;
	if (dwarf_dieoffset(handle->root, &off, &error) != DW_DLV_OK)
		return handle_error(unit, unit->extent.off, error);
	unit->extent.root_off = unit->extent.off + off;
	return NULL;
}

struct error *handle_open(struct entry_unit *unit)
{
	if (unit->handle->debug)
		return NULL;
	present(&unit->extent, unit->handle);
	return open_root(unit);
}

void entry_begin(void)
{
	libdwarf_begin();
}

/* What a split unit leaves to the one that stands for it in the linked file. */
static void find_skeleton(struct entry_unit *unit)
{
	struct entry_handle *handle = unit->handle;
	if (!handle->file->is_split || !unit->extent.dwo_id)
		return;
	handle->skeleton = object_skeleton(handle->object, unit->extent.dwo_id);
	if (handle->skeleton && !*unit->comp_dir)
		unit->comp_dir = handle->skeleton->comp_dir;
}

static struct entry_handle *new_handle(
	const struct object *object, const struct entry_extent *extent)
{
	const struct object *file = extent->object;
	struct entry_handle *handle = mem_new(1, sizeof(*handle));
	handle->object = object;
	handle->file = file;
	handle->part = object_contribution(file, extent->off - file->start);
	handle->is_types = extent->off - file->start >= file->sections[OBJECT_DEBUG_INFO].size;
	plain_init(&handle->plain, object, extent, handle->part);
	return handle;
}

/* What the unit says of itself. */
static struct error *read_root(struct entry_unit *unit)
{
	struct entry_handle *handle = unit->handle;
	struct field_root root;
	struct error *error = NULL;
	if (!plain_read_root(&handle->plain, &root)) {
		error = handle_open(unit);
		if (!error)
			error = attribute_read_root(unit, &root);
	}
	if (error)
		return error;
	unit->name = root.name ? root.name : "";
	unit->producer = root.producer ? root.producer : "";
	unit->comp_dir = root.comp_dir ? root.comp_dir : "";
	unit->language = (uint16_t)root.language;
	if (root.dwo_id)
		unit->extent.dwo_id = root.dwo_id;
	handle->has_lines = root.has_lines;
	handle->line_off = root.line_off + (handle->part ? handle->part->line_off : 0);
	return NULL;
}

struct error *entry_unit_open(const struct object *object, uint64_t off, struct entry_unit *ret)
{
	struct entry_unit unit = {.name = NULL};
	struct error *error = entry_extent_read(object, off, &unit.extent);
	if (error)
		return error;
	unit.handle = new_handle(object, &unit.extent);
	error = read_root(&unit);
	if (error) {
		entry_unit_close(&unit);
		return error;
	}
	find_skeleton(&unit);
	*ret = unit;
	return NULL;
}

void entry_unit_close(struct entry_unit *unit)
{
	struct entry_handle *handle = unit->handle;
	if (!handle)
		return;
	if (handle->debug) {
		if (handle->root)
			dwarf_dealloc(handle->debug, handle->root, DW_DLA_DIE);
		libdwarf_close(handle->debug);
	}
	plain_release(&handle->plain);
	lines_release(&handle->lines);
	mem_free(handle->abbrevs);
	mem_free(handle);
	unit->handle = NULL;
}

const char *entry_file(struct entry_unit *unit, uint64_t index, struct intern *strings)
{
	struct entry_handle *handle = unit->handle;
	const struct object_skeleton *skeleton = handle->skeleton;
	if (handle->has_lines && !handle->lines_read)
		lines_read(&handle->lines, handle->file, handle->line_off, unit->comp_dir);
	else if (skeleton && skeleton->has_lines && !handle->lines_read)
		lines_read(&handle->lines, handle->object, skeleton->line_off, unit->comp_dir);
	handle->lines_read = true;
	return lines_path(&handle->lines, index, strings);
}

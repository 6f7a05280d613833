#include "read/dwarf/entry.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "read/bytes.h"
#include "read/dwarf/expression.h"
#include "read/dwarf/libdwarf.h"
#include "read/dwarf/lines.h"
#include "read/dwarf/thirds.h"

struct entry_handle {
	const struct object *object; /* with all companions */
	const struct object *file;   /* the one that the unit lies in */
	const struct object_contribution
		*part;             /* of its sections, in a package; NULL: all of them */
	uint64_t str_offsets_base; /* in .debug_str_offsets */
	uint8_t *abbrevs;          /* in place of the unit's table (thirds.h); NULL: none; owned */
	const struct object_skeleton *skeleton; /* of a split unit; NULL: none */
	bool is_types;                          /* the unit lies in .debug_types */
	Dwarf_Debug debug;
	Dwarf_Die root;
	struct lines lines; /* read when first needed */
	bool lines_read;
	uint64_t line_off; /* DW_AT_stmt_list */
	bool has_lines;
	struct libdwarf_source source;
	libdwarf_interface interface;
	struct libdwarf_section sections[OBJECT_DWARF_COUNT];
};

/* ---- units ---- */

/* An error of libdwarf as one of ours. */
static struct error *convert(const struct entry_unit *unit, uint64_t off, Dwarf_Error error)
{
	const struct entry_handle *handle = unit->handle;
	struct error *converted =
		entry_damaged(handle->object, off, error ? dwarf_errmsg(error) : "entry missing");
	if (error && handle->debug)
		dwarf_dealloc_error(handle->debug, error);
	return converted;
}

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
static void present(
	const struct object *object, const struct entry_extent *extent, struct entry_handle *handle)
{
	uint64_t have;
	const struct object *file = extent->object;
	handle->object = object;
	handle->file = file;
	handle->part = object_contribution(file, extent->off - file->start);
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
	handle->is_types = extent->off - file->start >= file->sections[OBJECT_DEBUG_INFO].size;
	handle->sections[OBJECT_DEBUG_INFO].data = NULL;
	handle->sections[OBJECT_DEBUG_TYPES].data = NULL;
	struct libdwarf_section *own =
		&handle->sections[handle->is_types ? OBJECT_DEBUG_TYPES : OBJECT_DEBUG_INFO];
	own->data = entry_bytes(object, extent->off, &have);
	own->size = extent->end - extent->off;
	handle->source = (struct libdwarf_source){
		.sections = handle->sections,
		.section_count = OBJECT_DWARF_COUNT,
		.is_big_endian = object->types.big_endian,
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
		return convert(unit, unit->extent.off, error);
	if (dwarf_next_cu_header_d(handle->debug, !handle->is_types, &length, &version, &abbrev_off,
		    &address_bytes, &offset_bytes, &extension, &signature, &type_off, &next,
		    &unit_type, &error) != DW_DLV_OK ||
		dwarf_siblingof_b(handle->debug, NULL, !handle->is_types, &handle->root, &error) !=
			DW_DLV_OK)
		return convert(unit, unit->extent.off, error);
	Dwarf_Off off;
	if (dwarf_dieoffset(handle->root, &off, &error) != DW_DLV_OK)
		return convert(unit, unit->extent.off, error);
	unit->root_off = unit->extent.off + off;
	return NULL;
}

/* ---- attributes ---- */

static bool is_block(Dwarf_Half form)
{
	return form == DW_FORM_block || form == DW_FORM_block1 || form == DW_FORM_block2 ||
	       form == DW_FORM_block4;
}

static bool is_reference(Dwarf_Half form)
{
	return form == DW_FORM_ref1 || form == DW_FORM_ref2 || form == DW_FORM_ref4 ||
	       form == DW_FORM_ref8 || form == DW_FORM_ref_udata;
}

static bool get_number(const struct entry_unit *unit, Dwarf_Attribute attribute, Dwarf_Half form,
	struct entry_number *ret, Dwarf_Error *error)
{
	bool swap = bytes_swapped(unit->handle->object->types.big_endian);
	*ret = (struct entry_number){.state = ENTRY_CONSTANT};
	if (form == DW_FORM_exprloc) {
		Dwarf_Unsigned length;
		Dwarf_Ptr bytes;
		if (dwarf_formexprloc(attribute, &length, &bytes, error) != DW_DLV_OK)
			return false;
		*ret = expression_evaluate(bytes, length, swap);
		return true;
	}
	if (is_block(form)) {
		Dwarf_Block *block;
		if (dwarf_formblock(attribute, &block, error) != DW_DLV_OK)
			return false;
		*ret = expression_evaluate(block->bl_data, block->bl_len, swap);
		dwarf_dealloc(unit->handle->debug, block, DW_DLA_BLOCK);
		return true;
	}
	if (form == DW_FORM_sdata || form == DW_FORM_implicit_const) {
		Dwarf_Signed value;
		if (dwarf_formsdata(attribute, &value, error) != DW_DLV_OK)
			return false;
		ret->value = (uint64_t)value;
		return true;
	}
	if (form == DW_FORM_data1 || form == DW_FORM_data2 || form == DW_FORM_data4 ||
		form == DW_FORM_data8 || form == DW_FORM_udata) {
		Dwarf_Unsigned value;
		if (dwarf_formudata(attribute, &value, error) != DW_DLV_OK)
			return false;
		ret->value = value;
		return true;
	}
	/* a reference to a variable that holds it, a location list, 16 bytes */
	ret->state = ENTRY_DYNAMIC;
	return true;
}

/*
 * The number that stands in an attribute of `size` bytes, or as ULEB128 where that is 0. What leads out of the unit that
 * libdwarf was given, it would look for in there.
 */
static bool get_bytes(const struct entry_unit *unit, Dwarf_Die die, Dwarf_Attribute attribute,
	uint64_t size, uint64_t *ret, Dwarf_Error *error)
{
	const struct object *object = unit->handle->object;
	uint64_t have;
	Dwarf_Off off;
	if (dwarf_attr_offset(die, attribute, &off, error) != DW_DLV_OK)
		return false;
	const uint8_t *at = entry_bytes(object, unit->extent.off + off, &have);
	if (at && !size)
		return bytes_uleb(&at, at + have, ret);
	if (!at || have < size || size > 8 || (size > 4 && size < 8))
		return false;
	*ret = bytes_uint(at, size, bytes_swapped(object->types.big_endian));
	return true;
}

/* DW_FORM_ref_addr: an offset of the whole section. */
static bool get_global_ref(const struct entry_unit *unit, Dwarf_Die die, Dwarf_Attribute attribute,
	struct entry_ref *ret, Dwarf_Error *error)
{
	const struct entry_extent *extent = &unit->extent;
	uint64_t size = extent->version == 2 ? extent->address_bytes : extent->offset_bytes;
	if (!get_bytes(unit, die, attribute, size, &ret->value, error) ||
		ret->value >= object_span(extent->object))
		return false;
	ret->value += extent->object->start;
	ret->kind = ENTRY_REF_OFFSET;
	return true;
}

/* Into the file that several share. */
static bool get_alternate_ref(const struct entry_unit *unit, Dwarf_Die die,
	Dwarf_Attribute attribute, uint64_t size, struct entry_ref *ret, Dwarf_Error *error)
{
	const struct object *alternate = unit->extent.object->alternate;
	ret->kind = ENTRY_REF_ELSEWHERE;
	if (!alternate)
		return true;
	if (!get_bytes(unit, die, attribute, size, &ret->value, error) ||
		ret->value >= object_span(alternate))
		return false;
	ret->value += alternate->start;
	ret->kind = ENTRY_REF_OFFSET;
	return true;
}

static bool get_ref(const struct entry_unit *unit, Dwarf_Die die, Dwarf_Attribute attribute,
	Dwarf_Half form, struct entry_ref *ret, Dwarf_Error *error)
{
	if (is_reference(form)) {
		Dwarf_Off off;
		if (dwarf_global_formref(attribute, &off, error) != DW_DLV_OK)
			return false;
		*ret = (struct entry_ref){unit->extent.off + off, ENTRY_REF_OFFSET};
		return true;
	}
	if (form == DW_FORM_ref_addr)
		return get_global_ref(unit, die, attribute, ret, error);
	if (form == DW_FORM_ref_sig8) {
		Dwarf_Sig8 bytes;
		if (dwarf_formsig8(attribute, &bytes, error) != DW_DLV_OK)
			return false;
		bool swap = bytes_swapped(unit->handle->object->types.big_endian);
		*ret = (struct entry_ref){
			bytes_u64((const uint8_t *)bytes.signature, swap), ENTRY_REF_SIGNATURE};
		return true;
	}
	uint64_t size = form == DW_FORM_ref_sup4   ? 4
			: form == DW_FORM_ref_sup8 ? 8
						   : unit->extent.offset_bytes;
	return get_alternate_ref(unit, die, attribute, size, ret, error);
}

/* The string at `off`; false when it is not there in full. */
static bool string_in(const struct object_section *section, uint64_t off, const char **ret)
{
	if (off >= section->size || !memchr(section->data + off, 0, section->size - off))
		return false;
	*ret = (const char *)section->data + off;
	return true;
}

/* Bytes of the index of a string (0: ULEB128); UINT64_MAX: it does not go by index. */
static uint64_t index_bytes(Dwarf_Half form)
{
	switch (form) {
	case DW_FORM_strx:
	case DW_FORM_GNU_str_index:
		return 0;
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
		return 1u + form - DW_FORM_strx1;
	case THIRDS_FORM:
		return 3;
	default:
		return UINT64_MAX;
	}
}

/* By index: libdwarf 20210528 takes indexes of three bytes wrongly, and knows no packages. */
static bool get_indexed_string(const struct entry_unit *unit, Dwarf_Die die,
	Dwarf_Attribute attribute, uint64_t size, const char **ret, Dwarf_Error *error)
{
	const struct entry_handle *handle = unit->handle;
	const struct object_section *offsets = &handle->file->sections[OBJECT_DEBUG_STR_OFFSETS];
	uint64_t bytes = unit->extent.offset_bytes, index;
	uint64_t base = handle->str_offsets_base;
	if (!get_bytes(unit, die, attribute, size, &index, error) || base > offsets->size ||
		index >= (offsets->size - base) / bytes)
		return false;
	uint64_t off = bytes_uint(offsets->data + base + index * bytes, bytes,
		bytes_swapped(handle->object->types.big_endian));
	return string_in(&handle->file->sections[OBJECT_DEBUG_STR], off, ret);
}

static bool get_alternate_string(const struct entry_unit *unit, Dwarf_Die die,
	Dwarf_Attribute attribute, const char **ret, Dwarf_Error *error)
{
	const struct object *alternate = unit->extent.object->alternate;
	uint64_t off;
	if (!alternate)
		return true;
	return get_bytes(unit, die, attribute, unit->extent.offset_bytes, &off, error) &&
	       string_in(&alternate->sections[OBJECT_DEBUG_STR], off, ret);
}

static bool get_text(const struct entry_unit *unit, Dwarf_Die die, Dwarf_Attribute attribute,
	Dwarf_Half form, const char **ret, Dwarf_Error *error)
{
	char *string;
	uint64_t size = index_bytes(form);
	if (form == DW_FORM_strp_sup || form == DW_FORM_GNU_strp_alt)
		return get_alternate_string(unit, die, attribute, ret, error);
	if (size != UINT64_MAX)
		return get_indexed_string(unit, die, attribute, size, ret, error);
	if (dwarf_formstring(attribute, &string, error) != DW_DLV_OK)
		return false;
	*ret = string;
	return true;
}

static bool get_string(const struct entry_unit *unit, Dwarf_Die die, Dwarf_Attribute attribute,
	Dwarf_Half form, const char **ret, Dwarf_Error *error)
{
	const char *text = NULL;
	if (!get_text(unit, die, attribute, form, &text, error))
		return false;
	*ret = text && *text ? text : NULL;
	return true;
}

static bool get_flag(Dwarf_Attribute attribute, bool *ret, Dwarf_Error *error)
{
	Dwarf_Bool value;
	if (dwarf_formflag(attribute, &value, error) != DW_DLV_OK)
		return false;
	*ret = value;
	return true;
}

static bool get_constant(const struct entry_unit *unit, Dwarf_Attribute attribute, Dwarf_Half form,
	uint64_t *ret, Dwarf_Error *error)
{
	struct entry_number number;
	if (!get_number(unit, attribute, form, &number, error))
		return false;
	*ret = number.state == ENTRY_CONSTANT ? number.value : 0;
	return true;
}

/* A block as it is: it lies in the file's mapping. */
static bool get_block(const struct entry_unit *unit, Dwarf_Attribute attribute, Dwarf_Half form,
	const uint8_t **ret, uint64_t *length, Dwarf_Error *error)
{
	Dwarf_Block *block;
	if (!is_block(form))
		return true;
	if (dwarf_formblock(attribute, &block, error) != DW_DLV_OK)
		return false;
	*ret = block->bl_data;
	*length = block->bl_len;
	dwarf_dealloc(unit->handle->debug, block, DW_DLA_BLOCK);
	return true;
}

/* Which attribute it is, and how it is written. */
static bool get_name(
	Dwarf_Attribute attribute, Dwarf_Half *name, Dwarf_Half *form, Dwarf_Error *error)
{
	return dwarf_whatattr(attribute, name, error) == DW_DLV_OK &&
	       dwarf_whatform(attribute, form, error) == DW_DLV_OK;
}

static bool get_attribute(const struct entry_unit *unit, Dwarf_Die die, Dwarf_Attribute attribute,
	struct entry *entry, Dwarf_Error *error)
{
	Dwarf_Half name, form;
	uint64_t number;
	if (!get_name(attribute, &name, &form, error))
		return false;
	switch (name) {
	case DW_AT_name:
		return get_string(unit, die, attribute, form, &entry->name, error);
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name: /* gcc's before DWARF 4 */
		return get_string(unit, die, attribute, form, &entry->linkage_name, error);
	case DW_AT_type:
		return get_ref(unit, die, attribute, form, &entry->type, error);
	case DW_AT_specification:
	case DW_AT_abstract_origin:
		return get_ref(unit, die, attribute, form, &entry->origin, error);
	case DW_AT_signature:
		return get_ref(unit, die, attribute, form, &entry->signature, error);
	case DW_AT_containing_type:
		return get_ref(unit, die, attribute, form, &entry->container, error);
	case DW_AT_byte_size:
		return get_number(unit, attribute, form, &entry->byte_size, error);
	case DW_AT_bit_size:
		return get_number(unit, attribute, form, &entry->bit_size, error);
	case DW_AT_bit_offset:
		return get_number(unit, attribute, form, &entry->bit_offset, error);
	case DW_AT_data_bit_offset:
		return get_number(unit, attribute, form, &entry->data_bit_offset, error);
	case DW_AT_data_member_location:
		return get_number(unit, attribute, form, &entry->location, error);
	case DW_AT_lower_bound:
		return get_number(unit, attribute, form, &entry->lower_bound, error);
	case DW_AT_upper_bound:
		return get_number(unit, attribute, form, &entry->upper_bound, error);
	case DW_AT_count:
		return get_number(unit, attribute, form, &entry->count, error);
	case DW_AT_alignment:
		return get_constant(unit, attribute, form, &entry->align_bytes, error);
	case DW_AT_decl_file:
		entry->has_decl_file = true;
		return get_constant(unit, attribute, form, &entry->decl_file, error);
	case DW_AT_decl_line:
		return get_constant(unit, attribute, form, &entry->decl_line, error);
	case DW_AT_virtuality:
		if (!get_constant(unit, attribute, form, &number, error))
			return false;
		entry->is_virtual = number != DW_VIRTUALITY_none;
		return true;
	case DW_AT_discr:
		return get_ref(unit, die, attribute, form, &entry->discr, error);
	case DW_AT_discr_value:
		return get_number(unit, attribute, form, &entry->discr_value, error);
	case DW_AT_discr_list:
		return get_block(unit, attribute, form, &entry->discr_list,
			&entry->discr_list_length, error);
	case DW_AT_accessibility:
		return get_constant(unit, attribute, form, &entry->accessibility, error);
	case DW_AT_declaration:
		return get_flag(attribute, &entry->is_declaration, error);
	case DW_AT_external:
		return get_flag(attribute, &entry->is_external, error);
	case DW_AT_artificial:
		return get_flag(attribute, &entry->is_artificial, error);
	case DW_AT_prototyped:
		return get_flag(attribute, &entry->is_prototyped, error);
	case DW_AT_GNU_vector:
		return get_flag(attribute, &entry->is_vector, error);
	default:
		return true;
	}
}

/* What a unit says about itself. */
static bool get_root_attribute(
	struct entry_unit *unit, Dwarf_Die die, Dwarf_Attribute attribute, Dwarf_Error *error)
{
	Dwarf_Half name, form;
	uint64_t number;
	if (!get_name(attribute, &name, &form, error))
		return false;
	switch (name) {
	case DW_AT_name:
		return get_string(unit, die, attribute, form, &unit->name, error);
	case DW_AT_producer:
		return get_string(unit, die, attribute, form, &unit->producer, error);
	case DW_AT_comp_dir:
		return get_string(unit, die, attribute, form, &unit->comp_dir, error);
	case DW_AT_GNU_dwo_id:
		return get_constant(unit, attribute, form, &unit->extent.dwo_id, error);
	case DW_AT_language:
		if (!get_constant(unit, attribute, form, &number, error))
			return false;
		unit->language = (uint16_t)number;
		return true;
	case DW_AT_stmt_list: {
		Dwarf_Off off;
		unit->handle->has_lines = dwarf_global_formref(attribute, &off, error) == DW_DLV_OK;
		unit->handle->line_off =
			off + (unit->handle->part ? unit->handle->part->line_off : 0);
		return unit->handle->has_lines;
	}
	default:
		return true;
	}
}

/*
 * Where the unit's part of .debug_str_offsets starts. A split unit does not say it: behind a header since DWARF 5
 * (section 7.26).
 */
static void find_str_offsets(
	struct entry_unit *unit, Dwarf_Attribute const *attributes, Dwarf_Signed count)
{
	struct entry_handle *handle = unit->handle;
	Dwarf_Error error = NULL;
	handle->str_offsets_base = handle->part ? handle->part->str_offsets_off : 0;
	if (unit->extent.version >= 5)
		handle->str_offsets_base += 2u * unit->extent.offset_bytes;
	for (Dwarf_Signed i = 0; i < count; i++) {
		Dwarf_Half name;
		Dwarf_Off off;
		if (dwarf_whatattr(attributes[i], &name, &error) == DW_DLV_OK &&
			name == DW_AT_str_offsets_base &&
			dwarf_global_formref(attributes[i], &off, &error) == DW_DLV_OK)
			handle->str_offsets_base = off;
		if (error)
			dwarf_dealloc_error(handle->debug, error);
		error = NULL;
	}
}

/* Calls one of the two above for each attribute. */
static struct error *get_attributes(
	struct entry_unit *unit, Dwarf_Die die, uint64_t off, struct entry *entry)
{
	Dwarf_Debug debug = unit->handle->debug;
	Dwarf_Attribute *attributes;
	Dwarf_Signed count;
	Dwarf_Error error = NULL;
	bool good = true;
	int result = dwarf_attrlist(die, &attributes, &count, &error);
	if (result == DW_DLV_NO_ENTRY)
		return NULL;
	if (result != DW_DLV_OK)
		return convert(unit, off, error);
	if (!entry)
		find_str_offsets(unit, attributes, count);
	for (Dwarf_Signed i = 0; i < count; i++) {
		if (good && entry)
			good = get_attribute(unit, die, attributes[i], entry, &error);
		else if (good)
			good = get_root_attribute(unit, die, attributes[i], &error);
		dwarf_dealloc(debug, attributes[i], DW_DLA_ATTR);
	}
	dwarf_dealloc(debug, attributes, DW_DLA_LIST);
	return good ? NULL : convert(unit, off, error);
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

struct error *entry_unit_open(const struct object *object, uint64_t off, struct entry_unit *ret)
{
	struct entry_unit unit = {.name = NULL};
	struct error *error = entry_extent_read(object, off, &unit.extent);
	if (error)
		return error;
	unit.handle = mem_new(1, sizeof(*unit.handle));
	present(object, &unit.extent, unit.handle);
	error = open_root(&unit);
	if (!error)
		error = get_attributes(&unit, unit.handle->root, unit.root_off, NULL);
	if (error) {
		entry_unit_close(&unit);
		return error;
	}
	unit.name = unit.name ? unit.name : "";
	unit.producer = unit.producer ? unit.producer : "";
	unit.comp_dir = unit.comp_dir ? unit.comp_dir : "";
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
	lines_release(&handle->lines);
	mem_free(handle->abbrevs);
	mem_free(handle);
	unit->handle = NULL;
}

/* ---- entries ---- */

static struct error *find_die(struct entry_unit *unit, uint64_t off, Dwarf_Die *ret)
{
	struct entry_handle *handle = unit->handle;
	Dwarf_Error error = NULL;
	if (off < unit->root_off || off >= unit->extent.end)
		return entry_damaged(handle->object, off, "a reference out of its unit");
	if (dwarf_offdie_b(handle->debug, off - unit->extent.off, !handle->is_types, ret, &error) !=
		DW_DLV_OK)
		return convert(unit, off, error);
	return NULL;
}

static struct error *fill(struct entry_unit *unit, Dwarf_Die die, bool outline, struct entry *ret)
{
	Dwarf_Error error = NULL;
	Dwarf_Off off;
	*ret = (struct entry){.name = NULL};
	if (dwarf_dieoffset(die, &off, &error) != DW_DLV_OK ||
		dwarf_tag(die, &ret->tag, &error) != DW_DLV_OK)
		return convert(unit, unit->extent.off, error);
	ret->off = unit->extent.off + off;
	return outline ? NULL : get_attributes(unit, die, ret->off, ret);
}

struct error *entry_read(struct entry_unit *unit, uint64_t off, struct entry *ret)
{
	Dwarf_Die die;
	struct error *error = find_die(unit, off, &die);
	if (error)
		return error;
	error = fill(unit, die, false, ret);
	dwarf_dealloc(unit->handle->debug, die, DW_DLA_DIE);
	return error;
}

static struct error *add_child(struct entry_unit *unit, Dwarf_Die die, entry_filter *filter,
	bool outline, struct entry_list *list)
{
	Dwarf_Half tag;
	Dwarf_Error error = NULL;
	if (dwarf_tag(die, &tag, &error) != DW_DLV_OK)
		return convert(unit, unit->extent.off, error);
	if (!filter(tag))
		return NULL;
	list->items = mem_grow(list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	return fill(unit, die, outline, &list->items[list->count++]);
}

static struct error *read_children(struct entry_unit *unit, uint64_t off, entry_filter *filter,
	bool outline, struct entry_list *list)
{
	struct entry_handle *handle = unit->handle;
	Dwarf_Die parent, child, next = NULL;
	Dwarf_Error failure = NULL;
	struct error *error = find_die(unit, off, &parent);
	if (error)
		return error;
	int result = dwarf_child(parent, &child, &failure);
	dwarf_dealloc(handle->debug, parent, DW_DLA_DIE);
	while (result == DW_DLV_OK && !error) {
		error = add_child(unit, child, filter, outline, list);
		if (!error)
			result = dwarf_siblingof_b(
				handle->debug, child, !handle->is_types, &next, &failure);
		dwarf_dealloc(handle->debug, child, DW_DLA_DIE);
		child = next;
	}
	if (!error && result == DW_DLV_ERROR)
		error = convert(unit, off, failure);
	return error;
}

struct error *entry_children(
	struct entry_unit *unit, uint64_t off, entry_filter *filter, struct entry_list *list)
{
	return read_children(unit, off, filter, false, list);
}

struct error *entry_outline(
	struct entry_unit *unit, uint64_t off, entry_filter *filter, struct entry_list *list)
{
	return read_children(unit, off, filter, true, list);
}

void entry_list_release(struct entry_list *list)
{
	mem_free(list->items);
	*list = (struct entry_list){0};
}

/* ---- file names ---- */

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

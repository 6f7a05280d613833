#include "read/dwarf/attribute.h"

#include "read/dwarf/field.h"
#include "read/dwarf/form.h"
#include "read/dwarf/handle.h"

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
	struct field field = field_of(entry, name);
	switch (field.kind) {
	case FIELD_STRING:
		return form_string(unit, die, attribute, form, field.at, error);
	case FIELD_REF:
		return form_ref(unit, die, attribute, form, field.at, error);
	case FIELD_NUMBER:
		return form_number(unit, attribute, form, field.at, error);
	case FIELD_CONSTANT:
		return form_constant(unit, attribute, form, field.at, error);
	case FIELD_FLAG:
		return form_flag(attribute, field.at, error);
	case FIELD_VIRTUALITY:
		if (!form_constant(unit, attribute, form, &number, error))
			return false;
		entry->is_virtual = number != 0;
		return true;
	case FIELD_DISCR_LIST:
		return form_block(unit, attribute, form, &entry->discr_list,
			&entry->discr_list_length, error);
	case FIELD_NONE:
		break;
	}
	return true;
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
		return form_string(unit, die, attribute, form, &unit->name, error);
	case DW_AT_producer:
		return form_string(unit, die, attribute, form, &unit->producer, error);
	case DW_AT_comp_dir:
		return form_string(unit, die, attribute, form, &unit->comp_dir, error);
	case DW_AT_GNU_dwo_id:
		return form_constant(unit, attribute, form, &unit->extent.dwo_id, error);
	case DW_AT_language:
		if (!form_constant(unit, attribute, form, &number, error))
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

/* Into `entry`; NULL: the root's, into the unit. */
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
		return handle_error(unit, off, error);
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
	return good ? NULL : handle_error(unit, off, error);
}

struct error *attribute_read(
	struct entry_unit *unit, Dwarf_Die die, uint64_t off, struct entry *ret)
{
	return get_attributes(unit, die, off, ret);
}

struct error *attribute_read_root(struct entry_unit *unit)
{
	return get_attributes(unit, unit->handle->root, unit->extent.root_off, NULL);
}

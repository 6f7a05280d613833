#include "read/dwarf/attribute.h"

#include "read/dwarf/field.h"
#include "read/dwarf/form.h"
#include "read/dwarf/handle.h"

static bool get_lines(Dwarf_Attribute attribute, struct field_root *root, Dwarf_Error *error)
{
	Dwarf_Off off;
	if (dwarf_global_formref(attribute, &off, error) != DW_DLV_OK)
		return false;
	root->line_off = off;
	root->has_lines = true;
	return true;
}

static bool get_value(const struct entry_unit *unit, Dwarf_Die die, Dwarf_Attribute attribute,
	Dwarf_Half form, struct field field, Dwarf_Error *error)
{
	struct entry *entry;
	uint64_t number;
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
		*(bool *)field.at = number != 0;
		return true;
	case FIELD_DISCR_LIST:
		entry = field.at;
		return form_block(unit, attribute, form, &entry->discr_list,
			&entry->discr_list_length, error);
	case FIELD_LINES:
		return get_lines(attribute, field.at, error);
	case FIELD_NONE:
		break;
	}
	return true;
}

/* Of an entry, or of a unit's root. */
struct into {
	struct entry *entry;
	struct field_root *root; /* NULL: the entry's */
};

static bool get_attribute(const struct entry_unit *unit, Dwarf_Die die, Dwarf_Attribute attribute,
	struct into into, Dwarf_Error *error)
{
	Dwarf_Half name, form;
	if (dwarf_whatattr(attribute, &name, error) != DW_DLV_OK ||
		dwarf_whatform(attribute, &form, error) != DW_DLV_OK)
		return false;
	struct field field =
		into.root ? field_of_root(into.root, name) : field_of(into.entry, name);
	return get_value(unit, die, attribute, form, field, error);
}

/* Where the unit's part of .debug_str_offsets starts, when it says so. */
static void find_str_offsets(
	struct entry_unit *unit, Dwarf_Attribute const *attributes, Dwarf_Signed count)
{
	struct entry_handle *handle = unit->handle;
	Dwarf_Error error = NULL;
	for (Dwarf_Signed i = 0; i < count; i++) {
		Dwarf_Half name;
		Dwarf_Off off;
		if (dwarf_whatattr(attributes[i], &name, &error) == DW_DLV_OK &&
			name == DW_AT_str_offsets_base &&
			dwarf_global_formref(attributes[i], &off, &error) == DW_DLV_OK)
			handle->plain.str_offsets_base = off;
		if (error)
			dwarf_dealloc_error(handle->debug, error);
		error = NULL;
	}
}

static struct error *get_attributes(
	struct entry_unit *unit, Dwarf_Die die, uint64_t off, struct into into)
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
	if (into.root)
		find_str_offsets(unit, attributes, count);
	for (Dwarf_Signed i = 0; i < count; i++) {
		good = good && get_attribute(unit, die, attributes[i], into, &error);
		dwarf_dealloc(debug, attributes[i], DW_DLA_ATTR);
	}
	dwarf_dealloc(debug, attributes, DW_DLA_LIST);
	return good ? NULL : handle_error(unit, off, error);
}

struct error *attribute_read(
	struct entry_unit *unit, Dwarf_Die die, uint64_t off, struct entry *ret)
{
	return get_attributes(unit, die, off, (struct into){.entry = ret});
}

struct error *attribute_read_root(struct entry_unit *unit, struct field_root *ret)
{
	*ret = (struct field_root){.name = NULL};
	return get_attributes(
		unit, unit->handle->root, unit->extent.root_off, (struct into){.root = ret});
}

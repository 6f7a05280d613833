#include "read/dwarf/form.h"

#include "read/bytes.h"
#include "read/dwarf/handle.h"
#include "read/dwarf/thirds.h"

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
	uint64_t index;
	return form_bytes(unit, die, attribute, size, &index, error) &&
	       plain_string_at(&unit->handle->plain, index, ret);
}

static bool get_alternate_string(const struct entry_unit *unit, Dwarf_Die die,
	Dwarf_Attribute attribute, const char **ret, Dwarf_Error *error)
{
	const struct object *alternate = unit->extent.object->alternate;
	uint64_t off;
	if (!alternate)
		return true;
	if (!form_bytes(unit, die, attribute, unit->extent.offset_bytes, &off, error))
		return false;
	const struct object_section *strings = &alternate->sections[OBJECT_DEBUG_STR];
	*ret = bytes_string(strings->data, strings->size, off);
	return *ret != NULL;
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

bool form_string(const struct entry_unit *unit, Dwarf_Die die, Dwarf_Attribute attribute,
	Dwarf_Half form, const char **ret, Dwarf_Error *error)
{
	const char *text = NULL;
	if (!get_text(unit, die, attribute, form, &text, error))
		return false;
	*ret = text && *text ? text : NULL;
	return true;
}

#include "read/dwarf/form.h"

#include "read/bytes.h"
#include "read/dwarf/expression.h"
#include "read/dwarf/handle.h"

/* ---- numbers ---- */

static bool is_block(Dwarf_Half form)
{
	return form == DW_FORM_block || form == DW_FORM_block1 || form == DW_FORM_block2 ||
	       form == DW_FORM_block4;
}

bool form_number(const struct entry_unit *unit, Dwarf_Attribute attribute, Dwarf_Half form,
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

bool form_constant(const struct entry_unit *unit, Dwarf_Attribute attribute, Dwarf_Half form,
	uint64_t *ret, Dwarf_Error *error)
{
	struct entry_number number;
	if (!form_number(unit, attribute, form, &number, error))
		return false;
	*ret = number.state == ENTRY_CONSTANT ? number.value : 0;
	return true;
}

bool form_flag(Dwarf_Attribute attribute, bool *ret, Dwarf_Error *error)
{
	Dwarf_Bool value;
	if (dwarf_formflag(attribute, &value, error) != DW_DLV_OK)
		return false;
	*ret = value;
	return true;
}

/* A block as it is: it lies in the file's mapping. */
bool form_block(const struct entry_unit *unit, Dwarf_Attribute attribute, Dwarf_Half form,
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

/*
 * The number that stands in an attribute of `size` bytes, or as ULEB128 where that is 0. What leads out of the unit that
 * libdwarf was given, it would look for in there.
 */
bool form_bytes(const struct entry_unit *unit, Dwarf_Die die, Dwarf_Attribute attribute,
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

/* ---- references ---- */

static bool is_reference(Dwarf_Half form)
{
	return form == DW_FORM_ref1 || form == DW_FORM_ref2 || form == DW_FORM_ref4 ||
	       form == DW_FORM_ref8 || form == DW_FORM_ref_udata;
}

/* DW_FORM_ref_addr: an offset of the whole section. */
static bool get_global_ref(const struct entry_unit *unit, Dwarf_Die die, Dwarf_Attribute attribute,
	struct entry_ref *ret, Dwarf_Error *error)
{
	const struct entry_extent *extent = &unit->extent;
	uint64_t size = extent->version == 2 ? extent->address_bytes : extent->offset_bytes;
	if (!form_bytes(unit, die, attribute, size, &ret->value, error) ||
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
	if (!form_bytes(unit, die, attribute, size, &ret->value, error) ||
		ret->value >= object_span(alternate))
		return false;
	ret->value += alternate->start;
	ret->kind = ENTRY_REF_OFFSET;
	return true;
}

bool form_ref(const struct entry_unit *unit, Dwarf_Die die, Dwarf_Attribute attribute,
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

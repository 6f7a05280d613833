#include "read/dwarf/tag.h"

#include <stddef.h>

#include "read/dw.h"

enum {
	DW_LANG_UPC = 0x12,
	DW_LANG_ObjC = 0x10,
};

bool tag_is_aggregate(uint16_t tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_interface_type;
}

bool tag_is_c(uint16_t language)
{
	switch (language) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_C17:
	case DW_LANG_C23:
	case DW_LANG_UPC:
	case DW_LANG_ObjC:
	case DW_LANG_Mips_Assembler:
		return true;
	default:
		return false;
	}
}

/*
 * Ada, Cobol, Fortran, Pascal, Modula-2 and -3, PL/I, Julia count from 1.
 */
enum type_kind tag_kind(uint16_t tag)
{
	switch (tag) {
	case DW_TAG_structure_type:
		return TYPE_STRUCT;
	case DW_TAG_union_type:
		return TYPE_UNION;
	case DW_TAG_class_type:
	case DW_TAG_interface_type:
		return TYPE_CLASS;
	case DW_TAG_enumeration_type:
		return TYPE_ENUM;
	case DW_TAG_pointer_type:
		return TYPE_POINTER;
	case DW_TAG_reference_type:
		return TYPE_REFERENCE;
	case DW_TAG_rvalue_reference_type:
		return TYPE_RVALUE_REFERENCE;
	case DW_TAG_ptr_to_member_type:
		return TYPE_MEMBER_POINTER;
	case DW_TAG_array_type:
		return TYPE_ARRAY;
	case DW_TAG_typedef:
	case DW_TAG_template_alias:
		return TYPE_TYPEDEF;
	case DW_TAG_const_type:
	case DW_TAG_immutable_type:
		return TYPE_CONST;
	case DW_TAG_volatile_type:
		return TYPE_VOLATILE;
	case DW_TAG_restrict_type:
		return TYPE_RESTRICT;
	case DW_TAG_atomic_type:
		return TYPE_ATOMIC;
	case DW_TAG_subroutine_type:
	case DW_TAG_subprogram:
		return TYPE_FUNCTION;
	case DW_TAG_base_type:
	case DW_TAG_subrange_type:
	case DW_TAG_string_type:
	case DW_TAG_set_type:
	case DW_TAG_file_type:
		return TYPE_BASE;
	default:
		return TYPE_UNSPECIFIED;
	}
}

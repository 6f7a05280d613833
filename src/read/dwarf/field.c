#include "read/dwarf/field.h"

#include "read/dw.h"

struct field field_of(struct entry *entry, uint64_t name)
{
	switch (name) {
	case DW_AT_name:
		return (struct field){FIELD_STRING, &entry->name};
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name: /* gcc's before DWARF 4 */
		return (struct field){FIELD_STRING, &entry->linkage_name};
	case DW_AT_type:
		return (struct field){FIELD_REF, &entry->type};
	case DW_AT_specification:
	case DW_AT_abstract_origin:
		return (struct field){FIELD_REF, &entry->origin};
	case DW_AT_signature:
		return (struct field){FIELD_REF, &entry->signature};
	case DW_AT_containing_type:
		return (struct field){FIELD_REF, &entry->container};
	case DW_AT_discr:
		return (struct field){FIELD_REF, &entry->discr};
	case DW_AT_byte_size:
		return (struct field){FIELD_NUMBER, &entry->byte_size};
	case DW_AT_bit_size:
		return (struct field){FIELD_NUMBER, &entry->bit_size};
	case DW_AT_bit_offset:
		return (struct field){FIELD_NUMBER, &entry->bit_offset};
	case DW_AT_data_bit_offset:
		return (struct field){FIELD_NUMBER, &entry->data_bit_offset};
	case DW_AT_data_member_location:
		return (struct field){FIELD_NUMBER, &entry->location};
	case DW_AT_lower_bound:
		return (struct field){FIELD_NUMBER, &entry->lower_bound};
	case DW_AT_upper_bound:
		return (struct field){FIELD_NUMBER, &entry->upper_bound};
	case DW_AT_count:
		return (struct field){FIELD_NUMBER, &entry->count};
	case DW_AT_discr_value:
		return (struct field){FIELD_NUMBER, &entry->discr_value};
	case DW_AT_alignment:
		return (struct field){FIELD_CONSTANT, &entry->align_bytes};
	case DW_AT_decl_file:
		entry->has_decl_file = true;
		return (struct field){FIELD_CONSTANT, &entry->decl_file};
	case DW_AT_decl_line:
		return (struct field){FIELD_CONSTANT, &entry->decl_line};
	case DW_AT_accessibility:
		return (struct field){FIELD_CONSTANT, &entry->accessibility};
	case DW_AT_virtuality:
		return (struct field){FIELD_VIRTUALITY, &entry->is_virtual};
	case DW_AT_discr_list:
		return (struct field){FIELD_DISCR_LIST, entry};
	case DW_AT_declaration:
		return (struct field){FIELD_FLAG, &entry->is_declaration};
	case DW_AT_external:
		return (struct field){FIELD_FLAG, &entry->is_external};
	case DW_AT_artificial:
		return (struct field){FIELD_FLAG, &entry->is_artificial};
	case DW_AT_prototyped:
		return (struct field){FIELD_FLAG, &entry->is_prototyped};
	case DW_AT_GNU_vector:
		return (struct field){FIELD_FLAG, &entry->is_vector};
	default:
		return (struct field){FIELD_NONE, NULL};
	}
}

struct field field_of_root(struct field_root *root, uint64_t name)
{
	switch (name) {
	case DW_AT_name:
		return (struct field){FIELD_STRING, &root->name};
	case DW_AT_producer:
		return (struct field){FIELD_STRING, &root->producer};
	case DW_AT_comp_dir:
		return (struct field){FIELD_STRING, &root->comp_dir};
	case DW_AT_language:
		return (struct field){FIELD_CONSTANT, &root->language};
	case DW_AT_GNU_dwo_id:
		return (struct field){FIELD_CONSTANT, &root->dwo_id};
	case DW_AT_stmt_list:
		return (struct field){FIELD_LINES, root};
	default:
		return (struct field){FIELD_NONE, NULL};
	}
}

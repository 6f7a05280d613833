#include "read/index/abbrev.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "read/bytes.h"
#include "read/dw.h"

enum {
	FORM_LIMIT = 0x2d,
	/* sizes that depend on the unit */
	SIZE_ADDRESS = 0xf0,
	SIZE_OFFSET = 0xf1,
	SIZE_REF_ADDR = 0xf2,
};

static const uint8_t form_sizes[FORM_LIMIT] = {
	[0] = FORM_UNKNOWN,
	[0x02] = FORM_UNKNOWN,
	[DW_FORM_addr] = SIZE_ADDRESS,
	[DW_FORM_block2] = FORM_VARIES,
	[DW_FORM_block4] = FORM_VARIES,
	[DW_FORM_data2] = 2,
	[DW_FORM_data4] = 4,
	[DW_FORM_data8] = 8,
	[DW_FORM_string] = FORM_VARIES,
	[DW_FORM_block] = FORM_VARIES,
	[DW_FORM_block1] = FORM_VARIES,
	[DW_FORM_data1] = 1,
	[DW_FORM_flag] = 1,
	[DW_FORM_sdata] = FORM_VARIES,
	[DW_FORM_strp] = SIZE_OFFSET,
	[DW_FORM_udata] = FORM_VARIES,
	[DW_FORM_ref_addr] = SIZE_REF_ADDR,
	[DW_FORM_ref1] = 1,
	[DW_FORM_ref2] = 2,
	[DW_FORM_ref4] = 4,
	[DW_FORM_ref8] = 8,
	[DW_FORM_ref_udata] = FORM_VARIES,
	[DW_FORM_indirect] = FORM_VARIES,
	[DW_FORM_sec_offset] = SIZE_OFFSET,
	[DW_FORM_exprloc] = FORM_VARIES,
	[DW_FORM_flag_present] = 0,
	[DW_FORM_strx] = FORM_VARIES,
	[DW_FORM_addrx] = FORM_VARIES,
	[DW_FORM_ref_sup4] = 4,
	[DW_FORM_strp_sup] = SIZE_OFFSET,
	[DW_FORM_data16] = 16,
	[DW_FORM_line_strp] = SIZE_OFFSET,
	[DW_FORM_ref_sig8] = 8,
	[DW_FORM_implicit_const] = 0,
	[DW_FORM_loclistx] = FORM_VARIES,
	[DW_FORM_rnglistx] = FORM_VARIES,
	[DW_FORM_ref_sup8] = 8,
	[DW_FORM_strx1] = 1,
	[DW_FORM_strx2] = 2,
	[DW_FORM_strx3] = 3,
	[DW_FORM_strx4] = 4,
	[DW_FORM_addrx1] = 1,
	[DW_FORM_addrx2] = 2,
	[DW_FORM_addrx3] = 3,
	[DW_FORM_addrx4] = 4,
};

enum { ATTRIBUTE_LIMIT = 0x80 };

static const uint8_t attribute_slots[ATTRIBUTE_LIMIT] = {
	[DW_AT_sibling] = SLOT_SIBLING,
	[DW_AT_name] = SLOT_NAME,
	[DW_AT_byte_size] = SLOT_BYTE_SIZE,
	[DW_AT_bit_offset] = SLOT_BIT_OFFSET,
	[DW_AT_bit_size] = SLOT_BIT_SIZE,
	[DW_AT_stmt_list] = SLOT_LINES,
	[DW_AT_import] = SLOT_IMPORT,
	[DW_AT_comp_dir] = SLOT_COMP_DIR,
	[DW_AT_language] = SLOT_LANGUAGE,
	[DW_AT_discr_value] = SLOT_DISCR_VALUE,
	[DW_AT_const_value] = SLOT_CONST_VALUE,
	[DW_AT_containing_type] = SLOT_CONTAINING_TYPE,
	[DW_AT_lower_bound] = SLOT_LOWER_BOUND,
	[DW_AT_prototyped] = SLOT_PROTOTYPED,
	[DW_AT_upper_bound] = SLOT_UPPER_BOUND,
	[DW_AT_abstract_origin] = SLOT_ORIGIN,
	[DW_AT_count] = SLOT_COUNT,
	[DW_AT_data_member_location] = SLOT_LOCATION,
	[DW_AT_declaration] = SLOT_DECLARATION,
	[DW_AT_external] = SLOT_EXTERNAL,
	[DW_AT_specification] = SLOT_SPECIFICATION,
	[DW_AT_signature] = SLOT_SIGNATURE,
	[DW_AT_type] = SLOT_TYPE,
	[DW_AT_virtuality] = SLOT_VIRTUALITY,
	[DW_AT_data_bit_offset] = SLOT_DATA_BIT_OFFSET,
	[DW_AT_str_offsets_base] = SLOT_STR_OFFSETS_BASE,
	[DW_AT_addr_base] = SLOT_ADDR_BASE,
	[DW_AT_dwo_name] = SLOT_DWO_NAME,
};

static enum die_slot gnu_attribute_slot(uint64_t name)
{
	switch (name) {
	case DW_AT_GNU_vector:
		return SLOT_VECTOR;
	case DW_AT_GNU_dwo_name:
		return SLOT_DWO_NAME;
	case DW_AT_GNU_dwo_id:
		return SLOT_DWO_ID;
	case DW_AT_GNU_addr_base:
		return SLOT_ADDR_BASE;
	default:
		return SLOT_NONE;
	}
}

void abbrev_table_init(struct abbrev_table *table)
{
	memset(table, 0, sizeof(*table));
}

void abbrev_table_release(struct abbrev_table *table)
{
	mem_free(table->items);
	mem_free(table->codes);
	mem_free(table->steps);
	mem_free(table->constants);
	abbrev_table_init(table);
}

bool abbrev_key_equal(struct abbrev_key a, struct abbrev_key b)
{
	return a.object == b.object && a.off == b.off && a.address_bytes == b.address_bytes &&
	       a.offset_bytes == b.offset_bytes && a.ref_addr_bytes == b.ref_addr_bytes &&
	       a.with_variables == b.with_variables;
}

uint8_t abbrev_form_bytes(struct abbrev_key key, uint64_t form)
{
	uint8_t size = form < FORM_LIMIT ? form_sizes[form] : FORM_UNKNOWN;
	switch (size) {
	case SIZE_ADDRESS:
		return key.address_bytes;
	case SIZE_OFFSET:
		return key.offset_bytes;
	case SIZE_REF_ADDR:
		return key.ref_addr_bytes;
	default:
		return size;
	}
}

uint64_t abbrev_standard_form(uint64_t form, uint8_t offset_bytes)
{
	if (form < FORM_LIMIT)
		return form;
	switch (form) {
	case DW_FORM_GNU_addr_index:
		return DW_FORM_addrx;
	case DW_FORM_GNU_str_index:
		return DW_FORM_strx;
	case DW_FORM_GNU_ref_alt:
		return offset_bytes == 8 ? DW_FORM_ref_sup8 : DW_FORM_ref_sup4;
	case DW_FORM_GNU_strp_alt:
		return DW_FORM_strp_sup;
	default:
		return form;
	}
}

static enum die_kind kind_of(const struct abbrev *abbrev, bool is_declared)
{
	bool children = abbrev->has_children;
	switch (abbrev->tag) {
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_class_type:
		if (is_declared)
			return children ? DIE_SCOPE : DIE_PLAIN;
		return DIE_AGGREGATE;
	case DW_TAG_typedef:
		return abbrev->slots & 1u << SLOT_TYPE && abbrev->slots & 1u << SLOT_NAME
			       ? DIE_TYPEDEF
			       : DIE_PLAIN;
	case DW_TAG_subprogram:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_variant_part:
		return children ? DIE_SCOPE : DIE_PLAIN;
	case DW_TAG_array_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_subroutine_type:
	case DW_TAG_call_site:
		return children ? DIE_SUBTREE : DIE_PLAIN;
	default:
		return DIE_PLAIN;
	}
}

/* The tags that make up most of a function; nobody reads their attributes, but of variables who asks for them. */
static bool is_code_tag(uint64_t tag)
{
	enum {
		LABEL = 0x0a,
		LEXICAL_BLOCK = 0x0b,
		INLINED_SUBROUTINE = 0x1d,
		CALL_SITE_PARAMETER = 0x49
	};
	return tag == DW_TAG_variable || tag == LEXICAL_BLOCK || tag == INLINED_SUBROUTINE ||
	       tag == DW_TAG_call_site || tag == CALL_SITE_PARAMETER || tag == LABEL;
}

/* Where we are in an abbreviation. */
struct parse {
	struct abbrev_table *table;
	const uint8_t *p, *end;
	struct abbrev *abbrev;
	uint32_t before_skip; /* bytes since the last step of each list */
	uint32_t before_read;
	uint32_t fixed; /* bytes since the code, as long as all were fixed */
	bool still_fixed;
	bool is_code;     /* is_code_tag() */
	bool is_variable; /* and its attributes are wanted */
	bool odd_member;  /* has what is_simple_member excludes */
	bool odd_flag;    /* one that is not simply there, so that it may be false */
	bool odd_name;    /* of a form that abbrev_table.is_searchable excludes */
	bool is_declared;
	uint8_t sizes[FORM_LIMIT]; /* abbrev_form_bytes() of each form */
};

static struct abbrev_step *add_step(struct abbrev_table *table)
{
	if (table->step_count == table->step_capacity)
		table->steps = mem_grow(table->steps, &table->step_capacity, table->step_count + 1,
			sizeof(*table->steps));
	return &table->steps[table->step_count++];
}

/* The slot that number_at is for: `slot` itself, or another. */
static enum die_slot number_slot(uint16_t tag, enum die_slot slot)
{
	switch (tag) {
	case DW_TAG_member:
		return SLOT_LOCATION;
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_class_type:
		return SLOT_BYTE_SIZE;
	case DW_TAG_subrange_type:
		return slot == SLOT_COUNT ? SLOT_COUNT : SLOT_UPPER_BOUND;
	default:
		return SLOT_NONE;
	}
}

/* Notes the place of an attribute that the scan reads without going through the steps. */
static void note_place(struct parse *parse, enum die_slot slot, uint64_t form, uint8_t bytes)
{
	struct abbrev *abbrev = parse->abbrev;
	if (!parse->still_fixed || parse->fixed >= ABBREV_NOT_FIXED)
		return;
	uint8_t at = (uint8_t)parse->fixed;
	if (slot == SLOT_NAME && form == DW_FORM_strp && bytes == 4) {
		abbrev->name_at = at;
	} else if (slot == SLOT_NAME && form >= DW_FORM_strx1 && form <= DW_FORM_strx4) {
		abbrev->name_at = at;
		abbrev->name_index_bytes = bytes;
	}
	if (slot == SLOT_TYPE && form == DW_FORM_ref4)
		abbrev->type_at = at;
	else if (slot == SLOT_SIBLING && form == DW_FORM_ref4)
		abbrev->sibling_at = at;
	else if (slot == number_slot(abbrev->tag, slot) &&
		 (form == DW_FORM_data1 || form == DW_FORM_data2 || form == DW_FORM_data4)) {
		abbrev->number_at = at;
		abbrev->number_bytes = bytes;
	}
}

/* The steps of one list are contiguous: those that read are kept aside until those that skip are there. */
struct pending {
	struct abbrev_step *items;
	size_t count, capacity;
};

static void add_read(struct parse *parse, struct pending *reads, uint64_t form, enum die_slot slot)
{
	if (reads->count == reads->capacity)
		reads->items = mem_grow(
			reads->items, &reads->capacity, reads->count + 1, sizeof(*reads->items));
	reads->items[reads->count++] = (struct abbrev_step){.form = (uint8_t)form,
		.slot = (uint8_t)slot,
		.before = (uint16_t)parse->before_read,
		.constant = (uint32_t)parse->table->constant_count};
	parse->before_read = 0;
}

static struct error *damaged(const struct object *object, const uint8_t *p, const char *what)
{
	uint64_t off = (uint64_t)(p - object->sections[OBJECT_DEBUG_ABBREV].data);
	return error_new("%s: .debug_abbrev+0x%" PRIx64
			 ": %s; the debug information is damaged, rebuild the file or take "
			 "an intact copy",
		object_debug_path(object), off, what);
}

/* One attribute behind `name` and `form`. False when its bytes before a step do not fit. */
static bool add_attribute(
	struct parse *parse, struct pending *reads, uint64_t name, uint64_t form, uint8_t bytes)
{
	struct abbrev *abbrev = parse->abbrev;
	enum die_slot slot =
		name < ATTRIBUTE_LIMIT ? attribute_slots[name] : gnu_attribute_slot(name);
	if (parse->is_variable && name == DW_AT_location)
		slot = SLOT_PLACE;
	if (slot != SLOT_NONE && slot != SLOT_SIBLING && parse->is_code)
		slot = SLOT_NONE;
	if (slot != SLOT_NONE) {
		if (abbrev->slots & 1u << slot)
			slot = SLOT_NONE; /* an attribute twice: the first counts */
		abbrev->slots |= 1u << slot;
		note_place(parse, slot, form, bytes);
		if (slot == SLOT_PROTOTYPED && form != DW_FORM_flag_present)
			parse->odd_flag = true;
		if (slot == SLOT_NAME && form != DW_FORM_strp && form != DW_FORM_string)
			parse->odd_name = true;
		if (slot == SLOT_DECLARATION && form == DW_FORM_flag_present)
			parse->is_declared = true;
		if (slot != SLOT_NAME && slot != SLOT_TYPE && slot != SLOT_LOCATION &&
			slot != SLOT_SIBLING)
			parse->odd_member = true;
	}
	if (bytes == FORM_VARIES) {
		add_read(parse, reads, form, slot);
		if (name == DW_AT_name && form == DW_FORM_string && !parse->before_skip &&
			!abbrev->skip_count && !abbrev->inline_name) {
			abbrev->inline_name = true;
			return reads->count < UINT16_MAX;
		}
		*add_step(parse->table) = (struct abbrev_step){
			.form = (uint8_t)form, .before = (uint16_t)parse->before_skip};
		abbrev->skip_count++;
		parse->before_skip = 0;
		parse->still_fixed = false;
		return abbrev->skip_count < UINT16_MAX && reads->count < UINT16_MAX;
	}
	if (slot != SLOT_NONE)
		add_read(parse, reads, form, slot);
	else
		parse->before_read += bytes;
	parse->before_skip += bytes;
	parse->fixed += bytes;
	return parse->before_skip <= UINT16_MAX && parse->before_read <= UINT16_MAX &&
	       reads->count < UINT16_MAX;
}

static struct error *read_attributes(
	struct parse *parse, const struct object *object, struct pending *reads)
{
	for (;;) {
		const uint8_t *at = parse->p;
		uint64_t name, form;
		if (parse->end - at >= 2 && at[0] < 0x80 && at[1] < 0x80) {
			name = at[0];
			form = at[1];
			parse->p += 2;
		} else if (!bytes_uleb(&parse->p, parse->end, &name) ||
			   !bytes_uleb(&parse->p, parse->end, &form)) {
			return damaged(object, at, "an abbreviation is cut off");
		}
		if (!name && !form)
			return NULL;
		form = abbrev_standard_form(form, parse->table->key.offset_bytes);
		uint8_t bytes = form < FORM_LIMIT ? parse->sizes[form] : FORM_UNKNOWN;
		if (bytes == FORM_UNKNOWN)
			return error_new("%s: .debug_abbrev+0x%" PRIx64 ": form 0x%" PRIx64
					 " is not known; rebuild the "
					 "file with -gdwarf-5, or it is damaged",
				object_debug_path(object),
				(uint64_t)(at - object->sections[OBJECT_DEBUG_ABBREV].data), form);
		parse->table->has_signatures |= form == DW_FORM_ref_sig8;
		int64_t constant = 0;
		if (form == DW_FORM_implicit_const && !bytes_sleb(&parse->p, parse->end, &constant))
			return damaged(object, at, "an abbreviation is cut off");
		if (!add_attribute(parse, reads, name, form, bytes))
			return damaged(object, at,
				"an abbreviation has more attributes than any compiler writes");
		if (form == DW_FORM_implicit_const) {
			struct abbrev_table *table = parse->table;
			if (table->constant_count == table->constant_capacity)
				table->constants = mem_grow(table->constants,
					&table->constant_capacity, table->constant_count + 1,
					sizeof(*table->constants));
			table->constants[table->constant_count++] = constant;
		}
	}
}

static enum abbrev_shape shape_of(const struct abbrev *abbrev, const struct parse *parse)
{
	enum {
		TYPE = 1u << SLOT_TYPE,
		BYTE_SIZE = 1u << SLOT_BYTE_SIZE,
		COUNT = 1u << SLOT_COUNT,
		UPPER = 1u << SLOT_UPPER_BOUND,
		ELSEWHERE = 1u << SLOT_SPECIFICATION | 1u << SLOT_SIGNATURE,
	};
	uint32_t slots = abbrev->slots;
	bool typed = abbrev->type_at != ABBREV_NOT_FIXED,
	     has_number = abbrev->number_at != ABBREV_NOT_FIXED;
	bool no_type = !(slots & TYPE);
	if (abbrev->skip_count || parse->odd_flag)
		return SHAPE_OTHER;
	switch (abbrev->tag) {
	case DW_TAG_member:
		return !parse->odd_member && !abbrev->has_children && typed &&
				       (abbrev->inline_name ||
					       abbrev->name_at != ABBREV_NOT_FIXED) &&
				       (has_number || !(slots & 1u << SLOT_LOCATION))
			       ? SHAPE_MEMBER
			       : SHAPE_OTHER;
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_class_type:
		return has_number && !(slots & ELSEWHERE) ? SHAPE_AGGREGATE : SHAPE_OTHER;
	case DW_TAG_subroutine_type:
		return typed || no_type ? SHAPE_FUNCTION : SHAPE_OTHER;
	case DW_TAG_array_type:
		return typed && !(slots & 1u << SLOT_VECTOR) ? SHAPE_ARRAY : SHAPE_OTHER;
	case DW_TAG_formal_parameter:
		return !abbrev->has_children && (typed || no_type) ? SHAPE_PARAMETER : SHAPE_OTHER;
	case DW_TAG_subrange_type:
		if (abbrev->has_children || slots & 1u << SLOT_LOWER_BOUND ||
			(slots & COUNT && slots & UPPER))
			return SHAPE_OTHER;
		return has_number || !(slots & (COUNT | UPPER)) ? SHAPE_BOUND : SHAPE_OTHER;
	default:
		return SHAPE_OTHER;
	}
}

static struct error *read_abbrev(
	struct parse *parse, const struct object *object, struct pending *reads, uint64_t tag)
{
	struct abbrev_table *table = parse->table;
	struct abbrev *abbrev = parse->abbrev;
	if (parse->p == parse->end)
		return damaged(object, parse->p, "an abbreviation is cut off");
	*abbrev = (struct abbrev){.tag = tag <= UINT16_MAX ? (uint16_t)tag : 0,
		.has_children = *parse->p++ != 0,
		.skip_first = (uint32_t)table->step_count,
		.name_at = ABBREV_NOT_FIXED,
		.type_at = ABBREV_NOT_FIXED,
		.sibling_at = ABBREV_NOT_FIXED,
		.number_at = ABBREV_NOT_FIXED};
	parse->before_skip = parse->before_read = parse->fixed = 0;
	parse->still_fixed = true;
	parse->is_variable = table->key.with_variables && tag == DW_TAG_variable;
	parse->is_code = is_code_tag(tag) && !parse->is_variable;
	parse->odd_member = parse->odd_flag = parse->odd_name = parse->is_declared = false;
	reads->count = 0;
	struct error *error = read_attributes(parse, object, reads);
	if (error)
		return error;
	/*
	 * the bytes before the first step become part of the fixed ones, those behind a step go to its
	 * successor
	 */
	if (abbrev->skip_count) {
		struct abbrev_step *steps = &table->steps[abbrev->skip_first];
		abbrev->fixed_bytes = steps[0].before;
		for (size_t i = 0; i + 1 < abbrev->skip_count; i++)
			steps[i].before = steps[i + 1].before;
		steps[abbrev->skip_count - 1].before = (uint16_t)parse->before_skip;
	} else {
		abbrev->fixed_bytes = (uint16_t)parse->before_skip;
	}
	abbrev->read_first = (uint32_t)table->step_count;
	abbrev->read_count = (uint16_t)reads->count;
	abbrev->read_tail = (uint16_t)parse->before_read;
	for (size_t i = 0; i < reads->count; i++)
		*add_step(table) = reads->items[i];
	abbrev->kind = (uint8_t)kind_of(abbrev, parse->is_declared);
	if ((abbrev->kind == DIE_AGGREGATE || abbrev->kind == DIE_TYPEDEF) &&
		(parse->odd_name || abbrev->slots & 1u << SLOT_SPECIFICATION))
		table->is_searchable = false;
	abbrev->shape = (uint8_t)shape_of(abbrev, parse);
	return NULL;
}

static int compare_codes(const void *left, const void *right)
{
	const struct abbrev_code *a = left, *b = right;
	if (a->code != b->code)
		return a->code < b->code ? -1 : 1;
	return a->item < b->item ? -1 : a->item > b->item;
}

static void note_code(struct abbrev_table *table, uint64_t code)
{
	if (code == table->count && table->dense + 1 == table->count) {
		table->dense++;
		return;
	}
	if (table->code_count == table->code_capacity)
		table->codes = mem_grow(table->codes, &table->code_capacity, table->code_count + 1,
			sizeof(*table->codes));
	table->codes[table->code_count++] = (struct abbrev_code){code, table->count - 1};
}

static struct error *read_table(struct abbrev_table *table, const struct object *object,
	struct parse *parse, struct pending *reads)
{
	const struct object_section *section = &object->sections[OBJECT_DEBUG_ABBREV];
	parse->p = section->data + table->key.off;
	parse->end = section->data + section->size;
	for (;;) {
		const uint8_t *at = parse->p;
		uint64_t code, tag;
		if (!bytes_uleb(&parse->p, parse->end, &code))
			return damaged(object, at, "the abbreviation table does not end");
		if (!code)
			return NULL;
		if (!bytes_uleb(&parse->p, parse->end, &tag))
			return damaged(object, at, "an abbreviation is cut off");
		if (table->count == table->capacity)
			table->items = mem_grow(table->items, &table->capacity, table->count + 1,
				sizeof(*table->items));
		parse->abbrev = &table->items[table->count++];
		struct error *error = read_abbrev(parse, object, reads, tag);
		if (error)
			return error;
		note_code(table, code);
	}
}

struct error *abbrev_table_read(struct abbrev_table *table, struct abbrev_key key)
{
	const struct object *object = key.object;
	table->key = key;
	table->ready = false;
	table->is_searchable = true;
	table->has_signatures = false;
	table->count = table->dense = table->code_count = table->step_count =
		table->constant_count = 0;
	if (key.off >= object->sections[OBJECT_DEBUG_ABBREV].size)
		return error_new("%s: .debug_abbrev+0x%" PRIx64
				 ": an abbreviation table is outside of the section; the debug "
				 "information is damaged, rebuild the file or take an intact copy",
			object_debug_path(object), key.off);
	struct parse parse = {.table = table};
	for (size_t form = 0; form < FORM_LIMIT; form++)
		parse.sizes[form] = abbrev_form_bytes(key, form);
	struct pending reads = {0};
	struct error *error = read_table(table, object, &parse, &reads);
	mem_free(reads.items);
	if (error)
		return error;
	if (table->code_count > 1)
		qsort(table->codes, table->code_count, sizeof(*table->codes), compare_codes);
	table->ready = true;
	return NULL;
}

const struct abbrev *abbrev_find_sparse(const struct abbrev_table *table, uint64_t code)
{
	size_t low = 0, high = table->code_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (table->codes[middle].code < code)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < table->code_count && table->codes[low].code == code)
		return &table->items[table->codes[low].item];
	return NULL;
}

#include "read/dwarf/plain.h"

#include <string.h>

#include "base/mem.h"
#include "read/bytes.h"
#include "read/dw.h"
#include "read/dwarf/expression.h"
#include "read/dwarf/field.h"

void plain_init(struct plain *plain, const struct object *object, const struct entry_extent *extent,
	const struct object_contribution *part)
{
	uint64_t have;
	const struct object_section *abbrevs = &extent->object->sections[OBJECT_DEBUG_ABBREV];
	uint64_t abbrev_off = extent->abbrev_off + (part ? part->abbrev_off : 0);
	const uint8_t *start = entry_bytes(object, extent->off, &have);
	*plain = (struct plain){.object = object,
		.extent = *extent,
		.key = {.object = extent->object,
			.off = abbrev_off,
			.address_bytes = extent->address_bytes,
			.offset_bytes = extent->offset_bytes,
			.ref_addr_bytes = extent->version == 2 ? extent->address_bytes
							       : extent->offset_bytes},
		.info = (const uint8_t *)((uintptr_t)start - extent->off),
		.end = start + (extent->end - extent->off),
		/* a split unit does not say it: behind a header since DWARF 5 (section 7.26) */
		.str_offsets_base = (part ? part->str_offsets_off : 0) +
				    (extent->version >= 5 ? 2u * extent->offset_bytes : 0),
		.swap = bytes_swapped(object->types.big_endian)};
	if (abbrev_off < abbrevs->size) {
		plain->next = abbrevs->data + abbrev_off;
		plain->limit = abbrevs->data + abbrevs->size;
	}
}

void plain_release(struct plain *plain)
{
	mem_free(plain->items);
	*plain = (struct plain){.object = NULL};
}

/* ---- abbreviations ---- */

static bool skip_attributes(const uint8_t **p, const uint8_t *end)
{
	uint64_t name, form;
	int64_t constant;
	do {
		if (!bytes_uleb(p, end, &name) || !bytes_uleb(p, end, &form) ||
			(form == DW_FORM_implicit_const && !bytes_sleb(p, end, &constant)))
			return false;
	} while (name || form);
	return true;
}

/* Reads one more. */
static bool read_abbrev(struct plain *plain)
{
	const uint8_t *p = plain->next, *end = plain->limit;
	uint64_t code, tag;
	plain->next = NULL;
	if (!p || !bytes_uleb(&p, end, &code) || code != plain->count + 1 ||
		!bytes_uleb(&p, end, &tag) || tag > UINT16_MAX || p == end || *p > 1)
		return false;
	struct plain_abbrev abbrev = {
		.attributes = p + 1, .tag = (uint16_t)tag, .has_children = *p};
	p++;
	if (!skip_attributes(&p, end))
		return false;
	plain->items =
		mem_grow(plain->items, &plain->capacity, plain->count + 1, sizeof(*plain->items));
	plain->items[plain->count++] = abbrev;
	plain->next = p;
	return true;
}

/* Of the entry at *p, which moves behind its code; NULL: not known, or a null entry. Valid until the next call. */
static const struct plain_abbrev *abbrev_at(struct plain *plain, const uint8_t **p)
{
	uint64_t code;
	if (!bytes_uleb(p, plain->end, &code) || !code)
		return NULL;
	while (plain->count < code)
		if (!read_abbrev(plain))
			return NULL;
	return &plain->items[code - 1];
}

/* ---- values ---- */

struct raw {
	uint64_t form; /* DW_FORM_*, the standard one */
	uint64_t number;
	const uint8_t *bytes; /* of blocks and inline strings */
	uint64_t length;      /* of blocks */
};

static bool take_block(
	const struct plain *plain, const uint8_t **p, uint64_t length, struct raw *ret)
{
	if (length > (uint64_t)(plain->end - *p))
		return false;
	ret->bytes = *p;
	ret->length = length;
	*p += length;
	return true;
}

/* The number of `size` bytes at *p. */
static bool take_number(const struct plain *plain, const uint8_t **p, size_t size, uint64_t *ret)
{
	if (size > (size_t)(plain->end - *p) || size > 8 || (size > 4 && size < 8))
		return false;
	*ret = size ? bytes_uint(*p, size, plain->swap) : 0;
	*p += size;
	return true;
}

/* A value of any form but those with the form, or their value, elsewhere. */
static bool take(const struct plain *plain, const uint8_t **p, struct raw *ret)
{
	const uint8_t *end = plain->end;
	uint64_t length;
	int64_t negative;
	switch (ret->form) {
	case DW_FORM_string: {
		const uint8_t *nul = memchr(*p, 0, (size_t)(end - *p));
		ret->bytes = *p;
		*p = nul ? nul + 1 : *p;
		return nul != NULL;
	}
	case DW_FORM_block1:
		return take_number(plain, p, 1, &length) && take_block(plain, p, length, ret);
	case DW_FORM_block2:
		return take_number(plain, p, 2, &length) && take_block(plain, p, length, ret);
	case DW_FORM_block4:
		return take_number(plain, p, 4, &length) && take_block(plain, p, length, ret);
	case DW_FORM_block:
	case DW_FORM_exprloc:
		return bytes_uleb(p, end, &length) && take_block(plain, p, length, ret);
	case DW_FORM_data16:
		return take_block(plain, p, 16, ret);
	case DW_FORM_sdata:
		if (!bytes_sleb(p, end, &negative))
			return false;
		ret->number = (uint64_t)negative;
		return true;
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
		return bytes_uleb(p, end, &ret->number);
	case DW_FORM_flag_present:
		ret->number = 1;
		return true;
	default:
		return take_number(
			plain, p, abbrev_form_bytes(plain->key, ret->form), &ret->number);
	}
}

static bool string_in(const struct object_section *section, uint64_t off, const char **ret)
{
	*ret = bytes_string(section->data, section->size, off);
	return *ret != NULL;
}

bool plain_string_at(const struct plain *plain, uint64_t index, const char **ret)
{
	const struct object *file = plain->extent.object;
	const struct object_section *offsets = &file->sections[OBJECT_DEBUG_STR_OFFSETS];
	uint64_t bytes = plain->extent.offset_bytes, base = plain->str_offsets_base;
	if (base > offsets->size || index >= (offsets->size - base) / bytes)
		return false;
	uint64_t off = bytes_uint(offsets->data + base + index * bytes, bytes, plain->swap);
	return string_in(&file->sections[OBJECT_DEBUG_STR], off, ret);
}

static bool to_string(const struct plain *plain, const struct raw *raw, const char **ret)
{
	const struct object *file = plain->extent.object;
	const char *text = NULL;
	bool good;
	switch (raw->form) {
	case DW_FORM_string:
		text = (const char *)raw->bytes;
		good = true;
		break;
	case DW_FORM_strp:
		good = string_in(&file->sections[OBJECT_DEBUG_STR], raw->number, &text);
		break;
	case DW_FORM_line_strp:
		good = string_in(&file->sections[OBJECT_DEBUG_LINE_STR], raw->number, &text);
		break;
	case DW_FORM_strx:
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
		good = plain_string_at(plain, raw->number, &text);
		break;
	case DW_FORM_strp_sup:
		good = !file->alternate ||
		       string_in(&file->alternate->sections[OBJECT_DEBUG_STR], raw->number, &text);
		break;
	default:
		return false;
	}
	*ret = text && *text ? text : NULL;
	return good;
}

static bool is_local(uint64_t form)
{
	return form == DW_FORM_ref1 || form == DW_FORM_ref2 || form == DW_FORM_ref4 ||
	       form == DW_FORM_ref8 || form == DW_FORM_ref_udata;
}

static bool refer(const struct object *file, uint64_t number, struct entry_ref *ret)
{
	*ret = (struct entry_ref){file->start + number, ENTRY_REF_OFFSET};
	return number < object_span(file);
}

static bool to_ref(const struct plain *plain, const struct raw *raw, struct entry_ref *ret)
{
	const struct entry_extent *extent = &plain->extent;
	if (is_local(raw->form)) {
		*ret = (struct entry_ref){extent->off + raw->number, ENTRY_REF_OFFSET};
		return raw->number < extent->end - extent->off;
	}
	switch (raw->form) {
	case DW_FORM_ref_addr:
		return refer(extent->object, raw->number, ret);
	case DW_FORM_ref_sig8:
		*ret = (struct entry_ref){raw->number, ENTRY_REF_SIGNATURE};
		return true;
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
		if (extent->object->alternate)
			return refer(extent->object->alternate, raw->number, ret);
		*ret = (struct entry_ref){0, ENTRY_REF_ELSEWHERE};
		return true;
	default:
		return false;
	}
}

static struct entry_number to_number(const struct plain *plain, const struct raw *raw)
{
	switch (raw->form) {
	case DW_FORM_exprloc:
	case DW_FORM_block:
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4:
		return expression_evaluate(raw->bytes, raw->length, plain->swap);
	case DW_FORM_data1:
	case DW_FORM_data2:
	case DW_FORM_data4:
	case DW_FORM_data8:
	case DW_FORM_udata:
	case DW_FORM_sdata:
	case DW_FORM_implicit_const:
		return (struct entry_number){raw->number, ENTRY_CONSTANT};
	default: /* a reference to a variable that holds it, a location list, 16 bytes */
		return (struct entry_number){0, ENTRY_DYNAMIC};
	}
}

static bool is_flag(const struct raw *raw)
{
	return raw->form == DW_FORM_flag || raw->form == DW_FORM_flag_present;
}

/* Before DWARF 4 an offset is written as a number. */
static bool is_offset(const struct plain *plain, const struct raw *raw)
{
	return raw->form == DW_FORM_sec_offset ||
	       (plain->extent.version < 4 &&
		       (raw->form == DW_FORM_data4 || raw->form == DW_FORM_data8));
}

static bool store(const struct plain *plain, const struct raw *raw, struct field field)
{
	struct entry_number number;
	struct field_root *root;
	switch (field.kind) {
	case FIELD_NONE:
		return true;
	case FIELD_STRING:
		return to_string(plain, raw, field.at);
	case FIELD_REF:
		return to_ref(plain, raw, field.at);
	case FIELD_NUMBER:
		*(struct entry_number *)field.at = to_number(plain, raw);
		return true;
	case FIELD_CONSTANT:
	case FIELD_VIRTUALITY:
		number = to_number(plain, raw);
		number.value = number.state == ENTRY_CONSTANT ? number.value : 0;
		if (field.kind == FIELD_CONSTANT)
			*(uint64_t *)field.at = number.value;
		else
			*(bool *)field.at = number.value != 0;
		return true;
	case FIELD_FLAG:
		*(bool *)field.at = raw->number != 0;
		return is_flag(raw);
	case FIELD_LINES:
		root = field.at;
		root->line_off = raw->number;
		root->has_lines = true;
		return is_offset(plain, raw);
	case FIELD_DISCR_LIST:
		break;
	}
	return false;
}

/* ---- entries ---- */

/*
 * The next attribute: what it is at *at in its abbreviation, its value at *p; both move behind it. *name is 0 behind the
 * last one.
 */
static bool next_attribute(const struct plain *plain, const uint8_t **at, const uint8_t **p,
	uint64_t *name, struct raw *ret)
{
	uint64_t form;
	int64_t constant;
	if (!bytes_uleb(at, plain->limit, name) || !bytes_uleb(at, plain->limit, &form))
		return false;
	if (!*name)
		return !form;
	*ret = (struct raw){.form = abbrev_standard_form(form, plain->key.offset_bytes)};
	if (form != DW_FORM_implicit_const)
		return take(plain, p, ret);
	if (!bytes_sleb(at, plain->limit, &constant))
		return false;
	ret->number = (uint64_t)constant;
	return true;
}

/*
 * The attributes at *p, which moves behind them, into `entry` (NULL: nowhere). *sibling: what DW_AT_sibling says, as an
 * offset in the unit; 0 without.
 */
static bool read_attributes(const struct plain *plain, const struct plain_abbrev *abbrev,
	const uint8_t **p, struct entry *entry, uint64_t *sibling)
{
	const uint8_t *at = abbrev->attributes;
	struct raw raw;
	uint64_t name;
	*sibling = 0;
	while (next_attribute(plain, &at, p, &name, &raw)) {
		if (!name)
			return true;
		if (entry && !store(plain, &raw, field_of(entry, name)))
			return false;
		if (name == DW_AT_sibling && is_local(raw.form))
			*sibling = raw.number;
	}
	return false;
}

/* Over the children at *p of an entry. */
static bool skip_children(struct plain *plain, const uint8_t **p, uint64_t sibling)
{
	const uint8_t *start = plain->info + plain->extent.off;
	uint64_t ignored;
	if (sibling > (uint64_t)(*p - start) && sibling < (uint64_t)(plain->end - start)) {
		*p = start + sibling;
		return true;
	}
	for (size_t depth = 1; depth;) {
		if (*p == plain->end)
			return false;
		if (!**p) {
			++*p;
			depth--;
			continue;
		}
		const struct plain_abbrev *abbrev = abbrev_at(plain, p);
		if (!abbrev || !read_attributes(plain, abbrev, p, NULL, &ignored))
			return false;
		depth += abbrev->has_children;
	}
	return true;
}

static bool lies_in(const struct plain *plain, uint64_t off)
{
	return off >= plain->extent.root_off && off < plain->extent.end;
}

bool plain_read(struct plain *plain, uint64_t off, struct entry *ret)
{
	if (!lies_in(plain, off))
		return false;
	const uint8_t *p = plain->info + off;
	const struct plain_abbrev *abbrev = abbrev_at(plain, &p);
	uint64_t ignored;
	if (!abbrev)
		return false;
	*ret = (struct entry){.off = off, .tag = abbrev->tag};
	return read_attributes(plain, abbrev, &p, ret, &ignored);
}

/* One of the two ways over the root: for where the strings are, then for the rest (`root`). */
static bool walk_root(struct plain *plain, struct field_root *root)
{
	const uint8_t *p = plain->info + plain->extent.root_off;
	const struct plain_abbrev *abbrev = abbrev_at(plain, &p);
	const uint8_t *at = abbrev ? abbrev->attributes : NULL;
	struct raw raw;
	uint64_t name;
	while (abbrev && next_attribute(plain, &at, &p, &name, &raw)) {
		if (!name)
			return true;
		if (!root && name == DW_AT_str_offsets_base)
			plain->str_offsets_base = raw.number;
		if (!root && name == DW_AT_str_offsets_base && raw.form != DW_FORM_sec_offset)
			return false;
		if (root && !store(plain, &raw, field_of_root(root, name)))
			return false;
	}
	return false;
}

bool plain_read_root(struct plain *plain, struct field_root *ret)
{
	uint64_t stated_by_none = plain->str_offsets_base;
	*ret = (struct field_root){.name = NULL};
	if (lies_in(plain, plain->extent.root_off) && walk_root(plain, NULL) &&
		walk_root(plain, ret))
		return true;
	plain->next = NULL;
	plain->count = 0;
	plain->str_offsets_base = stated_by_none;
	return false;
}

/* The child at *p, which moves behind it and its own children. */
static bool read_child(struct plain *plain, const uint8_t **p, entry_filter *filter, bool outline,
	struct entry_list *list)
{
	uint64_t off = (uint64_t)(*p - plain->info), sibling;
	const struct plain_abbrev *found = abbrev_at(plain, p);
	struct entry *entry = NULL;
	if (!found)
		return false;
	const struct plain_abbrev abbrev = *found;
	if (filter(abbrev.tag)) {
		list->items = mem_grow(
			list->items, &list->capacity, list->count + 1, sizeof(*list->items));
		entry = &list->items[list->count++];
		*entry = (struct entry){.off = off, .tag = abbrev.tag};
	}
	return read_attributes(plain, &abbrev, p, outline ? NULL : entry, &sibling) &&
	       (!abbrev.has_children || skip_children(plain, p, sibling));
}

bool plain_children(struct plain *plain, uint64_t off, entry_filter *filter, bool outline,
	struct entry_list *list)
{
	size_t first = list->count;
	uint64_t ignored;
	if (!lies_in(plain, off))
		return false;
	const uint8_t *p = plain->info + off;
	const struct plain_abbrev *parent = abbrev_at(plain, &p);
	if (!parent || !read_attributes(plain, parent, &p, NULL, &ignored))
		return false;
	if (!parent->has_children)
		return true;
	while (p < plain->end && *p)
		if (!read_child(plain, &p, filter, outline, list)) {
			list->count = first;
			return false;
		}
	if (p < plain->end)
		return true;
	list->count = first;
	return false;
}

#include <string.h>

#include "read/bytes.h"
#include "read/dw.h"
#include "read/dwarf/reader.h"

enum { NESTED_MOST = 32 };

static bool is_variant(uint16_t tag)
{
	return tag == DW_TAG_variant || tag == DW_TAG_member;
}

static bool is_part_of_variant(uint16_t tag)
{
	return tag == DW_TAG_member || tag == DW_TAG_variant_part;
}

/*
 * Labels and ranges that choose a variant (DWARF 5 section 5.7.10). They are signed or not as the discriminant is, of which
 * only the size matters here: what is read as signed has the right low bits.
 */
static void read_list(
	struct reader *reader, const struct entry *entry, struct type_variant *variant)
{
	const uint8_t *at = entry->discr_list, *end = at + entry->discr_list_length;
	struct type_range *values = NULL;
	size_t count = 0, capacity = 0;
	while (at < end) {
		uint8_t kind = *at++;
		int64_t low, high;
		if ((kind != DW_DSC_label && kind != DW_DSC_range) || !bytes_sleb(&at, end, &low))
			break;
		high = low;
		if (kind == DW_DSC_range && !bytes_sleb(&at, end, &high))
			break;
		values = arena_grow(reader->arena, values, &capacity, count + 1, sizeof(*values));
		values[count++] = (struct type_range){(uint64_t)low, (uint64_t)high};
	}
	variant->values = values;
	variant->value_count = count;
}

static void read_values(
	struct reader *reader, const struct entry *entry, struct type_variant *variant)
{
	if (entry->discr_list) {
		read_list(reader, entry, variant);
	} else if (entry->discr_value.state == ENTRY_CONSTANT) {
		struct type_range value = {entry->discr_value.value, entry->discr_value.value};
		variant->values = arena_copy(reader->arena, &value, 1, sizeof(value));
		variant->value_count = 1;
	}
}

/* An alternative that is one unnamed struct with the alternative's name, made for this: Rust's. */
static bool is_body(const struct reader *reader, const struct type_member *members, size_t count)
{
	if (count != 1 || !*members->name || members->off_bits || members->bit_size)
		return false;
	const struct type *type = types_get(reader->types, members->type);
	return type_is_aggregate(type) && type->name && type->scope &&
	       strcmp(type->name, members->name) == 0;
}

static struct error *add_variant(struct reader *reader, struct opened_unit *unit,
	const struct entry *entry, struct reader_members *list, int depth)
{
	size_t first, first_member = list->count;
	struct type_variant variant = {.name = ""};
	read_values(reader, entry, &variant);
	struct error *error =
		reader_push_children(reader, unit, entry->off, is_part_of_variant, &first);
	if (error)
		return error;
	list->variants = arena_grow(reader->arena, list->variants, &list->variant_capacity,
		list->variant_count + 1, sizeof(*list->variants));
	size_t index = list->variant_count++;
	size_t count = reader->entries.count - first;
	for (size_t i = 0; i < count && !error; i++) {
		struct entry child = reader->entries.items[first + i];
		size_t before = list->count;
		if (child.tag == DW_TAG_variant_part) {
			error = reader_add_variants(reader, unit, &child, list, depth + 1);
			continue;
		}
		error = reader_add_member(reader, unit, &child, list);
		if (!error && list->count > before)
			list->items[before].variant = (uint32_t)index + 1;
	}
	reader->entries.count = first;
	if (!error && list->count > first_member &&
		is_body(reader, list->items + first_member, list->count - first_member)) {
		list->items[first_member].is_body = true;
		variant.name = list->items[first_member].name;
	}
	list->variants[index] = variant;
	return error;
}

struct error *reader_add_variants(struct reader *reader, struct opened_unit *unit,
	const struct entry *part, struct reader_members *list, int depth)
{
	size_t first;
	if (depth > NESTED_MOST)
		return entry_damaged(reader->object, part->off, "variants nested too deep");
	struct error *error = reader_push_children(reader, unit, part->off, is_variant, &first);
	if (error)
		return error;
	size_t count = reader->entries.count - first;
	for (size_t i = 0; i < count && !error; i++) {
		struct entry child = reader->entries.items[first + i];
		size_t before = list->count;
		if (child.tag == DW_TAG_variant) {
			error = add_variant(reader, unit, &child, list, depth);
			continue;
		}
		error = reader_add_member(reader, unit, &child, list);
		if (!error && list->count > before)
			list->items[before].is_discriminant = !child.name;
	}
	reader->entries.count = first;
	return error;
}

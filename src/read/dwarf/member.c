#include <string.h>

#include "base/mem.h"
#include "read/dw.h"
#include "read/dwarf/reader.h"
#include "read/dwarf/scoped.h"
#include "read/dwarf/tag.h"

static bool is_member(uint16_t tag)
{
	return tag == DW_TAG_member || tag == DW_TAG_inheritance || tag == DW_TAG_variant_part;
}

static bool is_member_or_function(uint16_t tag)
{
	return is_member(tag) || tag == DW_TAG_subprogram;
}

void reader_want(struct reader *reader, type_id id)
{
	for (int depth = 0; depth < READER_CHAIN_MAX; depth++) {
		const struct type *type = types_get(reader->types, id);
		if (type_is_aggregate(type)) {
			if (reader->origins[id].progress != NAME_ONLY)
				return;
			reader->origins[id].progress = WANTED;
			reader->wanted = mem_grow(reader->wanted, &reader->wanted_capacity,
				reader->wanted_count + 1, sizeof(*reader->wanted));
			reader->wanted[reader->wanted_count++] = id;
			return;
		}
		if (type->kind != TYPE_TYPEDEF && type->kind != TYPE_CONST &&
			type->kind != TYPE_VOLATILE && type->kind != TYPE_RESTRICT &&
			type->kind != TYPE_ATOMIC && type->kind != TYPE_ARRAY)
			return;
		id = type->target;
	}
}

/* Is what this has by value somewhere else, and nobody has it? Then the struct is not known. */
static bool is_missing(const struct reader *reader, type_id id)
{
	for (int depth = 0; depth < READER_CHAIN_MAX; depth++) {
		const struct type *type = types_get(reader->types, types_strip(reader->types, id));
		if (type->kind != TYPE_ARRAY)
			break;
		id = type->target;
	}
	return reader->origins[types_strip(reader->types, id)].progress == MISSING;
}

/*
 * Where a bit-field lies (DWARF 5 section 5.7.6; the older DW_AT_bit_offset, DWARF 3 section 5.6.6, counts
 * from the most significant bit of a storage unit that starts at the location). One as wide as its type may
 * have no DW_AT_bit_size.
 */
static bool place_bits(
	const struct reader *reader, const struct entry *entry, struct type_member *member)
{
	uint64_t type_bytes = 0, bits;
	bool sized = type_size(reader->types, member->type, &type_bytes);
	if (entry->bit_size.state != ENTRY_CONSTANT &&
		entry->data_bit_offset.state != ENTRY_CONSTANT &&
		entry->bit_offset.state != ENTRY_CONSTANT)
		return true;
	bits = entry->bit_size.state == ENTRY_CONSTANT ? entry->bit_size.value : 8 * type_bytes;
	if (bits > UINT32_MAX || (entry->bit_size.state != ENTRY_CONSTANT && !sized))
		return false;
	member->bit_size = (uint32_t)bits;
	if (entry->data_bit_offset.state == ENTRY_CONSTANT) {
		member->off_bits = entry->data_bit_offset.value;
	} else if (entry->bit_offset.state == ENTRY_CONSTANT) {
		uint64_t storage = entry->byte_size.state == ENTRY_CONSTANT ? entry->byte_size.value
									    : type_bytes;
		uint64_t from_top =
			entry->bit_offset.value; /* negative when it starts in front of the unit */
		member->off_bits += reader->types->machine.big_endian
					    ? from_top
					    : 8 * storage - from_top - bits;
	}
	return true;
}

/*
 * clang says nothing of the bits of a bit-field that is as wide as its type, and only its first byte. No other member of a
 * struct begins in front of the end of the one before it: such a one goes on where that ends.
 */
static void behind_bits(
	const struct types *types, const struct type_member *before, struct type_member *member)
{
	const struct type *type = types_get(types, types_strip(types, member->type));
	uint64_t end_bits = before->off_bits + before->bit_size;
	if ((type->kind != TYPE_BASE && type->kind != TYPE_ENUM) || member->bit_size ||
		!before->bit_size || before->is_dynamic || member->is_dynamic || member->is_base ||
		member->off_bits >= end_bits || member->off_bits != end_bits / 8 * 8)
		return;
	member->off_bits = end_bits;
	member->bit_size = (uint32_t)(8 * type->size_bytes);
}

static struct error *read_member(struct reader *reader, struct opened_unit *unit,
	const struct entry *entry, const struct type *aggregate, struct type_member *member)
{
	struct entry_unit *entries;
	struct error *error = reader_type_of(reader, unit, &entry->type, 0, &member->type);
	if (!error)
		error = opened_use(&reader->units, unit, &entries);
	if (error)
		return error;
	reader_want(reader, member->type);
	if (is_missing(reader, member->type))
		return entry_damaged(
			reader->object, entry->off, "its type is in a unit that is not here");
	member->name = entry->name ? entry->name : "";
	member->align_bytes = reader_alignment(entry);
	member->line = (uint32_t)entry->decl_line;
	if (entry->has_decl_file)
		member->file = entry_file(entries, entry->decl_file, &reader->strings);
	member->is_artificial = entry->is_artificial;
	if (entry->tag == DW_TAG_inheritance) {
		const char *name =
			types_get(reader->types, types_strip(reader->types, member->type))->name;
		member->is_base = true;
		member->is_virtual = entry->is_virtual;
		member->name = name ? name : "";
	}
	if (entry->location.state == ENTRY_DYNAMIC ||
		entry->data_bit_offset.state == ENTRY_DYNAMIC) {
		member->is_dynamic = true;
		member->off_bits = 8 * aggregate->size_bytes;
		if (entry->bit_size.state == ENTRY_CONSTANT && entry->bit_size.value <= UINT32_MAX)
			member->bit_size = (uint32_t)entry->bit_size.value;
		return NULL;
	}
	if (__builtin_mul_overflow(entry->location.value, 8, &member->off_bits) &&
		entry->location.value < aggregate->size_bytes)
		return error_new("%s: struct %s: member %s is 2 EiB or more from its start, "
				 "and places are counted in bits; make the struct smaller",
			object_debug_path(reader->object), aggregate->name ? aggregate->name : "{...}",
			member->name);
	if (entry->location.value > UINT64_MAX / 8 || !place_bits(reader, entry, member))
		return entry_damaged(reader->object, entry->off, "a member without a place");
	return NULL;
}

/* In DWARF 2 to 4 static members look like the others, but have no place in the object. */
static bool is_static_member(const struct entry *entry)
{
	return entry->tag == DW_TAG_member && (entry->is_external || entry->is_declaration);
}

struct error *reader_add_member(struct reader *reader, struct opened_unit *unit,
	const struct entry *entry, struct reader_members *list)
{
	struct type_member member = {.name = ""};
	if (is_static_member(entry))
		return NULL;
	struct error *error = read_member(reader, unit, entry, list->aggregate, &member);
	if (error)
		return error;
	if (list->count && list->aggregate->kind != TYPE_UNION)
		behind_bits(reader->types, &list->items[list->count - 1], &member);
	list->items = arena_grow(
		reader->arena, list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	list->items[list->count++] = member;
	return NULL;
}

static bool is_private(const struct type *aggregate, const struct entry *entry)
{
	return entry->accessibility ? entry->accessibility != DW_ACCESS_public
				    : aggregate->kind == TYPE_CLASS;
}

/*
 * What the children say of the class: plain old data in the sense of C++ 2003, of which the Itanium C++ ABI (section 1.1)
 * keeps the padding to itself, has no bases, virtual functions, private members, constructors, destructor and assignment
 * of its own. Of the last three the debug information does not say whether they only were written as `= default`.
 */
static void judge_tail(const struct entry *entry, struct type *aggregate)
{
	const char *name = entry->name ? entry->name : "";
	size_t bare = aggregate->name ? strcspn(aggregate->name, "<") : 0;
	bool is_function = entry->tag == DW_TAG_subprogram;
	if (entry->is_virtual)
		aggregate->has_virtual = true;
	if (entry->is_virtual || entry->tag == DW_TAG_inheritance ||
		(entry->tag == DW_TAG_member && !is_static_member(entry) &&
			(entry->is_artificial || is_private(aggregate, entry))))
		aggregate->tail = TYPE_TAIL_LENT;
	if (is_function && aggregate->tail == TYPE_TAIL_KEPT &&
		(*name == '~' || strcmp(name, "operator=") == 0 ||
			(bare && strlen(name) >= bare && memcmp(name, aggregate->name, bare) == 0 &&
				(!name[bare] || name[bare] == '<'))))
		aggregate->tail = TYPE_TAIL_UNSURE;
}

/* Rust puts fields in an order of its own, and has them in the debug information as they were written; did it? */
static bool sort_members(const struct reader_members *list)
{
	enum { SORTED_MOST = 4096 };
	bool moved = false;
	for (size_t i = 1; i < list->count && list->count <= SORTED_MOST; i++) {
		struct type_member member = list->items[i];
		size_t at = i;
		for (; at && !member.variant && !list->items[at - 1].variant &&
			list->items[at - 1].off_bits > member.off_bits;
			at--)
			list->items[at] = list->items[at - 1];
		list->items[at] = member;
		moved |= at != i;
	}
	return moved;
}

static struct error *read_members(
	struct reader *reader, struct opened_unit *unit, uint64_t off, struct type *aggregate)
{
	size_t first;
	struct entry_unit *entries;
	struct reader_members list = {.aggregate = aggregate};
	struct error *error = opened_use(&reader->units, unit, &entries);
	uint16_t language = error ? 0 : entries->language;
	bool is_cxx = dwarf_is_cxx(language);
	if (!error)
		error = reader_push_children(
			reader, unit, off, is_cxx ? is_member_or_function : is_member, &first);
	if (error)
		return error;
	size_t count = reader->entries.count - first;
	if (!is_cxx) {
		list.items = arena_new(reader->arena, count, sizeof(*list.items));
		list.capacity = count;
	}
	for (size_t i = 0; i < count && !error; i++) {
		/* a copy: the stack may move */
		struct entry entry = reader->entries.items[first + i];
		if (is_cxx)
			judge_tail(&entry, aggregate);
		if (entry.tag == DW_TAG_variant_part)
			error = reader_add_variants(reader, unit, &entry, &list, 0);
		else if (entry.tag != DW_TAG_subprogram)
			error = reader_add_member(reader, unit, &entry, &list);
	}
	reader->entries.count = first;
	if (!error && language == DW_LANG_Rust)
		aggregate->is_reordered = sort_members(&list);
	aggregate->members = list.items;
	aggregate->member_count = list.count;
	aggregate->variants = list.variants;
	aggregate->variant_count = list.variant_count;
	return error;
}

/* The same in other units. */
static struct error *find_home(
	struct reader *reader, struct opened_unit **unit, struct entry *entry)
{
	const char *scope;
	struct opened_unit *home;
	struct entry_unit *entries;
	struct entry found;
	bool is_bare;
	if (!entry->name)
		return NULL;
	struct error *error =
		scoped_text(&reader->units, *unit, entry->off, &reader->strings, &scope);
	if (error)
		return error;
	const struct index_def *def = homes_find(&reader->units.map->homes, reader->object,
		reader->units.worker, tag_kind(entry->tag), scope, entry->name);
	if (!def)
		return NULL;
	error = opened_get(&reader->units, def->unit_off, &home);
	if (!error)
		error = opened_use(&reader->units, home, &entries);
	if (!error)
		error = entry_read(entries, def->die_off, &found);
	if (!error)
		error = scoped_is_bare_template(&reader->units, home, &found, &is_bare);
	if (error || is_bare)
		return error;
	home->is_shared = true;
	*unit = home;
	*entry = found;
	return NULL;
}

/*
 * Where the members of an aggregate are that is only declared here: `entry` becomes that, and `unit` its unit; else it
 * stays a declaration.
 */
static struct error *find_definition(
	struct reader *reader, struct opened_unit **unit, struct entry *entry)
{
	struct entry_unit *entries;
	uint64_t off = 0;
	struct error *error = opened_use(&reader->units, *unit, &entries);
	if (error || tag_is_c(entries->language))
		return error;
	bool is_cxx = dwarf_is_cxx(entries->language);
	error = scoped_find_definition(&reader->units, *unit, entry->off, &reader->strings, &off);
	if (error)
		return error;
	if (!off)
		return is_cxx ? find_home(reader, unit, entry) : NULL;
	error = opened_use(&reader->units, *unit, &entries);
	return error ? error : entry_read(entries, off, entry);
}

/* Reads the members of one aggregate of which the name is known. */
static struct error *complete(struct reader *reader, type_id id)
{
	struct opened_unit *unit = reader->origins[id].unit;
	struct entry_unit *entries;
	struct entry entry;
	struct type type = *types_get(reader->types, id);
	struct error *error = opened_use(&reader->units, unit, &entries);
	reader->origins[id].progress = COMPLETE;
	if (!error)
		error = entry_read(entries, reader->origins[id].off, &entry);
	bool was_declared = !error && entry.is_declaration;
	if (was_declared) {
		error = find_definition(reader, &unit, &entry);
		type.size_bytes = entry.byte_size.value;
		type.size_known = entry.byte_size.state == ENTRY_CONSTANT;
		type.align_bytes = reader_alignment(&entry);
	}
	if (error || entry.is_declaration)
		return error;
	if (was_declared) {
		/* several units may declare what one defines: it is one type */
		const struct entry_ref here = {entry.off, ENTRY_REF_OFFSET};
		error = reader_type_of(reader, unit, &here, 0, &type.definition);
		if (error)
			return error;
		reader_want(reader, type.definition);
	}
	type.is_declaration = false;
	error = read_members(reader, unit, entry.off, &type);
	reader->types->items[id] = type;
	return error;
}

struct error *reader_complete_wanted(struct reader *reader)
{
	struct error *error = NULL;
	while (reader->wanted_count && !error)
		error = complete(reader, reader->wanted[--reader->wanted_count]);
	return error;
}

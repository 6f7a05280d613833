#include "read/dwarf/reader.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "read/dw.h"
#include "read/dwarf/scoped.h"

enum {
	DW_TAG_shared_type = 0x40,
	DW_TAG_generic_subrange = 0x45,
	DW_LANG_UPC = 0x12,
	DW_LANG_ObjC = 0x10,
};

/* More pointers to pointers than any program has: hostile input. */
enum { CHAIN_MAX = 256 };

/* Where a type of the table comes from, until all is read. */
enum progress { NOT_AGGREGATE, NAME_ONLY, WANTED, COMPLETE };

struct reader_origin {
	struct opened_unit *unit;
	uint64_t off;
	enum progress progress;
};

/* ---- small judgements ---- */

static bool is_aggregate_tag(uint16_t tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_interface_type;
}

/* Names at file scope are all there is to know; their types need no search for a scope. */
static bool is_c(uint16_t language)
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
 * DWARF 5 section 7.12, table 7.17: Ada, Cobol, Fortran, Pascal, Modula-2 and -3, PL/I, Julia count from 1.
 */
static uint64_t default_lower_bound(uint16_t language)
{
	static const uint16_t from_one[] = {
		0x03, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0d, 0x0e, 0x0f, 0x17, 0x1f, 0x22, 0x23};
	for (size_t i = 0; i < sizeof(from_one) / sizeof(from_one[0]); i++)
		if (from_one[i] == language)
			return 1;
	return 0;
}

static enum type_kind kind_of_tag(uint16_t tag)
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

static bool is_subrange(uint16_t tag)
{
	return tag == DW_TAG_subrange_type || tag == DW_TAG_generic_subrange ||
	       tag == DW_TAG_enumeration_type;
}

static bool is_parameter(uint16_t tag)
{
	return tag == DW_TAG_formal_parameter || tag == DW_TAG_unspecified_parameters;
}

static bool is_member(uint16_t tag)
{
	return tag == DW_TAG_member || tag == DW_TAG_inheritance;
}

/* Stated alignment; what is no power of two is damage, and as good as not stated. */
static uint32_t alignment(const struct entry *entry)
{
	uint64_t align = entry->align_bytes;
	return align <= UINT32_MAX && (align & (align - 1)) == 0 ? (uint32_t)align : 0;
}

static struct error *damaged(const struct reader *reader, uint64_t off, const char *what)
{
	return error_new("%s: damaged debug information at offset 0x%" PRIx64
			 " of .debug_info: %s; build it again",
		reader->object->path, off, what);
}

/* ---- types ---- */

static struct error *type_at(
	struct reader *reader, struct opened_unit *unit, uint64_t off, int depth, type_id *ret);

static type_id add_type(struct reader *reader, const struct type *type, struct reader_origin origin)
{
	type_id id = types_add(reader->types, type);
	reader->origins = mem_grow(reader->origins, &reader->origin_capacity, (size_t)id + 1,
		sizeof(struct reader_origin));
	reader->origins[id] = origin;
	return id;
}

/* What an attribute refers to. A type in a supplementary file, or that nobody has, stays unspecified. */
static struct error *type_of(struct reader *reader, struct opened_unit *unit,
	const struct entry_ref *ref, int depth, type_id *ret)
{
	struct opened_unit *home = NULL;
	uint64_t off = ref->value;
	struct error *error = NULL;
	switch (ref->kind) {
	case ENTRY_REF_NONE:
		*ret = 0;
		return NULL;
	case ENTRY_REF_OFFSET:
		error = opened_find(&reader->units, unit, off, &home);
		break;
	case ENTRY_REF_SIGNATURE:
		error = opened_find_signature(&reader->units, ref->value, &home, &off);
		break;
	case ENTRY_REF_ELSEWHERE:
		break;
	}
	if (error)
		return error;
	if (!home) {
		struct type missing = {.kind = TYPE_UNSPECIFIED};
		*ret = add_type(
			reader, &missing, (struct reader_origin){.progress = NOT_AGGREGATE});
		return NULL;
	}
	return type_at(reader, home, off, depth, ret);
}

/* Reads children onto the stack; [*first, reader->entries.count) are they. The caller pops. */
static struct error *push_children(struct reader *reader, struct opened_unit *unit, uint64_t off,
	entry_filter *filter, size_t *first)
{
	struct entry_unit *entries;
	struct error *error = opened_use(&reader->units, unit, &entries);
	*first = reader->entries.count;
	return error ? error : entry_children(entries, off, filter, &reader->entries);
}

static uint64_t count_of_dimension(
	const struct reader *reader, const struct entry *dimension, uint16_t language)
{
	uint64_t lower = default_lower_bound(language), upper = dimension->upper_bound.value;
	if (dimension->count.state == ENTRY_CONSTANT) /* old clang: -1 for none */
		return (int64_t)dimension->count.value < 0 ? TYPE_NO_COUNT : dimension->count.value;
	if (dimension->upper_bound.state != ENTRY_CONSTANT ||
		dimension->lower_bound.state == ENTRY_DYNAMIC)
		return TYPE_NO_COUNT;
	if (dimension->lower_bound.state == ENTRY_CONSTANT)
		lower = dimension->lower_bound.value;
	/* old gcc writes the -1 of an empty array as an unsigned number of the size of an address */
	if (reader->types->machine.pointer_bytes == 4 && upper == UINT32_MAX)
		upper = UINT64_MAX;
	return (int64_t)upper < (int64_t)lower ? 0 : upper - lower + 1;
}

static struct error *read_array(struct reader *reader, struct opened_unit *unit,
	const struct entry *entry, int depth, struct type *type)
{
	size_t first, count;
	struct entry_unit *entries;
	struct error *error = push_children(reader, unit, entry->off, is_subrange, &first);
	if (!error)
		error = opened_use(&reader->units, unit, &entries);
	if (!error) {
		count = reader->entries.count - first;
		uint64_t *dims = arena_new(reader->arena, count ? count : 1, sizeof(*dims));
		dims[0] = TYPE_NO_COUNT;
		for (size_t i = 0; i < count; i++)
			dims[i] = count_of_dimension(
				reader, &reader->entries.items[first + i], entries->language);
		type->dims = dims;
		type->dim_count = count ? count : 1;
		type->is_vector = entry->is_vector;
		reader->entries.count = first;
		error = type_of(reader, unit, &entry->type, depth + 1, &type->target);
	}
	/* a vector of three elements takes the place of four */
	uint64_t element;
	if (!error && type->is_vector && type->dim_count == 1 &&
		entry->byte_size.state == ENTRY_CONSTANT &&
		type_size(reader->types, type->target, &element) && element &&
		entry->byte_size.value / element > type->dims[0]) {
		uint64_t whole = entry->byte_size.value / element;
		type->dims = arena_copy(reader->arena, &whole, 1, sizeof(whole));
	}
	return error;
}

static struct error *read_function(struct reader *reader, struct opened_unit *unit,
	const struct entry *entry, int depth, struct type *type)
{
	size_t first;
	struct error *error = push_children(reader, unit, entry->off, is_parameter, &first);
	if (error)
		return error;
	size_t count = reader->entries.count - first;
	type_id *params = arena_new(reader->arena, count, sizeof(*params));
	for (size_t i = 0; i < count && !error; i++) {
		struct entry_ref ref = reader->entries.items[first + i].type;
		if (reader->entries.items[first + i].tag == DW_TAG_unspecified_parameters)
			type->is_variadic = true;
		else if (!reader->entries.items[first + i].is_artificial) /* `this` */
			error = type_of(
				reader, unit, &ref, depth + 1, &params[type->param_count++]);
	}
	reader->entries.count = first;
	type->params = params;
	type->is_prototyped = entry->is_prototyped;
	return error ? error : type_of(reader, unit, &entry->type, depth + 1, &type->target);
}

/* A base type has its own size; a subrange, an enumeration may leave it to the type that it is made of. */
static struct error *read_scalar(struct reader *reader, struct opened_unit *unit,
	const struct entry *entry, int depth, struct type *type)
{
	struct error *error = NULL;
	type_id target = 0;
	if (type->size_known)
		return NULL;
	if (entry->bit_size.state == ENTRY_CONSTANT && entry->bit_size.value < UINT64_MAX - 7) {
		type->size_bytes = (entry->bit_size.value + 7) / 8;
		type->size_known = true;
	} else if (entry->type.kind != ENTRY_REF_NONE) {
		error = type_of(reader, unit, &entry->type, depth + 1, &target);
		if (!error)
			type->size_known = type_size(reader->types, target, &type->size_bytes);
	}
	if (!type->size_known && type->kind == TYPE_BASE)
		type->kind = TYPE_UNSPECIFIED;
	return error;
}

static struct error *read_pointer(struct reader *reader, struct opened_unit *unit,
	const struct entry *entry, int depth, struct type *type)
{
	struct error *error = type_of(reader, unit, &entry->type, depth + 1, &type->target);
	if (!error && type->kind == TYPE_MEMBER_POINTER)
		error = type_of(reader, unit, &entry->container, depth + 1, &type->container);
	if (error || type->size_known)
		return error;
	type->size_bytes = reader->types->machine.pointer_bytes;
	type->size_known = true;
	/* Itanium C++ ABI 2.3: a pointer to a member function is a pair */
	if (type->kind == TYPE_MEMBER_POINTER &&
		types_get(reader->types, types_strip(reader->types, type->target))->kind ==
			TYPE_FUNCTION)
		type->size_bytes *= 2;
	return NULL;
}

/* What an entry leaves to the one that it specifies (DW_AT_specification). */
static struct error *inherit(struct reader *reader, struct opened_unit *unit, struct entry *entry)
{
	struct opened_unit *home;
	struct entry_unit *entries;
	struct entry origin;
	if (entry->origin.kind != ENTRY_REF_OFFSET)
		return NULL;
	struct error *error = opened_find(&reader->units, unit, entry->origin.value, &home);
	if (!error)
		error = opened_use(&reader->units, home, &entries);
	if (!error)
		error = entry_read(entries, entry->origin.value, &origin);
	if (error)
		return error;
	if (!entry->name)
		entry->name = origin.name;
	if (entry->type.kind == ENTRY_REF_NONE)
		entry->type = origin.type;
	if (entry->byte_size.state == ENTRY_ABSENT)
		entry->byte_size = origin.byte_size;
	return NULL;
}

static bool has_scope(enum type_kind kind)
{
	return kind == TYPE_STRUCT || kind == TYPE_UNION || kind == TYPE_CLASS ||
	       kind == TYPE_ENUM || kind == TYPE_TYPEDEF;
}

/* Scope and position of what a user can name. */
static struct error *read_place(struct reader *reader, struct opened_unit *unit,
	const struct entry *entry, struct type *type)
{
	struct entry_unit *entries;
	if (!has_scope(type->kind))
		return NULL;
	struct error *error = opened_use(&reader->units, unit, &entries);
	if (error)
		return error;
	type->line = (uint32_t)entry->decl_line;
	if (entry->has_decl_file)
		type->file = entry_file(entries, entry->decl_file, &reader->strings);
	if (is_c(entries->language) || !type->name)
		return NULL;
	return scoped_text(&reader->units, unit,
		entry->origin.kind == ENTRY_REF_OFFSET ? entry->origin.value : entry->off,
		&reader->strings, &type->scope);
}

static struct error *read_details(struct reader *reader, struct opened_unit *unit,
	const struct entry *entry, int depth, struct type *type)
{
	switch (type->kind) {
	case TYPE_ARRAY:
		return read_array(reader, unit, entry, depth, type);
	case TYPE_FUNCTION:
		return read_function(reader, unit, entry, depth, type);
	case TYPE_BASE:
	case TYPE_ENUM:
		return read_scalar(reader, unit, entry, depth, type);
	case TYPE_POINTER:
	case TYPE_REFERENCE:
	case TYPE_RVALUE_REFERENCE:
	case TYPE_MEMBER_POINTER:
		return read_pointer(reader, unit, entry, depth, type);
	case TYPE_TYPEDEF:
	case TYPE_CONST:
	case TYPE_VOLATILE:
	case TYPE_RESTRICT:
	case TYPE_ATOMIC:
		return type_of(reader, unit, &entry->type, depth + 1, &type->target);
	case TYPE_STRUCT:
	case TYPE_UNION:
	case TYPE_CLASS:
		type->is_declaration = true; /* until its members are read */
		return NULL;
	case TYPE_VOID:
	case TYPE_UNSPECIFIED:
		return NULL;
	}
	return NULL;
}

/* The type of the entry at `off`: of an aggregate its name only, until somebody wants it (want()). */
static struct error *type_at(
	struct reader *reader, struct opened_unit *unit, uint64_t off, int depth, type_id *ret)
{
	struct entry_unit *entries;
	struct entry entry;
	const uint64_t *known = map_find(&unit->types, off);
	if (known) {
		*ret = (type_id)*known;
		return NULL;
	}
	if (depth > CHAIN_MAX)
		return damaged(reader, off, "a type made of too many types");
	struct error *error = opened_use(&reader->units, unit, &entries);
	if (!error)
		error = entry_read(entries, off, &entry);
	if (!error)
		error = inherit(reader, unit, &entry);
	if (error)
		return error;
	/* a stub for a type that has a unit of its own */
	if (entry.signature.kind == ENTRY_REF_SIGNATURE) {
		struct opened_unit *home;
		uint64_t home_off;
		error = opened_find_signature(
			&reader->units, entry.signature.value, &home, &home_off);
		if (error)
			return error;
		if (home)
			return type_at(reader, home, home_off, depth + 1, ret);
	}
	/* qualifiers that C does not print: what they qualify */
	if (entry.tag == DW_TAG_packed_type || entry.tag == DW_TAG_shared_type)
		return type_of(reader, unit, &entry.type, depth + 1, ret);

	struct type type = {
		.kind = kind_of_tag(entry.tag),
		.name = entry.name,
		.size_bytes = entry.byte_size.value,
		.size_known = entry.byte_size.state == ENTRY_CONSTANT,
		.align_bytes = alignment(&entry),
	};
	bool is_aggregate = is_aggregate_tag(entry.tag);
	struct reader_origin origin = {unit, off, is_aggregate ? NAME_ONLY : NOT_AGGREGATE};
	/* known before its parts are read, so that a type that leads back to itself ends there */
	type_id id = add_type(reader, &(struct type){.kind = TYPE_UNSPECIFIED}, origin);
	map_add(&unit->types, off, id);
	error = read_place(reader, unit, &entry, &type);
	if (!error)
		error = read_details(reader, unit, &entry, depth, &type);
	reader->types->items[id] = type;
	*ret = id;
	return error;
}

/* ---- members ---- */

/* Notes that the aggregate in a type that something has by value must be read in full. */
static void want(struct reader *reader, type_id id)
{
	for (int depth = 0; depth < CHAIN_MAX; depth++) {
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

static struct error *read_member(struct reader *reader, struct opened_unit *unit,
	const struct entry *entry, const struct type *aggregate, struct type_member *member)
{
	struct entry_unit *entries;
	struct error *error = type_of(reader, unit, &entry->type, 0, &member->type);
	if (!error)
		error = opened_use(&reader->units, unit, &entries);
	if (error)
		return error;
	want(reader, member->type);
	member->name = entry->name ? entry->name : "";
	member->align_bytes = alignment(entry);
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
	if (entry->location.state == ENTRY_DYNAMIC) {
		member->is_dynamic = true;
		member->off_bits = 8 * aggregate->size_bytes;
		return NULL;
	}
	if (__builtin_mul_overflow(entry->location.value, 8, &member->off_bits) ||
		!place_bits(reader, entry, member))
		return damaged(reader, entry->off, "a member without a place");
	return NULL;
}

/* In DWARF 2 to 4 static members look like the others, but have no place in the object. */
static bool is_static_member(const struct entry *entry)
{
	return entry->tag == DW_TAG_member && (entry->is_external || entry->is_declaration);
}

static struct error *read_members(
	struct reader *reader, struct opened_unit *unit, uint64_t off, struct type *aggregate)
{
	size_t first;
	struct error *error = push_children(reader, unit, off, is_member, &first);
	if (error)
		return error;
	size_t count = reader->entries.count - first;
	struct type_member *members = arena_new(reader->arena, count, sizeof(*members));
	for (size_t i = 0; i < count && !error; i++) {
		struct entry entry =
			reader->entries.items[first + i]; /* a copy: the stack may move */
		if (is_static_member(&entry))
			continue;
		error = read_member(
			reader, unit, &entry, aggregate, &members[aggregate->member_count]);
		aggregate->member_count++;
	}
	reader->entries.count = first;
	aggregate->members = members;
	return error;
}

/*
 * Where the members of an aggregate are that is only declared here: `entry` becomes that; else it stays a
 * declaration.
 */
static struct error *find_definition(
	struct reader *reader, struct opened_unit *unit, struct entry *entry)
{
	struct entry_unit *entries;
	uint64_t off = 0;
	struct error *error = opened_use(&reader->units, unit, &entries);
	if (error || is_c(entries->language))
		return error;
	error = scoped_find_definition(&reader->units, unit, entry->off, &reader->strings, &off);
	if (error || !off)
		return error;
	error = opened_use(&reader->units, unit, &entries);
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
	if (!error && entry.is_declaration) {
		error = find_definition(reader, unit, &entry);
		type.size_bytes = entry.byte_size.value;
		type.size_known = entry.byte_size.state == ENTRY_CONSTANT;
		type.align_bytes = alignment(&entry);
	}
	if (error || entry.is_declaration)
		return error;
	type.is_declaration = false;
	error = read_members(reader, unit, entry.off, &type);
	reader->types->items[id] = type;
	return error;
}

static struct error *complete_wanted(struct reader *reader)
{
	struct error *error = NULL;
	while (reader->wanted_count && !error)
		error = complete(reader, reader->wanted[--reader->wanted_count]);
	return error;
}

struct error *reader_read_type(
	struct reader *reader, struct opened_unit *unit, const struct entry_ref *ref, type_id *ret)
{
	struct error *error = type_of(reader, unit, ref, 0, ret);
	if (error)
		return error;
	want(reader, *ret);
	const struct type *type = types_get(reader->types, types_strip(reader->types, *ret));
	if (type->kind == TYPE_POINTER)
		want(reader, type->target);
	return complete_wanted(reader);
}

/* ---- definitions ---- */

struct error *reader_read(struct reader *reader, struct opened_unit *unit,
	const struct index_def *def, struct dwarf_type *ret)
{
	struct entry_unit *entries;
	type_id id;
	struct error *error = NULL;
	if (def->die_off <= unit->off || def->die_off >= unit->end)
		return damaged(reader, def->die_off, "a definition out of its unit");
	error = type_at(reader, unit, def->die_off, 0, &id);
	if (!error && !type_is_aggregate(types_get(reader->types, id)))
		return damaged(reader, def->die_off, "not a struct, union or class");
	if (!error) {
		want(reader, id);
		error = complete_wanted(reader);
	}
	if (!error)
		error = opened_use(&reader->units, unit, &entries);
	if (error)
		return error;
	*ret = (struct dwarf_type){
		.types = reader->types,
		.id = id,
		.unit = entries->name,
		.comp_dir = entries->comp_dir,
		.producer = entries->producer,
		.dwarf_version = entries->extent.version,
		.language = entries->language,
	};
	return NULL;
}

void reader_init(struct reader *reader, struct arena *arena, const struct object *object,
	struct opened_map *map)
{
	*reader = (struct reader){
		.object = object,
		.arena = arena,
		.types = arena_new(arena, 1, sizeof(struct types)),
	};
	types_init(reader->types, arena, object->types);
	intern_init(&reader->strings, arena);
	opened_init(&reader->units, object, map);
	reader->origins = mem_grow(NULL, &reader->origin_capacity, 1, sizeof(*reader->origins));
	reader->origins[0] = (struct reader_origin){.progress = NOT_AGGREGATE};
}

void reader_release(struct reader *reader)
{
	opened_release(&reader->units);
	entry_list_release(&reader->entries);
	intern_release(&reader->strings);
	mem_free(reader->origins);
	mem_free(reader->wanted);
}

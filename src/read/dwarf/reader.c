#include "read/dwarf/reader.h"

#include <string.h>

#include "base/mem.h"
#include "read/dw.h"
#include "read/dwarf/scoped.h"
#include "read/dwarf/tag.h"
#include "read/index/language.h"

enum {
	DW_TAG_shared_type = 0x40,
	DW_TAG_generic_subrange = 0x45,
};

/* ---- small judgements ---- */

static bool is_subrange(uint16_t tag)
{
	return tag == DW_TAG_subrange_type || tag == DW_TAG_generic_subrange ||
	       tag == DW_TAG_enumeration_type;
}

static bool is_parameter(uint16_t tag)
{
	return tag == DW_TAG_formal_parameter || tag == DW_TAG_unspecified_parameters;
}

uint32_t reader_alignment(const struct entry *entry)
{
	uint64_t align = entry->align_bytes;
	return align <= UINT32_MAX && (align & (align - 1)) == 0 ? (uint32_t)align : 0;
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

struct error *reader_type_of(struct reader *reader, struct opened_unit *unit,
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
			reader, &missing, (struct reader_origin){.progress = MISSING});
		return NULL;
	}
	return type_at(reader, home, off, depth, ret);
}

struct error *reader_push_children(struct reader *reader, struct opened_unit *unit, uint64_t off,
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
	uint64_t lower = language_lower_bound(language), upper = dimension->upper_bound.value;
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

/* Does only the running program know how many there are? Without any bound there are none, or as many as one likes. */
static bool is_variable(const struct entry *dimension)
{
	return dimension->count.state != ENTRY_CONSTANT &&
	       (dimension->count.state == ENTRY_DYNAMIC ||
		       dimension->upper_bound.state == ENTRY_DYNAMIC ||
		       dimension->lower_bound.state == ENTRY_DYNAMIC);
}

static struct error *read_array(struct reader *reader, struct opened_unit *unit,
	const struct entry *entry, int depth, struct type *type)
{
	size_t first, count;
	struct entry_unit *entries;
	struct error *error = reader_push_children(reader, unit, entry->off, is_subrange, &first);
	if (!error)
		error = opened_use(&reader->units, unit, &entries);
	if (!error) {
		count = reader->entries.count - first;
		uint64_t *dims = arena_new(reader->arena, count ? count : 1, sizeof(*dims));
		dims[0] = TYPE_NO_COUNT;
		for (size_t i = 0; i < count; i++) {
			const struct entry *dimension = &reader->entries.items[first + i];
			dims[i] = count_of_dimension(reader, dimension, entries->language);
			type->is_variable |= is_variable(dimension);
		}
		type->dims = dims;
		type->dim_count = count ? count : 1;
		type->is_vector = entry->is_vector;
		reader->entries.count = first;
		error = reader_type_of(reader, unit, &entry->type, depth + 1, &type->target);
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
	struct error *error = reader_push_children(reader, unit, entry->off, is_parameter, &first);
	if (error)
		return error;
	size_t count = reader->entries.count - first;
	type_id *params = arena_new(reader->arena, count, sizeof(*params));
	for (size_t i = 0; i < count && !error; i++) {
		struct entry_ref ref = reader->entries.items[first + i].type;
		if (reader->entries.items[first + i].tag == DW_TAG_unspecified_parameters)
			type->is_variadic = true;
		else if (!reader->entries.items[first + i].is_artificial) /* `this` */
			error = reader_type_of(
				reader, unit, &ref, depth + 1, &params[type->param_count++]);
	}
	reader->entries.count = first;
	type->params = params;
	type->is_prototyped = entry->is_prototyped;
	return error ? error : reader_type_of(reader, unit, &entry->type, depth + 1, &type->target);
}

/* A base type has its own size; a subrange, an enumeration may leave it to the type that it is made of. */
static struct error *read_scalar(struct reader *reader, struct opened_unit *unit,
	const struct entry *entry, int depth, struct type *type)
{
	struct error *error = NULL;
	type_id target = 0;
	if (!type->name && type->kind == TYPE_BASE && entry->tag == DW_TAG_string_type)
		type->name = "character"; /* Fortran's, which has a length and no name */
	if (!type->name && type->kind == TYPE_BASE && entry->type.kind != ENTRY_REF_NONE) {
		/* a part of the values of another (Ada) */
		error = reader_type_of(reader, unit, &entry->type, depth + 1, &target);
		if (error)
			return error;
		type->name = types_get(reader->types, types_strip(reader->types, target))->name;
	}
	if (type->size_known)
		return NULL;
	if (entry->bit_size.state == ENTRY_CONSTANT && entry->bit_size.value < UINT64_MAX - 7) {
		type->size_bytes = (entry->bit_size.value + 7) / 8;
		type->size_known = true;
	} else if (entry->tag != DW_TAG_string_type && entry->type.kind != ENTRY_REF_NONE) {
		error = reader_type_of(reader, unit, &entry->type, depth + 1, &target);
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
	struct error *error = reader_type_of(reader, unit, &entry->type, depth + 1, &type->target);
	if (!error && type->kind == TYPE_MEMBER_POINTER)
		error = reader_type_of(
			reader, unit, &entry->container, depth + 1, &type->container);
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
	if (tag_is_c(entries->language) || !type->name)
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
		return reader_type_of(reader, unit, &entry->type, depth + 1, &type->target);
	case TYPE_STRUCT:
	case TYPE_UNION:
	case TYPE_CLASS:
		type->is_declaration = true; /* until its members are read */
		return NULL;
	case TYPE_UNSPECIFIED:
		/* std::nullptr_t, of which nobody states the size (C++ 2011, 3.9.1) */
		if (entry->tag == DW_TAG_unspecified_type && entry->name &&
			strcmp(entry->name, "decltype(nullptr)") == 0) {
			type->kind = TYPE_BASE;
			type->size_bytes = reader->types->machine.pointer_bytes;
			type->size_known = true;
		}
		return NULL;
	case TYPE_VOID:
		return NULL;
	}
	return NULL;
}

/* The type of the entry at `off`: of an aggregate its name only, until somebody wants it (reader_want()). */
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
	if (depth > READER_CHAIN_MAX)
		return entry_damaged(reader->object, off, "a type made of too many types");
	uint16_t language = 0;
	struct error *error = opened_use(&reader->units, unit, &entries);
	if (!error) {
		language = entries->language;
		error = entry_read(entries, off, &entry);
	}
	if (!error)
		error = inherit(reader, unit, &entry);
	if (error)
		return error;
	/* it stands for a type that has a unit of its own */
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
		return reader_type_of(reader, unit, &entry.type, depth + 1, ret);

	struct type type = {
		.kind = tag_kind(entry.tag),
		.name = entry.name,
		.size_bytes = entry.byte_size.value,
		.size_known = entry.byte_size.state == ENTRY_CONSTANT,
		.align_bytes = reader_alignment(&entry),
	};
	if (language == DW_LANG_Rust)
		type.is_rust = type.kind == TYPE_POINTER ? type.name != NULL : true;
	go_finish_type(entries, &reader->types->machine, &type);
	bool is_aggregate = tag_is_aggregate(entry.tag);
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

struct error *reader_read_type(
	struct reader *reader, struct opened_unit *unit, const struct entry_ref *ref, type_id *ret)
{
	struct error *error = reader_type_of(reader, unit, ref, 0, ret);
	if (error)
		return error;
	reader_want(reader, *ret);
	const struct type *type = types_get(reader->types, types_strip(reader->types, *ret));
	if (type->kind == TYPE_POINTER)
		reader_want(reader, type->target);
	return reader_complete_wanted(reader);
}

/* ---- definitions ---- */

struct error *reader_read(struct reader *reader, struct opened_unit *unit,
	const struct index_def *def, struct dwarf_type *ret)
{
	struct entry_unit *entries;
	type_id id;
	struct error *error = NULL;
	if (def->die_off <= unit->off || def->die_off >= unit->end)
		return entry_damaged(reader->object, def->die_off, "a definition out of its unit");
	error = type_at(reader, unit, def->die_off, 0, &id);
	if (!error && !type_is_aggregate(types_get(reader->types, id)))
		return entry_damaged(reader->object, def->die_off, "not a struct, union or class");
	if (!error) {
		reader_want(reader, id);
		error = reader_complete_wanted(reader);
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
	struct opened_map *map, size_t worker)
{
	*reader = (struct reader){
		.object = object,
		.arena = arena,
		.types = arena_new(arena, 1, sizeof(struct types)),
	};
	types_init(reader->types, arena, object->types);
	intern_init(&reader->strings, arena);
	opened_init(&reader->units, object, map, worker);
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

#include "read/btf/table.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"

/* More pointers to pointers, and dimensions, than any program has: hostile input. */
enum { CHAIN_MAX = 256, DIMS_MAX = 64 };

static struct error *senseless(const struct btf_table *table, uint32_t id, const char *what)
{
	return error_new("%s: damaged BTF (type %" PRIu32 ": %s); build the file again or copy it "
			 "again",
		table->file->path, id, what);
}

static struct error *read_type(struct btf_table *table, uint32_t id, int depth, type_id *ret);

/* ---- the kinds ---- */

static bool is_aggregate(const struct btf_type *type)
{
	return btf_is_struct(type) || btf_is_union(type);
}

/* Through what an array can be a dimension of another: nothing but tags. */
static const struct btf_type *skip_tags(const struct btf_part *part, uint32_t *id)
{
	const struct btf_type *type = part_type(part, *id);
	for (int i = 0; i < CHAIN_MAX && btf_kind(type) == BTF_KIND_TYPE_TAG; i++) {
		*id = type->type;
		type = part_type(part, *id);
	}
	return type;
}

static struct error *read_array(
	struct btf_table *table, uint32_t id, int depth, bool is_flexible, struct type *type)
{
	uint64_t dims[DIMS_MAX];
	const struct btf_type *at = part_type(table->part, id);
	uint32_t element = id;
	for (; btf_is_array(at); at = skip_tags(table->part, &element)) {
		if (type->dim_count == DIMS_MAX)
			return senseless(table, id, "an array of too many dimensions");
		dims[type->dim_count++] = btf_array(at)->nelems;
		element = btf_array(at)->type;
	}
	if (is_flexible && !dims[0])
		dims[0] = TYPE_NO_COUNT;
	type->dims = arena_copy(table->arena, dims, type->dim_count, sizeof(*dims));
	return read_type(table, element, depth + 1, &type->target);
}

static struct error *read_function(
	struct btf_table *table, const struct btf_type *function, int depth, struct type *type)
{
	struct error *error = NULL;
	const struct btf_param *params = btf_params(function);
	uint32_t count = btf_vlen(function);
	type->is_prototyped = true; /* () and (void) are one */
	if (count && !params[count - 1].type && !params[count - 1].name_off) {
		type->is_variadic = true;
		count--;
	}
	type_id *ids = arena_new(table->arena, count, sizeof(*ids));
	for (uint32_t i = 0; i < count && !error; i++)
		error = read_type(table, params[i].type, depth + 1, &ids[i]);
	type->params = ids;
	type->param_count = count;
	return error ? error : read_type(table, function->type, depth + 1, &type->target);
}

static bool find_kind(const struct btf_type *type, enum type_kind *ret)
{
	switch (btf_kind(type)) {
	case BTF_KIND_INT:
	case BTF_KIND_FLOAT:
		*ret = TYPE_BASE;
		return true;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		*ret = TYPE_ENUM;
		return true;
	case BTF_KIND_PTR:
		*ret = TYPE_POINTER;
		return true;
	case BTF_KIND_ARRAY:
		*ret = TYPE_ARRAY;
		return true;
	case BTF_KIND_STRUCT:
		*ret = TYPE_STRUCT;
		return true;
	case BTF_KIND_UNION:
		*ret = TYPE_UNION;
		return true;
	case BTF_KIND_FWD:
		*ret = btf_kflag(type) ? TYPE_UNION : TYPE_STRUCT;
		return true;
	case BTF_KIND_TYPEDEF:
		*ret = TYPE_TYPEDEF;
		return true;
	case BTF_KIND_CONST:
		*ret = TYPE_CONST;
		return true;
	case BTF_KIND_VOLATILE:
		*ret = TYPE_VOLATILE;
		return true;
	case BTF_KIND_RESTRICT:
		*ret = TYPE_RESTRICT;
		return true;
	case BTF_KIND_FUNC_PROTO:
		*ret = TYPE_FUNCTION;
		return true;
	default:
		return false;
	}
}

/* What has a size of its own, where others have the type that they are made of. */
static void read_size(
	const struct btf_table *table, const struct btf_type *source, struct type *type)
{
	switch (btf_kind(source)) {
	case BTF_KIND_INT:
	case BTF_KIND_FLOAT:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		type->size_bytes = source->size;
		type->size_known = true;
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		type->is_declaration = true; /* until its members are read */
		type->size_known = true;
		type->size_bytes = source->size;
		break;
	case BTF_KIND_FWD:
		type->is_declaration = true;
		break;
	case BTF_KIND_PTR:
		type->size_bytes = table->types->machine.pointer_bytes;
		type->size_known = true;
		break;
	default:
		break;
	}
}

static struct error *read_parts(struct btf_table *table, uint32_t id, int depth, struct type *type)
{
	const struct btf_type *source = part_type(table->part, id);
	switch (btf_kind(source)) {
	case BTF_KIND_ARRAY:
		return read_array(table, id, depth, false, type);
	case BTF_KIND_FUNC_PROTO:
		return read_function(table, source, depth, type);
	case BTF_KIND_PTR:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
		return read_type(table, source->type, depth + 1, &type->target);
	default:
		return NULL;
	}
}

static struct error *read_type(struct btf_table *table, uint32_t id, int depth, type_id *ret)
{
	struct type type = {0};
	if (!id || table->known[id]) {
		*ret = id ? table->known[id] : 0;
		return NULL;
	}
	const struct btf_type *source = part_type(table->part, id);
	if (depth > CHAIN_MAX)
		return senseless(table, id, "made of too many types");
	if (btf_kind(source) == BTF_KIND_TYPE_TAG)
		return read_type(table, source->type, depth + 1, ret);
	if (!find_kind(source, &type.kind))
		return senseless(table, id,
			"a variable, a function, a section or a tag where a type must be");
	const char *name = part_name(table->part, source->name_off);
	type.name = *name ? name : NULL;
	read_size(table, source, &type);
	/* known before its parts are read, so that a type that leads back to itself ends there */
	*ret = types_add(table->types, &(struct type){.kind = TYPE_UNSPECIFIED});
	table->known[id] = *ret;
	struct error *error = read_parts(table, id, depth, &type);
	table->types->items[*ret] = type;
	return error;
}

/* ---- members ---- */

/* The aggregate that the type has by value, if it has one, is to be read in full. */
static void want(struct btf_table *table, uint32_t id)
{
	for (int depth = 0; depth < CHAIN_MAX && id; depth++) {
		const struct btf_type *type = part_type(table->part, id);
		if (is_aggregate(type)) {
			if (table->is_wanted[id])
				return;
			table->is_wanted[id] = true;
			table->wanted = mem_grow(table->wanted, &table->wanted_capacity,
				table->wanted_count + 1, sizeof(*table->wanted));
			table->wanted[table->wanted_count++] = id;
			return;
		}
		if (btf_is_array(type))
			id = btf_array(type)->type;
		else if (btf_is_typedef(type) || part_is_qualifier(type))
			id = type->type;
		else
			return;
	}
}

/* The integer type that a bit-field without kind_flag has; NULL when it is none. */
static const struct btf_type *find_integer(const struct btf_part *part, uint32_t id)
{
	const struct btf_type *type = part_type(part, id);
	for (int depth = 0; depth < CHAIN_MAX && (btf_is_typedef(type) || part_is_qualifier(type));
		depth++)
		type = part_type(part, type->type);
	return btf_is_int(type) ? type : NULL;
}

uint32_t btf_member_bits(const struct btf_part *part, const struct btf_type *aggregate,
	uint32_t index, uint64_t *off_bits)
{
	*off_bits = btf_member_bit_offset(aggregate, index);
	if (btf_kflag(aggregate))
		return btf_member_bitfield_size(aggregate, index);
	const struct btf_type *integer = find_integer(part, btf_members(aggregate)[index].type);
	if (!integer)
		return 0;
	*off_bits += btf_int_offset(integer);
	uint32_t bits = btf_int_bits(integer);
	return bits == 8 * (uint64_t)integer->size ? 0 : bits;
}

/*
 * Offsets that do not fit wrap. Members of a struct do not overlap: the offset is the first one behind the member
 * before that is the same modulo `range`.
 */
static uint64_t unwrap(uint64_t off_bits, uint64_t range, uint64_t end_bits)
{
	if (off_bits >= end_bits)
		return off_bits;
	return off_bits + (end_bits - off_bits + range - 1) / range * range;
}

/* A flexible array has no elements and ends a struct; another of none is a mark. */
static struct error *read_member_type(
	struct btf_table *table, uint32_t id, bool may_be_flexible, type_id *ret)
{
	const struct btf_type *type = skip_tags(table->part, &id);
	if (!may_be_flexible || !btf_is_array(type) || btf_array(type)->nelems)
		return read_type(table, id, 0, ret);
	struct type array = {.kind = TYPE_ARRAY};
	struct error *error = read_array(table, id, 0, true, &array);
	if (!error)
		*ret = types_add(table->types, &array);
	return error;
}

/*
 * A type of no size has lost it: gcc 12 writes void for vectors. It goes by the typedef that the source had for it, and
 * is as large as the room for it, which is that of all elements where it is an array.
 */
static type_id make_lost(struct btf_table *table, type_id id, uint64_t room_bytes)
{
	struct type type = *types_get(table->types, id);
	struct type lost = {.kind = TYPE_BASE,
		.name = type.kind == TYPE_TYPEDEF ? type.name : NULL,
		.size_bytes = room_bytes,
		.size_known = true};
	if (type.kind != TYPE_ARRAY)
		return types_add(table->types, &lost);
	const struct type *element = types_get(table->types, type.target);
	lost.name = element->kind == TYPE_TYPEDEF ? element->name : NULL;
	for (size_t i = 0; i < type.dim_count; i++)
		lost.size_bytes /= type.dims[i] && type.dims[i] != TYPE_NO_COUNT ? type.dims[i] : 1;
	type.target = types_add(table->types, &lost);
	return types_add(table->types, &type);
}

static bool is_lost(const struct types *types, type_id id)
{
	const struct type *type = types_get(types, types_strip(types, id));
	if (type->kind == TYPE_ARRAY)
		type = types_get(types, types_strip(types, type->target));
	return type->kind == TYPE_VOID;
}

/* What is known of such a member is that it ends before the next one begins; a hole there would be guessed. */
static void fill_lost(struct btf_table *table, const struct type *aggregate,
	struct type_member *members, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct type_member *member = &members[i];
		uint64_t end_bits = 8 * aggregate->size_bytes;
		if (!is_lost(table->types, member->type))
			continue;
		for (uint32_t k = i + 1; aggregate->kind == TYPE_STRUCT && k < count; k++)
			if (members[k].off_bits > member->off_bits) {
				end_bits = members[k].off_bits;
				break;
			}
		uint64_t room = end_bits > member->off_bits ? end_bits - member->off_bits : 0;
		member->type = make_lost(table, member->type, room / 8);
	}
}

static struct error *read_members(struct btf_table *table, uint32_t id, struct type_member *members)
{
	const struct btf_type *source = part_type(table->part, id);
	uint32_t count = btf_vlen(source);
	struct error *error = NULL;
	for (uint32_t i = 0; i < count && !error; i++) {
		const struct btf_member *from = &btf_members(source)[i];
		bool is_last = btf_is_struct(source) && i + 1 == count;
		error = read_member_type(table, from->type, is_last, &members[i].type);
		want(table, from->type);
		members[i].name = part_name(table->part, from->name_off);
		members[i].bit_size = btf_member_bits(table->part, source, i, &members[i].off_bits);
	}
	return error;
}

/* Sizes and numbers of elements have 32 bits: what is larger says that its members end behind it. */
static struct error *check_end(const struct btf_table *table, uint32_t id, const struct type *type,
	const struct type_member *member)
{
	uint64_t bytes = 0, bits = member->bit_size, end_bits;
	type_id plain = types_strip(table->types, member->type);
	bool is_sized = type_size(table->types, member->type, &bytes);
	if (!bits && __builtin_mul_overflow(bytes, 8, &bits))
		bits = UINT64_MAX;
	if (!is_sized && types_get(table->types, plain)->kind == TYPE_ARRAY &&
		!is_lost(table->types, plain))
		bits = UINT64_MAX; /* more than any number says */
	if (!__builtin_add_overflow(member->off_bits, bits, &end_bits) &&
		end_bits <= 8 * type->size_bytes)
		return NULL;
	return error_new("%s: type %" PRIu32 ", %s %s of %" PRIu64 " byte%s, ends before its member "
			 "'%s' does: it is larger than BTF can say (4 GiB), or damaged; use the "
			 "file with DWARF",
		table->file->path, id, type_keyword(type->kind), type->name ? type->name : "{...}",
		type->size_bytes, number_s(type->size_bytes), member->name);
}

static struct error *complete(struct btf_table *table, uint32_t id)
{
	const struct btf_type *source = part_type(table->part, id);
	uint32_t count = btf_vlen(source);
	struct type_member *members = arena_new(table->arena, count, sizeof(*members));
	uint64_t range = UINT64_C(1) << (btf_kflag(source) ? 24 : 32), end_bits = 0;
	bool wraps = btf_is_struct(source) && 8 * (uint64_t)source->size >= range;
	struct error *error = read_members(table, id, members);
	struct type type = *types_get(table->types, table->known[id]);
	for (uint32_t i = 0; i < count && !error; i++) {
		struct type_member *member = &members[i];
		if (wraps) {
			uint64_t bytes = 0;
			type_size(table->types, member->type, &bytes);
			member->off_bits = unwrap(member->off_bits, range, end_bits);
			end_bits = member->off_bits +
				   (member->bit_size ? member->bit_size : 8 * bytes);
		}
		error = check_end(table, id, &type, member);
	}
	if (error)
		return error;
	fill_lost(table, &type, members, count);
	type.members = members;
	type.member_count = count;
	type.is_declaration = false;
	table->types->items[table->known[id]] = type;
	return NULL;
}

static struct error *complete_all(struct btf_table *table)
{
	struct error *error = NULL;
	while (table->wanted_count && !error)
		error = complete(table, table->wanted[--table->wanted_count]);
	return error;
}

struct error *btf_table_read(struct btf_table *table, uint32_t id, type_id *ret)
{
	struct error *error = read_type(table, id, 0, ret);
	want(table, id);
	return error ? error : complete_all(table);
}

/* What a pointer, perhaps under other names, leads to; 0: it is none. */
static uint32_t pointed_to(const struct btf_table *table, uint32_t id)
{
	for (int depth = 0; depth < CHAIN_MAX && id; depth++) {
		const struct btf_type *type = part_type(table->part, id);
		if (btf_is_ptr(type))
			return type->type;
		if (!btf_is_typedef(type) && !part_is_qualifier(type))
			return 0;
		id = type->type;
	}
	return 0;
}

struct error *btf_table_read_any(struct btf_table *table, uint32_t id, type_id *ret)
{
	struct error *error = read_type(table, id, 0, ret);
	want(table, id);
	want(table, pointed_to(table, id));
	return error ? error : complete_all(table);
}

/* ---- the whole ---- */

void btf_table_init(struct btf_table *table, struct arena *arena, const struct btf_file *file,
	const struct btf_part *part)
{
	*table = (struct btf_table){
		.file = file,
		.part = part,
		.arena = arena,
		.types = arena_new(arena, 1, sizeof(struct types)),
		.known = mem_new(part->end, sizeof(*table->known)),
		.is_wanted = mem_new(part->end, sizeof(*table->is_wanted)),
	};
	types_init(table->types, arena, file->machine);
}

void btf_table_release(struct btf_table *table)
{
	mem_free(table->known);
	mem_free(table->is_wanted);
	mem_free(table->wanted);
}

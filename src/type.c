#include "type.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "base/number.h"

/* Deeper chains than any compiler makes: hostile or cyclic input. */
enum { DEPTH_MAX = 64 };

void types_init(struct types *types, struct arena *arena, struct type_machine machine)
{
	memset(types, 0, sizeof(*types));
	types->arena = arena;
	types->machine = machine;
	types_add(types, &(struct type){.kind = TYPE_VOID});
}

type_id types_add(struct types *types, const struct type *type)
{
	assert(types->count < UINT32_MAX && "a section is smaller than 2^32 types");
	types->items = arena_grow(types->arena, types->items, &types->capacity, types->count + 1,
		sizeof(*types->items));
	types->items[types->count] = *type;
	return (type_id)types->count++;
}

const struct type *types_get(const struct types *types, type_id id)
{
	assert(id < types->count && "type ids come from types_add");
	return &types->items[id];
}

bool type_is_qualifier(enum type_kind kind)
{
	return kind == TYPE_CONST || kind == TYPE_VOLATILE || kind == TYPE_RESTRICT ||
	       kind == TYPE_ATOMIC;
}

type_id types_strip(const struct types *types, type_id id)
{
	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		const struct type *type = types_get(types, id);
		if (type->kind == TYPE_TYPEDEF || type_is_qualifier(type->kind))
			id = type->target;
		else if (type->definition)
			id = type->definition;
		else
			return id;
	}
	return 0;
}

bool type_is_aggregate(const struct type *type)
{
	return type->kind == TYPE_STRUCT || type->kind == TYPE_UNION || type->kind == TYPE_CLASS;
}

/* ---- size ---- */

static bool size_at(const struct types *types, type_id id, int depth, uint64_t *ret)
{
	if (depth > DEPTH_MAX)
		return false;
	const struct type *type = types_get(types, id);
	switch (type->kind) {
	case TYPE_VOID:
	case TYPE_FUNCTION:
	case TYPE_UNSPECIFIED:
		break;
	case TYPE_TYPEDEF:
	case TYPE_CONST:
	case TYPE_VOLATILE:
	case TYPE_RESTRICT:
	case TYPE_ATOMIC:
		return size_at(types, type->target, depth + 1, ret);
	case TYPE_ARRAY: {
		uint64_t size;
		if (type->is_variable || !size_at(types, type->target, depth + 1, &size))
			return false;
		for (size_t i = 0; i < type->dim_count; i++) {
			uint64_t count = type->dims[i] == TYPE_NO_COUNT ? 0 : type->dims[i];
			if (__builtin_mul_overflow(size, count, &size))
				return false;
		}
		*ret = size;
		return true;
	}
	case TYPE_POINTER:
	case TYPE_REFERENCE:
	case TYPE_RVALUE_REFERENCE:
	case TYPE_MEMBER_POINTER:
		*ret = type->size_known ? type->size_bytes : types->machine.pointer_bytes;
		return true;
	case TYPE_BASE:
	case TYPE_ENUM:
	case TYPE_STRUCT:
	case TYPE_UNION:
	case TYPE_CLASS:
		*ret = type->size_bytes;
		return type->size_known;
	}
	return false;
}

bool type_size(const struct types *types, type_id id, uint64_t *size_bytes)
{
	return size_at(types, id, 0, size_bytes);
}

/* ---- alignment ---- */

/* The largest power of two that divides n; n is not 0. */
static uint64_t lowest_bit(uint64_t n)
{
	return n & (~n + 1);
}

static uint32_t scalar_align(const struct types *types, const struct type *type)
{
	uint64_t align = type->size_bytes ? lowest_bit(type->size_bytes) : 1;
	uint32_t most = types->machine.scalar_align_max ? types->machine.scalar_align_max : 16;
	const char *name = type->name ? type->name : "";
	if (strncmp(name, "complex", 7) == 0 || strncmp(name, "_Complex", 8) == 0)
		align = align > 1 ? align / 2 : 1; /* two components */
	if (strstr(name, "loat128"))               /* __float128, _Float128: 16 even on i386 */
		most = 16;
	return (uint32_t)(align < most ? align : most);
}

/* Types that one call may visit: a struct of two structs of two structs ... is small to write and endless to walk. */
enum { VISITS_MAX = 1 << 20 };

/* Aggregates whose alignment one call remembers: what contains itself on many ways is walked once. */
enum { KNOWN_COUNT = 64 };

struct align_walk {
	const struct types *types;
	uint32_t visits; /* left */
	bool has_known;
	struct {
		type_id id; /* 0: none */
		uint32_t align;
	} known[KNOWN_COUNT]; /* by the id's last bits; not set before has_known */
};

static void walk_begin(struct align_walk *walk, const struct types *types)
{
	walk->types = types;
	walk->visits = VISITS_MAX;
	walk->has_known = false;
}

static uint32_t align_at(struct align_walk *walk, type_id id, int depth);

static uint32_t natural_align(struct align_walk *walk, const struct type_member *member, int depth)
{
	uint32_t natural = align_at(walk, member->type, depth);
	return member->align_bytes > natural ? member->align_bytes : natural;
}

/* What the offset of a member allows of `align`. A bit-field lies anywhere in units of its type. */
static uint32_t allowed_align(const struct type_member *member, uint32_t align)
{
	uint64_t off_bytes = member->off_bits / 8;
	if (member->bit_size || off_bytes % align == 0)
		return align;
	return (uint32_t)lowest_bit(off_bytes);
}

/* Only the complete object, which has its virtual bases too, is aligned as they are. */
static bool has_virtual_base(struct align_walk *walk, type_id id, int depth)
{
	const struct type *type = types_get(walk->types, types_strip(walk->types, id));
	if (depth > DEPTH_MAX || !walk->visits)
		return false;
	walk->visits--;
	for (size_t i = 0; i < type->member_count; i++)
		if (type->members[i].is_base &&
			(type->members[i].is_virtual ||
				has_virtual_base(walk, type->members[i].type, depth + 1)))
			return true;
	return false;
}

/* A bit-field of a struct that is not packed lies in one unit of its type (System V ABI, x86-64, 3.1.2, and the others'). */
static bool crosses_unit(struct align_walk *walk, const struct type_member *member, uint32_t align)
{
	uint64_t size = 0;
	return member->bit_size && type_size(walk->types, member->type, &size) &&
	       size <= UINT32_MAX && member->bit_size <= 8 * size &&
	       member->off_bits % (8 * (uint64_t)align) + member->bit_size > 8 * size;
}

static uint64_t end_of(struct align_walk *walk, const struct type_member *member)
{
	uint64_t size = 0;
	if (member->bit_size)
		return (member->off_bits + member->bit_size + 7) / 8;
	return type_size(walk->types, member->type, &size) ? member->off_bits / 8 + size : 0;
}

/* Are the members where `#pragma pack(most)` puts them, and is the size as it says? Then no other alignment counts. */
static bool is_packed_to(
	struct align_walk *walk, const struct type *type, uint32_t most, uint64_t align, int depth)
{
	uint64_t end = 0;
	for (size_t i = 0; i < type->member_count; i++) {
		const struct type_member *member = &type->members[i];
		uint32_t natural = natural_align(walk, member, depth + 1);
		uint64_t its_end = end_of(walk, member);
		if (member->is_base || member->is_dynamic || natural > UINT32_MAX / 2)
			return false;
		if (!member->bit_size &&
			member->off_bits / 8 !=
				number_round_up(end, natural < most ? natural : most))
			return false;
		end = its_end > end ? its_end : end;
	}
	return type->size_known &&
	       type->size_bytes == number_round_up(end, align < most ? align : most);
}

static uint32_t aggregate_align(struct align_walk *walk, const struct type *type, int depth)
{
	uint64_t align = 1, end = 0;
	uint32_t least = UINT32_MAX;
	bool lowered = false, gaps = false;
	for (size_t i = 0; i < type->member_count; i++) {
		const struct type_member *member = &type->members[i];
		uint32_t natural = natural_align(walk, member, depth + 1);
		uint32_t allowed = allowed_align(member, natural);
		if (allowed < natural && member->is_base &&
			has_virtual_base(walk, member->type, depth + 1))
			allowed = natural;
		if (allowed < natural && allowed < least)
			least = allowed;
		lowered |= allowed < natural || crosses_unit(walk, member, natural);
		gaps |= type->kind != TYPE_UNION && member->off_bits / 8 > end;
		uint64_t its_end = end_of(walk, member);
		end = its_end > end ? its_end : end;
		if (allowed > align)
			align = allowed;
	}
	gaps |= type->size_bytes > end;
	if (type->align_bytes)
		return type->align_bytes;
	if (lowered && !gaps)
		return 1; /* packed as a whole: only a packed *member* would leave the others aligned, with gaps */
	if (least < align && type->kind != TYPE_UNION &&
		is_packed_to(walk, type, least, align, depth))
		return least;
	while (align > 1 && type->size_known && type->size_bytes % align != 0)
		align /= 2;
	return (uint32_t)align;
}

static uint32_t known_aggregate_align(
	struct align_walk *walk, const struct type *type, type_id id, int depth)
{
	size_t place = id % KNOWN_COUNT;
	if (!walk->has_known)
		memset(walk->known, 0, sizeof(walk->known));
	walk->has_known = true;
	if (walk->known[place].id == id)
		return walk->known[place].align;
	uint32_t align = aggregate_align(walk, type, depth);
	walk->known[place].id = id;
	walk->known[place].align = align;
	return align;
}

static uint32_t align_at(struct align_walk *walk, type_id id, int depth)
{
	if (depth > DEPTH_MAX || !walk->visits)
		return 1;
	walk->visits--;
	const struct types *types = walk->types;
	const struct type *type = types_get(types, id);
	switch (type->kind) {
	case TYPE_BASE:
	case TYPE_ENUM:
		return type->align_bytes ? type->align_bytes : scalar_align(types, type);
	case TYPE_POINTER:
	case TYPE_REFERENCE:
	case TYPE_RVALUE_REFERENCE:
	case TYPE_MEMBER_POINTER:
		return type->align_bytes ? type->align_bytes : types->machine.pointer_bytes;
	case TYPE_ARRAY: {
		uint64_t size = 0;
		if (type->align_bytes)
			return type->align_bytes;
		if (type->is_vector && type_size(types, id, &size) && size && size <= 1 << 20)
			return (uint32_t)lowest_bit(size);
		return align_at(walk, type->target, depth + 1);
	}
	case TYPE_ATOMIC: { /* C11 objects of up to 16 bytes are aligned to their size by gcc and clang */
		uint64_t size = 0;
		uint32_t align = align_at(walk, type->target, depth + 1);
		if (type_size(types, type->target, &size) && size && size <= 16 &&
			lowest_bit(size) == size && size > align)
			return (uint32_t)size;
		return align;
	}
	case TYPE_TYPEDEF: { /* an alignment on a typedef replaces its target's, it may also lower it */
		return type->align_bytes ? type->align_bytes
					 : align_at(walk, type->target, depth + 1);
	}
	case TYPE_CONST:
	case TYPE_VOLATILE:
	case TYPE_RESTRICT:
		return align_at(walk, type->target, depth + 1);
	case TYPE_STRUCT:
	case TYPE_UNION:
	case TYPE_CLASS:
		return known_aggregate_align(walk, type, id, depth);
	case TYPE_VOID:
	case TYPE_FUNCTION:
	case TYPE_UNSPECIFIED:
		break;
	}
	return 1;
}

uint32_t type_align(const struct types *types, type_id id)
{
	struct align_walk walk;
	walk_begin(&walk, types);
	uint32_t align = align_at(&walk, id, 0);
	return align ? align : 1;
}

uint32_t type_member_align(const struct types *types, const struct type_member *member)
{
	struct align_walk walk;
	walk_begin(&walk, types);
	uint32_t natural = natural_align(&walk, member, 0);
	return natural ? allowed_align(member, natural) : 1;
}

const char *type_qualify(struct arena *arena, const char *scope, const char *name)
{
	return scope ? arena_printf(arena, "%s::%s", scope, name) : name;
}

const char *type_keyword(enum type_kind kind)
{
	return kind == TYPE_STRUCT  ? "struct"
	       : kind == TYPE_UNION ? "union"
	       : kind == TYPE_CLASS ? "class"
				    : "";
}

const char *type_without_package(const char *name)
{
	const char *slash = NULL, *dot = NULL, *p = name;
	for (; isalnum((unsigned char)*p) || (unsigned char)*p >= 0x80 ||
		(*p && strchr("_/.-%~+", *p));
		p++) {
		if (*p == '/' && !slash)
			slash = p;
		if (*p == '.' && !dot)
			dot = p;
	}
	const char *end = slash ? slash : dot;
	return end && end[1] ? end + 1 : NULL;
}

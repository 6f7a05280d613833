#include "type.h"

#include <assert.h>
#include <string.h>

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

static bool is_qualifier(enum type_kind kind)
{
	return kind == TYPE_CONST || kind == TYPE_VOLATILE || kind == TYPE_RESTRICT ||
	       kind == TYPE_ATOMIC;
}

type_id types_strip(const struct types *types, type_id id)
{
	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		const struct type *type = types_get(types, id);
		if (type->kind != TYPE_TYPEDEF && !is_qualifier(type->kind))
			return id;
		id = type->target;
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
		if (!size_at(types, type->target, depth + 1, &size))
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

struct align_walk {
	const struct types *types;
	uint32_t visits; /* left */
};

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

static uint32_t aggregate_align(struct align_walk *walk, const struct type *type, int depth)
{
	uint64_t align = 1, end = 0;
	bool lowered = false, gaps = false;
	for (size_t i = 0; i < type->member_count; i++) {
		const struct type_member *member = &type->members[i];
		uint32_t natural = natural_align(walk, member, depth + 1);
		uint32_t allowed = allowed_align(member, natural);
		uint64_t size = 0;
		lowered |= allowed < natural;
		gaps |= type->kind != TYPE_UNION && member->off_bits / 8 > end;
		if (type_size(walk->types, member->type, &size) && member->off_bits / 8 + size > end)
			end = member->off_bits / 8 + size;
		if (allowed > align)
			align = allowed;
	}
	gaps |= type->size_bytes > end;
	if (type->align_bytes)
		return type->align_bytes;
	if (lowered && !gaps)
		return 1; /* packed as a whole: only a packed *member* would leave the others aligned, with gaps */
	while (align > 1 && type->size_known && type->size_bytes % align != 0)
		align /= 2;
	return (uint32_t)align;
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
		return aggregate_align(walk, type, depth);
	case TYPE_VOID:
	case TYPE_FUNCTION:
	case TYPE_UNSPECIFIED:
		break;
	}
	return 1;
}

uint32_t type_align(const struct types *types, type_id id)
{
	struct align_walk walk = {types, VISITS_MAX};
	uint32_t align = align_at(&walk, id, 0);
	return align ? align : 1;
}

uint32_t type_member_align(const struct types *types, const struct type_member *member)
{
	struct align_walk walk = {types, VISITS_MAX};
	uint32_t natural = natural_align(&walk, member, 0);
	return natural ? allowed_align(member, natural) : 1;
}

/* ---- declarations ---- */

const char *type_keyword(enum type_kind kind)
{
	return kind == TYPE_STRUCT  ? "struct"
	       : kind == TYPE_UNION ? "union"
	       : kind == TYPE_CLASS ? "class"
				    : "";
}

static const char *qualifier(enum type_kind kind)
{
	return kind == TYPE_CONST      ? "const"
	       : kind == TYPE_VOLATILE ? "volatile"
	       : kind == TYPE_RESTRICT ? "restrict"
				       : "_Atomic";
}

static void declare(
	const struct types *types, type_id id, const char *inner, int depth, struct buf *out);

/* The innermost part: what stands left of the declarator. */
static void put_name(const struct type *type, const char *inner, struct buf *out)
{
	const char *keyword = type->kind == TYPE_ENUM ? "enum" : type_keyword(type->kind);
	buf_puts(out, keyword);
	if (*keyword)
		buf_putc(out, ' ');
	if (type->name) {
		if (type->scope && type->kind != TYPE_BASE) {
			buf_puts(out, type->scope);
			buf_puts(out, "::");
		}
		buf_puts(out, type->name);
	} else {
		buf_puts(out, *keyword ? "{...}" : type->kind == TYPE_VOID ? "void" : "?");
	}
	if (*inner) {
		buf_putc(out, ' ');
		buf_puts(out, inner);
	}
}

static void put_params(
	const struct types *types, const struct type *type, int depth, struct buf *out)
{
	buf_putc(out, '(');
	for (size_t i = 0; i < type->param_count; i++) {
		if (i)
			buf_puts(out, ", ");
		declare(types, type->params[i], "", depth + 1, out);
	}
	if (type->is_variadic)
		buf_puts(out, type->param_count ? ", ..." : "...");
	else if (!type->param_count && type->is_prototyped)
		buf_puts(out, "void");
	buf_putc(out, ')');
}

/* Does the type bind tighter than * on its right side: int (*p)[3], int (*f)(void)? */
static bool is_postfix(const struct types *types, type_id id)
{
	const struct type *type = types_get(types, id);
	for (int depth = 0; depth < DEPTH_MAX && is_qualifier(type->kind); depth++)
		type = types_get(types, type->target);
	return (type->kind == TYPE_ARRAY && !type->is_vector) || type->kind == TYPE_FUNCTION;
}

static bool is_prefix_operator(const struct types *types, type_id id)
{
	const struct type *type = types_get(types, id);
	for (int depth = 0; depth < DEPTH_MAX && is_qualifier(type->kind); depth++)
		type = types_get(types, type->target);
	return type->kind == TYPE_POINTER || type->kind == TYPE_REFERENCE ||
	       type->kind == TYPE_RVALUE_REFERENCE || type->kind == TYPE_MEMBER_POINTER;
}

static void declare_pointer(const struct types *types, const struct type *type, const char *inner,
	int depth, struct buf *out)
{
	struct buf part;
	bool parentheses = is_postfix(types, type->target);
	buf_init(&part);
	if (parentheses)
		buf_putc(&part, '(');
	if (type->kind == TYPE_MEMBER_POINTER) {
		const struct type *container = types_get(types, type->container);
		if (container->scope)
			buf_printf(&part, "%s::", container->scope);
		buf_printf(&part, "%s::*", container->name ? container->name : "?");
	} else {
		buf_puts(&part, type->kind == TYPE_POINTER     ? "*"
				: type->kind == TYPE_REFERENCE ? "&"
							       : "&&");
	}
	buf_puts(&part, inner);
	if (parentheses)
		buf_putc(&part, ')');
	declare(types, type->target, part.data, depth + 1, out);
	buf_release(&part);
}

static void declare_array(const struct types *types, const struct type *type, const char *inner,
	int depth, struct buf *out)
{
	struct buf part;
	buf_init(&part);
	if (type->is_vector) {
		uint64_t size = 0;
		size_at(types, type->target, depth, &size);
		for (size_t i = 0; i < type->dim_count; i++)
			size *= type->dims[i] == TYPE_NO_COUNT ? 0 : type->dims[i];
		buf_printf(&part, "__attribute__((vector_size(%llu)))", (unsigned long long)size);
		if (*inner)
			buf_printf(&part, " %s", inner);
	} else {
		buf_puts(&part, inner);
		for (size_t i = 0; i < type->dim_count; i++) {
			if (type->dims[i] == TYPE_NO_COUNT)
				buf_puts(&part, "[]");
			else
				buf_printf(&part, "[%llu]", (unsigned long long)type->dims[i]);
		}
	}
	declare(types, type->target, part.data, depth + 1, out);
	buf_release(&part);
}

/*
 * What a qualifier of this kind, put before `id`, qualifies in the end: of an array its elements (C11 6.7.3). False when
 * it is so qualified already: gcc states the elements' qualifiers again for the array.
 */
static bool find_qualified(const struct types *types, type_id id, enum type_kind kind, type_id *ret)
{
	const struct type *type = types_get(types, id);
	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		if (type->kind == kind)
			return false;
		if (!is_qualifier(type->kind) && (type->kind != TYPE_ARRAY || type->is_vector))
			break;
		id = type->target;
		type = types_get(types, id);
	}
	*ret = id;
	return true;
}

static void declare_qualified(const struct types *types, const struct type *type, const char *inner,
	int depth, struct buf *out)
{
	type_id qualified;
	if (!find_qualified(types, type->target, type->kind, &qualified)) {
		declare(types, type->target, inner, depth + 1, out);
		return;
	}
	if (!is_prefix_operator(types, qualified)) {
		buf_printf(out, "%s ", qualifier(type->kind));
		declare(types, type->target, inner, depth + 1, out);
		return;
	}
	struct buf part;
	buf_init(&part);
	buf_printf(&part, "%s%s%s", qualifier(type->kind), *inner ? " " : "", inner);
	declare(types, type->target, part.data, depth + 1, out);
	buf_release(&part);
}

static void declare(
	const struct types *types, type_id id, const char *inner, int depth, struct buf *out)
{
	if (depth > DEPTH_MAX) {
		buf_printf(out, "...%s%s", *inner ? " " : "", inner);
		return;
	}
	const struct type *type = types_get(types, id);
	switch (type->kind) {
	case TYPE_POINTER:
	case TYPE_REFERENCE:
	case TYPE_RVALUE_REFERENCE:
	case TYPE_MEMBER_POINTER:
		declare_pointer(types, type, inner, depth, out);
		break;
	case TYPE_ARRAY:
		declare_array(types, type, inner, depth, out);
		break;
	case TYPE_FUNCTION: {
		struct buf part;
		buf_init(&part);
		buf_puts(&part, inner);
		put_params(types, type, depth, &part);
		declare(types, type->target, part.data, depth + 1, out);
		buf_release(&part);
		break;
	}
	case TYPE_CONST:
	case TYPE_VOLATILE:
	case TYPE_RESTRICT:
	case TYPE_ATOMIC:
		declare_qualified(types, type, inner, depth, out);
		break;
	case TYPE_VOID:
	case TYPE_BASE:
	case TYPE_ENUM:
	case TYPE_STRUCT:
	case TYPE_UNION:
	case TYPE_CLASS:
	case TYPE_TYPEDEF:
	case TYPE_UNSPECIFIED:
		put_name(type, inner, out);
		break;
	}
}

void type_declare(const struct types *types, type_id id, const char *name, struct buf *out)
{
	declare(types, id, name ? name : "", 0, out);
}

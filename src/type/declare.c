#include "type.h"

#include <string.h>

#include "type/alike.h"

enum {
	DEPTH_MAX = 64,    /* deeper chains than any compiler makes: hostile or cyclic input */
	VISITS_MAX = 1024, /* types in one: functions that take functions double at every step */
};

struct declaration {
	const struct types *types;
	uint32_t visits;                                            /* left */
	enum spelling { SPELLING_AS_IT_IS, SPELLING_ONE } spelling; /* of names */
};

static const char *qualifier(enum type_kind kind)
{
	return kind == TYPE_CONST      ? "const"
	       : kind == TYPE_VOLATILE ? "volatile"
	       : kind == TYPE_RESTRICT ? "restrict"
				       : "_Atomic";
}

static void declare(
	struct declaration *walk, type_id id, const char *inner, int depth, struct buf *out);

static void put_text(const struct declaration *walk, const char *name, struct buf *out)
{
	if (walk->spelling == SPELLING_ONE)
		alike_put(name, out);
	else
		buf_puts(out, name);
}

/* The innermost part: what stands left of the declarator. */
static void put_name(
	const struct declaration *walk, const struct type *type, const char *inner, struct buf *out)
{
	const char *keyword = type->is_rust || type->is_go ? ""
			      : type->kind == TYPE_ENUM    ? "enum"
							   : type_keyword(type->kind);
	buf_puts(out, keyword);
	if (*keyword)
		buf_putc(out, ' ');
	if (type->name) {
		if (type->scope && type->kind != TYPE_BASE) {
			put_text(walk, type->scope, out);
			buf_puts(out, "::");
		}
		put_text(walk, type->name, out);
	} else {
		buf_puts(out, *keyword ? "{...}" : type->kind == TYPE_VOID ? "void" : "?");
	}
	if (*inner) {
		buf_putc(out, ' ');
		buf_puts(out, inner);
	}
}

static void put_params(
	struct declaration *walk, const struct type *type, int depth, struct buf *out)
{
	buf_putc(out, '(');
	for (size_t i = 0; i < type->param_count; i++) {
		if (i)
			buf_puts(out, ", ");
		if (!walk->visits) {
			buf_puts(out, "...");
			break;
		}
		declare(walk, type->params[i], "", depth + 1, out);
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
	for (int depth = 0; depth < DEPTH_MAX && type_is_qualifier(type->kind); depth++)
		type = types_get(types, type->target);
	return (type->kind == TYPE_ARRAY && !type->is_vector) || type->kind == TYPE_FUNCTION;
}

static bool is_prefix_operator(const struct types *types, type_id id)
{
	const struct type *type = types_get(types, id);
	for (int depth = 0; depth < DEPTH_MAX && type_is_qualifier(type->kind); depth++)
		type = types_get(types, type->target);
	return type->kind == TYPE_POINTER || type->kind == TYPE_REFERENCE ||
	       type->kind == TYPE_RVALUE_REFERENCE || type->kind == TYPE_MEMBER_POINTER;
}

static void declare_pointer(struct declaration *walk, const struct type *type, const char *inner,
	int depth, struct buf *out)
{
	struct buf part;
	bool parentheses = is_postfix(walk->types, type->target);
	buf_init(&part);
	if (parentheses)
		buf_putc(&part, '(');
	if (type->kind == TYPE_MEMBER_POINTER) {
		const struct type *container = types_get(walk->types, type->container);
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
	declare(walk, type->target, part.data, depth + 1, out);
	buf_release(&part);
}

/* [T; 3] name */
static void declare_rust_array(struct declaration *walk, const struct type *type, size_t dim,
	const char *inner, int depth, struct buf *out)
{
	buf_putc(out, '[');
	if (dim + 1 < type->dim_count)
		declare_rust_array(walk, type, dim + 1, "", depth, out);
	else
		declare(walk, type->target, "", depth + 1, out);
	if (type->dims[dim] != TYPE_NO_COUNT)
		buf_printf(out, "; %llu", (unsigned long long)type->dims[dim]);
	buf_printf(out, "]%s%s", *inner ? " " : "", inner);
}

static void declare_array(struct declaration *walk, const struct type *type, const char *inner,
	int depth, struct buf *out)
{
	struct buf part;
	buf_init(&part);
	if (type->is_vector) {
		uint64_t size = 0;
		type_size(walk->types, type->target, &size);
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
	declare(walk, type->target, part.data, depth + 1, out);
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
		if (!type_is_qualifier(type->kind) && (type->kind != TYPE_ARRAY || type->is_vector))
			break;
		id = type->target;
		type = types_get(types, id);
	}
	*ret = id;
	return true;
}

/* Those of a chain in one order: compilers make it const volatile or volatile const. */
static void put_qualifiers(const struct declaration *walk, const struct type *type, struct buf *out,
	type_id *behind, type_id *qualified)
{
	static const enum type_kind kinds[] = {
		TYPE_CONST, TYPE_VOLATILE, TYPE_RESTRICT, TYPE_ATOMIC};
	enum { KIND_COUNT = sizeof(kinds) / sizeof(kinds[0]) };
	bool has[KIND_COUNT] = {false};
	type_id id = type->target;
	for (int depth = 0; depth < DEPTH_MAX && type_is_qualifier(type->kind); depth++) {
		for (int i = 0; i < KIND_COUNT; i++)
			has[i] |= type->kind == kinds[i];
		id = type->target;
		type = types_get(walk->types, id);
	}
	*behind = *qualified = id;
	for (int i = 0; i < KIND_COUNT; i++)
		if (has[i] && find_qualified(walk->types, id, kinds[i], qualified))
			buf_printf(out, "%s%s", out->length ? " " : "", qualifier(kinds[i]));
}

static void declare_alike(struct declaration *walk, const struct type *type, const char *inner,
	int depth, struct buf *out)
{
	struct buf part;
	type_id behind, qualified;
	buf_init(&part);
	put_qualifiers(walk, type, &part, &behind, &qualified);
	if (part.length && !is_prefix_operator(walk->types, qualified)) {
		buf_printf(out, "%s ", part.data);
		buf_clear(&part);
	}
	buf_printf(&part, "%s%s", part.length && *inner ? " " : "", inner);
	declare(walk, behind, part.data, depth + 1, out);
	buf_release(&part);
}

static void declare_qualified(struct declaration *walk, const struct type *type, const char *inner,
	int depth, struct buf *out)
{
	type_id qualified;
	if (walk->spelling == SPELLING_ONE) {
		declare_alike(walk, type, inner, depth, out);
		return;
	}
	if (!find_qualified(walk->types, type->target, type->kind, &qualified)) {
		declare(walk, type->target, inner, depth + 1, out);
		return;
	}
	if (!is_prefix_operator(walk->types, qualified)) {
		buf_printf(out, "%s ", qualifier(type->kind));
		declare(walk, type->target, inner, depth + 1, out);
		return;
	}
	struct buf part;
	buf_init(&part);
	buf_printf(&part, "%s%s%s", qualifier(type->kind), *inner ? " " : "", inner);
	declare(walk, type->target, part.data, depth + 1, out);
	buf_release(&part);
}

static void declare(
	struct declaration *walk, type_id id, const char *inner, int depth, struct buf *out)
{
	if (depth > DEPTH_MAX || !walk->visits) {
		buf_printf(out, "...%s%s", *inner ? " " : "", inner);
		return;
	}
	walk->visits--;
	const struct type *type = types_get(walk->types, id);
	switch (type->kind) {
	case TYPE_POINTER:
	case TYPE_REFERENCE:
	case TYPE_RVALUE_REFERENCE:
	case TYPE_MEMBER_POINTER:
		if (type->is_rust || type->is_go)
			put_name(walk, type, inner, out);
		else
			declare_pointer(walk, type, inner, depth, out);
		break;
	case TYPE_ARRAY:
		if (type->is_go)
			put_name(walk, type, inner, out);
		else if (type->is_rust && !type->is_vector && type->dim_count < DEPTH_MAX)
			declare_rust_array(walk, type, 0, inner, depth, out);
		else
			declare_array(walk, type, inner, depth, out);
		break;
	case TYPE_FUNCTION: {
		struct buf part;
		buf_init(&part);
		buf_puts(&part, inner);
		put_params(walk, type, depth, &part);
		declare(walk, type->target, part.data, depth + 1, out);
		buf_release(&part);
		break;
	}
	case TYPE_CONST:
	case TYPE_VOLATILE:
	case TYPE_RESTRICT:
	case TYPE_ATOMIC:
		declare_qualified(walk, type, inner, depth, out);
		break;
	case TYPE_VOID:
	case TYPE_BASE:
	case TYPE_ENUM:
	case TYPE_STRUCT:
	case TYPE_UNION:
	case TYPE_CLASS:
	case TYPE_TYPEDEF:
	case TYPE_UNSPECIFIED:
		put_name(walk, type, inner, out);
		break;
	}
}

void type_declare(const struct types *types, type_id id, const char *name, struct buf *out)
{
	struct declaration walk = {types, VISITS_MAX, SPELLING_AS_IT_IS};
	declare(&walk, id, name ? name : "", 0, out);
}

void type_declare_alike(const struct types *types, type_id id, struct buf *out)
{
	struct declaration walk = {types, VISITS_MAX, SPELLING_ONE};
	declare(&walk, id, "", 0, out);
}

static void put_key(const char *name, struct buf *out)
{
	if (strchr(name, '<'))
		alike_put(name, out);
	else
		buf_puts(out, name);
}

int type_compare_names(const char *a, const char *b)
{
	if (!strchr(a, '<') && !strchr(b, '<'))
		return strcmp(a, b);
	struct buf left, right;
	buf_init(&left);
	buf_init(&right);
	put_key(a, &left);
	put_key(b, &right);
	int by = strcmp(left.data, right.data);
	buf_release(&left);
	buf_release(&right);
	return by;
}

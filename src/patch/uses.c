#include "patch/uses.h"

#include <string.h>

enum name_kind { NAME_TAG, NAME_PLAIN, NAME_MEMBER };

struct name {
	const char *text;
	enum name_kind kind;
};

struct names {
	struct arena *arena;
	struct name *items;
	size_t count, capacity;
};

static void names_add(struct names *names, const char *text, enum name_kind kind)
{
	names->items = arena_grow(names->arena, names->items, &names->capacity, names->count + 1,
		sizeof(*names->items));
	names->items[names->count++] = (struct name){text, kind};
}

/* The name that a #define defines, as a token's text would be; NULL for other directives. */
static const char *defined_name(struct arena *arena, const struct lex *lex, uint32_t token)
{
	const char *at;
	if (!lex_is_directive(lex, token, "define"))
		return NULL;
	size_t length = lex_directive(lex, token, &at);
	const char *end = lex->bytes + lex->tokens[token].end;
	at += length;
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	length = 0;
	while (at + length < end && !strchr(" \t\r\n(", at[length]))
		length++;
	return arena_strndup(arena, at, length);
}

static void add_enumerators(
	struct names *names, const struct lex *lex, uint32_t open, uint32_t close)
{
	for (uint32_t at = open + 1; at < close && lex->tokens[at].punct != '}'; at++) {
		uint32_t before = at - 1;
		while (before > open && lex->tokens[before].kind == LEX_COMMENT)
			before--;
		if (lex->tokens[at].kind == LEX_WORD &&
			(lex->tokens[before].punct == '{' || lex->tokens[before].punct == ','))
			names_add(names, lex_text(names->arena, lex, at), NAME_PLAIN);
	}
}

/* A type that is defined at `at`, the keyword. */
static void add_type(struct names *names, const struct body *body, uint32_t at)
{
	const struct lex *lex = body->lex;
	uint32_t open = at + 1, tag = BODY_NONE;
	while (open < body->place.close && lex->tokens[open].punct != '{' &&
		(lex->tokens[open].kind == LEX_WORD || lex->tokens[open].kind == LEX_COMMENT ||
			lex->tokens[open].punct == ':')) {
		if (lex->tokens[open].kind == LEX_WORD && tag == BODY_NONE)
			tag = open;
		open++;
	}
	if (open >= body->place.close || lex->tokens[open].punct != '{')
		return;
	if (tag != BODY_NONE)
		names_add(names, lex_text(names->arena, lex, tag),
			body->is_cxx ? NAME_PLAIN : NAME_TAG);
	if (lex_is(lex, at, "enum"))
		add_enumerators(names, lex, open, body->place.close);
}

/* What begins an item of C++ that gives something a name, and is no function when one of these follows the name. */
static const char alias_words[] = "using typedef static constexpr inline";

static bool ends_alias(const struct lex *lex, uint32_t at)
{
	char c = lex->tokens[at].punct;
	return c == '=' || c == ';' || c == '{' || c == '[' || c == '(';
}

static void add_alias(struct names *names, const struct body *body, const struct body_item *item)
{
	const struct lex *lex = body->lex;
	if (item->kind != BODY_OTHER || !lex_is_one_of(lex, item->first, alias_words))
		return;
	for (uint32_t at = item->first + 1; at <= item->last; at++)
		if (lex->tokens[at - 1].kind == LEX_WORD && ends_alias(lex, at)) {
			names_add(names, lex_text(names->arena, lex, at - 1), NAME_PLAIN);
			return;
		}
}

static void collect(struct names *names, const struct body *body)
{
	const struct lex *lex = body->lex;
	for (uint32_t at = body->place.open + 1; at < body->place.close; at++) {
		const char *defined = defined_name(names->arena, lex, at);
		if (defined)
			names_add(names, defined, NAME_PLAIN);
		if (lex_is_one_of(lex, at, "struct union enum class"))
			add_type(names, body, at);
	}
	for (size_t i = 0; i < body->item_count && body->is_cxx; i++) {
		const struct body_item *item = &body->items[i];
		add_alias(names, body, item);
		for (size_t k = 0; k < item->name_count; k++)
			names_add(names, item->names[k].name, NAME_MEMBER);
	}
}

/* The item that holds a token; NULL between items. */
static const struct body_item *item_of(const struct body *body, uint32_t token)
{
	for (size_t i = body->item_count; i--;)
		if (body->items[i].first <= token && token <= body->items[i].last)
			return &body->items[i];
	return NULL;
}

static bool declares(const struct body_item *item, size_t start, const char *name)
{
	for (size_t k = 0; k < item->name_count; k++)
		if (strcmp(item->names[k].name, name) == 0 && item->names[k].start <= start &&
			start < item->names[k].value)
			return true;
	return false;
}

/* Is this token, which is the name, where the name is defined? */
static bool is_definition(const struct body *body, uint32_t token, const struct name *name)
{
	const struct lex *lex = body->lex;
	const struct lex_token *then = token + 1 < lex->count ? &lex->tokens[token + 1] : NULL;
	if (name->kind == NAME_TAG)
		return then && then->punct == '{';
	if (name->kind == NAME_MEMBER) {
		const struct body_item *item = item_of(body, token);
		return item && declares(item, lex->tokens[token].start, name->text);
	}
	const struct body_item *item = item_of(body, token);
	if (!then || !item || token == item->first)
		return false;
	if (item->kind == BODY_OTHER && lex_is_one_of(lex, item->first, alias_words))
		return ends_alias(lex, token + 1);
	const struct lex_token *before = &lex->tokens[token - 1];
	return before->punct == '{' || before->punct == ',' || before->kind == LEX_COMMENT ||
	       (lex_is_one_of(lex, token - 1, "struct union enum class") &&
		       (then->punct == '{' || then->punct == ':'));
}

/* Could it be a use at all? Members live in a name space of their own, and functions see the whole class. */
static bool may_be_use(const struct body *body, uint32_t token, const struct name *name)
{
	const struct lex *lex = body->lex;
	char before = lex->tokens[token - 1].punct;
	if (name->kind == NAME_TAG)
		return lex_is_one_of(lex, token - 1, "struct union enum class");
	const struct body_item *item = item_of(body, token);
	if (!item || declares(item, lex->tokens[token].start, name->text))
		return false;
	return name->kind == NAME_PLAIN ||
	       (item->kind != BODY_OTHER && before != '.' && before != '>' && before != 'S');
}

/* Is the name used before its definition in this text? */
static bool is_used_early(struct arena *arena, const struct body *body, const struct name *name)
{
	const struct lex *lex = body->lex;
	for (uint32_t at = body->place.open + 1; at < body->place.close; at++) {
		const char *defined = defined_name(arena, lex, at);
		if (defined && strcmp(defined, name->text) == 0)
			return false;
		if (!lex_is(lex, at, name->text))
			continue;
		if (is_definition(body, at, name))
			return false;
		if (may_be_use(body, at, name))
			return true;
	}
	return false;
}

const char *uses_find_broken(
	struct arena *arena, const struct body *before, const struct body *after)
{
	struct names names = {.arena = arena};
	collect(&names, before);
	for (size_t i = 0; i < names.count; i++)
		if (!is_used_early(arena, before, &names.items[i]) &&
			is_used_early(arena, after, &names.items[i]))
			return names.items[i].text;
	return NULL;
}

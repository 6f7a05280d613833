#include "patch/parse.h"

#include <string.h>

/* Brackets of a whole file: for each that opens, the token that closes it. */
struct brackets {
	uint32_t *close; /* by token; BODY_NONE when nothing closes it, or it opens nothing */
};

static char closer_of(char c)
{
	return c == '(' ? ')' : c == '[' ? ']' : c == '{' ? '}' : '\0';
}

/* A bracket that the wrong one would close is left open: the text may be cut by conditionals. */
static struct brackets match_brackets(struct arena *arena, const struct lex *lex)
{
	struct brackets brackets = {arena_new(arena, lex->count, sizeof(*brackets.close))};
	uint32_t *open = arena_new(arena, lex->count, sizeof(*open));
	size_t depth = 0;
	for (uint32_t i = 0; i < lex->count; i++) {
		char c = lex->tokens[i].punct;
		brackets.close[i] = BODY_NONE;
		if (closer_of(c))
			open[depth++] = i;
		if (c != ')' && c != ']' && c != '}')
			continue;
		size_t at = depth;
		while (at && closer_of(lex->tokens[open[at - 1]].punct) != c)
			at--;
		if (at && (at == depth || c == '}')) {
			brackets.close[open[at - 1]] = i;
			depth = at - 1;
		}
	}
	return brackets;
}

static bool is_skipped(const struct lex *lex, uint32_t token)
{
	return lex->tokens[token].kind == LEX_COMMENT || lex->tokens[token].kind == LEX_DIRECTIVE;
}

/* From behind the keyword: the tag's token, the brace that opens the body. */
static bool read_head(const struct lex *lex, const struct brackets *brackets, uint32_t at,
	uint32_t *tag, uint32_t *open)
{
	bool named = true;
	*tag = BODY_NONE;
	for (; at < lex->count; at++) {
		const struct lex_token *token = &lex->tokens[at];
		if (is_skipped(lex, at))
			continue;
		if (token->punct == '{') {
			*open = at;
			return brackets->close[at] != BODY_NONE;
		}
		if (token->punct == '(' || token->punct == '[') {
			if (token->punct == '(' && named && *tag != BODY_NONE && at == *tag + 1)
				*tag = BODY_NONE; /* a macro, not the name */
			if (brackets->close[at] == BODY_NONE)
				return false;
			at = brackets->close[at];
		} else if (token->kind == LEX_WORD) {
			if (named && !lex_is(lex, at, "final"))
				*tag = at;
		} else if (token->punct == ':' || token->punct == '<') {
			named = false;
		} else if (!token->punct || !strchr("S,>", token->punct)) {
			return false;
		}
	}
	return false;
}

/* Does the declaration behind this brace name `name`, as "typedef struct {...} name, *other;" does? */
static bool is_named_behind(const struct lex *lex, uint32_t close, const char *name)
{
	for (uint32_t at = close + 1; at < lex->count && lex->tokens[at].punct != ';'; at++)
		if (lex_is(lex, at, name) && lex->tokens[at - 1].punct != '*')
			return true;
		else if (lex->tokens[at].punct == '{' || lex->tokens[at].punct == '}')
			break;
	return false;
}

static bool is_typedef(const struct lex *lex, uint32_t keyword)
{
	while (keyword &&
		(is_skipped(lex, keyword - 1) || lex_is_one_of(lex, keyword - 1, "const volatile")))
		keyword--;
	return keyword && lex_is(lex, keyword - 1, "typedef");
}

/* "Tpl<int, 3>" is written as Tpl. */
static char *written_name(struct arena *arena, const char *name)
{
	return arena_strndup(arena, name, strcspn(name, "<"));
}

size_t body_find(struct arena *arena, const struct lex *lex, const char *keyword, const char *name,
	const struct body_place **ret)
{
	struct brackets brackets = match_brackets(arena, lex);
	struct body_place *places = NULL;
	size_t count = 0, capacity = 0;
	bool is_union = strcmp(keyword, "union") == 0;
	const char *written = written_name(arena, name);
	for (uint32_t i = 0; i < lex->count; i++) {
		uint32_t tag, open = 0;
		if (!lex_is_one_of(lex, i, is_union ? "union" : "struct class") ||
			!read_head(lex, &brackets, i + 1, &tag, &open))
			continue;
		bool is_it = tag == BODY_NONE
				     ? is_typedef(lex, i) &&
					       is_named_behind(lex, brackets.close[open], written)
				     : lex_is(lex, tag, written);
		if (!is_it)
			continue;
		places = arena_grow(arena, places, &capacity, count + 1, sizeof(*places));
		places[count++] = (struct body_place){
			.open = open,
			.close = brackets.close[open],
			.line = lex->tokens[tag == BODY_NONE ? i : tag].line,
			.line_open = lex->tokens[open].line,
		};
	}
	*ret = places;
	return count;
}

#include "patch/parse.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* ---- scopes ---- */

static void be_broken(struct parse *parse, uint32_t token, const char *why)
{
	if (parse->broken)
		return;
	parse->broken = why;
	parse->broken_line = parse->lex->tokens[token].line;
}

/* The first line of a token, for a message. */
static const char *scope_text(struct parse *parse, uint32_t token)
{
	enum { TEXT_MAX = 60 };
	const struct lex_token *t = &parse->lex->tokens[token];
	const char *bytes = parse->lex->bytes + t->start;
	size_t length = 0;
	while (length < t->end - t->start && length < TEXT_MAX && bytes[length] != '\n' &&
		bytes[length] != '\r' && !(bytes[length] == '/' && bytes[length + 1] == '*') &&
		!(bytes[length] == '/' && bytes[length + 1] == '/'))
		length++;
	while (length && (bytes[length - 1] == ' ' || bytes[length - 1] == '\t'))
		length--;
	return arena_strndup(parse->arena, bytes, length);
}

/* Where an item could go behind `token`: the next line, when nothing else is on this one. */
static size_t inner_start(const struct lex *lex, uint32_t token)
{
	size_t end = lex->tokens[token].end;
	while (token + 1 < lex->count && lex->tokens[token + 1].kind == LEX_COMMENT &&
		lex->tokens[token + 1].line == lex->tokens[token].line)
		end = lex->tokens[++token].end;
	return lex_ends_line(lex, end) ? lex_line_end(lex, end) : end;
}

static uint32_t scope_open(struct parse *parse, enum body_scope_kind kind, uint32_t parent,
	uint32_t token, const char *text)
{
	const struct lex *lex = parse->lex;
	parse->scopes = arena_grow(parse->arena, parse->scopes, &parse->scope_capacity,
		parse->scope_count + 1, sizeof(*parse->scopes));
	parse->scopes[parse->scope_count] = (struct body_scope){
		.kind = kind,
		.parent = parent,
		.line = lex->tokens[token].line,
		.text = text,
		.inner_start = inner_start(lex, token),
		.block_start = lex_line_start(lex, lex->tokens[token].start),
	};
	return (uint32_t)parse->scope_count++;
}

/* The end of a block: of its last line. */
static size_t block_end(const struct lex *lex, uint32_t token)
{
	return lex_line_end(lex, lex->tokens[token].end);
}

/* ---- items ---- */

static struct body_item *item_add(
	struct parse *parse, enum body_kind kind, uint32_t first, uint32_t last)
{
	const struct lex *lex = parse->lex;
	parse->items = arena_grow(parse->arena, parse->items, &parse->item_capacity,
		parse->item_count + 1, sizeof(*parse->items));
	struct body_item *item = &parse->items[parse->item_count++];
	*item = (struct body_item){
		.kind = kind,
		.scope = parse->scope,
		.first = first,
		.last = last,
		.line = lex->tokens[first].line,
		.start = lex->tokens[first].start,
		.end = lex->tokens[last].end,
		.inner_end = (uint32_t)parse->item_count,
	};
	return item;
}

/* A word that a macro may be: what follows on the next line is a declaration of its own. */
static bool begins_declaration(const struct lex *lex, uint32_t at)
{
	if (at >= lex->count)
		return false;
	const struct lex_token *token = &lex->tokens[at];
	if (token->kind == LEX_DIRECTIVE || token->punct == '}')
		return true;
	if (token->kind != LEX_WORD || at + 1 >= lex->count)
		return false;
	const struct lex_token *then = &lex->tokens[at + 1];
	return then->kind == LEX_WORD || (then->punct && strchr("*(S<{", then->punct));
}

static uint32_t skip_comments(const struct lex *lex, uint32_t at)
{
	while (at < lex->count && lex->tokens[at].kind == LEX_COMMENT)
		at++;
	return at;
}

static uint32_t behind_parentheses(const struct lex *lex, uint32_t at)
{
	size_t depth = 0;
	for (; at < lex->count; at++) {
		char c = lex->tokens[at].punct;
		depth += c == '(';
		if (c == ')' && --depth == 0)
			return at + 1;
	}
	return at;
}

/*
 * MACRO or MACRO(...) on a line of its own, or alone before the closing brace, without a semicolon. Returns its last token; BODY_NONE when it is something
 * else: what goes on with a name on the next line is indented further, or has only that name.
 */
static uint32_t lone_macro_end(const struct parse *parse, uint32_t at)
{
	const struct lex *lex = parse->lex;
	if (lex->tokens[at].kind != LEX_WORD || lex_is_one_of(lex, at, parse_paren_words) ||
		lex_is_one_of(lex, at,
			"const volatile unsigned signed long short int char struct "
			"union enum class static mutable"))
		return BODY_NONE;
	uint32_t behind = at + 1;
	if (behind < lex->count && lex->tokens[behind].punct == '(')
		behind = behind_parentheses(lex, behind);
	uint32_t next = skip_comments(lex, behind);
	if (next < lex->count && lex->tokens[next].punct == '}')
		return behind - 1;
	if (!lex_starts_line(lex, lex->tokens[at].start))
		return BODY_NONE;
	if (next >= lex->count ||
		(lex->tokens[next].line == lex->tokens[behind - 1].line &&
			lex->tokens[next].punct != '}') ||
		!begins_declaration(lex, next))
		return BODY_NONE;
	if (lex->tokens[next].kind == LEX_WORD &&
		lex_column(lex, lex->tokens[next].start) > lex_column(lex, lex->tokens[at].start))
		return BODY_NONE;
	return behind - 1;
}

/* A declaration's extent under way. */
struct extent {
	size_t depth;    /* of brackets */
	size_t branches; /* conditionals that it opened */
	bool has_call;   /* a word and parentheses, as functions have; or "operator" */
	bool has_arrow;  /* "->" behind that */
	bool has_equals;
	bool has_type;    /* "struct" and the like, and no call since */
	bool in_function; /* its body was entered */
};

static void note_token(const struct lex *lex, uint32_t first, uint32_t at, struct extent *extent)
{
	if (lex_is_one_of(lex, at, "struct union enum class") && !extent->has_call)
		extent->has_type = true;
	if (lex->tokens[at].punct == '=' && !extent->has_call) /* not "operator==(" */
		extent->has_equals = true;
	if (lex->tokens[at].punct == '>' && extent->has_call && lex->tokens[at - 1].punct == '-')
		extent->has_arrow = true;
	if (lex_is(lex, at, "operator"))
		extent->has_call = true;
	if (lex->tokens[at].punct != '(' || at == first || lex->tokens[at - 1].kind != LEX_WORD ||
		lex_is_one_of(lex, at - 1, parse_paren_words))
		return;
	extent->has_call = true;
}

/* The brace at `at` opens the body of a function of C++, which ends without a semicolon. */
static bool is_function_body(const struct parse *parse, uint32_t at, const struct extent *extent)
{
	const struct lex *lex = parse->lex;
	const struct lex_token *before = &lex->tokens[at - 1];
	if (!extent->has_call || extent->has_equals)
		return false;
	if (before->punct == ')' || before->punct == '}' ||
		lex_is_one_of(lex, at - 1, "const noexcept override final try"))
		return true;
	/* "-> int {", "const & {", "MARK {" */
	return parse->is_cxx && !extent->has_type &&
	       (extent->has_arrow || before->punct == '&' || before->kind == LEX_WORD);
}

/* A conditional that a declaration does not hold whole. */
static bool cuts(const struct lex *lex, uint32_t at, struct extent *extent)
{
	if (lex_is_directive(lex, at, "if ifdef ifndef"))
		extent->branches++;
	else if (lex_is_directive(lex, at, "elif else elifdef elifndef"))
		return !extent->branches;
	else if (lex_is_directive(lex, at, "endif"))
		return !extent->branches--;
	return false;
}

/* The last token of the declaration that begins at `first`; before `limit`, else BODY_NONE. */
static uint32_t declaration_end(struct parse *parse, uint32_t first, uint32_t limit)
{
	const struct lex *lex = parse->lex;
	struct extent extent = {0};
	for (uint32_t at = first; at < limit; at++) {
		const struct lex_token *token = &lex->tokens[at];
		if (token->kind == LEX_DIRECTIVE && cuts(lex, at, &extent)) {
			be_broken(parse, at, "a conditional cuts through a declaration");
			return BODY_NONE;
		}
		if (extent.depth == 0)
			note_token(lex, first, at, &extent);
		if (token->punct == '(' || token->punct == '[' || token->punct == '{') {
			if (extent.depth == 0 && token->punct == '{' && at > first &&
				is_function_body(parse, at, &extent))
				extent.in_function = true;
			extent.depth++;
		} else if (token->punct == ')' || token->punct == ']' || token->punct == '}') {
			if (extent.depth-- == 0)
				break;
			bool is_end = extent.depth == 0 && extent.in_function &&
				      token->punct == '}' && at + 1 < lex->count &&
				      lex->tokens[at + 1].punct != ',' &&
				      lex->tokens[at + 1].punct != '{';
			if (is_end)
				return lex->tokens[at + 1].punct == ';' ? at + 1 : at;
		} else if (token->punct == ';' && extent.depth == 0) {
			if (!extent.branches)
				return at;
			be_broken(parse, at, "a conditional cuts through a declaration");
			return BODY_NONE;
		}
	}
	be_broken(parse, first, "a declaration has no end that can be seen");
	return BODY_NONE;
}

/* "public:", and "public slots:": the token of its colon; BODY_NONE for anything else. */
static uint32_t access_label(const struct lex *lex, uint32_t at)
{
	if (!lex_is_one_of(lex, at, "public private protected signals Q_SIGNALS"))
		return BODY_NONE;
	at++;
	if (lex_is_one_of(lex, at, "slots Q_SLOTS"))
		at++;
	return at < lex->count && lex->tokens[at].punct == ':' ? at : BODY_NONE;
}

/* ---- between a pair of braces ---- */

/* The beginning of the comments right above a token that begins its line, or of its line. */
static size_t start_with_comments(const struct lex *lex, uint32_t token)
{
	size_t start = lex_line_start(lex, lex->tokens[token].start);
	while (token && lex->tokens[token - 1].kind == LEX_COMMENT) {
		const struct lex_token *comment = &lex->tokens[--token];
		if (lex_line_end(lex, comment->end) != start ||
			!lex_starts_line(lex, comment->start) || body_is_boundary(lex, token))
			break;
		start = lex_line_start(lex, comment->start);
	}
	return start;
}

/* One conditional that is open. */
struct conditional {
	uint32_t first_branch, before; /* scopes */
};

struct list {
	uint32_t braces; /* scope */
	struct conditional open[BODY_DEPTH_MAX];
	size_t open_count;
};

static void switch_section(struct parse *parse, struct list *list, uint32_t at, uint32_t colon)
{
	parse->is_cxx = true;
	if (parse->scopes[parse->scope].kind != BODY_SCOPE_SECTION) {
		be_broken(parse, at, "an access section begins inside of a conditional");
		return;
	}
	parse->scope =
		scope_open(parse, BODY_SCOPE_SECTION, list->braces, colon, scope_text(parse, at));
}

/* "#else" and the like are branches of their own, and the whole is one block. */
static void conditional_directive(struct parse *parse, struct list *list, uint32_t at)
{
	const struct lex *lex = parse->lex;
	bool is_branch = parse->scopes[parse->scope].kind == BODY_SCOPE_BRANCH;
	if (lex_is_directive(lex, at, "if ifdef ifndef")) {
		if (list->open_count == BODY_DEPTH_MAX) {
			be_broken(parse, at, "conditionals are nested too deeply");
			return;
		}
		struct conditional *conditional = &list->open[list->open_count++];
		conditional->before = parse->scope;
		parse->scope = scope_open(
			parse, BODY_SCOPE_BRANCH, parse->scope, at, scope_text(parse, at));
		conditional->first_branch = parse->scope;
		parse->scopes[parse->scope].block_start = start_with_comments(lex, at);
	} else if (!list->open_count || !is_branch) {
		be_broken(parse, at, "a conditional is not opened where it is closed");
	} else if (lex_is_directive(lex, at, "endif")) {
		const struct conditional *conditional = &list->open[--list->open_count];
		size_t start = parse->scopes[conditional->first_branch].block_start;
		for (size_t i = conditional->first_branch; i < parse->scope_count; i++)
			if (parse->scopes[i].kind == BODY_SCOPE_BRANCH &&
				parse->scopes[i].parent == conditional->before) {
				parse->scopes[i].block_start = start;
				parse->scopes[i].block_end = block_end(lex, at);
			}
		parse->scope = conditional->before;
	} else {
		parse->scope = scope_open(parse, BODY_SCOPE_BRANCH,
			list->open[list->open_count - 1].before, at, scope_text(parse, at));
	}
}

static void directive(struct parse *parse, struct list *list, uint32_t at)
{
	if (lex_is_directive(parse->lex, at, "if ifdef ifndef elif elifdef elifndef else endif"))
		conditional_directive(parse, list, at);
	else if (lex_is_directive(parse->lex, at, "include include_next import"))
		item_add(parse, BODY_MACRO, at, at)->macro = scope_text(parse, at);
	else
		item_add(parse, BODY_OTHER, at, at);
}

static bool randomized_mark(struct parse *parse, uint32_t at)
{
	const struct lex *lex = parse->lex;
	if (lex_is(lex, at, "randomized_struct_fields_start")) {
		parse->scope = scope_open(parse, BODY_SCOPE_RANDOMIZED, parse->scope, at,
			"randomized_struct_fields_start");
		return true;
	}
	if (!lex_is(lex, at, "randomized_struct_fields_end"))
		return false;
	struct body_scope *scope = &parse->scopes[parse->scope];
	if (scope->kind != BODY_SCOPE_RANDOMIZED) {
		be_broken(parse, at, "randomized_struct_fields_end ends nothing");
		return true;
	}
	scope->block_end = block_end(lex, at);
	parse->scope = scope->parent;
	return true;
}

static void read_list(struct parse *parse, uint32_t open, uint32_t close);

/* The items inside of an unnamed aggregate, which are in a scope of their own. */
static void read_inside(struct parse *parse, size_t index, uint32_t open)
{
	const struct lex *lex = parse->lex;
	uint32_t outer = parse->scope, close = parse->items[index].last;
	while (close > open && lex->tokens[close].punct != '}')
		close--;
	uint32_t inner = (uint32_t)parse->scope_count;
	read_list(parse, open, close);
	parse->items[index].inner_scope = inner;
	parse->scopes[inner].block_start = lex_line_start(lex, parse->items[index].start);
	parse->scopes[inner].block_end = block_end(lex, parse->items[index].last);
	parse->items[index].inner_end = (uint32_t)parse->item_count;
	parse->scope = outer;
}

static bool contains(const struct lex *lex, uint32_t token, const char *part)
{
	const struct lex_token *t = &lex->tokens[token];
	return memmem(lex->bytes + t->start, t->end - t->start, part, strlen(part)) != NULL;
}

/*
 * "#ifdef X", an attribute, "#endif": the beginning of the declaration that follows. Only words that cannot be anything
 * else: an attribute, an alignment, a macro for one.
 */
static bool begins_with_attribute(const struct lex *lex, uint32_t at, uint32_t limit)
{
	size_t depth = 0;
	bool any = false;
	if (!lex_is_directive(lex, at, "if ifdef ifndef"))
		return false;
	for (; at < limit; at++) {
		if (lex_is_directive(lex, at, "if ifdef ifndef"))
			depth++;
		else if (lex_is_directive(lex, at, "endif") && --depth == 0)
			return any;
		if (lex->tokens[at].kind == LEX_COMMENT || lex->tokens[at].kind == LEX_DIRECTIVE)
			continue;
		if (lex->tokens[at].kind != LEX_WORD ||
			!(lex_is_one_of(lex, at, "__attribute__ __attribute _Alignas") ||
				contains(lex, at, "align")))
			return false;
		any = true;
		if (at + 1 < limit && lex->tokens[at + 1].punct == '(')
			at = behind_parentheses(lex, at + 1) - 1;
	}
	return false;
}

/* Reads what begins at `at`, and returns the token behind it. */
static uint32_t read_item(struct parse *parse, struct list *list, uint32_t at, uint32_t close)
{
	const struct lex *lex = parse->lex;
	if (lex->tokens[at].kind == LEX_COMMENT || lex->tokens[at].punct == ';')
		return at + 1;
	if (lex->tokens[at].kind == LEX_DIRECTIVE && !begins_with_attribute(lex, at, close)) {
		directive(parse, list, at);
		return at + 1;
	}
	uint32_t colon = access_label(lex, at);
	if (colon != BODY_NONE) {
		switch_section(parse, list, at, colon);
		return colon + 1;
	}
	if (randomized_mark(parse, at))
		return at + 1;
	uint32_t last = lone_macro_end(parse, at);
	if (last != BODY_NONE && last < close) {
		struct body_item *item = item_add(parse, BODY_MACRO, at, last);
		item->macro = lex_text(parse->arena, lex, at);
		return last + 1;
	}
	last = declaration_end(parse, at, close);
	if (last == BODY_NONE)
		return close;
	size_t index = parse->item_count;
	struct body_item *item = item_add(parse, BODY_OTHER, at, last);
	uint32_t open = parse_declaration(parse, item);
	if (open != BODY_NONE)
		read_inside(parse, index, open);
	return last + 1;
}

static void read_list(struct parse *parse, uint32_t open, uint32_t close)
{
	uint32_t parent = parse->scope_count ? parse->scope : BODY_NONE;
	struct list list = {0};
	if (parse->depth++ == BODY_DEPTH_MAX) {
		be_broken(parse, open, "unnamed aggregates are nested too deeply");
		parse->depth--;
		scope_open(parse, BODY_SCOPE_BRACES, parent, open, "{");
		return;
	}
	list.braces = scope_open(parse, BODY_SCOPE_BRACES, parent, open, "{");
	parse->scope = scope_open(parse, BODY_SCOPE_SECTION, list.braces, open, "{");
	for (uint32_t at = open + 1; at < close && !parse->broken;)
		at = read_item(parse, &list, at, close);
	if (list.open_count ||
		(parse->scopes[parse->scope].kind != BODY_SCOPE_SECTION && !parse->broken))
		be_broken(parse, close, "a conditional that begins inside ends outside");
	parse->depth--;
}

/* ---- what callers ask ---- */

bool body_is_known(const struct body_known *known, const char *name)
{
	size_t low = 0, high = known->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(known->names[middle], name);
		if (order == 0)
			return true;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

bool body_is_inside(const struct body *body, uint32_t scope, uint32_t outer)
{
	while (scope != BODY_NONE && scope != outer)
		scope = body->scopes[scope].parent;
	return scope == outer;
}

uint32_t body_child_of(const struct body *body, uint32_t scope, uint32_t outer)
{
	while (scope != BODY_NONE && body->scopes[scope].parent != outer)
		scope = body->scopes[scope].parent;
	return scope;
}

uint32_t body_branch_of(const struct body *body, uint32_t scope)
{
	while (scope != BODY_NONE && body->scopes[scope].kind != BODY_SCOPE_BRANCH)
		scope = body->scopes[scope].parent;
	return scope;
}

/* The byte behind the type of a declaration of bit-fields. */
static size_t type_end(const struct lex *lex, const struct body_item *item)
{
	for (uint32_t i = item->first; i <= item->last; i++) {
		bool is_name = item->name_count && !item->begins_unnamed &&
			       lex->tokens[i].start >= item->names[0].start;
		if (is_name || lex->tokens[i].punct == ':')
			return lex->tokens[i].start;
	}
	return item->end;
}

bool body_is_same_type(
	const struct body *body, const struct body_item *left, const struct body_item *right)
{
	const struct lex *lex = body->lex;
	size_t left_end = type_end(lex, left), right_end = type_end(lex, right);
	uint32_t a = left->first, b = right->first;
	for (;; a++, b++) {
		while (lex->tokens[a].kind == LEX_COMMENT)
			a++;
		while (lex->tokens[b].kind == LEX_COMMENT)
			b++;
		const struct lex_token *x = &lex->tokens[a], *y = &lex->tokens[b];
		if (x->start >= left_end || y->start >= right_end)
			return x->start >= left_end && y->start >= right_end;
		if (x->end - x->start != y->end - y->start ||
			memcmp(lex->bytes + x->start, lex->bytes + y->start, x->end - x->start) !=
				0)
			return false;
	}
}

static const char *eol_of(const struct lex *lex, uint32_t token)
{
	size_t end = lex_line_end(lex, lex->tokens[token].end);
	return end >= 2 && lex->bytes[end - 1] == '\n' && lex->bytes[end - 2] == '\r' ? "\r\n"
										      : "\n";
}

void body_build(struct arena *arena, const struct lex *lex, const char *name, bool is_cxx,
	const struct body_place *place, const struct body_known *known, struct body *ret)
{
	struct parse parse = {.arena = arena, .lex = lex, .known = known, .is_cxx = is_cxx};
	read_list(&parse, place->open, place->close);
	if (!parse.broken)
		parse_chunks(&parse);
	*ret = (struct body){
		.lex = lex,
		.place = *place,
		.name = name,
		.is_cxx = parse.is_cxx,
		.scopes = parse.scopes,
		.scope_count = parse.scope_count,
		.items = parse.items,
		.item_count = parse.item_count,
		.eol = eol_of(lex, place->open),
		.broken = parse.broken,
		.broken_line = parse.broken_line,
	};
}

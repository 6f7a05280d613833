#include "patch/parse.h"

#include <string.h>

const char parse_paren_words[] =
	"__attribute__ __attribute __declspec _Alignas alignas __aligned typeof __typeof__ "
	"__typeof "
	"typeof_unqual decltype _Atomic _BitInt __extension__ noexcept explicit __counted_by "
	"__counted_by_le __counted_by_be __guarded_by __must_hold asm __asm__";

static const char typeof_words[] =
	"typeof __typeof__ __typeof typeof_unqual decltype _Atomic _BitInt";

static const char type_words[] =
	"void char short int long float double signed unsigned _Bool bool __int128 _Complex "
	"__signed__ __signed auto wchar_t char8_t char16_t char32_t __float128 _Float16 _Float32 "
	"_Float64 _Float128 _Decimal32 _Decimal64 _Decimal128";

static const char other_words[] =
	"const volatile restrict __restrict __restrict__ __const __volatile__ __const__ mutable "
	"__extension__ register inline _Noreturn _Thread_local";

static const char tag_words[] = "struct union enum";

static const char no_data_words[] = "typedef static_assert _Static_assert static extern inline";

/* What is a name in C, and a word of the language in C++. */
static const char cxx_other_words[] = "override final noexcept explicit";

static const char cxx_tag_words[] = "class typename";

static const char cxx_no_data_words[] =
	"using friend template operator virtual explicit constexpr consteval constinit namespace";

/* One item's tokens without comments and directives. */
struct line {
	struct parse *parse;
	const struct lex *lex;
	uint32_t *tokens;
	size_t count;
};

static char punct(const struct line *line, size_t at)
{
	return at < line->count ? line->lex->tokens[line->tokens[at]].punct : '\0';
}

static bool is_word(const struct line *line, size_t at)
{
	return at < line->count && line->lex->tokens[line->tokens[at]].kind == LEX_WORD;
}

static bool is_one_of(const struct line *line, size_t at, const char *words)
{
	return at < line->count && lex_is_one_of(line->lex, line->tokens[at], words);
}

static const struct lex_token *token_at(const struct line *line, size_t at)
{
	return &line->lex->tokens[line->tokens[at]];
}

static bool is_known(const struct line *line, size_t at)
{
	char name[256];
	const struct lex_token *token = token_at(line, at);
	size_t length = token->end - token->start;
	if (!is_word(line, at) || length >= sizeof(name))
		return false;
	memcpy(name, line->lex->bytes + token->start, length);
	name[length] = '\0';
	return body_is_known(line->parse->known, name);
}

size_t parse_group_end(const struct lex *lex, const uint32_t *tokens, size_t count, size_t at)
{
	size_t depth = 0;
	for (; at < count; at++) {
		char c = lex->tokens[tokens[at]].punct;
		if (c == '(' || c == '[' || c == '{')
			depth++;
		else if ((c == ')' || c == ']' || c == '}') && --depth == 0)
			return at + 1;
	}
	return count;
}

static size_t group_end(const struct line *line, size_t at)
{
	return parse_group_end(line->lex, line->tokens, line->count, at);
}

/* Behind template arguments, or behind the '<' alone when it is an operator. */
static size_t angle_end(const struct line *line, size_t at)
{
	size_t depth = 0;
	for (size_t i = at; i < line->count; i++) {
		char c = punct(line, i);
		if (c == '<')
			depth++;
		else if (c == '>' && --depth == 0)
			return i + 1;
		else if (c == '(' || c == '[' || c == '{')
			i = group_end(line, i) - 1;
		else if (c == ';' || c == '=')
			break;
	}
	return at + 1;
}

/* The next token at the same depth. */
static size_t next(const struct line *line, size_t at)
{
	char c = punct(line, at);
	if (c == '(' || c == '[' || c == '{')
		return group_end(line, at);
	if (c == '<' && at && is_word(line, at - 1))
		return angle_end(line, at);
	return at + 1;
}

static size_t find_punct(const struct line *line, size_t at, size_t end, const char *puncts)
{
	while (at < end && !(punct(line, at) && strchr(puncts, punct(line, at))))
		at = next(line, at);
	return at < end ? at : end;
}

/* In one of two lists, of which the second holds for C++ only. */
static bool is_either(const struct line *line, size_t at, const char *words, const char *cxx_words)
{
	return is_one_of(line, at, words) ||
	       (line->parse->is_cxx && is_one_of(line, at, cxx_words));
}

static bool is_tag_word(const struct line *line, size_t at)
{
	return is_either(line, at, tag_words, cxx_tag_words);
}

/* Attributes and alignments that stand first. */
static size_t skip_attributes(const struct line *line, size_t at)
{
	for (;;) {
		if (punct(line, at) == '[' && punct(line, at + 1) == '[')
			at = group_end(line, at);
		else if (is_one_of(line, at, "__extension__"))
			at++;
		else if (is_one_of(line, at,
				 "__attribute__ __attribute __declspec _Alignas alignas") &&
			 punct(line, at + 1) == '(')
			at = group_end(line, at + 1);
		else
			return at;
	}
}

/* ---- the definition of a type that an item begins with ---- */

struct definition {
	bool exists;
	size_t keyword, open, close; /* of the line; close is behind the brace */
	bool has_tag;
};

static struct definition find_definition(const struct line *line)
{
	struct definition none = {0};
	size_t open = find_punct(line, 0, line->count, "{=");
	if (punct(line, open) != '{')
		return none;
	for (size_t i = 0; i < open; i = next(line, i)) {
		if (!is_one_of(line, i, "struct union enum class"))
			continue;
		struct definition found = {true, i, open, group_end(line, open), false};
		size_t words = 0, last = 0;
		for (size_t k = i + 1; k < open && punct(line, k) != ':'; k = next(line, k))
			if (is_word(line, k) && punct(line, k + 1) != '(' &&
				!is_one_of(line, k, "final class struct")) {
				words++;
				last = k;
			}
		found.has_tag = words > 0;
		/* "struct tag member{1};" of C++ */
		if (words > 1 && last + 1 == open && is_known(line, last))
			return none;
		return found;
	}
	return none;
}

/* ---- declarators ---- */

/* "(name)" where no function or macro can be called: behind a star, a word of a type, or another parenthesis. */
static bool is_name_group(const struct line *line, size_t at)
{
	size_t inside = at;
	while (punct(line, inside) == '(')
		inside++;
	return at && (punct(line, at - 1) == '*' || is_one_of(line, at - 1, type_words)) &&
	       is_word(line, inside) && is_known(line, inside) && punct(line, inside + 1) == ')';
}

/* The parentheses of a declarator: "(*fn)(int)", "(*rows)[4]", "(name)". */
static bool is_declarator_group(const struct line *line, size_t at)
{
	if (punct(line, at) != '(' || (at && is_one_of(line, at - 1, parse_paren_words)))
		return false;
	if (is_name_group(line, at))
		return true;
	size_t inside = at + 1;
	while (is_word(line, inside) && punct(line, inside + 1) == 'S')
		inside += 2; /* "(Class::*member)" */
	char c = punct(line, inside);
	return c == '*' || c == '^' || c == '&' || (c == '(' && is_declarator_group(line, at + 1));
}

/* The name inside of such parentheses: the one that is known, else the first that is no qualifier. */
static size_t name_in_group(const struct line *line, size_t at, size_t end)
{
	size_t first = line->count;
	for (size_t i = at; i < end; i++) {
		if (!is_word(line, i) || is_one_of(line, i, other_words))
			continue;
		if (is_known(line, i))
			return i;
		if (first == line->count)
			first = i;
	}
	return first;
}

/* What one stretch of a declaration, up to a comma, says. */
struct declarator {
	size_t name;  /* token of the line; its count without */
	size_t start; /* first token of the declarator */
	size_t end;   /* behind its last */
	size_t limit; /* first ':', '=' or '{' at its depth, else end */
	bool has_call;
};

static bool is_candidate(const struct line *line, size_t at)
{
	return is_word(line, at) && !is_one_of(line, at, type_words) &&
	       !is_either(line, at, other_words, cxx_other_words) && !is_tag_word(line, at) &&
	       punct(line, at + 1) != '(' && punct(line, at + 1) != 'S' &&
	       !(at && is_tag_word(line, at - 1));
}

/*
 * The name among the words between `at` and the limit. `needs_type`: the first words are the type's. A type may bear the
 * name of a member, and macros may follow a name or stand before it: so the last word that is known counts, and without
 * one the first that is left.
 */
static struct declarator read_declarator(
	const struct line *line, size_t at, size_t end, bool needs_type)
{
	struct declarator found = {.name = line->count, .end = end};
	size_t star = end, last_star = end, typed = end;
	found.limit = find_punct(line, at, end, ":={");
	for (size_t i = at; i < found.limit; i = next(line, i)) {
		char c = punct(line, i);
		if (is_declarator_group(line, i)) {
			found.name = name_in_group(line, i, group_end(line, i));
			found.start = star < i ? star : i;
			return found;
		}
		if (c == '*' || c == '&' || c == '^') {
			star = star == end ? i : star;
			last_star = i;
		}
		if (c == '(' && i && is_word(line, i - 1) &&
			!is_one_of(line, i - 1, parse_paren_words))
			found.has_call = true;
		bool is_type = is_one_of(line, i, type_words) || is_tag_word(line, i) ||
			       (c == '(' && i > at &&
				       (found.has_call || is_one_of(line, i - 1, typeof_words)));
		if (is_type)
			typed = i < typed ? i : typed;
	}
	size_t first = last_star < end ? last_star + 1 : at, chosen = line->count;
	bool dropped = !needs_type || last_star < end;
	for (size_t i = first; i < found.limit; i = next(line, i)) {
		if (!is_candidate(line, i))
			continue;
		if (!dropped && i < typed) {
			dropped = true; /* the type's own name */
			continue;
		}
		if (is_known(line, i) || chosen == line->count)
			chosen = i;
	}
	found.name = chosen;
	found.start = star < end ? star : chosen < end ? chosen : found.limit;
	return found;
}

static bool has_directive(const struct line *line, uint32_t first, uint32_t last)
{
	for (uint32_t i = first; i < last; i++)
		if (line->lex->tokens[i].kind == LEX_DIRECTIVE)
			return true;
	return false;
}

/* The comment behind a declarator's comma, on its line, is about it; `behind` is the token after the declarator. */
static void find_comment(const struct lex *lex, uint32_t behind, struct body_name *name)
{
	if (behind < lex->count && lex->tokens[behind].punct == ',')
		behind++;
	if (behind >= lex->count || lex->tokens[behind].kind != LEX_COMMENT ||
		lex_line_start(lex, lex->tokens[behind].start) != lex_line_start(lex, name->end))
		return;
	name->comment_start = lex->tokens[behind].start;
	name->comment_end = lex->tokens[behind].end;
}

/* Are there more comments between the declarators than they have? */
static bool has_loose_comment(const struct line *line, const struct body_item *item)
{
	const struct lex *lex = line->lex;
	for (uint32_t i = item->first; i < item->last; i++) {
		size_t k = 0;
		if (lex->tokens[i].kind != LEX_COMMENT)
			continue;
		while (k < item->name_count && item->names[k].comment_start != lex->tokens[i].start)
			k++;
		if (k == item->name_count)
			return true;
	}
	return false;
}

/* Why the declarators of an item cannot be parted. */
static const char *why_no_split(const struct line *line, const struct definition *definition,
	const struct body_item *item, size_t segments)
{
	if (definition->exists)
		return "they are declared with the definition of their type";
	if (has_loose_comment(line, item))
		return "comments stand between them";
	if (item->name_count != segments)
		return "an unnamed bit-field stands between them";
	if (has_directive(line, line->tokens[0], line->tokens[line->count - 1]))
		return "directives stand between them";
	for (size_t i = 0; i < line->count; i++)
		if (punct(line, i) == 'S' && punct(line, i + 1) == '*')
			return "they are pointers to members";
	return NULL;
}

static void read_names(struct line *line, struct body_item *item,
	const struct definition *definition, size_t begin, struct declarator first)
{
	struct arena *arena = line->parse->arena;
	size_t room = 1, segments = 0, count = 0;
	for (size_t i = begin; i < line->count; i = next(line, i))
		room += punct(line, i) == ',';
	struct body_name *names = arena_new(arena, room, sizeof(*names));
	struct declarator at = first;
	for (;;) {
		segments++;
		if (at.name < line->count) {
			struct body_name *name = &names[count++];
			name->name = lex_text(arena, line->lex, line->tokens[at.name]);
			name->line = token_at(line, at.name)->line;
			name->start = token_at(line, at.start)->start;
			name->end = token_at(line, at.end - 1)->end;
			name->is_bit_field = punct(line, at.limit) == ':';
			name->value = at.limit < at.end && !name->is_bit_field
					      ? token_at(line, at.limit)->start
					      : name->end;
			if (at.end < line->count)
				find_comment(line->lex, line->tokens[at.end - 1] + 1, name);
			name->is_known = body_is_known(line->parse->known, name->name);
		}
		if (at.end >= line->count)
			break;
		size_t from = at.end + 1;
		at = read_declarator(line, from, find_punct(line, from, line->count, ","), false);
	}
	item->begins_unnamed = first.name >= line->count;
	item->names = names;
	item->name_count = count;
	item->no_split = why_no_split(line, definition, item, segments);
}

/* ---- kinds ---- */

static bool args_have_known(const struct line *line, size_t open)
{
	for (size_t i = open; i < line->count; i++)
		if (is_known(line, i))
			return true;
	return false;
}

/* WORD or WORD(...) and nothing else. */
static bool is_bare_macro(const struct line *line)
{
	if (!is_candidate(line, 0) && !(is_word(line, 0) && punct(line, 1) == '('))
		return false;
	if (line->count == 1)
		return true;
	return punct(line, 1) == '(' && group_end(line, 1) == line->count &&
	       !is_one_of(line, 0, parse_paren_words) && !is_one_of(line, 0, type_words);
}

static void be_macro(struct line *line, struct body_item *item, size_t word)
{
	item->kind = BODY_MACRO;
	item->macro = lex_text(line->parse->arena, line->lex, line->tokens[word]);
}

/* The word that a call begins with. */
static size_t call_word(const struct line *line)
{
	for (size_t i = 1; i < line->count; i = next(line, i))
		if (punct(line, i) == '(' && is_word(line, i - 1) &&
			!is_one_of(line, i - 1, parse_paren_words))
			return i - 1;
	return 0;
}

static void classify_plain(struct line *line, struct body_item *item, size_t at)
{
	struct definition none = {0};
	if (is_bare_macro(line)) {
		if (!line->parse->is_cxx || line->count == 1 || args_have_known(line, 1))
			be_macro(line, item, 0);
		return;
	}
	struct declarator first =
		read_declarator(line, at, find_punct(line, at, line->count, ","), true);
	bool has_name = first.name < line->count,
	     is_padding = punct(line, first.limit) == ':' && !first.has_call;
	/* "MACRO(x) __aligned;" of C, "int f(int) MARK;" of C++ */
	bool is_call = first.has_call && !(has_name && is_known(line, first.name));
	if (is_call) {
		if (!line->parse->is_cxx)
			be_macro(line, item, call_word(line));
		return;
	}
	if (!has_name && !is_padding)
		return;
	read_names(line, item, &none, at, first);
	item->kind = item->name_count ? BODY_MEMBER : BODY_PADDING;
}

/* Behind the body of a type: declarators, or attributes alone? */
static bool has_declarator(const struct line *line, size_t at, struct declarator *first)
{
	*first = read_declarator(line, at, find_punct(line, at, line->count, ","), false);
	if (first->name >= line->count)
		return false;
	const struct lex_token *token = token_at(line, first->name);
	bool is_mark = token->end - token->start > 2 &&
		       memcmp(line->lex->bytes + token->start, "__", 2) == 0;
	return is_known(line, first->name) || !is_mark || first->start != first->name;
}

static uint32_t classify_definition(
	struct line *line, struct body_item *item, const struct definition *definition)
{
	struct declarator first;
	if (has_declarator(line, definition->close, &first)) {
		item->kind = BODY_MEMBER;
		read_names(line, item, definition, definition->close, first);
		return BODY_NONE;
	}
	if (is_one_of(line, definition->keyword, "enum") ||
		(definition->has_tag && line->parse->is_cxx))
		return BODY_NONE;
	item->kind = BODY_UNNAMED;
	item->is_struct = !is_one_of(line, definition->keyword, "union");
	return line->tokens[definition->open];
}

uint32_t parse_declaration(struct parse *parse, struct body_item *item)
{
	struct line line = {.parse = parse, .lex = parse->lex};
	line.tokens = arena_new(parse->arena, item->last - item->first + 1, sizeof(*line.tokens));
	for (uint32_t i = item->first; i <= item->last; i++) {
		const struct lex_token *token = &parse->lex->tokens[i];
		if (token->kind != LEX_COMMENT && token->kind != LEX_DIRECTIVE)
			line.tokens[line.count++] = i;
	}
	if (line.count && punct(&line, line.count - 1) == ';')
		line.count--;
	item->kind = BODY_OTHER;
	size_t at = skip_attributes(&line, 0);
	if (at >= line.count || is_either(&line, at, no_data_words, cxx_no_data_words) ||
		punct(&line, at) == '~')
		return BODY_NONE;
	for (size_t i = at; i < line.count; i = next(&line, i))
		if (parse->is_cxx && is_one_of(&line, i, "operator static"))
			return BODY_NONE;
	struct definition definition = find_definition(&line);
	if (definition.exists)
		return classify_definition(&line, item, &definition);
	classify_plain(&line, item, at);
	return BODY_NONE;
}

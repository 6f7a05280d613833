#include "patch/lex.h"

#include <ctype.h>
#include <string.h>

/* A scan under way. */
struct scan {
	const char *bytes;
	size_t length, at;
	uint32_t line;
	bool line_begins; /* nothing but blanks since the newline: a '#' is a directive */
};

static bool is_word_start(char c)
{
	return isalpha((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is_word(char c)
{
	return is_word_start(c) || isdigit((unsigned char)c);
}

static char peek(const struct scan *scan, size_t ahead)
{
	return scan->length - scan->at > ahead ? scan->bytes[scan->at + ahead] : '\0';
}

/* Bytes of a continued line's end at `at`: backslash, newline; 0 when it is none. */
static size_t continuation(const struct scan *scan, size_t at)
{
	if (at >= scan->length || scan->bytes[at] != '\\')
		return 0;
	if (at + 1 < scan->length && scan->bytes[at + 1] == '\n')
		return 2;
	if (at + 2 < scan->length && scan->bytes[at + 1] == '\r' && scan->bytes[at + 2] == '\n')
		return 3;
	return 0;
}

static void step(struct scan *scan, size_t count)
{
	for (; count && scan->at < scan->length; count--)
		if (scan->bytes[scan->at++] == '\n')
			scan->line++;
}

static void skip_blanks(struct scan *scan)
{
	while (scan->at < scan->length) {
		size_t continued = continuation(scan, scan->at);
		if (continued) {
			step(scan, continued);
		} else if (isspace((unsigned char)scan->bytes[scan->at])) {
			scan->line_begins |= scan->bytes[scan->at] == '\n';
			step(scan, 1);
		} else {
			break;
		}
	}
}

static void skip_block_comment(struct scan *scan)
{
	step(scan, 2);
	while (scan->at < scan->length && !(peek(scan, 0) == '*' && peek(scan, 1) == '/'))
		step(scan, 1);
	step(scan, 2);
}

/* Up to the newline, which stays; a carriage return before it stays too. */
static void skip_line(struct scan *scan)
{
	while (scan->at < scan->length && scan->bytes[scan->at] != '\n') {
		size_t continued = continuation(scan, scan->at);
		step(scan, continued ? continued : 1);
	}
	if (scan->at && scan->at < scan->length && scan->bytes[scan->at - 1] == '\r')
		scan->at--;
}

static void skip_string(struct scan *scan)
{
	char quote = scan->bytes[scan->at];
	step(scan, 1);
	while (scan->at < scan->length && scan->bytes[scan->at] != quote &&
		scan->bytes[scan->at] != '\n') {
		size_t continued = continuation(scan, scan->at);
		step(scan, continued ? continued : scan->bytes[scan->at] == '\\' ? 2 : 1);
	}
	if (peek(scan, 0) == quote)
		step(scan, 1);
}

/* R"mark( ... )mark" */
static void skip_raw_string(struct scan *scan)
{
	step(scan, 1);
	const char *mark = scan->bytes + scan->at;
	size_t length = 0;
	while (length < 16 && scan->at + length < scan->length && mark[length] != '(')
		length++;
	step(scan, length);
	while (scan->at < scan->length) {
		bool closes = peek(scan, 0) == ')' && scan->length - scan->at > length + 1 &&
			      memcmp(scan->bytes + scan->at + 1, mark, length) == 0 &&
			      peek(scan, length + 1) == '"';
		step(scan, closes ? length + 2 : 1);
		if (closes)
			break;
	}
}

static void skip_directive(struct scan *scan)
{
	while (scan->at < scan->length && scan->bytes[scan->at] != '\n') {
		size_t continued = continuation(scan, scan->at);
		if (continued)
			step(scan, continued);
		else if (peek(scan, 0) == '/' && peek(scan, 1) == '*')
			skip_block_comment(scan);
		else if (peek(scan, 0) == '/' && peek(scan, 1) == '/')
			skip_line(scan);
		else if (peek(scan, 0) == '"' || peek(scan, 0) == '\'')
			skip_string(scan);
		else if (peek(scan, 0) == '\r' && peek(scan, 1) == '\n')
			break;
		else
			step(scan, 1);
	}
}

static void skip_number(struct scan *scan)
{
	while (scan->at < scan->length) {
		char c = scan->bytes[scan->at];
		bool sign = (c == '+' || c == '-') && strchr("eEpP", scan->bytes[scan->at - 1]);
		bool mark = c == '\'' && is_word(peek(scan, 1));
		if (!is_word(c) && c != '.' && !sign && !mark)
			break;
		step(scan, 1);
	}
}

static bool is_raw_prefix(const struct scan *scan, size_t start)
{
	size_t length = scan->at - start;
	return length && length <= 3 && scan->bytes[scan->at - 1] == 'R' && peek(scan, 0) == '"';
}

static void scan_word(struct scan *scan, struct lex_token *token)
{
	token->kind = LEX_WORD;
	while (scan->at < scan->length && is_word(scan->bytes[scan->at]))
		step(scan, 1);
	if (is_raw_prefix(scan, token->start)) {
		token->kind = LEX_STRING;
		skip_raw_string(scan);
	}
}

/* The token at the scan's place, which is no blank. */
static void scan_token(struct scan *scan, struct lex_token *token)
{
	char c = scan->bytes[scan->at];
	bool begins = scan->line_begins;
	scan->line_begins = false;
	if (c == '#' && begins) {
		token->kind = LEX_DIRECTIVE;
		skip_directive(scan);
	} else if (c == '/' && peek(scan, 1) == '*') {
		token->kind = LEX_COMMENT;
		scan->line_begins = begins;
		skip_block_comment(scan);
	} else if (c == '/' && peek(scan, 1) == '/') {
		token->kind = LEX_COMMENT;
		skip_line(scan);
	} else if (c == '"' || c == '\'') {
		token->kind = LEX_STRING;
		skip_string(scan);
	} else if (isdigit((unsigned char)c) ||
		   (c == '.' && isdigit((unsigned char)peek(scan, 1)))) {
		token->kind = LEX_NUMBER;
		skip_number(scan);
	} else if (is_word_start(c)) {
		scan_word(scan, token);
	} else {
		bool is_scope = c == ':' && peek(scan, 1) == ':';
		token->kind = LEX_PUNCT;
		token->punct = is_scope ? 'S' : c;
		step(scan, is_scope ? 2 : 1);
	}
}

/* Into `tokens`, or only counted when that is NULL. */
static size_t scan_all(const char *bytes, size_t length, struct lex_token *tokens)
{
	static const char mark[] = "\xef\xbb\xbf"; /* the byte order mark of UTF-8 is a blank */
	struct scan scan = {.bytes = bytes, .length = length, .line = 1, .line_begins = true};
	size_t count = 0;
	if (length >= strlen(mark) && memcmp(bytes, mark, strlen(mark)) == 0)
		scan.at = strlen(mark);
	for (skip_blanks(&scan); scan.at < scan.length; skip_blanks(&scan)) {
		struct lex_token token = {.start = (uint32_t)scan.at, .line = scan.line};
		scan_token(&scan, &token);
		token.end = (uint32_t)scan.at;
		if (tokens)
			tokens[count] = token;
		count++;
	}
	return count;
}

void lex_build(struct arena *arena, const char *bytes, size_t length, struct lex *ret)
{
	size_t count = scan_all(bytes, length, NULL);
	struct lex_token *tokens = arena_new(arena, count, sizeof(*tokens));
	scan_all(bytes, length, tokens);
	*ret = (struct lex){.bytes = bytes, .length = length, .tokens = tokens, .count = count};
}

static bool has_word(const char *words, const char *word, size_t length)
{
	for (const char *at = words; *at; at += strspn(at, " ")) {
		size_t here = strcspn(at, " ");
		if (here == length && memcmp(at, word, length) == 0)
			return true;
		at += here;
	}
	return false;
}

bool lex_is(const struct lex *lex, size_t token, const char *word)
{
	if (token >= lex->count || lex->tokens[token].kind != LEX_WORD)
		return false;
	const struct lex_token *t = &lex->tokens[token];
	return strlen(word) == t->end - t->start &&
	       memcmp(lex->bytes + t->start, word, t->end - t->start) == 0;
}

bool lex_is_one_of(const struct lex *lex, size_t token, const char *words)
{
	if (token >= lex->count || lex->tokens[token].kind != LEX_WORD)
		return false;
	const struct lex_token *t = &lex->tokens[token];
	return has_word(words, lex->bytes + t->start, t->end - t->start);
}

char *lex_text(struct arena *arena, const struct lex *lex, size_t token)
{
	const struct lex_token *t = &lex->tokens[token];
	return arena_strndup(arena, lex->bytes + t->start, t->end - t->start);
}

size_t lex_directive(const struct lex *lex, size_t token, const char **start)
{
	const struct lex_token *t = &lex->tokens[token];
	size_t at = t->start + 1;
	while (at < t->end && (lex->bytes[at] == ' ' || lex->bytes[at] == '\t'))
		at++;
	*start = lex->bytes + at;
	size_t length = 0;
	while (at + length < t->end && is_word((*start)[length]))
		length++;
	return length;
}

bool lex_is_directive(const struct lex *lex, size_t token, const char *words)
{
	const char *name;
	if (token >= lex->count || lex->tokens[token].kind != LEX_DIRECTIVE)
		return false;
	size_t length = lex_directive(lex, token, &name);
	return has_word(words, name, length);
}

size_t lex_line_start(const struct lex *lex, size_t offset)
{
	while (offset && lex->bytes[offset - 1] != '\n')
		offset--;
	return offset;
}

size_t lex_line_end(const struct lex *lex, size_t offset)
{
	while (offset < lex->length && lex->bytes[offset] != '\n')
		offset++;
	return offset < lex->length ? offset + 1 : offset;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

bool lex_starts_line(const struct lex *lex, size_t offset)
{
	while (offset && is_blank(lex->bytes[offset - 1]))
		offset--;
	return !offset || lex->bytes[offset - 1] == '\n';
}

bool lex_ends_line(const struct lex *lex, size_t offset)
{
	while (offset < lex->length && is_blank(lex->bytes[offset]))
		offset++;
	return offset >= lex->length || lex->bytes[offset] == '\n';
}

bool lex_is_blank_line(const struct lex *lex, size_t offset)
{
	return offset < lex->length && lex_starts_line(lex, offset) && lex_ends_line(lex, offset);
}

size_t lex_column(const struct lex *lex, size_t offset)
{
	size_t column = 0;
	for (size_t at = lex_line_start(lex, offset); at < offset; at++)
		column = lex->bytes[at] == '\t' ? (column / 8 + 1) * 8 : column + 1;
	return column;
}

#include "patch/parse.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Items under way: which item stands before which, in the same pair of braces. */
struct chunks {
	struct parse *parse;
	const struct lex *lex;
	uint32_t *previous; /* by item; BODY_NONE for the first */
};

static uint32_t last_line(const struct lex *lex, uint32_t token)
{
	uint32_t line = lex->tokens[token].line;
	for (size_t at = lex->tokens[token].start; at < lex->tokens[token].end; at++)
		line += lex->bytes[at] == '\n';
	return line;
}

static size_t count_newlines(const struct lex *lex, size_t from, size_t to)
{
	size_t count = 0;
	for (; from < to; from++)
		count += lex->bytes[from] == '\n';
	return count;
}

static bool is_comment(const struct lex *lex, uint32_t token)
{
	return token < lex->count && lex->tokens[token].kind == LEX_COMMENT;
}

static bool contains(const struct lex *lex, uint32_t token, const char *word)
{
	size_t length = strlen(word);
	const struct lex_token *t = &lex->tokens[token];
	for (size_t at = t->start; at + length <= t->end; at++)
		if (strncasecmp(lex->bytes + at, word, length) == 0 &&
			!isalpha((unsigned char)lex->bytes[at - 1]) &&
			!(at + length < lex->length &&
				isalpha((unsigned char)lex->bytes[at + length])))
			return true;
	return false;
}

bool body_is_boundary(const struct lex *lex, size_t token)
{
	enum { SHORT = 48 };
	uint32_t at = (uint32_t)token;
	if (!is_comment(lex, at))
		return false;
	if (contains(lex, at, "boundary"))
		return contains(lex, at, "cacheline") || contains(lex, at, "cache line");
	return contains(lex, at, "hole") && lex->tokens[at].end - lex->tokens[at].start < SHORT;
}

/* It speaks of several members. */
static bool is_heading(const struct lex *lex, uint32_t token)
{
	static const char *const words[] = {"following", "below", "these", "fields", "members",
		"section", "private", "public", "all"};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (contains(lex, token, words[i]))
			return true;
	return false;
}

/*
 * The end of the comments that follow an item on its line, and go on below at the same column. `token` is the first behind
 * the item.
 */
static size_t trailing_end(const struct lex *lex, const struct body_item *item, uint32_t token)
{
	size_t end = item->end, column = 0;
	uint32_t line = last_line(lex, item->last);
	bool any = false;
	while (is_comment(lex, token) && lex->tokens[token].line == line) {
		column = lex_column(lex, lex->tokens[token].start);
		end = lex->tokens[token].end;
		line = last_line(lex, token);
		any = true;
		token++;
	}
	bool indented = any && column > lex_column(lex, item->start);
	while (indented && is_comment(lex, token) && lex->tokens[token].line == line + 1 &&
		lex_ends_line(lex, end) && lex_starts_line(lex, lex->tokens[token].start) &&
		lex_column(lex, lex->tokens[token].start) == column) {
		end = lex->tokens[token].end;
		line = last_line(lex, token);
		token++;
	}
	return end;
}

static bool is_followed_closely(const struct chunks *chunks, uint32_t index)
{
	const struct body_item *item = &chunks->parse->items[index];
	if (item->inner_end >= chunks->parse->item_count)
		return false;
	const struct body_item *then = &chunks->parse->items[item->inner_end];
	return then->scope == item->scope && chunks->previous[item->inner_end] == index &&
	       lex_line_end(chunks->lex, item->chunk_end) ==
		       lex_line_start(chunks->lex, then->start);
}

/* The beginning of the comments above an item, of which nothing before `floor` is one. */
static size_t leading_start(const struct chunks *chunks, uint32_t index, size_t floor)
{
	const struct lex *lex = chunks->lex;
	const struct body_item *item = &chunks->parse->items[index];
	size_t start = item->start;
	for (uint32_t at = item->first; at && is_comment(lex, at - 1); at--) {
		const struct lex_token *comment = &lex->tokens[at - 1];
		size_t apart = count_newlines(lex, comment->end, start);
		if (comment->start < floor || apart > 1 || !lex_starts_line(lex, comment->start))
			break;
		bool stays =
			apart == 1 &&
			(body_is_boundary(lex, at - 1) ||
				(is_heading(lex, at - 1) && is_followed_closely(chunks, index)));
		if (stays)
			break;
		start = comment->start;
	}
	return start;
}

static bool is_define(const struct lex *lex, const struct body_item *item)
{
	return item->first == item->last && lex_is_directive(lex, item->first, "define undef");
}

static bool ends_with_bit_field(const struct body_item *item)
{
	return item->kind == BODY_PADDING ||
	       (item->kind == BODY_MEMBER && item->name_count &&
		       item->names[item->name_count - 1].is_bit_field);
}

/* What has no life of its own goes with the item before it. */
static bool hangs_on(
	const struct chunks *chunks, const struct body_item *before, const struct body_item *item)
{
	const struct lex *lex = chunks->lex;
	if (before->scope != item->scope || !before->starts_line || !before->ends_line)
		return false;
	if (item->kind == BODY_PADDING)
		return ends_with_bit_field(before);
	return is_define(lex, item) && before->kind != BODY_OTHER &&
	       lex_line_end(lex, before->chunk_end) == lex_line_start(lex, item->start);
}

static uint32_t *find_previous(struct parse *parse)
{
	uint32_t *previous = arena_new(parse->arena, parse->item_count + 1, sizeof(*previous));
	for (size_t i = 0; i <= parse->item_count; i++)
		previous[i] = BODY_NONE;
	for (uint32_t i = 0; i < parse->item_count; i++)
		if (previous[parse->items[i].inner_end] == BODY_NONE)
			previous[parse->items[i].inner_end] = i;
	return previous;
}

/* Behind the token that opens the innermost pair of braces, or section, around it. */
static size_t floor_of(const struct chunks *chunks, uint32_t index)
{
	uint32_t before = chunks->previous[index];
	size_t floor = 0;
	if (before != BODY_NONE)
		floor = chunks->parse->items[before].chunk_end;
	else if (index)
		floor = chunks->parse->items[index - 1].start; /* the unnamed aggregate itself */
	return floor;
}

static void set_chunk_end(const struct chunks *chunks, uint32_t index)
{
	const struct lex *lex = chunks->lex;
	struct body_item *item = &chunks->parse->items[index];
	uint32_t before = chunks->previous[index];
	item->chunk_start = item->start;
	item->starts_line = lex_starts_line(lex, item->start);
	/* what is behind the last of several on one line may be about all */
	bool shares = !item->starts_line && before != BODY_NONE &&
		      chunks->parse->items[before].chunk_end > lex_line_start(lex, item->start);
	item->chunk_end = shares ? item->end : trailing_end(lex, item, item->last + 1);
	item->ends_line = lex_ends_line(lex, item->chunk_end);
}

static void set_chunk_start(const struct chunks *chunks, uint32_t index)
{
	const struct lex *lex = chunks->lex;
	struct body_item *item = &chunks->parse->items[index];
	uint32_t before = chunks->previous[index];
	size_t floor = floor_of(chunks, index);
	size_t start = leading_start(chunks, index, floor);
	/* a comment above a line that is shared is about all of the line */
	if (item->ends_line || lex_line_start(lex, start) == lex_line_start(lex, item->start))
		item->chunk_start = start;
	item->starts_line = lex_starts_line(lex, item->chunk_start);
	const struct body_item *padding =
		before == BODY_NONE ? NULL : &chunks->parse->items[before];
	if (padding && padding->kind == BODY_PADDING && padding->scope == item->scope &&
		ends_with_bit_field(item) && padding->chunk_start < padding->chunk_end &&
		padding->chunk_end <= item->chunk_start && padding->starts_line) {
		item->chunk_start = padding->chunk_start;
		item->has_tail = true;
	}
}

/* The item before, or the one that it hangs on itself: of several that hang on one, all end where the last does. */
static uint32_t holder_of(const struct chunks *chunks, uint32_t index)
{
	uint32_t at = chunks->previous[index];
	while (at != BODY_NONE &&
		chunks->parse->items[at].chunk_start == chunks->parse->items[at].chunk_end)
		at = chunks->previous[at];
	return at;
}

void parse_chunks(struct parse *parse)
{
	struct chunks chunks = {parse, parse->lex, find_previous(parse)};
	for (uint32_t i = 0; i < parse->item_count; i++)
		set_chunk_end(&chunks, i);
	for (uint32_t i = 0; i < parse->item_count; i++) {
		struct body_item *item = &parse->items[i];
		set_chunk_start(&chunks, i);
		uint32_t holder = holder_of(&chunks, i);
		if (holder == BODY_NONE || !hangs_on(&chunks, &parse->items[holder], item))
			continue;
		parse->items[holder].chunk_end = item->chunk_end;
		parse->items[holder].ends_line = item->ends_line;
		parse->items[holder].has_tail = true;
		item->chunk_start = item->chunk_end;
	}
}

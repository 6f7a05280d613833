/*
 * parse: what the parts of body share while a body is being read.
 */
#ifndef PATCH_PARSE_H
#define PATCH_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "patch/body.h"

struct parse {
	struct arena *arena;
	const struct lex *lex;
	const struct body_known *known;
	struct body_item *items;
	size_t item_count, item_capacity;
	struct body_scope *scopes;
	size_t scope_count, scope_capacity;
	uint32_t scope; /* that the next item is in */
	bool is_cxx;
	unsigned depth;
	const char *broken;
	uint32_t broken_line;
};

/* Keywords whose parentheses are no declarator and no call. */
extern const char parse_paren_words[];

/* Braces and their like: the index behind the group that opens at `at` of `tokens`, at most `count`. */
size_t parse_group_end(const struct lex *lex, const uint32_t *tokens, size_t count, size_t at);

/*
 * Fills kind, names and what goes with them, from the item's tokens. Returns the token of the brace that opens the body
 * of an unnamed aggregate, else BODY_NONE.
 */
uint32_t parse_declaration(struct parse *parse, struct body_item *item);

/* Gives every item its comments, once all are known. */
void parse_chunks(struct parse *parse);

#endif

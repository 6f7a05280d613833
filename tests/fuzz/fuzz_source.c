/* source: text that should be C, as `patch` takes it apart: tokens, the definitions of a name, their members. */
#include <string.h>

#include "base/arena.h"
#include "patch/body.h"
#include "patch/lex.h"
#include "target.h"

static void check_tokens(const struct lex *lex)
{
	for (size_t i = 0; i < lex->count; i++) {
		const struct lex_token *token = &lex->tokens[i];
		HOLDS(token->start <= token->end && token->end <= lex->length);
		HOLDS(!i || lex->tokens[i - 1].end <= token->start);
		lex_column(lex, token->start);
		HOLDS(lex_line_start(lex, token->start) <= token->start);
		HOLDS(lex_line_end(lex, token->start) <= lex->length);
		body_is_boundary(lex, i);
	}
}

static void check_body(const struct body *body)
{
	for (size_t i = 0; i < body->scope_count; i++)
		body_branch_of(body, (uint32_t)i);
	for (size_t i = 1; i < body->item_count; i++)
		body_is_same_type(body, &body->items[i - 1], &body->items[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const keywords[] = {"struct", "union", "class"}, *const names[] = {"a",
										    "b", "c", "x"};
	const struct body_known known = {names, 4};
	const struct body_place *places;
	struct arena arena;
	struct lex lex;
	if (memchr(data, 0, size)) /* source_read() has refused it */
		return 0;
	arena_init(&arena);
	char *text = arena_strndup(&arena, (const char *)data, size);
	lex_build(&arena, text, size, &lex);
	check_tokens(&lex);
	for (size_t i = 0; i < 3; i++) {
		size_t count = body_find(&arena, &lex, keywords[i], "s", &places);
		for (size_t j = 0; j < count; j++) {
			struct body body;
			HOLDS(places[j].open < places[j].close && places[j].close < lex.count);
			body_build(&arena, &lex, "s", i == 2, &places[j], &known, &body);
			check_body(&body);
		}
	}
	arena_release(&arena);
	return 0;
}

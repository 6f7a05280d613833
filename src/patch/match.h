/*
 * match: which item of a body declares which member of the debug information.
 *
 * body x layout -> [match] -> move. By name and order; lines of the debug information only decide between several of one
 * name. What does not fit is an error: the text is then not what was compiled.
 */
#ifndef PATCH_MATCH_H
#define PATCH_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "layout.h"
#include "patch/body.h"

/* A named member at the top, in today's order. */
struct match_place {
	const char *field;
	const struct layout_member *member;
	uint32_t item;     /* of the body */
	uint32_t name;     /* of the item's names; 0 for unnamed aggregates and macros */
	bool by_words;     /* BODY_MACRO: the field's name is in its text */
	bool is_uncertain; /* several branches declare it, and which one was compiled is not known */
	size_t rank;       /* in the order that is wanted */
};

/* How a body is to be read. */
struct match_rules {
	const struct types *types; /* of the members */
	bool use_lines;            /* the debug information's lines are this text's */
	const bool *
		live; /* [branch at the top, in the order of the text]: it was compiled; NULL: not known */
};

/* Branches at the top of which places are members, as match_rules.live; for a text in which they stand in the same order. */
const bool *match_live(struct arena *arena, const struct body *body,
	const struct match_place *places, size_t count);

/*
 * Fills item, name and the flags of `places`, which are in the order of the text. `file` is the name for messages.
 * Errors: a member that the text does not have, one that only the text has, another order, a bit-field here that is none there.
 */
struct error *match_places(struct arena *arena, const struct body *body, const char *file,
	const struct match_rules *rules, struct match_place *places, size_t count);

#endif

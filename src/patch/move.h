/*
 * move: declarations put into another order, as edits of the text.
 *
 * body x places -> [move] -> edits. As few members as possible are moved: those outside of the heaviest ascending
 * sequence of wanted ranks, where what the suggestion itself moves weighs little. A member goes behind the one that it
 * shall follow, in its own scope: the text between, blank lines and branches that were not compiled included, stays.
 */
#ifndef PATCH_MOVE_H
#define PATCH_MOVE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "patch/body.h"
#include "patch/match.h"

/* One place's wishes; by place. */
struct move_wish {
	bool is_hinted; /* the suggestion says that this is what moves */
	const char *
		prefix; /* an alignment, in front of the declaration: "alignas(64) "; NULL without */
	const char *suffix; /* or behind the declarator: " __aligned(64)" */
};

struct move_edit {
	size_t at;     /* byte of the old text */
	size_t remove; /* so many bytes; 0 for an insertion */
	size_t rank;   /* of several insertions at one place */
	bool is_line;  /* whole lines go: blank lines around are put in order */
	const char *text;
	size_t length;
};

/* The edits in the order in which they apply; none when nothing is to be done. Errors: what cannot be moved, with the reason. */
struct error *move_build(struct arena *arena, const struct body *body, const char *file,
	const struct match_place *places, const struct move_wish *wishes, size_t count,
	const struct move_edit **ret, size_t *ret_count);

#endif

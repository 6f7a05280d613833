/*
 * render/text_parts: of which parts the gain of a suggestion is made, for text and commit messages. Private to render/.
 *
 * suggestion -> pairs sorted by what they do -> rows. Every pair of the suggestion is in one of the three lists, with the
 * price of what it was (gone) or of what it is (new, together), so that with `other` they sum to the change of cost.
 */
#ifndef TEXT_PARTS_H
#define TEXT_PARTS_H

#include "base/arena.h"
#include "report.h"
#include "suggest.h"

struct text_pair_list {
	struct suggest_pair *pairs; /* dearest first, of `together` what pays most first */
	size_t count;
	double sum; /* transactions an operation, of their prices */
};

struct text_parts {
	struct text_pair_list gone; /* share a line no longer, or in fewer placements */
	struct text_pair_list
		fresh; /* share one now, or in more placements, at a price or for nothing */
	struct text_pair_list together; /* the same, and it pays: one operation uses both */
	double other, all; /* all = fresh + together - gone + other: the change of cost */
	size_t places_before, places_after; /* placements of the two layouts */
};

struct text_parts text_parts(struct arena *arena, const struct report_struct *report,
	const struct suggestion *suggestion);

/* "gone -1.34, new 0.016, together -1.30, other 1.01: in all -1.61"; NULL where no pair has a price. In `arena`. */
const char *text_parts_sum(struct arena *arena, const struct text_parts *parts);

/* " in 2 -> 4 of 4 placements"; "" of a pair that shares a line on one side only. In `arena`. */
const char *text_parts_places(
	struct arena *arena, const struct text_parts *parts, const struct suggest_pair *pair);

#endif

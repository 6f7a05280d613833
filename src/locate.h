/*
 * locate: which members lie at an offset, as readers of oopses and of perf c2c ask.
 *
 * layout x offset -> [locate] -> render. Pure. Element numbers of arrays are resolved: the layout has the members of
 * arrays of aggregates once, for element 0; here they are at their real offsets.
 */
#ifndef LOCATE_H
#define LOCATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "layout.h"

/* A member that covers the byte; depth says how far in, unnamed aggregates included. */
struct locate_step {
	const struct layout_member *member;
	const char *path;    /* "slots[3].next"; of an array without "[3]": "slots"; "" for an unnamed aggregate */
	uint64_t off_bytes;  /* its first byte, from the outermost struct */
	uint64_t inside;     /* the wanted byte, counted from its first */
	uint32_t depth;
	bool has_element;    /* an array: the byte is in element `element`, at byte `element_inside` of it */
	uint64_t element, element_inside;
	bool is_leaf;        /* nothing in it covers the byte */
	bool in_gap;         /* a leaf that has members: the byte is in a gap between or behind them */
	struct layout_gap gap; /* in_gap: of whole bytes; its offset is that in the element */
};

struct locate {
	uint64_t off_bytes;              /* as asked */
	uint64_t line, line_offset;      /* the same, for an object that starts a line */
	const struct locate_step *steps; /* preorder: what is around before what is in it; several leaves in unions */
	size_t step_count;               /* 0: a hole or padding */
	const struct layout_hole *hole;  /* in which the byte lies; NULL when it is none */
	bool in_padding;                 /* behind the last member */
};

/* Members whose place only the running program knows are not found. All that `ret` points to lives in `arena`. */
void locate_build(struct arena *arena, const struct layout *layout, uint64_t off_bytes, struct locate *ret);

#endif

/*
 * text_rows: the rows of a struct's picture: its members, holes and padding in their order, as words and columns.
 * Private to render/text*.c.
 *
 * report -> [text_rows] -> text_table, which draws the lines among them. Offsets and sizes are as --hex wants them.
 */
#ifndef RENDER_TEXT_ROWS_H
#define RENDER_TEXT_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "render/text.h"

/* A member, or bytes or bits of none. */
struct text_row {
	uint64_t off_bytes, off_bits;
	const char *offset, *bit, *size, *what; /* bit: ":3"; what: a declaration, or "hole" */
	size_t depth;
	enum text_tone tone;
	const struct layout_member *member; /* NULL: a hole */
	const struct access_field *field;   /* NULL: not accessed */
};

struct text_rows {
	const struct render_style *style;
	const struct report_struct *report;
	const struct layout *layout;
	struct arena *arena; /* where the rows live; not owned */
	bool *shown;         /* by member: has a row */
	bool transparent; /* the first member is unnamed and all there is: its members stand for it */
	struct text_row *items;
	size_t count, capacity;
	const struct layout_gap *inner; /* with --expand */
	size_t inner_count, next_inner;
	/* columns: of "line 12  ", and of the offsets under it; of the others the widest */
	size_t label_width, bit_width, size_width, what_width;
};

void text_rows_build(struct arena *arena, const struct render_style *style,
	const struct report_struct *report, struct text_rows *ret);

/* Columns of a row's words, its depth included. */
size_t text_row_columns(const struct text_row *row);

#endif

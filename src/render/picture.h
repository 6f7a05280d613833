/*
 * picture: the bytes of a struct as signs, a line of them for each cache line.
 *
 * report -> [picture] -> text. A cell stands for one byte, or for line / 64 bytes on lines of more than 64. Pure.
 */
#ifndef RENDER_PICTURE_H
#define RENDER_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "report.h"

enum { PICTURE_CELLS = 64 }; /* at most, a line */

#define PICTURE_HOT 0.1 /* accesses per operation: capital letters from here */

enum picture_heat { PICTURE_COLD, PICTURE_READ, PICTURE_WRITTEN, PICTURE_BOTH };

/* How a field is accessed, whichever role does. */
enum picture_heat picture_heat(const struct access_map *map, const struct access_field *field);
bool picture_is_hot(const struct access_field *field);

/* 'R', 'W', 'B' (small below PICTURE_HOT), or '+' for a cold one. */
char picture_sign(const struct access_map *map, const struct access_field *field);

struct picture_cell {
	char sign; /* a letter or '+' where a member begins, '-' where it goes on, '<' when it comes from the
	                           line before, '>' when it goes on to the next, '.' hole, '_' padding */
	enum picture_heat heat; /* of what lies here */
	bool hot;
	bool empty; /* hole or padding, of the struct or in a member */
};

/* Bytes that look alike: of a member, or of a gap in one. */
struct picture_item {
	uint64_t first, last; /* bytes */
	bool is_gap, is_padding;
	uint64_t period,
		end; /* repeats every so many bytes up to `end` (elements of an array); 0: once */
	enum picture_heat heat;
	bool hot;
	char sign;
	const struct layout_member *member;
};

/* Lines are drawn in ascending order: what lies on the one at hand is kept, so that all of them take one pass. */
struct picture {
	const struct layout *layout;
	const struct picture_item *items; /* later ones lie on top */
	size_t item_count;
	uint32_t *by_first; /* items by their first byte */
	size_t next;        /* the first of by_first that was not reached yet */
	uint32_t *active;   /* items that reach the line at hand, ascending */
	size_t active_count;
	const uint64_t *edges; /* lines in which anything begins or ends, ascending */
	size_t edge_count;
	size_t cell_bytes;
	size_t cell_count; /* of a line */
};

/* `shown[i]`: member i of the layout has a row of its own. */
void picture_build(struct arena *arena, const struct report_struct *report, const bool *shown,
	struct picture *ret);

/*
 * The cells of one line, none before the last one asked for; how many there are (the last line may be short). *inner: bytes
 * of it that are gaps in members.
 */
size_t picture_line(struct picture *picture, uint64_t line,
	struct picture_cell cells[PICTURE_CELLS], uint64_t *inner);

/* What a line lies in where nothing begins or ends in it. */
struct picture_run {
	const struct layout_member *member; /* of several the one that begins last, of what is in an array that array; NULL: a hole */
	bool is_gap, is_padding;            /* a gap in that member, and no element of an array */
};

/* At a line's first byte, lines as above. */
struct picture_run picture_run(struct picture *picture, uint64_t line);

/* The first line from `line` on in which anything begins or ends; line_count when none does. */
uint64_t picture_next_line(const struct picture *picture, uint64_t line);

/* Bytes of a line that members use (of a last line: of the bytes that the struct has there). */
uint64_t picture_used(const struct picture *picture, uint64_t line, uint64_t *of);

#endif

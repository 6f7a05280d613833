/*
 * text: what the views of the text renderer share: colours, wrapping, words. Private to render/text*.c.
 *
 * Everything that comes from a binary or a profile is written through here, with control characters made visible.
 */
#ifndef RENDER_TEXT_H
#define RENDER_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "lint.h"
#include "render/render.h"

#define TEXT_NOTHING 0.0005 /* transactions that are not worth a word */

enum text_tone {
	TEXT_PLAIN,
	TEXT_STRONG,
	TEXT_FAINT,
	TEXT_READ,    /* read only */
	TEXT_WRITTEN, /* written only, or read-modify-write */
	TEXT_BOTH,    /* read, and written */
	TEXT_ERROR,
	TEXT_WARNING,
	TEXT_INFO,
	TEXT_TONE_COUNT,
};

/* Switches the colour on and off; nothing without --color. */
void text_begin(FILE *out, const struct render_style *style, enum text_tone tone);
void text_end(FILE *out, const struct render_style *style, enum text_tone tone);

/* One string in a tone. */
void text_put(FILE *out, const struct render_style *style, enum text_tone tone, const char *string);

/* `string` with control characters neutralised, in `arena`; columns that it takes. */
const char *text_visible(struct arena *arena, const char *string);
size_t text_columns(const char *string);

/* Words of `text` wrapped at the style's columns; the cursor stands at `column`, further lines begin at `indent`. Ends the line. */
void text_wrap(FILE *out, const struct render_style *style, size_t column, size_t indent,
	const char *text);

/* An offset or size: decimal, or hexadecimal with --hex; in `arena`. */
const char *text_bytes(struct arena *arena, const struct render_style *style, uint64_t bytes);

/* Transactions or counts, with as many digits as mean something. */
const char *text_number(struct arena *arena, double number);

/* The workload whose cost is the struct's, the worst; NULL where there is only one. */
const char *text_worst_workload(const struct report_struct *report);

/* A unit as a person calls it: "f_lock", "the union of f_task_work". */
const char *text_unit(struct arena *arena, const struct report_struct *report, const char *name);

/* Transactions an operation, to two decimals, or more of what is small: as findings say them. */
const char *text_cost(struct arena *arena, double transactions);

/* "1 line", "3 lines": `one` takes an s. */
const char *text_plural(struct arena *arena, uint64_t count, const char *one);

/* Is this one printed: not an info unless --verbose? */
bool text_shows(const struct render_style *style, const struct finding *finding);

/* "FILE:LINE:COL: " of a finding about the profile; "" of others. */
const char *text_profile_place(struct arena *arena, const struct finding *finding);

/* A finding under `prefix` ("" or "FILE:LINE: "), `subject` before its message ("" or "struct x: "). */
void text_finding(FILE *out, const struct render_style *style, const char *prefix,
	const char *subject, const struct finding *finding);

/* The suggestion that mends the finding above, or stands by itself behind `label` ("suggestion (best): "). */
void text_suggestion(FILE *out, const struct render_style *style, const struct report_frame *frame,
	const struct report_struct *report, const struct suggestion *suggestion, const char *label);

/* "align bottom to 64 bytes where it stands (one declaration): cost 1.84 -> 2.1: owner 0.84 -> 0.5; 32 -> 128 bytes, ..." */
const char *text_trade(struct arena *arena, const struct report_struct *report);

struct text_parts;

/*
 * Pairs that share a line on one side only, parted by commas; what is new by name, of what is gone that which had a price
 * (with --verbose all), and the rest as a number. `report`: the struct in which they share it; `parts` (text_parts.h): of
 * a suggestion, for pairs that share one in other placements, else NULL; in `arena`.
 */
const char *text_pairs(struct arena *arena, const struct render_style *style,
	const struct report_struct *report, const struct text_parts *parts,
	const struct suggest_pair *pairs, size_t count, bool is_new);

/* Does a place for the moved unit cost growth that is worth a word? How much, "+0.25"; else empty. */
bool text_has_growth(const struct suggestion *suggestion);
const char *text_growth(struct arena *arena, double growth);

/*
 * What an order means to those who allocate the struct, embed it or have its bytes from elsewhere: where its alignment or
 * size changes, "alignment 8 -> 64: allocate with aligned_alloc; ..."; else NULL. In `arena`.
 */
const char *text_interface(
	struct arena *arena, const struct report_frame *frame, const struct suggestion *suggestion);

/* A path or name as a shell takes it; in `arena`. */
const char *text_quoted(struct arena *arena, const char *word);

/* The views: the whole picture of a struct (the first one explains the signs), of it the lines with their members, and what is at --at. */
void text_struct(FILE *out, const struct render_style *style, const struct report_frame *frame,
	const struct report_struct *report, bool is_first);
void text_table(FILE *out, const struct render_style *style, const struct report_struct *report);
void text_at(FILE *out, const struct render_style *style, const struct report_struct *report);

/*
 * The findings that are shown, each with the suggestion that mends it in the place of its advice, once in full; then the
 * suggestions that mend none of them, and why there is none. Of a check every finding names its struct and its place in
 * the source.
 */
void text_findings(FILE *out, const struct render_style *style, const struct report_frame *frame,
	const struct report_struct *report);

/* The frame's variables: their lines and findings; of a check the findings that are shown. */
void text_vars(FILE *out, const struct render_style *style, const struct report_frame *frame);

/* See struct renderer. */
void text_replay(FILE *out, const struct render_style *style, const struct report_frame *frame,
	const struct report_struct *report, const struct replay *replay);
void text_diff(FILE *out, const struct render_style *style, const struct report_frame *frame,
	const struct diff *diffs, size_t count);

/* A member's declaration as C writes it, elided to at most `columns` where that is possible; in `arena`. */
const char *text_declaration(struct arena *arena, const struct layout *layout,
	const struct layout_member *member, size_t columns);

/* "read 2: walk; read 3: stat, open"; in `arena`. */
const char *text_accesses(
	struct arena *arena, const struct access_map *map, const struct access_field *field);

#endif

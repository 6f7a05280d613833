/*
 * render: reports as bytes, in the form that --format names. Every renderer has the same functions; they decide nothing.
 *
 * report -> [render] -> bytes. A document is begin, one call a struct, end, so that a kernel's list needs no tree in
 * memory. Renderers write to `out` and keep nothing; that a write failed shows in ferror(out), which main looks at.
 */
#ifndef RENDER_RENDER_H
#define RENDER_RENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "diff.h"
#include "replay.h"
#include "report.h"
#include "vars.h"

enum render_view {
	RENDER_STRUCT, /* the whole picture of each struct */
	RENDER_LIST,   /* a row a struct */
	RENDER_CHECK,  /* findings */
	RENDER_VARS,   /* no structs: the frame's variables, line by line, and their findings */
};

/* The narrowest and the widest that sentences are wrapped to. Pictures and tables have widths of their own. */
enum { RENDER_COLUMNS_LEAST = 72, RENDER_COLUMNS_MOST = 100 };

struct render_style {
	enum render_view view;
	bool color;           /* ANSI colours */
	unsigned columns;     /* that sentences keep to; 0: RENDER_COLUMNS_MOST */
	bool hex;             /* offsets and sizes in hexadecimal */
	bool expand;          /* nested members too */
	bool verbose;         /* infos; every hot pair */
	bool quiet;           /* no notes, no summary */
	bool all_definitions; /* each distinct layout, with its unit */
	const char *repeat;   /* options of this run that another on the same structs needs, each with a blank
	                       * behind it; "" */
	bool has_at;          /* --at */
	uint64_t at_bytes;
	enum severity fail_on;
	bool all;             /* variables: every line, no limit */
};

struct renderer {
	const char *name;    /* --format NAME */
	const char *summary; /* one line for --help */
	const char *verbs;   /* words: those that it applies to; NULL: every one */
	unsigned struct_kinds, check_kinds; /* suggestions that it shows unless told: bits 1 << enum suggest_kind */
	bool plain_rows; /* its list shows layouts only: no accesses and findings need be made for that */
	/* before the first struct and behind the last; NULL: this format has nothing there */
	void (*begin)(
		FILE *out, const struct render_style *style, const struct report_frame *frame);
	void (*one)(FILE *out, const struct render_style *style, const struct report_frame *frame,
		const struct report_struct *report, size_t number); /* number: from 0 */
	void (*end)(FILE *out, const struct render_style *style, const struct report_frame *frame,
		const struct report_summary *summary);
	/* a whole document about one struct; NULL: this format has none */
	void (*replay)(FILE *out, const struct render_style *style, const struct report_frame *frame,
		const struct report_struct *report, const struct replay *replay);
	/* a whole document; binaries 0 and 1 of the frame are before and after; NULL: this format has none */
	void (*diff)(FILE *out, const struct render_style *style, const struct report_frame *frame,
		const struct diff *diffs, size_t count);
};

extern const struct renderer render_text, render_json, render_commit, render_asserts;

/* The renderer of that name; NULL when there is none. All of them, for messages, follow. */
const struct renderer *render_find(const char *name);
extern const struct renderer *const renderers[];
extern const size_t renderer_count;

#endif

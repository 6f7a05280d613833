/*
 * show: definitions that were read, as reports through the renderer, one by one and in order.
 *
 * session + sources -> [show] -> cmd_io.out. Each struct has an arena of its own, released when it is printed; many are
 * built and rendered by several threads at a time, with the same bytes as by one.
 */
#ifndef CMD_SHOW_H
#define CMD_SHOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "cmd/cmd.h"
#include "cmd/session.h"
#include "render/render.h"
#include "report.h"

/* Structs of which no accesses are stated, so that a check says little of them. */
struct show_silent {
	char *names[3]; /* the first ones; owned */
	uint64_t count;
};

/* A document under way. */
struct show {
	const struct session *session;
	const struct opt *opt;
	const struct cmd_io *io;
	struct render_style style;
	struct report_summary summary;
	size_t number; /* structs printed */
	struct show_silent silent;
	bool is_alone;     /* one struct was asked for: when it cannot be laid out, that is an error */
	uint64_t left_out; /* structs that cannot be laid out; the first few have been told by name */
};

/* Wide enough for "struct NAME" of all of them. */
size_t show_name_columns(const struct report_source *sources, size_t count);

/* Does this one go into the document? */
typedef bool show_filter(const struct opt *opt, const struct report_struct *report);

/* A document of definitions: how it is shown, which ones, and whether each goes into it (NULL: all). */
struct show_request {
	enum render_view view;
	const struct report_source *sources;
	size_t count;
	show_filter *filter;
};

/* The whole document, from show_begin() to show_end(), whose status it sets. Errors: show_sources. */
struct error *show_document(struct session *session, const struct opt *opt, const struct cmd_io *io,
	const struct show_request *request, int *status);

/* The beginning of a document; session->options.suggest_kinds is set to what the view and --suggest want. */
void show_begin(struct show *show, struct session *session, const struct opt *opt,
	const struct cmd_io *io, enum render_view view);

/*
 * Builds and prints each that passes the filter (NULL: all), in order. One that cannot be laid out is an error where it
 * stands alone (is_alone), and the document is of no use then; among others it is a note and counts as unread.
 */
struct error *show_sources(
	struct show *show, const struct report_source *sources, size_t count, show_filter *filter);

/* Prints one that is built already. */
void show_one(struct show *show, const struct report_struct *report);

/* The end of the document, and notes on what was not checked. The exit status: 2 when something was not read, 1 for findings at or above --fail-on, else 0. */
int show_end(struct show *show);

#endif

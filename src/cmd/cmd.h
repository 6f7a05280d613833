/*
 * cmd: the table of verbs. A verb gets parsed options and an open output, returns an error or an exit status; it prints
 * only through renderers, and notes through `notes`.
 */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "cmd/opt.h"

struct cmd_io {
	FILE *out;   /* the report */
	FILE *notes; /* warnings, a line each: "linelint: ..." */
	bool color;  /* --color, NO_COLOR and the terminal, weighed up */
	unsigned columns; /* COLUMNS and the terminal, weighed up; see render_style */
};

struct cmd {
	const char *name;      /* "struct" */
	const char *arguments; /* "NAME..." */
	const char *summary;   /* one line for --help */
	bool needs_binary;     /* linelint BINARY verb ...; else linelint verb ... */
	struct error *(*run)(const struct opt *opt, const struct cmd_io *io, int *status);
};

extern const struct cmd cmds[];
extern const size_t cmd_count;
const struct cmd *cmd_find(const char *name); /* NULL when there is none */

/*
 * The verbs, as main runs them: of options that opt_parse() has checked; *status is 0, 1 or 2, and counts where no error
 * is returned. What was written to `out` is dropped when there is one.
 */
struct error *cmd_struct(const struct opt *opt, const struct cmd_io *io, int *status);
struct error *cmd_list(const struct opt *opt, const struct cmd_io *io, int *status);
struct error *cmd_check(const struct opt *opt, const struct cmd_io *io, int *status);
struct error *cmd_diff(const struct opt *opt, const struct cmd_io *io, int *status);
struct error *cmd_replay(const struct opt *opt, const struct cmd_io *io, int *status);
struct error *cmd_patch(const struct opt *opt, const struct cmd_io *io, int *status);
struct error *cmd_vars(const struct opt *opt, const struct cmd_io *io, int *status);
struct error *cmd_profile(const struct opt *opt, const struct cmd_io *io, int *status);
struct error *cmd_explain(const struct opt *opt, const struct cmd_io *io, int *status);

#endif

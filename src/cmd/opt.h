/*
 * opt: argv as a struct. Options are a table ({name, value, field, help}); --help and the manual's synopsis come from it.
 */
#ifndef CMD_OPT_H
#define CMD_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/trail.h"
#include "lint.h"
#include "read/info.h"
#include "render/render.h"
#include "suggest.h"

enum opt_sort { SORT_NAME, SORT_SIZE, SORT_LINES, SORT_HOLES, SORT_PADDING };
enum opt_color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

struct cmd;

struct opt {
	const struct cmd *cmd;
	const char *binary;            /* NULL for verbs that take none */
	const char *const *args;       /* what follows the verb */
	size_t arg_count;
	const char **profiles;         /* --profile, in order */
	size_t profile_count;
	const char **also;             /* --also, in order */
	size_t also_count;
	const struct renderer *renderer; /* --format; text by default */
	const char *output;            /* --output; NULL: standard output */
	uint64_t line_bytes;           /* --line-size; 0: not given */
	enum severity fail_on;         /* --fail-on; SEVERITY_NONE for never */
	bool has_fail_on;              /* given, not the default */
	bool has_at;
	uint64_t at_bytes;             /* --at */
	bool expand, hex, all, all_definitions, quiet, verbose;
	enum opt_sort sort;
	uint64_t min_size_bytes;       /* --min-size */
	uint64_t min_holes;            /* --min-holes */
	unsigned threads;              /* --threads; 0: the profile's */
	uint64_t seed;                 /* --seed; 1 by default */
	unsigned jobs;                 /* --jobs; 0: a thread a processor */
	enum opt_color color;
	enum suggest_kind suggest;     /* --suggest; SUGGEST_KIND_COUNT: not given, or none */
	bool no_suggest;               /* --suggest none */
	const char *debug_dir;         /* --debug-dir; NULL: /usr/lib/debug */
	const char *source;            /* --source, a directory; NULL: none */
	enum info_form from;           /* --from; INFO_ANY: not given */
	const char *btf_base;          /* --btf-base; NULL: not given */
	bool in_place;                 /* --in-place */
	struct trail *trail;           /* set by main: where what is being read is written down; NULL: nowhere */
	bool vars;                     /* --vars */
	bool help, version;            /* asked for: nothing else is to be done */
};

/* Parses; strings stay argv's, arrays live in `arena`. Errors: unknown option (nearest offered), missing or bad value, no verb. */
struct error *opt_parse(struct arena *arena, int argc, char **argv, struct opt *ret);

/* The text of --help: the grammar, the verbs, the options; explanations keep to so many columns. */
void opt_help(FILE *out, unsigned columns);

#endif

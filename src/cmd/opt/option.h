/*
 * opt/option: the table of options. Private to cmd/opt.c and cmd/opt/.
 *
 * opt.c has the table and what each option makes of its value; parse.c goes over argv; help.c prints the table.
 */
#ifndef CMD_OPT_OPTION_H
#define CMD_OPT_OPTION_H

#include <stddef.h>

#include "base/error.h"
#include "cmd/opt.h"

struct option;

/* Stores `text` (NULL for options without a value) in the field; the complaint is about `--name text`. */
typedef struct error *option_set(const struct option *option, const char *text, struct opt *opt);

struct option {
	const char *name;
	const char *value; /* NULL: takes none; alternatives are "a|b|c" */
	const char *verbs; /* words; NULL: every verb */
	option_set *set;
	size_t field; /* offset in struct opt */
	const char *help;
};

enum { OPTIONS_MAX = 64 }; /* of the table */

extern const struct option options[];
extern const size_t option_count;

#endif

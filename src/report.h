/*
 * report: all that is known about one struct, and the frame around a run's structs: what the renderers get.
 *
 * types + profiles -> layout -> access -> lint -> suggest -> [report] -> render. Pure.
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access.h"
#include "base/arena.h"
#include "base/error.h"
#include "layout.h"
#include "lint.h"
#include "profile.h"
#include "suggest.h"
#include "type.h"

struct report_binary {
	const char *path;        /* as the user gave it */
	const char *format;      /* "dwarf" or "btf" */
	uint16_t dwarf_version;  /* highest of its units'; 0 for BTF */
	const char *machine;     /* "x86-64" */
	bool big_endian;
	uint32_t pointer_bytes;
	const char *build_id;    /* NULL when there is none */
	bool is_kernel;
};

/* One definition, as a reader found it. */
struct report_source {
	size_t binary;           /* index into report_frame.binaries */
	uint32_t files;          /* of several binaries: how many have this layout; 0: there is one binary */
	uint64_t line_bytes;     /* of its machine, where that is not report_options.machine_line_bytes; else 0 */
	const struct types *types;
	type_id type;
	enum type_kind kind;
	const char *name;
	const char *scope;       /* NULL at file scope */
	const char *alias;       /* the typedef by which it was asked for, under which a profile may have it; else NULL */
	const char *alias_scope; /* of that typedef; NULL at file scope */
	bool is_local;
	const char *unit;
	const char *comp_dir;    /* where that was compiled; "" when unknown */
	bool is_cxx;             /* that is in C++ */
	uint32_t layouts;        /* distinct under this name */
	bool all_shown;          /* and each of those is asked for */
	const char *const *units; /* of each distinct layout, first in file order; NULL unless layouts > 1 */
};

struct report_struct {
	struct report_source source;
	const char *qualified_name;  /* "ns::Outer::name" */
	struct layout layout;
	struct access_map access;
	struct lint_result lint;
	struct suggest_result suggest; /* every kind that pays; empty when nobody looked */
	unsigned suggest_kinds;      /* bits 1 << enum suggest_kind: those that are shown; 0: none */
	bool searched;               /* for the best order */
	bool has_cost;               /* accesses are stated; groups in the binary say no counts. False: lint.cost is zero */
	double avoidable;            /* what the best order saves, or padded elements (LL005) if that is more; without a
	                              * search the most that one finding (LL001, LL002, LL005) saves; 0 without */
};

struct report_summary {
	uint64_t structs, errors, warnings, infos, baselined, unread;
};

struct report_vars;

struct report_frame {
	const struct report_binary *binaries;
	size_t binary_count;
	uint64_t line_bytes;         /* of the run: --line-size, else the machine's; each struct's layout states its own */
	size_t name_columns;         /* of the longest "struct NAME" in the run, for rows that align; 0: not known */
	const struct report_vars *vars; /* the document's variables (vars.h), behind its structs, a file each; NULL: none */
	size_t vars_count;
};

struct report_options {
	uint64_t line_bytes;         /* --line-size; 0: the profile's, else the machine's */
	uint64_t machine_line_bytes;
	const struct profiles *profiles;
	struct access_context context;
	bool layout_only;            /* no accesses and no findings: rows of a list */
	unsigned suggest_kinds;      /* bits 1 << enum suggest_kind: suggestions that are wanted */
};

/* Layout, access and findings of one definition. Errors: see layout_build. */
struct error *report_build(struct arena *arena, const struct report_source *source,
	const struct report_options *options, struct report_struct *ret);

/* The report's layout and accesses as lint and suggest take them; holds while the report stays where it is. */
struct lint_input report_lint_input(const struct report_struct *report, const struct access_context *context);

/*
 * Adds the suggestions to a report that stays where it is, and lowers an error that no order of the same size removes to
 * a warning. The search is made when a suggestion is wanted, or when there is an error to be judged. Errors: suggest_run.
 */
struct error *report_suggest(
	struct arena *arena, const struct report_options *options, struct report_struct *report);

/* The suggestion of a kind, when there is one and it is shown; else NULL. */
const struct suggestion *report_suggestion(const struct report_struct *report, enum suggest_kind kind);

/* Of those that are shown the first one: minimal before best before pack; NULL when there is none. */
const struct suggestion *report_first_suggestion(const struct report_struct *report);

/* Does it make the finding go away, or at least half of what the finding could avoid? */
bool report_mends(const struct suggestion *suggestion, const struct finding *finding);

/*
 * What a profile names and the binary does not have, as a struct without size and members whose one finding (LL010) says
 * so. `nearest` is "; did you mean 'x'?" or "".
 */
void report_missing(struct arena *arena, const struct profile_struct *profile, const struct report_options *options,
	const char *nearest, struct report_struct *ret);

/*
 * Where the source declares what a finding is about: the first of its fields, or of one inside another struct the member
 * that leads there; else the struct. *file is NULL and *line 0 when that is not known.
 */
void report_declared(const struct report_struct *report, const struct finding *finding, const char **file,
	uint32_t *line);

/* Adds one struct's findings to the summary. */
void report_count(struct report_summary *summary, const struct report_struct *report);

#endif

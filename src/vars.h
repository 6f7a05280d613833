/*
 * vars: global variables on cache lines: who lies beside whom, and with a profile who disturbs whom.
 *
 * symbols + debug information + profile -> [vars] -> render. Pure but for what it is handed. In four steps, between which
 * the caller has the types read that the next one needs (variables_read()):
 *   vars_catalog      every variable of the file, by address: symbols (gABI) joined with DW_TAG_variable entries
 *   vars_select       which lines are looked at: what NAMEs, the profile, an address or everything ask for
 *   vars_judge        the profile's variables as one layout, joined and linted as a struct's fields are (LL013)
 *   vars_show         the lines that go into the report, and what lies on each
 * In a linked file the lines are exact. In a relocatable object only places in a section are: sections may start wherever
 * their alignment allows, and each is judged by itself.
 */
#ifndef VARS_H
#define VARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access.h"
#include "base/arena.h"
#include "layout.h"
#include "lint.h"
#include "profile.h"
#include "read/variables.h"

/* Bytes in memory that have a name. */
struct vars_item {
	const char *
		name; /* the debug information's, else the linker's; the shown one once it is read: see vars_take() */
	const char *plain; /* that without scope and unit */
	uint64_t address;
	uint64_t
		size_bytes; /* the linker's, cut off at the end of its section; the type's where the linker says none */
	const struct object_area *area;
	const struct variable_place *place;  /* NULL: no debug information */
	const struct object_symbol *symbols; /* all of its address, in the table; NULL: none */
	size_t symbol_count;
	bool is_static; /* the linker keeps its name inside of its file */
	bool is_block;  /* its symbol is that of several variables, of which it is the first */
	bool is_cut;    /* at the end of its section: the symbol says more */
	const struct variable
		*variable; /* as it was read; NULL: it was not, or has no debug information */
};

/* A name by which a variable may be asked for, without scope. */
struct vars_name {
	const char *text;
	size_t item;
};

struct vars_catalog {
	const struct variables *variables;
	struct vars_item *items; /* by address; one each */
	size_t count;
	const uint64_t *ends;          /* [item]: the highest end of it and of all before it */
	const struct vars_name *names; /* by text, then item; each once */
	size_t name_count;
	uint64_t line_bytes;
	bool is_linked; /* false: addresses say how far into its area a variable lies, and no more */
	uint64_t cut;   /* symbols that reach over the end of their section */
};

/* `is_linked` as object.is_relocatable is not. Everything lives in `arena`. */
void vars_catalog(struct arena *arena, const struct variables *variables, uint64_t line_bytes,
	bool is_linked, struct vars_catalog *ret);

/* Does the program write there once it runs? Not .rodata, which kernels mark as written, and not what a loader seals. */
bool vars_is_written(const struct object_area *area);

/* Each processor has its own copy of what lies there: the kernel's .data..percpu, and modules'. */
bool vars_is_per_cpu(const struct object_area *area);

/* Items whose size only their type says: to be read first. Indices, in `arena`. */
size_t vars_unsized(struct arena *arena, const struct vars_catalog *catalog, size_t **ret);

/*
 * These and what has a name in common with them, of one unit if there are many: what must have been read so that each is
 * shown under a name that means no other. Ascending, in `arena`.
 */
size_t vars_with_namesakes(struct arena *arena, const struct vars_catalog *catalog, const size_t *indices,
	size_t count, size_t **ret);

/* What was read of items[indices[i]] is variables[i]: size and name become known. */
void vars_take(struct arena *arena, struct vars_catalog *catalog, const size_t *indices,
	size_t count, const struct variable *variables);

/* ---- names ---- */

/* The first of catalog->names that is not before `text`; name_count: none. */
size_t vars_first_name(const struct vars_catalog *catalog, const char *text);

/*
 * Items that a NAME may mean, by the part without scope and unit: NAME, scope::NAME, f()::NAME, FILE.c:NAME; or a glob
 * (fnmatch), which is compared with all of that. In `arena`; they must be read before vars_match().
 */
size_t vars_candidates(
	struct arena *arena, const struct vars_catalog *catalog, const char *name, size_t **ret);

/* What is left of a NAME without its unit and scope: the end of it. */
const char *vars_plain(const char *name);

/* Does the NAME mean this item, which was read? A glob means nothing where vars_is_written() is false. */
bool vars_match(const struct vars_item *item, const char *name);

/* "; did you mean 'a' or 'b'?", or what else is known about a name that means nothing; in `arena`. */
const char *vars_nearest(struct arena *arena, const struct vars_catalog *catalog, const char *name);

/* ---- the profile's entry ---- */

/* The entry of `vars:` with its names resolved. */
struct vars_entry {
	const struct profile_struct *profile; /* NULL: none */
	const size_t *items;                  /* that it names: by address, each once */
	size_t item_count;
	struct profile_struct
		all; /* its paths as the layout has them, what is not there left out */
	struct profile_struct shared; /* without what each processor has for itself */
};

/* Items that the paths of an entry may mean, each once; in `arena`. To be read before vars_resolve(). */
size_t vars_wanted(struct arena *arena, const struct vars_catalog *catalog,
	const struct profile_struct *profile, size_t **ret);
void vars_resolve(struct arena *arena, const struct vars_catalog *catalog,
	const struct profile_struct *profile, struct vars_entry *ret);

/* Why a path names no variable, and what to do; false: it does name one. In `arena`. */
bool vars_explain(struct arena *arena, const struct vars_catalog *catalog, const char *path,
	const char **why, const char **advice);

/* ---- lines ---- */

struct vars_lines {
	uint64_t *addresses; /* of their first bytes; ascending, each once */
	size_t count, capacity;
};

/* The line on which a variable begins, and the one on which it ends: those between hold nothing else. */
void vars_lines_add(struct arena *arena, struct vars_lines *lines,
	const struct vars_catalog *catalog, const struct vars_item *item);
void vars_lines_add_address(struct arena *arena, struct vars_lines *lines, uint64_t address);
void vars_lines_sort(struct vars_lines *lines);

/* The variables that have bytes on a line, by address; indices in `arena`. */
size_t vars_on_line(
	struct arena *arena, const struct vars_catalog *catalog, uint64_t line, size_t **ret);

/*
 * The section under which a line is listed: two may meet on one, and it is that of the first variable there. NULL: no
 * section has bytes on it.
 */
const struct object_area *vars_area_of_line(const struct vars_catalog *catalog, uint64_t line);

/* All variables on the lines; indices, each once. */
size_t vars_on_lines(struct arena *arena, const struct vars_catalog *catalog,
	const struct vars_lines *lines, size_t **ret);

/* ---- the verdict ---- */

/* The profile's variables, judged. */
struct vars_judged {
	struct layout
		layout; /* their types and members; lines in the order of addresses, gaps closed */
	struct access_map access;       /* of all of them; roles and counts for the report */
	const uint32_t *members;        /* [item]: its member in the layout; UINT32_MAX: none */
	const struct finding *findings; /* by severity, then as lint_run() has them */
	const uint64_t *lines;          /* [finding]: address of its line */
	size_t finding_count;
	bool has_cost;
	double cost,
		avoidable; /* transactions an operation; avoidable: what the findings' best one saves */
};

/* Needs what the entry names read, in one call. Errors: layout_build's. */
struct error *vars_judge(struct arena *arena, const struct vars_catalog *catalog,
	const struct vars_entry *entry, const struct access_context *context,
	struct vars_judged *ret);

/*
 * These variables as the members of one struct, as vars_judge() sees them: what a profile may name. items[i] of the i-th member
 * that is no other's part. They must have been read in one call. Errors: layout_build's.
 */
struct error *vars_layout(struct arena *arena, const struct vars_catalog *catalog, const size_t *items, size_t count,
	struct layout *ret, const size_t **ret_items);

/* ---- the report ---- */

struct report_vars_line {
	uint64_t address;
	const struct object_area *area;
	const size_t *items; /* by address */
	size_t item_count;
	uint64_t used_bytes;
};

struct report_vars_area {
	const struct object_area *area;
	bool is_per_cpu;
	uint64_t variables, statics; /* that begin in it */
	uint64_t lines;              /* that it touches */
	uint64_t used_bytes;
	const struct report_vars_line *shown;
	size_t shown_count;
};

struct report_vars {
	size_t binary; /* in the frame: whose variables they are */
	const struct vars_catalog *catalog;
	const struct vars_entry *entry;
	const struct vars_judged *judged;
	const struct report_vars_area
		*areas; /* by address: those that are written, and others with lines to show */
	size_t area_count;
	bool was_asked; /* for names, an address or everything; false: only what the profile finds */
};

/* What is on the lines must have been read. */
void vars_show(struct arena *arena, const struct vars_catalog *catalog,
	const struct vars_lines *lines, struct report_vars *ret);

#endif

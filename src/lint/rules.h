/*
 * lint/rules: what the rules share. Private to lint.c and lint/.
 *
 * lint.c runs them: ignores, prices and the order; lint/finding.c holds the table, the severities that evidence allows and
 * fingerprints. A rule adds findings with lint_add() and decides nothing else. Rules by file:
 * lint/sharing.c (LL001, LL002; between variables LL013), lint/placement.c (LL007, LL012), lint/groups.c (LL001 and LL002
 * of cacheline groups), lint/straddle.c (LL003), lint/scattered.c (LL004), lint/array.c (LL005),
 * lint/memory.c (LL006, LL008), lint/expect.c (LL009, LL010), lint/definitions.c (LL011). Who
 * disturbs whom is lint/relation.c's, prices come from lint/price.c, sentences from lint/text.c.
 */
#ifndef LINT_RULES_H
#define LINT_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lint.h"

/* Thresholds of linelint-rules(7), "Evidence and severity". */
#define LINT_WARNING_FROM     0.05 /* transactions an operation that can be avoided */
#define LINT_ERROR_FROM       0.25
#define LINT_ERROR_SHARE      0.1 /* of the struct's cost; of variables: of their lines' */
#define LINT_LOOSE_SHARE      0.1 /* by so much, of the worst placement's cost, placements differ */
#define LINT_ROLE_SHARE       0.1 /* of the operations: a role that counts */
#define LINT_HOT              0.5 /* accesses an operation */
#define LINT_NOTHING          0.0005 /* less than this rounds to nothing */
#define LINT_INTERLEAVE_LEAST 0.001  /* the range over which verdicts are tried */
#define LINT_INTERLEAVE_MOST  0.5

struct lint_pair;

struct lint {
	struct arena *arena;
	const struct lint_input *input;
	const struct layout *layout;
	const struct access_map *map;
	const struct profile_struct *profile; /* NULL: none */
	bool priced;             /* some role touches the struct: the model and `cost` hold */
	struct cost_model one;   /* the model of one object without neighbours */
	struct cost_result cost; /* of the layout as it is */
	const uint64_t *starts;  /* placements; {0} when nothing is known */
	size_t start_count;      /* at least one */
	struct lint_pair
		*pairs; /* every one that shares a line in some placement (lint/sharing.c) */
	size_t pair_count, pair_capacity;
	struct finding *findings;
	size_t finding_count, finding_capacity;
};

/*
 * A new finding, to be filled in until the next call: rule, severity, evidence, fingerprint and
 * one placement of one are set. `subject` is what makes it this finding of the rule: the written
 * field; "" where there is one in a struct.
 */
struct finding *lint_add(
	struct lint *lint, const char *rule, enum severity severity, const char *subject);

/* The finding's fields: copied. */
void lint_set_fields(
	struct lint *lint, struct finding *finding, const char *const *fields, size_t count);

/*
 * A field to name where a rule is about the struct as a whole: its first member with a name, else
 * the struct's own.
 */
const char *lint_any_field(const struct lint *lint);

/* How a sentence calls a line of the layout: "line 3"; in the arena. */
const char *lint_line_name(const struct lint *lint, uint64_t line);

/* ---- who disturbs whom (lint/relation.c) ---- */

/* The path of a field of the model. */
const char *lint_field_name(const struct lint *lint, size_t field);

/* Accesses per operation of a role: write + rmw; read + unknown. */
double lint_writes(const struct lint *lint, size_t field, size_t role);
double lint_reads(const struct lint *lint, size_t field, size_t role);

/* Does some role write it? */
bool lint_is_written(const struct lint *lint, size_t field);

/* A role's share of the operations of a workload of the model; 0 when it takes no part. */
double lint_role_share(const struct lint *lint, size_t workload, size_t role);

/* Sets the roles of a workload that write a field; returns the share of its operations that do. */
double lint_writers(const struct lint *lint, size_t workload, size_t field, bool *roles);

enum lint_relation {
	LINT_READ,    /* LL001: others, or the same operation, read the other field */
	LINT_WRITTEN, /* LL002: other roles write it, and no common lock orders the two */
};

/*
 * Does a write of `written` disturb who uses `other` in a workload, were they on one line? Sets
 * the roles that use it so. Fields that a common lock orders, that one operation writes together,
 * or that share bytes, do not disturb each other.
 */
bool lint_relates(const struct lint *lint, enum lint_relation relation, size_t workload,
	size_t written, size_t other, bool *roles);

/* Waiting threads poll it: part of a lock that is contended. */
bool lint_is_polled(const struct lint *lint, size_t field);

/* Some operation of the workload writes both: they belong together. */
bool lint_written_together(const struct lint *lint, size_t workload, size_t a, size_t b);

/* The outermost array that a field is or lies in; NULL: none. */
const struct layout_member *lint_array_of(const struct lint *lint, size_t field);

/* The member at top level that a field is or lies in: of variables the variable. */
const struct layout_member *lint_top_of(const struct lint *lint, size_t field);

/*
 * Variables that become members of one struct on lines of their own, as the source would have it (lint/apart.c): whole
 * variables, since nothing else of them moves.
 */
#define LINT_STAYS UINT64_MAX
struct lint_apart {
	const uint64_t *offs; /* [field]: bytes from the start of that struct; LINT_STAYS: it is none of it */
	const bool *fields;   /* [field]: is part of it */
	size_t variables;
	uint64_t size_bytes; /* of the struct: whole lines */
	uint64_t used_bytes; /* of the variables by themselves */
};

/* The struct of all variables of these fields. In lint->arena. */
struct lint_apart lint_apart(const struct lint *lint, const bool *fields);

/* Lines of a field of the model, for an object that starts at `start` of its first line. */
struct lint_span {
	uint64_t first, last;
};
struct lint_span lint_span(const struct cost_model *model, size_t field, uint64_t start);
bool lint_spans_meet(struct lint_span a, struct lint_span b);

/* ---- pairs (lint/sharing.c, lint/gain.c, lint/advice.c, lint/others.c) ---- */

/* What is moved to part a written field from what it disturbs. */
enum lint_move {
	LINT_MOVE_FIELD,    /* it alone */
	LINT_MOVE_TOGETHER, /* with what the same operations write beside it, onto one line */
	LINT_MOVE_ARRAY,    /* the whole array that it is or lies in, as it is */
	LINT_MOVE_OTHERS,   /* what it disturbs, onto one line */
};

/*
 * A written field with the fields on its lines that it disturbs, in the workload in which that
 * costs most.
 */
struct lint_pair {
	enum lint_relation relation;
	size_t workload; /* of the model */
	size_t written;
	const size_t *others; /* fields of the model, most used first */
	size_t other_count;
	const bool *roles;   /* [role]: that use the others */
	const bool *writers; /* [role]: that write `written` */
	enum lint_move move; /* how it is priced */
	const bool *moved;   /* [field]: priced as lying elsewhere */
	const bool *blamed;  /* [field]: what is written there is to blame, together */
	const bool *rest;    /* [field]: moved besides `written`; NULL: nothing, or not it */
	const bool *aside; /* [field]: others of the other relation only; NULL: none */
	bool between; /* the others lie in other variables than the written field: LL013 */
	struct lint_apart apart; /* between variables: what is moved, and to where; offs NULL otherwise */
	bool either;       /* moving the others would do as well */
	double gain; /* transactions an operation: saved by moving, and owed to this relation */
	double avoidable; /* that moving saves */
	size_t shares;    /* in so many placements it shares a line with some of the others */
	size_t holds;     /* in so many of these the gain is at least LINT_WARNING_FROM */
	size_t loose;     /* as holds, but with what is written together moved along */
	enum severity severity;
};

bool lint_pair_lists(const struct lint_pair *pair, size_t field); /* among the others */

/* Sets gain, avoidable, shares, holds, loose and severity, for the move that the pair states. */
void lint_price_pair(const struct lint *lint, struct lint_pair *pair);
bool lint_is_loud(const struct lint_pair *pair); /* at least a warning */
void lint_pair_interval(
	const struct lint *lint, const struct lint_pair *pair, struct finding *finding);

/*
 * "with a and b"; where objects may start at several places, each field with the number of those in
 * which it lies on a line of the written one: "in 4 of 4 placements with a, in 3 of 4 placements with
 * b" (lint/others.c).
 */
const char *lint_with_others(const struct lint *lint, const struct lint_pair *pair);

/* The message and the advice of a pair. told[pair] says which pairs have a finding. */
const char *lint_describe_pair(const struct lint *lint, const struct lint_pair *pair);
const char *lint_advise_pair(
	const struct lint *lint, const struct lint_pair *pair, const bool *told);

/* The advice of LL013, in words of the declaration (lint/neighbours.c). */
const char *lint_advise_variables(const struct lint *lint, const struct lint_pair *pair);

/* ---- prices (lint/price.c) ---- */

#define LINT_ALL SIZE_MAX

/* A change that is priced without any search. Fields by index into the model's. */
struct lint_trial {
	const struct cost_model *model; /* before the change */
	const bool *alone;     /* [field]: each lies by itself, on lines of its own; NULL: none */
	const bool *together;  /* [field]: they lie by themselves, on one line; NULL: none */
	const size_t *beside;  /* `together` lie where this field begins; NULL: by themselves */
	const bool *block;     /* [field]: lie behind the object, as far into a line; NULL: none */
	const uint64_t *apart; /* [field]: as lint_apart.offs; NULL: none */
	const bool *unwritten; /* [field]: as if what writes them only read them; NULL: none */
	double interleave;     /* factor; 1: as it is */
	size_t start;          /* index of the one placement, or LINT_ALL */
	size_t workload;       /* index of the one workload, or LINT_ALL: the worst */
};

double lint_trial_total(const struct lint_trial *trial);

/* The same, and of each placement, in the workload that is the worst over all of them. */
double lint_trial_starts(const struct lint_trial *trial, double *starts);
struct cost_result lint_trial_run(struct arena *arena, const struct lint_trial *trial);

/* How far a block is moved: to lines that nothing else of the object is on. 0: too far. */
uint64_t lint_block_shift(const struct cost_model *model);

/* Does a verdict stand with every interleave multiplied by `factor`? */
typedef bool lint_verdict(const void *what, double factor);

/*
 * Bisects for the interval of the profile's interleave over which the verdict stands; it does at
 * factor 1.
 */
void lint_interval(const struct lint *lint, lint_verdict *verdict, const void *what,
	struct finding *finding);

/*
 * Does a change save enough for an error: of the whole, and in a role that does enough of the
 * operations?
 */
bool lint_is_grave(const struct lint *lint, size_t workload, const struct cost_result *before,
	const struct cost_result *after);

/* ---- sentences (lint/text.c) ---- */

/* "a", "a and b", "a, b and c", "a, b, c and 4 more" */
const char *lint_list(struct arena *arena, const char *const *names, size_t count, size_t show);

/* The same of roles; "all threads" for the role that a profile without roles has. */
const char *lint_roles(const struct lint *lint, const bool *roles);
const char *lint_all_roles(const struct lint *lint, const bool *roles); /* none left out */
size_t lint_count(const bool *flags, size_t count);
bool lint_is_everybody(const struct lint *lint, const bool *roles); /* it is that role */
bool lint_is_plural(const struct lint *lint, const bool *roles); /* they, not it */

/* A number of transactions, with as many digits as mean something. */
const char *lint_number(struct arena *arena, double transactions);

/*
 * Sets what the price of a finding is of, and its terms: with the placements in which it is at least a warning, unless
 * the message counts places itself.
 */
enum lint_places { LINT_PLACES_HOLD, LINT_PLACES_TOLD };
void lint_price(const struct lint *lint, size_t workload, struct finding *finding,
	enum lint_places places);

/*
 * "costs 2.41 transactions an operation with 16 threads on one file; 0.87 of it can be avoided (...)"; of several findings
 * on one line "of the line's 2.41 ..., which 2 findings share, 0.87 can be avoided".
 */
const char *lint_price_text(struct arena *arena, const struct finding *finding);

/* LL001 or LL002. */
bool lint_is_about_sharing(const struct finding *finding);

/* ---- the rules ---- */

void lint_sharing(struct lint *lint);     /* LL001, LL002; leaves the pairs for the next two */
void lint_placement(struct lint *lint);   /* LL007; after lint_sharing and lint_array */
void lint_adjacent(struct lint *lint);    /* LL012 */
void lint_groups(struct lint *lint);      /* LL001, LL002 */
void lint_straddle(struct lint *lint);    /* LL003 */
void lint_scattered(struct lint *lint);   /* LL004 */
void lint_array(struct lint *lint);       /* LL005 */
void lint_memory(struct lint *lint);      /* LL006, LL008 */
void lint_expect(struct lint *lint);      /* LL009 */
void lint_stale(struct lint *lint);       /* LL010 */
void lint_definitions(struct lint *lint); /* LL011 */

/* LL010 of ignores that match no finding, used[ignore] of all the others; after all rules. */
void lint_stale_ignores(struct lint *lint, const bool *used);

#endif

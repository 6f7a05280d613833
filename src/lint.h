/*
 * lint: the rules.
 *
 * access + cost -> [lint] -> report. A table of rules, each a pure function over the access map; no search. The rules and
 * when each is an error, a warning, an info or nothing are linelint-rules(7).
 */
#ifndef LINT_H
#define LINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access.h"
#include "base/arena.h"
#include "cost.h"
#include "layout.h"

enum severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_INFO, SEVERITY_NONE };
const char *severity_name(enum severity severity); /* "error", "warning", "info", "never" */

struct lint_rule_info {
	const char *id;        /* "LL001" */
	const char *name;      /* "false-sharing" */
	enum severity at_most; /* the most severe that a finding of it can be */
	const char *summary;   /* one line */
};
extern const struct lint_rule_info lint_rules[];
extern const size_t lint_rule_count;
const struct lint_rule_info *lint_rule_find(const char *id_or_name); /* NULL when there is none; case-insensitive */

struct finding {
	const struct lint_rule_info *rule;
	enum severity severity;
	enum evidence evidence;
	uint64_t line;               /* of the written (first) field, for start 0 */
	const char *const *fields;   /* paths: written first, then readers; never empty */
	size_t field_count;
	const char *message;         /* one sentence: "line 0: f_count, written by pread, shares a line with ..." */
	const char *advice;          /* a way out, one sentence; NULL when there is none */
	const char *price;           /* what it costs and what it rests on, one sentence; NULL when not a matter of cost */
	const char *price_of;        /* what of: "transactions an operation with 16 threads on one file"; NULL: `price` is all
	                              * that is said */
	const char *price_terms;     /* on what it rests: " (verdict holds from interleave 0.001 to 0.5)", or "" */
	const char *lowered;         /* why it is a warning and not the error that its figures make it, one sentence; NULL:
	                              * it is what they make it (lint leaves that to those who search) */
	double cost;                 /* transactions per operation that the line costs; 0 where not a matter of cost */
	double parting;              /* what it saves to part its fields, on lines of their own (LL005: to pad the elements);
	                              * by this it is judged, and it takes no search */
	double avoidable;            /* of that, what can be had: as parting, until a search (finding_cap) says that no order
	                              * that is allowed saves so much */
	bool is_searched;            /* it was searched for; else `avoidable` is the most that it may be */
	size_t sharing;              /* LL001, LL002, LL013: so many findings, this one included, count the cost of the same lines */
	size_t placements_hold;      /* it holds in so many */
	size_t placements;           /* of so many */
	double interleave_low, interleave_high; /* the verdict holds between; 0, 0 when not a matter of cost */
	const char *interleave_role; /* whose they are where roles differ: of the one with the highest, the others in
	                              * proportion; NULL: they are everybody's */
	bool ignored;                /* by the profile, with a reason: left out of counts and JSON, shown with --verbose */
	const char *ignore_reason;
	const char *fingerprint;     /* 16 hex digits: rule, struct, written field, not the readers and not the line */
	struct profile_position position; /* LL009, LL010: in the profile; 0 otherwise */
	const char *file;            /* profile file of that position */
};

/* In what words an alignment is advised; plain ones for what is of several languages, or of another one. */
enum lint_words { LINT_WORDS_C, LINT_WORDS_RUST, LINT_WORDS_PLAIN };

/*
 * Set when the layout is of global variables instead of a struct: its members at top level are variables, and its lines
 * may lie anywhere in memory.
 */
struct lint_variables {
	const char *const *lines; /* by line of the layout, as a sentence calls it: "line 0x4040 of .bss" */
	size_t line_count;
	enum lint_words words;
};

struct lint_input {
	const struct layout *layout;
	const char *qualified_name;      /* "ns::Outer::name": part of fingerprints */
	const struct access_map *access; /* of that layout; without a profile: no accesses */
	const struct access_context *context; /* to join again with another interleave */
	uint32_t layouts;                /* distinct definitions under this name in the binary (LL011) */
	const char *const *units;        /* unit of each of them, when known */
	size_t unit_count;
	const struct lint_variables *variables; /* NULL: a struct */
	bool is_several;                 /* they are in several binaries */
};

struct lint_result {
	const struct finding *findings;  /* by severity, then rule, line, first field */
	size_t finding_count;
	struct cost_result cost;         /* of the layout as it is; all zero without a profile */
};

/* LL001 and LL002: what can be avoided is at most this, which the best order saves; changes `price`, too. */
void finding_cap(struct arena *arena, struct finding *finding, double avoidable);

/* Every finding of every rule, ignored ones too. Pure, and cannot fail; all that `ret` points to lives in `arena`. */
void lint_run(struct arena *arena, const struct lint_input *input, struct lint_result *ret);

#endif

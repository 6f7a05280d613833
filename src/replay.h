/*
 * replay: a layout, and the suggested one beside it, through the simulation: who pays how many coherence transactions on
 * which line for which field, and what the closed form says to that.
 *
 * layout + access (+ suggestion, + trace) -> [replay] -> render. Pure. Numbers are transactions per operation.
 */
#ifndef REPLAY_H
#define REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access.h"
#include "base/arena.h"
#include "base/error.h"
#include "import/trace.h"
#include "layout.h"
#include "suggest.h"

struct replay_input {
	const struct layout *layout;
	const struct access_map *access;      /* of it; without roles only where there is a trace */
	const struct access_context *context; /* to join again with other threads, and the suggested layout */
	const struct suggestion *suggestion;  /* NULL: none */
	const char *why_none;                 /* then the reason, a sentence; NULL: not said */
	const struct trace *trace;            /* NULL: the profile's roles are simulated */
	uint64_t seed;
	uint64_t operations;                  /* of each simulation from roles */
};

struct replay_numbers {
	double simulated;
	double closed; /* closed form; 0 of a trace */
};

/* The layout as it is, and after the suggestion (all 0 without one). */
struct replay_pair {
	struct replay_numbers before, after;
};

struct replay_role {
	const char *name;
	unsigned threads;
	uint64_t operations; /* counted, before */
	struct replay_pair cost; /* per operation of this role, of several workloads in its worst */
};

struct replay_tally {
	uint64_t line;                  /* on which the field starts, of an object that starts a line */
	double fetches, owned, polls;
};

/* One role's transactions for one field, per operation of the role; in the same workload. */
struct replay_field {
	const char *path; /* NULL: bytes of no field */
	size_t role;
	struct replay_tally before, after;
};

/* The whole with so many threads in each role. */
struct replay_row {
	unsigned threads;
	struct replay_pair total;
};

struct replay {
	const struct replay_input *input;
	struct layout after;             /* the suggested layout; valid with a suggestion */
	const char *workload;            /* the worst of several, by simulation, before; NULL: there is one */
	struct replay_pair total;
	const struct replay_role *roles;
	size_t role_count;
	const struct replay_pair *lines; /* per operation of all; fields that lie behind the struct included */
	size_t line_count;
	const struct replay_field *fields; /* that need any, by role and then the most first */
	size_t field_count;
	const struct replay_row *rows;   /* 2, 4, ... 128 threads; none of a trace, or when context states the threads */
	size_t row_count;
};

enum { REPLAY_THREADS_LEAST = 2, REPLAY_THREADS_MOST = 128 };

/* Errors: nobody accesses the struct; more threads and lines than can be simulated. */
struct error *replay_run(struct arena *arena, const struct replay_input *input, struct replay *ret);

#endif

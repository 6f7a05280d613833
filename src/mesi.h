/*
 * mesi: coherence transactions by simulation: as many caches as threads, invalidate on write.
 *
 * cost_model or recorded events -> [mesi] -> replay. Pure, deterministic for a seed. Caches are without limit, so that a
 * line leaves one only when another thread writes it: what is left are the transactions that cost.h estimates (MESI:
 * Papamarcos and Patel, ISCA 1984), which are the fetch of a line that another thread has written since, and gaining
 * ownership of a line that others hold. First touches of a line that nobody has written yet are free.
 *
 * From a model, threads interleave at random: each runs slices of operations at random times, as often as its rate wants,
 * and a slice ends with the operation or, between two accesses that no lock holds together, with the role's chance b
 * (linelint-rules(7), "The cost"). An access of probability w happens independently of all others; one to a field on
 * several lines goes to one byte of it; an operation draws one element of each array (cost_field.array). The waiters of a contended acquisition poll the lock's line: a fetch and an
 * invalidation for each of the holder's writes to it, apart from all other traffic. Neighbours in an array run the same
 * roles and are not counted. This shares the closed form's assumptions and none of its arithmetic.
 */
#ifndef MESI_H
#define MESI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "cost.h"

enum mesi_state { MESI_INVALID, MESI_SHARED, MESI_EXCLUSIVE, MESI_MODIFIED };
enum mesi_transaction { MESI_NONE, MESI_FETCH, MESI_OWN };

/* Threads' caches, one each. */
struct mesi_caches {
	size_t thread_count, line_count;
	uint32_t *versions; /* [line]: 1 until it is written, then one more with each new owner; owned */
	uint32_t *holders;  /* [line]: threads that have it; owned */
	bool *modified;     /* [line]: the only one that has it has written it; owned */
	uint32_t *seen;     /* [line * thread_count + thread]: that the thread has; valid when the line's; owned */
};

/* Threads times lines: 256 MiB. */
#define MESI_CACHES_MAX ((uint64_t)1 << 26)

void mesi_caches_init(struct mesi_caches *caches, size_t thread_count, size_t line_count);
void mesi_caches_release(struct mesi_caches *caches);
enum mesi_transaction mesi_access(
	struct mesi_caches *caches, size_t thread, size_t line, bool writes);
enum mesi_state mesi_state(const struct mesi_caches *caches, size_t thread, size_t line);

struct mesi_tally {
	uint64_t fetches; /* reads */
	uint64_t owned;   /* writes */
	uint64_t polls;   /* both, of waiters for a lock that the role holds */
};
uint64_t mesi_tally_sum(const struct mesi_tally *tally);

/* Counts of a simulation; of a model those of the worst workload, for the whole and for each role. */
struct mesi_result {
	size_t role_count, field_count, line_count;
	uint64_t *operations;           /* [role] */
	struct mesi_tally *role_lines;  /* [role * line_count + line], lines as in cost_result */
	struct mesi_tally *role_fields; /* [role * field_count + field]; of polls, the lock's field */
	double total;    /* transactions per operation, of a model weighted as cost_result.total */
	double *lines;   /* [line]: they sum to total */
	double *roles;   /* [role]: per operation of it */
	size_t workload; /* of a model: the worst for the whole */
};

struct mesi_options {
	uint64_t seed;
	uint64_t operations; /* to count, of all roles and placements together, in each workload; at least 1 */
};

/* Operations that are run; fewer are rounded up to one a placement. */
#define MESI_OPERATIONS_MAX ((uint64_t)100000000)

/* Caches that this model needs: must be at most MESI_CACHES_MAX for mesi_model. */
uint64_t mesi_model_caches(const struct cost_model *model);

/* Everything in `arena`. */
struct mesi_result mesi_model(
	struct arena *arena, const struct cost_model *model, const struct mesi_options *options);

/* One access of a recording. */
struct mesi_event {
	uint32_t thread;
	uint32_t cache_line; /* which line of all objects' */
	uint32_t line;       /* which line of its object: only for the counts */
	uint32_t field;
	bool writes;
	bool begins; /* an operation */
};

/* A recording, in the order in which it happened. */
struct mesi_record {
	const struct mesi_event *events;
	size_t event_count;
	const uint32_t *thread_roles; /* [thread] */
	size_t thread_count, role_count, field_count, line_count, cache_line_count;
};

struct mesi_result mesi_record(struct arena *arena, const struct mesi_record *record);

#endif

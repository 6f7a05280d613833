/*
 * cost: expected coherence transactions per operation, in closed form.
 *
 * access -> [cost] -> lint, order. Pure: no I/O, no globals, no search. A transaction is the fetch of a line
 * that another cache has modified, or gaining ownership of a line that others hold. The model is
 * linelint-rules(7), "The cost", after the invalidation protocols of Papamarcos and Patel (MESI, ISCA 1984),
 * checked against a simulation.
 *
 * On one line, an access of probability w that is there with share x of it (w' = w x) finds the chance s
 * that the role was on the line in this operation and nobody came since, and the chance a that the turn has
 * moreover not written: both fall by 1 - b from one access to the next (not when it is `held`), in
 * proportion to its probability when it is fractional. Turns begun grow by w' (1 - s), a write adds w' (1 -
 * s) + w' a to the ownerships, a read w' (1 - s) to the fetches; then with chance w' s is 1, and a is 0
 * after a write, 1 - s + a after a read. For whole accesses this is g = 1 - (1 - b)^gap and p = a / s; for
 * fractional ones it is exact where accesses happen independently. Waiters that poll a contended lock: see
 * cost_lock. Neighbours in an array count with their own accesses to the line, and interrupt nobody.
 *
 * Elements of an array (COST_SPREAD): every operation of every thread draws one element of each array, all
 * alike, anew for each operation and independently for each array; all accesses of that operation to fields
 * with the same cost_field.array go to that element. On a line, a role's turns, fetches, ownerships and polls
 * are the averages of those sums over the draws, x being the share of the drawn element's bytes that lie on
 * the line; only these averages enter the formula of the cost. (With one access to the array in an operation
 * that is the same as x = the share of all elements that lie on the line.) Where the arrays on one line have
 * more than 64 different draws between them, those that exceed it are taken as if each access drew its own
 * element, as are fields with array 0: x is the average over the elements then.
 */
#ifndef COST_H
#define COST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "profile.h"

enum cost_place {
	COST_BYTES,  /* each access touches the bytes; on each line with the share of its bytes there */
	COST_SPREAD, /* an array, any element, all alike: see above; across lines it is on each by bytes */
	COST_THREAD, /* an array, each thread its own element: thread t of the workload, counted through
	              * its roles, has element t modulo their number */
};

/* Where a field lies. Offsets from the start of the object. */
struct cost_field {
	uint64_t off_bytes;
	uint64_t size_bytes;    /* at least 1; of an array: from its first byte that is accessed to its last */
	uint64_t element_bytes; /* SPREAD and THREAD: from one element to the next; otherwise 0 */
	uint64_t part_bytes;    /* SPREAD and THREAD: only these first bytes of each element; 0: all of them */
	enum cost_place place;
	bool alone;     /* lies by itself, starting a line, on as many lines as it needs (off_bytes is ignored) */
	uint32_t array; /* SPREAD (otherwise of no effect): the array it belongs to, from 1: one draw an
	                 * operation for all fields of it, which have as many elements, as far apart; 0: each
	                 * access draws its own element */
	uint32_t group; /* alone: fields of one group, from 1, lie on the same lines, each off_bytes from the
	                 * start of the first of them; 0: none */
};

#define COST_NO_LOCK UINT32_MAX

/* Lines of an object, or of a field that lies alone, that count; what lies behind them costs nothing. */
#define COST_LINES_MAX 65536

/* One access of an operation, in order. */
struct cost_access {
	uint32_t field;        /* index into fields */
	enum access_kind kind; /* ACCESS_UNKNOWN costs as a read */
	double weight;         /* probability, over 0 up to 1 */
	bool held;             /* nobody comes between the access before and this one: a lock protects both */
	uint32_t acquires;     /* index into locks: this access takes the lock; COST_NO_LOCK */
	uint32_t releases;     /* this access lets it go; COST_NO_LOCK */
};

struct cost_role {
	const char *name;
	unsigned threads;  /* on one object, at least 1 */
	double rate;       /* q, over 0 */
	double interleave; /* i */
	const struct cost_access *accesses;
	size_t access_count; /* 0: touches nothing, and takes no part in any average */
};

/*
 * An acquisition costs its role contended * 2 * the writes to the acquiring access's line that follow it up
 * to the release, this included: of two weights the smaller, because they are not independent. Nothing where
 * only one thread of the workload takes the lock.
 */
struct cost_lock {
	uint32_t field;
	double contended; /* share of acquisitions that wait */
};

struct cost_workload {
	const uint32_t *roles; /* indices into roles: those that touch the struct */
	size_t role_count;
};

struct cost_model {
	uint64_t line_bytes;
	uint64_t size_bytes;          /* of the object */
	const struct cost_field *fields;
	size_t field_count;
	const struct cost_role *roles;
	size_t role_count;
	const struct cost_lock *locks;
	size_t lock_count;
	const struct cost_workload *workloads; /* at least one */
	size_t workload_count;
	const uint64_t *starts;       /* placement: offsets of the object on its first line, all alike */
	size_t start_count;           /* at least one */
	enum profile_instance instance;
	uint64_t stride_bytes;        /* array: from one element to the next; at least size_bytes is taken */
};

struct cost_result {
	double total;        /* of the worst workload, averaged over placements */
	size_t workload;     /* which one that is */
	size_t line_count;   /* of the longest placement, fields that lie alone behind the others */
	double *lines;       /* weighted as total: they sum to it */
	double *roles;       /* per operation of that role, in the worst workload that it takes part in; 0 for
	                      * roles that touch nothing */
	double *role_lines;  /* [role * line_count + line], in workload `workload` */
	double *starts;      /* [start]: the total of each placement, in workload `workload`: they average to it */
};

/* Everything, in `arena`. */
struct cost_result cost_run(struct arena *arena, const struct cost_model *model);

/* The total only; leaves nothing in `arena`. */
double cost_total(struct arena *arena, const struct cost_model *model);

/*
 * The total of one model again and again, with its fields elsewhere each time, as a search wants it: a line that holds
 * the same as one before is not priced again. NULL where what a line holds is not all that its price hangs on: for arrays,
 * fields that lie alone or with an element a thread, and arrays of which a role accesses a drawn element more than once.
 * The model's arrays outlive it.
 */
struct cost_cache;
struct cost_cache *cost_cache_new(const struct cost_model *model);
double cost_cache_total(struct cost_cache *cache, const struct cost_field *fields);
void cost_cache_free(struct cost_cache *cache); /* NULL is fine */

#endif

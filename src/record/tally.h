/*
 * record/tally: counters and sequences of operations, of one thread while it runs and of all of them in the end. Only their
 * thread touches them, so that counting shares no line.
 */
#ifndef RECORD_TALLY_H
#define RECORD_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/key.h"
#include "record/os.h"

enum {
	LLREC_SEQUENCE_MAX = 256,  /* accesses */
	LLREC_SEQUENCES_KEPT = 64, /* of a class and a role */
};

/* What could not be recorded, and is counted instead. */
enum llrec_lost {
	LLREC_LOST_COUNTERS, /* accesses: the thread's table of counters is full */
	LLREC_LOST_SIGNALS, /* marks and accesses of signal handlers that interrupted the recorder itself */
	LLREC_LOST_THREADS, /* accesses of threads for which there was no memory, or no place among the users of objects */
	LLREC_LOST_OBJECTS,  /* objects that could not be tracked */
	LLREC_LOST_OVERLAPS, /* objects that ended because another was tracked across them */
	LLREC_LOST_CLASSES, /* objects of more classes than there can be, or of another module's type */
	LLREC_LOST_ROLES,   /* changes to a role for which there was no place */
	LLREC_LOST_GLOBALS, /* accesses to variables for which there was no place */
	LLREC_LOST_OFFSETS, /* accesses too far from the start of their object */
	LLREC_LOST_COUNT,
};

struct llrec_counter {
	uint64_t key; /* 0: free */
	uint64_t count;
};

struct llrec_sequence {
	uint64_t hash; /* 0: free */
	uint64_t count;
	const uint64_t *keys;
	uint32_t length;
};

struct llrec_block; /* pages that hold keys of sequences */

struct llrec_tally {
	struct llrec_counter *counters;
	size_t capacity; /* a power of two */
	unsigned shift;  /* 64 - log2(capacity) */
	size_t used, limit;
	struct llrec_sequence *sequences; /* NULL: none yet */
	uint8_t *kept; /* [class * LLREC_ROLES + role]; NULL: as many as there is place for */
	size_t sequence_count;
	struct llrec_block *block;
	uint64_t operations[LLREC_ROLES];
	uint64_t lost[LLREC_LOST_COUNT];
};

/* False: no memory. `limit`: most counters. `keeps_all`: not only so many sequences a class and role. */
bool llrec_tally_init(struct llrec_tally *tally, size_t limit, bool keeps_all);
void llrec_tally_release(struct llrec_tally *tally);
void llrec_tally_merge(struct llrec_tally *into, const struct llrec_tally *from);

void llrec_tally_count_slow(struct llrec_tally *tally, uint64_t key, uint64_t count);

/* Keys of one class and one role, at least one. What cannot be kept is counted as LLREC_OTHER. */
void llrec_tally_sequence(
	struct llrec_tally *tally, const uint64_t *keys, uint32_t length, uint64_t count);

/* Sorts what there is to the front: counters by key; sequences by class, role, count (most first) and keys. */
void llrec_tally_sort(struct llrec_tally *tally);

static inline size_t llrec_tally_home(const struct llrec_tally *tally, uint64_t key)
{
	return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> tally->shift);
}

static inline void llrec_tally_count(struct llrec_tally *tally, uint64_t key)
{
	struct llrec_counter *counter = &tally->counters[llrec_tally_home(tally, key)];
	if (LLREC_LIKELY(counter->key == key))
		counter->count++;
	else
		llrec_tally_count_slow(tally, key, 1);
}

#endif

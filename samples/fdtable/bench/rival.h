/*
 * What a user would take instead of the table: number -> object with a reference count. Each rival_*.c defines, as static inline,
 *
 *   void setup(void)                     an empty table
 *   void enter(struct worker *)          before a thread's first use
 *   int open_number(struct worker *)     a new object under a new number; negative: no memory
 *   bool close_number(struct worker *, unsigned int number)
 *   bool get_put(struct worker *, unsigned int number)   finds the object, takes a reference, drops it
 *   bool peek(struct worker *, unsigned int number)      finds it and looks at it
 *
 * and includes rival_loops.h, so that no call through a pointer is part of what is measured.
 */
#ifndef FDTABLE_BENCH_RIVAL_H
#define FDTABLE_BENCH_RIVAL_H

#include "bench.h"

struct rival {
	const char *name;
	void (*setup)(void);
	void (*prepare)(struct worker *worker);
	/* Each unit is one of these; worker->extra[0] counts those that went well. */
	void (*get_put)(struct worker *worker);
	void (*peek)(struct worker *worker);
	void (*open_close)(struct worker *worker);
};

extern const struct rival rival_fdtable, rival_fdtable_grace, rival_fdtable_lowest, rival_mutex, rival_rwlock, rival_lfht, rival_ck_hs;

enum {
	NUMBERS = 64,          /* that each thread has open */
	RIVAL_MAX = 1 << 17,   /* numbers of the arrays */
};

/* The worker's own numbers, and those that it is to look up. */
unsigned int *rival_own(const struct worker *worker);
const unsigned int *rival_numbers(const struct worker *worker);

/* An object of those that are no table's own: in memory of its own lines. */
struct object {
	_Alignas(64) _Atomic long count;
	unsigned int number;
	const void *data;
};

/* From those that this thread has freed, or new; NULL: no memory. */
struct object *object_new(void);
void object_free(struct object *object);

static inline bool object_get(struct object *object)
{
	long count = atomic_load_explicit(&object->count, memory_order_relaxed);

	while (count != 0) {
		if (atomic_compare_exchange_weak_explicit(&object->count, &count, count + 1,
			    memory_order_acquire, memory_order_relaxed))
			return true;
	}
	return false;
}

/* true: it was the last. */
static inline bool object_put(struct object *object)
{
	return atomic_fetch_sub_explicit(&object->count, 1, memory_order_acq_rel) == 1;
}

#endif

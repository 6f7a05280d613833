/*
 * record/thread: what a thread knows of itself: its counters, its role, the operation that it is in. In pages of its own,
 * from its first access to its end, when its counters go to those of the process.
 */
#ifndef RECORD_THREAD_H
#define RECORD_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/class.h"
#include "record/tally.h"

enum {
	LLREC_RUNS = 64,     /* classes that an operation can touch and be kept */
	LLREC_PENDING = 256, /* what handlers did while the recorder was interrupted */
	LLREC_SEEN = 256,
};

/* The accesses of one operation to one class. */
struct llrec_run {
	unsigned class_index;
	uint32_t length;
	bool is_cut; /* longer than can be kept */
	uint64_t keys[LLREC_SEQUENCE_MAX];
};

enum llrec_mark {
	LLREC_MARK_ACCESS,
	LLREC_MARK_ROLE,
	LLREC_MARK_OPERATION,
	LLREC_MARK_OPERATION_END,
};

struct llrec_pending {
	uintptr_t address;
	uint32_t size_bytes;
	union {
		uint32_t object; /* where it was found to begin; 0: in none */
		uint32_t role;
	};
	uint8_t mark; /* enum llrec_mark */
	uint8_t kind; /* enum llrec_kind */
};

struct llrec_thread {
	int is_busy;            /* in the recorder: a handler must wait with what it has */
	uint32_t pending_count; /* may exceed LLREC_PENDING: those are lost */
	uint32_t number;        /* of the thread, from 0, in the order of first accesses */
	pid_t id;
	unsigned role;
	bool is_in_operation;
	uint32_t actors[LLREC_ROLES]; /* 0: none yet */
	bool has_actor[LLREC_ROLES];
	uint32_t last_actor;
	unsigned ends; /* how often it was told that its thread ends */
	uint64_t seen
		[LLREC_SEEN]; /* stamps of objects + role, by object: who need not be told that this thread uses them */
	uint8_t run_of_class[LLREC_CLASSES]; /* 1 + run of this operation */
	unsigned run_count;
	struct llrec_run runs[LLREC_RUNS];
	struct llrec_pending pending[LLREC_PENDING];
	struct llrec_tally tally;
	struct llrec_thread *next;
};

extern __thread struct llrec_thread *llrec_self __attribute__((tls_model("initial-exec")));
extern int llrec_is_stopped; /* nothing is recorded any more */

/* The calling thread's; NULL: nothing is to be recorded, or cannot. */
struct llrec_thread *llrec_thread_start(void);

/* The role that it has, found out when it is needed first; and its actor, 0 when there is none. */
void llrec_thread_settle(struct llrec_thread *thread);
uint32_t llrec_thread_actor(struct llrec_thread *thread);

/* Ends the operation that it is in. */
void llrec_thread_end_operation(struct llrec_thread *thread);

/* Stops all threads and gives what all have counted, merged into one. NULL: no memory. */
struct llrec_tally *llrec_threads_finish(void);

/* In the child of a fork, under the lock: only the calling thread is left, and has done nothing. */
void llrec_threads_forget_locked(void);

bool llrec_threads_init(void);

#endif

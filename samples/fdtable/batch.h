/* Numbers that a thread has put aside for its next opens in a table (FDTABLE_ALLOC_BATCH, any_number). */
#ifndef FDTABLE_BATCH_H
#define FDTABLE_BATCH_H

#include "files_struct.h"

enum {
	BATCH_SIZE = 64,
	BATCH_REFILL = 32, /* claimed, or given back, at a time */
};

struct fd_batch {
	_Atomic(struct files_struct *) files; /* NULL: destroyed */
	struct fd_batch *next_of_thread;
	struct fd_batch *next_of_files;
	void (*release)(
		void *memory); /* this, long after its table: memory may come from elsewhere by then */
	unsigned int count;
	unsigned int number[BATCH_SIZE]; /* the last is used first */
};

/* This thread's for this table, or NULL when there is no memory for one. Given back when the thread ends. */
struct fd_batch *batch_of(struct files_struct *files);

/* The table is destroyed: its batches are nobody's. */
void batches_drop(struct files_struct *files);

/* Gives the oldest `count` numbers back. */
void batch_give_back(struct fd_batch *batch, unsigned int count);

/* A number of a batch is free for all, unless another thread has it by now. */
void number_put_back(struct files_struct *files, unsigned int fd);

static inline bool batch_is_full(const struct fd_batch *batch)
{
	return batch->count == BATCH_SIZE;
}

static inline void batch_push(struct fd_batch *batch, unsigned int fd)
{
	batch->number[batch->count++] = fd;
}

static inline bool batch_pop(struct fd_batch *batch, unsigned int *fd)
{
	if (batch->count == 0)
		return false;
	*fd = batch->number[--batch->count];
	return true;
}

#endif

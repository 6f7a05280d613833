#include "batch.h"

#if FDTABLE_ALLOC == FDTABLE_ALLOC_BATCH

#include <pthread.h>
#include <string.h>

#include "memory.h"

/* Guards the lists, not the numbers, which only their thread touches. */
static spinlock_t batches_lock;

static _Thread_local struct fd_batch *mine;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t at_exit;
static bool has_key;

void batch_give_back(struct fd_batch *batch, unsigned int count)
{
	struct files_struct *files = atomic_load_explicit(&batch->files, memory_order_relaxed);

	for (unsigned int i = 0; i < count; i++)
		number_put_back(files, batch->number[i]);
	batch->count -= count;
	memmove(batch->number, batch->number + count, batch->count * sizeof(batch->number[0]));
}

static void unlink_from_files(struct fd_batch *batch, struct files_struct *files)
{
	struct fd_batch **place = &more(files)->batches;

	while (*place != batch)
		place = &(*place)->next_of_files;
	*place = batch->next_of_files;
}

/* The end of a thread. */
static void give_back_all(void *unused)
{
	(void)unused;
	spin_lock(&batches_lock);
	while (mine) {
		struct fd_batch *batch = mine;
		struct files_struct *files =
			atomic_load_explicit(&batch->files, memory_order_relaxed);

		if (files) {
			batch_give_back(batch, batch->count);
			unlink_from_files(batch, files);
		}
		mine = batch->next_of_thread;
		batch->release(batch);
	}
	spin_unlock(&batches_lock);
}

static void make_key(void)
{
	has_key = pthread_key_create(&at_exit, give_back_all) == 0;
}

/* Frees this thread's batches of tables that are no more. */
static void forget_destroyed(void)
{
	struct fd_batch **place = &mine;

	while (*place) {
		struct fd_batch *batch = *place;

		if (atomic_load_explicit(&batch->files, memory_order_relaxed)) {
			place = &batch->next_of_thread;
		} else {
			*place = batch->next_of_thread;
			batch->release(batch);
		}
	}
}

static struct fd_batch *batch_new(struct files_struct *files)
{
	struct fd_batch *batch;

	pthread_once(&once, make_key);
	/* The value only has to be one: without it the function is not called. */
	if (!has_key || pthread_setspecific(at_exit, &mine) != 0)
		return NULL;
	batch = memory_new(sizeof(*batch));
	if (!batch)
		return NULL;
	batch->release = memory_releaser();
	spin_lock(&batches_lock);
	forget_destroyed();
	atomic_store_explicit(&batch->files, files, memory_order_relaxed);
	batch->next_of_files = more(files)->batches;
	more(files)->batches = batch;
	batch->next_of_thread = mine;
	mine = batch;
	spin_unlock(&batches_lock);
	return batch;
}

struct fd_batch *batch_of(struct files_struct *files)
{
	/* Relaxed: the only change by others is to NULL, for a table that is not `files`. */
	for (struct fd_batch *batch = mine; batch; batch = batch->next_of_thread) {
		if (atomic_load_explicit(&batch->files, memory_order_relaxed) == files)
			return batch;
	}
	return batch_new(files);
}

void batches_drop(struct files_struct *files)
{
	spin_lock(&batches_lock);
	while (more(files)->batches) {
		struct fd_batch *batch = more(files)->batches;

		more(files)->batches = batch->next_of_files;
		atomic_store_explicit(&batch->files, NULL, memory_order_relaxed);
	}
	spin_unlock(&batches_lock);
}

#else

void batches_drop(struct files_struct *files)
{
	(void)files;
}

#endif

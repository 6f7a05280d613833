/* Tables: create and destroy, fork and exec, iterate, limit. */
#include <string.h>

#include "batch.h"
#include "expand.h"
#include "memory.h"
#include "number.h"
#include "slot.h"

int files_create(const struct fdtable_options *options, struct files_struct **ret)
{
	unsigned int limit = options && options->limit ? options->limit : FDTABLE_MAX;
	struct files *new;

	if (limit > FDTABLE_MAX)
		return -EINVAL;
	new = memory_new(sizeof(*new));
	if (!new)
		return -ENOMEM;
	atomic_init(&new->table.count.counter, 1);
	atomic_init(&more(&new->table)->limit, limit);
	more(&new->table)->any_number = options && options->any_number;
	embedded_init(&new->table);
	*ret = &new->table;
	return 0;
}

static void free_files_rcu(struct rcu_head *head)
{
	struct files_struct *files;

	rcu_deferred(head);
#if FDTABLE_LAYOUT == FDTABLE_BEST
	files = container_of(head, struct files_struct, rcu);
#else
	files = &container_of(head, struct files, more.rcu)->table;
#endif
	expanded_free(files);
	memory_free(container_of(files, struct files, table));
	rcu_deferred_done();
}

void files_destroy(struct files_struct *files)
{
	batches_drop(files);
	/* Not by fd_close, which would keep numbers in a batch. */
	for (unsigned int fd = 0, end = files_capacity(files); fd < end; fd++) {
		fd_slot *slot = slot_find(files, fd);
		struct file *file =
			slot_file(atomic_exchange_explicit(slot, NULL, memory_order_seq_cst));

		if (file)
			fput(file);
	}
	rcu_defer(&more(files)->rcu, free_files_rcu);
}

void files_get(struct files_struct *files)
{
	/* Relaxed: who calls is a user. */
	atomic_fetch_add_explicit(&files->count.counter, 1, memory_order_relaxed);
}

void files_put(struct files_struct *files)
{
	/* Release and acquire: what each user did to the table comes before its end. */
	if (atomic_fetch_sub_explicit(&files->count.counter, 1, memory_order_acq_rel) == 1)
		files_destroy(files);
}

/* The copy is this thread's alone: its slots and bits are simply filled. */
static int copy_files(struct files_struct *from, struct files_struct *to)
{
	for (unsigned int fd = 0; fd < files_capacity(from); fd++) {
		bool close_on_exec = false;
		struct file *file = slot_get(from, fd, &close_on_exec), *old;
		int error;

		if (!file)
			continue;
		error = expand_files(to, fd);
		if (!error)
			error = slot_replace(to, fd, file, close_on_exec, &old);
		if (error) {
			fput(file);
			return error;
		}
	}
	return 0;
}

int files_fork(struct files_struct *files, struct files_struct **ret)
{
	struct fdtable_options options = {.any_number = more(files)->any_number};
	struct files_struct *copy;
	int error = files_create(&options, &copy);

	if (error)
		return error;
	fd_set_limit(copy, fd_get_limit(files));
	error = copy_files(files, copy);
	if (error) {
		files_destroy(copy);
		return error;
	}
	*ret = copy;
	return 0;
}

void files_exec(struct files_struct *files)
{
	for (unsigned int fd = 0, end = files_capacity(files); fd < end; fd++) {
		struct file *file = slot_remove(files, fd, true);

		if (file)
			fput(file);
	}
}

int fd_iterate(struct files_struct *files, unsigned int first,
	int (*visit)(unsigned int fd, struct file *file, void *data), void *data)
{
	int result = 0;

	for (unsigned int fd = first; fd < files_capacity(files) && result == 0; fd++) {
		struct file *file = fget(files, fd);

		if (!file)
			continue;
		result = visit(fd, file, data);
		fput(file);
	}
	return result;
}

unsigned int files_capacity(struct files_struct *files)
{
	return atomic_load_explicit(&more(files)->capacity, memory_order_acquire);
}

unsigned int fd_get_limit(struct files_struct *files)
{
	return atomic_load_explicit(&more(files)->limit, memory_order_relaxed);
}

int fd_set_limit(struct files_struct *files, unsigned int limit)
{
	if (limit > FDTABLE_MAX)
		return -EINVAL;
	atomic_store_explicit(&more(files)->limit, limit, memory_order_relaxed);
	return 0;
}

unsigned long files_install_retries(struct files_struct *files)
{
	return atomic_load_explicit(&more(files)->retries, memory_order_relaxed);
}

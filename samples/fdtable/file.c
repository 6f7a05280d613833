/* Files and their references. */
#include <stddef.h>

#include "fdtable.h"
#include "memory.h"
#include "rcu.h"

void file_init(
	struct file *file, const struct file_operations *op, unsigned int mode, void *private_data)
{
	file->f_op = op;
	file->f_flags = 0;
	file->f_mode = mode;
	file->private_data = private_data;
	/*
	 * Release, for a lookup that still looks at the memory's last life (op->reusable): when its
	 * compare-and-swap of the count sees this 1, it sees the members above too. For any other file the
	 * slot's own release would do.
	 */
	atomic_store_explicit(&file->f_count.counter, 1, memory_order_release);
}

int file_new(
	const struct file_operations *op, unsigned int mode, void *private_data, struct file **ret)
{
	struct file *file = memory_new(sizeof(*file));

	if (!file)
		return -ENOMEM;
	file_init(file, op, mode, private_data);
	*ret = file;
	return 0;
}

static void file_free(struct file *file)
{
	if (file->f_op && file->f_op->free)
		file->f_op->free(file);
	else
		memory_free(file);
}

static void file_free_rcu(struct rcu_head *head)
{
	rcu_deferred(head);
	file_free(container_of(head, struct file, f_u.fu_rcuhead));
	rcu_deferred_done();
}

void fget_again(struct file *file)
{
	/* Relaxed: who calls has a reference, so the file is there and nothing has to be ordered. */
	atomic_fetch_add_explicit(&file->f_count.counter, 1, memory_order_relaxed);
}

void fput(struct file *file)
{
	/*
	 * Release: what this user did to the file comes before its release function. Acquire, for the last:
	 * it sees what all others did. (An acquire fence for the last only would be weaker and enough;
	 * -fsanitize=thread knows no fences.)
	 */
	if (atomic_fetch_sub_explicit(&file->f_count.counter, 1, memory_order_acq_rel) != 1)
		return;
	if (file->f_op && file->f_op->release)
		file->f_op->release(file);
	if (file->f_op && file->f_op->reusable)
		file_free(file);
	else
		rcu_defer(&file->f_u.fu_rcuhead, file_free_rcu);
}

/* Lookup: the fast path. */
/*
 * liburcu lets code whose licence goes with the LGPL have its read sections inline: half the time of a peek. Not
 * with sanitizers (fdtable.mk): its struct urcu_bp_reader wants an alignment that its own allocation does not give it.
 */
#ifndef FDTABLE_CALL_URCU
#define _LGPL_SOURCE
#endif
#include "points.h"
#include "slot.h"

/*
 * A reference, unless there is none left. Acquire on success: pairs with file_init's release where the
 * memory is a file again (reusable). Acquire on failure: who dropped the last reference had emptied the
 * slot before, and this thread must see that when it looks again; without it it would turn round here for
 * as long as its core likes.
 */
static inline bool get_unless_zero(struct file *file)
{
	long count = atomic_load_explicit(&file->f_count.counter, memory_order_acquire);

	/*
	 * Sequentially consistent with the second look: the reference before the look. Otherwise a close
	 * could empty the slot and find no reference but its own while this look still finds the slot full:
	 * both would believe to be alone.
	 */
	while (count != 0) {
		if (atomic_compare_exchange_weak_explicit(&file->f_count.counter, &count, count + 1,
			    memory_order_seq_cst, memory_order_acquire))
			return true;
	}
	return false;
}

static inline struct file *lookup(struct files_struct *files, unsigned int fd)
{
	fd_slot *slot = slot_find(files, fd);

	/* Acquire: pairs with the release of the install. */
	return slot ? slot_file(atomic_load_explicit(slot, memory_order_acquire)) : NULL;
}

static inline bool still_there(struct files_struct *files, unsigned int fd, struct file *file)
{
	/* From the top: the array itself may be a new one. */
	fd_slot *slot = slot_find(files, fd);

	return slot && slot_file(atomic_load_explicit(slot, memory_order_seq_cst)) == file;
}

struct file *fget(struct files_struct *files, unsigned int fd)
{
	struct file *file;

	fd_read_lock();
	while ((file = lookup(files, fd))) {
		at_point(POINT_GET_FOUND);
		if (get_unless_zero(file)) {
			if (still_there(files, fd, file))
				break;
			fput(file);
		}
	}
	fd_read_unlock();
	return file;
}

struct file *fd_peek(struct files_struct *files, unsigned int fd)
{
	return lookup(files, fd);
}

struct file *fget_light(struct files_struct *files, unsigned int fd, bool *fput_needed)
{
	/* Relaxed: with one user this is the only thread, and nobody else can raise the count. */
	*fput_needed = atomic_load_explicit(&files->count.counter, memory_order_relaxed) != 1;
	return *fput_needed ? fget(files, fd) : lookup(files, fd);
}

/* Slots in an array that growth replaces: file_lock, and the two ways of 2015 to install without it. */
#include "slot.h"

#if !HAS_SEGMENTS

#include <assert.h>
#include <sched.h>

#include "bits.h"
#include "number.h"
#include "points.h"

static void install_locked(struct files_struct *files, unsigned int fd, struct file *file)
{
	fd_slot *slot;

	spin_lock(&files->file_lock);
	slot = slot_find(files, fd);
	at_point(POINT_INSTALL_FOUND);
	/* Release, here and below: a lookup, which takes no lock, that finds the pointer sees the file. */
	atomic_store_explicit(slot, file, memory_order_release);
	spin_unlock(&files->file_lock);
}

#if FDTABLE_INSTALL == FDTABLE_INSTALL_LOCK

void slot_install(struct files_struct *files, unsigned int fd, struct file *file)
{
	install_locked(files, fd, file);
}

#elif FDTABLE_INSTALL == FDTABLE_INSTALL_SEQCOUNT

/*
 * M. Guzik's way: odd while the array is copied; who installs stores, and again if the count changed. Alone
 * that has a hole: the copy may have taken the first store along, another thread may have closed the number
 * since, and the second store would bring the closed file back. So the copier marks what was empty
 * (expand.c), and only who meets the mark stores again.
 */
static bool install_in(fd_slot *slot, struct file *file, struct file **empty)
{
	at_point(POINT_INSTALL_FOUND);
	return atomic_compare_exchange_strong_explicit(
		slot, empty, file, memory_order_release, memory_order_relaxed);
}

void slot_install(struct files_struct *files, unsigned int fd, struct file *file)
{
	unsigned long retries = 0;
	bool done = false;

	(void)install_locked;
	fd_read_lock();
	while (!done) {
		struct file *empty = NULL;

		/* Acquire: an even count was written after the new array was published. */
		if (!(atomic_load_explicit(
			      &policy(files)->fdt_seqcount.sequence, memory_order_acquire) &
			    1))
			done = install_in(slot_find(files, fd), file, &empty);
		if (!done) {
			retries++;
			at_point(POINT_INSTALL_AGAIN);
			sched_yield(); /* the copier may have been preempted */
		}
		assert((!empty || slot_flags(empty) & SLOT_MOVED) &&
			"fd_install: the number was reserved");
	}
	fd_read_unlock();
	if (retries)
		atomic_fetch_add_explicit(&more(files)->retries, retries, memory_order_relaxed);
}

#else

/*
 * Linux since 4.3: growth raises a flag and waits until all who did not see it are done; who sees it takes
 * the lock. Acquire: a flag that is down again was lowered after the new array was published. Without it,
 * this would store into the old one, which nobody looks at any more.
 */
void slot_install(struct files_struct *files, unsigned int fd, struct file *file)
{
	fd_slot *slot;

	fd_read_lock();
	if (atomic_load_explicit(&policy(files)->resize_in_progress, memory_order_acquire)) {
		fd_read_unlock();
		at_point(POINT_INSTALL_AGAIN);
		atomic_fetch_add_explicit(&more(files)->retries, 1, memory_order_relaxed);
		install_locked(files, fd, file);
		return;
	}
	slot = slot_find(files, fd);
	at_point(POINT_INSTALL_FOUND);
	atomic_store_explicit(slot, file, memory_order_release);
	fd_read_unlock();
}

#endif

void slot_cancel(struct files_struct *files, unsigned int fd)
{
	number_lock(files);
	number_free(files, fd);
	number_unlock(files);
}

/* Under file_lock, which keeps the array in its place. */
static struct file *file_at(struct files_struct *files, unsigned int fd)
{
	fd_slot *slot = slot_find(files, fd);

	/* Acquire: an install without the lock by another thread. */
	return slot ? slot_file(atomic_load_explicit(slot, memory_order_acquire)) : NULL;
}

static bool is_close_on_exec(struct files_struct *files, unsigned int fd)
{
	struct fd_bits bits = bits_of(files, fd);

	return word_bit(bits.close_on_exec, fd - bits.first);
}

static void mark_close_on_exec(struct files_struct *files, unsigned int fd, bool close_on_exec)
{
	struct fd_bits bits = bits_of(files, fd);

	if (close_on_exec)
		word_bit_set(bits.close_on_exec, fd - bits.first);
	else if (word_bit(bits.close_on_exec, fd - bits.first))
		word_bit_clear(bits.close_on_exec, fd - bits.first);
}

struct file *slot_remove(struct files_struct *files, unsigned int fd, bool only_close_on_exec)
{
	struct file *file;

	spin_lock(&files->file_lock);
	file = file_at(files, fd);
	if (file && only_close_on_exec && !is_close_on_exec(files, fd))
		file = NULL;
	if (file) {
		at_point(POINT_CLOSE_FOUND);
		/* Sequentially consistent with fget's second look (fget.c). */
		atomic_store_explicit(slot_find(files, fd), NULL, memory_order_seq_cst);
		at_point(POINT_EMPTIED);
		number_free(files, fd);
	}
	spin_unlock(&files->file_lock);
	return file;
}

int slot_replace(struct files_struct *files, unsigned int fd, struct file *file, bool close_on_exec,
	struct file **old)
{
	int error = 0;

	spin_lock(&files->file_lock);
	*old = file_at(files, fd);
	if (!*old && !number_mark(files, fd)) {
		error = -EBUSY;
	} else {
		/* Release for lookups, the rest for fget's second look. */
		atomic_store_explicit(slot_find(files, fd), file, memory_order_seq_cst);
		mark_close_on_exec(files, fd, close_on_exec);
	}
	spin_unlock(&files->file_lock);
	return error;
}

struct file *slot_get(struct files_struct *files, unsigned int fd, bool *close_on_exec)
{
	struct file *file;

	spin_lock(&files->file_lock);
	file = file_at(files, fd);
	if (file) {
		fget_again(file); /* the table's reference cannot go meanwhile */
		*close_on_exec = is_close_on_exec(files, fd);
	}
	spin_unlock(&files->file_lock);
	return file;
}

int slot_close_on_exec(struct files_struct *files, unsigned int fd)
{
	int result;

	spin_lock(&files->file_lock);
	result = file_at(files, fd) ? is_close_on_exec(files, fd) : -EBADF;
	spin_unlock(&files->file_lock);
	return result;
}

int slot_set_close_on_exec(struct files_struct *files, unsigned int fd, bool close_on_exec)
{
	int result = -EBADF;

	spin_lock(&files->file_lock);
	if (file_at(files, fd)) {
		mark_close_on_exec(files, fd, close_on_exec);
		result = 0;
	}
	spin_unlock(&files->file_lock);
	return result;
}

#endif

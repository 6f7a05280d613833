/* Slots that never move: every change is one compare-and-swap. */
#include "slot.h"

#if HAS_SEGMENTS

#include <assert.h>

#include "number.h"
#include "points.h"

void slot_install(struct files_struct *files, unsigned int fd, struct file *file)
{
	fd_slot *slot = slot_find(files, fd);
	struct file *reserved = slot ? atomic_load_explicit(slot, memory_order_relaxed) : NULL;

	assert(slot_flags(reserved) & SLOT_RESERVED &&
		"fd_install: the number was reserved by fd_alloc");
	at_point(POINT_INSTALL_FOUND);
	/*
	 * A plain store: nobody else changes a reserved slot. Release: a lookup that finds the pointer sees
	 * the file; without it one on another core could take a reference in a count that is not written
	 * yet.
	 */
	atomic_store_explicit(
		slot, slot_value(file, slot_flags(reserved) & SLOT_CLOEXEC), memory_order_release);
}

void slot_cancel(struct files_struct *files, unsigned int fd)
{
	fd_slot *slot = slot_find(files, fd);

	assert(slot && slot_flags(atomic_load(slot)) & SLOT_RESERVED &&
		"fd_cancel: the number was reserved");
	atomic_store_explicit(slot, NULL, memory_order_release);
	number_lock(files);
	number_free(files, fd);
	number_unlock(files);
}

struct file *slot_remove(struct files_struct *files, unsigned int fd, bool only_close_on_exec)
{
	fd_slot *slot = slot_find(files, fd);
	struct file *value = slot ? atomic_load_explicit(slot, memory_order_relaxed) : NULL;

	/*
	 * Sequentially consistent with fget's second look (fget.c): either that finds the slot changed, or
	 * whoever looks at the count from here on finds its reference. Acquire: the file was installed by
	 * another thread.
	 */
	do {
		if (!slot_file(value) ||
			(only_close_on_exec && !(slot_flags(value) & SLOT_CLOEXEC)))
			return NULL;
		at_point(POINT_CLOSE_FOUND);
	} while (!atomic_compare_exchange_weak_explicit(
		slot, &value, NULL, memory_order_seq_cst, memory_order_relaxed));
	at_point(POINT_EMPTIED);
	number_lock(files);
	number_free(files, fd);
	number_unlock(files);
	return slot_file(value);
}

int slot_replace(struct files_struct *files, unsigned int fd, struct file *file, bool close_on_exec,
	struct file **old)
{
	fd_slot *slot = slot_find(files, fd);
	struct file *value = atomic_load_explicit(slot, memory_order_relaxed);

	/* Release for lookups, as in slot_install; the rest as in slot_remove. */
	do {
		if (slot_flags(value) & SLOT_RESERVED)
			return -EBUSY;
	} while (!atomic_compare_exchange_weak_explicit(slot, &value,
		slot_value(file, close_on_exec ? SLOT_CLOEXEC : 0), memory_order_seq_cst,
		memory_order_relaxed));
	if (!value) {
		at_point(POINT_REPLACED);
		number_mark(files, fd);
	}
	*old = slot_file(value);
	return 0;
}

struct file *slot_get(struct files_struct *files, unsigned int fd, bool *close_on_exec)
{
	struct file *file;

	/* The flag is of one moment with the pointer if the slot is the same when the reference is there. */
	for (;;) {
		fd_slot *slot = slot_find(files, fd);
		struct file *before =
			slot ? atomic_load_explicit(slot, memory_order_acquire) : NULL;

		if (!slot_file(before))
			return NULL;
		file = fget(files, fd);
		if (file && file == slot_file(before) &&
			atomic_load_explicit(slot, memory_order_acquire) == before) {
			*close_on_exec = slot_flags(before) & SLOT_CLOEXEC;
			return file;
		}
		if (file)
			fput(file);
	}
}

int slot_close_on_exec(struct files_struct *files, unsigned int fd)
{
	fd_slot *slot = slot_find(files, fd);
	struct file *value = slot ? atomic_load_explicit(slot, memory_order_acquire) : NULL;

	return slot_file(value) ? (slot_flags(value) & SLOT_CLOEXEC) != 0 : -EBADF;
}

int slot_set_close_on_exec(struct files_struct *files, unsigned int fd, bool close_on_exec)
{
	fd_slot *slot = slot_find(files, fd);
	struct file *value = slot ? atomic_load_explicit(slot, memory_order_relaxed) : NULL;

	/*
	 * Release: this store takes the place of the one that installed the pointer, for lookups that read
	 * it.
	 */
	do {
		if (!slot_file(value))
			return -EBADF;
	} while (!atomic_compare_exchange_weak_explicit(slot, &value,
		slot_value(slot_file(value), close_on_exec ? SLOT_CLOEXEC : 0),
		memory_order_acq_rel, memory_order_relaxed));
	return 0;
}

#endif

/* Free numbers under file_lock, as in Linux: the bitmap, and next_fd, below which none is free. */
#include "number.h"

#if !HAS_CHUNKS

#include "bits.h"
#include "expand.h"
#include "slot.h"

#define WHERE_SLOTS_ARE_TRUTH HAS_SEGMENTS

static bool take(struct files_struct *files, unsigned int fd, struct file *value)
{
#if WHERE_SLOTS_ARE_TRUTH
	struct file *empty = NULL;

	/*
	 * Release: `value` may be a file that lookups find here. It fails for a dup2 that has not marked
	 * its number yet.
	 */
	return atomic_compare_exchange_strong_explicit(
		slot_find(files, fd), &empty, value, memory_order_acq_rel, memory_order_relaxed);
#else
	struct fd_bits bits = bits_of(files, fd);

	if (slot_flags(value) & SLOT_CLOEXEC)
		word_bit_set(bits.close_on_exec, fd);
	else
		word_bit_clear(bits.close_on_exec, fd);
	return true;
#endif
}

/* Linux's find_next_fd: under file_lock. A number, -EMFILE, or -EAGAIN with *fd the one to make room for. */
static int find_next_fd(
	struct files_struct *files, unsigned int min, struct file *value, unsigned int *fd)
{
	unsigned int limit = atomic_load_explicit(&more(files)->limit, memory_order_relaxed);
	unsigned int next = (unsigned int)*next_fd(files);
	unsigned int capacity = atomic_load_explicit(&more(files)->capacity, memory_order_relaxed);
	unsigned int end = capacity < limit ? capacity : limit;
	unsigned int from = min > next ? min : next;

	for (; from < end; from = *fd + 1) {
		struct fd_bits bits = bits_of(files, from);

		if (!bits_claim(&bits, from, end, fd))
			break;
		/* All below are taken, unless the search began behind next_fd. */
		if (min <= next)
			*next_fd(files) = *fd + 1;
		if (take(files, *fd, value))
			return (int)*fd;
	}
	*fd = capacity > from ? capacity : from;
	return *fd >= limit ? -EMFILE : -EAGAIN;
}

int number_reserve(struct files_struct *files, unsigned int min, struct file *value)
{
	for (;;) {
		unsigned int fd;
		int result;

		spin_lock(&files->file_lock);
		result = find_next_fd(files, min, value, &fd);
		spin_unlock(&files->file_lock);
		if (result != -EAGAIN)
			return result;
		result = expand_files(files, fd);
		if (result < 0)
			return result;
	}
}

void number_release(struct files_struct *files, unsigned int fd)
{
	struct fd_bits bits = bits_of(files, fd);

#if WHERE_SLOTS_ARE_TRUTH
	/* A dup2 has taken the number since: it stays marked. */
	if (atomic_load_explicit(slot_find(files, fd), memory_order_relaxed))
		return;
#endif
	bits_clear(&bits, fd);
	if (fd < (unsigned int)*next_fd(files))
		*next_fd(files) = fd;
}

void number_free(struct files_struct *files, unsigned int fd)
{
	number_release(files, fd);
}

bool number_mark(struct files_struct *files, unsigned int fd)
{
#if WHERE_SLOTS_ARE_TRUTH
	bool was_free = true;

	spin_lock(&files->file_lock);
	/* Closed again already: then it is free. */
	if (atomic_load_explicit(slot_find(files, fd), memory_order_relaxed)) {
		struct fd_bits bits = bits_of(files, fd);

		was_free = !bits_set(&bits, fd);
	}
	spin_unlock(&files->file_lock);
	return was_free;
#else
	struct fd_bits bits = bits_of(files, fd);

	return !bits_set(&bits, fd);
#endif
}

#endif

#include "expand.h"

#include "bits.h"
#include "memory.h"
#include "points.h"
#include "slot.h"

#if HAS_SEGMENTS || HAS_CHUNKS

/* Segments and chunks that are missing up to `size`. What was made stays when the next cannot be. */
static int expand_segments(struct files_struct *files, unsigned int size)
{
	for (unsigned int i = 1; i < SEGMENTS && segment_first(i) < size; i++) {
#if HAS_SEGMENTS
		if (!atomic_load_explicit(&more(files)->segment[i], memory_order_relaxed)) {
			fd_slot *segment = memory_new(segment_size(i) * sizeof(*segment));

			if (!segment)
				return -ENOMEM;
			/* Release: a lookup that finds it sees it empty. */
			atomic_store_explicit(
				&more(files)->segment[i], segment, memory_order_release);
		}
#endif
#if HAS_CHUNKS
		if (!atomic_load_explicit(&more(files)->chunk[i], memory_order_relaxed)) {
			size_t longs = bits_longs(segment_size(i) / LONG_BITS, 3);
			struct fd_chunk *chunk = memory_new(longs * sizeof(fd_word));

			if (!chunk)
				return -ENOMEM;
			/* Relaxed: the capacity that is published after it is what allows to look. */
			atomic_store_explicit(&more(files)->chunk[i], chunk, memory_order_relaxed);
		}
#endif
	}
	return 0;
}

#else

static int expand_segments(struct files_struct *files, unsigned int size)
{
	(void)files;
	(void)size;
	return 0;
}

#endif

#if HAS_FDT && !HAS_CHUNKS

/* The two sets of `size` descriptors, and their second level. */
static fd_word *alloc_fdset(unsigned int size)
{
	return memory_new(bits_longs(size / LONG_BITS, 2) * sizeof(fd_word));
}

static void copy_words(fd_word *to, fd_word *from, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		atomic_store_explicit(&to[i], atomic_load_explicit(&from[i], memory_order_relaxed),
			memory_order_relaxed);
}

/* Under file_lock. */
static void copy_fdset(fd_word *to, unsigned int size, const struct fd_bits *from)
{
	struct fd_bits bits = bits_divide(to, size / LONG_BITS, 2);

	copy_words(bits.open, from->open, from->words);
	copy_words(bits.close_on_exec, from->close_on_exec, from->words);
	/* What had no second level, or a shorter one, is not marked full: found out when it is searched. */
	if (from->full)
		copy_words(bits.full, from->full, from->words / FULL_BITS);
}

static void use_fdset(struct fdtable *fdt, fd_word *words, unsigned int size)
{
	fdt->open_fds = words_set(words);
	fdt->close_on_exec = words_set(words + size / LONG_BITS);
}

#endif

#if HAS_SEGMENTS && !HAS_CHUNKS

/* The sets alone grow: the table that has them stays. */
static int expand_fdtable(struct files_struct *files, unsigned int size)
{
	fd_word *words = alloc_fdset(size), *old = NULL;
	struct fdtable *fdt = &files->fdtab;
	struct fd_bits bits;

	if (!words)
		return -ENOMEM;
	spin_lock(&files->file_lock);
	bits = bits_of(files, 0);
	copy_fdset(words, size, &bits);
	if (bits.open != embedded_words(files->open_fds_init))
		old = bits.open;
	use_fdset(fdt, words, size);
	*max_fdset(fdt) = size;
	spin_unlock(&files->file_lock);
	/* At once: sets are only looked at under file_lock. */
	memory_free(old);
	return 0;
}

#elif HAS_SEGMENTS

static int expand_fdtable(struct files_struct *files, unsigned int size)
{
	(void)files;
	(void)size;
	return 0;
}

#else

static struct fdtable *alloc_fdtable(unsigned int size)
{
	struct fdtable *fdt = memory_new(sizeof(*fdt));

	if (!fdt)
		return NULL;
	fdt->max_fds = size;
	fdt->fd = memory_new(size * sizeof(fd_slot));
	if (!fdt->fd) {
		memory_free(fdt);
		return NULL;
	}
#if !HAS_CHUNKS
	fd_word *words = alloc_fdset(size);

	if (!words) {
		memory_free(fdt->fd);
		memory_free(fdt);
		return NULL;
	}
	use_fdset(fdt, words, size);
	*max_fdset(fdt) = size;
#endif
	return fdt;
}

static void free_fdtable(struct fdtable *fdt)
{
#if !HAS_CHUNKS
	memory_free(set_words(fdt->open_fds));
#endif
	memory_free(fdt->fd);
	memory_free(fdt);
}

static void free_fdtable_rcu(struct rcu_head *head)
{
	rcu_deferred(head);
	free_fdtable(container_of(head, struct fdtable, rcu));
	rcu_deferred_done();
}

/*
 * The pointers, under file_lock. With the sequence counter an install may be storing one right now: either
 * the pointer is taken along, or the slot is marked first and the install knows that it was not.
 */
static void copy_slots(struct fdtable *to, struct fdtable *from)
{
	for (unsigned int fd = 0; fd < from->max_fds; fd++) {
		/* Acquire, and the release that publishes the new array: the file with the pointer. */
		struct file *file = atomic_load_explicit(&from->fd[fd], memory_order_acquire);

#if FDTABLE_INSTALL == FDTABLE_INSTALL_SEQCOUNT
		if (!file)
			atomic_compare_exchange_strong_explicit(&from->fd[fd], &file,
				slot_value(NULL, SLOT_MOVED), memory_order_acquire,
				memory_order_acquire);
#endif
		atomic_store_explicit(&to->fd[fd], file, memory_order_relaxed);
	}
}

static void copy_fdtable(struct files_struct *files, struct fdtable *to, struct fdtable *from)
{
	copy_slots(to, from);
#if HAS_CHUNKS
	(void)files;
#else
	struct fd_bits bits = bits_of(files, 0);

	copy_fdset(set_words(to->open_fds), to->max_fds, &bits);
#endif
#if FDTABLE_LAYOUT == FDTABLE_LINUX_2_6_13
	to->next_fd = from->next_fd;
#endif
}

#if FDTABLE_INSTALL == FDTABLE_INSTALL_RESIZE

/* All installs that have not seen the flag are done when this returns; later ones wait for file_lock. */
static void growth_begins(struct files_struct *files)
{
	atomic_store_explicit(&policy(files)->resize_in_progress, true, memory_order_relaxed);
	rcu_wait();
	spin_lock(&files->file_lock);
}

static void growth_ends(struct files_struct *files)
{
	spin_unlock(&files->file_lock);
	/* Release: who sees the flag down sees the new array. */
	atomic_store_explicit(&policy(files)->resize_in_progress, false, memory_order_release);
}

#elif FDTABLE_INSTALL == FDTABLE_INSTALL_SEQCOUNT

static void growth_begins(struct files_struct *files)
{
	spin_lock(&files->file_lock);
	/* Relaxed: the marks in the slots decide, the count only tells when to look again. */
	atomic_fetch_add_explicit(&policy(files)->fdt_seqcount.sequence, 1, memory_order_relaxed);
}

static void growth_ends(struct files_struct *files)
{
	/*
	 * Release: who sees the even count sees the new array, and does not meet the marks of the old one
	 * again.
	 */
	atomic_fetch_add_explicit(&policy(files)->fdt_seqcount.sequence, 1, memory_order_release);
	spin_unlock(&files->file_lock);
}

#else

static void growth_begins(struct files_struct *files)
{
	spin_lock(&files->file_lock);
}

static void growth_ends(struct files_struct *files)
{
	spin_unlock(&files->file_lock);
}

#endif

static int expand_fdtable(struct files_struct *files, unsigned int size)
{
	struct fdtable *new = alloc_fdtable(size);
	struct fdtable *old = atomic_load_explicit(&files->fdt, memory_order_relaxed);

	if (!new)
		return -ENOMEM;
	growth_begins(files);
	copy_fdtable(files, new, old);
	at_point(POINT_COPIED);
	/* Release: a lookup that finds the new table sees its slots and its size. */
	atomic_store_explicit(&files->fdt, new, memory_order_release);
	growth_ends(files);
	/* Lookups may still read the old one. */
	if (old != &files->fdtab)
		rcu_defer(&old->rcu, free_fdtable_rcu);
	return 0;
}

#endif

int expand_files(struct files_struct *files, unsigned int fd)
{
	unsigned int segment = segment_of(fd);
	unsigned int size = segment_first(segment) + segment_size(segment);
	int error = 0;

	spin_lock(&more(files)->grow_lock);
	if (atomic_load_explicit(&more(files)->capacity, memory_order_relaxed) < size) {
		error = expand_segments(files, size);
		if (!error)
			error = expand_fdtable(files, size);
		/* Release: who sees the capacity sees slots and bits below it. */
		if (!error)
			atomic_store_explicit(&more(files)->capacity, size, memory_order_release);
	}
	spin_unlock(&more(files)->grow_lock);
	return error;
}

void embedded_init(struct files_struct *files)
{
#if HAS_FDT
	struct fdtable *fdt = &files->fdtab;

	fdt->max_fds = NR_OPEN_DEFAULT;
	*max_fdset(fdt) = NR_OPEN_DEFAULT;
	fdt->fd = files->fd_array;
	fdt->open_fds = words_set(embedded_words(files->open_fds_init));
	fdt->close_on_exec = words_set(embedded_words(files->close_on_exec_init));
	atomic_store_explicit(&files->fdt, fdt, memory_order_relaxed);
#endif
#if HAS_SEGMENTS
	atomic_store_explicit(&more(files)->segment[0], files->fd_array, memory_order_relaxed);
#endif
	atomic_store_explicit(&more(files)->capacity, NR_OPEN_DEFAULT, memory_order_relaxed);
}

void expanded_free(struct files_struct *files)
{
#if !HAS_SEGMENTS
	struct fdtable *fdt = atomic_load_explicit(&files->fdt, memory_order_relaxed);

	if (fdt != &files->fdtab)
		free_fdtable(fdt);
#elif !HAS_CHUNKS
	if (set_words(files->fdtab.open_fds) != embedded_words(files->open_fds_init))
		memory_free(set_words(files->fdtab.open_fds));
#endif
	for (unsigned int i = 1; i < SEGMENTS; i++) {
#if HAS_SEGMENTS
		memory_free(atomic_load_explicit(&more(files)->segment[i], memory_order_relaxed));
#endif
#if HAS_CHUNKS
		memory_free(atomic_load_explicit(&more(files)->chunk[i], memory_order_relaxed));
#endif
	}
}

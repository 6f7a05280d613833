/*
 * Free numbers without a lock: bits claimed by atomic operations, searched from the start or from a place
 * of the thread's.
 */
#include "number.h"

#if HAS_CHUNKS

#include "batch.h"
#include "bits.h"
#include "expand.h"
#include "slot.h"

bool number_take(struct files_struct *files, unsigned int fd, struct file *value)
{
#if HAS_SEGMENTS
	struct file *empty = NULL;

	/* Release: `value` may be a file that lookups find here. */
	return atomic_compare_exchange_strong_explicit(
		slot_find(files, fd), &empty, value, memory_order_acq_rel, memory_order_relaxed);
#else
	struct fd_bits bits = bits_of(files, fd);
	unsigned int bit = fd - bits.first;
	bool close_on_exec = slot_flags(value) & SLOT_CLOEXEC;

	if (!word_bit_clear(bits.batched, bit))
		return false;
	if (word_bit(bits.close_on_exec, bit) != close_on_exec)
		close_on_exec ? word_bit_set(bits.close_on_exec, bit)
			      : word_bit_clear(bits.close_on_exec, bit);
	return true;
#endif
}

/* A number whose bit this thread has just claimed. */
static bool take_claimed(struct files_struct *files, unsigned int fd, struct file *value)
{
#if !HAS_SEGMENTS
	struct fd_bits bits = bits_of(files, fd);

	word_bit_set(bits.batched, fd - bits.first);
#endif
	return number_take(files, fd, value);
}

void number_put_aside(struct files_struct *files, unsigned int fd)
{
#if HAS_SEGMENTS
	/* An empty slot is enough: who fills it has the number. */
	(void)files;
	(void)fd;
#else
	struct fd_bits bits = bits_of(files, fd);

	word_bit_set(bits.batched, fd - bits.first);
#endif
}

/* Claims the first free bit of [from, end). */
static bool claim_between(
	struct files_struct *files, unsigned int from, unsigned int end, unsigned int *fd)
{
	while (from < end) {
		struct fd_bits bits = bits_of(files, from);
		unsigned int bit;

		if (bits_claim(&bits, from - bits.first, end - bits.first, &bit)) {
			*fd = bits.first + bit;
			return true;
		}
		from = bits.first + bits.words * LONG_BITS;
	}
	return false;
}

static unsigned int end_of(struct files_struct *files, unsigned int *limit)
{
	/* Acquire: below the capacity chunks and slots are there (expand.c). */
	unsigned int capacity = atomic_load_explicit(&more(files)->capacity, memory_order_acquire);

	*limit = atomic_load_explicit(&more(files)->limit, memory_order_relaxed);
	return capacity < *limit ? capacity : *limit;
}

static int reserve_lowest(struct files_struct *files, unsigned int min, struct file *value)
{
	for (;;) {
		unsigned int limit, end = end_of(files, &limit), from = min, fd;
		int error;

		while (claim_between(files, from, end, &fd)) {
			if (take_claimed(files, fd, value))
				return (int)fd;
			/* A dup2 has it, whose close will give it back. */
			from = fd + 1;
		}
		if (end >= limit)
			return -EMFILE;
		error = expand_files(files, end > min ? end : min);
		if (error)
			return error;
	}
}

#if FDTABLE_ALLOC == FDTABLE_ALLOC_HINT || FDTABLE_ALLOC == FDTABLE_ALLOC_BATCH

/* Bits of the bitmap that share a cache line: threads start that far from each other. */
enum { APART = 8 * FDTABLE_LINE };

static unsigned int *thread_hint(void)
{
	static _Atomic unsigned int threads;
	static _Thread_local unsigned int hint, known;

	if (!known) {
		known = 1;
		hint = atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) * APART %
		       FDTABLE_MAX;
	}
	return &hint;
}

/* The thread's place in the range [min, end). */
static unsigned int place(unsigned int min, unsigned int end)
{
	unsigned int hint = *thread_hint() % end;

	return hint > min ? hint : min;
}

#endif

#if FDTABLE_ALLOC == FDTABLE_ALLOC_HINT

static int reserve_any(struct files_struct *files, unsigned int min, struct file *value)
{
	unsigned int limit, end = end_of(files, &limit), fd;

	if (min < end) {
		unsigned int from = place(min, end);

		if ((claim_between(files, from, end, &fd) ||
			    claim_between(files, min, from, &fd)) &&
			take_claimed(files, fd, value)) {
			*thread_hint() = fd / LONG_BITS * LONG_BITS;
			return (int)fd;
		}
	}
	return reserve_lowest(files, min, value);
}

#elif FDTABLE_ALLOC == FDTABLE_ALLOC_BATCH

/* Claims some numbers of one word of [from, end) for the batch. */
static bool refill_between(
	struct files_struct *files, struct fd_batch *batch, unsigned int from, unsigned int end)
{
	while (from < end) {
		struct fd_bits bits = bits_of(files, from);
		unsigned int bit;
		unsigned long mine = bits_claim_some(
			&bits, from - bits.first, end - bits.first, BATCH_REFILL, &bit);

		if (mine) {
			*thread_hint() = bits.first + bit;
			/* The highest first: the lowest is used first. */
			while (mine) {
				unsigned int high =
					LONG_BITS - 1 - (unsigned int)__builtin_clzl(mine);

				number_put_aside(files, bits.first + bit + high);
				batch_push(batch, bits.first + bit + high);
				mine &= ~(1UL << high);
			}
			return true;
		}
		from = bits.first + bits.words * LONG_BITS;
	}
	return false;
}

/* What other threads have put aside. */
static int reserve_put_aside(struct files_struct *files, unsigned int min, struct file *value)
{
	unsigned int limit, end = end_of(files, &limit);

	for (unsigned int fd = min; fd < end; fd++) {
#if HAS_SEGMENTS
		if (atomic_load_explicit(slot_find(files, fd), memory_order_relaxed))
			continue;
#endif
		if (number_take(files, fd, value)) {
			number_mark(files, fd);
			return (int)fd;
		}
	}
	return -EMFILE;
}

static int reserve_any(struct files_struct *files, unsigned int min, struct file *value)
{
	struct fd_batch *batch = min == 0 ? batch_of(files) : NULL;
	int result;

	while (batch) {
		unsigned int limit, end = end_of(files, &limit), fd, from;

		while (batch_pop(batch, &fd)) {
			if (fd >= limit)
				number_put_back(files, fd);
			else if (number_take(files, fd, value))
				return (int)fd;
		}
		from = end ? place(0, end) : 0;
		if (refill_between(files, batch, from, end) ||
			refill_between(files, batch, 0, from))
			continue;
		if (end >= limit)
			break;
		result = expand_files(files, end);
		if (result)
			return result;
	}
	result = reserve_lowest(files, min, value);
	return result == -EMFILE ? reserve_put_aside(files, min, value) : result;
}

void number_put_back(struct files_struct *files, unsigned int fd)
{
#if !HAS_SEGMENTS
	struct fd_bits bits = bits_of(files, fd);

	if (!word_bit_clear(bits.batched, fd - bits.first))
		return; /* another thread's by now */
#endif
	number_release(files, fd);
}

#endif

int number_reserve(struct files_struct *files, unsigned int min, struct file *value)
{
#if FDTABLE_ALLOC != FDTABLE_ALLOC_ATOMIC
	if (more(files)->any_number)
		return reserve_any(files, min, value);
#endif
	return reserve_lowest(files, min, value);
}

#if HAS_SEGMENTS

static bool is_empty(struct files_struct *files, unsigned int fd)
{
	return !atomic_load_explicit(slot_find(files, fd), memory_order_acquire);
}

bool number_mark(struct files_struct *files, unsigned int fd)
{
	struct fd_bits bits = bits_of(files, fd);
	bool was_free = !bits_set(&bits, fd - bits.first);

	/*
	 * Closed again before the bit was set, so its closer did not clear it: nobody would ever, and the
	 * number were lost. The closer emptied the slot, then released the bit; this thread acquired it, so
	 * it sees the slot empty.
	 */
	if (was_free && is_empty(files, fd))
		number_release(files, fd);
	return was_free;
}

#else

bool number_mark(struct files_struct *files, unsigned int fd)
{
	struct fd_bits bits = bits_of(files, fd);
	unsigned int bit = fd - bits.first;

	return !bits_set(&bits, bit) || word_bit_clear(bits.batched, bit);
}

#endif

/*
 * With segments a dup2 may have filled the slot before the bit is cleared: an open number with a clear bit.
 * That does no harm: who claims the bit next finds the slot full, leaves the bit set and searches on, and
 * the number's close clears it.
 */
void number_release(struct files_struct *files, unsigned int fd)
{
	struct fd_bits bits = bits_of(files, fd);

	bits_clear(&bits, fd - bits.first);
}

void number_free(struct files_struct *files, unsigned int fd)
{
#if FDTABLE_ALLOC == FDTABLE_ALLOC_BATCH
	if (more(files)->any_number) {
		struct fd_batch *batch = batch_of(files);

		if (batch) {
			if (batch_is_full(batch))
				batch_give_back(batch, BATCH_REFILL);
			number_put_aside(files, fd);
			batch_push(batch, fd);
			return;
		}
	}
#endif
	number_release(files, fd);
}

#endif

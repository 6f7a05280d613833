#include "bits.h"

#include "points.h"

#if HAS_CHUNKS

/*
 * Acquire: whoever takes a number after another gave it back sees what that one did before. Release: the
 * reverse. Without them a new owner could still see the slot of the last one (number.c).
 */
static unsigned long word_or(fd_word *word, unsigned long mask)
{
	return atomic_fetch_or_explicit(word, mask, memory_order_acq_rel);
}

static unsigned long word_and(fd_word *word, unsigned long mask)
{
	return atomic_fetch_and_explicit(word, mask, memory_order_acq_rel);
}

#else

static unsigned long word_or(fd_word *word, unsigned long mask)
{
	unsigned long old = atomic_load_explicit(word, memory_order_relaxed);

	atomic_store_explicit(word, old | mask, memory_order_relaxed);
	return old;
}

static unsigned long word_and(fd_word *word, unsigned long mask)
{
	unsigned long old = atomic_load_explicit(word, memory_order_relaxed);

	atomic_store_explicit(word, old & mask, memory_order_relaxed);
	return old;
}

#endif

static unsigned long mask_of(unsigned int bit)
{
	return 1UL << (bit % LONG_BITS);
}

bool word_bit(fd_word *words, unsigned int bit)
{
	return atomic_load_explicit(&words[bit / LONG_BITS], memory_order_relaxed) & mask_of(bit);
}

bool word_bit_set(fd_word *words, unsigned int bit)
{
	return word_or(&words[bit / LONG_BITS], mask_of(bit)) & mask_of(bit);
}

bool word_bit_clear(fd_word *words, unsigned int bit)
{
	return word_and(&words[bit / LONG_BITS], ~mask_of(bit)) & mask_of(bit);
}

size_t bits_longs(unsigned int words, unsigned int maps)
{
	return (size_t)words * maps + (words >= FULL_FROM ? words / FULL_BITS : 0);
}

struct fd_bits bits_divide(fd_word *block, unsigned int words, unsigned int maps)
{
	return (struct fd_bits){
		.open = block,
		.close_on_exec = block + words,
		.batched = maps > 2 ? block + 2 * (size_t)words : NULL,
		.full = words >= FULL_FROM ? block + (size_t)maps * words : NULL,
		.words = words,
	};
}

#if HAS_CHUNKS

struct fd_bits bits_of(struct files_struct *files, unsigned int fd)
{
	unsigned int segment = segment_of(fd);
	struct fd_bits bits;

	if (segment == 0)
		return (struct fd_bits){
			.open = embedded_words(files->open_fds_init),
			.close_on_exec = embedded_words(files->close_on_exec_init),
			.batched = more(files)->batched_init,
			.words = 1,
		};
	/* Relaxed: who asks has read the capacity, which was published after the chunk (expand.c). */
	bits = bits_divide(
		atomic_load_explicit(&more(files)->chunk[segment], memory_order_relaxed)->bits,
		segment_size(segment) / LONG_BITS, 3);
	bits.first = segment_first(segment);
	return bits;
}

#else

struct fd_bits bits_of(struct files_struct *files, unsigned int fd)
{
	struct fdtable *fdt = atomic_load_explicit(&files->fdt, memory_order_relaxed);
	struct fd_bits bits =
		bits_divide(set_words(fdt->open_fds), (unsigned int)*max_fdset(fdt) / LONG_BITS, 2);

	(void)fd;
	bits.close_on_exec = set_words(fdt->close_on_exec);
	return bits;
}

#endif

static unsigned long full_load(const struct fd_bits *bits, unsigned int word)
{
	/* Acquire: the claim that follows must not be moved before the version is read (mark_full). */
	return atomic_load_explicit(&bits->full[word / FULL_BITS], memory_order_acquire);
}

static bool word_is_full(const struct fd_bits *bits, unsigned int word)
{
	return atomic_load_explicit(&bits->open[word], memory_order_relaxed) == ~0UL;
}

/*
 * `version` was read before the claim that filled the word. If a bit was given back since, the version has
 * changed, the swap fails and the word is looked at again. Acquire on failure: with the new version comes
 * the cleared bit.
 */
static void mark_full(const struct fd_bits *bits, unsigned int word, unsigned long version)
{
	fd_word *full = &bits->full[word / FULL_BITS];

	while (!atomic_compare_exchange_weak_explicit(full, &version,
		version | 1UL << word % FULL_BITS, memory_order_release, memory_order_acquire)) {
		if (!word_is_full(bits, word))
			return;
	}
}

/* After a bit was cleared. Release: who sees the version sees the cleared bit. */
static void mark_not_full(const struct fd_bits *bits, unsigned int word)
{
	fd_word *full = &bits->full[word / FULL_BITS];
	unsigned long old = atomic_load_explicit(full, memory_order_relaxed);

	while (!atomic_compare_exchange_weak_explicit(full, &old,
		(old & ~(1UL << word % FULL_BITS)) + (1UL << FULL_BITS), memory_order_acq_rel,
		memory_order_relaxed))
		;
}

/* The first word from `word` on that may have a free bit, or bits->words. */
static unsigned int next_word(const struct fd_bits *bits, unsigned int word)
{
	if (!bits->full)
		return word;
	while (word < bits->words) {
		unsigned long maybe =
			(~full_load(bits, word) & ((1UL << FULL_BITS) - 1)) >> word % FULL_BITS;

		if (maybe)
			return word + (unsigned int)__builtin_ctzl(maybe);
		word = (word / FULL_BITS + 1) * FULL_BITS;
	}
	return word;
}

/* Claims of the bits of `mask` in a word those that are free, and says which. */
static unsigned long claim(const struct fd_bits *bits, unsigned int word, unsigned long mask)
{
	unsigned long version = bits->full ? full_load(bits, word) : 0;
	unsigned long old = word_or(&bits->open[word], mask);

	if ((old | mask) == ~0UL && old != ~0UL && bits->full) {
		at_point(POINT_FILLED);
		mark_full(bits, word, version);
	}
	return mask & ~old;
}

bool bits_set(const struct fd_bits *bits, unsigned int bit)
{
	return claim(bits, bit / LONG_BITS, mask_of(bit)) == 0;
}

bool bits_clear(const struct fd_bits *bits, unsigned int bit)
{
	bool was = word_bit_clear(bits->open, bit);

	if (bits->full)
		mark_not_full(bits, bit / LONG_BITS);
	return was;
}

/* The `most` lowest bits of a word that are set. */
static unsigned long lowest_bits(unsigned long word, unsigned int most)
{
	unsigned long rest = word;

	for (unsigned int i = 0; i < most && rest; i++)
		rest &= rest - 1;
	return word & ~rest;
}

/* The bits of a word from `from` on and below `end`, both counted from bit 0 of all words; not empty. */
static unsigned long range_of(unsigned int word, unsigned int from, unsigned int end)
{
	unsigned int first = word * LONG_BITS;
	unsigned long range = ~0UL;

	if (from > first)
		range &= ~0UL << (from - first);
	if (end < first + LONG_BITS)
		range &= (1UL << (end - first)) - 1;
	return range;
}

unsigned long bits_claim_some(const struct fd_bits *bits, unsigned int from, unsigned int end,
	unsigned int most, unsigned int *ret)
{
	unsigned int word = from / LONG_BITS;

	if (end > bits->words * LONG_BITS)
		end = bits->words * LONG_BITS;
	while ((word = next_word(bits, word)) * LONG_BITS < end) {
		unsigned long open = atomic_load_explicit(&bits->open[word], memory_order_relaxed);
		unsigned long free = ~open & range_of(word, from, end);
		unsigned long mine = 0;

		if (free) {
			at_point(POINT_CHOSEN);
			mine = claim(bits, word, lowest_bits(free, most));
		}
		if (mine) {
			*ret = word * LONG_BITS;
			return mine;
		}
		/* Another thread was quicker: the word again. */
		if (!free)
			word++;
	}
	return 0;
}

bool bits_claim(const struct fd_bits *bits, unsigned int from, unsigned int end, unsigned int *ret)
{
	unsigned int first;
	unsigned long mine = from < end ? bits_claim_some(bits, from, end, 1, &first) : 0;

	if (mine)
		*ret = first + (unsigned int)__builtin_ctzl(mine);
	return mine != 0;
}

/*
 * Bitmaps on two levels: a bit a descriptor (set: not free), and a bit a word of those (set: the word is
 * full).
 *
 * Under file_lock (FDTABLE_ALLOC_LOCK) the words are read and written plainly. Otherwise bits are claimed
 * and given back by atomic operations, and the words never move, so no claim is lost while the table grows.
 */
#ifndef FDTABLE_BITS_H
#define FDTABLE_BITS_H

#include "files_struct.h"

/*
 * A stretch of the bitmaps: that of one segment, or all of them when they are contiguous
 * (FDTABLE_ALLOC_LOCK).
 */
struct fd_bits {
	fd_word *open, *close_on_exec,
		*batched;   /* `words` each; batched NULL for FDTABLE_ALLOC_LOCK */
	fd_word *full;      /* NULL: so few words that they have no second level */
	unsigned int first; /* descriptor of bit 0 */
	unsigned int words;
};

/* From so many words on there is a second level: fewer are searched as quickly without. */
enum { FULL_FROM = 64 };

/*
 * Words that each word of the second level stands for. Its upper half is a version, changed by each bit
 * given back: only so can a bit be marked full that was just seen full, and no number be passed over that
 * was free all the time.
 */
enum { FULL_BITS = 4 * sizeof(long) };

/*
 * Longs of a block with `words` words in each of `maps` maps and their second level, and how it is divided.
 */
size_t bits_longs(unsigned int words, unsigned int maps);
struct fd_bits bits_divide(fd_word *block, unsigned int words, unsigned int maps);

/* The stretch with `fd`, which is below the capacity. */
struct fd_bits bits_of(struct files_struct *files, unsigned int fd);

/* Set and clear a bit (its number counts from bits->first) and say whether it was set. */
bool bits_set(const struct fd_bits *bits, unsigned int bit);
bool bits_clear(const struct fd_bits *bits, unsigned int bit);

/* Claims the first free bit from `from` on; false when there is none below `end`. */
bool bits_claim(const struct fd_bits *bits, unsigned int from, unsigned int end, unsigned int *ret);

/*
 * Claims up to `most` free bits of one word from `from` on, below `end`: the mask, 0 when there is none,
 * and the word's first bit.
 */
unsigned long bits_claim_some(const struct fd_bits *bits, unsigned int from, unsigned int end,
	unsigned int most, unsigned int *ret);

/* A bit of another map of the same stretch. */
bool word_bit(fd_word *words, unsigned int bit);
bool word_bit_set(fd_word *words, unsigned int bit);   /* whether it was set before */
bool word_bit_clear(fd_word *words, unsigned int bit); /* whether it was set before */

#endif

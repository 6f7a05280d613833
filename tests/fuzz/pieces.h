/*
 * pieces: one input of a fuzzer that is several byte strings, so that a mutation of one does not shift the others.
 *
 * A byte of flags, then for each piece: its id (a byte), its length (4 bytes, little-endian; what is more than there is, is all
 * that is left), its bytes. Any input is valid. tests/fuzz/corpus.py has the same in Python, and as text.
 */
#ifndef FUZZ_PIECES_H
#define FUZZ_PIECES_H

#include <stddef.h>
#include <stdint.h>

enum { PIECES_MAX = 24, PIECE_HEAD_BYTES = 5 };

struct piece {
	uint8_t id;
	const uint8_t *data; /* in the input */
	size_t size;
};

struct pieces {
	uint8_t flags;
	struct piece items[PIECES_MAX];
	size_t count;
};

void pieces_read(const uint8_t *data, size_t size, struct pieces *ret);

/* Writes them; the size, or 0 when there is not enough room. `out` does not overlap with them. */
size_t pieces_write(const struct pieces *pieces, uint8_t *out, size_t room);

#endif

/*
 * stream: one unpacking under way. Private to unpack.c and unpack/: a file a library.
 */
#ifndef READ_UNPACK_STREAM_H
#define READ_UNPACK_STREAM_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct unpack_stream {
	const uint8_t *in;    /* what is not read yet */
	size_t in_left;
	uint8_t *out;         /* where there is room */
	size_t out_left;
	void *state;          /* the library's */
};

enum unpack_step {
	STEP_MORE, /* the room is full, or the input has ended too early */
	STEP_END,
	STEP_DAMAGED,
};

struct unpack_methods {
	bool (*start)(struct unpack_stream *stream); /* false: no memory */
	enum unpack_step (*step)(struct unpack_stream *stream); /* as far as room and input go */
	void (*stop)(struct unpack_stream *stream);
};

/* As many of `size` bytes as a library takes that counts with an unsigned. */
static inline unsigned stream_at_once(size_t size)
{
	return size < UINT_MAX ? (unsigned)size : UINT_MAX;
}

/* What a library may ask for, a dictionary above all: the largest that Linux and its distributions use is 128 MiB. */
enum { UNPACK_MEMORY_BYTES = 256 << 20 };

extern const struct unpack_methods unpack_gzip, unpack_xz, unpack_lzma, unpack_zstd, unpack_lz4, unpack_lz4_legacy,
	unpack_bzip2;

#endif

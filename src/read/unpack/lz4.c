#include "read/unpack/stream.h"

#include <lz4.h>
#include <lz4frame.h>
#include <string.h>

#include "base/mem.h"
#include "read/bytes.h"

/* ---- the frame of today ---- */

static bool start(struct unpack_stream *stream)
{
	LZ4F_dctx *context;
	if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)))
		return false;
	stream->state = context;
	return true;
}

static enum unpack_step step(struct unpack_stream *stream)
{
	while (stream->out_left) {
		size_t in = stream->in_left, out = stream->out_left;
		size_t result =
			LZ4F_decompress(stream->state, stream->out, &out, stream->in, &in, NULL);
		if (LZ4F_isError(result))
			return STEP_DAMAGED;
		stream->in += in;
		stream->in_left -= in;
		stream->out += out;
		stream->out_left -= out;
		if (result == 0)
			return STEP_END;
		if (!in && !out)
			return STEP_MORE;
	}
	return STEP_MORE;
}

static void stop(struct unpack_stream *stream)
{
	LZ4F_freeDecompressionContext(stream->state);
}

const struct unpack_methods unpack_lz4 = {start, step, stop};

/*
 * ---- the legacy frame ----
 *
 * A magic number, then blocks, each with its packed size before it; nothing says where they end.
 */

enum { MAGIC_BYTES = 4, SIZE_BYTES = 4, BLOCK_BYTES = 8 << 20 };

struct legacy {
	bool has_begun;
	size_t from, to; /* what of the block is not taken yet */
	char block[BLOCK_BYTES];
};

static bool start_legacy(struct unpack_stream *stream)
{
	stream->state = mem_new(1, sizeof(struct legacy));
	return true;
}

/* The next block; false when it is damaged. Without any input left there is none. */
static bool next_block(struct unpack_stream *stream, struct legacy *legacy)
{
	uint32_t size = bytes_u32(stream->in, bytes_swapped(false));
	if (size > stream->in_left - SIZE_BYTES || size > (uint32_t)LZ4_compressBound(BLOCK_BYTES))
		return false;
	int length = LZ4_decompress_safe(
		(const char *)stream->in + SIZE_BYTES, legacy->block, (int)size, BLOCK_BYTES);
	if (length <= 0)
		return false;
	stream->in += SIZE_BYTES + size;
	stream->in_left -= SIZE_BYTES + size;
	legacy->from = 0;
	legacy->to = (size_t)length;
	return true;
}

static void take(struct unpack_stream *stream, struct legacy *legacy)
{
	size_t size = legacy->to - legacy->from;
	if (size > stream->out_left)
		size = stream->out_left;
	memcpy(stream->out, legacy->block + legacy->from, size);
	legacy->from += size;
	stream->out += size;
	stream->out_left -= size;
}

static enum unpack_step step_legacy(struct unpack_stream *stream)
{
	struct legacy *legacy = stream->state;
	if (!legacy->has_begun) {
		if (stream->in_left < MAGIC_BYTES)
			return STEP_DAMAGED;
		stream->in += MAGIC_BYTES;
		stream->in_left -= MAGIC_BYTES;
		legacy->has_begun = true;
	}
	for (;;) {
		take(stream, legacy);
		if (legacy->from < legacy->to)
			return STEP_MORE;
		if (!stream->in_left)
			return STEP_END;
		if (stream->in_left < SIZE_BYTES || !next_block(stream, legacy))
			return STEP_DAMAGED;
	}
}

static void stop_legacy(struct unpack_stream *stream)
{
	mem_free(stream->state);
}

const struct unpack_methods unpack_lz4_legacy = {start_legacy, step_legacy, stop_legacy};

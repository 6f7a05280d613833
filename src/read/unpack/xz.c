#include "read/unpack/stream.h"

#include <lzma.h>

#include "base/mem.h"

static bool started(struct unpack_stream *stream, lzma_stream *lzma, lzma_ret result)
{
	stream->state = lzma;
	if (result == LZMA_OK)
		return true;
	mem_free(lzma);
	return false;
}

static bool start_xz(struct unpack_stream *stream)
{
	lzma_stream *lzma = mem_new(1, sizeof(*lzma));
	return started(stream, lzma, lzma_stream_decoder(lzma, UNPACK_MEMORY_BYTES, 0));
}

static bool start_alone(struct unpack_stream *stream)
{
	lzma_stream *lzma = mem_new(1, sizeof(*lzma));
	return started(stream, lzma, lzma_alone_decoder(lzma, UNPACK_MEMORY_BYTES));
}

static enum unpack_step step(struct unpack_stream *stream)
{
	lzma_stream *lzma = stream->state;
	while (stream->out_left) {
		size_t in = stream->in_left, out = stream->out_left;
		lzma->next_in = stream->in;
		lzma->avail_in = in;
		lzma->next_out = stream->out;
		lzma->avail_out = out;
		lzma_ret result = lzma_code(lzma, LZMA_RUN);
		stream->in += in - lzma->avail_in;
		stream->in_left = lzma->avail_in;
		stream->out += out - lzma->avail_out;
		stream->out_left = lzma->avail_out;
		if (result == LZMA_STREAM_END)
			return STEP_END;
		if (result == LZMA_BUF_ERROR)
			return STEP_MORE;
		if (result != LZMA_OK)
			return STEP_DAMAGED;
		if (in == stream->in_left && out == stream->out_left)
			return STEP_MORE;
	}
	return STEP_MORE;
}

static void stop(struct unpack_stream *stream)
{
	lzma_end(stream->state);
	mem_free(stream->state);
}

const struct unpack_methods unpack_xz = {start_xz, step, stop};
const struct unpack_methods unpack_lzma = {start_alone, step, stop};

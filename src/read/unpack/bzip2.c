#include "read/unpack/stream.h"

#include <bzlib.h>

#include "base/mem.h"

static bool start(struct unpack_stream *stream)
{
	bz_stream *bzip2 = mem_new(1, sizeof(*bzip2));
	stream->state = bzip2;
	if (BZ2_bzDecompressInit(bzip2, 0, 0) == BZ_OK)
		return true;
	mem_free(bzip2);
	return false;
}

static enum unpack_step step(struct unpack_stream *stream)
{
	bz_stream *bzip2 = stream->state;
	while (stream->out_left) {
		unsigned in = stream_at_once(stream->in_left),
			 out = stream_at_once(stream->out_left);
		bzip2->next_in = (char *)(uintptr_t)stream->in;
		bzip2->avail_in = in;
		bzip2->next_out = (char *)stream->out;
		bzip2->avail_out = out;
		int result = BZ2_bzDecompress(bzip2);
		stream->in += in - bzip2->avail_in;
		stream->in_left -= in - bzip2->avail_in;
		stream->out += out - bzip2->avail_out;
		stream->out_left -= out - bzip2->avail_out;
		if (result == BZ_STREAM_END)
			return STEP_END;
		if (result != BZ_OK)
			return STEP_DAMAGED;
		if (in == bzip2->avail_in && out == bzip2->avail_out)
			return STEP_MORE;
	}
	return STEP_MORE;
}

static void stop(struct unpack_stream *stream)
{
	BZ2_bzDecompressEnd(stream->state);
	mem_free(stream->state);
}

const struct unpack_methods unpack_bzip2 = {start, step, stop};

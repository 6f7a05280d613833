#include "read/unpack/stream.h"

#include <string.h>
#include <zstd.h>

/* The library's own limit of a window is 128 MiB. */
static bool start(struct unpack_stream *stream)
{
	stream->state = ZSTD_createDStream();
	return stream->state != NULL;
}

/* Frames behind each other are one file (RFC 8878 section 3). */
static bool goes_on(const struct unpack_stream *stream)
{
	return stream->in_left > 3 && memcmp(stream->in, "\x28\xb5\x2f\xfd", 4) == 0;
}

static enum unpack_step step(struct unpack_stream *stream)
{
	while (stream->out_left) {
		ZSTD_inBuffer in = {stream->in, stream->in_left, 0};
		ZSTD_outBuffer out = {stream->out, stream->out_left, 0};
		size_t result = ZSTD_decompressStream(stream->state, &out, &in);
		if (ZSTD_isError(result))
			return STEP_DAMAGED;
		stream->in += in.pos;
		stream->in_left -= in.pos;
		stream->out += out.pos;
		stream->out_left -= out.pos;
		if (result == 0 && !goes_on(stream))
			return STEP_END;
		if (!in.pos && !out.pos)
			return STEP_MORE;
	}
	return STEP_MORE;
}

static void stop(struct unpack_stream *stream)
{
	ZSTD_freeDStream(stream->state);
}

const struct unpack_methods unpack_zstd = {start, step, stop};

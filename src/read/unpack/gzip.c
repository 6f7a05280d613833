#include "read/unpack/stream.h"

#include <zlib.h>

#include "base/mem.h"

enum { GZIP = 16 }; /* in zlib's window bits: with the header of RFC 1952 */

static bool start(struct unpack_stream *stream)
{
	z_stream *zlib = mem_new(1, sizeof(*zlib));
	stream->state = zlib;
	if (inflateInit2(zlib, GZIP + MAX_WBITS) == Z_OK)
		return true;
	mem_free(zlib);
	return false;
}

/* gzip takes files behind each other for one (RFC 1952 section 2.2). */
static bool goes_on(const struct unpack_stream *stream)
{
	return stream->in_left > 1 && stream->in[0] == 0x1f && stream->in[1] == 0x8b;
}

static enum unpack_step step(struct unpack_stream *stream)
{
	z_stream *zlib = stream->state;
	while (stream->out_left) {
		uInt in = stream_at_once(stream->in_left), out = stream_at_once(stream->out_left);
		zlib->next_in = (z_const Bytef *)(uintptr_t)stream->in;
		zlib->avail_in = in;
		zlib->next_out = stream->out;
		zlib->avail_out = out;
		int result = inflate(zlib, Z_NO_FLUSH);
		stream->in += in - zlib->avail_in;
		stream->in_left -= in - zlib->avail_in;
		stream->out += out - zlib->avail_out;
		stream->out_left -= out - zlib->avail_out;
		if (result == Z_STREAM_END && !goes_on(stream))
			return STEP_END;
		if (result == Z_STREAM_END)
			result = inflateReset(zlib);
		if (result == Z_BUF_ERROR)
			return STEP_MORE;
		if (result != Z_OK)
			return STEP_DAMAGED;
	}
	return STEP_MORE;
}

static void stop(struct unpack_stream *stream)
{
	inflateEnd(stream->state);
	mem_free(stream->state);
}

const struct unpack_methods unpack_gzip = {start, step, stop};

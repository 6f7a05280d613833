#include "read/unpack.h"

#include <string.h>

#include "base/mem.h"
#include "read/unpack/stream.h"

#ifdef UNPACK_LZMA
#define LZMA(methods) (methods)
#else
#define LZMA(methods) NULL
#endif
#ifdef UNPACK_ZSTD
#define ZSTD(methods) (methods)
#else
#define ZSTD(methods) NULL
#endif
#ifdef UNPACK_LZ4
#define LZ4(methods) (methods)
#else
#define LZ4(methods) NULL
#endif
#ifdef UNPACK_BZ2
#define BZ2(methods) (methods)
#else
#define BZ2(methods) NULL
#endif

enum { FIRST_BYTES = 1 << 16 };

/* .lzma has no magic number: the usual properties, and a dictionary of whole 64 KiB. */
static const struct unpack_format formats[] = {
	{"gzip", "gunzip", "\x1f\x8b", 2, &unpack_gzip, false},
	{"xz", "unxz", "\xfd\x37zXZ", 5, LZMA(&unpack_xz), true},
	{"zstd", "unzstd", "\x28\xb5\x2f\xfd", 4, ZSTD(&unpack_zstd), false},
	{"lz4", "unlz4", "\x04\x22\x4d\x18", 4, LZ4(&unpack_lz4), true},
	{"lz4", "unlz4", "\x02\x21\x4c\x18", 4, LZ4(&unpack_lz4_legacy), false},
	{"bzip2", "bunzip2", "BZh", 3, BZ2(&unpack_bzip2), true},
	{"lzma", "unlzma", "\x5d\x00\x00", 3, LZMA(&unpack_lzma), false},
	{"lzop", "lzop -d", "\x89LZO", 4, NULL, false},
};

enum { FORMATS = sizeof(formats) / sizeof(formats[0]) };

const struct unpack_format *unpack_format_of(const uint8_t *head, size_t length)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (length >= formats[i].magic_bytes &&
			memcmp(head, formats[i].magic, formats[i].magic_bytes) == 0)
			return &formats[i];
	return NULL;
}

const struct unpack_format *unpack_format_named(const char *name)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
}

const struct unpack_format *unpack_format_at(size_t i)
{
	return i < FORMATS ? &formats[i] : NULL;
}

uint64_t unpack_believable(uint64_t packed)
{
	enum { AT_LEAST = 64 << 20, TIMES = 100 };
	return packed > (UINT64_MAX - AT_LEAST) / TIMES ? UINT64_MAX : AT_LEAST + TIMES * packed;
}

/* What pixz, pbzip2 and cat put behind each other is one file; xz has padding in between (The .xz File Format, 2.2). */
static bool starts_again(const struct unpack_format *format, struct unpack_stream *stream)
{
	enum { XZ_PADDING = 4 };
	if (!format->is_restarted)
		return false;
	while (format->methods == LZMA(&unpack_xz) && stream->in_left >= XZ_PADDING &&
		memcmp(stream->in, "\0\0\0\0", XZ_PADDING) == 0) {
		stream->in += XZ_PADDING;
		stream->in_left -= XZ_PADDING;
	}
	if (unpack_format_of(stream->in, stream->in_left) != format)
		return false;
	format->methods->stop(stream);
	if (!format->methods->start(stream))
		mem_exhausted();
	return true;
}

/* A packed stream with `most` bytes out of it into memory that grows. */
static enum unpack_result run(const struct unpack_format *format, struct unpack_stream *stream,
	uint64_t most, uint8_t **ret, size_t *ret_bytes)
{
	size_t capacity = 0, filled = 0;
	for (;;) {
		if (filled == most + 1)
			return UNPACK_TOO_LONG;
		if (filled == capacity) {
			*ret = mem_grow(*ret, &capacity, filled + FIRST_BYTES, 1);
			if (capacity > most + 1)
				capacity = (size_t)most + 1; /* one is one too many */
		}
		stream->out = *ret + filled;
		stream->out_left = capacity - filled;
		enum unpack_step step = format->methods->step(stream);
		filled = capacity - stream->out_left;
		*ret_bytes = filled;
		if (step == STEP_DAMAGED)
			return UNPACK_DAMAGED;
		if (step == STEP_END && starts_again(format, stream))
			continue;
		if (step == STEP_END)
			return filled > most ? UNPACK_TOO_LONG : UNPACK_DONE;
		if (stream->out_left)
			return UNPACK_CUT;
	}
}

enum unpack_result unpack(const struct unpack_format *format, const uint8_t *packed, size_t length,
	uint64_t most, uint8_t **ret, size_t *ret_bytes)
{
	struct unpack_stream stream = {.in = packed, .in_left = length};
	*ret = NULL;
	*ret_bytes = 0;
	if (!format->methods->start(&stream))
		mem_exhausted();
	enum unpack_result result = run(format, &stream,
		most < SIZE_MAX / 2 ? most : SIZE_MAX / 2, ret, ret_bytes);
	format->methods->stop(&stream);
	if (result != UNPACK_DONE) {
		mem_free(*ret);
		*ret = NULL;
	}
	return result;
}

size_t unpack_head(const struct unpack_format *format, const uint8_t *packed, size_t length,
	uint8_t *ret, size_t want)
{
	struct unpack_stream stream = {
		.in = packed, .in_left = length, .out = ret, .out_left = want};
	if (!format->methods->start(&stream))
		mem_exhausted();
	format->methods->step(&stream);
	format->methods->stop(&stream);
	return want - stream.out_left;
}

bool unpack_exactly(const struct unpack_format *format, const uint8_t *packed, size_t length,
	uint8_t *ret, size_t want)
{
	uint8_t beyond;
	struct unpack_stream stream = {
		.in = packed, .in_left = length, .out = ret, .out_left = want};
	if (!format->methods->start(&stream))
		mem_exhausted();
	enum unpack_step step = format->methods->step(&stream);
	bool is_full = stream.out_left == 0;
	if (step == STEP_MORE && is_full) { /* what follows the last byte, a checksum perhaps */
		stream.out = &beyond;
		stream.out_left = 1;
		step = format->methods->step(&stream);
		is_full = stream.out_left == 1;
	}
	format->methods->stop(&stream);
	return step == STEP_END && is_full;
}

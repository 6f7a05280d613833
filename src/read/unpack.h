/*
 * unpack: bytes that gzip, xz, zstd, lz4, bzip2 or lzma has packed, as they were.
 *
 * bytes -> [unpack] -> object, collect. In memory, with the libraries that were there when this was built; of the others the
 * name is known. Nothing is trusted: no more comes out than the caller wants, dictionaries are bounded, and what follows
 * the packed bytes is not read. RFC 1952 (gzip), RFC 8878 (zstd), the .xz and .lzma file formats (xz-file-format.txt,
 * lzma-file-format.txt of XZ Utils), lz4_Frame_format.md of LZ4 with its legacy frame, which kernels have.
 */
#ifndef READ_UNPACK_H
#define READ_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct unpack_methods;

struct unpack_format {
	const char *name;    /* "gzip" */
	const char *command; /* that unpacks such a file: "gunzip" */
	const char *magic;
	size_t magic_bytes;
	const struct unpack_methods *methods; /* NULL: its library was not there */
	bool is_restarted;   /* files behind each other are one, and the library stops at the end of each */
};

enum unpack_result {
	UNPACK_DONE,
	UNPACK_DAMAGED,  /* or needs a dictionary without measure */
	UNPACK_CUT,      /* ends too early */
	UNPACK_TOO_LONG, /* more than `most` */
};

enum { UNPACK_MAGIC_BYTES = 5 }; /* as many as unpack_format_of() looks at */

/* What these bytes, the first ones, are packed with; NULL: nothing known. */
const struct unpack_format *unpack_format_of(const uint8_t *head, size_t length);

/* By name; never NULL for those above. */
const struct unpack_format *unpack_format_named(const char *name);

/* The i-th; NULL behind the last one. */
const struct unpack_format *unpack_format_at(size_t i);

static inline bool unpack_is_here(const struct unpack_format *format)
{
	return format->methods != NULL;
}

/* How many bytes are believed to be in `packed` ones, so that a small file does not fill the memory: no binary is packed so well. */
uint64_t unpack_believable(uint64_t packed);

/*
 * All of it: *ret, of *ret_bytes bytes, at most `most`, is the caller's (mem_free); NULL unless UNPACK_DONE. The format
 * is one that is here.
 */
enum unpack_result unpack(const struct unpack_format *format, const uint8_t *packed, size_t length, uint64_t most,
	uint8_t **ret, size_t *ret_bytes);

/* The first `want` bytes of it, or fewer, where it ends or is cut off or damaged: how many they are. */
size_t unpack_head(const struct unpack_format *format, const uint8_t *packed, size_t length, uint8_t *ret,
	size_t want);

/* Exactly `want` bytes into `ret`; false when it is anything else. */
bool unpack_exactly(const struct unpack_format *format, const uint8_t *packed, size_t length, uint8_t *ret,
	size_t want);

#endif

/*
 * bytes: numbers out of untrusted, unaligned bytes of either byte order.
 *
 * Fixed sizes are the caller's to bound; LEB128 (DWARF 5 section 7.6) is bounded by `end` here.
 */
#ifndef READ_BYTES_H
#define READ_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t bytes_u16(const uint8_t *p, bool swap)
{
	uint16_t v;
	memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap16(v) : v;
}

static inline uint32_t bytes_u32(const uint8_t *p, bool swap)
{
	uint32_t v;
	memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap32(v) : v;
}

static inline uint64_t bytes_u64(const uint8_t *p, bool swap)
{
	uint64_t v;
	memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap64(v) : v;
}

/* 1, 2, 3, 4 or 8 bytes, zero-extended. */
static inline uint64_t bytes_uint(const uint8_t *p, size_t size, bool swap)
{
	switch (size) {
	case 1:
		return *p;
	case 2:
		return bytes_u16(p, swap);
	case 3:
		return swap ? (uint64_t)p[0] << 16 | (uint64_t)p[1] << 8 | p[2]
			    : (uint64_t)p[2] << 16 | (uint64_t)p[1] << 8 | p[0];
	case 4:
		return bytes_u32(p, swap);
	default:
		return bytes_u64(p, swap);
	}
}

/* The string at `off` of `size` bytes; NULL when it does not end in them. */
static inline const char *bytes_string(const uint8_t *data, uint64_t size, uint64_t off)
{
	if (off >= size || (data[size - 1] && !memchr(data + off, 0, (size_t)(size - off))))
		return NULL;
	return (const char *)data + off;
}

/* Must this file's numbers be swapped on this machine? */
static inline bool bytes_swapped(bool big_endian)
{
	return big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

/*
 * An unsigned LEB128 at *p, which moves behind it. False when it does not end before `end` or needs more
 * than 64 bits (padding with zero groups is fine).
 */
static inline bool bytes_uleb(const uint8_t **p, const uint8_t *end, uint64_t *ret)
{
	const uint8_t *at = *p;
	if (at < end && *at < 0x80) {
		*ret = *at;
		*p = at + 1;
		return true;
	}
	uint64_t value = 0;
	for (unsigned shift = 0; at < end; shift += 7) {
		uint8_t byte = *at++;
		uint64_t bits = byte & 0x7f;
		if (shift >= 64 ? bits != 0 : shift == 63 && bits > 1)
			return false;
		if (shift < 64)
			value |= bits << shift;
		else
			shift = 64; /* stays below the wrap of an unsigned */
		if (!(byte & 0x80)) {
			*ret = value;
			*p = at;
			return true;
		}
	}
	return false;
}

/*
 * A signed LEB128; false when it does not end before `end`. Bits beyond 64 are dropped (they repeat the
 * sign).
 */
static inline bool bytes_sleb(const uint8_t **p, const uint8_t *end, int64_t *ret)
{
	const uint8_t *at = *p;
	uint64_t value = 0;
	for (unsigned shift = 0; at < end;) {
		uint8_t byte = *at++;
		if (shift < 64) {
			value |= (uint64_t)(byte & 0x7f) << shift;
			shift += 7;
		}
		if (!(byte & 0x80)) {
			if (shift < 64 && (byte & 0x40))
				value |= UINT64_MAX << shift;
			*ret = (int64_t)value;
			*p = at;
			return true;
		}
	}
	return false;
}

#endif

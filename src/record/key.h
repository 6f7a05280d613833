/*
 * record/key: what is counted, in 64 bits: accesses of one kind, to so many bytes at one offset of a class's objects, by
 * threads in one role, inside of operations or outside. In the order of the bits, so that sorted keys are sorted counts.
 */
#ifndef RECORD_KEY_H
#define RECORD_KEY_H

#include <stdbool.h>
#include <stdint.h>

enum llrec_kind {
	LLREC_READ,
	LLREC_WRITE,
	LLREC_RMW,
	LLREC_OTHER, /* no access: an operation whose sequence was not kept */
};

enum {
	LLREC_CLASSES = 1 << 10,
	LLREC_GLOBALS = LLREC_CLASSES - 1, /* the class of variables that nobody tracks */
	LLREC_ROLES = 1 << 6,
	LLREC_SIZE_MAX = 1 << 15,   /* bytes of an access; a longer one is several */
	LLREC_OFFSET_MAX = 1 << 29, /* bytes */
};

#define LLREC_OUTSIDE ((uint64_t)1 << 53)

static inline uint64_t llrec_key(unsigned class_index, unsigned role, enum llrec_kind kind,
	uint64_t off_bytes, uint64_t size_bytes)
{
	return (uint64_t)class_index << 54 | (uint64_t)role << 47 | (uint64_t)kind << 45 |
	       off_bytes << 16 | size_bytes;
}

static inline unsigned llrec_key_class(uint64_t key)
{
	return (unsigned)(key >> 54);
}

static inline bool llrec_key_is_outside(uint64_t key)
{
	return key & LLREC_OUTSIDE;
}

static inline unsigned llrec_key_role(uint64_t key)
{
	return key >> 47 & (LLREC_ROLES - 1);
}

static inline enum llrec_kind llrec_key_kind(uint64_t key)
{
	return (enum llrec_kind)(key >> 45 & 3);
}

static inline uint64_t llrec_key_offset(uint64_t key)
{
	return key >> 16 & (LLREC_OFFSET_MAX - 1);
}

static inline unsigned llrec_key_size(uint64_t key)
{
	return key & 0xffff;
}

#endif

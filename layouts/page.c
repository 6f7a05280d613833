/*
 * Case 3, first half: mem_map[], one struct page for every page of memory, Linux 2.2.5 (April 1999).
 *
 * An element whose size neither divides nor is a multiple of the line lies across two lines, and neighbours
 * share lines that different processors write. BEFORE has 40 bytes (on 32-bit). PATCHED is what was posted:
 * padding of (bytes of the fields) % LINE, which is what is over the last full line, not what is missing to
 * the next. PADDED has what is missing.
 */
#define BEFORE 0
#define PATCHED 1
#define PADDED 2
#ifndef VARIANT
#define VARIANT BEFORE
#endif
#ifndef LINE
#define LINE 32 /* the Xeon of that year */
#endif

#include "case.h"

struct inode;
struct wait_queue;
struct buffer_head;

#define FIELD_BYTES (7 * sizeof(void *) + 2 * sizeof(long) + sizeof(atomic_t))
#define UNPADDED_BYTES (10 * sizeof(long))

typedef struct page {
	struct page *next;
	struct page *prev;
	struct inode *inode;
	unsigned long offset;
	struct page *next_hash;
	atomic_t count;
	unsigned long flags;
	struct wait_queue *wait;
	struct page **pprev_hash;
	struct buffer_head *buffers;
#if VARIANT == PATCHED
	char padding[FIELD_BYTES % LINE];
#elif VARIANT == PADDED
	char padding[(LINE - UNPADDED_BYTES % LINE) % LINE];
#endif
} mem_map_t;

/* 128 elements are 4 kB of mem_map and half a megabyte of memory. */
#define ELEMENTS 128
mem_map_t mem_map[ELEMENTS] __attribute__((aligned(LINE)));

IS(FIELD_BYTES, BY_BITS(40, 76));
#if VARIANT == BEFORE
IS(sizeof(struct page), BY_BITS(40, 80));
IS(UNPADDED_BYTES, sizeof(struct page));
#elif VARIANT == PATCHED
#if LINE == 16
IS(sizeof(struct page), BY_BITS(48, 96));
#else
IS(sizeof(struct page), BY_BITS(BY_LINE(48, 80, 80), BY_LINE(96, 96, 160)));
#endif
#else
#if LINE == 16
IS(sizeof(struct page), BY_BITS(48, 80));
#else
IS(sizeof(struct page), BY_BITS(BY_LINE(64, 64, 128), BY_LINE(96, 128, 128)));
#endif
IS(sizeof(struct page) % LINE, 0);
#endif

/*
 * Lines that hold more than one of the 128 elements, on 32-bit with lines of 32: 96 of 160, then 64 of 192,
 * then none. A line is shared when its first and its last byte lie in different elements.
 */
#if LINE == 32
#define LINES ((sizeof(mem_map) + LINE - 1) / LINE)
#define ELEMENT(byte) ((byte) / sizeof(struct page))
#define SHARED1(line) (ELEMENT((line) * LINE) != ELEMENT((line) * LINE + LINE - 1))
#define SHARED4(line) (SHARED1(line) + SHARED1((line) + 1) + SHARED1((line) + 2) + SHARED1((line) + 3))
#define SHARED16(line) (SHARED4(line) + SHARED4((line) + 4) + SHARED4((line) + 8) + SHARED4((line) + 12))
#define SHARED32(line) (SHARED16(line) + SHARED16((line) + 16))
#define SHARED160 (SHARED32(0) + SHARED32(32) + SHARED32(64) + SHARED32(96) + SHARED32(128))
#if VARIANT == BEFORE
IS(BY_BITS(LINES, 160), 160);
IS(BY_BITS(SHARED160, 96), 96);
#elif VARIANT == PATCHED
IS(BY_BITS(LINES, 192), 192);
IS(BY_BITS(SHARED160 + SHARED32(160), 64), 64);
#else
IS(BY_BITS(SHARED160 + SHARED32(160) + SHARED32(192) + SHARED32(224), 0), 0);
#endif
#endif

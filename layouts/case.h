/*
 * What the five cases share: their two parameters, the small types of the kernels they come from, and a way
 * to state figures that the compiler then checks.
 *
 *   -DVARIANT=NAME  which layout: each source lists its own names, the first is the default
 *   -DLINE=BYTES    the cache line that the code is compiled for: 32, 64 or 128
 *   -m32            i386 instead of x86-64
 *
 * Types and sizes are those of an SMP kernel without lock debugging.
 */
#ifndef LAYOUTS_CASE_H
#define LAYOUTS_CASE_H

#include <stddef.h>

#ifndef LINE
#define LINE 64
#endif

/* The kernel's ____cacheline_aligned_in_smp. */
#define starts_a_line __attribute__((aligned(LINE)))

#define BITS (8 * (int)sizeof(long))
#define BY_BITS(on32, on64) (BITS == 32 ? (on32) : (on64))
#define BY_LINE(at32, at64, at128) (LINE == 32 ? (at32) : LINE == 64 ? (at64) : (at128))

#define IS(figure, expected) _Static_assert((figure) == (expected), #figure " is not " #expected)

typedef struct {
	volatile int counter;
} atomic_t;

typedef struct {
	volatile long counter;
} atomic_long_t;

typedef struct {
	volatile unsigned int slock;
} spinlock_t;

struct rcu_head {
	struct rcu_head *next;
	void (*func)(struct rcu_head *head);
};

struct list_head {
	struct list_head *next, *prev;
};

struct file;

IS(sizeof(atomic_t), 4);
IS(sizeof(spinlock_t), 4);
IS(sizeof(struct rcu_head), 2 * sizeof(void *));

#endif

/*
 * struct files_struct and struct fdtable in the layout that -DFDTABLE_LAYOUT chooses. Internal.
 *
 * The historical layouts have the members, the order and the sizes of their time (x86-64, asserted below).
 * What this library knows beyond them (the limit, the directories of the newer policies) then stands behind
 * the struct, in struct files_more on lines of its own; FDTABLE_BEST has all in one. more() hides the
 * difference, and so do next_fd() and the rest for what wandered between the structs.
 *
 * Source of the historical layouts: Linux 2.6.14-rc1, include/linux/file.h; E. Dumazet, "Reorganize
 * files_struct" (linux-kernel, September 2005).
 */
#ifndef FDTABLE_FILES_STRUCT_H
#define FDTABLE_FILES_STRUCT_H

#include <stdint.h>

#include "fdtable.h"
#include "lock.h"
#include "rcu.h"

#define starts_a_line _Alignas(FDTABLE_LINE)

/* Bits of a long, and its logarithm. */
#if __SIZEOF_LONG__ == 8
#define LONG_SHIFT 6
#else
#define LONG_SHIFT 5
#endif
#define LONG_BITS (1U << LONG_SHIFT)

/*
 * Segment 0 has NR_OPEN_DEFAULT descriptors and each later one as many as all before: 20 is FDTABLE_MAX's
 * logarithm.
 */
#define SEGMENTS (20 - LONG_SHIFT + 1)
_Static_assert(FDTABLE_MAX == 1 << 20 && NR_OPEN_DEFAULT == LONG_BITS, "SEGMENTS relies on these");

/* Which members the policies need. */
#define HAS_SEGMENTS                                                                               \
	(FDTABLE_INSTALL == FDTABLE_INSTALL_BEST) /* slots never move; else fdt->fd, replaced */
#define HAS_CHUNKS                                                                                 \
	(FDTABLE_ALLOC != FDTABLE_ALLOC_LOCK) /* bits never move; else fdt->open_fds, copied */
#define HAS_FDT (!HAS_SEGMENTS || !HAS_CHUNKS)

typedef struct {
	_Atomic int counter;
} atomic_t;

/* The kernel's seqcount_t. */
typedef struct {
	_Atomic unsigned int sequence;
} seqcount_t;

typedef _Atomic(unsigned long) fd_word;

/* A pointer to a file, and the flags of slot.h. */
typedef _Atomic(struct file *) fd_slot;

/* The C library's set for select(2), 1024 descriptors: the kernel calls it fd_set, which is taken here. */
typedef struct {
	fd_word fds_bits[1024 / (8 * sizeof(long))];
} kernel_fd_set;

struct fd_batch;
struct fdtable;

/*
 * Bits of the descriptors of one segment: open, close on exec, held by a thread's batch; and which words
 * are full.
 */
struct fd_chunk {
	fd_word bits[1];
};

/* What no layout before FDTABLE_BEST has a place for. One list of members, in two places. */
#define MORE_READ_MOSTLY                                                                           \
	_Atomic unsigned int limit;                                                                \
	_Atomic unsigned int capacity; /* descriptors that have a slot and bits */                 \
	bool any_number;

#define MORE_WRITTEN_BY_GROWTH                                                                     \
	spinlock_t grow_lock;          /* one grows at a time; taken before file_lock */           \
	_Atomic unsigned long retries; /* of fd_install */                                         \
	struct fd_batch *batches;      /* of all threads; under batch.c's lock */

#if FDTABLE_LAYOUT == FDTABLE_BEST

struct fdtable {
	unsigned int max_fds;
	fd_slot *fd;
	fd_word *close_on_exec;
	fd_word *open_fds;
	struct rcu_head rcu;
};

struct files_struct {
	/* Read by every lookup and alloc; written by growth. */
	atomic_t count;
	MORE_READ_MOSTLY
#if FDTABLE_INSTALL == FDTABLE_INSTALL_SEQCOUNT
	seqcount_t fdt_seqcount;
#elif FDTABLE_INSTALL == FDTABLE_INSTALL_RESIZE
	_Atomic bool resize_in_progress;
#endif
#if HAS_FDT
	_Atomic(struct fdtable *) fdt;
	struct fdtable fdtab;
#endif
#if HAS_SEGMENTS
	_Atomic(fd_slot *) segment[SEGMENTS];
#endif
#if HAS_CHUNKS
	_Atomic(struct fd_chunk *) chunk[SEGMENTS];
#endif
	struct rcu_head rcu;
	/* Written by open and close. */
	starts_a_line spinlock_t file_lock;
	unsigned int next_fd;
	fd_word open_fds_init[1];
	fd_word close_on_exec_init[1];
	fd_word batched_init[1];
	/* Written by growth only. */
	MORE_WRITTEN_BY_GROWTH
	starts_a_line fd_slot fd_array[NR_OPEN_DEFAULT];
};

/* All of a table, as it is allocated. */
struct files {
	struct files_struct table;
};
#define more(files)       (files)
#define next_fd(files)    (&(files)->next_fd)
#define has_sets_of_words 1

#else

#if FDTABLE_LAYOUT == FDTABLE_LINUX_2_6_13

struct fdtable {
	unsigned int max_fds;
	int max_fdset;
	int next_fd;
	fd_slot *fd;
	kernel_fd_set *close_on_exec;
	kernel_fd_set *open_fds;
	struct rcu_head rcu;
	struct files_struct *free_files;
	struct fdtable *next;
};

struct files_struct {
	atomic_t count;
	spinlock_t file_lock;
	_Atomic(struct fdtable *) fdt;
	struct fdtable fdtab;
	kernel_fd_set close_on_exec_init;
	kernel_fd_set open_fds_init;
	fd_slot fd_array[NR_OPEN_DEFAULT];
};

#else

#if FDTABLE_LAYOUT == FDTABLE_DUMAZET_2005
typedef kernel_fd_set embedded_fd_set;
#else
typedef struct {
	fd_word fds_bits[1];
} embedded_fd_set;
#endif

struct fdtable {
	unsigned int max_fds;
	int max_fdset;
	fd_slot *fd;
	kernel_fd_set *close_on_exec;
	kernel_fd_set *open_fds;
	struct rcu_head rcu;
	struct files_struct *free_files;
	struct fdtable *next;
};

struct files_struct {
	/* Read mostly. */
	atomic_t count;
	/* The policies of 2015 in the hole behind count. */
#if FDTABLE_INSTALL == FDTABLE_INSTALL_SEQCOUNT
	seqcount_t fdt_seqcount;
#elif FDTABLE_INSTALL == FDTABLE_INSTALL_RESIZE
	_Atomic bool resize_in_progress;
#endif
	_Atomic(struct fdtable *) fdt;
	struct fdtable fdtab;
	/* Written by open and close. */
	starts_a_line spinlock_t file_lock;
	int next_fd;
	embedded_fd_set close_on_exec_init;
	embedded_fd_set open_fds_init;
	fd_slot fd_array[NR_OPEN_DEFAULT];
};

#endif

struct files_more {
	MORE_READ_MOSTLY
#if FDTABLE_LAYOUT == FDTABLE_LINUX_2_6_13 && FDTABLE_INSTALL == FDTABLE_INSTALL_SEQCOUNT
	seqcount_t fdt_seqcount;
#elif FDTABLE_LAYOUT == FDTABLE_LINUX_2_6_13 && FDTABLE_INSTALL == FDTABLE_INSTALL_RESIZE
	_Atomic bool resize_in_progress;
#endif
#if HAS_SEGMENTS
	_Atomic(fd_slot *) segment[SEGMENTS];
#endif
#if HAS_CHUNKS
	_Atomic(struct fd_chunk *) chunk[SEGMENTS];
#endif
	struct rcu_head rcu;
	starts_a_line fd_word batched_init[1];
	starts_a_line MORE_WRITTEN_BY_GROWTH
};

/* All of a table, as it is allocated. */
struct files {
	struct files_struct table;
	starts_a_line struct files_more more;
};
#define more(table_)      (&container_of(table_, struct files, table)->more)
#define has_sets_of_words 0

#if FDTABLE_LAYOUT == FDTABLE_LINUX_2_6_13
#define next_fd(files) (&atomic_load_explicit(&(files)->fdt, memory_order_relaxed)->next_fd)
#else
#define next_fd(files) (&(files)->next_fd)
#endif

/* -DFDTABLE_RELAID: somebody has changed the layout, as loop.py does. */
#if __SIZEOF_LONG__ == 8 && FDTABLE_LINE == 64 && !defined(FDTABLE_RELAID)
_Static_assert(sizeof(struct fdtable) == (FDTABLE_LAYOUT == FDTABLE_LINUX_2_6_13 ? 72 : 64),
	"struct fdtable");
_Static_assert(
	sizeof(struct files_struct) == (FDTABLE_LAYOUT == FDTABLE_LINUX_2_6_13          ? 856
					       : FDTABLE_LAYOUT == FDTABLE_DUMAZET_2005 ? 960
											: 704),
	"struct files_struct");
#endif

#endif

#if FDTABLE_LAYOUT == FDTABLE_LINUX_2_6_13
#define policy(files) more(files)
#else
#define policy(files) (files)
#endif

/* The words of a set, and a set of words, whatever the layout calls it. */
#if has_sets_of_words
#define set_words(set)      (set)
#define words_set(words)    (words)
#define embedded_words(set) (set)
#define max_fdset(fdt)      (&(fdt)->max_fds)
#else
#define set_words(set)      ((set)->fds_bits)
#define words_set(words)    ((kernel_fd_set *)(uintptr_t)(words))
#define embedded_words(set) ((set).fds_bits)
#define max_fdset(fdt)      (&(fdt)->max_fdset)
#endif

/* Segments: which one has the number, its first number, how many it has. */
static inline unsigned int segment_of(unsigned int fd)
{
	unsigned int high = 8 * (unsigned int)sizeof(int) - 1 -
			    (unsigned int)__builtin_clz(fd | (LONG_BITS - 1));

	return high - (LONG_SHIFT - 1);
}

static inline unsigned int segment_first(unsigned int segment)
{
	return segment == 0 ? 0 : LONG_BITS << (segment - 1);
}

static inline unsigned int segment_size(unsigned int segment)
{
	return segment == 0 ? LONG_BITS : LONG_BITS << (segment - 1);
}

#endif

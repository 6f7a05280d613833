/*
 * Case 1: the table of open files that all threads of a process share, Linux 2.6.14-rc1 (September 2005).
 *
 * Every lookup of a file descriptor reads the reference count, the pointer to the table and the table.
 * Every open and close writes the lock, the hint where to look for a free number, and the bitmaps. BEFORE
 * mixes the two. AFTER puts what is read first and what is written behind it, on a line of its own.
 * AFTER_LONG also shrinks the two embedded sets from fd_set to one long each, which is all that the
 * embedded table of descriptors needs.
 */
#define BEFORE 0
#define AFTER 1
#define AFTER_LONG 2
#ifndef VARIANT
#define VARIANT BEFORE
#endif

#include "case.h"

#define NR_OPEN_DEFAULT BITS

/* The C library's set for select(2): 1024 descriptors. */
typedef struct {
	unsigned long fds_bits[1024 / (8 * sizeof(long))];
} kernel_fd_set;
typedef kernel_fd_set fd_set;

struct files_struct;

struct fdtable {
	unsigned int max_fds;
	int max_fdset;
#if VARIANT == BEFORE
	int next_fd;
#endif
	struct file **fd;
	fd_set *close_on_exec;
	fd_set *open_fds;
	struct rcu_head rcu;
	struct files_struct *free_files;
	struct fdtable *next;
};

#if VARIANT == BEFORE
struct files_struct {
	atomic_t count;
	spinlock_t file_lock;
	struct fdtable *fdt;
	struct fdtable fdtab;
	fd_set close_on_exec_init;
	fd_set open_fds_init;
	struct file *fd_array[NR_OPEN_DEFAULT];
};
#else

#if VARIANT == AFTER
typedef fd_set embedded_set;
#else
typedef unsigned long embedded_set;
#endif

struct files_struct {
	/* Read mostly. */
	atomic_t count;
	struct fdtable *fdt;
	struct fdtable fdtab;
	/* Written by open and close. */
	spinlock_t file_lock starts_a_line;
	int next_fd;
	embedded_set close_on_exec_init;
	embedded_set open_fds_init;
	struct file *fd_array[NR_OPEN_DEFAULT];
};
#endif

struct files_struct init_files;

IS(sizeof(fd_set), 128);

#if VARIANT == BEFORE
IS(sizeof(struct fdtable), BY_BITS(40, 72));
IS(sizeof(struct files_struct), BY_BITS(436, 856));
IS(offsetof(struct files_struct, file_lock), 4);
IS(offsetof(struct files_struct, fdtab.next_fd), BY_BITS(20, 24));
#else
IS(sizeof(struct fdtable), BY_BITS(36, 64));
IS(offsetof(struct files_struct, file_lock), BY_BITS(BY_LINE(64, 64, 128), BY_LINE(96, 128, 128)));
IS(offsetof(struct files_struct, next_fd), offsetof(struct files_struct, file_lock) + 4);
#endif

#if VARIANT == AFTER
IS(sizeof(struct files_struct), BY_BITS(BY_LINE(480, 512, 640), BY_LINE(896, 960, 1024)));
#elif VARIANT == AFTER_LONG
IS(sizeof(struct files_struct), BY_BITS(BY_LINE(224, 256, 384), BY_LINE(640, 704, 768)));
/* Two sets of fd_set waste this much for a program with few files (on 32-bit). */
IS(2 * (sizeof(fd_set) - sizeof(embedded_set)), BY_BITS(248, 240));
#endif

/*
 * files_cache is a slab of its own, aligned to the line of the machine that it runs on. Compiled for lines
 * of 64 bytes and run on a NetBurst Xeon, which aligns to 128, an i386 object goes from 512 bytes to 256,
 * 15 of them in a slab of one page; on a machine that aligns to 64 from 448.
 */
#define SLAB(alignment) ((sizeof(struct files_struct) + (alignment)-1) / (alignment) * (alignment))
#if LINE == 64
#if VARIANT == BEFORE
IS(SLAB(128), BY_BITS(512, 896));
IS(SLAB(64), BY_BITS(448, 896));
#elif VARIANT == AFTER
IS(SLAB(128), BY_BITS(512, 1024));
#else
IS(SLAB(128), BY_BITS(256, 768));
IS(SLAB(64), BY_BITS(256, 704));
IS(4096 / SLAB(128) - 1, BY_BITS(15, 4)); /* one object's place is taken by the slab's own head */
#endif
#endif

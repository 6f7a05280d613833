/*
 * Case 4: storing a new file in the table without the lock, Linux 4.0 (April 2015).
 *
 * An open takes file_lock twice: to find a free number, and to store the pointer. BEFORE is the struct of
 * that time. AFTER stores the pointer under a sequence counter, fdt_seqcount, that is written only while
 * the table is being grown; here it lies in the hole behind count, with what is read mostly, and costs no
 * byte. BESIDE_LOCK is the tempting mistake: the counter beside the lock, where every open and close takes
 * its line away from those who only read it.
 */
#define BEFORE 0
#define BESIDE_LOCK 1
#define AFTER 2
#ifndef VARIANT
#define VARIANT BEFORE
#endif

#include "case.h"

#define NR_OPEN_DEFAULT BITS

typedef struct seqcount {
	unsigned int sequence;
} seqcount_t;

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
	unsigned long *close_on_exec;
	unsigned long *open_fds;
	struct rcu_head rcu;
};

struct files_struct {
	/* Read mostly. */
	atomic_t count;
#if VARIANT == AFTER
	seqcount_t fdt_seqcount;
#endif
	struct fdtable *fdt;
	struct fdtable fdtab;
	/* Written by open and close. */
	spinlock_t file_lock starts_a_line;
#if VARIANT == BESIDE_LOCK
	seqcount_t fdt_seqcount;
#endif
	int next_fd;
	unsigned long close_on_exec_init[1];
	unsigned long open_fds_init[1];
	struct file *fd_array[NR_OPEN_DEFAULT];
};

struct files_struct init_files;

IS(sizeof(struct fdtable), BY_BITS(24, 48));
#if LINE == 64
IS(offsetof(struct files_struct, file_lock), 64);
IS(sizeof(struct files_struct), BY_BITS(256, 640));
#endif
#if VARIANT == AFTER
IS(offsetof(struct files_struct, fdt_seqcount), 4);
#elif VARIANT == BESIDE_LOCK
IS(offsetof(struct files_struct, fdt_seqcount), offsetof(struct files_struct, file_lock) + 4);
#endif

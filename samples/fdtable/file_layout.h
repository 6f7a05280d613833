/*
 * struct file, in the order of members that -DFILE_LAYOUT chooses. It is part of fdtable.h.
 *
 *   FILE_LINUX_5_8   Linux 5.8: f_count between what every lookup reads
 *   FILE_COUNT_LAST  the same, f_count moved to the end (S. Zhang and Y. Jin, June 2020)
 *   FILE_BEST        what this library needs, on one line: a lookup that takes a reference touches no other
 *
 * The two historical ones have all members of Linux 5.8 at their offsets (x86-64: 256 bytes), so that a
 * measurement is one of the layout; most are the user's, to do with what he likes.
 */
#ifndef FDTABLE_FILE_LAYOUT_H
#define FDTABLE_FILE_LAYOUT_H

#include <stdatomic.h>
#include <urcu/urcu-bp.h>

#define FILE_LINUX_5_8  1
#define FILE_COUNT_LAST 2
#define FILE_BEST       3

#ifndef FILE_LAYOUT
#define FILE_LAYOUT FILE_BEST
#endif

struct file_operations;

typedef struct {
	_Atomic long counter;
} atomic_long_t;

#if FILE_LAYOUT == FILE_BEST

struct file {
	atomic_long_t f_count; /* references */
	unsigned int f_flags;
	unsigned int f_mode;
	const struct file_operations *f_op;
	void *private_data;
	union {
		struct rcu_head fu_rcuhead;
	} f_u;
};

#else

struct file {
	union {
		struct rcu_head fu_rcuhead;
	} f_u;
	struct {
		void *mnt, *dentry;
	} f_path;
	void *f_inode;
	const struct file_operations *f_op;
	unsigned int f_lock;
	unsigned int f_write_hint;
#if FILE_LAYOUT == FILE_LINUX_5_8
	atomic_long_t f_count;
#endif
	unsigned int f_flags;
	unsigned int f_mode;
	struct {
		atomic_long_t owner;
		unsigned int wait_lock, osq;
		void *wait_list[2];
	} f_pos_lock;
	long long f_pos;
	struct {
		unsigned int lock[2];
		void *pid;
		unsigned int pid_type, uid, euid;
		int signum;
	} f_owner;
	const void *f_cred;
	struct {
		unsigned long start;
		unsigned int size, async_size, ra_pages, mmap_miss;
		long long prev_pos;
	} f_ra;
	unsigned long long f_version;
	void *f_security;
	void *private_data;
	void *f_ep_links[2];
	void *f_tfile_llink[2];
	void *f_mapping;
	unsigned int f_wb_err;
	unsigned int f_sb_err;
#if FILE_LAYOUT == FILE_COUNT_LAST
	atomic_long_t f_count;
#endif
};

#if __SIZEOF_LONG__ == 8
_Static_assert(sizeof(struct file) == 256, "the size of Linux 5.8's struct file");
#endif

#endif

#endif

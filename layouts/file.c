/*
 * Case 2: an open file, Linux 5.8 (June 2020): the reference count against what every lookup reads.
 *
 * A lookup compares f_mode with a mask and then takes a reference in f_count with an atomic. BEFORE has
 * f_count between f_write_hint and f_flags; AFTER moves that one field to the end. The authors saw the two
 * on one line, which is true for lines of 128 bytes and on i386; with lines of 64 on x86-64 it is f_op,
 * f_inode and f_path that f_count disturbs.
 */
#define BEFORE 0
#define AFTER 1
#ifndef VARIANT
#define VARIANT BEFORE
#endif

#include "case.h"

typedef long long loff_t;
typedef unsigned int fmode_t;
typedef unsigned int errseq_t;
typedef unsigned long long u64;

struct vfsmount;
struct dentry;
struct inode;
struct file_operations;
struct address_space;
struct cred;
struct pid;

struct llist_node {
	struct llist_node *next;
};

struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
};

enum rw_hint { WRITE_LIFE_NOT_SET, WRITE_LIFE_NONE, WRITE_LIFE_SHORT };

/* A queued lock, and the queue of optimistic spinners. */
typedef struct {
	atomic_t cnts;
	spinlock_t wait_lock;
} rwlock_t;

struct optimistic_spin_queue {
	atomic_t tail;
};

struct mutex {
	atomic_long_t owner;
	spinlock_t wait_lock;
	struct optimistic_spin_queue osq;
	struct list_head wait_list;
};

enum pid_type { PIDTYPE_PID, PIDTYPE_TGID, PIDTYPE_PGID, PIDTYPE_SID };

typedef struct {
	unsigned int val;
} kuid_t;

struct fown_struct {
	rwlock_t lock;
	struct pid *pid;
	enum pid_type pid_type;
	kuid_t uid, euid;
	int signum;
};

struct file_ra_state {
	unsigned long start;
	unsigned int size;
	unsigned int async_size;
	unsigned int ra_pages;
	unsigned int mmap_miss;
	loff_t prev_pos;
};

struct file {
	union {
		struct llist_node fu_llist;
		struct rcu_head fu_rcuhead;
	} f_u;
	struct path f_path;
	struct inode *f_inode;
	const struct file_operations *f_op;
	spinlock_t f_lock;
	enum rw_hint f_write_hint;
#if VARIANT == BEFORE
	atomic_long_t f_count;
#endif
	unsigned int f_flags;
	fmode_t f_mode;
	struct mutex f_pos_lock;
	loff_t f_pos;
	struct fown_struct f_owner;
	const struct cred *f_cred;
	struct file_ra_state f_ra;
	u64 f_version;
	void *f_security;
	void *private_data;
	struct list_head f_ep_links;
	struct list_head f_tfile_llink;
	struct address_space *f_mapping;
	errseq_t f_wb_err;
	errseq_t f_sb_err;
#if VARIANT == AFTER
	atomic_long_t f_count;
#endif
} __attribute__((aligned(4))); /* its address leaves two low bits free */

struct file a_file;

IS(sizeof(struct mutex), BY_BITS(20, 32));
IS(sizeof(struct fown_struct), BY_BITS(28, 32));
IS(sizeof(struct file_ra_state), BY_BITS(28, 32));
IS(sizeof(struct file), BY_BITS(176, 256));
IS(offsetof(struct file, f_op), BY_BITS(20, 40));
#if VARIANT == BEFORE
IS(offsetof(struct file, f_count), BY_BITS(32, 56));
IS(offsetof(struct file, f_mode), BY_BITS(40, 68));
/* One line for both at 128, and on i386 at every line; two lines at 64 on x86-64. */
IS(offsetof(struct file, f_count) / 128, offsetof(struct file, f_mode) / 128);
IS(offsetof(struct file, f_count) / 64, offsetof(struct file, f_mode) / 64 - BY_BITS(0, 1));
IS(offsetof(struct file, f_count) / 32, offsetof(struct file, f_mode) / 32 - BY_BITS(0, 1));
#else
IS(offsetof(struct file, f_mode), BY_BITS(36, 60));
IS(offsetof(struct file, f_count), BY_BITS(172, 248));
IS(offsetof(struct file, f_count) / 64, BY_BITS(2, 3));
#endif

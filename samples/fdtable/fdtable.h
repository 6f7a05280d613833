/*
 * fdtable: a scalable table of file descriptors in user space.
 *
 * A number (0 to FDTABLE_MAX - 1) names a reference-counted object, as in Linux's fs/file.c: looking one up
 * takes no lock, opening and closing scale, the table grows under its readers. What was tried on the kernel
 * between 2005 and 2015 can be chosen when the library is built, from one source:
 *
 *   -DFDTABLE_LAYOUT=   FDTABLE_LINUX_2_6_13 | FDTABLE_DUMAZET_2005 | FDTABLE_DUMAZET_2005_LONG | FDTABLE_BEST
 *   -DFDTABLE_INSTALL=  FDTABLE_INSTALL_LOCK | FDTABLE_INSTALL_SEQCOUNT | FDTABLE_INSTALL_RESIZE | FDTABLE_INSTALL_BEST
 *   -DFDTABLE_ALLOC=    FDTABLE_ALLOC_LOCK | FDTABLE_ALLOC_ATOMIC | FDTABLE_ALLOC_HINT | FDTABLE_ALLOC_BATCH
 *
 * The library needs liburcu, flavour bp: its reader threads need not register. Every function may be called
 * by any thread at any time unless it says otherwise. Functions that return int return a number or 0, and a
 * negative errno value when they fail: -EBADF (no such descriptor), -EMFILE (the limit is reached),
 * -ENOMEM, -EBUSY (a number that an open in progress has reserved), -EINVAL (a number or range that cannot
 * be).
 *
 * Sources: POSIX.1-2017 XSH 2.14 (File Descriptor Allocation), close, dup2, fcntl; the Linux kernel's
 * fs/file.c and Documentation/filesystems/files.rst; E. Dumazet, "Reorganize files_struct" (linux-kernel,
 * September 2005); M. Guzik, "fs: allow fd_install without the lock" (linux-fsdevel, April 2015).
 */
#ifndef FDTABLE_H
#define FDTABLE_H

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <urcu/urcu-bp.h>

#define FDTABLE_LINUX_2_6_13      1
#define FDTABLE_DUMAZET_2005      2
#define FDTABLE_DUMAZET_2005_LONG 3
#define FDTABLE_BEST              4

#define FDTABLE_INSTALL_LOCK     1
#define FDTABLE_INSTALL_SEQCOUNT 2
#define FDTABLE_INSTALL_RESIZE   3
#define FDTABLE_INSTALL_BEST     4

#define FDTABLE_ALLOC_LOCK   1 /* the bitmap under file_lock */
#define FDTABLE_ALLOC_ATOMIC 2 /* bits claimed by compare-and-swap, searched from the start */
#define FDTABLE_ALLOC_HINT   3 /* the same, each thread searching from a place of its own */
#define FDTABLE_ALLOC_BATCH  4 /* the same, each thread claiming several numbers at a time */

#ifndef FDTABLE_LAYOUT
#define FDTABLE_LAYOUT FDTABLE_BEST
#endif
#ifndef FDTABLE_INSTALL
#define FDTABLE_INSTALL FDTABLE_INSTALL_BEST
#endif
#ifndef FDTABLE_ALLOC
#define FDTABLE_ALLOC                                                                              \
	(FDTABLE_INSTALL == FDTABLE_INSTALL_BEST ? FDTABLE_ALLOC_BATCH : FDTABLE_ALLOC_LOCK)
#endif

/* Bytes of a cache line. */
#ifndef FDTABLE_LINE
#define FDTABLE_LINE 64
#endif

enum {
	FDTABLE_MAX = 1 << 20, /* descriptors */
	NR_OPEN_DEFAULT =
		8 * sizeof(long), /* descriptors in the part of the table that is embedded */
};

struct files_struct; /* a table; its layout is files_struct.h's */
struct file;

struct file_operations {
	/*
	 * The last reference went: close what the file stands for. Its memory stays until readers that may
	 * still look at it are done, then `free` is called (NULL: free()). Neither may call into the table
	 * of the file while it holds locks of the caller's that its callers hold too.
	 */
	void (*release)(struct file *file);
	void (*free)(
		struct file *file); /* NULL: what fdtable_set_memory() set, free() if nothing */
	/*
	 * free is called at once, without a grace period (as Linux since 6.7 does with
	 * SLAB_TYPESAFE_BY_RCU). The memory may become a file again by file_init, but nothing else before a
	 * grace period: readers may still try to take a reference. What fd_peek returns may then be another
	 * file already.
	 */
	bool reusable;
};

/*
 * An open file, embedded in an object of the user's or pointing at one. Members other than private_data are
 * the library's.
 */
#include "file_layout.h"

/* A file with one reference, the caller's. */
void file_init(
	struct file *file, const struct file_operations *op, unsigned int mode, void *private_data);

/*
 * The same in memory of its own that starts on a cache line, so that threads' files do not disturb each
 * other. Error: -ENOMEM.
 */
int file_new(
	const struct file_operations *op, unsigned int mode, void *private_data, struct file **ret);

/* One reference more, for who has one. */
void fget_again(struct file *file);

/* Drops a reference; the last one calls release, and free after a grace period. */
void fput(struct file *file);

struct fdtable_options {
	unsigned int limit; /* descriptors; 0: FDTABLE_MAX; more than FDTABLE_MAX: -EINVAL */
	bool any_number; /* numbers need not be the lowest free one: faster where threads open at the same time */
};

/* options NULL: all zero. Error: -ENOMEM, -EINVAL. */
int files_create(const struct fdtable_options *options, struct files_struct **ret);

/* Closes all, frees the table after a grace period. No other thread may use it any more. */
void files_destroy(struct files_struct *files);

/*
 * Users of a table, of whom files_create made one: each thread, say. The last files_put destroys it. With
 * one user (and no other thread in the table) fget_light takes no reference; it says in *fput_needed
 * whether it took one. As in Linux.
 */
void files_get(struct files_struct *files);
void files_put(struct files_struct *files);
struct file *fget_light(struct files_struct *files, unsigned int fd, bool *fput_needed);

/*
 * fork: a table of its own with the same files under the same numbers, a reference more each. What another
 * thread opens or closes meanwhile may or may not be in it; reserved numbers are free in it. Error:
 * -ENOMEM, -EMFILE.
 */
int files_fork(struct files_struct *files, struct files_struct **ret);

/* exec: closes all that is close-on-exec. */
void files_exec(struct files_struct *files);

/*
 * Reserves a number from `min` on: the lowest free one, unless any_number. It is nobody else's, and names
 * nothing (lookups fail) until fd_install; fd_cancel gives it back. Errors: -EMFILE, -ENOMEM, -EINVAL (min
 * not below the limit).
 */
int fd_alloc(struct files_struct *files, unsigned int min, bool cloexec);
void fd_install(struct files_struct *files, unsigned int fd,
	struct file *file); /* takes over the caller's reference */
void fd_cancel(struct files_struct *files, unsigned int fd);

/* fd_alloc and fd_install in one. On an error the caller keeps its reference. */
int fd_open(struct files_struct *files, struct file *file, bool cloexec);

/* The file with a reference more, or NULL. Lock-free; may be called inside of an RCU read section. */
struct file *fget(struct files_struct *files, unsigned int fd);

/*
 * The file without a reference, or NULL: only inside of urcu_bp_read_lock(), good until
 * urcu_bp_read_unlock(). Its release function may have run.
 */
struct file *fd_peek(struct files_struct *files, unsigned int fd);

/* The number is free when it returns. Errors: -EBADF, also for a number that is only reserved. */
int fd_close(struct files_struct *files, unsigned int fd);

/* dup: the lowest free number from `min` on names the same file. Errors: -EBADF, those of fd_alloc. */
int fd_dup(struct files_struct *files, unsigned int fd, unsigned int min, bool cloexec);

/*
 * dup2 (dup3): `to` names what `from` names, and what it named before is closed, in one step: no lookup of
 * `to` between fails. Returns `to`. from == to: nothing changes. Errors: -EBADF (from; or `to` not below
 * the limit), -EBUSY, -ENOMEM.
 */
int fd_dup2(struct files_struct *files, unsigned int from, unsigned int to, bool cloexec);

/* The same with a file of the caller's, whose reference it takes over unless it fails. */
int fd_replace(struct files_struct *files, unsigned int to, struct file *file, bool cloexec);

/*
 * first to last, both included, what is open of them; only marks them close-on-exec when `cloexec`. Error:
 * -EINVAL (first > last).
 */
int fd_close_range(struct files_struct *files, unsigned int first, unsigned int last, bool cloexec);

int fd_get_cloexec(struct files_struct *files, unsigned int fd); /* 0 or 1, or -EBADF */
int fd_set_cloexec(struct files_struct *files, unsigned int fd, bool cloexec);

/*
 * Calls `visit` in the order of numbers for every descriptor from `first` on that is open all the time;
 * those that are opened or closed meanwhile may be left out. Stops at the first result other than 0 and
 * returns it. The file is held during the call.
 */
int fd_iterate(struct files_struct *files, unsigned int first,
	int (*visit)(unsigned int fd, struct file *file, void *data), void *data);

/* The limit; descriptors above a new one stay open. Error: -EINVAL (above FDTABLE_MAX). */
unsigned int fd_get_limit(struct files_struct *files);
int fd_set_limit(struct files_struct *files, unsigned int limit);

/*
 * Where all memory of the library comes from: aligned_alloc and free, or these. `allocate` may return NULL.
 * To be called before anything else or while there are no tables and no files, and fdtable_barrier() has seen
 * to what those had. Even then each thread may keep a little, until it ends, that goes back to where it came from.
 * NULL: the default.
 */
struct fdtable_memory {
	void *(*allocate)(size_t alignment, size_t size); /* size is a multiple of alignment */
	void (*release)(
		void *memory); /* NULL is fine; called by any thread, after grace periods too */
};
void fdtable_set_memory(const struct fdtable_memory *functions);

/* Waits until what was put or destroyed before has been freed. Not in a read section. */
void fdtable_barrier(void);

/* Descriptors for which the table has room now. */
unsigned int files_capacity(struct files_struct *files);

/*
 * urcu_bp_read_lock() and its unlock, and known to -fsanitize=thread, which cannot see into liburcu: to be
 * preferred around fd_peek. No function that may wait for readers (fd_alloc, fd_open, fd_dup, fd_dup2,
 * fd_replace) may be called between.
 */
static inline void fd_read_lock(void);
static inline void fd_read_unlock(void);

/*
 * For tests and benchmarks: how often fd_install had to try again because the table grew, since the table
 * was made.
 */
unsigned long files_install_retries(struct files_struct *files);

/* "linux-2.6.13", "seqcount", "lock", ...: what this library was built with. */
const char *fdtable_layout_name(void);
const char *fdtable_install_name(void);
const char *fdtable_alloc_name(void);

#if defined(__SANITIZE_THREAD__)
#define FDTABLE_TSAN(call) call
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FDTABLE_TSAN(call) call
#endif
#endif
#ifndef FDTABLE_TSAN
#define FDTABLE_TSAN(call) ((void)0)
#else
#define FDTABLE_HAS_TSAN
void __tsan_acquire(void *address);
void __tsan_release(void *address);
extern char fdtable_read_sections; /* stands for the ends of all read sections */
#endif

static inline void fd_read_lock(void)
{
	urcu_bp_read_lock();
}

static inline void fd_read_unlock(void)
{
	FDTABLE_TSAN(__tsan_release(&fdtable_read_sections));
	urcu_bp_read_unlock();
}

#endif

/*
 * Slots: what a number names. A slot is a pointer to a file with flags in its low bits.
 *
 * slot_segment.c (FDTABLE_INSTALL_BEST): slots lie in segments that never move; all changes are
 * compare-and-swaps of one slot, which is the truth about a number. The close-on-exec flag is one of the
 * bits, so it changes with the pointer.
 *
 * slot_array.c (the other policies): slots lie in one array, which growth replaces as in Linux; changes are
 * made under file_lock, but for installs by seqcount or flag. The bitmaps are the truth about a number.
 */
#ifndef FDTABLE_SLOT_H
#define FDTABLE_SLOT_H

#include <stdint.h>

#include "files_struct.h"

enum {
	SLOT_CLOEXEC = 1,  /* closed on exec (segments) */
	SLOT_RESERVED = 2, /* an open in progress has the number (segments) */
	SLOT_MOVED =
		4, /* was empty when the array was copied: install again in the new one (seqcount) */
	SLOT_FLAGS = 7,
};
_Static_assert(_Alignof(struct file) > SLOT_FLAGS || sizeof(long) == 4,
	"the flags need the low bits of the pointers");

static inline struct file *slot_file(struct file *value)
{
	return (struct file *)((uintptr_t)value & ~(uintptr_t)SLOT_FLAGS);
}

static inline unsigned int slot_flags(struct file *value)
{
	return (uintptr_t)value & SLOT_FLAGS;
}

static inline struct file *slot_value(struct file *file, unsigned int flags)
{
	return (struct file *)((uintptr_t)file | flags);
}

/*
 * The slot of a number, or NULL when the table is smaller. In a read section, where arrays may be replaced.
 * Acquire (on most machines a plain load; consume would do): what was in the array or segment when it was
 * published is seen. A relaxed load could on Alpha, or by a compiler that guesses pointers, read slots from
 * before they were zeroed.
 */
static inline fd_slot *slot_find(struct files_struct *files, unsigned int fd)
{
#if HAS_SEGMENTS
	unsigned int number = segment_of(fd);
	fd_slot *segment;

	if (fd >= FDTABLE_MAX)
		return NULL;
	segment = atomic_load_explicit(&more(files)->segment[number], memory_order_acquire);
	return segment ? &segment[fd - segment_first(number)] : NULL;
#else
	struct fdtable *fdt = atomic_load_explicit(&files->fdt, memory_order_acquire);

	return fd < fdt->max_fds ? &fdt->fd[fd] : NULL;
#endif
}

/* Puts a file where a number was reserved. */
void slot_install(struct files_struct *files, unsigned int fd, struct file *file);

/*
 * Empties a slot and gives its number back: the file, whose reference is the caller's; NULL when nothing is
 * there.
 */
struct file *slot_remove(struct files_struct *files, unsigned int fd, bool only_close_on_exec);

/* A reserved number is given back. */
void slot_cancel(struct files_struct *files, unsigned int fd);

/*
 * Puts a file at a number that is free or open; *old is what was there, the caller's then. -EBUSY: it is
 * reserved.
 */
int slot_replace(struct files_struct *files, unsigned int fd, struct file *file, bool close_on_exec,
	struct file **old);

/* The file with a reference more and its flag, both of one moment; or NULL. */
struct file *slot_get(struct files_struct *files, unsigned int fd, bool *close_on_exec);

/* 0 or 1; -EBADF. */
int slot_close_on_exec(struct files_struct *files, unsigned int fd);
int slot_set_close_on_exec(struct files_struct *files, unsigned int fd, bool close_on_exec);

#endif

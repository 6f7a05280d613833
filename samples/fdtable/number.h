/* Which numbers are free: the bitmaps, under file_lock or not (-DFDTABLE_ALLOC). */
#ifndef FDTABLE_NUMBER_H
#define FDTABLE_NUMBER_H

#include "files_struct.h"

/*
 * A number from `min` on, taken: the lowest, unless any_number. With segments its slot has `value` then, a
 * reservation or a file already. -EMFILE, -ENOMEM.
 */
int number_reserve(struct files_struct *files, unsigned int min, struct file *value);

/* What number_free and number_mark need held: file_lock for FDTABLE_ALLOC_LOCK, nothing for the others. */
static inline void number_lock(struct files_struct *files)
{
	if (!HAS_CHUNKS)
		spin_lock(&files->file_lock);
}

static inline void number_unlock(struct files_struct *files)
{
	if (!HAS_CHUNKS)
		spin_unlock(&files->file_lock);
}

/*
 * After its slot was emptied: the number is free, or kept by this thread for its next open
 * (FDTABLE_ALLOC_BATCH).
 */
void number_free(struct files_struct *files, unsigned int fd);

/* The same, and free for all. */
void number_release(struct files_struct *files, unsigned int fd);

/*
 * A number is wanted by name. With segments its slot was filled already, and this makes the bitmap agree.
 * Otherwise: whether the number was free, and is the caller's now.
 */
bool number_mark(struct files_struct *files, unsigned int fd);

/*
 * A number that this thread has put aside (number_free): true when it can be used, its slot as with
 * number_reserve. False: another thread wanted it by name or ran out of others, and has it.
 */
bool number_take(struct files_struct *files, unsigned int fd, struct file *value);

/* Puts a number of this thread's aside. */
void number_put_aside(struct files_struct *files, unsigned int fd);

#endif

/* Ours, see rival.h; RIVAL_ANY_NUMBER, and RIVAL_REUSABLE or freed after a grace period. */
#ifndef FDTABLE_CALL_URCU
#define _LGPL_SOURCE
#endif
#include "rival.h"
#include "table.h"

static struct files_struct *files;

static void setup(void)
{
	files = table_new(RIVAL_ANY_NUMBER);
}

static void enter(struct worker *worker)
{
	(void)worker;
}

static inline struct file *new_file(void)
{
#if RIVAL_REUSABLE
	struct open_file *file = table_file(NULL, 0);

	return file ? &file->file : NULL;
#else
	struct file *file;

	return file_new(NULL, MODE_READ, NULL, &file) ? NULL : file;
#endif
}

static inline int open_number(struct worker *worker)
{
	struct file *file = new_file();
	int number;

	(void)worker;
	if (!file)
		return -ENOMEM;
	number = fd_open(files, file, false);
	if (number < 0)
		fput(file);
	return number;
}

static inline bool close_number(struct worker *worker, unsigned int number)
{
	(void)worker;
	return fd_close(files, number) == 0;
}

static inline bool get_put(struct worker *worker, unsigned int number)
{
	struct file *file = fget(files, number);

	(void)worker;
	if (!file)
		return false;
	fput(file);
	return true;
}

static inline bool peek(struct worker *worker, unsigned int number)
{
	struct file *file;
	bool found;

	(void)worker;
	fd_read_lock();
	file = fd_peek(files, number);
	found = file && file->f_mode == MODE_READ;
	fd_read_unlock();
	return found;
}

#include "rival_loops.h"

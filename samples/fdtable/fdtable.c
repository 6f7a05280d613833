/* Descriptors: open, close, dup, close-on-exec. */
#include "fdtable.h"

#include <assert.h>

#include "expand.h"
#include "number.h"
#include "slot.h"

static unsigned int limit_of(struct files_struct *files)
{
	return atomic_load_explicit(&more(files)->limit, memory_order_relaxed);
}

int fd_alloc(struct files_struct *files, unsigned int min, bool cloexec)
{
	if (min >= limit_of(files))
		return -EINVAL;
	return number_reserve(
		files, min, slot_value(NULL, SLOT_RESERVED | (cloexec ? SLOT_CLOEXEC : 0)));
}

void fd_install(struct files_struct *files, unsigned int fd, struct file *file)
{
	slot_install(files, fd, file);
}

void fd_cancel(struct files_struct *files, unsigned int fd)
{
	slot_cancel(files, fd);
}

static int open_from(struct files_struct *files, struct file *file, unsigned int min, bool cloexec)
{
	int fd = number_reserve(files, min, slot_value(file, cloexec ? SLOT_CLOEXEC : 0));

	/* With segments the slot was filled when the number was taken. */
	if (fd >= 0 && !HAS_SEGMENTS)
		slot_install(files, (unsigned int)fd, file);
	return fd;
}

int fd_open(struct files_struct *files, struct file *file, bool cloexec)
{
	return open_from(files, file, 0, cloexec);
}

int fd_close(struct files_struct *files, unsigned int fd)
{
	struct file *file = slot_remove(files, fd, false);

	if (!file)
		return -EBADF;
	fput(file);
	return 0;
}

int fd_dup(struct files_struct *files, unsigned int fd, unsigned int min, bool cloexec)
{
	struct file *file;
	int result;

	if (min >= limit_of(files))
		return -EINVAL;
	file = fget(files, fd);
	if (!file)
		return -EBADF;
	result = open_from(files, file, min, cloexec);
	if (result < 0)
		fput(file);
	return result;
}

int fd_replace(struct files_struct *files, unsigned int to, struct file *file, bool cloexec)
{
	struct file *old;
	int error;

	if (to >= limit_of(files))
		return -EBADF;
	error = expand_files(files, to);
	if (!error)
		error = slot_replace(files, to, file, cloexec, &old);
	if (error)
		return error;
	if (old)
		fput(old);
	return (int)to;
}

int fd_dup2(struct files_struct *files, unsigned int from, unsigned int to, bool cloexec)
{
	struct file *file = fget(files, from);
	int result;

	if (!file)
		return -EBADF;
	result = from == to ? (int)to : fd_replace(files, to, file, cloexec);
	if (result < 0 || from == to)
		fput(file);
	return result;
}

int fd_close_range(struct files_struct *files, unsigned int first, unsigned int last, bool cloexec)
{
	unsigned int end = files_capacity(files);

	if (first > last)
		return -EINVAL;
	for (unsigned int fd = first; fd < end && fd <= last; fd++) {
		if (cloexec)
			slot_set_close_on_exec(files, fd, true);
		else
			fd_close(files, fd);
	}
	return 0;
}

int fd_get_cloexec(struct files_struct *files, unsigned int fd)
{
	return slot_close_on_exec(files, fd);
}

int fd_set_cloexec(struct files_struct *files, unsigned int fd, bool cloexec)
{
	return slot_set_close_on_exec(files, fd, cloexec);
}

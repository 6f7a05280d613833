/* What no caller should ask: an error of POSIX's, and nothing has changed. */
#include "validate.h"

#include <string.h>

/* Numbers that cannot be, or are not open in a table whose 0 to 2 are (3 is reserved), limit 100. */
static const unsigned int not_open[] = {3, 4, 63, 64, 99, 100, 101, 4096, FDTABLE_MAX - 1,
	FDTABLE_MAX, FDTABLE_MAX + 1, 1U << 31, (1U << 31) - 1, ~0U - 1, ~0U};

enum { LIMIT = 100, OPEN = 3, RESERVED = 3 };

static void unchanged(struct files_struct *files)
{
	for (unsigned int fd = 0; fd < LIMIT; fd++) {
		must(is_open_at(files, fd) == (fd < OPEN), "%u was opened or closed", fd);
		must(fd_get_cloexec(files, fd) == (fd < OPEN ? fd == 1 : -EBADF),
			"the flag of %u has changed", fd);
	}
	must(fd_dup2(files, 0, RESERVED, false) == -EBUSY, "a reservation is lost");
}

static void expect(
	struct files_struct *files, const char *what, unsigned int fd, int got, int error)
{
	must(got == error, "%s of %u: %d instead of %d", what, fd, got, error);
	unchanged(files);
}

static void bad_number(struct files_struct *files, unsigned int fd)
{
	bool reference = true;

	must(fget(files, fd) == NULL, "get of %u finds something", fd);
	fd_read_lock();
	must(fd_peek(files, fd) == NULL, "peek of %u finds something", fd);
	fd_read_unlock();
	must(fget_light(files, fd, &reference) == NULL, "get_light of %u finds something", fd);
	expect(files, "close", fd, fd_close(files, fd), -EBADF);
	expect(files, "dup", fd, fd_dup(files, fd, 0, true), -EBADF);
	expect(files, "dup2", fd, fd_dup2(files, fd, 0, true), -EBADF);
	expect(files, "dup2 onto itself", fd, fd_dup2(files, fd, fd, true), -EBADF);
	expect(files, "get_cloexec", fd, fd_get_cloexec(files, fd), -EBADF);
	expect(files, "set_cloexec", fd, fd_set_cloexec(files, fd, true), -EBADF);
	expect(files, "close_range", fd, fd_close_range(files, fd, ~0U, false), 0);
	expect(files, "close_range", fd, fd_close_range(files, fd, fd, true), 0);
	expect(files, "close_range", fd, fd_close_range(files, ~0U, fd, false),
		fd == ~0U ? 0 : -EINVAL);
}

static void too_high(struct files_struct *files, unsigned int fd)
{
	struct file *file = vfile_new(-1, 0, false);

	expect(files, "alloc from", fd, fd_alloc(files, fd, false), -EINVAL);
	expect(files, "dup to", fd, fd_dup(files, 0, fd, false), -EINVAL);
	expect(files, "dup2 to", fd, fd_dup2(files, 0, fd, false), -EBADF);
	expect(files, "replace of", fd, fd_replace(files, fd, file, false), -EBADF);
	must(atomic_load(&file->f_count.counter) == 1, "a failed replace kept the reference");
	fput(file);
}

static struct files_struct *prepared(bool any_number)
{
	struct files_struct *files = table_new(LIMIT, any_number);

	/* By name: any number may be the first otherwise. */
	for (unsigned int fd = 0; fd < OPEN; fd++)
		must(fd_replace(files, fd, vfile_new((int)fd, 0, false), fd == 1) == (int)fd,
			"replace");
	must(fd_alloc(files, RESERVED, false) >= 0, "alloc");
	return files;
}

static void bad_numbers(void)
{
	/* Lowest first: where the reservation is, is known. */
	struct files_struct *files = prepared(false);
	struct file *file = vfile_new(-1, 0, false);

	for (size_t i = 0; i < sizeof(not_open) / sizeof(not_open[0]); i++) {
		bad_number(files, not_open[i]);
		if (not_open[i] >= LIMIT)
			too_high(files, not_open[i]);
	}
	expect(files, "replace of reserved", RESERVED, fd_replace(files, RESERVED, file, false),
		-EBUSY);
	fput(file);
	for (unsigned int fd = 0; fd < OPEN; fd++)
		expect(files, "dup2 onto itself", fd, fd_dup2(files, fd, fd, fd != 1), (int)fd);
	expect(files, "set_limit", FDTABLE_MAX + 1, fd_set_limit(files, FDTABLE_MAX + 1), -EINVAL);
	expect(files, "set_limit", ~0U, fd_set_limit(files, ~0U), -EINVAL);
	must(fd_get_limit(files) == LIMIT, "a failed set_limit changed the limit");
	files_destroy(files);
	vfiles_are_gone();
}

static void double_close(bool any_number)
{
	struct files_struct *files = prepared(any_number);
	struct file *file;
	unsigned long before;

	must(fd_close(files, 0) == 0, "close");
	must(fd_close(files, 0) == -EBADF, "a second close");
	/* Close during get: who has a reference keeps the file, the number is free at once. */
	file = fget(files, 1);
	before = vfiles_released();
	must(fd_close(files, 1) == 0, "close");
	must(fd_close(files, 1) == -EBADF, "a second close");
	must(vfiles_released() == before, "a file was released that has a reference");
	vfile_alive(file, 1);
	must(fget(files, 1) == NULL, "a closed number is found");
	fput(file);
	must(vfiles_released() == before + 1, "the last reference went, and no release");
	files_destroy(files);
	vfiles_are_gone();
}

/* All numbers are taken, or the limit falls below what is open. */
static void exhausted(bool any_number)
{
	struct files_struct *files = table_new(LIMIT, any_number);
	struct file *file = vfile_new(-1, 0, false);

	for (int i = 0; i < LIMIT; i++) {
		fget_again(file);
		must(fd_open(files, file, false) >= 0, "open %d of %d", i, LIMIT);
	}
	for (int turn = 0; turn < 3; turn++) {
		must(fd_open(files, file, false) == -EMFILE, "open in a full table");
		must(fd_alloc(files, 0, false) == -EMFILE, "alloc in a full table");
		must(fd_alloc(files, LIMIT - 1, false) == -EMFILE, "alloc in a full table");
		must(fd_dup(files, 5, 7, false) == -EMFILE, "dup in a full table");
		must(fd_dup2(files, 5, 7, false) == 7, "dup2 in a full table");
	}
	must(fd_set_limit(files, 10) == 0, "set_limit");
	must(is_open_at(files, 50), "a lower limit closed a number");
	must(fd_close(files, 50) == 0 && fd_close(files, 50) == -EBADF, "close above the limit");
	must(fd_open(files, file, false) == -EMFILE, "a number above the limit");
	must(fd_alloc(files, 50, false) == -EINVAL, "alloc from above the limit");
	must(fd_dup2(files, 0, 51, false) == -EBADF, "dup2 to an open number above the limit");
	must(fd_dup2(files, 51, 0, false) == 0, "dup2 from above the limit");
	must(fd_set_cloexec(files, 51, true) == 0, "the flag of a number above the limit");
	must(fd_set_limit(files, 0) == 0, "no numbers at all");
	must(fd_open(files, file, false) == -EMFILE, "open with the limit 0");
	must(fd_alloc(files, 0, false) == -EINVAL, "alloc with the limit 0");
	must(fd_set_limit(files, LIMIT) == 0, "set_limit");
	must(fd_open(files, file, false) == 50, "the one free number");
	must(fd_open(files, file, false) == -EMFILE, "open in a full table");
	files_destroy(files);
	vfiles_are_gone();
}

static void bad_tables(void)
{
	struct fdtable_options table = {.limit = FDTABLE_MAX + 1};
	struct files_struct *files = NULL;

	must(files_create(&table, &files) == -EINVAL, "a limit that cannot be");
	table.limit = ~0U;
	must(files_create(&table, &files) == -EINVAL, "a limit that cannot be");
	must(files == NULL, "a table that was not made is returned");
	/* The last of all numbers. */
	files = table_new(0, false);
	must(fd_replace(files, FDTABLE_MAX - 1, vfile_new(FDTABLE_MAX - 1, 0, false), false) ==
			FDTABLE_MAX - 1,
		"the last number");
	must(fd_alloc(files, FDTABLE_MAX - 1, false) == -EMFILE, "alloc from the last number on");
	must(fget(files, FDTABLE_MAX) == NULL, "a number behind the last");
	must(is_open_at(files, FDTABLE_MAX - 1), "the last number");
	must(fd_close(files, FDTABLE_MAX - 1) == 0, "close of the last number");
	must(fd_alloc(files, FDTABLE_MAX - 1, false) == FDTABLE_MAX - 1, "the last number");
	must(files_capacity(files) == FDTABLE_MAX, "the capacity");
	files_destroy(files);
	vfiles_are_gone();
}

void validate_errors(void)
{
	bad_numbers();
	double_close(false);
	double_close(true);
	exhausted(false);
	exhausted(true);
	bad_tables();
}

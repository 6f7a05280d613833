/*
 * Two threads at the worst moment: one is stopped in the middle of an operation, the other does what should
 * not disturb it. Where the first holds a lock, or is in a read section that the second waits for, the
 * second is stuck until it goes on: that is right too, and what happens then is checked all the same.
 */
#include "actor.h"

#include <string.h>

enum { WIDE = 8192 }; /* descriptors with a second level in their bitmap, whatever the policy */

static int do_close(struct files_struct *files, unsigned int fd)
{
	return fd_close(files, fd);
}

static int do_install(struct files_struct *files, unsigned int fd)
{
	fd_install(files, fd, vfile_new((int)fd, 0, false));
	return 0;
}

static int do_grow(struct files_struct *files, unsigned int fd)
{
	return fd_dup2(files, 0, fd, false);
}

static int do_replace(struct files_struct *files, unsigned int fd)
{
	return fd_replace(files, fd, vfile_new((int)fd, 0, false), false);
}

static int do_alloc(struct files_struct *files, unsigned int fd)
{
	return fd_alloc(files, fd, false);
}

/* 1: a file, which is the one that belongs there, 0: none. */
static int do_get(struct files_struct *files, unsigned int fd)
{
	return is_open_at(files, fd);
}

/* 0 open: what do_grow duplicates (-1: at any number). */
static struct files_struct *table_of(unsigned int limit)
{
	struct files_struct *files = table_new(limit, false);

	must(fd_open(files, vfile_new(-1, 0, false), false) == 0, "open");
	return files;
}

static void end(struct files_struct *files)
{
	files_destroy(files);
	vfiles_are_gone();
}

static bool is_policy(const char *name)
{
	return strcmp(fdtable_install_name(), name) == 0;
}

static bool has_arrays(void)
{
	return !is_policy("best");
}

/* Without a reference: a lookup of a file that is no more would look for ever. */
static bool is_named(struct files_struct *files, unsigned int fd)
{
	bool result;

	fd_read_lock();
	result = fd_peek(files, fd) != NULL;
	fd_read_unlock();
	return result;
}

/* An actor of -DFDTABLE_POINTS has stopped; a test that never gets there would prove nothing. */
static void must_have_stopped(struct actor *actor, const char *where)
{
	must(actor_has_stopped(actor), "a thread did not come to the point: %s", where);
}

/*
 * An install knows the old array and has not stored; the table grows meanwhile. By seqcount the growth is
 * done before the install goes on, which must notice; by flag it waits for the install's read section, by
 * lock for the lock.
 */
static void install_meets_growth(void)
{
	struct files_struct *files = table_of(0);
	struct actor installer, grower;
	bool grew;

	must(fd_alloc(files, 7, true) == 7, "alloc");
	actor_start(&installer, do_install, files, 7, POINT_INSTALL_FOUND);
	must_have_stopped(&installer, "install");
	actor_start(&grower, do_grow, files, 1000, POINT_NONE);
	grew = actor_is_done(&grower);
	must(grew || !(is_policy("seqcount") || is_policy("best")),
		"the growth waits for an install, which it need not");
	actor_ends(&installer);
	must(actor_ends(&grower) == 1000, "growth");
	must(is_open_at(files, 7), "an install during growth is lost");
	must(fd_get_cloexec(files, 7) == 1, "its flag is lost");
	must(is_open_at(files, 1000), "what made the table grow is lost");
	if (is_policy("seqcount"))
		must(files_install_retries(files) == 1, "%lu retries instead of 1",
			files_install_retries(files));
	end(files);
}

/* The array is copied, and not published yet; an install comes. */
static void growth_meets_install(void)
{
	struct files_struct *files = table_of(0);
	struct actor installer, grower;

	must(fd_alloc(files, 7, false) == 7, "alloc");
	actor_start(&grower, do_grow, files, 1000, POINT_COPIED);
	if (has_arrays())
		must_have_stopped(&grower, "the copy");
	actor_start(&installer, do_install, files, 7, POINT_INSTALL_AGAIN);
	must(actor_ends(&grower) == 1000, "growth");
	actor_ends(&installer);
	must(is_open_at(files, 7), "an install during a copy is lost");
	if (is_policy("seqcount") || is_policy("resize"))
		must_have_stopped(&installer, "again, or the lock");
	must((files_install_retries(files) > 0) == (is_policy("seqcount") || is_policy("resize")),
		"%lu retries", files_install_retries(files));
	end(files);
}

/*
 * The hole of 2015: between an install and its look whether to do it again, the table grows and the number
 * is closed. The closed file must not be back.
 */
static void install_meets_growth_and_close(void)
{
	struct files_struct *files = table_of(0);
	struct actor installer, grower, closer;
	bool closed;

	must(fd_alloc(files, 7, false) == 7, "alloc");
	actor_start(&installer, do_install, files, 7, POINT_INSTALL_FOUND);
	must_have_stopped(&installer, "install");
	actor_start(&grower, do_grow, files, 1000, POINT_NONE);
	actor_start(&closer, do_close, files, 7, POINT_NONE);
	actor_is_done(&closer);
	actor_ends(&installer);
	must(actor_ends(&grower) == 1000, "growth");
	closed = actor_ends(&closer) == 0;
	must(is_named(files, 7) == !closed, "a number is %s",
		closed ? "open after its close" : "lost");
	if (!closed)
		must(fd_close(files, 7) == 0, "close");
	end(files);
}

/* A lookup has the address; the file is closed, and its memory becomes the file of another number. */
static void get_meets_reuse(void)
{
	struct files_struct *files = table_of(0);
	struct file *other;
	struct actor getter;

	must(fd_open(files, vfile_new(1, 0, true), false) == 1, "open");
	actor_start(&getter, do_get, files, 1, POINT_GET_FOUND);
	must_have_stopped(&getter, "get");
	must(fd_close(files, 1) == 0, "close");
	must(fd_alloc(files, 1, false) == 1, "alloc");
	other = vfile_new(2, 0, true);
	must(fd_open(files, other, false) == 2, "open");
	must(actor_ends(&getter) == 0, "a closed number is found");
	must(atomic_load(&other->f_count.counter) == 1, "a reference was lost or is too many");
	end(files);
}

/* A lookup has the address, and the last reference goes. */
static void get_meets_close(void)
{
	struct files_struct *files = table_of(0);
	unsigned long before = vfiles_released();
	struct actor getter;

	must(fd_open(files, vfile_new(1, 0, false), false) == 1, "open");
	actor_start(&getter, do_get, files, 1, POINT_GET_FOUND);
	must_have_stopped(&getter, "get");
	must(fd_close(files, 1) == 0, "close");
	must(vfiles_released() == before + 1, "the last reference went, and no release");
	must(actor_ends(&getter) == 0, "a closed number is found");
	end(files);
}

/* A user is done with the file, and then the last reference goes: what he did comes before the release. */
static void put_meets_close(void)
{
	struct files_struct *files = table_of(0);
	struct actor getter;

	must(fd_open(files, vfile_new(1, 0, false), false) == 1, "open");
	actor_start(&getter, do_get, files, 1, POINT_NONE);
	actor_is_done(&getter);
	must(fd_close(files, 1) == 0, "close");
	actor_ends(&getter);
	end(files);
}

/* A lookup and a dup2: there is always something. */
static void get_meets_replace(void)
{
	struct files_struct *files = table_of(0);
	struct actor getter;

	must(fd_open(files, vfile_new(1, 0, false), false) == 1, "open");
	actor_start(&getter, do_get, files, 1, POINT_GET_FOUND);
	must_have_stopped(&getter, "get");
	must(do_replace(files, 1) == 1, "replace");
	must(actor_ends(&getter) == 1, "a lookup during a dup2 failed");
	end(files);
}

/* The same, and a number that only the growth has made room for. */
static int do_get_and_beyond(struct files_struct *files, unsigned int fd)
{
	int result = is_open_at(files, fd);

	must(!is_open_at(files, 1001), "a number that was never opened is found");
	return result;
}

/* And with growth that replaces the array under it. */
static void get_meets_growth(void)
{
	struct files_struct *files = table_of(0);
	struct actor getter, grower;

	must(fd_open(files, vfile_new(1, 0, false), false) == 1, "open");
	must(do_grow(files, 100) == 100, "growth");
	actor_start(&getter, do_get_and_beyond, files, 1, POINT_GET_FOUND);
	must_have_stopped(&getter, "get");
	/* By flag it would wait for the read section: another thread does it. */
	actor_start(&grower, do_grow, files, 1000, POINT_NONE);
	must(actor_ends(&getter) == 1, "a lookup during growth failed");
	must(actor_ends(&grower) == 1000, "growth");
	end(files);
}

/* A read section has the address; the file is closed: it is released, but its memory stays. */
static void peek_meets_close(void)
{
	struct files_struct *files = table_of(0);
	struct actor closer;
	struct file *file;

	must(fd_open(files, vfile_new(1, 0, false), false) == 1, "open");
	fd_read_lock();
	file = fd_peek(files, 1);
	must(file, "peek");
	actor_start(&closer, do_close, files, 1, POINT_NONE);
	must(actor_ends(&closer) == 0, "close");
	/* Time for a grace period that does not wait for this section. */
	actor_start(&closer, do_close, files, 1, POINT_NONE);
	must(actor_ends(&closer) == -EBADF, "a second close");
	vfile_readable(file);
	fd_read_unlock();
	end(files);
}

static void close_meets_close(void)
{
	struct files_struct *files = table_of(0);
	unsigned long before = vfiles_released();
	struct actor one, other;
	int results[2];

	must(fd_open(files, vfile_new(1, 0, false), false) == 1, "open");
	actor_start(&one, do_close, files, 1, POINT_CLOSE_FOUND);
	must_have_stopped(&one, "close");
	actor_start(&other, do_close, files, 1, POINT_NONE);
	results[0] = actor_ends(&one);
	results[1] = actor_ends(&other);
	must((results[0] == 0 && results[1] == -EBADF) || (results[0] == -EBADF && results[1] == 0),
		"two closes of one number: %d and %d", results[0], results[1]);
	must(vfiles_released() == before + 1, "two closes, %lu releases",
		vfiles_released() - before);
	end(files);
}

/* Both see the same number free. */
static void alloc_meets_alloc(bool any_number)
{
	struct files_struct *files = table_new(128, any_number);
	struct actor one, other;
	int results[2];

	actor_start(&one, do_alloc, files, 0, POINT_CHOSEN);
	must_have_stopped(&one, "a free number");
	actor_start(&other, do_alloc, files, 0, POINT_NONE);
	actor_is_done(&other);
	results[0] = actor_ends(&one);
	results[1] = actor_ends(&other);
	must(results[0] >= 0 && results[1] >= 0, "alloc: %d, %d", results[0], results[1]);
	must(results[0] != results[1], "%d was handed out twice", results[0]);
	if (!any_number)
		must(results[0] + results[1] == 1, "alloc: %d and %d instead of 0 and 1",
			results[0], results[1]);
	fd_cancel(files, (unsigned int)results[0]);
	fd_cancel(files, (unsigned int)results[1]);
	table_is_whole(files, any_number);
	end(files);
}

/* dup2 has filled a slot, the bitmap does not say so; an alloc wants the number, or it is closed. */
static void replace_meets_alloc(bool any_number)
{
	struct files_struct *files = table_new(128, any_number);
	struct actor replacer, taker;

	actor_start(&replacer, do_replace, files, 3, POINT_REPLACED);
	if (!has_arrays())
		must_have_stopped(&replacer, "dup2");
	actor_start(&taker, do_alloc, files, 3, POINT_NONE);
	actor_is_done(&taker);
	must(actor_ends(&replacer) == 3, "replace");
	must(actor_ends(&taker) != 3, "3 was handed out while it was open");
	must(is_open_at(files, 3), "what replace put there is lost");
	must(taker.result >= 0, "alloc: %d", taker.result);
	fd_cancel(files, (unsigned int)taker.result);
	table_is_whole(files, any_number);
	end(files);
}

static void replace_meets_close(bool any_number)
{
	struct files_struct *files = table_new(128, any_number);
	struct actor replacer, closer;

	actor_start(&replacer, do_replace, files, 3, POINT_REPLACED);
	actor_start(&closer, do_close, files, 3, POINT_NONE);
	actor_is_done(&closer);
	must(actor_ends(&replacer) == 3, "replace");
	must(actor_ends(&closer) == 0, "close");
	/* Nobody's: the next alloc from there gets it, where the lowest is promised. */
	table_is_whole(files, any_number);
	end(files);
}

/* A close has emptied the slot, the number is not free; a dup2 takes it. */
static void close_meets_replace(bool any_number)
{
	struct files_struct *files = table_new(128, any_number);
	struct actor closer, replacer;

	must(do_replace(files, 3) == 3, "replace");
	actor_start(&closer, do_close, files, 3, POINT_EMPTIED);
	must_have_stopped(&closer, "close");
	actor_start(&replacer, do_replace, files, 3, POINT_NONE);
	actor_is_done(&replacer);
	must(actor_ends(&closer) == 0, "close");
	must(actor_ends(&replacer) == 3, "replace");
	for (int i = 1; i < 128; i++)
		must(fd_alloc(files, 0, false) != 3, "3 was handed out while it was open");
	must(fd_alloc(files, 0, false) == -EMFILE, "a number too many");
	must(is_open_at(files, 3), "what replace put there is lost");
	for (unsigned int fd = 0; fd < 128; fd++) {
		if (fd != 3)
			fd_cancel(files, fd);
	}
	table_is_whole(files, any_number);
	end(files);
}

/*
 * An alloc has made a word full, the second level does not say so; another number of the word is closed. It
 * must be found again.
 */
static void full_meets_close(void)
{
	struct files_struct *files = table_of(WIDE);
	struct actor taker, closer;
	int fd;

	for (unsigned int i = 1; i < WIDE; i++)
		must(fd_dup(files, 0, 0, false) == (int)i, "dup");
	must(fd_close(files, WIDE - 10) == 0, "close");
	actor_start(&taker, do_alloc, files, 0, POINT_FILLED);
	must_have_stopped(&taker, "a full word");
	actor_start(&closer, do_close, files, WIDE - 20, POINT_NONE);
	actor_is_done(&closer);
	must(actor_ends(&taker) == WIDE - 10, "alloc");
	must(actor_ends(&closer) == 0, "close");
	fd = fd_alloc(files, 0, false);
	must(fd == WIDE - 20, "%d is free, and alloc says %d", WIDE - 20, fd);
	fd_cancel(files, WIDE - 20);
	fd_cancel(files, WIDE - 10);
	table_is_whole(files, false);
	end(files);
}

/* A copy's `fd` and its flag are of one moment: owner 0's file is close-on-exec, owner 1's is not. */
static int do_fork(struct files_struct *files, unsigned int fd)
{
	struct files_struct *copy;
	struct file *file;
	int flag;

	must(files_fork(files, &copy) == 0, "fork");
	file = fget(copy, fd);
	must(file, "%u, open all the time, is not in the copy", fd);
	vfile_alive(file, (int)fd);
	flag = fd_get_cloexec(copy, fd);
	must(flag == (((struct vfile *)file)->owner == 0),
		"a copy has one file with another's flag");
	fput(file);
	files_destroy(copy);
	return flag;
}

static void fork_meets_replace(void)
{
	struct files_struct *files = table_new(64, false);
	struct actor forker;

	must(fd_open(files, vfile_new(0, 0, false), true) == 0, "open");
	actor_start(&forker, do_fork, files, 0, POINT_GET_FOUND);
	must_have_stopped(&forker, "get");
	must(fd_replace(files, 0, vfile_new(0, 1, false), false) == 0, "replace");
	actor_ends(&forker);
	end(files);
}

/* Closes fd, and is still there (where a batch of numbers would go with it): stops in the lookup. */
static int do_close_and_stay(struct files_struct *files, unsigned int fd)
{
	return fd_close(files, fd) == 0 ? is_open_at(files, 0) : -1;
}

/* What another thread has closed can be had, although it might want it back. */
static void close_meets_alloc(void)
{
	struct files_struct *files = table_new(64, true);
	struct file *file = vfile_new(-1, 0, false);
	struct actor closer;

	for (int i = 0; i < 64; i++) {
		fget_again(file);
		must(fd_open(files, file, false) >= 0, "open");
	}
	fput(file);
	actor_start(&closer, do_close_and_stay, files, 7, POINT_GET_FOUND);
	must_have_stopped(&closer, "get");
	must(fd_alloc(files, 0, false) == 7, "a number that another thread has closed is lost");
	must(fd_alloc(files, 0, false) == -EMFILE, "a number too many");
	fd_cancel(files, 7);
	must(actor_ends(&closer) == 1, "close");
	table_is_whole(files, true);
	end(files);
}

void validate_meetings(void)
{
#ifdef FDTABLE_POINTS
	install_meets_growth();
	growth_meets_install();
	install_meets_growth_and_close();
	get_meets_reuse();
	get_meets_close();
	put_meets_close();
	get_meets_replace();
	get_meets_growth();
	peek_meets_close();
	close_meets_close();
	for (int any_number = 0; any_number < 2; any_number++) {
		alloc_meets_alloc(any_number);
		replace_meets_alloc(any_number);
		replace_meets_close(any_number);
		close_meets_replace(any_number);
	}
	fork_meets_replace();
	close_meets_alloc();
	full_meets_close();
#else
	/* To be said, not passed over. */
	(void)is_policy;
	must(false, "this build has no points: compile all of it with -DFDTABLE_POINTS");
#endif
}

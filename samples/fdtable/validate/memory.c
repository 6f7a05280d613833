/*
 * Memory: every function that allocates, each of its allocations failing once, alone and with all that
 * follow. -ENOMEM, the table as it was, and the same call works when there is memory again; or the function
 * knows how to do without. Nothing is leaked.
 */
#include "validate.h"

#include <pthread.h>
#include <string.h>

static _Atomic long in_use, countdown; /* the allocation that takes it to 0 fails */
static _Atomic bool fails_on, has_failed;

static void *allocate(size_t alignment, size_t size)
{
	long left = atomic_fetch_sub(&countdown, 1) - 1;

	if (left == 0 || (left < 0 && atomic_load(&fails_on))) {
		atomic_store(&has_failed, true);
		return NULL;
	}
	atomic_fetch_add(&in_use, 1);
	return aligned_alloc(alignment, size);
}

static void release(void *memory)
{
	if (memory)
		atomic_fetch_sub(&in_use, 1);
	free(memory);
}

static void memory_is_there(void)
{
	atomic_store(&fails_on, false);
	atomic_store(&countdown, 0);
}

/* 0 to 63 open, so that the next one lets the table grow; every third close-on-exec. */
enum { FULL = NR_OPEN_DEFAULT };

struct call {
	const char *name;
	/* The result; what it opened or made is closed again. */
	int (*run)(struct files_struct *files);
	bool is_any; /* of a table of any_number */
	bool grows;  /* the table is full before */
	bool may_do_without;
};

static int close_again(struct files_struct *files, int fd)
{
	if (fd >= 0)
		must(fd_close(files, (unsigned int)fd) == 0, "what was opened is not open");
	return fd;
}

static int run_alloc(struct files_struct *files)
{
	int fd = fd_alloc(files, 0, false);

	if (fd >= 0)
		fd_cancel(files, (unsigned int)fd);
	return fd;
}

static int run_alloc_far(struct files_struct *files)
{
	int fd = fd_alloc(files, 5000, false);

	if (fd >= 0)
		fd_cancel(files, (unsigned int)fd);
	return fd;
}

static int run_open(struct files_struct *files)
{
	struct file *file = vfile_new(-1, 0, false);
	int fd = fd_open(files, file, true);

	if (fd < 0) {
		must(atomic_load(&file->f_count.counter) == 1, "a failed open kept the reference");
		fput(file);
	}
	return close_again(files, fd);
}

static int run_dup(struct files_struct *files)
{
	return close_again(files, fd_dup(files, 1, 0, true));
}

static int run_dup_far(struct files_struct *files)
{
	return close_again(files, fd_dup(files, 1, 3000, true));
}

static int run_dup2(struct files_struct *files)
{
	return close_again(files, fd_dup2(files, 1, 20000, true));
}

static int run_replace(struct files_struct *files)
{
	struct file *file = vfile_new(-1, 0, false);
	int fd = fd_replace(files, 300, file, true);

	if (fd < 0) {
		must(atomic_load(&file->f_count.counter) == 1,
			"a failed replace kept the reference");
		fput(file);
	}
	return close_again(files, fd);
}

static int run_fork(struct files_struct *files)
{
	struct files_struct *copy = NULL;
	int error = files_fork(files, &copy);

	if (error) {
		must(copy == NULL, "a failed fork returns a table");
		return error;
	}
	for (unsigned int fd = 0; fd < FULL; fd++)
		must(is_open_at(copy, fd) == is_open_at(files, fd), "%u of a copy", fd);
	files_destroy(copy);
	return 0;
}

static int run_fork_large(struct files_struct *files)
{
	int error;

	/* Not with memory that fails: that is other calls' matter. */
	if (!is_open_at(files, 2000)) {
		long left = atomic_load(&countdown);
		bool on = atomic_load(&fails_on);

		memory_is_there();
		must(fd_dup2(files, 1, 2000, true) == 2000, "dup2");
		atomic_store(&fails_on, on);
		atomic_store(&countdown, left);
	}
	error = run_fork(files);
	if (!error)
		close_again(files, 2000);
	return error;
}

static int run_create(struct files_struct *files)
{
	struct files_struct *other = NULL;
	int error = files_create(NULL, &other);

	(void)files;
	if (error)
		must(other == NULL, "a failed create returns a table");
	else
		files_destroy(other);
	return error;
}

static int run_file(struct files_struct *files)
{
	struct file *file = NULL;
	int error = file_new(NULL, 0, NULL, &file);

	(void)files;
	if (error)
		must(file == NULL, "a failed file_new returns a file");
	else
		fput(file);
	return error;
}

/* The first close of a thread makes its batch, where there are batches. */
static int run_close(struct files_struct *files)
{
	int result = fd_close(files, 1);

	must(fd_replace(files, 1, vfile_new(-1, 0, false), false) == 1, "replace");
	return result;
}

/* None of these may fail for want of memory: the kernel's do not either. */
static int run_others(struct files_struct *files)
{
	struct file *file = vfile_new(-1, 0, false);

	must(fd_replace(files, 2, file, false) == 2, "replace of an open number");
	must(fd_dup2(files, 2, 2, true) == 2, "dup2 onto itself");
	must(fd_set_cloexec(files, 2, false) == 0, "set_cloexec");
	must(is_open_at(files, 2), "get");
	must(fd_close_range(files, 2, 2, true) == 0, "close_range");
	must(fd_set_cloexec(files, 2, false) == 0, "set_cloexec");
	return 0;
}

static const struct call calls[] = {
	{"create", run_create, false, false, false},
	{"file_new", run_file, false, false, false},
	{"alloc", run_alloc, false, true, false},
	{"alloc far", run_alloc_far, false, true, false},
	{"open", run_open, false, true, false},
	{"dup", run_dup, false, true, false},
	{"dup far", run_dup_far, false, false, false},
	{"dup2", run_dup2, false, false, false},
	{"replace", run_replace, false, false, false},
	{"fork", run_fork, false, false, false},
	{"fork of a large table", run_fork_large, false, false, false},
	{"close", run_close, false, false, true},
	{"the others", run_others, false, false, true},
	{"alloc of any", run_alloc, true, true, true},
	{"alloc of any, in room", run_alloc, true, false, true},
	/* The close of what was opened makes a batch. */
	{"alloc far of any", run_alloc_far, true, true, true},
	{"open of any", run_open, true, true, true},
	{"dup of any", run_dup, true, true, true},
	{"dup2 of any", run_dup2, true, false, true},
	{"replace of any", run_replace, true, false, true},
	{"fork of any", run_fork, true, false, false},
	{"fork of a large table of any", run_fork_large, true, false, true},
	{"close of any", run_close, true, false, true},
};

static bool is_marked(unsigned int fd)
{
	return fd % 3 == 0;
}

static void as_before(struct files_struct *files, const struct call *call, unsigned int open)
{
	for (unsigned int fd = 0; fd < FULL; fd++) {
		must(is_open_at(files, fd) == (fd < open), "%s: %u was opened or closed",
			call->name, fd);
		must(fd >= open || fd_get_cloexec(files, fd) == is_marked(fd),
			"%s: the flag of %u has changed", call->name, fd);
	}
	for (unsigned int fd = FULL; fd < files_capacity(files); fd++)
		must(fd == 2000 || !is_open_at(files, fd), "%s: %u was opened", call->name, fd);
}

struct attempt {
	const struct call *call;
	long nth;
	bool fails_on;
	bool failed; /* there is an n-th allocation */
};

/* In a thread of its own: batches come and go with it. */
static void *attempt(void *data)
{
	struct attempt *a = data;
	unsigned int open = a->call->grows ? FULL : FULL - 1;
	struct files_struct *files = table_new(0, a->call->is_any);
	int result;

	for (unsigned int fd = 0; fd < open; fd++)
		must(fd_replace(files, fd, vfile_new(-1, 0, false), is_marked(fd)) == (int)fd,
			"replace");
	atomic_store(&has_failed, false);
	atomic_store(&fails_on, a->fails_on);
	atomic_store(&countdown, a->nth);
	result = a->call->run(files);
	memory_is_there();
	a->failed = atomic_load(&has_failed);
	must(result >= 0 || (a->failed && result == -ENOMEM), "%s: %d when allocation %ld fails",
		a->call->name, result, a->nth);
	must(result < 0 || !a->failed || a->call->may_do_without,
		"%s does not say that allocation %ld failed", a->call->name, a->nth);
	as_before(files, a->call, open);
	result = a->call->run(files);
	must(result >= 0, "%s: %d when there is memory again", a->call->name, result);
	as_before(files, a->call, open);
	files_destroy(files);
	return NULL;
}

/* Returns how many allocations the call has. */
static long check_call(const struct call *call, bool fails_on_then)
{
	struct attempt a = {.call = call, .nth = 0, .fails_on = fails_on_then, .failed = true};

	while (a.failed) {
		pthread_t thread;

		a.nth++;
		must(a.nth < 1000, "%s: no end of allocations", call->name);
		must(pthread_create(&thread, NULL, attempt, &a) == 0, "no thread could be made");
		pthread_join(thread, NULL);
		vfiles_are_gone();
		must(atomic_load(&in_use) == 0, "%s: %ld allocations leak when %ld fails",
			call->name, atomic_load(&in_use), a.nth);
	}
	return a.nth - 1;
}

void validate_memory(void)
{
	static const struct fdtable_memory functions = {allocate, release};
	long all = 0;

	fdtable_barrier();
	fdtable_set_memory(&functions);
	memory_is_there();
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		all += check_call(&calls[i], false);
		check_call(&calls[i], true);
	}
	fdtable_set_memory(NULL);
	printf("(%ld allocations) ", all);
}

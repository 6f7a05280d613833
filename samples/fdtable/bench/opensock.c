/*
 * opensock: E. Dumazet's of 2015. Many threads, each closing a descriptor drawn at random and opening another: one unit. On our
 * table, or with -k by the kernel's close and socket.
 *
 *   opensock [-k] [-u] [-o] [-n descriptors] [-t threads] [-l seconds] [-c units] [-a mask] [-r]
 *
 * -n  so many are open at a time (256); any thread may close any of them
 * -o  a thread closes only what it has opened, as servers do
 * -u  any number will do: it need not be the lowest free one (our table)
 */
#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "table.h"

/*
 * The numbers that are open, each on a line of its own: with numbers in any order a thread could not draw one otherwise. -1 while a
 * thread is at it.
 */
struct entry {
	_Alignas(64) _Atomic int fd;
};

static struct bench bench = {.name = "opensock",
	.usage = "[-k] [-u] [-o] [-n descriptors]",
	.threads = 24,
	.seconds = 10};
static bool use_kernel, own, any_number;
static unsigned int descriptors = 256;
static struct entry *entries;
static struct files_struct *files;

static int open_socket(void)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	return fd < 0 ? -errno : fd;
}

static int close_socket(int fd)
{
	return close(fd) < 0 ? -errno : 0;
}

static int open_file(void)
{
	struct open_file *file = table_file(NULL, 0);
	int fd = file ? fd_alloc(files, 0, false) : -ENOMEM;

	if (fd >= 0)
		fd_install(files, (unsigned int)fd, &file->file);
	else if (file)
		fput(&file->file);
	return fd;
}

static int checked(int result, const char *what)
{
	if (result < 0)
		bench_fail(&bench, what, -result);
	return result;
}

static int open_one(void)
{
	return checked(use_kernel ? open_socket() : open_file(), "open");
}

static void close_one(int fd)
{
	checked(use_kernel ? close_socket(fd) : fd_close(files, (unsigned int)fd), "close");
}

/* With -o a worker has every bench.threads-th entry. */
static unsigned int draw(struct worker *worker)
{
	unsigned int step = bench.threads;

	if (!own)
		return bench_random(worker, descriptors);
	return worker->number +
	       step * bench_random(worker, (descriptors - worker->number + step - 1) / step);
}

static void prepare(struct worker *worker)
{
	if (!use_kernel && worker->number != 0)
		files_get(files);
	for (unsigned int i = worker->number; i < descriptors; i += bench.threads)
		atomic_store(&entries[i].fd, open_one());
}

static void work(struct worker *worker)
{
	while (bench_goes_on(worker)) {
		_Atomic int *entry = &entries[draw(worker)].fd;
		int fd = atomic_exchange_explicit(entry, -1, memory_order_acquire);

		/* Another thread is at it: another one, then. */
		if (fd < 0)
			continue;
		LINELINT_ROLE("close");
		LINELINT_OP();
		close_one(fd);
		LINELINT_OP_END();
		bench_step(worker);
		LINELINT_ROLE("open");
		LINELINT_OP();
		fd = open_one();
		LINELINT_OP_END();
		atomic_store_explicit(entry, fd, memory_order_release);
		worker->work++;
	}
}

/* How many are open in the end, by closing them: all different, and no number lost. */
static unsigned int close_all(void)
{
	unsigned int closed = 0;

	for (unsigned int i = 0; i < descriptors; i++) {
		int fd = atomic_load(&entries[i].fd);

		if (fd >= 0 &&
			(use_kernel ? close_socket(fd) : fd_close(files, (unsigned int)fd)) == 0)
			closed++;
	}
	return closed;
}

static void raise_limit(void)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_cur < descriptors + 64UL) {
		limit.rlim_cur = descriptors + 64UL;
		if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
			bench_fail(&bench, "-n is more than this process may open", errno);
	}
}

static void own_option(int option, const char *argument)
{
	if (option == 'k')
		use_kernel = true;
	else if (option == 'u')
		any_number = true;
	else if (option == 'o')
		own = true;
	else if (option == 'n')
		descriptors = (unsigned int)bench_number(&bench, 'n', argument, 1, 1 << 18);
}

int main(int argc, char **argv)
{
	struct worker *workers;

	bench_options(&bench, argc, argv, "kuon:", own_option);
	if (descriptors < bench.threads)
		bench_usage(&bench, "-n wants at least as many as there are threads");
	entries = aligned_alloc(_Alignof(struct entry), descriptors * sizeof(*entries));
	if (!entries)
		bench_fail(&bench, "no memory for -n", ENOMEM);
	if (use_kernel)
		raise_limit();
	else
		files = table_new(any_number);
	workers = bench_run(&bench, prepare, work, NULL);
	bench_print(&bench);
	printf(" open %u\n", close_all());
	free(workers);
	if (files)
		files_destroy(files);
	free(entries);
	return 0;
}

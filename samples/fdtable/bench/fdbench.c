/*
 * fdbench: E. Dumazet's bench of 2005. Each thread opens its file of 1024 bytes, reads a byte, four times seeks (to 10, 20,
 * 30, 40) and reads a byte, and closes it: one unit. On our table, or with -k by the kernel's open, read, lseek and close.
 *
 *   fdbench [-k] [-s] [-i] [-t threads] [-l seconds] [-c units] [-a mask]
 *
 * -s  a small set: otherwise each thread first opens 64 descriptors, so that the table grows past its embedded part
 * -i  one idle thread more, so that a single worker pays for what several share
 */
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "table.h"

enum { FILE_SIZE = 1024, SEEKS = 4, SEEK_STEP = 10, OTHERS = 64 };

static struct bench bench = {
	.name = "fdbench", .usage = "[-k] [-s] [-i]", .threads = 2, .seconds = 10};
static bool use_kernel, small, idle;
static unsigned long bytes_read;
static struct files_struct *files;
static unsigned char content[FILE_SIZE];
static pthread_mutex_t idle_end = PTHREAD_MUTEX_INITIALIZER;

/* The kernel's own, on a file of the thread's. */

static _Thread_local char path[4096];

static void make_file(void)
{
	const char *directory = getenv("TMPDIR");
	int fd;

	snprintf(path, sizeof(path), "%s/fdbench.XXXXXX", directory ? directory : "/tmp");
	fd = mkstemp(path);
	if (fd < 0)
		bench_fail(&bench, path, errno);
	if (write(fd, content, sizeof(content)) != (ssize_t)sizeof(content))
		bench_fail(&bench, path, errno);
	close(fd);
}

static void prepare_kernel(struct worker *worker)
{
	(void)worker;
	make_file();
	for (int i = 0; !small && i < OTHERS; i++) {
		if (open("/dev/null", O_RDONLY) < 0)
			bench_fail(&bench, "/dev/null", errno);
	}
}

static void finish_kernel(struct worker *worker)
{
	(void)worker;
	unlink(path);
}

static bool read_at(int fd, struct worker *worker, unsigned int at)
{
	unsigned char byte;

	if (at != 0 && lseek(fd, (off_t)at, SEEK_SET) != (off_t)at)
		return false;
	if (read(fd, &byte, 1) != 1 || byte != content[at])
		return false;
	worker->extra[0]++;
	return true;
}

static void work_kernel(struct worker *worker)
{
	for (; bench_goes_on(worker); worker->work++) {
		int fd = open(path, O_RDONLY);

		if (fd < 0)
			bench_fail(&bench, path, errno);
		for (unsigned int i = 0; i <= SEEKS; i++) {
			if (!read_at(fd, worker, i * SEEK_STEP))
				bench_fail(&bench, "read", errno);
		}
		if (close(fd) != 0)
			bench_fail(&bench, "close", errno);
	}
}

/* The same calls on our table. */

static int table_open(void)
{
	struct open_file *file = table_file(content, sizeof(content));
	int fd = file ? fd_alloc(files, 0, false) : -ENOMEM;

	if (fd >= 0)
		fd_install(files, (unsigned int)fd, &file->file);
	else if (file)
		fput(&file->file);
	return fd;
}

static struct open_file *table_get(int fd, bool *fput_needed)
{
	return (struct open_file *)fget_light(files, (unsigned int)fd, fput_needed);
}

static void table_put(struct open_file *file, bool fput_needed)
{
	if (fput_needed)
		fput(&file->file);
}

static long table_read(int fd, unsigned char *byte)
{
	bool fput_needed;
	struct open_file *file = table_get(fd, &fput_needed);
	long result = -EBADF;

	if (!file)
		return result;
	if (file->file.f_mode & MODE_READ) {
		result = file->position < file->size;
		if (result)
			*byte = file->bytes[file->position++];
	}
	table_put(file, fput_needed);
	return result;
}

static long table_seek(int fd, unsigned long position)
{
	bool fput_needed;
	struct open_file *file = table_get(fd, &fput_needed);

	if (!file)
		return -EBADF;
	file->position = position;
	table_put(file, fput_needed);
	return (long)position;
}

static void prepare_table(struct worker *worker)
{
	if (worker->number != 0)
		files_get(files);
	for (int i = 0; !small && i < OTHERS; i++) {
		int fd = table_open();

		if (fd < 0)
			bench_fail(&bench, "open", -fd);
	}
}

static void table_read_at(int fd, struct worker *worker, unsigned int at)
{
	unsigned char byte = 0;
	long result = 0;

	LINELINT_ROLE("lookup");
	if (at != 0) {
		bench_step(worker);
		LINELINT_OP();
		result = table_seek(fd, at);
		LINELINT_OP_END();
	}
	if (result == (long)at) {
		bench_step(worker);
		LINELINT_OP();
		result = table_read(fd, &byte);
		LINELINT_OP_END();
	}
	if (result != 1 || byte != content[at])
		bench_fail(&bench, "read", result < 0 ? (int)-result : EIO);
	worker->extra[0]++;
}

static void work_table(struct worker *worker)
{
	for (; bench_goes_on(worker); worker->work++) {
		int fd, error;

		LINELINT_ROLE("open");
		LINELINT_OP();
		fd = table_open();
		LINELINT_OP_END();
		if (fd < 0)
			bench_fail(&bench, "open", -fd);
		for (unsigned int i = 0; i <= SEEKS; i++)
			table_read_at(fd, worker, i * SEEK_STEP);
		bench_step(worker);
		LINELINT_ROLE("close");
		LINELINT_OP();
		error = fd_close(files, (unsigned int)fd);
		LINELINT_OP_END();
		if (error)
			bench_fail(&bench, "close", -error);
	}
}

static void *stay_idle(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&idle_end);
	pthread_mutex_unlock(&idle_end);
	return NULL;
}

static void own_option(int option, const char *argument)
{
	(void)argument;
	if (option == 'k')
		use_kernel = true;
	else if (option == 's')
		small = true;
	else if (option == 'i')
		idle = true;
}

int main(int argc, char **argv)
{
	struct worker *workers;
	pthread_t idle_thread;

	bench_options(&bench, argc, argv, "ksi", own_option);
	for (unsigned int i = 0; i < FILE_SIZE; i++)
		content[i] = (unsigned char)(i * 7 + 1);
	if (!use_kernel)
		files = table_new(false);
	pthread_mutex_lock(&idle_end);
	if (idle) {
		if (files)
			files_get(files);
		if (pthread_create(&idle_thread, NULL, stay_idle, NULL) != 0)
			bench_fail(&bench, "no thread", EAGAIN);
	}
	workers = use_kernel ? bench_run(&bench, prepare_kernel, work_kernel, finish_kernel)
			     : bench_run(&bench, prepare_table, work_table, NULL);
	pthread_mutex_unlock(&idle_end);
	if (idle)
		pthread_join(idle_thread, NULL);
	for (unsigned int i = 0; i < bench.threads; i++)
		bytes_read += workers[i].extra[0];
	bench_print(&bench);
	printf(" bytes_read %lu capacity %u\n", bytes_read, files ? files_capacity(files) : 0);
	free(workers);
	if (files)
		files_destroy(files);
	return 0;
}

/*
 * filebench: struct file's counter beside what lookups read, or not (S. Zhang and Y. Jin, 2020). All threads use one file: one unit
 * is a lookup that takes a reference and drops it, and some that only look, each reading what a system call reads of the file.
 *
 *   filebench [-p looks] [-t threads] [-l seconds] [-c units] [-a mask]
 *
 * -p  looks without a reference in a unit (8)
 *
 * Built once for each layout of struct file (-DFILE_LAYOUT).
 */
#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "table.h"

static struct bench bench = {
	.name = "filebench", .usage = "[-p looks]", .threads = 2, .seconds = 10};
static unsigned int looks = 8;
static struct files_struct *files;
static unsigned int number;

/* What a system call reads once it has the file. Volatile: all of it each time. */
static bool can_read(const struct file *file)
{
	const volatile struct file *seen = file;

#if FILE_LAYOUT != FILE_BEST
	if (!seen->f_inode || !seen->f_path.dentry)
		return false;
#endif
	return seen->f_op && (seen->f_mode & MODE_READ);
}

static void look(struct worker *worker)
{
	struct file *file;

	fd_read_lock();
	file = fd_peek(files, number);
	if (file && can_read(file))
		worker->extra[0]++;
	fd_read_unlock();
}

static void work(struct worker *worker)
{
	for (; bench_goes_on(worker); worker->work++) {
		struct file *file = fget(files, number);

		if (!file)
			bench_fail(&bench, "fget", EBADF);
		worker->extra[1] += can_read(file);
		fput(file);
		for (unsigned int i = 0; i < looks; i++)
			look(worker);
	}
}

static void own_option(int option, const char *argument)
{
	if (option == 'p')
		looks = (unsigned int)bench_number(&bench, 'p', argument, 0, 1000000);
}

int main(int argc, char **argv)
{
	unsigned long looked = 0, taken = 0;
	struct open_file *file;
	struct worker *workers;
	int fd;

	bench_options(&bench, argc, argv, "p:", own_option);
	files = table_new(false);
	file = table_file(NULL, 0);
	fd = file ? fd_open(files, &file->file, false) : -ENOMEM;
	if (fd < 0)
		bench_fail(&bench, "open", -fd);
	number = (unsigned int)fd;
#if FILE_LAYOUT != FILE_BEST
	file->file.f_inode = file;
	file->file.f_path.dentry = file;
#endif
	workers = bench_run(&bench, NULL, work, NULL);
	for (unsigned int i = 0; i < bench.threads; i++) {
		looked += workers[i].extra[0];
		taken += workers[i].extra[1];
	}
	bench_print(&bench);
	printf(" looked %lu taken %lu references %ld\n", looked, taken,
		atomic_load(&file->file.f_count.counter));
	free(workers);
	files_destroy(files);
	return 0;
}

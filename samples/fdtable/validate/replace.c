/* dup2 and replace on an open number, from many threads, while others look and the table grows. */
#include "validate.h"

#include <string.h>

enum { TARGET = 5, SOURCES = 4, STEPS = 4000 };

struct worker {
	struct files_struct *files;
	_Atomic unsigned int *writers; /* that are not done */
	bool is_writer, reusable;
	unsigned int seed;
};

static void write_one(struct worker *w, int step)
{
	int got;

	if (any_of(&w->seed, 2)) {
		struct file *file = vfile_new(TARGET, 0, w->reusable);

		got = fd_replace(w->files, TARGET, file, step & 1);
		if (got < 0)
			fput(file);
	} else {
		got = fd_dup2(w->files, any_of(&w->seed, SOURCES), TARGET, step & 1);
	}
	must(got == TARGET, "dup2 or replace: %d", got);
	if (step % (STEPS / 8) == 0)
		must(fd_dup2(w->files, 0, 64U << (step / (STEPS / 8)), false) >= 0, "dup2");
}

static void read_one(struct worker *w)
{
	struct file *file = fget(w->files, TARGET);
	int flag = fd_get_cloexec(w->files, TARGET);

	must(file, "a lookup between failed");
	must(flag == 0 || flag == 1, "the flag between is %d", flag);
	vfile_alive(file, -1);
	fput(file);
	fd_read_lock();
	file = fd_peek(w->files, TARGET);
	must(file, "a peek between failed");
	vfile_readable(file);
	fd_read_unlock();
}

static void *work(void *data)
{
	struct worker *w = data;

	if (!w->is_writer) {
		while (atomic_load(w->writers))
			read_one(w);
		return NULL;
	}
	for (int step = 0; step < STEPS; step++)
		write_one(w, step);
	atomic_fetch_sub(w->writers, 1);
	return NULL;
}

static void check_round(bool reusable, unsigned int seed)
{
	struct files_struct *files = table_new(0, false);
	struct worker workers[64];
	_Atomic unsigned int writers = 0;

	for (int fd = 0; fd <= TARGET; fd++)
		must(fd_open(files, vfile_new(-1, 0, reusable), false) == fd, "open");
	for (unsigned int i = 0; i < options.threads; i++) {
		workers[i] =
			(struct worker){files, &writers, i % 2 == 0, reusable, seed * 64 + i + 1};
		writers += workers[i].is_writer;
	}
	in_threads(work, workers, sizeof(workers[0]));
	files_destroy(files);
	vfiles_are_gone();
}

void validate_replace(void)
{
	unsigned long round = 0;

	while (another_round(&round)) {
		check_round(false, options.seed + (unsigned int)round);
		check_round(true, options.seed + (unsigned int)round);
	}
}

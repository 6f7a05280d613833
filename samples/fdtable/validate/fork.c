/* Copies of a table that others change: what is open all the time is in each, the rest is whole. */
#include "validate.h"

#include <string.h>

enum { STABLE = 130, LIMIT = 400, STEPS = 4000, FORKS = 30 };

struct worker {
	struct files_struct *files;
	struct file **stable;
	bool forks, any_number;
	unsigned int seed;
};

static bool is_marked(unsigned int fd)
{
	return fd % 3 == 1;
}

static int alive(unsigned int fd, struct file *file, void *data)
{
	(void)data;
	vfile_alive(file, (int)fd);
	return 0;
}

static void check_stable(struct worker *w, struct files_struct *copy, bool after_exec)
{
	for (unsigned int fd = 0; fd < STABLE; fd++) {
		struct file *file = fget(copy, fd);

		if (after_exec && is_marked(fd)) {
			must(!file, "exec left %u open, which is close-on-exec", fd);
			continue;
		}
		must(file == w->stable[fd], "%u, open all the time, is not in the copy", fd);
		must(fd_get_cloexec(copy, fd) == is_marked(fd), "the flag of %u in the copy", fd);
		fput(file);
	}
}

static void fork_one(struct worker *w)
{
	struct files_struct *copy;

	must(files_fork(w->files, &copy) == 0, "fork");
	check_stable(w, copy, false);
	must(fd_iterate(copy, 0, alive, NULL) == 0, "iterate");
	files_exec(copy);
	check_stable(w, copy, true);
	/* Nobody else is in it: reservations of the other table are not either. */
	table_is_whole(copy, w->any_number);
	files_destroy(copy);
}

static void change_one(struct worker *w)
{
	unsigned int fd = STABLE + any_of(&w->seed, LIMIT - STABLE);
	int got;

	switch (any_of(&w->seed, 4)) {
	case 0:
		got = fd_alloc(w->files, fd, false);
		if (got >= 0)
			fd_install(w->files, (unsigned int)got, vfile_new(got, 0, false));
		break;
	case 1:
		got = fd_dup(w->files, any_of(&w->seed, STABLE), fd, true);
		must(got != -EBADF, "a stable number is lost");
		if (got >= 0)
			fd_close(w->files, (unsigned int)got);
		break;
	default:
		fd_close(w->files, fd);
	}
}

static void *work(void *data)
{
	struct worker *w = data;

	for (int i = 0; i < (w->forks ? FORKS : STEPS); i++) {
		if (w->forks)
			fork_one(w);
		else
			change_one(w);
	}
	return NULL;
}

static void check_round(bool any_number, unsigned int seed)
{
	struct files_struct *files = table_new(LIMIT, any_number);
	struct file *stable[STABLE];
	struct worker workers[64];

	for (unsigned int fd = 0; fd < STABLE; fd++) {
		/* -1: a dup2 of it is the same file at another number. */
		stable[fd] = vfile_new(-1, 0, false);
		must(fd_replace(files, fd, stable[fd], is_marked(fd)) == (int)fd, "replace");
	}
	for (unsigned int i = 0; i < options.threads; i++)
		workers[i] = (struct worker){files, stable, i == 0, any_number, seed * 64 + i + 1};
	in_threads(work, workers, sizeof(workers[0]));
	table_is_whole(files, any_number);
	files_destroy(files);
	vfiles_are_gone();
}

void validate_fork(void)
{
	unsigned long round = 0;

	while (another_round(&round)) {
		check_round(false, options.seed + (unsigned int)round);
		check_round(true, options.seed + (unsigned int)round);
	}
}

/* Threads with a range of numbers each: what one closes or marks is its own, to the last number. */
#include "validate.h"

#include <string.h>

enum { RANGE = 96, TURNS = 60 };

struct worker {
	struct files_struct *files;
	unsigned int first, seed;
};

static void fill(struct worker *w)
{
	for (unsigned int fd = w->first; fd < w->first + RANGE; fd++)
		must(fd_replace(w->files, fd, vfile_new((int)fd, 0, false), fd & 1) == (int)fd,
			"replace");
}

static void check(struct worker *w, unsigned int from, unsigned int to, bool closed)
{
	for (unsigned int fd = w->first; fd < w->first + RANGE; fd++) {
		bool inside = fd >= from && fd <= to;

		must(is_open_at(w->files, fd) == !(inside && closed),
			"close_range(%u, %u): %u is %s", from, to, fd,
			is_open_at(w->files, fd) ? "open" : "closed");
		if (!(inside && closed))
			must(fd_get_cloexec(w->files, fd) == ((fd & 1) || inside),
				"close_range(%u, %u): the flag of %u", from, to, fd);
	}
}

static void *work(void *data)
{
	struct worker *w = data;

	for (int turn = 0; turn < TURNS; turn++) {
		unsigned int from = w->first + any_of(&w->seed, RANGE);
		unsigned int to = from + any_of(&w->seed, w->first + RANGE - from);

		fill(w);
		must(fd_close_range(w->files, from, to, true) == 0, "close_range");
		check(w, from, to, false);
		must(fd_close_range(w->files, from, to, false) == 0, "close_range");
		check(w, from, to, true);
		for (unsigned int fd = from; fd <= to; fd++)
			must(fd_close(w->files, fd) == -EBADF, "%u is closed twice", fd);
	}
	return NULL;
}

void validate_ranges(void)
{
	struct worker workers[64];
	unsigned long round = 0;

	while (another_round(&round)) {
		unsigned int limit = options.threads * RANGE;
		struct files_struct *files = table_new(limit, round & 1);

		for (unsigned int i = 0; i < options.threads; i++)
			workers[i] = (struct worker){files, i * RANGE,
				(options.seed + (unsigned int)round) * 64 + i + 1};
		in_threads(work, workers, sizeof(workers[0]));
		table_is_whole(files, round & 1);
		files_destroy(files);
		vfiles_are_gone();
	}
}

/*
 * Threads open, close, replace and look up in tables that grow under them. A number is one thread's alone
 * from the return of its open to the call of its close; whoever looks finds a live file, the one that was
 * installed there; nothing is lost.
 */
#include "validate.h"

#include <string.h>

enum { EACH = 400, STEPS = 3000 };

struct shared {
	struct files_struct *files;
	_Atomic unsigned long *owners; /* of each number; 0: nobody */
	unsigned int limit;
	bool reusable;
};

struct worker {
	struct shared *shared;
	unsigned long id;
	unsigned int seed;
	unsigned int held;
	struct {
		int fd;
		struct file *file;
	} mine[EACH];
};

static void has(struct worker *w, int fd, struct file *file)
{
	unsigned long owner;

	must(fd >= 0 && (unsigned int)fd < w->shared->limit, "open: %d", fd);
	owner = atomic_exchange(&w->shared->owners[fd], w->id);
	must(owner == 0, "%d was given to thread %lu while it was thread %lu's", fd, w->id, owner);
	w->mine[w->held].fd = fd;
	w->mine[w->held++].file = file;
}

static void open_one(struct worker *w)
{
	struct shared *s = w->shared;
	struct file *file;
	int fd;

	if (any_of(&w->seed, 2)) {
		file = vfile_new(-1, w->id, s->reusable);
		has(w, fd_open(s->files, file, false), file);
		return;
	}
	/* From far behind too: the table grows by more than one step. */
	fd = fd_alloc(s->files, any_of(&w->seed, 4) ? 0 : any_of(&w->seed, s->limit / 2), false);
	must(fd >= 0, "alloc: %d", fd);
	if (any_of(&w->seed, 8) == 0) {
		fd_cancel(s->files, (unsigned int)fd);
		return;
	}
	file = vfile_new(fd, w->id, s->reusable);
	has(w, fd, file);
	fd_install(s->files, (unsigned int)fd, file);
}

static void look_at_mine(struct worker *w, unsigned int which)
{
	struct file *file = fget(w->shared->files, (unsigned int)w->mine[which].fd);

	must(file == w->mine[which].file, "%d is lost: it names %s", w->mine[which].fd,
		file ? "another file" : "nothing");
	vfile_alive(file, w->mine[which].fd);
	must(((struct vfile *)file)->owner == w->id, "%d has another owner", w->mine[which].fd);
	fput(file);
}

static void close_one(struct worker *w, unsigned int which)
{
	int fd = w->mine[which].fd;
	int error;

	w->mine[which] = w->mine[--w->held];
	atomic_store(&w->shared->owners[fd], 0);
	error = fd_close(w->shared->files, (unsigned int)fd);
	must(error == 0, "close of %d: %d", fd, error);
}

static void replace_one(struct worker *w, unsigned int which)
{
	int fd = w->mine[which].fd;
	struct file *file = vfile_new(fd, w->id, w->shared->reusable);

	must(fd_replace(w->shared->files, (unsigned int)fd, file, true) == fd, "replace");
	w->mine[which].file = file;
	must(fd_get_cloexec(w->shared->files, (unsigned int)fd) == 1, "the flag of %d", fd);
}

static void look_at_any(struct worker *w)
{
	unsigned int fd = any_of(&w->seed, w->shared->limit);
	struct file *file = fget(w->shared->files, fd);

	if (!file)
		return;
	vfile_alive(file, (int)fd);
	/* It stays what it is while there is a reference, whatever its owner does. */
	for (volatile int i = 0; i < 50; i++)
		;
	vfile_alive(file, (int)fd);
	fput(file);
}

static void peek_at_any(struct worker *w)
{
	struct file *file;

	fd_read_lock();
	file = fd_peek(w->shared->files, any_of(&w->seed, w->shared->limit));
	if (file) {
		vfile_readable(file);
		for (volatile int i = 0; i < 50; i++)
			;
		vfile_readable(file);
	}
	fd_read_unlock();
}

static void *work(void *data)
{
	struct worker *w = data;

	for (int i = 0; i < STEPS; i++) {
		unsigned int action = any_of(&w->seed, 10);
		unsigned int which = w->held ? any_of(&w->seed, w->held) : 0;

		if ((action < 4 && w->held < EACH) || w->held == 0)
			open_one(w);
		else if (action < 7)
			close_one(w, which);
		else if (action == 7)
			replace_one(w, which);
		else if (action == 8)
			look_at_mine(w, which);
		else
			look_at_any(w);
		if (i % 4 == 0)
			peek_at_any(w);
	}
	for (unsigned int i = 0; i < w->held; i++)
		look_at_mine(w, i);
	return NULL;
}

static void check_round(bool any_number, bool reusable, unsigned int seed)
{
	unsigned int limit = options.threads * EACH * 2;
	struct shared shared = {.limit = limit, .reusable = reusable};
	struct worker *workers = calloc(options.threads, sizeof(*workers));

	shared.files = table_new(limit, any_number);
	shared.owners = calloc(limit, sizeof(*shared.owners));
	if (!workers || !shared.owners)
		abort();
	for (unsigned int i = 0; i < options.threads; i++) {
		workers[i].shared = &shared;
		workers[i].id = i + 1;
		workers[i].seed = seed * 64 + i + 1;
	}
	in_threads(work, workers, sizeof(*workers));
	for (unsigned int i = 0; i < options.threads; i++) {
		while (workers[i].held)
			close_one(&workers[i], 0);
	}
	table_is_whole(shared.files, any_number);
	files_destroy(shared.files);
	vfiles_are_gone();
	free(workers);
	free(shared.owners);
}

void validate_owner(void)
{
	unsigned long round = 0;

	while (another_round(&round)) {
		for (int kind = 0; kind < 4; kind++)
			check_round(kind & 1, kind & 2, options.seed + (unsigned int)round);
	}
}

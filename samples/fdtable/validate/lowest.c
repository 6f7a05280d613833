/*
 * The promise of the lowest number with many threads at work: no number is passed over that was free during
 * the whole call. Every call notes a time when it begins and when it has returned; afterwards each
 * allocation is held against the times at which each number was free for certain, from the return of its
 * close to the call of the open that got it next.
 */
#include "validate.h"

#include <string.h>

enum { HELD = 20, STEPS = 3000 };

struct life {
	unsigned long open_begin, open_end, close_begin, close_end;
};

struct event {
	struct life life;
	int fd; /* or -EMFILE */
};

struct log {
	struct files_struct *files;
	unsigned int seed, limit, count;
	struct event events[STEPS];
};

static _Atomic unsigned long now;

static unsigned long tick(void)
{
	return atomic_fetch_add(&now, 1) + 1;
}

static void close_event(struct log *log, struct event *event)
{
	event->life.close_begin = tick();
	must(fd_close(log->files, (unsigned int)event->fd) == 0, "close");
	event->life.close_end = tick();
}

static struct event *open_event(struct log *log)
{
	struct file *file = vfile_new(-1, 0, true);
	struct event *event = &log->events[log->count++];

	event->life.open_begin = tick();
	event->fd = fd_open(log->files, file, false);
	event->life.open_end = tick();
	if (event->fd < 0)
		fput(file);
	return event;
}

static void *work(void *data)
{
	struct log *log = data;
	struct event *held[HELD];
	unsigned int count = 0;

	while (log->count < STEPS) {
		if (count < HELD && any_of(&log->seed, 2)) {
			held[count] = open_event(log);
			must(held[count]->fd >= 0 || held[count]->fd == -EMFILE, "open: %d",
				held[count]->fd);
			count += held[count]->fd >= 0;
		} else if (count) {
			unsigned int which = any_of(&log->seed, count);

			close_event(log, held[which]);
			held[which] = held[--count];
		}
	}
	while (count)
		close_event(log, held[--count]);
	return NULL;
}

/* All lives of one number, in order. */
struct history {
	struct life *lives;
	unsigned int count;
};

static int by_begin(const void *a, const void *b)
{
	const struct life *one = a, *two = b;

	return (one->open_end > two->open_end) - (one->open_end < two->open_end);
}

static void sort_history(struct history *history, unsigned int fd)
{
	if (history->count)
		qsort(history->lives, history->count, sizeof(history->lives[0]), by_begin);
	for (unsigned int i = 1; i < history->count; i++)
		must(history->lives[i - 1].close_begin <= history->lives[i].open_end,
			"%u was two threads' at a time", fd);
}

/* Whether the number was free from before `begin` to after `end`, for certain. */
static bool was_free(const struct history *history, unsigned long begin, unsigned long end)
{
	unsigned int low = 0, high = history->count;

	/* The first life that was not over when the call began. */
	while (low < high) {
		unsigned int middle = (low + high) / 2;

		if (history->lives[middle].close_end < begin)
			low = middle + 1;
		else
			high = middle;
	}
	return low == history->count || history->lives[low].open_begin > end;
}

static void check_event(
	const struct event *event, const struct history *histories, unsigned int limit)
{
	unsigned int below = event->fd < 0 ? limit : (unsigned int)event->fd;

	for (unsigned int fd = 0; fd < below; fd++)
		must(!was_free(&histories[fd], event->life.open_begin, event->life.open_end),
			"an open returned %d, and %u was free during the whole call", event->fd,
			fd);
}

static void check_logs(struct log *logs, unsigned int limit)
{
	struct history *histories = calloc(limit, sizeof(*histories));

	if (!histories)
		abort();
	for (unsigned int i = 0; i < options.threads; i++) {
		for (unsigned int j = 0; j < logs[i].count; j++) {
			struct event *event = &logs[i].events[j];
			struct history *history;

			if (event->fd < 0)
				continue;
			history = &histories[event->fd];
			if ((history->count & (history->count - 1)) == 0)
				history->lives = realloc(history->lives,
					(history->count * 2 + 1) * sizeof(history->lives[0]));
			if (!history->lives)
				abort();
			history->lives[history->count++] = event->life;
		}
	}
	for (unsigned int fd = 0; fd < limit; fd++)
		sort_history(&histories[fd], fd);
	for (unsigned int i = 0; i < options.threads; i++) {
		for (unsigned int j = 0; j < logs[i].count; j++)
			check_event(&logs[i].events[j], histories, limit);
	}
	for (unsigned int fd = 0; fd < limit; fd++)
		free(histories[fd].lives);
	free(histories);
}

void validate_lowest(void)
{
	struct log *logs = calloc(options.threads, sizeof(*logs));
	unsigned long round = 0;

	if (!logs)
		abort();
	while (another_round(&round)) {
		/* Every other round with too few numbers for all. */
		unsigned int limit = options.threads * HELD / (round % 2 ? 1 : 2);
		struct files_struct *files = table_new(limit, false);

		for (unsigned int i = 0; i < options.threads; i++) {
			memset(&logs[i], 0, sizeof(logs[i]));
			logs[i].files = files;
			logs[i].limit = limit;
			logs[i].seed = (options.seed + (unsigned int)round) * 64 + i + 1;
		}
		in_threads(work, logs, sizeof(*logs));
		check_logs(logs, limit);
		table_is_whole(files, false);
		files_destroy(files);
		vfiles_are_gone();
	}
	free(logs);
}

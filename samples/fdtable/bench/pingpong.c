/*
 * pingpong: what it costs on this machine that a line goes from one processor to another, which all the other figures rest on. Two
 * threads, on two processors, write one word in turn: one unit is one write.
 *
 *   pingpong [-l seconds] [-c units]
 */
#include "bench.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static struct bench bench = {.name = "pingpong", .usage = "", .threads = 2, .seconds = 10};
static struct {
	_Alignas(128) _Atomic unsigned long word;
} line;

static void no_option(int option, const char *argument)
{
	(void)option;
	(void)argument;
}

/* Each to a processor of its own, as far as there are. */
static void place(struct worker *worker)
{
	unsigned int seen = 0;
	cpu_set_t all, one;

	sched_getaffinity(0, sizeof(all), &all);
	if (CPU_COUNT(&all) < 2)
		return;
	CPU_ZERO(&one);
	for (unsigned int i = 0; i < CPU_SETSIZE; i++) {
		if (CPU_ISSET(i, &all) && seen++ == worker->number)
			CPU_SET(i, &one);
	}
	sched_setaffinity(0, sizeof(one), &one);
}

static void work(struct worker *worker)
{
	while (bench_goes_on(worker)) {
		unsigned long now = atomic_load_explicit(&line.word, memory_order_relaxed);

		if (now % 2 != worker->number)
			continue;
		atomic_store_explicit(&line.word, now + 1, memory_order_relaxed);
		worker->work++;
	}
}

int main(int argc, char **argv)
{
	bench_options(&bench, argc, argv, "", no_option);
	if (bench.threads != 2)
		bench_usage(&bench, "-t: it takes two");
	free(bench_run(&bench, place, work, NULL));
	bench_print(&bench);
	printf(" word %lu\n", atomic_load(&line.word));
	return 0;
}

/*
 * arraybench: elements of an array that neighbouring threads write, as CPUs do with Linux's irq_desc and mem_map of 1999
 * (C. Lever). Element i is written by thread i modulo threads, its first word and its last: one unit.
 *
 *   arraybench [-e bytes] [-n elements] [-t threads] [-l seconds] [-c units] [-a mask]
 *
 * -e  bytes of an element, a multiple of 8 (16 to 4096; 32)
 * -n  elements (128); the array starts on a cache line
 */
#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef _Atomic unsigned long word;

static struct bench bench = {
	.name = "arraybench", .usage = "[-e bytes] [-n elements]", .threads = 2, .seconds = 10};
static unsigned int element_size = 32, elements = 128;
static char *array;

static word *word_of(unsigned int element, unsigned int offset)
{
	return (word *)(void *)(array + (size_t)element * element_size + offset);
}

/* Plain in all but name: nobody else writes it, and the compiler may not keep it in a register. */
static void count(word *counter)
{
	atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + 1,
		memory_order_relaxed);
}

static void work(struct worker *worker)
{
	unsigned int step = bench.threads;
	unsigned int mine = (elements - worker->number + step - 1) / step;
	unsigned int last = element_size - (unsigned int)sizeof(word);

	for (; bench_goes_on(worker); worker->work++) {
		unsigned int element = worker->number + step * bench_random(worker, mine);

		count(word_of(element, 0));
		count(word_of(element, last));
	}
}

static void own_option(int option, const char *argument)
{
	if (option == 'e')
		element_size = (unsigned int)bench_number(&bench, 'e', argument, 16, 4096);
	else if (option == 'n')
		elements = (unsigned int)bench_number(&bench, 'n', argument, 1, 1 << 20);
}

int main(int argc, char **argv)
{
	size_t size;
	unsigned long sum = 0;

	bench_options(&bench, argc, argv, "e:n:", own_option);
	if (element_size % sizeof(word) != 0)
		bench_usage(&bench, "-e wants a multiple of 8");
	if (elements < bench.threads)
		bench_usage(&bench, "-n wants at least as many as there are threads");
	size = ((size_t)elements * element_size + 4095) / 4096 * 4096;
	array = aligned_alloc(4096, size);
	if (!array)
		bench_fail(&bench, "no memory for -n", ENOMEM);
	memset(array, 0, size);
	free(bench_run(&bench, NULL, work, NULL));
	for (unsigned int i = 0; i < elements; i++)
		sum += *word_of(i, 0) + *word_of(i, element_size - (unsigned int)sizeof(word));
	bench_print(&bench);
	printf(" counted %lu\n", sum);
	free(array);
	return 0;
}

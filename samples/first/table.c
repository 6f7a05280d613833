/*
 * A first program with a false-sharing bug: lookups only read, and are slowed down by a counter that somebody else writes.
 *
 *     cc -g -O2 -pthread table.c -o table && ./table
 *     linelint --profile table.yaml table struct table
 *
 * Then build it with -DFIXED, which moves the counter to a line of its own, and do both again.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct table {
	atomic_ulong mask;                /* read by every lookup */
	_Atomic(unsigned long *) entries; /* read by every lookup */
#ifdef FIXED
	_Alignas(64)
#endif
	atomic_ulong inserted;            /* written by every insertion */
	unsigned long capacity;
};

enum { SIZE = 1024, LOOKUPS = 200 * 1000 * 1000 };

static struct table *table;
static atomic_bool done;

static void *insert(void *argument)
{
	(void)argument;
	while (!atomic_load_explicit(&done, memory_order_relaxed))
		atomic_fetch_add_explicit(&table->inserted, 1, memory_order_relaxed);
	return NULL;
}

static unsigned long look_up(unsigned long key)
{
	unsigned long mask = atomic_load_explicit(&table->mask, memory_order_relaxed);
	unsigned long *entries = atomic_load_explicit(&table->entries, memory_order_relaxed);
	return entries[key & mask];
}

int main(void)
{
	static unsigned long entries[SIZE];
	struct timespec begin, end;
	unsigned long sum = 0;
	pthread_t inserter;
	table = aligned_alloc(64, (sizeof(*table) + 63) / 64 * 64);
	if (!table)
		return 1;
	*table = (struct table){.mask = SIZE - 1, .entries = entries, .capacity = SIZE};
	if (pthread_create(&inserter, NULL, insert, NULL))
		return 1;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (unsigned long i = 0; i < LOOKUPS; i++)
		sum += look_up(i);
	clock_gettime(CLOCK_MONOTONIC, &end);
	atomic_store(&done, 1);
	pthread_join(inserter, NULL);
	double seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
	printf("%.0f million lookups a second\n", LOOKUPS / seconds / 1e6);
	free(table);
	return sum != 0;
}

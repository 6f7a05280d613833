/*
 * What the benchmarks share: threads that begin together, on chosen processors, for a time or a number of units each.
 *
 * Each prints one line of names and numbers: "threads 2 processors 2 seconds 1.000000 work_done 123456", then what it has to add. Wrong
 * usage is one line on standard error and exit status 2.
 */
#ifndef FDTABLE_BENCH_H
#define FDTABLE_BENCH_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifdef LINELINT_RECORD
#include "record/linelint-record.h"
#else
#define LINELINT_TRACK(pointer) ((void)0)
#define LINELINT_ROLE(name)	((void)0)
#define LINELINT_OP()		((void)0)
#define LINELINT_OP_END()	((void)0)
#endif

struct bench {
	const char *name;
	const char *usage;     /* its own options */
	unsigned int threads;  /* -t: the main thread is one of them */
	double seconds;	       /* -l */
	unsigned long units;   /* -c: of each thread, instead of a time; 0: by time */
	unsigned long mask;    /* -a: the processors to run on, a bit each; 0: any */
	bool turns;	       /* -r: one operation at a time, of a thread drawn at random */
	double elapsed;	       /* result: seconds from the common start to the end of the time or, with units, of the last thread */
	unsigned long total;   /* result: units of all threads */
};

/* A thread, on lines of its own: neighbours must not disturb each other's counts. */
struct worker {
	_Alignas(128) unsigned int number; /* from 0 */
	unsigned long work;		   /* units done */
	unsigned long units;		   /* to do at most */
	unsigned long random;		   /* state of bench_random */
	unsigned long extra[2];		   /* counts of the benchmark's */
	struct bench *bench;
	pthread_t thread;
};

/*
 * Reads the options above and the benchmark's own, whose letters are getopt's and which `own` gets. Wrong ones end the program.
 */
void bench_options(struct bench *bench, int argc, char **argv, const char *letters,
	void (*own)(int option, const char *argument));

/* A number from low to high, or the end of the program with a line about option -`option`. */
unsigned long bench_number(
	const struct bench *bench, int option, const char *text, unsigned long low, unsigned long high);

/* The end: one line, exit status 2 for usage, 1 for what the machine refuses. */
_Noreturn void bench_usage(const struct bench *bench, const char *what);
_Noreturn void bench_fail(const struct bench *bench, const char *what, int error);

/*
 * Runs `prepare` (NULL: nothing) in every thread, waits for all, then `work` in all of them, then `finish` (NULL: nothing).
 * Returns the workers, bench->threads of them, to be freed.
 */
struct worker *bench_run(struct bench *bench, void (*prepare)(struct worker *),
	void (*work)(struct worker *), void (*finish)(struct worker *));

/* "threads ... processors ... seconds ... work_done ...", without a newline. */
void bench_print(const struct bench *bench);

/* The time is over. */
extern _Atomic bool bench_over;

/* Waits for this thread's turn (-r). */
void bench_turn(struct worker *worker);

/* Between two operations of a unit: another thread's may come (-r). */
static inline void bench_step(struct worker *worker)
{
	if (worker->bench->turns)
		bench_turn(worker);
}

/* Whether there is another unit to do: for (; bench_goes_on(worker); worker->work++). */
static inline bool bench_goes_on(struct worker *worker)
{
	bench_step(worker);
	return !atomic_load_explicit(&bench_over, memory_order_relaxed) &&
	       worker->work != worker->units;
}

/* xorshift64* (Vigna, 2016): a number below `below`, which is at most 2^32. */
static inline unsigned int bench_random(struct worker *worker, unsigned long below)
{
	worker->random ^= worker->random >> 12;
	worker->random ^= worker->random << 25;
	worker->random ^= worker->random >> 27;
	return (unsigned int)(((worker->random * 2685821657736338717UL >> 32) * below) >> 32);
}

#endif

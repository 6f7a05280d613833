#include "bench.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { THREADS_MAX = 1024 };

_Atomic bool bench_over;

static pthread_barrier_t barrier;
static void (*prepare_function)(struct worker *), (*work_function)(struct worker *),
	(*finish_function)(struct worker *);

/* Turns: who may go has its semaphore up. `waiting` are those that still have something to do. */
static sem_t turn_of[THREADS_MAX];
static unsigned int waiting[THREADS_MAX], waiting_count;
static struct worker dice = {.random = 88172645463325252UL};

_Noreturn void bench_usage(const struct bench *bench, const char *what)
{
	fprintf(stderr, "%s: %s\n", bench->name, what);
	exit(2);
}

_Noreturn void bench_fail(const struct bench *bench, const char *what, int error)
{
	fprintf(stderr, "%s: %s: %s\n", bench->name, what, strerror(error));
	exit(1);
}

unsigned long bench_number(const struct bench *bench, int option, const char *text,
	unsigned long low, unsigned long high)
{
	char *end, line[128];
	unsigned long number;

	errno = 0;
	number = strtoul(text, &end, 0);
	if (errno == 0 && *text >= '0' && *text <= '9' && *end == '\0' && number >= low &&
		number <= high)
		return number;
	snprintf(line, sizeof(line), "-%c wants a number from %lu to %lu", option, low, high);
	bench_usage(bench, line);
}

static double seconds_of(const struct bench *bench, const char *text)
{
	char *end;
	double seconds = strtod(text, &end);

	if (end == text || *end != '\0' || !(seconds >= 0.01 && seconds <= 86400))
		bench_usage(bench, "-l wants seconds, from 0.01 to 86400");
	return seconds;
}

static bool common_option(struct bench *bench, int option, const char *argument)
{
	switch (option) {
	case 't':
		bench->threads =
			(unsigned int)bench_number(bench, option, argument, 1, THREADS_MAX);
		return true;
	case 'l':
		bench->seconds = seconds_of(bench, argument);
		return true;
	case 'c':
		bench->units = bench_number(bench, option, argument, 1, 1UL << 32);
		return true;
	case 'a':
		bench->mask = bench_number(bench, option, argument, 1, ~0UL);
		return true;
	case 'r':
		bench->turns = true;
		return true;
	default:
		return false;
	}
}

void bench_options(struct bench *bench, int argc, char **argv, const char *letters,
	void (*own)(int option, const char *argument))
{
	char all[64], usage[256];
	int option;

	snprintf(all, sizeof(all), "t:l:c:a:r%s", letters);
	opterr = 0;
	while ((option = getopt(argc, argv, all)) != -1 && option != '?') {
		if (!common_option(bench, option, optarg))
			own(option, optarg);
	}
	if (option == -1 && optind == argc)
		return;
	snprintf(usage, sizeof(usage),
		"usage: %s %s [-t threads] [-l seconds] [-c units] [-a mask] [-r]", bench->name,
		bench->usage);
	bench_usage(bench, usage);
}

static void next_turn(void)
{
	if (waiting_count != 0)
		sem_post(&turn_of[waiting[bench_random(&dice, waiting_count)]]);
}

static void wait_for_turn(struct worker *worker)
{
	while (sem_wait(&turn_of[worker->number]) != 0)
		;
}

void bench_turn(struct worker *worker)
{
	next_turn();
	wait_for_turn(worker);
}

/* Has the turn, and gives it up for good. */
static void leave_turns(const struct worker *worker)
{
	for (unsigned int i = 0; i < waiting_count; i++) {
		if (waiting[i] == worker->number)
			waiting[i] = waiting[--waiting_count];
	}
	next_turn();
}

static void pin(const struct bench *bench)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (unsigned int i = 0; i < 8 * sizeof(bench->mask); i++) {
		if (bench->mask >> i & 1)
			CPU_SET(i, &set);
	}
	if (sched_setaffinity(0, sizeof(set), &set) != 0)
		bench_fail(bench, "-a: none of these processors", errno);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* When the time was over: threads that had no processor then end later, and work no more. */
static _Atomic(double) over_at;

static void on_alarm(int number)
{
	(void)number;
	atomic_store_explicit(&over_at, now(), memory_order_relaxed);
	atomic_store_explicit(&bench_over, true, memory_order_relaxed);
}

/* By a signal, not by a thread that sleeps: one thread more, and a process of one would be one of several to its kernel. */
static void set_alarm(const struct bench *bench)
{
	struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
	struct itimerval timer = {.it_value.tv_sec = (time_t)bench->seconds};

	timer.it_value.tv_usec =
		(suseconds_t)(1e6 * (bench->seconds - (double)timer.it_value.tv_sec));
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

static void *run_worker(void *argument)
{
	struct worker *worker = argument;
	struct bench *bench = worker->bench;
	double start;

	if (prepare_function)
		prepare_function(worker);
	pthread_barrier_wait(&barrier);
	start = now();
	if (worker->number == 0 && bench->units == 0)
		set_alarm(bench);
	if (bench->turns) {
		if (worker->number == 0)
			next_turn();
		wait_for_turn(worker);
	}
	work_function(worker);
	if (bench->turns)
		leave_turns(worker);
	pthread_barrier_wait(&barrier);
	if (worker->number == 0)
		bench->elapsed = (bench->units ? now() : atomic_load(&over_at)) - start;
	if (finish_function)
		finish_function(worker);
	return NULL;
}

static void *end_at_once(void *unused)
{
	return unused;
}

/*
 * The C library leaves out atomics while a process has never had a second thread, which would make one thread's figures another
 * program's. To the kernel the process is one of a single thread again.
 */
static void have_had_threads(const struct bench *bench)
{
	pthread_t thread;
	int error = pthread_create(&thread, NULL, end_at_once, NULL);

	if (error)
		bench_fail(bench, "no thread", error);
	pthread_join(thread, NULL);
}

static void start_worker(struct bench *bench, struct worker *worker)
{
	int error = pthread_create(&worker->thread, NULL, run_worker, worker);

	if (error)
		bench_fail(bench, "no thread", error);
}

struct worker *bench_run(struct bench *bench, void (*prepare)(struct worker *),
	void (*work)(struct worker *), void (*finish)(struct worker *))
{
	struct worker *workers =
		aligned_alloc(_Alignof(struct worker), bench->threads * sizeof(*workers));

	if (!workers)
		bench_fail(bench, "no memory for threads", ENOMEM);
	prepare_function = prepare;
	work_function = work;
	finish_function = finish;
	if (bench->mask)
		pin(bench);
	have_had_threads(bench);
	pthread_barrier_init(&barrier, NULL, bench->threads);
	waiting_count = 0;
	for (unsigned int i = 0; i < bench->threads; i++) {
		workers[i] = (struct worker){.number = i,
			.units = bench->units ? bench->units : ~0UL,
			.random = 0x9e3779b97f4a7c15UL * (i + 1),
			.bench = bench};
		waiting[waiting_count++] = i;
		sem_init(&turn_of[i], 0, 0);
	}
	for (unsigned int i = 1; i < bench->threads; i++)
		start_worker(bench, &workers[i]);
	run_worker(&workers[0]);
	for (unsigned int i = 1; i < bench->threads; i++)
		pthread_join(workers[i].thread, NULL);
	pthread_barrier_destroy(&barrier);
	bench->total = 0;
	for (unsigned int i = 0; i < bench->threads; i++)
		bench->total += workers[i].work;
	return workers;
}

void bench_print(const struct bench *bench)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	sched_getaffinity(0, sizeof(set), &set);
	printf("threads %u processors %d seconds %.6f work_done %lu", bench->threads,
		CPU_COUNT(&set), bench->elapsed, bench->total);
}

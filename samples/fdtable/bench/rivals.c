/*
 * rivals: the table against what a user would take instead: an array under a mutex or a rwlock, liburcu's lfht, Concurrency Kit's hash
 * set. One unit is one operation.
 *
 *   rivals [-w table] [-o get|peek|open] [-e] [-t threads] [-l seconds] [-c units] [-a mask]
 *
 * -w  fdtable, fdtable-grace, fdtable-lowest, mutex, rwlock, lfht, ck_hs
 * -o  get: a lookup with a reference, and its put; peek: without; open: open and close
 * -e  every thread looks up the same numbers; otherwise its own
 */
#include "rival.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct rival *const rivals[] = {&rival_fdtable, &rival_fdtable_grace,
	&rival_fdtable_lowest, &rival_mutex, &rival_rwlock, &rival_lfht, &rival_ck_hs};

static struct bench bench = {.name = "rivals",
	.usage = "[-w table] [-o get|peek|open] [-e]",
	.threads = 2,
	.seconds = 10};
static const struct rival *rival = &rival_fdtable;
static char operation_name;
static bool same; /* all threads look up the first one's numbers */

struct numbers {
	_Alignas(128) unsigned int number[NUMBERS];
};
static struct numbers *numbers;

unsigned int *rival_own(const struct worker *worker)
{
	return numbers[worker->number].number;
}

const unsigned int *rival_numbers(const struct worker *worker)
{
	return numbers[same ? 0 : worker->number].number;
}

static _Thread_local struct object *freed;

struct object *object_new(void)
{
	struct object *object = freed;

	if (object) {
		void *next;

		memcpy(&next, &object->data, sizeof(next));
		freed = next;
	} else {
		object = aligned_alloc(_Alignof(struct object), sizeof(*object));
	}
	if (object)
		*object = (struct object){.count = 1, .data = object};
	return object;
}

void object_free(struct object *object)
{
	object->data = freed;
	freed = object;
}

static void own_option(int option, const char *argument)
{
	if (option == 'e') {
		same = true;
	} else if (option == 'o') {
		if (strcmp(argument, "get") != 0 && strcmp(argument, "peek") != 0 &&
			strcmp(argument, "open") != 0)
			bench_usage(&bench, "-o wants get, peek or open");
		operation_name = *argument;
	} else if (option == 'w') {
		for (size_t i = 0; i < sizeof(rivals) / sizeof(rivals[0]); i++) {
			if (strcmp(rivals[i]->name, argument) == 0) {
				rival = rivals[i];
				return;
			}
		}
		bench_usage(&bench, "-w wants fdtable, fdtable-grace, fdtable-lowest, mutex, "
				    "rwlock, lfht or ck_hs");
	}
}

static void work(struct worker *worker)
{
	if (operation_name == 'o')
		rival->open_close(worker);
	else if (operation_name == 'p')
		rival->peek(worker);
	else
		rival->get_put(worker);
}

int main(int argc, char **argv)
{
	unsigned long good = 0;
	struct worker *workers;

	bench_options(&bench, argc, argv, "w:o:e", own_option);
	numbers = aligned_alloc(_Alignof(struct numbers), bench.threads * sizeof(*numbers));
	if (!numbers)
		bench_fail(&bench, "no memory", ENOMEM);
	rival->setup();
	workers = bench_run(&bench, rival->prepare, work, NULL);
	for (unsigned int i = 0; i < bench.threads; i++)
		good += workers[i].extra[0];
	bench_print(&bench);
	printf(" good %lu\n", good);
	free(workers);
	free(numbers);
	return 0;
}

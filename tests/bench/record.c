/*
 * What the recorder costs: nanoseconds of one step of three loops, a line each. Built plain and to be recorded. A step reads
 * two fields and adds to a third (6 reports with func_entry and exit), on what is tracked, on a variable, or on neither.
 */
#include <linelint-record.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct object {
	long mask, entries, inserted;
};

enum { STEPS = 2000000, PER_OPERATION = 20 };

static struct object variable;

/* Through volatile, as far as the fields that are read: the plain build must do the accesses too. */
__attribute__((noinline)) static void step(volatile struct object *object)
{
	object->inserted = object->mask + object->entries;
}

static double run(struct object *object)
{
	struct timespec begin, end;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	for (int i = 0; i < STEPS; i++) {
		if (i % PER_OPERATION == 0)
			LINELINT_OP();
		step(object);
	}
	LINELINT_OP_END();
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	return ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec)) / STEPS;
}

int main(void)
{
	struct object *tracked = calloc(1, sizeof(*tracked)), *other = calloc(1, sizeof(*other));
	if (!tracked || !other)
		return 1;
	LINELINT_TRACK(tracked);
	run(other);
	printf("tracked %.2f\n", run(tracked));
	printf("variable %.2f\n", run(&variable));
	printf("other %.2f\n", run(other));
	return 0;
}

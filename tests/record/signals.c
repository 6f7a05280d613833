/* A handler that uses the object, and marks, comes between any two instructions. Prints how often it came. */
#include <linelint-record.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

struct object {
	long plain;
	long handled;
	long seen;
};

enum { STEPS = 3000000 };

static struct object *object;

static void handle(int signal)
{
	(void)signal;
	__atomic_fetch_add(&object->handled, 1, __ATOMIC_RELAXED);
	object->seen = 1;
}

int main(void)
{
	object = calloc(1, sizeof(*object));
	if (!object)
		return 1;
	LINELINT_TRACK(object);
	signal(SIGPROF, handle);
	struct itimerval often = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
	setitimer(ITIMER_PROF, &often, NULL);
	volatile long *plain = &object->plain;
	for (int i = 0; i < STEPS; i++)
		*plain = i;
	/* The kernel's clock may be too coarse for many of them. */
	for (int i = 0; i < 1000; i++) {
		raise(SIGPROF);
		*plain = i;
	}
	setitimer(ITIMER_PROF, &never, NULL);
	signal(SIGPROF, SIG_IGN);
	printf("%ld\n", __atomic_load_n(&object->handled, __ATOMIC_RELAXED));
	return 0;
}

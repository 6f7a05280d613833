/* Signals from another thread, as fast as they come, onto one that is in the recorder all the time. Prints what it did. */
#include <linelint-record.h>

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct object {
	long plain;
	long handled;
	int is_done;
};

static struct object *object;
static long done;

static void handle(int signal)
{
	(void)signal;
	object->handled++; /* of the one thread that handles them */
	__atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
}

static void *work(void *argument)
{
	long steps = 0;
	volatile long *plain = &object->plain;
	while (!__atomic_load_n(&object->is_done, __ATOMIC_RELAXED)) {
		LINELINT_OP();
		*plain = steps++;
		LINELINT_OP_END();
	}
	*(long *)argument = steps;
	return NULL;
}

int main(void)
{
	pthread_t thread;
	long steps = 0;
	object = calloc(1, sizeof(*object));
	if (!object)
		return 1;
	LINELINT_TRACK(object);
	signal(SIGUSR1, handle);
	if (pthread_create(&thread, NULL, work, &steps) != 0)
		return 1;
	for (long i = 0; i < 500; i++) {
		pthread_kill(thread, SIGUSR1);
		while (__atomic_load_n(&done, __ATOMIC_RELAXED) == i)
			sched_yield();
	}
	__atomic_store_n(&object->is_done, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	LINELINT_UNTRACK(object);
	printf("%ld %ld\n", steps, object->handled);
	return 0;
}

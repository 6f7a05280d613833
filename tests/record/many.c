/* Many threads one after the other, many objects, many variables; threads that meet on one object at the end. */
#include <linelint-record.h>

#include <pthread.h>
#include <stdlib.h>

struct object {
	volatile long field;
};

enum { THREADS = 300, OBJECTS = 1000 };

static struct object *objects[OBJECTS];
static volatile long variables[2000];

static void *use(void *argument)
{
	long number = (long)argument;
	LINELINT_ROLE(number % 2 ? "odd" : "even");
	for (int i = 0; i < OBJECTS; i++) {
		LINELINT_OP();
		objects[i]->field = number;
		LINELINT_OP_END();
	}
	return NULL;
}

int main(void)
{
	pthread_t thread;
	for (int i = 0; i < OBJECTS; i++) {
		objects[i] = calloc(1, sizeof(*objects[i]));
		if (!objects[i])
			return 1;
		LINELINT_TRACK(objects[i]);
	}
	for (long i = 0; i < THREADS; i++)
		if (pthread_create(&thread, NULL, use, (void *)i) != 0 || pthread_join(thread, NULL) != 0)
			return 1;
	for (int i = 0; i < 2000; i++)
		variables[i] = i;
	for (int i = 0; i < OBJECTS; i++)
		LINELINT_UNTRACK(objects[i]);
	return 0;
}

/* Ways to end, by name: main, exit, quick_exit, _exit, busy (threads go on), late (after main), twice. */
#include <linelint-record.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct object {
	volatile long field;
};

static struct object *object;

static void *forever(void *argument)
{
	for (;;) {
		LINELINT_OP();
		object->field = 1;
		(void)object->field;
	}
	return argument;
}

static void late(void)
{
	object->field = 1;
}

__attribute__((destructor)) static void later(void)
{
	object->field = 1;
}

__attribute__((constructor)) static void early(void)
{
	object = calloc(1, sizeof(*object));
	if (!object)
		abort();
	LINELINT_TRACK(object);
	object->field = 1;
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "main";
	pthread_t thread;
	object->field = 1;
	if (strcmp(way, "exit") == 0)
		exit(3);
	if (strcmp(way, "quick_exit") == 0)
		quick_exit(3);
	if (strcmp(way, "_exit") == 0)
		_exit(3);
	if (strcmp(way, "late") == 0)
		atexit(late);
	if (strcmp(way, "busy") == 0) {
		for (int i = 0; i < 3; i++)
			if (pthread_create(&thread, NULL, forever, NULL) != 0)
				return 1;
		usleep(20000);
	}
	return 3;
}

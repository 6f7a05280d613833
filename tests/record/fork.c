/* A child of a fork, with threads around; both go on. */
#include <linelint-record.h>

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

struct object {
	volatile long before, child, after;
};

static struct object *object;

static void *look(void *argument)
{
	LINELINT_ROLE("look");
	LINELINT_OP();
	(void)object->before;
	return argument;
}

static int in_thread(void)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, look, NULL) != 0)
		return 1;
	return pthread_join(thread, NULL);
}

int main(void)
{
	object = calloc(1, sizeof(*object));
	if (!object)
		return 1;
	LINELINT_TRACK(object);
	LINELINT_ROLE("main");
	LINELINT_OP();
	object->before = 1;
	if (in_thread() != 0)
		return 1;
	pid_t child = fork();
	if (child == 0) {
		LINELINT_OP();
		object->child = 1;
		object->child = 2;
		exit(in_thread());
	}
	int status;
	LINELINT_OP();
	object->after = 1;
	return child < 0 || waitpid(child, &status, 0) != child || status != 0;
}

/* What a thread does while it ends belongs to it, its role and its operation, in whatever round of destructors. */
#include <linelint-record.h>

#include <pthread.h>
#include <stdlib.h>

struct object {
	volatile long at_work, at_end;
};

static struct object *object;
static pthread_key_t key;

static void end(void *rounds)
{
	int *left = rounds;
	object->at_end = 1;
	if (--*left > 0)
		pthread_setspecific(key, rounds);
}

static void *work(void *rounds)
{
	LINELINT_ROLE("worker");
	pthread_setspecific(key, rounds);
	LINELINT_OP();
	object->at_work = 1;
	return NULL;
}

int main(void)
{
	int rounds[3] = {1, 2, 3};
	pthread_t threads[3];
	object = calloc(1, sizeof(*object));
	if (!object || pthread_key_create(&key, end) != 0)
		return 1;
	LINELINT_TRACK(object);
	for (int i = 0; i < 3; i++)
		if (pthread_create(&threads[i], NULL, work, &rounds[i]) != 0)
			return 1;
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

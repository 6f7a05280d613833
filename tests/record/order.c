/* Two threads in turn, each waiting for the other through a variable that is not the object's. */
#include <linelint-record.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
	volatile long ping, pong;
};

enum { TURNS = 200 };

static atomic_int turn;
static struct object *objects[2];

static void *play(void *argument)
{
	int me = argument != NULL;
	LINELINT_ROLE(me ? "pong" : "ping");
	for (int i = 0; i < TURNS; i++) {
		while (atomic_load(&turn) % 2 != me)
			sched_yield();
		LINELINT_OP();
		if (me)
			objects[i % 2]->pong = objects[i % 2]->ping;
		else
			objects[i % 2]->ping = i;
		LINELINT_OP_END();
		atomic_fetch_add(&turn, 1);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	objects[0] = malloc(16);
	objects[1] = malloc(16);
	if (!objects[0] || !objects[1])
		return 1;
	objects[0]->ping = objects[1]->ping = 0; /* outside of operations: in no trace */
	if (pthread_create(&threads[0], NULL, play, NULL) || pthread_create(&threads[1], NULL, play, &turn))
		return 1;
	return pthread_join(threads[0], NULL) || pthread_join(threads[1], NULL);
}

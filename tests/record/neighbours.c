/* A counter that all write, beside what all read: to the recorder three variables, to the processors one line. */
#include <linelint-record.h>

#include <pthread.h>

/* in whichever order the compiler has them, one follows the counter */
long limit = 100;
__attribute__((aligned(64))) long hits = 1;
long step = 3;

static long sink[2][64];

static void *serve(void *argument)
{
	long *own = argument;
	LINELINT_ROLE("server");
	for (int i = 0; i < 1000; i++) {
		LINELINT_OP();
		if (__atomic_fetch_add(&hits, 1, __ATOMIC_RELAXED) < 0)
			return 0;
		for (int k = 0; k < 4; k++)
			if (__atomic_load_n(&limit, __ATOMIC_RELAXED) > 0)
				*own += __atomic_load_n(&step, __ATOMIC_RELAXED);
		LINELINT_OP_END();
	}
	return 0;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		if (pthread_create(&threads[i], 0, serve, sink[i]) != 0)
			return 1;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	return 0;
}

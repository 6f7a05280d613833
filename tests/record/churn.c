/* Objects come and go in many threads at once, in the same memory, of two types; every access to one is counted. */
#include <linelint-record.h>

#include <pthread.h>
#include <stdlib.h>

struct small {
	volatile long value;
};

struct large {
	volatile long values[5];
};

enum { THREADS = 4, ROUNDS = 3000 };

static void *churn(void *argument)
{
	LINELINT_ROLE("churn");
	for (int i = 0; i < ROUNDS; i++) {
		struct small *small = malloc(sizeof(*small));
		struct large *large = malloc(sizeof(*large));
		if (!small || !large)
			abort();
		LINELINT_TRACK(small);
		LINELINT_TRACK(large);
		LINELINT_OP();
		small->value = i;
		large->values[4] = small->value;
		LINELINT_OP_END();
		if (i % 2)
			LINELINT_UNTRACK(small);
		LINELINT_UNTRACK(large);
		large->values[0] = 1; /* of no object */
		free(small); /* which ends it, too */
		free(large);
	}
	return argument;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, churn, NULL) != 0)
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

/* Roles by mark, by the thread's name and by neither; operations; who shares what. */
#include <linelint-record.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct table {
	long mask;
	atomic_long inserted;
	long only; /* of the thread without a mark */
};

enum { LOOKUPS = 1000, INSERTS = 300 };

static struct table *shared_table;
static volatile long sink;

static void *look(void *argument)
{
	LINELINT_ROLE("lookup");
	for (int i = 0; i < LOOKUPS; i++) {
		LINELINT_OP();
		sink = shared_table->mask;
	}
	return argument;
}

static void *insert(void *argument)
{
	pthread_setname_np(pthread_self(), "insert er");
	for (int i = 0; i < INSERTS; i++) {
		LINELINT_OP();
		atomic_fetch_add(&shared_table->inserted, 1);
		if (i % 3 == 0) /* a hundred of them */
			sink = shared_table->mask;
		LINELINT_OP_END();
	}
	return argument;
}

/* In turn what the others do: one thread more of either role. */
static void *both(void *argument)
{
	for (int i = 0; i < 10; i++) {
		LINELINT_ROLE("lookup");
		LINELINT_OP();
		sink = shared_table->mask;
		LINELINT_ROLE("insert er");
		LINELINT_OP();
		atomic_fetch_add(&shared_table->inserted, 1);
	}
	return argument;
}

static void *alone(void *argument)
{
	struct table *own = calloc(1, sizeof(*own));
	if (!own)
		abort();
	LINELINT_TRACK(own);
	LINELINT_OP();
	own->only = 1;
	LINELINT_OP_END();
	shared_table->only = 2;
	LINELINT_UNTRACK(own);
	free(own);
	return argument;
}

int main(void)
{
	void *(*const bodies[])(void *) = {look, look, look, insert, insert, both, alone, alone};
	enum { COUNT = sizeof(bodies) / sizeof(*bodies) };
	pthread_t threads[COUNT];
	shared_table = calloc(1, sizeof(*shared_table));
	if (!shared_table)
		return 1;
	LINELINT_TRACK(shared_table);
	for (int i = 0; i < COUNT; i++)
		if (pthread_create(&threads[i], NULL, bodies[i], NULL) != 0)
			return 1;
	for (int i = 0; i < COUNT; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

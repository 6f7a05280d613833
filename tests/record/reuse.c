/* The same memory again and again, as other objects and as none. Linked with the functions of malloc replaced. */
#include <linelint-record.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct first {
	volatile long a, b, c;
};

struct second {
	volatile long x, y, z;
};

static void *use_first(void *argument)
{
	((struct first *)argument)->a = 1;
	return NULL;
}

static int in_thread(struct first *first)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, use_first, first) != 0)
		return 1;
	return pthread_join(thread, NULL);
}

#define NEED(condition)                                                                                                \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			return __LINE__ % 100;                                                                         \
	} while (0)

int main(void)
{
	/* Freed without a mark: what comes there next is another object, of another thread, or none. */
	struct first *first = malloc(sizeof(*first));
	NEED(first);
	LINELINT_TRACK(first);
	first->b = 1;
	void *old = first;
	free(first);
	struct second *second = malloc(sizeof(*second));
	NEED((void *)second == old);
	second->y = 1; /* of no object */
	LINELINT_TRACK(second);
	second->x = 1;
	second->x = 2;
	LINELINT_UNTRACK(second);
	second->z = 3; /* of no object */
	/* Tracked again, without the end of the life before; in two threads, but never one object in both. */
	first = (struct first *)(void *)second;
	for (int i = 0; i < 2; i++) {
		LINELINT_TRACK(first);
		if (i == 0)
			first->a = 1;
		else
			NEED(in_thread(first) == 0);
	}
	free(first);
	/* By size, from each function. */
	struct first *by_size[4] = {calloc(1, 72), realloc(NULL, 72), aligned_alloc(8, 72), NULL};
	void *aligned;
	NEED(posix_memalign(&aligned, 64, 72) == 0);
	by_size[3] = aligned;
	for (int i = 0; i < 4; i++) {
		NEED(by_size[i]);
		by_size[i]->c = 1;
	}
	/* Moved to another size: the object is over. */
	by_size[0] = realloc(by_size[0], 5000);
	NEED(by_size[0]);
	by_size[0]->c = 2;
	for (int i = 0; i < 4; i++)
		free(by_size[i]);
	char *text = strdup("libc's own allocations are given back too");
	NEED(text);
	free(text);
	return 0;
}

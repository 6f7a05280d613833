/* An array of pointers and a stack of free numbers under a lock, see rival.h; RIVAL_LOCK_TYPE, and what locks it for which. */
#include <errno.h>

#include "rival.h"

static RIVAL_LOCK_TYPE lock = RIVAL_LOCK_INITIALIZER;
static struct object *objects[RIVAL_MAX];
static unsigned int free_numbers[RIVAL_MAX], free_count;

static void setup(void)
{
	for (unsigned int i = 0; i < RIVAL_MAX; i++)
		free_numbers[free_count++] = RIVAL_MAX - 1 - i;
}

static void enter(struct worker *worker)
{
	(void)worker;
}

static inline int open_number(struct worker *worker)
{
	struct object *object = object_new();
	int number = -EMFILE;

	(void)worker;
	if (!object)
		return -ENOMEM;
	RIVAL_LOCK(&lock);
	if (free_count) {
		number = (int)free_numbers[--free_count];
		object->number = (unsigned int)number;
		objects[number] = object;
	}
	RIVAL_UNLOCK(&lock);
	if (number < 0)
		object_free(object);
	return number;
}

static inline bool close_number(struct worker *worker, unsigned int number)
{
	struct object *object;

	(void)worker;
	RIVAL_LOCK(&lock);
	object = objects[number];
	if (object) {
		objects[number] = NULL;
		free_numbers[free_count++] = number;
	}
	RIVAL_UNLOCK(&lock);
	if (object && object_put(object))
		object_free(object);
	return object != NULL;
}

static inline bool get_put(struct worker *worker, unsigned int number)
{
	struct object *object;

	(void)worker;
	RIVAL_LOCK_TO_READ(&lock);
	object = objects[number];
	/* The lock holds the table's reference, so that one may be added without a look. */
	if (object)
		atomic_fetch_add_explicit(&object->count, 1, memory_order_relaxed);
	RIVAL_UNLOCK(&lock);
	if (object && object_put(object))
		object_free(object);
	return object != NULL;
}

static inline bool peek(struct worker *worker, unsigned int number)
{
	bool found;

	(void)worker;
	RIVAL_LOCK_TO_READ(&lock);
	found = objects[number] && objects[number]->number == number;
	RIVAL_UNLOCK(&lock);
	return found;
}

#include "rival_loops.h"

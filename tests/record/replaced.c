/* Locks and copies by libc, on parts of one object. */
#include <linelint-record.h>

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct object {
	pthread_mutex_t mutex;   /* 0 */
	pthread_spinlock_t spin; /* 40 */
	pthread_rwlock_t rwlock; /* 48 */
	char bytes[40];		 /* 104 */
};
_Static_assert(offsetof(struct object, spin) == 40 && offsetof(struct object, rwlock) == 48 &&
		offsetof(struct object, bytes) == 104, "as the expected counts have it");

int main(int argc, char **argv)
{
	size_t whole = sizeof(((struct object *)0)->bytes) * (size_t)argc; /* known to no compiler: calls stay calls */
	char other[4 * sizeof(((struct object *)0)->bytes)];
	struct object *object = malloc(sizeof(*object));
	(void)argv;
	if (!object || whole > sizeof(other))
		return 1;
	pthread_mutex_init(&object->mutex, NULL);
	pthread_spin_init(&object->spin, PTHREAD_PROCESS_PRIVATE);
	pthread_rwlock_init(&object->rwlock, NULL);
	LINELINT_TRACK(object);
	LINELINT_OP();
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&object->mutex);
		if (pthread_mutex_trylock(&object->mutex) == 0)
			return 2;
		pthread_mutex_unlock(&object->mutex);
		pthread_spin_lock(&object->spin);
		if (pthread_spin_trylock(&object->spin) == 0)
			return 3;
		pthread_spin_unlock(&object->spin);
	}
	pthread_rwlock_rdlock(&object->rwlock);
	if (pthread_rwlock_tryrdlock(&object->rwlock) != 0 || pthread_rwlock_trywrlock(&object->rwlock) == 0)
		return 4;
	pthread_rwlock_unlock(&object->rwlock);
	pthread_rwlock_unlock(&object->rwlock);
	pthread_rwlock_wrlock(&object->rwlock);
	if (pthread_rwlock_trywrlock(&object->rwlock) == 0 || pthread_rwlock_tryrdlock(&object->rwlock) == 0)
		return 5;
	pthread_rwlock_unlock(&object->rwlock);
	memset(object->bytes, 0, whole);
	memcpy(other, object->bytes, whole);
	memmove(object->bytes + 8, object->bytes, whole - 24);
	memcpy(other, object->bytes, whole);
	memset(object->bytes, other[0], whole - 36);
	LINELINT_OP_END();
	LINELINT_UNTRACK(object);
	free(object);
	return 0;
}

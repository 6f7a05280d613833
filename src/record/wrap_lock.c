/*
 * record/wrap_lock: the locks of libc as the program calls them when it is linked with -Wl,--wrap=pthread_mutex_lock and so
 * on. What they do to the lock's first word, where glibc has what threads compete for: a lock is an atomic update, and so is
 * an unlock but for a spin lock's, which is a store. How long a lock waits is not counted.
 */
#include <pthread.h>

#include "record/access.h"

#define EXPORT __attribute__((visibility("default")))

enum { WORD_BYTES = 4 };

/* The lock is as the program declares it; pthread_spinlock_t is the word itself. */
#define REPLACED(name, type, kind)                                                                 \
	int __real_##name(type *lock);                                                             \
	EXPORT int __wrap_##name(type *lock);                                                      \
	EXPORT int __wrap_##name(type *lock)                                                       \
	{                                                                                          \
		llrec_access(lock, WORD_BYTES, kind);                                              \
		return __real_##name(lock);                                                        \
	}

REPLACED(pthread_mutex_lock, pthread_mutex_t, LLREC_RMW)
REPLACED(pthread_mutex_trylock, pthread_mutex_t, LLREC_RMW)
REPLACED(pthread_mutex_unlock, pthread_mutex_t, LLREC_RMW)
REPLACED(pthread_spin_lock, volatile pthread_spinlock_t, LLREC_RMW)
REPLACED(pthread_spin_trylock, volatile pthread_spinlock_t, LLREC_RMW)
REPLACED(pthread_spin_unlock, volatile pthread_spinlock_t, LLREC_WRITE)
REPLACED(pthread_rwlock_rdlock, pthread_rwlock_t, LLREC_RMW)
REPLACED(pthread_rwlock_tryrdlock, pthread_rwlock_t, LLREC_RMW)
REPLACED(pthread_rwlock_wrlock, pthread_rwlock_t, LLREC_RMW)
REPLACED(pthread_rwlock_trywrlock, pthread_rwlock_t, LLREC_RMW)
REPLACED(pthread_rwlock_unlock, pthread_rwlock_t, LLREC_RMW)

/*
 * The lock of a table: four bytes like the kernel's spinlock_t, but a thread that waits long sleeps
 * (futex).
 */
#ifndef FDTABLE_LOCK_H
#define FDTABLE_LOCK_H

#include <stdatomic.h>

typedef struct {
	_Atomic unsigned int slock; /* 0 free, 1 held, 2 held and somebody may sleep */
} spinlock_t;

void spin_lock_slowly(spinlock_t *lock);
void spin_wake(spinlock_t *lock);

static inline void spin_lock(spinlock_t *lock)
{
	unsigned int free = 0;

	/* Acquire: what the last holder wrote is seen by this one. */
	if (!atomic_compare_exchange_strong_explicit(
		    &lock->slock, &free, 1, memory_order_acquire, memory_order_relaxed))
		spin_lock_slowly(lock);
}

static inline void spin_unlock(spinlock_t *lock)
{
	/* Release: pairs with the acquire of the next holder. */
	if (atomic_exchange_explicit(&lock->slock, 0, memory_order_release) == 2)
		spin_wake(lock);
}

#endif

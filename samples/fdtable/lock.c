#include "lock.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Turns that are worth waiting for a holder that runs; one that was preempted is waited for asleep. */
enum { TURNS = 100 };

static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ __volatile__("yield");
#endif
}

void spin_lock_slowly(spinlock_t *lock)
{
	for (int turn = 0; turn < TURNS; turn++) {
		unsigned int free = 0;

		/* Looks before it tries: a waiter that only reads does not take the line from the holder. */
		if (atomic_load_explicit(&lock->slock, memory_order_relaxed) == 0 &&
			atomic_compare_exchange_strong_explicit(
				&lock->slock, &free, 1, memory_order_acquire, memory_order_relaxed))
			return;
		relax();
	}
	/*
	 * Whoever gets it here leaves 2 behind although nobody else may sleep: one needless wake, never a
	 * lost one.
	 */
	while (atomic_exchange_explicit(&lock->slock, 2, memory_order_acquire) != 0)
		syscall(SYS_futex, &lock->slock, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}

void spin_wake(spinlock_t *lock)
{
	syscall(SYS_futex, &lock->slock, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

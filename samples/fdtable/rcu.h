/*
 * liburcu (flavour bp) as this library uses it.
 *
 * Its read sections and queues are assembly and not instrumented, so -fsanitize=thread cannot see the one
 * order that RCU is about: all that was done in a read section comes before what is done after a grace
 * period. These wrappers say so; they cost nothing without the sanitizer.
 */
#ifndef FDTABLE_RCU_H
#define FDTABLE_RCU_H

#include "fdtable.h"

/* Calls `function` with `head` after a grace period, on a thread of liburcu's. */
static inline void rcu_defer(struct rcu_head *head, void (*function)(struct rcu_head *head))
{
	FDTABLE_TSAN(__tsan_release(head));
	urcu_bp_call_rcu(head, function);
}

/* To be called first by such a function. */
static inline void rcu_deferred(struct rcu_head *head)
{
	(void)head;
	FDTABLE_TSAN(__tsan_acquire(head));
	FDTABLE_TSAN(__tsan_acquire(&fdtable_read_sections));
}

/* To be called last by it. */
void rcu_deferred_done(void);

/* Waits for all read sections that have begun: never to be called in one. */
static inline void rcu_wait(void)
{
	urcu_bp_synchronize_rcu();
	FDTABLE_TSAN(__tsan_acquire(&fdtable_read_sections));
}

#define container_of(pointer, type, member)                                                        \
	((type *)(void *)((char *)(pointer)-offsetof(type, member)))

#endif

#include "rcu.h"

char fdtable_read_sections;

/* Stands for the ends of all deferred calls. */
static char deferred_calls;

void rcu_deferred_done(void)
{
	FDTABLE_TSAN(__tsan_release(&deferred_calls));
	(void)deferred_calls;
}

void fdtable_barrier(void)
{
	urcu_bp_barrier();
	FDTABLE_TSAN(__tsan_acquire(&deferred_calls));
}

#ifdef FDTABLE_HAS_TSAN
/*
 * liburcu's own memory, which the sanitizer takes for shared without order: the barrier's counters, and
 * what it hands its thread. Nothing else is suppressed.
 */
const char *__tsan_default_suppressions(void);
__attribute__((weak)) const char *__tsan_default_suppressions(void)
{
	return "race:^urcu_bp_barrier$\n";
}
#endif

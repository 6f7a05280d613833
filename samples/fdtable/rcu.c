#include "rcu.h"

char fdtable_read_sections;

/* Stands for the ends of all deferred calls. */
static char deferred_calls;

void rcu_deferred_done(void)
{
	FDTABLE_TSAN(__tsan_release(&deferred_calls));
	(void)deferred_calls;
}

#ifdef FDTABLE_HAS_TSAN
/* The sanitizer's own (dynamic annotations): what this thread does between is not recorded. */
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);
#endif

void fdtable_barrier(void)
{
	/*
	 * liburcu hands memory that it gets here to its thread, which frees it: in order, but by assembly.
	 * This is the one thing inside of liburcu that the sanitizer must not look at.
	 */
	FDTABLE_TSAN(AnnotateIgnoreWritesBegin(__FILE__, __LINE__));
	urcu_bp_barrier();
	FDTABLE_TSAN(AnnotateIgnoreWritesEnd(__FILE__, __LINE__));
	FDTABLE_TSAN(__tsan_acquire(&deferred_calls));
}

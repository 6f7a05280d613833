#include "record/start.h"

#include <pthread.h>
#include <stdlib.h>

#include "record/module.h"
#include "record/object.h"
#include "record/os.h"
#include "record/output.h"
#include "record/settings.h"
#include "record/thread.h"
#include "record/trace.h"

enum { FRESH, STARTING, RECORDING, OFF };

static int state;
static sigset_t fork_mask;

/* Only in the runtime of -fsanitize=thread, which would take the hooks, or the memory, from this one. */
void __tsan_testonly_barrier_init(void) __attribute__((weak));

static void before_fork(void)
{
	llrec_lock(&fork_mask);
}

static void after_fork_in_parent(void)
{
	llrec_unlock(&fork_mask);
}

/* The child has a file of its own, or none: it must not write over its parent's. */
static void after_fork_in_child(void)
{
	llrec_classes_forget_locked();
	llrec_objects_forget_locked();
	llrec_threads_forget_locked();
	llrec_traces_forget_locked();
	if (!llrec_has_pid(llrec_settings.file))
		__atomic_store_n(&llrec_is_stopped, 1, __ATOMIC_RELAXED);
	llrec_unlock(&fork_mask);
}

static void finish(void)
{
	if (__atomic_load_n(&llrec_is_stopped, __ATOMIC_RELAXED) ||
		__atomic_load_n(&state, __ATOMIC_ACQUIRE) != RECORDING)
		return;
	const struct llrec_tally *tally = llrec_threads_finish();
	if (llrec_class_count && !tally->used)
		llrec_complain("nothing was counted",
			"no access was reported; compile with -fsanitize=thread, and without -flto");
	llrec_traces_write();
	llrec_output_write(tally);
}

static bool start(void)
{
	if (__tsan_testonly_barrier_init) {
		llrec_complain("nothing is recorded",
			"the program is linked with -fsanitize=thread; "
			"compile with it, link without it");
		return false;
	}
	llrec_settings_read();
	if (!*llrec_settings.file)
		return false;
	llrec_module_read();
	if (!llrec_classes_init() || !llrec_objects_init(llrec_settings.objects) ||
		!llrec_threads_init()) {
		llrec_complain(
			"nothing is recorded", "not enough memory; raise the limits (ulimit -v)");
		return false;
	}
	pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
	at_quick_exit(finish);
	return true;
}

bool llrec_start(void)
{
	int now = __atomic_load_n(&state, __ATOMIC_ACQUIRE);
	if (LLREC_LIKELY(now == RECORDING))
		return true;
	if (now != FRESH)
		return false; /* what comes while it starts, comes from inside of it */
	if (!__atomic_compare_exchange_n(
		    &state, &now, STARTING, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return now == RECORDING;
	bool is_on = start();
	__atomic_store_n(&state, is_on ? RECORDING : OFF, __ATOMIC_RELEASE);
	return is_on;
}

/* The first constructor and the last destructor that a program may have: 0 to 100 are the system's. */
__attribute__((constructor(101))) static void construct(void)
{
	llrec_start();
}

__attribute__((destructor(101))) static void destruct(void)
{
	finish();
}

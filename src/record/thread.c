#include "record/thread.h"

#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/object.h"
#include "record/settings.h"
#include "record/start.h"
#include "record/trace.h"

enum {
	KEYS_IN_PLACE =
		32, /* glibc keeps the values of the first ones in the thread itself: no malloc */
	PROCESS_COUNTERS = 1 << 26,
	COMM_BYTES = 16,
	STOP_TRIES = 200, /* milliseconds */
};

__thread struct llrec_thread *llrec_self;
int llrec_is_stopped __attribute__((aligned(64)));

static __thread uint32_t
	own_number; /* 1 + number: a thread that lives on after its end is the same */
static uint32_t thread_count;
static struct llrec_thread *threads;
static struct llrec_tally process;
static pthread_key_t key;
static bool has_key;
static char program_comm[COMM_BYTES];

static void end_thread(void *data);

bool llrec_threads_init(void)
{
	prctl(PR_GET_NAME, program_comm);
	has_key = pthread_key_create(&key, end_thread) == 0;
	return llrec_tally_init(&process, PROCESS_COUNTERS, true);
}

/* ---- begin and end ---- */

static void free_thread(struct llrec_thread *thread)
{
	llrec_tally_release(&thread->tally);
	llrec_unmap(thread, sizeof(*thread));
}

static struct llrec_thread *new_thread(void)
{
	struct llrec_thread *thread = llrec_map(sizeof(*thread));
	if (!thread)
		return NULL;
	if (llrec_tally_init(&thread->tally, llrec_settings.counters, false))
		return thread;
	free_thread(thread);
	return NULL;
}

static void begin_locked(struct llrec_thread *thread)
{
	if (!own_number)
		own_number = ++thread_count;
	thread->number = own_number - 1;
	thread->id = (pid_t)syscall(SYS_gettid);
	thread->role = LLREC_ROLE_UNKNOWN;
	thread->next = threads;
	threads = thread;
	llrec_self = thread;
}

struct llrec_thread *llrec_thread_start(void)
{
	if (!llrec_start() || __atomic_load_n(&llrec_is_stopped, __ATOMIC_RELAXED))
		return NULL;
	sigset_t mask;
	llrec_lock(&mask);
	/* A handler may have come first. */
	struct llrec_thread *thread = llrec_self ? NULL : new_thread();
	if (thread)
		begin_locked(thread);
	else if (!llrec_self)
		llrec_lost[LLREC_LOST_THREADS]++;
	if (thread && has_key && key < KEYS_IN_PLACE)
		pthread_setspecific(key, thread);
	thread = llrec_self;
	llrec_unlock(&mask);
	return thread;
}

static void merge_locked(struct llrec_thread *thread)
{
	llrec_thread_end_operation(thread);
	llrec_trace_thread_locked(thread);
	llrec_tally_merge(&process, &thread->tally);
}

static void end_thread(void *data)
{
	struct llrec_thread *thread = data;
	/* Other destructors may come later, in as many rounds as the system has. */
	if (++thread->ends < PTHREAD_DESTRUCTOR_ITERATIONS && pthread_setspecific(key, thread) == 0)
		return;
	sigset_t mask;
	llrec_lock(&mask);
	llrec_self = NULL;
	struct llrec_thread **link = &threads;
	while (*link && *link != thread)
		link = &(*link)->next;
	if (*link && !__atomic_load_n(&llrec_is_stopped, __ATOMIC_RELAXED)) {
		*link = thread->next;
		merge_locked(thread);
		free_thread(thread);
	}
	llrec_unlock(&mask);
}

/* ---- roles ---- */

static bool is_own_name(const char *comm)
{
	return *comm && strncmp(comm, program_comm, COMM_BYTES) != 0;
}

void llrec_thread_settle(struct llrec_thread *thread)
{
	if (thread->role != LLREC_ROLE_UNKNOWN)
		return;
	char comm[COMM_BYTES + 1] = "";
	prctl(PR_GET_NAME, comm);
	int role = llrec_role_find(is_own_name(comm) ? comm : "all");
	thread->role = role < 0 ? 0 : (unsigned)role;
	thread->tally.lost[LLREC_LOST_ROLES] += role < 0;
}

uint32_t llrec_thread_actor(struct llrec_thread *thread)
{
	llrec_thread_settle(thread);
	unsigned role = thread->role;
	if (!thread->has_actor[role]) {
		sigset_t mask;
		llrec_lock(&mask);
		thread->actors[role] = llrec_actor_new_locked(thread->last_actor, role);
		if (thread->actors[role])
			thread->last_actor = thread->actors[role];
		thread->has_actor[role] = true;
		llrec_unlock(&mask);
	}
	return thread->actors[role];
}

/* ---- operations ---- */

void llrec_thread_end_operation(struct llrec_thread *thread)
{
	if (!thread->is_in_operation)
		return;
	for (unsigned i = 0; i < thread->run_count; i++) {
		struct llrec_run *run = &thread->runs[i];
		if (run->is_cut)
			llrec_tally_count_slow(&thread->tally,
				llrec_key(run->class_index, thread->role, LLREC_OTHER, 0, 0), 1);
		else
			llrec_tally_sequence(&thread->tally, run->keys, run->length, 1);
		thread->run_of_class[run->class_index] = 0;
	}
	thread->run_count = 0;
	thread->is_in_operation = false;
}

/* ---- the end of all ---- */

/* A thread that was stopped within an operation has done part of one: its sequence is none of an operation. */
static void cut_operation(struct llrec_thread *thread)
{
	for (unsigned i = 0; i < thread->run_count; i++)
		thread->runs[i].is_cut = true;
}

static bool is_any_busy(void)
{
	for (const struct llrec_thread *thread = threads; thread; thread = thread->next)
		if (thread != llrec_self && __atomic_load_n(&thread->is_busy, __ATOMIC_ACQUIRE))
			return true;
	return false;
}

/* Threads may be in the middle of counting: they see that it is over, or are seen at it. */
static void stop_threads(void)
{
	__atomic_store_n(&llrec_is_stopped, 1, __ATOMIC_SEQ_CST);
	if (threads && (threads != llrec_self || threads->next))
		llrec_barrier_all();
	for (int tries = 0; tries < STOP_TRIES; tries++) {
		sigset_t mask;
		llrec_lock(&mask);
		bool is_busy = is_any_busy();
		llrec_unlock(&mask);
		if (!is_busy)
			return;
		llrec_sleep_ms(1);
	}
}

struct llrec_tally *llrec_threads_finish(void)
{
	stop_threads();
	sigset_t mask;
	llrec_lock(&mask);
	for (struct llrec_thread *thread = threads; thread; thread = thread->next) {
		if (thread != llrec_self)
			cut_operation(thread);
		merge_locked(thread);
	}
	llrec_objects_fold_locked();
	for (size_t i = 0; i < LLREC_LOST_COUNT; i++)
		process.lost[i] += llrec_lost[i];
	llrec_unlock(&mask);
	llrec_tally_sort(&process);
	return &process;
}

void llrec_threads_forget_locked(void)
{
	struct llrec_thread *self = llrec_self;
	while (threads) {
		struct llrec_thread *next = threads->next;
		if (threads != self)
			free_thread(threads);
		threads = next;
	}
	llrec_tally_release(&process);
	bool is_fine = llrec_tally_init(&process, PROCESS_COUNTERS, true);
	thread_count = own_number = 0;
	llrec_self = NULL;
	if (!self)
		return;
	unsigned role = self->role;
	llrec_tally_release(&self->tally);
	int is_busy = self->is_busy;
	memset(self, 0, offsetof(struct llrec_thread, runs));
	if (!is_fine || !llrec_tally_init(&self->tally, llrec_settings.counters, false)) {
		__atomic_store_n(&llrec_is_stopped, 1, __ATOMIC_RELAXED);
		return;
	}
	self->is_busy = is_busy;
	begin_locked(self);
	self->role = role;
}

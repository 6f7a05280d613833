/*
 * uidbench: FreeBSD's accounting of socket buffers per user, before and after P. J. Dawidek's change of 2007. Each thread grows
 * and shrinks the one user's count as a socket ping-pong does: one unit is one of each.
 *
 *   uidbench [-m] [-x limit] [-t threads] [-l seconds] [-c units] [-a mask]
 *
 * -m  before: a mutex from a pool around the count; otherwise atomics
 * -x  the most that the user may have (1 GiB); what is refused is counted
 */
#include "bench.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { POOL = 128, BUFFER = 2048 };

typedef int64_t rlim64_t;

struct list_entry {
	void *next;
	void **previous;
};

/* sys/resourcevar.h of FreeBSD 7-CURRENT, before and after. */
struct uidinfo_before {
	struct list_entry ui_hash;
	rlim64_t ui_sbsize;
	long ui_proccnt;
	unsigned int ui_uid;
	unsigned int ui_ref;
	pthread_mutex_t *ui_mtxp;
};

struct uidinfo_after {
	struct list_entry ui_hash;
	_Atomic long ui_sbsize;
	long ui_proccnt;
	unsigned int ui_uid;
	unsigned int ui_ref;
};

#if __SIZEOF_LONG__ == 8
_Static_assert(sizeof(struct uidinfo_before) == 48 && sizeof(struct uidinfo_after) == 40,
	"FreeBSD's sizes on amd64");
#endif

static struct bench bench = {
	.name = "uidbench", .usage = "[-m] [-x limit]", .threads = 2, .seconds = 10};
static bool use_mutex;
static long limit = 1L << 30;
/* mtx_pool_find's: neighbours in memory, shared by all that hashes to the same. */
static pthread_mutex_t pool[POOL];
static struct uidinfo_before *before;
static struct uidinfo_after *after;

static pthread_mutex_t *pool_find(const void *object)
{
	return &pool[(uintptr_t)object / 64 % POOL];
}

/* chgsbsize: by `change`, unless that grows past the limit. */
static bool change_before(long change)
{
	rlim64_t size;
	bool fits;

	pthread_mutex_lock(before->ui_mtxp);
	size = before->ui_sbsize + change;
	fits = change <= 0 || size <= limit;
	if (fits)
		before->ui_sbsize = size;
	pthread_mutex_unlock(before->ui_mtxp);
	return fits;
}

static bool change_after(long change)
{
	/* Relaxed: the count orders nothing else. */
	long old = atomic_fetch_add_explicit(&after->ui_sbsize, change, memory_order_relaxed);

	if (change <= 0 || old + change <= limit)
		return true;
	atomic_fetch_sub_explicit(&after->ui_sbsize, change, memory_order_relaxed);
	return false;
}

static void work(struct worker *worker)
{
	for (; bench_goes_on(worker); worker->work++) {
		if (use_mutex ? change_before(BUFFER) : change_after(BUFFER))
			use_mutex ? change_before(-BUFFER) : change_after(-BUFFER);
		else
			worker->extra[0]++;
	}
}

static void *new_user(size_t size)
{
	void *user = aligned_alloc(64, (size + 63) / 64 * 64);

	if (!user)
		bench_fail(&bench, "no memory", ENOMEM);
	return user;
}

static void own_option(int option, const char *argument)
{
	if (option == 'm')
		use_mutex = true;
	else if (option == 'x')
		limit = (long)bench_number(&bench, 'x', argument, 0, 1UL << 40);
}

int main(int argc, char **argv)
{
	unsigned long refused = 0;
	struct worker *workers;
	long left;

	bench_options(&bench, argc, argv, "mx:", own_option);
	for (int i = 0; i < POOL; i++)
		pthread_mutex_init(&pool[i], NULL);
	before = new_user(sizeof(*before));
	*before =
		(struct uidinfo_before){.ui_uid = 1000, .ui_ref = 1, .ui_mtxp = pool_find(before)};
	after = new_user(sizeof(*after));
	*after = (struct uidinfo_after){.ui_uid = 1000, .ui_ref = 1};
	workers = bench_run(&bench, NULL, work, NULL);
	for (unsigned int i = 0; i < bench.threads; i++)
		refused += workers[i].extra[0];
	left = use_mutex ? (long)before->ui_sbsize : atomic_load(&after->ui_sbsize);
	bench_print(&bench);
	printf(" refused %lu left %ld\n", refused, left);
	free(workers);
	free(before);
	free(after);
	return 0;
}

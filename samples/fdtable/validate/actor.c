#include "actor.h"

#include <time.h>

static _Thread_local struct actor *me;

/*
 * Relaxed: these flags are no order between what the threads do to the table, or -fsanitize=thread would take
 * it for the table's.
 */
static bool is(_Atomic bool *flag)
{
	return atomic_load_explicit(flag, memory_order_relaxed);
}

static void set(_Atomic bool *flag)
{
	atomic_store_explicit(flag, true, memory_order_relaxed);
}

static void nap(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

static void at(enum fdtable_point point)
{
	if (!me || me->stop != point || is(&me->stopped))
		return;
	set(&me->stopped);
	while (!is(&me->may_go))
		nap();
}

static void *act(void *data)
{
	me = data;
	me->result = me->run(me->files, me->fd);
	set(&me->done);
	return NULL;
}

/* Whether either has happened within options.patience_ms. */
static bool wait_for(_Atomic bool *one, _Atomic bool *other)
{
	struct timespec begin, now;
	long waited_ms = 0;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	while (!is(one) && !is(other) && waited_ms < (long)options.patience_ms) {
		nap();
		clock_gettime(CLOCK_MONOTONIC, &now);
		waited_ms = (now.tv_sec - begin.tv_sec) * 1000 +
			    (now.tv_nsec - begin.tv_nsec) / 1000000;
	}
	return is(one) || is(other);
}

void actor_start(struct actor *actor, int (*run)(struct files_struct *files, unsigned int fd),
	struct files_struct *files, unsigned int fd, enum fdtable_point stop)
{
	*actor = (struct actor){.run = run, .files = files, .fd = fd, .stop = stop};
#ifdef FDTABLE_POINTS
	atomic_store(&fdtable_at_point, at);
#else
	(void)at;
#endif
	must(pthread_create(&actor->thread, NULL, act, actor) == 0, "no thread could be made");
	wait_for(&actor->stopped, &actor->done);
}

bool actor_has_stopped(struct actor *actor)
{
	return is(&actor->stopped);
}

bool actor_is_done(struct actor *actor)
{
	return wait_for(&actor->done, &actor->done);
}

void actor_goes(struct actor *actor)
{
	set(&actor->may_go);
}

int actor_ends(struct actor *actor)
{
	actor_goes(actor);
	pthread_join(actor->thread, NULL);
	return actor->result;
}

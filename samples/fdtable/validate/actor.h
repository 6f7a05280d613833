/*
 * A thread that stops where it is told to (points.h), so that another can do the worst in between. With
 * those and the library of -DFDTABLE_POINTS a meeting happens in every run; no property depends on how long
 * anything takes, only whether a broken build is found out may.
 */
#ifndef ACTOR_H
#define ACTOR_H

#include <pthread.h>

#include "validate.h"

struct actor {
	pthread_t thread;
	int (*run)(struct files_struct *files, unsigned int fd);
	struct files_struct *files;
	unsigned int fd;
	enum fdtable_point stop; /* the first time it comes here */
	int result;
	_Atomic bool stopped, may_go, done;
};

/* Starts it and waits until it has stopped or is done; or for options.patience_ms: it is stuck. */
void actor_start(struct actor *actor, int (*run)(struct files_struct *files, unsigned int fd),
	struct files_struct *files, unsigned int fd, enum fdtable_point stop);

/* Whether it stopped where it was told to. */
bool actor_has_stopped(struct actor *actor);

/* Waits for its end, or for options.patience_ms; whether it is done. */
bool actor_is_done(struct actor *actor);

/* Lets it go on. */
void actor_goes(struct actor *actor);

/* Lets it go on, waits for its end; its result. */
int actor_ends(struct actor *actor);

#endif

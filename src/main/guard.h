/*
 * guard: runs a job in a child process, because a library may crash or stand still on a hostile file.
 *
 * What the job prints on standard error is kept until it has come to its end, so that a child that died has said nothing. When
 * the trail (base/trail.h) shows what the child was reading, that is set aside and another child does the rest; else the
 * death is the error. One whose memory has run out (base/mem.h) counts as dead; then it is the file of several that is set
 * aside, and where there is none the child has said all.
 */
#ifndef MAIN_GUARD_H
#define MAIN_GUARD_H

#include "base/error.h"
#include "base/trail.h"

struct guard_job {
	int (*run)(void *context); /* in the child; returns its exit code */
	void *context;
	const char *subject; /* for errors: what is read */
	int out;             /* a file that the job writes; emptied before each try */
	struct trail *trail; /* NULL: one try */
};

/* Sets the exit code of the child that came to its end. Errors: no process to be had; it died. */
struct error *guard_run(const struct guard_job *job, int *code);

#endif

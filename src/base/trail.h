/*
 * trail: what is being read at this moment, for a guard that sees the reading process die or stand still.
 *
 * In memory that guard and child share. Each worker writes down what it is about to hand to a library, and takes it back
 * afterwards; what was written down when the process died did it. The guard sets that aside and starts a new child, which
 * tells it as damaged. Every function takes NULL for a trail: nobody watches.
 */
#ifndef BASE_TRAIL_H
#define BASE_TRAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TRAIL_WORKERS = 64, TRAIL_ASIDE_MOST = 64 };

enum trail_kind {
	TRAIL_NOTHING,
	TRAIL_FILE,       /* one file of several, whatever is done with it */
	TRAIL_UNIT,       /* a unit is opened */
	TRAIL_DEFINITION, /* a definition is read, with the types in it */
	TRAIL_LARGE_FILE, /* one that was set aside because the memory did not suffice */
};

struct trail_step {
	enum trail_kind kind;
	uint64_t file; /* trail_file() */
	uint64_t off;  /* of the unit or definition; 0 of a file */
};

struct trail_worker {
	_Alignas(64) uint64_t ticks; /* steps taken; each worker's on a line of its own */
	struct trail_step now;
};

struct trail {
	struct trail_worker workers[TRAIL_WORKERS];
	struct trail_step aside
		[TRAIL_ASIDE_MOST]; /* not to be touched again; written by the guard between children */
	size_t aside_count;
	struct trail_step file; /* TRAIL_FILE: the one of several that is being read, whatever is done in it */
	bool is_alone; /* one worker only, so that there is no doubt who did it */
};

/* NULL where the system has no memory to share; lives as long as the process. */
struct trail *trail_new(void);

/* A file by its path, the same in each child. */
uint64_t trail_file(const char *path);

/* Writes down a step; returns the one that it is part of, for trail_leave(). Workers from TRAIL_WORKERS on are not watched. */
struct trail_step trail_enter(struct trail *trail, size_t worker, struct trail_step step);
void trail_leave(struct trail *trail, size_t worker, struct trail_step before);

/* Something is done on the way: this worker does not stand still. */
void trail_tick(struct trail *trail, size_t worker);

bool trail_is_aside(const struct trail *trail, struct trail_step step);

/* ---- for the guard ---- */

/* Steps taken by all workers: unchanged while they stand still. */
uint64_t trail_ticks(const struct trail *trail);

/* Is a library at work on a unit or definition? */
bool trail_is_inside(const struct trail *trail);

/*
 * After a death: sets aside what was being read, and clears what was written down. False when nothing was, or nothing more
 * can be set aside. Where several workers were inside, is_alone is set instead, and the next child shows which.
 */
bool trail_set_aside(struct trail *trail);

/*
 * After the memory has run out, for which whatever asked for more last may not be to blame: sets aside the file of several as
 * TRAIL_LARGE_FILE, and clears as above. False when none was being read, or nothing more can be set aside.
 */
bool trail_set_file_aside(struct trail *trail);

#endif

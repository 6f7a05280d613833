/*
 * merge: what the workers of the index have found, as one index that does not depend on how many there
 * were.
 */
#ifndef READ_MERGE_H
#define READ_MERGE_H

#include <stddef.h>

#include "base/arena.h"
#include "read/index.h"
#include "read/index/pattern.h"
#include "read/index/worker.h"

/* Fills all of `ret` but unit_count and dwarf_version; takes over the workers' arenas. */
void merge_workers(struct arena *arena, struct worker *workers, size_t count,
	const struct patterns *patterns, struct index *ret);

#endif

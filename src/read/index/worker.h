/*
 * worker: one thread of the index: the units that it takes, folded into entries.
 *
 * scan, fold -> [worker] -> index. Several workers share nothing that changes but the number of the next
 * chunk of units.
 */
#ifndef READ_WORKER_H
#define READ_WORKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/intern.h"
#include "read/index/fold.h"
#include "read/index.h"
#include "read/map.h"
#include "read/index/pattern.h"
#include "read/index/scan.h"
#include "read/index/unit.h"

/* A layout under a name, as one thread has found it. */
struct entry {
	struct index_def def;
	uint32_t name; /* index into the worker's names */
};

/* A typedef that is asked for and leads to an aggregate with a name of its own. */
struct alias {
	struct index_alias names;
	uint32_t name; /* index into the worker's names */
};

/* What the threads share; all but `next` is constant while they run. */
struct shared {
	const struct object *object;
	const struct units *units;
	const struct patterns *patterns;
	const size_t *chunks; /* chunks[i]..chunks[i + 1] are the units of chunk i */
	size_t chunk_count;
	atomic_size_t next; /* chunk */
};

struct worker {
	struct shared *shared;
	pthread_t thread;
	struct arena arena; /* scopes */
	struct intern scopes;
	struct dies dies;
	struct names names;
	struct candidates candidates;
	struct fold by_place, by_text;
	struct map places;     /* place hash with name, scope and kind -> index into entries */
	struct map texts;      /* text hash with the same -> index into entries */
	struct entry *entries; /* owned */
	size_t entry_count, entry_capacity;
	struct map alias_map;  /* hash of all that is in an alias -> index into aliases */
	struct alias *aliases; /* owned; each once */
	size_t alias_count, alias_capacity;
	uint64_t split_units; /* whose debug information lies in another file */
	struct unit_damages damages; /* of units: one each at most */
};

void worker_init(struct worker *worker, struct shared *shared);
void worker_release(struct worker *worker);

/*
 * Takes chunks until there are no more. What a damaged unit holds in front of its damage is kept. For pthread_create(): takes
 * a struct worker *, returns NULL.
 */
void *worker_run(void *worker);

#endif

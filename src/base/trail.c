#include "base/trail.h"

#include <string.h>
#include <sys/mman.h>

struct trail *trail_new(void)
{
	void *memory = mmap(NULL, sizeof(struct trail), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return memory == MAP_FAILED ? NULL : memory;
}

/* FNV-1a, 64 bits. */
uint64_t trail_file(const char *path)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	for (; *path; path++)
		hash = (hash ^ (unsigned char)*path) * UINT64_C(0x100000001b3);
	return hash;
}

void trail_tick(struct trail *trail, size_t worker)
{
	if (!trail || worker >= TRAIL_WORKERS)
		return;
	uint64_t *ticks = &trail->workers[worker].ticks;
	__atomic_store_n(ticks, *ticks + 1, __ATOMIC_RELAXED);
}

/* The guard reads it while this process runs, or after it died: a plain store would do, a compiler might drop it. */
static void write_down(struct trail_worker *worker, struct trail_step step)
{
	volatile struct trail_step *now = &worker->now;
	now->kind = TRAIL_NOTHING;
	now->file = step.file;
	now->off = step.off;
	now->kind = step.kind;
	__atomic_store_n(&worker->ticks, worker->ticks + 1, __ATOMIC_RELAXED);
}

struct trail_step trail_enter(struct trail *trail, size_t worker, struct trail_step step)
{
	if (!trail || worker >= TRAIL_WORKERS)
		return (struct trail_step){TRAIL_NOTHING, 0, 0};
	struct trail_step before = trail->workers[worker].now;
	if (step.kind == TRAIL_FILE)
		trail->file = step;
	write_down(&trail->workers[worker], step);
	return before;
}

void trail_leave(struct trail *trail, size_t worker, struct trail_step before)
{
	if (!trail || worker >= TRAIL_WORKERS)
		return;
	if (trail->workers[worker].now.kind == TRAIL_FILE)
		trail->file = before;
	write_down(&trail->workers[worker], before);
}

static bool is_same(struct trail_step left, struct trail_step right)
{
	return left.kind == right.kind && left.file == right.file && left.off == right.off;
}

bool trail_is_aside(const struct trail *trail, struct trail_step step)
{
	for (size_t i = 0; trail && i < trail->aside_count; i++)
		if (is_same(trail->aside[i], step))
			return true;
	return false;
}

uint64_t trail_ticks(const struct trail *trail)
{
	uint64_t ticks = 0;
	for (size_t i = 0; i < TRAIL_WORKERS; i++)
		ticks += __atomic_load_n(&trail->workers[i].ticks, __ATOMIC_RELAXED);
	return ticks;
}

/* The step of the first worker that is in a library, and how many are. */
static size_t find_inside(const struct trail *trail, struct trail_step *ret)
{
	size_t count = 0;
	for (size_t i = 0; i < TRAIL_WORKERS; i++) {
		const struct trail_step *now = &trail->workers[i].now;
		if (now->kind != TRAIL_UNIT && now->kind != TRAIL_DEFINITION)
			continue;
		if (!count++)
			*ret = *now;
	}
	return count;
}

bool trail_is_inside(const struct trail *trail)
{
	struct trail_step step;
	return find_inside(trail, &step) > 0;
}

/* False when it is already, or there is no room. */
static bool set_aside(struct trail *trail, struct trail_step step)
{
	if (step.kind == TRAIL_NOTHING || trail_is_aside(trail, step) ||
		trail->aside_count == TRAIL_ASIDE_MOST)
		return false;
	trail->aside[trail->aside_count++] = step;
	return true;
}

static void clear(struct trail *trail)
{
	memset(trail->workers, 0, sizeof(trail->workers));
	memset(&trail->file, 0, sizeof(trail->file));
}

bool trail_set_aside(struct trail *trail)
{
	struct trail_step step = {TRAIL_NOTHING, 0, 0};
	size_t inside = find_inside(trail, &step);
	if (!inside)
		step = trail->workers[0].now; /* a file, where it is one of several */
	bool is_clear = inside <= 1 && set_aside(trail, step);
	bool is_doubtful = inside > 1 && !trail->is_alone;
	trail->is_alone = true;
	clear(trail);
	return is_clear || is_doubtful;
}

bool trail_set_file_aside(struct trail *trail)
{
	struct trail_step step = trail->file;
	bool is_file = step.kind == TRAIL_FILE;
	step.kind = TRAIL_LARGE_FILE;
	clear(trail);
	return is_file && set_aside(trail, step);
}

#include "read/dwarf.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "read/dw.h"
#include "read/dwarf/opened.h"
#include "read/dwarf/reader.h"

enum { JOBS_MAX = 64 };

/* A definition that was asked for, and where its answer goes. */
struct request {
	const struct index_def *def;
	size_t index;
};

/* The definitions of one unit: read by one worker. */
struct task {
	size_t first, count; /* of the requests */
};

struct work {
	const struct object *object;
	struct opened_map map;
	struct request *requests; /* by unit; owned */
	struct task *tasks;       /* owned */
	size_t task_count;
	size_t next;                /* the next task; atomic */
	struct dwarf_type *results; /* as the definitions were given; owned */
	struct error **errors;      /* likewise, NULL where all is well; owned */
};

struct worker {
	struct work *work;
	struct arena arena;
	pthread_t thread;
	bool is_started;
	size_t number;
};

/* What a damaged definition has left half-read must not be taken for whole by the next one. */
static void start_again(struct reader *reader)
{
	struct arena *arena = reader->arena;
	const struct object *object = reader->object;
	struct opened_map *map = reader->units.map;
	size_t worker = reader->units.worker;
	reader_release(reader);
	reader_init(reader, arena, object, map, worker);
}

static struct error *read_one(struct reader *reader, struct opened_unit *unit,
	const struct index_def *def, struct dwarf_type *ret)
{
	struct trail_step before;
	struct error *error = opened_enter(&reader->units, def->die_off, &before);
	if (error)
		return error;
	error = reader_read(reader, unit, def, ret);
	opened_leave(&reader->units, before);
	return error;
}

static void run_task(struct reader *reader, const struct work *work, const struct task *task)
{
	struct opened_unit *unit = NULL;
	for (size_t i = 0; i < task->count; i++) {
		const struct request *request = &work->requests[task->first + i];
		struct error *error = opened_get(&reader->units, request->def->unit_off, &unit);
		if (!error)
			error = read_one(
				reader, unit, request->def, &work->results[request->index]);
		work->errors[request->index] = error;
		if (error) {
			start_again(reader);
			unit = NULL;
		}
	}
	if (unit && !unit->is_shared)
		opened_drop(&reader->units, unit);
}

static void run_tasks(struct work *work, struct arena *arena, size_t worker)
{
	struct reader reader;
	reader_init(&reader, arena, work->object, &work->map, worker);
	for (;;) {
		size_t at = __atomic_fetch_add(&work->next, 1, __ATOMIC_RELAXED);
		if (at >= work->task_count)
			break;
		run_task(&reader, work, &work->tasks[at]);
	}
	reader_release(&reader);
}

static void *work_in_thread(void *argument)
{
	struct worker *worker = argument;
	run_tasks(worker->work, &worker->arena, worker->number);
	return NULL;
}

static int compare_requests(const void *left, const void *right)
{
	const struct request *a = left, *b = right;
	if (a->def->unit_off != b->def->unit_off)
		return a->def->unit_off < b->def->unit_off ? -1 : 1;
	if (a->def->die_off != b->def->die_off)
		return a->def->die_off < b->def->die_off ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

static void plan(struct work *work, const struct index_def *const *defs, size_t count)
{
	work->requests = mem_new(count, sizeof(*work->requests));
	work->tasks = mem_new(count, sizeof(*work->tasks));
	work->results = mem_new(count, sizeof(*work->results));
	work->errors = mem_new(count, sizeof(*work->errors));
	for (size_t i = 0; i < count; i++)
		work->requests[i] = (struct request){defs[i], i};
	qsort(work->requests, count, sizeof(*work->requests), compare_requests);
	for (size_t i = 0; i < count; i++) {
		if (i == 0 ||
			work->requests[i].def->unit_off != work->requests[i - 1].def->unit_off)
			work->tasks[work->task_count++] = (struct task){.first = i};
		work->tasks[work->task_count - 1].count++;
	}
}

/* Starts up to `jobs` threads; without any, the caller does the work. */
static void run(struct work *work, struct arena *arena, size_t jobs)
{
	struct worker *workers = mem_new(jobs, sizeof(*workers));
	for (size_t i = 1; i < jobs; i++) {
		workers[i].work = work;
		workers[i].number = i;
		arena_init(&workers[i].arena);
		workers[i].is_started =
			pthread_create(&workers[i].thread, NULL, work_in_thread, &workers[i]) == 0;
	}
	run_tasks(work, arena, 0);
	for (size_t i = 1; i < jobs; i++) {
		if (workers[i].is_started)
			pthread_join(workers[i].thread, NULL);
		arena_absorb(arena, &workers[i].arena);
	}
	mem_free(workers);
}

static void hand_over(
	struct arena *arena, const struct work *work, size_t count, struct dwarf_type *ret)
{
	for (size_t i = 0; i < count; i++) {
		struct error *error = work->errors[i];
		ret[i] = work->results[i];
		if (error)
			ret[i] = (struct dwarf_type){.unit = "",
				.comp_dir = "",
				.producer = "",
				.damage = arena_strdup(arena, error->message)};
		error_free(error);
	}
}

static size_t count_jobs(const struct object *object, unsigned jobs, size_t tasks)
{
	if (object->trail && object->trail->is_alone)
		return 1;
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	size_t count = jobs ? jobs : processors > 0 ? (size_t)processors : 1;
	if (count > JOBS_MAX)
		count = JOBS_MAX;
	if (count > tasks)
		count = tasks;
	return count ? count : 1;
}

bool dwarf_is_cxx(uint16_t language)
{
	switch (language) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case DW_LANG_C_plus_plus_17:
	case DW_LANG_C_plus_plus_20:
	case DW_LANG_C_plus_plus_23:
	case DW_LANG_ObjC_plus_plus:
		return true;
	default:
		return false;
	}
}

struct error *dwarf_read(struct arena *arena, const struct object *object,
	const struct index_def *const *defs, size_t count, unsigned jobs, struct dwarf_type *ret)
{
	struct work work = {.object = object};
	if (count == 0)
		return NULL;
	struct error *error = object_require_dwarf(object);
	if (error)
		return error;
	opened_map_init(&work.map, object);
	plan(&work, defs, count);
	run(&work, arena, count_jobs(object, jobs, work.task_count));
	hand_over(arena, &work, count, ret);
	opened_map_release(&work.map);
	mem_free(work.requests);
	mem_free(work.tasks);
	mem_free(work.errors);
	mem_free(work.results);
	return NULL;
}

#include "mesi.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"

/* ---- caches ---- */

void mesi_caches_init(struct mesi_caches *caches, size_t thread_count, size_t line_count)
{
	assert(!line_count || thread_count <= MESI_CACHES_MAX / line_count);
	*caches = (struct mesi_caches){
		.thread_count = thread_count,
		.line_count = line_count,
		.versions = mem_new(line_count, sizeof(*caches->versions)),
		.holders = mem_new(line_count, sizeof(*caches->holders)),
		.modified = mem_new(line_count, sizeof(*caches->modified)),
		.seen = mem_new(line_count * thread_count, sizeof(*caches->seen)),
	};
	for (size_t i = 0; i < line_count; i++)
		caches->versions[i] = 1;
}

void mesi_caches_release(struct mesi_caches *caches)
{
	mem_free(caches->versions);
	mem_free(caches->holders);
	mem_free(caches->modified);
	mem_free(caches->seen);
}

static enum mesi_transaction cache_read(struct mesi_caches *caches, uint32_t *seen, size_t line)
{
	if (*seen == caches->versions[line])
		return MESI_NONE;
	*seen = caches->versions[line];
	caches->holders[line]++;
	caches->modified[line] = false;
	return caches->versions[line] > 1 ? MESI_FETCH : MESI_NONE;
}

static enum mesi_transaction cache_write(struct mesi_caches *caches, uint32_t *seen, size_t line)
{
	bool mine = *seen == caches->versions[line];
	bool others = caches->holders[line] > mine;
	if (others || !mine || caches->versions[line] == 1)
		caches->versions[line]++;
	*seen = caches->versions[line];
	caches->holders[line] = 1;
	caches->modified[line] = true;
	return others ? MESI_OWN : MESI_NONE;
}

enum mesi_transaction mesi_access(
	struct mesi_caches *caches, size_t thread, size_t line, bool writes)
{
	assert(thread < caches->thread_count && line < caches->line_count);
	uint32_t *seen = &caches->seen[line * caches->thread_count + thread];
	return writes ? cache_write(caches, seen, line) : cache_read(caches, seen, line);
}

enum mesi_state mesi_state(const struct mesi_caches *caches, size_t thread, size_t line)
{
	if (caches->seen[line * caches->thread_count + thread] != caches->versions[line])
		return MESI_INVALID;
	if (caches->holders[line] > 1)
		return MESI_SHARED;
	return caches->modified[line] ? MESI_MODIFIED : MESI_EXCLUSIVE;
}

/* ---- counts ---- */

uint64_t mesi_tally_sum(const struct mesi_tally *tally)
{
	return tally->fetches + tally->owned + tally->polls;
}

static struct mesi_result result_new(
	struct arena *arena, size_t role_count, size_t field_count, size_t line_count)
{
	struct mesi_result result = {
		.role_count = role_count,
		.field_count = field_count,
		.line_count = line_count,
	};
	result.operations = arena_new(arena, role_count, sizeof(*result.operations));
	result.role_lines = arena_new(arena, role_count * line_count, sizeof(*result.role_lines));
	result.role_fields =
		arena_new(arena, role_count * field_count, sizeof(*result.role_fields));
	result.lines = arena_new(arena, line_count, sizeof(*result.lines));
	result.roles = arena_new(arena, role_count, sizeof(*result.roles));
	return result;
}

static void tally_add(struct mesi_tally *tally, enum mesi_transaction transaction)
{
	tally->fetches += transaction == MESI_FETCH;
	tally->owned += transaction == MESI_OWN;
}

static void result_add(struct mesi_result *result, size_t role, size_t field, size_t line,
	enum mesi_transaction transaction)
{
	tally_add(&result->role_lines[role * result->line_count + line], transaction);
	tally_add(&result->role_fields[role * result->field_count + field], transaction);
}

/* Per operation of the role, on all its lines. */
static double role_cost(const struct mesi_result *result, size_t role)
{
	uint64_t sum = 0;
	for (size_t line = 0; line < result->line_count; line++)
		sum += mesi_tally_sum(&result->role_lines[role * result->line_count + line]);
	return result->operations[role] ? (double)sum / (double)result->operations[role] : 0;
}

/* `weights`: of each role's operations. */
static void result_average(struct mesi_result *result, const double *weights)
{
	double all = 0;
	for (size_t role = 0; role < result->role_count; role++)
		all += result->operations[role] ? weights[role] : 0;
	for (size_t role = 0; role < result->role_count; role++) {
		result->roles[role] = role_cost(result, role);
		if (!result->operations[role])
			continue;
		double weight = weights[role] / all;
		result->total += weight * result->roles[role];
		for (size_t line = 0; line < result->line_count; line++)
			result->lines[line] +=
				weight *
				(double)mesi_tally_sum(
					&result->role_lines[role * result->line_count + line]) /
				(double)result->operations[role];
	}
}

/* ---- chance ---- */

/* SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). */
static uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* From 0 up to, and without, 1. */
static double random_share(uint64_t *state)
{
	return (double)(random_next(state) >> 11) * 0x1p-53;
}

static uint64_t random_below(uint64_t *state, uint64_t limit)
{
	return (uint64_t)(((unsigned __int128)random_next(state) * limit) >> 64);
}

/* ---- a model's threads ---- */

struct thread {
	size_t next;      /* access of the operation that comes next */
	bool underway;    /* something of the operation has happened */
	bool interrupted; /* just before that access, which will happen */
	uint64_t draw;    /* of the operation: what elements of arrays it accesses */
};

/* Threads of one role on one object. */
struct crew {
	uint32_t role;
	bool counted;         /* on the object at hand, not on a neighbour */
	int64_t start_bytes;  /* of the object, from the first line of the one at hand */
	size_t first_thread;  /* they are numbered through */
	size_t first_element; /* of COST_THREAD fields: of its first thread */
	double slices;        /* a unit of time, of all of them */
	double breaks;        /* b */
};

struct run {
	const struct cost_model *model;
	const struct cost_workload *workload;
	uint64_t random;
	size_t object_lines, line_count; /* fields that lie alone come behind the object's lines */
	uint64_t *alone_lines;           /* [field] */
	bool *contended;                 /* [lock]: somebody can wait for it */
	bool has_draws;                  /* some array has one element an operation */
	struct crew *crews;
	size_t crew_count;
	struct thread *threads;
	size_t thread_count;
	double slices; /* of all crews */
	struct mesi_caches caches;
	bool counting;
	uint64_t done; /* operations on the object at hand */
	struct mesi_result *result;
};

static bool is_write(enum access_kind kind)
{
	return kind == ACCESS_WRITE || kind == ACCESS_RMW;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t lines_of(uint64_t bytes, uint64_t line_bytes)
{
	return lesser(COST_LINES_MAX, bytes / line_bytes + (bytes % line_bytes != 0));
}

/* Of an array. One draw of an operation gives the same element to all fields of the same array. */
static uint64_t pick_element(struct run *run, const struct crew *crew, size_t thread,
	const struct cost_field *field, uint64_t count)
{
	if (field->place == COST_THREAD)
		return (crew->first_element + thread - crew->first_thread) % count;
	if (!field->array)
		return random_below(&run->random, count);
	uint64_t state = run->threads[thread].draw ^ field->array * 0xd1342543de82ef95u;
	return random_below(&state, count);
}

/* Where the line of a byte is that this access of a thread touches; false when on none of the object at hand. */
static bool pick_line(
	struct run *run, const struct crew *crew, size_t thread, size_t index, size_t *ret)
{
	const struct cost_field *field = &run->model->fields[index];
	uint64_t line_bytes = run->model->line_bytes, bytes = field->size_bytes, skip = 0;
	if (field->alone && !crew->counted)
		return false;
	if (field->place != COST_BYTES && field->element_bytes) {
		uint64_t part = field->part_bytes ? field->part_bytes : field->element_bytes;
		uint64_t count = bytes > part ? (bytes - part) / field->element_bytes + 1 : 1;
		skip = field->element_bytes * pick_element(run, crew, thread, field, count);
		bytes = part;
	}
	int64_t from = crew->start_bytes + (int64_t)field->off_bytes;
	if (field->alone)
		from = (int64_t)(run->alone_lines[index] * line_bytes +
				 (field->group ? field->off_bytes : 0));
	from += (int64_t)skip;
	if (from < 0 || (uint64_t)from % line_bytes + bytes > line_bytes)
		from += (int64_t)random_below(&run->random, bytes);
	if (from < 0)
		return false;
	size_t line = (uint64_t)from / line_bytes;
	*ret = line;
	return line < (field->alone ? run->line_count : run->object_lines);
}

static void do_access(
	struct run *run, const struct crew *crew, size_t thread, const struct cost_access *access)
{
	size_t line;
	if (!pick_line(run, crew, thread, access->field, &line))
		return;
	enum mesi_transaction transaction =
		mesi_access(&run->caches, thread, line, is_write(access->kind));
	if (transaction != MESI_NONE && crew->counted && run->counting)
		result_add(run->result, crew->role, access->field, line, transaction);
}

/*
 * Waiters for the locks that this operation takes. Of two accesses with probabilities the rarer implies the
 * other, as a lock that is taken in one operation of ten is released as often: hence one draw for both.
 */
static void poll(struct run *run, const struct crew *crew, size_t thread)
{
	const struct cost_role *role = &run->model->roles[crew->role];
	for (size_t i = 0; i < role->access_count; i++) {
		const struct cost_access *taken = &role->accesses[i];
		size_t lock = taken->acquires, line, other;
		if (taken->acquires == COST_NO_LOCK || !run->contended[lock] ||
			random_share(&run->random) >= run->model->locks[lock].contended)
			continue;
		double draw = random_share(&run->random);
		if (draw >= taken->weight || !pick_line(run, crew, thread, taken->field, &line))
			continue;
		for (size_t k = i + 1; k < role->access_count; k++) {
			const struct cost_access *access = &role->accesses[k];
			if (is_write(access->kind) && draw < access->weight &&
				pick_line(run, crew, thread, access->field, &other) &&
				other == line) {
				struct mesi_result *result = run->result;
				result->role_lines[crew->role * result->line_count + line].polls +=
					2;
				result->role_fields[crew->role * result->field_count + taken->field]
					.polls += 2;
			}
			if (access->releases == lock)
				break;
		}
	}
}

static void operation_end(struct run *run, const struct crew *crew, size_t thread)
{
	if (crew->counted && run->counting) {
		run->result->operations[crew->role]++;
		poll(run, crew, thread);
	}
	run->done += crew->counted;
	run->threads[thread] = (struct thread){0};
}

/* A thread goes on until it is interrupted, or to the end of its operation. */
static void slice(struct run *run, const struct crew *crew, size_t index)
{
	const struct cost_role *role = &run->model->roles[crew->role];
	struct thread *thread = &run->threads[index];
	if (run->has_draws && !thread->underway)
		thread->draw = random_next(&run->random);
	for (size_t i = thread->next; i < role->access_count; i++) {
		const struct cost_access *access = &role->accesses[i];
		if (!thread->interrupted) {
			if (access->weight < 1 && random_share(&run->random) >= access->weight)
				continue;
			if (thread->underway && !access->held &&
				random_share(&run->random) < crew->breaks) {
				thread->next = i;
				thread->interrupted = true;
				return;
			}
		}
		thread->interrupted = false;
		thread->underway = true;
		do_access(run, crew, index, access);
	}
	operation_end(run, crew, index);
}

static void any_slice(struct run *run)
{
	double at = random_share(&run->random) * run->slices;
	size_t i = 0;
	while (i + 1 < run->crew_count && at >= run->crews[i].slices)
		at -= run->crews[i++].slices;
	const struct crew *crew = &run->crews[i];
	uint64_t thread = random_below(&run->random, run->model->roles[crew->role].threads);
	slice(run, crew, crew->first_thread + thread);
}

/* ---- setting it up ---- */

static bool takes(const struct cost_role *role, size_t lock)
{
	for (size_t i = 0; i < role->access_count; i++)
		if (role->accesses[i].acquires == lock)
			return true;
	return false;
}

static void find_waiters(struct run *run)
{
	for (size_t lock = 0; lock < run->model->lock_count; lock++) {
		uint64_t takers = 0;
		for (size_t i = 0; i < run->workload->role_count; i++) {
			const struct cost_role *role = &run->model->roles[run->workload->roles[i]];
			takers += takes(role, lock) ? role->threads : 0;
		}
		run->contended[lock] = takers > 1;
	}
}

/* Operations a unit of time, of all threads. */
static double all_operations(const struct run *run)
{
	double sum = 0;
	for (size_t i = 0; i < run->workload->role_count; i++) {
		const struct cost_role *role = &run->model->roles[run->workload->roles[i]];
		sum += role->access_count ? role->rate * role->threads : 0;
	}
	return sum;
}

static double breaks_of(const struct run *run, const struct cost_role *role)
{
	double accesses = 0, others = all_operations(run) - role->rate;
	for (size_t i = 0; i < role->access_count; i++)
		accesses += role->accesses[i].weight;
	double breaks = role->interleave * others / (accesses > 2 ? accesses - 1 : 1);
	return breaks > 0.5 ? 0.5 : breaks > 0 ? breaks : 0;
}

/* How many an operation takes on average. */
static double slices_of(const struct cost_role *role, double breaks)
{
	double slices = 1, nothing_yet = 1;
	for (size_t i = 0; i < role->access_count; i++) {
		const struct cost_access *access = &role->accesses[i];
		slices += access->held ? 0 : breaks * access->weight * (1 - nothing_yet);
		nothing_yet *= 1 - access->weight;
	}
	return slices;
}

/* The workload's threads on an object. */
static void object_add(struct run *run, int64_t start_bytes, bool counted)
{
	size_t element = 0;
	for (size_t i = 0; i < run->workload->role_count; i++) {
		uint32_t index = run->workload->roles[i];
		const struct cost_role *role = &run->model->roles[index];
		struct crew crew = {
			.role = index,
			.counted = counted,
			.start_bytes = start_bytes,
			.first_thread = run->thread_count,
			.first_element = element,
			.breaks = breaks_of(run, role),
		};
		element += role->threads;
		if (!role->access_count)
			continue;
		crew.slices = role->rate * role->threads * slices_of(role, crew.breaks);
		run->slices += crew.slices;
		run->thread_count += role->threads;
		run->crews[run->crew_count++] = crew;
	}
}

/* The last byte of the object, or of a field that is said to lie behind it. */
static uint64_t object_bytes(const struct cost_model *model)
{
	uint64_t end = model->size_bytes;
	for (size_t i = 0; i < model->field_count; i++) {
		const struct cost_field *field = &model->fields[i];
		uint64_t field_end;
		if (__builtin_add_overflow(field->off_bytes, field->size_bytes, &field_end))
			field_end = UINT64_MAX;
		if (!field->alone && field_end > end)
			end = field_end;
	}
	return lesser(end, (uint64_t)1 << 62);
}

static size_t object_lines(const struct cost_model *model)
{
	uint64_t last = 0;
	for (size_t i = 0; i < model->start_count; i++)
		last = model->starts[i] > last ? model->starts[i] : last;
	return lines_of(last + object_bytes(model), model->line_bytes);
}

/* Of fields of one group, the first. */
static size_t group_first(const struct cost_model *model, size_t index)
{
	const struct cost_field *field = &model->fields[index];
	for (size_t i = 0; i < index && field->group; i++)
		if (model->fields[i].alone && model->fields[i].group == field->group)
			return i;
	return index;
}

/* That a field which lies alone takes, with its group. */
static size_t alone_lines(const struct cost_model *model, size_t index)
{
	const struct cost_field *field = &model->fields[index];
	uint64_t bytes = field->size_bytes;
	for (size_t i = index; i < model->field_count && field->group; i++) {
		const struct cost_field *other = &model->fields[i];
		uint64_t end;
		if (!other->alone || other->group != field->group)
			continue;
		if (__builtin_add_overflow(other->off_bytes, other->size_bytes, &end))
			end = UINT64_MAX;
		bytes = end > bytes ? end : bytes;
	}
	return lines_of(bytes, model->line_bytes);
}

/* Fields that lie alone come behind the object, those of a group once. `starts` ([field]) may be NULL. */
static size_t all_lines(const struct cost_model *model, uint64_t *starts)
{
	size_t lines = object_lines(model);
	for (size_t i = 0; i < model->field_count; i++) {
		size_t first = group_first(model, i);
		if (starts)
			starts[i] = first < i ? starts[first] : lines;
		if (model->fields[i].alone && first == i)
			lines += alone_lines(model, i);
	}
	return lines;
}

/* From one element of an array to the next; 0: no array. */
static uint64_t stride_of(const struct cost_model *model)
{
	uint64_t stride =
		model->stride_bytes > model->size_bytes ? model->stride_bytes : model->size_bytes;
	return model->instance == INSTANCE_ARRAY
		       ? lesser(stride, (uint64_t)COST_LINES_MAX * model->line_bytes)
		       : 0;
}

/* Neighbours on each side whose bytes can be on the object's lines. */
static uint64_t neighbours_of(const struct cost_model *model)
{
	uint64_t stride = stride_of(model), most = 0;
	for (size_t i = 0; i < model->start_count && stride; i++) {
		/* they reach over the start of the first line, or begin before the last line's end */
		uint64_t before = (model->starts[i] + stride - 1) / stride;
		uint64_t end = model->starts[i] + object_bytes(model);
		uint64_t rest = end % model->line_bytes;
		uint64_t after = (rest ? model->line_bytes - rest : 0) / stride + 1;
		most = before > most ? before : most;
		most = after > most ? after : most;
	}
	return most;
}

uint64_t mesi_model_caches(const struct cost_model *model)
{
	uint64_t threads = 0, caches;
	for (size_t i = 0; i < model->role_count; i++)
		threads += model->roles[i].threads;
	if (__builtin_mul_overflow(threads, 2 * neighbours_of(model) + 1, &threads) ||
		__builtin_mul_overflow(threads, all_lines(model, NULL), &caches))
		return UINT64_MAX;
	return caches;
}

static void run_start(struct run *run, size_t start, uint64_t operations)
{
	int64_t start_bytes = (int64_t)run->model->starts[start];
	int64_t stride = (int64_t)stride_of(run->model);
	uint64_t neighbours = neighbours_of(run->model);
	size_t crews = run->workload->role_count * (2 * neighbours + 1);
	run->crews = mem_new(crews, sizeof(*run->crews));
	run->crew_count = run->thread_count = run->done = 0;
	run->slices = 0;
	object_add(run, start_bytes, true);
	size_t own_threads = run->thread_count;
	for (int64_t i = 1; i <= (int64_t)neighbours; i++) {
		object_add(run, start_bytes - i * stride, false);
		object_add(run, start_bytes + i * stride, false);
	}
	run->threads = mem_new(run->thread_count, sizeof(*run->threads));
	mesi_caches_init(&run->caches, run->thread_count, run->line_count);
	/* until most threads have been there */
	run->counting = false;
	while (run->crew_count && run->done < 2 * own_threads + 64)
		any_slice(run);
	run->counting = true;
	run->done = 0;
	while (run->crew_count && run->done < operations)
		any_slice(run);
	mesi_caches_release(&run->caches);
	mem_free(run->threads);
	mem_free(run->crews);
}

static void run_workload(struct run *run, const struct mesi_options *options)
{
	const struct cost_model *model = run->model;
	uint64_t each = lesser(options->operations, MESI_OPERATIONS_MAX) / model->start_count;
	double *weights = mem_new(model->role_count, sizeof(*weights));
	find_waiters(run);
	for (size_t i = 0; i < model->start_count; i++)
		run_start(run, i, each ? each : 1);
	for (size_t i = 0; i < model->role_count; i++)
		weights[i] = model->roles[i].rate * model->roles[i].threads;
	result_average(run->result, weights);
	mem_free(weights);
}

/* Of each role the workload in which it costs most, of the whole the one that does. */
static void keep_worst(struct mesi_result *worst, const struct mesi_result *result, size_t workload)
{
	size_t fields = worst->field_count, lines = worst->line_count;
	for (size_t role = 0; role < worst->role_count; role++) {
		if (!result->operations[role] ||
			(worst->operations[role] && result->roles[role] <= worst->roles[role]))
			continue;
		worst->operations[role] = result->operations[role];
		worst->roles[role] = result->roles[role];
		memcpy(&worst->role_lines[role * lines], &result->role_lines[role * lines],
			lines * sizeof(*worst->role_lines));
		memcpy(&worst->role_fields[role * fields], &result->role_fields[role * fields],
			fields * sizeof(*worst->role_fields));
	}
	if (workload == 0 || result->total > worst->total) {
		worst->total = result->total;
		worst->lines = result->lines;
		worst->workload = workload;
	}
}

struct mesi_result mesi_model(
	struct arena *arena, const struct cost_model *model, const struct mesi_options *options)
{
	struct run run = {
		.model = model,
		.alone_lines = mem_new(model->field_count, sizeof(*run.alone_lines)),
		.contended = mem_new(model->lock_count, sizeof(*run.contended)),
	};
	run.object_lines = object_lines(model);
	run.line_count = all_lines(model, run.alone_lines);
	for (size_t i = 0; i < model->field_count; i++)
		run.has_draws |= model->fields[i].place == COST_SPREAD && model->fields[i].array;
	struct mesi_result worst =
		result_new(arena, model->role_count, model->field_count, run.line_count);
	for (size_t i = 0; i < model->workload_count && model->instance != INSTANCE_PER_THREAD;
		i++) {
		struct mesi_result result =
			result_new(arena, model->role_count, model->field_count, run.line_count);
		run.workload = &model->workloads[i];
		run.random = options->seed;
		run.result = &result;
		run_workload(&run, options);
		keep_worst(&worst, &result, i);
	}
	mem_free(run.alone_lines);
	mem_free(run.contended);
	return worst;
}

/* ---- a recording ---- */

struct mesi_result mesi_record(struct arena *arena, const struct mesi_record *record)
{
	struct mesi_caches caches;
	struct mesi_result result =
		result_new(arena, record->role_count, record->field_count, record->line_count);
	mesi_caches_init(&caches, record->thread_count, record->cache_line_count);
	for (size_t i = 0; i < record->event_count; i++) {
		const struct mesi_event *event = &record->events[i];
		uint32_t role = record->thread_roles[event->thread];
		assert(role < record->role_count && event->field < record->field_count &&
			event->line < record->line_count);
		result.operations[role] += event->begins;
		result_add(&result, role, event->field, event->line,
			mesi_access(&caches, event->thread, event->cache_line, event->writes));
	}
	mesi_caches_release(&caches);
	double *weights = mem_new(record->role_count, sizeof(*weights));
	for (size_t i = 0; i < record->role_count; i++)
		weights[i] = (double)result.operations[i];
	result_average(&result, weights);
	mem_free(weights);
	return result;
}

#include "cost.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"

enum { CLASSES_MAX = 1024 }; /* of threads that each have an element of their own */

/* What one operation does to one line, as expected values. */
struct turns {
	double all;   /* turns begun: u */
	double fetch; /* reads that begin one */
	double own;   /* writes that begin one, and first writes after reads */
};

/* Threads of a role that touch every line alike. */
struct agent {
	uint32_t role;
	double threads;
	uint64_t element; /* of COST_THREAD fields */
	struct turns turns;
	double polls; /* by waiters, of the locks it takes */
};

/* What one workload's lines have in common. */
struct pass {
	const struct cost_model *model;
	const struct cost_workload *workload;
	size_t object_lines; /* of the longest placement */
	size_t line_count;
	uint64_t stride_bytes; /* to the neighbours; 0: there are none */
	bool by_thread;        /* some field is COST_THREAD */
	uint64_t *alone_lines; /* [field]: where it lies when alone */
	double *shares;        /* [field]: of its accesses on the line at hand */
	double *breaks; /* [role]: b, the chance that another thread comes between two accesses */
	double *contended; /* [lock] */
	struct agent *agents;
	size_t agent_count;
	double operations; /* of the workload's roles: what their costs are weighted with, in sum */
	double *role_lines; /* [role * line_count + line], the result */
};

/* One object, the one at hand or a neighbour, on one line. */
struct spot {
	int64_t start; /* of the object, from the first line of the one at hand */
	size_t line;
	bool neighbour;
};

static bool is_write(enum access_kind kind)
{
	return kind == ACCESS_WRITE || kind == ACCESS_RMW;
}

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

static uint64_t lines_of(uint64_t bytes, uint64_t line_bytes)
{
	return smaller(COST_LINES_MAX, bytes / line_bytes + (bytes % line_bytes != 0));
}

/* The part of [from, from + bytes) that lies on the line at line_off. */
static double share_on(double from, double bytes, double line_off, double line_bytes)
{
	double first = from > line_off ? from : line_off;
	double end = smaller(from + bytes, line_off + line_bytes);
	return end > first ? (end - first) / bytes : 0;
}

/* An array of which every element is as likely, or the one element of a thread. */
static double element_share(const struct cost_field *field, double from, uint64_t element,
	double line_off, double line_bytes)
{
	uint64_t apart = field->element_bytes;
	uint64_t part = field->part_bytes ? field->part_bytes : apart;
	uint64_t count = field->size_bytes > part ? (field->size_bytes - part) / apart + 1 : 1;
	if (field->place == COST_THREAD)
		return share_on(
			from + (double)(element % count) * apart, part, line_off, line_bytes);
	if (part == apart)
		return share_on(from, (double)count * apart, line_off, line_bytes);
	double first =
		(line_off - from - part) / apart; /* before the first that can reach the line */
	double share = 0;
	for (uint64_t i = first > 0 ? (uint64_t)first : 0;
		i < count && from + (double)i * apart < line_off + line_bytes; i++)
		share += share_on(from + (double)i * apart, part, line_off, line_bytes);
	return share / count;
}

static double field_share(
	const struct pass *pass, size_t index, const struct spot *spot, uint64_t element)
{
	const struct cost_field *field = &pass->model->fields[index];
	double line_bytes = pass->model->line_bytes;
	double line_off = spot->line * line_bytes;
	double from = spot->start + (double)field->off_bytes;
	if (field->alone && spot->neighbour)
		return 0;
	if (field->alone)
		from = pass->alone_lines[index] * line_bytes;
	if (field->place == COST_BYTES || !field->element_bytes)
		return share_on(from, field->size_bytes, line_off, line_bytes);
	return element_share(field, from, element, line_off, line_bytes);
}

/* Fills pass->shares; did any change? */
static bool shares_fill(const struct pass *pass, const struct spot *spot, uint64_t element)
{
	bool changed = false;
	for (size_t i = 0; i < pass->model->field_count; i++) {
		double share = field_share(pass, i, spot, element);
		changed |= share != pass->shares[i];
		pass->shares[i] = share;
	}
	return changed;
}

/*
 * `here` is the chance that the role was on the line in this operation and nobody came since, `clean` that
 * the turn has moreover not written. For accesses that happen independently of each other both are exact.
 */
static struct turns turns_walk(const struct cost_role *role, double breaks, const double *shares)
{
	struct turns turns = {0, 0, 0};
	double here = 0, clean = 0;
	for (size_t i = 0; i < role->access_count; i++) {
		const struct cost_access *access = &role->accesses[i];
		double quiet = access->held ? 1 : 1 - breaks;
		double on = access->weight * shares[access->field];
		double begins = on * (1 - here * quiet);
		double goes_on_clean = on * clean * quiet;
		double stays = 1 - access->weight + (access->weight - on) * quiet;
		here = here * stays + on;
		clean *= stays;
		turns.all += begins;
		if (is_write(access->kind)) {
			turns.own += begins + goes_on_clean;
		} else {
			turns.fetch += begins;
			clean += begins + goes_on_clean;
		}
	}
	return turns;
}

/*
 * What waiting threads that poll a lock cost its holder on this line. A write is not independent of the
 * acquisition: the rarer of the two implies the other, as a lock taken in one operation of ten is released
 * as often.
 */
static double polling(const struct pass *pass, const struct cost_role *role)
{
	double sum = 0;
	for (size_t i = 0; i < role->access_count; i++) {
		const struct cost_access *taken = &role->accesses[i];
		if (taken->acquires == COST_NO_LOCK || !(pass->contended[taken->acquires] > 0))
			continue;
		double writes = 0;
		for (size_t k = i + 1; k < role->access_count; k++) {
			const struct cost_access *access = &role->accesses[k];
			if (is_write(access->kind))
				writes += smaller(taken->weight, access->weight) *
					  pass->shares[access->field];
			if (access->releases == taken->acquires)
				break;
		}
		sum += pass->contended[taken->acquires] * 2 * pass->shares[taken->field] * writes;
	}
	return sum;
}

/* Every agent's turns on the line, for one object. */
static void agents_walk(const struct pass *pass, const struct spot *spot)
{
	for (size_t i = 0; i < pass->agent_count; i++) {
		struct agent *agent = &pass->agents[i];
		const struct cost_role *role = &pass->model->roles[agent->role];
		bool changed =
			(i == 0 || pass->by_thread) && shares_fill(pass, spot, agent->element);
		if (i > 0 && agent[-1].role == agent->role && !changed) {
			agent->turns = agent[-1].turns;
			agent->polls = agent[-1].polls;
			continue;
		}
		agent->turns = turns_walk(role, pass->breaks[agent->role], pass->shares);
		agent->polls = spot->neighbour ? 0 : polling(pass, role);
	}
}

/* W and T of an object's agents, all of them. */
static void pressure_add(const struct pass *pass, double *writes, double *turns)
{
	for (size_t i = 0; i < pass->agent_count; i++) {
		const struct agent *agent = &pass->agents[i];
		double operations = pass->model->roles[agent->role].rate * agent->threads;
		*writes += operations * agent->turns.own;
		*turns += operations * agent->turns.all;
	}
}

static double meets(double mine, double others, double rate, double my_turns)
{
	return mine > 0 && others > 0 ? mine * others / (others + rate * my_turns) : 0;
}

static void price_line(const struct pass *pass, int64_t start, size_t line)
{
	const struct cost_model *model = pass->model;
	double writes = 0, turns = 0;
	int64_t stride = line < pass->object_lines ? (int64_t)pass->stride_bytes : 0;
	int64_t line_off = (int64_t)(line * model->line_bytes);
	int64_t line_end = line_off + (int64_t)model->line_bytes;
	for (int64_t at = start - stride; stride && at + stride > line_off; at -= stride) {
		agents_walk(pass, &(struct spot){at, line, true});
		pressure_add(pass, &writes, &turns);
	}
	for (int64_t at = start + stride; stride && at < line_end; at += stride) {
		agents_walk(pass, &(struct spot){at, line, true});
		pressure_add(pass, &writes, &turns);
	}
	agents_walk(pass, &(struct spot){start, line, false});
	pressure_add(pass, &writes, &turns);
	for (size_t i = 0; i < pass->agent_count; i++) {
		const struct agent *agent = &pass->agents[i];
		const struct cost_role *role = &model->roles[agent->role];
		/* One thread of these is the one that pays; the rest, and all the others, are whom it meets. */
		double cost = meets(agent->turns.fetch, writes - role->rate * agent->turns.own,
				      role->rate, agent->turns.all) +
			      meets(agent->turns.own, turns - role->rate * agent->turns.all,
				      role->rate, agent->turns.own) +
			      agent->polls;
		pass->role_lines[agent->role * pass->line_count + line] +=
			cost * agent->threads / role->threads / (double)model->start_count;
	}
}

/* Threads of the workload that take a lock. */
static double takers(
	const struct cost_model *model, const struct cost_workload *workload, size_t lock)
{
	double threads = 0;
	for (size_t i = 0; i < workload->role_count; i++) {
		const struct cost_role *role = &model->roles[workload->roles[i]];
		for (size_t k = 0; k < role->access_count; k++) {
			if (role->accesses[k].acquires == lock) {
				threads += role->threads;
				break;
			}
		}
	}
	return threads;
}

/* b of each role, and the locks that somebody can wait for. */
static void interruptions(struct pass *pass)
{
	const struct cost_model *model = pass->model;
	double operations = 0;
	for (size_t i = 0; i < pass->workload->role_count; i++) {
		const struct cost_role *role = &model->roles[pass->workload->roles[i]];
		operations += role->access_count ? role->rate * role->threads : 0;
	}
	for (size_t i = 0; i < pass->workload->role_count; i++) {
		const struct cost_role *role = &model->roles[pass->workload->roles[i]];
		double accesses = 0;
		for (size_t k = 0; k < role->access_count; k++)
			accesses += role->accesses[k].weight;
		double others = operations - role->rate;
		double gaps = accesses > 2 ? accesses - 1 : 1;
		pass->breaks[pass->workload->roles[i]] =
			others > 0 ? smaller(0.5, role->interleave * others / gaps) : 0;
	}
	for (size_t i = 0; i < model->lock_count; i++)
		pass->contended[i] =
			takers(model, pass->workload, i) > 1 ? model->locks[i].contended : 0;
}

static void agents_make(struct pass *pass)
{
	double thread = 0;
	pass->agent_count = 0;
	for (size_t i = 0; i < pass->workload->role_count; i++) {
		uint32_t index = pass->workload->roles[i];
		const struct cost_role *role = &pass->model->roles[index];
		unsigned classes = pass->by_thread ? smaller(role->threads, CLASSES_MAX) : 1;
		for (unsigned k = 0; role->access_count && k < classes; k++)
			pass->agents[pass->agent_count++] = (struct agent){
				.role = index,
				.threads = (double)role->threads / classes,
				.element = thread + k,
			};
		thread += role->threads;
	}
}

static uint64_t object_lines(const struct cost_model *model)
{
	double end = model->size_bytes;
	double last_start = 0;
	for (size_t i = 0; i < model->field_count; i++) {
		const struct cost_field *field = &model->fields[i];
		double field_end = (double)field->off_bytes + (double)field->size_bytes;
		end = field->alone || field_end < end ? end : field_end;
	}
	for (size_t i = 0; i < model->start_count; i++)
		last_start = model->starts[i] > last_start ? model->starts[i] : last_start;
	return lines_of(smaller(last_start + end, 1e18), model->line_bytes);
}

/* Everything that does not depend on the workload; lines of fields that lie alone come behind the object's. */
static void pass_init(struct pass *pass, const struct cost_model *model)
{
	*pass = (struct pass){.model = model, .object_lines = object_lines(model)};
	pass->alone_lines = mem_new(model->field_count, sizeof(*pass->alone_lines));
	pass->line_count = pass->object_lines;
	for (size_t i = 0; i < model->field_count; i++) {
		assert(model->fields[i].size_bytes > 0);
		pass->by_thread |= model->fields[i].place == COST_THREAD;
		pass->alone_lines[i] = pass->line_count;
		if (model->fields[i].alone)
			pass->line_count +=
				lines_of(model->fields[i].size_bytes, model->line_bytes);
	}
	if (model->instance == INSTANCE_ARRAY) {
		uint64_t stride = model->stride_bytes > model->size_bytes ? model->stride_bytes
									  : model->size_bytes;
		pass->stride_bytes = smaller(stride, (double)COST_LINES_MAX * model->line_bytes);
	}
	size_t agents = 0;
	for (size_t i = 0; i < model->role_count; i++) {
		assert(model->roles[i].threads > 0);
		agents += pass->by_thread ? smaller(model->roles[i].threads, CLASSES_MAX) : 1;
	}
	pass->shares = mem_new(model->field_count, sizeof(*pass->shares));
	pass->breaks = mem_new(model->role_count, sizeof(*pass->breaks));
	pass->contended = mem_new(model->lock_count, sizeof(*pass->contended));
	pass->agents = mem_new(agents, sizeof(*pass->agents));
	pass->role_lines = mem_new(model->role_count * pass->line_count, sizeof(*pass->role_lines));
}

static void pass_release(struct pass *pass)
{
	mem_free(pass->alone_lines);
	mem_free(pass->shares);
	mem_free(pass->breaks);
	mem_free(pass->contended);
	mem_free(pass->agents);
	mem_free(pass->role_lines);
}

/* Prices one workload into pass->role_lines; returns the average over its roles. */
static double workload_run(struct pass *pass, const struct cost_workload *workload)
{
	const struct cost_model *model = pass->model;
	double cost = 0, operations = 0;
	pass->workload = workload;
	interruptions(pass);
	agents_make(pass);
	memset(pass->role_lines, 0,
		model->role_count * pass->line_count * sizeof(*pass->role_lines));
	for (size_t i = 0; i < model->start_count; i++)
		for (size_t line = 0; line < pass->line_count; line++)
			price_line(pass, (int64_t)model->starts[i], line);
	for (size_t i = 0; i < workload->role_count; i++) {
		const struct cost_role *role = &model->roles[workload->roles[i]];
		double weight = role->access_count ? role->rate * role->threads : 0;
		operations += weight;
		for (size_t line = 0; line < pass->line_count; line++)
			cost += weight *
				pass->role_lines[workload->roles[i] * pass->line_count + line];
	}
	pass->operations = operations;
	return operations > 0 ? cost / operations : 0;
}

static void result_keep(
	struct cost_result *result, const struct pass *pass, size_t workload, double total)
{
	size_t count = pass->model->role_count * pass->line_count;
	result->total = total;
	result->workload = workload;
	memcpy(result->role_lines, pass->role_lines, count * sizeof(*result->role_lines));
	memset(result->lines, 0, pass->line_count * sizeof(*result->lines));
	for (size_t i = 0; i < pass->workload->role_count; i++) {
		uint32_t index = pass->workload->roles[i];
		const struct cost_role *role = &pass->model->roles[index];
		for (size_t line = 0; role->access_count && line < pass->line_count; line++)
			result->lines[line] += role->rate * role->threads / pass->operations *
					       pass->role_lines[index * pass->line_count + line];
	}
}

static void roles_keep(struct cost_result *result, const struct pass *pass)
{
	for (size_t i = 0; i < pass->workload->role_count; i++) {
		uint32_t index = pass->workload->roles[i];
		double cost = 0;
		for (size_t line = 0; line < pass->line_count; line++)
			cost += pass->role_lines[index * pass->line_count + line];
		if (cost > result->roles[index])
			result->roles[index] = cost;
	}
}

struct cost_result cost_run(struct arena *arena, const struct cost_model *model)
{
	struct pass pass;
	struct cost_result result = {0};
	pass_init(&pass, model);
	result.line_count = pass.line_count;
	result.lines = arena_new(arena, pass.line_count, sizeof(*result.lines));
	result.roles = arena_new(arena, model->role_count, sizeof(*result.roles));
	result.role_lines =
		arena_new(arena, model->role_count * pass.line_count, sizeof(*result.role_lines));
	for (size_t i = 0; i < model->workload_count && model->instance != INSTANCE_PER_THREAD;
		i++) {
		double total = workload_run(&pass, &model->workloads[i]);
		if (pass.operations > 0 && (i == 0 || total > result.total))
			result_keep(&result, &pass, i, total);
		roles_keep(&result, &pass);
	}
	pass_release(&pass);
	return result;
}

double cost_total(struct arena *arena, const struct cost_model *model)
{
	(void)arena;
	struct pass pass;
	double worst = 0;
	pass_init(&pass, model);
	for (size_t i = 0; i < model->workload_count && model->instance != INSTANCE_PER_THREAD;
		i++) {
		double total = workload_run(&pass, &model->workloads[i]);
		worst = total > worst ? total : worst;
	}
	pass_release(&pass);
	return worst;
}

/* ---- the same model again and again ---- */

enum { LISTED_LINES = 4096, LISTED_PARTS = 1 << 14 };
#define NO_PART UINT32_MAX

/* A share of a field's accesses, on a line. */
struct part {
	uint32_t field, next;
	double share;
};

/* A line's contents, and what it costs in each workload; lives in the arena. */
struct content {
	uint64_t hash;
	size_t count;
	const struct part *parts;
	const double *costs;
};

struct cost_cache {
	struct cost_model model;
	struct arena arena;
	struct pass *passes; /* [workload] */
	double *sums;        /* [workload] */
	struct part *parts;  /* of the placement at hand */
	size_t part_count;
	uint32_t *heads; /* [line]: its first part */
	uint32_t *lines; /* those that have parts */
	size_t line_count;
	struct content *contents; /* open addressing; parts == NULL: free */
	size_t capacity, count;
};

struct cost_cache *cost_cache_new(const struct cost_model *model)
{
	bool by_thread = false;
	for (size_t i = 0; i < model->field_count; i++)
		by_thread |= model->fields[i].place == COST_THREAD || model->fields[i].alone;
	if (by_thread || model->instance == INSTANCE_ARRAY)
		return NULL;
	struct cost_cache *cache = mem_new(1, sizeof(*cache));
	cache->model = *model;
	arena_init(&cache->arena);
	cache->passes = mem_new(model->workload_count, sizeof(*cache->passes));
	cache->sums = mem_new(model->workload_count, sizeof(*cache->sums));
	cache->parts = mem_new(LISTED_PARTS, sizeof(*cache->parts));
	cache->heads = mem_new(LISTED_LINES, sizeof(*cache->heads));
	cache->lines = mem_new(LISTED_LINES, sizeof(*cache->lines));
	memset(cache->heads, 0xff, LISTED_LINES * sizeof(*cache->heads));
	for (size_t i = 0; i < model->workload_count; i++) {
		struct pass *pass = &cache->passes[i];
		pass_init(pass, &cache->model);
		pass->workload = &model->workloads[i];
		interruptions(pass);
		agents_make(pass);
		for (size_t k = 0; k < pass->agent_count; k++)
			pass->operations +=
				model->roles[pass->agents[k].role].rate * pass->agents[k].threads;
	}
	return cache;
}

void cost_cache_free(struct cost_cache *cache)
{
	if (!cache)
		return;
	for (size_t i = 0; i < cache->model.workload_count; i++)
		pass_release(&cache->passes[i]);
	mem_free(cache->passes);
	mem_free(cache->sums);
	mem_free(cache->parts);
	mem_free(cache->heads);
	mem_free(cache->lines);
	mem_free(cache->contents);
	arena_release(&cache->arena);
	mem_free(cache);
}

/* What the line whose shares are set costs an operation of the workload. */
static double line_cost(const struct pass *pass)
{
	const struct cost_model *model = pass->model;
	double writes = 0, turns = 0, sum = 0;
	for (size_t i = 0; i < pass->agent_count; i++) {
		struct agent *agent = &pass->agents[i];
		const struct cost_role *role = &model->roles[agent->role];
		agent->turns = turns_walk(role, pass->breaks[agent->role], pass->shares);
		agent->polls = polling(pass, role);
	}
	pressure_add(pass, &writes, &turns);
	for (size_t i = 0; i < pass->agent_count; i++) {
		const struct agent *agent = &pass->agents[i];
		const struct cost_role *role = &model->roles[agent->role];
		sum += role->rate * agent->threads *
		       (meets(agent->turns.fetch, writes - role->rate * agent->turns.own,
				role->rate, agent->turns.all) +
			       meets(agent->turns.own, turns - role->rate * agent->turns.all,
				       role->rate, agent->turns.own) +
			       agent->polls);
	}
	return pass->operations > 0 ? sum / pass->operations : 0;
}

static const double *content_price(struct cost_cache *cache, const struct part *parts, size_t count)
{
	double *costs = arena_new(&cache->arena, cache->model.workload_count, sizeof(*costs));
	for (size_t i = 0; i < cache->model.workload_count; i++) {
		const struct pass *pass = &cache->passes[i];
		memset(pass->shares, 0, cache->model.field_count * sizeof(*pass->shares));
		for (size_t k = 0; k < count; k++)
			pass->shares[parts[k].field] = parts[k].share;
		costs[i] = line_cost(pass);
	}
	return costs;
}

static struct content *content_slot(
	struct content *contents, size_t capacity, const struct content *wanted)
{
	size_t at = wanted->hash & (capacity - 1);
	while (contents[at].parts &&
		(contents[at].hash != wanted->hash || contents[at].count != wanted->count ||
			memcmp(contents[at].parts, wanted->parts,
				wanted->count * sizeof(*wanted->parts)) != 0))
		at = (at + 1) & (capacity - 1);
	return &contents[at];
}

static void contents_grow(struct cost_cache *cache)
{
	size_t capacity = cache->capacity ? 2 * cache->capacity : 256;
	struct content *contents = mem_new(capacity, sizeof(*contents));
	for (size_t i = 0; i < cache->capacity; i++)
		if (cache->contents[i].parts)
			*content_slot(contents, capacity, &cache->contents[i]) = cache->contents[i];
	mem_free(cache->contents);
	cache->contents = contents;
	cache->capacity = capacity;
}

static const double *content_costs(struct cost_cache *cache, const struct part *parts, size_t count)
{
	struct content content = {.hash = 0xcbf29ce484222325, .count = count, .parts = parts};
	for (size_t i = 0; i < count; i++) {
		uint64_t share;
		memcpy(&share, &parts[i].share, sizeof(share));
		content.hash = (content.hash ^ parts[i].field ^ share) * 0x9e3779b97f4a7c15;
		content.hash ^= content.hash >> 31;
	}
	if (2 * (cache->count + 1) > cache->capacity)
		contents_grow(cache);
	struct content *slot = content_slot(cache->contents, cache->capacity, &content);
	if (!slot->parts) {
		content.costs = content_price(cache, parts, count);
		content.parts = arena_copy(&cache->arena, parts, count, sizeof(*parts));
		*slot = content;
		cache->count++;
	}
	return slot->costs;
}

/* Lists which shares of which fields lie on which line; false: there are too many. */
static bool list_parts(struct cost_cache *cache, uint64_t start)
{
	const struct cost_model *model = &cache->model;
	cache->part_count = cache->line_count = 0;
	for (size_t i = model->field_count; i-- > 0;) {
		const struct cost_field *field = &model->fields[i];
		uint64_t first = (start + field->off_bytes) / model->line_bytes;
		uint64_t last =
			(start + field->off_bytes + field->size_bytes - 1) / model->line_bytes;
		if (last >= LISTED_LINES || last - first >= LISTED_PARTS - cache->part_count)
			return false;
		for (uint64_t line = first; line <= last; line++) {
			struct spot spot = {(int64_t)start, line, false};
			double share = field_share(&cache->passes[0], i, &spot, 0);
			if (!(share > 0))
				continue;
			if (cache->heads[line] == NO_PART)
				cache->lines[cache->line_count++] = (uint32_t)line;
			cache->parts[cache->part_count] =
				(struct part){(uint32_t)i, cache->heads[line], share};
			cache->heads[line] = (uint32_t)cache->part_count++;
		}
	}
	return true;
}

static void clear_parts(struct cost_cache *cache)
{
	for (size_t i = 0; i < cache->line_count; i++)
		cache->heads[cache->lines[i]] = NO_PART;
}

static void add_line(struct cost_cache *cache, uint32_t line)
{
	struct part parts[256];
	size_t count = 0;
	for (uint32_t at = cache->heads[line]; at != NO_PART && count < 256;
		at = cache->parts[at].next) {
		parts[count] = cache->parts[at];
		parts[count++].next = 0; /* no part of what is compared */
	}
	const double *costs = content_costs(cache, parts, count);
	for (size_t i = 0; i < cache->model.workload_count; i++)
		cache->sums[i] += costs[i];
}

double cost_cache_total(struct cost_cache *cache, const struct cost_field *fields)
{
	struct cost_model *model = &cache->model;
	double worst = 0;
	bool listed = model->field_count <= 256;
	model->fields = fields;
	memset(cache->sums, 0, model->workload_count * sizeof(*cache->sums));
	for (size_t i = 0; i < model->start_count && listed; i++) {
		listed = list_parts(cache, model->starts[i]);
		for (size_t line = 0; line < cache->line_count && listed; line++)
			add_line(cache, cache->lines[line]);
		clear_parts(cache);
	}
	if (!listed)
		return cost_total(&cache->arena, model);
	for (size_t i = 0; i < model->workload_count && model->instance != INSTANCE_PER_THREAD;
		i++) {
		double total = cache->sums[i] / (double)model->start_count;
		worst = total > worst ? total : worst;
	}
	return worst;
}

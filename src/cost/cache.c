#include <string.h>

#include "base/mem.h"
#include "cost/pass.h"

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

/* Does some role access an array more than once, so that the draw of its element matters? */
static bool draws_elements(const struct cost_model *model)
{
	bool draws = false;
	for (size_t i = 0; i < model->role_count && !draws; i++) {
		const struct cost_role *role = &model->roles[i];
		for (size_t k = 0; k < role->access_count && !draws; k++) {
			const struct cost_field *field = &model->fields[role->accesses[k].field];
			if (field->place != COST_SPREAD || !field->array)
				continue;
			for (size_t m = k + 1; m < role->access_count && !draws; m++) {
				const struct cost_field *other =
					&model->fields[role->accesses[m].field];
				draws = other->place == COST_SPREAD && other->array == field->array;
			}
		}
	}
	return draws;
}

struct cost_cache *cost_cache_new(const struct cost_model *model)
{
	bool apart = model->instance == INSTANCE_ARRAY || draws_elements(model);
	for (size_t i = 0; i < model->field_count; i++)
		apart |= model->fields[i].place == COST_THREAD || model->fields[i].alone;
	if (apart)
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
		cost_pass_init(&cache->passes[i], &cache->model);
		cost_workload_begin(&cache->passes[i], &model->workloads[i]);
	}
	return cache;
}

void cost_cache_free(struct cost_cache *cache)
{
	if (!cache)
		return;
	for (size_t i = 0; i < cache->model.workload_count; i++)
		cost_pass_release(&cache->passes[i]);
	mem_free(cache->passes);
	mem_free(cache->sums);
	mem_free(cache->parts);
	mem_free(cache->heads);
	mem_free(cache->lines);
	mem_free(cache->contents);
	arena_release(&cache->arena);
	mem_free(cache);
}

/* What the line whose fields are set costs an operation of the workload. */
static double line_cost(struct pass *pass)
{
	double writes = 0, turns = 0, sum = 0;
	if (!cost_agents_walk(pass, 0))
		return 0;
	cost_pressure_add(pass, &writes, &turns);
	for (size_t i = 0; i < pass->agent_count; i++) {
		const struct agent *agent = &pass->agents[i];
		double rate = pass->model->roles[agent->role].rate;
		sum += rate * agent->threads * cost_agent_price(agent, rate, writes, turns);
	}
	return pass->operations > 0 ? sum / pass->operations : 0;
}

static const double *content_price(struct cost_cache *cache, const struct part *parts, size_t count)
{
	double *costs = arena_new(&cache->arena, cache->model.workload_count, sizeof(*costs));
	for (size_t i = 0; i < cache->model.workload_count; i++) {
		struct pass *pass = &cache->passes[i];
		for (size_t k = 0; k < count; k++) {
			pass->places[k] =
				(struct place){.field = parts[k].field, .share = parts[k].share};
			pass->shares[parts[k].field] = parts[k].share;
		}
		pass->place_count = count;
		costs[i] = line_cost(pass);
		cost_places_clear(pass);
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
			double share = cost_place_share(&cache->passes[0], (uint32_t)i,
				(double)(start + field->off_bytes), line);
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

#include "cost.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cost/pass.h"

enum { CLASSES_MAX = 1024 }; /* of threads that each have an element of their own */

static uint64_t lines_of(uint64_t bytes, uint64_t line_bytes)
{
	return cost_smaller(COST_LINES_MAX, bytes / line_bytes + (bytes % line_bytes != 0));
}

/* ---- prices ---- */

/* W and T of an object's agents, all of them. */
void cost_pressure_add(const struct pass *pass, double *writes, double *turns)
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

double cost_agent_price(const struct agent *agent, double rate, double writes, double turns)
{
	/* One thread of these is the one that pays; the rest, and all the others, are whom it meets. */
	return meets(agent->turns.fetch, writes - rate * agent->turns.own, rate, agent->turns.all) +
	       meets(agent->turns.own, turns - rate * agent->turns.all, rate, agent->turns.own) +
	       agent->turns.polls;
}

static void neighbour_add(
	struct pass *pass, int64_t start, size_t line, double *writes, double *turns)
{
	const struct spot spot = {start, line};
	for (size_t i = 0; i < pass->inside_count; i++)
		cost_place_add(pass, pass->ordered[i], &spot);
	if (pass->place_count && cost_agents_walk(pass, line))
		cost_pressure_add(pass, writes, turns);
	cost_places_clear(pass);
}

/* The first object behind the one at hand that reaches the line: an object reaches as far as the next one. */
static int64_t first_behind(int64_t start, int64_t stride, int64_t line_off)
{
	int64_t at = start + stride;
	return at < line_off ? at + (line_off - at) / stride * stride : at;
}

static void neighbours_add(
	struct pass *pass, int64_t start, size_t line, double *writes, double *turns)
{
	int64_t stride = (int64_t)pass->stride_bytes;
	int64_t line_off = (int64_t)(line * pass->model->line_bytes);
	int64_t line_end = line_off + (int64_t)pass->model->line_bytes;
	for (int64_t at = start - stride; at + stride > line_off; at -= stride)
		neighbour_add(pass, at, line, writes, turns);
	for (int64_t at = first_behind(start, stride, line_off); at < line_end; at += stride)
		neighbour_add(pass, at, line, writes, turns);
}

/*
 * Prices the line at hand: `fields` lie there. In the placement `start`, or the same in all of them: lines
 * of fields that lie alone.
 */
static void price_line(
	struct pass *pass, size_t line, const uint32_t *fields, size_t field_count, size_t start)
{
	const struct cost_model *model = pass->model;
	const struct spot spot = {
		start < model->start_count ? (int64_t)model->starts[start] : 0, line};
	double writes = 0, turns = 0;
	if (pass->stride_bytes && start < model->start_count)
		neighbours_add(pass, spot.start, line, &writes, &turns);
	for (size_t i = 0; i < field_count; i++)
		cost_place_add(pass, fields[i], &spot);
	bool touched = cost_agents_walk(pass, line);
	cost_places_clear(pass);
	cost_pressure_add(pass, &writes, &turns);
	for (size_t i = 0; touched && i < pass->agent_count; i++) {
		const struct agent *agent = &pass->agents[i];
		const struct cost_role *role = &model->roles[agent->role];
		double cost = cost_agent_price(agent, role->rate, writes, turns);
		bool once = start < model->start_count;
		double starts = once ? (double)model->start_count : 1;
		double weighted = cost * role->rate * agent->threads / pass->operations;
		pass->total += weighted / starts;
		for (size_t k = once ? start : 0; k < (once ? start + 1 : model->start_count); k++)
			pass->starts[k] += weighted;
		if (pass->role_lines)
			pass->role_lines[agent->role * pass->line_count + line] +=
				cost * agent->threads / role->threads / starts;
	}
}

/* The lines [first, end) that hold some of `fields`, which are in the order of where they begin. */
static void price_lines(struct pass *pass, const uint32_t *fields, size_t field_count, size_t first,
	size_t end, size_t start)
{
	int64_t begin = start < pass->model->start_count ? (int64_t)pass->model->starts[start] : 0;
	double line_bytes = pass->model->line_bytes;
	uint32_t *there = mem_new(field_count, sizeof(*there));
	size_t count = 0, next = 0;
	for (size_t line = first; line < end; line++) {
		if (!count && next == field_count)
			break;
		if (!count)
			line = (size_t)cost_smaller(end,
				cost_larger(line,
					floor(cost_from(pass, fields[next], begin) / line_bytes)));
		if (line == end)
			break;
		while (next < field_count &&
			cost_from(pass, fields[next], begin) < (line + 1) * line_bytes)
			there[count++] = fields[next++];
		price_line(pass, line, there, count, start);
		size_t left = 0;
		for (size_t i = 0; i < count; i++)
			if (cost_from(pass, there[i], begin) +
					(double)pass->model->fields[there[i]].size_bytes >
				(line + 1) * line_bytes)
				there[left++] = there[i];
		count = left;
	}
	mem_free(there);
}

/* ---- what a workload's lines have in common ---- */

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

static void script_time(const struct pass *pass, uint32_t index)
{
	const struct cost_role *role = &pass->model->roles[index];
	struct script *script = &pass->scripts[index];
	double accesses = 0, others = pass->operations - role->rate;
	for (size_t i = 0; i < role->access_count; i++)
		accesses += role->accesses[i].weight;
	double gaps = accesses > 2 ? accesses - 1 : 1;
	script->breaks = others > 0 ? cost_smaller(0.5, role->interleave * others / gaps) : 0;
	script->waits = false;
	double whole = log(1 - script->breaks), fade = 0;
	for (size_t i = 0; i < role->access_count; i++) {
		const struct cost_access *access = &role->accesses[i];
		script->fades[i] = fade;
		if (!access->held)
			fade += access->weight < 1 ? log(1 - access->weight * script->breaks)
						   : whole;
		script->waits |=
			access->acquires != COST_NO_LOCK && pass->contended[access->acquires] > 0;
	}
}

static void agents_make(struct pass *pass)
{
	double thread = 0;
	pass->agent_count = 0;
	for (size_t i = 0; i < pass->workload->role_count; i++) {
		uint32_t index = pass->workload->roles[i];
		const struct cost_role *role = &pass->model->roles[index];
		unsigned classes = pass->scripts[index].by_thread
					   ? cost_smaller(role->threads, CLASSES_MAX)
					   : 1;
		for (unsigned k = 0; role->access_count && k < classes; k++)
			pass->agents[pass->agent_count++] = (struct agent){
				.role = index,
				.threads = (double)role->threads / classes,
				.element = thread + k,
			};
		thread += role->threads;
	}
}

void cost_workload_begin(struct pass *pass, const struct cost_workload *workload)
{
	const struct cost_model *model = pass->model;
	pass->workload = workload;
	pass->operations = 0;
	for (size_t i = 0; i < workload->role_count; i++) {
		const struct cost_role *role = &model->roles[workload->roles[i]];
		pass->operations += role->access_count ? role->rate * role->threads : 0;
	}
	for (size_t i = 0; i < model->lock_count; i++)
		pass->contended[i] = takers(model, workload, i) > 1 ? model->locks[i].contended : 0;
	for (size_t i = 0; i < workload->role_count; i++)
		script_time(pass, workload->roles[i]);
	agents_make(pass);
}

/* Prices one workload into pass->total, starts and role_lines. */
static void workload_run(struct pass *pass, const struct cost_workload *workload)
{
	const struct cost_model *model = pass->model;
	const uint32_t *alone = pass->ordered + pass->inside_count;
	pass->total = 0;
	memset(pass->starts, 0, model->start_count * sizeof(*pass->starts));
	if (pass->role_lines)
		memset(pass->role_lines, 0,
			model->role_count * pass->line_count * sizeof(*pass->role_lines));
	cost_workload_begin(pass, workload);
	if (!(pass->operations > 0))
		return;
	for (size_t i = 0; i < model->start_count; i++)
		price_lines(pass, pass->ordered, pass->inside_count, 0, pass->object_lines, i);
	price_lines(pass, alone, model->field_count - pass->inside_count, pass->object_lines,
		pass->line_count, model->start_count);
}

/* ---- what does not depend on the workload ---- */

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
	return lines_of(cost_smaller(last_start + end, 1e18), model->line_bytes);
}

/* Lines of fields that lie alone come behind the object's, those of a group once. */
static void lines_give(struct pass *pass)
{
	const struct cost_model *model = pass->model;
	pass->line_count = pass->object_lines;
	for (size_t i = 0; i < model->field_count; i++) {
		const struct cost_field *field = &model->fields[i];
		double end = field->size_bytes;
		bool known = false;
		if (!field->alone)
			continue;
		for (size_t k = 0; field->group && k < model->field_count && !known; k++) {
			const struct cost_field *other = &model->fields[k];
			if (!other->alone || other->group != field->group)
				continue;
			known = k < i;
			if (known)
				pass->alone_lines[i] = pass->alone_lines[k];
			end = cost_larger(
				end, (double)other->off_bytes + (double)other->size_bytes);
		}
		if (known)
			continue;
		pass->alone_lines[i] = pass->line_count;
		pass->line_count += lines_of(cost_smaller(end, 1e18), model->line_bytes);
	}
}

struct by_place {
	double from;
	bool alone;
	uint32_t field;
};

static int compare_places(const void *left, const void *right)
{
	const struct by_place *a = left, *b = right;
	if (a->alone != b->alone)
		return a->alone ? 1 : -1;
	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return a->field < b->field ? -1 : a->field > b->field;
}

static void fields_order(struct pass *pass)
{
	size_t count = pass->model->field_count;
	struct by_place *sorted = mem_new(count, sizeof(*sorted));
	for (uint32_t i = 0; i < count; i++)
		sorted[i] =
			(struct by_place){cost_from(pass, i, 0), pass->model->fields[i].alone, i};
	if (count)
		qsort(sorted, count, sizeof(*sorted), compare_places);
	for (size_t i = 0; i < count; i++) {
		pass->ordered[i] = sorted[i].field;
		pass->inside_count += !sorted[i].alone;
	}
	mem_free(sorted);
}

/* A role's accesses by field. */
static void script_init(struct script *script, const struct cost_model *model, size_t index)
{
	const struct cost_role *role = &model->roles[index];
	script->first = mem_new(model->field_count + 2, sizeof(*script->first));
	script->order = mem_new(role->access_count, sizeof(*script->order));
	script->fades = mem_new(role->access_count, sizeof(*script->fades));
	for (size_t i = 0; i < role->access_count; i++) {
		const struct cost_field *field = &model->fields[role->accesses[i].field];
		script->first[role->accesses[i].field + 2]++;
		script->by_thread |= field->place == COST_THREAD && field->element_bytes;
	}
	for (size_t i = 2; i < model->field_count + 2; i++)
		script->first[i] += script->first[i - 1];
	for (uint32_t i = 0; i < role->access_count; i++)
		script->order[script->first[role->accesses[i].field + 1]++] = i;
}

void cost_pass_init(struct pass *pass, const struct cost_model *model)
{
	size_t agents = 0, accesses = 0;
	*pass = (struct pass){.model = model, .object_lines = object_lines(model)};
	pass->alone_lines = mem_new(model->field_count, sizeof(*pass->alone_lines));
	pass->ordered = mem_new(model->field_count, sizeof(*pass->ordered));
	lines_give(pass);
	fields_order(pass);
	if (model->instance == INSTANCE_ARRAY) {
		uint64_t stride = model->stride_bytes > model->size_bytes ? model->stride_bytes
									  : model->size_bytes;
		pass->stride_bytes =
			cost_smaller(stride, (double)COST_LINES_MAX * model->line_bytes);
	}
	pass->scripts = mem_new(model->role_count, sizeof(*pass->scripts));
	for (size_t i = 0; i < model->role_count; i++) {
		assert(model->roles[i].threads > 0);
		script_init(&pass->scripts[i], model, i);
		agents += pass->scripts[i].by_thread
				  ? cost_smaller(model->roles[i].threads, CLASSES_MAX)
				  : 1;
		accesses = cost_larger(accesses, model->roles[i].access_count);
	}
	pass->places = mem_new(model->field_count, sizeof(*pass->places));
	pass->shares = mem_new(model->field_count, sizeof(*pass->shares));
	pass->hits = mem_new(accesses, sizeof(*pass->hits));
	pass->contended = mem_new(model->lock_count, sizeof(*pass->contended));
	pass->agents = mem_new(agents, sizeof(*pass->agents));
	pass->starts = mem_new(model->start_count, sizeof(*pass->starts));
}

void cost_pass_release(struct pass *pass)
{
	for (size_t i = 0; i < pass->model->role_count; i++) {
		mem_free(pass->scripts[i].first);
		mem_free(pass->scripts[i].order);
		mem_free(pass->scripts[i].fades);
	}
	mem_free(pass->scripts);
	mem_free(pass->alone_lines);
	mem_free(pass->ordered);
	mem_free(pass->places);
	mem_free(pass->shares);
	mem_free(pass->hits);
	mem_free(pass->contended);
	mem_free(pass->agents);
	mem_free(pass->starts);
	mem_free(pass->role_lines);
}

/* ---- results ---- */

static void result_keep(struct cost_result *result, const struct pass *pass, size_t workload)
{
	const struct cost_model *model = pass->model;
	size_t count = model->role_count * pass->line_count;
	result->total = pass->total;
	result->workload = workload;
	memcpy(result->starts, pass->starts, model->start_count * sizeof(*result->starts));
	memcpy(result->role_lines, pass->role_lines, count * sizeof(*result->role_lines));
	memset(result->lines, 0, pass->line_count * sizeof(*result->lines));
	for (size_t i = 0; i < pass->workload->role_count; i++) {
		uint32_t index = pass->workload->roles[i];
		const struct cost_role *role = &model->roles[index];
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
	cost_pass_init(&pass, model);
	size_t role_lines = model->role_count * pass.line_count;
	pass.role_lines = mem_new(role_lines, sizeof(*pass.role_lines));
	result.line_count = pass.line_count;
	result.lines = arena_new(arena, pass.line_count, sizeof(*result.lines));
	result.roles = arena_new(arena, model->role_count, sizeof(*result.roles));
	result.role_lines = arena_new(arena, role_lines, sizeof(*result.role_lines));
	result.starts = arena_new(arena, model->start_count, sizeof(*result.starts));
	for (size_t i = 0; i < model->workload_count && model->instance != INSTANCE_PER_THREAD;
		i++) {
		workload_run(&pass, &model->workloads[i]);
		if (pass.operations > 0 && (i == 0 || pass.total > result.total))
			result_keep(&result, &pass, i);
		roles_keep(&result, &pass);
	}
	cost_pass_release(&pass);
	return result;
}

double cost_total(struct arena *arena, const struct cost_model *model)
{
	(void)arena;
	struct pass pass;
	double worst = 0;
	cost_pass_init(&pass, model);
	for (size_t i = 0; i < model->workload_count && model->instance != INSTANCE_PER_THREAD;
		i++) {
		workload_run(&pass, &model->workloads[i]);
		worst = cost_larger(worst, pass.total);
	}
	cost_pass_release(&pass);
	return worst;
}

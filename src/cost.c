#include "cost.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum {
	CLASSES_MAX = 1024, /* of threads that each have an element of their own */
	EDGES_MAX =
		16, /* elements of an array that lie partly on one line; of sane ones there are two */
	DRAWS_MAX = 64, /* of elements that differ on a line */
};

/* What one operation does to one line, as expected values. */
struct turns {
	double all;   /* turns begun: u */
	double fetch; /* reads that begin one */
	double own;   /* writes that begin one, and first writes after reads */
	double polls; /* by waiters, of the locks it takes */
};

/* Threads of a role that touch every line alike. */
struct agent {
	uint32_t role;
	double threads;
	uint64_t element; /* of COST_THREAD fields */
	struct turns turns;
};

/* What does not depend on where things lie. */
struct script {
	size_t *first;   /* [field]: index into `order` of its first access; one more at the end */
	uint32_t *order; /* accesses, field by field, ascending */
	bool by_thread;  /* accesses a COST_THREAD field */
	bool waits;      /* takes a contended lock */
	double breaks;   /* b, the chance that another thread comes between two accesses */
	double *fades; /* [access]: log of the chance that a turn lasts over all accesses before it that are elsewhere */
};

/* A field that is somewhere on the line at hand. */
struct place {
	uint32_t field;
	double from; /* of its first element */
	double share;
};

struct pass {
	const struct cost_model *model;
	const struct cost_workload *workload;
	size_t object_lines; /* of the longest placement */
	size_t line_count;
	uint64_t stride_bytes; /* to the neighbours; 0: there are none */
	uint64_t *alone_lines; /* [field]: where it lies when alone */
	uint32_t *
		ordered; /* fields that lie in the object, by offset; then those that lie alone, by line */
	size_t inside_count;
	struct script *scripts; /* [role] */
	double *contended;      /* [lock] */
	struct agent *agents;   /* those of a role follow each other */
	size_t agent_count;
	double operations; /* of the workload's roles: what their costs are weighted with, in sum */

	/* the line at hand */
	struct place *places;
	size_t place_count;
	double *shares; /* [field]: of its accesses on the line at hand; 0 elsewhere */
	uint32_t *hits; /* accesses of the role at hand on the line, ascending */
	size_t hit_count;

	double total; /* the results */
	double *starts;
	double *role_lines; /* NULL: nobody asked */
};

/* One object, the one at hand or a neighbour, on one line. */
struct spot {
	int64_t start; /* of the object, from the first line of the one at hand */
	size_t line;
};

static bool is_write(enum access_kind kind)
{
	return kind == ACCESS_WRITE || kind == ACCESS_RMW;
}

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

static double larger(double a, double b)
{
	return a > b ? a : b;
}

static uint64_t lines_of(uint64_t bytes, uint64_t line_bytes)
{
	return smaller(COST_LINES_MAX, bytes / line_bytes + (bytes % line_bytes != 0));
}

/* ---- where fields lie ---- */

/* The part of [from, from + bytes) that lies on the line at line_off. */
static double share_on(double from, double bytes, double line_off, double line_bytes)
{
	double first = larger(from, line_off);
	double end = smaller(from + bytes, line_off + line_bytes);
	return end > first ? (end - first) / bytes : 0;
}

static uint64_t part_bytes(const struct cost_field *field)
{
	return field->part_bytes ? field->part_bytes : field->element_bytes;
}

static uint64_t element_count(const struct cost_field *field)
{
	uint64_t part = part_bytes(field);
	return field->size_bytes > part ? (field->size_bytes - part) / field->element_bytes + 1 : 1;
}

static bool has_elements(const struct cost_field *field)
{
	return field->place != COST_BYTES && field->element_bytes;
}

/* Of all elements, on average. */
static double spread_share(
	const struct cost_field *field, double from, double line_off, double line_bytes)
{
	uint64_t apart = field->element_bytes, part = part_bytes(field),
		 count = element_count(field);
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

static double from_of(const struct pass *pass, uint32_t index, int64_t start)
{
	const struct cost_field *field = &pass->model->fields[index];
	double lines_off = (double)pass->alone_lines[index] * pass->model->line_bytes;
	if (field->alone)
		return lines_off + (field->group ? (double)field->off_bytes : 0);
	return start + (double)field->off_bytes;
}

/* Adds a field to the line at hand, if it is there; of a COST_THREAD field it may be, with some element. */
static void place_add(struct pass *pass, uint32_t index, const struct spot *spot)
{
	const struct cost_field *field = &pass->model->fields[index];
	double line_bytes = pass->model->line_bytes, line_off = spot->line * line_bytes;
	double from = from_of(pass, index, spot->start);
	if (from >= line_off + line_bytes || from + (double)field->size_bytes <= line_off)
		return;
	struct place *place = &pass->places[pass->place_count++];
	*place = (struct place){.field = index, .from = from};
	if (!has_elements(field))
		place->share = share_on(from, field->size_bytes, line_off, line_bytes);
	else if (field->place == COST_SPREAD)
		place->share = spread_share(field, from, line_off, line_bytes);
	pass->shares[index] = place->share;
}

static void places_clear(struct pass *pass)
{
	for (size_t i = 0; i < pass->place_count; i++)
		pass->shares[pass->places[i].field] = 0;
	pass->place_count = 0;
}

/* ---- what an operation does to the line at hand ---- */

static int compare_index(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;
	return *a < *b ? -1 : *a > *b;
}

static void hits_find(struct pass *pass, uint32_t role)
{
	const struct script *script = &pass->scripts[role];
	bool sorted = true;
	pass->hit_count = 0;
	for (size_t i = 0; i < pass->place_count; i++) {
		uint32_t field = pass->places[i].field;
		for (size_t k = script->first[field]; k < script->first[field + 1]; k++) {
			size_t n = pass->hit_count++;
			pass->hits[n] = script->order[k];
			sorted &= n == 0 || pass->hits[n - 1] < pass->hits[n];
		}
	}
	if (!sorted)
		qsort(pass->hits, pass->hit_count, sizeof(*pass->hits), compare_index);
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
		if (taken->acquires == COST_NO_LOCK || !(pass->contended[taken->acquires] > 0) ||
			!(pass->shares[taken->field] > 0))
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

/*
 * `here` is the chance that the role was on the line in this operation and nobody came since, `clean` that
 * the turn has moreover not written. For accesses that happen independently of each other both are exact.
 */
static struct turns turns_walk(const struct pass *pass, uint32_t index)
{
	const struct cost_role *role = &pass->model->roles[index];
	const struct script *script = &pass->scripts[index];
	struct turns turns = {0, 0, 0, 0};
	double here = 0, clean = 0;
	size_t next = 0;
	for (size_t i = 0; i < pass->hit_count; i++) {
		size_t at = pass->hits[i];
		const struct cost_access *access = &role->accesses[at];
		if (here > 0 && at > next) {
			double lasts = exp(script->fades[at] - script->fades[next]);
			here *= lasts;
			clean *= lasts;
		}
		double quiet = access->held ? 1 : 1 - script->breaks;
		double on = access->weight * pass->shares[access->field];
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
		next = at + 1;
	}
	turns.polls = script->waits ? polling(pass, role) : 0;
	return turns;
}

/* ---- draws of elements ---- */

/* Elements of an array that look alike to the line at hand, and the share of them. */
struct draw {
	double chance;
	double *shares; /* [field of the array] */
};

/* An array of which the role at hand accesses elements more than once on the line at hand. */
struct drawn {
	uint32_t array;
	size_t *places; /* its fields, as indices into the pass' places */
	size_t place_count;
	struct draw draws[EDGES_MAX + 2];
	size_t draw_count; /* 0: there are too many; each access draws its own */
};

/* Elements [first, end). */
struct range {
	double first, end;
};

/* Those of a field that reach the line, and those that lie on it entirely. */
static void ranges_of(const struct pass *pass, const struct place *place, double line_off,
	struct range *reach, struct range *whole)
{
	const struct cost_field *field = &pass->model->fields[place->field];
	double apart = field->element_bytes, part = part_bytes(field), count = element_count(field);
	double line_end = line_off + pass->model->line_bytes;
	*reach = (struct range){floor((line_off - place->from - part) / apart) + 1,
		ceil((line_end - place->from) / apart)};
	*whole = (struct range){ceil((line_off - place->from) / apart),
		floor((line_end - place->from - part) / apart) + 1};
	reach->first = larger(reach->first, 0);
	whole->first = larger(whole->first, 0);
	reach->end = smaller(reach->end, count);
	whole->end = smaller(whole->end, count);
}

static void draw_add(struct drawn *drawn, double chance, const double *shares)
{
	size_t bytes = drawn->place_count * sizeof(*shares);
	if (!(chance > 0))
		return;
	for (size_t i = 0; i < drawn->draw_count; i++) {
		if (memcmp(drawn->draws[i].shares, shares, bytes) == 0) {
			drawn->draws[i].chance += chance;
			return;
		}
	}
	struct draw *draw = &drawn->draws[drawn->draw_count++];
	draw->chance = chance;
	draw->shares = mem_new(drawn->place_count, sizeof(*shares));
	memcpy(draw->shares, shares, bytes);
}

/* All elements: those that reach the line partly one by one, those wholly on it, and the rest. */
static void draws_find(const struct pass *pass, struct drawn *drawn, size_t line)
{
	double line_bytes = pass->model->line_bytes, line_off = line * line_bytes, count = 1;
	struct range reach = {HUGE_VAL, 0}, whole = {0, HUGE_VAL};
	for (size_t i = 0; i < drawn->place_count; i++) {
		const struct place *place = &pass->places[drawn->places[i]];
		struct range one_reach, one_whole;
		ranges_of(pass, place, line_off, &one_reach, &one_whole);
		count = larger(count, element_count(&pass->model->fields[place->field]));
		reach.first = smaller(reach.first, one_reach.first);
		reach.end = larger(reach.end, one_reach.end);
		whole.first = larger(whole.first, one_whole.first);
		whole.end = smaller(whole.end, one_whole.end);
	}
	if (!(whole.first < whole.end))
		whole.first = whole.end = reach.end;
	reach.end = larger(reach.end, reach.first);
	if (reach.end - reach.first - (whole.end - whole.first) > EDGES_MAX)
		return;
	double *shares = mem_new(drawn->place_count, sizeof(*shares));
	draw_add(drawn, (count - (reach.end - reach.first)) / count, shares);
	for (double k = reach.first; k < reach.end;) {
		double alike =
			k == whole.first && whole.end > whole.first ? whole.end - whole.first : 1;
		for (size_t i = 0; i < drawn->place_count; i++) {
			const struct place *place = &pass->places[drawn->places[i]];
			const struct cost_field *field = &pass->model->fields[place->field];
			shares[i] = share_on(place->from + k * field->element_bytes,
				part_bytes(field), line_off, line_bytes);
		}
		draw_add(drawn, alike / count, shares);
		k += alike;
	}
	mem_free(shares);
}

static void draws_drop(struct drawn *drawn)
{
	for (size_t i = 0; i < drawn->draw_count; i++)
		mem_free(drawn->draws[i].shares);
	drawn->draw_count = 0;
}

/* Accesses of the role at hand to an array on the line at hand. */
static size_t hits_of(const struct pass *pass, uint32_t role, uint32_t array)
{
	size_t hits = 0;
	for (size_t i = 0; i < pass->hit_count; i++) {
		uint32_t field = pass->model->roles[role].accesses[pass->hits[i]].field;
		hits += pass->model->fields[field].place == COST_SPREAD &&
			pass->model->fields[field].array == array;
	}
	return hits;
}

/* The arrays of which it matters that one operation draws one element; returns how many there are. */
static size_t drawn_find(const struct pass *pass, uint32_t role, size_t line, struct drawn **ret)
{
	struct drawn *drawn = NULL;
	size_t count = 0, capacity = 0, draws = 1;
	for (size_t i = 0; i < pass->place_count; i++) {
		const struct cost_field *field = &pass->model->fields[pass->places[i].field];
		bool known = false;
		for (size_t k = 0; k < count; k++)
			known |= drawn[k].array == field->array;
		if (!has_elements(field) || field->place != COST_SPREAD || !field->array || known ||
			hits_of(pass, role, field->array) < 2)
			continue;
		drawn = mem_grow(drawn, &capacity, count + 1, sizeof(*drawn));
		struct drawn *array = &drawn[count++];
		*array = (struct drawn){.array = field->array,
			.places = mem_new(pass->place_count, sizeof(*array->places))};
		for (size_t k = i; k < pass->place_count; k++) {
			const struct cost_field *other =
				&pass->model->fields[pass->places[k].field];
			if (has_elements(other) && other->place == COST_SPREAD &&
				other->array == field->array)
				array->places[array->place_count++] = k;
		}
		draws_find(pass, array, line);
		if (draws * array->draw_count > DRAWS_MAX)
			draws_drop(array);
		draws *= array->draw_count ? array->draw_count : 1;
	}
	*ret = drawn;
	return count;
}

/* Draws one element of each array: number `which` of all the ways to do so. Returns its chance. */
static double draw_elements(
	struct pass *pass, const struct drawn *drawn, size_t count, size_t which)
{
	double chance = 1;
	for (size_t i = 0; i < count; i++) {
		if (!drawn[i].draw_count)
			continue;
		const struct draw *draw = &drawn[i].draws[which % drawn[i].draw_count];
		which /= drawn[i].draw_count;
		chance *= draw->chance;
		for (size_t k = 0; k < drawn[i].place_count; k++)
			pass->shares[pass->places[drawn[i].places[k]].field] = draw->shares[k];
	}
	return chance;
}

/* Of an operation of the role at hand, the average over the draws. */
static struct turns turns_average(
	struct pass *pass, uint32_t role, const struct drawn *drawn, size_t drawn_count)
{
	struct turns sum = {0, 0, 0, 0};
	size_t ways = 1;
	for (size_t i = 0; i < drawn_count; i++)
		ways *= drawn[i].draw_count ? drawn[i].draw_count : 1;
	for (size_t i = 0; i < ways; i++) {
		double chance = draw_elements(pass, drawn, drawn_count, i);
		struct turns turns = turns_walk(pass, role);
		sum.all += chance * turns.all;
		sum.fetch += chance * turns.fetch;
		sum.own += chance * turns.own;
		sum.polls += chance * turns.polls;
	}
	for (size_t i = 0; i < pass->place_count; i++)
		pass->shares[pass->places[i].field] = pass->places[i].share;
	return sum;
}

/* Sets the shares of COST_THREAD fields for an agent; did any change? */
static bool elements_own(struct pass *pass, const struct agent *agent, size_t line)
{
	double line_bytes = pass->model->line_bytes;
	bool changed = false;
	for (size_t i = 0; i < pass->place_count; i++) {
		struct place *place = &pass->places[i];
		const struct cost_field *field = &pass->model->fields[place->field];
		if (!has_elements(field) || field->place != COST_THREAD)
			continue;
		double from = place->from + (double)(agent->element % element_count(field)) *
						    field->element_bytes;
		double share = share_on(from, part_bytes(field), line * line_bytes, line_bytes);
		changed |= share != place->share;
		place->share = pass->shares[place->field] = share;
	}
	return changed;
}

/* Every agent's turns on the line at hand, for one object; does any touch it? */
static bool agents_walk(struct pass *pass, size_t line)
{
	bool touched = false;
	for (size_t i = 0; i < pass->agent_count;) {
		uint32_t role = pass->agents[i].role;
		struct drawn *drawn = NULL;
		size_t first = i, drawn_count = 0;
		hits_find(pass, role);
		if (pass->hit_count > 1)
			drawn_count = drawn_find(pass, role, line, &drawn);
		for (; i < pass->agent_count && pass->agents[i].role == role; i++) {
			struct agent *agent = &pass->agents[i];
			bool changed = pass->hit_count && pass->scripts[role].by_thread &&
				       elements_own(pass, agent, line);
			if (!pass->hit_count)
				agent->turns = (struct turns){0, 0, 0, 0};
			else if (i > first && !changed)
				agent->turns = agent[-1].turns;
			else
				agent->turns = turns_average(pass, role, drawn, drawn_count);
			touched |= agent->turns.all > 0;
		}
		for (size_t k = 0; k < drawn_count; k++) {
			draws_drop(&drawn[k]);
			mem_free(drawn[k].places);
		}
		mem_free(drawn);
	}
	return touched;
}

/* ---- prices ---- */

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

static void neighbour_add(
	struct pass *pass, int64_t start, size_t line, double *writes, double *turns)
{
	const struct spot spot = {start, line};
	for (size_t i = 0; i < pass->inside_count; i++)
		place_add(pass, pass->ordered[i], &spot);
	if (pass->place_count && agents_walk(pass, line))
		pressure_add(pass, writes, turns);
	places_clear(pass);
}

static void neighbours_add(
	struct pass *pass, int64_t start, size_t line, double *writes, double *turns)
{
	int64_t stride = (int64_t)pass->stride_bytes;
	int64_t line_off = (int64_t)(line * pass->model->line_bytes);
	int64_t line_end = line_off + (int64_t)pass->model->line_bytes;
	for (int64_t at = start - stride; at + stride > line_off; at -= stride)
		neighbour_add(pass, at, line, writes, turns);
	for (int64_t at = start + stride; at < line_end; at += stride)
		neighbour_add(pass, at, line, writes, turns);
}

/* Prices the line at hand: `fields` lie there. In the placement `start`, or the same in all of them (lines of fields
 * that lie alone). */
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
		place_add(pass, fields[i], &spot);
	bool touched = agents_walk(pass, line);
	places_clear(pass);
	pressure_add(pass, &writes, &turns);
	for (size_t i = 0; touched && i < pass->agent_count; i++) {
		const struct agent *agent = &pass->agents[i];
		const struct cost_role *role = &model->roles[agent->role];
		/* One thread of these is the one that pays; the rest, and all the others, are whom it meets. */
		double cost = meets(agent->turns.fetch, writes - role->rate * agent->turns.own,
				      role->rate, agent->turns.all) +
			      meets(agent->turns.own, turns - role->rate * agent->turns.all,
				      role->rate, agent->turns.own) +
			      agent->turns.polls;
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
			line = (size_t)smaller(end,
				larger(line,
					floor(from_of(pass, fields[next], begin) / line_bytes)));
		if (line == end)
			break;
		while (next < field_count &&
			from_of(pass, fields[next], begin) < (line + 1) * line_bytes)
			there[count++] = fields[next++];
		price_line(pass, line, there, count, start);
		size_t left = 0;
		for (size_t i = 0; i < count; i++)
			if (from_of(pass, there[i], begin) +
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
	script->breaks = others > 0 ? smaller(0.5, role->interleave * others / gaps) : 0;
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
		unsigned classes =
			pass->scripts[index].by_thread ? smaller(role->threads, CLASSES_MAX) : 1;
		for (unsigned k = 0; role->access_count && k < classes; k++)
			pass->agents[pass->agent_count++] = (struct agent){
				.role = index,
				.threads = (double)role->threads / classes,
				.element = thread + k,
			};
		thread += role->threads;
	}
}

/* Prices one workload into pass->total, starts and role_lines. */
static void workload_run(struct pass *pass, const struct cost_workload *workload)
{
	const struct cost_model *model = pass->model;
	const uint32_t *alone = pass->ordered + pass->inside_count;
	pass->workload = workload;
	pass->operations = pass->total = 0;
	memset(pass->starts, 0, model->start_count * sizeof(*pass->starts));
	if (pass->role_lines)
		memset(pass->role_lines, 0,
			model->role_count * pass->line_count * sizeof(*pass->role_lines));
	for (size_t i = 0; i < workload->role_count; i++) {
		const struct cost_role *role = &model->roles[workload->roles[i]];
		pass->operations += role->access_count ? role->rate * role->threads : 0;
	}
	for (size_t i = 0; i < model->lock_count; i++)
		pass->contended[i] = takers(model, workload, i) > 1 ? model->locks[i].contended : 0;
	for (size_t i = 0; i < workload->role_count; i++)
		script_time(pass, workload->roles[i]);
	agents_make(pass);
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
	return lines_of(smaller(last_start + end, 1e18), model->line_bytes);
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
			end = larger(end, (double)other->off_bytes + (double)other->size_bytes);
		}
		if (known)
			continue;
		pass->alone_lines[i] = pass->line_count;
		pass->line_count += lines_of(smaller(end, 1e18), model->line_bytes);
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
		sorted[i] = (struct by_place){from_of(pass, i, 0), pass->model->fields[i].alone, i};
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

static void pass_init(struct pass *pass, const struct cost_model *model)
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
		pass->stride_bytes = smaller(stride, (double)COST_LINES_MAX * model->line_bytes);
	}
	pass->scripts = mem_new(model->role_count, sizeof(*pass->scripts));
	for (size_t i = 0; i < model->role_count; i++) {
		assert(model->roles[i].threads > 0);
		script_init(&pass->scripts[i], model, i);
		agents += pass->scripts[i].by_thread ? smaller(model->roles[i].threads, CLASSES_MAX)
						     : 1;
		accesses = larger(accesses, model->roles[i].access_count);
	}
	pass->places = mem_new(model->field_count, sizeof(*pass->places));
	pass->shares = mem_new(model->field_count, sizeof(*pass->shares));
	pass->hits = mem_new(accesses, sizeof(*pass->hits));
	pass->contended = mem_new(model->lock_count, sizeof(*pass->contended));
	pass->agents = mem_new(agents, sizeof(*pass->agents));
	pass->starts = mem_new(model->start_count, sizeof(*pass->starts));
}

static void pass_release(struct pass *pass)
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
	pass_init(&pass, model);
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
		workload_run(&pass, &model->workloads[i]);
		worst = larger(worst, pass.total);
	}
	pass_release(&pass);
	return worst;
}

#include <math.h>
#include <stdlib.h>

#include "cost/pass.h"

static bool is_write(enum access_kind kind)
{
	return kind == ACCESS_WRITE || kind == ACCESS_RMW;
}

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
				writes += cost_smaller(taken->weight, access->weight) *
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

/* Of an operation of the role at hand, the average over the draws. */
static struct turns turns_average(struct pass *pass, uint32_t role, const struct drawn *drawn,
	size_t drawn_count, size_t ways)
{
	struct turns sum = {0, 0, 0, 0};
	for (size_t i = 0; i < ways; i++) {
		double chance = cost_draw_elements(pass, drawn, drawn_count, i);
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
		if (!cost_has_elements(field) || field->place != COST_THREAD)
			continue;
		double from = place->from + (double)(agent->element % cost_element_count(field)) *
						    field->element_bytes;
		double share =
			cost_share_on(from, cost_part_bytes(field), line * line_bytes, line_bytes);
		changed |= share != place->share;
		place->share = pass->shares[place->field] = share;
	}
	return changed;
}

/* Every agent's turns on the line at hand, for one object; does any touch it? */
bool cost_agents_walk(struct pass *pass, size_t line)
{
	bool touched = false;
	for (size_t i = 0; i < pass->agent_count;) {
		uint32_t role = pass->agents[i].role;
		struct drawn *drawn = NULL;
		size_t first = i, drawn_count = 0, ways = 1;
		hits_find(pass, role);
		if (pass->hit_count > 1)
			drawn_count = cost_drawn_find(pass, role, line, &drawn, &ways);
		for (; i < pass->agent_count && pass->agents[i].role == role; i++) {
			struct agent *agent = &pass->agents[i];
			bool changed = pass->hit_count && pass->scripts[role].by_thread &&
				       elements_own(pass, agent, line);
			if (!pass->hit_count)
				agent->turns = (struct turns){0, 0, 0, 0};
			else if (i > first && !changed)
				agent->turns = agent[-1].turns;
			else
				agent->turns = turns_average(pass, role, drawn, drawn_count, ways);
			touched |= agent->turns.all > 0;
		}
		cost_drawn_free(drawn, drawn_count);
	}
	return touched;
}

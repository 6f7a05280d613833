#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lint/rules.h"

/* ---- pairs ---- */

static bool share_somewhere(const struct lint *lint, size_t a, size_t b)
{
	for (size_t i = 0; i < lint->start_count; i++)
		if (lint_spans_meet(lint_span(&lint->one, a, lint->starts[i]),
			    lint_span(&lint->one, b, lint->starts[i])))
			return true;
	return false;
}

/* They lie in different variables. */
static bool is_between(const struct lint *lint, size_t a, size_t b)
{
	return lint->input->variables && lint_top_of(lint, a) != lint_top_of(lint, b);
}

/*
 * Sets the fields that the pair's written one disturbs on its lines: all, and those in its variable or in other ones, as the
 * pair asks; and the roles that use the latter. Returns how many those are.
 */
static size_t find_others(const struct lint *lint, const struct lint_pair *pair, bool *all,
	bool *others, bool *roles)
{
	bool *any = mem_new(lint->map->role_count, sizeof(*any));
	size_t count = 0;
	for (size_t i = 0; i < lint->map->field_count; i++) {
		bool asked = is_between(lint, pair->written, i) == pair->between;
		if (i == pair->written || !share_somewhere(lint, pair->written, i) ||
			!lint_relates(lint, pair->relation, pair->workload, pair->written, i,
				asked ? roles : any))
			continue;
		all[i] = true;
		count += others[i] = asked;
	}
	mem_free(any);
	return count;
}

/*
 * What is written by the same operations on the same lines and not disturbed by that: while it
 * stays behind, moving the written field alone helps nobody. And the written field itself.
 */
static size_t find_companions(const struct lint *lint, const struct lint_pair *pair,
	bool *const all[2], bool *companions)
{
	size_t count = 0;
	for (size_t i = 0; i < lint->map->field_count; i++) {
		if (i == pair->written || all[LINT_READ][i] || all[pair->relation][i] ||
			!lint_written_together(lint, pair->workload, pair->written, i) ||
			!share_somewhere(lint, pair->written, i))
			continue;
		count += companions[i] = true;
	}
	companions[pair->written] = true;
	return count;
}

/* All of them would fit one line. */
static bool fit_a_line(const struct lint *lint, const bool *fields)
{
	uint64_t bytes = 0;
	for (size_t i = 0; i < lint->map->field_count; i++) {
		if (!fields[i])
			continue;
		if (lint->one.fields[i].place != COST_BYTES)
			return false;
		bytes += lint->one.fields[i].size_bytes;
		if (bytes > lint->one.line_bytes)
			return false;
	}
	return true;
}

/* Those that are no elements; are there more than one? */
static bool keep_plain(const struct lint *lint, const bool *fields, bool *plain)
{
	for (size_t i = 0; i < lint->map->field_count; i++)
		plain[i] = fields[i] && lint->one.fields[i].place == COST_BYTES;
	return lint_count(plain, lint->map->field_count) > 1;
}

/* The accessed fields of the array that the written one is or lies in; how many? */
static size_t find_array(const struct lint *lint, size_t written, bool *fields)
{
	const struct layout_member *array = lint_array_of(lint, written);
	size_t count = 0;
	for (size_t i = 0; array && i < lint->map->field_count; i++)
		count += fields[i] = lint_array_of(lint, i) == array;
	return lint_block_shift(&lint->one) ? count : 0;
}

struct by_use {
	const struct lint *lint;
	const struct lint_pair *pair;
	size_t field;
};

static double use_of(const struct by_use *one)
{
	double most = 0;
	for (size_t i = 0; i < one->lint->map->role_count; i++) {
		double use = one->pair->relation == LINT_READ
				     ? lint_reads(one->lint, one->field, i)
				     : lint_writes(one->lint, one->field, i);
		if (one->pair->roles[i] && use > most)
			most = use;
	}
	return most;
}

static int compare_use(const void *left, const void *right)
{
	const struct by_use *a = left, *b = right;
	double first = use_of(a), second = use_of(b);
	if (first != second)
		return first > second ? -1 : 1;
	uint64_t off_a = a->lint->one.fields[a->field].off_bytes,
		 off_b = b->lint->one.fields[b->field].off_bytes;
	if (off_a != off_b)
		return off_a < off_b ? -1 : 1;
	return a->field < b->field ? -1 : a->field > b->field;
}

static void keep_others(const struct lint *lint, struct lint_pair *pair, const bool *others)
{
	struct by_use *sorted = mem_new(pair->other_count, sizeof(*sorted));
	size_t *fields = arena_new(lint->arena, pair->other_count, sizeof(*fields));
	size_t count = 0;
	for (size_t i = 0; i < lint->map->field_count; i++)
		if (others[i])
			sorted[count++] = (struct by_use){lint, pair, i};
	qsort(sorted, count, sizeof(*sorted), compare_use);
	for (size_t i = 0; i < count; i++)
		fields[i] = sorted[i].field;
	pair->others = fields;
	mem_free(sorted);
}

static bool *new_fields(const struct lint *lint)
{
	return arena_new(lint->arena, lint->map->field_count, sizeof(bool));
}

static bool *new_roles(const struct lint *lint)
{
	return arena_new(lint->arena, lint->map->role_count, sizeof(bool));
}

static struct lint_pair price_move(const struct lint *lint, const struct lint_pair *pair,
	enum lint_move move, const bool *moved, const bool *blamed)
{
	struct lint_pair other = *pair;
	bool *rest = new_fields(lint);
	memcpy(rest, moved, lint->map->field_count * sizeof(*rest));
	rest[pair->written] = false;
	other.move = move;
	other.moved = moved;
	other.blamed = blamed;
	other.rest = moved[pair->written] && lint_count(rest, lint->map->field_count) ? rest : NULL;
	lint_price_pair(lint, &other);
	return other;
}

/* Saves clearly more, or makes a finding of what was none. */
static bool is_better(const struct lint_pair *pair, const struct lint_pair *than)
{
	if (lint_is_loud(pair) != lint_is_loud(than))
		return lint_is_loud(pair);
	return lint_is_loud(pair) && pair->avoidable > 1.1 * than->avoidable + LINT_WARNING_FROM;
}

/* Moving the whole array parts it from what lies outside; false when that is nothing. */
static bool price_array(const struct lint *lint, const struct lint_pair *pair, const bool *array,
	struct lint_pair *ret)
{
	struct lint_pair outside = *pair;
	bool *roles = new_roles(lint), *left = new_fields(lint);
	outside.other_count = 0;
	for (size_t i = 0; i < lint->map->field_count; i++) {
		left[i] = lint_pair_lists(pair, i) && !array[i];
		if (left[i])
			lint_relates(lint, pair->relation, pair->workload, pair->written, i, roles);
		outside.other_count += left[i];
	}
	if (!outside.other_count)
		return false;
	outside.roles = roles;
	keep_others(lint, &outside, left);
	*ret = price_move(lint, &outside, LINT_MOVE_ARRAY, array, array);
	return true;
}

/* What the written field disturbs goes, instead of it. */
static void price_others(const struct lint *lint, struct lint_pair *pair, const bool *companions)
{
	bool *others = new_fields(lint);
	for (size_t i = 0; i < pair->other_count; i++)
		others[pair->others[i]] = true;
	if (!fit_a_line(lint, others))
		return;
	struct lint_pair away = price_move(lint, pair, LINT_MOVE_OTHERS, others, companions);
	if (is_better(&away, pair))
		*pair = away;
	else
		pair->either = lint_is_loud(&away) && away.avoidable >= 0.9 * pair->avoidable;
}

/*
 * One field alone is the rule, and of an array the whole of it. More has to be worth it, so the
 * writers must do enough of the operations.
 */
static void price_moves(const struct lint *lint, struct lint_pair *pair, bool *const all[2],
	double writers_share)
{
	bool *companions = new_fields(lint), *plain = new_fields(lint), *array = new_fields(lint);
	struct lint_pair other;
	size_t count = find_companions(lint, pair, all, companions);
	size_t in_array = find_array(lint, pair->written, array);
	*pair = price_move(lint, pair, LINT_MOVE_FIELD, pair->moved, pair->blamed);
	if (in_array && price_array(lint, pair, array, &other) &&
		(in_array == 1 || (other.severity <= pair->severity && !is_better(pair, &other))))
		*pair = other;
	if (count && !lint_is_loud(pair) && keep_plain(lint, companions, plain) &&
		plain[pair->written] && fit_a_line(lint, plain)) {
		other = price_move(lint, pair, LINT_MOVE_TOGETHER, plain, plain);
		if (lint_is_loud(&other) && writers_share >= LINT_ROLE_SHARE)
			*pair = other;
		else if (other.holds > pair->loose)
			pair->loose = other.holds;
	}
	if (in_array && writers_share >= LINT_ROLE_SHARE)
		price_others(lint, pair, companions);
}

/* Whole variables become members of one struct. */
static struct lint_pair price_apart(const struct lint *lint, const struct lint_pair *pair,
	enum lint_move move, const bool *fields, const bool *blamed)
{
	struct lint_pair other = *pair;
	other.apart = lint_apart(lint, fields);
	return price_move(lint, &other, move, other.apart.fields,
		move == LINT_MOVE_OTHERS ? blamed : other.apart.fields);
}

/* One variable alone is the rule. More has to be worth it, and to fit a line. */
static void price_variables(const struct lint *lint, struct lint_pair *pair,
	bool *const all[2], double writers_share)
{
	bool *companions = new_fields(lint), *away = new_fields(lint);
	size_t count = find_companions(lint, pair, all, companions);
	struct lint_pair other;
	*pair = price_apart(lint, pair,
		lint_top_of(lint, pair->written)->descendants ? LINT_MOVE_ARRAY : LINT_MOVE_FIELD,
		pair->moved, pair->blamed);
	if (writers_share < LINT_ROLE_SHARE)
		return;
	if (count && !lint_is_loud(pair)) {
		other = price_apart(lint, pair, LINT_MOVE_TOGETHER, companions, companions);
		if (lint_is_loud(&other) && other.apart.variables > 1 &&
			other.apart.size_bytes <= lint->one.line_bytes)
			*pair = other;
	}
	for (size_t i = 0; i < pair->other_count; i++)
		away[pair->others[i]] = true;
	other = price_apart(lint, pair, LINT_MOVE_OTHERS, away, companions);
	if (other.apart.size_bytes <= lint->one.line_bytes && is_better(&other, pair))
		*pair = other;
}

static void add_pair(struct lint *lint, const struct lint_pair *pair)
{
	lint->pairs = arena_grow(lint->arena, lint->pairs, &lint->pair_capacity,
		lint->pair_count + 1, sizeof(*lint->pairs));
	lint->pairs[lint->pair_count++] = *pair;
}

static bool is_worse(const struct lint_pair *a, const struct lint_pair *b)
{
	if (a->severity != b->severity)
		return a->severity < b->severity;
	return a->loose != b->loose ? a->loose > b->loose : a->gain > b->gain;
}

/*
 * Of both relations, in one workload, in the variable or between it and others; into worst[relation] when they are worse
 * than what is there.
 */
static void find_pairs_in(const struct lint *lint, size_t workload, size_t written, bool between,
	struct lint_pair worst[2])
{
	struct lint_pair pairs[2];
	bool *all[2], *others[2], *roles[2], *writers = new_roles(lint), *alone = new_fields(lint);
	double share = lint_writers(lint, workload, written, writers);
	if (!(share > 0))
		return;
	alone[written] = true;
	for (int i = LINT_READ; i <= LINT_WRITTEN; i++) {
		pairs[i] = (struct lint_pair){.relation = i,
			.workload = workload,
			.written = written,
			.writers = writers,
			.between = between,
			.moved = alone,
			.blamed = alone};
		all[i] = new_fields(lint);
		others[i] = new_fields(lint);
		pairs[i].roles = roles[i] = new_roles(lint);
		pairs[i].other_count =
			find_others(lint, &pairs[i], all[i], others[i], roles[i]);
	}
	for (int i = LINT_READ; i <= LINT_WRITTEN; i++) {
		bool *aside = new_fields(lint);
		if (!pairs[i].other_count)
			continue;
		for (size_t k = 0; k < lint->map->field_count; k++)
			aside[k] = (all[0][k] || all[1][k]) && !others[i][k];
		pairs[i].aside = lint_count(aside, lint->map->field_count) ? aside : NULL;
		keep_others(lint, &pairs[i], others[i]);
		(between ? price_variables : price_moves)(lint, &pairs[i], all, share);
		if (!worst[i].other_count || is_worse(&pairs[i], &worst[i]))
			worst[i] = pairs[i];
	}
}

static void find_pairs_of(struct lint *lint, size_t written)
{
	for (int between = 0; between <= (lint->input->variables != NULL); between++) {
		struct lint_pair worst[2] = {{.other_count = 0}, {.other_count = 0}};
		for (size_t i = 0; i < lint->one.workload_count; i++)
			find_pairs_in(lint, i, written, between, worst);
		for (int i = LINT_READ; i <= LINT_WRITTEN; i++)
			if (worst[i].other_count)
				add_pair(lint, &worst[i]);
	}
}

/* ---- findings ---- */

/*
 * Of LL002 both sides are written: what one finding says of the two is not said again from the
 * other side.
 */
static bool is_told(const struct lint *lint, const struct lint_pair *pair, const bool *told)
{
	for (size_t i = 0; i < pair->other_count; i++) {
		bool found = false;
		for (size_t k = 0; k < lint->pair_count && !found; k++) {
			const struct lint_pair *other = &lint->pairs[k];
			found = told[k] && other->severity <= pair->severity &&
				((other->written == pair->others[i] &&
					 lint_pair_lists(other, pair->written)) ||
					(other->written == pair->written &&
						lint_pair_lists(other, pair->others[i])));
		}
		if (!found)
			return false;
	}
	return true;
}

/* What the lines of the written field cost, and of what is moved along; averaged over the placements. */
static double lines_cost(const struct lint *lint, const struct lint_pair *pair)
{
	struct arena scratch;
	double sum = 0;
	arena_init(&scratch);
	for (size_t start = 0; start < lint->start_count; start++) {
		struct lint_trial trial = {.model = &lint->one,
			.interleave = 1,
			.start = start,
			.workload = pair->workload};
		struct cost_result result = lint_trial_run(&scratch, &trial);
		for (size_t line = 0; line < result.line_count; line++) {
			bool counts = false;
			for (size_t i = 0; i < lint->map->field_count && !counts; i++)
				counts = (i == pair->written ||
						 (pair->moved[i] &&
							 pair->move != LINT_MOVE_OTHERS)) &&
					 lint_spans_meet(
						 lint_span(&lint->one, i, lint->starts[start]),
						 (struct lint_span){line, line});
			sum += counts ? result.lines[line] : 0;
		}
	}
	arena_release(&scratch);
	return sum / (double)lint->start_count;
}

/* What is in one variable is a matter of its struct. The two relations are two findings of LL013. */
static struct finding *add_finding(struct lint *lint, const struct lint_pair *pair)
{
	const char *written = lint_field_name(lint, pair->written);
	bool is_read = pair->relation == LINT_READ;
	if (!pair->between)
		return lint_add(lint, is_read ? "LL001" : "LL002", pair->severity, written);
	return lint_add(lint, "LL013", pair->severity,
		is_read ? written : arena_printf(lint->arena, "%s, written", written));
}

static void tell(struct lint *lint, const struct lint_pair *pair, const bool *told)
{
	const char *written = lint_field_name(lint, pair->written);
	const char **fields = mem_new(pair->other_count + 1, sizeof(*fields));
	fields[0] = written;
	for (size_t i = 0; i < pair->other_count; i++)
		fields[i + 1] = lint_field_name(lint, pair->others[i]);
	struct finding *finding = add_finding(lint, pair);
	lint_set_fields(lint, finding, fields, pair->other_count + 1);
	finding->line = lint->one.fields[pair->written].off_bytes / lint->one.line_bytes;
	finding->message = lint_describe_pair(lint, pair);
	finding->advice = pair->between ? lint_advise_variables(lint, pair)
							   : lint_advise_pair(lint, pair, told);
	finding->cost = lines_cost(lint, pair);
	finding->avoidable = pair->avoidable;
	finding->placements = lint->start_count;
	finding->placements_hold = pair->severity == SEVERITY_INFO ? pair->shares : pair->holds;
	if (pair->severity != SEVERITY_INFO)
		lint_pair_interval(lint, pair, finding);
	lint_price(lint, pair->workload, finding, LINT_PLACES_HOLD);
	mem_free(fields);
}

struct ranked {
	const struct lint_pair *pair;
	size_t index;
};

/*
 * LL001 first; then what saves most, where that differs by more than rounding; then as the
 * profile has them.
 */
static int compare_ranked(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;
	if (a->pair->relation != b->pair->relation)
		return a->pair->relation < b->pair->relation ? -1 : 1;
	long first = (long)(a->pair->gain * 1000), second = (long)(b->pair->gain * 1000);
	if (first != second)
		return first > second ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/* The one line there is, and it may not become two: contention here is true sharing. */
static bool cannot_part(const struct lint *lint)
{
	const struct profile_constraints *constraints = &lint->profile->constraints;
	if (lint->layout->line_count > 1)
		return false;
	return constraints->pin_all ||
	       (constraints->max_size_bytes && constraints->max_size_bytes <= lint->one.line_bytes);
}

void lint_sharing(struct lint *lint)
{
	if (!lint->priced || lint->map->evidence == EVIDENCE_GROUP ||
		lint->map->model.instance == INSTANCE_PER_THREAD || cannot_part(lint))
		return;
	for (size_t i = 0; i < lint->map->field_count; i++)
		find_pairs_of(lint, i);
	struct ranked *ranked = mem_new(lint->pair_count, sizeof(*ranked));
	bool *told = mem_new(lint->pair_count, sizeof(*told));
	for (size_t i = 0; i < lint->pair_count; i++)
		ranked[i] = (struct ranked){&lint->pairs[i], i};
	if (lint->pair_count)
		qsort(ranked, lint->pair_count, sizeof(*ranked), compare_ranked);
	for (size_t i = 0; i < lint->pair_count; i++) {
		const struct lint_pair *pair = ranked[i].pair;
		told[ranked[i].index] =
			pair->severity != SEVERITY_NONE &&
			!(pair->relation == LINT_WRITTEN && is_told(lint, pair, told));
	}
	for (size_t i = 0; i < lint->pair_count; i++)
		if (told[ranked[i].index])
			tell(lint, ranked[i].pair, told);
	mem_free(ranked);
	mem_free(told);
}

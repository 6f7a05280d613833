#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lint/rules.h"

/* ---- prices of a pair ---- */

/* Under which the move is priced. */
struct terms {
	double interleave; /* factor */
	size_t start;      /* or LINT_ALL */
	bool aside;     /* with the others of the other relation out of the way, before and after */
	bool unwritten; /* as if nobody wrote what is moved */
	bool rest;      /* the companions move, and the written field stays behind */
	size_t workload; /* not the pair's own; LINT_ALL: the pair's own */
};

struct pair_price {
	struct lint_trial before, after;
	bool *aside, *alone; /* what they lay elsewhere */
};

static void price_init(struct pair_price *price, const struct lint *lint,
	const struct lint_pair *pair, const struct terms *terms)
{
	size_t count = lint->map->field_count;
	price->aside = mem_new(count, sizeof(*price->aside));
	price->alone = mem_new(count, sizeof(*price->alone));
	for (size_t i = 0; i < count; i++) {
		price->aside[i] = terms->aside && pair->aside[i] && !pair->moved[i];
		price->alone[i] = price->aside[i] || (!pair->joined && i == pair->written);
	}
	price->before = price->after = (struct lint_trial){
		.model = &lint->one,
		.alone = price->aside,
		.unwritten = terms->unwritten ? pair->moved : NULL,
		.interleave = terms->interleave,
		.start = terms->start,
		.workload = terms->workload == LINT_ALL ? pair->workload : terms->workload,
	};
	price->after.alone = price->alone;
	price->after.together = terms->rest ? pair->rest : pair->joined ? pair->moved : NULL;
}

static void price_release(struct pair_price *price)
{
	mem_free(price->aside);
	mem_free(price->alone);
}

static double saves(
	const struct lint *lint, const struct lint_pair *pair, const struct terms *terms)
{
	struct pair_price price;
	price_init(&price, lint, pair, terms);
	double saved = lint_trial_total(&price.before) - lint_trial_total(&price.after);
	price_release(&price);
	return saved;
}

/*
 * What moving saves and is owed to the written field and this relation: not what its companions
 * gain without it; not what others write beside the field (which it would gain by moving even if
 * nobody wrote it; a lock that waiting threads poll is moved for just that); and not what it gains
 * from fields of the other relation.
 */
static double gain_at(
	const struct lint *lint, const struct lint_pair *pair, double factor, size_t start)
{
	struct terms terms = {.interleave = factor, .start = start, .workload = LINT_ALL};
	double gain = saves(lint, pair, &terms);
	if (pair->joined && gain >= LINT_NOTHING) {
		terms.rest = true;
		double theirs = saves(lint, pair, &terms);
		gain -= theirs > 0 ? theirs : 0;
		terms.rest = false;
	}
	if (pair->relation == LINT_READ && gain >= LINT_NOTHING &&
		!lint_is_polled(lint, pair->written)) {
		terms.unwritten = true;
		double foreign = saves(lint, pair, &terms);
		gain -= foreign > 0 ? foreign : 0;
		terms.unwritten = false;
	}
	if (pair->aside && gain >= LINT_NOTHING) {
		terms.aside = true;
		double owed = saves(lint, pair, &terms);
		gain = owed < gain ? owed : gain;
	}
	return gain;
}

/* Some other workload would pay more for the move than this one gains. */
static bool harms_others(const struct lint *lint, const struct lint_pair *pair)
{
	for (size_t i = 0; i < lint->one.workload_count; i++) {
		struct terms terms = {.interleave = 1, .start = LINT_ALL, .workload = i};
		if (i != pair->workload && saves(lint, pair, &terms) < -pair->gain)
			return true;
	}
	return false;
}

static bool shares_at(const struct lint *lint, const struct lint_pair *pair, uint64_t start)
{
	struct lint_span span = lint_span(&lint->one, pair->written, start);
	for (size_t i = 0; i < pair->other_count; i++)
		if (lint_spans_meet(span, lint_span(&lint->one, pair->others[i], start)))
			return true;
	return false;
}

/* In how many placements the pair shares a line at a price; `gain` is the one over all of them. */
static size_t count_holds(
	const struct lint *lint, const struct lint_pair *pair, double factor, double gain)
{
	size_t holds = 0;
	if (lint->start_count == 1)
		return shares_at(lint, pair, lint->starts[0]) && gain >= LINT_WARNING_FROM;
	for (size_t i = 0; i < lint->start_count; i++)
		holds += shares_at(lint, pair, lint->starts[i]) &&
			 gain_at(lint, pair, factor, i) >= LINT_WARNING_FROM;
	return holds;
}

struct verdict {
	const struct lint *lint;
	const struct lint_pair *pair;
};

/* At least a warning, with every interleave multiplied by `factor`? */
static bool is_warning(const void *what, double factor)
{
	const struct verdict *verdict = what;
	const struct lint *lint = verdict->lint;
	double gain = gain_at(lint, verdict->pair, factor, LINT_ALL);
	return gain >= LINT_WARNING_FROM &&
	       2 * count_holds(lint, verdict->pair, factor, gain) >= lint->start_count;
}

static bool is_error(const struct lint *lint, const struct lint_pair *pair)
{
	struct arena scratch;
	struct verdict verdict = {lint, pair};
	bool grave = pair->gain >= LINT_ERROR_FROM;
	arena_init(&scratch);
	for (int aside = 0; grave && aside <= (pair->aside != NULL); aside++) {
		struct pair_price price;
		struct terms terms = {
			.interleave = 1, .start = LINT_ALL, .aside = aside, .workload = LINT_ALL};
		price_init(&price, lint, pair, &terms);
		struct cost_result before = lint_trial_run(&scratch, &price.before);
		struct cost_result after = lint_trial_run(&scratch, &price.after);
		grave = lint_is_grave(lint, pair->workload, &before, &after);
		price_release(&price);
	}
	arena_release(&scratch);
	return grave && is_warning(&verdict, 0.5) && is_warning(&verdict, 2);
}

/* A role that does enough of the operations uses the field at least once in two of them. */
static bool is_hot(const struct lint *lint, const struct lint_pair *pair, size_t field,
	const bool *roles, bool written)
{
	for (size_t i = 0; i < lint->map->role_count; i++) {
		double count = written ? lint_writes(lint, field, i) : lint_reads(lint, field, i);
		if (roles[i] && count >= LINT_HOT &&
			lint_role_share(lint, pair->workload, i) >= LINT_ROLE_SHARE)
			return true;
	}
	return false;
}

static bool both_hot(const struct lint *lint, const struct lint_pair *pair)
{
	if (!is_hot(lint, pair, pair->written, pair->writers, true))
		return false;
	for (size_t i = 0; i < pair->other_count; i++)
		if (is_hot(lint, pair, pair->others[i], pair->roles,
			    pair->relation == LINT_WRITTEN))
			return true;
	return false;
}

static enum severity judge(const struct lint *lint, const struct lint_pair *pair)
{
	if (pair->gain < LINT_NOTHING || harms_others(lint, pair))
		return SEVERITY_NONE;
	if (pair->gain >= LINT_WARNING_FROM && 2 * pair->holds >= lint->start_count)
		return is_error(lint, pair) ? SEVERITY_ERROR : SEVERITY_WARNING;
	/* objects that may start elsewhere are told so once, by LL007 */
	return lint->start_count == 1 && both_hot(lint, pair) ? SEVERITY_INFO : SEVERITY_NONE;
}

/* ---- pairs ---- */

static bool share_somewhere(const struct lint *lint, size_t a, size_t b)
{
	for (size_t i = 0; i < lint->start_count; i++)
		if (lint_spans_meet(lint_span(&lint->one, a, lint->starts[i]),
			    lint_span(&lint->one, b, lint->starts[i])))
			return true;
	return false;
}

/* Sets the fields that the pair's written one disturbs on its lines, and the roles that use them. */
static size_t find_others(
	const struct lint *lint, const struct lint_pair *pair, bool *others, bool *roles)
{
	size_t count = 0;
	for (size_t i = 0; i < lint->map->field_count; i++)
		if (i != pair->written && share_somewhere(lint, pair->written, i) &&
			lint_relates(lint, pair->relation, pair->workload, pair->written, i, roles))
			count += others[i] = true;
	return count;
}

/*
 * What is written by the same operations on the same lines and not disturbed by that: while it
 * stays behind, moving the written field alone helps nobody. Only what fits a line together with
 * it.
 */
static const bool *find_companions(
	const struct lint *lint, const struct lint_pair *pair, bool *const others[2])
{
	uint64_t bytes = lint->one.fields[pair->written].size_bytes;
	bool *moved = arena_new(lint->arena, lint->map->field_count, sizeof(*moved));
	size_t count = 0;
	for (size_t i = 0; i < lint->map->field_count; i++) {
		if (i == pair->written || others[LINT_READ][i] || others[pair->relation][i] ||
			lint->one.fields[i].place != COST_BYTES ||
			!lint_written_together(lint, pair->workload, pair->written, i) ||
			!share_somewhere(lint, pair->written, i))
			continue;
		bytes += lint->one.fields[i].size_bytes;
		count += moved[i] = true;
	}
	moved[pair->written] = true;
	return count && bytes <= lint->one.line_bytes &&
			       lint->one.fields[pair->written].place == COST_BYTES
		       ? moved
		       : NULL;
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

static void price_pair(const struct lint *lint, struct lint_pair *pair)
{
	struct terms terms = {.interleave = 1, .start = LINT_ALL, .workload = LINT_ALL};
	double avoidable = saves(lint, pair, &terms);
	pair->avoidable = avoidable > 0 ? avoidable : 0;
	pair->gain = gain_at(lint, pair, 1, LINT_ALL);
	pair->shares = pair->holds = 0;
	for (size_t i = 0; i < lint->start_count; i++)
		pair->shares += shares_at(lint, pair, lint->starts[i]);
	pair->holds = pair->loose = count_holds(lint, pair, 1, pair->gain);
	pair->severity = judge(lint, pair);
}

/*
 * Moves its companions along when that is what it takes. One field alone is the rule: more has to
 * be worth it, so the writers must do enough of the operations.
 */
static void price_together(const struct lint *lint, struct lint_pair *pair, const bool *companions,
	double writers_share)
{
	struct lint_pair with = *pair;
	if (!companions || pair->severity <= SEVERITY_WARNING)
		return;
	bool *rest = arena_copy(lint->arena, companions, lint->map->field_count, sizeof(*rest));
	rest[pair->written] = false;
	with.moved = companions;
	with.rest = rest;
	with.joined = true;
	price_pair(lint, &with);
	if (with.severity <= SEVERITY_WARNING && writers_share >= LINT_ROLE_SHARE)
		*pair = with;
	else if (with.holds > pair->loose)
		pair->loose = with.holds;
}

static void add_pair(struct lint *lint, const struct lint_pair *pair)
{
	lint->pairs = arena_grow(lint->arena, lint->pairs, &lint->pair_capacity,
		lint->pair_count + 1, sizeof(*lint->pairs));
	lint->pairs[lint->pair_count++] = *pair;
}

static bool *new_fields(const struct lint *lint)
{
	return arena_new(lint->arena, lint->map->field_count, sizeof(bool));
}

static bool *new_roles(const struct lint *lint)
{
	return arena_new(lint->arena, lint->map->role_count, sizeof(bool));
}

static bool is_worse(const struct lint_pair *a, const struct lint_pair *b)
{
	if (a->severity != b->severity)
		return a->severity < b->severity;
	return a->loose != b->loose ? a->loose > b->loose : a->gain > b->gain;
}

/* Of both relations, in one workload; into worst[relation] when they are worse than what is there. */
static void find_pairs_in(
	const struct lint *lint, size_t workload, size_t written, struct lint_pair worst[2])
{
	struct lint_pair pairs[2];
	bool *others[2], *roles[2], *writers = new_roles(lint), *alone = new_fields(lint);
	double share = lint_writers(lint, workload, written, writers);
	if (!(share > 0))
		return;
	alone[written] = true;
	for (int i = LINT_READ; i <= LINT_WRITTEN; i++) {
		pairs[i] = (struct lint_pair){.relation = i,
			.workload = workload,
			.written = written,
			.writers = writers,
			.moved = alone};
		others[i] = new_fields(lint);
		pairs[i].roles = roles[i] = new_roles(lint);
		pairs[i].other_count = find_others(lint, &pairs[i], others[i], roles[i]);
	}
	for (int i = LINT_READ; i <= LINT_WRITTEN; i++) {
		bool *aside = new_fields(lint);
		if (!pairs[i].other_count)
			continue;
		for (size_t k = 0; k < lint->map->field_count; k++)
			aside[k] = others[!i][k] && !others[i][k];
		pairs[i].aside = lint_count(aside, lint->map->field_count) ? aside : NULL;
		keep_others(lint, &pairs[i], others[i]);
		price_pair(lint, &pairs[i]);
		price_together(lint, &pairs[i], find_companions(lint, &pairs[i], others), share);
		if (!worst[i].other_count || is_worse(&pairs[i], &worst[i]))
			worst[i] = pairs[i];
	}
}

static void find_pairs_of(struct lint *lint, size_t written)
{
	struct lint_pair worst[2] = {{.other_count = 0}, {.other_count = 0}};
	for (size_t i = 0; i < lint->one.workload_count; i++)
		find_pairs_in(lint, i, written, worst);
	for (int i = LINT_READ; i <= LINT_WRITTEN; i++)
		if (worst[i].other_count)
			add_pair(lint, &worst[i]);
}

/* ---- findings ---- */

static const char *name_of(const struct lint *lint, size_t field)
{
	return lint->map->fields[field].member->path;
}

static bool lists(const struct lint_pair *pair, size_t field)
{
	for (size_t i = 0; i < pair->other_count; i++)
		if (pair->others[i] == field)
			return true;
	return false;
}

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
					 lists(other, pair->written)) ||
					(other->written == pair->written &&
						lists(other, pair->others[i])));
		}
		if (!found)
			return false;
	}
	return true;
}

/* Names of what is moved, the written field first. */
static const char *moved_names(
	const struct lint *lint, const struct lint_pair *pair, bool with_written)
{
	const char **names = mem_new(lint->map->field_count, sizeof(*names));
	size_t count = 0;
	if (with_written)
		names[count++] = name_of(lint, pair->written);
	for (size_t i = 0; i < lint->map->field_count; i++)
		if (pair->moved[i] && i != pair->written)
			names[count++] = name_of(lint, i);
	const char *list = lint_list(lint->arena, names, count, 3);
	mem_free(names);
	return list;
}

/* Nobody knows what an access of unknown kind does. */
static bool some_unknown(const struct lint *lint, const struct lint_pair *pair)
{
	for (size_t i = 0; i < pair->other_count; i++) {
		double known = 0;
		for (size_t k = 0; k < lint->map->role_count; k++)
			known += pair->roles[k]
					 ? lint->map->fields[pair->others[i]].counts[k][ACCESS_READ]
					 : 0;
		if (!(known > 0))
			return true;
	}
	return false;
}

/* "that it reads" */
static const char *used_by(const struct lint *lint, const struct lint_pair *pair)
{
	size_t roles = lint->map->role_count;
	bool same = memcmp(pair->roles, pair->writers, roles * sizeof(bool)) == 0;
	if (pair->relation == LINT_WRITTEN)
		return arena_printf(lint->arena, ", written by %s", lint_roles(lint, pair->roles));
	bool they = lint_is_plural(lint, pair->roles);
	return arena_printf(lint->arena, " that %s %s%s",
		same ? they ? "they" : "it" : lint_roles(lint, pair->roles),
		some_unknown(lint, pair) ? "access" : "read",
		they                       ? ""
		: some_unknown(lint, pair) ? "es"
					   : "s");
}

static const char *describe(
	const struct lint *lint, const struct lint_pair *pair, const char *others)
{
	struct arena *arena = lint->arena;
	uint64_t off_bytes = lint->one.fields[pair->written].off_bytes;
	bool line_known = lint->start_count == 1 && lint->starts[0] == 0;
	const char *where =
		line_known ? arena_printf(arena, "line %llu",
				     (unsigned long long)(off_bytes / lint->one.line_bytes))
			   : arena_printf(arena, "offset %llu", (unsigned long long)off_bytes);
	const char *often = lint->start_count == 1
				    ? ""
				    : arena_printf(arena, " in %zu of %zu placements", pair->shares,
					      lint->start_count);
	const char *with = pair->joined ? arena_printf(arena, " together with %s",
						  moved_names(lint, pair, false))
					: "";
	return arena_printf(arena, "%s: %s, written by %s%s, shares a line%s with %s%s", where,
		name_of(lint, pair->written), lint_roles(lint, pair->writers), with, often, others,
		used_by(lint, pair));
}

static const char *advise(const struct lint *lint, const struct lint_pair *pair)
{
	bool they = lint_is_plural(lint, pair->roles);
	return arena_printf(lint->arena, "move %s to a line that %s %s not %s",
		moved_names(lint, pair, true), lint_roles(lint, pair->roles), they ? "do" : "does",
		pair->relation == LINT_READ ? "read" : "write");
}

/* What the lines of the moved fields cost, averaged over the placements. */
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
				counts = pair->moved[i] &&
					 lint_spans_meet(
						 lint_span(&lint->one, i, lint->starts[start]),
						 (struct lint_span){line, line});
			sum += counts ? result.lines[line] : 0;
		}
	}
	arena_release(&scratch);
	return sum / (double)lint->start_count;
}

static void tell(struct lint *lint, const struct lint_pair *pair)
{
	const char *written = name_of(lint, pair->written);
	const char **fields = mem_new(pair->other_count + 1, sizeof(*fields));
	struct verdict verdict = {lint, pair};
	fields[0] = written;
	for (size_t i = 0; i < pair->other_count; i++)
		fields[i + 1] = name_of(lint, pair->others[i]);
	struct finding *finding = lint_add(
		lint, pair->relation == LINT_READ ? "LL001" : "LL002", pair->severity, written);
	lint_set_fields(lint, finding, fields, pair->other_count + 1);
	finding->line = lint->one.fields[pair->written].off_bytes / lint->one.line_bytes;
	finding->message =
		describe(lint, pair, lint_list(lint->arena, fields + 1, pair->other_count, 4));
	finding->advice = advise(lint, pair);
	finding->cost = lines_cost(lint, pair);
	finding->avoidable = pair->avoidable;
	finding->placements = lint->start_count;
	finding->placements_hold = pair->severity == SEVERITY_INFO ? pair->shares : pair->holds;
	if (pair->severity != SEVERITY_INFO)
		lint_interval(lint, is_warning, &verdict, &finding->interleave_low,
			&finding->interleave_high);
	finding->price = lint_price(lint, pair->workload, finding);
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
		if (pair->severity == SEVERITY_NONE ||
			(pair->relation == LINT_WRITTEN && is_told(lint, pair, told)))
			continue;
		tell(lint, pair);
		told[ranked[i].index] = true;
	}
	mem_free(ranked);
	mem_free(told);
}

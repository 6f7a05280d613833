#include <string.h>

#include "base/mem.h"
#include "lint/rules.h"

/* What parting a pair of LL001 or LL002 saves, and how severe that is. */

/* Under which the move is priced. */
struct terms {
	double interleave; /* factor */
	bool aside;     /* with the others of the other relation out of the way, before and after */
	bool unwritten; /* as if nobody wrote what is to blame */
	bool rest;      /* the rest moves, and the written field stays behind */
	size_t workload; /* not the pair's own; LINT_ALL: the pair's own */
};

struct pair_price {
	struct lint_trial before, after;
	bool *aside, *alone; /* what they lay elsewhere */
	uint64_t *apart;     /* NULL: nothing is moved as whole variables */
};

/* Of what is moved apart these fields; the others stay. */
static uint64_t *part_of(const struct lint *lint, const struct lint_pair *pair, const bool *moved)
{
	size_t count = lint->map->field_count;
	uint64_t *apart = pair->apart.offs ? mem_new(count, sizeof(*apart)) : NULL;
	for (size_t i = 0; apart && i < count; i++)
		apart[i] = moved[i] ? pair->apart.offs[i] : LINT_STAYS;
	return apart;
}

static void price_init(struct pair_price *price, const struct lint *lint,
	const struct lint_pair *pair, const struct terms *terms)
{
	size_t count = lint->map->field_count;
	const bool *moved = terms->rest ? pair->rest : pair->moved;
	price->aside = mem_new(count, sizeof(*price->aside));
	price->alone = mem_new(count, sizeof(*price->alone));
	for (size_t i = 0; i < count; i++) {
		price->aside[i] = terms->aside && pair->aside[i] && !pair->moved[i];
		price->alone[i] =
			price->aside[i] || (!pair->apart.offs && pair->move == LINT_MOVE_FIELD &&
						   pair->moved[i]);
	}
	price->apart = part_of(lint, pair, moved);
	price->before = price->after = (struct lint_trial){
		.model = &lint->one,
		.alone = price->aside,
		.unwritten = terms->unwritten ? pair->blamed : NULL,
		.interleave = terms->interleave,
		.start = LINT_ALL,
		.workload = terms->workload == LINT_ALL ? pair->workload : terms->workload,
	};
	price->after.alone = price->alone;
	price->after.apart = price->apart;
	if (price->apart)
		return;
	if (pair->move == LINT_MOVE_TOGETHER || pair->move == LINT_MOVE_OTHERS)
		price->after.together = moved;
	if (pair->move == LINT_MOVE_ARRAY)
		price->after.block = moved;
}

static void price_release(struct pair_price *price)
{
	mem_free(price->aside);
	mem_free(price->alone);
	mem_free(price->apart);
}

/* Transactions an operation: over all placements, and in each. */
struct amount {
	double all;
	double *starts;
};

static void amount_init(struct amount *amount, const struct lint *lint)
{
	amount->all = 0;
	amount->starts = mem_new(lint->start_count, sizeof(*amount->starts));
}

static void amount_release(struct amount *amount)
{
	mem_free(amount->starts);
}

static void saves(const struct lint *lint, const struct lint_pair *pair, const struct terms *terms,
	struct amount *ret)
{
	struct pair_price price;
	struct amount after;
	amount_init(&after, lint);
	price_init(&price, lint, pair, terms);
	ret->all = lint_trial_starts(&price.before, ret->starts) -
		   lint_trial_starts(&price.after, after.starts);
	for (size_t i = 0; i < lint->start_count; i++)
		ret->starts[i] -= after.starts[i];
	price_release(&price);
	amount_release(&after);
}

static double saves_all(
	const struct lint *lint, const struct lint_pair *pair, const struct terms *terms)
{
	struct amount saved;
	amount_init(&saved, lint);
	saves(lint, pair, terms, &saved);
	amount_release(&saved);
	return saved.all;
}

static double without(double gain, double theirs)
{
	return gain >= LINT_NOTHING && theirs > 0 ? gain - theirs : gain;
}

static double at_most(double gain, double owed)
{
	return gain >= LINT_NOTHING && owed < gain ? owed : gain;
}

/* What is saved under `terms` changes what is gained, here and in each placement. */
static void amount_correct(const struct lint *lint, const struct lint_pair *pair,
	const struct terms *terms, double (*correct)(double, double), struct amount *gain)
{
	struct amount other;
	bool matters = gain->all >= LINT_NOTHING;
	for (size_t i = 0; i < lint->start_count; i++)
		matters |= gain->starts[i] >= LINT_NOTHING;
	if (!matters)
		return;
	amount_init(&other, lint);
	saves(lint, pair, terms, &other);
	gain->all = correct(gain->all, other.all);
	for (size_t i = 0; i < lint->start_count; i++)
		gain->starts[i] = correct(gain->starts[i], other.starts[i]);
	amount_release(&other);
}

static double writes_of(const struct lint *lint, const struct lint_pair *pair, size_t field)
{
	double writes = 0;
	for (size_t i = 0; i < lint->map->role_count; i++)
		writes += lint_role_share(lint, pair->workload, i) * lint_writes(lint, field, i);
	return writes;
}

/* Of several that are to blame together, the one that is written most is so fully. */
static double share_of_blame(const struct lint *lint, const struct lint_pair *pair)
{
	double own = writes_of(lint, pair, pair->written), most = own;
	for (size_t i = 0; i < lint->map->field_count; i++) {
		double writes = pair->blamed[i] ? writes_of(lint, pair, i) : 0;
		most = writes > most ? writes : most;
	}
	return most > 0 ? own / most : 0;
}

/*
 * What moving saves and is owed to the written field and this relation: not what its companions
 * gain without it; not what others write beside the field (which it would gain by moving even if
 * nobody wrote it; a lock that waiting threads poll is moved for just that); and not what it gains
 * from fields of the other relation.
 */
static void gains(
	const struct lint *lint, const struct lint_pair *pair, double factor, struct amount *ret)
{
	struct terms terms = {.interleave = factor, .workload = LINT_ALL};
	saves(lint, pair, &terms, ret);
	if (pair->rest) {
		terms.rest = true;
		amount_correct(lint, pair, &terms, without, ret);
		terms.rest = false;
	}
	if (pair->relation == LINT_READ && !lint_is_polled(lint, pair->written)) {
		terms.unwritten = true;
		amount_correct(lint, pair, &terms, without, ret);
		terms.unwritten = false;
	}
	if (pair->aside) {
		terms.aside = true;
		amount_correct(lint, pair, &terms, at_most, ret);
	}
	if (pair->move == LINT_MOVE_OTHERS) {
		double share = share_of_blame(lint, pair);
		ret->all *= share;
		for (size_t i = 0; i < lint->start_count; i++)
			ret->starts[i] *= share;
	}
}

/* Some other workload would pay more for the move than this one gains. */
static bool harms_others(const struct lint *lint, const struct lint_pair *pair)
{
	for (size_t i = 0; i < lint->one.workload_count; i++) {
		struct terms terms = {.interleave = 1, .workload = i};
		if (i != pair->workload && saves_all(lint, pair, &terms) < -pair->gain)
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

/* In how many placements the pair shares a line at a price. */
static size_t count_holds(
	const struct lint *lint, const struct lint_pair *pair, const struct amount *gain)
{
	size_t holds = 0;
	for (size_t i = 0; i < lint->start_count; i++)
		holds += shares_at(lint, pair, lint->starts[i]) &&
			 gain->starts[i] >= LINT_WARNING_FROM;
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
	struct amount gain;
	amount_init(&gain, lint);
	gains(lint, verdict->pair, factor, &gain);
	bool warning = gain.all >= LINT_WARNING_FROM &&
		       2 * count_holds(lint, verdict->pair, &gain) >= lint->start_count;
	amount_release(&gain);
	return warning;
}

static bool is_error(const struct lint *lint, const struct lint_pair *pair)
{
	struct arena scratch;
	struct verdict verdict = {lint, pair};
	bool grave = pair->gain >= LINT_ERROR_FROM;
	arena_init(&scratch);
	for (int aside = 0; grave && aside <= (pair->aside != NULL); aside++) {
		struct pair_price price;
		struct terms terms = {.interleave = 1, .aside = aside, .workload = LINT_ALL};
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

void lint_price_pair(const struct lint *lint, struct lint_pair *pair)
{
	struct terms terms = {.interleave = 1, .workload = LINT_ALL};
	struct amount gain;
	double avoidable = saves_all(lint, pair, &terms);
	amount_init(&gain, lint);
	gains(lint, pair, 1, &gain);
	pair->avoidable = avoidable > 0 ? avoidable : 0;
	pair->gain = gain.all;
	pair->shares = pair->holds = 0;
	for (size_t i = 0; i < lint->start_count; i++)
		pair->shares += shares_at(lint, pair, lint->starts[i]);
	pair->holds = pair->loose = count_holds(lint, pair, &gain);
	pair->severity = judge(lint, pair);
	amount_release(&gain);
}

bool lint_is_loud(const struct lint_pair *pair)
{
	return pair->severity <= SEVERITY_WARNING;
}

void lint_pair_interval(
	const struct lint *lint, const struct lint_pair *pair, struct finding *finding)
{
	struct verdict verdict = {lint, pair};
	lint_interval(lint, is_warning, &verdict, finding);
}

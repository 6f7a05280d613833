#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "lint/rules.h"

/* A model with its changes; the arrays are its own. */
struct changed {
	struct cost_model model;
	struct cost_field *fields;
	struct cost_role *roles;
	struct cost_access *accesses; /* of all roles, when they had to be changed */
};

static void copy_accesses(struct changed *changed)
{
	size_t count = 0, next = 0;
	for (size_t i = 0; i < changed->model.role_count; i++)
		count += changed->roles[i].access_count;
	changed->accesses = mem_new(count, sizeof(*changed->accesses));
	for (size_t i = 0; i < changed->model.role_count; i++) {
		struct cost_role *role = &changed->roles[i];
		if (role->access_count)
			memcpy(&changed->accesses[next], role->accesses,
				role->access_count * sizeof(*changed->accesses));
		role->accesses = &changed->accesses[next];
		next += role->access_count;
	}
}

static size_t access_count(const struct changed *changed)
{
	size_t count = 0;
	for (size_t i = 0; i < changed->model.role_count; i++)
		count += changed->roles[i].access_count;
	return count;
}

/* (Where they lie on that line makes no difference.) */
static void join_fields(struct changed *changed, const bool *together, const size_t *beside)
{
	for (size_t i = 0; i < changed->model.field_count; i++) {
		if (!together[i])
			continue;
		if (beside)
			changed->fields[i] = (struct cost_field){
				.off_bytes = changed->model.fields[*beside].off_bytes,
				.size_bytes = 1};
		else
			changed->fields[i] =
				(struct cost_field){.size_bytes = 1, .alone = true, .group = 1};
	}
}

static void part_fields(struct changed *changed, const uint64_t *apart)
{
	for (size_t i = 0; i < changed->model.field_count; i++) {
		if (apart[i] == LINT_STAYS)
			continue;
		changed->fields[i].off_bytes = apart[i];
		changed->fields[i].alone = true;
		changed->fields[i].group = 1;
	}
}

uint64_t lint_block_shift(const struct cost_model *model)
{
	uint64_t lines = model->size_bytes / model->line_bytes + 3;
	return 2 * lines < COST_LINES_MAX ? lines * model->line_bytes : 0;
}

static void shift_fields(struct changed *changed, const bool *block)
{
	for (size_t i = 0; i < changed->model.field_count; i++)
		if (block[i])
			changed->fields[i].off_bytes += lint_block_shift(&changed->model);
}

static void unwrite_fields(struct changed *changed, const bool *unwritten)
{
	for (size_t i = 0; i < access_count(changed); i++)
		if (unwritten[changed->accesses[i].field])
			changed->accesses[i].kind = ACCESS_READ;
}

static void changed_init(struct changed *changed, const struct lint_trial *trial)
{
	*changed = (struct changed){.model = *trial->model};
	struct cost_model *model = &changed->model;
	changed->fields = mem_new(model->field_count, sizeof(*changed->fields));
	memcpy(changed->fields, model->fields, model->field_count * sizeof(*changed->fields));
	model->fields = changed->fields;
	changed->roles = mem_new(model->role_count, sizeof(*changed->roles));
	memcpy(changed->roles, model->roles, model->role_count * sizeof(*changed->roles));
	model->roles = changed->roles;
	for (size_t i = 0; trial->alone && i < model->field_count; i++)
		changed->fields[i].alone |= trial->alone[i];
	for (size_t i = 0; i < model->role_count; i++)
		changed->roles[i].interleave *= trial->interleave;
	if (trial->unwritten) {
		copy_accesses(changed);
		unwrite_fields(changed, trial->unwritten);
	}
	if (trial->together)
		join_fields(changed, trial->together, trial->beside);
	if (trial->apart)
		part_fields(changed, trial->apart);
	if (trial->block)
		shift_fields(changed, trial->block);
	if (trial->start != LINT_ALL) {
		model->starts += trial->start;
		model->start_count = 1;
	}
	if (trial->workload != LINT_ALL) {
		model->workloads += trial->workload;
		model->workload_count = 1;
	}
}

static void changed_release(struct changed *changed)
{
	mem_free(changed->fields);
	mem_free(changed->roles);
	mem_free(changed->accesses);
}

double lint_trial_total(const struct lint_trial *trial)
{
	struct changed changed;
	struct arena scratch;
	arena_init(&scratch);
	changed_init(&changed, trial);
	double total = cost_total(&scratch, &changed.model);
	changed_release(&changed);
	arena_release(&scratch);
	return total;
}

double lint_trial_starts(const struct lint_trial *trial, double *starts)
{
	struct arena scratch;
	arena_init(&scratch);
	struct cost_result result = lint_trial_run(&scratch, trial);
	size_t count = trial->start == LINT_ALL ? trial->model->start_count : 1;
	memcpy(starts, result.starts, count * sizeof(*starts));
	arena_release(&scratch);
	return result.total;
}

struct cost_result lint_trial_run(struct arena *arena, const struct lint_trial *trial)
{
	struct changed changed;
	changed_init(&changed, trial);
	struct cost_result result = cost_run(arena, &changed.model);
	changed_release(&changed);
	return result;
}

/* The role with the highest interleave of those that touch the struct; *differ: others have another one. */
static const struct access_role *leading_role(const struct lint *lint, bool *differ)
{
	const struct access_map *map = lint->map;
	const struct access_role *lead = NULL;
	double least = HUGE_VAL;
	for (size_t i = 0; i < map->role_count; i++) {
		const struct access_role *role = &map->roles[i];
		least = fmin(least, role->interleave);
		if (!lead || role->interleave > lead->interleave)
			lead = role;
	}
	*differ = lead && least < lead->interleave;
	return lead;
}

/*
 * The factor nearest to `far` at which the verdict stands; it does at 1. Halving the exponent:
 * interleaves are a scale.
 */
static double bisect(lint_verdict *verdict, const void *what, double far)
{
	enum { STEPS = 8 };
	double stands = 1, falls = far;
	if (verdict(what, far))
		return far;
	for (int i = 0; i < STEPS; i++) {
		double middle = sqrt(stands * falls);
		if (verdict(what, middle))
			stands = middle;
		else
			falls = middle;
	}
	return stands;
}

/* To two digits, into the interval. */
static double tidy(double value, double (*round_to)(double), double towards)
{
	double unit = pow(10, floor(log10(value)) - 1);
	return round_to(value / unit + towards) * unit;
}

void lint_interval(
	const struct lint *lint, lint_verdict *verdict, const void *what, struct finding *finding)
{
	bool differ;
	const struct access_role *lead = leading_role(lint, &differ);
	double now = lead ? lead->interleave : 0;
	if (!(now > 0))
		return;
	finding->interleave_role = differ ? lead->name : NULL;
	double least = LINT_INTERLEAVE_LEAST / now, most = LINT_INTERLEAVE_MOST / now;
	double from = tidy(now * bisect(verdict, what, least < 1 ? least : 1), ceil, -1e-6);
	double to = tidy(now * bisect(verdict, what, most > 1 ? most : 1), floor, 1e-6);
	finding->interleave_low = from < now ? from : now;
	finding->interleave_high = to > now ? to : now;
}

/* What an error's share is taken of: the struct; of variables, which have nothing else in common, the lines that change. */
static double whole_cost(
	const struct lint *lint, const struct cost_result *before, const struct cost_result *after)
{
	double sum = 0;
	if (!lint->input->variables)
		return before->total;
	for (size_t i = 0; i < before->line_count; i++) {
		double left = i < after->line_count ? after->lines[i] : 0;
		sum += fabs(before->lines[i] - left) >= LINT_NOTHING ? before->lines[i] : 0;
	}
	return sum;
}

bool lint_is_grave(const struct lint *lint, size_t workload, const struct cost_result *before,
	const struct cost_result *after)
{
	double avoidable = before->total - after->total;
	if (avoidable < LINT_ERROR_FROM ||
		avoidable < LINT_ERROR_SHARE * whole_cost(lint, before, after))
		return false;
	for (size_t i = 0; i < lint->map->role_count; i++)
		if (before->roles[i] - after->roles[i] >= LINT_ERROR_FROM &&
			lint_role_share(lint, workload, i) >= LINT_ROLE_SHARE)
			return true;
	return false;
}

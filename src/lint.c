#include "lint.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lint/rules.h"

/* ---- ignores ---- */

/* The profile may write "fd_array[]" where a finding says "fd_array". */
static bool same_field(const struct lint *lint, const char *a, const char *b)
{
	if (strcmp(a, b) == 0)
		return true;
	const struct layout_member *member = layout_find(lint->layout, a);
	return member && member == layout_find(lint->layout, b);
}

static bool is_listed(
	const struct lint *lint, const struct profile_ignore *ignore, const char *field)
{
	for (size_t i = 0; i < ignore->field_count; i++)
		if (same_field(lint, ignore->fields[i], field))
			return true;
	return false;
}

/* The written field, or everything that suffers from it; of rules about a set of fields any of them. */
static bool is_ignored(
	const struct lint *lint, const struct finding *finding, const struct profile_ignore *ignore)
{
	static const char *const about_sets[] = {
		"LL003", "LL004", "LL005", "LL006", "LL007", "LL008", "LL009"};
	if (strcasecmp(ignore->rule, finding->rule->id) != 0)
		return false;
	if (!ignore->field_count)
		return true;
	size_t listed = 0;
	for (size_t i = 0; i < finding->field_count; i++)
		listed += is_listed(lint, ignore, finding->fields[i]);
	for (size_t i = 0; i < sizeof(about_sets) / sizeof(about_sets[0]); i++)
		if (strcmp(finding->rule->id, about_sets[i]) == 0)
			return listed > 0;
	return is_listed(lint, ignore, finding->fields[0]) ||
	       (listed > 0 && listed == finding->field_count - 1);
}

static void apply_ignores(struct lint *lint)
{
	if (!lint->profile || !lint->profile->ignore_count)
		return;
	bool *used = mem_new(lint->profile->ignore_count, sizeof(*used));
	for (size_t i = 0; i < lint->finding_count; i++) {
		for (size_t k = 0; k < lint->profile->ignore_count; k++) {
			const struct profile_ignore *ignore = &lint->profile->ignores[k];
			if (!is_ignored(lint, &lint->findings[i], ignore))
				continue;
			used[k] = true;
			if (!lint->findings[i].ignored)
				lint->findings[i].ignore_reason = ignore->reason;
			lint->findings[i].ignored = true;
		}
	}
	lint_stale_ignores(lint, used);
	mem_free(used);
}

/* ---- prices ---- */

/* As loud as the other one, and about the same cost: whoever reads both must not add them. */
static bool shares_cost(const struct finding *finding, const struct finding *other)
{
	return !other->ignored && lint_is_about_sharing(other) &&
	       (other->severity <= SEVERITY_WARNING || finding->severity == SEVERITY_INFO) &&
	       other->line == finding->line && other->cost - finding->cost < 1e-9 &&
	       finding->cost - other->cost < 1e-9;
}

static void price_findings(struct lint *lint)
{
	for (size_t i = 0; i < lint->finding_count; i++) {
		struct finding *finding = &lint->findings[i];
		finding->parting = finding->avoidable;
		finding->sharing = 1;
		if (!finding->price_of)
			continue;
		/* no order gives elements lines of their own: LL005 needs no search */
		bool about_sharing = lint_is_about_sharing(finding);
		/* no order keeps a variable from a line of its own */
		finding->is_searched = !about_sharing || lint->input->variables;
		for (size_t k = 0; k < lint->finding_count && about_sharing; k++)
			finding->sharing += k != i && shares_cost(finding, &lint->findings[k]);
		finding->price = lint_price_text(lint->arena, finding);
	}
}

static int compare_findings(const void *left, const void *right)
{
	const struct finding *a = left, *b = right;
	if (a->severity != b->severity)
		return a->severity < b->severity ? -1 : 1;
	int by_rule = strcmp(a->rule->id, b->rule->id);
	if (by_rule)
		return by_rule;
	if (a->position.line != b->position.line) /* as the profile has them */
		return a->position.line < b->position.line ? -1 : 1;
	if (a->position.col != b->position.col)
		return a->position.col < b->position.col ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	int by_field = strcmp(a->fields[0], b->fields[0]);
	return by_field ? by_field : strcmp(a->message, b->message);
}

static void prepare(struct lint *lint, struct lint_result *ret)
{
	static const uint64_t line_start[] = {0};
	const struct cost_model *model = &lint->map->model;
	lint->priced = lint->map->role_count > 0;
	lint->starts = line_start;
	lint->start_count = 1;
	if (!lint->priced)
		return;
	lint->cost = ret->cost = cost_run(lint->arena, model);
	lint->starts = model->starts;
	lint->start_count = model->start_count;
	lint->one = *model;
	if (lint->one.instance == INSTANCE_ARRAY)
		lint->one.instance = INSTANCE_SHARED;
}

void lint_run(struct arena *arena, const struct lint_input *input, struct lint_result *ret)
{
	static void (*const rules[])(struct lint *) = {lint_sharing, lint_array, lint_placement,
		lint_adjacent, lint_groups, lint_straddle, lint_scattered, lint_memory, lint_expect,
		lint_stale, lint_definitions, NULL};
	/* where variables lie is the linker's business, and what else lies there is not known */
	static void (*const rules_of_variables[])(struct lint *) = {
		lint_sharing, lint_array, lint_expect, lint_stale, NULL};
	struct lint lint = {
		.arena = arena,
		.input = input,
		.layout = input->layout,
		.map = input->access,
		.profile = input->access->profile,
	};
	*ret = (struct lint_result){0};
	prepare(&lint, ret);
	for (void (*const *rule)(struct lint *) = input->variables ? rules_of_variables : rules;
		*rule; rule++)
		(*rule)(&lint);
	apply_ignores(&lint);
	price_findings(&lint);
	if (lint.finding_count)
		qsort(lint.findings, lint.finding_count, sizeof(*lint.findings), compare_findings);
	ret->findings = lint.findings;
	ret->finding_count = lint.finding_count;
}

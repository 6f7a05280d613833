#include "lint.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "lint/rules.h"

const struct lint_rule_info lint_rules[] = {
	{"LL001", "false-sharing", SEVERITY_ERROR,
		"a written field shares a line with fields that other threads, or the same "
		"operation, read"},
	{"LL002", "write-sharing", SEVERITY_ERROR,
		"fields written by different roles that no common lock orders share a line"},
	{"LL003", "straddle", SEVERITY_WARNING,
		"a packed or under-aligned scalar, or fields to be kept together, lie across two "
		"lines"},
	{"LL004", "scattered-hot", SEVERITY_INFO,
		"the fields that one role touches per operation take more lines than they need"},
	{"LL005", "array-stride", SEVERITY_ERROR,
		"array elements lie across lines, or share one that other threads write"},
	{"LL006", "hole", SEVERITY_INFO, "holes and padding cost a line or an allocation"},
	{"LL007", "loose-placement", SEVERITY_WARNING,
		"where objects may start does not guarantee the separation that the layout relies "
		"on"},
	{"LL008", "allocation", SEVERITY_INFO, "the size just misses a smaller allocation"},
	{"LL009", "broken-expectation", SEVERITY_ERROR, "an 'expect' of the profile does not hold"},
	{"LL010", "stale-profile", SEVERITY_ERROR,
		"the profile names a struct or field that the binary does not have"},
	{"LL011", "definitions-differ", SEVERITY_INFO,
		"one name has several layouts in one binary"},
	{"LL012", "adjacent-line", SEVERITY_INFO,
		"LL001 or LL002 across the two lines of a pair that is fetched together"},
	{"LL013", "neighbouring-variables", SEVERITY_ERROR,
		"a variable that some threads write shares a line with variables that others use"},
};
const size_t lint_rule_count = sizeof(lint_rules) / sizeof(lint_rules[0]);

const char *severity_name(enum severity severity)
{
	static const char *const names[] = {"error", "warning", "info", "never"};
	return names[severity];
}

const struct lint_rule_info *lint_rule_find(const char *id_or_name)
{
	for (size_t i = 0; i < lint_rule_count; i++)
		if (strcasecmp(lint_rules[i].id, id_or_name) == 0 ||
			strcasecmp(lint_rules[i].name, id_or_name) == 0)
			return &lint_rules[i];
	return NULL;
}

/* ---- findings ---- */

static uint64_t fnv1a(uint64_t hash, const char *string)
{
	do {
		hash = (hash ^ (unsigned char)*string) * 0x100000001b3;
	} while (*string++); /* with its end, so that "ab", "c" and "a", "bc" differ */
	return hash;
}

/* Nobody can fix a distribution's kernel, and a marker of a group is no measurement. */
static enum severity cap(
	enum severity severity, const struct lint_rule_info *rule, enum evidence evidence)
{
	enum severity most = rule->at_most;
	if (evidence == EVIDENCE_SHIPPED && most < SEVERITY_WARNING)
		most = SEVERITY_WARNING;
	if (evidence == EVIDENCE_GROUP && most < SEVERITY_INFO)
		most = SEVERITY_INFO;
	return severity > most ? severity : most;
}

struct finding *lint_add(
	struct lint *lint, const char *rule_id, enum severity severity, const char *subject)
{
	const struct lint_rule_info *rule = lint_rule_find(rule_id);
	assert(rule && severity != SEVERITY_NONE);
	enum evidence evidence = lint->profile ? lint->map->evidence : EVIDENCE_STATED;
	lint->findings = arena_grow(lint->arena, lint->findings, &lint->finding_capacity,
		lint->finding_count + 1, sizeof(*lint->findings));
	struct finding *finding = &lint->findings[lint->finding_count++];
	uint64_t hash = fnv1a(0xcbf29ce484222325, rule->id);
	hash = fnv1a(hash,
		lint->input->qualified_name ? lint->input->qualified_name : lint->layout->name);
	hash = fnv1a(hash, subject);
	*finding = (struct finding){
		.rule = rule,
		.severity = cap(severity, rule, evidence),
		.evidence = evidence,
		.placements_hold = 1,
		.placements = 1,
		.fingerprint = arena_printf(lint->arena, "%016" PRIx64, hash),
	};
	return finding;
}

void lint_set_fields(
	struct lint *lint, struct finding *finding, const char *const *fields, size_t count)
{
	assert(count && "a finding names a field");
	finding->fields = arena_copy(lint->arena, fields, count, sizeof(*fields));
	finding->field_count = count;
}

const char *lint_any_field(const struct lint *lint)
{
	for (size_t i = 0; i < lint->layout->member_count; i++)
		if (*lint->layout->members[i].path)
			return lint->layout->members[i].path;
	return lint->layout->name;
}

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

bool lint_is_about_sharing(const struct finding *finding)
{
	return strcmp(finding->rule->id, "LL001") == 0 || strcmp(finding->rule->id, "LL002") == 0 ||
	       strcmp(finding->rule->id, "LL013") == 0;
}

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
			finding->sharing +=
				k != i && shares_cost(finding, &lint->findings[k]);
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

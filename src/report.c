#include "report.h"

#include <string.h>

#include "import/group.h"

static uint64_t line_bytes_for(
	const struct report_options *options, const struct profile_struct *profile, uint64_t machine)
{
	if (options->line_bytes)
		return options->line_bytes;
	if (profile && profile->document && profile->document->line_bytes)
		return profile->document->line_bytes;
	return machine ? machine : options->machine_line_bytes;
}

/* The most that the finding of one of the rules, not an ignored one, saves. */
static double most_avoidable(
	const struct lint_result *lint, const char *const *rules, size_t rule_count)
{
	double most = 0;
	for (size_t i = 0; i < lint->finding_count; i++)
		for (size_t k = 0; k < rule_count; k++) {
			const struct finding *finding = &lint->findings[i];
			if (strcmp(finding->rule->id, rules[k]) == 0 && !finding->ignored &&
				finding->avoidable > most)
				most = finding->avoidable;
		}
	return most;
}

/* By a move of members, or by padding the elements of an array. */
static const char *const saving_rules[] = {"LL005", "LL001", "LL002"};
enum { BY_PADDING = 1, BY_ANY = 3 };

struct error *report_build(struct arena *arena, const struct report_source *source,
	const struct report_options *options, struct report_struct *ret)
{
	const char *qualified = type_qualify(arena, source->scope, source->name);
	const struct profile_struct *profile =
		profiles_find(options->profiles, source->name, qualified);
	if (!profile && source->alias)
		profile = profiles_find(options->profiles, source->alias,
			type_qualify(arena, source->alias_scope, source->alias));
	struct layout layout;
	struct error *error = layout_build(arena, source->types, source->type, source->name,
		line_bytes_for(options, profile, source->line_bytes), &layout);
	if (error)
		return error_wrap(error, "%s %s", type_keyword(source->kind), qualified);
	*ret = (struct report_struct){
		.source = *source, .qualified_name = qualified, .layout = layout};
	if (options->layout_only)
		return NULL;
	if (!profile)
		profile = group_profile(arena, &ret->layout);
	access_build(arena, &ret->layout, profile, &options->context, &ret->access);
	const struct lint_input input = report_lint_input(ret, &options->context);
	lint_run(arena, &input, &ret->lint);
	ret->has_cost = ret->access.role_count && ret->access.evidence != EVIDENCE_GROUP;
	if (ret->has_cost)
		ret->avoidable = most_avoidable(&ret->lint, saving_rules, BY_ANY);
	else
		ret->lint.cost = (struct cost_result){0};
	return NULL;
}

struct lint_input report_lint_input(
	const struct report_struct *report, const struct access_context *context)
{
	const struct report_source *source = &report->source;
	return (struct lint_input){
		.layout = &report->layout,
		.qualified_name = report->qualified_name,
		.access = &report->access,
		.context = context,
		.layouts = source->layouts,
		.units = source->units,
		.unit_count = source->units ? source->layouts : 0,
		.is_several = source->files > 0,
	};
}

/* ---- suggestions ---- */

static bool has_error(const struct lint_result *lint)
{
	for (size_t i = 0; i < lint->finding_count; i++)
		if (lint->findings[i].severity == SEVERITY_ERROR && !lint->findings[i].ignored)
			return true;
	return false;
}

/* Findings stay in the order of their severities. */
static void lower_errors(struct arena *arena, const char *const *lowered, struct lint_result *lint)
{
	size_t count = lint->finding_count, used = 0;
	struct finding *findings = arena_new(arena, count, sizeof(*findings));
	for (size_t i = 0; i < count; i++)
		if (lint->findings[i].severity == SEVERITY_ERROR && !lowered[i])
			findings[used++] = lint->findings[i];
	for (size_t i = 0; i < count; i++)
		if (lowered[i]) {
			findings[used] = lint->findings[i];
			findings[used].lowered = lowered[i];
			findings[used++].severity = SEVERITY_WARNING;
		}
	for (size_t i = 0; i < count; i++)
		if (lint->findings[i].severity != SEVERITY_ERROR)
			findings[used++] = lint->findings[i];
	lint->findings = findings;
}

/* Of a finding no more can be avoided than of the struct. */
static void cap_findings(struct arena *arena, double avoidable, struct lint_result *lint)
{
	struct finding *findings =
		arena_copy(arena, lint->findings, lint->finding_count, sizeof(*findings));
	for (size_t i = 0; i < lint->finding_count; i++)
		finding_cap(arena, &findings[i], avoidable);
	lint->findings = findings;
}

struct error *report_suggest(
	struct arena *arena, const struct report_options *options, struct report_struct *report)
{
	if (options->layout_only)
		return NULL;
	/* whatever is asked for: a profile that contradicts itself is none */
	struct error *error = suggest_contradictions(arena, &report->access, &options->context);
	if (error || (!options->suggest_kinds && !has_error(&report->lint)))
		return error;
	const struct lint_input lint = report_lint_input(report, &options->context);
	/* all kinds whatever is shown: the verdict must not hang on that */
	const struct suggest_input input = {
		.lint = &lint, .result = &report->lint, .kinds = (1U << SUGGEST_KIND_COUNT) - 1};
	error = suggest_run(arena, &input, &report->suggest);
	if (error)
		return error;
	report->suggest_kinds = options->suggest_kinds;
	if (report->suggest.is_unknown)
		return NULL;
	report->searched = report->access.role_count > 0;
	/* no order gives the elements of an array lines of their own */
	double padding = most_avoidable(&report->lint, saving_rules, BY_PADDING);
	report->avoidable =
		report->suggest.avoidable > padding ? report->suggest.avoidable : padding;
	if (report->suggest.lowered)
		lower_errors(arena, report->suggest.lowered, &report->lint);
	cap_findings(arena, report->avoidable, &report->lint);
	return NULL;
}

const struct suggestion *report_suggestion(
	const struct report_struct *report, enum suggest_kind kind)
{
	if (!(report->suggest_kinds & 1U << kind))
		return NULL;
	for (size_t i = 0; i < report->suggest.count; i++)
		if (report->suggest.items[i].kind == kind)
			return &report->suggest.items[i];
	return NULL;
}

const struct suggestion *report_first_suggestion(const struct report_struct *report)
{
	const struct suggestion *found = NULL;
	for (int kind = 0; kind < SUGGEST_KIND_COUNT && !found; kind++)
		found = report_suggestion(report, (enum suggest_kind)kind);
	return found;
}

bool report_mends(const struct suggestion *suggestion, const struct finding *finding)
{
	double left = 0;
	for (size_t i = 0; i < suggestion->finding_count; i++) {
		const struct finding *now = &suggestion->findings[i];
		if (strcmp(now->fingerprint, finding->fingerprint) != 0)
			continue;
		if (!(finding->parting > 0)) /* not a matter of cost: it is there or not */
			return false;
		left += now->parting;
	}
	return left <= finding->parting / 2;
}

void report_missing(struct arena *arena, const struct profile_struct *profile,
	const struct report_options *options, const char *nearest, struct report_struct *ret)
{
	struct profile_struct *entry = arena_copy(arena, profile, 1, sizeof(*profile));
	struct access_missing *missing = arena_new(arena, 1, sizeof(*missing));
	entry->expect_count = 0; /* what is expected of it says nothing more */
	*missing = (struct access_missing){
		.path = profile->name,
		.why = arena_printf(arena, "the binary has no such struct%s", nearest),
		.position = profile->position,
	};
	*ret = (struct report_struct){
		.source = {.kind = TYPE_STRUCT, .name = profile->name},
		.qualified_name = profile->name,
		.layout = {.name = profile->name,
			.align_bytes = 1,
			.line_bytes = line_bytes_for(options, profile, 0)},
		.access = {.layout = &ret->layout,
			.profile = entry,
			.evidence = profile->evidence,
			.missing = missing,
			.missing_count = 1,
			.align_bytes = 1},
	};
	const struct lint_input input = report_lint_input(ret, &options->context);
	lint_run(arena, &input, &ret->lint);
	/* lint speaks of fields */
	struct finding *findings =
		arena_copy(arena, ret->lint.findings, ret->lint.finding_count, sizeof(*findings));
	for (size_t i = 0; i < ret->lint.finding_count; i++) {
		findings[i].message = missing->why;
		findings[i].advice = "correct the name, or take the entry out";
	}
	ret->lint.findings = findings;
}

/* The member that the struct's own source declares, of one that may lie in another struct. */
static const struct layout_member *own_member(
	const struct layout *layout, const struct layout_member *member)
{
	while (member && member->parent != LAYOUT_NO_PARENT &&
		*layout->members[member->parent].name)
		member = &layout->members[member->parent];
	return member;
}

void report_declared(const struct report_struct *report, const struct finding *finding,
	const char **file, uint32_t *line)
{
	const struct layout *layout = &report->layout;
	const struct layout_member *member =
		own_member(layout, layout_find(layout, finding->fields[0]));
	const struct type *type = layout->types ? types_get(layout->types, layout->type) : NULL;
	*file = NULL;
	*line = 0;
	if (member && member->file && member->line) {
		*file = member->file;
		*line = member->line;
	} else if (type && type->file && type->line) {
		*file = type->file;
		*line = type->line;
	}
}

void report_count(struct report_summary *summary, const struct report_struct *report)
{
	summary->structs++;
	for (size_t i = 0; i < report->lint.finding_count; i++) {
		const struct finding *finding = &report->lint.findings[i];
		if (finding->ignored)
			continue;
		summary->errors += finding->severity == SEVERITY_ERROR;
		summary->warnings += finding->severity == SEVERITY_WARNING;
		summary->infos += finding->severity == SEVERITY_INFO;
	}
}

#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "lint/rules.h"

static const char *keep(struct arena *arena, struct buf *buf)
{
	const char *string = arena_strndup(arena, buf->data, buf->length);
	buf_release(buf);
	return string;
}

const char *lint_list(struct arena *arena, const char *const *names, size_t count, size_t show)
{
	struct buf buf;
	buf_init(&buf);
	size_t named = count > show ? show : count;
	for (size_t i = 0; i < named; i++) {
		if (i)
			buf_puts(&buf, i + 1 == count ? " and " : ", ");
		buf_puts(&buf, names[i]);
	}
	if (count > named)
		buf_printf(&buf, " and %zu more", count - named);
	return keep(arena, &buf);
}

size_t lint_count(const bool *flags, size_t count)
{
	size_t sum = 0;
	for (size_t i = 0; i < count; i++)
		sum += flags[i];
	return sum;
}

/* The role of a profile that has none is called `all`, which would read badly. */
bool lint_is_everybody(const struct lint *lint, const bool *roles)
{
	for (size_t i = 0; i < lint->map->role_count; i++)
		if (roles[i] && strcmp(lint->map->roles[i].name, "all") == 0)
			return lint->map->role_count == 1;
	return false;
}

bool lint_is_plural(const struct lint *lint, const bool *roles)
{
	return lint_is_everybody(lint, roles) || lint_count(roles, lint->map->role_count) != 1;
}

static const char *roles_list(const struct lint *lint, const bool *roles, size_t show)
{
	size_t count = 0;
	if (lint_is_everybody(lint, roles))
		return "all threads";
	const char **names = mem_new(lint->map->role_count, sizeof(*names));
	for (size_t i = 0; i < lint->map->role_count; i++)
		if (roles[i])
			names[count++] = lint->map->roles[i].name;
	const char *list = lint_list(lint->arena, names, count, show);
	mem_free(names);
	return list;
}

const char *lint_roles(const struct lint *lint, const bool *roles)
{
	return roles_list(lint, roles, 3);
}

const char *lint_all_roles(const struct lint *lint, const bool *roles)
{
	return roles_list(lint, roles, lint->map->role_count);
}

const char *lint_line_name(const struct lint *lint, uint64_t line)
{
	const struct lint_variables *variables = lint->input->variables;
	if (variables && line < variables->line_count)
		return variables->lines[line];
	return arena_printf(lint->arena, "line %llu", (unsigned long long)line);
}

const char *lint_number(struct arena *arena, double transactions)
{
	int digits = transactions < 0.0095 ? 4 : transactions < 0.095 ? 3 : 2;
	return arena_printf(arena, "%.*f", digits, transactions);
}

static unsigned threads_of(const struct cost_model *model, size_t workload)
{
	unsigned threads = 0;
	for (size_t i = 0; i < model->workloads[workload].role_count; i++)
		threads += model->roles[model->workloads[workload].roles[i]].threads;
	return threads;
}

/* Only where there is more than one. */
static const char *workload_name(const struct lint *lint, size_t workload)
{
	if (lint->map->model.workload_count < 2 || !lint->map->workloads)
		return "";
	return arena_printf(lint->arena, " in workload %s",
		lint->profile->document->workloads[lint->map->workloads[workload]].name);
}

/* "(at least 0.05 of it in 6 of 8 placements; verdict holds from interleave 0.001 to 0.5)" */
static void put_terms(struct buf *buf, const struct finding *finding, enum lint_places places)
{
	const char *before = " (", *after = "";
	if (places == LINT_PLACES_HOLD && finding->placements > 1) {
		bool counted = finding->severity <= SEVERITY_WARNING;
		buf_printf(buf, " (%s", counted ? "at least " : "");
		if (counted)
			buf_printf(buf, "%.2f of it ", LINT_WARNING_FROM);
		buf_printf(buf, "in %zu of %zu placements", finding->placements_hold,
			finding->placements);
		before = "; ";
		after = ")";
	}
	if (finding->interleave_high > 0) {
		buf_printf(buf, "%sverdict holds from interleave %.2g to %.2g", before,
			finding->interleave_low, finding->interleave_high);
		if (finding->interleave_role)
			buf_printf(buf, " of %s, and the other roles' in proportion",
				finding->interleave_role);
		after = ")";
	}
	buf_puts(buf, after);
}

void lint_price(
	const struct lint *lint, size_t workload, struct finding *finding, enum lint_places places)
{
	struct buf terms;
	unsigned threads = threads_of(&lint->map->model, workload);
	buf_init(&terms);
	put_terms(&terms, finding, places);
	finding->price_terms = keep(lint->arena, &terms);
	finding->price_of = arena_printf(lint->arena,
		"transactions an operation with %u thread%s%s%s%s%s", threads,
		threads == 1 ? "" : "s", lint->input->variables ? "" : " on one ",
		lint->input->variables ? "" : lint->layout->name,
		lint->map->model.instance == INSTANCE_ARRAY ? " and as many on each neighbour" : "",
		workload_name(lint, workload));
}

/* "0.58 of it can be avoided" */
static const char *avoidable_text(struct arena *arena, const struct finding *finding)
{
	const char *of_it = finding->sharing > 1 ? "" : " of it";
	if (!finding->is_searched)
		return arena_printf(arena, "up to %s%s can be avoided",
			lint_number(arena, finding->avoidable), of_it);
	if (finding->parting - finding->avoidable < LINT_NOTHING)
		return arena_printf(arena, "%s%s can be avoided",
			lint_number(arena, finding->avoidable), of_it);
	const char *parted = arena_printf(
		arena, "lines of their own would save %s", lint_number(arena, finding->parting));
	if (finding->avoidable < LINT_NOTHING)
		return arena_printf(arena, "%s, and no order that is allowed saves any", parted);
	return arena_printf(arena, "%s, and orders that are allowed %s", parted,
		lint_number(arena, finding->avoidable));
}

const char *lint_price_text(struct arena *arena, const struct finding *finding)
{
	const char *cost = lint_number(arena, finding->cost);
	const char *what =
		finding->sharing > 1
			? arena_printf(arena, "of the line%s %s %s, which %zu findings share,",
				  finding->placements > 1 ? "s'" : "'s", cost, finding->price_of,
				  finding->sharing)
			: arena_printf(arena, "costs %s %s;", cost, finding->price_of);
	return arena_printf(
		arena, "%s %s%s", what, avoidable_text(arena, finding), finding->price_terms);
}

void finding_cap(struct arena *arena, struct finding *finding, double avoidable)
{
	if (!finding->price_of || !lint_is_about_sharing(finding))
		return;
	finding->is_searched = true;
	finding->avoidable = finding->parting < avoidable ? finding->parting : avoidable;
	finding->price = lint_price_text(arena, finding);
}

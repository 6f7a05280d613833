#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "lint/rules.h"

/* What to write into the declarations of variables that share a line (LL013). */

/* The variables of the fields, each once. Returns how many; their bytes grow by *padding on lines of their own. */
static size_t variables_of(
	const struct lint *lint, const bool *fields, const char **names, uint64_t *padding)
{
	size_t count = 0;
	*padding = 0;
	for (size_t i = 0; i < lint->map->field_count; i++) {
		const struct layout_member *top = lint_top_of(lint, i);
		bool known = !fields[i];
		for (size_t k = 0; k < count && !known; k++)
			known = names[k] == top->path;
		if (known)
			continue;
		names[count++] = top->path;
		*padding +=
			number_round_up(top->size_bytes, lint->one.line_bytes) - top->size_bytes;
	}
	return count;
}

static const char *list_of(const struct lint *lint, const bool *fields)
{
	const char **names = mem_new(lint->map->field_count, sizeof(*names));
	uint64_t padding;
	size_t count = variables_of(lint, fields, names, &padding);
	const char *list = lint_list(lint->arena, names, count, count);
	mem_free(names);
	return list;
}

static double total_without(
	const struct lint *lint, const struct lint_pair *pair, const bool *alone)
{
	struct lint_trial trial = {.model = &lint->one,
		.alone = alone,
		.interleave = 1,
		.start = LINT_ALL,
		.workload = pair->workload};
	return lint_trial_total(&trial);
}

/* Would it do as well to take the others away, which nobody writes in any workload? */
static bool others_may_go(const struct lint *lint, const struct lint_pair *pair, const bool *others)
{
	for (size_t i = 0; i < lint->map->field_count; i++)
		for (size_t k = 0; others[i] && k < lint->map->role_count; k++)
			if (lint_writes(lint, i, k) > 0)
				return false;
	return total_without(lint, pair, NULL) - total_without(lint, pair, others) >=
	       0.9 * pair->avoidable;
}

static const char *own_line(const struct lint *lint, const struct lint_pair *pair)
{
	const char **names = mem_new(lint->map->field_count, sizeof(*names));
	unsigned long long line = lint->one.line_bytes;
	uint64_t padding;
	size_t count = variables_of(lint, pair->moved, names, &padding);
	if (pair->move == LINT_MOVE_TOGETHER || pair->move == LINT_MOVE_OTHERS) {
		uint64_t bytes = 0;
		for (size_t i = 0; i < lint->map->field_count; i++)
			bytes += pair->moved[i] ? lint->one.fields[i].size_bytes : 0;
		padding = number_round_up(bytes, line) - bytes;
	}
	const char *list = lint_list(lint->arena, names, count, count);
	mem_free(names);
	const char *how;
	if (count > 1)
		how = arena_printf(lint->arena, "members of one struct with %s",
			lint->input->context->is_kernel
				? "____cacheline_aligned_in_smp"
				: arena_printf(lint->arena, "alignas(%llu)", line));
	else if (lint->input->context->is_kernel)
		how = "__cacheline_aligned_in_smp";
	else
		how = arena_printf(lint->arena,
			"alignas(%llu) on the member of a struct around it, so that nothing follows on its "
			"line",
			line);
	return arena_printf(lint->arena,
		"give %s %s of %s own (%s), which costs %llu bytes and saves %s transactions an operation",
		list, count > 1 ? "one line" : "a line", count > 1 ? "their" : "its", how,
		(unsigned long long)padding, lint_number(lint->arena, pair->avoidable));
}

static const char *read_mostly(const struct lint *lint, const bool *others)
{
	const char *list = list_of(lint, others);
	return lint->input->context->is_kernel
		       ? arena_printf(lint->arena,
				 "mark %s __read_mostly, which costs nothing and saves about as much",
				 list)
		       : arena_printf(lint->arena,
				 "put %s among what is only read (a struct or a section of its own), "
				 "which costs nothing and saves about as much",
				 list);
}

const char *lint_advise_variables(const struct lint *lint, const struct lint_pair *pair)
{
	bool *others = mem_new(lint->map->field_count, sizeof(*others));
	for (size_t i = 0; i < pair->other_count; i++)
		others[pair->others[i]] = true;
	bool may_go = pair->relation == LINT_READ && others_may_go(lint, pair, others);
	const char *advice = may_go && pair->move == LINT_MOVE_OTHERS ? read_mostly(lint, others)
								      : own_line(lint, pair);
	if (may_go && pair->move != LINT_MOVE_OTHERS)
		advice = arena_printf(lint->arena, "%s; or %s", advice, read_mostly(lint, others));
	mem_free(others);
	return advice;
}

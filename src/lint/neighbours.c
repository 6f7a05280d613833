#include "base/mem.h"
#include "base/number.h"
#include "lint/rules.h"

/* What to write into the declarations of variables that share a line (LL013). */

/* The variables of what is moved, each once. */
static const char *names_of(const struct lint *lint, const struct lint_apart *apart)
{
	const char **names = mem_new(lint->map->field_count, sizeof(*names));
	size_t count = 0;
	for (size_t i = 0; i < lint->map->field_count; i++) {
		const char *name = lint_top_of(lint, i)->path;
		bool known = !apart->fields[i];
		for (size_t k = 0; k < count && !known; k++)
			known = names[k] == name;
		if (!known)
			names[count++] = name;
	}
	const char *list = lint_list(lint->arena, names, count, count);
	mem_free(names);
	return list;
}

/* What it saves that these lie elsewhere: priced there. */
static double saves(
	const struct lint *lint, const struct lint_pair *pair, const struct lint_apart *apart)
{
	struct lint_trial trial = {.model = &lint->one,
		.interleave = 1,
		.start = LINT_ALL,
		.workload = pair->workload};
	double now = lint_trial_total(&trial);
	trial.apart = apart->offs;
	return now - lint_trial_total(&trial);
}

/* Whole variables that nobody writes, anywhere in them, in any workload. */
static bool are_only_read(const struct lint *lint, const struct lint_apart *apart)
{
	for (size_t i = 0; i < lint->map->field_count; i++)
		if (apart->fields[i] && lint_is_written(lint, i))
			return false;
	return true;
}

/* How a declaration says that it begins a line. */
static const char *aligned(const struct lint *lint, bool is_member)
{
	unsigned long long line = lint->one.line_bytes;
	if (lint->input->context->is_kernel)
		return is_member ? "____cacheline_aligned_in_smp" : "__cacheline_aligned_in_smp";
	switch (lint->input->variables->words) {
	case LINT_WORDS_C:
		return arena_printf(lint->arena, "alignas(%llu)", line);
	case LINT_WORDS_RUST:
		return arena_printf(lint->arena, "#[repr(align(%llu))]", line);
	case LINT_WORDS_PLAIN:
		break;
	}
	return arena_printf(lint->arena, "an alignment of %llu bytes", line);
}

static const char *own_line(const struct lint *lint, const struct lint_pair *pair)
{
	const struct lint_apart *apart = &pair->apart;
	unsigned long long line = lint->one.line_bytes;
	bool several = apart->variables > 1, one_line = apart->size_bytes <= line;
	const char *how = aligned(lint, several);
	if (several)
		how = arena_printf(lint->arena, "members of one struct with %s", how);
	else if (!lint->input->context->is_kernel)
		how = arena_printf(lint->arena,
			"%s a struct around it, so that nothing follows on its %s",
			lint->input->variables->words == LINT_WORDS_C
				? arena_printf(lint->arena, "%s on the member of", how)
				: arena_printf(lint->arena, "%s for", how),
			one_line ? "line" : "lines");
	return arena_printf(lint->arena,
		"give %s %s of %s own (%s), which costs %llu byte%s and saves %s transactions an operation",
		names_of(lint, apart),
		!one_line ? "lines"
		: several ? "one line"
			  : "a line",
		several ? "their" : "its", how,
		(unsigned long long)(apart->size_bytes - apart->used_bytes),
		number_s(apart->size_bytes - apart->used_bytes),
		lint_number(lint->arena, pair->avoidable));
}

static const char *read_mostly(
	const struct lint *lint, const struct lint_apart *apart, double saved)
{
	const char *names = names_of(lint, apart);
	const char *what =
		lint->input->context->is_kernel
			? arena_printf(lint->arena, "mark %s __read_mostly", names)
			: arena_printf(lint->arena,
				  "put %s among what is only read (a struct or a section of its own)",
				  names);
	return arena_printf(lint->arena,
		"%s, which costs nothing and saves %s transactions an operation", what,
		lint_number(lint->arena, saved));
}

const char *lint_advise_variables(const struct lint *lint, const struct lint_pair *pair)
{
	bool *others = mem_new(lint->map->field_count, sizeof(*others));
	for (size_t i = 0; i < pair->other_count; i++)
		others[pair->others[i]] = true;
	struct lint_apart away = lint_apart(lint, others);
	double saved = saves(lint, pair, &away);
	bool may_go = pair->relation == LINT_READ && are_only_read(lint, &away) &&
		      saved >= 0.9 * pair->avoidable;
	mem_free(others);
	if (!may_go)
		return own_line(lint, pair);
	const char *second = read_mostly(lint, &away, saved);
	return pair->move == LINT_MOVE_OTHERS
		       ? second
		       : arena_printf(lint->arena, "%s; or %s", own_line(lint, pair), second);
}

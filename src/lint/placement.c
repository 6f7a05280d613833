#include <string.h>

#include "base/mem.h"
#include "lint/rules.h"

/* ---- LL007 ---- */

/* What a loose placement does to the cost. */
struct spread {
	double least, most; /* of the placements */
};

static struct spread measure_spread(const struct lint *lint)
{
	struct spread spread = {0, 0};
	for (size_t i = 0; i < lint->start_count; i++) {
		struct lint_trial trial = {.model = &lint->map->model,
			.interleave = 1,
			.start = i,
			.workload = LINT_ALL};
		double total = lint_trial_total(&trial);
		spread.least = i == 0 || total < spread.least ? total : spread.least;
		spread.most = total > spread.most ? total : spread.most;
	}
	return spread;
}

/* Apart in some placements and not in others, and not told already. */
static bool depends(const struct lint *lint, const struct lint_pair *pair)
{
	return pair->severity == SEVERITY_NONE && pair->loose > 0 &&
	       pair->loose < lint->start_count;
}

/* The written fields of such pairs, what is worst first; each once. */
static size_t depending_fields(const struct lint *lint, const char **fields)
{
	size_t count = 0;
	bool *taken = mem_new(lint->pair_count, sizeof(*taken));
	for (;;) {
		size_t worst = lint->pair_count;
		for (size_t i = 0; i < lint->pair_count; i++)
			if (!taken[i] && depends(lint, &lint->pairs[i]) &&
				(worst == lint->pair_count ||
					lint->pairs[i].gain > lint->pairs[worst].gain))
				worst = i;
		if (worst == lint->pair_count)
			break;
		taken[worst] = true;
		const char *name = lint_field_name(lint, lint->pairs[worst].written);
		bool known = false;
		for (size_t i = 0; i < count; i++)
			known |= strcmp(fields[i], name) == 0;
		if (!known)
			fields[count++] = name;
	}
	mem_free(taken);
	return count;
}

static const char *advise(const struct lint *lint, const char *to_part)
{
	unsigned long long line = lint->layout->line_bytes;
	return arena_printf(lint->arena,
		"let objects start a line (an allocation aligned to %llu and a stride that is a "
		"multiple of it), or keep %s "
		"%llu bytes from what others use",
		line, to_part, line);
}

static void tell_loose(struct lint *lint)
{
	const char **fields = mem_new(lint->pair_count, sizeof(*fields));
	size_t count = depending_fields(lint, fields);
	struct spread spread = measure_spread(lint);
	double differs = spread.most - spread.least;
	if (count && differs >= LINT_NOTHING) {
		bool much =
			differs >= LINT_WARNING_FROM && differs >= LINT_LOOSE_SHARE * spread.most;
		enum severity severity = much ? SEVERITY_WARNING : SEVERITY_INFO;
		struct finding *finding = lint_add(lint, "LL007", severity, "");
		const char *list = lint_list(lint->arena, fields, count, 4);
		size_t most = 0;
		for (size_t i = 0; i < lint->pair_count; i++)
			if (depends(lint, &lint->pairs[i]) && lint->pairs[i].loose > most)
				most = lint->pairs[i].loose;
		lint_set_fields(lint, finding, fields, count);
		finding->line = layout_first_byte(layout_find(lint->layout, fields[0])) /
				lint->layout->line_bytes;
		finding->placements = lint->start_count;
		finding->placements_hold = most;
		finding->message = arena_printf(lint->arena,
			"objects start at %zu places of a line, and it depends on the place "
			"whether %s, which %s written, "
			"%s a line with what others use",
			lint->start_count, list, count == 1 ? "is" : "are",
			count == 1 ? "shares" : "share");
		finding->advice = advise(lint, count == 1 ? fields[0] : "them");
		finding->cost = lint->cost.total;
		finding->avoidable =
			lint->cost.total - spread.least > 0 ? lint->cost.total - spread.least : 0;
		finding->price = arena_printf(lint->arena,
			"costs %s to %s transactions an operation, depending on where an object "
			"starts",
			lint_number(lint->arena, spread.least),
			lint_number(lint->arena, spread.most));
	}
	mem_free(fields);
}

/* The type asks for more than its allocation gives: every separation inside it is off. */
static bool tell_misaligned(struct lint *lint)
{
	uint64_t given = lint->profile->alignment_bytes, wanted = lint->layout->align_bytes;
	if (!given || given >= wanted || wanted < lint->layout->line_bytes)
		return false;
	const char *field = lint_any_field(lint);
	for (size_t i = 0; i < lint->layout->member_count; i++)
		if (lint->layout->members[i].align_bytes == wanted &&
			*lint->layout->members[i].path) {
			field = lint->layout->members[i].path;
			break;
		}
	struct finding *finding = lint_add(lint, "LL007", SEVERITY_WARNING, "");
	lint_set_fields(lint, finding, &field, 1);
	finding->placements = finding->placements_hold = lint->start_count;
	finding->message = arena_printf(lint->arena,
		"%s asks for objects aligned to %llu bytes, and the profile says that they are "
		"aligned to %llu",
		field, (unsigned long long)wanted, (unsigned long long)given);
	finding->advice = arena_printf(
		lint->arena, "allocate objects aligned to %llu bytes", (unsigned long long)wanted);
	return true;
}

/* Elements that start anywhere on a line, which LL005 has said. */
static bool is_told_as_array(const struct lint *lint)
{
	if (lint->profile->instance != INSTANCE_ARRAY)
		return false;
	for (size_t i = 0; i < lint->finding_count; i++)
		if (strcmp(lint->findings[i].rule->id, "LL005") == 0)
			return true;
	return false;
}

void lint_placement(struct lint *lint)
{
	if (!lint->profile || lint->map->evidence == EVIDENCE_GROUP ||
		lint->profile->instance == INSTANCE_PER_THREAD)
		return;
	if (!tell_misaligned(lint) && lint->priced && lint->start_count > 1 &&
		!is_told_as_array(lint))
		tell_loose(lint);
}

/* ---- LL012 ---- */

enum { LINE = 64, PAIR = 128 };

/* Where an object starts in its pair of lines, when every object starts there. */
static bool start_in_pair(const struct lint *lint, uint64_t *start)
{
	const struct access_map *map = lint->map;
	if (lint->layout->line_bytes != LINE || lint->start_count != 1)
		return false;
	bool aligned = map->align_bytes >= PAIR && map->align_bytes % PAIR == 0;
	bool regular =
		map->stride_bytes && map->stride_bytes % PAIR == 0 && map->align_bytes % LINE == 0;
	if (!aligned && !regular)
		return false;
	*start = map->container_off_bytes % PAIR;
	return *start % LINE == lint->starts[0];
}

/* Every line of the field is fetched often enough to bring the other of its pair along. */
static bool is_fetched(const struct lint *lint, struct lint_span lines)
{
	for (uint64_t line = lines.first; line <= lines.last; line++)
		if (line >= lint->cost.line_count || lint->cost.lines[line] < LINT_WARNING_FROM)
			return false;
	return true;
}

/* Fields on the other line of a pair that the written one disturbs. */
static size_t across(const struct lint *lint, const struct cost_model *pairs, size_t written,
	size_t *others, bool *roles)
{
	struct lint_span line = lint_span(&lint->one, written, lint->starts[0]);
	size_t count = 0;
	for (size_t i = 0; i < lint->map->field_count; i++) {
		struct lint_span other = lint_span(&lint->one, i, lint->starts[0]);
		if (i == written || lint_spans_meet(line, other) || !is_fetched(lint, other) ||
			!lint_spans_meet(lint_span(pairs, written, pairs->starts[0]),
				lint_span(pairs, i, pairs->starts[0])))
			continue;
		if (lint_relates(lint, LINT_READ, lint->cost.workload, written, i, roles) ||
			lint_relates(lint, LINT_WRITTEN, lint->cost.workload, written, i, roles))
			others[count++] = i;
	}
	return count;
}

static double saves_alone(const struct lint *lint, const struct cost_model *model, size_t written)
{
	bool *alone = mem_new(lint->map->field_count, sizeof(*alone));
	struct lint_trial trial = {
		.model = model, .interleave = 1, .start = LINT_ALL, .workload = LINT_ALL};
	double before = lint_trial_total(&trial);
	alone[written] = true;
	trial.alone = alone;
	double saved = before - lint_trial_total(&trial);
	mem_free(alone);
	return saved > 0 ? saved : 0;
}

static void tell_across(struct lint *lint, const struct cost_model *pairs, size_t written)
{
	size_t *others = mem_new(lint->map->field_count, sizeof(*others));
	const char **fields = mem_new(lint->map->field_count + 1, sizeof(*fields));
	bool *roles = mem_new(lint->map->role_count, sizeof(*roles));
	bool *writers = mem_new(lint->map->role_count, sizeof(*writers));
	size_t count = across(lint, pairs, written, others, roles);
	double saved =
		count ? saves_alone(lint, pairs, written) - saves_alone(lint, &lint->one, written)
		      : 0;
	if (saved >= LINT_WARNING_FROM) {
		fields[0] = lint_field_name(lint, written);
		for (size_t i = 0; i < count; i++)
			fields[i + 1] = lint_field_name(lint, others[i]);
		lint_writers(lint, lint->cost.workload, written, writers);
		struct finding *finding = lint_add(lint, "LL012", SEVERITY_INFO, fields[0]);
		lint_set_fields(lint, finding, fields, count + 1);
		finding->line = lint->one.fields[written].off_bytes / LINE;
		finding->cost =
			lint->cost.lines[lint_span(&lint->one, written, lint->starts[0]).first];
		finding->avoidable = saved;
		finding->message = arena_printf(lint->arena,
			"line %llu: %s, written by %s, lies on the other line of a pair of %d "
			"bytes than %s, used by %s; a processor "
			"that fetches such lines together makes them one",
			(unsigned long long)finding->line, fields[0], lint_roles(lint, writers),
			PAIR, lint_list(lint->arena, fields + 1, count, 4),
			lint_roles(lint, roles));
		finding->advice =
			arena_printf(lint->arena, "move %s to another pair of lines", fields[0]);
		finding->price = arena_printf(lint->arena,
			"up to %s transactions an operation, if every miss fetches both lines",
			lint_number(lint->arena, saved));
	}
	mem_free(others);
	mem_free(fields);
	mem_free(roles);
	mem_free(writers);
}

void lint_adjacent(struct lint *lint)
{
	uint64_t start;
	if (!lint->priced || lint->map->evidence == EVIDENCE_GROUP ||
		lint->map->model.instance != INSTANCE_SHARED || !start_in_pair(lint, &start))
		return;
	struct cost_model pairs = lint->one;
	pairs.line_bytes = PAIR;
	pairs.starts = &start;
	pairs.start_count = 1;
	bool *writers = mem_new(lint->map->role_count, sizeof(*writers));
	for (size_t i = 0; i < lint->map->field_count; i++) {
		lint_writers(lint, lint->cost.workload, i, writers);
		if (lint_count(writers, lint->map->role_count) &&
			is_fetched(lint, lint_span(&lint->one, i, lint->starts[0])))
			tell_across(lint, &pairs, i);
	}
	mem_free(writers);
}

#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "lint/rules.h"

static bool touches(const struct lint *lint, size_t role, size_t field)
{
	const double *counts = lint->map->fields[field].counts[role];
	double sum = 0;
	for (int kind = 0; kind < ACCESS_KIND_COUNT; kind++)
		sum += counts[kind];
	/* any element of an array may be the one: where it lies is not a matter of order */
	return sum >= LINT_HOT && lint->one.fields[field].place == COST_BYTES;
}

struct range {
	uint64_t from, to; /* [from, to) */
};

static int compare_ranges(const void *left, const void *right)
{
	const struct range *a = left, *b = right;
	return a->from < b->from ? -1 : a->from > b->from;
}

/* How much the ranges cover, what overlaps once. */
static uint64_t cover(struct range *ranges, size_t count)
{
	uint64_t sum = 0, end = 0;
	if (count)
		qsort(ranges, count, sizeof(*ranges), compare_ranges);
	for (size_t i = 0; i < count; i++) {
		uint64_t from = ranges[i].from < end ? end : ranges[i].from;
		sum += ranges[i].to > from ? ranges[i].to - from : 0;
		end = ranges[i].to > end ? ranges[i].to : end;
	}
	return sum;
}

static uint64_t count_bytes(const struct lint *lint, const bool *chosen)
{
	struct range *ranges = mem_new(lint->map->field_count, sizeof(*ranges));
	size_t count = 0;
	for (size_t i = 0; i < lint->map->field_count; i++) {
		const struct cost_field *field = &lint->one.fields[i];
		if (chosen[i])
			ranges[count++] = (struct range){
				field->off_bytes, field->off_bytes + field->size_bytes};
	}
	uint64_t bytes = cover(ranges, count);
	mem_free(ranges);
	return bytes;
}

static uint64_t count_lines(const struct lint *lint, const bool *chosen, uint64_t start)
{
	struct range *ranges = mem_new(lint->map->field_count, sizeof(*ranges));
	size_t count = 0;
	for (size_t i = 0; i < lint->map->field_count; i++) {
		struct lint_span span = lint_span(&lint->one, i, start);
		if (chosen[i])
			ranges[count++] = (struct range){span.first, span.last + 1};
	}
	uint64_t lines = cover(ranges, count);
	mem_free(ranges);
	return lines;
}

static uint64_t lines_for(const struct lint *lint, uint64_t bytes)
{
	return number_parts(bytes, lint->layout->line_bytes);
}

/*
 * Least: what is written stays apart from what is only read, as LL001 wants it, so that the two
 * rules never ask for opposite things.
 */
static uint64_t least_lines(const struct lint *lint, const bool *chosen, bool *split)
{
	size_t count = lint->map->field_count;
	bool *part = mem_new(count, sizeof(*part));
	for (size_t i = 0; i < count; i++)
		part[i] = chosen[i] && lint_is_written(lint, i);
	uint64_t written = lines_for(lint, count_bytes(lint, part));
	for (size_t i = 0; i < count; i++)
		part[i] = chosen[i] && !part[i];
	uint64_t read = lines_for(lint, count_bytes(lint, part));
	*split = written && read;
	mem_free(part);
	return written + read;
}

static void scattered_of(struct lint *lint, size_t role, bool *chosen, const char **names)
{
	size_t count = 0, holds = 0;
	uint64_t fewest = UINT64_MAX, most = 0, first = UINT64_MAX;
	bool split;
	for (size_t i = 0; i < lint->map->field_count; i++) {
		chosen[i] = touches(lint, role, i);
		if (!chosen[i])
			continue;
		names[count++] = lint->map->fields[i].member->path;
		uint64_t line = lint->one.fields[i].off_bytes / lint->layout->line_bytes;
		first = line < first ? line : first;
	}
	uint64_t least = least_lines(lint, chosen, &split);
	for (size_t i = 0; i < lint->start_count; i++) {
		uint64_t lines = count_lines(lint, chosen, lint->starts[i]);
		fewest = lines < fewest ? lines : fewest;
		most = lines > most ? lines : most;
		holds += lines > least;
	}
	if (count < 2 || 2 * holds < lint->start_count) /* one that lies across lines is LL003's */
		return;
	struct finding *finding =
		lint_add(lint, "LL004", SEVERITY_INFO, lint->map->roles[role].name);
	lint_set_fields(lint, finding, names, count);
	finding->line = first;
	finding->placements = lint->start_count;
	finding->placements_hold = holds;
	const char *range =
		fewest == most ? ""
			       : arena_printf(lint->arena, "%llu to ", (unsigned long long)fewest);
	finding->message = arena_printf(lint->arena,
		"%s touches %zu fields on %s%llu lines; %llu would hold them%s",
		lint->map->roles[role].name, count, range, (unsigned long long)most,
		(unsigned long long)least,
		split ? ", what is written apart from what is read" : "");
	finding->advice = arena_printf(lint->arena,
		"bring together what %s reads, and what it writes", lint->map->roles[role].name);
}

void lint_scattered(struct lint *lint)
{
	if (!lint->priced || lint->map->evidence == EVIDENCE_GROUP ||
		lint->map->model.instance == INSTANCE_PER_THREAD)
		return;
	bool *chosen = mem_new(lint->map->field_count, sizeof(*chosen));
	const char **names = mem_new(lint->map->field_count, sizeof(*names));
	for (size_t role = 0; role < lint->map->role_count; role++)
		scattered_of(lint, role, chosen, names);
	mem_free(chosen);
	mem_free(names);
}

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lint/rules.h"

/* ---- LL003 ---- */

static bool is_scalar(const struct lint *lint, const struct layout_member *member)
{
	const struct type *type =
		types_get(lint->layout->types, types_strip(lint->layout->types, member->type));
	return !member->is_array && !type_is_aggregate(type) && *member->path;
}

static bool lies_across(const struct layout_member *member, uint64_t start, uint64_t line_bytes)
{
	return (start + layout_first_byte(member)) / line_bytes !=
	       (start + layout_last_byte(member)) / line_bytes;
}

/* It, or what it lies in, is in the profile. */
static bool is_accessed(const struct lint *lint, const struct layout_member *member)
{
	for (;;) {
		const struct access_field *field = access_find(lint->map, member);
		if (field && field->reads + field->writes > 0)
			return true;
		if (member->parent == LAYOUT_NO_PARENT)
			return false;
		member = &lint->layout->members[member->parent];
	}
}

static enum severity straddle_severity(
	const struct lint *lint, const struct layout_member *member, size_t holds)
{
	/*
	 * packed structs are often somebody else's format, which nobody reads in a loop: so only
	 * what is known to be used
	 */
	bool accessed = lint->profile && is_accessed(lint, member);
	if (2 * holds >= lint->start_count)
		return accessed ? SEVERITY_WARNING : SEVERITY_INFO;
	return holds && accessed ? SEVERITY_INFO : SEVERITY_NONE;
}

static void straddle_of(struct lint *lint, const struct layout_member *member)
{
	uint64_t line_bytes = lint->layout->line_bytes, off = layout_first_byte(member);
	size_t holds = 0;
	for (size_t i = 0; i < lint->start_count; i++)
		holds += lies_across(member, lint->starts[i], line_bytes);
	enum severity severity = straddle_severity(lint, member, holds);
	if (severity == SEVERITY_NONE)
		return;
	struct finding *finding = lint_add(lint, "LL003", severity, member->path);
	lint_set_fields(lint, finding, &member->path, 1);
	finding->line = off / line_bytes;
	finding->placements = lint->start_count;
	finding->placements_hold = holds;
	uint64_t bytes = layout_last_byte(member) - off + 1;
	const char *often = lint->start_count == 1
				    ? ""
				    : arena_printf(lint->arena, " in %zu of %zu placements", holds,
					      lint->start_count);
	finding->message = arena_printf(lint->arena,
		"offset %llu: %s, %llu bytes and aligned to %u, lies across two lines%s",
		(unsigned long long)off, member->path, (unsigned long long)bytes,
		member->align_bytes, often);
	finding->advice = arena_printf(lint->arena,
		"give %s its natural alignment, or move it off the border", member->path);
}

/* Fields that the profile wants together: resolved, and what they would take at least. */
struct kept {
	const struct layout_member **members;
	const char **names;
	size_t count;
	uint64_t bytes;
};

static bool on_one_line(const struct lint *lint, const struct kept *kept, uint64_t start)
{
	uint64_t least = UINT64_MAX, most = 0;
	for (size_t i = 0; i < kept->count; i++) {
		uint64_t first =
			(start + layout_first_byte(kept->members[i])) / lint->layout->line_bytes;
		uint64_t last =
			(start + layout_last_byte(kept->members[i])) / lint->layout->line_bytes;
		least = first < least ? first : least;
		most = last > most ? last : most;
	}
	return least == most;
}

static void judge_kept(struct lint *lint, const struct kept *kept)
{
	size_t apart = 0;
	for (size_t i = 0; i < lint->start_count; i++)
		apart += !on_one_line(lint, kept, lint->starts[i]);
	if (!apart || kept->bytes > lint->layout->line_bytes)
		return;
	struct finding *finding = lint_add(lint, "LL003",
		2 * apart >= lint->start_count ? SEVERITY_WARNING : SEVERITY_INFO,
		lint_list(lint->arena, kept->names, kept->count, kept->count));
	lint_set_fields(lint, finding, kept->names, kept->count);
	finding->line = layout_first_byte(kept->members[0]) / lint->layout->line_bytes;
	finding->placements = lint->start_count;
	finding->placements_hold = apart;
	const char *often = lint->start_count == 1
				    ? ""
				    : arena_printf(lint->arena, " in %zu of %zu placements", apart,
					      lint->start_count);
	finding->message = arena_printf(lint->arena,
		"%s are to be kept together and would fit one line (%llu of %llu bytes), but do "
		"not lie on one%s",
		lint_list(lint->arena, kept->names, kept->count, 4),
		(unsigned long long)kept->bytes, (unsigned long long)lint->layout->line_bytes,
		often);
	finding->advice =
		arena_printf(lint->arena, "move them onto one line, one behind the other");
}

static void keep_together(struct lint *lint, const struct profile_names *names)
{
	struct kept kept = {.members = mem_new(names->count, sizeof(*kept.members)),
		.names = mem_new(names->count, sizeof(*kept.names))};
	for (size_t i = 0; i < names->count; i++) {
		const struct layout_member *member = layout_find(lint->layout, names->names[i]);
		if (!member)
			continue; /* LL010 */
		kept.members[kept.count] = member;
		kept.names[kept.count++] = member->path;
		kept.bytes += layout_last_byte(member) - layout_first_byte(member) + 1;
	}
	if (kept.count > 1)
		judge_kept(lint, &kept);
	mem_free(kept.members);
	mem_free(kept.names);
}

void lint_straddle(struct lint *lint)
{
	for (size_t i = 0; i < lint->layout->member_count; i++) {
		const struct layout_member *member = &lint->layout->members[i];
		if (is_scalar(lint, member) &&
			layout_last_byte(member) - layout_first_byte(member) <
				lint->layout->line_bytes)
			straddle_of(lint, member);
	}
	for (size_t i = 0; lint->profile && i < lint->profile->constraints.keep_together_count; i++)
		keep_together(lint, &lint->profile->constraints.keep_together[i]);
}

/* ---- LL004 ---- */

static bool touches(const struct lint *lint, size_t role, size_t field)
{
	const double *counts = lint->map->fields[field].counts[role];
	double sum = 0;
	for (int kind = 0; kind < ACCESS_KIND_COUNT; kind++)
		sum += counts[kind];
	/* any element of an array may be the one: where it lies is not a matter of order */
	return sum >= LINT_HOT && lint->one.fields[field].place == COST_BYTES;
}

static bool written_by_some(const struct lint *lint, size_t field)
{
	for (size_t i = 0; i < lint->map->role_count; i++)
		if (lint_writes(lint, field, i) > 0)
			return true;
	return false;
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
	return (bytes + lint->layout->line_bytes - 1) / lint->layout->line_bytes;
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
		part[i] = chosen[i] && written_by_some(lint, i);
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

/* ---- LL011 ---- */

void lint_definitions(struct lint *lint)
{
	const struct lint_input *input = lint->input;
	if (input->layouts < 2)
		return;
	const char *field = lint_any_field(lint);
	const char *units =
		input->unit_count
			? arena_printf(lint->arena, ": in %s",
				  lint_list(lint->arena, input->units, input->unit_count, 4))
			: "";
	struct finding *finding = lint_add(lint, "LL011", SEVERITY_INFO, "");
	lint_set_fields(lint, finding, &field, 1);
	finding->message = arena_printf(lint->arena, "%s has %u layouts in this binary%s",
		lint->layout->name, input->layouts, units);
	finding->advice = "look at each of them with --all-definitions";
}

#include <string.h>

#include "base/mem.h"
#include "lint/rules.h"

/* What findings of LL001 and LL002 say. */

bool lint_pair_lists(const struct lint_pair *pair, size_t field)
{
	for (size_t i = 0; i < pair->other_count; i++)
		if (pair->others[i] == field)
			return true;
	return false;
}

enum moved { MOVED_ALL, MOVED_BESIDE_WRITTEN };

/* Names of what is moved: the written field first, if it is and is asked for. */
static const char *moved_names(
	const struct lint *lint, const struct lint_pair *pair, enum moved which, size_t show)
{
	const char **names = mem_new(lint->map->field_count, sizeof(*names));
	size_t count = 0;
	if (which == MOVED_ALL && pair->moved[pair->written])
		names[count++] = lint_field_name(lint, pair->written);
	for (size_t i = 0; i < lint->map->field_count; i++)
		if (pair->moved[i] && i != pair->written)
			names[count++] = lint_field_name(lint, i);
	const char *list = lint_list(lint->arena, names, count, show);
	mem_free(names);
	return list;
}

/* Nobody knows what an access of unknown kind does. */
static bool some_unknown(const struct lint *lint, const struct lint_pair *pair)
{
	for (size_t i = 0; i < pair->other_count; i++) {
		double known = 0;
		for (size_t k = 0; k < lint->map->role_count; k++)
			known += pair->roles[k]
					 ? lint->map->fields[pair->others[i]].counts[k][ACCESS_READ]
					 : 0;
		if (!(known > 0))
			return true;
	}
	return false;
}

/* "that it reads" */
static const char *used_by(const struct lint *lint, const struct lint_pair *pair)
{
	size_t roles = lint->map->role_count;
	bool same = memcmp(pair->roles, pair->writers, roles * sizeof(bool)) == 0;
	if (pair->relation == LINT_WRITTEN)
		return arena_printf(lint->arena, ", written by %s", lint_roles(lint, pair->roles));
	bool they = lint_is_plural(lint, pair->roles);
	return arena_printf(lint->arena, " that %s %s%s",
		same ? they ? "they" : "it" : lint_roles(lint, pair->roles),
		some_unknown(lint, pair) ? "access" : "read",
		they                       ? ""
		: some_unknown(lint, pair) ? "es"
					   : "s");
}

const char *lint_describe_pair(const struct lint *lint, const struct lint_pair *pair)
{
	struct arena *arena = lint->arena;
	uint64_t off_bytes = lint->one.fields[pair->written].off_bytes;
	bool line_known =
		(lint->start_count == 1 && lint->starts[0] == 0) || lint->input->variables;
	const char *where =
		line_known ? lint_line_name(lint, off_bytes / lint->one.line_bytes)
			   : arena_printf(arena, "offset %llu", (unsigned long long)off_bytes);
	const char *with = pair->move == LINT_MOVE_TOGETHER
				   ? arena_printf(arena, " together with %s",
					     moved_names(lint, pair, MOVED_BESIDE_WRITTEN, 3))
				   : "";
	return arena_printf(arena, "%s: %s, written by %s%s, shares a line %s%s", where,
		lint_field_name(lint, pair->written), lint_roles(lint, pair->writers), with,
		lint_with_others(lint, pair), used_by(lint, pair));
}

/* ---- ways out ---- */

/* Lines of a field, for an object that starts where the first ones do. */
static struct lint_span span_of(const struct lint *lint, size_t field)
{
	return lint_span(&lint->one, field, lint->starts[0]);
}

/* One of the roles reads a field, or writes it. */
static bool is_used(const struct lint *lint, size_t field, const bool *roles, bool written)
{
	for (size_t i = 0; i < lint->map->role_count; i++)
		if (roles[i] &&
			(written ? lint_writes(lint, field, i) : lint_reads(lint, field, i)) > 0)
			return true;
	return false;
}

/* A member begins or ends on the line, so that another can lie there. */
static bool has_border(const struct lint *lint, uint64_t line)
{
	uint64_t line_bytes = lint->one.line_bytes, start = lint->starts[0];
	for (size_t i = 0; i < lint->layout->member_count; i++) {
		const struct layout_member *member = &lint->layout->members[i];
		if (member->parent == LAYOUT_NO_PARENT && member->size_bytes &&
			((start + layout_first_byte(member)) / line_bytes == line ||
				(start + layout_last_byte(member) + 1) / line_bytes == line))
			return true;
	}
	return false;
}

/* The object has such a line on which the roles use nothing so; `moved` will not be there. */
static bool has_free_line(
	const struct lint *lint, const bool *moved, const bool *roles, bool written)
{
	uint64_t end = (lint->starts[0] + lint->one.size_bytes) / lint->one.line_bytes;
	for (uint64_t line = 0; line <= end && line < lint->layout->line_count; line++) {
		bool is_free = has_border(lint, line);
		for (size_t i = 0; i < lint->map->field_count && is_free; i++)
			is_free =
				moved[i] || !is_used(lint, i, roles, written) ||
				!lint_spans_meet(span_of(lint, i), (struct lint_span){line, line});
		if (is_free)
			return true;
	}
	return false;
}

/* The move saves about as much when it ends beside this field as on a line of its own. */
static bool is_good_company(
	const struct lint *lint, const struct lint_pair *pair, size_t field, double before)
{
	struct lint_trial trial = {.model = &lint->one,
		.together = pair->moved,
		.beside = &field,
		.interleave = 1,
		.start = LINT_ALL,
		.workload = pair->workload};
	return before - lint_trial_total(&trial) >= 0.9 * pair->avoidable;
}

/* The writers of the field write it besides, away from what theirs disturbs. */
static bool is_company(const struct lint *lint, const struct lint_pair *pair, size_t field)
{
	if (pair->moved[field] || field == pair->written || lint_pair_lists(pair, field) ||
		lint->one.fields[field].place != COST_BYTES ||
		!is_used(lint, field, pair->writers, true) ||
		!lint_written_together(lint, pair->workload, pair->written, field))
		return false;
	for (size_t i = 0; i < pair->other_count; i++)
		if (lint_spans_meet(span_of(lint, field), span_of(lint, pair->others[i])))
			return false;
	return true;
}

/* Some of what the operations that write the field write elsewhere; NULL: nothing. */
static const char *good_company(const struct lint *lint, const struct lint_pair *pair)
{
	enum { ENOUGH = 4 };
	const char *names[ENOUGH];
	struct lint_trial now = {.model = &lint->one,
		.interleave = 1,
		.start = LINT_ALL,
		.workload = pair->workload};
	double before = lint_trial_total(&now);
	size_t count = 0;
	for (size_t i = 0; i < lint->map->field_count && count < ENOUGH; i++)
		if (is_company(lint, pair, i) && is_good_company(lint, pair, i, before))
			names[count++] = lint_field_name(lint, i);
	return count ? lint_list(lint->arena, names, count, ENOUGH) : NULL;
}

/* "a line that readers do not read" */
static const char *free_line(const struct lint *lint, const bool *roles, bool written)
{
	const char *verb = written ? "write" : "read";
	if (lint_is_everybody(lint, roles))
		return arena_printf(lint->arena, "a line that no thread %ss", verb);
	return arena_printf(lint->arena, "a line that %s %s not %s", lint_all_roles(lint, roles),
		lint_is_plural(lint, roles) ? "do" : "does", verb);
}

/* Where the written field can go, with what goes along. */
static const char *destination(const struct lint *lint, const struct lint_pair *pair)
{
	bool written = pair->relation == LINT_WRITTEN;
	bool one = lint_count(pair->moved, lint->map->field_count) == 1;
	if (has_free_line(lint, pair->moved, pair->roles, written))
		return free_line(lint, pair->roles, written);
	const char *company = good_company(lint, pair);
	return arena_printf(lint->arena, "a line of %s own%s%s%s", one ? "its" : "their",
		company ? ", or beside what the same operations write (" : "",
		company ? company : "", company ? ")" : "");
}

/* Where what the written field disturbs can go. */
static const char *refuge(const struct lint *lint, const struct lint_pair *pair)
{
	bool *others = mem_new(lint->map->field_count, sizeof(*others));
	for (size_t i = 0; i < pair->other_count; i++)
		others[pair->others[i]] = true;
	bool there_is_one = has_free_line(lint, others, pair->writers, true);
	mem_free(others);
	if (there_is_one)
		return free_line(lint, pair->writers, true);
	return arena_printf(
		lint->arena, "a line of %s own", pair->other_count == 1 ? "its" : "their");
}

static const char *other_names(const struct lint *lint, const struct lint_pair *pair)
{
	const char **names = mem_new(pair->other_count, sizeof(*names));
	for (size_t i = 0; i < pair->other_count; i++)
		names[i] = lint_field_name(lint, pair->others[i]);
	const char *list = lint_list(lint->arena, names, pair->other_count, pair->other_count);
	mem_free(names);
	return list;
}

static const char *way_out(const struct lint *lint, const struct lint_pair *pair)
{
	struct arena *arena = lint->arena;
	size_t all = lint->map->field_count;
	const struct layout_member *array = lint_array_of(lint, pair->written);
	switch (pair->move) {
	case LINT_MOVE_ARRAY:
		if (pair->either)
			return arena_printf(arena,
				"move %s to %s, or give the array %s lines of its own",
				other_names(lint, pair), refuge(lint, pair), array->path);
		return arena_printf(arena, "give the array %s lines of its own", array->path);
	case LINT_MOVE_OTHERS:
		return arena_printf(
			arena, "move %s to %s", other_names(lint, pair), refuge(lint, pair));
	case LINT_MOVE_TOGETHER:
	case LINT_MOVE_FIELD:
		break;
	}
	if (array && array != lint->map->fields[pair->written].member &&
		lint->one.fields[pair->written].place != COST_BYTES)
		return arena_printf(arena,
			"give %s an array of its own, or a line of its own in each element of %s",
			lint_field_name(lint, pair->written), array->path);
	return arena_printf(arena, "move %s to %s", moved_names(lint, pair, MOVED_ALL, all),
		destination(lint, pair));
}

/* One move answers several findings. */
static const char *answered(const struct lint *lint, const struct lint_pair *pair, const bool *told)
{
	const char **names = mem_new(lint->pair_count, sizeof(*names));
	size_t count = 0;
	for (size_t i = 0; i < lint->pair_count; i++) {
		const struct lint_pair *other = &lint->pairs[i];
		if (told[i] && other->relation == pair->relation && other->move == pair->move &&
			other->workload == pair->workload &&
			memcmp(other->moved, pair->moved, lint->map->field_count * sizeof(bool)) ==
				0)
			names[count++] = lint_field_name(lint, other->written);
	}
	const char *list = count < 2 ? NULL : lint_list(lint->arena, names, count, count);
	mem_free(names);
	return list;
}

const char *lint_advise_pair(
	const struct lint *lint, const struct lint_pair *pair, const bool *told)
{
	const char *list = answered(lint, pair, told);
	return list ? arena_printf(lint->arena, "%s; one move for the findings of %s",
			      way_out(lint, pair), list)
		    : way_out(lint, pair);
}

#include <string.h>

#include "lint/rules.h"

static void set_position(
	const struct lint *lint, struct finding *finding, struct profile_position position)
{
	finding->position = position;
	finding->file = lint->profile->document ? lint->profile->document->path : NULL;
}

/* ---- LL009 ---- */

static struct lint_span lines_of(const struct lint *lint, const struct layout_member *member)
{
	/* an expectation is about objects that start a line, unless all start at one other place */
	uint64_t start = lint->start_count == 1 ? lint->starts[0] : 0;
	return (struct lint_span){(start + layout_first_byte(member)) / lint->layout->line_bytes,
		(start + layout_last_byte(member)) / lint->layout->line_bytes};
}

static const char *lines_text(const struct lint *lint, const struct layout_member *member)
{
	struct lint_span span = lines_of(lint, member);
	if (span.first == span.last)
		return lint_line_name(lint, span.first);
	if (lint->input->variables)
		return arena_printf(lint->arena, "%s to %s", lint_line_name(lint, span.first),
			lint_line_name(lint, span.last));
	return arena_printf(lint->arena, "lines %llu to %llu", (unsigned long long)span.first,
		(unsigned long long)span.last);
}

/* The first two that do not keep to it; false when all do, as far as they exist. */
static bool breaks_pair(const struct lint *lint, const struct profile_expect *expect,
	const struct layout_member **first, const struct layout_member **second)
{
	for (size_t i = 0; i < expect->field_count; i++) {
		*first = layout_find(lint->layout, expect->fields[i]);
		for (size_t k = i + 1; *first && k < expect->field_count; k++) {
			*second = layout_find(lint->layout, expect->fields[k]);
			if (!*second)
				continue;
			struct lint_span a = lines_of(lint, *first), b = lines_of(lint, *second);
			bool one_line =
				a.first == a.last && b.first == b.last && a.first == b.first;
			if (expect->kind == EXPECT_SAME_LINE ? !one_line : lint_spans_meet(a, b))
				return true;
		}
	}
	return false;
}

static const char *broken_pair(const struct lint *lint, const struct profile_expect *expect)
{
	const struct layout_member *first, *second;
	if (!breaks_pair(lint, expect, &first, &second))
		return NULL;
	if (expect->kind == EXPECT_APART &&
		strcmp(lines_text(lint, first), lines_text(lint, second)) == 0)
		return arena_printf(lint->arena, "expected %s apart: %s and %s both lie on %s",
			lint_list(lint->arena, expect->fields, expect->field_count, 4), first->path,
			second->path, lines_text(lint, first));
	return arena_printf(lint->arena, "expected %s %s: %s lies on %s, %s on %s",
		lint_list(lint->arena, expect->fields, expect->field_count, 4),
		expect->kind == EXPECT_SAME_LINE ? "on the same line" : "apart", first->path,
		lines_text(lint, first), second->path, lines_text(lint, second));
}

static const char *broken_line(const struct lint *lint, const struct profile_expect *expect)
{
	const struct layout_member *member =
		expect->field_count ? layout_find(lint->layout, expect->fields[0]) : NULL;
	if (!member || lines_of(lint, member).first == expect->value)
		return NULL;
	return arena_printf(lint->arena, "expected %s on line %llu: it lies on %s", member->path,
		(unsigned long long)expect->value, lines_text(lint, member));
}

static const char *broken_size(
	const struct lint *lint, const char *unit, uint64_t most, uint64_t now)
{
	if (now <= most)
		return NULL;
	return arena_printf(lint->arena, "expected at most %llu %s: there are %llu",
		(unsigned long long)most, unit, (unsigned long long)now);
}

static const char *broken(const struct lint *lint, const struct profile_expect *expect)
{
	switch (expect->kind) {
	case EXPECT_SAME_LINE:
	case EXPECT_APART:
		return broken_pair(lint, expect);
	case EXPECT_LINE:
		return broken_line(lint, expect);
	case EXPECT_MAX_SIZE:
		return broken_size(lint, "bytes", expect->value,
			lint->layout->size_bytes); /* 0 when not constant */
	case EXPECT_MAX_LINES:
		return broken_size(lint, "lines", expect->value, lint->layout->line_count);
	}
	return NULL;
}

void lint_expect(struct lint *lint)
{
	static const char *const kinds[] = {"same_line", "apart", "line", "max_size", "max_lines"};
	for (size_t i = 0; lint->profile && i < lint->profile->expect_count; i++) {
		const struct profile_expect *expect = &lint->profile->expects[i];
		const char *message = broken(lint, expect);
		if (!message)
			continue;
		const char *any = lint_any_field(lint);
		const char *subject = arena_printf(lint->arena, "%s %s", kinds[expect->kind],
			lint_list(lint->arena, expect->fields, expect->field_count,
				expect->field_count));
		struct finding *finding = lint_add(lint, "LL009", SEVERITY_ERROR, subject);
		lint_set_fields(lint, finding, expect->field_count ? expect->fields : &any,
			expect->field_count ? expect->field_count : 1);
		const struct layout_member *member = layout_find(lint->layout, finding->fields[0]);
		finding->line = member ? layout_first_byte(member) / lint->layout->line_bytes : 0;
		finding->message = message;
		finding->advice = "restore the layout, or change the expectation and say why";
		set_position(lint, finding, expect->position);
	}
}

/* ---- LL010 ---- */

static void tell_missing(struct lint *lint, const struct access_missing *missing)
{
	/* nobody who meets it can correct the profile that comes with the program */
	enum severity severity =
		lint->map->evidence == EVIDENCE_SHIPPED ? SEVERITY_INFO : SEVERITY_ERROR;
	struct finding *finding = lint_add(lint, "LL010", severity, missing->path);
	lint_set_fields(lint, finding, &missing->path, 1);
	finding->message = arena_printf(lint->arena, "%s: %s", missing->path, missing->why);
	finding->advice = missing->advice ? missing->advice : "correct the name";
	set_position(lint, finding, missing->position);
}

void lint_stale(struct lint *lint)
{
	for (size_t i = 0; lint->profile && i < lint->map->missing_count; i++)
		tell_missing(lint, &lint->map->missing[i]);
}

/* Versions differ in what the shipped profile ignores. */
void lint_stale_ignores(struct lint *lint, const bool *used)
{
	if (!lint->profile || !lint->layout->member_count ||
		lint->map->evidence == EVIDENCE_SHIPPED)
		return;
	for (size_t i = 0; i < lint->profile->ignore_count; i++) {
		const struct profile_ignore *ignore = &lint->profile->ignores[i];
		const char *any = lint_any_field(lint);
		if (used[i])
			continue;
		const char *of = lint_list(
			lint->arena, ignore->fields, ignore->field_count, ignore->field_count);
		struct finding *finding = lint_add(lint, "LL010", SEVERITY_INFO,
			arena_printf(lint->arena, "ignore %s %s", ignore->rule, of));
		lint_set_fields(lint, finding, ignore->field_count ? ignore->fields : &any,
			ignore->field_count ? ignore->field_count : 1);
		finding->message = arena_printf(lint->arena,
			"the profile ignores %s%s%s, and there is no such finding", ignore->rule,
			ignore->field_count ? " of " : "", of);
		finding->advice = "delete it from `ignore`";
		set_position(lint, finding, ignore->position);
	}
}

#include <string.h>

#include "base/mem.h"
#include "lint/rules.h"

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

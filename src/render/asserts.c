/*
 * Assertions in C that keep a layout: that of the suggestion where one is shown, else today's. Each accessed field stays
 * on its line, the type keeps the alignment by which objects start one, the struct does not grow, and members of the kernel's cacheline groups stay in them. static_assert is what C11
 * (<assert.h>), C++11 and the kernel have in common, and __alignof__ what their compilers have.
 */
#include <inttypes.h>
#include <string.h>

#include "render/text.h"

/* Where a member lies: today, or in the suggested order. */
static uint64_t offset_of(const struct suggestion *suggestion, const struct layout_member *member)
{
	for (size_t i = 0; suggestion && i < suggestion->order_count; i++) {
		const struct layout_member *top = suggestion->order[i].member;
		/* an unnamed aggregate's members move as it does */
		if (member >= top && member <= top + top->descendants)
			return (member->off_bits - top->off_bits + suggestion->order[i].off_bits) /
			       8;
	}
	return layout_first_byte(member);
}

/* What offsetof() takes: no bit-field; of what lies in an array the array itself. */
static const struct layout_member *assertable(
	const struct layout *layout, const struct layout_member *member)
{
	while (member->in_array && member->parent != LAYOUT_NO_PARENT)
		member = &layout->members[member->parent];
	return member->bit_size || !*member->path ? NULL : member;
}

static void print_lines(FILE *out, struct arena *arena, const struct report_struct *report,
	const struct suggestion *suggestion, const char *type)
{
	const struct access_map *map = &report->access;
	const struct layout_member *last = NULL;
	uint64_t line_bytes = report->layout.line_bytes;
	for (size_t i = 0; i < map->field_count; i++) {
		const struct layout_member *member =
			assertable(&report->layout, map->fields[i].member);
		if (!member || member == last || map->fields[i].reads + map->fields[i].writes <= 0)
			continue;
		last = member;
		uint64_t line = offset_of(suggestion, member) / line_bytes;
		fprintf(out,
			"static_assert(offsetof(%s, %s) / %" PRIu64 " == %" PRIu64
			", \"%s: line %" PRIu64 "\");\n",
			type, text_visible(arena, member->path), line_bytes, line,
			text_visible(arena, member->path), line);
	}
}

static void print_groups(
	FILE *out, struct arena *arena, const struct layout *layout, const char *type)
{
	const char *group = NULL, *name;
	for (size_t i = 0; i < layout->member_count; i += 1 + layout->members[i].descendants) {
		const struct layout_member *member = &layout->members[i];
		int marker = layout_group_marker(member, &name);
		if (marker)
			group = marker > 0 ? name : NULL;
		else if (group && *member->name && !member->bit_size)
			fprintf(out, "CACHELINE_ASSERT_GROUP_MEMBER(%s, %s, %s);\n", type,
				text_visible(arena, group), text_visible(arena, member->name));
	}
}

/* Where it is the type that makes objects start a line, and not whoever allocates them. */
static bool is_aligned(const struct report_struct *report, const struct suggestion *suggestion)
{
	uint64_t align = suggestion ? suggestion->align_after : report->layout.align_bytes;
	return align >= report->layout.line_bytes;
}

static void print_alignment(FILE *out, const struct report_struct *report,
	const struct suggestion *suggestion, const char *type, const char *said)
{
	if (is_aligned(report, suggestion))
		fprintf(out,
			"static_assert(__alignof__(%s) >= %" PRIu64
			", \"%s: objects start a line\");\n",
			type, report->layout.line_bytes, said);
}

/* What the lines below rest on. */
static const char *placement_text(struct arena *arena, const struct report_struct *report,
	const struct suggestion *suggestion)
{
	if (report->access.model.start_count > 1)
		return "lines of an object that starts one";
	if (is_aligned(report, suggestion))
		return "objects start a line";
	return arena_printf(arena,
		"objects start a line, which is up to what allocates them: their alignment is "
		"%" PRIu64,
		suggestion ? suggestion->align_after : (uint64_t)report->layout.align_bytes);
}

static void begin(FILE *out, const struct render_style *style, const struct report_frame *frame)
{
	(void)style;
	fputs(frame->binaries[0].is_kernel ? "#include <linux/build_bug.h>\n#include "
					     "<linux/cache.h>\n#include <linux/stddef.h>\n\n"
					   : "#include <assert.h>\n#include <stddef.h>\n\n",
		out);
}

static void one(FILE *out, const struct render_style *style, const struct report_frame *frame,
	const struct report_struct *report, size_t number)
{
	const struct type *declared = types_get(report->layout.types, report->layout.type);
	const struct suggestion *suggestion = report_first_suggestion(report);
	struct arena arena;
	(void)style;
	(void)frame;
	arena_init(&arena);
	/* the scope of a function can be named by nobody: inside of it the name alone is enough */
	const char *type = text_visible(
		&arena, report->source.is_local ? report->layout.name : report->qualified_name);
	bool is_tag = declared->name && *declared->name;
	if (is_tag)
		type = arena_printf(&arena, "%s %s", type_keyword(report->source.kind), type);
	fprintf(out, "%s/* %s%s, %s; %s. */\n", number ? "\n" : "", type,
		report->source.is_local ? arena_printf(&arena, ", to stand inside of %s",
						  text_visible(&arena, report->source.scope))
					: "",
		suggestion ? "as suggested" : "as it is",
		placement_text(&arena, report, suggestion));
	const char *said = type;
	if (strchr(type, ',')) { /* it would be two arguments of offsetof(), which is a macro */
		type = arena_printf(&arena, "linelint_%zu", number + 1);
		fprintf(out, "typedef %s %s;\n", said, type);
	}
	print_alignment(out, report, suggestion, type, said);
	print_lines(out, &arena, report, suggestion, type);
	print_groups(out, &arena, &report->layout, type);
	if (report->layout.size_known)
		fprintf(out, "static_assert(sizeof(%s) <= %" PRIu64 ", \"%s has grown\");\n", type,
			suggestion ? suggestion->size_after : report->layout.size_bytes, said);
	arena_release(&arena);
}

const struct renderer render_asserts = {
	.name = "c-asserts",
	.summary = "assertions in C that keep the suggested layout, with --suggest none today's",
	.verbs = "struct",
	.struct_kinds = 1U << SUGGEST_MINIMAL,
	.begin = begin,
	.one = one,
};

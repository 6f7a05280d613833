#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/number.h"
#include "render/text.h"

enum { INDENT = 2, ROWS_SHOWN = 40 };

/* A struct being printed. */
struct view {
	FILE *out;
	const struct render_style *style;
	const struct diff *diff;
	struct arena *arena; /* scratch */
};

static const char *declaration(
	struct arena *arena, const struct report_struct *report, const struct layout_member *member)
{
	return text_declaration(arena, &report->layout, member, 48);
}

/* "8", "8 (line 0)" */
static const char *place_text(const struct view *view, const struct report_struct *report,
	const struct layout_member *member)
{
	uint64_t first = layout_first_byte(member);
	return arena_printf(view->arena, "%s (line %" PRIu64 ")",
		text_bytes(view->arena, view->style, first), first / report->layout.line_bytes);
}

/* "1", "0 to 1" */
static const char *lines_text(const struct view *view, const struct report_struct *report,
	const struct layout_member *member)
{
	uint64_t line_bytes = report->layout.line_bytes;
	uint64_t first = layout_first_byte(member) / line_bytes;
	uint64_t last = layout_last_byte(member) / line_bytes;
	return first == last ? arena_printf(view->arena, "%" PRIu64, first)
			     : arena_printf(view->arena, "%" PRIu64 " to %" PRIu64, first, last);
}

static bool is_same_place(const struct diff_member *member)
{
	return layout_first_byte(member->before) == layout_first_byte(member->after);
}

static void print_member(const struct view *view, const struct diff_member *member)
{
	const struct diff *diff = view->diff;
	struct arena *arena = view->arena;
	const char *text;
	if (!member->before)
		text = arena_printf(arena, "added at %s: %s",
			place_text(view, diff->after, member->after),
			declaration(arena, diff->after, member->after));
	else if (!member->after)
		text = arena_printf(arena, "removed from %s: %s",
			place_text(view, diff->before, member->before),
			declaration(arena, diff->before, member->before));
	else if (!member->is_moved && is_same_place(member))
		text = arena_printf(
			arena, "other type at %s", place_text(view, diff->after, member->after));
	else
		text = arena_printf(arena, "%s%s%s %s -> %s", member->is_moved ? "moved" : "",
			member->is_moved && member->is_retyped ? ", " : "",
			member->is_retyped ? "other type" : "",
			place_text(view, diff->before, member->before),
			place_text(view, diff->after, member->after));
	if (member->before && member->after && member->is_retyped)
		text = arena_printf(arena, "%s: %s -> %s", text,
			declaration(arena, diff->before, member->before),
			declaration(arena, diff->after, member->after));
	int column = fprintf(view->out, "%*s%s: ", INDENT, "", text_visible(arena, member->path));
	text_wrap(view->out, view->style, (size_t)column, INDENT + 4, text_visible(arena, text));
}

static void print_members(const struct view *view)
{
	const struct diff *diff = view->diff;
	size_t shown = 0, left = 0;
	const char *carried = "";
	for (size_t i = 0; i < diff->member_count; i++) {
		const struct diff_member *member = &diff->members[i];
		if (member->is_elsewhere) {
			carried = arena_printf(view->arena, "%s%s%s (%s -> %s)", carried,
				*carried ? ", " : "", member->path,
				lines_text(view, diff->before, member->before),
				lines_text(view, diff->after, member->after));
		} else if (shown < ROWS_SHOWN || view->style->verbose) {
			print_member(view, member);
			shown++;
		} else {
			left++;
		}
	}
	if (left)
		fprintf(view->out, "%*sand %zu member%s more with --verbose\n", INDENT, "", left,
			number_s(left));
	if (!*carried)
		return;
	int column = fprintf(view->out, "%*son other lines, not moved: ", INDENT, "");
	text_wrap(view->out, view->style, (size_t)column, INDENT + 4,
		text_visible(view->arena, carried));
}

static void print_finding(const struct view *view, const struct diff_finding *item)
{
	const struct finding *before = item->before, *after = item->after;
	const struct finding *finding = after ? after : before;
	assert(finding && "one of them is there");
	const char *what = before ? "gone: " : "new: ";
	if (before && after)
		what = arena_printf(view->arena,
			"%s: was %s: ", after->severity < before->severity ? "worse" : "better",
			severity_name(before->severity));
	if (!(before && after) && finding->severity == SEVERITY_INFO && !view->style->verbose)
		return;
	int column = fprintf(view->out, "%*s%s", INDENT, "", what);
	text_wrap(view->out, view->style, (size_t)column, INDENT + 4,
		text_visible(view->arena,
			arena_printf(view->arena, "%s %s %s: %s", severity_name(finding->severity),
				finding->rule->id, finding->rule->name, finding->message)));
}

static void print_pairs(const struct view *view, bool is_new)
{
	const struct diff *diff = view->diff;
	const struct suggest_pair *pairs = is_new ? diff->fresh : diff->gone;
	size_t count = is_new ? diff->fresh_count : diff->gone_count;
	if (!count)
		return;
	int column = fprintf(view->out, "%*s%s", INDENT, "",
		is_new ? "on one line now: " : "on one line no longer: ");
	text_wrap(view->out, view->style, (size_t)column, INDENT + 4,
		text_visible(view->arena,
			text_pairs(view->arena, view->style, is_new ? diff->after : diff->before, NULL,
				pairs, count, is_new)));
}

static const char *side_text(const struct view *view, bool has, double cost)
{
	return has ? text_cost(view->arena, cost) : "none";
}

static void print_cost(const struct view *view)
{
	const struct diff *diff = view->diff;
	struct arena *arena = view->arena;
	if (!diff->role_count)
		return;
	const char *text = arena_printf(arena, "cost: %s -> %s transactions an operation%s",
		side_text(view, diff->before && diff->before->access.role_count, diff->cost_before),
		side_text(view, diff->after && diff->after->access.role_count, diff->cost_after),
		diff->is_cost_worse ? ", worse" : "");
	for (size_t i = 0; i < diff->role_count; i++) {
		const struct diff_role *role = &diff->roles[i];
		text = arena_printf(arena, "%s%s %s %s -> %s", text, i ? "," : ";", role->name,
			side_text(view, role->has_before, role->before),
			side_text(view, role->has_after, role->after));
	}
	fprintf(view->out, "%*s", INDENT, "");
	text_wrap(view->out, view->style, INDENT, INDENT + 4, text_visible(arena, text));
}

static const char *change(const struct view *view, uint64_t before, uint64_t after)
{
	return before == after ? text_bytes(view->arena, view->style, after)
			       : arena_printf(view->arena, "%s -> %s",
					 text_bytes(view->arena, view->style, before),
					 text_bytes(view->arena, view->style, after));
}

static const char *title_text(const struct view *view)
{
	const struct diff *diff = view->diff;
	struct arena *arena = view->arena;
	if (!diff->before || !diff->after) {
		const struct layout *layout =
			diff->after ? &diff->after->layout : &diff->before->layout;
		return arena_printf(arena, "%s %s in %s",
			diff->after     ? "new,"
			: diff->is_lost ? "gone, which counts as worse; it had"
					: "gone,",
			text_plural(arena, layout->size_bytes, "byte"),
			text_plural(arena, layout->line_count, "line"));
	}
	const struct layout *old = &diff->before->layout, *new = &diff->after->layout;
	const char *text = arena_printf(arena, "%s bytes in %s line%s of %" PRIu64,
		change(view, old->size_bytes, new->size_bytes),
		change(view, old->line_count, new->line_count),
		old->line_count == 1 && new->line_count == 1 ? "" : "s", new->line_bytes);
	if (diff->objects_before || diff->objects_after)
		text = arena_printf(arena, "%s, %s objects in 4096 bytes", text,
			change(view, diff->objects_before, diff->objects_after));
	return diff->is_changed ? text : arena_printf(arena, "%s, no difference", text);
}

static void print_diff(FILE *out, const struct render_style *style, const struct diff *diff)
{
	struct arena arena;
	arena_init(&arena);
	const struct view view = {out, style, diff, &arena};
	const char *name = text_visible(&arena, diff->name);
	text_put(out, style, TEXT_STRONG, name);
	fputs(": ", out);
	text_wrap(out, style, text_columns(name) + 2, INDENT, title_text(&view));
	if (diff->before && diff->after)
		print_members(&view);
	for (size_t i = 0; i < diff->finding_count; i++)
		print_finding(&view, &diff->findings[i]);
	print_pairs(&view, false);
	print_pairs(&view, true);
	print_cost(&view);
	arena_release(&arena);
}

void text_diff(FILE *out, const struct render_style *style, const struct report_frame *frame,
	const struct diff *diffs, size_t count)
{
	size_t shown = 0, worse = 0;
	(void)frame;
	for (size_t i = 0; i < count; i++) {
		worse += diff_is_worse(&diffs[i]);
		if (!diffs[i].is_changed && count > 1 && !style->verbose)
			continue;
		if (shown++)
			fputc('\n', out);
		print_diff(out, style, &diffs[i]);
	}
	if (style->quiet || count < 2)
		return;
	size_t changed = 0;
	for (size_t i = 0; i < count; i++)
		changed += diffs[i].is_changed;
	fprintf(out, "%s%zu struct%s: %zu differ, %zu got worse\n", shown ? "\n" : "", count,
		count == 1 ? "" : "s", changed, worse);
}

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "render/text.h"
#include "render/text_parts.h"

enum { INDENT = 8, MOVES_SHOWN = 4, PAIRS_SHOWN = 6, PLACES_SHOWN = 6, IDLE_SHOWN = 3 };

/* A suggestion being printed. */
struct view {
	FILE *out;
	const struct render_style *style;
	const struct report_frame *frame;
	const struct report_struct *report;
	const struct suggestion *suggestion;
	struct arena *arena; /* scratch */
	size_t indent;       /* of the lines under the first */
};

const char *text_quoted(struct arena *arena, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-+./:,@%=";
	if (*word && !word[strspn(word, plain)])
		return word;
	const char *text = "'";
	for (size_t length; *word; word += length) {
		length = *word == '\'' ? 1 : strcspn(word, "'");
		text = *word == '\'' ? arena_printf(arena, "%s'\\''", text)
				     : arena_printf(arena, "%s%.*s", text, (int)length, word);
	}
	return arena_printf(arena, "%s'", text);
}

static void print_line(const struct view *view, const char *label, const char *text)
{
	int column = fprintf(view->out, "%*s%s", (int)view->indent, "", label);
	text_wrap(view->out, view->style, (size_t)column, view->indent + strlen(label),
		text_visible(view->arena, text));
}

static const char *join(struct arena *arena, const char *text, const char *more)
{
	return *text ? arena_printf(arena, "%s, %s", text, more) : more;
}

/* ---- what moves ---- */

static const char *where(const struct view *view, const char *after, bool is_last)
{
	struct arena *arena = view->arena;
	if (!after)
		return "to the front";
	return arena_printf(arena, is_last ? "to the end, behind %s" : "behind %s",
		text_unit(arena, view->report, after));
}

/* With its verb, where that is another than that of the move before. */
static const char *move_text(
	const struct view *view, const struct suggest_move *move, const struct suggest_move *before)
{
	const struct suggestion *s = view->suggestion;
	const char *name = text_unit(view->arena, view->report, move->field);
	bool says = !before || before->stays != move->stays;
	if (move->stays)
		return arena_printf(view->arena, "%s%s to %" PRIu32 " bytes where it stands",
			says ? "align " : "", name, move->align_bytes);
	bool is_last = s->unit_count && s->units[s->unit_count - 1] == move->unit;
	const char *text = arena_printf(view->arena, "%s%s %s", says ? "move " : "", name,
		where(view, move->after, is_last));
	if (move->align_bytes)
		text = arena_printf(
			view->arena, "%s, aligned to %" PRIu32 " bytes", text, move->align_bytes);
	return text;
}

static const char *moves_text(const struct view *view)
{
	const struct suggestion *s = view->suggestion;
	struct arena *arena = view->arena;
	const char *text = "";
	size_t shown = s->move_count > MOVES_SHOWN + 1 ? MOVES_SHOWN : s->move_count;
	for (size_t i = 0; i < shown; i++)
		text = i ? arena_printf(arena, "%s; %s", text,
				   move_text(view, &s->moves[i], &s->moves[i - 1]))
			 : move_text(view, &s->moves[i], NULL);
	if (shown < s->move_count)
		text = arena_printf(arena, "%s; and %zu more", text, s->move_count - shown);
	return arena_printf(arena, "%s (%s)", text,
		s->move_count == 1 ? "one declaration"
				   : arena_printf(arena, "%zu declarations", s->move_count));
}

/* ---- what it gains and what it costs ---- */

/* "3 lines", or "3 -> 4 lines" */
static const char *change_text(
	struct arena *arena, uint64_t before, uint64_t after, const char *one)
{
	if (before == after)
		return text_plural(arena, after, one);
	return arena_printf(arena, "%" PRIu64 " -> %s", before, text_plural(arena, after, one));
}

static const char *price_text(struct arena *arena, const struct suggestion *s)
{
	bool same = s->size_before == s->size_after && s->lines_before == s->lines_after &&
		    s->stride_before == s->stride_after;
	const char *text = arena_printf(arena, "%s, %s",
		change_text(arena, s->size_before, s->size_after, "byte"),
		change_text(arena, s->lines_before, s->lines_after, "line"));
	if (s->objects_before || s->objects_after)
		text = arena_printf(arena, "%s, %s in 4096 bytes", text,
			change_text(arena, s->objects_before, s->objects_after, "object"));
	return same ? arena_printf(arena, "%s, as before", text) : text;
}

/* Whoever allocates without saying an alignment has this one. */
enum { ALLOCATED_ALIGN = 16 };

const char *text_interface(
	struct arena *arena, const struct report_frame *frame, const struct suggestion *s)
{
	bool is_kernel = frame->binary_count && frame->binaries[0].is_kernel;
	const char *size = s->size_before == s->size_after
				   ? ""
				   : arena_printf(arena, "size %" PRIu64 " -> %" PRIu64,
					     s->size_before, s->size_after);
	const char *others = "structs that embed it and binary interfaces change";
	if (s->align_before == s->align_after)
		return *size ? arena_printf(arena, "%s: %s", size, others) : NULL;
	const char *how = s->align_after <= s->align_before || s->align_after <= ALLOCATED_ALIGN
				  ? ""
			  : is_kernel ? "allocate from a cache made with that alignment; "
				      : "allocate with aligned_alloc; ";
	return arena_printf(arena, "alignment %" PRIu64 " -> %" PRIu64 "%s%s: %s%s",
		s->align_before, s->align_after, *size ? ", " : "", size, how, others);
}

static const char *gain_text(struct arena *arena, const struct suggestion *s)
{
	const char *text = arena_printf(arena, "%s -> %s", text_cost(arena, s->cost_before),
		text_cost(arena, s->cost_after));
	double gain =
		s->cost_before > 0 ? 100 * (s->cost_before - s->cost_after) / s->cost_before : 0;
	if (gain >= 0.5)
		text = arena_printf(arena, "%s (%.0f %% less)", text, gain);
	return text;
}

static const char *cost_text(const struct view *view)
{
	const struct suggestion *s = view->suggestion;
	const struct access_map *map = &view->report->access;
	struct arena *arena = view->arena;
	const char *roles = "";
	for (size_t i = 0; i < map->role_count && map->role_count > 1; i++)
		roles = join(arena, roles,
			arena_printf(arena, "%s %s -> %s", map->roles[i].name,
				text_cost(arena, s->role_before[i]),
				text_cost(arena, s->role_after[i])));
	const char *text = gain_text(arena, s);
	return *roles ? arena_printf(arena, "%s: %s", text, roles) : text;
}

/* ---- pairs ---- */

static double writes_of(const struct report_struct *report, const char *path)
{
	const struct layout_member *member = layout_find(&report->layout, path);
	const struct access_field *field = member ? access_find(&report->access, member) : NULL;
	return field ? field->writes : 0;
}

static bool is_idle(const struct suggest_pair *pair)
{
	return fabs(pair->price) < TEXT_NOTHING;
}

static const char *pair_text(struct arena *arena, const struct report_struct *report,
	const struct text_parts *parts, const struct suggest_pair *pair)
{
	const char *why = "";
	if (!is_idle(pair) && pair->price < 0)
		why = writes_of(report, pair->other) > 0 ? ": one operation writes both"
							 : ": one operation uses both";
	return arena_printf(arena, "%s with %s%s (%s%s)", pair->written, pair->other,
		parts ? text_parts_places(arena, parts, pair) : "",
		is_idle(pair) ? "0" : text_cost(arena, pair->price), why);
}

const char *text_pairs(struct arena *arena, const struct render_style *style,
	const struct report_struct *report, const struct text_parts *parts,
	const struct suggest_pair *pairs, size_t count, bool is_new)
{
	const char *text = "";
	size_t shown = 0, more = 0, idle = 0;
	bool few = count <= IDLE_SHOWN; /* a new one is named, whatever it costs */
	for (size_t i = 0; i < count; i++) {
		if (!style->verbose && is_idle(&pairs[i]) && !(is_new && few))
			idle++;
		else if (shown++ < PAIRS_SHOWN || style->verbose)
			text = join(arena, text, pair_text(arena, report, parts, &pairs[i]));
		else
			more++;
	}
	if (more)
		text = join(arena, text, arena_printf(arena, "%zu more", more));
	if (idle)
		text = join(arena, text,
			arena_printf(arena, "%s that %s nothing", text_plural(arena, idle, "pair"),
				idle == 1 ? "costs" : "cost"));
	return text;
}

static const char *lines_text(struct arena *arena, uint64_t first, uint64_t last)
{
	if (first == last)
		return arena_printf(arena, "line %" PRIu64, first);
	return arena_printf(arena, "lines %" PRIu64 " %s %" PRIu64, first,
		last - first == 1 ? "and" : "to", last);
}

static const char *collateral_text(const struct view *view)
{
	const struct suggestion *s = view->suggestion;
	struct arena *arena = view->arena;
	const char *text = "";
	size_t shown = s->collateral_count > PAIRS_SHOWN + 1 ? PAIRS_SHOWN : s->collateral_count;
	for (size_t i = 0; i < shown; i++) {
		const struct suggest_collateral *item = &s->collateral[i];
		text = join(arena, text,
			arena_printf(arena, "%s from %s to %s", item->field,
				lines_text(arena, item->first_line_before, item->last_line_before),
				lines_text(arena, item->first_line_after, item->last_line_after)));
	}
	if (shown < s->collateral_count)
		text = arena_printf(arena, "%s and %zu more", text, s->collateral_count - shown);
	return text;
}

/* More than the findings that it mends could avoid, each by itself: what one operation uses has come together. */
static bool gains_by_pairs(const struct view *view, const struct text_parts *parts)
{
	const struct suggestion *s = view->suggestion;
	const struct lint_result *lint = &view->report->lint;
	double avoidable = 0;
	for (size_t i = 0; i < lint->finding_count; i++)
		if (lint->findings[i].parting > avoidable && report_mends(s, &lint->findings[i]))
			avoidable = lint->findings[i].parting;
	double more = s->cost_before - s->cost_after - avoidable;
	return avoidable > 0 && more > avoidable / 2 && -parts->together.sum > more / 2;
}

static void print_list(const struct view *view, const char *label, const struct text_parts *parts,
	const struct text_pair_list *list, bool is_new)
{
	if (list->count)
		print_line(view, label,
			text_pairs(view->arena, view->style, view->report, parts, list->pairs,
				list->count, is_new));
}

static void print_parts(const struct view *view)
{
	struct text_parts parts = text_parts(view->arena, view->report, view->suggestion);
	const char *sum = text_parts_sum(view->arena, &parts);
	if (gains_by_pairs(view, &parts))
		print_line(view, "",
			"more than the finding can avoid, because what one operation uses comes "
			"together");
	print_list(view, "gone: ", &parts, &parts.gone, false);
	print_list(view, "new: ", &parts, &parts.fresh, true);
	print_list(view, "together: ", &parts, &parts.together, true);
	if (sum)
		print_line(view, "sum: ", sum);
}

/* ---- other places ---- */

/* Places one behind the other that come to the same: same line, same size, same cost as far as it is shown. */
static bool is_alike(struct arena *arena, const struct suggest_destination *a,
	const struct suggest_destination *b)
{
	return a->line == b->line && a->size_bytes == b->size_bytes &&
	       strcmp(text_cost(arena, a->cost), text_cost(arena, b->cost)) == 0;
}

/* Does some place make the struct grow by a line? Sums are what places are sorted by, then. */
bool text_has_growth(const struct suggestion *s)
{
	for (size_t i = 0; i < s->destination_count; i++)
		if (s->destinations[i].growth >= TEXT_NOTHING)
			return true;
	return false;
}

const char *text_growth(struct arena *arena, double growth)
{
	return growth >= TEXT_NOTHING ? arena_printf(arena, "+%s", text_cost(arena, growth)) : "";
}

static const char *place_text(const struct view *view, const struct suggest_destination *at)
{
	return at->is_here ? "where it stands" : where(view, at->after, false);
}

static void print_places(const struct view *view)
{
	const struct suggestion *s = view->suggestion;
	struct arena *arena = view->arena;
	size_t rows = 0, next = 0;
	bool growth = text_has_growth(s);
	if (s->destination_count < 2)
		return;
	fprintf(view->out, "%*severy place for it:  cost  %s  line  bytes  where\n",
		(int)view->indent, "", growth ? "+growth" : "");
	for (size_t i = 0; i < s->destination_count && rows < PLACES_SHOWN; i = next, rows++) {
		const struct suggest_destination *at = &s->destinations[i];
		for (next = i + 1; next < s->destination_count; next++)
			if (!is_alike(arena, at, &s->destinations[next]))
				break;
		const char *text = place_text(view, at);
		if (next - i > 1)
			text = arena_printf(arena, "%s, or %zu others like it", text, next - i - 1);
		if (next - i == 2)
			text = arena_printf(arena, "%s, or %s", place_text(view, at),
				place_text(view, &s->destinations[i + 1]));
		fprintf(view->out, "%*s%-6s", (int)view->indent + 21, "",
			text_cost(arena, at->cost));
		if (growth)
			fprintf(view->out, "%-7s", text_growth(arena, at->growth));
		fprintf(view->out, " %5" PRIu64 " %6" PRIu64 "  %s\n", at->line, at->size_bytes,
			text_visible(arena, text));
	}
	if (next < s->destination_count)
		fprintf(view->out, "%*sand %zu dearer ones (all with --format json)\n",
			(int)view->indent + 21, "", s->destination_count - next);
}

/* ---- the others ---- */

/* Orders that come to the same, though members that matter little may lie elsewhere. */
static bool is_as_good(struct arena *arena, const struct suggestion *a, const struct suggestion *b)
{
	return a->size_after == b->size_after && a->stride_after == b->stride_after &&
	       strcmp(text_cost(arena, a->cost_after), text_cost(arena, b->cost_after)) == 0;
}

/* The kinds that are not shown, in a line each where they come to something else. */
static void print_others(const struct view *view)
{
	const struct report_struct *report = view->report;
	struct arena *arena = view->arena;
	for (size_t i = 0; i < report->suggest.count; i++) {
		const struct suggestion *other = &report->suggest.items[i];
		if (report_suggestion(report, other->kind) ||
			is_as_good(arena, other, view->suggestion))
			continue;
		const char *name = suggest_kind_name(other->kind);
		print_line(view, arena_printf(arena, "%s: ", name),
			arena_printf(arena, "%s: cost %s; %s (--suggest %s)",
				text_plural(arena, other->move_count, "move"),
				gain_text(arena, other), price_text(arena, other), name));
	}
}

/* What it would be to move what has to part. */
static const char *direct_text(const struct view *view)
{
	const struct suggestion *s = view->suggestion->direct;
	struct view direct = *view;
	direct.suggestion = s;
	return arena_printf(view->arena, "%s: cost %s; %s", moves_text(&direct),
		gain_text(view->arena, s), price_text(view->arena, s));
}

static const char *patch_text(const struct view *view)
{
	const struct report_source *source = &view->report->source;
	const struct suggestion *s = view->suggestion;
	struct arena *arena = view->arena;
	const char *kind = s->kind == SUGGEST_MINIMAL ? ""
						      : arena_printf(arena, "--suggest %s ",
								suggest_kind_name(s->kind));
	return arena_printf(arena, "linelint %s%s%s patch %s --source DIR | git -C DIR apply",
		view->style->repeat, kind,
		text_quoted(arena, view->frame->binaries[source->binary].path),
		text_quoted(arena, view->report->qualified_name));
}

const char *text_trade(struct arena *arena, const struct report_struct *report)
{
	const struct suggestion *trade = report->suggest.trade;
	struct view view = {.report = report, .suggestion = trade, .arena = arena};
	return arena_printf(arena, "%s: cost %s; %s", moves_text(&view), cost_text(&view),
		price_text(arena, trade));
}

void text_suggestion(FILE *out, const struct render_style *style, const struct report_frame *frame,
	const struct report_struct *report, const struct suggestion *suggestion, const char *label)
{
	struct arena arena;
	arena_init(&arena);
	struct view view = {out, style, frame, report, suggestion, &arena, label ? 2 : INDENT + 5};
	int column = label ? fprintf(out, "%s", label) : fprintf(out, "%*sfix: ", INDENT, "");
	text_wrap(out, style, label ? text_columns(label) : (size_t)column, view.indent,
		text_visible(&arena, arena_printf(&arena, "%s: %s", moves_text(&view),
					     price_text(&arena, suggestion))));
	const char *interface = text_interface(&arena, frame, suggestion);
	if (interface)
		print_line(&view, "note: ", interface);
	print_line(&view, "cost: ", cost_text(&view));
	if (suggestion->shift)
		print_line(&view, "by a shift: ", suggestion->shift);
	if (suggestion->direct)
		print_line(&view, "without one: ", direct_text(&view));
	print_parts(&view);
	if (suggestion->collateral_count)
		print_line(&view, "also on other lines: ", collateral_text(&view));
	print_places(&view);
	print_others(&view);
	/* in one line however long: it is there to be copied; BTF names no source */
	if (!style->quiet && strcmp(frame->binaries[report->source.binary].format, "btf") != 0)
		fprintf(out, "%*spatch: %s\n", (int)view.indent, "",
			text_visible(&arena, patch_text(&view)));
	arena_release(&arena);
}

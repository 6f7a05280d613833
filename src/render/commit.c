/*
 * The text of a commit message about a suggestion, as reviewers on the kernel's lists ask for it: 72 columns, no
 * sign-off, and no claim of speed. What has to be measured is left blank.
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/buf.h"
#include "render/text.h"
#include "render/text_parts.h"

enum { WIDTH = 72, NAME_COLUMNS = 22, LINES_SHOWN = 6, PLACES_SHOWN = 6, NAMES_SHOWN = 8 };

/* A message being written. */
struct view {
	FILE *out;
	const struct report_frame *frame;
	const struct report_struct *report;
	const struct suggestion *suggestion;
	struct arena *arena; /* scratch */
};

/* ---- paragraphs ---- */

/* `text` within WIDTH, its first line at `indent` and the others at `more`. */
static void wrap(const struct view *view, size_t indent, size_t more, const char *text)
{
	const char *at = text_visible(view->arena, text);
	size_t column = indent;
	fprintf(view->out, "%*s", (int)indent, "");
	for (bool first = true; *(at += strspn(at, " ")); first = false) {
		size_t length = strcspn(at, " ");
		if (!first && column + 1 + length > WIDTH) {
			fprintf(view->out, "\n%*s", (int)more, "");
			column = more;
		} else if (!first) {
			fputc(' ', view->out);
			column++;
		}
		fwrite(at, 1, length, view->out);
		column += length;
		at += length;
	}
	fputc('\n', view->out);
}

__attribute__((format(printf, 2, 3))) static void paragraph(
	const struct view *view, const char *format, ...)
{
	struct buf text;
	va_list args;
	buf_init(&text);
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	wrap(view, 0, 0, text.data);
	buf_release(&text);
}

/* ---- what moves ---- */

static const char *where(const struct view *view, const struct suggest_move *move)
{
	const struct suggestion *s = view->suggestion;
	if (!move->after)
		return "to the front";
	if (s->unit_count && s->units[s->unit_count - 1] == move->unit)
		return "to the end";
	return arena_printf(
		view->arena, "behind %s", text_unit(view->arena, view->report, move->after));
}

/* With its verb, where that is another than that of the move before. */
static const char *move_text(
	const struct view *view, const struct suggest_move *move, const struct suggest_move *before)
{
	const char *name = text_unit(view->arena, view->report, move->field);
	bool says = !before || before->stays != move->stays;
	if (move->stays)
		return arena_printf(view->arena, "%s%s to %" PRIu32 " bytes", says ? "align " : "",
			name, move->align_bytes);
	return arena_printf(view->arena, "%s%s %s", says ? "move " : "", name, where(view, move));
}

static const char *subject(const struct view *view)
{
	const struct suggestion *s = view->suggestion;
	const char *text = arena_printf(view->arena,
		"%s %s: ", type_keyword(view->report->source.kind), view->report->qualified_name);
	const char *full = s->move_count == 1 ? arena_printf(view->arena, "%s%s", text,
							move_text(view, &s->moves[0], NULL))
					      : arena_printf(view->arena, "%smove %zu members",
							text, s->move_count);
	return text_columns(full) <= WIDTH ? full
					   : arena_printf(view->arena, "%smove members", text);
}

static void print_moves(const struct view *view)
{
	const struct suggestion *s = view->suggestion;
	const char *text = s->moves[0].stays ? "Align " : "Move ";
	for (size_t i = 0; i < s->move_count; i++) {
		const struct suggest_move *move = &s->moves[i];
		text = arena_printf(view->arena, "%s%s%s", text,
			i == 0                   ? ""
			: i + 1 == s->move_count ? " and "
						 : ", ",
			move_text(view, move, i ? move - 1 : move));
		if (move->align_bytes && !move->stays)
			text = arena_printf(view->arena, "%s, aligned to %" PRIu32 " bytes", text,
				move->align_bytes);
	}
	paragraph(view, "%s.", text);
	if (s->shift)
		paragraph(view, "It helps by a shift: %s.", s->shift);
}

/* ---- who does what ---- */

/* "rmw 2 by pread and seqread (fget, fput)"; the reasons are the profile's. */
static const char *accesses(const struct view *view, const struct access_field *field)
{
	const struct access_map *map = &view->report->access;
	const char *text = text_accesses(view->arena, map, field), *why = field->profile->why;
	for (size_t i = 0; i < field->profile->access_count; i++) {
		const char *own = field->profile->accesses[i].why;
		if (own && (!why || !strstr(why, own)))
			why = why ? arena_printf(view->arena, "%s; %s", why, own) : own;
	}
	return why ? arena_printf(view->arena, "%s (%s)", text, why) : text;
}

static void print_field(const struct view *view, const char *path)
{
	const struct layout_member *member = layout_find(&view->report->layout, path);
	const struct access_field *field =
		member ? access_find(&view->report->access, member) : NULL;
	const char *text =
		field ? arena_printf(view->arena, "%s: %s", path, accesses(view, field)) : path;
	wrap(view, 2, 6, text);
}

/* The message speaks of it. */
static bool is_mended(const struct view *view, const struct finding *finding)
{
	return !finding->ignored && finding->severity <= SEVERITY_WARNING &&
	       report_mends(view->suggestion, finding);
}

static void print_findings(const struct view *view)
{
	const struct lint_result *lint = &view->report->lint;
	for (size_t i = 0; i < lint->finding_count; i++) {
		const struct finding *finding = &lint->findings[i];
		if (!is_mended(view, finding))
			continue;
		paragraph(view, "In %s %s, %s (%s).", type_keyword(view->report->source.kind),
			view->report->qualified_name, finding->message, finding->rule->name);
		fputc('\n', view->out);
		fputs("Accesses an operation (rmw: atomic read-modify-write):\n\n", view->out);
		for (size_t k = 0; k < finding->field_count; k++)
			print_field(view, finding->fields[k]);
		fputc('\n', view->out);
	}
}

/* ---- the lines before and after ---- */

/* 'W', 'R' or 'B' of the accesses to a member or what is in it; ' ' for none. */
static char mark_of(const struct access_map *map, const struct layout_member *top)
{
	bool read = false, written = false;
	for (size_t i = 0; i < map->field_count; i++) {
		const struct layout_member *member = map->fields[i].member;
		if (member < top || member > top + top->descendants)
			continue;
		for (size_t role = 0; role < map->role_count; role++) {
			const double *counts = map->fields[i].counts[role];
			read |= counts[ACCESS_READ] > 0 || counts[ACCESS_UNKNOWN] > 0;
			written |= counts[ACCESS_WRITE] > 0 || counts[ACCESS_RMW] > 0;
		}
	}
	return read && written ? 'B' : written ? 'W' : read ? 'R' : ' ';
}

/* The members that begin on a line, in the order of their offsets. */
static size_t members_on(const struct view *view, uint64_t line, bool is_after, size_t *ret)
{
	const struct suggestion *s = view->suggestion;
	uint64_t bits = 8 * view->report->layout.line_bytes;
	size_t count = 0;
	for (size_t i = 0; i < s->order_count; i++) {
		uint64_t off = is_after ? s->order[i].off_bits : s->order[i].before_bits;
		if (off / bits != line)
			continue;
		size_t at = count++;
		for (; at > 0 && !is_after && s->order[ret[at - 1]].before_bits > off; at--)
			ret[at] = ret[at - 1];
		ret[at] = i;
	}
	return count;
}

static bool is_changed(const size_t *before, size_t before_count, const size_t *after, size_t count)
{
	if (before_count != count)
		return true;
	for (size_t i = 0; i < count; i++) {
		bool found = false;
		for (size_t k = 0; k < count && !found; k++)
			found = before[i] == after[k];
		if (!found)
			return true;
	}
	return false;
}

static const char *row(const struct view *view, size_t place, bool is_after)
{
	const struct suggest_place *it = &view->suggestion->order[place];
	const char *name = text_unit(view->arena, view->report, it->field);
	if (name != it->field)
		name += strlen("the ");
	name = text_visible(view->arena, name);
	if (strlen(name) > NAME_COLUMNS)
		name = arena_printf(view->arena, "%.*s..", NAME_COLUMNS - 2, name);
	return arena_printf(view->arena, "%5" PRIu64 " %c %s",
		(is_after ? it->off_bits : it->before_bits) / 8,
		mark_of(&view->report->access, it->member), name);
}

/* One of the lines whose members change. */
struct shown {
	uint64_t line;
	bool is_told;   /* a finding that is mended is about it, as it is or as it becomes */
	double changes; /* transactions an operation, by how much its cost changes */
	bool is_shown;
};

static double cost_of(const double *lines, size_t count, uint64_t line)
{
	return line < count ? lines[line] : 0;
}

/* Does a field of a finding that is mended begin there, before or after? */
static bool is_told(const struct view *view, uint64_t line)
{
	const struct report_struct *report = view->report;
	const struct layout *layout = &report->layout;
	const struct suggestion *s = view->suggestion;
	uint64_t bits = 8 * layout->line_bytes;
	for (size_t i = 0; i < report->lint.finding_count; i++) {
		const struct finding *finding = &report->lint.findings[i];
		if (!is_mended(view, finding))
			continue;
		for (size_t k = 0; k < finding->field_count; k++) {
			const struct layout_member *field = layout_find(layout, finding->fields[k]);
			for (size_t n = 0; field && n < s->order_count; n++) {
				const struct layout_member *top = s->order[n].member;
				if (field < top || field > top + top->descendants)
					continue;
				uint64_t inside = field->off_bits - top->off_bits;
				if (field->off_bits / bits == line ||
					(s->order[n].off_bits + inside) / bits == line)
					return true;
			}
		}
	}
	return false;
}

static bool comes_before(const struct shown *a, const struct shown *b)
{
	if (a->is_told != b->is_told)
		return a->is_told;
	return a->changes > b->changes + TEXT_NOTHING;
}

/* Marks those that there is room for: what the findings are about, then what changes the cost most. */
static void choose_lines(struct shown *lines, size_t count)
{
	for (size_t room = 0; room < LINES_SHOWN && room < count; room++) {
		struct shown *next = NULL;
		for (size_t i = 0; i < count; i++)
			if (!lines[i].is_shown && (!next || comes_before(&lines[i], next)))
				next = &lines[i];
		next->is_shown = true;
	}
}

static size_t changed_lines(
	const struct view *view, size_t *before, size_t *after, struct shown **ret)
{
	const struct suggestion *s = view->suggestion;
	const struct cost_result *cost = &view->report->lint.cost;
	uint64_t lines = s->lines_before > s->lines_after ? s->lines_before : s->lines_after;
	struct shown *shown = NULL;
	size_t count = 0, capacity = 0;
	for (uint64_t line = 0; line < lines; line++) {
		size_t old = members_on(view, line, false, before);
		size_t new = members_on(view, line, true, after);
		if (!is_changed(before, old, after, new))
			continue;
		shown = arena_grow(view->arena, shown, &capacity, count + 1, sizeof(*shown));
		shown[count++] = (struct shown){
			.line = line,
			.is_told = is_told(view, line),
			.changes = fabs(cost_of(cost->lines, cost->line_count, line) -
					cost_of(s->line_costs, s->line_cost_count, line)),
		};
	}
	*ret = shown;
	choose_lines(shown, count);
	return count;
}

/* Scratch: members of one line. */
struct beside {
	size_t *before, *after;
};

static void print_line(
	const struct view *view, uint64_t line, const struct beside *beside, bool is_first)
{
	enum { HALF = 34 };
	size_t old = members_on(view, line, false, beside->before);
	size_t new = members_on(view, line, true, beside->after);
	fprintf(view->out, "  line %-*" PRIu64 "line %" PRIu64 "%s\n", HALF - 7, line, line,
		is_first ? ", after" : "");
	for (size_t i = 0; i < old || i < new; i++)
		if (i < new)
			fprintf(view->out, "%-*s%s\n", HALF,
				i < old ? row(view, beside->before[i], false) : "",
				row(view, beside->after[i], true));
		else
			fprintf(view->out, "%s\n", row(view, beside->before[i], false));
}

/* What the findings are about comes first. */
static void print_lines(const struct view *view)
{
	size_t places = view->suggestion->order_count;
	struct beside beside = {arena_new(view->arena, places, sizeof(size_t)),
		arena_new(view->arena, places, sizeof(size_t))};
	struct shown *lines;
	size_t count = changed_lines(view, beside.before, beside.after, &lines), shown = 0;
	fprintf(view->out,
		"The lines of %" PRIu64 " bytes that change (offset; R read, W written):\n\n",
		view->report->layout.line_bytes);
	for (int told = 1; told >= 0; told--)
		for (size_t i = 0; i < count; i++)
			if (lines[i].is_shown && lines[i].is_told == told)
				print_line(view, lines[i].line, &beside, !shown++);
	if (shown < count)
		fprintf(view->out, "  and %s more, whose cost changes less\n",
			text_plural(view->arena, count - shown, "line"));
	fputc('\n', view->out);
}

/* ---- figures ---- */

/* "pread, 16 threads, rate 0.05" */
static const char *role_text(const struct view *view, size_t index)
{
	const struct access_role *role = &view->report->access.roles[index];
	const char *text =
		arena_printf(view->arena, "%s, %s", text_visible(view->arena, role->name),
			text_plural(view->arena, role->threads, "thread"));
	return role->rate < 1 || role->rate > 1 ? arena_printf(view->arena, "%s, rate %s", text,
							  text_number(view->arena, role->rate))
						: text;
}

static void print_costs(const struct view *view)
{
	const struct suggestion *s = view->suggestion;
	const struct access_map *map = &view->report->access;
	const struct profile *document = map->profile->document;
	const char *name = document && document->path ? document->path : "the cacheline groups";
	const char *evidence = arena_printf(view->arena, "(%s)", evidence_name(map->evidence));
	if (!strstr(name, evidence)) /* "linux.yaml (shipped)" says it already */
		name = arena_printf(view->arena, "%s %s", name, evidence);
	if (map->profile->source)
		name = arena_printf(view->arena, "%s, %s", name, map->profile->source);
	paragraph(view,
		"Estimated coherence transactions, not a measurement (fetches of a line that "
		"another cache has modified, and gaining ownership of one that others hold; "
		"interleave %s), accesses as in %s:",
		text_number(view->arena, document ? document->interleave : 0), name);
	const char *worst = text_worst_workload(view->report);
	fprintf(view->out, "\n  %-36s %8s %8s\n",
		worst ? "an operation, in its worst workload" : "an operation of", "before",
		"after");
	for (size_t i = 0; i < map->role_count; i++)
		fprintf(view->out, "  %-36s %8s %8s\n", role_text(view, i),
			text_cost(view->arena, s->role_before[i]),
			text_cost(view->arena, s->role_after[i]));
	const char *average =
		worst ? arena_printf(view->arena, "the average in workload %.16s", worst)
		      : "the average (by threads and rate)";
	if (map->role_count > 1)
		fprintf(view->out, "  %-36s %8s %8s\n", average,
			text_cost(view->arena, s->cost_before),
			text_cost(view->arena, s->cost_after));
	fputc('\n', view->out);
}

static const char *change(struct arena *arena, uint64_t before, uint64_t after)
{
	return before == after ? arena_printf(arena, "%" PRIu64 " as before", after)
			       : arena_printf(arena, "%" PRIu64 " -> %" PRIu64, before, after);
}

static void print_size(const struct view *view)
{
	const struct suggestion *s = view->suggestion;
	const char *text = arena_printf(view->arena, "Bytes: %s. Lines: %s.",
		change(view->arena, s->size_before, s->size_after),
		change(view->arena, s->lines_before, s->lines_after));
	if (s->objects_before || s->objects_after)
		text = arena_printf(view->arena, "%s Objects in 4096 bytes of slab: %s.", text,
			change(view->arena, s->objects_before, s->objects_after));
	paragraph(view, "%s", text);
	const char *interface = text_interface(view->arena, view->frame, s);
	if (interface)
		paragraph(view, "Note: %s.", interface);
}

/* ---- what else it does ---- */

static const char *pairs(
	const struct view *view, const struct text_parts *parts, const struct text_pair_list *list)
{
	struct arena *arena = view->arena;
	const char *text = "";
	size_t shown = 0, more = 0, idle = 0;
	for (size_t i = 0; i < list->count; i++) {
		const struct suggest_pair *pair = &list->pairs[i];
		bool is_idle = fabs(pair->price) < TEXT_NOTHING;
		idle += is_idle;
		more += !is_idle && shown >= NAMES_SHOWN;
		if (is_idle || shown >= NAMES_SHOWN)
			continue;
		text = arena_printf(arena, "%s%s%s with %s%s (%s)", text, shown++ ? ", " : "",
			pair->written, pair->other, text_parts_places(arena, parts, pair),
			text_cost(arena, pair->price));
	}
	if (more)
		text = arena_printf(arena, "%s and %zu more", text, more);
	if (idle)
		text = arena_printf(arena, "%s%s%s that cost%s nothing", text, *text ? "; " : "",
			text_plural(arena, idle, "pair"), idle == 1 ? "s" : "");
	return *text ? text : "none";
}

/* A written field and another one that is used, with what sharing a line costs the two by themselves. */
static void print_pairs(const struct view *view)
{
	struct text_parts parts = text_parts(view->arena, view->report, view->suggestion);
	const char *sum = text_parts_sum(view->arena, &parts);
	paragraph(view,
		"Pairs, one of them written, that no longer share a line (in brackets what that "
		"costs the two by themselves): %s.",
		pairs(view, &parts, &parts.gone));
	fputc('\n', view->out);
	paragraph(view, "Pairs that share a line now and did not before: %s.",
		pairs(view, &parts, &parts.fresh));
	if (parts.together.count) {
		fputc('\n', view->out);
		paragraph(view,
			"Pairs that come together, which pays, for one operation uses both: %s.",
			pairs(view, &parts, &parts.together));
	}
	if (sum) {
		fputc('\n', view->out);
		paragraph(view,
			"Of these parts the change is made (other: what pairs of one line have in "
			"common, each being priced by itself): %s.",
			sum);
	}
}

static const char *range(struct arena *arena, uint64_t first, uint64_t last)
{
	return first == last ? arena_printf(arena, "%" PRIu64, first)
			     : arena_printf(arena, "%" PRIu64 " to %" PRIu64, first, last);
}

static void print_collateral(const struct view *view)
{
	const struct suggestion *s = view->suggestion;
	const char *text = s->collateral_count ? "" : "none";
	for (size_t i = 0; i < s->collateral_count && i < NAMES_SHOWN; i++) {
		const struct suggest_collateral *it = &s->collateral[i];
		text = arena_printf(view->arena, "%s%s%s (%s -> %s)", text, i ? ", " : "",
			it->field, range(view->arena, it->first_line_before, it->last_line_before),
			range(view->arena, it->first_line_after, it->last_line_after));
	}
	if (s->collateral_count > NAMES_SHOWN)
		text = arena_printf(
			view->arena, "%s and %zu more", text, s->collateral_count - NAMES_SHOWN);
	paragraph(view, "Not moved, but on other lines now: %s.", text);
}

static const char *place_text(const struct view *view, const struct suggest_destination *at)
{
	if (at->is_here)
		return "where it stands";
	return at->after ? arena_printf(view->arena, "behind %s",
				   text_unit(view->arena, view->report, at->after))
			 : "to the front";
}

static void print_places(const struct view *view)
{
	const struct suggestion *s = view->suggestion;
	struct arena *arena = view->arena;
	size_t rows = 0;
	bool growth = text_has_growth(s);
	if (s->destination_count < 2)
		return;
	fprintf(view->out, "\nEvery place for %s, estimated:\n\n    cost  %sline  bytes\n",
		text_visible(arena, s->moves[0].field), growth ? "+growth  " : "");
	for (size_t i = 0, next; i < s->destination_count && rows < PLACES_SHOWN;
		i = next, rows++) {
		const struct suggest_destination *at = &s->destinations[i], *it;
		const char *cost = text_cost(arena, at->cost);
		for (next = i + 1; next < s->destination_count; next++) {
			it = &s->destinations[next];
			if (it->line != at->line || it->size_bytes != at->size_bytes ||
				strcmp(text_cost(arena, it->cost), cost) != 0)
				break;
		}
		fprintf(view->out, "  %6s", cost);
		if (growth)
			fprintf(view->out, "  %-7s", text_growth(arena, at->growth));
		fprintf(view->out, " %5" PRIu64 " %6" PRIu64 "  %s", at->line, at->size_bytes,
			text_visible(arena, place_text(view, at)));
		if (next - i > 1)
			fprintf(view->out, ", or %zu more", next - i - 1);
		fputc('\n', view->out);
	}
}

/* ---- what a person has to add ---- */

static void print_blanks(const struct view *view)
{
	const struct report_binary *binary = &view->frame->binaries[view->report->source.binary];
	FILE *out = view->out;
	if (binary->is_kernel) {
		fputc('\n', out);
		paragraph(view, "Builds with CONFIG_RANDSTRUCT shuffle the members of structs that "
				"are marked __randomize_layout; there this order is not kept.");
	}
	fputs("\nBenchmark: ____ (command), on ____ (machine, base commit):\n\n"
	      "  threads      before       after\n"
	      "        1        ____        ____\n"
	      "        2        ____        ____\n"
	      "       16        ____        ____\n"
	      "       64        ____        ____\n"
	      "\nOther benchmarks that were run: ____\n"
	      "\nTo see the line, before and after:\n\n"
	      "  perf c2c record -a -- ____\n"
	      "  perf c2c report --stdio\n",
		out);
}

static void print_message(const struct view *view)
{
	wrap(view, 0, 0, subject(view));
	fputc('\n', view->out);
	print_findings(view);
	print_moves(view);
	fputc('\n', view->out);
	print_lines(view);
	print_costs(view);
	print_size(view);
	fputc('\n', view->out);
	print_pairs(view);
	fputc('\n', view->out);
	print_collateral(view);
	print_places(view);
	print_blanks(view);
}

/* ---- the renderer ---- */

/* A comment, which git takes out, where there is nothing to commit. */
static void one(FILE *out, const struct render_style *style, const struct report_frame *frame,
	const struct report_struct *report, size_t number)
{
	struct arena arena;
	struct view view = {out, frame, report, report_first_suggestion(report), &arena};
	(void)style;
	arena_init(&arena);
	if (number)
		fputc('\n', out);
	if (view.suggestion)
		print_message(&view);
	else
		fprintf(out, "# %s %s: no suggestion: %s\n", type_keyword(report->source.kind),
			text_visible(&arena, report->qualified_name),
			text_visible(
				&arena, report->suggest.why_none
						? report->suggest.why_none
						: "there is none of the kind that was asked for"));
	arena_release(&arena);
}

const struct renderer render_commit = {
	.name = "commit",
	.summary = "the suggestion as the text of a commit message",
	.verbs = "struct",
	.struct_kinds = 1U << SUGGEST_MINIMAL,
	.one = one,
};

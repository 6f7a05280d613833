#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "render/text.h"

enum { LINES_MOST = 48 }; /* more than two screens are for those who ask for all */

struct view {
	FILE *out;
	const struct render_style *style;
	const struct report_vars *vars;
	struct arena *arena; /* scratch */
};

static uint64_t base_of(const struct view *view, const struct object_area *area)
{
	return view->vars->catalog->is_linked ? 0 : area->address;
}

/* ---- a line ---- */

/* "also x, y" */
static const char *alias_text(const struct view *view, const struct vars_item *item)
{
	const char *all = "", *own = item->variable && item->variable->symbol
					     ? item->variable->symbol->name
					     : item->name;
	for (size_t i = 0; i < item->symbol_count; i++)
		if (strcmp(item->symbols[i].name, own) != 0)
			all = arena_printf(view->arena, "%s%s%s", all, *all ? ", " : "also ",
				item->symbols[i].name);
	return all;
}

/* Where a static one is from; of others the name says enough. */
static const char *origin_text(const struct view *view, const struct vars_item *item)
{
	const struct variable *variable = item->variable;
	if (!variable)
		return item->is_static ? "static, no debug information" : "no debug information";
	if (!item->is_static)
		return "";
	if (variable->file && variable->line)
		return arena_printf(
			view->arena, "static, %s:%" PRIu32, variable->file, variable->line);
	return *variable->unit ? arena_printf(view->arena, "static, %s", variable->unit) : "static";
}

static const char *declaration(const struct view *view, const struct vars_item *item)
{
	enum { MOST = 200 };
	if (!item->variable)
		return item->name;
	struct buf buf;
	buf_init(&buf);
	type_declare(item->variable->types, item->variable->type, item->name, &buf);
	const char *kept =
		buf.length > MOST ? item->name : arena_strndup(view->arena, buf.data, buf.length);
	buf_release(&buf);
	return kept;
}

static void add_note(const struct view *view, const char **notes, const char *note)
{
	if (*note)
		*notes = **notes ? arena_printf(view->arena, "%s; %s", *notes, note) : note;
}

static const struct access_field *access_of(
	const struct view *view, const struct layout_member *member)
{
	return member ? access_find(&view->vars->judged->access, member) : NULL;
}

static const struct layout_member *member_of(const struct view *view, size_t index)
{
	const struct vars_judged *judged = view->vars->judged;
	uint32_t member = judged->members ? judged->members[index] : UINT32_MAX;
	return member == UINT32_MAX ? NULL : &judged->layout.members[member];
}

static void put_row(
	const struct view *view, int64_t off, const char *size, const char *what, const char *notes)
{
	enum { COLUMNS = 44 };
	const char *visible = text_visible(view->arena, what);
	const char *place = view->style->hex && off >= 0
				    ? arena_printf(view->arena, "0x%" PRIx64, (uint64_t)off)
				    : arena_printf(view->arena, "%" PRId64, off);
	fprintf(view->out, "  %8s %8s  %s", place, size, visible);
	if (*notes) {
		size_t columns = text_columns(visible);
		fprintf(view->out, "%*s  %s", columns < COLUMNS ? (int)(COLUMNS - columns) : 0, "",
			text_visible(view->arena, notes));
	}
	fputc('\n', view->out);
}

/* Members with accesses that begin on this line. */
static void put_members(const struct view *view, const struct report_vars_line *line, size_t index)
{
	const struct layout_member *top = member_of(view, index);
	const struct vars_item *item = &view->vars->catalog->items[index];
	for (uint32_t i = 1; top && i <= top->descendants; i++) {
		const struct layout_member *member = top + i;
		const struct access_field *field = access_of(view, member);
		uint64_t address =
			item->address + (layout_first_byte(member) - layout_first_byte(top));
		if (!field || address < line->address ||
			address - line->address >= view->vars->catalog->line_bytes)
			continue;
		put_row(view, (int64_t)(address - line->address),
			text_bytes(view->arena, view->style, member->size_bytes),
			arena_printf(view->arena, "  %s", member->path),
			text_accesses(view->arena, &view->vars->judged->access, field));
	}
}

static void put_variable(const struct view *view, const struct report_vars_line *line, size_t index)
{
	const struct vars_item *item = &view->vars->catalog->items[index];
	const struct access_field *field = access_of(view, member_of(view, index));
	const char *notes = "";
	if (field)
		notes = text_accesses(view->arena, &view->vars->judged->access, field);
	add_note(view, &notes, origin_text(view, item));
	add_note(view, &notes, alias_text(view, item));
	if (item->is_cut)
		add_note(view, &notes, "its symbol reaches over the end of the section");
	if (item->area != line->area)
		add_note(view, &notes, arena_printf(view->arena, "in %s", item->area->name));
	put_row(view, (int64_t)(item->address - line->address),
		text_bytes(view->arena, view->style, item->size_bytes), declaration(view, item),
		notes);
	put_members(view, line, index);
}

static void put_gap(
	const struct view *view, const struct report_vars_line *line, uint64_t from, uint64_t to)
{
	if (to <= from)
		return;
	text_begin(view->out, view->style, TEXT_FAINT);
	put_row(view, (int64_t)(from - line->address),
		text_bytes(view->arena, view->style, to - from), "(nothing)", "");
	text_end(view->out, view->style, TEXT_FAINT);
}

static void put_line(const struct view *view, const struct report_vars_line *line)
{
	uint64_t at = line->address, end = line->address + view->vars->catalog->line_bytes;
	const char *head = arena_printf(view->arena, "%s 0x%" PRIx64,
		view->vars->catalog->is_linked ? "line" : "offset",
		line->address - base_of(view, line->area));
	text_put(view->out, view->style, TEXT_STRONG, head);
	fprintf(view->out, "  %" PRIu64 " of %" PRIu64 " bytes used\n", line->used_bytes,
		view->vars->catalog->line_bytes);
	for (size_t i = 0; i < line->item_count; i++) {
		const struct vars_item *item = &view->vars->catalog->items[line->items[i]];
		put_gap(view, line, at, item->address);
		put_variable(view, line, line->items[i]);
		if (item->address + item->size_bytes > at)
			at = item->address + item->size_bytes;
	}
	put_gap(view, line, at, end);
}

/* Up to the next line that is shown, when they are all of one variable. */
static void put_inner_lines(
	const struct view *view, const struct report_vars_line *line, uint64_t next)
{
	uint64_t bytes = view->vars->catalog->line_bytes;
	uint64_t count = (next - line->address) / bytes - 1;
	for (size_t i = 0; count && i < line->item_count; i++) {
		const struct vars_item *item = &view->vars->catalog->items[line->items[i]];
		if (item->address + item->size_bytes < next)
			continue;
		fprintf(view->out, "%s more inside %s\n", text_plural(view->arena, count, "line"),
			text_visible(view->arena, item->name));
		return;
	}
}

/* ---- sections ---- */

static void put_area(const struct view *view, const struct report_vars_area *area, size_t *left)
{
	size_t count = view->style->all || view->style->verbose || area->shown_count < *left
			       ? area->shown_count
			       : *left;
	if (!area->shown_count)
		return;
	fprintf(view->out, "\n%s", text_visible(view->arena, area->area->name));
	if (view->vars->catalog->is_linked)
		fprintf(view->out, " at 0x%" PRIx64, area->area->address);
	else
		fprintf(view->out, ", aligned to %" PRIu64, area->area->align_bytes);
	fprintf(view->out, ": %s bytes, %s, %" PRIu64 " of them static\n",
		text_bytes(view->arena, view->style, area->area->size_bytes),
		text_plural(view->arena, area->variables, "variable"), area->statics);
	if (area->is_per_cpu)
		fputs("each processor has its own copy: not shared, unless the profile says so\n",
			view->out);
	for (size_t i = 0; i < count; i++) {
		put_line(view, &area->shown[i]);
		if (i + 1 < count)
			put_inner_lines(view, &area->shown[i], area->shown[i + 1].address);
	}
	if (count < area->shown_count)
		fprintf(view->out, "%s more (--all shows %s)\n",
			text_plural(view->arena, area->shown_count - count, "line"),
			area->shown_count - count == 1 ? "it" : "them");
	*left -= view->style->all || view->style->verbose ? 0 : count;
}

/* What there is to ask about. */
static void put_table(const struct view *view)
{
	fprintf(view->out, "%-24s %18s %10s %8s %10s %8s %10s\n", "section", "address", "bytes",
		"lines", "variables", "static", "unused");
	for (size_t i = 0; i < view->vars->area_count; i++) {
		const struct report_vars_area *area = &view->vars->areas[i];
		const char *address =
			view->vars->catalog->is_linked
				? arena_printf(view->arena, "0x%" PRIx64, area->area->address)
				: "-";
		fprintf(view->out, "%-24s %18s %10s %8" PRIu64 " %10" PRIu64 " %8" PRIu64 " %10s\n",
			text_visible(view->arena, area->area->name), address,
			text_bytes(view->arena, view->style, area->area->size_bytes), area->lines,
			area->variables, area->statics,
			text_bytes(view->arena, view->style,
				area->area->size_bytes - area->used_bytes));
	}
}

/* ---- findings ---- */

static const char *place_of(const struct view *view, const struct finding *finding)
{
	const struct report_struct report = {.layout = view->vars->judged->layout};
	const char *place = text_profile_place(view->arena, finding), *file;
	uint32_t line;
	if (*place || view->style->view != RENDER_CHECK)
		return place;
	report_declared(&report, finding, &file, &line);
	return file ? arena_printf(view->arena, "%s:%" PRIu32 ": ", text_visible(view->arena, file),
			      line)
		    : "";
}

static size_t put_findings(const struct view *view, const char *subject)
{
	size_t count = 0;
	for (size_t i = 0; i < view->vars->judged->finding_count; i++) {
		const struct finding *finding = &view->vars->judged->findings[i];
		if (!text_shows(view->style, finding))
			continue;
		if (!count++ && view->style->view != RENDER_CHECK)
			fputc('\n', view->out);
		text_finding(view->out, view->style, place_of(view, finding), subject, finding);
	}
	return count;
}

static void put_head(const struct view *view, const char *path)
{
	const struct vars_judged *judged = view->vars->judged;
	const struct vars_entry *entry = view->vars->entry;
	fprintf(view->out, "%s: variables on lines of %" PRIu64, text_visible(view->arena, path),
		view->vars->catalog->line_bytes);
	if (!view->vars->catalog->is_linked)
		fputs(", not linked: each section may start wherever its alignment allows",
			view->out);
	if (entry->profile)
		fprintf(view->out, "; profile: %s (%s), %s",
			text_visible(view->arena, entry->profile->document->path),
			evidence_name(entry->profile->evidence),
			text_plural(view->arena, entry->item_count, "variable"));
	if (judged->has_cost)
		fprintf(view->out, ", %s transactions an operation",
			text_cost(view->arena, judged->cost));
	fputc('\n', view->out);
}

static void put_end(const struct view *view, size_t findings)
{
	size_t infos = 0;
	for (size_t i = 0; i < view->vars->judged->finding_count; i++)
		infos += !text_shows(view->style, &view->vars->judged->findings[i]) &&
			 !view->vars->judged->findings[i].ignored;
	if (view->vars->entry->profile && !findings)
		fprintf(view->out, "\nno findings%s\n",
			infos ? arena_printf(view->arena, "; %s (--verbose shows them)",
					text_plural(view->arena, infos, "info"))
			      : "");
}

static size_t count_shown(const struct report_vars *vars)
{
	size_t shown = 0;
	for (size_t i = 0; i < vars->area_count; i++)
		shown += vars->areas[i].shown_count;
	return shown;
}

/* Of several files those without anything that was asked for, or of the profile, are not worth a line. */
static bool has_news(const struct view *view)
{
	const struct vars_entry *entry = view->vars->entry;
	if (count_shown(view->vars) || entry->item_count ||
		(!view->vars->was_asked && !entry->profile))
		return true;
	for (size_t i = 0; i < view->vars->judged->finding_count; i++)
		if (text_shows(view->style, &view->vars->judged->findings[i]))
			return true;
	return false;
}

static void put_file(
	const struct view *view, const char *path, bool is_one_of_several, size_t *left)
{
	size_t shown = count_shown(view->vars);
	if (!view->style->quiet)
		put_head(view, path);
	else if (is_one_of_several)
		fprintf(view->out, "%s\n", text_visible(view->arena, path));
	for (size_t i = 0; i < view->vars->area_count; i++)
		put_area(view, &view->vars->areas[i], left);
	if (!shown && !view->vars->was_asked && !view->vars->entry->profile)
		put_table(view);
	size_t findings = put_findings(view, "");
	if (!view->style->quiet)
		put_end(view, findings);
}

static void put_advice(const struct view *view)
{
	if (!view->style->quiet && !view->vars->entry->profile && !view->vars->was_asked)
		fputs("\nName variables or globs to see what lies beside them, or state accesses under "
		      "'vars' in a profile.\n",
			view->out);
}

void text_vars(FILE *out, const struct render_style *style, const struct report_frame *frame)
{
	struct arena arena;
	size_t left = LINES_MOST, files = 0;
	arena_init(&arena);
	for (size_t i = 0; i < frame->vars_count; i++) {
		const struct view view = {out, style, &frame->vars[i], &arena};
		const char *path = frame->binaries[view.vars->binary].path;
		if (style->view == RENDER_CHECK) {
			put_findings(&view, frame->vars_count > 1
						    ? arena_printf(&arena, "%s: variables: ",
							      text_visible(&arena, path))
						    : "variables: ");
			continue;
		}
		if (frame->vars_count > 1 && !has_news(&view))
			continue;
		if (files++)
			fputc('\n', out);
		put_file(&view, path, frame->vars_count > 1, &left);
	}
	if (style->view != RENDER_CHECK)
		put_advice(&(struct view){out, style, &frame->vars[0], &arena});
	arena_release(&arena);
}

#include <inttypes.h>
#include <string.h>

#include "render/picture.h"
#include "render/text.h"

enum { INDENT = 2, DECLARATION_MAX = 46, DECLARATION_ALONE_MAX = 78 };

/* A line of the table. */
struct row {
	uint64_t off_bytes;
	const char *offset, *size, *what; /* what: a declaration, or "4-byte hole" */
	size_t depth;
	enum text_tone tone;
	const struct layout_member *member; /* NULL: a hole */
	const struct access_field *field;   /* NULL: not accessed */
};

/* A struct being printed. */
struct view {
	FILE *out;
	const struct render_style *style;
	const struct report_struct *report;
	const struct layout *layout;
	struct arena *arena; /* scratch */
	bool *shown;         /* by member: has a row */
	bool transparent; /* the first member is unnamed and all there is: its members stand for it */
	struct row *rows;
	size_t row_count;
	size_t label_width; /* of "line 12  " */
	size_t size_width;
	size_t what_width;
	struct picture picture;
	uint64_t next_line; /* the first one that is not drawn */
};

/* ---- what is above ---- */

static const char *gaps_text(const struct view *view)
{
	const struct layout *layout = view->layout;
	struct arena *arena = view->arena;
	const char *text = "no holes";
	if (layout->hole_count)
		text = arena_printf(arena, "%s of %s bytes in all",
			text_plural(arena, layout->hole_count, "hole"),
			text_bytes(arena, view->style, layout->hole_bytes));
	if (layout->padding_bytes)
		text = arena_printf(arena, "%s, %s bytes of padding", text,
			text_bytes(arena, view->style, layout->padding_bytes));
	return text;
}

static void print_title(const struct view *view)
{
	const struct layout *layout = view->layout;
	const char *title =
		arena_printf(view->arena, "%s %s", type_keyword(view->report->source.kind),
			text_visible(view->arena, view->report->qualified_name));
	text_put(view->out, view->style, TEXT_STRONG, title);
	const char *text = ": size not constant";
	if (layout->size_known)
		text = arena_printf(view->arena,
			": %s bytes in %s of %" PRIu64 ", aligned to %" PRIu32 ", %s",
			text_bytes(view->arena, view->style, layout->size_bytes),
			text_plural(view->arena, layout->line_count, "line"), layout->line_bytes,
			layout->align_bytes, gaps_text(view));
	text_wrap(view->out, text_columns(title), INDENT, text);
}

static void print_origin(const struct view *view, const struct report_frame *frame)
{
	const struct report_source *source = &view->report->source;
	const struct report_binary *binary = &frame->binaries[source->binary];
	const struct type *type = types_get(view->layout->types, view->layout->type);
	struct arena *arena = view->arena;
	const char *text = "";
	if (type->file && type->line)
		text = arena_printf(arena, "%s:%" PRIu32 "; ", type->file, type->line);
	text = arena_printf(arena, "%s%s", text, binary->machine);
	if (binary->dwarf_version)
		text = arena_printf(arena, "%s DWARF %u", text, binary->dwarf_version);
	bool several = source->layouts > 1;
	if (source->unit && *source->unit &&
		(several || view->style->all_definitions || view->style->verbose))
		text = arena_printf(arena, "%s; unit %s", text, source->unit);
	if (several && !view->style->all_definitions)
		text = arena_printf(arena,
			"%s; the first of %" PRIu32 " layouts under this name, --all-definitions "
			"shows each",
			text, source->layouts);
	fprintf(view->out, "%*s", INDENT, "");
	text_wrap(view->out, INDENT, INDENT, text_visible(arena, text));
}

static const char *placement_text(const struct view *view)
{
	const struct access_map *map = &view->report->access;
	const struct cost_model *model = &map->model;
	struct arena *arena = view->arena;
	const char *text = "";
	if (model->start_count == 1 && model->starts[0] == 0)
		text = "objects start a line";
	else if (model->start_count == 1)
		text = arena_printf(
			arena, "objects start at byte %" PRIu64 " of a line", model->starts[0]);
	else if (model->start_count > 1)
		text = arena_printf(
			arena, "objects start at any of %zu places on a line", model->start_count);
	if (map->stride_bytes)
		text = arena_printf(arena, "%s%sone every %s bytes", text, *text ? ", " : "",
			text_bytes(arena, view->style, map->stride_bytes));
	if (*text && !map->placement_stated)
		text = arena_printf(arena, "%s (assumed)", text);
	if (map->profile->instance == INSTANCE_PER_THREAD)
		text = arena_printf(arena, "%s%sone a thread", text, *text ? "; " : "");
	if (map->profile->instance == INSTANCE_ARRAY)
		text = arena_printf(arena, "%s%san array: neighbours belong to other threads", text,
			*text ? "; " : "");
	return text;
}

static void print_profile(const struct view *view)
{
	const struct access_map *map = &view->report->access;
	struct arena *arena = view->arena;
	if (!map->profile)
		return;
	const struct profile *document = map->profile->document;
	const char *text =
		document && document->path ? document->path : "the binary's cacheline groups";
	const char *evidence = evidence_name(map->evidence);
	if (!strstr(text, evidence)) /* "linux.yaml (shipped)" says it already */
		text = arena_printf(arena, "%s (%s)", text, evidence);
	text = arena_printf(arena, "profile: %s", text);
	if (map->profile->source)
		text = arena_printf(arena, "%s, %s", text, map->profile->source);
	const char *placement = placement_text(view);
	if (*placement)
		text = arena_printf(arena, "%s; %s", text, placement);
	fprintf(view->out, "%*s", INDENT, "");
	text_wrap(view->out, INDENT, INDENT, text_visible(arena, text));
}

/* ---- which members have a row ---- */

static bool is_frame(const struct layout_member *member)
{
	return !*member->name && member->descendants && !member->is_array;
}

/* An unnamed struct that is everything but a flexible array stands for its members, as in mm_struct. */
static bool is_transparent(const struct layout *layout)
{
	const struct layout_member *first = layout->members;
	if (!layout->member_count || !is_frame(first) || first->is_base)
		return false;
	if (types_get(layout->types, types_strip(layout->types, first->type))->kind == TYPE_UNION)
		return false;
	for (size_t i = 1 + first->descendants; i < layout->member_count;
		i += 1 + layout->members[i].descendants)
		if (layout->members[i].size_bytes)
			return false;
	return true;
}

static void choose_members(struct view *view)
{
	const struct layout *layout = view->layout;
	view->shown = arena_new(view->arena, layout->member_count, sizeof(bool));
	for (size_t i = 0; i < view->report->access.field_count; i++) {
		const struct layout_member *member = view->report->access.fields[i].member;
		while (member->parent != LAYOUT_NO_PARENT &&
			!view->shown[member - layout->members]) {
			view->shown[member - layout->members] = true;
			member = &layout->members[member->parent];
		}
	}
	for (size_t i = 0; i < layout->member_count; i++) {
		uint32_t parent = layout->members[i].parent;
		if (view->style->expand || parent == LAYOUT_NO_PARENT ||
			(is_frame(&layout->members[parent]) && view->shown[parent]))
			view->shown[i] = true;
	}
	view->transparent = is_transparent(layout);
}

/* ---- rows ---- */

static struct row *add_row(
	struct view *view, uint64_t off_bytes, uint64_t size_bytes, const char *what)
{
	struct row *row = &view->rows[view->row_count++];
	*row = (struct row){
		.off_bytes = off_bytes,
		.offset = text_bytes(view->arena, view->style, off_bytes),
		.size = text_bytes(view->arena, view->style, size_bytes),
		.what = what,
	};
	return row;
}

static void add_member_row(struct view *view, const struct layout_member *member)
{
	size_t depth = member->depth - (view->transparent && member->depth ? 1 : 0);
	size_t most = view->report->access.field_count ? DECLARATION_MAX : DECLARATION_ALONE_MAX;
	const char *what = is_frame(member)
				   ? type_keyword(types_get(view->layout->types,
					     types_strip(view->layout->types, member->type))
							  ->kind)
				   : text_declaration(view->arena, view->layout, member,
					     most > 2 * depth ? most - 2 * depth : 0);
	struct row *row = add_row(view, layout_first_byte(member), member->size_bytes, what);
	row->depth = depth;
	row->member = member;
	row->field = access_find(&view->report->access, member);
	if (is_frame(member))
		row->tone = TEXT_FAINT;
	if (member->bit_size) {
		row->offset = arena_printf(view->arena, "%s:%" PRIu64, row->offset,
			member->off_bits - row->off_bytes * 8);
		row->size = "";
	}
}

/* Holes that begin before a member's bit. */
static void add_gap_rows(struct view *view, size_t *hole, size_t *bit_hole, uint64_t before_bits)
{
	const struct layout *layout = view->layout;
	for (;;) {
		const struct layout_hole *bytes =
			*hole < layout->hole_count ? &layout->holes[*hole] : NULL;
		const struct layout_bit_hole *bits =
			*bit_hole < layout->bit_hole_count ? &layout->bit_holes[*bit_hole] : NULL;
		uint64_t at = bytes ? bytes->off_bytes * 8 : UINT64_MAX;
		uint64_t bit_at = bits ? bits->off_bytes * 8 + bits->bit_offset : UINT64_MAX;
		if (at >= before_bits && bit_at >= before_bits)
			return;
		if (at < bit_at) {
			add_row(view, bytes->off_bytes, bytes->size_bytes, "hole")->tone =
				TEXT_FAINT;
			(*hole)++;
			continue;
		}
		struct row *row = add_row(view, bits->off_bytes, 0,
			arena_printf(view->arena, "hole of %s",
				text_plural(view->arena, bits->bit_size, "bit")));
		row->offset =
			arena_printf(view->arena, "%s:%" PRIu32, row->offset, bits->bit_offset);
		row->size = "";
		row->tone = TEXT_FAINT;
		(*bit_hole)++;
	}
}

static void build_rows(struct view *view)
{
	const struct layout *layout = view->layout;
	size_t hole = 0, bit_hole = 0;
	view->rows = arena_new(view->arena,
		layout->member_count + layout->hole_count + layout->bit_hole_count + 1,
		sizeof(*view->rows));
	for (size_t i = view->transparent ? 1 : 0; i < layout->member_count; i++) {
		if (!view->shown[i])
			continue;
		add_gap_rows(view, &hole, &bit_hole, layout->members[i].off_bits);
		add_member_row(view, &layout->members[i]);
	}
	add_gap_rows(view, &hole, &bit_hole, UINT64_MAX);
	if (layout->padding_bytes)
		add_row(view, layout->size_bytes - layout->padding_bytes, layout->padding_bytes,
			"padding")
			->tone = TEXT_FAINT;
	size_t offset_width = 0;
	for (size_t i = 0; i < view->row_count; i++) {
		const struct row *row = &view->rows[i];
		size_t what = 2 * row->depth + text_columns(row->what);
		if (strlen(row->offset) > offset_width)
			offset_width = strlen(row->offset);
		if (strlen(row->size) > view->size_width)
			view->size_width = strlen(row->size);
		if (what > view->what_width && what <= DECLARATION_MAX)
			view->what_width = what;
	}
	view->label_width =
		strlen("line   ") + strlen(arena_printf(view->arena, "%" PRIu64,
					    layout->line_count ? layout->line_count - 1 : 0));
	if (view->label_width < offset_width + 2)
		view->label_width = offset_width + 2;
}

/* ---- lines ---- */

static void print_ruler(const struct view *view)
{
	enum { STEP = 8 };
	uint64_t bytes = view->layout->line_bytes;
	if (bytes > view->layout->size_bytes)
		bytes = view->layout->size_bytes;
	size_t cells = (size_t)(bytes + view->picture.cell_bytes - 1) / view->picture.cell_bytes;
	text_begin(view->out, view->style, TEXT_FAINT);
	fprintf(view->out, "%*s", (int)view->label_width, "");
	for (size_t i = 0; i < cells; i += STEP)
		fprintf(view->out, "%-*s", i + STEP < cells ? STEP : 0,
			text_bytes(view->arena, view->style, i * view->picture.cell_bytes));
	text_end(view->out, view->style, TEXT_FAINT);
	fputc('\n', view->out);
}

static enum text_tone cell_tone(const struct picture_cell *cell)
{
	static const enum text_tone tones[] = {TEXT_PLAIN, TEXT_READ, TEXT_WRITTEN, TEXT_BOTH};
	return cell->empty || (cell->heat != PICTURE_COLD && !cell->hot) ? TEXT_FAINT
									 : tones[cell->heat];
}

static void print_cells(const struct view *view, const struct picture_cell *cells, size_t count)
{
	for (size_t i = 0; i < count;) {
		enum text_tone tone = cell_tone(&cells[i]);
		text_begin(view->out, view->style, tone);
		size_t end = i;
		for (; end < count && cell_tone(&cells[end]) == tone; end++)
			fputc(cells[end].sign, view->out);
		text_end(view->out, view->style, tone);
		i = end;
	}
}

/* Cost of lines [first, last]; "" when there is none. */
static const char *line_cost(const struct view *view, uint64_t first, uint64_t last)
{
	const struct cost_result *cost = &view->report->lint.cost;
	double sum = 0;
	for (uint64_t line = first; line <= last && line < cost->line_count; line++)
		sum += cost->lines[line];
	return sum >= 0.0005 ? arena_printf(view->arena, "cost %s", text_number(view->arena, sum))
			     : "";
}

static void print_line(const struct view *view, uint64_t line)
{
	struct picture_cell cells[PICTURE_CELLS];
	uint64_t of, used = picture_used(&view->picture, line, &of);
	size_t count = picture_line(&view->picture, line, cells);
	const char *label = arena_printf(view->arena, "line %" PRIu64, line);
	text_put(view->out, view->style, TEXT_STRONG, label);
	fprintf(view->out, "%*s", (int)(view->label_width - strlen(label)), "");
	print_cells(view, cells, count);
	const char *cost = line_cost(view, line, line);
	const char *notes =
		used < of ? arena_printf(view->arena, "%" PRIu64 " of %" PRIu64 " used", used, of)
			  : "";
	if (*cost)
		notes = arena_printf(view->arena, "%s%s%s", cost, *notes ? ", " : "", notes);
	if (*notes)
		fprintf(view->out, "%*s%s", (int)(view->picture.cell_count - count + 2), "", notes);
	fputc('\n', view->out);
}

/* Lines in which nothing begins or ends. */
static void print_uniform_lines(const struct view *view, uint64_t first, uint64_t last)
{
	const struct layout *layout = view->layout;
	uint64_t bytes = (last - first + 1) * layout->line_bytes;
	const struct layout_member *member = layout_find_at(layout, first * layout->line_bytes);
	const char *label = arena_printf(view->arena, "lines %" PRIu64 "-%" PRIu64, first, last);
	text_put(view->out, view->style, TEXT_STRONG, label);
	fprintf(view->out, "  %s bytes of %s", text_bytes(view->arena, view->style, bytes),
		member ? text_visible(view->arena, member->path) : "hole");
	const char *cost = line_cost(view, first, last);
	fprintf(view->out, "%s%s\n", *cost ? ", " : "", cost);
}

/* Draws the lines up to (and without) `end`. */
static void print_lines(struct view *view, uint64_t end)
{
	while (view->next_line < end) {
		uint64_t next = picture_next_line(&view->picture, view->next_line);
		uint64_t stop = next < end ? next : end;
		if (stop > view->next_line + 1) {
			print_uniform_lines(view, view->next_line, stop - 1);
			view->next_line = stop;
		} else {
			print_line(view, view->next_line++);
		}
	}
}

static enum text_tone heat_tone(const struct view *view, const struct access_field *field)
{
	static const enum text_tone tones[] = {TEXT_PLAIN, TEXT_READ, TEXT_WRITTEN, TEXT_BOTH};
	return picture_is_hot(field) ? tones[picture_heat(&view->report->access, field)]
				     : TEXT_FAINT;
}

/* What stands behind a declaration: accesses, and where the member goes on. */
static const char *row_notes(const struct view *view, const struct row *row)
{
	struct arena *arena = view->arena;
	const char *text =
		row->field ? text_accesses(arena, &view->report->access, row->field) : "";
	if (row->member && layout_straddles(view->layout, row->member) && !is_frame(row->member))
		text = arena_printf(arena, "%s%sgoes on to line %" PRIu64, text, *text ? "; " : "",
			layout_last_byte(row->member) / view->layout->line_bytes);
	if (row->field && row->field->profile->why && view->style->verbose)
		text = arena_printf(arena, "%s; %s", text, row->field->profile->why);
	return text_visible(arena, text);
}

static void print_row(const struct view *view, const struct row *row)
{
	FILE *out = view->out;
	fprintf(out, "%*s %*s  ", (int)(view->label_width - 2), row->offset, (int)view->size_width,
		row->size);
	fprintf(out, "%*s", (int)(2 * row->depth), "");
	text_put(out, view->style, row->tone, row->what);
	const char *notes = row_notes(view, row);
	if (!*notes) {
		fputc('\n', out);
		return;
	}
	size_t what = 2 * row->depth + text_columns(row->what);
	size_t column = view->label_width + view->size_width + 1 + view->what_width + 2;
	if (what > view->what_width) {
		fprintf(out, "\n%*s", (int)column, "");
	} else {
		fprintf(out, "%*s", (int)(view->what_width - what + 2), "");
	}
	char sign[] = {row->field ? picture_sign(&view->report->access, row->field) : ' ', '\0'};
	if (view->report->access.field_count) {
		text_put(out, view->style, row->field ? heat_tone(view, row->field) : TEXT_PLAIN,
			sign);
		fputs("  ", out);
		column += 3;
	}
	text_wrap(out, column, column, notes);
}

static void print_table(struct view *view)
{
	if (!view->layout->size_bytes)
		return;
	picture_build(view->arena, view->report, view->shown, &view->picture);
	fputc('\n', view->out);
	print_ruler(view);
	for (size_t i = 0; i < view->row_count; i++) {
		const struct row *row = &view->rows[i];
		uint64_t line = row->off_bytes / view->layout->line_bytes;
		if (line < view->layout->line_count)
			print_lines(view, line + 1);
		print_row(view, row);
	}
	print_lines(view, view->layout->line_count);
}

/* ---- what is below ---- */

static void print_cost(const struct view *view)
{
	const struct access_map *map = &view->report->access;
	const struct cost_result *cost = &view->report->lint.cost;
	struct arena *arena = view->arena;
	if (!map->role_count)
		return;
	const char *text = arena_printf(
		arena, "cost: %s transactions an operation", text_number(arena, cost->total));
	if (view->report->avoidable >= 0.0005)
		text = arena_printf(arena, "%s, up to %s of it avoidable", text,
			text_number(arena, view->report->avoidable));
	if (map->model.start_count > 1)
		text = arena_printf(
			arena, "%s, averaged over %zu placements", text, map->model.start_count);
	for (size_t i = 0; i < map->role_count; i++) {
		const struct access_role *role = &map->roles[i];
		text = arena_printf(arena, "%s%s %s %s (%s", text, i ? "," : ";", role->name,
			text_number(arena, cost->roles[i]),
			text_plural(arena, role->threads, "thread"));
		text = arena_printf(arena,
			role->rate < 1 || role->rate > 1 ? "%s, rate %s)" : "%s)", text,
			text_number(arena, role->rate));
	}
	fputc('\n', view->out);
	text_wrap(view->out, 0, INDENT, text_visible(arena, text));
}

static void print_findings(const struct view *view)
{
	const struct lint_result *lint = &view->report->lint;
	bool first = true;
	for (size_t i = 0; i < lint->finding_count; i++) {
		if (!text_shows(view->style, &lint->findings[i]))
			continue;
		if (first)
			fputc('\n', view->out);
		first = false;
		text_finding(view->out, view->style, "", "", &lint->findings[i]);
	}
}

/* What was not shown, and what is missing for more. */
static void print_notes(const struct view *view, const struct report_frame *frame)
{
	const struct report_struct *report = view->report;
	size_t infos = 0;
	if (view->style->quiet)
		return;
	for (size_t i = 0; i < report->lint.finding_count; i++)
		infos += !text_shows(view->style, &report->lint.findings[i]);
	if (infos || !report->access.profile)
		fputc('\n', view->out);
	if (infos)
		fprintf(view->out, "%s: --verbose\n",
			text_plural(view->arena, infos, "further note"));
	if (!report->access.profile) {
		const char *text = arena_printf(view->arena,
			"no profile says who accesses it: layout only; 'linelint profile init %s "
			"%s > p.yaml' writes one to "
			"fill in, --profile p.yaml uses it",
			frame->binaries[report->source.binary].path, report->qualified_name);
		text_wrap(view->out, 0, INDENT, text_visible(view->arena, text));
	}
}

void text_struct(FILE *out, const struct render_style *style, const struct report_frame *frame,
	const struct report_struct *report)
{
	struct arena arena;
	arena_init(&arena);
	struct view view = {.out = out,
		.style = style,
		.report = report,
		.layout = &report->layout,
		.arena = &arena};
	print_title(&view);
	print_origin(&view, frame);
	print_profile(&view);
	choose_members(&view);
	build_rows(&view);
	print_table(&view);
	print_cost(&view);
	print_findings(&view);
	print_notes(&view, frame);
	arena_release(&arena);
}

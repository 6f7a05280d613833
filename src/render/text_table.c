#include <inttypes.h>
#include <string.h>

#include "base/number.h"
#include "render/picture.h"
#include "render/text.h"
#include "render/text_rows.h"

struct table {
	FILE *out;
	const struct render_style *style;
	const struct report_struct *report;
	const struct layout *layout;
	struct arena *arena; /* scratch */
	struct text_rows rows;
	const char *evidence; /* of all accesses of the struct */
	struct picture picture;
	uint64_t next_line; /* the first one that is not drawn */
};

/* ---- lines ---- */

static void print_ruler(const struct table *table)
{
	enum { STEP = 8 };
	uint64_t bytes = table->layout->line_bytes;
	if (bytes > table->layout->size_bytes)
		bytes = table->layout->size_bytes;
	size_t cells = (size_t)number_parts(bytes, table->picture.cell_bytes);
	text_begin(table->out, table->style, TEXT_FAINT);
	fprintf(table->out, "%*s", (int)table->rows.label_width, "");
	for (size_t i = 0; i < cells; i += STEP)
		fprintf(table->out, "%-*s", i + STEP < cells ? STEP : 0,
			text_bytes(table->arena, table->style, i * table->picture.cell_bytes));
	text_end(table->out, table->style, TEXT_FAINT);
	fputc('\n', table->out);
}

static enum text_tone heat_tone(enum picture_heat heat, bool hot)
{
	static const enum text_tone tones[] = {TEXT_PLAIN, TEXT_READ, TEXT_WRITTEN, TEXT_BOTH};
	return heat != PICTURE_COLD && !hot ? TEXT_FAINT : tones[heat];
}

static enum text_tone cell_tone(const struct picture_cell *cell)
{
	return cell->empty ? TEXT_FAINT : heat_tone(cell->heat, cell->hot);
}

static void print_cells(const struct table *table, const struct picture_cell *cells, size_t count)
{
	for (size_t i = 0; i < count;) {
		enum text_tone tone = cell_tone(&cells[i]);
		text_begin(table->out, table->style, tone);
		for (; i < count && cell_tone(&cells[i]) == tone; i++)
			fputc(cells[i].sign, table->out);
		text_end(table->out, table->style, tone);
	}
}

/* Cost of lines [first, last]; "" when there is none. */
static const char *line_cost(const struct table *table, uint64_t first, uint64_t last)
{
	const struct cost_result *cost = &table->report->lint.cost;
	double sum = 0;
	for (uint64_t line = first; line <= last && line < cost->line_count; line++)
		sum += cost->lines[line];
	return sum >= TEXT_NOTHING
		       ? arena_printf(table->arena, "cost %s", text_cost(table->arena, sum))
		       : "";
}

static void print_line(struct table *table, uint64_t line)
{
	struct picture_cell cells[PICTURE_CELLS];
	uint64_t of, used = picture_used(&table->picture, line, &of), inner;
	size_t count = picture_line(&table->picture, line, cells, &inner);
	const char *label = arena_printf(table->arena, "line %" PRIu64, line);
	text_put(table->out, table->style, TEXT_STRONG, label);
	fprintf(table->out, "%*s", (int)(table->rows.label_width - strlen(label)), "");
	print_cells(table, cells, count);
	const char *notes = line_cost(table, line, line);
	used -= inner; /* as it is drawn */
	if (used < of)
		notes = arena_printf(table->arena, "%s%s%" PRIu64 " of %" PRIu64 " used", notes,
			*notes ? ", " : "", used, of);
	if (*notes)
		fprintf(table->out, "%*s%s", (int)(table->picture.cell_count - count + 2), "",
			notes);
	fputc('\n', table->out);
}

/* "fd_array", "padding of x", "hole" */
static const char *run_text(const struct table *table, const struct picture_run *run)
{
	if (!run->member)
		return "hole";
	const char *name = run->member->path;
	if (!*name) /* an unnamed array of aggregates */
		name = type_keyword(types_get(
			table->layout->types, types_strip(table->layout->types, run->member->type))
					    ->kind);
	if (run->is_gap)
		name = arena_printf(
			table->arena, "%s %s", run->is_padding ? "padding of" : "a hole in", name);
	return text_visible(table->arena, name);
}

/* Lines in which nothing begins or ends. */
static void print_uniform_lines(struct table *table, uint64_t first, uint64_t last)
{
	uint64_t bytes = (last - first + 1) * table->layout->line_bytes;
	const struct picture_run run = picture_run(&table->picture, first);
	const char *label = arena_printf(table->arena, "lines %" PRIu64 "-%" PRIu64, first, last);
	text_put(table->out, table->style, TEXT_STRONG, label);
	fprintf(table->out, "  %s bytes of %s", text_bytes(table->arena, table->style, bytes),
		run_text(table, &run));
	const char *cost = line_cost(table, first, last);
	fprintf(table->out, "%s%s\n", *cost ? ", " : "", cost);
}

/* Draws the lines up to (and without) `end`. */
static void print_lines(struct table *table, uint64_t end)
{
	while (table->next_line < end) {
		uint64_t next = picture_next_line(&table->picture, table->next_line);
		uint64_t stop = next < end ? next : end;
		if (stop > table->next_line + 1) {
			print_uniform_lines(table, table->next_line, stop - 1);
			table->next_line = stop;
		} else {
			print_line(table, table->next_line++);
		}
	}
}

/* Objects that do not start a line may reach one more. */
static void print_lines_behind(const struct table *table)
{
	for (uint64_t line = table->layout->line_count; line < table->report->lint.cost.line_count;
		line++) {
		const char *cost = line_cost(table, line, line);
		if (*cost)
			fprintf(table->out,
				"line %" PRIu64 "  of objects that start late on a line: %s\n",
				line, cost);
	}
}

/* ---- printing ---- */

static bool is_outermost_dynamic(const struct layout *layout, const struct layout_member *member)
{
	return member->is_dynamic &&
	       (member->parent == LAYOUT_NO_PARENT || !layout->members[member->parent].is_dynamic);
}

/* What stands behind a declaration: accesses, and where the member goes on. */
static const char *row_notes(const struct table *table, const struct text_row *row)
{
	struct arena *arena = table->arena;
	const char *text =
		row->field ? text_accesses(arena, &table->report->access, row->field) : "";
	if (row->member && layout_straddles(table->layout, row->member) &&
		!layout_is_frame(row->member) && !row->member->is_dynamic)
		text = arena_printf(arena, "%s%sgoes on to line %" PRIu64, text, *text ? "; " : "",
			layout_last_byte(row->member) / table->layout->line_bytes);
	if (row->member && is_outermost_dynamic(table->layout, row->member))
		text = arena_printf(
			arena, "%s%splace known at run time only", text, *text ? "; " : "");
	if (row->member && row->member->is_open && !row->member->is_dynamic)
		text = arena_printf(arena, "%s%ssize not known", text, *text ? "; " : "");
	if (row->field && row->field->profile->why && table->style->verbose)
		text = arena_printf(arena, "%s; %s", text, row->field->profile->why);
	return text_visible(arena, text);
}

/* The sign and the evidence of an access; returns the columns that every row gives to them. */
static size_t print_evidence(const struct table *table, const struct text_row *row)
{
	if (!table->report->access.field_count)
		return 0;
	size_t width = strlen(table->evidence);
	if (!row->field) {
		fprintf(table->out, "%*s", (int)(width + 4), "");
		return width + 4;
	}
	const struct access_map *map = &table->report->access;
	char sign[] = {picture_sign(map, row->field), '\0'};
	text_put(table->out, table->style,
		heat_tone(picture_heat(map, row->field), picture_is_hot(row->field)), sign);
	fputc(' ', table->out);
	text_put(table->out, table->style, TEXT_FAINT, table->evidence);
	fputs("  ", table->out);
	return width + 4;
}

static void print_row(const struct table *table, const struct text_row *row)
{
	FILE *out = table->out;
	fprintf(out, "%*s%-*s %*s  %*s", (int)(table->rows.label_width - 2), row->offset,
		(int)table->rows.bit_width, row->bit, (int)table->rows.size_width, row->size,
		(int)(2 * row->depth), "");
	text_put(out, table->style, row->tone, row->what);
	const char *notes = row_notes(table, row);
	if (!*notes) {
		fputc('\n', out);
		return;
	}
	size_t column = table->rows.label_width + table->rows.bit_width + 1 +
			table->rows.size_width + table->rows.what_width + 2;
	if (text_row_columns(row) > table->rows.what_width)
		fprintf(out, "\n%*s", (int)column, "");
	else
		fprintf(out, "%*s", (int)(table->rows.what_width - text_row_columns(row) + 2), "");
	column += print_evidence(table, row);
	text_wrap(out, table->style, column, column, notes);
}

void text_table(FILE *out, const struct render_style *style, const struct report_struct *report)
{
	struct arena arena;
	if (!report->layout.member_count)
		return;
	arena_init(&arena);
	struct table table = {
		.out = out,
		.style = style,
		.report = report,
		.layout = &report->layout,
		.arena = &arena,
		.evidence = evidence_name(report->access.evidence),
	};
	text_rows_build(&arena, style, report, &table.rows);
	picture_build(&arena, report, table.rows.shown, &table.picture);
	fputc('\n', out);
	if (report->layout.line_count)
		print_ruler(&table);
	for (size_t i = 0; i < table.rows.count; i++) {
		uint64_t line = table.rows.items[i].off_bytes / report->layout.line_bytes;
		if (line < report->layout.line_count)
			print_lines(&table, line + 1);
		print_row(&table, &table.rows.items[i]);
	}
	print_lines(&table, report->layout.line_count);
	print_lines_behind(&table);
	arena_release(&arena);
}

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "render/picture.h"
#include "render/text.h"

enum { DECLARATION_MAX = 46, DECLARATION_ALONE_MAX = 78 };

/* A row of the table: a member, or bytes or bits of none. */
struct row {
	uint64_t off_bytes, off_bits;
	const char *offset, *bit, *size, *what; /* bit: ":3"; what: a declaration, or "hole" */
	size_t depth;
	enum text_tone tone;
	const struct layout_member *member; /* NULL: a hole */
	const struct access_field *field;   /* NULL: not accessed */
};

struct table {
	FILE *out;
	const struct render_style *style;
	const struct report_struct *report;
	const struct layout *layout;
	struct arena *arena; /* scratch */
	bool *shown;         /* by member: has a row */
	bool transparent; /* the first member is unnamed and all there is: its members stand for it */
	struct row *rows;
	size_t row_count, row_capacity;
	const struct layout_gap *inner; /* with --expand */
	size_t inner_count, next_inner;
	size_t label_width; /* of "line 12  ", and of the offsets under it */
	size_t bit_width, size_width, what_width;
	const char *evidence; /* of all accesses of the struct */
	struct picture picture;
	uint64_t next_line; /* the first one that is not drawn */
};

/* ---- which members have a row ---- */

static enum type_kind frame_kind(const struct layout *layout, const struct layout_member *member)
{
	return types_get(layout->types, types_strip(layout->types, member->type))->kind;
}

/* An unnamed struct that is everything but a flexible array stands for its members, as in mm_struct. */
static bool is_transparent(const struct layout *layout)
{
	const struct layout_member *first = layout->members;
	if (!layout->member_count || !layout_is_frame(first) || first->is_base ||
		frame_kind(layout, first) == TYPE_UNION)
		return false;
	for (size_t i = 1 + first->descendants; i < layout->member_count;
		i += 1 + layout->members[i].descendants)
		if (layout->members[i].size_bytes)
			return false;
	return true;
}

static void choose_members(struct table *table)
{
	const struct layout *layout = table->layout;
	table->shown = arena_new(table->arena, layout->member_count, sizeof(bool));
	for (size_t i = 0; i < table->report->access.field_count; i++) {
		const struct layout_member *member = table->report->access.fields[i].member;
		while (member->parent != LAYOUT_NO_PARENT &&
			!table->shown[member - layout->members]) {
			table->shown[member - layout->members] = true;
			member = &layout->members[member->parent];
		}
	}
	for (size_t i = 0; i < layout->member_count; i++) {
		uint32_t parent = layout->members[i].parent;
		if (table->style->expand || parent == LAYOUT_NO_PARENT ||
			(layout_is_frame(&layout->members[parent]) && table->shown[parent]))
			table->shown[i] = true;
	}
	table->transparent = is_transparent(layout);
}

/* ---- rows ---- */

static struct row make_row(
	const struct table *table, uint64_t off_bits, uint64_t size_bytes, const char *what)
{
	return (struct row){
		.off_bytes = off_bits / 8,
		.off_bits = off_bits,
		.offset = text_bytes(table->arena, table->style, off_bits / 8),
		.bit = "",
		.size = text_bytes(table->arena, table->style, size_bytes),
		.what = what,
	};
}

static struct row make_bit_row(const struct table *table, uint64_t off_bits, const char *what)
{
	struct row row = make_row(table, off_bits, 0, what);
	row.bit = arena_printf(table->arena, ":%" PRIu64, off_bits % 8);
	row.size = "";
	return row;
}

static const char *member_text(
	const struct table *table, const struct layout_member *member, size_t depth)
{
	size_t most = table->report->access.field_count ? DECLARATION_MAX : DECLARATION_ALONE_MAX;
	const char *group;
	int edge = layout_group_marker(member, &group);
	if (edge)
		return arena_printf(table->arena, "-- %s %s --", text_visible(table->arena, group),
			edge > 0 ? "begins" : "ends");
	if (layout_is_frame(member))
		return type_keyword(frame_kind(table->layout, member));
	return text_declaration(
		table->arena, table->layout, member, most > 2 * depth ? most - 2 * depth : 0);
}

static struct row make_member_row(const struct table *table, const struct layout_member *member)
{
	size_t depth = member->depth - (table->transparent && member->depth ? 1 : 0);
	const char *what = member_text(table, member, depth);
	struct row row = member->bit_size
				 ? make_bit_row(table, member->off_bits, what)
				 : make_row(table, member->off_bits, member->size_bytes, what);
	const char *group;
	row.depth = depth;
	row.member = member;
	row.field = access_find(&table->report->access, member);
	if (member->is_dynamic) {
		row.offset = "?";
		row.bit = "";
	}
	if (layout_is_frame(member) || layout_group_marker(member, &group))
		row.tone = TEXT_FAINT;
	return row;
}

static int by_offset(const void *left, const void *right)
{
	const struct row *a = left, *b = right;
	return (a->off_bits > b->off_bits) - (a->off_bits < b->off_bits);
}

/* Holes, bit holes and padding, ascending; `ret` has room. */
static size_t make_gap_rows(const struct table *table, struct row *ret)
{
	const struct layout *layout = table->layout;
	size_t count = 0;
	for (size_t i = 0; i < layout->hole_count; i++)
		ret[count++] = make_row(
			table, layout->holes[i].off_bytes * 8, layout->holes[i].size_bytes, "hole");
	for (size_t i = 0; i < layout->bit_hole_count; i++) {
		const struct layout_bit_hole *hole = &layout->bit_holes[i];
		ret[count++] = make_bit_row(table, hole->off_bytes * 8 + hole->bit_offset,
			arena_printf(table->arena, "hole of %s",
				text_plural(table->arena, hole->bit_size, "bit")));
	}
	if (layout->padding_bytes)
		ret[count++] = make_row(table, (layout->size_bytes - layout->padding_bytes) * 8,
			layout->padding_bytes, "padding");
	if (count)
		qsort(ret, count, sizeof(*ret), by_offset);
	for (size_t i = 0; i < count; i++)
		ret[i].tone = TEXT_FAINT;
	return count;
}

/* Gap rows of one aggregate on their way among its members. */
struct cursor {
	const struct row *rows;
	size_t count, next;
};

static void add_row(struct table *table, struct row row)
{
	table->rows = arena_grow(table->arena, table->rows, &table->row_capacity,
		table->row_count + 1, sizeof(*table->rows));
	table->rows[table->row_count++] = row;
}

static void add_gaps_before(struct table *table, struct cursor *gaps, uint64_t off_bits)
{
	while (gaps->next < gaps->count && gaps->rows[gaps->next].off_bits < off_bits)
		add_row(table, gaps->rows[gaps->next++]);
}

static struct row make_inner_row(const struct table *table, const struct layout_gap *gap)
{
	const struct layout_member *around = &table->layout->members[gap->parent];
	struct row row =
		gap->size_bytes ? make_row(table, gap->off_bytes * 8, gap->size_bytes,
					  gap->is_padding ? "padding" : "hole")
				: make_bit_row(table, gap->off_bytes * 8 + gap->bit_offset,
					  arena_printf(table->arena, "hole of %s",
						  text_plural(table->arena, gap->bit_size, "bit")));
	row.depth = around->depth + 1 - (table->transparent ? 1 : 0);
	row.tone = TEXT_FAINT;
	return row;
}

/* The rows of what is unused in member `index`, with --expand. */
static struct cursor make_inner_rows(struct table *table, size_t index)
{
	struct cursor cursor = {0};
	if (!table->style->expand)
		return cursor;
	while (table->next_inner < table->inner_count &&
		table->inner[table->next_inner].parent < index)
		table->next_inner++;
	size_t first = table->next_inner, last = first;
	while (last < table->inner_count && table->inner[last].parent == index)
		last++;
	struct row *rows = arena_new(table->arena, last - first, sizeof(*rows));
	for (size_t i = first; i < last; i++)
		rows[cursor.count++] = make_inner_row(table, &table->inner[i]);
	if (cursor.count)
		qsort(rows, cursor.count, sizeof(*rows), by_offset);
	cursor.rows = rows;
	return cursor;
}

/* Members [begin, end) of one level among the gaps of what is around them; unnamed aggregates have none of their own. */
static void add_rows(struct table *table, size_t begin, size_t end, struct cursor *gaps)
{
	for (size_t i = begin; i < end; i += 1 + table->layout->members[i].descendants) {
		const struct layout_member *member = &table->layout->members[i];
		size_t next = i + 1 + member->descendants;
		if (table->shown[i] && !(table->transparent && i == 0)) {
			if (!member->is_dynamic)
				add_gaps_before(table, gaps, member->off_bits);
			add_row(table, make_member_row(table, member));
		}
		if (layout_is_frame(member)) {
			add_rows(table, i + 1, next, gaps);
		} else if (member->descendants) {
			struct cursor inner = make_inner_rows(table, i);
			add_rows(table, i + 1, next, &inner);
			add_gaps_before(table, &inner, UINT64_MAX);
		}
	}
}

static void make_rows(struct table *table)
{
	const struct layout *layout = table->layout;
	size_t gap_most = layout->hole_count + layout->bit_hole_count + 1;
	struct row *rows = arena_new(table->arena, gap_most, sizeof(*rows));
	struct cursor gaps = {.rows = rows, .count = make_gap_rows(table, rows)};
	if (table->style->expand)
		table->inner_count = layout_inner_gaps(table->arena, layout, &table->inner);
	add_rows(table, 0, layout->member_count, &gaps);
	add_gaps_before(table, &gaps, UINT64_MAX);
}

static void widen(size_t *width, size_t to)
{
	if (to > *width)
		*width = to;
}

static size_t row_columns(const struct row *row)
{
	return 2 * row->depth + text_columns(row->what);
}

static void measure(struct table *table)
{
	const struct layout *layout = table->layout;
	uint64_t last_line = layout->line_count ? layout->line_count - 1 : 0;
	const char *label = arena_printf(table->arena, "line %" PRIu64 "  ", last_line);
	table->label_width = strlen(label);
	for (size_t i = 0; i < table->row_count; i++) {
		const struct row *row = &table->rows[i];
		widen(&table->bit_width, strlen(row->bit));
		widen(&table->size_width, strlen(row->size));
		widen(&table->label_width, strlen(row->offset) + 2);
		if (row_columns(row) <= DECLARATION_MAX)
			widen(&table->what_width, row_columns(row));
	}
}

/* ---- lines ---- */

static void print_ruler(const struct table *table)
{
	enum { STEP = 8 };
	uint64_t bytes = table->layout->line_bytes;
	if (bytes > table->layout->size_bytes)
		bytes = table->layout->size_bytes;
	size_t cells = (size_t)(bytes + table->picture.cell_bytes - 1) / table->picture.cell_bytes;
	text_begin(table->out, table->style, TEXT_FAINT);
	fprintf(table->out, "%*s", (int)table->label_width, "");
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
		       ? arena_printf(table->arena, "cost %s", text_number(table->arena, sum))
		       : "";
}

static void print_line(struct table *table, uint64_t line)
{
	struct picture_cell cells[PICTURE_CELLS];
	uint64_t of, used = picture_used(&table->picture, line, &of), inner;
	size_t count = picture_line(&table->picture, line, cells, &inner);
	const char *label = arena_printf(table->arena, "line %" PRIu64, line);
	text_put(table->out, table->style, TEXT_STRONG, label);
	fprintf(table->out, "%*s", (int)(table->label_width - strlen(label)), "");
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
static const char *row_notes(const struct table *table, const struct row *row)
{
	struct arena *arena = table->arena;
	const char *text =
		row->field ? text_accesses(arena, &table->report->access, row->field) : "";
	if (row->member && layout_straddles(table->layout, row->member) && !layout_is_frame(row->member) &&
		!row->member->is_dynamic)
		text = arena_printf(arena, "%s%sgoes on to line %" PRIu64, text, *text ? "; " : "",
			layout_last_byte(row->member) / table->layout->line_bytes);
	if (row->member && is_outermost_dynamic(table->layout, row->member))
		text = arena_printf(
			arena, "%s%splace known at run time only", text, *text ? "; " : "");
	if (row->field && row->field->profile->why && table->style->verbose)
		text = arena_printf(arena, "%s; %s", text, row->field->profile->why);
	return text_visible(arena, text);
}

/* The sign and the evidence of an access; returns the columns that every row gives to them. */
static size_t print_evidence(const struct table *table, const struct row *row)
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

static void print_row(const struct table *table, const struct row *row)
{
	FILE *out = table->out;
	fprintf(out, "%*s%-*s %*s  %*s", (int)(table->label_width - 2), row->offset,
		(int)table->bit_width, row->bit, (int)table->size_width, row->size,
		(int)(2 * row->depth), "");
	text_put(out, table->style, row->tone, row->what);
	const char *notes = row_notes(table, row);
	if (!*notes) {
		fputc('\n', out);
		return;
	}
	size_t column = table->label_width + table->bit_width + 1 + table->size_width +
			table->what_width + 2;
	if (row_columns(row) > table->what_width)
		fprintf(out, "\n%*s", (int)column, "");
	else
		fprintf(out, "%*s", (int)(table->what_width - row_columns(row) + 2), "");
	column += print_evidence(table, row);
	text_wrap(out, column, column, notes);
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
	choose_members(&table);
	make_rows(&table);
	measure(&table);
	picture_build(&arena, report, table.shown, &table.picture);
	fputc('\n', out);
	if (report->layout.line_count)
		print_ruler(&table);
	for (size_t i = 0; i < table.row_count; i++) {
		uint64_t line = table.rows[i].off_bytes / report->layout.line_bytes;
		if (line < report->layout.line_count)
			print_lines(&table, line + 1);
		print_row(&table, &table.rows[i]);
	}
	print_lines(&table, report->layout.line_count);
	print_lines_behind(&table);
	arena_release(&arena);
}

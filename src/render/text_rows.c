#include "render/text_rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DECLARATION_MAX = 46, DECLARATION_ALONE_MAX = 78 };

/* ---- which members have a row ---- */

static enum type_kind frame_kind(const struct layout *layout, const struct layout_member *member)
{
	return types_get(layout->types, types_strip(layout->types, member->type))->kind;
}

/* An unnamed struct that is everything but a flexible array stands for its members, as in mm_struct. */
static bool is_transparent(const struct layout *layout)
{
	const struct layout_member *first = layout->members;
	if (!layout->member_count || !layout_is_frame(first) || first->is_base || first->is_body ||
		frame_kind(layout, first) == TYPE_UNION)
		return false;
	for (size_t i = 1 + first->descendants; i < layout->member_count;
		i += 1 + layout->members[i].descendants)
		if (layout->members[i].size_bytes)
			return false;
	return true;
}

static void choose_members(struct text_rows *rows)
{
	const struct layout *layout = rows->layout;
	rows->shown = arena_new(rows->arena, layout->member_count, sizeof(bool));
	for (size_t i = 0; i < rows->report->access.field_count; i++) {
		const struct layout_member *member = rows->report->access.fields[i].member;
		while (member->parent != LAYOUT_NO_PARENT &&
			!rows->shown[member - layout->members]) {
			rows->shown[member - layout->members] = true;
			member = &layout->members[member->parent];
		}
	}
	for (size_t i = 0; i < layout->member_count; i++) {
		uint32_t parent = layout->members[i].parent;
		if (rows->style->expand || parent == LAYOUT_NO_PARENT ||
			(layout_is_frame(&layout->members[parent]) && rows->shown[parent]))
			rows->shown[i] = true;
	}
	rows->transparent = is_transparent(layout);
}

/* ---- rows ---- */

static struct text_row make_row(
	const struct text_rows *rows, uint64_t off_bits, uint64_t size_bytes, const char *what)
{
	return (struct text_row){
		.off_bytes = off_bits / 8,
		.off_bits = off_bits,
		.offset = text_bytes(rows->arena, rows->style, off_bits / 8),
		.bit = "",
		.size = text_bytes(rows->arena, rows->style, size_bytes),
		.what = what,
	};
}

static struct text_row make_bit_row(
	const struct text_rows *rows, uint64_t off_bits, const char *what)
{
	struct text_row row = make_row(rows, off_bits, 0, what);
	row.bit = arena_printf(rows->arena, ":%" PRIu64, off_bits % 8);
	row.size = "";
	return row;
}

static const char *member_text(
	const struct text_rows *rows, const struct layout_member *member, size_t depth)
{
	size_t most = rows->report->access.field_count ? DECLARATION_MAX : DECLARATION_ALONE_MAX;
	const char *group;
	int edge = layout_group_marker(member, &group);
	if (edge)
		return arena_printf(rows->arena, "-- %s %s --", text_visible(rows->arena, group),
			edge > 0 ? "begins" : "ends");
	if (member->is_body)
		return arena_printf(
			rows->arena, "variant %s", text_visible(rows->arena, member->name));
	if (layout_is_frame(member))
		return type_keyword(frame_kind(rows->layout, member));
	return text_declaration(
		rows->arena, rows->layout, member, most > 2 * depth ? most - 2 * depth : 0);
}

static struct text_row make_member_row(
	const struct text_rows *rows, const struct layout_member *member)
{
	size_t depth = member->depth - (rows->transparent && member->depth ? 1 : 0);
	const char *what = member_text(rows, member, depth);
	struct text_row row = member->bit_size
				      ? make_bit_row(rows, member->off_bits, what)
				      : make_row(rows, member->off_bits, member->size_bytes, what);
	const char *group;
	row.depth = depth;
	row.member = member;
	row.field = access_find(&rows->report->access, member);
	if (member->is_dynamic) {
		row.offset = "?";
		row.bit = "";
	}
	if (member->is_open)
		row.size = "?";
	if (layout_is_frame(member) || layout_group_marker(member, &group))
		row.tone = TEXT_FAINT;
	return row;
}

static int by_offset(const void *left, const void *right)
{
	const struct text_row *a = left, *b = right;
	return (a->off_bits > b->off_bits) - (a->off_bits < b->off_bits);
}

/* Holes, bit holes and padding, ascending; `ret` has room. */
static size_t make_gap_rows(const struct text_rows *rows, struct text_row *ret)
{
	const struct layout *layout = rows->layout;
	size_t count = 0;
	for (size_t i = 0; i < layout->hole_count; i++)
		ret[count++] = make_row(
			rows, layout->holes[i].off_bytes * 8, layout->holes[i].size_bytes, "hole");
	for (size_t i = 0; i < layout->bit_hole_count; i++) {
		const struct layout_bit_hole *hole = &layout->bit_holes[i];
		ret[count++] = make_bit_row(rows, hole->off_bytes * 8 + hole->bit_offset,
			arena_printf(rows->arena, "hole of %s",
				text_plural(rows->arena, hole->bit_size, "bit")));
	}
	if (layout->padding_bytes)
		ret[count++] = make_row(rows, (layout->size_bytes - layout->padding_bytes) * 8,
			layout->padding_bytes, "padding");
	if (count)
		qsort(ret, count, sizeof(*ret), by_offset);
	for (size_t i = 0; i < count; i++)
		ret[i].tone = TEXT_FAINT;
	return count;
}

/* Gap rows of one aggregate on their way among its members. */
struct cursor {
	const struct text_row *rows;
	size_t count, next;
};

static void add_row(struct text_rows *rows, struct text_row row)
{
	rows->items = arena_grow(
		rows->arena, rows->items, &rows->capacity, rows->count + 1, sizeof(*rows->items));
	rows->items[rows->count++] = row;
}

static void add_gaps_before(struct text_rows *rows, struct cursor *gaps, uint64_t off_bits)
{
	while (gaps->next < gaps->count && gaps->rows[gaps->next].off_bits < off_bits)
		add_row(rows, gaps->rows[gaps->next++]);
}

static struct text_row make_inner_row(const struct text_rows *rows, const struct layout_gap *gap)
{
	const struct layout_member *around = &rows->layout->members[gap->parent];
	struct text_row row =
		gap->size_bytes ? make_row(rows, gap->off_bytes * 8, gap->size_bytes,
					  gap->is_padding ? "padding" : "hole")
				: make_bit_row(rows, gap->off_bytes * 8 + gap->bit_offset,
					  arena_printf(rows->arena, "hole of %s",
						  text_plural(rows->arena, gap->bit_size, "bit")));
	row.depth = around->depth + 1 - (rows->transparent ? 1 : 0);
	row.tone = TEXT_FAINT;
	return row;
}

/* The rows of what is unused in member `index`, with --expand. */
static struct cursor make_inner_rows(struct text_rows *rows, size_t index)
{
	struct cursor cursor = {0};
	if (!rows->style->expand)
		return cursor;
	while (rows->next_inner < rows->inner_count && rows->inner[rows->next_inner].parent < index)
		rows->next_inner++;
	size_t first = rows->next_inner, last = first;
	while (last < rows->inner_count && rows->inner[last].parent == index)
		last++;
	struct text_row *items = arena_new(rows->arena, last - first, sizeof(*items));
	for (size_t i = first; i < last; i++)
		items[cursor.count++] = make_inner_row(rows, &rows->inner[i]);
	if (cursor.count)
		qsort(items, cursor.count, sizeof(*items), by_offset);
	cursor.rows = items;
	return cursor;
}

/* Members [begin, end) of one level among the gaps of what is around them; unnamed aggregates have none of their own. */
static void add_rows(struct text_rows *rows, size_t begin, size_t end, struct cursor *gaps)
{
	for (size_t i = begin; i < end; i += 1 + rows->layout->members[i].descendants) {
		const struct layout_member *member = &rows->layout->members[i];
		size_t next = i + 1 + member->descendants;
		if (rows->shown[i] && !(rows->transparent && i == 0)) {
			if (!member->is_dynamic)
				add_gaps_before(rows, gaps, member->off_bits);
			add_row(rows, make_member_row(rows, member));
		}
		if (layout_is_frame(member)) {
			add_rows(rows, i + 1, next, gaps);
		} else if (member->descendants) {
			struct cursor inner = make_inner_rows(rows, i);
			add_rows(rows, i + 1, next, &inner);
			add_gaps_before(rows, &inner, UINT64_MAX);
		}
	}
}

static void make_rows(struct text_rows *rows)
{
	const struct layout *layout = rows->layout;
	size_t gap_most = layout->hole_count + layout->bit_hole_count + 1;
	struct text_row *items = arena_new(rows->arena, gap_most, sizeof(*items));
	struct cursor gaps = {.rows = items, .count = make_gap_rows(rows, items)};
	if (rows->style->expand)
		rows->inner_count = layout_inner_gaps(rows->arena, layout, &rows->inner);
	add_rows(rows, 0, layout->member_count, &gaps);
	add_gaps_before(rows, &gaps, UINT64_MAX);
}

static void widen(size_t *width, size_t to)
{
	if (to > *width)
		*width = to;
}

size_t text_row_columns(const struct text_row *row)
{
	return 2 * row->depth + text_columns(row->what);
}

static void measure(struct text_rows *rows)
{
	const struct layout *layout = rows->layout;
	uint64_t last_line = layout->line_count ? layout->line_count - 1 : 0;
	const char *label = arena_printf(rows->arena, "line %" PRIu64 "  ", last_line);
	rows->label_width = strlen(label);
	for (size_t i = 0; i < rows->count; i++) {
		const struct text_row *row = &rows->items[i];
		widen(&rows->bit_width, strlen(row->bit));
		widen(&rows->size_width, strlen(row->size));
		widen(&rows->label_width, strlen(row->offset) + 2);
		if (text_row_columns(row) <= DECLARATION_MAX)
			widen(&rows->what_width, text_row_columns(row));
	}
}

void text_rows_build(struct arena *arena, const struct render_style *style,
	const struct report_struct *report, struct text_rows *ret)
{
	*ret = (struct text_rows){
		.style = style,
		.report = report,
		.layout = &report->layout,
		.arena = arena,
	};
	choose_members(ret);
	make_rows(ret);
	measure(ret);
}

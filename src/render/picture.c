#include "render/picture.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { LINE_BYTES_MAX = 4096 };

static double most(const struct access_map *map, const struct access_field *field,
	enum access_kind a, enum access_kind b)
{
	double result = 0;
	for (size_t i = 0; i < map->role_count; i++)
		if (field->counts[i][a] + field->counts[i][b] > result)
			result = field->counts[i][a] + field->counts[i][b];
	return result;
}

enum picture_heat picture_heat(const struct access_map *map, const struct access_field *field)
{
	bool read = most(map, field, ACCESS_READ, ACCESS_UNKNOWN) > 0;
	bool written = most(map, field, ACCESS_WRITE, ACCESS_RMW) > 0;
	if (written)
		return read ? PICTURE_BOTH : PICTURE_WRITTEN;
	return read ? PICTURE_READ : PICTURE_COLD;
}

bool picture_is_hot(const struct access_field *field)
{
	return field->reads >= PICTURE_HOT || field->writes >= PICTURE_HOT;
}

char picture_sign(const struct access_map *map, const struct access_field *field)
{
	static const char capitals[] = "+RWB", smalls[] = "+rwb";
	enum picture_heat heat = picture_heat(map, field);
	return picture_is_hot(field) ? capitals[heat] : smalls[heat];
}

/* Items being collected; there is room for one a member and one a field. */
struct collection {
	const struct layout *layout;
	struct picture_item *items;
	size_t count;
};

/* Inside an array of aggregates the layout has element 0 only: the same again in every element. */
static void repeat_in_array(
	const struct layout *layout, uint32_t innermost, struct picture_item *item)
{
	for (uint32_t i = innermost; i != LAYOUT_NO_PARENT; i = layout->members[i].parent) {
		const struct layout_member *around = &layout->members[i];
		if (!around->is_array)
			continue;
		item->period = around->element_bytes;
		item->end = layout_last_byte(around) + 1;
		return;
	}
}

static struct picture_item *add_item(
	struct collection *collection, const struct layout_member *member)
{
	struct picture_item *item = &collection->items[collection->count++];
	*item = (struct picture_item){
		.first = layout_first_byte(member),
		.last = layout_last_byte(member),
		.sign = '+',
		.member = member,
	};
	if (member->in_array)
		repeat_in_array(collection->layout, member->parent, item);
	return item;
}

static void add_gap(struct collection *collection, const struct layout_gap *gap)
{
	const struct layout_member *around = &collection->layout->members[gap->parent];
	struct picture_item *item = &collection->items[collection->count++];
	*item = (struct picture_item){
		.first = gap->off_bytes,
		.last = gap->off_bytes + gap->size_bytes - 1,
		.is_gap = true,
		.is_padding = gap->is_padding,
		.sign = gap->is_padding ? '_' : '.',
		.member = around,
	};
	if (around->is_array || around->in_array)
		repeat_in_array(collection->layout, gap->parent, item);
}

static void add_field(struct collection *collection, const struct access_map *map, size_t index)
{
	const struct access_field *field = &map->fields[index];
	struct picture_item *item = add_item(collection, field->member);
	item->heat = picture_heat(map, field);
	item->hot = picture_is_hot(field);
	item->sign = picture_sign(map, field);
	if (field->profile->bytes && field->profile->bytes < item->last - item->first + 1)
		item->last = item->first + field->profile->bytes - 1;
	if (field->profile->index == PROFILE_INDEX_ELEMENT && field->member->element_bytes &&
		field->profile->element < field->member->elements) {
		item->first += field->profile->element * field->member->element_bytes;
		item->last = item->first + field->member->element_bytes - 1;
	}
}

static bool is_empty(const struct layout_member *member)
{
	return !member->bit_size && !member->size_bytes;
}

/* So that the finest alternative of a union is the one that is seen. */
static int longest_first(const void *left, const void *right)
{
	const struct picture_item *a = left, *b = right;
	uint64_t a_length = a->last - a->first, b_length = b->last - b->first;
	if (a_length != b_length)
		return a_length < b_length ? 1 : -1;
	return (a->first > b->first) - (a->first < b->first);
}

static void collect(struct arena *arena, const struct report_struct *report, const bool *shown,
	struct collection *collection)
{
	const struct layout *layout = &report->layout;
	const struct access_map *map = &report->access;
	const struct layout_gap *gaps;
	size_t gap_count = layout_inner_gaps(arena, layout, &gaps);
	*collection = (struct collection){
		.layout = layout,
		.items = arena_new(arena, layout->member_count + map->field_count + gap_count,
			sizeof(*collection->items)),
	};
	for (size_t i = 0; i < layout->member_count; i++) {
		const struct layout_member *member = &layout->members[i];
		if (shown[i] && !layout_is_frame(member) && !is_empty(member) &&
			!member->is_dynamic)
			add_item(collection, member);
	}
	if (collection->count)
		qsort(collection->items, collection->count, sizeof(*collection->items),
			longest_first);
	for (int heat = PICTURE_COLD; heat <= PICTURE_BOTH; heat++)
		for (size_t i = 0; i < map->field_count; i++)
			if ((int)picture_heat(map, &map->fields[i]) == heat &&
				!is_empty(map->fields[i].member))
				add_field(collection, map, i);
	for (size_t i = 0; i < gap_count; i++)
		if (gaps[i].size_bytes)
			add_gap(collection, &gaps[i]);
}

/* ---- order along the struct ---- */

struct place {
	uint64_t first;
	uint32_t item;
};

static int by_first(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	return (a->item > b->item) - (a->item < b->item);
}

static uint32_t *order_by_first(struct arena *arena, const struct picture_item *items, size_t count)
{
	struct place *places = mem_new(count, sizeof(*places));
	uint32_t *order = arena_new(arena, count, sizeof(*order));
	for (size_t i = 0; i < count; i++)
		places[i] = (struct place){.first = items[i].first, .item = (uint32_t)i};
	if (count)
		qsort(places, count, sizeof(*places), by_first);
	for (size_t i = 0; i < count; i++)
		order[i] = places[i].item;
	mem_free(places);
	return order;
}

static int ascending(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;
	return (*a > *b) - (*a < *b);
}

static void find_edges(struct arena *arena, const struct layout *layout, struct picture *picture)
{
	uint64_t *edges = arena_new(
		arena, 2 * (picture->item_count + layout->hole_count) + 1, sizeof(*edges));
	size_t count = 0, kept = 0;
	for (size_t i = 0; i < picture->item_count; i++) {
		edges[count++] = picture->items[i].first / layout->line_bytes;
		edges[count++] = (picture->items[i].last + 1) / layout->line_bytes;
	}
	for (size_t i = 0; i < layout->hole_count; i++) {
		const struct layout_hole *hole = &layout->holes[i];
		edges[count++] = hole->off_bytes / layout->line_bytes;
		edges[count++] = (hole->off_bytes + hole->size_bytes) / layout->line_bytes;
	}
	edges[count++] = (layout->size_bytes - layout->padding_bytes) / layout->line_bytes;
	qsort(edges, count, sizeof(*edges), ascending);
	for (size_t i = 0; i < count; i++)
		if (!kept || edges[kept - 1] != edges[i])
			edges[kept++] = edges[i];
	picture->edges = edges;
	picture->edge_count = kept;
}

void picture_build(struct arena *arena, const struct report_struct *report, const bool *shown,
	struct picture *ret)
{
	const struct layout *layout = &report->layout;
	struct collection collection;
	collect(arena, report, shown, &collection);
	*ret = (struct picture){
		.layout = layout,
		.items = collection.items,
		.item_count = collection.count,
		.by_first = order_by_first(arena, collection.items, collection.count),
		.active = arena_new(arena, collection.count, sizeof(*ret->active)),
		.cell_bytes = layout->line_bytes > PICTURE_CELLS
				      ? (size_t)layout->line_bytes / PICTURE_CELLS
				      : 1,
	};
	ret->cell_count = (size_t)layout->line_bytes / ret->cell_bytes;
	find_edges(arena, layout, ret);
}

static int by_item(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;
	return (*a > *b) - (*a < *b);
}

/* Makes `active` what reaches the bytes [begin, end). */
static void advance(struct picture *picture, uint64_t begin, uint64_t end)
{
	size_t kept = 0, before;
	for (size_t i = 0; i < picture->active_count; i++) {
		const struct picture_item *item = &picture->items[picture->active[i]];
		if ((item->period ? item->end : item->last + 1) > begin)
			picture->active[kept++] = picture->active[i];
	}
	before = kept;
	for (; picture->next < picture->item_count; picture->next++) {
		const struct picture_item *item = &picture->items[picture->by_first[picture->next]];
		if (item->first >= end)
			break;
		if ((item->period ? item->end : item->last + 1) > begin)
			picture->active[kept++] = picture->by_first[picture->next];
	}
	picture->active_count = kept;
	if (kept > before)
		qsort(picture->active, kept, sizeof(*picture->active), by_item);
}

/* ---- drawing ---- */

/* What lies at one byte of the line being drawn. */
struct byte {
	const struct picture_item *item; /* on top; NULL: none */
	const struct picture_item
		*begins; /* the hottest of those that begin here, also of those below; NULL: none */
};

static void paint_once(const struct picture_item *item, uint64_t first, uint64_t last,
	uint64_t begin, uint64_t end, struct byte *bytes)
{
	if (first >= end || last < begin)
		return;
	uint64_t from = first > begin ? first : begin, to = last < end ? last + 1 : end;
	for (uint64_t at = from; at < to; at++) {
		struct byte *byte = &bytes[at - begin];
		byte->item = item;
		if (at == first && (!byte->begins || item->heat >= byte->begins->heat))
			byte->begins = item;
	}
}

static void paint(const struct picture_item *item, uint64_t begin, uint64_t end, struct byte *bytes)
{
	if (!item->period) {
		paint_once(item, item->first, item->last, begin, end, bytes);
		return;
	}
	uint64_t length = item->last - item->first + 1, first = item->first;
	if (begin > item->last)
		first += (begin - item->last + item->period - 1) / item->period * item->period;
	for (; first < end && first < item->end; first += item->period)
		paint_once(item, first, first + length - 1, begin, end, bytes);
}

static bool covers(const struct layout_member *member, uint64_t off_bytes)
{
	return !is_empty(member) && off_bytes >= layout_first_byte(member) &&
	       off_bytes <= layout_last_byte(member);
}

/* Does a member of this one, or an aggregate that is an element of it, begin at the byte? */
static bool part_begins(const struct layout_member *member, uint64_t off_bytes)
{
	if (member->is_array && member->element_bytes && member->descendants) {
		uint64_t inside = (off_bytes - layout_first_byte(member)) % member->element_bytes;
		if (!inside)
			return true;
		off_bytes = layout_first_byte(member) + inside;
	}
	for (uint32_t i = 1; i <= member->descendants; i += 1 + member[i].descendants)
		if (covers(&member[i], off_bytes) && (layout_first_byte(&member[i]) == off_bytes ||
							     part_begins(&member[i], off_bytes)))
			return true;
	return false;
}

/* What a field or gap on top leaves of the member around it begins again where a part of that does. */
static bool begins_again(const struct picture_item *item, uint64_t off_bytes)
{
	uint64_t first = layout_first_byte(item->member);
	if (item->is_gap || off_bytes < first)
		return false;
	if (item->period)
		off_bytes = first + (off_bytes - first) % item->period;
	return part_begins(item->member, off_bytes);
}

/* A cell of the bytes [from, to) of a line that starts at `begin`. */
static struct picture_cell draw_cell(
	const struct byte *bytes, size_t from, size_t to, uint64_t begin)
{
	struct picture_cell cell = {.sign = '-', .empty = true};
	const struct picture_item *beginning = NULL;
	for (size_t i = from; i < to; i++) {
		const struct picture_item *item = bytes[i].item;
		if (!item || item->is_gap)
			continue;
		cell.empty = false;
		if (item->heat > cell.heat)
			cell.heat = item->heat;
		cell.hot |= item->hot;
		const struct picture_item *begins = bytes[i].begins;
		if (!begins && i > 0 && bytes[i - 1].item != item && begins_again(item, begin + i))
			begins = item;
		if (begins && (!beginning || begins->heat > beginning->heat))
			beginning = begins;
	}
	if (beginning)
		cell.sign = beginning->sign;
	return cell;
}

/* The sign of a cell in which no member lies. */
static char empty_sign(const struct layout *layout, const struct byte *byte, uint64_t off_bytes)
{
	if (byte->item)
		return byte->item->sign;
	return off_bytes >= layout->size_bytes - layout->padding_bytes ? '_' : '.';
}

static bool goes_on(const struct picture_item *item, uint64_t end)
{
	return item && (item->period ? item->end > end : item->last >= end);
}

size_t picture_line(struct picture *picture, uint64_t line,
	struct picture_cell cells[PICTURE_CELLS], uint64_t *inner)
{
	const struct layout *layout = picture->layout;
	struct byte bytes[LINE_BYTES_MAX];
	uint64_t begin = line * layout->line_bytes, end = begin + layout->line_bytes;
	if (end > layout->size_bytes)
		end = layout->size_bytes;
	size_t length = (size_t)(end - begin);
	memset(bytes, 0, length * sizeof(*bytes));
	advance(picture, begin, end);
	for (size_t i = 0; i < picture->active_count; i++)
		paint(&picture->items[picture->active[i]], begin, end, bytes);
	*inner = 0;
	for (size_t i = 0; i < length; i++)
		*inner += bytes[i].item && bytes[i].item->is_gap;
	size_t count = (length + picture->cell_bytes - 1) / picture->cell_bytes;
	for (size_t i = 0; i < count; i++) {
		size_t from = i * picture->cell_bytes, to = from + picture->cell_bytes;
		cells[i] = draw_cell(bytes, from, to < length ? to : length, begin);
		if (cells[i].empty)
			cells[i].sign = empty_sign(layout, &bytes[from], begin + from);
	}
	if (count && cells[0].sign == '-')
		cells[0].sign = '<';
	if (count && cells[count - 1].sign == '-' && end < layout->size_bytes &&
		goes_on(bytes[length - 1].item, end))
		cells[count - 1].sign = '>';
	return count;
}

/* The outermost array that it lies in, or itself. */
static const struct layout_member *array_around(
	const struct layout *layout, const struct layout_member *member)
{
	const struct layout_member *result = member;
	for (uint32_t i = member->parent; i != LAYOUT_NO_PARENT; i = layout->members[i].parent)
		if (layout->members[i].is_array)
			result = &layout->members[i];
	return result;
}

struct picture_run picture_run(struct picture *picture, uint64_t line)
{
	uint64_t at = line * picture->layout->line_bytes;
	const struct picture_item *latest = NULL;
	advance(picture, at, at + 1);
	for (size_t i = 0; i < picture->active_count; i++) {
		const struct picture_item *item = &picture->items[picture->active[i]];
		if (!latest || item->first >= latest->first)
			latest = item;
	}
	if (!latest)
		return (struct picture_run){.member = NULL};
	bool is_gap = latest->is_gap && !latest->period;
	return (struct picture_run){
		.member = is_gap ? latest->member : array_around(picture->layout, latest->member),
		.is_gap = is_gap,
		.is_padding = is_gap && latest->is_padding,
	};
}

uint64_t picture_next_line(const struct picture *picture, uint64_t line)
{
	size_t begin = 0, end = picture->edge_count;
	while (begin < end) {
		size_t middle = begin + (end - begin) / 2;
		if (picture->edges[middle] < line)
			begin = middle + 1;
		else
			end = middle;
	}
	uint64_t lines = picture->layout->line_count;
	return begin < picture->edge_count && picture->edges[begin] < lines ? picture->edges[begin]
									    : lines;
}

static uint64_t overlap(uint64_t begin, uint64_t end, uint64_t from, uint64_t length)
{
	uint64_t first = begin > from ? begin : from,
		 last = end < from + length ? end : from + length;
	return last > first ? last - first : 0;
}

/* The first hole that ends behind a byte. */
static size_t first_hole_behind(const struct layout *layout, uint64_t off_bytes)
{
	size_t begin = 0, end = layout->hole_count;
	while (begin < end) {
		size_t middle = begin + (end - begin) / 2;
		if (layout->holes[middle].off_bytes + layout->holes[middle].size_bytes <= off_bytes)
			begin = middle + 1;
		else
			end = middle;
	}
	return begin;
}

uint64_t picture_used(const struct picture *picture, uint64_t line, uint64_t *of)
{
	const struct layout *layout = picture->layout;
	uint64_t begin = line * layout->line_bytes, end = begin + layout->line_bytes;
	if (end > layout->size_bytes)
		end = layout->size_bytes;
	uint64_t unused = overlap(
		begin, end, layout->size_bytes - layout->padding_bytes, layout->padding_bytes);
	for (size_t i = first_hole_behind(layout, begin);
		i < layout->hole_count && layout->holes[i].off_bytes < end; i++)
		unused += overlap(
			begin, end, layout->holes[i].off_bytes, layout->holes[i].size_bytes);
	*of = end - begin;
	return end - begin - unused;
}

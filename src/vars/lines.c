#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "vars.h"

/* Areas of a relocatable object start lines of their own, so that this holds for both kinds of file. */
static uint64_t line_of(const struct vars_catalog *catalog, uint64_t address)
{
	return address & ~(catalog->line_bytes - 1);
}

void vars_lines_add_address(struct arena *arena, struct vars_lines *lines, uint64_t address)
{
	lines->addresses = arena_grow(arena, lines->addresses, &lines->capacity, lines->count + 1,
		sizeof(*lines->addresses));
	lines->addresses[lines->count++] = address;
}

void vars_lines_add(struct arena *arena, struct vars_lines *lines,
	const struct vars_catalog *catalog, const struct vars_item *item)
{
	uint64_t first = line_of(catalog, item->address);
	uint64_t last =
		item->size_bytes ? line_of(catalog, item->address + item->size_bytes - 1) : first;
	vars_lines_add_address(arena, lines, first);
	if (last != first)
		vars_lines_add_address(arena, lines, last);
}

static int compare_addresses(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
	return (a > b) - (a < b);
}

void vars_lines_sort(struct vars_lines *lines)
{
	size_t kept = 0;
	if (lines->count)
		qsort(lines->addresses, lines->count, sizeof(*lines->addresses), compare_addresses);
	for (size_t i = 0; i < lines->count; i++)
		if (!kept || lines->addresses[kept - 1] != lines->addresses[i])
			lines->addresses[kept++] = lines->addresses[i];
	lines->count = kept;
}

/* The first item at or above an address. */
static size_t first_from(const struct vars_catalog *catalog, uint64_t address)
{
	size_t low = 0, high = catalog->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (catalog->items[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t vars_on_line(
	struct arena *arena, const struct vars_catalog *catalog, uint64_t line, size_t **ret)
{
	/* a table whose symbols cover one another by the thousand is nobody's program */
	enum { BACK_MOST = 1 << 16 };
	uint64_t last = line + (catalog->line_bytes - 1);
	size_t end = last == UINT64_MAX ? catalog->count : first_from(catalog, last + 1);
	size_t begin = end, count = 0;
	while (begin && end - begin < BACK_MOST && catalog->ends[begin - 1] > line)
		begin--;
	size_t *items = mem_new(end - begin, sizeof(*items));
	for (size_t i = begin; i < end; i++) {
		const struct vars_item *item = &catalog->items[i];
		if (item->size_bytes && item->address + item->size_bytes > line)
			items[count++] = i;
	}
	*ret = arena_copy(arena, items, count, sizeof(*items));
	mem_free(items);
	return count;
}

size_t vars_on_lines(struct arena *arena, const struct vars_catalog *catalog,
	const struct vars_lines *lines, size_t **ret)
{
	bool *marked = mem_new(catalog->count, sizeof(*marked));
	size_t *all = arena_new(arena, catalog->count, sizeof(*all)), count = 0;
	struct arena scratch;
	arena_init(&scratch);
	for (size_t i = 0; i < lines->count; i++) {
		size_t *items, found = vars_on_line(&scratch, catalog, lines->addresses[i], &items);
		for (size_t k = 0; k < found; k++)
			marked[items[k]] = true;
	}
	for (size_t i = 0; i < catalog->count; i++)
		if (marked[i])
			all[count++] = i;
	arena_release(&scratch);
	mem_free(marked);
	*ret = all;
	return count;
}

/* ---- the report ---- */

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Of a line on which nothing lies. */
static const struct object_area *empty_area(const struct vars_catalog *catalog, uint64_t line)
{
	const struct object_symbols *symbols = &catalog->variables->symbols;
	const struct object_area *area =
		object_area_at(symbols, line + (catalog->line_bytes - 1));
	return area ? area : object_area_at(symbols, line);
}

static struct report_vars_line read_line(
	struct arena *arena, const struct vars_catalog *catalog, uint64_t address)
{
	struct report_vars_line line = {.address = address};
	size_t *items;
	uint64_t end = address + catalog->line_bytes, used_to = address;
	line.item_count = vars_on_line(arena, catalog, address, &items);
	line.items = items;
	for (size_t i = 0; i < line.item_count; i++) {
		const struct vars_item *item = &catalog->items[items[i]];
		uint64_t from = larger(item->address, used_to);
		uint64_t to = smaller(item->address + item->size_bytes, end);
		if (to > from)
			line.used_bytes += to - from;
		used_to = larger(used_to, to);
	}
	line.area = line.item_count ? catalog->items[items[0]].area : empty_area(catalog, address);
	return line;
}

const struct object_area *vars_area_of_line(const struct vars_catalog *catalog, uint64_t line)
{
	struct arena scratch;
	arena_init(&scratch);
	const struct object_area *area = read_line(&scratch, catalog, line).area;
	arena_release(&scratch);
	return area;
}

static void count_area(const struct vars_catalog *catalog, struct report_vars_area *area)
{
	const struct object_area *where = area->area;
	uint64_t used_to = where->address, end = where->address + where->size_bytes;
	area->is_per_cpu = vars_is_per_cpu(where);
	area->lines = (line_of(catalog, end - 1) - line_of(catalog, where->address)) /
			      catalog->line_bytes +
		      1;
	for (size_t i = first_from(catalog, where->address);
		i < catalog->count && catalog->items[i].address < end; i++) {
		const struct vars_item *item = &catalog->items[i];
		if (item->area != where)
			continue;
		area->variables++;
		area->statics += item->is_static;
		uint64_t from = larger(item->address, used_to);
		uint64_t to = smaller(item->address + item->size_bytes, end);
		if (to > from)
			area->used_bytes += to - from;
		used_to = larger(used_to, to);
	}
}

static int compare_lines(const void *left, const void *right)
{
	const struct report_vars_line *a = left, *b = right;
	if (a->area != b->area)
		return a->area < b->area ? -1 : 1;
	return (a->address > b->address) - (a->address < b->address);
}

void vars_show(struct arena *arena, const struct vars_catalog *catalog,
	const struct vars_lines *lines, struct report_vars *ret)
{
	const struct object_symbols *symbols = &catalog->variables->symbols;
	struct report_vars_line *shown = arena_new(arena, lines->count, sizeof(*shown));
	struct report_vars_area *areas = arena_new(arena, symbols->area_count, sizeof(*areas));
	size_t *counts = mem_new(symbols->area_count, sizeof(*counts));
	size_t count = 0, area_count = 0;
	for (size_t i = 0; i < lines->count; i++) {
		shown[count] = read_line(arena, catalog, lines->addresses[i]);
		count += shown[count].area != NULL;
	}
	if (count)
		qsort(shown, count, sizeof(*shown), compare_lines);
	for (size_t i = 0; i < count; i++)
		counts[shown[i].area - symbols->areas]++;
	for (size_t i = 0, first = 0; i < symbols->area_count; first += counts[i++]) {
		struct report_vars_area area = {.area = &symbols->areas[i],
			.shown = shown + first,
			.shown_count = counts[i]};
		count_area(catalog, &area);
		if (area.shown_count || (vars_is_written(area.area) && area.variables))
			areas[area_count++] = area;
	}
	mem_free(counts);
	ret->catalog = catalog;
	ret->areas = areas;
	ret->area_count = area_count;
}

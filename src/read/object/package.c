#include "read/object/package.h"

#include <inttypes.h>
#include <stdlib.h>

#include "read/bytes.h"

/* Columns: DWARF 5 table 7.1 and GNU's, which agree on these. */
enum {
	COLUMN_INFO = 1,
	COLUMN_TYPES = 2, /* GNU only */
	COLUMN_ABBREV = 3,
	COLUMN_LINE = 4,
	COLUMN_STR_OFFSETS = 6,
	HEADER_BYTES = 16,
	SLOT_BYTES = 8 + 4, /* of the hash table and the parallel one */
	CELL_BYTES = 2 * 4, /* an offset and a size */
};

struct table {
	const uint8_t *columns; /* what each column is; 4 bytes each, as below */
	const uint8_t *offsets; /* row by row */
	uint64_t column_count, row_count;
	bool swap;
};

static struct error *damaged(
	const struct object *object, const struct object_section *section, const char *what)
{
	return error_new("%s: %s: %s; make the package again", object->path, section->name, what);
}

/* The tables of a section; row_count 0 where it is absent. */
static struct error *read_table(
	const struct object *object, const struct object_section *section, struct table *ret)
{
	const uint8_t *data = section->data;
	bool swap = bytes_swapped(object->types.big_endian);
	*ret = (struct table){.swap = swap};
	if (!section->size)
		return NULL;
	if (section->size < HEADER_BYTES)
		return damaged(object, section, "cut off");
	/* version 5 is a half word and padding, version 2 a word */
	uint32_t version = bytes_u16(data, swap);
	if (version != 5)
		version = bytes_u32(data, swap);
	if (version != 2 && version != 5)
		return error_new("%s: %s is of version %" PRIu32 ", only 2 and 5 are known; make "
				 "the package with another dwp",
			object->path, section->name, version);
	uint64_t columns = bytes_u32(data + 4, swap), rows = bytes_u32(data + 8, swap);
	uint64_t slots = bytes_u32(data + 12, swap), left = section->size - HEADER_BYTES;
	if (slots > left / SLOT_BYTES)
		return damaged(object, section, "cut off");
	left -= slots * SLOT_BYTES;
	/* columns and rows are 32 bits each: nothing overflows */
	if (columns > left / 4 || (columns && rows > (left - 4 * columns) / (columns * CELL_BYTES)))
		return damaged(object, section, "cut off");
	ret->columns = data + HEADER_BYTES + slots * SLOT_BYTES;
	ret->offsets = ret->columns + 4 * columns;
	ret->column_count = columns;
	ret->row_count = columns ? rows : 0;
	return NULL;
}

static struct object_contribution read_row(
	const struct object *object, const struct table *table, uint64_t row)
{
	struct object_contribution ret = {.info_off = UINT64_MAX};
	const uint8_t *cells = table->offsets + 4 * row * table->column_count;
	for (uint64_t i = 0; i < table->column_count; i++) {
		uint64_t off = bytes_u32(cells + 4 * i, table->swap);
		switch (bytes_u32(table->columns + 4 * i, table->swap)) {
		case COLUMN_INFO:
			ret.info_off = off;
			break;
		case COLUMN_TYPES:
			ret.info_off = object->sections[OBJECT_DEBUG_INFO].size + off;
			break;
		case COLUMN_ABBREV:
			ret.abbrev_off = off;
			break;
		case COLUMN_LINE:
			ret.line_off = off;
			break;
		case COLUMN_STR_OFFSETS:
			ret.str_offsets_off = off;
			break;
		default:
			break;
		}
	}
	return ret;
}

static int compare_contributions(const void *left, const void *right)
{
	const struct object_contribution *a = left, *b = right;
	return (a->info_off > b->info_off) - (a->info_off < b->info_off);
}

struct error *package_read(struct arena *arena, struct object *object)
{
	struct table units, types;
	struct error *error = read_table(object, &object->sections[OBJECT_DEBUG_CU_INDEX], &units);
	if (!error)
		error = read_table(object, &object->sections[OBJECT_DEBUG_TU_INDEX], &types);
	if (error || units.row_count + types.row_count == 0)
		return error;
	size_t count = 0;
	struct object_contribution *items =
		arena_new(arena, units.row_count + types.row_count, sizeof(*items));
	for (uint64_t row = 0; row < units.row_count; row++)
		items[count++] = read_row(object, &units, row);
	for (uint64_t row = 0; row < types.row_count; row++)
		items[count++] = read_row(object, &types, row);
	qsort(items, count, sizeof(*items), compare_contributions);
	object->contributions = items;
	object->contribution_count = count;
	return NULL;
}

#include "read/index/unit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "read/bytes.h"
#include "read/dw.h"
#include "read/index/window.h"

enum {
	HEADER_MOST = 40,     /* bytes of the longest header: a type unit's of 64-bit DWARF 5 */
	HEADERS_AHEAD = 2048, /* read along, for where units are small */
};

/* The section that holds `off`, the offset where it starts, and its name. */
static const struct object_section *section_of(
	const struct object *object, uint64_t off, uint64_t *start, const char **name)
{
	const struct object *file = object_at(object, off);
	const struct object_section *info = &file->sections[OBJECT_DEBUG_INFO];
	const struct object_section *types = &file->sections[OBJECT_DEBUG_TYPES];
	bool in_types = off - file->start >= info->size && types->size;
	*start = file->start + (in_types ? info->size : 0);
	*name = in_types ? ".debug_types" : ".debug_info";
	return in_types ? types : info;
}

const uint8_t *unit_base(const struct object *object, uint64_t off)
{
	uint64_t start;
	const char *name;
	const struct object_section *section = section_of(object, off, &start, &name);
	return (const uint8_t *)((uintptr_t)section->data - start);
}

struct error *unit_error(const struct object *object, uint64_t off, const char *what)
{
	uint64_t start;
	const char *name;
	section_of(object, off, &start, &name);
	return error_new("%s: %s+0x%" PRIx64
			 ": %s; the debug information is damaged, rebuild the file or take an "
			 "intact copy",
		object_debug_path(object_at(object, off)), name, off - start, what);
}

/* The header's fields behind the initial length; `p` stands behind the version, `base` is where offset 0 would be. */
static struct error *read_header(const struct object *object, struct unit *unit,
	const uint8_t *base, const uint8_t *p, const uint8_t *end)
{
	bool swap = bytes_swapped(object->types.big_endian);
	bool typed = unit->version >= 5;
	size_t need = (typed ? 2u : 1u) + unit->offset_bytes;
	if ((size_t)(end - p) < need)
		return unit_error(object, unit->off, "a unit is shorter than its header");
	if (typed) {
		unit->type = p[0];
		unit->address_bytes = p[1];
		unit->abbrev_off = bytes_uint(p + 2, unit->offset_bytes, swap);
	} else {
		const struct object *file = unit->object;
		bool is_type = unit->off - file->start >= file->sections[OBJECT_DEBUG_INFO].size;
		unit->type = is_type ? DW_UT_type : DW_UT_compile;
		unit->abbrev_off = bytes_uint(p, unit->offset_bytes, swap);
		unit->address_bytes = p[unit->offset_bytes];
	}
	p += need;
	size_t more = 0;
	if (unit->type == DW_UT_type || unit->type == DW_UT_split_type)
		more = 8 + (size_t)unit->offset_bytes;
	else if (unit->type == DW_UT_skeleton || unit->type == DW_UT_split_compile)
		more = 8;
	else if (unit->type != DW_UT_compile && unit->type != DW_UT_partial)
		return unit_error(
			object, unit->off, "a unit is of a type that DWARF 5 does not know");
	if ((size_t)(end - p) < more)
		return unit_error(object, unit->off, "a unit is shorter than its header");
	uint8_t size = unit->address_bytes;
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return unit_error(
			object, unit->off, "addresses in a unit are not of 1, 2, 4 or 8 bytes");
	unit->die_off = (uint64_t)(p + more - base);
	if (unit->type == DW_UT_skeleton || unit->type == DW_UT_split_compile)
		unit->dwo_id = bytes_u64(p, swap);
	return NULL;
}

/* Behind the common header of a type unit: a signature, and where in the unit the type is. */
static void note_signature(const struct object *object, const struct unit *unit,
	const uint8_t *base, struct units *units)
{
	bool swap = bytes_swapped(object->types.big_endian);
	const uint8_t *at = base + unit->die_off - unit->offset_bytes;
	uint64_t type_off = bytes_uint(at, unit->offset_bytes, swap);
	if (type_off >= unit->end - unit->off)
		return;
	units->signatures = mem_grow(units->signatures, &units->signature_capacity,
		units->signature_count + 1, sizeof(*units->signatures));
	units->signatures[units->signature_count++] =
		(struct unit_signature){bytes_u64(at - 8, swap), unit->off + type_off};
}

/* In a file that several share lies much that this one does not use. */
static bool is_idle(const struct unit *unit)
{
	const struct object *file = unit->object;
	size_t low = 0, high = file->used_count;
	if (!file->is_shared)
		return false;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (file->used_units[middle] < unit->off)
			low = middle + 1;
		else
			high = middle;
	}
	return low == file->used_count || file->used_units[low] != unit->off;
}

void unit_damages_add(struct unit_damages *damages, uint64_t off, struct error *error)
{
	damages->items = mem_grow(
		damages->items, &damages->capacity, damages->count + 1, sizeof(*damages->items));
	damages->items[damages->count++] = (struct unit_damage){off, error};
}

void unit_damages_release(struct unit_damages *damages)
{
	for (size_t i = 0; i < damages->count; i++)
		error_free(damages->items[i].error);
	mem_free(damages->items);
	*damages = (struct unit_damages){0};
}

/* On an error unit->end is that of the unit where its length is known, else 0. */
static struct error *read_unit(
	struct window *window, uint64_t off, struct unit *unit, struct units *units)
{
	const struct object *object = window->object;
	uint64_t section_start;
	const char *name;
	const struct object_section *section = section_of(object, off, &section_start, &name);
	bool swap = bytes_swapped(object->types.big_endian);
	uint64_t left = section->size - (off - section_start);
	const uint8_t *base =
		window_base(window, off, off + (left < HEADER_MOST ? left : HEADER_MOST),
			off + (left < HEADERS_AHEAD ? left : HEADERS_AHEAD));
	const uint8_t *p = base + off;
	if (left < 4)
		return unit_error(object, off, "a unit header is cut off");
	uint64_t length = bytes_u32(p, swap);
	*unit = (struct unit){.off = off, .object = object_at(object, off), .offset_bytes = 4};
	uint64_t start = 4;
	if (length == 0xffffffff) {
		if (left < 12)
			return unit_error(object, off, "a unit header is cut off");
		length = bytes_u64(p + 4, swap);
		unit->offset_bytes = 8;
		start = 12;
	} else if (length >= 0xfffffff0) {
		return unit_error(object, off, "a unit's length is a reserved value");
	}
	if (length > left - start)
		return unit_error(object, off, "a unit runs past the end of the section");
	if (length < 2)
		return unit_error(object, off, "a unit is shorter than its header");
	unit->end = off + start + length;
	unit->version = bytes_u16(p + start, swap);
	if (unit->version < 2 || unit->version > 5)
		return error_new("%s: %s+0x%" PRIx64
				 ": DWARF version %u is not known, only 2 to 5 are; rebuild "
				 "the file with -gdwarf-5, or it is damaged",
			object_debug_path(unit->object), name, off - section_start, unit->version);
	struct error *error = read_header(object, unit, base, p + start + 2, p + start + length);
	if (error)
		return error;
	const struct object_contribution *part =
		object_contribution(unit->object, off - unit->object->start);
	if (part) {
		unit->abbrev_off += part->abbrev_off;
		unit->str_offsets_off = part->str_offsets_off;
	}
	unit->is_idle = is_idle(unit);
	if (unit->type == DW_UT_type || unit->type == DW_UT_split_type)
		note_signature(object, unit, base, units);
	return NULL;
}

static int compare_signatures(const void *left, const void *right)
{
	const struct unit_signature *a = left, *b = right;
	if (a->signature != b->signature)
		return a->signature < b->signature ? -1 : 1;
	return (a->die_off > b->die_off) - (a->die_off < b->die_off);
}

/* Of the section that holds `off`. */
static uint64_t section_end(const struct object *object, uint64_t off)
{
	uint64_t start;
	const char *name;
	const struct object_section *section = section_of(object, off, &start, &name);
	return start + section->size;
}

static void read_headers(struct window *window, struct units *ret)
{
	uint64_t size = object_limit(window->object);
	for (uint64_t off = 0; off < size;) {
		struct unit unit = {0};
		struct error *error = read_unit(window, off, &unit, ret);
		if (error) {
			unit_damages_add(&ret->damages, off, error);
			off = unit.end ? unit.end : section_end(window->object, off);
			continue;
		}
		ret->items =
			mem_grow(ret->items, &ret->capacity, ret->count + 1, sizeof(*ret->items));
		ret->items[ret->count++] = unit;
		if (unit.version > ret->version)
			ret->version = unit.version;
		off = unit.end;
	}
}

void units_read(const struct object *object, struct units *ret)
{
	struct window window;
	window_init(&window, object);
	memset(ret, 0, sizeof(*ret));
	read_headers(&window, ret);
	window_release(&window);
	if (ret->signature_count)
		qsort(ret->signatures, ret->signature_count, sizeof(*ret->signatures),
			compare_signatures);
}

struct error *units_take_error(struct units *units)
{
	if (!units->damages.count)
		return NULL;
	struct error *error = units->damages.items[0].error;
	units->damages.items[0].error = NULL;
	return error;
}

void units_release(struct units *units)
{
	mem_free(units->items);
	mem_free(units->signatures);
	unit_damages_release(&units->damages);
	memset(units, 0, sizeof(*units));
}

const struct unit *units_find(const struct units *units, uint64_t off)
{
	size_t low = 0, high = units->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (units->items[middle].end <= off)
			low = middle + 1;
		else
			high = middle;
	}
	return low < units->count && units->items[low].die_off <= off ? &units->items[low] : NULL;
}

uint64_t units_find_signature(const struct units *units, uint64_t signature)
{
	size_t low = 0, high = units->signature_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (units->signatures[middle].signature < signature)
			low = middle + 1;
		else
			high = middle;
	}
	bool found = low < units->signature_count && units->signatures[low].signature == signature;
	return found ? units->signatures[low].die_off : 0;
}

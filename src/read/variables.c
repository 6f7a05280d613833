#include "read/variables.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "read/dwarf/opened.h"
#include "read/dwarf/reader.h"
#include "read/dwarf/scoped.h"
#include "read/dw.h"
#include "read/variables/scan.h"

/* ---- symbols ---- */

/* The length of FUNCTION in "FUNCTION.counter", as clang calls the counter of a function; 0 when it is not so. */
static size_t function_in(const char *symbol, const char *name)
{
	size_t whole = strlen(symbol), length = strlen(name);
	if (whole < length + 2 || strcmp(symbol + whole - length, name) != 0 ||
		symbol[whole - length - 1] != '.')
		return 0;
	return whole - length - 1;
}

/* To the linker that counter may be "counter.0", or "FUNCTION.counter". */
static bool is_symbol_of(const struct object_symbol *symbol, const char *name)
{
	size_t length = strlen(name);
	return (strncmp(symbol->name, name, length) == 0 &&
		       (!symbol->name[length] || symbol->name[length] == '.')) ||
	       function_in(symbol->name, name);
}

/* The symbol at an address that bears a name, else the first there; NULL: none. */
static const struct object_symbol *symbol_of(
	const struct object_symbols *symbols, uint64_t address, const char *name)
{
	const struct object_symbol *first = object_symbol_at(symbols, address);
	for (const struct object_symbol *at = first; at; at = object_symbol_next(symbols, at))
		if (is_symbol_of(at, name))
			return at;
	return first;
}

/* ---- finding ---- */

enum { NAMES_MAX = 64 }; /* of one address */

static int compare_places(const void *left, const void *right)
{
	const struct variable_place *a = left, *b = right;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->die_off < b->die_off ? -1 : a->die_off > b->die_off;
}

/* Is the variable among the kept ones of its address? One in an inline function is in each unit that has it. */
static bool is_known(
	const struct variable_place *items, size_t count, const struct variable_place *place)
{
	/* no program has so many names for one place; what has is not worth a square of time */
	for (int left = NAMES_MAX; left && count-- && items[count].address == place->address;
		left--)
		if (strcmp(items[count].name, place->name) == 0)
			return true;
	return false;
}

/* What the linker drops keeps the address 0, where a kernel has its first per-CPU variable. */
static bool is_dropped(const struct object_symbols *symbols, const struct variable_place *place)
{
	const struct object_symbol *symbol =
		place->address ? NULL : symbol_of(symbols, 0, place->name);
	return !place->address && (!symbol || !is_symbol_of(symbol, place->name));
}

static size_t keep_first_ones(
	const struct object_symbols *symbols, struct variable_place *items, size_t count)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++)
		if (!is_known(items, kept, &items[i]) && !is_dropped(symbols, &items[i]))
			items[kept++] = items[i];
	return kept;
}

static int compare_damages(const void *left, const void *right)
{
	const struct unit_damage *a = left, *b = right;
	return (a->off > b->off) - (a->off < b->off);
}

static void take_damages(struct arena *arena, struct unit_damages *damages, struct variables *ret)
{
	const char **texts = arena_new(arena, damages->count, sizeof(*texts));
	if (damages->count)
		qsort(damages->items, damages->count, sizeof(*damages->items), compare_damages);
	for (size_t i = 0; i < damages->count; i++)
		texts[i] = arena_strdup(arena, damages->items[i].error->message);
	ret->damage = texts;
	ret->damage_count = damages->count;
	unit_damages_release(damages);
}

struct error *variables_find(
	struct arena *arena, const struct object *object, unsigned jobs, struct variables *ret)
{
	struct variable_places places = {.items = NULL};
	struct error *error = object_require_dwarf(object);
	if (error)
		return error;
	object_symbols_read(arena, object, &ret->symbols);
	variables_scan(object, &ret->symbols, jobs, &places);
	if (places.count)
		qsort(places.items, places.count, sizeof(*places.items), compare_places);
	ret->count = keep_first_ones(&ret->symbols, places.items, places.count);
	ret->places = arena_copy(arena, places.items, ret->count, sizeof(*places.items));
	ret->split_units = places.split_units;
	take_damages(arena, &places.damages, ret);
	mem_free(places.items);
	return ret->damage_count && !ret->count ? error_new("%s", ret->damage[0]) : NULL;
}

struct error *variables_require_found(const struct variables *variables)
{
	return variables->damage_count ? error_new("%s", variables->damage[0]) : NULL;
}

struct error *variables_require_read(const struct variable *variables, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (variables[i].damage)
			return error_new("%s", variables[i].damage);
	return NULL;
}

size_t variables_near(const struct variables *variables, uint64_t address, size_t *first)
{
	size_t low = 0, high = variables->count;
	while (low < high) { /* the first that lies above it */
		size_t middle = low + (high - low) / 2;
		if (variables->places[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	size_t count = 0;
	while (low > count &&
		variables->places[low - 1 - count].address == variables->places[low - 1].address)
		count++;
	*first = low - count;
	return count;
}

/* ---- reading ---- */

/* What one entry knows and those before it have left open: an instance, its origin, a specification. */
static struct error *take(struct reader *reader, struct opened_unit *unit,
	const struct entry *entry, struct variable *variable, bool *has_type)
{
	struct entry_unit *entries;
	struct error *error = opened_use(&reader->units, unit, &entries);
	if (error)
		return error;
	if (!*variable->name && entry->name)
		variable->name = entry->name;
	if (!variable->linkage_name)
		variable->linkage_name = entry->linkage_name;
	if (!variable->line && entry->decl_line && entry->has_decl_file) {
		variable->line = (uint32_t)entry->decl_line;
		variable->file = entry_file(entries, entry->decl_file, &reader->strings);
	}
	variable->is_external |= entry->is_external;
	if (*has_type || entry->type.kind == ENTRY_REF_NONE)
		return NULL;
	*has_type = true;
	return reader_read_type(reader, unit, &entry->type, &variable->type);
}

/* Along DW_AT_specification and DW_AT_abstract_origin; the last is in the scope to which the variable belongs. */
static struct error *read_entries(
	struct reader *reader, struct opened_unit *unit, uint64_t off, struct variable *variable)
{
	enum { HOPS_MAX = 8 };
	bool has_type = false;
	for (int hops = 0;; hops++) {
		struct entry_unit *entries;
		struct entry entry;
		struct error *error = opened_use(&reader->units, unit, &entries);
		if (!error)
			error = entry_read(entries, off, &entry);
		if (!error)
			error = take(reader, unit, &entry, variable, &has_type);
		if (error)
			return error;
		if (entry.origin.kind != ENTRY_REF_OFFSET || hops == HOPS_MAX)
			return scoped_text(
				&reader->units, unit, off, &reader->strings, &variable->scope);
		off = entry.origin.value;
		error = opened_find(&reader->units, unit, off, &unit);
		if (error)
			return error;
	}
}

/* clang 14 leaves out the name of a function that it has inlined everywhere. */
static void find_scope(struct reader *reader, struct variable *variable)
{
	if (!variable->scope || strcmp(variable->scope, "?()") != 0 || !variable->symbol)
		return;
	size_t length = function_in(variable->symbol->name, variable->name);
	if (length)
		variable->scope =
			arena_printf(reader->arena, "%.*s()", (int)length, variable->symbol->name);
}

/* The linker's size holds where the type has none, or is open-ended. */
static void find_size(struct variable *variable)
{
	uint64_t linked = variable->symbol ? variable->symbol->size_bytes : 0;
	bool sized = type_size(variable->types, variable->type, &variable->size_bytes);
	variable->symbol_differs = linked && sized && linked != variable->size_bytes;
	if (!sized || linked > variable->size_bytes)
		variable->size_bytes = linked;
}

static enum variable_language language_of(uint16_t language)
{
	static const uint16_t c[] = {0, DW_LANG_C89, DW_LANG_C, DW_LANG_C99, DW_LANG_C11,
		DW_LANG_C17, DW_LANG_C23, DW_LANG_Mips_Assembler};
	if (language == DW_LANG_Rust)
		return VARIABLE_OF_RUST;
	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++)
		if (language == c[i])
			return VARIABLE_OF_C;
	return dwarf_is_cxx(language) ? VARIABLE_OF_C : VARIABLE_OF_OTHERS;
}

static struct error *read_one(struct reader *reader, const struct variables *variables,
	const struct variable_place *place, struct variable *ret)
{
	struct opened_unit *unit;
	struct entry_unit *entries;
	struct variable variable = {
		.name = "",
		.address = place->address,
		.types = reader->types,
		.area = object_area_at(&variables->symbols, place->address),
	};
	struct error *error = opened_get(&reader->units, place->unit_off, &unit);
	if (!error)
		error = read_entries(reader, unit, place->die_off, &variable);
	if (!error)
		error = opened_use(&reader->units, unit, &entries);
	if (error)
		return error;
	variable.unit = entries->name;
	variable.language = language_of(entries->language);
	variable.symbol = symbol_of(&variables->symbols, variable.address,
		variable.linkage_name ? variable.linkage_name : variable.name);
	find_scope(reader, &variable);
	find_size(&variable);
	*ret = variable;
	return NULL;
}

static struct error *read_watched(struct reader *reader, const struct variables *variables,
	const struct variable_place *place, struct variable *ret)
{
	struct trail_step before;
	struct error *error = opened_enter(&reader->units, place->die_off, &before);
	if (error)
		return error;
	error = read_one(reader, variables, place, ret);
	opened_leave(&reader->units, before);
	return error;
}

struct wanted {
	const struct variable_place *place;
	size_t index;
};

static int compare_wanted(const void *left, const void *right)
{
	const struct wanted *a = left, *b = right;
	if (a->place->die_off != b->place->die_off)
		return a->place->die_off < b->place->die_off ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/*
 * All that are not known to be damaged, up to one that is; they have their types in one table. After damage the table is of no
 * use: what was left half-read must not be taken for whole.
 */
static struct error *read_run(struct arena *arena, const struct object *object,
	struct opened_map *map, const struct variables *variables, const struct wanted *wanted,
	size_t count, struct variable *ret, size_t *done)
{
	struct reader reader;
	struct error *error = NULL;
	reader_init(&reader, arena, object, map, 0);
	for (*done = 0; *done < count; ++*done) {
		struct variable *one = &ret[wanted[*done].index];
		if (!one->damage)
			error = read_watched(&reader, variables, wanted[*done].place, one);
		if (error)
			break;
	}
	reader_release(&reader);
	return error;
}

struct error *variables_read(struct arena *arena, const struct object *object,
	const struct variables *variables, const struct variable_place *const *places, size_t count,
	struct variable *ret)
{
	struct opened_map map;
	struct error *error = NULL;
	/* in file order, so that each unit is opened once */
	struct wanted *wanted = mem_new(count, sizeof(*wanted));
	for (size_t i = 0; i < count; i++)
		wanted[i] = (struct wanted){places[i], i};
	if (count)
		qsort(wanted, count, sizeof(*wanted), compare_wanted);
	opened_map_init(&map, object);
	memset(ret, 0, count * sizeof(*ret));
	for (size_t tries = 0, done = 0; done < count && !error; tries++) {
		error = read_run(arena, object, &map, variables, wanted, count, ret, &done);
		if (error && tries < VARIABLES_DAMAGED_MOST) {
			ret[wanted[done].index].damage = arena_strdup(arena, error->message);
			error_free(error);
			error = NULL;
			done = 0;
		}
	}
	opened_map_release(&map);
	mem_free(wanted);
	return error;
}

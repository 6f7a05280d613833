#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "vars.h"

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

bool vars_is_written(const struct object_area *area)
{
	static const char *const sealed[] = {".rodata", ".data.rel.ro", ".got", ".dynamic",
		".init_array", ".fini_array", ".ctors", ".dtors"};
	for (size_t i = 0; i < sizeof(sealed) / sizeof(sealed[0]); i++)
		if (begins(area->name, sealed[i]))
			return false;
	return area->is_writable;
}

bool vars_is_per_cpu(const struct object_area *area)
{
	/* include/linux/percpu-defs.h: modules and the kernel before it is linked have suffixes */
	return begins(area->name, ".data..percpu") || begins(area->name, ".data.percpu");
}

struct builder {
	struct arena *arena;
	const struct variables *variables;
	struct vars_catalog *catalog;
	size_t capacity;
	struct vars_name *names;
	size_t name_count, name_capacity;
};

static void add_name(struct builder *b, const char *text, size_t item)
{
	if (!*text)
		return;
	b->names = mem_grow(b->names, &b->name_capacity, b->name_count + 1, sizeof(*b->names));
	b->names[b->name_count++] = (struct vars_name){text, item};
}

static bool starts_with(const char *text, const char *name)
{
	size_t length = strlen(name);
	return length && strncmp(text, name, length) == 0 && (!text[length] || text[length] == '.');
}

/* The entry that has the name of the largest symbol, else the first. */
static const struct variable_place *best_place(
	const struct variable_place *places, size_t count, const struct object_symbol *symbol)
{
	for (size_t i = 0; symbol && i < count; i++)
		if (starts_with(symbol->name, places[i].name))
			return &places[i];
	return count ? &places[0] : NULL;
}

/*
 * Symbols and entries of one address are one variable. But where another one lies inside of what the symbol has, it is that
 * of a block (COMMON of Fortran), and the size of its first variable is known by its type only.
 */
static void add_item(struct builder *b, const struct object_symbol *symbols, size_t symbol_count,
	const struct variable_place *places, size_t place_count, bool is_block)
{
	struct vars_catalog *catalog = b->catalog;
	uint64_t address = symbol_count ? symbols[0].address : places[0].address;
	uint64_t size = symbol_count ? symbols[0].size_bytes : 0;
	const struct object_area *area = object_area_at(&b->variables->symbols, address);
	if ((!size && !place_count) || !area)
		return; /* a mark of the linker's script, or of the assembler */
	const struct variable_place *place =
		best_place(places, place_count, symbol_count ? &symbols[0] : NULL);
	uint64_t room = area->size_bytes - (address - area->address);
	is_block = is_block && place && !starts_with(symbols[0].name, place->name);
	if (is_block)
		size = 0;
	struct vars_item item = {
		.is_block = is_block,
		.address = address,
		.size_bytes = size < room ? size : room,
		.area = area,
		.place = place,
		.symbols = symbol_count ? symbols : NULL,
		.symbol_count = symbol_count,
		.is_static = symbol_count > 0,
		.is_cut = size > room,
		.name = place && *place->name ? place->name
			: symbol_count        ? symbols[0].name
					      : "(unnamed)",
	};
	item.plain = item.name;
	for (size_t i = 0; i < symbol_count; i++)
		item.is_static &= symbols[i].is_local;
	catalog->items = arena_grow(b->arena, catalog->items, &b->capacity, catalog->count + 1,
		sizeof(*catalog->items));
	for (size_t i = 0; i < place_count; i++)
		add_name(b, places[i].name, catalog->count);
	for (size_t i = 0; i < symbol_count; i++)
		add_name(b, symbols[i].name, catalog->count);
	catalog->cut += item.is_cut;
	catalog->items[catalog->count++] = item;
}

static void add_items(struct builder *b)
{
	const struct object_symbol *symbols = b->variables->symbols.symbols;
	const struct variable_place *places = b->variables->places;
	size_t symbol_count = b->variables->symbols.count, place_count = b->variables->count;
	for (size_t s = 0, p = 0; s < symbol_count || p < place_count;) {
		uint64_t address =
			s == symbol_count ||
					(p < place_count && places[p].address < symbols[s].address)
				? places[p].address
				: symbols[s].address;
		size_t first_symbol = s, first_place = p;
		while (s < symbol_count && symbols[s].address == address)
			s++;
		while (p < place_count && places[p].address == address)
			p++;
		bool is_block = s > first_symbol && p > first_place && p < place_count &&
				places[p].address - address < symbols[first_symbol].size_bytes;
		add_item(b, s > first_symbol ? &symbols[first_symbol] : NULL, s - first_symbol,
			p > first_place ? &places[first_place] : NULL, p - first_place, is_block);
	}
}

static int compare_names(const void *left, const void *right)
{
	const struct vars_name *a = left, *b = right;
	int by_text = strcmp(a->text, b->text);
	return by_text ? by_text : a->item < b->item ? -1 : a->item > b->item;
}

static void keep_names(struct builder *b)
{
	size_t kept = 0;
	if (b->name_count)
		qsort(b->names, b->name_count, sizeof(*b->names), compare_names);
	for (size_t i = 0; i < b->name_count; i++)
		if (!kept || compare_names(&b->names[kept - 1], &b->names[i]) != 0)
			b->names[kept++] = b->names[i];
	b->catalog->names = arena_copy(b->arena, b->names, kept, sizeof(*b->names));
	b->catalog->name_count = kept;
	mem_free(b->names);
}

static void find_ends(struct arena *arena, struct vars_catalog *catalog)
{
	uint64_t *ends = arena_new(arena, catalog->count, sizeof(*ends)), highest = 0;
	for (size_t i = 0; i < catalog->count; i++) {
		uint64_t end = catalog->items[i].address + catalog->items[i].size_bytes;
		highest = end > highest ? end : highest;
		ends[i] = highest;
	}
	catalog->ends = ends;
}

void vars_catalog(struct arena *arena, const struct variables *variables, uint64_t line_bytes,
	bool is_linked, struct vars_catalog *ret)
{
	*ret = (struct vars_catalog){
		.variables = variables, .line_bytes = line_bytes, .is_linked = is_linked};
	struct builder builder = {.arena = arena, .variables = variables, .catalog = ret};
	add_items(&builder);
	keep_names(&builder);
	find_ends(arena, ret);
}

size_t vars_unsized(struct arena *arena, const struct vars_catalog *catalog, size_t **ret)
{
	size_t *indices = arena_new(arena, catalog->count, sizeof(*indices)), count = 0;
	for (size_t i = 0; i < catalog->count; i++)
		if (!catalog->items[i].size_bytes && catalog->items[i].place)
			indices[count++] = i;
	*ret = indices;
	return count;
}

size_t vars_first_name(const struct vars_catalog *catalog, const char *text)
{
	size_t low = 0, high = catalog->name_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strcmp(catalog->names[middle].text, text) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* ---- what is shown as its name ---- */

/* The entries of one name, one behind the other. */
struct namesakes {
	const struct vars_name *first;
	size_t count;
};

static struct namesakes find_namesakes(const struct vars_catalog *catalog, const char *name)
{
	size_t first = vars_first_name(catalog, name), end = first;
	while (end < catalog->name_count && strcmp(catalog->names[end].text, name) == 0)
		end++;
	return end == first ? (struct namesakes){NULL, 0}
			    : (struct namesakes){&catalog->names[first], end - first};
}

static bool are_of_one_unit(const struct vars_item *a, const struct vars_item *b)
{
	return a->place && b->place && a->place->unit_off == b->place->unit_off;
}

size_t vars_with_namesakes(struct arena *arena, const struct vars_catalog *catalog,
	const size_t *indices, size_t count, size_t **ret)
{
	enum { MANY = 64 };
	bool *marked = mem_new(catalog->count, sizeof(*marked));
	size_t *all = arena_new(arena, catalog->count, sizeof(*all)), all_count = 0;
	for (size_t i = 0; i < count; i++) {
		const struct vars_item *item = &catalog->items[indices[i]];
		struct namesakes same = find_namesakes(catalog, item->plain);
		marked[indices[i]] = true;
		for (size_t k = 0; item->place && k < same.count; k++)
			if (same.count <= MANY ||
				are_of_one_unit(item, &catalog->items[same.first[k].item]))
				marked[same.first[k].item] = true;
	}
	for (size_t i = 0; i < catalog->count; i++)
		if (marked[i])
			all[all_count++] = i;
	mem_free(marked);
	*ret = all;
	return all_count;
}

/* From the shortest name to the longest. The linker's differ within a unit: of statics in functions they are numbered. */
enum stage { PLAIN, FILE_PLAIN, UNIT_PLAIN, FILE_LINKER, UNIT_LINKER, STAGES };

/* NULL: it has none of this kind. */
static const char *stage_name(struct arena *arena, const struct vars_item *item, enum stage stage)
{
	const struct variable *variable = item->variable;
	const char *name = item->plain;
	const char *unit = variable->unit ? variable->unit : "", *slash = strrchr(unit, '/');
	if (stage >= FILE_LINKER)
		name = item->symbol_count ? item->symbols[0].name : NULL;
	else if (variable->scope)
		name = type_qualify(arena, variable->scope, item->plain);
	if (stage == PLAIN || !name)
		return name;
	if (!item->is_static || !*unit)
		return NULL;
	if ((stage == FILE_PLAIN || stage == FILE_LINKER) && slash)
		unit = slash + 1;
	return arena_printf(arena, "%s:%s", unit, name);
}

static bool is_taken(struct arena *arena, const struct vars_catalog *catalog,
	const struct namesakes *same, const struct vars_item *item, enum stage stage,
	const char *name)
{
	for (size_t i = 0; i < same->count; i++) {
		const struct vars_item *other = &catalog->items[same->first[i].item];
		if (other == item || !other->variable)
			continue;
		const char *theirs = stage_name(arena, other, stage);
		if (theirs && strcmp(theirs, name) == 0)
			return true;
	}
	return false;
}

/* What tells it from others of its name: its scope, and of a static one the file. */
static const char *shown_name(
	struct arena *arena, const struct vars_catalog *catalog, const struct vars_item *item)
{
	struct namesakes same = find_namesakes(catalog, item->plain);
	const char *found = NULL;
	struct arena scratch;
	/* a static one at file scope has its file even when the others of its name were not read */
	bool is_common = !item->variable->scope && item->is_static && same.count > 1 &&
			 item->variable->unit && *item->variable->unit;
	arena_init(&scratch);
	for (enum stage stage = is_common ? FILE_PLAIN : PLAIN; !found && stage < STAGES; stage++) {
		const char *name = stage_name(&scratch, item, stage);
		if (name && !is_taken(&scratch, catalog, &same, item, stage, name))
			found = arena_strdup(arena, name);
	}
	arena_release(&scratch);
	return found ? found : stage_name(arena, item, is_common ? FILE_PLAIN : PLAIN);
}

void vars_take(struct arena *arena, struct vars_catalog *catalog, const size_t *indices,
	size_t count, const struct variable *variables)
{
	for (size_t i = 0; i < count; i++) {
		struct vars_item *item = &catalog->items[indices[i]];
		if (!variables[i].types)
			continue; /* damaged */
		uint64_t room = item->area->size_bytes - (item->address - item->area->address);
		item->variable = &variables[i];
		if (!item->symbol_count)
			item->is_static = !variables[i].is_external;
		uint64_t size = variables[i].size_bytes;
		if (item->is_block && !type_size(variables[i].types, variables[i].type, &size))
			size = 0;
		if (!item->size_bytes)
			item->size_bytes = size < room ? size : room;
	}
	for (size_t i = 0; i < count; i++) {
		struct vars_item *item = &catalog->items[indices[i]];
		if (item->variable)
			item->name = shown_name(arena, catalog, item);
	}
	find_ends(arena, catalog);
}

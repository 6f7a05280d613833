#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "read/btf.h"
#include "read/variables.h"

/* Of one BTF, not of several that a linker has put behind each other? */
static bool is_one(const struct btf_variable *variables, size_t count)
{
	return !count || variables[count - 1].part == variables[0].part;
}

/* ---- a table of symbols, where raw BTF has none ---- */

enum {
	FIRST = 0x10000, /* of sections that have no addresses: as those of relocatable objects */
	APART = 0x1000,
	PER_CPU =
		0x1000, /* PERCPU_SECTION in include/asm-generic/vmlinux.lds.h of Linux starts a page */
};

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static uint64_t end_of(const struct btf_variable *variable)
{
	return variable->off_bytes + variable->size_bytes;
}

static void add_area(struct arena *arena, const struct btf_variable *variables, size_t count,
	size_t *capacity, struct object_symbols *ret)
{
	const char *name = variables[0].section;
	const struct object_area *last = ret->area_count ? &ret->areas[ret->area_count - 1] : NULL;
	uint64_t size = variables[0].section_bytes;
	struct object_area *areas = arena_grow(arena, (struct object_area *)(uintptr_t)ret->areas,
		capacity, ret->area_count + 1, sizeof(*areas));
	for (size_t i = 0; i < count; i++)
		size = end_of(&variables[i]) > size ? end_of(&variables[i]) : size;
	areas[ret->area_count] = (struct object_area){
		.name = name,
		.address = number_round_up(
			(last ? last->address + last->size_bytes : FIRST) + APART, APART),
		.size_bytes = size ? size : 1,
		.align_bytes = begins(name, ".data..percpu") ? PER_CPU : 1,
		.is_writable = true,
	};
	ret->areas = areas;
	ret->area_count++;
}

static int compare_symbols(const void *left, const void *right)
{
	const struct object_symbol *a = left, *b = right;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->size_bytes != b->size_bytes)
		return a->size_bytes > b->size_bytes ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Variables of one section are neighbours. */
static size_t count_section(const struct btf_variable *variables, size_t count)
{
	size_t same = 1;
	while (same < count && variables[same].part == variables[0].part &&
		variables[same].section == variables[0].section)
		same++;
	return same;
}

static void make_symbols(struct arena *arena, const struct btf_variable *variables, size_t count,
	struct object_symbols *ret)
{
	struct object_symbol *symbols = arena_new(arena, count, sizeof(*symbols));
	size_t capacity = 0;
	*ret = (struct object_symbols){.symbols = symbols, .count = count};
	for (size_t first = 0, same; first < count; first += same) {
		same = count_section(variables + first, count - first);
		add_area(arena, variables + first, same, &capacity, ret);
		for (size_t i = first; i < first + same; i++)
			symbols[i] = (struct object_symbol){
				.name = variables[i].name,
				.address = ret->areas[ret->area_count - 1].address +
					   variables[i].off_bytes,
				.size_bytes = variables[i].size_bytes,
				.is_local = variables[i].is_static,
			};
	}
	if (count)
		qsort(symbols, count, sizeof(*symbols), compare_symbols);
}

static const struct object_area *area_named(const struct object_symbols *symbols, const char *name)
{
	for (size_t i = 0; i < symbols->area_count; i++)
		if (strcmp(symbols->areas[i].name, name) == 0)
			return &symbols->areas[i];
	return NULL;
}

/* Of a program that was stripped of them, as the vmlinux in a kernel image is: by the places in its sections. */
static void place_symbols(struct arena *arena, const struct btf_variable *variables, size_t count,
	struct object_symbols *ret)
{
	struct object_symbol *symbols = arena_new(arena, count, sizeof(*symbols));
	for (size_t i = 0; i < count; i++) {
		const struct object_area *area = area_named(ret, variables[i].section);
		if (area && variables[i].section_bytes && end_of(&variables[i]) <= area->size_bytes)
			symbols[ret->count++] = (struct object_symbol){
				.name = variables[i].name,
				.address = area->address + variables[i].off_bytes,
				.size_bytes = variables[i].size_bytes,
				.is_local = variables[i].is_static,
			};
	}
	if (ret->count)
		qsort(symbols, ret->count, sizeof(*symbols), compare_symbols);
	ret->symbols = symbols;
}

/* ---- which symbol a variable is ---- */

struct named {
	const struct object_symbol *symbol;
	const char *section;
};

static int compare_named(const void *left, const void *right)
{
	const struct named *a = left, *b = right;
	int order = strcmp(a->symbol->name, b->symbol->name);
	return order ? order : strcmp(a->section, b->section);
}

static int compare_with(const struct named *named, const struct btf_variable *variable)
{
	int order = strcmp(named->symbol->name, variable->name);
	return order ? order : strcmp(named->section, variable->section);
}

static size_t first_named(
	const struct named *names, size_t count, const struct btf_variable *variable)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (compare_with(&names[middle], variable) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* To the linker a static one of a function is "count.0". */
static bool is_name_of(const char *symbol, const char *name)
{
	size_t length = strlen(name);
	return strncmp(symbol, name, length) == 0 && (!symbol[length] || symbol[length] == '.');
}

static const struct object_symbol *symbol_at_offset(
	const struct object_symbols *symbols, const struct btf_variable *variable)
{
	const struct object_area *area = area_named(symbols, variable->section);
	uint64_t address = area ? area->address + variable->off_bytes : 0;
	const struct object_symbol *at = area ? object_symbol_at(symbols, address) : NULL;
	for (; at; at = object_symbol_next(symbols, at))
		if (is_name_of(at->name, variable->name))
			return at;
	return NULL;
}

/* A name that is no static one's is one in the whole file, in whatever section the compiler thought that it would be. */
static const struct object_symbol *global_named(
	const struct named *names, size_t count, const char *name)
{
	const struct btf_variable any = {.name = name, .section = ""};
	const struct object_symbol *found = NULL;
	for (size_t i = first_named(names, count, &any);
		i < count && strcmp(names[i].symbol->name, name) == 0; i++) {
		if (names[i].symbol->is_local)
			continue;
		if (found)
			return NULL;
		found = names[i].symbol;
	}
	return found;
}

/* Two static ones of one name and section: which is which only their offsets tell, where they are filled in. */
static const struct object_symbol *find_symbol(const struct object_symbols *symbols,
	const struct named *names, size_t count, const struct btf_variable *variable, bool is_alone,
	bool has_offsets)
{
	size_t first = first_named(names, count, variable), end = first;
	const struct object_symbol *found = NULL;
	while (end < count && compare_with(&names[end], variable) == 0)
		end++;
	if (!variable->is_static && is_alone)
		found = global_named(names, count, variable->name);
	else if (end - first == 1 && is_alone && names[first].symbol->is_local)
		found = names[first].symbol;
	if (!found && has_offsets)
		found = symbol_at_offset(symbols, variable);
	return found && found->size_bytes >= variable->size_bytes ? found : NULL;
}

static size_t list_names(const struct object_symbols *symbols, struct named *names)
{
	size_t count = 0;
	for (size_t i = 0; i < symbols->count; i++) {
		const struct object_symbol *symbol = &symbols->symbols[i];
		const struct object_area *area = object_area_at(symbols, symbol->address);
		if (area)
			names[count++] = (struct named){symbol, area->name};
	}
	if (count)
		qsort(names, count, sizeof(*names), compare_named);
	return count;
}

static int compare_variables(const void *left, const void *right)
{
	const struct btf_variable *const *a = left, *const *b = right;
	int order = strcmp((*a)->name, (*b)->name);
	return order ? order : strcmp((*a)->section, (*b)->section);
}

static int compare_places(const void *left, const void *right)
{
	const struct variable_place *a = left, *b = right;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Offsets mean something in a file that was not put together from several, and where a section has a size. */
static bool has_offsets(const struct btf_variable *variable, bool is_one_part)
{
	return is_one_part && variable->section_bytes != 0;
}

static void find_places(struct arena *arena, const struct btf_variable *variables, size_t count,
	struct variables *ret)
{
	struct named *names = mem_new(ret->symbols.count + 1, sizeof(*names));
	const struct btf_variable **sorted = mem_new(count + 1, sizeof(*sorted));
	struct variable_place *places = arena_new(arena, count, sizeof(*places));
	size_t name_count = list_names(&ret->symbols, names);
	bool is_one_part = is_one(variables, count);
	for (size_t i = 0; i < count; i++)
		sorted[i] = &variables[i];
	if (count)
		qsort(sorted, count, sizeof(*sorted), compare_variables);
	for (size_t i = 0; i < count; i++) {
		const struct btf_variable *one = sorted[i];
		bool is_alone =
			!(i && compare_variables(&sorted[i - 1], &sorted[i]) == 0) &&
			!(i + 1 < count && compare_variables(&sorted[i], &sorted[i + 1]) == 0);
		const struct object_symbol *symbol = find_symbol(&ret->symbols, names, name_count,
			one, is_alone, has_offsets(one, is_one_part));
		if (symbol)
			places[ret->count++] = (struct variable_place){.address = symbol->address,
				.die_off = one->id,
				.unit_off = one->part,
				.name = one->name};
	}
	if (ret->count)
		qsort(places, ret->count, sizeof(*places), compare_places);
	ret->places = places;
	mem_free(sorted);
	mem_free(names);
}

void variables_find_btf(struct arena *arena, const struct object *object,
	const struct btf_file *btf, struct variables *ret)
{
	struct btf_variable *variables;
	size_t count;
	*ret = (struct variables){.count = 0};
	btf_file_variables(arena, btf, &variables, &count);
	if (object->is_raw_btf)
		make_symbols(arena, variables, count, &ret->symbols);
	else
		object_symbols_read(arena, object, &ret->symbols);
	if (!ret->symbols.count && !object->is_relocatable && is_one(variables, count))
		place_symbols(arena, variables, count, &ret->symbols);
	find_places(arena, variables, count, ret);
}

/* ---- reading ---- */

static const struct object_symbol *symbol_of(
	const struct object_symbols *symbols, const struct variable_place *place)
{
	const struct object_symbol *first = object_symbol_at(symbols, place->address);
	for (const struct object_symbol *at = first; at; at = object_symbol_next(symbols, at))
		if (strcmp(at->name, place->name) == 0)
			return at;
	return first;
}

static struct variable make_variable(const struct variables *variables,
	const struct variable_place *place, const struct types *types, type_id type)
{
	struct variable variable = {
		.name = place->name,
		.unit = "",
		.address = place->address,
		.types = types,
		.type = type,
		.area = object_area_at(&variables->symbols, place->address),
		.symbol = symbol_of(&variables->symbols, place),
	};
	uint64_t linked = variable.symbol ? variable.symbol->size_bytes : 0;
	bool sized = type_size(types, type, &variable.size_bytes);
	variable.is_external = variable.symbol && !variable.symbol->is_local;
	variable.symbol_differs = linked && sized && linked != variable.size_bytes;
	if (!sized || linked > variable.size_bytes)
		variable.size_bytes = linked;
	return variable;
}

struct error *variables_read_btf(struct arena *arena, const struct btf_file *btf,
	const struct variables *variables, const struct variable_place *const *places, size_t count,
	struct variable *ret)
{
	uint64_t *parts = mem_new(count + 1, sizeof(*parts)),
		 *ids = mem_new(count + 1, sizeof(*ids));
	bool *skipped = mem_new(count + 1, sizeof(*skipped));
	type_id *read = mem_new(count + 1, sizeof(*read));
	const struct types *types;
	for (size_t i = 0; i < count; i++) {
		parts[i] = places[i]->unit_off;
		ids[i] = places[i]->die_off;
	}
	struct error *error;
	size_t failed, tries = 0;
	memset(ret, 0, count * sizeof(*ret));
	while ((error = btf_file_read_types(
			arena, btf, parts, ids, skipped, count, &types, read, &failed)) &&
		tries++ < VARIABLES_DAMAGED_MOST) {
		ret[failed].damage = arena_strdup(arena, error->message);
		skipped[failed] = true;
		error_free(error);
	}
	for (size_t i = 0; i < count && !error; i++)
		if (!skipped[i])
			ret[i] = make_variable(variables, places[i], types, read[i]);
	mem_free(skipped);
	mem_free(read);
	mem_free(ids);
	mem_free(parts);
	return error;
}

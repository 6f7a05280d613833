#include "read/variables/scan.h"

#include "base/mem.h"
#include "read/dw.h"
#include "read/index/die.h"
#include "read/index/scan.h"

struct walk {
	struct dies dies;
	const struct object_symbols *symbols;
	struct variable_places *places;
};

/* Entry `index` of the unit's part of .debug_addr. */
static bool find_address(
	const struct view *view, const struct object *object, uint64_t index, uint64_t *ret)
{
	const struct object_section *section = &object->sections[OBJECT_DEBUG_ADDR];
	uint64_t bytes = view->unit->address_bytes, off;
	if (!section->data || __builtin_mul_overflow(index, bytes, &off) ||
		__builtin_add_overflow(off, view->addr_base, &off) || off > section->size ||
		section->size - off < bytes)
		return false;
	*ret = bytes_uint(section->data + off, bytes, view->swap);
	return true;
}

/* What a location expression pushes, when that is an address that the linker knows. */
static bool evaluate(const struct view *view, const struct object *object,
	const struct value *value, uint64_t *ret)
{
	const uint8_t *at = view->info + value->number, *end = at + value->length;
	uint64_t number, bytes = view->unit->address_bytes;
	if (value->class != VALUE_BLOCK || at == end)
		return false;
	uint8_t op = *at++;
	if (op == DW_OP_addr) {
		if ((uint64_t)(end - at) < bytes)
			return false;
		*ret = bytes_uint(at, bytes, view->swap);
		at += bytes;
	} else if (op == DW_OP_addrx || op == DW_OP_GNU_addr_index) {
		if (!bytes_uleb(&at, end, &number) || !find_address(view, object, number, ret))
			return false;
	} else {
		return false;
	}
	/* several variables that the compiler made one of */
	while (at < end && *at == DW_OP_plus_uconst) {
		at++;
		if (!bytes_uleb(&at, end, &number))
			return false;
		*ret += number;
	}
	return at == end;
}

static bool note_variable(
	struct walk *walk, const struct abbrev *abbrev, uint64_t off, const uint8_t *p)
{
	struct dies *dies = &walk->dies;
	struct die die, named;
	uint64_t address;
	if (!(abbrev->slots & 1u << SLOT_PLACE))
		return true;
	if (!die_read(dies, &dies->main, abbrev, p, &die))
		return false;
	if (!evaluate(&dies->main, dies->object, &die.values[SLOT_PLACE], &address) ||
		!object_area_at(walk->symbols, address))
		return true;
	if (!scan_read_named(dies, off, &named))
		return false;
	struct variable_places *places = walk->places;
	places->items = mem_grow(
		places->items, &places->capacity, places->count + 1, sizeof(*places->items));
	places->items[places->count++] = (struct variable_place){
		.address = address,
		.die_off = off,
		.unit_off = dies->main.unit->off,
		.name = die_has(&named, SLOT_NAME)
				? die_kept_string(dies, named.view, &named.values[SLOT_NAME])
				: "",
	};
	return !dies->error;
}

static bool walk_unit(struct walk *walk)
{
	struct dies *dies = &walk->dies;
	struct view *view = &dies->main;
	const uint8_t *p = view->children;
	for (size_t depth = 1; p && depth && p < view->end;) {
		uint64_t off = (uint64_t)(p - view->info);
		const struct abbrev *abbrev = die_abbrev(dies, view, &p);
		if (!abbrev) {
			if (dies->error)
				return false;
			depth--;
			continue;
		}
		if (abbrev->tag == DW_TAG_variable && !note_variable(walk, abbrev, off, p))
			return false;
		/* in C nothing of static storage lies in an aggregate */
		if (abbrev->kind == DIE_SUBTREE || (view->is_c && abbrev->kind == DIE_AGGREGATE)) {
			p = die_skip_tree(dies, view, abbrev, p);
			continue;
		}
		p = die_skip(dies, view, abbrev, p);
		depth += abbrev->has_children;
	}
	return !dies->error;
}

struct error *variables_scan(const struct object *object, const struct object_symbols *symbols,
	struct variable_places *places)
{
	struct units units = {.items = NULL};
	struct walk walk = {.symbols = symbols, .places = places};
	struct error *error = units_read(object, &units);
	dies_init(&walk.dies, object, &units);
	walk.dies.with_variables = true;
	for (size_t i = 0; i < units.count && !error; i++) {
		if (units.items[i].is_idle)
			continue;
		if (dies_open(&walk.dies, &units.items[i]) && walk_unit(&walk)) {
			places->split_units += walk.dies.main.is_skeleton;
			continue;
		}
		error = walk.dies.error;
		walk.dies.error = NULL;
	}
	if (!error && places->split_units)
		places->split_units -= object->skeleton_count;
	dies_release(&walk.dies);
	units_release(&units);
	return error;
}

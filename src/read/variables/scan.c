#include "read/variables/scan.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

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

/* ---- threads ---- */

enum { CHUNK = 16, WORKERS_MAX = 64 }; /* units that a thread takes at a time */

struct common {
	const struct units *units;
	atomic_size_t next; /* unit */
};

struct worker {
	struct walk walk;
	struct variable_places places;
	struct common *common;
	pthread_t thread;
	bool is_started;
};

static void scan_units(struct worker *worker, size_t first, size_t end)
{
	struct dies *dies = &worker->walk.dies;
	for (size_t i = first; i < end; i++) {
		if (worker->common->units->items[i].is_idle)
			continue;
		if (dies_open(dies, &worker->common->units->items[i]) && walk_unit(&worker->walk)) {
			worker->places.split_units += dies->main.is_skeleton;
			continue;
		}
		unit_damages_add(
			&worker->places.damages, worker->common->units->items[i].off, dies->error);
		dies->error = NULL;
	}
}

static void *run(void *argument)
{
	struct worker *worker = argument;
	size_t count = worker->common->units->count;
	for (;;) {
		size_t first = atomic_fetch_add(&worker->common->next, CHUNK);
		if (first >= count)
			return NULL;
		scan_units(worker, first, first + CHUNK < count ? first + CHUNK : count);
	}
}

static size_t worker_count(unsigned jobs, size_t units)
{
	long processors = jobs ? (long)jobs : sysconf(_SC_NPROCESSORS_ONLN);
	size_t useful = units / CHUNK + 1, count = processors < 1 ? 1 : (size_t)processors;
	count = count < useful ? count : useful;
	return count < WORKERS_MAX ? count : WORKERS_MAX;
}

static void take_damages(struct unit_damages *to, struct unit_damages *from)
{
	for (size_t i = 0; i < from->count; i++)
		unit_damages_add(to, from->items[i].off, from->items[i].error);
	from->count = 0;
	unit_damages_release(from);
}

/* Takes over what a worker has found. */
static void gather(struct worker *worker, struct variable_places *ret)
{
	if (worker->places.count) {
		ret->items = mem_grow(ret->items, &ret->capacity, ret->count + worker->places.count,
			sizeof(*ret->items));
		memcpy(ret->items + ret->count, worker->places.items,
			worker->places.count * sizeof(*ret->items));
	}
	ret->count += worker->places.count;
	ret->split_units += worker->places.split_units;
	mem_free(worker->places.items);
	take_damages(&ret->damages, &worker->places.damages);
	dies_release(&worker->walk.dies);
}

void variables_scan(const struct object *object, const struct object_symbols *symbols,
	unsigned jobs, struct variable_places *ret)
{
	struct units units = {.items = NULL};
	units_read(object, &units);
	struct common common = {.units = &units};
	size_t count = worker_count(jobs, units.count);
	struct worker *workers = mem_new(count, sizeof(*workers));
	*ret = (struct variable_places){.items = NULL};
	take_damages(&ret->damages, &units.damages);
	for (size_t i = 0; i < count; i++) {
		struct worker *worker = &workers[i];
		worker->common = &common;
		worker->walk = (struct walk){.symbols = symbols, .places = &worker->places};
		dies_init(&worker->walk.dies, object, &units);
		worker->walk.dies.with_variables = true;
		worker->is_started = i && pthread_create(&worker->thread, NULL, run, worker) == 0;
	}
	run(&workers[0]);
	for (size_t i = 0; i < count; i++)
		if (workers[i].is_started)
			pthread_join(workers[i].thread, NULL);
	for (size_t i = 0; i < count; i++)
		gather(&workers[i], ret);
	ret->split_units -= ret->split_units < object->skeleton_count ? ret->split_units
								      : object->skeleton_count;
	mem_free(workers);
	units_release(&units);
}

#include "read/companion/content.h"

#include <stdlib.h>

#include "base/mem.h"
#include "read/dw.h"

struct reading {
	struct units units;
	struct dies dies;
	const struct map *wanted;
	struct arena *arena;
	struct content *content;
	size_t id_capacity;
	bool *is_used; /* by index of a unit; owned */
	size_t *queue; /* indices of used units, for what they refer to; owned */
	size_t queued;
	struct error *error; /* the first */
};

uint64_t content_id(const struct unit *unit, const struct die *root)
{
	uint64_t id = unit->dwo_id;
	if (!id)
		die_number(root, SLOT_DWO_ID, &id);
	return id;
}

static void keep_error(struct reading *reading)
{
	if (reading->error)
		error_free(reading->dies.error);
	else
		reading->error = reading->dies.error;
	reading->dies.error = NULL;
}

static void use(struct reading *reading, size_t at)
{
	if (reading->is_used[at])
		return;
	reading->is_used[at] = true;
	reading->queue[reading->queued++] = at;
}

/* ---- ids ---- */

static bool is_type(const struct unit *unit)
{
	return unit->type == DW_UT_type || unit->type == DW_UT_split_type;
}

static void read_id(struct reading *reading, size_t at)
{
	const struct unit *unit = &reading->units.items[at];
	struct content *content = reading->content;
	struct die root;
	uint64_t id = unit->dwo_id;
	if (is_type(unit))
		return;
	if (unit->version < 5) {
		if (dies_open(&reading->dies, unit) &&
			die_read_at(&reading->dies, unit->die_off, &root))
			id = content_id(unit, &root);
		if (reading->dies.error)
			use(reading, at);
		keep_error(reading);
	}
	if (!id)
		return;
	content->ids = arena_grow(reading->arena, content->ids, &reading->id_capacity,
		content->id_count + 1, sizeof(*content->ids));
	content->ids[content->id_count++] = id;
	if (map_find(reading->wanted, id))
		use(reading, at);
	else
		content->has_others = true;
}

/* ---- type units ---- */

static void use_types_of(struct reading *reading, const struct die *die)
{
	for (enum die_slot slot = SLOT_NONE; slot < SLOT_LIMIT; slot++) {
		uint64_t off;
		if (!die_has(die, slot) || die->values[slot].class != VALUE_SIGNATURE ||
			!die_refers(&reading->dies, die, slot, &off))
			continue;
		const struct unit *unit = units_find(&reading->units, off);
		if (unit)
			use(reading, (size_t)(unit - reading->units.items));
	}
}

/* Damage ends it; the index tells of that. */
static void read_references(struct reading *reading, const struct unit *unit)
{
	struct dies *dies = &reading->dies;
	if (dies_open(dies, unit) && dies->main.children) {
		const uint8_t *p = dies->main.info + unit->die_off;
		while (p < dies->main.end && !dies->error) {
			struct die die;
			const struct abbrev *abbrev = die_abbrev(dies, &dies->main, &p);
			if (!abbrev)
				continue; /* the end of a list of children */
			if (!die_read(dies, &dies->main, abbrev, p, &die))
				break;
			use_types_of(reading, &die);
			p = die.next;
		}
	}
	error_free(dies->error);
	dies->error = NULL;
}

static void list_used(struct reading *reading)
{
	struct content *content = reading->content;
	for (size_t i = 0; i < reading->queued; i++) /* which grows meanwhile */
		read_references(reading, &reading->units.items[reading->queue[i]]);
	content->used = arena_new(reading->arena, reading->queued, sizeof(*content->used));
	for (size_t i = 0; i < reading->units.count; i++)
		if (reading->is_used[i])
			content->used[content->used_count++] = reading->units.items[i].off;
}

struct error *content_read(struct arena *arena, const struct object *file, const struct map *wanted,
	struct content *ret)
{
	struct reading reading = {.wanted = wanted, .arena = arena, .content = ret};
	*ret = (struct content){0};
	units_read(file, &reading.units);
	reading.error = units_take_error(&reading.units);
	dies_init(&reading.dies, file, &reading.units);
	reading.dies.with_variables = true; /* whose types are those of type units, too */
	reading.is_used = mem_new(reading.units.count, sizeof(*reading.is_used));
	reading.queue = mem_new(reading.units.count, sizeof(*reading.queue));
	for (size_t i = 0; i < reading.units.count; i++)
		read_id(&reading, i);
	if (ret->has_others)
		list_used(&reading);
	mem_free(reading.is_used);
	mem_free(reading.queue);
	dies_release(&reading.dies);
	units_release(&reading.units);
	if (!ret->id_count)
		return reading.error;
	error_free(reading.error);
	return NULL;
}

void content_use(const struct content *content, struct object *companion)
{
	if (!content->has_others)
		return;
	for (size_t i = 0; i < content->used_count; i++)
		content->used[i] += companion->start;
	companion->is_shared = true;
	companion->used_units = content->used;
	companion->used_count = content->used_count;
}

#include "order/start.h"

#include <string.h>

#include "base/mem.h"
#include "order/search.h"

/* What a unit is to the roles: readers' first, written ones by who writes, then what nobody accesses. */
static unsigned long class_of(const struct search *search, size_t unit, bool cold_between)
{
	const struct access_map *map = search->order->map;
	unsigned long writers = 0;
	bool read = false;
	for (size_t i = 0; i < map->field_count; i++) {
		size_t entry = search->order->entries[i];
		if (entry == SIZE_MAX || search->order->members[entry].unit != unit)
			continue;
		for (size_t r = 0; r < map->role_count; r++) {
			const double *counts = map->fields[i].counts[r];
			if (counts[ACCESS_WRITE] + counts[ACCESS_RMW] >= 0.01)
				writers |= 1UL << (r % 32);
			read |= counts[ACCESS_READ] + counts[ACCESS_UNKNOWN] > 0;
		}
	}
	if (writers)
		return 2 + writers;
	if (read)
		return 0;
	return cold_between ? 1 : 1UL << 40;
}

/* Units sorted by class, each in a place that one of its zone had. */
void start_sort(const struct search *search, size_t *units, bool cold_between)
{
	const struct order *order = search->order;
	for (size_t i = 0; i < search->count; i++) {
		if (order->units[units[i]].is_fixed)
			continue;
		for (size_t k = i; k-- > 0;) {
			const struct order_unit *a = &order->units[units[k]],
						*b = &order->units[units[k + 1]];
			if (a->is_fixed || a->zone != b->zone)
				break;
			unsigned long of_a = class_of(search, units[k], cold_between);
			unsigned long of_b = class_of(search, units[k + 1], cold_between);
			uint32_t align_a = order->members[a->first].high;
			uint32_t align_b = order->members[b->first].high;
			if (of_a < of_b || (of_a == of_b && align_a >= align_b))
				break;
			size_t unit = units[k];
			units[k] = units[k + 1];
			units[k + 1] = unit;
		}
	}
}

/* What the profile wants first and last goes there. */
void start_obey_ends(const struct search *search, size_t *units)
{
	const struct order *order = search->order;
	size_t *front = mem_new(search->count, sizeof(*front)), next = 0;
	for (int part = 0; part < 5; part++) {
		for (size_t i = 0; i < search->count; i++) {
			const struct order_unit *unit = &order->units[units[i]];
			const struct layout_member *member = order->members[unit->first].member;
			bool base = member->is_base || member->is_artificial;
			bool tail = unit->is_fixed && !unit->is_last &&
				    unit->zone_behind == ORDER_NOWHERE && i + 1 == search->count;
			int own = base ? 0 : unit->is_first ? 1 : unit->is_last ? 3 : tail ? 4 : 2;
			if (own == part)
				front[next++] = units[i];
		}
	}
	memcpy(units, front, search->count * sizeof(*units));
	mem_free(front);
}

#include "read/map.h"

enum { FIRST_BITS = 8 };

void map_init(struct map *map)
{
	memset(map, 0, sizeof(*map));
}

void map_release(struct map *map)
{
	mem_free(map->slots);
	map_init(map);
}

static void put(struct map *map, uint64_t key, uint64_t value)
{
	size_t at = map_place(map, key);
	while (map->slots[at].key)
		at = (at + 1) & (map->capacity - 1);
	map->slots[at] = (struct map_slot){key, value};
}

static void grow(struct map *map)
{
	struct map old = *map;
	map->shift = old.capacity ? old.shift - 1 : 64 - FIRST_BITS;
	map->capacity = (size_t)1 << (64 - map->shift);
	map->slots = mem_new(map->capacity, sizeof(*map->slots));
	for (size_t i = 0; i < old.capacity; i++)
		if (old.slots[i].key)
			put(map, old.slots[i].key, old.slots[i].value);
	mem_free(old.slots);
}

void map_add(struct map *map, uint64_t key, uint64_t value)
{
	if (2 * (map->count + 1) > map->capacity)
		grow(map);
	put(map, key, value);
	map->count++;
}

void map_clear(struct map *map)
{
	if (map->count)
		memset(map->slots, 0, map->capacity * sizeof(*map->slots));
	map->count = 0;
}

/*
 * map: from 64-bit keys to 64-bit values, open addressing with linear probing.
 *
 * Keys are offsets and hashes that the caller has made; 0 is no key. Kept over many units: map_clear() is
 * cheap when the map is empty.
 */
#ifndef READ_MAP_H
#define READ_MAP_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/mem.h"

struct map_slot {
	uint64_t key; /* 0: free */
	uint64_t value;
};

struct map {
	struct map_slot *slots; /* owned */
	size_t capacity;        /* a power of two, or 0 */
	unsigned shift;         /* 64 - log2(capacity) */
	size_t count;
};

static inline size_t map_place(const struct map *map, uint64_t key)
{
	return (size_t)((key * 0x9e3779b97f4a7c15u) >> map->shift);
}

/* The value of `key`; NULL when it is not there. Valid until the next map_add(). */
static inline uint64_t *map_find(const struct map *map, uint64_t key)
{
	if (!map->capacity)
		return NULL;
	for (size_t at = map_place(map, key);; at = (at + 1) & (map->capacity - 1)) {
		if (map->slots[at].key == key)
			return &map->slots[at].value;
		if (!map->slots[at].key)
			return NULL;
	}
}

/* Nothing is allocated before the first key; map_release() frees the slots. */
void map_init(struct map *map);
void map_release(struct map *map);

/* Adds a key that is not there yet. */
void map_add(struct map *map, uint64_t key, uint64_t value);

/* Forgets all keys, keeps the memory. */
void map_clear(struct map *map);

#endif

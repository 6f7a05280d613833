/*
 * fold: a hash of a definition's layout, equal for two definitions exactly when they would read the same.
 *
 * die, scan -> [fold] -> index. What counts: the size, and each member's name, bit offset, bit size and
 * type name; bases and variants likewise. A type name is hashed by its parts (pointer to const struct x),
 * never printed. Unnamed types count by their members, behind a pointer by the names of those. Base types
 * go by what C means: "long unsigned int" and "unsigned long" are one. DWARF 5 sections 5.1 to 5.14, bit
 * offsets of DWARF 2 and 3 (DW_AT_bit_offset) included.
 *
 * There are two hashes. The *text* hash depends on nothing but the above. The *place* hash takes the places
 * of strings for their texts: it is quick, different for different layouts, and may differ for equal ones;
 * it is only good as the key of a cache within one file.
 */
#ifndef READ_FOLD_H
#define READ_FOLD_H

#include <stdint.h>

#include "read/index/die.h"
#include "read/map.h"

enum fold_by {
	FOLD_BY_PLACE,
	FOLD_BY_TEXT,
};

/* A type of which the hash is known. */
struct fold_known {
	uint64_t key; /* its offset << 1 | by value; 0: free */
	uint64_t hash;
};

enum { FOLD_CACHE_SLOTS = 8192 };

struct fold {
	struct dies *dies; /* not owned */
	enum fold_by by;
	struct map
		memo; /* as fold_known; types that take time, so that none is read twice in a unit; owned */
	struct fold_known *cache; /* the last ones that members had; owned */
};

void fold_init(struct fold *fold, struct dies *dies, enum fold_by by);
void fold_release(struct fold *fold);

/* The hash of the definition whose DIE is at `off`. Damage: dies->error. */
uint64_t fold_definition(struct fold *fold, uint64_t off);

#endif

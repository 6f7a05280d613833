/*
 * fold_part: the parts of fold, which need each other: a member's type may be an unnamed aggregate with
 * members.
 *
 * Only for fold.c, fold_name.c and fold_type.c. All take the hash so far and return it with something
 * added. `depth` counts the types in each other and is bounded.
 */
#ifndef READ_FOLD_PART_H
#define READ_FOLD_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "read/index/die.h"
#include "read/index/fold.h"

enum { FOLD_DEPTH_LIMIT = 128 };

/* What stands for no type, and for one in a supplementary file. */
enum { FOLD_OF_VOID = 1, FOLD_OF_ELSEWHERE = 2 };

/* fold_name.c: a text; the name of a DIE that was read, 0 when it has none. */
uint64_t fold_string(struct fold *fold, const struct view *view, const struct value *value);
uint64_t fold_name(struct fold *fold, const struct die *die);

/* The same of a name for die_quick_key(). */
static inline uint64_t fold_quick_name(struct fold *fold, const struct view *view,
	const struct abbrev *abbrev, const uint8_t *p, const uint8_t *fixed)
{
	struct value name;
	if (fold->by == FOLD_BY_PLACE)
		return die_quick_key(fold->dies, view, abbrev, p, fixed);
	die_quick_name(view, abbrev, p, fixed, &name);
	return fold_string(fold, view, &name);
}

/* fold_name.c: what "long unsigned int" means. */
uint64_t fold_base_name(const char *name);

/* fold_name.c: the namespaces and classes in which the DIE at `off` lies; 0 when in none. */
uint64_t fold_scope(struct fold *fold, struct view *view, uint64_t off);

/* fold_type.c: the hash of the type at `off`. `by_value`: an unnamed one counts with all that is in it. */
uint64_t fold_read_type(struct fold *fold, uint64_t off, bool by_value, size_t depth);

static inline uint64_t fold_add_type(
	struct fold *fold, uint64_t hash, uint64_t off, bool by_value, size_t depth)
{
	uint64_t key = off << 1 | by_value;
	struct fold_known *known = &fold->cache[(key ^ key >> 13) % FOLD_CACHE_SLOTS];
	if (known->key == key)
		return die_hash_add(hash, known->hash);
	uint64_t type = fold_read_type(fold, off, by_value, depth);
	if (!fold->dies->error)
		*known = (struct fold_known){key, type};
	return die_hash_add(hash, type);
}

/* fold_type.c: the type to which an attribute refers: void when it is not there. */
uint64_t fold_add_reference(struct fold *fold, uint64_t hash, const struct die *die,
	enum die_slot slot, bool by_value, size_t depth);

/* The same at abbrev->type_at, or void. Only for the shapes that have a type. */
static inline uint64_t fold_quick_reference(struct fold *fold, uint64_t hash,
	const struct view *view, const struct abbrev *abbrev, const uint8_t *fixed, bool by_value,
	size_t depth)
{
	if (abbrev->type_at == ABBREV_NOT_FIXED)
		return die_hash_add(hash, FOLD_OF_VOID);
	uint64_t off = die_in_unit(view, bytes_u32(fixed + abbrev->type_at, view->swap));
	return fold_add_type(fold, hash, off, by_value, depth + 1);
}

/* fold.c: size and members of an aggregate; `shallow`: members without their types. */
uint64_t fold_aggregate(struct fold *fold, const struct die *die, bool shallow, size_t depth);

/* The same of SHAPE_AGGREGATE; `fixed` is die_fixed() of it. */
uint64_t fold_quick_aggregate(struct fold *fold, struct view *view, const struct abbrev *abbrev,
	const uint8_t *fixed, bool shallow, size_t depth);

#endif

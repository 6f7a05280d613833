/*
 * collate: definitions and typedefs, from whatever they were read, in the order and number that struct index promises.
 *
 * worker, btf -> [collate] -> index. Equal layouts become one, NAMEs select, and the result is sorted, so that it depends on
 * the file alone. Works in the caller's arrays; only lists of names are new.
 */
#ifndef READ_COLLATE_H
#define READ_COLLATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "read/index.h"
#include "read/index/pattern.h"

/*
 * Folds defs[0..total) (copies set, layouts not yet), keeps what `patterns` select, sorts; returns how many are left.
 * *all_found: there are patterns, and each selects something.
 */
size_t collate_defs(
	const struct patterns *patterns, struct index_def *defs, size_t total, bool *all_found);

/* Keeps the aliases that a NAME, written out, means where it means none of index->defs; into *index. */
void collate_aliases(const struct patterns *patterns, struct index_alias *aliases, size_t total,
	struct index *index);

/* Every name that a definition of an index of everything bears, into *index. */
void collate_names_of_defs(struct arena *arena, struct index *index);

/* Sorts names, each once; returns how many are left. */
size_t collate_names(const char **names, size_t total);

/* As strcmp(); NULL and the same pointer are fine. */
int collate_compare_text(const char *a, const char *b);

#endif

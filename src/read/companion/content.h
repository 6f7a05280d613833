/*
 * content: which units of a split file or a package are of one binary. Private to companion.
 *
 * DWARF 5 section 7.3.5.1: a skeleton and its split unit have one dwo_id. A package may be of several binaries, or in part of
 * another build; a type unit (section 7.3.5.2) is of whatever refers to its signature.
 */
#ifndef READ_COMPANION_CONTENT_H
#define READ_COMPANION_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "read/index/die.h"
#include "read/map.h"
#include "read/object.h"

struct content {
	uint64_t *ids;       /* of the split units; in the arena */
	size_t id_count;
	bool has_others;      /* split units with no id of those that are wanted */
	uint64_t *used;       /* has_others: where the units start that count, in .debug_info of the file; ascending; in the arena */
	size_t used_count;
};

/*
 * Of a file that is no companion yet; `wanted` has the ids of the binary's skeletons as keys. Damaged units count, for the
 * index to tell of. Errors: damage has left no id.
 */
struct error *content_read(
	struct arena *arena, const struct object *file, const struct map *wanted, struct content *ret);

/* Only the units that count are read of the companion that the file has become. */
void content_use(const struct content *content, struct object *companion);

/* The id of a skeleton or a split unit, of DWARF 5 or GNU's before it; 0: none. */
uint64_t content_id(const struct unit *unit, const struct die *root);

#endif

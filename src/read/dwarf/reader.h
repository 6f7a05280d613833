/*
 * reader: what one worker makes of the definitions that it was given.
 *
 * Private to dwarf. DWARF 5 sections 5.1 to 5.14. Types are remembered by the place of their entry, so that
 * each is read once and cycles end; aggregates are read by name first, and in full when something has them
 * by value.
 */
#ifndef READ_READER_H
#define READ_READER_H

#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/intern.h"
#include "read/dwarf.h"
#include "read/dwarf/entry.h"
#include "read/index.h"
#include "read/object.h"
#include "read/dwarf/opened.h"
#include "type.h"

struct reader_origin;

struct reader {
	const struct object *object;
	struct arena *arena;            /* where types go; not owned */
	struct types *types;            /* in the arena */
	struct intern strings;
	struct opened units;
	struct reader_origin *origins;  /* by type_id: where it comes from; owned */
	size_t origin_capacity;
	struct entry_list entries;      /* a stack: children that are being looked at */
	type_id *wanted;                /* aggregates to read in full; owned */
	size_t wanted_count, wanted_capacity;
};

void reader_init(struct reader *reader, struct arena *arena, const struct object *object,
	struct opened_map *map);
void reader_release(struct reader *reader);

/* Reads one definition, which lies in `unit`. Errors: damaged entries, with the offset. */
struct error *reader_read(struct reader *reader, struct opened_unit *unit, const struct index_def *def,
	struct dwarf_type *ret);

/*
 * The type that an attribute of an entry in `unit` refers to, with all that it has by value; of a pointer also what it
 * points to. Errors as above.
 */
struct error *reader_read_type(
	struct reader *reader, struct opened_unit *unit, const struct entry_ref *ref, type_id *ret);

#endif

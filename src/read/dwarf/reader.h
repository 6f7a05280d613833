/*
 * reader: what one worker makes of the definitions that it was given.
 *
 * Private to dwarf. DWARF 5 sections 5.1 to 5.14. Types are remembered by the place of their entry, so that
 * each is read once and cycles end; aggregates are read by name first (reader.c), and in full when something
 * has them by value (member.c).
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

/* More pointers to pointers than any program has: hostile input. */
enum { READER_CHAIN_MAX = 256 };

/* How much of an aggregate is read. MISSING: a type that is somewhere else, and nobody has. */
enum reader_progress { NOT_AGGREGATE, NAME_ONLY, WANTED, COMPLETE, MISSING };

/* Where a type of the table comes from, until all is read. */
struct reader_origin {
	struct opened_unit *unit;
	uint64_t off; /* of its entry */
	enum reader_progress progress;
};

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

/* `worker` of those that read the object at the same time, from 0. */
void reader_init(struct reader *reader, struct arena *arena, const struct object *object,
	struct opened_map *map, size_t worker);
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

/* ---- what reader.c (types) and member.c (members of aggregates) have of each other ---- */

/* What an attribute refers to. A type in a supplementary file, or that nobody has, stays unspecified. */
struct error *reader_type_of(struct reader *reader, struct opened_unit *unit, const struct entry_ref *ref, int depth,
	type_id *ret);

/* Reads children onto the stack; [*first, reader->entries.count) are they. The caller pops. */
struct error *reader_push_children(struct reader *reader, struct opened_unit *unit, uint64_t off, entry_filter *filter,
	size_t *first);

/* Stated alignment in bytes, 0 without; what is no power of two is damage, and as good as not stated. */
uint32_t reader_alignment(const struct entry *entry);

/* What Go's compilers do not state, or state in a way of their own: for types of other languages nothing (go.c). */
void go_finish_type(
	const struct entry_unit *unit, const struct type_machine *machine, struct type *type);

/* The members of an aggregate while they are read; all in the arena. */
struct reader_members {
	const struct type *aggregate;
	struct type_member *items;
	size_t count, capacity;
	struct type_variant *variants;
	size_t variant_count, variant_capacity;
};

/* Adds what a DW_TAG_member or DW_TAG_inheritance says (static members: nothing); */
struct error *reader_add_member(struct reader *reader, struct opened_unit *unit, const struct entry *entry,
	struct reader_members *list);

/* and the members of all the alternatives of a DW_TAG_variant_part (variant.c). */
struct error *reader_add_variants(struct reader *reader, struct opened_unit *unit, const struct entry *part,
	struct reader_members *list, int depth);

/* Notes that the aggregate in a type that something has by value must be read in full. */
void reader_want(struct reader *reader, type_id id);

/* Reads the members of all of these, and of what they want in turn. */
struct error *reader_complete_wanted(struct reader *reader);

#endif

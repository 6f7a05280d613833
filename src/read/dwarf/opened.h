/*
 * opened: the units that one worker reads from, and which of their entries have become types already.
 *
 * Private to dwarf. A unit is opened when something in it is needed; references out of a unit
 * (DW_FORM_ref_addr, DW_FORM_ref_sig8; DWARF 5 section 7.5.5) find theirs through a map of all units, which
 * is made once, by the first worker that needs it.
 */
#ifndef READ_OPENED_H
#define READ_OPENED_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "read/dwarf/entry.h"
#include "read/dwarf/homes.h"
#include "read/map.h"
#include "read/object.h"

/* Type units by their signature. */
struct opened_signature {
	uint64_t signature;
	uint64_t unit_off, type_off;
};

/* All units of a file; shared by the workers. */
struct opened_map {
	const struct object *object;
	pthread_mutex_t lock;
	bool ready;
	uint64_t *starts; /* ascending; owned */
	size_t start_count, start_capacity;
	struct opened_signature *signatures; /* ascending; owned */
	size_t signature_count, signature_capacity;
	bool language_ready;
	uint16_t language; /* for units that do not say theirs: dwz's partial units */
	struct homes homes;
};

/* While there is one thread. */
void opened_map_init(struct opened_map *map, const struct object *object);
void opened_map_release(struct opened_map *map);

struct scoped;

struct opened_unit {
	uint64_t off, end;         /* of the unit */
	struct entry_unit entries; /* valid while is_open */
	bool is_open;
	bool is_shared;      /* referenced from another unit: worth keeping */
	uint64_t used;       /* when, counted in calls */
	struct map types;    /* offset of an entry -> the type_id that it has become */
	struct scoped *root; /* of scoped.h; NULL until needed */
};

struct opened {
	const struct object *object;
	struct opened_map *map;     /* not owned */
	size_t worker;              /* whose units these are, for the trail */
	uint64_t file;              /* the object, likewise */
	struct opened_unit **items; /* ascending by off; owned */
	size_t count, capacity;
	size_t open_count;
	uint64_t clock;
};

/*
 * Writes down that the entry at `off` is read, for opened_leave() to take back; an error where libdwarf has died of that
 * before.
 */
struct error *opened_enter(const struct opened *units, uint64_t off, struct trail_step *before);
void opened_leave(const struct opened *units, struct trail_step before);

void opened_init(struct opened *units, const struct object *object, struct opened_map *map, size_t worker);
void opened_release(struct opened *units);

/* The unit whose header is at `off`; known from then on. Errors, here and below: damaged units, with the offset. */
struct error *opened_get(struct opened *units, uint64_t off, struct opened_unit **ret);

/* The unit that holds the entry at `off`; `near` is where the reference stands. */
struct error *opened_find(
	struct opened *units, struct opened_unit *near, uint64_t off, struct opened_unit **ret);

/* The type of a type unit; *ret is NULL when the file has none with this signature. */
struct error *opened_find_signature(
	struct opened *units, uint64_t signature, struct opened_unit **ret, uint64_t *off);

/* Ready to read entries from; the pointer is good until the next call for another unit. */
struct error *opened_use(struct opened *units, struct opened_unit *unit, struct entry_unit **ret);

/* Forgets a unit that nothing will refer to again. */
void opened_drop(struct opened *units, struct opened_unit *unit);

#endif

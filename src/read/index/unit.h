/*
 * unit: the headers of all units in .debug_info, and in .debug_types behind it; and those of all companions.
 *
 * object -> [unit] -> die. DWARF 5 section 7.5.1; DWARF 2 to 4 likewise, 32 and 64 bits. Offsets count from
 * the start of .debug_info; those of .debug_types (DWARF 4 section 7.5.1.2) count on behind its end, and those of
 * companions behind that (object.h).
 */
#ifndef READ_UNIT_H
#define READ_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "read/object.h"

struct unit {
	uint64_t off;          /* of its header */
	uint64_t end;          /* of the first byte behind it */
	uint64_t die_off;      /* of its first DIE */
	uint64_t abbrev_off;   /* in .debug_abbrev */
	const struct object *object; /* the file that it lies in */
	uint64_t str_offsets_off; /* where its part of .debug_str_offsets starts; 0 but in packages */
	uint64_t dwo_id;       /* DWARF 5, of a skeleton and of what it stands for; 0 for others */
	uint16_t version;      /* 2 to 5 */
	uint8_t type;          /* DW_UT_*; before DWARF 5 DW_UT_compile, or DW_UT_type in .debug_types */
	uint8_t address_bytes; /* 1, 2, 4 or 8 */
	uint8_t offset_bytes;  /* 4, or 8 for 64-bit DWARF */
	bool is_idle;          /* of a file that has more than is of this binary, and not of it: only referred to */
};

/* Where the type of a type unit is. */
struct unit_signature {
	uint64_t signature;
	uint64_t die_off;
};

/* What of a file is damaged, and is gone round. */
struct unit_damage {
	uint64_t off; /* of the unit */
	struct error *error; /* owned */
};

struct unit_damages {
	struct unit_damage *items; /* owned (unit_damages_release) */
	size_t count, capacity;
};

void unit_damages_add(struct unit_damages *damages, uint64_t off, struct error *error);
void unit_damages_release(struct unit_damages *damages);

struct units {
	struct unit *items; /* in file order; owned (units_release) */
	size_t count, capacity;
	uint16_t version; /* the highest */
	struct unit_signature *signatures; /* ascending; owned */
	size_t signature_count, signature_capacity;
	struct unit_damages damages; /* headers that make no sense, in file order: what is behind their unit is there, unless the
	                              * length is what is damaged; then the rest of the section is not */
};

/* All unit headers that can be read. */
void units_read(const struct object *object, struct units *ret);

/* The first damage, for whoever needs all of them; NULL when there is none. The caller owns it. */
struct error *units_take_error(struct units *units);
void units_release(struct units *units);

/* The unit among whose DIEs `off` lies; NULL when there is none. */
const struct unit *units_find(const struct units *units, uint64_t off);

/* The DIE of the type with this signature; 0: no unit here has it. */
uint64_t units_find_signature(const struct units *units, uint64_t signature);

/*
 * What offset 0 is when the DIEs at `off` are to be found: .debug_types is somewhere else in memory than behind
 * .debug_info.
 */
const uint8_t *unit_base(const struct object *object, uint64_t off);

/* "PATH: .debug_info+OFF: what; what to do" */
struct error *unit_error(const struct object *object, uint64_t off, const char *what);

#endif

/*
 * entry: one debugging information entry as a plain struct.
 *
 * object -> [entry] -> dwarf. What compilers write we read ourselves (plain.h); libdwarf is asked for the rest, and is the
 * judge of what is damaged. With the rooms behind it (handle.h, form.h, attribute.h) this is its only user. A unit is
 * opened by itself: libdwarf is given a .debug_info that holds this unit only, so that every look-up in it is near, and
 * nothing has to walk the units before it. DWARF 5 sections 2.2 and 7.5. Offsets here always count from the start of
 * .debug_info of the file; those of .debug_types (DWARF 4) count on behind it, and those of companions behind that
 * (object.h). Strings are in the files' mappings.
 */
#ifndef READ_ENTRY_H
#define READ_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/intern.h"
#include "read/object.h"

/* A number that may be missing, or only known to the running program. */
enum entry_state { ENTRY_ABSENT, ENTRY_CONSTANT, ENTRY_DYNAMIC };

struct entry_number {
	uint64_t value; /* negative ones as two's complement */
	enum entry_state state;
};

/* A reference to another entry. */
enum entry_ref_kind {
	ENTRY_REF_NONE,
	ENTRY_REF_OFFSET,    /* value is its offset */
	ENTRY_REF_SIGNATURE, /* value is the signature of a type unit */
	ENTRY_REF_ELSEWHERE, /* in an alternate file (dwz) that is not there */
};

struct entry_ref {
	uint64_t value;
	enum entry_ref_kind kind;
};

struct entry {
	uint64_t off;
	uint16_t tag;     /* DW_TAG_* */
	const char *name; /* NULL without, and for "" */
	const char *linkage_name; /* as the linker knows it (DW_AT_linkage_name); NULL without */
	struct entry_ref type;
	struct entry_ref origin;    /* DW_AT_specification, or DW_AT_abstract_origin */
	struct entry_ref signature; /* DW_AT_signature of a declaration */
	struct entry_ref container; /* DW_AT_containing_type */
	struct entry_number byte_size, bit_size;
	struct entry_number
		bit_offset; /* DWARF 2 and 3: from the most significant bit of its storage unit */
	struct entry_number data_bit_offset; /* bits from the start of the aggregate */
	struct entry_number location;        /* DW_AT_data_member_location, bytes */
	struct entry_number lower_bound, upper_bound, count;
	struct entry_number discr_value; /* of a variant */
	const uint8_t *discr_list;       /* DW_AT_discr_list's block; NULL without */
	uint64_t discr_list_length;
	struct entry_ref discr;          /* DW_AT_discr of a variant part */
	uint64_t align_bytes;          /* 0 when not stated */
	uint64_t decl_file, decl_line; /* 0 when not stated */
	uint64_t accessibility;        /* DW_ACCESS_*; 0 when not stated */
	bool has_decl_file;            /* DWARF 5 has a file 0 */
	bool is_declaration, is_external, is_artificial, is_virtual, is_prototyped, is_vector;
};

struct entry_list {
	struct entry *items; /* owned */
	size_t count, capacity;
};

/* Where a unit lies, from its header. */
struct entry_extent {
	uint64_t off; /* of the header */
	uint64_t end; /* of the unit */
	uint64_t root_off; /* of its first entry */
	const struct object *object; /* the file that it lies in */
	uint64_t abbrev_off; /* in .debug_abbrev, as the header has it */
	uint64_t dwo_id; /* DWARF 5, of a split unit; 0 for others */
	uint16_t version;
	uint8_t offset_bytes, address_bytes;
	uint64_t signature; /* type units, 0 for others */
	uint64_t type_off;  /* type units: offset of the type; 0 for others */
};

struct entry_unit {
	struct entry_extent extent;
	const char *name;  /* DW_AT_name, "" without; likewise below */
	const char *producer;
	const char *comp_dir;
	uint16_t language;           /* DW_LANG_*, 0 unknown */
	struct entry_handle *handle; /* owned */
};

/* ---- headers of units (extent.c): no libdwarf needed ---- */

/* The header at `off`. Errors: past the end, an unknown version. */
struct error *entry_extent_read(
	const struct object *object, uint64_t off, struct entry_extent *ret);

/* Where the next unit starts behind one of which the header makes no sense: at the end of its section when not even its length does. */
uint64_t entry_extent_skip(const struct object *object, uint64_t off);

/*
 * The bytes from `off` to the end of its section, *have of them; NULL and 0 past the last one. Offsets of .debug_types
 * count on behind .debug_info.
 */
const uint8_t *entry_bytes(const struct object *object, uint64_t off, uint64_t *have);

/* "damaged debug information at offset ...: WHAT", of the file in which `off` lies. */
struct error *entry_damaged(const struct object *object, uint64_t off, const char *what);

/* ---- units (unit.c) ---- */

/* Before units are opened, while there is one thread. */
void entry_begin(void);

/*
 * Opens the unit with its header at `off`; entry_unit_close() releases. The object must stay open. Errors, here and
 * below: damaged debug information, with the offset in the file's .debug_info and what libdwarf says of it.
 */
struct error *entry_unit_open(const struct object *object, uint64_t off, struct entry_unit *ret);
void entry_unit_close(struct entry_unit *unit);

/* The path of a file in the unit's line table, as lines_path() gives it; NULL when there is none. */
const char *entry_file(struct entry_unit *unit, uint64_t index, struct intern *strings);

/* ---- entries (entry.c) ---- */

/* The entry at `off`, which lies in the unit. */
struct error *entry_read(struct entry_unit *unit, uint64_t off, struct entry *ret);

/* Which children to read: by tag. */
typedef bool entry_filter(uint16_t tag);

/*
 * Appends the children of the entry at `off` that `filter` wants. entry_outline() fills in only off and tag.
 */
struct error *entry_children(
	struct entry_unit *unit, uint64_t off, entry_filter *filter, struct entry_list *list);
struct error *entry_outline(
	struct entry_unit *unit, uint64_t off, entry_filter *filter, struct entry_list *list);
void entry_list_release(struct entry_list *list);

#endif

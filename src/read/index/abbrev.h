/*
 * abbrev: abbreviation tables, compiled once into what walking over DIEs needs.
 *
 * .debug_abbrev -> [abbrev] -> die, index. DWARF 5 section 7.5.3. Each abbreviation becomes the number of
 * bytes to its first attribute of varying size (but for an inline name that stands first), a list of steps
 * over the rest (most have none, so a DIE costs one addition), a second list of steps that reads the
 * attributes of enum die_slot, and the places of the few that are read at once. Tables are reused from unit
 * to unit, so that nothing is allocated once they have grown.
 */
#ifndef READ_ABBREV_H
#define READ_ABBREV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "read/object.h"

/* The attributes that somebody reads. */
enum die_slot {
	SLOT_NONE,
	SLOT_NAME,
	SLOT_TYPE,
	SLOT_SIBLING,
	SLOT_BYTE_SIZE,
	SLOT_DECLARATION,
	SLOT_SPECIFICATION,
	SLOT_ORIGIN,    /* DW_AT_abstract_origin */
	SLOT_SIGNATURE, /* of the type unit that has all of it */
	SLOT_LOCATION, /* DW_AT_data_member_location */
	SLOT_BIT_SIZE,
	SLOT_BIT_OFFSET,
	SLOT_DATA_BIT_OFFSET,
	SLOT_EXTERNAL,
	SLOT_VIRTUALITY,
	SLOT_COUNT, /* DW_AT_count of a subrange */
	SLOT_UPPER_BOUND,
	SLOT_LOWER_BOUND,
	SLOT_CONST_VALUE,
	SLOT_DISCR_VALUE,
	SLOT_PROTOTYPED,
	SLOT_VECTOR,
	SLOT_CONTAINING_TYPE,
	SLOT_LANGUAGE,
	SLOT_STR_OFFSETS_BASE,
	SLOT_DWO_NAME,
	SLOT_PLACE,     /* DW_AT_location of a variable, where the key asks for variables */
	SLOT_ADDR_BASE, /* of a unit, as the next three */
	SLOT_COMP_DIR,
	SLOT_DWO_ID, /* before DWARF 5 */
	SLOT_LINES,  /* DW_AT_stmt_list */
	SLOT_IMPORT, /* of an imported unit */
	SLOT_LIMIT   /* at most 32: abbrev.slots */
};

/* What the scan does with a DIE. */
enum die_kind {
	DIE_PLAIN,   /* nothing; its children, if any, are walked */
	DIE_SUBTREE, /* nothing, and its children are stepped over */
	DIE_SCOPE, /* its children lie in its scope: a function, a namespace, an incomplete class; or a variant part */
	DIE_AGGREGATE, /* struct, union or class, perhaps a definition */
	DIE_TYPEDEF,
};

/* What the fold reads by a few loads: all of its attributes that count stand at known places. */
enum abbrev_shape {
	SHAPE_OTHER,
	SHAPE_MEMBER,    /* name, type, location (or it is 0) */
	SHAPE_AGGREGATE, /* the size, as number_at; nothing says that it goes by something else */
	SHAPE_FUNCTION,  /* a function type: the type that it returns (or void); prototyped when it has the slot */
	SHAPE_ARRAY,     /* the type of its elements */
	SHAPE_PARAMETER, /* the type */
	SHAPE_BOUND,     /* the count or the upper bound (the lower is 0), as number_at; or none */
};

enum {
	ABBREV_NOT_FIXED = 0xff, /* for the places in struct abbrev */
};

struct abbrev {
	uint16_t tag; /* DW_TAG_*; 0 for what does not fit */
	uint8_t kind; /* enum die_kind */
	bool has_children;
	uint16_t
		fixed_bytes; /* to the first attribute of varying size, but an inline name; or to the end */
	uint16_t skip_count; /* steps over the rest */
	uint32_t skip_first; /* index into table->steps */
	uint32_t read_first;
	uint16_t read_count;
	uint16_t read_tail; /* bytes behind the last step that reads */
	uint32_t slots;     /* bit 1 << slot for each attribute that is there */
	bool inline_name; /* begins with a DW_FORM_string name; fixed_bytes and places start behind it */
	uint8_t name_at;     /* place of a 4-byte DW_FORM_strp or of a string's index, or ABBREV_NOT_FIXED */
	uint8_t type_at;     /* of a DW_FORM_ref4; likewise */
	uint8_t sibling_at;  /* of a DW_FORM_ref4; likewise */
	uint8_t number_at;   /* of a constant: location of a member, size of an aggregate, bound; likewise */
	uint8_t number_bytes;
	uint8_t shape; /* enum abbrev_shape */
	uint8_t name_index_bytes; /* at name_at: 1 to 4 of a DW_FORM_strx1 to strx4; 0: it is an offset */
};

/*
 * A step: over `before` bytes of fixed size, then an attribute of this form, which goes to this slot (or
 * SLOT_NONE).
 */
struct abbrev_step {
	uint8_t form; /* DW_FORM_*; the GNU ones as the standard ones that they became */
	uint8_t slot; /* enum die_slot */
	uint16_t before;
	uint32_t constant; /* DW_FORM_implicit_const: index into table->constants */
};

/* A code that does not follow its predecessor. */
struct abbrev_code {
	uint64_t code;
	size_t item; /* index into table->items */
};

/* Sizes on which the meaning of the bytes depends. */
struct abbrev_key {
	const struct object *object; /* the file whose .debug_abbrev it is */
	uint64_t off; /* in .debug_abbrev */
	uint8_t address_bytes;
	uint8_t offset_bytes;   /* 4, or 8 for 64-bit DWARF */
	uint8_t ref_addr_bytes; /* of DW_FORM_ref_addr: an address in DWARF 2, an offset since */
	bool with_variables;    /* somebody reads the attributes of variables too */
};

struct abbrev_table {
	struct abbrev_key key;
	bool ready;           /* was read without an error */
	bool is_searchable;   /* definitions and typedefs have their names themselves, as DW_FORM_strp or DW_FORM_string */
	bool has_signatures;  /* something refers to type units (DW_FORM_ref_sig8) */
	struct abbrev *items; /* owned, as are the arrays below */
	size_t count, capacity;
	size_t dense;              /* items[0..dense) have the codes 1..dense */
	struct abbrev_code *codes; /* of the others, ascending */
	size_t code_count, code_capacity;
	struct abbrev_step *steps;
	size_t step_count, step_capacity;
	int64_t *constants; /* of DW_FORM_implicit_const */
	size_t constant_count, constant_capacity;
};

void abbrev_table_init(struct abbrev_table *table);
void abbrev_table_release(struct abbrev_table *table);

/*
 * Reads the table of `key` into `table`, whose old content goes. Errors: damaged, or a form that nobody
 * knows.
 */
struct error *abbrev_table_read(struct abbrev_table *table, struct abbrev_key key);

bool abbrev_key_equal(struct abbrev_key a, struct abbrev_key b);

/* Among the codes that do not follow each other from 1 on; NULL when there is none. */
const struct abbrev *abbrev_find_sparse(const struct abbrev_table *table, uint64_t code);

/* The abbreviation with this code; NULL when there is none. */
static inline const struct abbrev *abbrev_find(const struct abbrev_table *table, uint64_t code)
{
	if (code - 1 < table->dense)
		return &table->items[code - 1];
	return abbrev_find_sparse(table, code);
}

/*
 * Bytes of an attribute of this form where they do not vary (0 for those that take none), FORM_VARIES, or
 * FORM_UNKNOWN.
 */
enum { FORM_VARIES = 0xfe, FORM_UNKNOWN = 0xff };
uint8_t abbrev_form_bytes(struct abbrev_key key, uint64_t form);

/* The standard form that means the same as a GNU one; others unchanged. */
uint64_t abbrev_standard_form(uint64_t form, uint8_t offset_bytes);

#endif

/*
 * field: where in what we keep of an entry an attribute goes, and what it is there.
 *
 * Private to dwarf. [field] -> attribute (through libdwarf), plain (without). DWARF 5 section 7.5.4, and the attributes of
 * gcc before they were in the standard.
 */
#ifndef READ_DWARF_FIELD_H
#define READ_DWARF_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#include "read/dwarf/entry.h"

enum field_kind {
	FIELD_NONE,       /* nobody reads it */
	FIELD_STRING,     /* const char * */
	FIELD_REF,        /* struct entry_ref */
	FIELD_NUMBER,     /* struct entry_number */
	FIELD_CONSTANT,   /* uint64_t; 0 for what is no constant */
	FIELD_FLAG,       /* bool */
	FIELD_VIRTUALITY, /* bool: a constant other than DW_VIRTUALITY_none, which is 0 */
	FIELD_DISCR_LIST, /* struct entry: discr_list and its length */
	FIELD_LINES,      /* struct field_root: line_off, and that it is there */
};

struct field {
	enum field_kind kind;
	void *at; /* in the entry or the root */
};

/* What a unit says of itself in its first entry. Strings: NULL without; numbers: 0 without. */
struct field_root {
	const char *name, *producer, *comp_dir;
	uint64_t language, dwo_id;
	uint64_t line_off; /* DW_AT_stmt_list, as it stands there */
	bool has_lines;
};

/* Where DW_AT `name` goes; also notes that there is a DW_AT_decl_file. */
struct field field_of(struct entry *entry, uint64_t name);

struct field field_of_root(struct field_root *root, uint64_t name);

#endif

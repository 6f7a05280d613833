/*
 * plain: entries whose attributes are all of forms that take no library to read.
 *
 * Private to dwarf. .debug_info, .debug_abbrev -> [plain] -> entry. DWARF 5 sections 7.5.3 to 7.5.6; DWARF 2 to 4 likewise.
 * What compilers write, this reads in a sixth of libdwarf's time. It judges nothing: of all that is unusual or damaged
 * it says that it has not read it, and then libdwarf is asked, which finds it readable or says what is wrong.
 */
#ifndef READ_DWARF_PLAIN_H
#define READ_DWARF_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "read/dwarf/entry.h"
#include "read/dwarf/field.h"
#include "read/index/abbrev.h"

/* An abbreviation. */
struct plain_abbrev {
	const uint8_t *attributes; /* in .debug_abbrev; they end before the section does */
	uint16_t tag;              /* DW_TAG_* */
	bool has_children;
};

/* A unit. */
struct plain {
	const struct object *object; /* with all companions; not owned */
	struct entry_extent extent;
	struct abbrev_key key;
	const uint8_t *info;        /* where offset 0 would be, of the unit's bytes */
	const uint8_t *end;         /* of the unit */
	uint64_t str_offsets_base;  /* in .debug_str_offsets; libdwarf may find it instead */
	bool swap;                  /* the file's byte order is not ours */
	struct plain_abbrev *items; /* of the codes from 1 on that have been needed; owned */
	size_t count, capacity;
	const uint8_t *
		next; /* of .debug_abbrev: behind those; NULL: no more, or codes that do not count up */
	const uint8_t *limit; /* of .debug_abbrev */
};

/* `part`: what a package says of the unit's sections, or NULL. */
void plain_init(struct plain *plain, const struct object *object, const struct entry_extent *extent,
	const struct object_contribution *part);
void plain_release(struct plain *plain);

/*
 * Also finds where the unit's strings start, by index; so before any other entry. False: not read, and all others will
 * take libdwarf too.
 */
bool plain_read_root(struct plain *plain, struct field_root *ret);

/* The entry at `off`, which lies in the unit. False, here and below: not read, *ret and *list are as good as before. */
bool plain_read(struct plain *plain, uint64_t off, struct entry *ret);

/* Appends the children of the entry at `off`, as entry_children() and, where `outline`, entry_outline(). */
bool plain_children(struct plain *plain, uint64_t off, entry_filter *filter, bool outline,
	struct entry_list *list);

/* The string that goes by that index of the unit (DWARF 5 section 7.26); false when it is not there in full. */
bool plain_string_at(const struct plain *plain, uint64_t index, const char **ret);

#endif

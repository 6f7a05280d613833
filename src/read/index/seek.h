/*
 * seek: where a wanted name may stand among the bytes of a unit, so that most units are not walked.
 *
 * object, pattern -> [seek] -> scan. A name is an offset in .debug_str or stands in the unit itself (DW_FORM_strp,
 * DW_FORM_string: DWARF 5 section 7.5.5); names in other forms do not show, and abbrev_table.is_searchable tells. What is
 * found need not be a name: it is a place that must be walked over; what is not found is nowhere. Sixteen bytes are
 * compared at a time.
 */
#ifndef READ_SEEK_H
#define READ_SEEK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "read/index/pattern.h"
#include "read/object.h"

enum {
	SEEK_MOST = 4,  /* needles; with more, walking over everything is as quick */
	SEEK_BYTES = 4, /* of a needle that are compared first */
};

/* Bytes as they stand in the file. */
struct seek_needle {
	uint8_t start[SEEK_BYTES];
	const char *text; /* NULL, or all of the name: its NUL counts */
	size_t length;    /* of the text with its NUL */
};

struct seek {
	struct seek_needle needles[SEEK_MOST];
	size_t count;
	size_t pair; /* of the bytes of `start`, the first of the two that differ most from place to place */
};

/*
 * False when it is no help: patterns with globs or short names, a name that is in no string section, too many places in
 * .debug_str at which a name can start. The names stay with the patterns.
 */
bool seek_init(struct seek *seek, const struct object *object, const struct patterns *patterns);

/* One more, bare, of which it does not matter whether it is there. False: no room; the seek is no help any more. */
bool seek_add(struct seek *seek, const struct object *object, const char *name);

/* The first needle in [p, end); NULL when there is none. */
const uint8_t *seek_next(const struct seek *seek, const uint8_t *p, const uint8_t *end);

#endif

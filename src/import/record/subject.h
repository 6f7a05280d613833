/*
 * subject: what is counted of one struct, or of all variables that are none, until it becomes an entry of a profile.
 *
 * place -> [subject] -> record. Private to record.c. A row is a field: a member of the layout, or a variable.
 */
#ifndef IMPORT_RECORD_SUBJECT_H
#define IMPORT_RECORD_SUBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "import/record.h"
#include "import/record/place.h"
#include "layout.h"

struct subject_row {
	uint64_t
		end_bytes; /* behind the last byte that was accessed, from the start of the field (no array's) */
	const char *path; /* NULL until it is touched */
	uint64_t *
		counts; /* [role * ACCESS_KIND_COUNT + kind]; NULL until it is touched; saturating */
};

struct subject {
	const char *name;     /* with scope; NULL: the variables */
	struct layout layout; /* of a struct */
	uint32_t pointer_bytes;
	struct subject_row *rows; /* owned by the arena, as all below */
	size_t row_count;
	uint64_t *threads; /* [role]: most on one object; 0: not said */
	bool *is_touched;  /* [role]: has it a count that is worth stating? */
	const struct record_operation *
		*most;  /* [role]: the most frequent of the kept operations; NULL: none */
	bool is_shared; /* some object is touched by several threads */
	uint64_t objects, shared;
	struct buf remarks; /* owned */
	bool has_bits;      /* said already */
	uint64_t gaps_said;
};

/* Of a struct. Errors: layout_build's. */
struct error *subject_init(struct subject *subject, struct arena *arena,
	const struct record *record, const struct record_type *type, uint64_t line_bytes,
	uint32_t pointer_bytes);

/* Of `count` variables, whose rows have no paths yet. */
void subject_init_variables(
	struct subject *subject, struct arena *arena, const struct record *record, size_t count);

void subject_release(struct subject *subject);

/* The rows that an access touches, in `spots`. */
void subject_place(const struct subject *subject, const struct record_access *access,
	struct record_spots *spots);

/* Counts an access to them. */
void subject_count(struct subject *subject, struct arena *arena, const struct record *record,
	const struct record_count *count, const struct record_spots *spots);
void subject_count_row(struct subject *subject, struct arena *arena, const struct record *record,
	size_t row, const struct record_count *count);

/* All is counted: fills is_touched. */
void subject_finish(struct subject *subject, const struct record *record);

/*
 * What becomes of the counts: `roles` maps roles of the recording to those of the document (UINT32_MAX: none). *ret->fields
 * is empty where nothing is left. Errors: more accesses in an operation than a profile may have.
 */
struct error *subject_entry(struct subject *subject, struct arena *arena,
	const struct record *record, const uint32_t *roles, struct profile_struct *ret);

#endif

#include "import/record/subject.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "import/fields.h"
#include "profile/check.h"
#include "profile/field.h"
#include "profile/node.h"

#define LEAST_COUNT 0.0005 /* accesses an operation; what is less is not worth a line */

enum { GAPS_SAID_MAX = 8 };

static void init_roles(struct subject *subject, struct arena *arena, const struct record *record)
{
	subject->threads = arena_new(arena, record->role_count, sizeof(*subject->threads));
	subject->is_touched = arena_new(arena, record->role_count, sizeof(*subject->is_touched));
	subject->most = arena_new(arena, record->role_count, sizeof(*subject->most));
	buf_init(&subject->remarks);
}

struct error *subject_init(struct subject *subject, struct arena *arena,
	const struct record *record, const struct record_type *type, uint64_t line_bytes,
	uint32_t pointer_bytes)
{
	*subject = (struct subject){.name = type->name, .pointer_bytes = pointer_bytes};
	struct error *error = layout_build(
		arena, type->types, type->type, type->name, line_bytes, &subject->layout);
	if (error)
		return error;
	subject->row_count = subject->layout.member_count;
	subject->rows = arena_new(arena, subject->row_count, sizeof(*subject->rows));
	init_roles(subject, arena, record);
	return NULL;
}

void subject_init_variables(
	struct subject *subject, struct arena *arena, const struct record *record, size_t count)
{
	*subject = (struct subject){.row_count = count};
	subject->rows = arena_new(arena, count, sizeof(*subject->rows));
	init_roles(subject, arena, record);
}

void subject_release(struct subject *subject)
{
	buf_release(&subject->remarks);
}

/* ---- counting ---- */

void subject_place(const struct subject *subject, const struct record_access *access,
	struct record_spots *spots)
{
	record_place(&subject->layout, subject->pointer_bytes, access->off_bytes,
		access->size_bytes, spots);
}

static const char *path_of(const struct subject *subject, struct arena *arena, size_t row)
{
	struct buf path;
	buf_init(&path);
	fields_path(&subject->layout, &subject->layout.members[row], &path);
	const char *text = arena_strdup(arena, path.data);
	buf_release(&path);
	return text;
}

void subject_count_row(struct subject *subject, struct arena *arena, const struct record *record,
	size_t row, const struct record_count *count)
{
	struct subject_row *target = &subject->rows[row];
	if (!target->counts)
		target->counts = arena_new(
			arena, record->role_count * ACCESS_KIND_COUNT, sizeof(*target->counts));
	if (!target->path)
		target->path = path_of(subject, arena, row);
	uint64_t *to = &target->counts[count->role * ACCESS_KIND_COUNT + count->access.kind];
	if (__builtin_add_overflow(*to, count->count, to))
		*to = UINT64_MAX;
}

static void say_gap(struct subject *subject, const struct record *record,
	const struct record_count *count, const struct record_spots *spots)
{
	if (!count->count || subject->gaps_said++ >= GAPS_SAID_MAX)
		return;
	buf_printf(&subject->remarks,
		"left out: %" PRIu64 " access%s (%s) by %s to a hole or padding of %" PRIu64
		" byte%s at %" PRIu64 "\n",
		count->count, count->count == 1 ? "" : "es", access_kind_name(count->access.kind), record->roles[count->role].name,
		spots->gap_bytes, spots->gap_bytes == 1 ? "" : "s", spots->gap_off_bytes);
}

void subject_count(struct subject *subject, struct arena *arena, const struct record *record,
	const struct record_count *count, const struct record_spots *spots)
{
	uint64_t end = count->access.off_bytes + count->access.size_bytes;
	for (size_t i = 0; i < spots->count; i++) {
		struct subject_row *row = &subject->rows[spots->members[i]];
		uint64_t begin = layout_first_byte(&subject->layout.members[spots->members[i]]);
		subject_count_row(subject, arena, record, spots->members[i], count);
		if (end > begin && end - begin > row->end_bytes)
			row->end_bytes = end - begin;
	}
	if (spots->gap_bytes)
		say_gap(subject, record, count, spots);
	if (spots->has_bits && !subject->has_bits) {
		subject->has_bits = true;
		buf_puts(&subject->remarks,
			"bit-fields that share bytes: what is read or written together is counted "
			"for the first of them\n");
	}
}

/* ---- the entry ---- */

/* Accesses per operation, to three digits; 0 where they are not worth stating. */
static double rate_of(
	const struct subject_row *row, const struct record *record, size_t role, size_t kind)
{
	char text[32];
	uint64_t operations = record->roles[role].operations;
	if (!row->counts || !operations)
		return 0;
	double rate = (double)row->counts[role * ACCESS_KIND_COUNT + kind] / (double)operations;
	if (rate < LEAST_COUNT)
		return 0;
	snprintf(text, sizeof(text), "%.3g", rate);
	return strtod(text, NULL);
}

void subject_finish(struct subject *subject, const struct record *record)
{
	for (size_t row = 0; row < subject->row_count; row++)
		for (size_t role = 0; subject->rows[row].counts && role < record->role_count;
			role++)
			for (size_t kind = 0; kind < ACCESS_KIND_COUNT; kind++)
				subject->is_touched[role] |=
					rate_of(&subject->rows[row], record, role, kind) > 0;
}

static struct error *check_rate(
	const struct record *record, const struct subject_row *row, size_t role, double rate)
{
	if (rate <= PROFILE_COUNT_MAX)
		return NULL;
	return error_new("%s: %.3g accesses to '%s' in an operation of '%s', more than the %d of a "
			 "profile; call LINELINT_OP() for shorter ones, and record again",
		record->path, rate, row->path, record->roles[role].name, PROFILE_COUNT_MAX);
}

/*
 * How much of a field was accessed, from its start: of a lock only the word for which threads compete, of long sets and
 * arrays often only the first. 0: all of it, or a scalar, of which nobody needs to know.
 */
static uint64_t bytes_of(const struct subject *subject, size_t row)
{
	if (!subject->name)
		return 0;
	const struct layout_member *member = &subject->layout.members[row];
	uint64_t bytes = subject->rows[row].end_bytes;
	bool is_long = member->is_array || member->descendants ||
		       fields_is_lock(&subject->layout, member);
	return is_long && bytes < member->size_bytes ? bytes : 0;
}

/* The accesses of one field; `small` counts what is left out. */
static struct error *make_field(const struct subject *subject, struct arena *arena,
	const struct record *record, const uint32_t *roles, size_t index, size_t *small,
	struct profile_field *ret)
{
	const struct subject_row *row = &subject->rows[index];
	struct profile_access *accesses = arena_new(arena, record->role_count, sizeof(*accesses));
	size_t count = 0;
	for (size_t role = 0; role < record->role_count; role++) {
		bool any = false;
		if (roles[role] == UINT32_MAX)
			continue;
		for (size_t kind = 0; kind < ACCESS_KIND_COUNT; kind++) {
			double rate = rate_of(row, record, role, kind);
			struct error *error = check_rate(record, row, role, rate);
			if (error)
				return error;
			accesses[count].counts[kind] = rate;
			any |= rate > 0;
			*small += rate <= 0 && row->counts[role * ACCESS_KIND_COUNT + kind];
		}
		accesses[count].role = roles[role];
		if (any)
			count++;
		else
			memset(&accesses[count], 0, sizeof(*accesses));
	}
	*ret = (struct profile_field){
		.path = row->path,
		.accesses = accesses,
		.access_count = count,
		.bytes = bytes_of(subject, index),
	};
	return NULL;
}

static bool is_nameable(const char *path)
{
	struct buf visible;
	buf_init(&visible);
	buf_put_visible(&visible, path);
	bool good = strcmp(visible.data, path) == 0 && profile_is_path(path);
	buf_release(&visible);
	return good;
}

/* `indices`: of the rows that became fields. */
static struct error *make_fields(struct subject *subject, struct arena *arena,
	const struct record *record, const uint32_t *roles, struct profile_struct *entry,
	uint32_t *fields_of)
{
	size_t small = 0, capacity = 0;
	struct profile_field *fields = NULL;
	struct error *error = NULL;
	for (size_t i = 0; i < subject->row_count && !error; i++) {
		struct profile_field field;
		fields_of[i] = UINT32_MAX;
		if (!subject->rows[i].counts)
			continue;
		if (!is_nameable(subject->rows[i].path)) {
			buf_printf(&subject->remarks, "left out: '%s', which no profile can name\n",
				subject->rows[i].path);
			continue;
		}
		error = make_field(subject, arena, record, roles, i, &small, &field);
		if (error || !field.access_count)
			continue;
		fields = mem_grow(fields, &capacity, entry->field_count + 1, sizeof(*fields));
		fields_of[i] = (uint32_t)entry->field_count;
		fields[entry->field_count++] = field;
	}
	entry->fields = arena_copy(arena, fields, entry->field_count, sizeof(*fields));
	mem_free(fields);
	if (small)
		buf_printf(&subject->remarks,
			"left out: %zu count%s of less than %g accesses an operation\n", small,
			small == 1 ? "" : "s", LEAST_COUNT);
	return error;
}

/* Fields as their accesses follow each other in an operation; what is no field of the entry is left out. */
struct mentions {
	uint32_t *items; /* indices of fields; owned */
	size_t count, capacity;
};

static void mention(struct mentions *mentions, uint32_t field)
{
	mentions->items = mem_grow(mentions->items, &mentions->capacity, mentions->count + 1,
		sizeof(*mentions->items));
	mentions->items[mentions->count++] = field;
}

static void mention_steps(const struct subject *subject, const struct record_operation *operation,
	const uint32_t *fields_of, struct mentions *mentions)
{
	struct record_spots spots = {.members = NULL};
	for (size_t i = 0; i < operation->step_count; i++) {
		subject_place(subject, &operation->steps[i], &spots);
		for (size_t k = 0; k < spots.count; k++)
			if (fields_of[spots.members[k]] != UINT32_MAX)
				mention(mentions, fields_of[spots.members[k]]);
	}
	record_spots_release(&spots);
}

/*
 * A profile wants a mention for each access that the counts make of it, which are averages over other operations too: what
 * this one has too often goes at its end, what it has too seldom stands beside its last mention.
 */
static void reconcile(const struct profile_struct *entry, uint32_t role,
	const struct mentions *from, struct mentions *to)
{
	size_t *seen = mem_new(entry->field_count, sizeof(*seen));
	size_t *times = mem_new(entry->field_count, sizeof(*times));
	for (size_t i = 0; i < from->count; i++)
		times[from->items[i]]++;
	for (size_t i = 0; i < from->count; i++) {
		uint32_t field = from->items[i];
		size_t steps = profile_steps(&entry->fields[field], role);
		if (seen[field]++ >= steps)
			continue;
		mention(to, field);
		for (size_t more = times[field]; seen[field] == times[field] && more < steps &&
						 to->count <= PROFILE_LIST_MAX;
			more++)
			mention(to, field);
	}
	mem_free(seen);
	mem_free(times);
}

static void add_sequence(struct subject *subject, struct arena *arena, const struct record *record,
	size_t role, uint32_t profile_role, const uint32_t *fields_of, struct profile_struct *entry,
	struct profile_sequence *sequences)
{
	const struct record_operation *operation = subject->most[role];
	uint64_t operations = record->roles[role].operations;
	struct mentions made = {.items = NULL}, stated = {.items = NULL};
	/* most of them, or it is no order that can be relied on */
	if (!operation || operation->count < operations - operation->count)
		return;
	mention_steps(subject, operation, fields_of, &made);
	reconcile(entry, profile_role, &made, &stated);
	if (stated.count > 1 && stated.count <= PROFILE_LIST_MAX) {
		const char **fields = arena_new(arena, stated.count, sizeof(*fields));
		for (size_t i = 0; i < stated.count; i++)
			fields[i] = entry->fields[stated.items[i]].path;
		sequences[entry->sequence_count++] = (struct profile_sequence){
			.role = profile_role, .fields = fields, .field_count = stated.count};
		buf_printf(&subject->remarks, "sequence of %s: of %.3g %% of its operations\n",
			record->roles[role].name,
			100 * (double)operation->count / (double)operations);
	}
	mem_free(made.items);
	mem_free(stated.items);
}

static void add_sequences(struct subject *subject, struct arena *arena, const struct record *record,
	const uint32_t *roles, const uint32_t *fields_of, struct profile_struct *entry)
{
	struct profile_sequence *sequences =
		arena_new(arena, record->role_count, sizeof(*sequences));
	entry->sequences = sequences;
	for (size_t role = 0; role < record->role_count; role++)
		if (roles[role] != UINT32_MAX)
			add_sequence(subject, arena, record, role, roles[role], fields_of, entry,
				sequences);
}

/* What the C library does to a lock is recorded where the linker leads its calls through the recorder. */
static void say_locks(struct subject *subject)
{
	const struct layout *layout = &subject->layout;
	struct buf path;
	buf_init(&path);
	for (size_t i = 0; i < layout->member_count; i++) {
		const struct layout_member *member = &layout->members[i];
		if (!fields_is_leaf(layout, member, subject->pointer_bytes))
			continue;
		if (fields_is_lock(layout, member) && !subject->rows[i].counts) {
			fields_path(layout, member, &path);
			buf_printf(&subject->remarks,
				"nothing was recorded of the lock '%s': link with what 'pkg-config "
				"--libs "
				"linelint-record' says, or state what an operation does to it\n",
				path.data);
		}
		i += member->descendants;
	}
	buf_release(&path);
}

static void say_objects(struct subject *subject)
{
	struct buf *out = &subject->remarks;
	if (subject->objects == 1)
		buf_printf(out, "1 object, touched by %s thread\n",
			subject->shared ? "more than one" : "one");
	else if (subject->objects)
		buf_printf(out,
			"%" PRIu64 " objects, %" PRIu64
			" of them touched by more than one thread\n",
			subject->objects, subject->shared);
}

struct error *subject_entry(struct subject *subject, struct arena *arena,
	const struct record *record, const uint32_t *roles, struct profile_struct *ret)
{
	struct profile_struct entry = {
		.name = subject->name ? subject->name : "vars",
		.evidence = EVIDENCE_MEASURED,
		.instance = subject->is_shared || !subject->name ? INSTANCE_SHARED
								 : INSTANCE_PER_THREAD,
	};
	uint32_t *fields_of = mem_new(subject->row_count, sizeof(*fields_of));
	say_objects(subject);
	struct error *error = make_fields(subject, arena, record, roles, &entry, fields_of);
	if (!error && subject->name && entry.field_count) {
		add_sequences(subject, arena, record, roles, fields_of, &entry);
		say_locks(subject);
	}
	if (subject->gaps_said > GAPS_SAID_MAX)
		buf_printf(&subject->remarks,
			"left out: %" PRIu64 " more kind%s of accesses to holes or padding\n",
			subject->gaps_said - GAPS_SAID_MAX,
			number_s(subject->gaps_said - GAPS_SAID_MAX));
	mem_free(fields_of);
	if (error)
		return error;
	entry.remarks = arena_strdup(arena, subject->remarks.data);
	*ret = entry;
	return NULL;
}

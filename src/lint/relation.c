#include <math.h>
#include <string.h>

#include "lint/rules.h"

/* Fewer writes than this, of the reads that a role does, do not make it a writer of the field. */
#define MOSTLY_READ 0.1

const char *lint_field_name(const struct lint *lint, size_t field)
{
	return lint->map->fields[field].member->path;
}

double lint_writes(const struct lint *lint, size_t field, size_t role)
{
	const double *counts = lint->map->fields[field].counts[role];
	return counts[ACCESS_WRITE] + counts[ACCESS_RMW];
}

double lint_reads(const struct lint *lint, size_t field, size_t role)
{
	const double *counts = lint->map->fields[field].counts[role];
	return counts[ACCESS_READ] + counts[ACCESS_UNKNOWN];
}

bool lint_is_written(const struct lint *lint, size_t field)
{
	for (size_t i = 0; i < lint->map->role_count; i++)
		if (lint_writes(lint, field, i) > 0)
			return true;
	return false;
}

static bool takes_part(const struct lint *lint, size_t workload, size_t role)
{
	const struct cost_workload *roles = &lint->map->model.workloads[workload];
	for (size_t i = 0; i < roles->role_count; i++)
		if (roles->roles[i] == role)
			return true;
	return false;
}

double lint_role_share(const struct lint *lint, size_t workload, size_t role)
{
	const struct cost_model *model = &lint->map->model;
	double all = 0;
	if (!takes_part(lint, workload, role))
		return 0;
	for (size_t i = 0; i < model->role_count; i++)
		all += takes_part(lint, workload, i)
			       ? model->roles[i].rate * model->roles[i].threads
			       : 0;
	return model->roles[role].rate * model->roles[role].threads / all;
}

double lint_writers(const struct lint *lint, size_t workload, size_t field, bool *roles)
{
	double share = 0;
	for (size_t i = 0; i < lint->map->role_count; i++) {
		roles[i] = takes_part(lint, workload, i) && lint_writes(lint, field, i) > 0;
		if (roles[i])
			share += lint_role_share(lint, workload, i) *
				 fmin(1, lint_writes(lint, field, i));
	}
	return share;
}

/* Can a thread of one role run while a thread of the other does? */
static bool meet(const struct lint *lint, size_t workload, size_t a, size_t b)
{
	return takes_part(lint, workload, a) && takes_part(lint, workload, b) &&
	       (a != b || lint->map->model.roles[a].threads > 1);
}

/* ---- locks ---- */

static bool lies_inside(const struct lint *lint, const struct layout_member *outer,
	const struct layout_member *member)
{
	size_t from = (size_t)(outer - lint->layout->members);
	size_t at = (size_t)(member - lint->layout->members);
	return at >= from && at <= from + outer->descendants;
}

static bool covers(const struct lint *lint, const struct access_lock *lock, size_t field)
{
	const struct layout_member *member = lint->map->fields[field].member;
	if (lies_inside(lint, lock->member, member))
		return true;
	for (size_t i = 0; i < lock->protect_count; i++)
		if (lies_inside(lint, lock->protects[i], member))
			return true;
	return false;
}

static bool is_part(const struct lint *lint, const struct access_lock *lock, size_t field)
{
	return lies_inside(lint, lock->member, lint->map->fields[field].member);
}

/*
 * Waiting threads poll a contended lock: what lies beside it is disturbed although it is
 * protected. The lock's own parts belong together.
 */
static bool ordered(const struct lint *lint, size_t a, size_t role_a, size_t b, size_t role_b)
{
	for (size_t i = 0; i < lint->map->lock_count; i++) {
		const struct access_lock *lock = &lint->map->locks[i];
		bool beside = is_part(lint, lock, a) != is_part(lint, lock, b);
		if (covers(lint, lock, a) && covers(lint, lock, b) &&
			!(beside && lock->contended > 0) &&
			lint_writes(lint, lock->field, role_a) > 0 &&
			lint_writes(lint, lock->field, role_b) > 0)
			return true;
	}
	return false;
}

/* Bytes of a field; of an array's those in element 0. */
static bool bytes_overlap(const struct cost_field *a, const struct cost_field *b)
{
	bool one_array = a->place != COST_BYTES && b->place != COST_BYTES &&
			 a->element_bytes == b->element_bytes;
	uint64_t bytes_a = one_array && a->part_bytes ? a->part_bytes : a->size_bytes;
	uint64_t bytes_b = one_array && b->part_bytes ? b->part_bytes : b->size_bytes;
	return a->off_bytes < b->off_bytes + bytes_b && b->off_bytes < a->off_bytes + bytes_a;
}

/* Alternatives of a union, or one inside the other: that is true sharing. */
static bool overlap(const struct lint *lint, size_t a, size_t b)
{
	const struct layout_member *first = lint->map->fields[a].member,
				   *second = lint->map->fields[b].member;
	if (first->bit_size && second->bit_size)
		return first->off_bits < second->off_bits + second->bit_size &&
		       second->off_bits < first->off_bits + first->bit_size;
	return bytes_overlap(&lint->one.fields[a], &lint->one.fields[b]);
}

static bool mostly_reads(const struct lint *lint, size_t field, size_t role)
{
	double reads = lint_reads(lint, field, role);
	return reads > 0 && lint_writes(lint, field, role) < MOSTLY_READ * reads;
}

/* By all roles together: what is hardly ever written disturbs nobody, it is what gets disturbed. */
static bool is_mostly_read(const struct lint *lint, size_t workload, size_t field)
{
	double reads = 0, writes = 0;
	for (size_t i = 0; i < lint->map->role_count; i++) {
		double share = lint_role_share(lint, workload, i);
		reads += share * lint_reads(lint, field, i);
		writes += share * lint_writes(lint, field, i);
	}
	return writes < MOSTLY_READ * reads;
}

static bool role_relates(const struct lint *lint, enum lint_relation relation, size_t written,
	size_t writer, size_t other, size_t role)
{
	if (ordered(lint, written, writer, other, role))
		return false;
	if (relation == LINT_READ)
		return mostly_reads(lint, other, role);
	if (writer == role || !(lint_writes(lint, other, role) > 0) ||
		mostly_reads(lint, other, role))
		return false;
	/* where both write both, apart is worse */
	return !(lint_writes(lint, other, writer) > 0 && lint_writes(lint, written, role) > 0);
}

bool lint_relates(const struct lint *lint, enum lint_relation relation, size_t workload,
	size_t written, size_t other, bool *roles)
{
	bool any = false;
	if (written == other || overlap(lint, written, other))
		return false;
	if (relation == LINT_WRITTEN &&
		(is_mostly_read(lint, workload, written) || is_mostly_read(lint, workload, other)))
		return false;
	for (size_t writer = 0; writer < lint->map->role_count; writer++) {
		if (!(lint_writes(lint, written, writer) > 0))
			continue;
		for (size_t role = 0; role < lint->map->role_count; role++) {
			if (meet(lint, workload, writer, role) &&
				role_relates(lint, relation, written, writer, other, role))
				any = roles[role] = true;
		}
	}
	return any;
}

bool lint_is_polled(const struct lint *lint, size_t field)
{
	for (size_t i = 0; i < lint->map->lock_count; i++)
		if (lint->map->locks[i].contended > 0 && is_part(lint, &lint->map->locks[i], field))
			return true;
	return false;
}

bool lint_written_together(const struct lint *lint, size_t workload, size_t a, size_t b)
{
	for (size_t i = 0; i < lint->map->role_count; i++)
		if (takes_part(lint, workload, i) && lint_writes(lint, a, i) > 0 &&
			lint_writes(lint, b, i) > 0)
			return true;
	return false;
}

const struct layout_member *lint_array_of(const struct lint *lint, size_t field)
{
	const struct layout_member *member = lint->map->fields[field].member, *array = NULL;
	for (;;) {
		array = member->is_array ? member : array;
		if (member->parent == LAYOUT_NO_PARENT)
			return array;
		member = &lint->layout->members[member->parent];
	}
}

const struct layout_member *lint_top_of(const struct lint *lint, size_t field)
{
	const struct layout_member *member = lint->map->fields[field].member;
	while (member->parent != LAYOUT_NO_PARENT)
		member = &lint->layout->members[member->parent];
	return member;
}

struct lint_span lint_span(const struct cost_model *model, size_t field, uint64_t start)
{
	const struct cost_field *place = &model->fields[field];
	uint64_t first = start + place->off_bytes;
	uint64_t last = first + place->size_bytes - 1;
	return (struct lint_span){first / model->line_bytes, last / model->line_bytes};
}

bool lint_spans_meet(struct lint_span a, struct lint_span b)
{
	return a.first <= b.last && b.first <= a.last;
}

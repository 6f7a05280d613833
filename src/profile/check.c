#include "profile/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/nearest.h"
#include "profile/node.h"

size_t profile_steps(const struct profile_field *field, uint32_t role)
{
	double counts[ACCESS_KIND_COUNT] = {0};
	size_t steps = 0;
	for (size_t i = 0; i < field->access_count; i++) {
		const struct profile_access *access = &field->accesses[i];
		if (access->role != role && access->role != PROFILE_ALL_ROLES)
			continue;
		for (size_t kind = 0; kind < ACCESS_KIND_COUNT; kind++)
			counts[kind] += access->counts[kind];
	}
	for (size_t kind = 0; kind < ACCESS_KIND_COUNT; kind++)
		steps += (size_t)ceil(counts[kind] - 1e-9); /* as access counts them */
	return steps;
}

/* Fields, by path */

static int by_path(const void *a, const void *b)
{
	const struct profile_field *const *x = a, *const *y = b;
	int order = profile_compare_paths((*x)->path, (*y)->path);
	if (order)
		return order;
	return *x < *y ? -1 : *x > *y; /* of one array: in profile order */
}

/* The fields sorted by path, on the heap. */
static const struct profile_field **sort_fields(const struct profile_struct *entry)
{
	const struct profile_field **sorted = mem_new(entry->field_count, sizeof(*sorted));
	for (size_t i = 0; i < entry->field_count; i++)
		sorted[i] = &entry->fields[i];
	qsort(sorted, entry->field_count, sizeof(*sorted), by_path);
	return sorted;
}

static const struct profile_field *find_field(
	const struct profile_field *const *sorted, size_t count, const char *path)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = profile_compare_paths(sorted[middle]->path, path);
		if (order == 0)
			return sorted[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* "; state its accesses there", or "; did you mean ...?" */
static const char *nearest_field(const struct profile_field *const *sorted, size_t count,
	const char *path, char *text, size_t size)
{
	struct nearest nearest;
	nearest_init(&nearest, path);
	for (size_t i = 0; i < count; i++)
		nearest_offer(&nearest, sorted[i]->path);
	return nearest.count ? nearest_text(&nearest, text, size) : "; state its accesses there";
}

static struct error *check_distinct(const char *path, const struct profile_struct *entry,
	const struct profile_field *const *sorted)
{
	for (size_t i = 1; i < entry->field_count; i++)
		if (profile_same_path(sorted[i - 1]->path, sorted[i]->path))
			return profile_fault(path, sorted[i]->position,
				"'%s' is '%s' of line %u again; keep one", sorted[i]->path,
				sorted[i - 1]->path, sorted[i - 1]->position.line);
	return NULL;
}

/* Fields inside others */

static bool is_conditional(const struct profile_field *field, const struct profile_access *access)
{
	return field->if_field || field->unless_field || access->if_field || access->unless_field;
}

static bool any_access(const struct profile_access *access)
{
	for (size_t kind = 0; kind < ACCESS_KIND_COUNT; kind++)
		if (access->counts[kind] > 0)
			return true;
	return false;
}

/* Does one role access both, whatever the binary has? The role of the narrower of the two statements. */
static bool both_accessed(
	const struct profile_field *outer, const struct profile_field *inner, uint32_t *role)
{
	for (size_t i = 0; i < outer->access_count; i++)
		for (size_t k = 0; k < inner->access_count; k++) {
			const struct profile_access *a = &outer->accesses[i];
			const struct profile_access *b = &inner->accesses[k];
			bool meet = a->role == b->role || a->role == PROFILE_ALL_ROLES ||
				    b->role == PROFILE_ALL_ROLES;
			if (!meet || !any_access(a) || !any_access(b) || is_conditional(outer, a) ||
				is_conditional(inner, b))
				continue;
			*role = a->role == PROFILE_ALL_ROLES ? b->role : a->role;
			return true;
		}
	return false;
}

/* An access to an aggregate is one to all of it: one to a member besides would count twice. */
static struct error *check_inside(const char *path, const struct profile_struct *entry,
	const struct profile_field *inner, const struct profile_field *const *sorted)
{
	enum { LEVELS_MAX = 64 }; /* no binary has a member so deep inside others */
	size_t length = strlen(inner->path);
	char *prefix = mem_new(length + 1, 1);
	struct error *error = NULL;
	memcpy(prefix, inner->path, length);
	for (int level = 0; level < LEVELS_MAX && !error; level++) {
		uint32_t role;
		char *dot = strrchr(prefix, '.');
		if (!dot)
			break;
		*dot = '\0';
		if (dot[1] >= '0' && dot[1] <= '9')
			continue; /* no member: compilers number the statics of functions so, k.0 and k.1 */
		const struct profile_field *outer = find_field(sorted, entry->field_count, prefix);
		if (!outer || !both_accessed(outer, inner, &role))
			continue;
		error = profile_fault(path, inner->position,
			"'%s' lies in '%s' of line %u, and %s%s%s both, which would count "
			"twice; keep one, or state the accesses by members",
			inner->path, outer->path, outer->position.line,
			role == PROFILE_ALL_ROLES ? "every role accesses" : "'",
			role == PROFILE_ALL_ROLES ? "" : entry->document->roles[role].name,
			role == PROFILE_ALL_ROLES ? "" : "' accesses");
	}
	mem_free(prefix);
	return error;
}

/* Conditions */

static struct error *check_condition(const char *path, const char *field, const char *if_field,
	const char *unless_field, struct profile_position position)
{
	if (if_field && unless_field && strcmp(if_field, unless_field) == 0)
		return profile_fault(path, position,
			"'%s' counts if and unless '%s' exists, so never; expected one of the two",
			field, if_field);
	if (unless_field && profile_same_path(field, unless_field))
		return profile_fault(path, position,
			"'%s' counts unless it exists, so never; name another field", field);
	if (if_field && profile_same_path(field, if_field))
		return profile_fault(path, position,
			"'%s' counts if it exists; say that with 'optional: true'", field);
	return NULL;
}

static struct error *check_conditions(const char *path, const struct profile_field *field)
{
	struct error *error = check_condition(
		path, field->path, field->if_field, field->unless_field, field->position);
	if (error)
		return error;
	if (field->optional && (field->if_field || field->unless_field))
		return profile_fault(path, field->position,
			"'%s' is optional and has '%s' too; keep one: where the condition holds "
			"the field must be there",
			field->path, field->if_field ? "if" : "unless");
	for (size_t i = 0; i < field->access_count && !error; i++)
		error = check_condition(path, field->path, field->accesses[i].if_field,
			field->accesses[i].unless_field, field->accesses[i].position);
	return error;
}

static size_t steps_of(const struct profile_struct *entry, uint32_t role)
{
	size_t steps = 0;
	for (size_t i = 0; i < entry->field_count; i++)
		steps += profile_steps(&entry->fields[i], role);
	return steps;
}

/* In how many workloads is the role? The one that holds when none is stated comes later. */
static size_t workloads_with(const struct profile *document, uint32_t role)
{
	size_t count = document->workload_count == 0;
	for (size_t i = 0; i < document->workload_count; i++)
		for (size_t k = 0; k < document->workloads[i].role_count; k++)
			count += document->workloads[i].roles[k] == role;
	return count;
}

static struct error *check_steps(const char *path, const struct profile_struct *entry)
{
	size_t all = 0;
	for (uint32_t role = 0; role < entry->document->role_count; role++) {
		size_t steps = steps_of(entry, role);
		if (steps > PROFILE_STEPS_MAX)
			return profile_fault(path, entry->position,
				"%zu accesses by an operation of '%s' to '%s'; expected at most %d",
				steps, entry->document->roles[role].name, entry->name,
				PROFILE_STEPS_MAX);
		all += steps * workloads_with(entry->document, role);
	}
	if (all > PROFILE_ALL_STEPS_MAX)
		return profile_fault(path, entry->position,
			"%zu accesses to '%s' by one operation of each role in each workload; "
			"expected at most %d",
			all, entry->name, PROFILE_ALL_STEPS_MAX);
	return NULL;
}

/* Sequences */

static struct error *check_mentions(const char *path, const struct profile_struct *entry,
	const struct profile_sequence *sequence, const struct profile_field *const *sorted)
{
	const char *role = entry->document->roles[sequence->role].name;
	size_t *mentions = mem_new(entry->field_count, sizeof(*mentions));
	struct error *error = NULL;
	char text[256];
	for (size_t i = 0; i < sequence->field_count && !error; i++) {
		const char *name = sequence->fields[i];
		const struct profile_field *field = find_field(sorted, entry->field_count, name);
		if (!field)
			error = profile_fault(path, sequence->position,
				"the sequence of '%s' names '%s', which is not under 'fields'%s",
				role, name,
				nearest_field(
					sorted, entry->field_count, name, text, sizeof(text)));
		else if (!profile_steps(field, sequence->role))
			error = profile_fault(path, sequence->position,
				"the sequence of '%s' names '%s', which '%s' does not access; "
				"state how it does",
				role, name, role);
		else
			mentions[field - entry->fields]++;
	}
	for (size_t i = 0; i < entry->field_count && !error; i++) {
		size_t steps = profile_steps(&entry->fields[i], sequence->role);
		if (mentions[i] && mentions[i] != steps)
			error = profile_fault(path, sequence->position,
				"the sequence of '%s' names '%s' %zu time%s, its counts make %zu "
				"access%s an operation; expected one mention an access",
				role, entry->fields[i].path, mentions[i],
				mentions[i] == 1 ? "" : "s", steps, steps == 1 ? "" : "es");
	}
	mem_free(mentions);
	return error;
}

static struct error *check_fields(const char *path, const struct profile_struct *entry)
{
	const struct profile_field **sorted = sort_fields(entry);
	struct error *error = check_distinct(path, entry, sorted);
	for (size_t i = 0; i < entry->field_count && !error; i++)
		error = check_conditions(path, &entry->fields[i]);
	for (size_t i = 0; i < entry->field_count && !error; i++)
		error = check_inside(path, entry, &entry->fields[i], sorted);
	if (!error)
		error = check_steps(path, entry);
	for (size_t i = 0; i < entry->sequence_count && !error; i++)
		error = check_mentions(path, entry, &entry->sequences[i], sorted);
	mem_free(sorted);
	return error;
}

/* Placement */

static struct error *check_placement(const char *path, const struct profile_struct *entry)
{
	if (entry->slab_classes && entry->allocator == ALLOCATOR_SLAB)
		return profile_fault(path, entry->position,
			"'%s' has its own slab and 'slab_classes' too; classes are kmalloc's, keep "
			"one",
			entry->name);
	if (entry->slab_classes && entry->allocator == ALLOCATOR_NONE)
		return profile_fault(path, entry->position,
			"'%s' has no allocator but 'slab_classes'; keep one", entry->name);
	if (entry->instance != INSTANCE_ARRAY && !entry->container && entry->alignment_bytes &&
		entry->stride_bytes % entry->alignment_bytes)
		return profile_fault(path, entry->position,
			"'%s' cannot be aligned to %llu with a stride of %llu; expected a "
			"multiple, or 'instance: array'",
			entry->name, (unsigned long long)entry->alignment_bytes,
			(unsigned long long)entry->stride_bytes);
	return NULL;
}

static struct error *check_locks(const char *path, const struct profile_struct *entry)
{
	for (size_t i = 0; i < entry->lock_count; i++) {
		const struct profile_lock *lock = &entry->locks[i];
		for (size_t j = 0; j < lock->protect_count; j++)
			if (profile_same_path(lock->path, lock->protects[j]))
				return profile_fault(path, lock->position,
					"lock '%s' protects itself; expected the fields that it "
					"orders",
					lock->path);
	}
	return NULL;
}

struct error *profile_check(const char *path, const struct profile_struct *entry)
{
	struct error *error = check_fields(path, entry);
	if (!error)
		error = check_placement(path, entry);
	if (!error)
		error = check_locks(path, entry);
	return error;
}

#include "profile/merge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile/struct.h"

struct merge_entry {
	const struct profile_struct *entry;
	const uint32_t *map; /* its document's: role -> merged role */
	size_t place;        /* among all entries */
};

/* Documents that share their roles. */
struct merge_group {
	const struct profile *document; /* the first of them */
	const uint32_t *map;
};

struct merge {
	struct arena *arena;
	struct profile *profile; /* being built */
	struct profile_role *roles;
	size_t role_count, role_capacity;
	struct profile_workload *workloads;
	size_t workload_count, workload_capacity;
	struct merge_entry *entries;
	size_t entry_count, entry_capacity;
	struct merge_group *groups;
	size_t group_count, group_capacity;
};

/* ---- the document ---- */

static struct error *check_lines(
	const struct profile *const *documents, size_t count, uint64_t *ret)
{
	const struct profile *stated = NULL;
	for (size_t i = 0; i < count; i++) {
		const struct profile *document = documents[i];
		if (!document->line_bytes)
			continue;
		if (stated && stated->line_bytes != document->line_bytes)
			return error_new("%s: line_size %" PRIu64 ", but %" PRIu64
					 " in %s; state the same in both",
				document->path, document->line_bytes, stated->line_bytes,
				stated->path);
		stated = document;
	}
	*ret = stated ? stated->line_bytes : 0;
	return NULL;
}

static struct error *check_prices(const struct profile *const *documents, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (documents[i]->line_price != documents[0]->line_price)
			return error_new("%s: line_price %g, but %g in %s; state the same in both",
				documents[i]->path, documents[i]->line_price,
				documents[0]->line_price, documents[0]->path);
	return NULL;
}

/* ---- roles ---- */

/* NAME, or NAME-2, -3 ... that none of the taken ones is. */
static const char *free_name(struct arena *arena, const char *name, const void *list,
	bool (*is_taken)(const void *list, const char *name))
{
	const char *candidate = name;
	for (unsigned number = 2; is_taken(list, candidate); number++)
		candidate = arena_printf(arena, "%s-%u", name, number);
	return candidate;
}

static bool is_role(const void *list, const char *name)
{
	const struct merge *merge = list;
	for (size_t i = 0; i < merge->role_count; i++)
		if (strcmp(merge->roles[i].name, name) == 0)
			return true;
	return false;
}

static double interleave_of(const struct profile *document, const struct profile_role *role)
{
	return role->interleave >= 0 ? role->interleave : document->interleave;
}

static bool same_roles(const struct profile *a, const struct profile *b)
{
	if (a->role_count != b->role_count)
		return false;
	for (size_t i = 0; i < a->role_count; i++)
		if (strcmp(a->roles[i].name, b->roles[i].name) != 0 ||
			a->roles[i].rate != b->roles[i].rate ||
			interleave_of(a, &a->roles[i]) != interleave_of(b, &b->roles[i]))
			return false;
	return true;
}

static bool same_workloads(const struct profile *a, const struct profile *b)
{
	if (a->workload_count != b->workload_count)
		return false;
	for (size_t i = 0; i < a->workload_count; i++) {
		const struct profile_workload *x = &a->workloads[i], *y = &b->workloads[i];
		if (strcmp(x->name, y->name) != 0 || x->role_count != y->role_count ||
			memcmp(x->roles, y->roles, x->role_count * sizeof(*x->roles)) != 0)
			return false;
	}
	return true;
}

static void add_role(
	struct merge *merge, const struct profile *document, const struct profile_role *role)
{
	struct profile_role added = *role;
	double interleave = interleave_of(document, role);
	added.name = free_name(merge->arena, role->name, merge, is_role);
	added.interleave = interleave == merge->profile->interleave ? -1 : interleave;
	merge->roles = arena_grow(merge->arena, merge->roles, &merge->role_capacity,
		merge->role_count + 1, sizeof(*merge->roles));
	merge->roles[merge->role_count++] = added;
}

/* ---- workloads ---- */

static bool is_workload(const void *list, const char *name)
{
	const struct merge *merge = list;
	for (size_t i = 0; i < merge->workload_count; i++)
		if (strcmp(merge->workloads[i].name, name) == 0)
			return true;
	return false;
}

static void add_workload(
	struct merge *merge, const struct profile_workload *workload, const uint32_t *map)
{
	struct profile_workload added = *workload;
	uint32_t *roles = arena_new(merge->arena, workload->role_count, sizeof(*roles));
	for (size_t i = 0; i < workload->role_count; i++)
		roles[i] = map[workload->roles[i]];
	added.roles = roles;
	added.name = free_name(merge->arena, workload->name, merge, is_workload);
	merge->workloads = arena_grow(merge->arena, merge->workloads, &merge->workload_capacity,
		merge->workload_count + 1, sizeof(*merge->workloads));
	merge->workloads[merge->workload_count++] = added;
}

/*
 * Roles of the document -> merged roles. Documents with the same roles that meet in the same way share them. Others get
 * their own, even for a name that is there: a role that met others than in its own document would cost something else.
 */
static struct error *map_roles(
	struct merge *merge, const struct profile *document, const uint32_t **ret)
{
	for (size_t i = 0; i < merge->group_count; i++)
		if (same_roles(merge->groups[i].document, document) &&
			same_workloads(merge->groups[i].document, document)) {
			*ret = merge->groups[i].map;
			return NULL;
		}
	uint32_t *map = arena_new(merge->arena, document->role_count, sizeof(*map));
	for (size_t i = 0; i < document->role_count; i++) {
		map[i] = (uint32_t)merge->role_count;
		add_role(merge, document, &document->roles[i]);
	}
	for (size_t i = 0; i < document->workload_count; i++)
		add_workload(merge, &document->workloads[i], map);
	merge->groups = arena_grow(merge->arena, merge->groups, &merge->group_capacity,
		merge->group_count + 1, sizeof(*merge->groups));
	merge->groups[merge->group_count++] = (struct merge_group){document, map};
	*ret = map;
	if (merge->role_count <= PROFILE_ROLES_MAX)
		return NULL;
	return error_new("%s: more than %d roles together; merge fewer profiles", document->path,
		PROFILE_ROLES_MAX);
}

/* ---- entries ---- */

static void add_entry(struct merge *merge, const struct profile_struct *entry, const uint32_t *map)
{
	merge->entries = arena_grow(merge->arena, merge->entries, &merge->entry_capacity,
		merge->entry_count + 1, sizeof(*merge->entries));
	merge->entries[merge->entry_count] = (struct merge_entry){entry, map, merge->entry_count};
	merge->entry_count++;
}

static int compare_names(const void *left, const void *right)
{
	const struct merge_entry *a = left, *b = right;
	int order = strcmp(a->entry->name, b->entry->name);
	return order ? order : a->place < b->place ? -1 : a->place > b->place;
}

static int compare_places(const void *left, const void *right)
{
	const struct merge_entry *a = left, *b = right;
	return a->place < b->place ? -1 : a->place > b->place;
}

/* Of each name the last, at the place of the first. */
static void keep_last_ones(struct merge *merge)
{
	struct merge_entry *entries = merge->entries;
	size_t kept = 0;
	if (merge->entry_count)
		qsort(entries, merge->entry_count, sizeof(*entries), compare_names);
	for (size_t i = 0; i < merge->entry_count; i++) {
		if (kept && strcmp(entries[kept - 1].entry->name, entries[i].entry->name) == 0) {
			entries[kept - 1].entry = entries[i].entry;
			entries[kept - 1].map = entries[i].map;
			continue;
		}
		entries[kept++] = entries[i];
	}
	merge->entry_count = kept;
	if (kept)
		qsort(entries, kept, sizeof(*entries), compare_places);
}

static bool is_conditional(const struct profile_access *access)
{
	return access->if_field || access->unless_field;
}

/* Each role of the document as a record of its own, with what holds for all of them added. */
static struct error *spread_accesses(struct merge *merge, const struct profile_struct *entry,
	const uint32_t *map, struct profile_field *field)
{
	const struct profile *document = entry->document;
	const struct profile_access *every = NULL;
	struct profile_access *spread =
		arena_new(merge->arena, document->role_count, sizeof(*spread));
	for (uint32_t role = 0; role < document->role_count; role++)
		spread[role].role = role;
	for (size_t i = 0; i < field->access_count; i++)
		if (field->accesses[i].role == PROFILE_ALL_ROLES)
			every = &field->accesses[i];
		else
			spread[field->accesses[i].role] = field->accesses[i];
	for (uint32_t role = 0; role < document->role_count; role++) {
		if (is_conditional(&spread[role]))
			return error_new("%s:%u:%u: '%s' has counts of every role and conditional "
					 "ones of '%s', which cannot be merged with other roles; "
					 "state them role by role",
				document->path, field->position.line, field->position.col,
				field->path, document->roles[role].name);
		for (size_t kind = 0; kind < ACCESS_KIND_COUNT; kind++)
			spread[role].counts[kind] += every->counts[kind];
		spread[role].role = map[role];
	}
	field->accesses = spread;
	field->access_count = document->role_count;
	return NULL;
}

static struct error *map_field(struct merge *merge, const struct profile_struct *entry,
	const uint32_t *map, struct profile_field *field)
{
	for (size_t i = 0; i < field->access_count; i++)
		if (field->accesses[i].role == PROFILE_ALL_ROLES && merge->group_count > 1)
			return spread_accesses(merge, entry, map, field);
	struct profile_access *accesses =
		arena_copy(merge->arena, field->accesses, field->access_count, sizeof(*accesses));
	for (size_t i = 0; i < field->access_count; i++)
		if (accesses[i].role != PROFILE_ALL_ROLES)
			accesses[i].role = map[accesses[i].role];
	field->accesses = accesses;
	return NULL;
}

/* The threads of the document's roles, where the merged ones have others. */
static void map_threads(struct merge *merge, const uint32_t *map, struct profile_struct *entry)
{
	const struct profile *document = entry->document;
	struct profile_threads *threads =
		arena_new(merge->arena, document->role_count, sizeof(*threads));
	size_t count = 0;
	for (uint32_t role = 0; role < document->role_count; role++) {
		unsigned wanted = document->roles[role].threads;
		bool is_stated = false;
		for (size_t i = 0; i < entry->thread_count; i++)
			if (entry->threads[i].role == role) {
				wanted = entry->threads[i].threads;
				is_stated = true;
			}
		if (is_stated || wanted != merge->roles[map[role]].threads)
			threads[count++] = (struct profile_threads){map[role], wanted};
	}
	entry->threads = threads;
	entry->thread_count = count;
}

static struct error *map_entry(struct merge *merge, const struct profile_struct *from,
	const uint32_t *map, struct profile_struct *ret)
{
	struct profile_struct entry = *from;
	struct profile_field *fields =
		arena_copy(merge->arena, from->fields, from->field_count, sizeof(*fields));
	struct profile_sequence *sequences =
		arena_copy(merge->arena, from->sequences, from->sequence_count, sizeof(*sequences));
	for (size_t i = 0; i < from->field_count; i++) {
		struct error *error = map_field(merge, from, map, &fields[i]);
		if (error)
			return error;
	}
	for (size_t i = 0; i < from->sequence_count; i++)
		sequences[i].role = map[sequences[i].role];
	entry.fields = fields;
	entry.sequences = sequences;
	map_threads(merge, map, &entry);
	entry.document = merge->profile;
	*ret = entry;
	return NULL;
}

static struct error *map_entries(struct merge *merge)
{
	keep_last_ones(merge);
	struct profile_struct *structs =
		arena_new(merge->arena, merge->entry_count, sizeof(*structs));
	for (size_t i = 0; i < merge->entry_count; i++) {
		struct error *error = map_entry(
			merge, merge->entries[i].entry, merge->entries[i].map, &structs[i]);
		if (error)
			return error;
	}
	merge->profile->structs = structs;
	merge->profile->struct_count = merge->entry_count;
	return NULL;
}

struct error *profile_merge(struct arena *arena, const struct profile *const *documents,
	size_t count, struct profile *ret)
{
	struct profile *profile = arena_new(arena, 1, sizeof(*profile));
	struct merge merge = {.arena = arena, .profile = profile};
	const struct profile_struct *vars = NULL;
	const uint32_t *vars_map = NULL;
	*profile = (struct profile){.path = documents[0]->path,
		.interleave = documents[0]->interleave,
		.line_price = documents[0]->line_price};
	struct error *error = check_lines(documents, count, &profile->line_bytes);
	if (!error)
		error = check_prices(documents, count);
	for (size_t i = 0; i < count && !error; i++) {
		const struct profile *document = documents[i];
		const uint32_t *map = NULL;
		error = map_roles(&merge, document, &map);
		for (size_t k = 0; k < document->struct_count && !error; k++)
			add_entry(&merge, &document->structs[k], map);
		if (document->vars) {
			vars = document->vars;
			vars_map = map;
		}
	}
	profile->roles = merge.roles;
	profile->role_count = merge.role_count;
	profile->workloads = merge.workloads;
	profile->workload_count = merge.workload_count;
	if (!error)
		error = map_entries(&merge);
	if (!error && vars) {
		struct profile_struct *mapped = arena_new(arena, 1, sizeof(*mapped));
		error = map_entry(&merge, vars, vars_map, mapped);
		profile->vars = mapped;
	}
	if (!error)
		*ret = *profile;
	return error;
}

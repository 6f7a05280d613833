#include <string.h>

#include "vars.h"

/* ---- a path's variable ---- */

enum fate { FOUND, NONE, SEVERAL };

/* Where a prefix that may name a variable ends, before `end`: at a member or a subscript; 0: no more. */
static size_t prefix_before(const char *path, size_t end)
{
	while (end-- > 1)
		if (path[end] == '.' || path[end] == '[')
			return end;
	return 0;
}

/* The variable that a name means: of several the one that is shown so, or that all files share. */
static enum fate find_name(
	struct arena *arena, const struct vars_catalog *catalog, const char *name, size_t *ret)
{
	size_t *items, count = vars_candidates(arena, catalog, name, &items), all = 0, open = 0;
	size_t last_open = 0, last = 0, exact = 0, last_exact = 0;
	for (size_t i = 0; i < count; i++) {
		const struct vars_item *item = &catalog->items[items[i]];
		if (!vars_match(item, name))
			continue;
		last = items[i];
		all++;
		if (strcmp(item->name, name) == 0) {
			last_exact = items[i];
			exact++;
		}
		if (!item->is_static) {
			last_open = items[i];
			open++;
		}
	}
	*ret = all == 1 ? last : exact == 1 ? last_exact : last_open;
	return all == 1 || exact == 1 || open == 1 ? FOUND : all ? SEVERAL : NONE;
}

/* The longest prefix that names one; *rest: what is left of the path. */
static enum fate find_path(struct arena *arena, const struct vars_catalog *catalog,
	const char *path, size_t *item, const char **rest)
{
	enum fate worst = NONE;
	for (size_t end = strlen(path); end; end = prefix_before(path, end)) {
		enum fate fate = find_name(arena, catalog, arena_strndup(arena, path, end), item);
		*rest = path + end;
		if (fate == FOUND)
			return FOUND;
		if (fate == SEVERAL)
			worst = SEVERAL;
	}
	return worst;
}

/* ---- all paths of an entry ---- */

typedef const char *visit(void *context, const char *path);

static const char *visit_or_null(visit *one, void *context, const char *path)
{
	return path ? one(context, path) : NULL;
}

static const char *const *visit_list(
	struct arena *arena, const char *const *paths, size_t count, visit *one, void *context)
{
	const char **copies = arena_new(arena, count, sizeof(*copies));
	for (size_t i = 0; i < count; i++)
		copies[i] = one(context, paths[i]);
	return copies;
}

static const struct profile_access *visit_accesses(
	struct arena *arena, const struct profile_field *field, visit *one, void *context)
{
	struct profile_access *accesses =
		arena_copy(arena, field->accesses, field->access_count, sizeof(*accesses));
	for (size_t i = 0; i < field->access_count; i++) {
		accesses[i].if_field = visit_or_null(one, context, accesses[i].if_field);
		accesses[i].unless_field = visit_or_null(one, context, accesses[i].unless_field);
	}
	return accesses;
}

/* A copy in which each path is what `one` makes of it. */
static struct profile_struct visit_entry(
	struct arena *arena, const struct profile_struct *entry, visit *one, void *context)
{
	struct profile_struct copy = *entry;
	struct profile_field *fields =
		arena_copy(arena, entry->fields, entry->field_count, sizeof(*fields));
	struct profile_sequence *sequences =
		arena_copy(arena, entry->sequences, entry->sequence_count, sizeof(*sequences));
	struct profile_lock *locks =
		arena_copy(arena, entry->locks, entry->lock_count, sizeof(*locks));
	struct profile_expect *expects =
		arena_copy(arena, entry->expects, entry->expect_count, sizeof(*expects));
	struct profile_ignore *ignores =
		arena_copy(arena, entry->ignores, entry->ignore_count, sizeof(*ignores));
	for (size_t i = 0; i < entry->field_count; i++) {
		fields[i].path = one(context, fields[i].path);
		fields[i].if_field = visit_or_null(one, context, fields[i].if_field);
		fields[i].unless_field = visit_or_null(one, context, fields[i].unless_field);
		fields[i].accesses = visit_accesses(arena, &entry->fields[i], one, context);
	}
	for (size_t i = 0; i < entry->sequence_count; i++)
		sequences[i].fields = visit_list(
			arena, sequences[i].fields, sequences[i].field_count, one, context);
	for (size_t i = 0; i < entry->lock_count; i++) {
		locks[i].path = one(context, locks[i].path);
		locks[i].protects =
			visit_list(arena, locks[i].protects, locks[i].protect_count, one, context);
	}
	for (size_t i = 0; i < entry->expect_count; i++)
		expects[i].fields =
			visit_list(arena, expects[i].fields, expects[i].field_count, one, context);
	for (size_t i = 0; i < entry->ignore_count; i++)
		ignores[i].fields =
			visit_list(arena, ignores[i].fields, ignores[i].field_count, one, context);
	copy.fields = fields;
	copy.sequences = sequences;
	copy.locks = locks;
	copy.expects = expects;
	copy.ignores = ignores;
	copy.shared.names =
		visit_list(arena, entry->shared.names, entry->shared.count, one, context);
	return copy;
}

/* ---- what may be meant ---- */

struct marks {
	struct arena *arena;
	const struct vars_catalog *catalog;
	bool *marked; /* [item] */
};

static const char *mark_candidates(void *context, const char *path)
{
	struct marks *marks = context;
	for (size_t end = strlen(path); end; end = prefix_before(path, end)) {
		size_t *items;
		size_t count = vars_candidates(marks->arena, marks->catalog,
			arena_strndup(marks->arena, path, end), &items);
		for (size_t i = 0; i < count; i++)
			marks->marked[items[i]] = true;
	}
	return path;
}

static size_t list_marked(const struct marks *marks, size_t **ret)
{
	size_t *items = arena_new(marks->arena, marks->catalog->count, sizeof(*items)), count = 0;
	for (size_t i = 0; i < marks->catalog->count; i++)
		if (marks->marked[i])
			items[count++] = i;
	*ret = items;
	return count;
}

static struct marks no_marks(struct arena *arena, const struct vars_catalog *catalog)
{
	return (struct marks){arena, catalog, arena_new(arena, catalog->count, sizeof(bool))};
}

size_t vars_wanted(struct arena *arena, const struct vars_catalog *catalog,
	const struct profile_struct *profile, size_t **ret)
{
	struct marks marks = no_marks(arena, catalog);
	visit_entry(arena, profile, mark_candidates, &marks);
	return list_marked(&marks, ret);
}

/* ---- resolved ---- */

/* A path as the layout has it. What is not there stays as it is, and is missed when it is joined. */
static const char *resolve(void *context, const char *path)
{
	struct marks *marks = context;
	size_t item;
	const char *rest;
	if (find_path(marks->arena, marks->catalog, path, &item, &rest) != FOUND)
		return path;
	marks->marked[item] = true;
	return arena_printf(marks->arena, "%s%s", marks->catalog->items[item].name, rest);
}

/* ---- what each processor has for itself ---- */

struct own {
	struct arena *arena;
	const struct vars_catalog *catalog;
	const bool *is_shared; /* [item]: stated */
};

static bool is_own(const struct own *own, const char *path)
{
	size_t item;
	const char *rest;
	return find_path(own->arena, own->catalog, path, &item, &rest) == FOUND &&
	       vars_is_per_cpu(own->catalog->items[item].area) && !own->is_shared[item];
}

static void drop_own_steps(const struct own *own, struct profile_sequence *sequence)
{
	const char **kept = arena_new(own->arena, sequence->field_count, sizeof(*kept));
	size_t count = 0;
	for (size_t i = 0; i < sequence->field_count; i++)
		if (!is_own(own, sequence->fields[i]))
			kept[count++] = sequence->fields[i];
	sequence->fields = kept;
	sequence->field_count = count;
}

static struct profile_struct drop_own(const struct own *own, const struct profile_struct *entry)
{
	struct profile_struct left = *entry;
	struct profile_field *fields = arena_new(own->arena, entry->field_count, sizeof(*fields));
	struct profile_lock *locks = arena_new(own->arena, entry->lock_count, sizeof(*locks));
	struct profile_sequence *sequences =
		arena_copy(own->arena, entry->sequences, entry->sequence_count, sizeof(*sequences));
	left.field_count = left.lock_count = left.sequence_count = 0;
	for (size_t i = 0; i < entry->field_count; i++)
		if (!is_own(own, entry->fields[i].path))
			fields[left.field_count++] = entry->fields[i];
	for (size_t i = 0; i < entry->lock_count; i++)
		if (!is_own(own, entry->locks[i].path)) /* it keeps no other processor away */
			locks[left.lock_count++] = entry->locks[i];
	for (size_t i = 0; i < entry->sequence_count; i++) {
		drop_own_steps(own, &sequences[i]);
		if (sequences[i].field_count)
			sequences[left.sequence_count++] = sequences[i];
	}
	left.fields = fields;
	left.locks = locks;
	left.sequences = sequences;
	return left;
}

static const bool *find_shared(
	struct arena *arena, const struct vars_catalog *catalog, const struct profile_names *names)
{
	bool *shared = arena_new(arena, catalog->count, sizeof(*shared));
	for (size_t i = 0; i < names->count; i++) {
		size_t item;
		const char *rest;
		if (find_path(arena, catalog, names->names[i], &item, &rest) == FOUND)
			shared[item] = true;
	}
	return shared;
}

/* ---- what is missing ---- */

static const char *name_all(
	struct arena *arena, const struct vars_catalog *catalog, const char *name)
{
	enum { SHOWN = 3 };
	size_t *items, count = vars_candidates(arena, catalog, name, &items), shown = 0;
	const char *text = "";
	for (size_t i = 0; i < count && shown < SHOWN; i++)
		if (vars_match(&catalog->items[items[i]], name))
			text = arena_printf(arena, "%s%s'%s'", text, shown++ ? ", " : "",
				catalog->items[items[i]].name);
	return text;
}

/* Another field of the profile that is the same by another name: one of the two would count for nothing. */
static bool is_said_twice(
	const struct profile_struct *profile, const struct profile_field *resolved, size_t field)
{
	for (size_t i = 0; i < profile->field_count; i++)
		if (i != field && strcmp(resolved[i].path, resolved[field].path) == 0 &&
			(i < field || strcmp(resolved[i].path, profile->fields[i].path) == 0))
			return true;
	return false;
}

/* The second name stays as it is written, and is missed: see vars_explain(). */
static const struct profile_field *keep_once(struct arena *arena,
	const struct profile_struct *profile, const struct profile_field *resolved)
{
	struct profile_field *fields =
		arena_copy(arena, resolved, profile->field_count, sizeof(*fields));
	for (size_t i = 0; i < profile->field_count; i++)
		if (strcmp(resolved[i].path, profile->fields[i].path) != 0 &&
			is_said_twice(profile, resolved, i))
			fields[i].path = profile->fields[i].path;
	return fields;
}

void vars_resolve(struct arena *arena, const struct vars_catalog *catalog,
	const struct profile_struct *profile, struct vars_entry *ret)
{
	struct marks marks = no_marks(arena, catalog);
	struct own own = {arena, catalog, find_shared(arena, catalog, &profile->shared)};
	size_t *items;
	*ret = (struct vars_entry){.profile = profile};
	ret->all = visit_entry(arena, profile, resolve, &marks);
	ret->all.fields = keep_once(arena, profile, ret->all.fields);
	ret->shared = drop_own(&own, &ret->all);
	ret->item_count = list_marked(&marks, &items);
	ret->items = items;
}

bool vars_explain(struct arena *arena, const struct vars_catalog *catalog, const char *path,
	const char **why, const char **advice)
{
	size_t item;
	const char *rest, *plain = vars_plain(path);
	const char *name =
		arena_strndup(arena, path, (size_t)(plain - path) + strcspn(plain, ".["));
	enum fate fate = find_path(arena, catalog, path, &item, &rest);
	if (fate == FOUND && strcmp(catalog->items[item].name,
				     arena_strndup(arena, path, (size_t)(rest - path))) == 0)
		return false;
	if (fate == FOUND) {
		*why = arena_printf(arena,
			"another name of '%s%s', of which the profile speaks as well",
			catalog->items[item].name, rest);
		*advice = "state its accesses once";
	} else if (fate == SEVERAL) {
		*why = arena_printf(arena, "several variables have that name: %s",
			name_all(arena, catalog, name));
		*advice = "name one of them so";
	} else {
		*why = arena_printf(
			arena, "no such variable%s", vars_nearest(arena, catalog, name));
		*advice =
			"correct the name, or mark it `optional: true` if only some versions have it";
	}
	return true;
}

#include "cmd/session/unite.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/session/keep.h"
#include "cmd/session/parts.h"

static void keep_names(struct intern *texts, const char *const *from, size_t count,
	const char ***names, size_t *name_count, size_t *capacity)
{
	if (!count)
		return;
	*names = arena_grow(texts->arena, *names, capacity, *name_count + count, sizeof(**names));
	for (size_t i = 0; i < count; i++)
		(*names)[(*name_count)++] = keep_text(texts, from[i]);
}

void unite_add(struct unite *unite, const struct index *index, uint32_t file, uint32_t alike)
{
	struct intern *texts = unite->texts;
	struct arena *arena = texts->arena;
	if (index->count)
		unite->defs = arena_grow(arena, unite->defs, &unite->def_capacity,
			unite->def_count + index->count, sizeof(*unite->defs));
	for (size_t i = 0; i < index->count; i++) {
		struct index_def *def = &unite->defs[unite->def_count++];
		*def = keep_def(texts, &index->defs[i]);
		def->file = file;
		def->alike = alike;
		def->files = 1;
	}
	if (index->alias_count)
		unite->aliases = arena_grow(arena, unite->aliases, &unite->alias_capacity,
			unite->alias_count + index->alias_count, sizeof(*unite->aliases));
	for (size_t i = 0; i < index->alias_count; i++)
		unite->aliases[unite->alias_count++] = keep_alias(texts, &index->aliases[i]);
	keep_names(texts, index->names, index->name_count, &unite->names, &unite->name_count,
		&unite->name_capacity);
	keep_names(texts, index->declared, index->declared_count, &unite->declared,
		&unite->declared_count, &unite->declared_capacity);
}

static int compare_text(const char *left, const char *right)
{
	return left == right ? 0 : strcmp(left ? left : "", right ? right : "");
}

int unite_compare(const struct index_def *a, const struct index_def *b)
{
	int order = compare_text(a->name, b->name);
	if (!order)
		order = (a->kind > b->kind) - (a->kind < b->kind);
	return order ? order : compare_text(a->scope, b->scope);
}

/* Files stay in their order, and definitions of a file in theirs. */
static int compare_defs(const void *left, const void *right)
{
	const struct index_def *a = left, *b = right;
	int order = unite_compare(a, b);
	if (!order)
		order = (a->file > b->file) - (a->file < b->file);
	if (!order)
		order = (a->die_off > b->die_off) - (a->die_off < b->die_off);
	return order ? order : (int)a->is_typedef - (int)b->is_typedef;
}

/* Puts layouts that can be compared side by side, and equal ones among them, the first one first. */
static int compare_layouts(const void *left, const void *right)
{
	const struct index_def *const *a = left, *const *b = right;
	if ((*a)->is_typedef != (*b)->is_typedef)
		return (*a)->is_typedef ? 1 : -1;
	if ((*a)->alike != (*b)->alike)
		return (*a)->alike < (*b)->alike ? -1 : 1;
	if ((*a)->hash != (*b)->hash)
		return (*a)->hash < (*b)->hash ? -1 : 1;
	return (*a > *b) - (*a < *b);
}

/* Folds what is one layout into its first, and leaves no copies of the others; counts what is left. */
static void fold_alike(struct index_def **defs, size_t count)
{
	struct index_def *into = defs[0];
	uint32_t layouts = 1;
	for (size_t i = 1; i < count; i++) {
		if (defs[i]->hash != into->hash) {
			into = defs[i];
			layouts++;
			continue;
		}
		into->copies += defs[i]->copies;
		into->files += defs[i]->file != into->file;
		defs[i]->copies = 0;
	}
	for (size_t i = 0; i < count; i++)
		defs[i]->layouts = layouts;
}

/* Those of one name, scope and kind: returns how many are left, which go to `ret` in their order. */
static size_t fold_group(struct index_def *defs, size_t count, struct index_def *ret)
{
	struct index_def **sorted = mem_new(count, sizeof(struct index_def *));
	size_t kept = 0;
	for (size_t i = 0; i < count; i++)
		sorted[i] = &defs[i];
	qsort(sorted, count, sizeof(struct index_def *), compare_layouts);
	for (size_t first = 0, next; first < count; first = next) {
		for (next = first + 1;
			next < count && session_same_entry(sorted[first], sorted[next]);)
			next++;
		fold_alike(&sorted[first], next - first);
	}
	for (size_t i = 0; i < count; i++)
		if (defs[i].copies)
			ret[kept++] = defs[i];
	mem_free(sorted);
	return kept;
}

static size_t fold(const struct unite *unite, struct index_def *ret)
{
	struct index_def *defs = unite->defs;
	size_t kept = 0;
	if (unite->def_count)
		qsort(defs, unite->def_count, sizeof(*defs), compare_defs);
	for (size_t first = 0, next; first < unite->def_count; first = next) {
		for (next = first + 1;
			next < unite->def_count && unite_compare(&defs[first], &defs[next]) == 0;)
			next++;
		kept += fold_group(&defs[first], next - first, &ret[kept]);
	}
	return kept;
}

static int compare_names(const void *left, const void *right)
{
	const char *const *a = left, *const *b = right;
	return compare_text(*a, *b);
}

/* Sorts; each name once, for equal ones are one pointer. */
static size_t sort_names(const char **names, size_t count)
{
	size_t kept = 0;
	if (count)
		qsort(names, count, sizeof(*names), compare_names);
	for (size_t i = 0; i < count; i++)
		if (!kept || names[kept - 1] != names[i])
			names[kept++] = names[i];
	return kept;
}

static int compare_aliases(const void *left, const void *right)
{
	const struct index_alias *a = left, *b = right;
	int order = compare_text(a->name, b->name);
	if (!order)
		order = compare_text(a->scope, b->scope);
	if (!order)
		order = compare_text(a->target, b->target);
	if (!order)
		order = compare_text(a->target_scope, b->target_scope);
	return order ? order : (a->kind > b->kind) - (a->kind < b->kind);
}

static size_t sort_aliases(struct index_alias *aliases, size_t count)
{
	size_t kept = 0;
	if (count)
		qsort(aliases, count, sizeof(*aliases), compare_aliases);
	for (size_t i = 0; i < count; i++)
		if (!kept || compare_aliases(&aliases[kept - 1], &aliases[i]) != 0)
			aliases[kept++] = aliases[i];
	return kept;
}

void unite_finish(struct unite *unite, struct index *ret)
{
	struct index_def *defs = mem_new(unite->def_count, sizeof(*defs));
	ret->count = fold(unite, defs);
	ret->defs = arena_copy(unite->texts->arena, defs, ret->count, sizeof(*defs));
	mem_free(defs);
	ret->alias_count = sort_aliases(unite->aliases, unite->alias_count);
	ret->aliases = unite->aliases;
	ret->declared_count = sort_names(unite->declared, unite->declared_count);
	ret->declared = unite->declared;
	ret->name_count = sort_names(unite->names, unite->name_count);
	ret->names = unite->names;
}

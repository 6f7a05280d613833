#include "read/index/collate.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

int collate_compare_text(const char *a, const char *b)
{
	if (a == b)
		return 0;
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_filed(const struct index_def *a, const struct index_def *b)
{
	int order = collate_compare_text(a->name, b->name);
	if (order)
		return order;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return collate_compare_text(a->scope, b->scope);
}

/*
 * By name, kind, scope; tags before typedefs; then so that equal layouts are neighbours, the first in the
 * file first.
 */
static int compare_layouts(const void *left, const void *right)
{
	const struct index_def *a = left, *b = right;
	int order = compare_filed(a, b);
	if (order)
		return order;
	if (a->is_typedef != b->is_typedef)
		return a->is_typedef ? 1 : -1;
	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	return a->die_off < b->die_off ? -1 : a->die_off > b->die_off;
}

static int compare_defs(const void *left, const void *right)
{
	const struct index_def *a = left, *b = right;
	int order = compare_filed(a, b);
	if (order)
		return order;
	if (a->die_off != b->die_off)
		return a->die_off < b->die_off ? -1 : 1;
	return (int)a->is_typedef - (int)b->is_typedef;
}

/* Equal layouts made one. */
static size_t fold(struct index_def *defs, size_t total)
{
	size_t count = 0;
	if (total)
		qsort(defs, total, sizeof(*defs), compare_layouts);
	for (size_t i = 0; i < total; i++) {
		struct index_def *last = count ? &defs[count - 1] : NULL;
		if (last && compare_filed(last, &defs[i]) == 0 &&
			last->is_typedef == defs[i].is_typedef && last->hash == defs[i].hash)
			last->copies += defs[i].copies;
		else
			defs[count++] = defs[i];
	}
	return count;
}

static void count_layouts(struct index_def *defs, size_t count)
{
	for (size_t first = 0, next; first < count; first = next) {
		for (next = first + 1; next < count &&
				       compare_filed(&defs[first], &defs[next]) == 0 &&
				       defs[first].is_typedef == defs[next].is_typedef;)
			next++;
		for (size_t i = first; i < next; i++)
			defs[i].layouts = (uint32_t)(next - first);
	}
}

static bool selects(const struct pattern *pattern, const struct index_def *def)
{
	return pattern_allows_kind(pattern, def->kind) &&
	       (pattern_matches(pattern, def->scope, def->name) ||
		       pattern_matches_respelt(pattern, def->scope, def->name));
}

/*
 * Keeps what a pattern selects; a literal one that selects a tag selects no typedefs. *all_found: each selects
 * something.
 */
static size_t filter(
	const struct patterns *patterns, struct index_def *defs, size_t count, bool *all_found)
{
	*all_found = false;
	if (!patterns->items)
		return count;
	bool *has_tag = mem_new(patterns->count, sizeof(*has_tag));
	bool *found = mem_new(patterns->count, sizeof(*found));
	for (size_t p = 0; p < patterns->count; p++)
		for (size_t i = 0; i < count && !patterns->items[p].is_glob && !has_tag[p]; i++)
			has_tag[p] = !defs[i].is_typedef && selects(&patterns->items[p], &defs[i]);
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		bool keep = false;
		for (size_t p = 0; p < patterns->count; p++)
			if (!(defs[i].is_typedef && has_tag[p]) && (!keep || !found[p]) &&
				selects(&patterns->items[p], &defs[i]))
				keep = found[p] = true;
		if (keep)
			defs[kept++] = defs[i];
	}
	*all_found = patterns->count > 0;
	for (size_t p = 0; p < patterns->count; p++)
		*all_found &= found[p];
	mem_free(found);
	mem_free(has_tag);
	return kept;
}

size_t collate_defs(
	const struct patterns *patterns, struct index_def *defs, size_t total, bool *all_found)
{
	size_t count = fold(defs, total);
	count_layouts(defs, count);
	count = filter(patterns, defs, count, all_found);
	if (count)
		qsort(defs, count, sizeof(*defs), compare_defs);
	return count;
}

/* ---- typedefs of what has another name ---- */

static int compare_aliases(const void *left, const void *right)
{
	const struct index_alias *a = left, *b = right;
	int order = collate_compare_text(a->name, b->name);
	if (!order)
		order = collate_compare_text(a->scope, b->scope);
	if (!order)
		order = collate_compare_text(a->target_scope, b->target_scope);
	if (!order)
		order = collate_compare_text(a->target, b->target);
	return order ? order : (a->kind > b->kind) - (a->kind < b->kind);
}

/* Does one that is written out mean this alias, and no definition? */
static bool selects_alias(
	const struct patterns *patterns, const bool *has_def, const struct index_alias *alias)
{
	for (size_t p = 0; p < patterns->count; p++)
		if (!has_def[p] && !patterns->items[p].is_glob &&
			pattern_allows_kind(&patterns->items[p], alias->kind) &&
			pattern_matches(&patterns->items[p], alias->scope, alias->name))
			return true;
	return false;
}

void collate_aliases(const struct patterns *patterns, struct index_alias *aliases, size_t total,
	struct index *index)
{
	size_t count = 0, kept = 0;
	bool *has_def = mem_new(patterns->count, sizeof(*has_def));
	for (size_t p = 0; p < patterns->count; p++)
		for (size_t i = 0; i < index->count && !has_def[p]; i++)
			has_def[p] = selects(&patterns->items[p], &index->defs[i]);
	for (size_t i = 0; i < total; i++)
		if (selects_alias(patterns, has_def, &aliases[i]))
			aliases[count++] = aliases[i];
	mem_free(has_def);
	if (count)
		qsort(aliases, count, sizeof(*aliases), compare_aliases);
	for (size_t i = 0; i < count; i++)
		if (!kept || compare_aliases(&aliases[kept - 1], &aliases[i]) != 0)
			aliases[kept++] = aliases[i];
	index->aliases = aliases;
	index->alias_count = kept;
}

void collate_names_of_defs(struct arena *arena, struct index *index)
{
	const char **names = arena_new(arena, index->count ? index->count : 1, sizeof(*names));
	for (size_t i = 0; i < index->count; i++)
		if (!i || collate_compare_text(index->defs[i - 1].name, index->defs[i].name) != 0)
			names[index->name_count++] = index->defs[i].name;
	index->names = names;
}

/* ---- names ---- */

static int compare_strings(const void *left, const void *right)
{
	const char *const *a = left, *const *b = right;
	return strcmp(*a, *b);
}

size_t collate_names(const char **names, size_t total)
{
	size_t kept = 0;
	if (total)
		qsort(names, total, sizeof(*names), compare_strings);
	for (size_t i = 0; i < total; i++)
		if (!kept || strcmp(names[kept - 1], names[i]) != 0)
			names[kept++] = names[i];
	return kept;
}

#include "read/index/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static int compare_text(const char *a, const char *b)
{
	if (a == b)
		return 0;
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_filed(const struct index_def *a, const struct index_def *b)
{
	int order = compare_text(a->name, b->name);
	if (order)
		return order;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return compare_text(a->scope, b->scope);
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

/* All workers' entries, equal layouts made one. */
static struct index_def *merge_entries(
	struct arena *arena, const struct worker *workers, size_t jobs, size_t *count)
{
	size_t total = 0;
	for (size_t i = 0; i < jobs; i++)
		total += workers[i].entry_count;
	struct index_def *defs = arena_new(arena, total ? total : 1, sizeof(*defs));
	size_t at = 0;
	for (size_t i = 0; i < jobs; i++)
		for (size_t j = 0; j < workers[i].entry_count; j++)
			defs[at++] = workers[i].entries[j].def;
	qsort(defs, total, sizeof(*defs), compare_layouts);
	*count = 0;
	for (size_t i = 0; i < total; i++) {
		struct index_def *last = *count ? &defs[*count - 1] : NULL;
		if (last && compare_filed(last, &defs[i]) == 0 &&
			last->is_typedef == defs[i].is_typedef && last->hash == defs[i].hash)
			last->copies += defs[i].copies;
		else
			defs[(*count)++] = defs[i];
	}
	return defs;
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
	       pattern_matches(pattern, def->scope, def->name);
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

/* A name with its first bytes as a number, so that most comparisons do not touch the text. */
struct sort_name {
	uint64_t start;
	const char *text;
};

static int compare_names(const void *left, const void *right)
{
	const struct sort_name *a = left, *b = right;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return compare_text(a->text, b->text);
}

static uint64_t start_of(const char *text)
{
	uint64_t start = 0;
	for (int i = 0; i < 8; i++) {
		start = start << 8 | (unsigned char)*text;
		text += *text != '\0';
	}
	return start;
}

static const char **sorted_names(
	struct arena *arena, const struct worker *workers, size_t jobs, size_t *count)
{
	size_t total = 0;
	for (size_t i = 0; i < jobs; i++)
		total += workers[i].names.count;
	struct sort_name *all = mem_new(total, sizeof(*all));
	size_t used = 0;
	for (size_t i = 0; i < jobs; i++)
		for (size_t j = 0; j < workers[i].names.count; j++) {
			const struct name *name = &workers[i].names.items[j];
			if (name->is_borne)
				all[used++] = (struct sort_name){start_of(name->text), name->text};
		}
	qsort(all, used, sizeof(*all), compare_names);
	const char **names = arena_new(arena, used ? used : 1, sizeof(*names));
	*count = 0;
	for (size_t i = 0; i < used; i++)
		if (!i || compare_names(&all[i - 1], &all[i]) != 0)
			names[(*count)++] = all[i].text;
	mem_free(all);
	return names;
}

/* The same where all definitions are there, which are by name. */
static const char **names_of_defs(struct arena *arena, struct index *index)
{
	const char **names = arena_new(arena, index->count ? index->count : 1, sizeof(*names));
	for (size_t i = 0; i < index->count; i++)
		if (!i || compare_text(index->defs[i - 1].name, index->defs[i].name) != 0)
			names[index->name_count++] = index->defs[i].name;
	return names;
}

/* ---- typedefs of what has another name, and what is only declared ---- */

static int compare_aliases(const void *left, const void *right)
{
	const struct index_alias *a = left, *b = right;
	int order = compare_text(a->name, b->name);
	if (!order)
		order = compare_text(a->scope, b->scope);
	if (!order)
		order = compare_text(a->target_scope, b->target_scope);
	if (!order)
		order = compare_text(a->target, b->target);
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

static void merge_aliases(struct arena *arena, const struct worker *workers, size_t jobs,
	const struct patterns *patterns, struct index *ret)
{
	size_t total = 0, count = 0, kept = 0;
	for (size_t i = 0; i < jobs; i++)
		total += workers[i].alias_count;
	if (!total)
		return;
	bool *has_def = mem_new(patterns->count, sizeof(*has_def));
	for (size_t p = 0; p < patterns->count; p++)
		for (size_t i = 0; i < ret->count && !has_def[p]; i++)
			has_def[p] = selects(&patterns->items[p], &ret->defs[i]);
	struct index_alias *aliases = arena_new(arena, total, sizeof(*aliases));
	for (size_t i = 0; i < jobs; i++)
		for (size_t j = 0; j < workers[i].alias_count; j++)
			if (selects_alias(patterns, has_def, &workers[i].aliases[j].names))
				aliases[count++] = workers[i].aliases[j].names;
	mem_free(has_def);
	if (count)
		qsort(aliases, count, sizeof(*aliases), compare_aliases);
	for (size_t i = 0; i < count; i++)
		if (!kept || compare_aliases(&aliases[kept - 1], &aliases[i]) != 0)
			aliases[kept++] = aliases[i];
	ret->aliases = aliases;
	ret->alias_count = kept;
}

static int compare_strings(const void *left, const void *right)
{
	const char *const *a = left, *const *b = right;
	return strcmp(*a, *b);
}

static void merge_declared(
	struct arena *arena, const struct worker *workers, size_t jobs, struct index *ret)
{
	size_t capacity = 0, count = 0, kept = 0;
	const char **declared = NULL;
	for (size_t i = 0; i < jobs; i++)
		for (size_t j = 0; j < workers[i].names.count; j++) {
			const struct name *name = &workers[i].names.items[j];
			if (!name->is_declared || index_has_name(ret, name->text))
				continue;
			declared = arena_grow(
				arena, declared, &capacity, count + 1, sizeof(*declared));
			declared[count++] = name->text;
		}
	if (count)
		qsort(declared, count, sizeof(*declared), compare_strings);
	for (size_t i = 0; i < count; i++)
		if (!kept || strcmp(declared[kept - 1], declared[i]) != 0)
			declared[kept++] = declared[i];
	ret->declared = declared;
	ret->declared_count = kept;
}

void merge_workers(struct arena *arena, struct worker *workers, size_t jobs,
	const struct patterns *patterns, struct index *ret)
{
	size_t count;
	struct index_def *defs = merge_entries(arena, workers, jobs, &count);
	count_layouts(defs, count);
	bool all_found;
	count = filter(patterns, defs, count, &all_found);
	qsort(defs, count, sizeof(*defs), compare_defs);
	ret->defs = defs;
	ret->count = count;
	ret->has_names = !all_found && !patterns->seek;
	if (ret->has_names)
		ret->names = patterns->items ? sorted_names(arena, workers, jobs, &ret->name_count)
					     : names_of_defs(arena, ret);
	merge_aliases(arena, workers, jobs, patterns, ret);
	merge_declared(arena, workers, jobs, ret);
	for (size_t i = 0; i < jobs; i++) {
		ret->split_units += workers[i].split_units;
		ret->definitions_seen += workers[i].candidates.definitions;
		arena_absorb(arena, &workers[i].arena);
	}
}

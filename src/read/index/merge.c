#include "read/index/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "read/index/collate.h"

/* All workers' entries, one behind the other. */
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
	*count = total;
	return defs;
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
	return collate_compare_text(a->text, b->text);
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

/* ---- typedefs of what has another name, and what is only declared ---- */

static void merge_aliases(struct arena *arena, const struct worker *workers, size_t jobs,
	const struct patterns *patterns, struct index *ret)
{
	size_t total = 0, count = 0;
	for (size_t i = 0; i < jobs; i++)
		total += workers[i].alias_count;
	if (!total)
		return;
	struct index_alias *aliases = arena_new(arena, total, sizeof(*aliases));
	for (size_t i = 0; i < jobs; i++)
		for (size_t j = 0; j < workers[i].alias_count; j++)
			aliases[count++] = workers[i].aliases[j].names;
	collate_aliases(patterns, aliases, count, ret);
}

static void merge_declared(
	struct arena *arena, const struct worker *workers, size_t jobs, struct index *ret)
{
	size_t capacity = 0, count = 0;
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
	ret->declared = declared;
	ret->declared_count = collate_names(declared, count);
}

void merge_workers(struct arena *arena, struct worker *workers, size_t jobs,
	const struct patterns *patterns, struct index *ret)
{
	size_t count;
	struct index_def *defs = merge_entries(arena, workers, jobs, &count);
	bool all_found;
	ret->count = collate_defs(patterns, defs, count, &all_found);
	ret->defs = defs;
	ret->has_names = !all_found && !patterns->seek;
	if (ret->has_names && patterns->items)
		ret->names = sorted_names(arena, workers, jobs, &ret->name_count);
	else if (ret->has_names)
		collate_names_of_defs(arena, ret);
	merge_aliases(arena, workers, jobs, patterns, ret);
	merge_declared(arena, workers, jobs, ret);
	for (size_t i = 0; i < jobs; i++) {
		ret->split_units += workers[i].split_units;
		ret->definitions_seen += workers[i].candidates.definitions;
		arena_absorb(arena, &workers[i].arena);
	}
}

#include "read/index.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "read/index/merge.h"
#include "read/index/pattern.h"
#include "read/index/probe.h"
#include "read/index/seek.h"
#include "read/index/unit.h"
#include "read/index/worker.h"

enum {
	CHUNK_BYTES = 512 * 1024, /* of .debug_info that a thread takes at a time */
	JOBS_LIMIT = 256,
};

static unsigned processor_count(void)
{
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return 1;
	return (unsigned)CPU_COUNT(&set);
}

/* Cuts the units into chunks of about CHUNK_BYTES; returns the limits, which the caller frees. */
static size_t *cut_chunks(const struct units *units, size_t *count)
{
	size_t *limits = mem_new(units->count + 1, sizeof(*limits));
	uint64_t start = 0;
	*count = 0;
	for (size_t i = 0; i < units->count; i++) {
		if (units->items[i].end - start < CHUNK_BYTES && i + 1 < units->count)
			continue;
		limits[++*count] = i + 1;
		start = units->items[i].end;
	}
	return limits;
}

static int compare_damages(const void *left, const void *right)
{
	const struct unit_damage *a = left, *b = right;
	return (a->off > b->off) - (a->off < b->off);
}

static void add_damages(struct unit_damages *all, const struct unit_damages *some)
{
	for (size_t i = 0; i < some->count; i++)
		unit_damages_add(all, some->items[i].off, some->items[i].error);
}

static uint64_t count_lost(const struct worker *workers, size_t jobs)
{
	uint64_t lost = 0;
	for (size_t i = 0; i < jobs; i++)
		lost += workers[i].candidates.lost;
	return lost;
}

/* What the headers and the workers have met; a unit in which several definitions are damaged is told once. */
static void merge_damage(struct arena *arena, const struct object *object,
	const struct units *units, const struct worker *workers, size_t jobs, struct index *ret)
{
	struct unit_damages all = {0}; /* the errors stay where they are */
	add_damages(&all, &units->damages);
	for (size_t i = 0; i < jobs; i++)
		add_damages(&all, &workers[i].damages);
	if (all.count)
		qsort(all.items, all.count, sizeof(*all.items), compare_damages);
	uint64_t lost = count_lost(workers, jobs);
	const char **damage = arena_new(arena, all.count + 1, sizeof(*damage));
	for (size_t i = 0; i < all.count; i++)
		damage[i] = arena_strdup(arena, all.items[i].error->message);
	if (lost)
		damage[all.count] = arena_printf(arena,
			"%s: type units are not here that the others refer to (%" PRIu64 " time%s); "
			"the debug information is damaged, rebuild the file or take an intact copy",
			object_debug_path(object), lost, number_s(lost));
	ret->damage = damage;
	ret->damage_count = all.count + (lost != 0);
	mem_free(all.items);
}

static void run_workers(struct worker *workers, size_t jobs)
{
	size_t started = 1;
	while (started < jobs &&
		pthread_create(&workers[started].thread, NULL, worker_run, &workers[started]) == 0)
		started++;
	worker_run(
		&workers[0]); /* takes over what threads that could not be started would have done */
	for (size_t i = 1; i < started; i++)
		pthread_join(workers[i].thread, NULL);
}

static bool is_borne(const struct worker *workers, size_t jobs, const char *name)
{
	for (size_t i = 0; i < jobs; i++)
		if (names_are_borne(&workers[i].names, name))
			return true;
	return false;
}

/* Those of companions are behind them. */
static size_t own_units(const struct shared *shared)
{
	size_t count = shared->units->count;
	while (count && shared->units->items[count - 1].object != shared->object)
		count--;
	return count;
}

static void scan(struct arena *arena, struct shared *shared, unsigned jobs, const char *probed,
	struct index *ret)
{
	struct worker *workers = mem_new(jobs, sizeof(*workers));
	for (size_t i = 0; i < jobs; i++)
		worker_init(&workers[i], shared);
	run_workers(workers, jobs);
	*ret = (struct index){.unit_count = own_units(shared),
		.dwarf_version = shared->units->version,
		.has_probe = probed && is_borne(workers, jobs, probed)};
	merge_damage(arena, shared->object, shared->units, workers, jobs, ret);
	merge_workers(arena, workers, jobs, shared->patterns, ret);
	for (size_t i = 0; i < jobs; i++)
		worker_release(&workers[i]);
	mem_free(workers);
}

enum pass { PASS_DEFINITIONS, PASS_OTHERS };

/*
 * May the scan go by where the names stand? What it then does not see is asked at once: *has_probe.
 */
static bool may_seek(const struct object *object, const struct units *units,
	const struct index_query *query, const struct patterns *patterns, struct seek *seek,
	bool *has_probe)
{
	if (object->companion_count || !seek_init(seek, object, patterns))
		return false;
	*has_probe = query->probe && probe(object, units, query->probe);
	return !query->probe || *has_probe || seek_add(seek, object, query->probe);
}

/* One pass over the units. */
static void build(struct arena *arena, const struct object *object, const struct units *units,
	const struct index_query *query, enum pass pass, struct index *ret)
{
	struct patterns patterns;
	struct seek seek;
	bool has_probe = false;
	patterns_init(&patterns, arena, query->patterns, query->pattern_count);
	patterns.with_others = pass == PASS_OTHERS;
	if (pass == PASS_DEFINITIONS &&
		may_seek(object, units, query, &patterns, &seek, &has_probe))
		patterns.seek = &seek;
	size_t chunk_count;
	size_t *chunks = cut_chunks(units, &chunk_count);
	struct shared shared = {.object = object,
		.units = units,
		.patterns = &patterns,
		.chunks = chunks,
		.chunk_count = chunk_count};
	size_t jobs = query->jobs ? query->jobs : processor_count();
	if (jobs > JOBS_LIMIT)
		jobs = JOBS_LIMIT;
	if (jobs > chunk_count)
		jobs = chunk_count ? chunk_count : 1;
	scan(arena, &shared, (unsigned)jobs, query->probe, ret);
	ret->has_probe |= has_probe;
	mem_free(chunks);
	patterns_release(&patterns);
}

/* A NAME that means the target of an alias, and little else. */
static const char *target_pattern(struct arena *arena, const struct index_alias *alias)
{
	const char *keyword = alias->kind == TYPE_UNION ? "union" : "struct";
	return alias->target_scope ? arena_printf(arena, "%s ::%s::%s", keyword,
					     alias->target_scope, alias->target)
				   : arena_printf(arena, "%s ::%s", keyword, alias->target);
}

/* Once more, with the targets of the aliases: which names they have, only the pass before can show. */
static void build_with_targets(struct arena *arena, const struct object *object,
	const struct units *units, const struct index_query *query, struct index *ret)
{
	struct index_query wider = *query;
	const char **patterns =
		arena_new(arena, query->pattern_count + ret->alias_count, sizeof(*patterns));
	for (size_t i = 0; i < query->pattern_count; i++)
		patterns[i] = query->patterns[i];
	for (size_t i = 0; i < ret->alias_count; i++)
		patterns[query->pattern_count + i] = target_pattern(arena, &ret->aliases[i]);
	wider.patterns = patterns;
	wider.pattern_count = query->pattern_count + ret->alias_count;
	struct index index;
	build(arena, object, units, &wider, PASS_OTHERS, &index);
	index.aliases = ret->aliases;
	index.alias_count = ret->alias_count;
	*ret = index;
}

/*
 * May a DIE have this name? Names shorter than an offset stand in .debug_info itself, and all of
 * them do where there is no .debug_str.
 */
static bool may_be_there(const struct object *object, const char *name)
{
	enum { INLINE_MOST = 4 };
	const struct object_section *strings = &object->sections[OBJECT_DEBUG_STR];
	size_t length = strlen(name);
	return length < INLINE_MOST || !strings->size || object->companion_count ||
	       memmem(strings->data, strings->size, name, length + 1);
}

static bool any_part_may_be_there(const struct object *object, const char *literal)
{
	for (const char *at = literal; at; at = strstr(at, "::")) {
		at += at == literal ? 0 : 2;
		if (may_be_there(object, at))
			return true;
	}
	return false;
}

/* Is there a NAME, written out, that means no definition and is that of something else? */
static bool wants_others(
	const struct object *object, const struct index_query *query, const struct index *index)
{
	bool wants = false;
	struct arena arena;
	arena_init(&arena);
	for (size_t i = 0; query->patterns && i < query->pattern_count && !wants; i++) {
		struct pattern pattern;
		bool found = false;
		pattern_read(&arena, query->patterns[i], &pattern);
		for (size_t j = 0; j < index->count && !found; j++)
			found = pattern_allows_kind(&pattern, index->defs[j].kind) &&
				(pattern_matches(&pattern, index->defs[j].scope,
					 index->defs[j].name) ||
					pattern_matches_respelt(&pattern, index->defs[j].scope,
						index->defs[j].name));
		wants = !found && !pattern.is_glob &&
			any_part_may_be_there(object, pattern.literal);
	}
	arena_release(&arena);
	return wants;
}

static bool has_packages(const struct index *index)
{
	for (size_t i = 0; i < index->count; i++)
		if (strchr(index->defs[i].name, '.'))
			return true;
	return false;
}

struct error *index_build(struct arena *arena, const struct object *object,
	const struct index_query *query, struct index *ret)
{
	struct units units;
	struct index index;
	units_read(object, &units);
	build(arena, object, &units, query, PASS_DEFINITIONS, &index);
	if (wants_others(object, query, &index))
		build(arena, object, &units, query, PASS_OTHERS, &index);
	if (index.alias_count)
		build_with_targets(arena, object, &units, query, &index);
	units_release(&units);
	if (query->patterns && !query->pattern_count)
		index.damage_count = 0; /* of nothing that was asked for */
	if (index.damage_count && !index.count)
		return error_new("%s", index.damage[0]);
	if (index.split_units > object->skeleton_count)
		index.split_units -= object->skeleton_count; /* of which the split units are here */
	else
		index.split_units = 0;
	index.has_packages = has_packages(&index);
	*ret = index;
	return NULL;
}

static bool contains(const char *const *names, size_t count, const char *name)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(names[middle], name);
		if (!order)
			return true;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

size_t index_first(const struct index *index, const char *name)
{
	size_t low = 0, high = index->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strcmp(index->defs[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool index_has_name(const struct index *index, const char *name)
{
	return contains(index->names, index->name_count, name);
}

bool index_is_declared(const struct index *index, const char *name)
{
	return contains(index->declared, index->declared_count, name);
}

bool index_name_matches(const char *pattern, const char *scope, const char *name)
{
	if (strcmp(pattern, name) == 0)
		return true;
	struct arena arena;
	struct pattern read;
	arena_init(&arena);
	pattern_read(&arena, pattern, &read);
	bool matches = pattern_matches(&read, scope, name);
	arena_release(&arena);
	return matches;
}

bool index_name_is_respelt(const char *pattern, const char *scope, const char *name)
{
	if (!strchr(pattern, '<'))
		return false;
	struct arena arena;
	struct pattern read;
	arena_init(&arena);
	pattern_read(&arena, pattern, &read);
	bool matches = pattern_matches_respelt(&read, scope, name);
	arena_release(&arena);
	return matches;
}

bool index_is_glob(const char *pattern)
{
	return pattern_is_glob(pattern);
}

#include "read/index/worker.h"

#include <string.h>

#include "base/mem.h"
#include "read/index/alias.h"

void worker_init(struct worker *worker, struct shared *shared)
{
	memset(worker, 0, sizeof(*worker));
	worker->shared = shared;
	arena_init(&worker->arena);
	intern_init(&worker->scopes, &worker->arena);
	dies_init(&worker->dies, shared->object, shared->units);
	worker->dies.is_mapped =
		!shared->patterns->items; /* for the reader of so many definitions */
	names_init(&worker->names, shared->patterns);
	candidates_init(&worker->candidates);
	fold_init(&worker->by_place, &worker->dies, FOLD_BY_PLACE);
	fold_init(&worker->by_text, &worker->dies, FOLD_BY_TEXT);
	map_init(&worker->places);
	map_init(&worker->texts);
	map_init(&worker->alias_map);
}

void worker_release(struct worker *worker)
{
	intern_release(&worker->scopes);
	arena_release(&worker->arena);
	dies_release(&worker->dies);
	names_release(&worker->names);
	fold_release(&worker->by_place);
	fold_release(&worker->by_text);
	map_release(&worker->places);
	map_release(&worker->texts);
	map_release(&worker->alias_map);
	mem_free(worker->aliases);
	candidates_release(&worker->candidates);
	mem_free(worker->entries);
	unit_damages_release(&worker->damages);
}

/* The name under which a candidate's layout is filed, without the layout. Never 0 with a hash added. */
static uint64_t file_key(const struct candidate *candidate, const char *scope)
{
	uint64_t hash = die_hash_add(DIE_HASH_START, candidate->name);
	hash = die_hash_add(hash, (uint64_t)(uintptr_t)scope);
	return die_hash_add(hash, (uint64_t)candidate->kind << 1 | candidate->is_typedef);
}

static bool is_same(const struct entry *entry, const struct candidate *candidate, const char *scope,
	uint64_t hash)
{
	return entry->name == candidate->name && entry->def.scope == scope &&
	       entry->def.kind == candidate->kind &&
	       entry->def.is_typedef == candidate->is_typedef && entry->def.hash == hash;
}

/* The entry of this layout, made when there is none; SIZE_MAX after damage. */
static size_t entry_of(
	struct worker *worker, const struct candidate *candidate, const char *scope, bool is_local)
{
	uint64_t hash = fold_definition(&worker->by_text, candidate->die_off);
	if (worker->dies.error)
		return SIZE_MAX;
	uint64_t key = die_hash_add(file_key(candidate, scope), hash) | 1;
	const uint64_t *found;
	for (; (found = map_find(&worker->texts, key)); key = die_hash_end(key) | 1)
		if (is_same(&worker->entries[*found], candidate, scope, hash))
			return *found;
	const struct view *view = dies_view(&worker->dies, candidate->die_off);
	worker->entries = mem_grow(worker->entries, &worker->entry_capacity,
		worker->entry_count + 1, sizeof(*worker->entries));
	worker->entries[worker->entry_count] = (struct entry){.name = candidate->name,
		.def = {.name = worker->names.items[candidate->name].text,
			.scope = scope,
			.kind = candidate->kind,
			.is_typedef = candidate->is_typedef,
			.is_local = is_local,
			.die_off = candidate->die_off,
			.unit_off = view ? view->unit->off : 0,
			.hash = hash}};
	map_add(&worker->texts, key, worker->entry_count);
	return worker->entry_count++;
}

/*
 * Of a typedef in one unit to an unnamed aggregate in another: do both lie in the same scope? Within a unit the scan
 * has asked that.
 */
static bool is_beside(struct worker *worker, const struct candidate *candidate, const char *scope)
{
	bool is_local;
	struct die named;
	struct dies *dies = &worker->dies;
	if (!candidate->is_typedef || dies->main.is_c ||
		dies_view(dies, candidate->die_off) == &dies->main)
		return true;
	return scan_read_named(dies, candidate->die_off, &named) &&
	       scan_scope_text(dies, &worker->scopes, named.off, &is_local) == scope;
}

static void file_candidate(struct worker *worker, const struct candidate *candidate)
{
	bool is_local = false;
	const char *scope = NULL;
	if (!candidate->at_file_scope)
		scope = scan_scope_text(
			&worker->dies, &worker->scopes, candidate->named_off, &is_local);
	if (!is_beside(worker, candidate, scope))
		return;
	uint64_t place = fold_definition(&worker->by_place, candidate->die_off);
	uint64_t key = die_hash_end(die_hash_add(file_key(candidate, scope), place)) | 1;
	if (worker->dies.error)
		return;
	const uint64_t *found = map_find(&worker->places, key);
	size_t entry = found ? *found : entry_of(worker, candidate, scope, is_local);
	if (entry == SIZE_MAX)
		return;
	if (!found)
		map_add(&worker->places, key, entry);
	worker->entries[entry].def.copies++;
	if (candidate->die_off < worker->entries[entry].def.die_off) {
		const struct view *view = dies_view(&worker->dies, candidate->die_off);
		worker->entries[entry].def.die_off = candidate->die_off;
		worker->entries[entry].def.unit_off = view ? view->unit->off : 0;
	}
}

static bool is_same_alias(const struct alias *alias, uint32_t name, const char *scope,
	const struct alias_target *target)
{
	return alias->name == name && alias->names.scope == scope &&
	       alias->names.kind == target->kind && alias->names.target_scope == target->scope &&
	       strcmp(alias->names.target, target->name) == 0;
}

/* Notes where a typedef leads, once. */
static void file_alias(struct worker *worker, const struct candidate *candidate)
{
	bool is_local;
	struct alias_target target;
	struct dies *dies = &worker->dies;
	const char *scope = scan_scope_text(dies, &worker->scopes, candidate->named_off, &is_local);
	if (dies->error || !alias_follow(dies, &worker->scopes, candidate->named_off, &target) ||
		target.kind == TYPE_VOID)
		return;
	uint64_t key = die_hash_add(DIE_HASH_START, candidate->name);
	key = die_hash_add(key, (uint64_t)(uintptr_t)scope);
	key = die_hash_add(key, (uint64_t)(uintptr_t)target.scope);
	key = die_hash_add(key, (uint64_t)target.kind);
	key = die_hash_end(die_hash_add(key, die_hash_bytes(target.name, strlen(target.name)))) | 1;
	const uint64_t *found;
	for (; (found = map_find(&worker->alias_map, key)); key = die_hash_end(key) | 1)
		if (is_same_alias(&worker->aliases[*found], candidate->name, scope, &target))
			return;
	map_add(&worker->alias_map, key, worker->alias_count);
	worker->aliases = mem_grow(worker->aliases, &worker->alias_capacity,
		worker->alias_count + 1, sizeof(*worker->aliases));
	worker->aliases[worker->alias_count++] = (struct alias){.name = candidate->name,
		.names = {.name = worker->names.items[candidate->name].text,
			.scope = scope,
			.kind = target.kind,
			.target = target.name,
			.target_scope = target.scope}};
}

/* After damage: notes it, once a unit, and forgets what it may have left half-done. */
static void note_damage(struct worker *worker, const struct unit *unit)
{
	struct unit_damages *damages = &worker->damages;
	struct dies *dies = &worker->dies;
	if (!dies->error)
		return;
	if (damages->count && damages->items[damages->count - 1].off == unit->off)
		error_free(dies->error);
	else
		unit_damages_add(damages, unit->off, dies->error);
	dies->error = NULL;
	fold_release(&worker->by_place);
	fold_release(&worker->by_text);
	fold_init(&worker->by_place, dies, FOLD_BY_PLACE);
	fold_init(&worker->by_text, dies, FOLD_BY_TEXT);
}

static void read_unit(struct worker *worker, const struct unit *unit)
{
	enum { DAMAGED_MOST = 32 }; /* definitions, before the unit is given up */
	struct candidate_list *wanted = &worker->candidates.wanted;
	struct candidate_list *aliases = &worker->candidates.aliases;
	struct dies *dies = &worker->dies;
	size_t left = DAMAGED_MOST;
	wanted->count = aliases->count = 0;
	if (unit->is_idle)
		return;
	if (dies_open(dies, unit)) {
		scan_unit(dies, &worker->names, &worker->candidates);
		worker->split_units += dies->main.is_skeleton;
		worker->candidates.lost += !worker->shared->patterns->items &&
					   dies->table.has_signatures &&
					   !worker->shared->units->signature_count;
	}
	note_damage(worker, unit);
	for (size_t i = 0; i < wanted->count && left; i++) {
		file_candidate(worker, &wanted->items[i]);
		left -= dies->error != NULL;
		note_damage(worker, unit);
	}
	for (size_t i = 0; i < aliases->count && left; i++) {
		file_alias(worker, &aliases->items[i]);
		left -= dies->error != NULL;
		note_damage(worker, unit);
	}
}

void *worker_run(void *argument)
{
	struct worker *worker = argument;
	struct shared *shared = worker->shared;
	for (;;) {
		size_t chunk = atomic_fetch_add(&shared->next, 1);
		if (chunk >= shared->chunk_count)
			break;
		worker->dies.ahead = shared->units->items[shared->chunks[chunk + 1] - 1].end;
		for (size_t i = shared->chunks[chunk]; i < shared->chunks[chunk + 1]; i++)
			read_unit(worker, &shared->units->items[i]);
	}
	return NULL;
}

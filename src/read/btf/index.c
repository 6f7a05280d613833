#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "read/btf.h"
#include "read/btf/part.h"
#include "read/btf/same.h"
#include "read/index/collate.h"
#include "read/index/die.h"
#include "read/index/pattern.h"

enum { HOPS_MAX = 32 }; /* typedefs and qualifiers on the way */

/* What a scan over all types collects. */
struct scan {
	const struct btf_file *file;
	const struct patterns *patterns;
	const char *probe;
	struct index_def *defs; /* owned */
	size_t def_count, def_capacity;
	const char **declared; /* owned */
	size_t declared_count, declared_capacity;
	bool has_probe;
};

static enum type_kind aggregate_kind(const struct btf_type *type)
{
	return btf_is_struct(type) ? TYPE_STRUCT : btf_is_union(type) ? TYPE_UNION : TYPE_VOID;
}

static void add_def(struct scan *scan, size_t part, uint32_t id, const char *name,
	enum type_kind kind, bool is_typedef)
{
	scan->defs =
		mem_grow(scan->defs, &scan->def_capacity, scan->def_count + 1, sizeof(*scan->defs));
	scan->defs[scan->def_count++] = (struct index_def){
		.name = name,
		.kind = kind,
		.is_typedef = is_typedef,
		.die_off = part_place(part, id),
		.unit_off = part,
		.copies = 1,
	};
	scan->has_probe |= scan->probe && strcmp(scan->probe, name) == 0;
}

/* The unnamed aggregate that a typedef of `id` names, through qualifiers; 0: none. */
static uint32_t unnamed_aggregate(const struct btf_part *part, uint32_t id)
{
	for (int hops = 0; hops < HOPS_MAX; hops++) {
		const struct btf_type *type = part_type(part, id);
		if (aggregate_kind(type) != TYPE_VOID)
			return *part_name(part, type->name_off) ? 0 : id;
		if (!part_is_qualifier(type))
			return 0;
		id = type->type;
	}
	return 0;
}

static void note_type(struct scan *scan, size_t at, uint32_t id)
{
	const struct btf_part *part = &scan->file->parts[at];
	const struct btf_type *type = part_type(part, id);
	const char *name = part_name(part, type->name_off);
	enum type_kind kind = aggregate_kind(type);
	if (!*name)
		return;
	if (kind != TYPE_VOID) {
		add_def(scan, at, id, name, kind, false);
	} else if (btf_is_typedef(type)) {
		uint32_t target = unnamed_aggregate(part, type->type);
		if (target)
			add_def(scan, at, target, name, aggregate_kind(part_type(part, target)),
				true);
	} else if (btf_is_fwd(type)) {
		scan->declared = mem_grow(scan->declared, &scan->declared_capacity,
			scan->declared_count + 1, sizeof(*scan->declared));
		scan->declared[scan->declared_count++] = name;
	}
}

/* Of a base only what is meant by a NAME that is written out: it holds a whole kernel. */
static void note_of_base(struct scan *scan, uint32_t id)
{
	const struct btf_part *part = &scan->file->parts[0];
	const struct btf_type *type = part_type(part, id);
	const char *name = part_name(part, type->name_off);
	if (btf_is_struct(type) && scan->probe && strcmp(scan->probe, name) == 0)
		scan->has_probe = true;
	if (scan->patterns->items &&
		patterns_mean_exactly(scan->patterns, name, die_hash_bytes(name, strlen(name))))
		note_type(scan, 0, id);
}

static void scan_types(struct scan *scan)
{
	const struct btf_file *file = scan->file;
	for (size_t at = 0; at < file->part_count; at++) {
		const struct btf_part *part = &file->parts[at];
		/* the base stands in the first part: once is enough */
		for (uint32_t id = 1; at == 0 && id < part->first; id++)
			note_of_base(scan, id);
		for (uint32_t id = part->first; id < part->end; id++)
			note_type(scan, at, id);
	}
}

/* ---- layouts ---- */

struct place {
	const char *name;
	size_t def;
};

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	int order = strcmp(a->name, b->name);
	return order ? order : (a->def > b->def) - (a->def < b->def);
}

/* Only what shares its name with another can be the same as another, unless other files are compared. */
static void hash_layouts(struct scan *scan, bool compares)
{
	size_t part_count = scan->file->part_count;
	struct place *places = mem_new(scan->def_count, sizeof(*places));
	struct btf_same *sames = mem_new(part_count, sizeof(*sames));
	for (size_t i = 0; i < part_count; i++)
		btf_same_init(&sames[i], &scan->file->parts[i]);
	for (size_t i = 0; i < scan->def_count; i++)
		places[i] = (struct place){scan->defs[i].name, i};
	if (scan->def_count)
		qsort(places, scan->def_count, sizeof(*places), compare_places);
	for (size_t i = 0; i < scan->def_count; i++) {
		const char *name = places[i].name;
		bool is_shared = (i && strcmp(places[i - 1].name, name) == 0) ||
				 (i + 1 < scan->def_count && strcmp(places[i + 1].name, name) == 0);
		struct index_def *def = &scan->defs[places[i].def];
		if (is_shared || compares)
			def->hash = btf_same_hash(&sames[def->unit_off], (uint32_t)def->die_off);
	}
	for (size_t i = 0; i < part_count; i++)
		btf_same_release(&sames[i]);
	mem_free(sames);
	mem_free(places);
}

/* ---- typedefs of what has another name ---- */

/* Where the typedef `id` leads, if that has another name. */
static bool follow(const struct btf_part *part, uint32_t id, struct index_alias *ret)
{
	uint32_t inner = id; /* the last typedef on the way */
	const struct btf_type *first = part_type(part, id), *type = first;
	for (int hops = 0; hops < HOPS_MAX; hops++) {
		bool is_typedef = btf_is_typedef(type);
		if (!is_typedef && !part_is_qualifier(type))
			break;
		if (is_typedef)
			inner = id;
		id = type->type;
		type = part_type(part, id);
	}
	enum type_kind kind = aggregate_kind(type);
	if (btf_is_fwd(type))
		kind = btf_kflag(type) ? TYPE_UNION : TYPE_STRUCT;
	const char *tag = part_name(part, type->name_off);
	const struct btf_type *last = part_type(part, inner);
	if (kind == TYPE_VOID || (!*tag && last == first))
		return false;
	*ret = (struct index_alias){
		.name = part_name(part, first->name_off),
		.kind = kind,
		.target = *tag ? tag : part_name(part, last->name_off),
	};
	return true;
}

static void find_aliases(struct arena *arena, const struct scan *scan, struct index *ret)
{
	struct index_alias *aliases = NULL, alias;
	size_t count = 0, capacity = 0;
	for (size_t at = 0; at < scan->file->part_count; at++) {
		const struct btf_part *part = &scan->file->parts[at];
		for (uint32_t id = at ? part->first : 1; id < part->end; id++) {
			const struct btf_type *type = part_type(part, id);
			if (!btf_is_typedef(type))
				continue;
			const char *name = part_name(part, type->name_off);
			if (!patterns_mean_exactly(
				    scan->patterns, name, die_hash_bytes(name, strlen(name))) ||
				!follow(part, id, &alias))
				continue;
			aliases = arena_grow(arena, aliases, &capacity, count + 1, sizeof(alias));
			aliases[count++] = alias;
		}
	}
	if (count)
		collate_aliases(scan->patterns, aliases, count, ret);
}

/* ---- what is declared only ---- */

static bool is_target(const struct index *index, const char *name)
{
	for (size_t i = 0; i < index->alias_count; i++)
		if (strcmp(index->aliases[i].target, name) == 0)
			return true;
	return false;
}

static bool is_defined(const struct index *index, const char *name)
{
	for (size_t i = 0; i < index->count; i++)
		if (strcmp(index->defs[i].name, name) == 0)
			return true;
	return false;
}

static void find_declared(struct arena *arena, struct scan *scan, struct index *ret)
{
	const char **kept = arena_new(arena, scan->declared_count, sizeof(*kept));
	size_t count = 0;
	for (size_t i = 0; i < scan->declared_count; i++) {
		const char *name = scan->declared[i];
		if ((patterns_mean_exactly(
			     scan->patterns, name, die_hash_bytes(name, strlen(name))) ||
			    is_target(ret, name)) &&
			!is_defined(ret, name))
			kept[count++] = name;
	}
	ret->declared = kept;
	ret->declared_count = collate_names(kept, count);
}

/* ---- the index ---- */

/* A pass with the NAMEs of the query, and those of the targets of aliases that the pass before has found. */
static void build(struct arena *arena, const struct btf_file *file, const struct index_query *query,
	const struct index *before, struct index *ret)
{
	struct patterns patterns;
	bool all_found;
	size_t alias_count = before ? before->alias_count : 0;
	const char **names = NULL;
	if (query->patterns) {
		names = arena_new(arena, query->pattern_count + alias_count, sizeof(*names));
		for (size_t i = 0; i < query->pattern_count; i++)
			names[i] = query->patterns[i];
		for (size_t i = 0; i < alias_count; i++)
			names[query->pattern_count + i] = arena_printf(arena, "%s ::%s",
				type_keyword(before->aliases[i].kind), before->aliases[i].target);
	}
	patterns_init(&patterns, arena, names, query->pattern_count + alias_count);
	patterns.with_others = true;
	struct scan scan = {.file = file, .patterns = &patterns, .probe = query->probe};
	scan_types(&scan);
	hash_layouts(&scan, query->compares);
	*ret = (struct index){.unit_count = file->part_count,
		.has_probe = scan.has_probe,
		.has_names = true,
		.definitions_seen = scan.def_count};
	struct index everything = {0};
	struct index_def *defs = arena_copy(arena, scan.defs, scan.def_count, sizeof(*defs));
	if (names) {
		static const struct patterns all;
		everything.defs = scan.defs;
		everything.count = collate_defs(&all, scan.defs, scan.def_count, &all_found);
		collate_names_of_defs(arena, &everything);
	}
	ret->count = collate_defs(&patterns, defs, scan.def_count, &all_found);
	ret->defs = defs;
	ret->names = everything.names;
	ret->name_count = everything.name_count;
	if (!names)
		collate_names_of_defs(arena, ret);
	if (before) {
		ret->aliases = before->aliases;
		ret->alias_count = before->alias_count;
	} else if (names) {
		find_aliases(arena, &scan, ret);
	}
	if (names)
		find_declared(arena, &scan, ret);
	mem_free(scan.defs);
	mem_free(scan.declared);
	patterns_release(&patterns);
}

struct error *btf_file_index(struct arena *arena, const struct btf_file *file,
	const struct index_query *query, struct index *ret)
{
	struct index index;
	build(arena, file, query, NULL, &index);
	if (index.alias_count)
		build(arena, file, query, &index, ret);
	else
		*ret = index;
	return NULL;
}

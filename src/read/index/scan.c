#include "read/index/scan.h"

#include <string.h>

#include "base/mem.h"
#include "read/dw.h"
#include "read/index/seek.h"

enum {
	DEPTH_LIMIT = 1024, /* of DIEs in each other */
	HOP_LIMIT = 16,     /* from a DIE to the one that it completes, and through qualifiers */
	PREFETCH_BYTES = 1024,
};

void names_init(struct names *names, const struct patterns *patterns)
{
	memset(names, 0, sizeof(*names));
	names->patterns = patterns;
	map_init(&names->by_key);
	map_init(&names->by_hash);
}

void names_release(struct names *names)
{
	map_release(&names->by_key);
	map_release(&names->by_hash);
	mem_free(names->items);
	memset(names, 0, sizeof(*names));
}

bool names_are_borne(const struct names *names, const char *text)
{
	const uint64_t *found;
	uint64_t key = die_hash_bytes(text, strlen(text)) | 1;
	for (; (found = map_find(&names->by_hash, key)); key = die_hash_end(key) | 1)
		if (strcmp(names->items[*found].text, text) == 0)
			return names->items[*found].is_borne;
	return false;
}

void candidates_init(struct candidates *candidates)
{
	memset(candidates, 0, sizeof(*candidates));
}

void candidates_release(struct candidates *candidates)
{
	mem_free(candidates->wanted.items);
	mem_free(candidates->aliases.items);
	mem_free(candidates->typedefs.items);
	candidates_init(candidates);
}

static uint32_t names_add(
	struct names *names, struct dies *dies, const struct view *view, const struct value *value)
{
	const char *text = die_string(dies, view, value);
	uint64_t hash = die_hash_bytes(text, strlen(text));
	uint64_t key = hash | 1;
	for (;; key = die_hash_end(key) | 1) {
		const uint64_t *found = map_find(&names->by_hash, key);
		if (!found)
			break;
		if (strcmp(names->items[*found].text, text) == 0)
			return (uint32_t)*found;
	}
	map_add(&names->by_hash, key, names->count);
	names->items =
		mem_grow(names->items, &names->capacity, names->count + 1, sizeof(*names->items));
	names->items[names->count] = (struct name){.text = die_kept_string(dies, view, value),
		.is_empty = !*text,
		.is_wanted = patterns_may_mean(names->patterns, text, hash),
		.is_exact = patterns_mean_exactly(names->patterns, text, hash)};
	return (uint32_t)names->count++;
}

static uint32_t names_find(
	struct names *names, struct dies *dies, const struct view *view, const struct value *value)
{
	if (value->class == VALUE_STRING)
		return names_add(names, dies, view, value);
	uint64_t key = die_string_key(dies, view, value);
	const uint64_t *found = map_find(&names->by_key, key);
	if (found)
		return (uint32_t)*found;
	uint32_t name = names_add(names, dies, view, value);
	map_add(&names->by_key, key, name);
	return name;
}

enum type_kind scan_kind(uint16_t tag)
{
	switch (tag) {
	case DW_TAG_structure_type:
		return TYPE_STRUCT;
	case DW_TAG_union_type:
		return TYPE_UNION;
	case DW_TAG_class_type:
		return TYPE_CLASS;
	default:
		return TYPE_VOID;
	}
}

/* What the walk over one unit carries along. */
struct walk {
	struct dies *dies;
	struct view *view;
	struct names *names; /* NULL: only the scopes are wanted */
	struct candidates *candidates;
	uint32_t scope;     /* in which the DIE at hand lies */
	const uint8_t *hit; /* SCAN_SEEKING: the next place where a wanted name may stand */
	size_t depth;
	uint32_t outer[DEPTH_LIMIT]; /* the scope around the children at each depth */
};

static bool enter(struct walk *walk, const uint8_t *die)
{
	if (walk->depth == DEPTH_LIMIT) {
		dies_fail(walk->dies, (uint64_t)(die - walk->view->info),
			"DIEs are nested more than 1024 deep");
		return false;
	}
	walk->outer[walk->depth++] = walk->scope;
	return true;
}

static bool enter_scope(struct walk *walk, const struct abbrev *abbrev, const uint8_t *die)
{
	struct view *view = walk->view;
	if (!enter(walk, die))
		return false;
	if (view->scope_count == view->scope_capacity)
		view->scopes = mem_grow(view->scopes, &view->scope_capacity, view->scope_count + 1,
			sizeof(*view->scopes));
	view->scopes[view->scope_count] = (struct scope){.off = (uint64_t)(die - view->info),
		.end = view->unit->end,
		.parent = walk->scope,
		.tag = abbrev->tag};
	walk->scope = (uint32_t)view->scope_count++;
	return true;
}

static void leave(struct walk *walk, const uint8_t *p)
{
	uint32_t outer = walk->outer[--walk->depth];
	if (outer != walk->scope)
		walk->view->scopes[walk->scope].end = (uint64_t)(p - walk->view->info);
	walk->scope = outer;
}

static void add_candidate(struct candidate_list *list, struct candidate candidate)
{
	if (list->count == list->capacity)
		list->items = mem_grow(
			list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	list->items[list->count++] = candidate;
}

static void note_candidate(struct walk *walk, struct candidate candidate)
{
	struct name *name = &walk->names->items[candidate.name];
	if (name->is_empty)
		return;
	name->is_borne = true;
	walk->candidates->definitions++;
	if (name->is_wanted || (walk->names->patterns->any_scoped_name && !walk->view->is_c))
		add_candidate(&walk->candidates->wanted, candidate);
}

/*
 * The DIE that `die` completes, found through DW_AT_specification; false when it has none or after damage.
 */
static bool read_declaration(
	struct dies *dies, const struct die *die, enum die_slot slot, struct die *ret)
{
	uint64_t off;
	return die_refers(dies, die, slot, &off) && die_read_at(dies, off, ret);
}

/* A definition whose name is in its declaration (section 2.13). */
static bool note_completion(struct walk *walk, const struct die *die, enum type_kind kind)
{
	struct die current = *die, declaration;
	for (int hops = 0; hops < HOP_LIMIT; hops++) {
		if (!read_declaration(walk->dies, &current, SLOT_SPECIFICATION, &declaration))
			return !walk->dies->error;
		if (die_has(&declaration, SLOT_NAME)) {
			uint32_t name = names_find(walk->names, walk->dies, declaration.view,
				&declaration.values[SLOT_NAME]);
			note_candidate(walk, (struct candidate){die->off, declaration.off, name,
						     kind, false, false});
			return !walk->dies->error;
		}
		current = declaration;
	}
	return true;
}

/* Whoever asks for it by name is told that it is no more than this. */
static __attribute__((noinline)) bool note_declaration(
	struct walk *walk, const struct abbrev *abbrev, const uint8_t *p)
{
	struct value value;
	struct dies *dies = walk->dies;
	struct view *view = walk->view;
	if (scan_kind(abbrev->tag) == TYPE_VOID || !(abbrev->slots & 1u << SLOT_NAME))
		return true;
	const uint8_t *fixed = die_fixed(dies, view, abbrev, p);
	if (!fixed)
		return false;
	if (!die_quick_name(view, abbrev, p, fixed, &value)) {
		struct die die;
		if (!die_read(dies, view, abbrev, p, &die))
			return false;
		value = die.values[SLOT_NAME];
	}
	uint32_t index = names_find(walk->names, dies, view, &value); /* may move the items */
	struct name *name = &walk->names->items[index];
	name->is_declared |= name->is_exact;
	return !dies->error;
}

/* A declaration that stands for a type unit: is that there? Only who wants everything is told. */
static __attribute__((noinline)) bool note_type_unit(
	struct walk *walk, const struct abbrev *abbrev, const uint8_t *p)
{
	struct die die;
	if (walk->names->patterns->items)
		return true;
	if (!die_read(walk->dies, walk->view, abbrev, p, &die))
		return false;
	if (die_has(&die, SLOT_SIGNATURE) &&
		!units_find_signature(walk->dies->units, die.values[SLOT_SIGNATURE].number))
		walk->candidates->lost++;
	return true;
}

static bool note_aggregate(
	struct walk *walk, const struct abbrev *abbrev, const uint8_t *die, const uint8_t *p)
{
	enum { SPECIAL = 1u << SLOT_DECLARATION | 1u << SLOT_SPECIFICATION | 1u << SLOT_SIGNATURE };
	struct dies *dies = walk->dies;
	struct view *view = walk->view;
	uint64_t off = (uint64_t)(die - view->info);
	enum type_kind kind = scan_kind(abbrev->tag);
	if (abbrev->slots & 1u << SLOT_SIGNATURE && !note_type_unit(walk, abbrev, p))
		return false;
	if (!(abbrev->slots & (1u << SLOT_NAME | 1u << SLOT_SPECIFICATION)))
		return true;
	struct value value;
	const uint8_t *fixed = die_fixed(dies, view, abbrev, p);
	if (!fixed)
		return false;
	if (!(abbrev->slots & SPECIAL) && die_quick_name(view, abbrev, p, fixed, &value)) {
		uint32_t name = names_find(walk->names, dies, view, &value);
		note_candidate(walk, (struct candidate){off, off, name, kind, false, !walk->scope});
		return !dies->error;
	}
	struct die all;
	if (!die_read(dies, view, abbrev, p, &all))
		return false;
	all.off = off;
	if (die_flag(&all, SLOT_DECLARATION) || die_has(&all, SLOT_SIGNATURE))
		return !walk->names->patterns->with_others || note_declaration(walk, abbrev, p);
	if (!die_has(&all, SLOT_NAME))
		return note_completion(walk, &all, kind);
	struct die
		named; /* in a type unit what has a name may complete a declaration nevertheless */
	if (!scan_read_named(dies, off, &named))
		return false;
	uint32_t name = names_find(walk->names, dies, view, &all.values[SLOT_NAME]);
	note_candidate(walk, (struct candidate){off, named.off, name, kind, false, false});
	return !dies->error;
}

bool scan_is_qualifier(uint16_t tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type ||
	       tag == DW_TAG_packed_type || tag == DW_TAG_immutable_type;
}

/* Has what it completes a name? In a type unit that of an unnamed one has none. */
static bool is_named_elsewhere(struct dies *dies, const struct die *die)
{
	struct die named;
	return die_has(die, SLOT_SPECIFICATION) &&
	       (!scan_read_named(dies, die->off, &named) || die_has(&named, SLOT_NAME));
}

/* The unnamed aggregate that a typedef to `off` names, through qualifiers; 0: none. */
static uint64_t unnamed_aggregate(struct dies *dies, uint64_t off, enum type_kind *kind)
{
	for (int hops = 0; hops < HOP_LIMIT; hops++) {
		struct view *view;
		const uint8_t *p;
		const struct abbrev *abbrev = die_find(dies, off, &view, &p);
		if (!abbrev)
			return 0;
		bool aggregate =
			scan_kind(abbrev->tag) != TYPE_VOID && !(abbrev->slots & 1u << SLOT_NAME);
		if (!aggregate && !scan_is_qualifier(abbrev->tag))
			return 0;
		struct die die;
		if (!die_read(dies, view, abbrev, p, &die))
			return 0;
		die.off = off;
		*kind = scan_kind(abbrev->tag);
		if (aggregate && die_refers(dies, &die, SLOT_SIGNATURE, &off))
			continue;
		if (aggregate)
			return die_flag(&die, SLOT_DECLARATION) || is_named_elsewhere(dies, &die)
				       ? 0
				       : die.off;
		if (!die_refers(dies, &die, SLOT_TYPE, &off))
			return 0;
	}
	return 0;
}

/* The abbreviation of a typedef's target at one look; NULL when it takes more. */
static const struct abbrev *quick_target(
	const struct view *view, const struct abbrev *abbrev, const uint8_t *fixed)
{
	if (abbrev->type_at == ABBREV_NOT_FIXED)
		return NULL;
	uint32_t delta = bytes_u32(fixed + abbrev->type_at, view->swap);
	if (delta >= (size_t)(view->end - view->start) || view->start[delta] >= 0x80)
		return NULL;
	return abbrev_find(view->abbrevs, view->start[delta]);
}

static bool is_dull_target(const struct abbrev *target)
{
	return target->slots & 1u << SLOT_NAME || target->tag == DW_TAG_pointer_type ||
	       target->tag == DW_TAG_enumeration_type || target->tag == DW_TAG_subroutine_type;
}

static bool may_lead_to_aggregate(const struct abbrev *target)
{
	return scan_kind(target->tag) != TYPE_VOID || target->kind == DIE_TYPEDEF ||
	       scan_is_qualifier(target->tag);
}

/* A typedef that somebody asks for by name may name an aggregate that has another name (see alias.h). */
static __attribute__((noinline)) void note_alias(struct walk *walk, const struct abbrev *abbrev,
	const uint8_t *typedef_die, const uint8_t *p, const uint8_t *fixed)
{
	struct value value;
	struct view *view = walk->view;
	if (!die_quick_name(view, abbrev, p, fixed, &value)) {
		struct die die;
		if (!die_read(walk->dies, view, abbrev, p, &die) || !die_has(&die, SLOT_NAME))
			return;
		value = die.values[SLOT_NAME];
	}
	uint32_t name = names_find(walk->names, walk->dies, view, &value);
	if (!walk->names->items[name].is_exact)
		return;
	uint64_t off = (uint64_t)(typedef_die - view->info);
	add_candidate(&walk->candidates->aliases,
		(struct candidate){off, off, name, TYPE_VOID, true, false});
}

static inline __attribute__((always_inline)) bool note_typedef(struct walk *walk,
	const struct abbrev *abbrev, const uint8_t *typedef_die, const uint8_t *p, bool with_others)
{
	struct dies *dies = walk->dies;
	struct view *view = walk->view;
	const uint8_t *fixed = die_fixed(dies, view, abbrev, p);
	if (!fixed)
		return false;
	const struct abbrev *target = quick_target(view, abbrev, fixed);
	if (with_others && (!target || may_lead_to_aggregate(target)))
		note_alias(walk, abbrev, typedef_die, p, fixed);
	if (target && is_dull_target(target))
		return !dies->error;
	struct die die;
	if (!die_read(dies, view, abbrev, p, &die))
		return false;
	uint64_t off;
	if (!die_refers(dies, &die, SLOT_TYPE, &off))
		return true;
	enum type_kind kind = TYPE_VOID;
	off = unnamed_aggregate(dies, off, &kind);
	if (off) {
		uint32_t name = names_find(walk->names, dies, view, &die.values[SLOT_NAME]);
		uint64_t named_off = (uint64_t)(typedef_die - view->info);
		struct candidate candidate = {off, named_off, name, kind, true, !walk->scope};
		if (view->is_c)
			note_candidate(walk, candidate);
		else
			add_candidate(&walk->candidates->typedefs, candidate);
	}
	return !dies->error;
}

/*
 * Of the typedefs of C++ and others, only one beside its unnamed aggregate names it:
 * remove_reference<lambda>::type does not. Which scopes there are, the walk has shown.
 */
static bool note_typedefs(struct walk *walk)
{
	struct candidate_list *typedefs = &walk->candidates->typedefs;
	struct dies *dies = walk->dies;
	for (size_t i = 0; i < typedefs->count; i++) {
		const struct candidate *candidate = &typedefs->items[i];
		struct view *view = dies_view(dies, candidate->die_off);
		if (!view)
			return false;
		bool same_unit = view == walk->view;
		if (!same_unit || scan_scope_of(dies, view, candidate->die_off) ==
					  scan_scope_of(dies, view, candidate->named_off))
			note_candidate(walk, *candidate);
	}
	typedefs->count = 0;
	return true;
}

/* What a walk is after. Each has a function of its own: a test a DIE costs a tenth. */
enum scan_for {
	SCAN_DEFINITIONS,
	SCAN_OTHERS,  /* typedefs of what has another name and declarations too */
	SCAN_SEEKING, /* definitions where walk->hit says */
};

/* One DIE and, where they are not needed, all of its children. The place behind it; NULL after damage. */
static inline __attribute__((always_inline)) const uint8_t *step(struct walk *walk,
	const struct abbrev *abbrev, const uint8_t *die, const uint8_t *p, enum scan_for what)
{
	struct dies *dies = walk->dies;
	struct view *view = walk->view;
	bool with_others = what == SCAN_OTHERS;
	if (what == SCAN_SEEKING && abbrev->sibling_at != ABBREV_NOT_FIXED) {
		const uint8_t *behind = die_skip_tree(dies, view, abbrev, p);
		if (!behind || behind <= walk->hit)
			return behind;
	}
	/* with one case more the compiler makes a table of jumps, and the walk takes a third longer */
	switch ((enum die_kind)abbrev->kind) {
	case DIE_PLAIN:
		if (with_others && !note_declaration(walk, abbrev, p))
			return NULL;
		break;
	case DIE_SUBTREE:
		return die_skip_tree(dies, view, abbrev, p);
	case DIE_SCOPE:
		p = die_skip(dies, view, abbrev, p);
		if (!p)
			return NULL;
		if (abbrev->tag != DW_TAG_variant_part)
			return enter_scope(walk, abbrev, die) ? p : NULL;
		view->scopes[walk->scope].has_variants = walk->scope != 0;
		return enter(walk, die) ? p : NULL;
	case DIE_AGGREGATE:
		if (walk->names && !view->scopes[walk->scope].has_variants &&
			!note_aggregate(walk, abbrev, die, p))
			return NULL;
		if (view->is_c)
			return die_skip_tree(dies, view, abbrev, p);
		p = die_skip(dies, view, abbrev, p);
		if (!p || !abbrev->has_children)
			return p;
		return enter_scope(walk, abbrev, die) ? p : NULL;
	case DIE_TYPEDEF:
		if (walk->names && !note_typedef(walk, abbrev, die, p, with_others))
			return NULL;
		break;
	}
	p = die_skip(dies, view, abbrev, p);
	if (!p || !abbrev->has_children)
		return p;
	return enter(walk, die) ? p : NULL;
}

static inline __attribute__((always_inline)) bool walk_for(struct walk *walk, enum scan_for what)
{
	struct dies *dies = walk->dies;
	struct view *view = walk->view;
	const uint8_t *p = view->children;
	view->scope_count = 0;
	if (!view->scope_capacity)
		view->scopes =
			mem_grow(view->scopes, &view->scope_capacity, 1, sizeof(*view->scopes));
	view->scopes[view->scope_count++] = (struct scope){.off = 0, .end = UINT64_MAX};
	view->has_scopes = true;
	if (!p)
		return true;
	walk->scope = 0;
	walk->depth = 0;
	enter(walk, p);
	while (p < view->end) {
		const uint8_t *die = p;
		if (what == SCAN_SEEKING && p > walk->hit) {
			walk->hit = seek_next(walk->names->patterns->seek, p, view->end);
			if (!walk->hit)
				return true;
		}
		/* steps along siblings are too irregular for the hardware to foresee */
		__builtin_prefetch((const void *)((uintptr_t)p + PREFETCH_BYTES));
		const struct abbrev *abbrev = die_abbrev(dies, view, &p);
		if (abbrev) {
			p = step(walk, abbrev, die, p, what);
			if (!p)
				return false;
			continue;
		}
		if (dies->error)
			return false;
		leave(walk, p);
		if (!walk->depth)
			return true;
	}
	return true; /* old compilers leave the last null entries out */
}

static bool walk_unit(struct walk *walk)
{
	return walk_for(walk, SCAN_DEFINITIONS);
}

static bool walk_unit_with_others(struct walk *walk)
{
	return walk_for(walk, SCAN_OTHERS);
}

static bool walk_unit_seeking(struct walk *walk)
{
	return walk_for(walk, SCAN_SEEKING);
}

/*
 * Only C has nothing that a partial walk would miss: scopes within scopes that types' names depend on. A unit in which no
 * wanted name stands is done, in whatever language it is.
 */
static bool seek_unit(struct walk *walk)
{
	struct view *view = walk->view;
	if (!view->children)
		return true;
	walk->hit = seek_next(walk->names->patterns->seek, view->children, view->end);
	if (!walk->hit)
		return true;
	return view->is_c ? walk_unit_seeking(walk) : walk_unit(walk);
}

bool scan_unit(struct dies *dies, struct names *names, struct candidates *candidates)
{
	struct walk walk;
	walk.dies = dies;
	walk.view = &dies->main;
	walk.names = names;
	walk.candidates = candidates;
	bool good;
	if (names->patterns->with_others)
		good = walk_unit_with_others(&walk);
	else if (names->patterns->seek && dies->table.is_searchable)
		good = seek_unit(&walk);
	else
		good = walk_unit(&walk);
	return good && note_typedefs(&walk);
}

uint32_t scan_scope_of(struct dies *dies, struct view *view, uint64_t off)
{
	if (!view->has_scopes) {
		struct walk walk;
		walk.dies = dies;
		walk.view = view;
		walk.names = NULL;
		walk.candidates = NULL;
		if (!walk_unit(&walk)) {
			view->has_scopes = false; /* those behind the damage are not known */
			return 0;
		}
	}
	size_t low = 1, high = view->scope_count;
	while (low < high) { /* the last scope that starts before `off` */
		size_t middle = low + (high - low) / 2;
		if (view->scopes[middle].off < off)
			low = middle + 1;
		else
			high = middle;
	}
	uint32_t scope = (uint32_t)(low - 1);
	while (scope && view->scopes[scope].end <= off)
		scope = view->scopes[scope].parent;
	return scope;
}

bool scan_read_named(struct dies *dies, uint64_t off, struct die *ret)
{
	if (!die_read_at(dies, off, ret))
		return false;
	for (int hops = 0; hops < HOP_LIMIT; hops++) {
		struct die declaration;
		bool has_name = die_has(ret, SLOT_NAME);
		if (!read_declaration(dies, ret, SLOT_SPECIFICATION, &declaration) &&
			(has_name || (!read_declaration(dies, ret, SLOT_ORIGIN, &declaration) &&
					     !read_declaration(
						     dies, ret, SLOT_SIGNATURE, &declaration))))
			return !dies->error;
		if (has_name && !die_has(&declaration, SLOT_NAME))
			return true;
		*ret = declaration;
	}
	return true;
}

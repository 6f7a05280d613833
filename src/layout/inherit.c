#include "layout/inherit.h"

#include <string.h>

#include "base/mem.h"
#include "base/number.h"

enum {
	DEPTH_MAX = 64,
	NESTED_MAX = 16,
	VISITS_MAX = 1 << 16, /* classes looked at for one: hostile input */
	BASES_MAX = 256,
	EMPTY_MAX = 1024, /* places of empty classes that are kept apart */
};

enum {
	GUESS_LENT = 1, /* what is TYPE_TAIL_UNSURE lends its tail */
	GUESS_OVERLAPPED =
		2, /* a last member is [[no_unique_address]], and so lends its tail, too */
	GUESS_COUNT = 4,
};

/* An empty class at a place: no second one of its type may lie there. */
struct empty {
	type_id type;
	uint64_t off_bytes;
};

struct walk {
	const struct types *types;
	unsigned guess; /* GUESS_*: the debug information does not say */
	bool failed;
	uint32_t visits;  /* left */
	uint32_t nesting; /* of classes that overlap in each other */
	struct inherit_base bases[BASES_MAX];
	type_id claimed_by[BASES_MAX]; /* a class of which it is the primary base; 0: nobody */
	bool is_placed[BASES_MAX];
	size_t base_count;
	struct empty empties[EMPTY_MAX];
	size_t empty_count;
	uint64_t end;  /* of the data, when all is placed */
	bool is_vague; /* an alignment that decides is not known */
	bool adds_up;  /* all that is known accounts for the size of the class */
};

/* ---- what a class is ---- */

static const struct type *class_of(struct walk *walk, type_id *id)
{
	*id = types_strip(walk->types, *id);
	const struct type *type = types_get(walk->types, *id);
	if (!walk->visits) {
		walk->failed = true;
		return types_get(walk->types, 0);
	}
	walk->visits--;
	return type;
}

static bool is_vptr(const struct type_member *member)
{
	return member->is_artificial && strncmp(member->name, "_vptr", 5) == 0;
}

static bool has_virtual_bases(struct walk *walk, type_id id, int depth)
{
	const struct type *type = class_of(walk, &id);
	for (size_t i = 0; i < type->member_count && depth < DEPTH_MAX; i++)
		if (type->members[i].is_base &&
			(type->members[i].is_virtual ||
				has_virtual_bases(walk, type->members[i].type, depth + 1)))
			return true;
	return false;
}

/* Has it a pointer to a table of virtual functions, somewhere? */
static bool is_dynamic(struct walk *walk, type_id id, int depth)
{
	const struct type *type = class_of(walk, &id);
	if (type->has_virtual)
		return true;
	for (size_t i = 0; i < type->member_count && depth < DEPTH_MAX; i++) {
		const struct type_member *member = &type->members[i];
		if (is_vptr(member) ||
			(member->is_base &&
				(member->is_virtual || is_dynamic(walk, member->type, depth + 1))))
			return true;
	}
	return false;
}

static bool is_empty(struct walk *walk, type_id id, int depth)
{
	const struct type *type = class_of(walk, &id);
	if (!type_is_aggregate(type) || type->kind == TYPE_UNION || type->is_declaration ||
		depth >= DEPTH_MAX)
		return false;
	if (type->has_virtual)
		return false;
	for (size_t i = 0; i < type->member_count; i++) {
		const struct type_member *member = &type->members[i];
		bool overlapped = walk->guess & GUESS_OVERLAPPED && !member->bit_size;
		if (member->is_virtual || (!member->is_base && !overlapped) ||
			!is_empty(walk, member->type, depth + 1))
			return false;
	}
	return true;
}

/* Do others begin in the padding of a class that they have as a base? */
static bool lends_tail(struct walk *walk, type_id id, int depth)
{
	const struct type *type = class_of(walk, &id);
	if (type->kind == TYPE_REFERENCE || type->kind == TYPE_RVALUE_REFERENCE)
		return true;
	if (type->kind == TYPE_ARRAY && depth < DEPTH_MAX)
		return lends_tail(walk, type->target, depth + 1);
	if (!type_is_aggregate(type))
		return false;
	if (type->tail == TYPE_TAIL_LENT || type->has_virtual ||
		(type->tail == TYPE_TAIL_UNSURE && walk->guess & GUESS_LENT))
		return true;
	for (size_t i = 0; i < type->member_count && depth < DEPTH_MAX; i++) {
		type_id its = type->members[i].type;
		/* a class with a member that may overlap others is no plain old data, whatever the member is */
		if (lends_tail(walk, its, depth + 1) ||
			(walk->guess & GUESS_OVERLAPPED && type_is_aggregate(class_of(walk, &its))))
			return true;
	}
	return false;
}

/* ---- sizes ---- */

static type_id primary_virtual(struct walk *walk, type_id id);
static struct walk *begin(const struct types *types, unsigned guess);
static bool place_all(struct walk *walk, type_id id);

static uint64_t sizeof_class(const struct type *type)
{
	return type->size_known ? type->size_bytes : 0;
}

static uint64_t base_bytes(struct walk *walk, type_id id, int depth);

/* Does another begin in it? */
static bool is_overlapped(
	const struct type *around, const struct type_member *member, uint64_t size_bytes)
{
	for (size_t i = 0; i < around->member_count; i++)
		if (around->members[i].off_bits > member->off_bits &&
			around->members[i].off_bits / 8 < member->off_bits / 8 + size_bytes)
			return true;
	return false;
}

/* What a member takes: where classes may overlap, as a base, but with its virtual bases. */
static uint64_t member_bytes(
	struct walk *walk, const struct type *around, const struct type_member *member, int depth)
{
	type_id id = member->type;
	uint64_t whole = 0;
	type_size(walk->types, id, &whole);
	if (depth >= DEPTH_MAX || around->kind == TYPE_UNION ||
		(!(walk->guess & GUESS_OVERLAPPED) && !is_overlapped(around, member, whole)))
		return whole;
	const struct type *type = class_of(walk, &id);
	if (!type_is_aggregate(type) || type->kind == TYPE_UNION)
		return whole;
	if (is_empty(walk, id, 0))
		return 0;
	if (!has_virtual_bases(walk, id, 0))
		return base_bytes(walk, id, depth + 1);
	struct walk *inner = begin(walk->types, walk->guess);
	uint64_t end = 0;
	inner->visits = walk->visits;
	inner->nesting = walk->nesting + 1;
	if (inner->nesting < NESTED_MAX && place_all(inner, id))
		end = inner->end;
	walk->failed |= !end;
	walk->visits = inner->visits;
	mem_free(inner);
	return end ? end : whole;
}

/* Where a class ends, its virtual bases apart: */
struct ends {
	uint64_t data; /* the ABI's dsize */
	uint64_t
		whole; /* and nvsize: empty classes too, of which one that is aligned, or has two of a type, ends behind the data */
};

static void add_end(uint64_t *end, uint64_t off, uint64_t bytes)
{
	if (bytes <= UINT64_MAX - off && off + bytes > *end)
		*end = off + bytes;
}

static struct ends ends_of(struct walk *walk, const struct type *type, int depth)
{
	struct ends ends = {0, 0};
	for (size_t i = 0; i < type->member_count; i++) {
		const struct type_member *member = &type->members[i];
		uint64_t off = member->off_bits / 8, bytes = 0, all = 0;
		if (member->is_dynamic || member->is_virtual)
			continue;
		if (member->is_base)
			bytes = is_empty(walk, member->type, depth + 1)
					? 0
					: base_bytes(walk, member->type, depth + 1);
		else if (member->bit_size)
			bytes = (member->off_bits % 8 + member->bit_size + 7) / 8;
		else
			bytes = member_bytes(walk, type, member, depth + 1);
		if (!bytes)
			type_size(walk->types, member->type, &all);
		add_end(&ends.data, off, bytes);
		add_end(&ends.whole, off, bytes ? bytes : all);
	}
	return ends;
}

static uint64_t base_bytes(struct walk *walk, type_id id, int depth)
{
	const struct type *type = class_of(walk, &id);
	uint64_t whole = sizeof_class(type);
	walk->failed |= !type->size_known;
	if (depth >= DEPTH_MAX || type->kind == TYPE_UNION || !lends_tail(walk, id, 0))
		return whole;
	uint64_t end = ends_of(walk, type, depth).whole;
	if (end < walk->types->machine.pointer_bytes && primary_virtual(walk, id))
		end = walk->types->machine.pointer_bytes;
	return end < whole ? end : whole;
}

/*
 * Alignment of a class without its virtual bases. What gcc states is that of the whole, which a virtual base may have raised: then
 * it is the `most` that it can be.
 */
static uint32_t base_align(struct walk *walk, type_id id, bool most)
{
	const struct type *type = class_of(walk, &id);
	if (!has_virtual_bases(walk, id, 0))
		return type_align(walk->types, id);
	uint32_t align = walk->types->machine.pointer_bytes, all = align;
	for (size_t i = 0; i < type->member_count; i++) {
		const struct type_member *member = &type->members[i];
		uint32_t its = member->is_base ? type_align(walk->types, member->type)
					       : type_member_align(walk->types, member);
		all = its > all ? its : all;
		if (member->is_virtual)
			continue;
		if (member->is_base)
			its = base_align(walk, member->type, most);
		align = its > align ? its : align;
	}
	return type->align_bytes > (most ? align : all) ? type->align_bytes : align;
}

/* ---- primary bases: those whose pointer to the table the class shares ---- */

static bool is_nearly_empty(struct walk *walk, type_id id)
{
	return is_dynamic(walk, id, 0) && !is_empty(walk, id, 0) &&
	       base_bytes(walk, id, 0) <= walk->types->machine.pointer_bytes;
}

static bool has_own_pointer(const struct type *type)
{
	for (size_t i = 0; i < type->member_count; i++)
		if (is_vptr(&type->members[i]))
			return true;
	return false;
}

/* A base that is not virtual and has the pointer at offset 0. */
static bool has_primary_at_0(struct walk *walk, const struct type *type)
{
	for (size_t i = 0; i < type->member_count; i++) {
		const struct type_member *member = &type->members[i];
		if (member->is_base && !member->is_virtual && !member->off_bits &&
			is_dynamic(walk, member->type, 0))
			return true;
	}
	return false;
}

/* Is `wanted` the virtual primary base of a base of this class, of whatever degree? */
static bool is_indirect_primary(struct walk *walk, type_id id, type_id wanted, int depth)
{
	const struct type *type = class_of(walk, &id);
	for (size_t i = 0; i < type->member_count && depth < DEPTH_MAX && !walk->failed; i++) {
		const struct type_member *member = &type->members[i];
		if (member->is_base &&
			(primary_virtual(walk, member->type) == wanted ||
				is_indirect_primary(walk, member->type, wanted, depth + 1)))
			return true;
	}
	return false;
}

static type_id choose_primary(struct walk *walk, type_id top, type_id id, type_id *first, int depth)
{
	const struct type *type = class_of(walk, &id);
	for (size_t i = 0; i < type->member_count && depth < DEPTH_MAX && !walk->failed; i++) {
		const struct type_member *member = &type->members[i];
		type_id base = types_strip(walk->types, member->type), chosen;
		if (!member->is_base)
			continue;
		if (member->is_virtual && is_nearly_empty(walk, base)) {
			if (!is_indirect_primary(walk, top, base, 0))
				return base;
			*first = *first ? *first : base;
		}
		chosen = choose_primary(walk, top, base, first, depth + 1);
		if (chosen)
			return chosen;
	}
	return 0;
}

/* The virtual base that is the primary base of a class; 0: it has another, or none. */
static type_id primary_virtual(struct walk *walk, type_id id)
{
	type_id first = 0, chosen;
	const struct type *type = class_of(walk, &id);
	if (walk->failed || has_own_pointer(type) || !has_virtual_bases(walk, id, 0) ||
		has_primary_at_0(walk, type))
		return 0;
	chosen = choose_primary(walk, id, id, &first, 0);
	return chosen ? chosen : first;
}

/* ---- the virtual bases of a complete object ---- */

static struct inherit_base *find_base(struct walk *walk, type_id id)
{
	for (size_t i = 0; i < walk->base_count; i++)
		if (walk->bases[i].type == id)
			return &walk->bases[i];
	return NULL;
}

static void collect(struct walk *walk, type_id id, int depth)
{
	const struct type *type = class_of(walk, &id);
	for (size_t i = 0; i < type->member_count && depth < DEPTH_MAX && !walk->failed; i++) {
		const struct type_member *member = &type->members[i];
		type_id base = types_strip(walk->types, member->type);
		if (!member->is_base)
			continue;
		if (member->is_virtual) {
			if (find_base(walk, base))
				continue;
			if (walk->base_count == BASES_MAX) {
				walk->failed = true;
				return;
			}
			walk->bases[walk->base_count++] =
				(struct inherit_base){.source = member, .type = base};
		}
		collect(walk, base, depth + 1);
	}
	walk->failed |= depth >= DEPTH_MAX;
}

/* Who shares whose pointer: the first that asks, in the order of the graph. `visited`: a virtual base is asked once. */
static void claim(struct walk *walk, type_id id, bool *visited, int depth)
{
	const struct type *type = class_of(walk, &id);
	type_id primary = primary_virtual(walk, id);
	struct inherit_base *shared = primary ? find_base(walk, primary) : NULL;
	if (shared && !walk->claimed_by[shared - walk->bases])
		walk->claimed_by[shared - walk->bases] = id;
	for (size_t i = 0; i < type->member_count && depth < DEPTH_MAX && !walk->failed; i++) {
		const struct type_member *member = &type->members[i];
		if (!member->is_base)
			continue;
		if (member->is_virtual) {
			struct inherit_base *base =
				find_base(walk, types_strip(walk->types, member->type));
			if (!base || visited[base - walk->bases])
				continue;
			visited[base - walk->bases] = true;
		}
		claim(walk, member->type, visited, depth + 1);
	}
}

/* Empty classes in a class at `off`: are any there already (`add` false), or note them. */
static bool visit_empties(struct walk *walk, type_id id, uint64_t off, bool add, int depth)
{
	const struct type *type = class_of(walk, &id);
	if (walk->failed || depth >= DEPTH_MAX)
		return false;
	if (type->kind == TYPE_ARRAY) {
		uint64_t count = 1, bytes = 0;
		for (size_t i = 0; i < type->dim_count; i++)
			count *= type->dims[i] == TYPE_NO_COUNT ? 0 : type->dims[i];
		type_size(walk->types, type->target, &bytes);
		for (uint64_t i = 0; i < count && bytes && i < EMPTY_MAX; i++)
			if (visit_empties(walk, type->target, off + i * bytes, add, depth + 1))
				return true;
		return false;
	}
	if (!type_is_aggregate(type))
		return false;
	if (is_empty(walk, id, 0)) {
		for (size_t i = 0; i < walk->empty_count && !add; i++)
			if (walk->empties[i].type == id && walk->empties[i].off_bytes == off)
				return true;
		if (add && walk->empty_count < EMPTY_MAX)
			walk->empties[walk->empty_count++] = (struct empty){id, off};
	}
	for (size_t i = 0; i < type->member_count; i++) {
		const struct type_member *member = &type->members[i];
		if (!member->is_virtual && !member->is_dynamic && !member->bit_size &&
			visit_empties(
				walk, member->type, off + member->off_bits / 8, add, depth + 1))
			return true;
	}
	return false;
}

static bool conflicts(struct walk *walk, type_id id, uint64_t off, int depth)
{
	return visit_empties(walk, id, off, false, depth);
}

/* A class lies at `off`: so do the virtual bases whose pointers it and its bases share. */
static void settle(struct walk *walk, type_id id, uint64_t off, int depth)
{
	const struct type *type = class_of(walk, &id);
	for (size_t i = 0; i < walk->base_count; i++)
		if (walk->claimed_by[i] == id && !walk->is_placed[i]) {
			walk->is_placed[i] = true;
			walk->bases[i].off_bytes = off;
			visit_empties(walk, walk->bases[i].type, off, true, 0);
			settle(walk, walk->bases[i].type, off, depth + 1);
		}
	for (size_t i = 0; i < type->member_count && depth < DEPTH_MAX && !walk->failed; i++)
		if (type->members[i].is_base && !type->members[i].is_virtual)
			settle(walk, type->members[i].type, off + type->members[i].off_bits / 8,
				depth + 1);
}

/*
 * Is the alignment of a class known: stated, or its size is what follows from its parts? Before DWARF 5 alignas is not
 * stated.
 */
static bool is_explained(struct walk *walk, type_id id, int depth)
{
	const struct type *type = class_of(walk, &id);
	if (type->kind == TYPE_ARRAY && depth < DEPTH_MAX)
		return is_explained(walk, type->target, depth + 1);
	if (!type_is_aggregate(type) || type->align_bytes)
		return true;
	if (depth >= DEPTH_MAX || !type->size_known || walk->failed)
		return false;
	for (size_t i = 0; i < type->member_count; i++)
		if (!is_explained(walk, type->members[i].type, depth + 1))
			return false;
	if (has_virtual_bases(walk, id, 0))
		return true; /* each of which is looked at, and then all of them together */
	uint64_t end = ends_of(walk, type, 0).whole;
	return number_round_up(end ? end : 1, type_align(walk->types, id)) == type->size_bytes;
}

/* Places them all; false when that cannot be, for the size of the class. */
static bool place(struct walk *walk, type_id id)
{
	enum { TRIES_MAX = 4096 };
	bool visited[BASES_MAX] = {false};
	const struct type *type = types_get(walk->types, id);
	const struct ends ends = ends_of(walk, type, 0);
	uint64_t end = ends.data, whole;
	uint32_t align = base_align(walk, id, false);
	if (end < walk->types->machine.pointer_bytes)
		end = walk->types->machine.pointer_bytes;
	whole = end > ends.whole ? end : ends.whole;
	claim(walk, id, visited, 0);
	visit_empties(walk, id, 0, true, 0);
	settle(walk, id, 0, 0);
	for (size_t i = 0; i < walk->base_count && !walk->failed; i++) {
		struct inherit_base *base = &walk->bases[i];
		uint32_t its = base_align(walk, base->type, false);
		bool empty = is_empty(walk, base->type, 0);
		uint64_t off = empty ? 0 : number_round_up(end, its);
		align = its > align ? its : align;
		/* one that is claimed lies where its claimant does, which may come later */
		if (walk->is_placed[i] || walk->claimed_by[i])
			continue;
		if (!empty && off != number_round_up(end, base_align(walk, base->type, true)))
			walk->is_vague = true;
		if (empty && conflicts(walk, base->type, 0, 0))
			off = number_round_up(end, its);
		for (int tries = 0; conflicts(walk, base->type, off, 0); tries++) {
			off += its;
			walk->failed |= tries > TRIES_MAX;
			if (walk->failed)
				return false;
		}
		base->off_bytes = off;
		walk->is_placed[i] = true;
		visit_empties(walk, base->type, off, true, 0);
		settle(walk, base->type, off, 0);
		uint64_t bytes = empty ? 0 : base_bytes(walk, base->type, 0);
		end = off + bytes > end && !empty ? off + bytes : end;
		whole = end > whole ? end : whole;
		uint64_t extent = sizeof_class(types_get(walk->types, base->type));
		if (empty && extent <= UINT64_MAX - off && off + extent > whole)
			whole = off + extent;
	}
	for (size_t i = 0; i < walk->base_count; i++)
		walk->failed |= !walk->is_placed[i];
	align = type->align_bytes > align ? type->align_bytes : align;
	walk->end = end;
	if (walk->failed || !type->size_known)
		return false;
	/* before DWARF 5 the class may be aligned to more than is stated, and then so may be what lies in it */
	uint64_t size = type->size_bytes, hidden = size & (~size + 1);
	walk->adds_up = number_round_up(whole, align) == size;
	for (size_t i = 0; i < walk->base_count && walk->adds_up; i++)
		walk->adds_up = is_explained(walk, walk->bases[i].type, 0);
	return walk->adds_up || (!type->align_bytes && size > whole && size % align == 0 &&
					number_round_up(whole, hidden) == size);
}

static struct walk *begin(const struct types *types, unsigned guess)
{
	struct walk *walk = mem_new(1, sizeof(*walk));
	walk->types = types;
	walk->guess = guess;
	walk->visits = VISITS_MAX;
	return walk;
}

static bool place_all(struct walk *walk, type_id id)
{
	collect(walk, id, 0);
	return place(walk, id);
}

uint64_t inherit_base_bytes(const struct types *types, type_id id)
{
	struct walk *walk = begin(types, GUESS_LENT);
	const struct type *type = class_of(walk, &id);
	uint64_t bytes = is_empty(walk, id, 0) ? 1 : base_bytes(walk, id, 0);
	if (walk->failed)
		bytes = sizeof_class(type);
	mem_free(walk);
	return bytes;
}

static bool same_places(const struct walk *a, const struct walk *b)
{
	for (size_t i = 0; i < a->base_count; i++)
		if (a->bases[i].off_bytes != b->bases[i].off_bytes)
			return false;
	return true;
}

size_t inherit_virtual_bases(
	struct arena *arena, const struct types *types, type_id id, const struct inherit_base **ret)
{
	struct walk *possible = NULL, *walk = begin(types, 0);
	bool known = true;
	id = types_strip(types, id);
	collect(walk, id, 0);
	size_t count = walk->failed ? 0 : walk->base_count;
	struct inherit_base *bases = arena_copy(arena, walk->bases, count, sizeof(*bases));
	mem_free(walk);
	/* all guesses that are possible must say the same */
	for (unsigned guess = 0; guess < GUESS_COUNT && count; guess++) {
		walk = begin(types, guess);
		if (!place_all(walk, id)) {
			known &= !walk->failed;
			mem_free(walk);
			continue;
		}
		/* if some members must overlap, it is not said which */
		known &= walk->adds_up && !walk->is_vague &&
			 (possible ? same_places(possible, walk) : !(guess & GUESS_OVERLAPPED));
		mem_free(possible);
		possible = walk;
	}
	for (size_t i = 0; i < count; i++) {
		bases[i].is_known = possible && known;
		bases[i].off_bytes = possible ? possible->bases[i].off_bytes : 0;
	}
	mem_free(possible);
	*ret = bases;
	return count;
}

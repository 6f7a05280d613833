#include "read/index/fold_part.h"

#include <string.h>

#include "base/mem.h"
#include "read/dw.h"

enum {
	HOP_LIMIT = 16,    /* through typedefs to a size */
	MEMO_LIMIT = 4096, /* types to remember from one unit to the next */
};

void fold_init(struct fold *fold, struct dies *dies, enum fold_by by)
{
	*fold = (struct fold){.dies = dies, .by = by};
	map_init(&fold->memo);
	fold->cache = mem_new(FOLD_CACHE_SLOTS, sizeof(*fold->cache));
}

void fold_release(struct fold *fold)
{
	map_release(&fold->memo);
	mem_free(fold->cache);
}

/*
 * Where a member lies: the number of bytes, or a hash of the expression that computes it (section 5.7.6).
 */
static uint64_t location_bytes(const struct die *die)
{
	if (!die_has(die, SLOT_LOCATION))
		return 0;
	const struct value *value = &die->values[SLOT_LOCATION];
	if (value->class != VALUE_BLOCK)
		return value->number;
	const uint8_t *p = die->view->info + value->number;
	const uint8_t *end = p + value->length;
	uint64_t number;
	if (p < end && *p == DW_OP_plus_uconst && (p++, bytes_uleb(&p, end, &number)) && p == end)
		return number;
	p = die->view->info + value->number;
	if (p < end && *p == DW_OP_constu && (p++, bytes_uleb(&p, end, &number)) && p + 1 == end &&
		*p == DW_OP_plus)
		return number;
	return die_hash_bytes(die->view->info + value->number, value->length);
}

/* The size of a type in bytes, through typedefs and qualifiers; 0 when it has none. */
static uint64_t type_bytes(struct dies *dies, const struct die *member)
{
	struct die die = *member;
	uint64_t size = 0;
	for (int hops = 0; hops < HOP_LIMIT; hops++) {
		uint64_t off;
		struct die target;
		if (!die_refers(dies, &die, SLOT_TYPE, &off) || !die_read_at(dies, off, &target))
			return 0;
		if (die_number(&target, SLOT_BYTE_SIZE, &size))
			return size;
		die = target;
	}
	return 0;
}

/* The first bit of a member, counted as struct type_member does. */
static uint64_t member_bits(struct fold *fold, const struct die *die)
{
	uint64_t bits = 8 * location_bytes(die);
	uint64_t number = 0, width = 0, storage = 0;
	if (die_number(die, SLOT_DATA_BIT_OFFSET, &number))
		return bits + number;
	if (!die_number(die, SLOT_BIT_OFFSET, &number) || !die_number(die, SLOT_BIT_SIZE, &width))
		return bits;
	if (fold->dies->object->types.big_endian)
		return bits + number;
	/* DWARF 3 section 5.6.6: from the most significant bit of the storage unit */
	if (!die_number(die, SLOT_BYTE_SIZE, &storage))
		storage = type_bytes(fold->dies, die);
	return bits + 8 * storage - number - width;
}

static uint64_t member_hash(
	struct fold *fold, uint64_t hash, const struct die *die, bool shallow, size_t depth)
{
	if (die_flag(die, SLOT_EXTERNAL) || die_flag(die, SLOT_DECLARATION))
		return hash; /* static: not in the object */
	uint64_t width = 0;
	die_number(die, SLOT_BIT_SIZE, &width);
	hash = die_hash_add(hash, fold_name(fold, die));
	hash = die_hash_add(hash, member_bits(fold, die));
	if (width)
		hash = die_hash_add(hash, ~width);
	return shallow ? hash : fold_add_reference(fold, hash, die, SLOT_TYPE, true, depth);
}

/* A member of which everything is at a known place: the same hash by three loads. */
static inline uint64_t simple_member_hash(struct fold *fold, uint64_t hash, struct view *view,
	const struct abbrev *abbrev, const uint8_t *p, const uint8_t *fixed, bool shallow,
	size_t depth)
{
	uint64_t location =
		abbrev->number_at == ABBREV_NOT_FIXED ? 0 : die_quick_number(view, abbrev, fixed);
	hash = die_hash_add(hash, fold_quick_name(fold, view, abbrev, p, fixed));
	hash = die_hash_add(hash, 8 * location);
	return shallow ? hash : fold_quick_reference(fold, hash, view, abbrev, fixed, true, depth);
}

/*
 * Adds the members among the children at `p` to *hash; the place behind them, NULL after damage. `shallow`:
 * without their types.
 */
static const uint8_t *members_hash(struct fold *fold, struct view *view, const uint8_t *p,
	bool shallow, size_t depth, uint64_t *hash)
{
	struct dies *dies = fold->dies;
	const struct abbrev *abbrev;
	if (depth >= FOLD_DEPTH_LIMIT) {
		dies_fail(dies, (uint64_t)(p - view->info), "types are nested more than 128 deep");
		return NULL;
	}
	while ((abbrev = die_abbrev(dies, view, &p))) {
		if (abbrev->shape == SHAPE_MEMBER) {
			const uint8_t *fixed = die_fixed(dies, view, abbrev, p);
			if (!fixed)
				return NULL;
			*hash = simple_member_hash(
				fold, *hash, view, abbrev, p, fixed, shallow, depth);
			if (dies->error)
				return NULL;
			p = fixed + abbrev->fixed_bytes;
			continue;
		}
		bool wanted = abbrev->tag == DW_TAG_member || abbrev->tag == DW_TAG_inheritance ||
			      abbrev->tag == DW_TAG_variant_part || abbrev->tag == DW_TAG_variant;
		if (!wanted) {
			if (!(p = die_skip_tree(dies, view, abbrev, p)))
				return NULL;
			continue;
		}
		struct die die;
		die.off = (uint64_t)(p - view->info);
		if (!die_read(dies, view, abbrev, p, &die))
			return NULL;
		if (abbrev->tag == DW_TAG_member) {
			*hash = member_hash(fold, *hash, &die, shallow, depth);
		} else {
			uint64_t number = 0;
			*hash = die_hash_add(*hash, ~(uint64_t)abbrev->tag);
			if (die_number(&die, SLOT_DISCR_VALUE, &number) ||
				die_number(&die, SLOT_VIRTUALITY, &number))
				*hash = die_hash_add(*hash, ~number);
		}
		if (abbrev->tag == DW_TAG_inheritance) {
			*hash = die_hash_add(*hash, location_bytes(&die));
			*hash = fold_add_reference(fold, *hash, &die, SLOT_TYPE, true, depth);
		}
		p = die.next;
		if (abbrev->has_children &&
			!(p = members_hash(fold, view, p, shallow, depth + 1, hash)))
			return NULL;
		if (dies->error)
			return NULL;
	}
	return dies->error ? NULL : p;
}

static uint64_t aggregate_hash(struct fold *fold, struct view *view, const struct abbrev *abbrev,
	uint64_t size, const uint8_t *children, bool shallow, size_t depth)
{
	uint64_t hash = die_hash_add(DIE_HASH_START ^ abbrev->tag, size);
	if (abbrev->has_children)
		members_hash(fold, view, children, shallow, depth, &hash);
	return die_hash_end(hash);
}

uint64_t fold_aggregate(struct fold *fold, const struct die *die, bool shallow, size_t depth)
{
	uint64_t size = UINT64_MAX; /* not constant */
	die_number(die, SLOT_BYTE_SIZE, &size);
	return aggregate_hash(fold, die->view, die->abbrev, size, die->next, shallow, depth);
}

uint64_t fold_quick_aggregate(struct fold *fold, struct view *view, const struct abbrev *abbrev,
	const uint8_t *fixed, bool shallow, size_t depth)
{
	return aggregate_hash(fold, view, abbrev, die_quick_number(view, abbrev, fixed),
		fixed + abbrev->fixed_bytes, shallow, depth);
}

uint64_t fold_definition(struct fold *fold, uint64_t off)
{
	struct view *view;
	const uint8_t *p;
	if (fold->memo.count > MEMO_LIMIT)
		map_clear(&fold->memo);
	const struct abbrev *abbrev = die_find(fold->dies, off, &view, &p);
	if (!abbrev)
		return 0;
	if (abbrev->shape == SHAPE_AGGREGATE) {
		const uint8_t *fixed = die_fixed(fold->dies, view, abbrev, p);
		return fixed ? fold_quick_aggregate(fold, view, abbrev, fixed, false, 0) : 0;
	}
	struct die die;
	if (!die_read(fold->dies, view, abbrev, p, &die))
		return 0;
	die.off = off;
	return fold_aggregate(fold, &die, false, 0);
}

#include "read/index/fold_part.h"

#include "read/dw.h"
#include "read/index/scan.h"

/* A type that was found, but not read. */
struct place {
	uint64_t off;
	struct view *view;
	const struct abbrev *abbrev;
	const uint8_t *p;     /* behind its code */
	const uint8_t *fixed; /* die_fixed() of it */
};

static bool find_place(struct fold *fold, uint64_t off, struct place *ret)
{
	ret->off = off;
	ret->abbrev = die_find(fold->dies, off, &ret->view, &ret->p);
	ret->fixed = ret->abbrev ? die_fixed(fold->dies, ret->view, ret->abbrev, ret->p) : NULL;
	return ret->fixed;
}

static bool has(const struct place *place, enum die_slot slot)
{
	return place->abbrev->slots & 1u << slot;
}

uint64_t fold_add_reference(struct fold *fold, uint64_t hash, const struct die *die,
	enum die_slot slot, bool by_value, size_t depth)
{
	if (!die_has(die, slot))
		return die_hash_add(hash, FOLD_OF_VOID);
	uint64_t off;
	if (die_refers(fold->dies, die, slot, &off))
		return fold_add_type(fold, hash, off, by_value, depth + 1);
	/* in a supplementary file */
	return die_hash_add(die_hash_add(hash, FOLD_OF_ELSEWHERE), die->values[slot].number);
}

/* The name of a type that has one, with its scope where the language has them. */
static uint64_t named_hash(struct fold *fold, const struct place *place)
{
	if (has(place, SLOT_SPECIFICATION)) {
		struct die named;
		if (!scan_read_named(fold->dies, place->off, &named))
			return 0;
		return die_hash_add(
			fold_scope(fold, named.view, named.off), fold_name(fold, &named));
	}
	uint64_t hash = fold_scope(fold, place->view, place->off);
	bool by_text = fold->by == FOLD_BY_TEXT && place->abbrev->tag == DW_TAG_base_type;
	if (!by_text && (place->abbrev->inline_name || place->abbrev->name_at != ABBREV_NOT_FIXED))
		return die_hash_add(hash,
			fold_quick_name(fold, place->view, place->abbrev, place->p, place->fixed));
	struct die die;
	if (!die_read(fold->dies, place->view, place->abbrev, place->p, &die))
		return 0;
	const struct value *name = &die.values[SLOT_NAME];
	return die_hash_add(
		hash, by_text ? fold_base_name(die_string(fold->dies, place->view, name))
			      : fold_string(fold, place->view, name));
}

/* The elements of a dimension; UINT64_MAX when it has no bound, UINT64_MAX - 1 when it varies. */
static uint64_t dimension(const struct die *subrange)
{
	uint64_t number = 0, lower = subrange->view->lower_bound;
	if (die_number(subrange, SLOT_COUNT, &number))
		return number;
	if (die_number(subrange, SLOT_UPPER_BOUND, &number)) {
		die_number(subrange, SLOT_LOWER_BOUND, &lower);
		return number + 1 - lower;
	}
	return die_has(subrange, SLOT_COUNT) || die_has(subrange, SLOT_UPPER_BOUND) ? UINT64_MAX - 1
										    : UINT64_MAX;
}

/* What a child of an array, a function type or an unnamed enumeration adds. */
static uint64_t add_part(struct fold *fold, uint64_t hash, const struct die *part, size_t depth)
{
	uint64_t number = 0;
	switch (part->abbrev->tag) {
	case DW_TAG_subrange_type:
		return die_hash_add(hash, dimension(part));
	case DW_TAG_formal_parameter:
		return fold_add_reference(fold, hash, part, SLOT_TYPE, false, depth);
	case DW_TAG_unspecified_parameters:
		return die_hash_add(hash, part->abbrev->tag);
	case DW_TAG_enumerator:
		die_number(part, SLOT_CONST_VALUE, &number);
		return die_hash_add(die_hash_add(hash, fold_name(fold, part)), number);
	default:
		return hash;
	}
}

/* add_part() of SHAPE_PARAMETER and SHAPE_BOUND. */
static uint64_t add_quick_part(struct fold *fold, uint64_t hash, const struct view *view,
	const struct abbrev *abbrev, const uint8_t *fixed, size_t depth)
{
	if (abbrev->shape == SHAPE_PARAMETER)
		return fold_quick_reference(fold, hash, view, abbrev, fixed, false, depth);
	if (abbrev->number_at == ABBREV_NOT_FIXED)
		return die_hash_add(hash, UINT64_MAX);
	uint64_t number = die_quick_number(view, abbrev, fixed);
	return die_hash_add(
		hash, abbrev->slots & 1u << SLOT_COUNT ? number : number + 1 - view->lower_bound);
}

/* The children at `p`. */
static uint64_t add_parts(
	struct fold *fold, uint64_t hash, struct view *view, const uint8_t *p, size_t depth)
{
	struct dies *dies = fold->dies;
	const struct abbrev *abbrev;
	struct die part;
	while ((abbrev = die_abbrev(dies, view, &p))) {
		if (abbrev->shape == SHAPE_PARAMETER || abbrev->shape == SHAPE_BOUND) {
			const uint8_t *fixed = die_fixed(dies, view, abbrev, p);
			if (!fixed)
				return 0;
			hash = add_quick_part(fold, hash, view, abbrev, fixed, depth);
			p = fixed + abbrev->fixed_bytes;
		} else {
			if (!die_read(dies, view, abbrev, p, &part))
				return 0;
			hash = add_part(fold, hash, &part, depth);
			p = abbrev->has_children ? die_skip_tree(dies, view, abbrev, p) : part.next;
		}
		if (dies->error)
			return 0;
	}
	return hash;
}

static uint64_t add_parts_of(struct fold *fold, uint64_t hash, const struct die *die, size_t depth)
{
	return die->abbrev->has_children ? add_parts(fold, hash, die->view, die->next, depth)
					 : hash;
}

/* structure_hash() of the shapes that it meets most; the same hash. */
static uint64_t quick_structure_hash(
	struct fold *fold, const struct place *place, bool by_value, size_t depth)
{
	const struct abbrev *abbrev = place->abbrev;
	const uint8_t *fixed = place->fixed;
	if (abbrev->shape == SHAPE_AGGREGATE)
		return fold_quick_aggregate(fold, place->view, abbrev, fixed, !by_value, depth);
	bool is_function = abbrev->shape == SHAPE_FUNCTION;
	uint64_t hash = die_hash_add(DIE_HASH_START, is_function && has(place, SLOT_PROTOTYPED));
	hash = fold_quick_reference(
		fold, hash, place->view, abbrev, fixed, by_value && !is_function, depth);
	if (!abbrev->has_children || fold->dies->error)
		return hash;
	return add_parts(fold, hash, place->view, fixed + abbrev->fixed_bytes, depth);
}

/* An unnamed aggregate, or one that goes by the name of its declaration. */
static uint64_t unnamed_hash(struct fold *fold, const struct die *die, bool by_value, size_t depth)
{
	struct die named;
	uint64_t off;
	if (die_refers(fold->dies, die, SLOT_SIGNATURE, &off))
		return fold_add_type(fold, DIE_HASH_START, off, by_value, depth + 1);
	if (!die_has(die, SLOT_SPECIFICATION))
		return fold_aggregate(fold, die, !by_value, depth);
	if (!scan_read_named(fold->dies, die->off, &named))
		return 0;
	if (!die_has(&named, SLOT_NAME))
		return fold_aggregate(fold, die, !by_value, depth);
	return die_hash_add(fold_scope(fold, named.view, named.off), fold_name(fold, &named));
}

/* A type that is more than a name. */
static uint64_t structure_hash(
	struct fold *fold, const struct place *place, bool by_value, size_t depth)
{
	struct die die;
	switch (place->abbrev->shape) {
	case SHAPE_AGGREGATE:
	case SHAPE_FUNCTION:
	case SHAPE_ARRAY:
		return quick_structure_hash(fold, place, by_value, depth);
	default:
		break;
	}
	if (!die_read(fold->dies, place->view, place->abbrev, place->p, &die))
		return 0;
	die.off = place->off;
	uint64_t hash = DIE_HASH_START, size = 0;
	switch (place->abbrev->tag) {
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_class_type:
		return unnamed_hash(fold, &die, by_value, depth);
	case DW_TAG_array_type:
		hash = die_hash_add(hash, die_flag(&die, SLOT_VECTOR));
		hash = fold_add_reference(fold, hash, &die, SLOT_TYPE, by_value, depth);
		return add_parts_of(fold, hash, &die, depth);
	case DW_TAG_subroutine_type:
		hash = die_hash_add(hash, die_flag(&die, SLOT_PROTOTYPED));
		hash = fold_add_reference(fold, hash, &die, SLOT_TYPE, false, depth);
		return add_parts_of(fold, hash, &die, depth);
	case DW_TAG_ptr_to_member_type:
		hash = fold_add_reference(fold, hash, &die, SLOT_CONTAINING_TYPE, false, depth);
		return fold_add_reference(fold, hash, &die, SLOT_TYPE, false, depth);
	default:
		break;
	}
	/* unnamed enumerations, and what C does not have: by size, name and target */
	die_number(&die, SLOT_BYTE_SIZE, &size);
	hash = die_hash_add(die_hash_add(hash, size), fold_name(fold, &die));
	hash = fold_add_reference(fold, hash, &die, SLOT_TYPE, false, depth);
	return add_parts_of(fold, hash, &die, depth);
}

static uint64_t known_structure_hash(
	struct fold *fold, const struct place *place, bool by_value, size_t depth)
{
	uint64_t key = place->off << 1 | by_value;
	const uint64_t *known = map_find(&fold->memo, key);
	if (known)
		return *known;
	uint64_t hash = structure_hash(fold, place, by_value, depth);
	if (!fold->dies->error)
		map_add(&fold->memo, key, hash);
	return hash;
}

static bool is_named(const struct place *place)
{
	switch (place->abbrev->tag) {
	case DW_TAG_base_type:
	case DW_TAG_typedef:
	case DW_TAG_template_alias:
	case DW_TAG_unspecified_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_class_type:
	case DW_TAG_enumeration_type:
		return has(place, SLOT_NAME);
	default:
		return false;
	}
}

static unsigned qualifier(uint16_t tag)
{
	switch (tag) {
	case DW_TAG_const_type:
		return 1;
	case DW_TAG_volatile_type:
		return 2;
	case DW_TAG_restrict_type:
		return 4;
	case DW_TAG_atomic_type:
		return 8;
	case DW_TAG_packed_type:
		return 16;
	case DW_TAG_immutable_type:
		return 32;
	default:
		return 0;
	}
}

static bool is_pointer(uint16_t tag)
{
	return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
	       tag == DW_TAG_rvalue_reference_type;
}

/* The type to which a pointer or a qualifier refers; 0 when it is none of this file. */
static uint64_t target_of(struct fold *fold, const struct place *place)
{
	if (place->abbrev->type_at != ABBREV_NOT_FIXED)
		return die_in_unit(place->view,
			bytes_u32(place->fixed + place->abbrev->type_at, place->view->swap));
	struct die die;
	uint64_t off;
	if (!die_read(fold->dies, place->view, place->abbrev, place->p, &die) ||
		!die_refers(fold->dies, &die, SLOT_TYPE, &off))
		return 0;
	return off;
}

uint64_t fold_read_type(struct fold *fold, uint64_t off, bool by_value, size_t depth)
{
	uint64_t hash = DIE_HASH_START;
	unsigned qualifiers = 0; /* as a set: "const volatile" is "volatile const" */
	struct place place;
	if (fold->dies->error) /* or a function type in itself is walked once for each way down to the limit */
		return 0;
	for (; depth < FOLD_DEPTH_LIMIT; depth++) {
		if (!find_place(fold, off, &place))
			return 0;
		uint16_t tag = place.abbrev->tag;
		unsigned bit = qualifier(tag);
		if (qualifiers && !bit) {
			hash = die_hash_add(hash, ~(uint64_t)qualifiers);
			qualifiers = 0;
		}
		if (is_pointer(tag)) {
			hash = die_hash_add(hash, tag);
			by_value = false;
		} else if (!bit) {
			hash = die_hash_add(hash, tag);
			return die_hash_end(die_hash_add(hash,
				is_named(&place)
					? named_hash(fold, &place)
					: known_structure_hash(fold, &place, by_value, depth)));
		}
		qualifiers |= bit;
		off = target_of(fold, &place);
		if (!off)
			return die_hash_end(
				die_hash_add(die_hash_add(hash, FOLD_OF_VOID), qualifiers));
	}
	dies_fail(fold->dies, off, "types are nested more than 128 deep");
	return 0;
}

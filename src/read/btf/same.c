#include "read/btf/same.h"

#include <stdbool.h>
#include <string.h>

#include "base/mem.h"
#include "read/btf/table.h"
#include "read/index/die.h"

/* More than compilers nest: hostile input, where two layouts may then pass for one. */
enum { DEPTH_MAX = 128 };

void btf_same_init(struct btf_same *same, const struct btf_part *part)
{
	*same = (struct btf_same){.part = part};
}

void btf_same_release(struct btf_same *same)
{
	mem_free(same->known);
}

static uint64_t add_name(const struct btf_same *same, uint64_t hash, uint32_t off)
{
	const char *name = part_name(same->part, off);
	return die_hash_add(hash, die_hash_bytes(name, strlen(name)));
}

static uint64_t type_hash(struct btf_same *same, uint32_t id, bool by_value, int depth);

static uint64_t members_hash(
	struct btf_same *same, const struct btf_type *type, bool by_value, int depth)
{
	uint64_t hash = die_hash_add(DIE_HASH_START ^ btf_kind(type), type->size);
	for (uint32_t i = 0; i < btf_vlen(type); i++) {
		const struct btf_member *member = &btf_members(type)[i];
		uint64_t off_bits;
		uint32_t bits = btf_member_bits(same->part, type, i, &off_bits);
		hash = add_name(same, hash, member->name_off);
		hash = die_hash_add(die_hash_add(hash, off_bits), ~(uint64_t)bits);
		if (by_value)
			hash = die_hash_add(hash, type_hash(same, member->type, true, depth + 1));
	}
	return hash;
}

/* FWD is the struct or union that it announces. */
static uint32_t plain_kind(const struct btf_type *type)
{
	if (!btf_is_fwd(type))
		return btf_kind(type);
	return btf_kflag(type) ? BTF_KIND_UNION : BTF_KIND_STRUCT;
}

static uint64_t params_hash(struct btf_same *same, const struct btf_type *type, int depth)
{
	uint64_t hash = die_hash_add(DIE_HASH_START, btf_vlen(type));
	for (uint32_t i = 0; i < btf_vlen(type); i++)
		hash = die_hash_add(
			hash, type_hash(same, btf_params(type)[i].type, false, depth + 1));
	return hash;
}

static uint64_t make_hash(struct btf_same *same, uint32_t id, bool by_value, int depth)
{
	const struct btf_type *type = part_type(same->part, id);
	uint64_t hash = die_hash_add(DIE_HASH_START, plain_kind(type));
	switch (btf_kind(type)) {
	case BTF_KIND_TYPE_TAG:
		return type_hash(same, type->type, by_value, depth + 1);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		if (!*part_name(same->part, type->name_off))
			return die_hash_add(hash, members_hash(same, type, by_value, depth));
		return add_name(same, hash, type->name_off);
	case BTF_KIND_PTR:
		return die_hash_add(hash, type_hash(same, type->type, false, depth + 1));
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
		return die_hash_add(hash, type_hash(same, type->type, by_value, depth + 1));
	case BTF_KIND_ARRAY:
		hash = die_hash_add(hash, btf_array(type)->nelems);
		return die_hash_add(
			hash, type_hash(same, btf_array(type)->type, by_value, depth + 1));
	case BTF_KIND_FUNC_PROTO:
		hash = die_hash_add(hash, type_hash(same, type->type, false, depth + 1));
		return die_hash_add(hash, params_hash(same, type, depth));
	case BTF_KIND_INT:
	case BTF_KIND_FLOAT:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return add_name(same, die_hash_add(hash, type->size), type->name_off);
	default:
		return add_name(same, hash, type->name_off);
	}
}

static uint64_t type_hash(struct btf_same *same, uint32_t id, bool by_value, int depth)
{
	uint64_t *known = &same->known[id][by_value];
	if (!id || depth > DEPTH_MAX)
		return 1;
	if (!*known) {
		*known = 1; /* of a circle */
		*known = make_hash(same, id, by_value, depth) | 1;
	}
	return *known;
}

uint64_t btf_same_hash(struct btf_same *same, uint32_t id)
{
	if (!same->known)
		same->known = mem_new(same->part->end, sizeof(*same->known));
	return die_hash_end(members_hash(same, part_type(same->part, id), true, 0));
}

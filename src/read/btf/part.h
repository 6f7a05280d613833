/*
 * part: what is open of one BTF. Private to btf.
 *
 * The ids of a part count on behind those of its base. A definition is known by its part and its id (part_place()).
 */
#ifndef READ_BTF_PART_H
#define READ_BTF_PART_H

#include <bpf/btf.h>
#include <stddef.h>
#include <stdint.h>

#include "type.h"

struct btf_part {
	struct btf *btf; /* with the base's types and strings before its own; owned */
	uint32_t first;  /* the first id of its own: 1 without a base */
	uint32_t end;    /* behind the last */
};

struct btf_file {
	const char *path;
	struct type_machine machine;
	struct btf_part *parts;
	size_t part_count;
};

/* struct index_def: die_off of a type; unit_off is the part's number. */
static inline uint64_t part_place(size_t part, uint32_t id)
{
	return (uint64_t)part << 32 | id;
}

/* The type; an id that the checks let through is always there. */
static inline const struct btf_type *part_type(const struct btf_part *part, uint32_t id)
{
	return btf__type_by_id(part->btf, id);
}

/* "" when it has none. */
static inline const char *part_name(const struct btf_part *part, uint32_t off)
{
	const char *name = btf__name_by_offset(part->btf, off);
	return name ? name : "";
}

/* const, volatile, restrict, and tags that C does not print? */
static inline bool part_is_qualifier(const struct btf_type *type)
{
	return btf_is_mod(type) || btf_kind(type) == BTF_KIND_TYPE_TAG;
}

#endif

/*
 * same: a hash of a definition's layout, as read/index/fold.h has it: size, and each member's name, offset, width and type's
 * name; unnamed types count by what is in them, behind a pointer by the names and places of that. Private to btf.
 */
#ifndef READ_BTF_SAME_H
#define READ_BTF_SAME_H

#include <stdint.h>

#include "read/btf/part.h"

struct btf_same {
	const struct btf_part *part;
	uint64_t (*known)[2]; /* by id: behind a pointer, by value; 0: not known; owned */
};

/* Nothing is allocated before the first hash. */
void btf_same_init(struct btf_same *same, const struct btf_part *part);
void btf_same_release(struct btf_same *same);

/* Of the struct or union `id`. */
uint64_t btf_same_hash(struct btf_same *same, uint32_t id);

#endif

/*
 * table: the types of one BTF as struct types, those that are wanted.
 *
 * Private to btf. linux/btf.h. Each type is read once, and circles end; aggregates are read by name first, and in full when
 * something has them by value, as read/dwarf/reader.h does it. An array of arrays is one with several dimensions.
 */
#ifndef READ_BTF_TABLE_H
#define READ_BTF_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "read/btf/part.h"
#include "type.h"

struct btf_table {
	const struct btf_file *file;
	const struct btf_part *part;
	struct arena *arena;   /* where types go; not owned */
	struct types *types;   /* in the arena */
	type_id *known;        /* by BTF's id; 0: not read yet; owned */
	uint32_t *wanted;      /* ids of aggregates with members to be read; owned */
	size_t wanted_count, wanted_capacity;
	uint8_t *is_wanted;    /* by BTF's id: was it ever; owned */
};

void btf_table_init(struct btf_table *table, struct arena *arena, const struct btf_file *file,
	const struct btf_part *part);
void btf_table_release(struct btf_table *table);

/* Reads any type, what it has by value and what it points to in full. Errors: types that make no sense. */
struct error *btf_table_read_any(struct btf_table *table, uint32_t id, type_id *ret);

/* Reads the aggregate `id` with all that it has by value. Errors: types that make no sense. */
struct error *btf_table_read(struct btf_table *table, uint32_t id, type_id *ret);

/*
 * The width of a member that is a bit-field, and where it begins; 0 for others. Without kind_flag, a bit-field is of an integer
 * type with fewer bits than it has bytes for.
 */
uint32_t btf_member_bits(const struct btf_part *part, const struct btf_type *aggregate,
	uint32_t index, uint64_t *off_bits);

#endif

/*
 * btf: the definitions in BTF, found and read as index and dwarf do it for DWARF.
 *
 * object -> [btf] -> struct index, types. linux/btf.h, Documentation/bpf/btf.rst; with what is in btf/ the only user of libbpf.
 * A section holds one BTF or several, one behind the other, which is what a linker makes of those of gcc. The BTF of a kernel
 * module is split: it builds on that of its vmlinux, its base. BTF is all C: no scopes, no classes, no places in the source,
 * no alignment (types infer it). What it cannot say more: which functions a struct is local to, whether an array of no
 * elements is flexible (taken for so at the end of a struct), _Atomic, and that an array is a vector. Offsets of members
 * have 32 bits, 24 in a struct with bit-fields, and count bits: where they wrap, order in the struct tells them.
 */
#ifndef READ_BTF_H
#define READ_BTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "read/index.h"
#include "read/object.h"
#include "type.h"

struct btf_file; /* what is open; its names live as long as it does */

/* Whose BTF a split one builds on. */
struct btf_base {
	const char *path;                     /* for messages */
	const struct object_section *section; /* needed by btf_file_open() only */
};

/* Is the object's BTF split, so that a base is needed? Errors: no or damaged BTF. */
struct error *btf_file_needs_base(const struct object *object, bool *ret);

/*
 * Checks all of it, and opens it. `base` is NULL where none is needed. Errors: damage, with the offset in the section; a
 * base that it was not made against, or is none.
 */
struct error *btf_file_open(struct arena *arena, const struct object *object, const struct btf_base *base,
	struct btf_file **ret);
void btf_file_close(struct btf_file *file);

/* The object's; of raw BTF the pointers' size is that of its `long`. */
struct type_machine btf_file_machine(const struct btf_file *file);

/*
 * As index_build() (dwarf_version and split_units are 0, names are always there). Of the base, where there is one, only what is
 * asked for by name is found. Offsets in struct index_def are no bytes, only an order.
 */
struct error *btf_file_index(struct arena *arena, const struct btf_file *file, const struct index_query *query,
	struct index *ret);

/* A definition that was read. */
struct btf_definition {
	const struct types *types; /* in the arena */
	type_id id;                /* the aggregate */
	const char *damage;        /* NULL, or why it could not be read, as an error says it; in the arena */
};

/* Reads `defs` into ret[0..count), as dwarf_read(). Types that make no sense, with their number, are said by definition. */
void btf_file_read(struct arena *arena, const struct btf_file *file, const struct index_def *const *defs,
	size_t count, struct btf_definition *ret);

/* A variable of a section (BTF_KIND_VAR in BTF_KIND_DATASEC), as far as it says anything of it. */
struct btf_variable {
	const char *name;       /* in the arena, as the next, which all of one section share */
	const char *section;    /* ".data..percpu" */
	uint64_t section_bytes; /* 0: the compiler left it to a loader, and the offsets with it */
	uint64_t off_bytes, size_bytes; /* in that section */
	uint64_t part, id;      /* of its type, for btf_file_read_types() */
	bool is_static;
};

/* All that are defined there, those of the base left out, in the file's order; in the arena. */
void btf_file_variables(struct arena *arena, const struct btf_file *file, struct btf_variable **ret, size_t *count);

/*
 * Types of variables: ret[i] of type `ids[i]` in part `parts[i]`, all in one table, *types. What is in one by value is complete, and
 * what it points to. `skipped[i]`: not that one. Errors: as btf_file_read(), of ids[*failed]; the table is of no use then.
 */
struct error *btf_file_read_types(struct arena *arena, const struct btf_file *file, const uint64_t *parts,
	const uint64_t *ids, const bool *skipped, size_t count, const struct types **types, type_id *ret, size_t *failed);

#endif

/*
 * layout: a struct type on cache lines.
 *
 * types -> [layout] -> access. Pure: const types in, arena out. Members are a tree in preorder (an aggregate before its
 * members); offsets and lines always count from the outermost struct, for an object that starts on a line. Of an array
 * of aggregates the members appear once, for element 0.
 */
#ifndef LAYOUT_H
#define LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "type.h"

#define LAYOUT_NO_PARENT UINT32_MAX

struct layout_member {
	const char *name; /* "" when unnamed */
	const char *
		path; /* "f_path.mnt"; through unnamed aggregates and arrays without a mark; "" for an unnamed aggregate */
	type_id type;
	uint64_t
		off_bits; /* of the first bit, from the start of the outermost struct (see type_member.off_bits) */
	uint64_t
		size_bytes; /* of its declared type (also for bit-fields); 0 for flexible and zero-length arrays; of a base class
		             * without its virtual bases, and without the padding that it lends */
	uint32_t bit_size;    /* 0 unless a bit-field */
	uint32_t align_bytes; /* at least 1 */
	uint32_t parent;      /* index of the aggregate around it, LAYOUT_NO_PARENT at top level */
	uint32_t depth;       /* 0 at top level */
	uint32_t descendants; /* how many of the following entries lie inside */
	uint64_t
		elements; /* of an array, all dimensions multiplied; 1 otherwise, 0 for a flexible array */
	uint64_t element_bytes; /* size_bytes / elements for arrays; size_bytes otherwise */
	bool is_array;
	bool in_array; /* inside element 0 of an array of aggregates */
	bool in_union; /* it shares its bytes with an alternative */
	bool is_base, is_virtual, is_artificial;
	bool by_bases; /* its path has the names of the bases that it lies in: another one goes by the name alone, or is meant as well */
	bool is_open; /* its size is not known: only declared in this binary, or not constant; it reaches to the next member */
	uint32_t variant; /* as the two below: see type_member */
	bool is_body, is_discriminant;
	bool is_dynamic;  /* only the running program knows where it lies (or what it lies in): off_bits is no place */
	const char *file; /* declaration; NULL when unknown */
	uint32_t line;
};

struct layout_hole {
	uint64_t off_bytes;
	uint64_t size_bytes;
};

struct layout_bit_hole {
	uint64_t off_bytes;  /* byte of its first bit */
	uint32_t bit_offset; /* 0..7, counted as members' */
	uint32_t bit_size;   /* 1..7: whole bytes are holes */
};

struct layout {
	const struct types *types; /* not owned */
	type_id type;              /* the aggregate itself */
	const char *name;          /* tag, or the typedef of an unnamed one */
	uint64_t size_bytes;
	bool size_known; /* false: not constant */
	uint32_t align_bytes;
	uint64_t line_bytes;                 /* cache line, a power of two */
	uint64_t line_count;                 /* ceil(size / line) */
	const struct layout_member *members; /* preorder */
	size_t member_count;
	const struct layout_hole
		*holes; /* bytes that no member uses, before the last member; ascending */
	size_t hole_count;
	uint64_t hole_bytes;                     /* sum */
	const struct layout_bit_hole *bit_holes; /* ascending */
	size_t bit_hole_count;
	uint64_t padding_bytes; /* unused bytes behind the last member */
};

/* Bytes or bits inside a member that nothing in it uses. Of an array of aggregates: in element 0, and again in each. */
struct layout_gap {
	uint64_t off_bytes;  /* from the start of the outermost struct */
	uint64_t size_bytes; /* 0: bits */
	uint32_t bit_offset; /* bits only, as in layout_bit_hole */
	uint32_t bit_size;   /* bits only */
	uint32_t parent;     /* index of the aggregate, or array of them, in which it lies */
	bool is_padding;     /* behind the last member of that */
};

enum { LAYOUT_DEPTH_MAX = 64, LAYOUT_MEMBERS_MAX = 1 << 20 };

/*
 * Lays out the aggregate `id` (typedefs are followed) under `name` on lines of `line_bytes`. Errors: not an aggregate,
 * nested deeper than LAYOUT_DEPTH_MAX or larger than LAYOUT_MEMBERS_MAX (hostile or recursive input). A member that
 * lies outside its struct is kept and left out of the holes.
 */
struct error *layout_build(struct arena *arena, const struct types *types, type_id id,
	const char *name, uint64_t line_bytes, struct layout *ret);

/* The member at a path ("f_path.mnt", "fd_array[]" and "fd_array", "slots[].next"), with or
 * without the bases that it is inherited through; NULL when there is none, or several. */
const struct layout_member *layout_find(const struct layout *layout, const char *path);

/* A member, or one element of it or of the arrays that it lies in. */
struct layout_element {
	const struct layout_member *member;
	uint64_t off_bytes;  /* from the start of the outermost struct */
	uint64_t size_bytes; /* a bit-field's: of the bytes that its bits lie in; of an array: of one element; 0: not known, or empty */
};

/*
 * The same with numbers in the brackets ("stats[5].n", "grid[2][3]"), which count from 0 in each dimension; the first element
 * where there are none. ret->member is NULL when there is no such member. Returns what is wrong with a subscript, to go on
 * "'PATH' has "; NULL: nothing. Text in the arena.
 */
const char *layout_find_element(
	struct arena *arena, const struct layout *layout, const char *path, struct layout_element *ret);

/* The innermost member that covers a byte, and the first of several (unions); NULL in a hole. */
const struct layout_member *layout_find_at(const struct layout *layout, uint64_t off_bytes);

/*
 * The gaps in named members and in arrays, by parent and then ascending; they are no holes of the struct itself, whose
 * totals do not count them. What another alternative of a union uses is no gap. Returns how many there are.
 */
size_t layout_inner_gaps(struct arena *arena, const struct layout *layout, const struct layout_gap **ret);

/* First and last byte of a member that is not empty; a bit-field's: the bytes its bits lie in. */
uint64_t layout_first_byte(const struct layout_member *member);
uint64_t layout_last_byte(const struct layout_member *member);

/* Does a flexible array, or one of no elements, at its end make objects longer than the struct? */
bool layout_is_open_ended(const struct layout *layout);

/* Lies across two lines (of an object that starts a line)? */
bool layout_straddles(const struct layout *layout, const struct layout_member *member);

/* An unnamed aggregate, or an alternative of an enum of Rust, whose members count as those of what is around it? */
bool layout_is_frame(const struct layout_member *member);

/* "__cacheline_group_begin__NAME" or "..._end__NAME" of zero size: 1 begins, -1 ends, 0 neither; NAME through *group. */
int layout_group_marker(const struct layout_member *member, const char **group);

#endif

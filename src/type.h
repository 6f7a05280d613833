/*
 * type: the type graph that the readers fill and everything else reads.
 *
 * binary -> index -> [types] -> layout. A table of types that name each other by index, so cycles are harmless. Built
 * once by a reader, then const; cmd/session/keep.c copies the texts of all its parts, where they must outlive the
 * binary. Sizes and offsets are uint64_t; bits and bytes stand in the names. No I/O, no DWARF or BTF in here.
 */
#ifndef TYPE_H
#define TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"

typedef uint32_t type_id; /* index into struct types; 0 is always void */

enum type_kind {
	TYPE_VOID,
	TYPE_BASE, /* int, long double, _Bool, __int128 */
	TYPE_ENUM,
	TYPE_POINTER,          /* target */
	TYPE_REFERENCE,        /* target; C++ & */
	TYPE_RVALUE_REFERENCE, /* target; C++ && */
	TYPE_MEMBER_POINTER,   /* target; C++ pointer to member, class in `container` */
	TYPE_ARRAY,            /* target, dims: one type for all its dimensions */
	TYPE_STRUCT,
	TYPE_UNION,
	TYPE_CLASS,
	TYPE_TYPEDEF, /* target, name */
	TYPE_CONST,   /* target, as the three below */
	TYPE_VOLATILE,
	TYPE_RESTRICT,
	TYPE_ATOMIC,
	TYPE_FUNCTION, /* target is the result, params */
	TYPE_UNSPECIFIED, /* named but without a size: decltype(nullptr), what a reader does not know */
};

/* Number of elements of a dimension that has no bound: flexible arrays. */
#define TYPE_NO_COUNT UINT64_MAX

/* Alternatives that share their bytes: of an enum of Rust, of a record with variants of Ada (DWARF 5 section 5.7.10). */
struct type_variant {
	const char *name;               /* Rust's; "" where alternatives have no names (Ada) */
	const struct type_range *values; /* of the discriminant, that choose it; none: what the others leave */
	size_t value_count;
};

/* Both ends belong to it; negative ones as two's complement. */
struct type_range {
	uint64_t low, high;
};

/* Whether a class derived from this one, in C++, has its members begin in the padding behind the last member of this. */
enum type_tail {
	TYPE_TAIL_KEPT,   /* no: plain old data, and all other languages (as far as its own members tell) */
	TYPE_TAIL_LENT,   /* yes */
	TYPE_TAIL_UNSURE, /* it has functions of which the debug information does not say enough */
};

struct type_member {
	const char *name; /* "" when unnamed; interned or in the binary's mapping */
	type_id type;
	uint64_t
		off_bits; /* from the start of the aggregate; on big-endian a bit-field's counts from the most significant bit */
	uint32_t bit_size;    /* a bit-field's width in bits; 0 for all others */
	uint32_t align_bytes; /* stated in the source (DW_AT_alignment); 0 when not stated */
	const char *file;     /* declaration, as the binary spells it; NULL when unknown */
	uint32_t line;        /* 0 when unknown */
	bool is_base;         /* a C++ base class */
	bool is_virtual;      /* a virtual base: offset of the complete object */
	bool is_artificial;   /* made by the compiler: a vptr */
	uint32_t variant;     /* it is in one alternative only: number of that in type.variants, from 1; 0: always there */
	bool is_body;         /* Rust: it is the alternative; what it has are the alternative's members */
	bool is_discriminant; /* it tells which alternative is there, and has no name in the source (Rust) */
	bool is_dynamic;      /* only the running program knows where: a virtual base, what lies behind an array of variable
	                       * length; off_bits is the end of the aggregate then, and no place */
};

struct type {
	enum type_kind kind;
	const char *name;    /* tag, typedef or base name without scope; NULL when unnamed */
	const char *scope;   /* "ns::Outer", "function()"; NULL at file scope */
	type_id target;      /* see enum type_kind */
	type_id container;   /* TYPE_MEMBER_POINTER only */
	type_id definition;  /* aggregates: of a declaration that another type of the table defines, that one, and the rest is as
	                      * there; else 0 */
	uint64_t size_bytes; /* base, enum, pointer, struct; arrays and typedefs: see type_size() */
	bool size_known;     /* false: incomplete or dynamic */
	bool is_declaration; /* an incomplete struct */
	bool is_variable;    /* array: only the running program knows how long */
	bool is_vector;      /* array of a vector extension: aligned as a whole */
	bool is_variadic;    /* function: ends in ... */
	bool is_prototyped;  /* function: (void) when it has no parameters */
	bool is_rust;        /* aggregates, enums, arrays and named pointers: written as Rust does, [T; 4] and no `struct` */
	bool is_go;          /* goes by its name, whatever it is: []T, [3]T, *T, and no `struct` */
	bool is_reordered;   /* by its compiler (Rust): members are in order of their places, not of the source */
	bool has_virtual;    /* C++: a virtual function or base is declared in it */
	enum type_tail tail; /* aggregates */
	uint32_t align_bytes; /* stated (DW_AT_alignment), 0 when not stated */
	const uint64_t *dims; /* array: elements of each dimension, TYPE_NO_COUNT without bound */
	size_t dim_count;
	const struct type_member *members; /* struct, union, class: in order of declaration */
	size_t member_count;
	const struct type_variant *variants; /* aggregates; see type_member.variant */
	size_t variant_count;
	const type_id *params; /* function */
	size_t param_count;
	const char *file; /* declaration of a struct or typedef; NULL when unknown */
	uint32_t line;    /* 0 when unknown */
};

/* What the machine of a binary makes of types. */
struct type_machine {
	uint32_t pointer_bytes; /* 4 or 8 */
	bool big_endian;
	uint32_t
		scalar_align_max; /* the largest natural alignment of a scalar in a struct: 4 on i386, 16 on x86-64 */
};

struct types {
	struct arena *arena; /* where the table lives; not owned */
	struct type *items;  /* items[0] is void */
	size_t count;
	size_t capacity;
	struct type_machine machine;
};

/* An empty table (void only). */
void types_init(struct types *types, struct arena *arena, struct type_machine machine);

/* Appends a copy of `type`; returns its index. What it points to is not copied, and must live as long as the table. */
type_id types_add(struct types *types, const struct type *type);

/* Valid until the next types_add(). */
const struct type *types_get(const struct types *types, type_id id);

/* Through typedefs and cv/atomic qualifiers; bounded, so that a cycle of typedefs ends (at void). */
type_id types_strip(const struct types *types, type_id id);

/* const, volatile, restrict or _Atomic? */
bool type_is_qualifier(enum type_kind kind);

/* A struct, union or class? (not through typedefs) */
bool type_is_aggregate(const struct type *type);

/*
 * Size in bytes of a type; false when it has none (void, function, incomplete, overflow). An array without bound, and an
 * array of zero elements, is 0 bytes.
 */
bool type_size(const struct types *types, type_id id, uint64_t *size_bytes);

/*
 * Alignment in bytes, at least 1: what is stated, else inferred: a scalar's size up to scalar_align_max; an array's
 * element; an aggregate's most demanding member, where a member whose offset is not a multiple of its alignment
 * (packed) counts with what its offset allows, and the size must be a multiple.
 */
uint32_t type_align(const struct types *types, type_id id);

/* Alignment of one member in its aggregate: stated or its type's, lowered to what its offset allows (packed). Bit-fields: their type's. */
uint32_t type_member_align(const struct types *types, const struct type_member *member);

/*
 * Appends the declaration of `name` (NULL or "": the type alone) as C writes it: `void (*fn)(int)`,
 * `struct file *fd_array[64]`, `struct file *[64]`, `struct {...} `. Names of C++ are as the binary spells them, scope
 * included for aggregates. What is nested deeper or wider than a compiler makes it ends in "...".
 */
void type_declare(const struct types *types, type_id id, const char *name, struct buf *out);

/* The type alone, with base types' names in one spelling, so that what two compilers made can be compared. */
void type_declare_alike(const struct types *types, type_id id, struct buf *out);

/* As strcmp() of names of structs, with the arguments of templates in that one spelling. */
int type_compare_names(const char *a, const char *b);

/* Appends a name of a struct, or of a scope, in that one spelling. */
void type_spell_alike(const char *name, struct buf *out);

/* Templates of one name, however their arguments are spelt: "Buf<long,3>" and "Buf<long int, 3>". */
bool type_is_respelt(const char *left, const char *right);

/*
 * A name without the first part of its package's path: of "net/http.Server" (Go) that is "http.Server", and of that
 * "Server". NULL when it has none; what stands in brackets is no path.
 */
const char *type_without_package(const char *name);

/* "ns::Outer::name"; `name` itself where `scope` is NULL, else in `arena`. */
const char *type_qualify(struct arena *arena, const char *scope, const char *name);

/* "struct", "union", "class", or "" */
const char *type_keyword(enum type_kind kind);

#endif

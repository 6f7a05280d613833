/*
 * variables: what lies at which link-time address, from debug information and the symbol table.
 *
 * object -> [variables] -> import, vars. DW_TAG_variable entries with a static address, DWARF 5 section 4.1 and 2.6.1.1:
 * DW_OP_addr, DW_OP_addrx (through .debug_addr, section 7.27), and a constant added to either; globals, statics of
 * functions, static members of classes. What lies in a register, on a stack or in thread-local storage has no such
 * address, and what the linker has dropped lies in no section: neither is listed. Two steps, as for structs: finding walks
 * over all entries (our own scan), reading makes types of those that are wanted (libdwarf).
 */
#ifndef READ_VARIABLES_H
#define READ_VARIABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "read/object.h"
#include "read/object/symbols.h"
#include "type.h"

/* Where a variable is, and where its entry. */
struct variable_place {
	uint64_t address;
	uint64_t die_off, unit_off; /* as struct index_def's; of BTF the type's id and part */
	const char *name;           /* without scope; "" when it has none; in the mapping */
};

struct variables {
	const struct variable_place *places; /* by address, then die_off; one a name and address */
	size_t count;
	struct object_symbols symbols;
	uint64_t split_units; /* units whose entries are in other files (-gsplit-dwarf) */
	const char *const *damage; /* of units that are not here, or only up to some place, as index.damage has it */
	size_t damage_count;
};

/* As far as words of a declaration go; C also where it is not known. */
enum variable_language { VARIABLE_OF_C, VARIABLE_OF_RUST, VARIABLE_OF_OTHERS };

struct variable {
	enum variable_language language;
	const char *name;         /* "" when it has none */
	const char *linkage_name; /* NULL when the linker knows it by `name` */
	const char *scope;        /* "ns::Class", "function()"; NULL at file scope */
	const char *unit;         /* DW_AT_name of its unit; "" when there is none */
	const char *file;         /* declaration, as the binary spells it; NULL when unknown */
	uint32_t line;            /* 0 when unknown */
	uint64_t address;
	const struct types *types; /* in the arena; shared by the variables of one call */
	type_id type; /* all that is in it by value, and of a pointer what it points to, is complete */
	uint64_t
		size_bytes; /* the type's; the symbol's where the type has none (a flexible array is initialised) or
	                            * is shorter than that array; 0 when neither says */
	bool is_external;
	const struct object_area *area; /* in which it lies */
	const struct object_symbol
		*symbol; /* the linker's, of this address: by name where one has it; NULL: none */
	bool symbol_differs; /* its size is not the type's; the linker is right about the bytes */
	const char *damage;  /* NULL, or why it could not be read, as an error says it: nothing else is known then; in the arena */
};

/*
 * The same of BTF, which lists variables by section (BTF_KIND_DATASEC): that of a Linux kernel those of each processor, that of a
 * program for BPF all. In an ELF file the symbol table says where they are: one is known by its name and section, and where
 * static ones share both by its offset, if that is filled in. Raw BTF has no symbols: sections are apart as those of a
 * relocatable object, and offsets in them exact. No errors: what is not there is not found.
 */
struct btf_file;
void variables_find_btf(struct arena *arena, const struct object *object, const struct btf_file *btf,
	struct variables *ret);

/* As variables_read(), without scopes, units and places in the source, which BTF does not know. Errors: many senseless types. */
struct error *variables_read_btf(struct arena *arena, const struct btf_file *btf, const struct variables *variables,
	const struct variable_place *const *places, size_t count, struct variable *ret);

/*
 * All variables; of a relocatable object with the addresses of read/object/areas.h, which only say how far into its area
 * each one lies. `jobs` threads, 0: one a processor; the result does not depend on it. Errors: no debug information; the
 * first damage, when no variable is found beside it.
 */
struct error *variables_find(
	struct arena *arena, const struct object *object, unsigned jobs, struct variables *ret);

enum { VARIABLES_DAMAGED_MOST = 8 }; /* of one call, before the file is given up */

/* Reads `places[0..count)`, in any order; ret[i] for places[i], with its damage. Errors: more of it than VARIABLES_DAMAGED_MOST. */
struct error *variables_read(struct arena *arena, const struct object *object,
	const struct variables *variables, const struct variable_place *const *places, size_t count,
	struct variable *ret);

/* The first damage of either, for whoever needs all of it; NULL when there is none. */
struct error *variables_require_found(const struct variables *variables);
struct error *variables_require_read(const struct variable *variables, size_t count);

/* The places at the highest address that is not above `address`: [*first, *first + result). 0: none. */
size_t variables_near(const struct variables *variables, uint64_t address, size_t *first);

#endif

/*
 * index: where every definition of a struct, union or class sits in .debug_info and .debug_types.
 *
 * object -> [index] -> dwarf. DWARF 5 sections 7.5 (units, abbreviations, forms) and 2.3; DWARF 4 likewise. Offsets count
 * from the start of .debug_info; those of .debug_types (DWARF 4) count on behind it. The hot path:
 * mapped bytes, tables made once per abbreviation table, no allocation per DIE, a thread a core, DW_AT_sibling over what is
 * not needed. Definitions are folded while they are found: one entry for each distinct layout (design: size, and each
 * member's name, offset, bit size and type name; unnamed member types count by what is in them), the first in file order.
 * Every read is bounded by its section; damaged units are gone round, and told.
 */
#ifndef READ_INDEX_H
#define READ_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "read/object.h"
#include "type.h"

/* One distinct layout under one name. */
struct index_def {
	const char *name;    /* tag, or the typedef of an unnamed aggregate; without scope; in the mapping or the arena */
	const char *scope;   /* "ns::Outer", "function()"; NULL at file scope; in the arena */
	enum type_kind kind; /* TYPE_STRUCT, TYPE_UNION or TYPE_CLASS */
	bool is_typedef;     /* named by a typedef only */
	bool is_local;       /* inside a function */
	uint64_t die_off;    /* of the aggregate's DIE (first in file order) */
	uint64_t unit_off;   /* of its unit's header */
	uint64_t hash;       /* of the layout */
	uint64_t copies;     /* how many definitions in the file have this layout, this one included */
	uint32_t layouts;    /* distinct layouts under this kind, scope and name, tags and typedefs apart */
	uint32_t file;       /* set by whoever puts the indexes of several binaries together: which one; else 0 */
	uint32_t alike;      /* likewise: those of one number have hashes that can be compared; else 0 */
	uint32_t files;      /* likewise: in how many this layout is; else 0 */
};

/*
 * A typedef, asked for by its exact NAME, of an aggregate that goes by another: through typedefs and qualifiers to a tag,
 * or to the typedef of an unnamed aggregate. Noted only where that NAME means no definition: tags win over typedefs.
 */
struct index_alias {
	const char *name;         /* of the typedef; in the mapping */
	const char *scope;        /* of the typedef; NULL at file scope; in the arena */
	enum type_kind kind;      /* of what it leads to, as the three below */
	const char *target;
	const char *target_scope;
};

struct index_query {
	const char *const *patterns; /* NAMEs, as pattern.h describes them; NULL: every name. A literal NAME that means a
	                                tag does not mean a typedef as well; one that means no definition may mean an
	                                alias. Aliases and their targets take a further scan each, which is made only
	                                where such a NAME stands in .debug_str (or is short): what is there, and what is
	                                not at all, costs one */
	size_t pattern_count;        /* ignored when patterns is NULL */
	const char *probe;           /* a bare name: is a struct that bears it there at all? NULL: not asked */
	unsigned jobs;               /* threads; 0: as many as the machine has processors */
	bool compares;               /* definitions will be compared with those of other files: the hash of each is needed */
};

struct index {
	const struct index_def *defs; /* by name, then kind, scope, die_off; the same whatever jobs is */
	size_t count;
	bool has_packages;            /* a definition may have a name that goes without its package too (Go) */
	bool has_probe;               /* a definition bears query.probe */
	bool has_names;               /* names are there: a NAME means nothing (or there are none), or everything was asked for */
	const char *const *names;     /* every distinct name in the file that a definition bears, sorted: for "did you mean" */
	size_t name_count;
	const struct index_alias *aliases; /* by name, scope and target; their targets' definitions are in defs, unless the
	                                    * file has declarations of them only. None when everything is asked for */
	size_t alias_count;
	const char *const *declared;  /* sorted: exact NAMEs, and targets of aliases, that are declared somewhere (a struct
	                               * without members) and defined nowhere */
	size_t declared_count;
	uint64_t split_units;         /* skeletons (-gsplit-dwarf) whose split files are not among the companions */
	uint64_t definitions_seen;    /* all definitions with a name, copies included; where has_names */
	uint64_t unit_count;
	uint16_t dwarf_version;       /* the highest of the units' */
	const char *const *damage;    /* of units that are not here, or only up to some place: an error's text each (damaged unit,
	                               * abbreviation or form with the section offset, an unknown DWARF version), in file
	                               * order; in the arena */
	size_t damage_count;
};

/*
 * Scans .debug_info; for a few names that are written out, only the units in whose bytes they stand (seek.h): damage
 * elsewhere is not seen then. Names that match nothing are no error here. Errors: the first damage, when no definition is
 * found beside it. Where nothing is asked for there is no damage.
 */
struct error *index_build(struct arena *arena, const struct object *object, const struct index_query *query,
	struct index *ret);

/* Into defs: the first of that name (any kind, any scope); without one, where it would stand. */
size_t index_first(const struct index *index, const char *name);

/* A definition of that name (any kind, any scope)? A binary search in names, which must be there. */
bool index_has_name(const struct index *index, const char *name);

/* Is a struct of that name declared, and not defined? See index.declared. */
bool index_is_declared(const struct index *index, const char *name);

/* Does `pattern` (see index_query) name this? Used by the commands to sort entries to arguments. "struct x" and "union x" are accepted. */
bool index_name_matches(const char *pattern, const char *scope, const char *name);

/* The same of a template's name, spelt otherwise: "Buf<long,5>" is "Buf<long int, 5>". An index has both. */
bool index_name_is_respelt(const char *pattern, const char *scope, const char *name);

/* True when the pattern has glob characters (C++ template arguments and [] of operators aside: escape with a backslash). */
bool index_is_glob(const char *pattern);

#endif

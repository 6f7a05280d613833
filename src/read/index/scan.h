/*
 * scan: one unit walked from end to end: its definitions with a wanted name, and its scopes.
 *
 * die, pattern -> [scan] -> fold, index. DWARF 5 sections 5.7 (aggregates), 5.3 (typedefs), 3.2 and 3.3
 * (namespaces, functions). This is where the time of a query goes; what is not needed is stepped over along
 * DW_AT_sibling.
 */
#ifndef READ_SCAN_H
#define READ_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "read/index/die.h"
#include "read/map.h"
#include "read/index/pattern.h"
#include "type.h"

/* A name that a definition bears somewhere. */
struct name {
	const char *text; /* in the mapping */
	bool is_empty;    /* which is as good as none */
	bool is_borne;    /* by a definition, as far as this thread has seen */
	bool is_wanted;   /* in some scope, so the definitions that bear it are looked at */
	bool is_exact;    /* patterns_mean_exactly() */
	bool is_declared; /* is_exact, and a declaration without definition bears it */
};

/* One thread's names, so that each text is looked at once, however many definitions bear it. */
struct names {
	const struct patterns *patterns; /* not owned */
	struct map by_key;               /* die_string_key() -> index into items */
	struct map by_hash;              /* of the text -> index into items */
	struct name *items;              /* owned */
	size_t count, capacity;
};

void names_init(struct names *names, const struct patterns *patterns);
void names_release(struct names *names);

/* Does a definition bear this name, as far as this thread has seen? */
bool names_are_borne(const struct names *names, const char *text);

/* A definition with a wanted name. */
struct candidate {
	uint64_t die_off; /* of the aggregate's DIE */
	uint64_t
		named_off; /* of the DIE whose place gives the scope: itself, a declaration, a typedef */
	uint32_t name;       /* index into names */
	enum type_kind kind; /* TYPE_STRUCT, TYPE_UNION or TYPE_CLASS */
	bool is_typedef;
	bool at_file_scope; /* is known; else scan_scope_text() tells */
};

struct candidate_list {
	struct candidate *items; /* owned; reused from unit to unit */
	size_t count, capacity;
};

struct candidates {
	struct candidate_list wanted;
	struct candidate_list aliases;  /* typedefs with an exact name, of whatever: die_off is their own */
	struct candidate_list typedefs; /* scan's own */
	uint64_t definitions;           /* with whatever name; never reset */
	uint64_t lost; /* references to type units that are not there, as far as they are noticed; where everything is asked for */
};

void candidates_init(struct candidates *candidates);
void candidates_release(struct candidates *candidates);

/*
 * Walks the main unit of `dies`: adds to `candidates`, fills the unit's scopes. False after damage. Where
 * names->patterns->seek is there, only as far as a wanted name may stand, over what cannot hold one: other names,
 * scopes and damage are not seen then.
 */
bool scan_unit(struct dies *dies, struct names *names, struct candidates *candidates);

/*
 * The scope in which a DIE lies, as index into view->scopes; 0: none. Reads the scopes of a foreign unit
 * first.
 */
uint32_t scan_scope_of(struct dies *dies, struct view *view, uint64_t off);

/*
 * The text of the scope in which the DIE at `off` lies: "ns::Outer", "function()", NULL at file scope. One
 * copy of each in `texts`. *is_local: in a function. After damage: NULL.
 */
const char *scan_scope_text(struct dies *dies, struct intern *texts, uint64_t off, bool *is_local);

/* The DIE at `off` or the one that it completes: whose place is in the scope. False after damage. */
bool scan_read_named(struct dies *dies, uint64_t off, struct die *ret);

/* The kind of aggregate that a tag makes; TYPE_VOID for all others. */
enum type_kind scan_kind(uint16_t tag);

/* const, volatile and their like. */
bool scan_is_qualifier(uint16_t tag);

#endif

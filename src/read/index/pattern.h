/*
 * pattern: what a NAME of the command line means.
 *
 * A NAME may start with "struct ", "class " (either means both, as in C++) or "union ". Without "::" it is
 * compared with the bare name, in any scope; with "::", with the whole qualified name, or a part of it that
 * starts behind a "::"; a leading "::" allows the whole one only. A glob without "::" is compared with the whole
 * qualified name as well, unless that is local to a function. Functions in a scope match with and
 * without their "()". A name with a package (Go: "net/http.Server") goes by what stands behind each "/" of its path and
 * behind the "." too, unless a leading "::" forbids it. Globs are fnmatch(3)'s, and match themselves literally as well ("&[u8]"). A backslash
 * takes away a character's meaning.
 */
#ifndef READ_PATTERN_H
#define READ_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "read/map.h"
#include "type.h"

struct pattern {
	const char *text;    /* without keyword and leading "::"; in the caller's string */
	const char *literal; /* without backslashes too; there or in the arena */
	const char *alike; /* of a template: in one spelling, see type_spell_alike(); in the arena; NULL: of none */
	bool is_glob;
	bool is_scoped;   /* has a "::" */
	bool is_absolute; /* began with "::" */
	bool is_union;    /* "union x" */
	bool is_struct;   /* "struct x", "class x" */
};

struct seek;

struct patterns {
	const struct pattern *items; /* in the arena; NULL: everything is wanted */
	size_t count;
	struct map bare; /* hashes of bare names that one may mean; owned */
	struct map respelt; /* the same of templates, in one spelling; owned */
	bool any_name;   /* a glob with scope, which may mean any bare name */
	bool any_scoped_name; /* a glob without, which may mean any bare name that has a scope */
	const struct seek *seek; /* where their names may stand, for scan; NULL: anywhere; not owned */
	bool with_others; /* typedefs of what has another name, and declarations, are looked for too: it takes time */
};

/*
 * Has `text` glob characters? Not those in template arguments (but for a whole one that is a star, "list<*>"), in
 * parentheses and in names of operators.
 */
bool pattern_is_glob(const char *text);

/* `text` must live as long as the pattern. */
void pattern_read(struct arena *arena, const char *text, struct pattern *ret);

bool pattern_matches(const struct pattern *pattern, const char *scope, const char *name);

/* The same of a template's name spelt otherwise: "Buf<long,5>" is "Buf<long int, 5>". */
bool pattern_matches_respelt(const struct pattern *pattern, const char *scope, const char *name);
bool pattern_allows_kind(const struct pattern *pattern, enum type_kind kind);

/* `texts` NULL: everything. */
void patterns_init(
	struct patterns *patterns, struct arena *arena, const char *const *texts, size_t count);
void patterns_release(struct patterns *patterns);

/* May one of them mean this bare name, in some scope and spelling? `hash` is die_hash_bytes() of it. */
bool patterns_may_mean(const struct patterns *patterns, const char *name, uint64_t hash);

/* The same of what is written out, globs aside; false unless with_others. */
bool patterns_mean_exactly(const struct patterns *patterns, const char *name, uint64_t hash);

#endif

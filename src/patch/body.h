/*
 * body: the text between the braces of a struct as items, each with the comments that belong to it.
 *
 * tokens -> [body] -> match, move. What decides where an item may go are scopes: branches of conditionals, access
 * sections, unnamed aggregates, the kernel's randomized part. No preprocessor runs, so that a macro is an item with
 * nothing known but its words, and a word is a member's name when the debug information has a member of that name.
 */
#ifndef PATCH_BODY_H
#define PATCH_BODY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "patch/lex.h"

#define BODY_NONE UINT32_MAX

enum { BODY_DEPTH_MAX = 64 };

enum body_scope_kind {
	BODY_SCOPE_BRACES,    /* all between a pair of braces */
	BODY_SCOPE_SECTION,   /* of those, up to the first "public:", or behind one */
	BODY_SCOPE_BRANCH,    /* of a conditional */
	BODY_SCOPE_RANDOMIZED /* between randomized_struct_fields_start and _end */
};

struct body_scope {
	enum body_scope_kind kind;
	uint32_t parent;    /* index; BODY_NONE for the struct's braces */
	uint32_t line;      /* of what opens it */
	const char *text;   /* that, shortened: "#ifdef CONFIG_SMP", "public:" */
	size_t inner_start; /* byte where its first item could go */
	size_t block_start; /* bytes of the whole: #if to #endif with the comment above, the unnamed aggregate */
	size_t block_end;
};

/* One declarator of an item. */
struct body_name {
	const char *name;
	uint32_t line;
	size_t start, end;                 /* bytes: "*next", "(*fn)(int)", "flags : 3" */
	size_t comment_start, comment_end; /* bytes of the comment behind its comma; 0, 0 without */
	size_t value;                      /* byte of its initializer's '=' or '{', else `end` */
	bool is_bit_field;
	bool is_known;
};

enum body_kind {
	BODY_MEMBER,  /* declares members: see names */
	BODY_UNNAMED, /* an unnamed struct or union: the items inside follow it */
	BODY_PADDING, /* an unnamed bit-field */
	BODY_MACRO,   /* a macro, or an #include: what it declares is not in the text */
	BODY_OTHER,   /* no data: functions, types, assertions, #define */
};

struct body_item {
	enum body_kind kind;
	uint32_t scope;
	uint32_t first, last; /* tokens, the semicolon included */
	uint32_t line;
	size_t start, end; /* bytes of those tokens */
	size_t chunk_start,
		chunk_end; /* bytes with the comments, bit-field paddings and #defines that belong to it */
	bool starts_line;    /* nothing before the chunk on its first line */
	bool ends_line;      /* nothing behind it on its last */
	bool begins_unnamed; /* its first declarator is an unnamed bit-field */
	bool has_tail;       /* more than a comment hangs on it */
	const char *macro;   /* of BODY_MACRO: its word */
	const struct body_name *names;
	size_t name_count;
	const char *no_split; /* why its declarators cannot be parted; NULL when they can */
	uint32_t
		inner_end; /* of BODY_UNNAMED: index behind the last item inside; else its own index + 1 */
	uint32_t inner_scope; /* of BODY_UNNAMED: its braces */
	bool is_struct;       /* of BODY_UNNAMED */
};

/* The names that the debug information has, sorted. */
struct body_known {
	const char *const *names;
	size_t count;
};

/* Where a definition stands. */
struct body_place {
	uint32_t open, close; /* tokens of its braces */
	uint32_t line;        /* of its name, or of its keyword without one */
	uint32_t line_open;
};

struct body {
	const struct lex *lex;
	struct body_place place;
	const char *name; /* of the struct */
	bool is_cxx;
	const struct body_scope *scopes;
	size_t scope_count;
	const struct body_item *
		items; /* in the order of the text; those inside of an unnamed aggregate behind it */
	size_t item_count;
	const char *eol;    /* "\n" or "\r\n" */
	const char *broken; /* why its items cannot be trusted; NULL when they can */
	uint32_t broken_line;
};

/*
 * Every definition of the aggregate under that tag, or under that typedef when it has no tag. `keyword` is "struct",
 * "union" or "class"; class and struct are the same.
 */
size_t body_find(struct arena *arena, const struct lex *lex, const char *keyword, const char *name,
	const struct body_place **ret);

/* Never fails: see `broken`. */
void body_build(struct arena *arena, const struct lex *lex, const char *name, bool is_cxx,
	const struct body_place *place, const struct body_known *known, struct body *ret);

bool body_is_known(const struct body_known *known, const char *name);

/* Is `scope` this or inside of it? */
bool body_is_inside(const struct body *body, uint32_t scope, uint32_t outer);
/* The scope directly under `outer` that `scope` is inside of; BODY_NONE when it is `outer` itself or not inside. */
uint32_t body_child_of(const struct body *body, uint32_t scope, uint32_t outer);
/* Innermost branch of a conditional that it lies in; BODY_NONE without. */
uint32_t body_branch_of(const struct body *body, uint32_t scope);

/* Do two declarations begin with the same type? Bit-fields: what stands before their names. */
bool body_is_same_type(
	const struct body *body, const struct body_item *left, const struct body_item *right);

/* "--- cacheline 1 boundary (64 bytes) ---", "32-bit hole": says where it is, and not what a member is. */
bool body_is_boundary(const struct lex *lex, size_t token);

#endif

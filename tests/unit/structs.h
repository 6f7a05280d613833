/*
 * structs: layouts from a line of text, profiles from YAML, and what is suggested for them: for unit tests.
 *
 *     "count:8 lock:4 flags:4 path{mnt:8 dentry:8} slots:8*16 bits:4/3 {u:4 v:4} begin:0 tail:4*?"
 *
 * NAME:BYTES, *COUNT of an array (? without bound, 0 bytes an empty one), /BITS of a bit-field, ^ALIGN stated for it,
 * NAME{...} a nested struct, {...} an unnamed one, NAME|...| and |...| unions. Offsets are natural unless NAME@OFFSET
 * states one.
 */
#ifndef TEST_STRUCTS_H
#define TEST_STRUCTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lint.h"
#include "order.h"
#include "suggest.h"

struct world {
	struct arena arena;
	struct types types;
	struct layout layout;
	struct profile profile;
	struct access_context context;
	struct access_map map;
	struct lint_input input;
	struct lint_result lint;
	struct suggest_result result;
	uint64_t line_bytes; /* 64 */
	uint32_t layouts;    /* under the name of the struct: 1 */
};

static inline void world_init(struct world *w)
{
	memset(w, 0, sizeof(*w));
	w->line_bytes = 64;
	w->layouts = 1;
	arena_init(&w->arena);
	types_init(&w->types, &w->arena,
		(struct type_machine){.pointer_bytes = 8, .scalar_align_max = 16});
}

static inline type_id base_of(struct world *w, uint64_t bytes)
{
	return types_add(&w->types, &(struct type){.kind = TYPE_BASE,
					    .name = bytes == 8   ? "long"
						    : bytes == 4 ? "int"
						    : bytes == 2 ? "short"
								 : "char",
					    .size_bytes = bytes,
					    .size_known = true});
}

static inline uint64_t up(uint64_t n, uint64_t align)
{
	return (n + align - 1) / align * align;
}

/* Parses members up to `close`; returns the aggregate, its alignment in *align. */
static inline type_id aggregate_of(
	struct world *w, const char *name, const char **text, char close, uint64_t *align)
{
	struct type_member members[64] = {0};
	size_t count = 0;
	uint64_t bits = 0, size = 0;
	*align = 1;
	while (**text && **text != close) {
		char field[64] = "";
		int used = 0;
		if (**text == ' ') {
			++*text;
			continue;
		}
		if (sscanf(*text, "%63[^:@{|} ]%n", field, &used) == 1)
			*text += used;
		struct type_member *member = &members[count++];
		uint64_t bytes = 0, own = 1;
		unsigned long long stated = 0;
		bool is_stated = sscanf(*text, "@%llu%n", &stated, &used) == 1;
		if (is_stated)
			*text += used;
		char open = **text;
		++*text;
		if (open == '{' || open == '|') {
			member->type = aggregate_of(w, NULL, text, open == '{' ? '}' : '|', &own);
			w->types.items[member->type].kind = open == '{' ? TYPE_STRUCT : TYPE_UNION;
			++*text;
			bytes = types_get(&w->types, member->type)->size_bytes;
		} else {
			char *end;
			bytes = strtoull(*text, &end, 10);
			member->type = base_of(w, bytes ? bytes : 1);
			own = bytes > 16 || !bytes ? 1 : bytes;
			*text = end;
			bool open_end = strncmp(*text, "*?", 2) == 0;
			uint64_t dim = open_end ? TYPE_NO_COUNT : 0;
			if (open_end)
				*text += 2;
			else if (**text == '*')
				dim = strtoull(*text + 1, &end, 10), *text = end;
			if (dim || !bytes) {
				member->type = types_add(&w->types,
					&(struct type){.kind = TYPE_ARRAY,
						.target = member->type,
						.dims = arena_copy(&w->arena, &dim, 1, sizeof(dim)),
						.dim_count = 1});
				bytes = open_end ? 0 : bytes * dim;
			}
			if (**text == '/')
				member->bit_size = (uint32_t)strtoull(*text + 1, &end, 10),
				*text = end;
		}
		if (**text == '^') {
			char *end;
			member->align_bytes = (uint32_t)strtoull(*text + 1, &end, 10);
			own = member->align_bytes > own ? member->align_bytes : own;
			*text = end;
		}
		member->name = arena_strdup(&w->arena, field);
		uint64_t width = member->bit_size ? member->bit_size : 8 * bytes;
		if (is_stated)
			bits = 8 * stated;
		else if (close == '|')
			bits = 0;
		else if (member->bit_size)
			bits = bits % (8 * own) + width > 8 * bytes ? up(bits, 8 * own) : bits;
		else
			bits = up(bits, 8 * own);
		member->off_bits = bits;
		bits += width;
		size = bits > size ? bits : size;
		*align = own > *align ? own : *align;
	}
	return types_add(&w->types,
		&(struct type){.kind = TYPE_STRUCT,
			.name = name,
			.size_known = true,
			.size_bytes = up((size + 7) / 8, *align),
			.members = arena_copy(&w->arena, members, count, sizeof(*members)),
			.member_count = count});
}

/* A struct from text, of a size that is stated (0: the natural one). */
static inline type_id struct_of(struct world *w, const char *name, const char *fields, uint64_t size)
{
	uint64_t align;
	type_id id = aggregate_of(w, name, &fields, '\0', &align);
	if (size)
		w->types.items[id].size_bytes = size;
	return id;
}

static inline type_id array_of(struct world *w, type_id element, uint64_t count)
{
	return types_add(&w->types, &(struct type){.kind = TYPE_ARRAY,
					    .target = element,
					    .dims = arena_copy(&w->arena, &count, 1, sizeof(count)),
					    .dim_count = 1});
}

/* Lays out a type as struct s and joins it with a profile: `head`, and what stands under structs: s: (NULL: no profile). */
static inline void world_join_type(struct world *w, type_id id, const char *head, const char *entry,
	enum evidence evidence)
{
	char text[8192];
	const struct profile_struct *found = NULL;
	assert_null(layout_build(&w->arena, &w->types, id, "s", w->line_bytes, &w->layout));
	if (entry) {
		snprintf(text, sizeof(text), "version: 1\n%s\nstructs:\n  s:\n%s", head, entry);
		struct error *error = profile_parse(
			&w->arena, "p.yaml", text, strlen(text), evidence, &w->profile);
		if (error)
			fail_msg("%s", error->message);
		found = &w->profile.structs[0];
	}
	access_build(&w->arena, &w->layout, found, &w->context, &w->map);
}

static inline void world_join(struct world *w, const char *fields, const char *head,
	const char *entry, enum evidence evidence)
{
	world_join_type(w, struct_of(w, "s", fields, 0), head, entry, evidence);
}

/* Lints what was joined. */
static inline void world_lint(struct world *w)
{
	w->input = (struct lint_input){.layout = &w->layout,
		.qualified_name = "s",
		.access = &w->map,
		.context = &w->context,
		.layouts = w->layouts};
	lint_run(&w->arena, &w->input, &w->lint);
}

static inline void world_build(struct world *w, const char *fields, const char *head,
	const char *entry, enum evidence evidence)
{
	world_join(w, fields, head, entry, evidence);
	world_lint(w);
}

/* What is suggested; NULL or the message of the error. */
static inline const char *world_suggest(struct world *w)
{
	const struct suggest_input input = {&w->input, &w->lint, 7};
	struct error *error = suggest_run(&w->arena, &input, &w->result);
	const char *message = error ? arena_strdup(&w->arena, error->message) : NULL;
	error_free(error);
	return message;
}

static inline const struct suggestion *world_find(const struct world *w, enum suggest_kind kind)
{
	for (size_t i = 0; i < w->result.count; i++)
		if (w->result.items[i].kind == kind)
			return &w->result.items[i];
	return NULL;
}

static inline uint64_t offset_in(const struct suggestion *it, const char *field)
{
	for (size_t i = 0; i < it->order_count; i++)
		if (strcmp(it->order[i].field, field) == 0)
			return it->order[i].off_bits / 8;
	return UINT64_MAX;
}

#endif

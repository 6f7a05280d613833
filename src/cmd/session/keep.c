#include "cmd/session/keep.h"

#include "base/arena.h"

const char *keep_text(struct intern *texts, const char *text)
{
	return text ? intern_get(texts, text) : NULL;
}

struct index_def keep_def(struct intern *texts, const struct index_def *def)
{
	struct index_def kept = *def;
	kept.name = keep_text(texts, def->name);
	kept.scope = keep_text(texts, def->scope);
	return kept;
}

struct index_alias keep_alias(struct intern *texts, const struct index_alias *alias)
{
	return (struct index_alias){
		.name = keep_text(texts, alias->name),
		.scope = keep_text(texts, alias->scope),
		.kind = alias->kind,
		.target = keep_text(texts, alias->target),
		.target_scope = keep_text(texts, alias->target_scope),
	};
}

static void keep_members(struct intern *texts, struct type *type)
{
	struct type_member *members =
		arena_copy(texts->arena, type->members, type->member_count, sizeof(*type->members));
	for (size_t i = 0; i < type->member_count; i++) {
		members[i].name = keep_text(texts, members[i].name);
		members[i].file = keep_text(texts, members[i].file);
	}
	type->members = members;
}

static void keep_variants(struct intern *texts, struct type *type)
{
	struct type_variant *variants = arena_copy(
		texts->arena, type->variants, type->variant_count, sizeof(*type->variants));
	for (size_t i = 0; i < type->variant_count; i++)
		variants[i].name = keep_text(texts, variants[i].name);
	type->variants = variants;
}

static const struct types *keep_table(struct intern *texts, const struct types *table)
{
	struct types *kept = arena_copy(texts->arena, table, 1, sizeof(*table));
	kept->arena = texts->arena;
	kept->items = arena_copy(texts->arena, table->items, table->count, sizeof(*table->items));
	kept->capacity = table->count;
	for (size_t i = 0; i < kept->count; i++) {
		struct type *type = &kept->items[i];
		type->name = keep_text(texts, type->name);
		type->scope = keep_text(texts, type->scope);
		type->file = keep_text(texts, type->file);
		keep_members(texts, type);
		keep_variants(texts, type);
	}
	return kept;
}

void keep_types(struct intern *texts, struct info_type *types, size_t count)
{
	/* one a worker, so that there are few */
	const struct types **tables = arena_new(texts->arena, 2 * count, sizeof(*tables));
	size_t table_count = 0;
	for (size_t i = 0; i < count; i++) {
		size_t j = 0;
		if (!types[i].types)
			continue; /* damaged */
		while (j < table_count && tables[2 * j] != types[i].types)
			j++;
		if (j == table_count) {
			tables[2 * j] = types[i].types;
			tables[2 * j + 1] = keep_table(texts, types[i].types);
			table_count++;
		}
		types[i].types = tables[2 * j + 1];
		types[i].unit = keep_text(texts, types[i].unit);
		types[i].comp_dir = keep_text(texts, types[i].comp_dir);
	}
}

#include "base/mem.h"
#include "read/btf.h"
#include "read/btf/part.h"
#include "read/btf/table.h"

void btf_file_read(struct arena *arena, const struct btf_file *file,
	const struct index_def *const *defs, size_t count, struct btf_definition *ret)
{
	struct btf_table *tables = mem_new(file->part_count, sizeof(*tables));
	for (size_t i = 0; i < count; i++) {
		struct btf_table *table = &tables[defs[i]->unit_off];
		if (!table->types)
			btf_table_init(table, arena, file, &file->parts[defs[i]->unit_off]);
		ret[i] = (struct btf_definition){.types = table->types};
		struct error *error = btf_table_read(table, (uint32_t)defs[i]->die_off, &ret[i].id);
		if (!error)
			continue;
		/* what it has left half-read must not be taken for whole */
		btf_table_release(table);
		*table = (struct btf_table){0};
		ret[i] = (struct btf_definition){.damage = arena_strdup(arena, error->message)};
		error_free(error);
	}
	for (size_t i = 0; i < file->part_count; i++)
		btf_table_release(&tables[i]);
	mem_free(tables);
}

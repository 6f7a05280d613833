#include "base/mem.h"
#include "read/btf.h"
#include "read/btf/part.h"
#include "read/btf/table.h"

static void add_section(struct arena *arena, const struct btf_file *file, size_t part_number,
	const struct btf_type *section, struct btf_variable **ret, size_t *count, size_t *capacity)
{
	const struct btf_part *part = &file->parts[part_number];
	const struct btf_var_secinfo *info = btf_var_secinfos(section);
	const char *section_name = arena_strdup(arena, part_name(part, section->name_off));
	for (uint32_t i = 0; i < btf_vlen(section); i++) {
		const struct btf_type *variable = part_type(part, info[i].type);
		if (!btf_is_var(variable) || btf_var(variable)->linkage == BTF_VAR_GLOBAL_EXTERN)
			continue;
		*ret = arena_grow(arena, *ret, capacity, *count + 1, sizeof(**ret));
		(*ret)[(*count)++] = (struct btf_variable){
			.name = arena_strdup(arena, part_name(part, variable->name_off)),
			.section = section_name,
			.section_bytes = section->size,
			.off_bytes = info[i].offset,
			.size_bytes = info[i].size,
			.part = part_number,
			.id = variable->type,
			.is_static = btf_var(variable)->linkage == BTF_VAR_STATIC,
		};
	}
}

void btf_file_variables(
	struct arena *arena, const struct btf_file *file, struct btf_variable **ret, size_t *count)
{
	size_t capacity = 0;
	*ret = NULL;
	*count = 0;
	for (size_t i = 0; i < file->part_count; i++)
		for (uint32_t id = file->parts[i].first; id < file->parts[i].end; id++) {
			const struct btf_type *type = part_type(&file->parts[i], id);
			if (btf_is_datasec(type))
				add_section(arena, file, i, type, ret, count, &capacity);
		}
}

struct error *btf_file_read_types(struct arena *arena, const struct btf_file *file,
	const uint64_t *parts, const uint64_t *ids, const bool *skipped, size_t count,
	const struct types **types, type_id *ret, size_t *failed)
{
	struct btf_table *tables = mem_new(file->part_count, sizeof(*tables));
	struct types *all = arena_new(arena, 1, sizeof(*all));
	struct error *error = NULL;
	types_init(all, arena, file->machine);
	for (size_t i = 0; i < count && !error; i++) {
		struct btf_table *table = &tables[parts[i]];
		if (skipped[i])
			continue;
		if (!table->types) {
			btf_table_init(table, arena, file, &file->parts[parts[i]]);
			table->types = all;
		}
		error = btf_table_read_any(table, (uint32_t)ids[i], &ret[i]);
		*failed = i;
	}
	for (size_t i = 0; i < file->part_count; i++)
		btf_table_release(&tables[i]);
	mem_free(tables);
	*types = all;
	return error;
}

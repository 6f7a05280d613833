#include "read/info.h"

#include <unistd.h>

#include "read/btf.h"
#include "read/dwarf.h"

static const char running_kernel[] = "/sys/kernel/btf/vmlinux";

const char *info_form_name(enum info_form form)
{
	return form == INFO_BTF ? "btf" : "dwarf";
}

/* ---- which of them ---- */

static struct error *choose(const struct object *object, enum info_form wanted, enum info_form *ret)
{
	bool has_dwarf = object->sections[OBJECT_DEBUG_INFO].data;
	bool has_btf = object->sections[OBJECT_BTF].data;
	*ret = wanted;
	if (wanted == INFO_ANY)
		*ret = !has_dwarf && has_btf ? INFO_BTF : INFO_DWARF;
	return *ret == INFO_DWARF ? object_require_dwarf(object) : NULL;
}

/* ---- a base ---- */

static struct error *open_on(
	struct arena *arena, struct info *info, struct info_base *base, const char *path)
{
	if (!base->is_open) {
		struct error *error = object_open(base->arena, path, &base->object);
		if (error)
			return error;
		base->is_open = true;
		object_close_file(&base->object); /* there may be more files than descriptors */
	}
	const struct btf_base of = {.path = path, .section = &base->object.sections[OBJECT_BTF]};
	if (of.section->data)
		return btf_file_open(arena, info->object, &of, &info->btf);
	return error_new("%s: no .BTF section, so it is no base; give the vmlinux with "
			 "--btf-base",
		path);
}

static struct error *open_split(struct arena *arena, struct info *info, struct info_base *base)
{
	const struct object *object = info->object;
	const struct btf_base own = {
		.path = object->path, .section = &object->sections[OBJECT_BTF_BASE]};
	if (base->path)
		return open_on(arena, info, base, base->path);
	if (own.section->data)
		return btf_file_open(arena, object, &own, &info->btf);
	if (access(running_kernel, R_OK) == 0)
		return open_on(arena, info, base, running_kernel);
	return error_new("%s: split BTF, which builds on a kernel's, and %s is not there; give "
			 "that kernel's vmlinux with --btf-base",
		object->path, running_kernel);
}

static struct error *open_btf(struct arena *arena, struct info *info, struct info_base *base)
{
	bool is_split;
	struct error *error = btf_file_needs_base(info->object, &is_split);
	if (error)
		return error;
	error = is_split ? open_split(arena, info, base)
			 : btf_file_open(arena, info->object, NULL, &info->btf);
	if (!error)
		info->types = btf_file_machine(info->btf);
	return error;
}

struct error *info_open(struct arena *arena, const struct object *object, enum info_form form,
	struct info_base *base, struct info *ret)
{
	struct info info = {.object = object, .types = object->types};
	struct error *error = choose(object, form, &info.form);
	if (!error && info.form == INFO_BTF)
		error = open_btf(arena, &info, base);
	if (!error)
		*ret = info;
	return error;
}

void info_base_close(struct info_base *base)
{
	if (base->is_open)
		object_close(&base->object);
	base->is_open = false;
}

void info_close(struct info *info)
{
	btf_file_close(info->btf);
	info->btf = NULL;
}

/* ---- both behind the same questions ---- */

struct error *info_index(struct arena *arena, const struct info *info,
	const struct index_query *query, struct index *ret)
{
	if (info->form == INFO_BTF)
		return btf_file_index(arena, info->btf, query, ret);
	return index_build(arena, info->object, query, ret);
}

static void read_btf(struct arena *arena, const struct info *info,
	const struct index_def *const *defs, size_t count, struct info_type *ret)
{
	struct btf_definition *read = arena_new(arena, count, sizeof(*read));
	btf_file_read(arena, info->btf, defs, count, read);
	for (size_t i = 0; i < count; i++)
		ret[i] = (struct info_type){.types = read[i].types,
			.id = read[i].id,
			.unit = "",
			.comp_dir = "",
			.damage = read[i].damage};
}

static struct error *read_dwarf(struct arena *arena, const struct info *info,
	const struct index_def *const *defs, size_t count, unsigned jobs, struct info_type *ret)
{
	struct dwarf_type *read = arena_new(arena, count, sizeof(*read));
	struct error *error = dwarf_read(arena, info->object, defs, count, jobs, read);
	for (size_t i = 0; i < count && !error; i++)
		ret[i] = (struct info_type){
			.types = read[i].types,
			.id = read[i].id,
			.unit = read[i].unit,
			.comp_dir = read[i].comp_dir,
			.is_cxx = dwarf_is_cxx(read[i].language),
			.damage = read[i].damage,
		};
	return error;
}

struct error *info_read(struct arena *arena, const struct info *info,
	const struct index_def *const *defs, size_t count, unsigned jobs, struct info_type *ret)
{
	if (info->form != INFO_BTF)
		return read_dwarf(arena, info, defs, count, jobs, ret);
	read_btf(arena, info, defs, count, ret);
	return NULL;
}

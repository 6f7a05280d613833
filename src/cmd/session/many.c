#include "cmd/session/many.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "cmd/input.h"
#include "cmd/session/keep.h"
#include "cmd/session/parts.h"

/* The files while they are put together. */
struct many {
	struct session *session;
	struct session_file
		*files; /* that have debug information, as the three below; in the arena */
	struct report_binary *binaries;
	size_t count;
	struct index_def *defs; /* in the arena, as what follows */
	size_t def_count, def_capacity;
	struct index_alias *aliases;
	size_t alias_count, alias_capacity;
	const char **names, **declared;
	size_t name_count, name_capacity, declared_count, declared_capacity;
	uint64_t passed_over; /* without debug information, or no ELF */
};

/* ---- what is told ---- */

static void leave_out(struct session *session, struct error *error)
{
	session_leave_out(session, error, "the rest is read");
}

static void pass_over(struct many *many, const char *path)
{
	many->passed_over++;
	if (many->session->opt->verbose)
		session_note(many->session, "%s: no debug information; passed over", path);
}

/* ---- one file ---- */

/* `arena`: for what is needed as long as it is open. */
static struct error *open_file(const struct session *session, const struct collect_file *file,
	struct arena *arena, struct object *object)
{
	return file->member ? input_open_member(arena, session->opt, file->member, object)
			    : input_open(arena, session->opt, file->path, object);
}

/* Neither of the forms that may be read: what nobody asked for is passed over then. */
static bool lacks_info(const struct session *session, const struct object *object)
{
	enum info_form from = session->opt->from;
	bool has_dwarf = object->sections[OBJECT_DEBUG_INFO].data && from != INFO_BTF;
	bool has_btf = object->sections[OBJECT_BTF].data && from != INFO_DWARF;
	return !has_dwarf && !has_btf;
}

static void keep_names(struct intern *texts, const char *const *from, size_t count,
	const char ***names, size_t *name_count, size_t *capacity)
{
	if (!count)
		return;
	*names = arena_grow(texts->arena, *names, capacity, *name_count + count, sizeof(**names));
	for (size_t i = 0; i < count; i++)
		(*names)[(*name_count)++] = keep_text(texts, from[i]);
}

/*
 * Of the last file: the first one with the same form of debug information and machine. The hashes of DWARF and of BTF, and those
 * of two machines, say nothing of each other.
 */
static size_t find_alike(const struct many *many)
{
	const struct report_binary *last = &many->binaries[many->count - 1];
	size_t i = 0;
	while (strcmp(many->binaries[i].format, last->format) != 0 ||
		strcmp(many->binaries[i].machine, last->machine) != 0)
		i++;
	return i;
}

static void keep_index(struct many *many, const struct index *index)
{
	struct intern *texts = &many->session->texts;
	struct arena *arena = texts->arena;
	size_t file = many->count - 1;
	uint32_t alike = (uint32_t)find_alike(many);
	if (index->count)
		many->defs = arena_grow(arena, many->defs, &many->def_capacity,
			many->def_count + index->count, sizeof(*many->defs));
	for (size_t i = 0; i < index->count; i++) {
		struct index_def *def = &many->defs[many->def_count++];
		*def = keep_def(texts, &index->defs[i]);
		def->file = (uint32_t)file;
		def->alike = alike;
		def->files = 1;
	}
	if (index->alias_count)
		many->aliases = arena_grow(arena, many->aliases, &many->alias_capacity,
			many->alias_count + index->alias_count, sizeof(*many->aliases));
	for (size_t i = 0; i < index->alias_count; i++)
		many->aliases[many->alias_count++] = keep_alias(texts, &index->aliases[i]);
	keep_names(texts, index->names, index->name_count, &many->names, &many->name_count,
		&many->name_capacity);
	keep_names(texts, index->declared, index->declared_count, &many->declared,
		&many->declared_count, &many->declared_capacity);
}

static struct report_binary describe(const struct session *session, const struct collect_file *file,
	const struct info *info, const struct index *index)
{
	const struct object *object = info->object;
	return (struct report_binary){
		.path = file->path,
		.format = info_form_name(info->form),
		.dwarf_version = index->dwarf_version,
		.machine = arena_strdup(session->arena, object->machine),
		.big_endian = info->types.big_endian,
		.pointer_bytes = info->types.pointer_bytes,
		.build_id =
			object->build_id ? arena_strdup(session->arena, object->build_id) : NULL,
		.is_kernel = index->has_probe,
	};
}

/* What the skeletons of a file lack counts for all of them. */
static void note_split(
	struct session *session, const struct object *object, const struct index *index)
{
	session->index.split_units += index->split_units;
	session->index.unit_count += index->unit_count;
	if (index->split_units && object->missing && !session->object.missing)
		session->object.missing = arena_strdup(session->arena, object->missing);
}

static struct error *index_open(struct many *many, const struct collect_file *file,
	const struct index_query *query, const struct object *object, struct arena *arena)
{
	struct session *session = many->session;
	struct index index;
	struct info info;
	struct error *error = info_open(arena, object, session->opt->from, session->base, &info);
	if (error)
		return error;
	error = info_index(arena, &info, query, &index);
	if (!error)
		error = session_tell_damage(session, file->path, index.damage, index.damage_count);
	if (!error) {
		note_split(session, object, &index);
		many->files[many->count] =
			(struct session_file){.file = file,
				.line_bytes = object->line_bytes,
				.is_damaged = index.damage_count > 0};
		many->binaries[many->count++] = describe(session, file, &info, &index);
		keep_index(many, &index);
	}
	info_close(&info);
	return error;
}

/* Where a file has crashed us once, or taken all memory, it is not touched again. */
static struct error *enter_file(
	const struct session *session, const struct collect_file *file, struct trail_step *before)
{
	const struct trail_step step = {TRAIL_FILE, trail_file(file->path), 0};
	const struct trail_step large = {TRAIL_LARGE_FILE, step.file, 0};
	if (trail_is_aside(session->opt->trail, large))
		return error_new("%s: the memory does not suffice for it; raise the limit, or ask "
				 "for fewer structs of it alone",
			file->path);
	if (trail_is_aside(session->opt->trail, step))
		return error_new("%s: reading it crashes; the file is probably damaged: build it "
				 "again",
			file->path);
	*before = trail_enter(session->opt->trail, 0, step);
	return NULL;
}

static void leave_file(const struct session *session, struct trail_step before)
{
	trail_leave(session->opt->trail, 0, before);
}

static void index_file(
	struct many *many, const struct collect_file *file, const struct index_query *query)
{
	struct session *session = many->session;
	struct arena arena;
	struct object object;
	struct trail_step before;
	struct error *error = enter_file(session, file, &before);
	if (error) {
		leave_out(session, error);
		return;
	}
	arena_init(&arena);
	error = open_file(session, file, &arena, &object);
	if (!error) {
		if (!file->is_asked && lacks_info(session, &object))
			pass_over(many, file->path);
		else
			error = index_open(many, file, query, &object, &arena);
		object_close(&object);
	}
	if (error)
		leave_out(session, error);
	arena_release(&arena);
	leave_file(session, before);
}

/* ---- their indexes as one ---- */

static int compare_text(const char *left, const char *right)
{
	return left == right ? 0 : strcmp(left ? left : "", right ? right : "");
}

static int compare_filed(const struct index_def *a, const struct index_def *b)
{
	int order = compare_text(a->name, b->name);
	if (!order)
		order = (a->kind > b->kind) - (a->kind < b->kind);
	return order ? order : compare_text(a->scope, b->scope);
}

/* Files stay in their order, and definitions of a file in theirs. */
static int compare_defs(const void *left, const void *right)
{
	const struct index_def *a = left, *b = right;
	int order = compare_filed(a, b);
	if (!order)
		order = (a->file > b->file) - (a->file < b->file);
	if (!order)
		order = (a->die_off > b->die_off) - (a->die_off < b->die_off);
	return order ? order : (int)a->is_typedef - (int)b->is_typedef;
}

/* Puts layouts that can be compared side by side, and equal ones among them, the first one first. */
static int compare_layouts(const void *left, const void *right)
{
	const struct index_def *const *a = left, *const *b = right;
	if ((*a)->is_typedef != (*b)->is_typedef)
		return (*a)->is_typedef ? 1 : -1;
	if ((*a)->alike != (*b)->alike)
		return (*a)->alike < (*b)->alike ? -1 : 1;
	if ((*a)->hash != (*b)->hash)
		return (*a)->hash < (*b)->hash ? -1 : 1;
	return (*a > *b) - (*a < *b);
}

/* Folds what is one layout into its first, and leaves no copies of the others; counts what is left. */
static void fold_alike(struct index_def **defs, size_t count)
{
	struct index_def *into = defs[0];
	uint32_t layouts = 1;
	for (size_t i = 1; i < count; i++) {
		if (defs[i]->hash != into->hash) {
			into = defs[i];
			layouts++;
			continue;
		}
		into->copies += defs[i]->copies;
		into->files += defs[i]->file != into->file;
		defs[i]->copies = 0;
	}
	for (size_t i = 0; i < count; i++)
		defs[i]->layouts = layouts;
}

/* Those of one name, scope and kind: returns how many are left, which go to `ret` in their order. */
static size_t fold_group(struct index_def *defs, size_t count, struct index_def *ret)
{
	struct index_def **sorted = mem_new(count, sizeof(struct index_def *));
	size_t kept = 0;
	for (size_t i = 0; i < count; i++)
		sorted[i] = &defs[i];
	qsort(sorted, count, sizeof(struct index_def *), compare_layouts);
	for (size_t first = 0, next; first < count; first = next) {
		for (next = first + 1;
			next < count && session_same_entry(sorted[first], sorted[next]);)
			next++;
		fold_alike(&sorted[first], next - first);
	}
	for (size_t i = 0; i < count; i++)
		if (defs[i].copies)
			ret[kept++] = defs[i];
	mem_free(sorted);
	return kept;
}

static size_t fold(const struct many *many, struct index_def *ret)
{
	struct index_def *defs = many->defs;
	size_t kept = 0;
	if (many->def_count)
		qsort(defs, many->def_count, sizeof(*defs), compare_defs);
	for (size_t first = 0, next; first < many->def_count; first = next) {
		for (next = first + 1;
			next < many->def_count && compare_filed(&defs[first], &defs[next]) == 0;)
			next++;
		kept += fold_group(&defs[first], next - first, &ret[kept]);
	}
	return kept;
}

static int compare_names(const void *left, const void *right)
{
	const char *const *a = left, *const *b = right;
	return compare_text(*a, *b);
}

/* Sorts; each name once, for equal ones are one pointer. */
static size_t sort_names(const char **names, size_t count)
{
	size_t kept = 0;
	if (count)
		qsort(names, count, sizeof(*names), compare_names);
	for (size_t i = 0; i < count; i++)
		if (!kept || names[kept - 1] != names[i])
			names[kept++] = names[i];
	return kept;
}

static int compare_aliases(const void *left, const void *right)
{
	const struct index_alias *a = left, *b = right;
	int order = compare_text(a->name, b->name);
	if (!order)
		order = compare_text(a->scope, b->scope);
	if (!order)
		order = compare_text(a->target, b->target);
	if (!order)
		order = compare_text(a->target_scope, b->target_scope);
	return order ? order : (a->kind > b->kind) - (a->kind < b->kind);
}

static size_t sort_aliases(struct index_alias *aliases, size_t count)
{
	size_t kept = 0;
	if (count)
		qsort(aliases, count, sizeof(*aliases), compare_aliases);
	for (size_t i = 0; i < count; i++)
		if (!kept || compare_aliases(&aliases[kept - 1], &aliases[i]) != 0)
			aliases[kept++] = aliases[i];
	return kept;
}

/* The names are the definitions' where not all are known: then `has_names` stays false. */
static void put_together(struct many *many, struct index *ret)
{
	struct index_def *defs = mem_new(many->def_count, sizeof(*defs));
	struct session *session = many->session;
	ret->count = fold(many, defs);
	ret->defs = arena_copy(session->arena, defs, ret->count, sizeof(*defs));
	mem_free(defs);
	session->folded = many->defs;
	session->folded_count = many->def_count;
	ret->alias_count = sort_aliases(many->aliases, many->alias_count);
	ret->aliases = many->aliases;
	ret->declared_count = sort_names(many->declared, many->declared_count);
	ret->declared = many->declared;
	ret->name_count = sort_names(many->names, many->name_count);
	ret->names = many->names;
}

/* ---- the whole ---- */

static struct error *nothing_there(const struct many *many, const char *path)
{
	if (many->session->unread)
		return error_new("%s: nothing in it can be read; build it again", path);
	return error_new("%s: no file with debug information (%" PRIu64
			 " looked at); build with -g, or give the directory of the build",
		path, many->passed_over);
}

static struct many start(struct session *session, size_t count)
{
	return (struct many){
		.session = session,
		.files = arena_new(session->arena, count + 1, sizeof(struct session_file)),
		.binaries = arena_new(session->arena, count + 1, sizeof(struct report_binary)),
	};
}

static void collect(const struct session *session, const struct session_request *request,
	struct collection *collection)
{
	const struct opt *opt = session->opt;
	collection_init(collection, session->arena);
	collect_add(collection, request->binary);
	for (size_t i = 0; i < opt->also_count; i++)
		collect_add(collection, opt->also[i]);
	collection_release(collection);
}

struct error *many_open(struct session *session, const struct session_request *request,
	const struct index_query *query)
{
	struct index_query compared = *query;
	struct collection collection;
	struct error *error = NULL;
	compared.compares = true;
	for (size_t i = 0; i < session->opt->also_count && !error; i++)
		error = input_check(session->opt, session->opt->also[i]);
	if (error)
		return error;
	collect(session, request, &collection);
	for (size_t i = 0; i < collection.error_count; i++)
		leave_out(session, collection.errors[i]);
	struct many many = start(session, collection.count);
	for (size_t i = 0; i < collection.other_count; i++)
		pass_over(&many, collection.others[i]);
	for (size_t i = 0; i < collection.count; i++)
		index_file(&many, &collection.files[i], &compared);
	if (!many.count)
		return nothing_there(&many, request->binary);
	if (many.passed_over)
		session_note(session,
			"%s: read %zu file%s, passed over %" PRIu64 " without debug information%s",
			request->binary, many.count, many.count == 1 ? "" : "s", many.passed_over,
			session->opt->verbose ? "" : " (--verbose names them)");
	session->files = many.files;
	session->object.path = request->binary;
	session->object.machine = many.binaries[0].machine;
	session->object.line_bytes = many.files[0].line_bytes;
	session->frame.binaries = many.binaries;
	session->frame.binary_count = many.count;
	session->binary = many.binaries[0];
	for (size_t i = 0; i < many.count; i++)
		session->binary.is_kernel |= many.binaries[i].is_kernel;
	put_together(&many, &session->index);
	session->index.has_names = !query->patterns;
	return NULL;
}

/* ---- files that stay open ---- */

struct session_opened {
	struct object object;
	struct info info;
	struct session_opened *before;
};

struct error *many_reopen(struct session *session, size_t binary, const struct object **object,
	const struct info **info)
{
	const struct opt *opt = session->opt;
	struct session_opened *opened = arena_new(session->arena, 1, sizeof(*opened));
	struct error *error =
		open_file(session, session->files[binary].file, session->arena, &opened->object);
	if (error)
		return error;
	error = info_open(session->arena, &opened->object, opt->from, session->base, &opened->info);
	if (error) {
		object_close(&opened->object);
		return error;
	}
	object_close_file(&opened->object); /* there may be more files than descriptors */
	opened->before = session->opened;
	session->opened = opened;
	*object = &opened->object;
	*info = &opened->info;
	return NULL;
}

void session_drop_types(struct session *session)
{
	if (session->opened)
		info_close(&session->opened->info);
}

void many_close(struct session *session)
{
	for (; session->opened; session->opened = session->opened->before) {
		info_close(&session->opened->info);
		object_close(&session->opened->object);
	}
}

void many_names(const struct session *session, struct index *ret)
{
	static const char *const none[1];
	const struct index_query query = {.patterns = none, .jobs = session->jobs};
	struct intern texts;
	const char **names = NULL;
	size_t count = 0, capacity = 0;
	intern_init(&texts, session->arena);
	for (size_t i = 0; i < session->frame.binary_count; i++) {
		struct arena arena;
		struct object object;
		struct info info;
		struct index index;
		arena_init(&arena);
		struct error *error = open_file(session, session->files[i].file, &arena, &object);
		if (!error) {
			error = info_open(
				&arena, &object, session->opt->from, session->base, &info);
			if (!error) {
				error = info_index(&arena, &info, &query, &index);
				if (!error)
					keep_names(&texts, index.names, index.name_count, &names,
						&count, &capacity);
				info_close(&info);
			}
			object_close(&object);
		}
		error_free(error); /* it is told already, or it was good before */
		arena_release(&arena);
	}
	ret->names = names;
	ret->name_count = sort_names(names, count);
	intern_release(&texts);
}

/* ---- reading ---- */

/* Definitions of one file: places in the caller's list. */
static struct error *read_file(struct session *session, const struct session_file *file,
	const struct index_def *const *defs, size_t count, struct info_type *ret)
{
	struct arena arena;
	struct object object;
	struct info info;
	struct trail_step before;
	struct error *error = enter_file(session, file->file, &before);
	if (error)
		return error;
	arena_init(&arena);
	error = open_file(session, file->file, &arena, &object);
	if (!error) {
		error = info_open(&arena, &object, session->opt->from, session->base, &info);
		if (!error) {
			error = info_read(session->arena, &info, defs, count, session->jobs, ret);
			if (!error)
				keep_types(&session->texts, ret, count);
			info_close(&info);
		}
		object_close(&object);
	}
	arena_release(&arena);
	leave_file(session, before);
	return error;
}

/* Where one definition is to be read. */
struct by_file {
	const struct index_def *def; /* as it was asked for */
	const struct index_def *at;  /* the same one, or one of another file that is alike */
	size_t place;
};

static int compare_files(const void *left, const void *right)
{
	const struct by_file *a = left, *b = right;
	if (a->at->file != b->at->file)
		return a->at->file < b->at->file ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

/* The first of all definitions that is not before `def`, by name, kind and scope. */
static size_t find_filed(const struct session *session, const struct index_def *def)
{
	size_t low = 0, high = session->folded_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (compare_filed(&session->folded[middle], def) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The next file behind that of `at` which has the same layout; NULL: none. */
static const struct index_def *find_another(
	const struct session *session, const struct index_def *def, const struct index_def *at)
{
	for (size_t i = find_filed(session, def); i < session->folded_count; i++) {
		const struct index_def *other = &session->folded[i];
		if (compare_filed(other, def) != 0)
			break;
		if (other->file > at->file && other->hash == def->hash &&
			session_same_entry(other, def))
			return other;
	}
	return NULL;
}

/* One pass over the files; returns how many definitions could not be read, which are the first of `order` then. */
static size_t read_round(
	struct session *session, struct by_file *order, size_t count, struct info_type *ret)
{
	const struct index_def **some = mem_new(count + 1, sizeof(*some));
	struct info_type *types = mem_new(count + 1, sizeof(*types));
	size_t failed = 0;
	qsort(order, count, sizeof(*order), compare_files);
	for (size_t first = 0, next; first < count; first = next) {
		uint32_t file = order[first].at->file;
		for (next = first; next < count && order[next].at->file == file; next++)
			some[next - first] = order[next].at;
		memset(types, 0, (next - first) * sizeof(*types));
		struct error *error =
			read_file(session, &session->files[file], some, next - first, types);
		if (error)
			leave_out(session, error);
		for (size_t i = first; i < next; i++) {
			struct by_file item = order[i];
			struct info_type *type = &ret[item.place];
			const char *damage = type->damage; /* the first place's is told */
			*type = types[i - first];
			type->file = file;
			if (damage)
				type->damage = damage;
			if (!type->types)
				order[failed++] = item;
		}
	}
	mem_free(types);
	mem_free(some);
	return failed;
}

/* Of those that could not be read, which have another place? They come first; returns how many. */
static size_t go_on(const struct session *session, struct by_file *order, size_t count)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		struct by_file item = order[i];
		item.at = find_another(session, item.def, item.at);
		if (item.at)
			order[kept++] = item;
	}
	return kept;
}

void many_read(struct session *session, const struct index_def *const *defs, size_t count,
	struct info_type *ret)
{
	enum { ROUNDS = 4 }; /* other files that are tried */
	struct by_file *order = mem_new(count + 1, sizeof(*order));
	for (size_t i = 0; i < count; i++)
		order[i] = (struct by_file){defs[i], defs[i], i};
	for (int round = 0; count && round < ROUNDS; round++)
		count = go_on(session, order, read_round(session, order, count, ret));
	mem_free(order);
}

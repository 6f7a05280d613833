#include "cmd/session/many.h"

#include <inttypes.h>
#include <string.h>

#include "cmd/input.h"
#include "cmd/session/parts.h"
#include "cmd/session/unite.h"
#include "cmd/session/visit.h"

/* The files while they are put together. */
struct many {
	struct session *session;
	struct session_file
		*files; /* that have debug information, as the two below; in the arena */
	struct report_binary *binaries;
	size_t count;
	struct unite unite;   /* their indexes */
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

/* Neither of the forms that may be read: what nobody asked for is passed over then. */
static bool lacks_info(const struct session *session, const struct object *object)
{
	enum info_form from = session->opt->from;
	bool has_dwarf = object->sections[OBJECT_DEBUG_INFO].data && from != INFO_BTF;
	bool has_btf = object->sections[OBJECT_BTF].data && from != INFO_DWARF;
	return !has_dwarf && !has_btf;
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
	unite_add(&many->unite, index, (uint32_t)many->count - 1, (uint32_t)find_alike(many));
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

static void index_file(
	struct many *many, const struct collect_file *file, const struct index_query *query)
{
	struct session *session = many->session;
	struct visit visit;
	struct error *error = visit_open(session, file, &visit);
	if (!error) {
		if (!file->is_asked && lacks_info(session, &visit.object))
			pass_over(many, file->path);
		else
			error = index_open(many, file, query, &visit.object, &visit.arena);
		visit_close(session, &visit);
	}
	if (error)
		leave_out(session, error);
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
		.unite = {.texts = &session->texts},
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
	unite_finish(&many.unite, &session->index);
	session->folded = many.unite.defs;
	session->folded_count = many.unite.def_count;
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
	struct error *error = visit_open_object(
		session, session->files[binary].file, session->arena, &opened->object);
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

static struct error *add_names(const struct session *session, const struct collect_file *file,
	const struct index_query *query, struct unite *unite)
{
	struct visit visit;
	struct info info;
	struct index index;
	struct error *error = visit_open(session, file, &visit);
	if (error)
		return error;
	error = info_open(&visit.arena, &visit.object, session->opt->from, session->base, &info);
	if (!error) {
		error = info_index(&visit.arena, &info, query, &index);
		if (!error)
			unite_add(unite, &index, 0, 0);
		info_close(&info);
	}
	visit_close(session, &visit);
	return error;
}

void many_names(const struct session *session, struct index *ret)
{
	static const char *const none[1];
	const struct index_query query = {.patterns = none, .jobs = session->jobs};
	struct intern texts;
	struct unite unite = {.texts = &texts};
	intern_init(&texts, session->arena);
	for (size_t i = 0; i < session->frame.binary_count; i++) /* errors are told already */
		error_free(add_names(session, session->files[i].file, &query, &unite));
	unite_finish(&unite, ret);
	intern_release(&texts);
}

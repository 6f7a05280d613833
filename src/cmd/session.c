#include "cmd/session.h"

#include <string.h>

#include "access.h"
#include "base/buf.h"
#include "cmd/input.h"
#include "cmd/session/many.h"
#include "cmd/session/parts.h"

enum { NEEDS_MAX = 64 };

void session_names_add(struct session_names *names, const char *name)
{
	names->items = arena_grow(names->arena, names->items, &names->capacity, names->count + 1,
		sizeof(*names->items));
	names->items[names->count++] = name;
}

void session_names_add_needs(struct session_names *names, const struct profile_struct *entry)
{
	const char *needs[NEEDS_MAX];
	size_t count = access_needs(names->arena, entry, needs, NEEDS_MAX);
	for (size_t i = 0; i < count && i < NEEDS_MAX; i++)
		session_names_add(names, needs[i]);
}

/* Is the struct of this entry among what is asked for? Its name may have a scope that the pattern leaves out. */
static bool is_asked_for(const struct session_request *request, const struct profile_struct *entry)
{
	if (request->names_of_profiles)
		return true;
	const char *last = strrchr(entry->name, ':');
	for (size_t i = 0; i < request->name_count; i++)
		if (index_name_matches(request->names[i], NULL, entry->name) ||
			index_name_is_respelt(request->names[i], NULL, entry->name) ||
			index_name_is_respelt(entry->name, NULL, request->names[i]) ||
			(last && index_name_matches(request->names[i], NULL, last + 1)))
			return true;
	return false;
}

/* What the index must look for: NAMEs, what profiles name, and what their entries refer to. */
static struct index_query build_query(struct arena *arena, const struct session_request *request,
	const struct profiles *profiles, unsigned jobs)
{
	struct index_query query = {.jobs = jobs, .probe = "task_struct"};
	if (!request->names && !request->names_of_profiles)
		return query;
	struct session_names names = {.arena = arena};
	names.items = arena_grow(arena, NULL, &names.capacity, 1, sizeof(*names.items));
	for (size_t i = 0; i < request->name_count; i++)
		session_names_add(&names, request->names[i]);
	for (size_t i = 0; i < profiles->count; i++) {
		const struct profile *document = profiles->items[i];
		for (size_t j = 0; j < document->struct_count; j++) {
			const struct profile_struct *entry = &document->structs[j];
			if (!is_asked_for(request, entry))
				continue;
			if (request->names_of_profiles)
				session_names_add(&names, entry->name);
			session_names_add_needs(&names, entry);
		}
	}
	query.patterns = names.items;
	query.pattern_count = names.count;
	return query;
}

const char *session_path_word(const struct session *session)
{
	struct buf word;
	buf_init(&word);
	buf_put_word(&word, session->object.path);
	const char *kept = arena_strndup(session->arena, word.data, word.length);
	buf_release(&word);
	return kept;
}

const char *session_split_text(const struct session *session)
{
	const struct index *index = &session->index;
	if (!index->split_units)
		return NULL;
	const char *missing = session->object.missing;
	return arena_printf(session->arena,
		"%llu of %llu units ha%s the debug information in split files that could not be read: "
		"%s; build again, or put them beside the binary",
		(unsigned long long)index->split_units, (unsigned long long)index->unit_count,
		index->split_units == 1 ? "s" : "ve", missing ? missing : "unknown ones");
}

static void describe_binary(struct session *session)
{
	const struct object *object = &session->object;
	session->binary = (struct report_binary){
		.path = object->path,
		.format = info_form_name(session->info.form),
		.dwarf_version = session->index.dwarf_version,
		.machine = object->machine,
		.big_endian = session->info.types.big_endian,
		.pointer_bytes = session->info.types.pointer_bytes,
		.build_id = object->build_id,
		.is_kernel = session->index.has_probe,
	};
	session->frame.binaries = &session->binary;
	session->frame.binary_count = 1;
}

static bool is_several(const struct opt *opt, const struct session_request *request)
{
	return request->several && (opt->also_count || collect_is_several(request->binary));
}

static struct error *open_one(
	struct session *session, const struct opt *opt, const struct session_request *request)
{
	struct error *error = input_open(session->arena, opt, request->binary, &session->object);
	return error ? error
		     : info_open(session->arena, &session->object, opt->from, session->base,
			       &session->info);
}

static struct error *index_one(struct session *session, const struct index_query *query)
{
	struct error *error = info_index(session->arena, &session->info, query, &session->index);
	if (!error)
		error = session_tell_damage(session, session->object.path, session->index.damage,
			session->index.damage_count);
	if (!error)
		describe_binary(session);
	return error;
}

static struct error *fill(
	const struct opt *opt, const struct session_request *request, struct session *session)
{
	bool shipped;
	struct error *error =
		session_choose_profiles(session->arena, opt, request, &session->profiles, &shipped);
	if (error)
		return error;
	struct index_query query =
		build_query(session->arena, request, &session->profiles, opt->jobs);
	error = is_several(opt, request) ? many_open(session, request, &query)
					 : index_one(session, &query);
	if (error)
		return error;
	if (shipped && !session->binary.is_kernel)
		session->profiles = (struct profiles){0};
	session_note_entries(session);
	session->asked_as =
		arena_new(session->arena, session->index.count, sizeof(*session->asked_as));
	session->jobs = opt->jobs;
	session->frame.line_bytes = opt->line_bytes ? opt->line_bytes : session->object.line_bytes;
	session->options = (struct report_options){
		.line_bytes = opt->line_bytes,
		.machine_line_bytes = session->object.line_bytes,
		.profiles = &session->profiles,
		.context = {.is_kernel = session->binary.is_kernel, .threads = opt->threads},
	};
	return NULL;
}

struct error *session_open(struct arena *arena, const struct opt *opt,
	const struct session_request *request, struct session *ret)
{
	*ret = (struct session){.arena = arena,
		.opt = opt,
		.notes = request->notes,
		.complaints = request->several,
		.goes_on = request->goes_on};
	intern_init(&ret->texts, arena);
	ret->base = arena_new(arena, 1, sizeof(*ret->base));
	*ret->base = (struct info_base){.path = opt->btf_base, .arena = arena};
	struct error *error = input_check(opt, request->binary);
	if (!error && opt->btf_base)
		error = input_check(opt, opt->btf_base);
	if (!error && !is_several(opt, request))
		error = open_one(ret, opt, request);
	if (!error)
		error = fill(opt, request, ret);
	if (error)
		session_close(ret);
	return error;
}

struct error *session_open_file(struct session *session, size_t binary,
	const struct object **object, const struct info **info)
{
	if (session_is_several(session))
		return many_reopen(session, binary, object, info);
	*object = &session->object;
	*info = &session->info;
	return NULL;
}

bool session_is_damaged(const struct session *session, size_t binary)
{
	return session_is_several(session) ? session->files[binary].is_damaged
					   : session->index.damage_count > 0;
}

void session_close(struct session *session)
{
	many_close(session);
	intern_release(&session->texts);
	info_close(&session->info);
	info_base_close(session->base);
	object_close(&session->object);
}

struct error *session_run(const struct opt *opt, const struct cmd_io *io,
	const struct session_request *request, session_body *body, int *status)
{
	struct arena arena;
	struct session session;
	arena_init(&arena);
	struct error *error = session_open(&arena, opt, request, &session);
	if (!error) {
		error = body(&session, opt, io, status);
		session_tell_untold(&session);
		session_close(&session);
	}
	arena_release(&arena);
	return error;
}

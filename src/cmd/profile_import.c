#include <string.h>

#include "base/buf.h"
#include "base/nearest.h"
#include "cmd/input.h"
#include "cmd/profile_text.h"
#include "cmd/profile_verbs.h"
#include "cmd/session.h"
#include "import/record.h"

/* A struct by its name may be in the binary once more: the strings of its types are in the mapping. */
struct opened {
	struct session session;
	struct opened *next;
};

struct finder {
	struct arena *arena;
	const struct opt *opt;
	const char *binary;
	struct opened *opened;
};

static struct error *read_named(
	struct session *session, const char *const *name, struct record_type *ret)
{
	struct session_defs defs;
	struct report_source *sources;
	struct error *error = session_find(session, name, 1, false, &defs);
	if (!error && defs.count != 1)
		error = error_new("%s: '%s' means %zu structs; recordings name one",
			session->object.path, *name, defs.count);
	if (!error)
		error = session_read(session, &defs, &sources);
	if (error)
		return error;
	const struct report_source *source = &sources[0];
	*ret = (struct record_type){source->types, source->type,
		source->scope ? arena_printf(session->arena, "%s::%s", source->scope, source->name)
			      : source->name};
	return NULL;
}

static struct error *find_named(void *context, const char *name, struct record_type *ret)
{
	struct finder *finder = context;
	struct opened *opened = arena_new(finder->arena, 1, sizeof(*opened));
	const char **names = arena_new(finder->arena, 1, sizeof(*names));
	names[0] = name;
	const struct session_request request = {
		.binary = finder->binary, .names = names, .name_count = 1, .no_profiles = true};
	struct error *error = session_open(finder->arena, finder->opt, &request, &opened->session);
	if (error)
		return error;
	opened->next = finder->opened;
	finder->opened = opened;
	return read_named(&opened->session, names, ret);
}

static void note_losses(const struct record *record, const struct cmd_io *io)
{
	struct buf line;
	buf_init(&line);
	for (size_t i = 0; i < record->loss_count; i++)
		buf_printf(&line,
			"linelint: %s: the recorder could not count everything: %llu (%s); "
			"the profile is incomplete\n",
			record->path, (unsigned long long)record->losses[i].count,
			record->losses[i].what);
	fwrite(line.data, 1, line.length, io->notes);
	buf_release(&line);
}

static struct error *import_record(struct finder *finder, const char *file, const struct cmd_io *io)
{
	struct record record;
	struct object object;
	struct profile profile;
	struct error *error = record_read(finder->arena, file, &record);
	if (!error)
		error = input_open(finder->arena, finder->opt, finder->binary, &object);
	if (error)
		return error;
	const struct record_binary binary = {
		.jobs = finder->opt->jobs,
		.object = &object,
		.line_bytes = object.line_bytes,
		.find = find_named,
		.context = finder,
	};
	error = record_profile(finder->arena, &record, &binary, &profile);
	if (!error)
		error = profile_text_write(finder->arena, &profile, io->out);
	if (!error && !finder->opt->quiet)
		note_losses(&record, io);
	object_close(&object);
	return error;
}

static struct error *check_format(const struct opt *opt)
{
	struct nearest nearest;
	char text[256];
	if (strcmp(opt->args[1], "record") == 0)
		return opt->arg_count == 4
			       ? NULL
			       : error_new("profile import record: no BINARY; write 'linelint "
					   "profile import record FILE BINARY'");
	nearest_init(&nearest, opt->args[1]);
	nearest_offer(&nearest, "record");
	nearest_text(&nearest, text, sizeof(text));
	return error_new("profile import: unknown format '%s'%s", opt->args[1],
		*text ? text : "; expected record");
}

struct error *profile_import_run(const struct opt *opt, const struct cmd_io *io, int *status)
{
	struct arena arena;
	struct error *error = check_format(opt);
	if (error)
		return error;
	arena_init(&arena);
	struct finder finder = {.arena = &arena, .opt = opt, .binary = opt->args[3]};
	error = input_check(opt, opt->args[2]);
	if (!error)
		error = import_record(&finder, opt->args[2], io);
	for (struct opened *opened = finder.opened; opened; opened = opened->next)
		session_close(&opened->session);
	arena_release(&arena);
	*status = 0;
	return error;
}

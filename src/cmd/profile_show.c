#include "cmd/profile_verbs.h"

#include <string.h>

#include "cmd/session.h"
#include "cmd/variables.h"
#include "render/text_profile.h"
#include "report.h"

/* A profile on its way to the screen. */
struct showing {
	const struct session *session;
	struct text_profile text;
	size_t lacking; /* structs that the binary does not have */
};

static struct error *add_struct(struct showing *showing, const struct report_source *source)
{
	struct arena arena;
	struct report_struct report;
	arena_init(&arena);
	struct error *error = report_build(&arena, source, &showing->session->options, &report);
	if (!error && report.access.profile)
		text_profile_struct(&showing->text, &report);
	arena_release(&arena);
	return error;
}

static struct error *none_there(const struct showing *showing)
{
	return error_new("%s: has no struct that %s names; is it the right binary?",
		showing->session->object.path, showing->text.profile->path);
}

/* The definition of each entry, and how many entries have one. */
static size_t find_entries(const struct showing *showing, struct session_defs *defs, bool *found)
{
	const struct profile *profile = showing->text.profile;
	defs->items =
		arena_new(showing->session->arena, profile->struct_count, sizeof(*defs->items));
	defs->count = 0;
	for (size_t i = 0; i < profile->struct_count; i++) {
		struct session_defs one;
		struct error *error =
			session_find(showing->session, &profile->structs[i].name, 1, false, &one);
		found[i] = !error && one.count;
		error_free(error);
		if (found[i])
			defs->items[defs->count++] = one.items[0];
	}
	return defs->count;
}

static struct error *add_all(struct showing *showing, struct session *session)
{
	const struct profile *profile = showing->text.profile;
	const struct variables_request of_vars = {.findings_only = true};
	struct report_summary summary = {0};
	struct session_defs defs = {0};
	struct report_source *sources;
	bool *found = arena_new(session->arena, profile->struct_count, sizeof(*found));
	if (!find_entries(showing, &defs, found) && profile->struct_count)
		return none_there(showing);
	struct error *error = session_read(session, &defs, &sources);
	if (!error && profile->vars)
		error = variables_build(session, &of_vars, &summary);
	if (error)
		return error;
	text_profile_document(&showing->text);
	for (size_t i = 0, next = 0; i < profile->struct_count && !error; i++) {
		if (found[i]) {
			error = add_struct(showing, &sources[next++]);
		} else {
			text_profile_lacking(&showing->text, &profile->structs[i],
				session_nearest(session, profile->structs[i].name));
			showing->lacking++;
		}
	}
	text_profile_vars(&showing->text, session->frame.vars_count ? session->frame.vars : NULL);
	return error;
}

static struct error *show(
	struct session *session, const struct opt *opt, const struct cmd_io *io, int *status)
{
	struct showing showing = {
		.session = session,
		.text =
			{
				.out = io->out,
				.profile = session->profiles.items[0],
				.binary = session->object.path,
				.verbose = opt->verbose,
			},
	};
	struct error *error = add_all(&showing, session);
	/* what is lacking may be in a file that is not read */
	*status = showing.lacking && session_split_text(session) ? 2 : 0;
	return error;
}

/* FILE is an argument; with --profile, which other verbs take, it may be left out, but not be another one. */
static struct error *find_file(const struct opt *opt, const char **ret)
{
	const char *file = opt->arg_count > 2 ? opt->args[1] : NULL;
	if (!file && !opt->profile_count)
		return error_new("profile show: too few arguments; write 'linelint profile show "
				 "FILE BINARY'");
	for (size_t i = 0; i < opt->profile_count; i++) {
		if (file && strcmp(file, opt->profiles[i]) != 0)
			return error_new("profile show: %s and %s; one file is shown at a time, "
					 "leave the other out",
				file, opt->profiles[i]);
		file = opt->profiles[i];
	}
	*ret = file;
	return NULL;
}

struct error *profile_show_run(const struct opt *opt, const struct cmd_io *io, int *status)
{
	const char *file;
	struct error *unclear = find_file(opt, &file);
	if (unclear)
		return unclear;
	const struct session_request request = {
		.binary = opt->args[opt->arg_count - 1],
		.names_of_profiles = true,
		.profiles = &file,
		.profile_count = 1,
		.notes = opt->quiet ? NULL : io->notes,
	};
	return session_run(opt, io, &request, show, status);
}

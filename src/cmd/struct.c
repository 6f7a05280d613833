#include <inttypes.h>

#include "base/number.h"
#include "cmd/cmd.h"
#include "cmd/session.h"
#include "cmd/show.h"

/* --at must lie inside of every struct that is shown. */
static struct error *check_at(const struct session *session, const struct opt *opt,
	const struct report_source *sources, size_t count)
{
	for (size_t i = 0; i < count && opt->has_at; i++) {
		if (!sources[i].types)
			continue; /* has been told */
		const struct type *type = types_get(sources[i].types, sources[i].type);
		if (type->size_known && !type->size_bytes)
			return error_new(
				"%s: %s %s has no bytes, so that nothing is at --at %" PRIu64
				"; name another struct, or leave --at out",
				session->object.path, type_keyword(sources[i].kind),
				sources[i].name, opt->at_bytes);
		if (type->size_known && opt->at_bytes >= type->size_bytes)
			return error_new("%s: %s %s has %" PRIu64 " byte%s, so that --at %" PRIu64
					 " lies behind it; give an offset from 0 to %" PRIu64,
				session->object.path, type_keyword(sources[i].kind),
				sources[i].name, type->size_bytes, number_s(type->size_bytes),
				opt->at_bytes,
				type->size_bytes - 1);
	}
	return NULL;
}

static struct error *show_structs(
	struct session *session, const struct opt *opt, const struct cmd_io *io, int *status)
{
	struct session_defs defs;
	struct report_source *sources;
	struct error *error =
		session_find(session, opt->args, opt->arg_count, opt->all_definitions, &defs);
	if (!error)
		error = session_read(session, &defs, &sources);
	if (!error)
		error = check_at(session, opt, sources, defs.count);
	if (error)
		return error;
	const struct show_request request = {RENDER_STRUCT, sources, defs.count, NULL};
	return show_document(session, opt, io, &request, status);
}

struct error *cmd_struct(const struct opt *opt, const struct cmd_io *io, int *status)
{
	if (!opt->arg_count)
		return error_new("no NAME after %s; add one, or see 'linelint %s list'",
			opt->cmd->name, opt->binary);
	const struct session_request request = {
		.binary = opt->binary,
		.names = opt->args,
		.name_count = opt->arg_count,
		.profiles = opt->profiles,
		.profile_count = opt->profile_count,
		.notes = opt->quiet ? NULL : io->notes,
		.several = io->notes,
		.goes_on = true,
	};
	return session_run(opt, io, &request, show_structs, status);
}

#include "cmd/cmd.h"
#include "cmd/session.h"
#include "cmd/show.h"
#include "cmd/variables.h"

static struct error *show_vars(
	struct session *session, const struct opt *opt, const struct cmd_io *io, int *status)
{
	struct report_summary summary = {0};
	const struct variables_request request = {
		.names = opt->args,
		.name_count = opt->arg_count,
		.all = opt->all,
		.has_at = opt->has_at,
		.at_bytes = opt->at_bytes,
		.with_profile = opt->verbose || opt->renderer == &render_json,
	};
	struct error *error = variables_build(session, &request, &summary);
	if (error)
		return error;
	struct show show;
	show_begin(&show, session, opt, io, RENDER_VARS);
	summary.unread = session->unread;
	show.summary = summary;
	*status = show_end(&show);
	return NULL;
}

struct error *cmd_vars(const struct opt *opt, const struct cmd_io *io, int *status)
{
	static const char *const no_structs[1] = {NULL};
	const struct session_request request = {
		.binary = opt->binary,
		.names = no_structs,
		.name_count = 0,
		.profiles = opt->profiles,
		.profile_count = opt->profile_count,
		.notes = opt->quiet ? NULL : io->notes,
		.several = io->notes,
	};
	return session_run(opt, io, &request, show_vars, status);
}

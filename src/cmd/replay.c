#include <string.h>

#include "cmd/cmd.h"
#include "cmd/input.h"
#include "cmd/session.h"
#include "import/record.h"
#include "import/trace.h"
#include "read/variables.h"
#include "replay.h"
#include "suggest.h"

enum { OPERATIONS = 100000 }; /* the simulation's error is then below one in a hundred */

/* The one struct that NAME means. */
static struct error *read_struct(
	struct session *session, const struct opt *opt, struct report_struct *ret)
{
	struct session_defs defs;
	struct report_source *sources;
	struct error *error = session_find(session, opt->args, 1, false, &defs);
	if (!error && defs.count > 1)
		error = error_new("%s: '%s' means %zu structs, such as %s and %s; name one",
			session->object.path, opt->args[0], defs.count, defs.items[0]->name,
			defs.items[1]->name);
	if (!error)
		error = session_read(session, &defs, &sources);
	if (!error)
		error = report_build(session->arena, &sources[0], &session->options, ret);
	if (!error && !ret->layout.size_known)
		error = error_new("%s: the size of '%s' is not constant; its lines cannot be told",
			session->object.path, opt->args[0]);
	return error;
}

/* Recorders name a struct by a variable. */
static struct error *name_at(void *context, uint64_t address, const char **ret)
{
	const struct session *session = context;
	struct variables variables;
	struct record_type type;
	bool is_array;
	struct error *error = record_require_linked(&session->object);
	if (!error)
		error = variables_find(
			session->arena, &session->object, session->jobs, &variables);
	if (!error)
		error = variables_require_found(&variables);
	if (!error)
		error = record_type_at(
			session->arena, &session->object, &variables, address, &type, &is_array);
	if (!error)
		*ret = type.name;
	return error;
}

static struct error *read_recording(struct session *session, const char *path,
	const struct report_struct *report, struct trace *ret)
{
	const struct trace_target target = {
		.layout = &report->layout,
		.qualified_name = report->qualified_name,
		.binary = session->object.path,
		.build_id = session->object.build_id,
		.name_at = name_at,
		.context = session,
	};
	return trace_read(session->arena, path, &target, ret);
}

/* The minimal one; `ret` may come to have none. */
static struct error *find_suggestion(const struct session *session,
	const struct report_struct *report, struct suggest_result *ret)
{
	const struct lint_input lint = report_lint_input(report, &session->options.context);
	const struct suggest_input input = {
		.lint = &lint, .result = &report->lint, .kinds = 1u << SUGGEST_MINIMAL};
	return suggest_run(session->arena, &input, ret);
}

static struct error *check_arguments(const struct opt *opt)
{
	if (!opt->arg_count || opt->arg_count > 2)
		return error_new(
			"%zu arguments after replay; write 'linelint %s replay NAME [TRACE]'",
			opt->arg_count, opt->binary);
	if (opt->arg_count == 2 && opt->threads)
		return error_new(
			"--threads does not apply to a recording, which has its own; leave it "
			"out, or TRACE");
	if (!opt->renderer->replay)
		return error_new("--format %s does not apply to replay; take text or json",
			opt->renderer->name);
	return NULL;
}

static struct error *replay(
	struct session *session, const struct opt *opt, const struct cmd_io *io, int *status)
{
	struct report_struct report;
	struct trace trace;
	struct suggest_result suggested = {0};
	struct replay result;
	bool has_trace = opt->arg_count == 2;
	struct error *error = read_struct(session, opt, &report);
	if (!error && has_trace)
		error = input_check(opt, opt->args[1]);
	if (!error && has_trace)
		error = read_recording(session, opt->args[1], &report, &trace);
	if (!error)
		error = find_suggestion(session, &report, &suggested);
	if (error)
		return error;
	const struct replay_input input = {
		.layout = &report.layout,
		.access = &report.access,
		.context = &session->options.context,
		.suggestion = suggested.count ? &suggested.items[0] : NULL,
		.why_none = suggested.why_none,
		.trace = has_trace ? &trace : NULL,
		.seed = opt->seed,
		.operations = OPERATIONS,
	};
	error = replay_run(session->arena, &input, &result);
	if (error)
		return error_wrap(error, "%s", session->object.path);
	const struct render_style style = {.color = io->color,
		.columns = io->columns,
		.hex = opt->hex,
		.verbose = opt->verbose,
		.quiet = opt->quiet};
	opt->renderer->replay(io->out, &style, &session->frame, &report, &result);
	*status = 0;
	return NULL;
}

struct error *cmd_replay(const struct opt *opt, const struct cmd_io *io, int *status)
{
	struct error *error = check_arguments(opt);
	if (error)
		return error;
	const struct session_request request = {
		.binary = opt->binary,
		.names = opt->args,
		.name_count = 1,
		.profiles = opt->profiles,
		.profile_count = opt->profile_count,
	};
	return session_run(opt, io, &request, replay, status);
}

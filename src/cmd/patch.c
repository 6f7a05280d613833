#include "patch.h"

#include <string.h>

#include "base/buf.h"
#include "cmd/cmd.h"
#include "cmd/input.h"
#include "cmd/replace.h"
#include "cmd/session.h"
#include "read/source.h"
#include "suggest.h"

/* One struct that is to be changed. */
struct target {
	struct report_struct report;
	struct suggestion suggestion;
	const char *subject; /* "struct file" */
};

/* One source file, with the structs in it. */
struct text {
	struct source source;
	struct patch_change *changes;
	size_t change_count;
	struct patch_input input;
	struct patch_result result;
};

struct patching {
	struct arena *arena;
	const struct session *session;
	const struct opt *opt;
	const struct cmd_io *io;
	struct target *targets;
	size_t target_count;
	struct text *texts;
	size_t text_count;
};

__attribute__((format(printf, 2, 3))) static void note(
	const struct patching *p, const char *format, ...)
{
	struct buf line, visible;
	va_list args;
	if (p->opt->quiet)
		return;
	buf_init(&line);
	buf_init(&visible);
	va_start(args, format);
	buf_vprintf(&line, format, args);
	va_end(args);
	buf_put_visible(&visible, line.data);
	fprintf(p->io->notes, "linelint: %s\n", visible.data);
	buf_release(&line);
	buf_release(&visible);
}

/* ---- suggestions ---- */

static enum suggest_kind wanted_kind(const struct opt *opt)
{
	return opt->suggest == SUGGEST_KIND_COUNT ? SUGGEST_MINIMAL : opt->suggest;
}

static struct error *suggest(
	const struct patching *p, const struct report_struct *report, struct suggest_result *ret)
{
	const struct lint_input lint = report_lint_input(report, &p->session->options.context);
	const struct suggest_input input = {
		.lint = &lint, .result = &report->lint, .kinds = 1u << wanted_kind(p->opt)};
	return suggest_run(p->arena, &input, ret);
}

/* Adds the struct to the targets, or notes why there is nothing to do. */
static struct error *add_target(struct patching *p, const struct report_source *source)
{
	struct target *target = &p->targets[p->target_count];
	struct suggest_result result;
	struct error *error = report_build(p->arena, source, &p->session->options, &target->report);
	if (error)
		return error_wrap(error, "%s", p->session->object.path);
	target->subject = arena_printf(
		p->arena, "%s %s", type_keyword(source->kind), target->report.qualified_name);
	/* the rest of the model points to its layout, which must not move */
	error = suggest(p, &target->report, &result);
	if (error)
		return error;
	if (!result.count) {
		note(p, "%s: %s: nothing to do: %s", p->session->object.path, target->subject,
			result.why_none ? result.why_none : "there is no such suggestion");
		return NULL;
	}
	if (source->layouts > 1)
		note(p, "%s: %s: it has %u layouts here; the patch is made for that of %s",
			p->session->object.path, target->subject, source->layouts, source->unit);
	target->suggestion = result.items[0];
	p->target_count++;
	return NULL;
}

static struct error *find_targets(struct patching *p, struct session *session)
{
	struct session_defs defs;
	struct report_source *sources;
	struct error *error = session_find(session, p->opt->args, p->opt->arg_count, false, &defs);
	if (!error)
		error = session_read(session, &defs, &sources);
	if (error)
		return error;
	p->targets = arena_new(p->arena, defs.count, sizeof(*p->targets));
	for (size_t i = 0; i < defs.count && !error; i++)
		error = add_target(p, &sources[i]);
	return error;
}

/* ---- texts ---- */

/* A struct's own declaration, or the typedef of it, knows the file; else its first member does. */
static const char *file_of(const struct layout *layout)
{
	const struct type *type = types_get(layout->types, layout->type);
	if (type->file)
		return type->file;
	return layout->member_count ? layout->members[0].file : NULL;
}

static struct text *text_of(struct patching *p, const struct source *source)
{
	for (size_t i = 0; i < p->text_count; i++)
		if (strcmp(p->texts[i].source.path, source->path) == 0)
			return &p->texts[i];
	struct text *text = &p->texts[p->text_count++];
	text->source = *source;
	text->changes = arena_new(p->arena, p->target_count, sizeof(*text->changes));
	return text;
}

static struct error *find_text(struct patching *p, const struct target *target)
{
	struct source source;
	const struct source_query query = {
		.subject = target->subject,
		.file = file_of(&target->report.layout),
		.comp_dir = target->report.source.comp_dir,
		.root = p->opt->source,
	};
	struct error *error = source_read(p->arena, &query, &source);
	if (!error)
		error = input_check(p->opt, source.path);
	if (error)
		return error;
	struct text *text = text_of(p, &source);
	text->changes[text->change_count++] = (struct patch_change){
		.layout = &target->report.layout,
		.keyword = type_keyword(target->report.source.kind),
		.suggestion = &target->suggestion,
		.is_cxx = target->report.source.is_cxx,
	};
	return NULL;
}

static struct error *change_text(const struct patching *p, struct text *text)
{
	text->input = (struct patch_input){
		.file = text->source.path,
		.bytes = text->source.bytes,
		.length = text->source.length,
		.changes = text->changes,
		.change_count = text->change_count,
		.is_kernel = p->session->binary.is_kernel,
	};
	struct error *error = patch_build(p->arena, &text->input, &text->result);
	for (size_t i = 0; !error && i < text->result.note_count; i++)
		note(p, "%s:%u: %s", text->source.path, text->result.notes[i].line,
			text->result.notes[i].text);
	return error;
}

static void print_diffs(const struct patching *p)
{
	struct buf diff;
	buf_init(&diff);
	for (size_t i = 0; i < p->text_count; i++)
		patch_diff(p->arena, p->texts[i].source.name, &p->texts[i].input,
			&p->texts[i].result, &diff);
	fwrite(diff.data, 1, diff.length, p->io->out);
	buf_release(&diff);
}

static struct error *change_files(const struct patching *p)
{
	struct replace *files = arena_new(p->arena, p->text_count, sizeof(*files));
	size_t count = 0;
	for (size_t i = 0; i < p->text_count; i++) {
		const struct text *text = &p->texts[i];
		if (!text->result.is_changed)
			continue;
		files[count++] = (struct replace){
			.path = text->source.path,
			.before = text->source.bytes,
			.before_length = text->source.length,
			.after = text->result.bytes,
			.after_length = text->result.length,
		};
	}
	struct error *error =
		replace_files(p->arena, p->opt->source ? p->opt->source : ".", files, count);
	for (size_t i = 0; i < count && !error; i++)
		note(p, "%s: changed", files[i].path);
	return error;
}

/* Nothing is written before all texts are known to be good. */
static struct error *make_patch(struct patching *p)
{
	struct error *error = NULL;
	p->texts = arena_new(p->arena, p->target_count, sizeof(*p->texts));
	for (size_t i = 0; i < p->target_count && !error; i++)
		error = find_text(p, &p->targets[i]);
	for (size_t i = 0; i < p->text_count && !error; i++)
		error = change_text(p, &p->texts[i]);
	if (error)
		return error;
	if (p->opt->in_place)
		return change_files(p);
	print_diffs(p);
	return NULL;
}

static struct error *patch(
	struct session *session, const struct opt *opt, const struct cmd_io *io, int *status)
{
	struct patching patching = {
		.arena = session->arena, .session = session, .opt = opt, .io = io};
	struct error *error = find_targets(&patching, session);
	*status = 0;
	return error ? error : make_patch(&patching);
}

struct error *cmd_patch(const struct opt *opt, const struct cmd_io *io, int *status)
{
	if (!opt->arg_count)
		return error_new(
			"no NAME after patch; write 'linelint %s patch NAME'", opt->binary);
	if (opt->in_place && opt->output)
		return error_new("--in-place and --output contradict each other: leave one out; "
				 "--in-place prints no "
				 "diff");
	if (opt->no_suggest)
		return error_new("--suggest none leaves nothing to patch; take minimal, best or "
				 "pack");
	const struct session_request request = {
		.binary = opt->binary,
		.names = opt->args,
		.name_count = opt->arg_count,
		.profiles = opt->profiles,
		.profile_count = opt->profile_count,
	};
	return session_run(opt, io, &request, patch, status);
}

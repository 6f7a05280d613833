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
	struct lint_input lint;
	struct suggest_input input;
	struct suggestion suggestion;
	const char *subject; /* "struct file" */
};

/* One source file, with the structs in it. */
struct text {
	struct source source;
	struct target **targets; /* [change] */
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
	const struct patching *p, struct target *target, struct suggest_result *ret)
{
	const struct report_struct *report = &target->report;
	target->lint = report_lint_input(report, &p->session->options.context);
	target->input = (struct suggest_input){
		.lint = &target->lint, .result = &report->lint, .kinds = 1u << wanted_kind(p->opt)};
	return suggest_run(p->arena, &target->input, ret);
}

static bool has_name(const struct profile_names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (strcmp(names->names[i], name) == 0)
			return true;
	return false;
}

static bool is_constrained(const struct profile_constraints *constraints, const char *name)
{
	bool found = has_name(&constraints->first, name) || has_name(&constraints->last, name) ||
		     has_name(&constraints->pin, name);
	for (size_t i = 0; i < constraints->keep_together_count; i++)
		found = found || has_name(&constraints->keep_together[i], name);
	return found;
}

/* A patch must not break a constraint because its field is spelled wrongly; other names that lead nowhere are noted. */
static struct error *check_names(const struct patching *p, const struct access_map *map)
{
	for (size_t i = 0; i < map->missing_count; i++) {
		const struct access_missing *missing = &map->missing[i];
		const char *where = arena_printf(p->arena, "%s:%u:%u: %s: %s",
			map->profile->document->path, missing->position.line, missing->position.col,
			missing->path, missing->why);
		if (is_constrained(&map->profile->constraints, missing->path))
			return error_new(
				"%s; correct the name, for a patch has to keep to it", where);
		note(p, "%s; correct the name", where);
	}
	return NULL;
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
	error = check_names(p, &target->report.access);
	if (!error)
		error = suggest(p, target, &result);
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
	if (!error && !p->target_count && !p->opt->in_place)
		note(p, "the diff is empty, which 'git apply' takes with --allow-empty only");
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
	text->targets = arena_new(p->arena, p->target_count, sizeof(*text->targets));
	return text;
}

static struct error *find_text(struct patching *p, struct target *target)
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
	text->targets[text->change_count] = target;
	text->changes[text->change_count++] = (struct patch_change){
		.layout = &target->report.layout,
		.keyword = type_keyword(target->report.source.kind),
		.suggestion = &target->suggestion,
		.is_cxx = target->report.source.is_cxx,
	};
	return NULL;
}

/* ---- another place, when the text does not have the best one ---- */

/* Places that are tried; and what they may cost more, as a share of what the best one saves. */
enum { PLACES_TRIED = 64 };
static const double MAY_COST_MORE = 0.1;

/* Nor does it make the struct larger than it is, or than the best one would. */
static bool is_near(const struct suggestion *best, size_t destination)
{
	const struct suggest_destination *at = &best->destinations[destination];
	double saved = best->cost_before - best->cost_after;
	uint64_t most =
		best->size_before > best->size_after ? best->size_before : best->size_after;
	return at->cost - best->cost_after <= MAY_COST_MORE * saved && at->size_bytes <= most;
}

/* "behind x", or "to the front" */
static const char *place_text(const struct patching *p, const struct suggest_move *move)
{
	if (move->stays)
		return "where it stands";
	return move->after ? arena_printf(p->arena, "behind %s", move->after) : "to the front";
}

static void note_instead(const struct patching *p, const struct target *target,
	const struct suggestion *other, const char *refusal)
{
	const struct suggestion *best = &target->suggestion;
	const char *end = strstr(refusal, "; move"), *last = end;
	while (last && (last = strstr(last + 1, "; move")))
		end = last;
	note(p, "%.*s; instead of %s, at %.3f transactions an operation, %s goes %s, at %.3f",
		end ? (int)(end - refusal) : (int)strlen(refusal), refusal,
		place_text(p, &best->moves[0]), best->cost_after, other->moves[0].field,
		place_text(p, &other->moves[0]), other->cost_after);
}

/* One change by itself: with its suggestion, else with the next destination that costs as much or little more. */
static struct error *settle(const struct patching *p, const struct patch_input *input,
	const struct target *target, struct patch_change *change)
{
	const struct suggestion *best = &target->suggestion;
	struct patch_input one = *input;
	struct patch_result result;
	one.changes = change;
	one.change_count = 1;
	struct error *refusal = patch_build(p->arena, &one, &result);
	for (size_t i = 0; refusal && i < best->destination_count && i < PLACES_TRIED; i++) {
		struct suggestion *other = arena_new(p->arena, 1, sizeof(*other));
		if (!is_near(best, i) ||
			!suggest_instead(p->arena, &target->input, best, i, other) ||
			other->move_count != 1)
			continue;
		change->suggestion = other;
		struct error *error = patch_build(p->arena, &one, &result);
		if (!error && result.is_changed) {
			note_instead(p, target, other, refusal->message);
			error_free(refusal);
			return NULL;
		}
		error_free(error);
	}
	return refusal;
}

static struct error *change_text(const struct patching *p, struct text *text)
{
	struct error *error = NULL;
	text->input = (struct patch_input){
		.file = text->source.path,
		.bytes = text->source.bytes,
		.length = text->source.length,
		.changes = text->changes,
		.change_count = text->change_count,
		.is_kernel = p->session->binary.is_kernel,
	};
	for (size_t i = 0; i < text->change_count && !error; i++)
		error = settle(p, &text->input, text->targets[i], &text->changes[i]);
	if (!error)
		error = patch_build(p->arena, &text->input, &text->result);
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
	struct error *error = NULL;
	if (session->info.form == INFO_BTF)
		error = error_new("%s: BTF does not say where structs are declared, so there is "
				  "nothing to patch; use the file with DWARF (built with -g)",
			session->object.path);
	if (!error)
		error = find_targets(&patching, session);
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

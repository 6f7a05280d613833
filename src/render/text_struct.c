#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "render/text.h"

enum { INDENT = 2 };

/* A struct being printed. */
struct view {
	FILE *out;
	const struct render_style *style;
	const struct report_frame *frame;
	const struct report_struct *report;
	struct arena *arena; /* scratch */
};

static void print_indented(const struct view *view, const char *text)
{
	fprintf(view->out, "%*s", INDENT, "");
	text_wrap(view->out, view->style, INDENT, INDENT, text_visible(view->arena, text));
}

/* "8 bytes" */
static const char *bytes_text(const struct view *view, uint64_t bytes)
{
	return arena_printf(view->arena, "%s byte%s", text_bytes(view->arena, view->style, bytes),
		bytes == 1 ? "" : "s");
}

/* ---- what is above ---- */

static const char *gaps_text(const struct view *view)
{
	const struct layout *layout = &view->report->layout;
	struct arena *arena = view->arena;
	const char *text = "no holes";
	if (layout->hole_count)
		text = arena_printf(arena, "%s (%s)",
			text_plural(arena, layout->hole_count, "hole"),
			bytes_text(view, layout->hole_bytes));
	if (layout->padding_bytes)
		text = arena_printf(
			arena, "%s, %s of padding", text, bytes_text(view, layout->padding_bytes));
	return text;
}

static void print_title(const struct view *view)
{
	const struct layout *layout = &view->report->layout;
	const char *title =
		arena_printf(view->arena, "%s %s", type_keyword(view->report->source.kind),
			text_visible(view->arena, view->report->qualified_name));
	const char *text = "size not constant";
	if (layout->size_known)
		text = arena_printf(view->arena,
			"%s in %s of %" PRIu64 ", aligned to %" PRIu32 ", %s",
			bytes_text(view, layout->size_bytes),
			text_plural(view->arena, layout->line_count, "line"), layout->line_bytes,
			layout->align_bytes, gaps_text(view));
	text_put(view->out, view->style, TEXT_STRONG, title);
	fputs(": ", view->out);
	text_wrap(view->out, view->style, text_columns(title) + 2, INDENT, text);
}

/* Of several binaries: which has it. */
static const char *files_text(const struct view *view, const struct report_source *source)
{
	const char *path =
		text_visible(view->arena, view->frame->binaries[source->binary].path);
	if (source->files < 2)
		return arena_printf(view->arena, "in %s", path);
	return arena_printf(view->arena, "in %s and %s", path,
		text_plural(view->arena, source->files - 1, "more file"));
}

static void print_origin(const struct view *view)
{
	const struct report_source *source = &view->report->source;
	const struct report_binary *binary = &view->frame->binaries[source->binary];
	const struct layout *layout = &view->report->layout;
	const struct type *type = types_get(layout->types, layout->type);
	struct arena *arena = view->arena;
	const char *text = "";
	if (type->file && type->line)
		text = arena_printf(arena, "%s:%" PRIu32 "; ", type->file, type->line);
	text = arena_printf(arena, "%s%s", text, binary->machine);
	if (binary->dwarf_version)
		text = arena_printf(arena, "%s DWARF %u", text, binary->dwarf_version);
	else if (strcmp(binary->format, "btf") == 0)
		text = arena_printf(arena, "%s BTF", text);
	bool several = source->layouts > 1;
	if (source->unit && *source->unit &&
		(several || view->style->all_definitions || view->style->verbose))
		text = arena_printf(arena, "%s; unit %s", text, source->unit);
	if (source->files)
		text = arena_printf(arena, "%s; %s", text, files_text(view, source));
	print_indented(view, text);
	if (several && !view->style->all_definitions && !view->style->quiet)
		print_indented(
			view, arena_printf(arena,
				      "%s of %" PRIu32 " layouts under this name%s",
				      source->files ? "one" : "the first", source->layouts,
				      source->all_shown ? ""
							: ": --all-definitions shows each"));
}

static const char *join(
	struct arena *arena, const char *text, const char *separator, const char *more)
{
	return *text ? arena_printf(arena, "%s%s%s", text, separator, more) : more;
}

static const char *placement_text(const struct view *view)
{
	const struct access_map *map = &view->report->access;
	const struct cost_model *model = &map->model;
	struct arena *arena = view->arena;
	const char *text = "";
	if (map->profile->instance == INSTANCE_PER_THREAD)
		return "one a thread";
	if (model->start_count == 1 && model->starts[0] == 0)
		text = "objects start a line";
	else if (model->start_count == 1)
		text = arena_printf(
			arena, "objects start at byte %" PRIu64 " of a line", model->starts[0]);
	else if (model->start_count > 1)
		text = arena_printf(
			arena, "objects start at any of %zu places of a line", model->start_count);
	if (map->stride_bytes)
		text = join(arena, text, ", ",
			arena_printf(arena, "one every %s", bytes_text(view, map->stride_bytes)));
	if (*text && !map->placement_stated)
		text = arena_printf(arena, "%s (assumed)", text);
	if (map->profile->instance == INSTANCE_ARRAY)
		text = join(arena, text, "; ", "an array: neighbours belong to other threads");
	return text;
}

static void print_profile(const struct view *view)
{
	const struct access_map *map = &view->report->access;
	struct arena *arena = view->arena;
	if (!map->profile)
		return;
	const struct profile *document = map->profile->document;
	const char *text =
		document && document->path ? document->path : "the binary's cacheline groups";
	const char *evidence = arena_printf(arena, "(%s)", evidence_name(map->evidence));
	if (!strstr(text, evidence)) /* "linux.yaml (shipped)" says it already */
		text = arena_printf(arena, "%s %s", text, evidence);
	text = arena_printf(arena, "profile: %s", text);
	if (map->profile->source)
		text = join(arena, text, ": ", map->profile->source);
	const char *placement = placement_text(view);
	if (*placement)
		text = join(arena, text, "; ", placement);
	print_indented(view, text);
}

/* ---- what is below ---- */

static const char *role_cost(const struct view *view, size_t index)
{
	const struct access_role *role = &view->report->access.roles[index];
	struct arena *arena = view->arena;
	if (strcmp(role->name, "all") == 0 && view->report->access.role_count == 1)
		return text_plural(arena, role->threads, "thread");
	const char *text = arena_printf(arena, "%s %s (%s", role->name,
		text_cost(arena, view->report->lint.cost.roles[index]),
		text_plural(arena, role->threads, "thread"));
	if (role->rate < 1 || role->rate > 1)
		text = arena_printf(arena, "%s, rate %s", text, text_number(arena, role->rate));
	return arena_printf(arena, "%s)", text);
}

static void print_cost(const struct view *view)
{
	const struct access_map *map = &view->report->access;
	struct arena *arena = view->arena;
	if (!view->report->has_cost)
		return;
	const char *text = arena_printf(arena,
		"cost: %s transactions an operation, estimated at interleave %s",
		text_cost(arena, view->report->lint.cost.total),
		text_number(arena, map->profile->document->interleave));
	const char *worst = text_worst_workload(view->report);
	if (worst)
		text = arena_printf(arena, "%s, in workload %s, the worst", text, worst);
	if (view->report->avoidable >= TEXT_NOTHING)
		text = arena_printf(arena, "%s, %s of it avoidable%s", text,
			text_cost(arena, view->report->avoidable),
			view->report->searched ? "" : " by one finding's move");
	if (map->model.start_count > 1)
		text = arena_printf(
			arena, "%s, averaged over %zu placements", text, map->model.start_count);
	for (size_t i = 0; i < map->role_count; i++)
		text = join(arena, text,
			i       ? ", "
			: worst ? "; of each role, in its worst: "
				: "; ",
			role_cost(view, i));
	fputc('\n', view->out);
	text_wrap(view->out, view->style, 0, INDENT, text_visible(arena, text));
}

static void print_hidden(const struct view *view)
{
	const struct lint_result *lint = &view->report->lint;
	size_t infos = 0, ignored = 0;
	for (size_t i = 0; i < lint->finding_count; i++)
		if (!text_shows(view->style, &lint->findings[i])) {
			infos += !lint->findings[i].ignored;
			ignored += lint->findings[i].ignored;
		}
	const char *text = infos ? text_plural(view->arena, infos, "info") : "";
	if (ignored)
		text = join(view->arena, text, " and ",
			arena_printf(view->arena, "%zu ignored", ignored));
	if (*text)
		fprintf(view->out, "\n%s more with --verbose\n", text);
}

/* For the shell, within a sentence that has commands in single quotes. */
static const char *word(const struct view *view, const char *name)
{
	struct buf text;
	buf_init(&text);
	buf_put_word(&text, name);
	const char *kept = arena_strndup(view->arena, text.data, text.length);
	buf_release(&text);
	return kept;
}

/* Why there are no accesses. */
static void print_missing_profile(const struct view *view)
{
	const struct report_struct *report = view->report;
	if (report->access.profile)
		return;
	const char *text = arena_printf(view->arena,
		"no profile says who accesses it, so this is the layout alone: 'linelint profile "
		"init %s %s "
		"> p.yaml' writes one to fill in, --profile p.yaml uses it",
		word(view, view->frame->binaries[report->source.binary].path),
		word(view, report->qualified_name));
	fputc('\n', view->out);
	text_wrap(view->out, view->style, 0, INDENT, text_visible(view->arena, text));
}

static void print_legend(const struct view *view)
{
	const char *text =
		"+ a member begins, - goes on, < > from and to another line, . hole, _ padding";
	if (view->style->quiet)
		return;
	if (view->report->access.field_count)
		text = "R read, W written, B both (small letters: seldom), + not accessed; - goes "
		       "on, < > from and to "
		       "another line, . hole, _ padding; accesses per operation, cost in coherence "
		       "transactions";
	fputc('\n', view->out);
	text_begin(view->out, view->style, TEXT_FAINT);
	text_wrap(view->out, view->style, 0, INDENT, text);
	text_end(view->out, view->style, TEXT_FAINT);
}

void text_struct(FILE *out, const struct render_style *style, const struct report_frame *frame,
	const struct report_struct *report, bool is_first)
{
	struct arena arena;
	arena_init(&arena);
	struct view view = {
		.out = out, .style = style, .frame = frame, .report = report, .arena = &arena};
	print_title(&view);
	print_origin(&view);
	print_profile(&view);
	text_table(out, style, report);
	if (is_first && !style->quiet)
		print_legend(&view);
	print_cost(&view);
	text_findings(out, style, frame, report);
	if (!style->quiet)
		print_hidden(&view);
	if (is_first && !style->quiet)
		print_missing_profile(&view);
	arena_release(&arena);
}

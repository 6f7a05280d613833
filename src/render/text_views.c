#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "render/text.h"

/* ---- the list ---- */

static size_t name_width(const struct report_frame *frame)
{
	enum { LEAST = 20, MOST = 48 }; /* few names are longer, and their rows stand out */
	size_t width = frame->name_columns;
	return width < LEAST ? LEAST : width > MOST ? MOST : width;
}

static void list_begin(
	FILE *out, const struct render_style *style, const struct report_frame *frame)
{
	if (style->quiet)
		return;
	text_begin(out, style, TEXT_FAINT);
	fprintf(out, "%-*s  %10s  %7s  %5s  %10s  %7s  %s", (int)name_width(frame), "name", "size",
		"lines", "holes", "hole bytes", "padding", "definitions");
	if (frame->binary_count > 1)
		fputs("  file", out);
	text_end(out, style, TEXT_FAINT);
	fputc('\n', out);
}

static void list_one(FILE *out, const struct render_style *style, const struct report_frame *frame,
	const struct report_struct *report)
{
	const struct layout *layout = &report->layout;
	struct arena arena;
	arena_init(&arena);
	const char *name = arena_printf(&arena, "%s %s", type_keyword(report->source.kind),
		text_visible(&arena, report->qualified_name));
	size_t width = name_width(frame), columns = text_columns(name);
	fprintf(out, "%s%*s", name, columns < width ? (int)(width - columns) : 0, "");
	if (layout->size_known)
		fprintf(out, "  %10s  %7" PRIu64 "  %5zu  %10s  %7s",
			text_bytes(&arena, style, layout->size_bytes), layout->line_count,
			layout->hole_count, text_bytes(&arena, style, layout->hole_bytes),
			text_bytes(&arena, style, layout->padding_bytes));
	else
		fprintf(out, "  %10s  %7s  %5zu  %10s  %7s", "varies", "-", layout->hole_count,
			text_bytes(&arena, style, layout->hole_bytes), "-");
	fprintf(out, "  %11" PRIu32, report->source.layouts);
	if (style->all_definitions && report->source.layouts > 1 && report->source.unit)
		fprintf(out, "  %s", text_visible(&arena, report->source.unit));
	if (report->source.files)
		fprintf(out, "  %s",
			text_visible(&arena, frame->binaries[report->source.binary].path));
	if (report->source.files > 1)
		fprintf(out, " and %" PRIu32 " more", report->source.files - 1);
	fputc('\n', out);
	arena_release(&arena);
}

static void summary_line(FILE *out, const struct render_style *style,
	const struct report_summary *summary, const struct report_frame *frame)
{
	struct arena arena;
	uint64_t variables = 0;
	arena_init(&arena);
	for (size_t i = 0; i < frame->vars_count; i++)
		variables += frame->vars[i].entry->item_count;
	fputs(text_plural(&arena, summary->structs, "struct"), out);
	if (frame->vars_count)
		fprintf(out, " and %s", text_plural(&arena, variables, "variable"));
	fprintf(out, ": %s, %s, %s", text_plural(&arena, summary->errors, "error"),
		text_plural(&arena, summary->warnings, "warning"),
		text_plural(&arena, summary->infos, "info"));
	/* every struct has said so already in the other view */
	if (summary->infos && !style->verbose && style->fail_on != SEVERITY_INFO &&
		style->view == RENDER_CHECK)
		fputs(" (--verbose shows infos)", out);
	if (summary->baselined)
		fprintf(out, ", %" PRIu64 " in the baseline", summary->baselined);
	if (summary->unread)
		fprintf(out, ", %" PRIu64 " not read", summary->unread);
	fputc('\n', out);
	arena_release(&arena);
}

/* ---- the renderer ---- */

static void begin(FILE *out, const struct render_style *style, const struct report_frame *frame)
{
	if (style->view == RENDER_LIST)
		list_begin(out, style, frame);
}

static void one(FILE *out, const struct render_style *style, const struct report_frame *frame,
	const struct report_struct *report, size_t number)
{
	switch (style->view) {
	case RENDER_LIST:
		list_one(out, style, frame, report);
		return;
	case RENDER_CHECK:
		text_findings(out, style, frame, report);
		return;
	case RENDER_VARS:
		return;
	case RENDER_STRUCT:
		if (number)
			fputc('\n', out);
		if (style->has_at)
			text_at(out, style, report);
		else
			text_struct(out, style, frame, report, number == 0);
		return;
	}
}

static void end(FILE *out, const struct render_style *style, const struct report_frame *frame,
	const struct report_summary *summary)
{
	if (frame->vars_count)
		text_vars(out, style, frame);
	if (style->quiet || style->view == RENDER_VARS)
		return;
	if (style->view == RENDER_LIST) {
		fprintf(out, "%" PRIu64 " row%s", summary->structs,
			summary->structs == 1 ? "" : "s");
		if (summary->unread)
			fprintf(out, ", %" PRIu64 " not read", summary->unread);
		fputc('\n', out);
	} else if (style->view == RENDER_CHECK || (summary->structs > 1 && !style->has_at)) {
		if (style->view == RENDER_STRUCT)
			fputc('\n', out);
		summary_line(out, style, summary, frame);
	}
}

const struct renderer render_text = {
	.name = "text",
	.summary = "for people",
	.struct_kinds = 1U << SUGGEST_MINIMAL,
	.plain_rows = true,
	.begin = begin,
	.one = one,
	.end = end,
	.replay = text_replay,
	.diff = text_diff,
};

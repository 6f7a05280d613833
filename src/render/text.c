#include "render/text.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"

static const char *const tones[TEXT_TONE_COUNT] = {
	[TEXT_PLAIN] = "",
	[TEXT_STRONG] = "1",
	[TEXT_FAINT] = "2",
	[TEXT_READ] = "30;42",
	[TEXT_WRITTEN] = "97;41",
	[TEXT_BOTH] = "97;45",
	[TEXT_ERROR] = "1;31",
	[TEXT_WARNING] = "1;33",
	[TEXT_INFO] = "36",
};

void text_begin(FILE *out, const struct render_style *style, enum text_tone tone)
{
	if (style->color && *tones[tone])
		fprintf(out, "\033[%sm", tones[tone]);
}

void text_end(FILE *out, const struct render_style *style, enum text_tone tone)
{
	if (style->color && *tones[tone])
		fputs("\033[0m", out);
}

void text_put(FILE *out, const struct render_style *style, enum text_tone tone, const char *string)
{
	text_begin(out, style, tone);
	fputs(string, out);
	text_end(out, style, tone);
}

const char *text_visible(struct arena *arena, const char *string)
{
	const unsigned char *at = (const unsigned char *)string;
	while (*at >= 0x20 && *at < 0x7f)
		at++;
	if (!*at)
		return string;
	struct buf buf;
	buf_init(&buf);
	buf_put_visible(&buf, string);
	const char *visible = arena_strdup(arena, buf.data);
	buf_release(&buf);
	return visible;
}

size_t text_columns(const char *string)
{
	size_t columns = 0;
	for (; *string; string++)
		columns += ((unsigned char)*string & 0xc0) !=
			   0x80; /* UTF-8: not a continuation byte */
	return columns;
}

void text_wrap(FILE *out, size_t column, size_t indent, const char *text)
{
	bool first = true;
	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		size_t length = strcspn(text, " ");
		if (!first && column + 1 + length > TEXT_WIDTH) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (!first) {
			fputc(' ', out);
			column++;
		}
		fwrite(text, 1, length, out);
		column += length;
		text += length;
		first = false;
	}
	fputc('\n', out);
}

const char *text_bytes(struct arena *arena, const struct render_style *style, uint64_t bytes)
{
	return style->hex ? arena_printf(arena, "0x%" PRIx64, bytes)
			  : arena_printf(arena, "%" PRIu64, bytes);
}

const char *text_number(struct arena *arena, double number)
{
	return arena_printf(arena, number >= 100 ? "%.0f" : "%.3g", number);
}

const char *text_plural(struct arena *arena, uint64_t count, const char *one)
{
	return arena_printf(arena, "%" PRIu64 " %s%s", count, one, count == 1 ? "" : "s");
}

bool text_shows(const struct render_style *style, const struct finding *finding)
{
	return style->verbose || (!finding->ignored && finding->severity <= SEVERITY_WARNING);
}

static enum text_tone tone_of(enum severity severity)
{
	switch (severity) {
	case SEVERITY_ERROR:
		return TEXT_ERROR;
	case SEVERITY_WARNING:
		return TEXT_WARNING;
	case SEVERITY_INFO:
		return TEXT_INFO;
	case SEVERITY_NONE:
		break;
	}
	return TEXT_PLAIN;
}

static void finding_line(FILE *out, struct arena *arena, const char *label, const char *text)
{
	enum { INDENT = 8 };
	if (!text || !*text)
		return;
	int column = fprintf(out, "%*s%s", INDENT, "", label);
	text_wrap(out, (size_t)column, INDENT + strlen(label), text_visible(arena, text));
}

void text_finding(FILE *out, const struct render_style *style, const char *prefix,
	const char *subject, const struct finding *finding)
{
	struct arena arena;
	arena_init(&arena);
	fputs(prefix, out);
	const char *severity = severity_name(finding->severity);
	text_put(out, style, tone_of(finding->severity), severity);
	int column = fprintf(out, " %s %s: ", finding->rule->id, finding->rule->name);
	const char *text = arena_printf(&arena, "%s%s", subject, finding->message);
	text_wrap(out, text_columns(prefix) + strlen(severity) + (size_t)column, 8,
		text_visible(&arena, text));
	finding_line(out, &arena, "", finding->price);
	finding_line(out, &arena, "fix: ", finding->advice);
	if (finding->ignored)
		finding_line(out, &arena, "ignored: ", finding->ignore_reason);
	arena_release(&arena);
}

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
	fputc('\n', out);
	arena_release(&arena);
}

/* ---- check: a block a finding ---- */

/* The member that the struct's own source declares, of one that may lie in another struct. */
static const struct layout_member *own_member(
	const struct layout *layout, const struct layout_member *member)
{
	while (member && member->parent != LAYOUT_NO_PARENT &&
		*layout->members[member->parent].name)
		member = &layout->members[member->parent];
	return member;
}

/* Where an editor should go: to the line of the profile that is wrong, else to the field's declaration. */
static const char *finding_place(struct arena *arena, const struct report_frame *frame,
	const struct report_struct *report, const struct finding *finding)
{
	const struct layout *layout = &report->layout;
	if (finding->position.line && finding->file)
		return arena_printf(arena, "%s:%" PRIu32 ":%" PRIu32 ": ",
			text_visible(arena, finding->file), finding->position.line,
			finding->position.col);
	const struct layout_member *member =
		own_member(layout, layout_find(layout, finding->fields[0]));
	const struct type *type = layout->types ? types_get(layout->types, layout->type) : NULL;
	const char *file = member && member->file ? member->file : type ? type->file : NULL;
	uint32_t line = member && member->file ? member->line : type ? type->line : 0;
	if (file && line)
		return arena_printf(arena, "%s:%" PRIu32 ": ", text_visible(arena, file), line);
	return arena_printf(
		arena, "%s: ", text_visible(arena, frame->binaries[report->source.binary].path));
}

static void check_one(FILE *out, const struct render_style *style, const struct report_frame *frame,
	const struct report_struct *report)
{
	struct arena arena;
	arena_init(&arena);
	const char *subject = arena_printf(&arena, "%s %s: ", type_keyword(report->source.kind),
		text_visible(&arena, report->qualified_name));
	for (size_t i = 0; i < report->lint.finding_count; i++) {
		const struct finding *finding = &report->lint.findings[i];
		if (text_shows(style, finding))
			text_finding(out, style, finding_place(&arena, frame, report, finding),
				subject, finding);
	}
	arena_release(&arena);
}

static void summary_line(
	FILE *out, const struct render_style *style, const struct report_summary *summary)
{
	struct arena arena;
	arena_init(&arena);
	fprintf(out, "%s: %s, %s, %s", text_plural(&arena, summary->structs, "struct"),
		text_plural(&arena, summary->errors, "error"),
		text_plural(&arena, summary->warnings, "warning"),
		text_plural(&arena, summary->infos, "info"));
	if (summary->infos && !style->verbose)
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
		check_one(out, style, frame, report);
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
	(void)frame;
	if (style->quiet)
		return;
	if (style->view == RENDER_LIST) {
		fprintf(out, "%" PRIu64 " row%s\n", summary->structs,
			summary->structs == 1 ? "" : "s");
	} else if (style->view == RENDER_CHECK || (summary->structs > 1 && !style->has_at)) {
		if (style->view == RENDER_STRUCT)
			fputc('\n', out);
		summary_line(out, style, summary);
	}
}

const struct renderer render_text = {
	.name = "text",
	.summary = "for people",
	.plain_rows = true,
	.begin = begin,
	.one = one,
	.end = end,
};

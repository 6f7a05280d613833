#include "render/text.h"

#include <inttypes.h>
#include <math.h>
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

/*
 * What stays on one line: a word, or a command in quotes, which somebody will copy. A quote that no other closes, as in
 * "members' places", is part of a word.
 */
static size_t word_length(const char *text)
{
	size_t length = strcspn(text, " ");
	if (*text != '\'')
		return length;
	for (const char *close = strchr(text + 1, '\''); close; close = strchr(close + 1, '\''))
		if (!close[1] || strchr(" ,;.:)", close[1]))
			return (size_t)(close - text) + strcspn(close, " ");
	return length;
}

void text_wrap(
	FILE *out, const struct render_style *style, size_t column, size_t indent, const char *text)
{
	size_t width = style->columns ? style->columns : RENDER_COLUMNS_MOST;
	bool first = true;
	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		size_t length = word_length(text);
		if (!first && column + 1 + length > width) {
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

const char *text_worst_workload(const struct report_struct *report)
{
	const struct access_map *map = &report->access;
	if (map->model.workload_count < 2 || !map->workloads)
		return NULL;
	return map->profile->document->workloads[map->workloads[report->lint.cost.workload]].name;
}

const char *text_unit(struct arena *arena, const struct report_struct *report, const char *name)
{
	const struct layout *layout = &report->layout;
	const struct layout_member *member = layout_find(layout, name);
	for (size_t i = member ? (size_t)(member - layout->members) : 0; i-- > 0;) {
		const struct layout_member *around = &layout->members[i];
		if (around + around->descendants < member)
			continue;
		const struct type *type =
			types_get(layout->types, types_strip(layout->types, around->type));
		bool is_unnamed_union = !*around->name && type->kind == TYPE_UNION;
		return is_unnamed_union ? arena_printf(arena, "the union of %s", name) : name;
	}
	return name;
}

const char *text_cost(struct arena *arena, double transactions)
{
	double size = fabs(transactions);
	int digits = size < 0.0095 ? 4 : size < 0.095 ? 3 : size < 100 ? 2 : 0;
	return size < TEXT_NOTHING ? "0" : arena_printf(arena, "%.*f", digits, transactions);
}

const char *text_plural(struct arena *arena, uint64_t count, const char *one)
{
	return arena_printf(arena, "%" PRIu64 " %s%s", count, one, count == 1 ? "" : "s");
}

bool text_shows(const struct render_style *style, const struct finding *finding)
{
	enum severity least = SEVERITY_WARNING;
	if (style->fail_on == SEVERITY_INFO) /* what makes the exit status must be seen */
		least = SEVERITY_INFO;
	return style->verbose || (!finding->ignored && finding->severity <= least);
}

const char *text_profile_place(struct arena *arena, const struct finding *finding)
{
	if (!finding->position.line || !finding->file)
		return "";
	return arena_printf(arena, "%s:%" PRIu32 ":%" PRIu32 ": ",
		text_visible(arena, finding->file), finding->position.line, finding->position.col);
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

static void finding_line(FILE *out, const struct render_style *style, struct arena *arena,
	const char *label, const char *text)
{
	enum { INDENT = 8 };
	if (!text || !*text)
		return;
	int column = fprintf(out, "%*s%s", INDENT, "", label);
	text_wrap(out, style, (size_t)column, INDENT + strlen(label), text_visible(arena, text));
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
	text_wrap(out, style, text_columns(prefix) + strlen(severity) + (size_t)column, 8,
		text_visible(&arena, text));
	finding_line(out, style, &arena, "", finding->price);
	finding_line(out, style, &arena, "", finding->lowered);
	finding_line(out, style, &arena, "fix: ", finding->advice);
	if (finding->ignored)
		finding_line(out, style, &arena, "ignored: ", finding->ignore_reason);
	arena_release(&arena);
}

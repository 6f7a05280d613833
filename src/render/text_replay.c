#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "render/text.h"

enum { LABEL = 34, NUMBER = 12, LINE = 7 }; /* columns */

/* A document under way. */
struct page {
	FILE *out;
	const struct render_style *style;
	struct arena *arena;
	const struct replay *replay;
	bool compares; /* there is a suggestion */
};

static void label(const struct page *page, const char *text)
{
	const char *visible = text_visible(page->arena, text);
	size_t columns = text_columns(visible);
	fprintf(page->out, "%s%*s", visible, columns < LABEL ? (int)(LABEL - columns) : 1, "");
}

static void number(const struct page *page, double value)
{
	if (value < TEXT_NOTHING)
		fprintf(page->out, "%*s", NUMBER,
			value > 0 && page->replay->input->trace ? "<0.001" : "0");
	else
		fprintf(page->out, "%*.3f", NUMBER, value);
}

static void column(const struct page *page, const char *text)
{
	fprintf(page->out, "%*s", NUMBER, text);
}

static void put_numbers(const struct page *page, const struct replay_numbers *numbers)
{
	number(page, numbers->simulated);
	if (!page->replay->input->trace)
		number(page, numbers->closed);
}

static void row(const struct page *page, const char *text, const struct replay_pair *pair)
{
	label(page, text);
	put_numbers(page, &pair->before);
	if (page->compares)
		put_numbers(page, &pair->after);
	fputc('\n', page->out);
}

/* ---- what is compared ---- */

static const char *moves_text(struct arena *arena, const struct suggestion *suggestion)
{
	struct buf text;
	buf_init(&text);
	for (size_t i = 0; i < suggestion->move_count; i++) {
		const struct suggest_move *move = &suggestion->moves[i];
		bool says = i == 0 || suggestion->moves[i - 1].stays != move->stays;
		buf_printf(&text, "%s%s%s ", i ? ", " : "",
			!says         ? ""
			: move->stays ? "align "
				      : "move ",
			move->field);
		if (move->stays)
			buf_printf(
				&text, "to %" PRIu32 " bytes where it stands", move->align_bytes);
		else
			buf_printf(&text, "%s%s", move->after ? "behind " : "to the front",
				move->after ? move->after : "");
	}
	const char *copy = arena_strdup(arena, text.data);
	buf_release(&text);
	return copy;
}

static const char *source_text(const struct page *page, const struct report_struct *report)
{
	const struct replay_input *input = page->replay->input;
	const struct profile_struct *profile = report->access.profile;
	if (input->trace)
		return arena_printf(page->arena, "the recording %s, %s of %s", input->trace->path,
			text_plural(page->arena, input->trace->operations, "operation"),
			text_plural(page->arena, input->trace->thread_count, "thread"));
	const char *path = profile->document && profile->document->path ? profile->document->path
									: "the binary";
	const char *evidence = evidence_name(report->access.evidence);
	if (report->access.evidence != EVIDENCE_SHIPPED) /* its name says so */
		path = arena_printf(page->arena, "%s (%s)", path, evidence);
	return arena_printf(page->arena, "roles of %s, %s, seed %" PRIu64, path,
		text_plural(page->arena, input->operations, "operation"), input->seed);
}

static void put_head(const struct page *page, const struct report_struct *report)
{
	const struct layout *layout = &report->layout;
	const struct replay_input *input = page->replay->input;
	const char *name = arena_printf(page->arena, "%s %s", type_keyword(report->source.kind),
		text_visible(page->arena, report->qualified_name));
	text_put(page->out, page->style, TEXT_STRONG, name);
	fputs(": ", page->out);
	const char *text = arena_printf(page->arena, "%s bytes in %s of %" PRIu64 "; %s",
		text_bytes(page->arena, page->style, layout->size_bytes),
		text_plural(page->arena, layout->line_count, "line"), layout->line_bytes,
		source_text(page, report));
	text_wrap(
		page->out, page->style, text_columns(name) + 2, 8, text_visible(page->arena, text));
	if (page->replay->workload)
		fprintf(page->out, "workload: %s, the worst\n",
			text_visible(page->arena, page->replay->workload));
	if (input->suggestion) {
		text = moves_text(page->arena, input->suggestion);
		fputs("after: ", page->out);
		text_wrap(page->out, page->style, strlen("after: "), 8,
			text_visible(page->arena, text));
	}
	if (!input->suggestion && input->why_none && !page->style->quiet) {
		fputs("no suggestion: ", page->out);
		text_wrap(page->out, page->style, strlen("no suggestion: "), 8,
			text_visible(page->arena, input->why_none));
	}
	if (input->trace && input->trace->is_incomplete && !page->style->quiet)
		fputs("note: the recorder ran out of room before the program ended\n", page->out);
	fputc('\n', page->out);
}

static void put_columns(const struct page *page, const char *what)
{
	text_begin(page->out, page->style, TEXT_FAINT);
	fprintf(page->out, "%-*s", LABEL, what);
	for (int i = 0; i <= page->compares; i++) {
		column(page, i ? "after" : page->compares ? "before" : "simulated");
		if (!page->replay->input->trace)
			column(page, "closed form");
	}
	text_end(page->out, page->style, TEXT_FAINT);
	fputc('\n', page->out);
}

/* ---- the tables ---- */

static void put_totals(const struct page *page)
{
	const struct replay *replay = page->replay;
	row(page, "all", &replay->total);
	for (size_t i = 0; i < replay->role_count; i++)
		if (replay->roles[i].threads) /* of a recording: there may be none that has it */
			row(page,
				arena_printf(page->arena, "  %s, %s", replay->roles[i].name,
					text_plural(
						page->arena, replay->roles[i].threads, "thread")),
				&replay->roles[i].cost);
	for (size_t i = 0; i < replay->line_count; i++)
		row(page, arena_printf(page->arena, "  line %zu", i), &replay->lines[i]);
}

static void put_tally(const struct page *page, const struct replay_tally *tally, bool polls)
{
	fprintf(page->out, "%*" PRIu64, LINE, tally->line);
	number(page, tally->fetches);
	number(page, tally->owned);
	if (polls)
		number(page, tally->polls);
}

static bool any_polls(const struct replay *replay)
{
	for (size_t i = 0; i < replay->field_count; i++)
		if (replay->fields[i].before.polls > 0 || replay->fields[i].after.polls > 0)
			return true;
	return false;
}

static void put_fields(const struct page *page)
{
	const struct replay *replay = page->replay;
	bool polls = any_polls(replay);
	if (!replay->field_count)
		return;
	fputc('\n', page->out);
	text_begin(page->out, page->style, TEXT_FAINT);
	fprintf(page->out, "%-*s", LABEL, "for which field, by role");
	for (int i = 0; i <= page->compares; i++)
		fprintf(page->out, "%*s%*s%*s%*s", LINE, i ? "after" : "line", NUMBER, "fetched",
			NUMBER, "owned", polls ? NUMBER : 0, polls ? "polled" : "");
	text_end(page->out, page->style, TEXT_FAINT);
	fputc('\n', page->out);
	for (size_t i = 0; i < replay->field_count; i++) {
		const struct replay_field *field = &replay->fields[i];
		if (!i || field[-1].role != field->role)
			fprintf(page->out, "%s\n",
				text_visible(page->arena, replay->roles[field->role].name));
		label(page, arena_printf(
				    page->arena, "  %s", field->path ? field->path : "(no field)"));
		put_tally(page, &field->before, polls);
		if (page->compares)
			put_tally(page, &field->after, polls);
		fputc('\n', page->out);
	}
}

static void put_rows(const struct page *page)
{
	const struct replay *replay = page->replay;
	if (!replay->row_count)
		return;
	fputc('\n', page->out);
	put_columns(page, "all, by threads in each role");
	for (size_t i = 0; i < replay->row_count; i++)
		row(page, arena_printf(page->arena, "  %u", replay->rows[i].threads),
			&replay->rows[i].total);
}

void text_replay(FILE *out, const struct render_style *style, const struct report_frame *frame,
	const struct report_struct *report, const struct replay *replay)
{
	(void)frame;
	struct arena arena;
	arena_init(&arena);
	const struct page page = {out, style, &arena, replay, replay->input->suggestion != NULL};
	put_head(&page, report);
	put_columns(&page, "transactions per operation");
	put_totals(&page);
	put_fields(&page);
	put_rows(&page);
	if (!style->quiet)
		fputs("\nCoherence transactions of a simulation, not a measurement.\n", out);
	arena_release(&arena);
}

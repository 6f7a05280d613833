#include <inttypes.h>
#include <string.h>

#include "render/text.h"

enum { INDENT = 2 };

/* The findings of a struct being printed. */
struct view {
	FILE *out;
	const struct render_style *style;
	const struct report_frame *frame;
	const struct report_struct *report;
	struct arena *arena; /* scratch */
	bool is_check;
	const char
		*subject; /* "struct x: " in a check, where more than one is spoken of; else "" */
};

/* Where an editor should go: to the line of the profile that is wrong, else to the field's declaration. */
static const char *declared_place(const struct view *view, const struct finding *finding)
{
	const struct report_source *source = &view->report->source;
	const char *file;
	uint32_t line;
	report_declared(view->report, finding, &file, &line);
	if (file)
		return arena_printf(
			view->arena, "%s:%" PRIu32 ": ", text_visible(view->arena, file), line);
	return arena_printf(view->arena,
		"%s: ", text_visible(view->arena, view->frame->binaries[source->binary].path));
}

/* The picture of a struct stands beside its findings, and says where it is declared itself. */
static const char *place_of(const struct view *view, const struct finding *finding)
{
	const char *place = text_profile_place(view->arena, finding);
	return *place || !view->is_check ? place : declared_place(view, finding);
}

/* With the suggestion that mends it in the place of the advice; once in full, then by name. */
static void print_finding(const struct view *view, const struct finding *finding, bool *shown)
{
	struct finding copy = *finding;
	const struct suggestion *mends[SUGGEST_KIND_COUNT] = {NULL};
	for (int kind = 0; kind < SUGGEST_KIND_COUNT && !finding->ignored; kind++) {
		const struct suggestion *suggestion =
			report_suggestion(view->report, (enum suggest_kind)kind);
		if (!suggestion || !report_mends(suggestion, finding))
			continue;
		copy.advice = shown[kind] ? "as above" : NULL;
		mends[kind] = shown[kind] ? NULL : suggestion;
		shown[kind] = true;
	}
	text_finding(view->out, view->style, place_of(view, finding), view->subject, &copy);
	for (int kind = 0; kind < SUGGEST_KIND_COUNT; kind++)
		if (mends[kind])
			text_suggestion(view->out, view->style, view->frame, view->report,
				mends[kind], NULL);
}

static void print_other_suggestions(const struct view *view, const bool *shown)
{
	for (int kind = 0; kind < SUGGEST_KIND_COUNT; kind++) {
		const struct suggestion *suggestion =
			report_suggestion(view->report, (enum suggest_kind)kind);
		if (!suggestion || shown[kind])
			continue;
		if (!view->is_check)
			fputc('\n', view->out);
		text_suggestion(view->out, view->style, view->frame, view->report, suggestion,
			arena_printf(view->arena, "%ssuggestion (%s): ", view->subject,
				suggest_kind_name((enum suggest_kind)kind)));
	}
}

/*
 * That there is no profile is said elsewhere; a check is silent about what has no findings. Beside an order that is
 * smaller, which is no answer to a finding, it is said where there is one.
 */
static void print_why_none(const struct view *view, bool any)
{
	const struct report_struct *report = view->report;
	const struct suggest_result *suggest = &report->suggest;
	bool is_asked = suggest->count ? suggest->padding_tried &&
						 report->suggest_kinds & 1U << SUGGEST_MINIMAL
				       : report->suggest_kinds != 0;
	/* what is not the default was asked for in so many words, without a profile too */
	bool has_ground = report->access.profile ||
			  (report->suggest_kinds & ~(1U << SUGGEST_MINIMAL)) != 0;
	if (!is_asked || !has_ground || !suggest->why_none || (view->is_check && !any))
		return;
	if (!view->is_check)
		fputc('\n', view->out);
	text_wrap(view->out, view->style, 0, INDENT,
		text_visible(view->arena,
			arena_printf(view->arena, "%sno suggestion%s: %s", view->subject,
				suggest->count ? " that costs less" : "", suggest->why_none)));
	if (suggest->trade && view->style->verbose && !view->is_check)
		text_wrap(view->out, view->style, 0, INDENT,
			text_visible(view->arena, arena_printf(view->arena, "info: a trade-off: %s",
							  text_trade(view->arena, report))));
}

void text_findings(FILE *out, const struct render_style *style, const struct report_frame *frame,
	const struct report_struct *report)
{
	const struct lint_result *lint = &report->lint;
	struct arena arena;
	bool any = false, shown[SUGGEST_KIND_COUNT] = {false};
	arena_init(&arena);
	struct view view = {out, style, frame, report, &arena, style->view == RENDER_CHECK, ""};
	if (view.is_check)
		view.subject = arena_printf(&arena, "%s %s: ", type_keyword(report->source.kind),
			text_visible(&arena, report->qualified_name));
	for (size_t i = 0; i < lint->finding_count; i++) {
		if (!text_shows(style, &lint->findings[i]))
			continue;
		if (!any && !view.is_check)
			fputc('\n', out);
		any = true;
		print_finding(&view, &lint->findings[i], shown);
	}
	print_other_suggestions(&view, shown);
	print_why_none(&view, any);
	arena_release(&arena);
}

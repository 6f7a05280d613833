#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/session.h"
#include "cmd/show.h"

static bool passes(const struct opt *opt, const struct report_struct *report)
{
	return report->layout.size_bytes >= opt->min_size_bytes &&
	       report->layout.hole_count >= opt->min_holes;
}

/* ---- --sort ---- */

struct key {
	uint64_t value;
	size_t place; /* by name */
};

static int largest_first(const void *left, const void *right)
{
	const struct key *a = left, *b = right;
	if (a->value != b->value)
		return a->value < b->value ? 1 : -1;
	return (a->place > b->place) - (a->place < b->place);
}

static uint64_t sort_value(const struct layout *layout, enum opt_sort sort)
{
	switch (sort) {
	case SORT_SIZE:
		return layout->size_bytes;
	case SORT_LINES:
		return layout->line_count;
	case SORT_HOLES:
		return layout->hole_count;
	case SORT_PADDING:
		return layout->padding_bytes;
	case SORT_NAME:
		break;
	}
	return 0;
}

/* The layouts are made twice, here and for the rows: cheaper than keeping those of a kernel. */
static void sort_sources(const struct session *session, enum opt_sort sort,
	struct report_source *sources, size_t count)
{
	struct report_options options = session->options;
	options.layout_only = true;
	struct key *keys = mem_new(count, sizeof(*keys));
	struct report_source *sorted = mem_new(count, sizeof(*sorted));
	for (size_t i = 0; i < count; i++) {
		struct arena arena;
		struct report_struct report;
		if (!sources[i].types) { /* has been told */
			keys[i] = (struct key){.place = i};
			continue;
		}
		arena_init(&arena);
		struct error *error = report_build(&arena, &sources[i], &options, &report);
		keys[i] = (struct key){
			.value = error ? 0 : sort_value(&report.layout, sort), .place = i};
		error_free(error); /* it is met again, and told, when the row is made */
		arena_release(&arena);
	}
	qsort(keys, count, sizeof(*keys), largest_first);
	for (size_t i = 0; i < count; i++)
		sorted[i] = sources[keys[i].place];
	memcpy(sources, sorted, count * sizeof(*sources));
	mem_free(sorted);
	mem_free(keys);
}

static struct error *show_rows(
	struct session *session, const struct opt *opt, const struct cmd_io *io, int *status)
{
	struct session_defs defs;
	struct report_source *sources;
	struct error *error = NULL;
	const char *split = session_split_text(session);
	if (!opt->arg_count && split && !session->index.count)
		return error_new("%s: no structs here, but %s", session->object.path, split);
	if (!opt->arg_count)
		session->unread += session->index.split_units;
	if (opt->arg_count)
		error = session_find(
			session, opt->args, opt->arg_count, opt->all_definitions, &defs);
	else
		session_find_all(session, opt->all_definitions, &defs);
	if (!error)
		error = session_read(session, &defs, &sources);
	if (error)
		return error;
	session->options.layout_only = opt->renderer->plain_rows;
	session->frame.name_columns = show_name_columns(sources, defs.count);
	if (opt->sort != SORT_NAME)
		sort_sources(session, opt->sort, sources, defs.count);
	const struct show_request request = {RENDER_LIST, sources, defs.count, passes};
	error = show_document(session, opt, io, &request, status);
	if (*status != 2)
		*status = 0; /* a list is no judgement */
	return error;
}

struct error *cmd_list(const struct opt *opt, const struct cmd_io *io, int *status)
{
	const struct session_request request = {
		.binary = opt->binary,
		.names = opt->arg_count ? opt->args : NULL,
		.name_count = opt->arg_count,
		.no_profiles = opt->renderer->plain_rows && !opt->profile_count,
		.profiles = opt->profiles,
		.profile_count = opt->profile_count,
		.notes = opt->quiet ? NULL : io->notes,
		.several = io->notes,
		.goes_on = true,
	};
	return session_run(opt, io, &request, show_rows, status);
}

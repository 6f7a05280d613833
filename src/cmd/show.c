#include "cmd/show.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "render/text.h"

enum {
	BATCH = 1024,    /* structs between two writes */
	EACH_LEAST = 32, /* structs that are worth a thread */
	WORKERS_MAX = 64,
	TOLD_MOST = 8, /* that cannot be laid out, by name */
};

size_t show_name_columns(const struct report_source *sources, size_t count)
{
	size_t most = 0;
	for (size_t i = 0; i < count; i++) {
		size_t columns = strlen(type_keyword(sources[i].kind)) + 1 +
				 strlen(sources[i].name) +
				 (sources[i].scope ? strlen(sources[i].scope) + strlen("::") : 0);
		if (columns > most)
			most = columns;
	}
	return most;
}

/* What has to be said again for another verb to see the same. */
static const char *repeat_options(struct arena *arena, const struct opt *opt)
{
	struct buf text;
	buf_init(&text);
	for (size_t i = 0; i < opt->profile_count; i++)
		buf_printf(&text, "--profile %s ", text_quoted(arena, opt->profiles[i]));
	if (opt->line_bytes)
		buf_printf(&text, "--line-size %" PRIu64 " ", opt->line_bytes);
	if (opt->threads)
		buf_printf(&text, "--threads %u ", opt->threads);
	const char *options = arena_strdup(arena, text.data);
	buf_release(&text);
	return options;
}

static unsigned suggest_kinds(const struct opt *opt, enum render_view view)
{
	if (opt->no_suggest)
		return 0;
	if (opt->suggest != SUGGEST_KIND_COUNT)
		return 1U << opt->suggest;
	return view == RENDER_STRUCT  ? opt->renderer->struct_kinds
	       : view == RENDER_CHECK ? opt->renderer->check_kinds
				      : 0;
}

void show_begin(struct show *show, struct session *session, const struct opt *opt,
	const struct cmd_io *io, enum render_view view)
{
	*show = (struct show){
		.session = session,
		.opt = opt,
		.io = io,
		.summary = {.unread = session->unread},
		.style =
			{
				.view = view,
				.color = io->color,
				.columns = io->columns,
				.hex = opt->hex,
				.expand = opt->expand,
				.verbose = opt->verbose,
				.quiet = opt->quiet,
				.all_definitions = opt->all_definitions,
				.repeat = repeat_options(session->arena, opt),
				.has_at = opt->has_at,
				.at_bytes = opt->at_bytes,
				.fail_on = opt->fail_on,
				.all = opt->all,
			},
	};
	session->options.suggest_kinds = suggest_kinds(opt, view);
	if (opt->renderer->begin)
		opt->renderer->begin(io->out, &show->style, &session->frame);
}

/* Remembers a struct of which no accesses are stated; the first few by name. */
static void note_silent(struct show_silent *silent, const struct report_struct *report)
{
	size_t room = sizeof(silent->names) / sizeof(silent->names[0]);
	if (report->access.role_count || report->access.missing_count)
		return;
	if (silent->count < room) {
		struct buf text;
		buf_init(&text);
		buf_printf(
			&text, "%s %s", type_keyword(report->source.kind), report->qualified_name);
		silent->names[silent->count] = text.data;
	}
	silent->count++;
}

/* Appends, and empties what is appended. */
static void move_silent(struct show_silent *to, struct show_silent *from)
{
	size_t room = sizeof(to->names) / sizeof(to->names[0]);
	for (size_t i = 0; i < from->count && i < room; i++) {
		if (to->count + i < room)
			to->names[to->count + i] = from->names[i];
		else
			mem_free(from->names[i]);
	}
	to->count += from->count;
	*from = (struct show_silent){0};
}

static void tell_silent(const struct show *show)
{
	size_t room = sizeof(show->silent.names) / sizeof(show->silent.names[0]);
	uint64_t count = show->silent.count;
	struct buf names;
	if (!count)
		return;
	buf_init(&names);
	for (size_t i = 0; i < count && i < room; i++) {
		buf_printf(&names, "%s%s", i ? ", " : "", show->silent.names[i]);
		mem_free(show->silent.names[i]);
	}
	if (count > room)
		buf_printf(&names, " and %llu more", (unsigned long long)(count - room));
	session_note(show->session,
		"%s: no accesses are stated for %s, so only the rules of layout ran; a profile "
		"states "
		"them, see linelint-profile(5)",
		show->session->object.path, names.data);
	buf_release(&names);
}

static void tell_left_out(const struct show *show)
{
	if (show->left_out <= TOLD_MOST)
		return;
	uint64_t more = show->left_out - TOLD_MOST;
	fprintf(show->io->notes,
		"linelint: %s: %" PRIu64 " more struct%s cannot be laid out; %s left out\n",
		show->session->object.path, more, more == 1 ? "" : "s",
		more == 1 ? "it is" : "they are");
}

void show_one(struct show *show, const struct report_struct *report)
{
	show->opt->renderer->one(
		show->io->out, &show->style, &show->session->frame, report, show->number++);
	report_count(&show->summary, report);
}

/* A run of structs that one thread builds and renders. */
struct work {
	pthread_t thread;
	bool started;
	const struct show *show;
	const struct report_source *sources;
	size_t count;
	size_t first_number; /* 0: its first struct is the document's first */
	show_filter *filter;
	FILE *out;
	char *bytes; /* of `out` when it is a stream in memory */
	size_t length;
	struct report_summary summary;
	struct show_silent silent;
	struct buf unread;   /* what could not be laid out, a line each */
	struct error *error; /* the first, where it ends the report */
};

/* Goes on without the struct where it is one of several. */
static void leave_out(struct work *work, const struct report_source *source, struct error *error)
{
	const char *path = work->show->session->frame.binaries[source->binary].path;
	if (work->show->is_alone) {
		work->error = error_wrap(error, "%s", path);
		return;
	}
	buf_printf(&work->unread, "%s: %s\n", path, error->message);
	work->summary.unread++;
	error_free(error);
}

static void do_work(struct work *work)
{
	const struct show *show = work->show;
	size_t number = work->first_number;
	buf_init(&work->unread);
	for (size_t i = 0; i < work->count && !work->error; i++) {
		if (!work->sources[i].types)
			continue; /* has been told, and counted */
		struct arena arena;
		struct report_struct report;
		arena_init(&arena);
		struct error *error =
			report_build(&arena, &work->sources[i], &show->session->options, &report);
		if (!error)
			error = report_suggest(&arena, &show->session->options, &report);
		if (error) {
			leave_out(work, &work->sources[i], error);
		} else if (!work->filter || work->filter(show->opt, &report)) {
			show->opt->renderer->one(
				work->out, &show->style, &show->session->frame, &report, number++);
			report_count(&work->summary, &report);
			if (show->style.view == RENDER_CHECK)
				note_silent(&work->silent, &report);
		}
		arena_release(&arena);
	}
}

static void *run_thread(void *argument)
{
	do_work(argument);
	return NULL;
}

/* Adds what was done to the document. */
static struct error *gather(struct show *show, struct work *work)
{
	for (char *line = work->unread.data, *end; line && *line; line = end + 1) {
		end = strchr(line, '\n');
		*end = '\0';
		if (show->left_out++ < TOLD_MOST)
			fprintf(show->io->notes, "linelint: %s; it is left out\n", line);
	}
	buf_release(&work->unread);
	move_silent(&show->silent, &work->silent);
	show->summary.unread += work->summary.unread;
	show->summary.structs += work->summary.structs;
	show->summary.errors += work->summary.errors;
	show->summary.warnings += work->summary.warnings;
	show->summary.infos += work->summary.infos;
	show->number += work->summary.structs;
	return work->error;
}

/*
 * Only the first struct of a document is rendered in another way than the rest (no comma before it), so a thread need
 * not know how many come before its own: it must know whether any does.
 */
static struct error *show_batch(struct show *show, const struct report_source *sources,
	size_t count, show_filter *filter, size_t workers)
{
	struct work works[WORKERS_MAX] = {0};
	struct error *first = NULL;
	size_t begin = 0;
	for (size_t i = 0; i < workers; i++) {
		size_t end = count * (i + 1) / workers;
		works[i] = (struct work){
			.show = show,
			.sources = sources + begin,
			.count = end - begin,
			.first_number = 1,
			.filter = filter,
		};
		begin = end;
		works[i].out = open_memstream(&works[i].bytes, &works[i].length);
		if (!works[i].out)
			mem_exhausted();
	}
	for (size_t i = 1; i < workers; i++)
		works[i].started =
			pthread_create(&works[i].thread, NULL, run_thread, &works[i]) == 0;
	for (size_t i = 0; i < workers; i++)
		if (!works[i].started)
			do_work(&works[i]);
	for (size_t i = 0; i < workers; i++) {
		if (works[i].started)
			pthread_join(works[i].thread, NULL);
		if (fclose(works[i].out) != 0)
			mem_exhausted();
		fwrite(works[i].bytes, 1, works[i].length, show->io->out);
		free(works[i].bytes);
		struct error *error = gather(show, &works[i]);
		if (first)
			error_free(error);
		else
			first = error;
	}
	return first;
}

enum plainly { PLAINLY_ALL, PLAINLY_FIRST };

/* Without threads: what there is little of, and up to the document's first struct. */
static struct error *show_plainly(struct show *show, const struct report_source *sources,
	size_t count, show_filter *filter, size_t *done, enum plainly which)
{
	while (*done < count && !(which == PLAINLY_FIRST && show->number)) {
		struct work work = {
			.show = show,
			.sources = sources + (*done)++,
			.count = 1,
			.first_number = show->number,
			.filter = filter,
			.out = show->io->out,
		};
		do_work(&work);
		struct error *error = gather(show, &work);
		if (error)
			return error;
	}
	return NULL;
}

static size_t worker_count(unsigned jobs)
{
	long processors = jobs ? (long)jobs : sysconf(_SC_NPROCESSORS_ONLN);
	return processors < 1 ? 1 : processors > WORKERS_MAX ? WORKERS_MAX : (size_t)processors;
}

struct error *show_sources(
	struct show *show, const struct report_source *sources, size_t count, show_filter *filter)
{
	size_t workers = worker_count(show->session->jobs), done = 0;
	enum plainly which = workers > 1 && count >= 2 * EACH_LEAST ? PLAINLY_FIRST : PLAINLY_ALL;
	struct error *error = show_plainly(show, sources, count, filter, &done, which);
	while (done < count && !error) {
		size_t batch = count - done < BATCH ? count - done : BATCH;
		size_t useful = (batch + EACH_LEAST - 1) / EACH_LEAST;
		error = show_batch(
			show, sources + done, batch, filter, useful < workers ? useful : workers);
		done += batch;
	}
	return error;
}

static bool fails(const struct show *show)
{
	const struct report_summary *summary = &show->summary;
	switch (show->opt->fail_on) {
	case SEVERITY_INFO:
		return summary->errors + summary->warnings + summary->infos > 0;
	case SEVERITY_WARNING:
		return summary->errors + summary->warnings > 0;
	case SEVERITY_ERROR:
		return summary->errors > 0;
	case SEVERITY_NONE:
		break;
	}
	return false;
}

int show_end(struct show *show)
{
	if (show->opt->renderer->end)
		show->opt->renderer->end(
			show->io->out, &show->style, &show->session->frame, &show->summary);
	tell_left_out(show);
	tell_silent(show);
	if (show->summary.unread)
		return 2;
	return fails(show) ? 1 : 0;
}

struct error *show_document(struct session *session, const struct opt *opt, const struct cmd_io *io,
	const struct show_request *request, int *status)
{
	struct show show;
	show_begin(&show, session, opt, io, request->view);
	show.is_alone = request->view == RENDER_STRUCT && request->count == 1 &&
			!session_is_several(session);
	struct error *error =
		show_sources(&show, request->sources, request->count, request->filter);
	*status = show_end(&show);
	return error;
}

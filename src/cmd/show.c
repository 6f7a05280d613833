#include "cmd/show.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

enum {
	BATCH = 1024,    /* structs between two writes */
	EACH_LEAST = 32, /* structs that are worth a thread */
	WORKERS_MAX = 64,
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

void show_begin(struct show *show, struct session *session, const struct opt *opt,
	const struct cmd_io *io, enum render_view view)
{
	*show = (struct show){
		.session = session,
		.opt = opt,
		.io = io,
		.style =
			{
				.view = view,
				.color = io->color,
				.hex = opt->hex,
				.expand = opt->expand,
				.verbose = opt->verbose,
				.quiet = opt->quiet,
				.all_definitions = opt->all_definitions,
				.has_at = opt->has_at,
				.at_bytes = opt->at_bytes,
				.fail_on = opt->fail_on,
			},
	};
	opt->renderer->begin(io->out, &show->style, &session->frame);
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
	struct error **errors; /* one a struct that could not be laid out */
	size_t error_count, error_capacity;
};

static void do_work(struct work *work)
{
	const struct show *show = work->show;
	size_t number = work->first_number;
	for (size_t i = 0; i < work->count; i++) {
		struct arena arena;
		struct report_struct report;
		arena_init(&arena);
		struct error *error =
			report_build(&arena, &work->sources[i], &show->session->options, &report);
		if (error) {
			work->errors = mem_grow(work->errors, &work->error_capacity,
				work->error_count + 1, sizeof(*work->errors));
			work->errors[work->error_count++] = error;
		} else if (!work->filter || work->filter(show->opt, &report)) {
			show->opt->renderer->one(
				work->out, &show->style, &show->session->frame, &report, number++);
			report_count(&work->summary, &report);
		}
		arena_release(&arena);
	}
}

static void *run_thread(void *argument)
{
	do_work(argument);
	return NULL;
}

/* Adds what a thread has done to the document. */
static void gather(struct show *show, struct work *work)
{
	for (size_t i = 0; i < work->error_count; i++) {
		fprintf(show->io->notes, "linelint: %s: %s\n", show->session->object.path,
			work->errors[i]->message);
		error_free(work->errors[i]);
	}
	show->summary.unread += work->error_count;
	show->summary.structs += work->summary.structs;
	show->summary.errors += work->summary.errors;
	show->summary.warnings += work->summary.warnings;
	show->summary.infos += work->summary.infos;
	show->number += work->summary.structs;
	mem_free(work->errors);
}

/*
 * Only the first struct of a document is rendered in another way than the rest (no comma before it), so a thread need
 * not know how many come before its own: it must know whether any does.
 */
static void show_batch(struct show *show, const struct report_source *sources, size_t count,
	show_filter *filter, size_t workers)
{
	struct work works[WORKERS_MAX] = {0};
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
			error_out_of_memory();
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
			error_out_of_memory();
		fwrite(works[i].bytes, 1, works[i].length, show->io->out);
		free(works[i].bytes);
		gather(show, &works[i]);
	}
}

/* Up to the document's first struct, and everything when there is little: no threads. Returns how many were looked at. */
static size_t show_plainly(struct show *show, const struct report_source *sources, size_t count,
	show_filter *filter, bool first_only)
{
	size_t done = 0;
	while (done < count && !(first_only && show->number)) {
		struct work work = {
			.show = show,
			.sources = sources + done++,
			.count = 1,
			.first_number = show->number,
			.filter = filter,
			.out = show->io->out,
		};
		do_work(&work);
		gather(show, &work);
	}
	return done;
}

static size_t worker_count(unsigned jobs)
{
	long processors = jobs ? (long)jobs : sysconf(_SC_NPROCESSORS_ONLN);
	return processors < 1 ? 1 : processors > WORKERS_MAX ? WORKERS_MAX : (size_t)processors;
}

void show_sources(
	struct show *show, const struct report_source *sources, size_t count, show_filter *filter)
{
	size_t workers = worker_count(show->session->jobs);
	size_t done =
		show_plainly(show, sources, count, filter, workers > 1 && count >= EACH_LEAST * 2);
	while (done < count) {
		size_t batch = count - done < BATCH ? count - done : BATCH;
		size_t useful = (batch + EACH_LEAST - 1) / EACH_LEAST;
		show_batch(
			show, sources + done, batch, filter, useful < workers ? useful : workers);
		done += batch;
	}
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
	show->opt->renderer->end(
		show->io->out, &show->style, &show->session->frame, &show->summary);
	if (show->summary.unread)
		return 2;
	return fails(show) ? 1 : 0;
}

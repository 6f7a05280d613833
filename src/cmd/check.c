#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/session.h"
#include "cmd/show.h"
#include "cmd/variables.h"

/* A struct that a profile names. */
struct wanted {
	const struct profile_struct *entry;
	size_t first, count; /* its definitions, but for those that an earlier entry has */
	bool is_there;       /* false: the binary lacks it */
};

struct wanted_list {
	struct wanted *items;
	size_t count, capacity;
};

static int by_name(const void *left, const void *right)
{
	const struct wanted *a = left, *b = right;
	return strcmp(a->entry->name, b->entry->name);
}

/* The entries that hold: of several documents that name a struct the last. */
static struct wanted_list collect_entries(struct arena *arena, const struct profiles *profiles)
{
	struct wanted_list list = {0};
	for (size_t i = 0; i < profiles->count; i++)
		for (size_t j = 0; j < profiles->items[i]->struct_count; j++) {
			const struct profile_struct *entry = &profiles->items[i]->structs[j];
			if (profiles_find(profiles, entry->name, NULL) != entry)
				continue;
			list.items = arena_grow(arena, list.items, &list.capacity, list.count + 1,
				sizeof(*list.items));
			list.items[list.count++] = (struct wanted){.entry = entry};
		}
	if (list.count)
		qsort(list.items, list.count, sizeof(*list.items), by_name);
	return list;
}

/* The definitions of every entry, one run each, in `all`. */
static void find_entries(const struct session *session, const struct opt *opt,
	struct wanted_list *list, struct session_defs *all)
{
	struct session_collection collection = session_collect(session, opt->all_definitions);
	for (size_t i = 0; i < list->count; i++) {
		struct wanted *wanted = &list->items[i];
		wanted->first = collection.defs.count;
		struct error *error = session_collect_name(&collection, wanted->entry->name);
		if (error) { /* absent: a finding of its own */
			error_free(error);
			continue;
		}
		wanted->count = collection.defs.count - wanted->first;
		wanted->is_there = true;
	}
	*all = collection.defs;
}

/* What the binary does not have, unless that is in a file which was not read. */
static void show_missing(struct show *show, struct session *session, const struct wanted *wanted)
{
	const char *split = session_split_text(session);
	if (split) {
		session_note(session, "%s: no struct '%s' here, but %s", session->object.path,
			wanted->entry->name, split);
		show->summary.unread++;
		return;
	}
	if (session_is_several(session) && session->unread) {
		session_note(session, "%s: no struct '%s' in what could be read",
			session->object.path, wanted->entry->name);
		return;
	}
	struct arena arena;
	struct report_struct report;
	arena_init(&arena);
	report_missing(&arena, wanted->entry, &session->options,
		session_nearest(session, wanted->entry->name), &report);
	show_one(show, &report);
	arena_release(&arena);
}

static struct error *check_entries(
	struct session *session, const struct opt *opt, const struct cmd_io *io, int *status)
{
	const char *path = session->object.path;
	struct wanted_list list = collect_entries(session->arena, &session->profiles);
	if (!session->profiles.count)
		return error_new("%s: no profile says what to check; write one with 'linelint "
				 "profile init %s NAME... "
				 "> .linelint.yaml', or give --profile FILE or NAMEs",
			path, session_path_word(session));
	bool has_vars = variables_entry(&session->profiles) != NULL;
	if (!list.count && !has_vars)
		return error_new("%s: the profile names no structs; add some under 'structs:', or "
				 "give NAMEs",
			path);
	struct session_defs defs;
	struct report_source *sources;
	find_entries(session, opt, &list, &defs);
	struct error *error = session_read(session, &defs, &sources);
	if (error)
		return error;
	const struct variables_request request = {.findings_only = true};
	struct report_summary of_vars = {0};
	if (has_vars)
		error = variables_build(session, &request, &of_vars);
	if (error && !list.count)
		return error;
	if (error) { /* as a struct that cannot be read: the rest is checked */
		session_leave_out(session, error, "its variables are not checked");
		error = NULL;
	}
	struct show show;
	show_begin(&show, session, opt, io, RENDER_CHECK);
	for (size_t i = 0; i < list.count && !error; i++) {
		const struct wanted *wanted = &list.items[i];
		if (wanted->is_there)
			error = show_sources(&show, sources + wanted->first, wanted->count, NULL);
		else
			show_missing(&show, session, wanted);
	}
	show.summary.errors += of_vars.errors;
	show.summary.warnings += of_vars.warnings;
	show.summary.infos += of_vars.infos;
	*status = show_end(&show);
	return error;
}

static int in_index_order(const void *left, const void *right)
{
	const struct index_def *const *a = left, *const *b = right;
	return (*a > *b) - (*a < *b);
}

static struct error *check_names(
	struct session *session, const struct opt *opt, const struct cmd_io *io, int *status)
{
	struct session_defs defs;
	struct report_source *sources;
	struct error *error =
		session_find(session, opt->args, opt->arg_count, opt->all_definitions, &defs);
	if (error)
		return error;
	qsort(defs.items, defs.count, sizeof(*defs.items),
		in_index_order); /* the index is by name */
	error = session_read(session, &defs, &sources);
	if (error)
		return error;
	const struct show_request request = {RENDER_CHECK, sources, defs.count, NULL};
	return show_document(session, opt, io, &request, status);
}

struct error *cmd_check(const struct opt *opt, const struct cmd_io *io, int *status)
{
	const struct session_request request = {
		.binary = opt->binary,
		.names = opt->arg_count ? opt->args : NULL,
		.name_count = opt->arg_count,
		.names_of_profiles = !opt->arg_count,
		.profiles = opt->profiles,
		.profile_count = opt->profile_count,
		.notes = opt->quiet ? NULL : io->notes,
		.several = io->notes,
		.goes_on = true,
	};
	return session_run(opt, io, &request, opt->arg_count ? check_names : check_entries, status);
}

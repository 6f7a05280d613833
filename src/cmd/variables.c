#include "cmd/variables.h"

#include <inttypes.h>
#include <string.h>

#include "read/index.h"
#include "vars.h"

struct building {
	struct session *session;
	const struct variables_request *request;
	struct variables variables;
	struct vars_catalog catalog;
	struct vars_entry entry;
	struct vars_judged judged;
	struct vars_lines lines;
	struct report_vars report;
};

const struct profile_struct *variables_entry(const struct profiles *profiles)
{
	const struct profile_struct *entry = NULL;
	for (size_t i = 0; i < profiles->count; i++)
		if (profiles->items[i]->vars)
			entry = profiles->items[i]->vars;
	return entry;
}

/* Types and names of items that have debug information. */
static struct error *read_items(struct building *b, const size_t *indices, size_t count)
{
	struct arena *arena = b->session->arena;
	const struct variable_place **places = arena_new(arena, count, sizeof(*places));
	size_t *read = arena_new(arena, count, sizeof(*read)), read_count = 0;
	for (size_t i = 0; i < count; i++) {
		const struct variable_place *place = b->catalog.items[indices[i]].place;
		if (!place)
			continue;
		places[read_count] = place;
		read[read_count++] = indices[i];
	}
	struct variable *variables = arena_new(arena, read_count, sizeof(*variables));
	struct error *error = variables_read(
		arena, &b->session->object, &b->variables, places, read_count, variables);
	if (!error)
		vars_take(arena, &b->catalog, read, read_count, variables);
	return error;
}

static struct error *find(struct building *b)
{
	struct session *session = b->session;
	const struct profile_struct *entry = variables_entry(&session->profiles);
	uint64_t line_bytes = session->options.line_bytes;
	size_t *unsized;
	if (!line_bytes && entry && entry->document->line_bytes)
		line_bytes = entry->document->line_bytes;
	if (!line_bytes)
		line_bytes = session->options.machine_line_bytes;
	struct error *error =
		variables_find(session->arena, &session->object, session->jobs, &b->variables);
	if (error)
		return error;
	vars_catalog(session->arena, &b->variables, line_bytes, !session->object.is_relocatable,
		&b->catalog);
	size_t count = vars_unsized(session->arena, &b->catalog, &unsized);
	return read_items(b, unsized, count);
}

static void note_what_is_not_seen(const struct building *b)
{
	const char *path = b->session->object.path;
	if (b->variables.symbols.is_stripped)
		session_note(b->session,
			"%s: the symbol table is stripped, so that variables without debug "
			"information are not seen; use the file as it was linked",
			path);
	if (b->variables.split_units)
		session_note(b->session,
			"%s: %" PRIu64 " units have the debug information in other files, so that "
			"the types of their variables are not known; build without -gsplit-dwarf",
			path, b->variables.split_units);
	if (b->catalog.cut)
		session_note(b->session,
			"%s: %" PRIu64 " symbols reach over the end of their sections, where they "
			"are cut off; the file is damaged, or not made by a linker",
			path, b->catalog.cut);
}

static struct error *add_name(struct building *b, const char *name)
{
	struct arena *arena = b->session->arena;
	size_t *items, count = vars_candidates(arena, &b->catalog, name, &items), matches = 0;
	struct error *error = read_items(b, items, count);
	for (size_t i = 0; i < count && !error; i++) {
		const struct vars_item *item = &b->catalog.items[items[i]];
		if (!vars_match(item, name))
			continue;
		matches++;
		vars_lines_add(arena, &b->lines, &b->catalog, item);
	}
	if (error || matches)
		return error;
	return error_new("%s: no variable '%s'%s%s", b->session->object.path, name,
		vars_nearest(arena, &b->catalog, name),
		b->variables.symbols.is_stripped && !b->catalog.count
			? "; the symbol table is stripped: use the file as it was linked"
			: "");
}

static struct error *add_address(struct building *b)
{
	uint64_t bytes = b->catalog.line_bytes, address = b->request->at_bytes;
	if (!b->catalog.is_linked)
		return error_new("%s: not linked yet, so that no variable has an address; name a "
				 "variable instead of --at",
			b->session->object.path);
	if (!object_area_at(&b->variables.symbols, address))
		return error_new("%s: nothing lies at 0x%" PRIx64
				 "; --at takes an address as nm(1) "
				 "prints it, in hexadecimal with 0x",
			b->session->object.path, address);
	vars_lines_add_address(b->session->arena, &b->lines, address & ~(bytes - 1));
	return NULL;
}

/* What the command line asks for. */
static struct error *select_lines(struct building *b)
{
	struct error *error = NULL;
	for (size_t i = 0; i < b->request->name_count && !error; i++)
		error = add_name(b, b->request->names[i]);
	if (!error && b->request->has_at)
		error = add_address(b);
	for (size_t i = 0; b->request->all && !error && i < b->catalog.count; i++)
		if (vars_is_written(b->catalog.items[i].area) && b->catalog.items[i].size_bytes)
			vars_lines_add(
				b->session->arena, &b->lines, &b->catalog, &b->catalog.items[i]);
	return error;
}

/* What the profile names, with its lines: all that is judged, and that may be shown. */
static struct error *judge(struct building *b)
{
	struct session *session = b->session;
	struct vars_lines lines = b->lines;
	const struct profile_struct *profile = variables_entry(&session->profiles);
	struct error *error = NULL;
	if (profile) {
		size_t *wanted, count = vars_wanted(session->arena, &b->catalog, profile, &wanted);
		error = read_items(b, wanted, count);
		if (error)
			return error;
		vars_resolve(session->arena, &b->catalog, profile, &b->entry);
	}
	for (size_t i = 0; i < b->entry.item_count; i++)
		vars_lines_add(
			session->arena, &lines, &b->catalog, &b->catalog.items[b->entry.items[i]]);
	vars_lines_sort(&lines);
	size_t *items, count = vars_on_lines(session->arena, &b->catalog, &lines, &items);
	error = read_items(b, items, count); /* in one call, so that their types are in one table */
	if (!error)
		error = vars_judge(session->arena, &b->catalog, &b->entry,
			&session->options.context, &b->judged);
	if (error || b->request->findings_only)
		return error;
	if (b->request->with_profile)
		b->lines = lines;
	for (size_t i = 0; i < b->judged.finding_count; i++)
		if (b->judged.lines[i] && b->judged.findings[i].severity <= SEVERITY_WARNING &&
			!b->judged.findings[i].ignored)
			vars_lines_add_address(session->arena, &b->lines, b->judged.lines[i]);
	vars_lines_sort(&b->lines);
	return NULL;
}

static void count(const struct vars_judged *judged, struct report_summary *summary)
{
	for (size_t i = 0; i < judged->finding_count; i++) {
		const struct finding *finding = &judged->findings[i];
		if (finding->ignored)
			continue;
		summary->errors += finding->severity == SEVERITY_ERROR;
		summary->warnings += finding->severity == SEVERITY_WARNING;
		summary->infos += finding->severity == SEVERITY_INFO;
	}
}

struct error *variables_build(struct session *session, const struct variables_request *request,
	struct report_summary *summary)
{
	if (session_is_several(session))
		return error_new("%s: variables share lines in one linked program, and these are "
				 "several files; give one of them",
			session->object.path);
	struct building *b = arena_new(session->arena, 1, sizeof(*b));
	b->session = session;
	b->request = request;
	struct error *error = find(b);
	if (!error)
		error = select_lines(b);
	if (!error)
		error = judge(b);
	if (error)
		return error;
	note_what_is_not_seen(b);
	vars_show(session->arena, &b->catalog, &b->lines, &b->report);
	b->report.entry = &b->entry;
	b->report.judged = &b->judged;
	b->report.was_asked = request->name_count || request->all || request->has_at;
	session->frame.vars = &b->report;
	count(&b->judged, summary);
	return NULL;
}

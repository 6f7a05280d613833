#include "cmd/variables.h"

#include <inttypes.h>
#include <string.h>

#include "read/index.h"
#include "vars.h"

enum { NOTED_MOST = 64 }; /* files, of what is not seen in them */

/* One file under way. */
struct building {
	struct session *session;
	const struct variables_request *request;
	const struct object *object;
	const struct info *info;
	size_t binary;
	bool *named;    /* [NAME]: was it found, in any file so far? */
	bool has_place; /* --at leads somewhere */
	bool is_look;   /* see variables_look() */
	struct variables variables;
	struct vars_catalog catalog;
	struct vars_entry entry;
	struct vars_judged judged;
	struct vars_lines lines;
	struct report_vars report;
	struct variables_found found;
};

const struct profile_struct *variables_entry(const struct profiles *profiles)
{
	const struct profile_struct *entry = NULL;
	for (size_t i = 0; i < profiles->count; i++)
		if (profiles->items[i]->vars)
			entry = profiles->items[i]->vars;
	return entry;
}

/* One that is damaged is as if there were no debug information of it. */
static struct error *tell_damaged(
	struct building *b, const struct variable *variables, const size_t *items, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct vars_item *item = &b->catalog.items[items[i]];
		if (!variables[i].damage)
			continue;
		struct error *error = error_new("%s", variables[i].damage);
		if (!b->session->complaints)
			return error;
		session_leave_out(b->session, error,
			arena_printf(b->session->arena, "the type of variable %s is left out",
				item->place->name));
		item->place = NULL;
	}
	return NULL;
}

/* Types and names of items that have debug information, and names of others that might be taken for them. */
static struct error *read_items(struct building *b, const size_t *asked, size_t asked_count)
{
	struct arena *arena = b->session->arena;
	size_t *indices,
		count = vars_with_namesakes(arena, &b->catalog, asked, asked_count, &indices);
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
	struct error *error = b->info->form == INFO_BTF
				      ? variables_read_btf(arena, b->info->btf, &b->variables,
						places, read_count, variables)
				      : variables_read(arena, b->object, &b->variables, places,
						read_count, variables);
	if (!error)
		error = tell_damaged(b, variables, read, read_count);
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
		line_bytes = b->object->line_bytes;
	struct error *error = NULL;
	if (b->info->form == INFO_BTF)
		variables_find_btf(session->arena, b->object, b->info->btf, &b->variables);
	else
		error = variables_find(session->arena, b->object, session->jobs, &b->variables);
	if (!error && !session_is_damaged(session, b->binary))
		error = session_tell_damage(
			session, b->object->path, b->variables.damage, b->variables.damage_count);
	if (error)
		return error;
	vars_catalog(session->arena, &b->variables, line_bytes,
		!b->object->is_relocatable && !b->object->is_raw_btf, &b->catalog);
	size_t count = vars_unsized(session->arena, &b->catalog, &unsized);
	return read_items(b, unsized, count);
}

static void note_what_is_not_seen(const struct building *b)
{
	const char *path = b->object->path;
	if (b->info->form == INFO_BTF && !b->variables.count && !session_is_several(b->session))
		session_note(b->session,
			"%s: its BTF has no variables; pahole writes those of each processor, and "
			"clang for BPF all; DWARF has all",
			path);
	if (b->variables.symbols.is_stripped)
		session_note(b->session,
			"%s: the symbol table is stripped, so that variables without debug "
			"information are not seen; use the file as it was linked",
			path);
	if (b->variables.split_units)
		session_note(b->session,
			"%s: %" PRIu64 " unit%s the debug information in other files, so that "
			"the types of %s variables are not known; build without -gsplit-dwarf",
			path, b->variables.split_units,
			b->variables.split_units == 1 ? " has" : "s have",
			b->variables.split_units == 1 ? "its" : "their");
	if (b->catalog.cut)
		session_note(b->session,
			"%s: %" PRIu64 " symbol%s, where %s cut off; the file is damaged, or not "
			"made by a linker",
			path, b->catalog.cut,
			b->catalog.cut == 1 ? " reaches over the end of its section"
					    : "s reach over the end of their sections",
			b->catalog.cut == 1 ? "it is" : "they are");
}

static struct error *add_name(struct building *b, size_t number)
{
	struct arena *arena = b->session->arena;
	const char *name = b->request->names[number];
	size_t *items, count = vars_candidates(arena, &b->catalog, name, &items);
	struct error *error = read_items(b, items, count);
	for (size_t i = 0; i < count && !error; i++) {
		const struct vars_item *item = &b->catalog.items[items[i]];
		if (!vars_match(item, name))
			continue;
		b->named[number] = true;
		vars_lines_add(arena, &b->lines, &b->catalog, item);
	}
	return error;
}

static void add_address(struct building *b)
{
	uint64_t bytes = b->catalog.line_bytes, address = b->request->at_bytes;
	if (!b->catalog.is_linked || !object_area_at(&b->variables.symbols, address))
		return;
	b->has_place = true;
	vars_lines_add_address(b->session->arena, &b->lines, address & ~(bytes - 1));
}

/* What the command line asks for. */
static struct error *select_lines(struct building *b)
{
	struct error *error = NULL;
	for (size_t i = 0; i < b->request->name_count && !error; i++)
		error = add_name(b, i);
	if (!error && b->request->has_at)
		add_address(b);
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

/* ---- all files ---- */

static struct error *look(struct building *b)
{
	size_t *items, count;
	vars_lines_sort(&b->lines);
	count = vars_on_lines(b->session->arena, &b->catalog, &b->lines, &items);
	b->found = (struct variables_found){b->object, &b->catalog, items, count};
	if (!count)
		session_drop_types(b->session);
	return read_items(b, items, count);
}

/* Nothing of the file but figures is in the report. */
static bool is_plain(const struct building *b)
{
	return !b->lines.count && !b->entry.item_count && !b->judged.finding_count;
}

/* What stands beside the rest of the debug information says where nothing lies. */
static struct error *check_linked(const struct building *b)
{
	static const char text[] = "%s: a split file, in which no variable has an address; name the "
				   "file that was linked instead";
	if (!b->object->is_split)
		return NULL;
	if (!b->request->findings_only && !session_is_several(b->session))
		return error_new(text, b->object->path);
	session_note(b->session, text, b->object->path);
	return NULL;
}

static struct error *build_one(struct building *b)
{
	struct error *error = session_open_file(b->session, b->binary, &b->object, &b->info);
	if (!error)
		error = check_linked(b);
	if (!error)
		error = find(b);
	if (!error)
		error = select_lines(b);
	if (error)
		return error;
	if (b->binary < NOTED_MOST || b->session->opt->verbose)
		note_what_is_not_seen(b);
	if (b->is_look)
		return look(b);
	error = judge(b);
	if (error)
		return error;
	vars_show(b->session->arena, &b->catalog, &b->lines, &b->report);
	b->report.binary = b->binary;
	b->report.entry = &b->entry;
	b->report.judged = &b->judged;
	b->report.was_asked = b->request->name_count || b->request->all || b->request->has_at;
	if (is_plain(b))
		session_drop_types(b->session);
	return NULL;
}

/* What was read of several files. */
struct built {
	struct building *items; /* that could be read */
	size_t count;
};

static struct error *name_is_missing(
	const struct session *session, const struct built *built, const char *name)
{
	const char *near = "";
	bool is_stripped = false;
	for (size_t i = 0; i < built->count; i++) {
		const struct building *b = &built->items[i];
		if (!*near)
			near = vars_nearest(session->arena, &b->catalog, name);
		is_stripped |= b->variables.symbols.is_stripped && !b->catalog.count;
	}
	return error_new("%s: no variable '%s'%s%s", session->object.path, name, near,
		is_stripped ? "; the symbol table is stripped: use the file as it was linked" : "");
}

static struct error *place_is_missing(
	const struct session *session, const struct built *built, uint64_t address)
{
	for (size_t i = 0; i < built->count; i++)
		if (built->items[i].catalog.is_linked)
			return error_new(
				"%s: nothing lies at 0x%" PRIx64
				"; --at takes an address as nm(1) prints it, in hexadecimal "
				"with 0x",
				session->object.path, address);
	return error_new("%s: not linked yet, so that no variable has an address; name a variable "
			 "instead of --at",
		session->object.path);
}

static struct error *check_asked(const struct session *session,
	const struct variables_request *request, const struct built *built, const bool *named)
{
	bool has_place = !request->has_at;
	for (size_t i = 0; i < request->name_count; i++)
		if (!named[i])
			return name_is_missing(session, built, request->names[i]);
	for (size_t i = 0; i < built->count; i++)
		has_place |= built->items[i].has_place;
	return has_place ? NULL : place_is_missing(session, built, request->at_bytes);
}

static bool lacks(const struct vars_judged *judged, const struct finding *missing)
{
	for (size_t i = 0; i < judged->finding_count; i++)
		if (strcmp(judged->findings[i].rule->id, missing->rule->id) == 0 &&
			strcmp(judged->findings[i].fields[0], missing->fields[0]) == 0)
			return true;
	return false;
}

/* Is it said of the whole profile, and once? A variable of one file is no fault of another. */
static bool is_missing_everywhere(
	const struct built *built, size_t file, const struct finding *missing)
{
	for (size_t i = 0; i < built->count; i++)
		if (i < file || (i > file && !lacks(&built->items[i].judged, missing)))
			return false;
	return true;
}

static void drop_missing(struct arena *arena, struct built *built, size_t file)
{
	struct vars_judged *judged = &built->items[file].judged;
	struct finding *findings = arena_new(arena, judged->finding_count, sizeof(*findings));
	uint64_t *lines = arena_new(arena, judged->finding_count, sizeof(*lines));
	size_t kept = 0;
	for (size_t i = 0; i < judged->finding_count; i++) {
		const struct finding *finding = &judged->findings[i];
		if (strcmp(finding->rule->id, "LL010") == 0 &&
			!is_missing_everywhere(built, file, finding))
			continue;
		findings[kept] = *finding;
		lines[kept++] = judged->lines[i];
	}
	judged->findings = findings;
	judged->lines = lines;
	judged->finding_count = kept;
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

/* One binary that cannot be read is an error, one of several is told. */
static struct error *build_all(struct session *session, const struct variables_request *request,
	bool is_look, struct built *ret)
{
	bool *named = arena_new(session->arena, request->name_count, sizeof(*named));
	size_t files = session->frame.binary_count;
	ret->items = arena_new(session->arena, files, sizeof(*ret->items));
	for (size_t i = 0; i < files; i++) {
		struct building *b = &ret->items[ret->count];
		*b = (struct building){.session = session,
			.request = request,
			.binary = i,
			.named = named,
			.is_look = is_look};
		struct error *error = build_one(b);
		if (error && !session_is_several(session))
			return error;
		if (error)
			session_leave_out(session, error, "the rest is read");
		else
			ret->count++;
	}
	return check_asked(session, request, ret, named);
}

struct error *variables_build(struct session *session, const struct variables_request *request,
	struct report_summary *summary)
{
	struct built built = {0};
	struct error *error = build_all(session, request, false, &built);
	if (error || !built.count)
		return error;
	struct report_vars *reports = arena_new(session->arena, built.count, sizeof(*reports));
	/* the first one speaks for all, and looks at the others */
	for (size_t i = 0; i < built.count; i++)
		drop_missing(session->arena, &built, i);
	for (size_t i = 0; i < built.count; i++) {
		reports[i] = built.items[i].report;
		count(&built.items[i].judged, summary);
	}
	session->frame.vars = reports;
	session->frame.vars_count = built.count;
	return NULL;
}

struct error *variables_look(struct session *session, const struct variables_request *request,
	const struct variables_found **ret, size_t *count)
{
	struct built built = {0};
	struct error *error = build_all(session, request, true, &built);
	if (error)
		return error;
	struct variables_found *found = arena_new(session->arena, built.count, sizeof(*found));
	for (size_t i = 0; i < built.count; i++)
		found[i] = built.items[i].found;
	*ret = found;
	*count = built.count;
	return NULL;
}

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "cmd/profile_verbs.h"
#include "cmd/session.h"
#include "report.h"

/* A profile on its way to the screen. */
struct view {
	const struct session *session;
	const struct profile *profile;
	bool verbose;
	size_t lacking; /* structs that the binary does not have */
	struct buf *out;
};

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void add_text(struct buf *out, const char *text)
{
	buf_put_visible(out, text);
}

/* "  # reason", where there is one */
static void add_why(const struct view *view, const char *why)
{
	if (!why || !view->verbose)
		return;
	buf_puts(view->out, "  # ");
	add_text(view->out, why);
}

static void add_names(struct buf *out, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		buf_printf(out, "%s%s", i ? ", " : "", names[i]);
}

static size_t widest_role(const struct profile *profile)
{
	size_t width = 0;
	for (size_t i = 0; i < profile->role_count; i++)
		if (strlen(profile->roles[i].name) > width)
			width = strlen(profile->roles[i].name);
	return width;
}

static void add_document(const struct view *view)
{
	const struct profile *profile = view->profile;
	struct buf *out = view->out;
	add_text(out, profile->path);
	buf_printf(out, ": %zu role%s, %zu struct%s", profile->role_count,
		plural(profile->role_count), profile->struct_count, plural(profile->struct_count));
	if (profile->line_bytes)
		buf_printf(out, ", lines of %" PRIu64 " bytes", profile->line_bytes);
	buf_printf(out, ", interleave %g, line price %g\n\nroles\n", profile->interleave,
		profile->line_price);
	int width = (int)widest_role(profile);
	for (size_t i = 0; i < profile->role_count; i++) {
		const struct profile_role *role = &profile->roles[i];
		buf_printf(out, "  %-*s  %5u thread%s, rate %g", width, role->name, role->threads,
			plural(role->threads), role->rate);
		if (role->interleave >= 0)
			buf_printf(out, ", interleave %g", role->interleave);
		if (role->why) {
			buf_puts(out, ": ");
			add_text(out, role->why);
		}
		buf_putc(out, '\n');
	}
	buf_puts(out, "workloads\n");
	for (size_t i = 0; i < profile->workload_count; i++) {
		const struct profile_workload *workload = &profile->workloads[i];
		buf_printf(out, "  %s: ", workload->name);
		for (size_t k = 0; k < workload->role_count; k++)
			buf_printf(out, "%s%s", k ? ", " : "",
				profile->roles[workload->roles[k]].name);
		buf_putc(out, '\n');
	}
}

/* A struct's head */

static void add_placement(const struct view *view, const struct report_struct *report)
{
	static const char *const instances[] = {
		[INSTANCE_SHARED] = "shared between threads",
		[INSTANCE_PER_THREAD] = "one a thread, so without coherence cost",
		[INSTANCE_ARRAY] = "elements of an array, whose neighbours belong to other threads",
	};
	static const char *const allocators[] = {
		[ALLOCATOR_UNSTATED] = "not stated",
		[ALLOCATOR_KMALLOC] = "kmalloc",
		[ALLOCATOR_SLAB] = "slab",
		[ALLOCATOR_NONE] = "none",
	};
	const struct access_map *map = &report->access;
	const struct profile_struct *entry = map->profile;
	struct buf *out = view->out;
	buf_printf(out, "  objects     %s; allocator %s\n", instances[entry->instance],
		allocators[entry->allocator]);
	buf_printf(out, "  placement   aligned to %" PRIu64, map->align_bytes);
	if (map->stride_bytes)
		buf_printf(out, ", every %" PRIu64 " bytes", map->stride_bytes);
	if (entry->container)
		buf_printf(out, ", in %s at %" PRIu64, entry->container, map->container_off_bytes);
	if (map->model.start_count == 1 && !map->model.starts[0])
		buf_puts(out, ", so every object starts a line");
	else if (map->model.start_count == 1)
		buf_printf(out, ", so every object starts at byte %" PRIu64 " of a line",
			map->model.starts[0]);
	else if (map->model.start_count)
		buf_printf(out, ", so objects start at any of %zu places of a line",
			map->model.start_count);
	buf_puts(out, map->placement_stated ? " (stated)" : " (by default)");
	add_why(view, entry->placement_why);
	buf_putc(out, '\n');
}

static void add_roles(const struct view *view, const struct access_map *map)
{
	struct buf *out = view->out;
	buf_puts(out, "  roles      ");
	for (size_t i = 0; i < map->role_count; i++)
		buf_printf(
			out, "%s %s x %u", i ? "," : "", map->roles[i].name, map->roles[i].threads);
	buf_puts(out, map->role_count ? "\n" : " none touches it\n");
}

static void add_head(const struct view *view, const struct report_struct *report)
{
	const struct profile_struct *entry = report->access.profile;
	const struct layout *layout = &report->layout;
	struct buf *out = view->out;
	buf_printf(out, "\n%s ", type_keyword(report->source.kind));
	add_text(out, report->qualified_name);
	buf_printf(out, ": %" PRIu64 " bytes in %" PRIu64 " line%s of %" PRIu64 "; evidence %s",
		layout->size_bytes, layout->line_count, plural(layout->line_count),
		layout->line_bytes, evidence_name(entry->evidence));
	if (entry->source) {
		buf_puts(out, ": ");
		add_text(out, entry->source);
	}
	buf_putc(out, '\n');
	if (report->source.layouts > 1)
		buf_printf(out, "  the first of %u definitions of that name\n",
			report->source.layouts);
	add_placement(view, report);
	add_roles(view, &report->access);
}

/* Fields */

static void add_counts(struct buf *out, const double counts[ACCESS_KIND_COUNT])
{
	const char *separator = " ";
	for (size_t kind = 0; kind < ACCESS_KIND_COUNT; kind++) {
		if (counts[kind] <= 0)
			continue;
		buf_printf(out, "%s%s %g", separator, access_kind_name((enum access_kind)kind),
			counts[kind]);
		separator = ", ";
	}
}

/* What each role does, "every role" where they all do the same. */
static void add_accesses(
	struct buf *out, const struct access_map *map, const struct access_field *field)
{
	bool same = map->role_count > 1;
	for (size_t i = 1; i < map->role_count; i++)
		same = same &&
		       memcmp(field->counts[i], field->counts[0], sizeof(field->counts[0])) == 0;
	const char *separator = "";
	for (size_t i = 0; i < (same ? 1 : map->role_count); i++) {
		if (!profile_any_count(field->counts[i]))
			continue;
		buf_printf(out, "%s%s", separator, same ? "every role" : map->roles[i].name);
		add_counts(out, field->counts[i]);
		separator = "; ";
	}
	if (!*separator)
		buf_puts(out, "not accessed");
}

static void add_details(struct buf *out, const struct profile_field *field)
{
	if (field->bytes)
		buf_printf(out, "; first %" PRIu64 " bytes", field->bytes);
	if (!field->index_stated)
		return;
	if (field->index == PROFILE_INDEX_ELEMENT)
		buf_printf(out, "; element %" PRIu64, field->element);
	else
		buf_puts(out, field->index == PROFILE_INDEX_THREAD ? "; each thread its own element"
								   : "; spread over the elements");
}

/* The field's reason, and those of single roles. */
static void add_reasons(const struct view *view, const struct profile_field *field)
{
	add_why(view, field->why);
	for (size_t i = 0; i < field->access_count && view->verbose; i++) {
		const struct profile_access *access = &field->accesses[i];
		if (!access->why || access->role == PROFILE_ALL_ROLES)
			continue;
		buf_printf(view->out, "  # %s: ", view->profile->roles[access->role].name);
		add_text(view->out, access->why);
	}
}

static void add_field(const struct view *view, const struct report_struct *report,
	const struct access_field *field, int width)
{
	const struct layout *layout = &report->layout;
	uint64_t first = layout_first_byte(field->member), last = layout_last_byte(field->member);
	struct buf *out = view->out;
	buf_printf(out, "  %4" PRIu64 " %6" PRIu64 " %6" PRIu64 "  %-*s  ",
		first / layout->line_bytes, first, field->member->size_bytes, width,
		field->profile->path);
	add_accesses(out, &report->access, field);
	add_details(out, field->profile);
	if (layout_straddles(layout, field->member))
		buf_printf(out, "; to line %" PRIu64, last / layout->line_bytes);
	if (field->is_lock)
		buf_puts(out, "; lock");
	add_reasons(view, field->profile);
	buf_putc(out, '\n');
}

static const struct access_missing *find_missing(const struct access_map *map, const char *path)
{
	for (size_t i = 0; i < map->missing_count; i++)
		if (strcmp(map->missing[i].path, path) == 0)
			return &map->missing[i];
	return NULL;
}

static bool is_joined(const struct access_map *map, const struct profile_field *field)
{
	for (size_t i = 0; i < map->field_count; i++)
		if (map->fields[i].profile == field)
			return true;
	return false;
}

/* Fields of the profile that this version of the struct does not have, rightly. */
static void add_absent(const struct view *view, const struct report_struct *report)
{
	const struct access_map *map = &report->access;
	for (size_t i = 0; i < map->profile->field_count; i++) {
		const struct profile_field *field = &map->profile->fields[i];
		if (is_joined(map, field) || find_missing(map, field->path))
			continue;
		buf_printf(view->out, "  absent, as it may be: %s (", field->path);
		if (field->if_field)
			buf_printf(view->out, "if %s%s", field->if_field,
				field->unless_field ? ", " : "");
		if (field->unless_field)
			buf_printf(view->out, "unless %s", field->unless_field);
		if (!field->if_field && !field->unless_field)
			buf_puts(view->out, "optional");
		buf_puts(view->out, ")\n");
	}
}

static void add_fields(const struct view *view, const struct report_struct *report)
{
	const struct access_map *map = &report->access;
	int width = 5;
	for (size_t i = 0; i < map->field_count; i++)
		if ((int)strlen(map->fields[i].profile->path) > width)
			width = (int)strlen(map->fields[i].profile->path);
	if (map->field_count)
		buf_printf(view->out, "  line offset   size  %-*s  accesses per operation\n", width,
			"field");
	for (size_t i = 0; i < map->field_count; i++)
		add_field(view, report, &map->fields[i], width);
	add_absent(view, report);
}

/* What is said beside the accesses */

static void add_sequences(const struct view *view, const struct profile_struct *entry)
{
	for (size_t i = 0; i < entry->sequence_count; i++) {
		const struct profile_sequence *sequence = &entry->sequences[i];
		buf_printf(view->out,
			"  sequence    %s: ", entry->document->roles[sequence->role].name);
		add_names(view->out, sequence->fields, sequence->field_count);
		buf_putc(view->out, '\n');
	}
}

static void add_locks(const struct view *view, const struct profile_struct *entry)
{
	for (size_t i = 0; i < entry->lock_count; i++) {
		const struct profile_lock *lock = &entry->locks[i];
		buf_printf(view->out, "  lock        %s", lock->path);
		if (lock->protect_count) {
			buf_puts(view->out, " protects ");
			add_names(view->out, lock->protects, lock->protect_count);
		}
		if (lock->contended > 0)
			buf_printf(view->out, "; %g %% of its acquisitions wait",
				100 * lock->contended);
		add_why(view, lock->why);
		buf_putc(view->out, '\n');
	}
}

static void add_constraint(struct buf *out, const char *name, const struct profile_names *names)
{
	if (!names->count)
		return;
	buf_printf(out, "  constraint  %s: ", name);
	add_names(out, names->names, names->count);
	buf_putc(out, '\n');
}

static void add_constraints(const struct view *view, const struct profile_constraints *constraints)
{
	struct buf *out = view->out;
	add_constraint(out, "first", &constraints->first);
	add_constraint(out, "last", &constraints->last);
	for (size_t i = 0; i < constraints->keep_together_count; i++)
		add_constraint(out, "keep together", &constraints->keep_together[i]);
	add_constraint(out, "pin", &constraints->pin);
	if (constraints->pin_all)
		buf_puts(out, "  constraint  pin: every field\n");
	if (constraints->max_size_bytes)
		buf_printf(out, "  constraint  at most %" PRIu64 " bytes\n",
			constraints->max_size_bytes);
	if (constraints->padding_allowed)
		buf_puts(out, "  constraint  padding may be inserted\n");
	if (constraints->why && view->verbose) {
		buf_puts(out, "  constraints ");
		add_why(view, constraints->why);
		buf_putc(out, '\n');
	}
}

static void add_expects(const struct view *view, const struct profile_struct *entry)
{
	for (size_t i = 0; i < entry->expect_count; i++) {
		const struct profile_expect *expect = &entry->expects[i];
		struct buf *out = view->out;
		buf_puts(out, "  expect      ");
		add_names(out, expect->fields, expect->field_count);
		switch (expect->kind) {
		case EXPECT_SAME_LINE:
			buf_puts(out, " on one line");
			break;
		case EXPECT_APART:
			buf_puts(out, " apart");
			break;
		case EXPECT_LINE:
			buf_printf(out, " on line %" PRIu64, expect->value);
			break;
		case EXPECT_MAX_SIZE:
			buf_printf(out, "at most %" PRIu64 " bytes", expect->value);
			break;
		case EXPECT_MAX_LINES:
			buf_printf(out, "at most %" PRIu64 " lines", expect->value);
			break;
		}
		add_why(view, expect->why);
		buf_putc(out, '\n');
	}
}

static void add_ignores(const struct view *view, const struct profile_struct *entry)
{
	for (size_t i = 0; i < entry->ignore_count; i++) {
		const struct profile_ignore *ignore = &entry->ignores[i];
		buf_printf(view->out, "  ignore      %s%s", ignore->rule,
			ignore->field_count ? " of " : "");
		add_names(view->out, ignore->fields, ignore->field_count);
		buf_puts(view->out, ": ");
		add_text(view->out, ignore->reason);
		buf_putc(view->out, '\n');
	}
}

static void add_missing(struct view *view, const struct access_map *map)
{
	for (size_t i = 0; i < map->missing_count; i++) {
		const struct access_missing *missing = &map->missing[i];
		buf_printf(view->out, "  LL010       %s: ", missing->path);
		add_text(view->out, missing->why);
		buf_puts(view->out, " (");
		add_text(view->out, view->profile->path);
		buf_printf(view->out, ":%u:%u)\n", missing->position.line, missing->position.col);
	}
}

static struct error *add_struct(struct view *view, const struct report_source *source)
{
	struct arena arena;
	struct report_struct report;
	arena_init(&arena);
	struct error *error = report_build(&arena, source, &view->session->options, &report);
	if (!error && report.access.profile) {
		const struct profile_struct *entry = report.access.profile;
		add_head(view, &report);
		add_fields(view, &report);
		add_sequences(view, entry);
		add_locks(view, entry);
		add_constraints(view, &entry->constraints);
		add_expects(view, entry);
		add_ignores(view, entry);
		add_missing(view, &report.access);
	}
	arena_release(&arena);
	return error;
}

/* A struct that the binary lacks. */
static void add_lacking(struct view *view, const struct profile_struct *entry)
{
	struct buf *out = view->out;
	buf_puts(out, "\nstruct ");
	add_text(out, entry->name);
	buf_puts(out, "\n  LL010       not in ");
	add_text(out, view->session->object.path);
	add_text(out, session_nearest(view->session, entry->name));
	buf_puts(out, " (");
	add_text(out, view->profile->path);
	buf_printf(out, ":%u:%u)\n", entry->position.line, entry->position.col);
	view->lacking++;
}

static struct error *none_there(const struct view *view)
{
	return error_new("%s: has no struct that %s names; is it the right binary?",
		view->session->object.path, view->profile->path);
}

/* The definition of each entry, and how many entries have one. */
static size_t find_entries(const struct view *view, struct session_defs *defs, bool *found)
{
	const struct profile *profile = view->profile;
	defs->items = arena_new(view->session->arena, profile->struct_count, sizeof(*defs->items));
	defs->count = 0;
	for (size_t i = 0; i < profile->struct_count; i++) {
		struct session_defs one;
		struct error *error =
			session_find(view->session, &profile->structs[i].name, 1, false, &one);
		found[i] = !error && one.count;
		error_free(error);
		if (found[i])
			defs->items[defs->count++] = one.items[0];
	}
	return defs->count;
}

static struct error *add_all(struct view *view, struct session *session)
{
	const struct profile *profile = view->profile;
	struct session_defs defs = {0};
	struct report_source *sources;
	bool *found = arena_new(session->arena, profile->struct_count, sizeof(*found));
	if (!find_entries(view, &defs, found) && profile->struct_count)
		return none_there(view);
	struct error *error = session_read(session, &defs, &sources);
	if (error)
		return error;
	add_document(view);
	for (size_t i = 0, next = 0; i < profile->struct_count && !error; i++) {
		if (found[i])
			error = add_struct(view, &sources[next++]);
		else
			add_lacking(view, &profile->structs[i]);
	}
	if (profile->vars)
		buf_printf(view->out, "\nvars: %zu variable%s, not checked by this version\n",
			profile->vars->field_count, plural(profile->vars->field_count));
	return error;
}

static struct error *show(
	struct session *session, const struct opt *opt, const struct cmd_io *io, int *status)
{
	struct buf out;
	buf_init(&out);
	struct view view = {
		.session = session,
		.profile = session->profiles.items[0],
		.verbose = opt->verbose,
		.out = &out,
	};
	struct error *error = add_all(&view, session);
	if (!error)
		fwrite(out.data, 1, out.length, io->out);
	buf_release(&out);
	/* what is lacking may be in a file that is not read */
	*status = view.lacking && session_split_text(session) ? 2 : 0;
	return error;
}

/* FILE is an argument; with --profile, which other verbs take, it may be left out, but not be another one. */
static struct error *find_file(const struct opt *opt, const char **ret)
{
	const char *file = opt->arg_count > 2 ? opt->args[1] : NULL;
	if (!file && !opt->profile_count)
		return error_new("profile show: too few arguments; write 'linelint profile show "
				 "FILE BINARY'");
	for (size_t i = 0; i < opt->profile_count; i++) {
		if (file && strcmp(file, opt->profiles[i]) != 0)
			return error_new("profile show: %s and %s; one file is shown at a time, "
					 "leave the other out",
				file, opt->profiles[i]);
		file = opt->profiles[i];
	}
	*ret = file;
	return NULL;
}

struct error *profile_show_run(const struct opt *opt, const struct cmd_io *io, int *status)
{
	const char *file;
	struct error *unclear = find_file(opt, &file);
	if (unclear)
		return unclear;
	const struct session_request request = {
		.binary = opt->args[opt->arg_count - 1],
		.names_of_profiles = true,
		.profiles = &file,
		.profile_count = 1,
		.notes = opt->quiet ? NULL : io->notes,
	};
	return session_run(opt, io, &request, show, status);
}

#include "render/text_profile.h"

#include <inttypes.h>
#include <string.h>

#include "render/text.h"

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void add_text(FILE *out, const char *text)
{
	struct arena arena;
	arena_init(&arena);
	fputs(text_visible(&arena, text), out);
	arena_release(&arena);
}

/* "  # reason", where there is one */
static void add_why(const struct text_profile *view, const char *why)
{
	if (!why || !view->verbose)
		return;
	fputs("  # ", view->out);
	add_text(view->out, why);
}

static void add_names(FILE *out, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%s", i ? ", " : "", names[i]);
}

static size_t widest_role(const struct profile *profile)
{
	size_t width = 0;
	for (size_t i = 0; i < profile->role_count; i++)
		if (strlen(profile->roles[i].name) > width)
			width = strlen(profile->roles[i].name);
	return width;
}

void text_profile_document(const struct text_profile *view)
{
	const struct profile *profile = view->profile;
	FILE *out = view->out;
	add_text(out, profile->path);
	fprintf(out, ": %zu role%s, %zu struct%s", profile->role_count, plural(profile->role_count),
		profile->struct_count, plural(profile->struct_count));
	if (profile->line_bytes)
		fprintf(out, ", lines of %" PRIu64 " bytes", profile->line_bytes);
	fprintf(out, ", interleave %g, line price %g\n\nroles\n", profile->interleave,
		profile->line_price);
	int width = (int)widest_role(profile);
	for (size_t i = 0; i < profile->role_count; i++) {
		const struct profile_role *role = &profile->roles[i];
		fprintf(out, "  %-*s  %5u thread%s, rate %g", width, role->name, role->threads,
			plural(role->threads), role->rate);
		if (role->interleave >= 0)
			fprintf(out, ", interleave %g", role->interleave);
		if (role->why) {
			fputs(": ", out);
			add_text(out, role->why);
		}
		fputc('\n', out);
	}
	fputs("workloads\n", out);
	for (size_t i = 0; i < profile->workload_count; i++) {
		const struct profile_workload *workload = &profile->workloads[i];
		fprintf(out, "  %s: ", workload->name);
		for (size_t k = 0; k < workload->role_count; k++)
			fprintf(out, "%s%s", k ? ", " : "",
				profile->roles[workload->roles[k]].name);
		fputc('\n', out);
	}
}

/* A struct's head */

static void add_placement(const struct text_profile *view, const struct report_struct *report)
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
	FILE *out = view->out;
	fprintf(out, "  objects     %s; allocator %s\n", instances[entry->instance],
		allocators[entry->allocator]);
	fprintf(out, "  placement   aligned to %" PRIu64, map->align_bytes);
	if (map->stride_bytes)
		fprintf(out, ", every %" PRIu64 " byte%s", map->stride_bytes,
			plural(map->stride_bytes));
	if (entry->container)
		fprintf(out, ", in %s at %" PRIu64, entry->container, map->container_off_bytes);
	if (map->model.start_count == 1 && !map->model.starts[0])
		fputs(", so every object starts a line", out);
	else if (map->model.start_count == 1)
		fprintf(out, ", so every object starts at byte %" PRIu64 " of a line",
			map->model.starts[0]);
	else if (map->model.start_count)
		fprintf(out, ", so objects start at any of %zu places of a line",
			map->model.start_count);
	fputs(map->placement_stated ? " (stated)" : " (by default)", out);
	add_why(view, entry->placement_why);
	fputc('\n', out);
}

static void add_roles(const struct text_profile *view, const struct access_map *map)
{
	FILE *out = view->out;
	fputs("  roles      ", out);
	for (size_t i = 0; i < map->role_count; i++)
		fprintf(out, "%s %s x %u", i ? "," : "", map->roles[i].name, map->roles[i].threads);
	fputs(map->role_count ? "\n" : " none touches it\n", out);
}

static void add_head(const struct text_profile *view, const struct report_struct *report)
{
	const struct profile_struct *entry = report->access.profile;
	const struct layout *layout = &report->layout;
	FILE *out = view->out;
	fprintf(out, "\n%s ", type_keyword(report->source.kind));
	add_text(out, report->qualified_name);
	fprintf(out, ": %" PRIu64 " byte%s in %" PRIu64 " line%s of %" PRIu64 "; evidence %s",
		layout->size_bytes, plural(layout->size_bytes), layout->line_count,
		plural(layout->line_count), layout->line_bytes, evidence_name(entry->evidence));
	if (entry->source) {
		fputs(": ", out);
		add_text(out, entry->source);
	}
	fputc('\n', out);
	if (report->source.layouts > 1)
		fprintf(out, "  the first of %u definitions of that name\n",
			report->source.layouts);
	add_placement(view, report);
	add_roles(view, &report->access);
}

/* Fields */

static void add_counts(FILE *out, const double counts[ACCESS_KIND_COUNT])
{
	const char *separator = " ";
	for (size_t kind = 0; kind < ACCESS_KIND_COUNT; kind++) {
		if (counts[kind] <= 0)
			continue;
		fprintf(out, "%s%s %g", separator, access_kind_name((enum access_kind)kind),
			counts[kind]);
		separator = ", ";
	}
}

/* What each role does, "every role" where they all do the same. */
static void add_accesses(FILE *out, const struct access_map *map, const struct access_field *field)
{
	bool same = map->role_count > 1;
	for (size_t i = 1; i < map->role_count; i++)
		same = same &&
		       memcmp(field->counts[i], field->counts[0], sizeof(field->counts[0])) == 0;
	const char *separator = "";
	for (size_t i = 0; i < (same ? 1 : map->role_count); i++) {
		if (!profile_any_count(field->counts[i]))
			continue;
		fprintf(out, "%s%s", separator, same ? "every role" : map->roles[i].name);
		add_counts(out, field->counts[i]);
		separator = "; ";
	}
	if (!*separator)
		fputs("not accessed", out);
}

static void add_details(FILE *out, const struct profile_field *field)
{
	if (field->bytes)
		fprintf(out, "; first %" PRIu64 " byte%s", field->bytes, plural(field->bytes));
	if (!field->index_stated)
		return;
	if (field->index == PROFILE_INDEX_ELEMENT)
		fprintf(out, "; element %" PRIu64, field->element);
	else
		fputs(field->index == PROFILE_INDEX_THREAD ? "; each thread its own element"
							   : "; spread over the elements",
			out);
}

/* The field's reason, and those of single roles. */
static void add_reasons(const struct text_profile *view, const struct profile_field *field)
{
	add_why(view, field->why);
	for (size_t i = 0; i < field->access_count && view->verbose; i++) {
		const struct profile_access *access = &field->accesses[i];
		if (!access->why || access->role == PROFILE_ALL_ROLES)
			continue;
		fprintf(view->out, "  # %s: ", view->profile->roles[access->role].name);
		add_text(view->out, access->why);
	}
}

static void add_field(const struct text_profile *view, const struct report_struct *report,
	const struct access_field *field, int width)
{
	const struct layout *layout = &report->layout;
	uint64_t first = layout_first_byte(field->member), last = layout_last_byte(field->member);
	FILE *out = view->out;
	fprintf(out, "  %4" PRIu64 " %6" PRIu64 " %6" PRIu64 "  %-*s  ", first / layout->line_bytes,
		first, field->member->size_bytes, width, field->profile->path);
	add_accesses(out, &report->access, field);
	add_details(out, field->profile);
	if (layout_straddles(layout, field->member))
		fprintf(out, "; to line %" PRIu64, last / layout->line_bytes);
	if (field->is_lock)
		fputs("; lock", out);
	add_reasons(view, field->profile);
	fputc('\n', out);
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
static void add_absent(const struct text_profile *view, const struct access_map *map)
{
	for (size_t i = 0; i < map->profile->field_count; i++) {
		const struct profile_field *field = &map->profile->fields[i];
		if (is_joined(map, field) || find_missing(map, field->path))
			continue;
		fprintf(view->out, "  absent, as it may be: %s (", field->path);
		if (field->if_field)
			fprintf(view->out, "if %s%s", field->if_field,
				field->unless_field ? ", " : "");
		if (field->unless_field)
			fprintf(view->out, "unless %s", field->unless_field);
		if (!field->if_field && !field->unless_field)
			fputs("optional", view->out);
		fputs(")\n", view->out);
	}
}

static void add_fields(const struct text_profile *view, const struct report_struct *report)
{
	const struct access_map *map = &report->access;
	int width = 5;
	for (size_t i = 0; i < map->field_count; i++)
		if ((int)strlen(map->fields[i].profile->path) > width)
			width = (int)strlen(map->fields[i].profile->path);
	if (map->field_count)
		fprintf(view->out, "  line offset   size  %-*s  accesses per operation\n", width,
			"field");
	for (size_t i = 0; i < map->field_count; i++)
		add_field(view, report, &map->fields[i], width);
	add_absent(view, map);
}

/* What is said beside the accesses */

static void add_sequences(const struct text_profile *view, const struct profile_struct *entry)
{
	for (size_t i = 0; i < entry->sequence_count; i++) {
		const struct profile_sequence *sequence = &entry->sequences[i];
		fprintf(view->out,
			"  sequence    %s: ", entry->document->roles[sequence->role].name);
		add_names(view->out, sequence->fields, sequence->field_count);
		fputc('\n', view->out);
	}
}

static void add_locks(const struct text_profile *view, const struct profile_struct *entry)
{
	for (size_t i = 0; i < entry->lock_count; i++) {
		const struct profile_lock *lock = &entry->locks[i];
		fprintf(view->out, "  lock        %s", lock->path);
		if (lock->protect_count) {
			fputs(" protects ", view->out);
			add_names(view->out, lock->protects, lock->protect_count);
		}
		if (lock->contended > 0)
			fprintf(view->out, "; %g %% of its acquisitions wait",
				100 * lock->contended);
		add_why(view, lock->why);
		fputc('\n', view->out);
	}
}

static void add_constraint(FILE *out, const char *name, const struct profile_names *names)
{
	if (!names->count)
		return;
	fprintf(out, "  constraint  %s: ", name);
	add_names(out, names->names, names->count);
	fputc('\n', out);
}

static void add_constraints(
	const struct text_profile *view, const struct profile_constraints *constraints)
{
	FILE *out = view->out;
	add_constraint(out, "first", &constraints->first);
	add_constraint(out, "last", &constraints->last);
	for (size_t i = 0; i < constraints->keep_together_count; i++)
		add_constraint(out, "keep together", &constraints->keep_together[i]);
	add_constraint(out, "pin", &constraints->pin);
	if (constraints->pin_all)
		fputs("  constraint  pin: every field\n", out);
	if (constraints->max_size_bytes)
		fprintf(out, "  constraint  at most %" PRIu64 " byte%s\n",
			constraints->max_size_bytes, plural(constraints->max_size_bytes));
	if (constraints->padding_allowed)
		fputs("  constraint  padding may be inserted\n", out);
	if (constraints->why && view->verbose) {
		fputs("  constraints ", out);
		add_why(view, constraints->why);
		fputc('\n', out);
	}
}

static void add_expects(const struct text_profile *view, const struct profile_struct *entry)
{
	for (size_t i = 0; i < entry->expect_count; i++) {
		const struct profile_expect *expect = &entry->expects[i];
		FILE *out = view->out;
		fputs("  expect      ", out);
		add_names(out, expect->fields, expect->field_count);
		switch (expect->kind) {
		case EXPECT_SAME_LINE:
			fputs(" on one line", out);
			break;
		case EXPECT_APART:
			fputs(" apart", out);
			break;
		case EXPECT_LINE:
			fprintf(out, " on line %" PRIu64, expect->value);
			break;
		case EXPECT_MAX_SIZE:
			fprintf(out, "at most %" PRIu64 " byte%s", expect->value,
				plural(expect->value));
			break;
		case EXPECT_MAX_LINES:
			fprintf(out, "at most %" PRIu64 " line%s", expect->value,
				plural(expect->value));
			break;
		}
		add_why(view, expect->why);
		fputc('\n', out);
	}
}

static void add_ignores(const struct text_profile *view, const struct profile_struct *entry)
{
	for (size_t i = 0; i < entry->ignore_count; i++) {
		const struct profile_ignore *ignore = &entry->ignores[i];
		fprintf(view->out, "  ignore      %s%s", ignore->rule,
			ignore->field_count ? " of " : "");
		add_names(view->out, ignore->fields, ignore->field_count);
		fputs(": ", view->out);
		add_text(view->out, ignore->reason);
		fputc('\n', view->out);
	}
}

static void add_missing(const struct text_profile *view, const struct access_map *map)
{
	for (size_t i = 0; i < map->missing_count; i++) {
		const struct access_missing *missing = &map->missing[i];
		fprintf(view->out, "  LL010       %s: ", missing->path);
		add_text(view->out, missing->why);
		fputs(" (", view->out);
		add_text(view->out, view->profile->path);
		fprintf(view->out, ":%u:%u)\n", missing->position.line, missing->position.col);
	}
}

void text_profile_struct(const struct text_profile *view, const struct report_struct *report)
{
	const struct profile_struct *entry = report->access.profile;
	add_head(view, report);
	add_fields(view, report);
	add_sequences(view, entry);
	add_locks(view, entry);
	add_constraints(view, &entry->constraints);
	add_expects(view, entry);
	add_ignores(view, entry);
	add_missing(view, &report->access);
}

void text_profile_lacking(
	const struct text_profile *view, const struct profile_struct *entry, const char *nearest)
{
	FILE *out = view->out;
	fputs("\nstruct ", out);
	add_text(out, entry->name);
	fputs("\n  LL010       not in ", out);
	add_text(out, view->binary);
	add_text(out, nearest);
	fputs(" (", out);
	add_text(out, view->profile->path);
	fprintf(out, ":%u:%u)\n", entry->position.line, entry->position.col);
}

/* "0x4040", or of what is not linked ".data+0x8". */
static void add_address(
	FILE *out, const struct report_vars *vars, const struct vars_item *item, uint64_t inside)
{
	uint64_t address = item->address + inside;
	char text[32];
	if (vars->catalog->is_linked) {
		snprintf(text, sizeof(text), "0x%" PRIx64, address);
		fprintf(out, "  %18s", text);
		return;
	}
	fputs("  ", out);
	add_text(out, item->area->name);
	fprintf(out, "+0x%" PRIx64, address - item->area->address);
}

/* What the profile says of a variable and its members. */
static void add_variable(
	const struct text_profile *view, const struct report_vars *vars, size_t index)
{
	const struct vars_judged *judged = vars->judged;
	const struct layout_member *top = &judged->layout.members[judged->members[index]];
	for (uint32_t i = 0; i <= top->descendants; i++) {
		const struct access_field *field = access_find(&judged->access, top + i);
		if (!field)
			continue;
		add_address(view->out, vars, &vars->catalog->items[index],
			layout_first_byte(top + i) - layout_first_byte(top));
		fprintf(view->out, " %6" PRIu64 "  ", top[i].size_bytes);
		add_text(view->out, field->profile->path);
		fputs("  ", view->out);
		add_accesses(view->out, &judged->access, field);
		add_details(view->out, field->profile);
		if (field->is_lock)
			fputs("; lock", view->out);
		add_reasons(view, field->profile);
		fputc('\n', view->out);
	}
}

void text_profile_vars(const struct text_profile *view, const struct report_vars *vars)
{
	const struct profile_struct *entry = view->profile->vars;
	if (!entry)
		return;
	fprintf(view->out, "\nvars: %zu variable%s; the verbs vars and check say what that means\n",
		entry->field_count, plural(entry->field_count));
	if (!vars)
		return;
	for (size_t i = 0; i < vars->entry->item_count; i++)
		if (vars->judged->members &&
			vars->judged->members[vars->entry->items[i]] != UINT32_MAX)
			add_variable(view, vars, vars->entry->items[i]);
	add_absent(view, &vars->judged->access);
	add_sequences(view, entry);
	add_locks(view, entry);
	add_expects(view, entry);
	add_ignores(view, entry);
	add_missing(view, &vars->judged->access);
}

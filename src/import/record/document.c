#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/number.h"
#include "import/record/join.h"

/* ---- roles ---- */

/* A name that a profile can have and none of the others has. */
static const char *role_name(
	struct arena *arena, const char *name, const struct profile_role *roles, size_t count)
{
	struct buf visible;
	buf_init(&visible);
	buf_put_visible(&visible, *name ? name : "_");
	for (char *s = visible.data; *s; s++)
		if ((unsigned char)*s <= 0x20 || *s == 0x7f)
			*s = '_';
	const char *base = profile_is_role_name(visible.data)
				   ? arena_strdup(arena, visible.data)
				   : arena_printf(arena, "%s_", visible.data);
	const char *candidate = base;
	unsigned number = 1;
	for (size_t i = 0; i < count; i++)
		if (strcmp(roles[i].name, candidate) == 0) {
			candidate = arena_printf(arena, "%s-%u", base, ++number);
			i = (size_t)-1; /* all of them again */
		}
	buf_release(&visible);
	return candidate;
}

static bool is_role_used(const struct join *join, size_t role)
{
	if (join->others.is_touched[role])
		return true;
	for (size_t i = 0; i < join->subject_count; i++)
		if (join->subjects[i]->is_touched[role])
			return true;
	return false;
}

/* Operations of one thread, by which roles compare. */
static double pace_of(const struct record_role *role)
{
	return (double)role->operations / (double)(role->threads ? role->threads : 1);
}

static double three_digits(double number)
{
	char text[32];
	snprintf(text, sizeof(text), "%.3g", number);
	return strtod(text, NULL);
}

/* Threads of a role on an object of a struct: what was counted, else all that the role has. */
static unsigned threads_of(const struct subject *subject, const struct record *record, size_t role)
{
	uint64_t threads = subject->threads[role];
	if (!subject->is_shared && subject->name)
		return 1;
	if (!threads)
		threads = record->roles[role].threads;
	return threads ? (unsigned)threads : 1;
}

static void raise_threads(const struct join *join, const struct subject *subject, size_t role,
	struct profile_role *ret)
{
	if (!subject->is_touched[role])
		return;
	unsigned threads = threads_of(subject, join->record, role);
	if (threads > ret->threads)
		ret->threads = threads;
}

static void make_roles(struct join *join, struct profile *profile, uint32_t *map)
{
	const struct record *record = join->record;
	struct profile_role *roles = arena_new(join->arena, record->role_count, sizeof(*roles));
	double most = 0;
	for (size_t role = 0; role < record->role_count; role++) {
		map[role] = UINT32_MAX;
		if (!is_role_used(join, role))
			continue;
		struct profile_role *made = &roles[profile->role_count];
		*made = (struct profile_role){
			.name = role_name(
				join->arena, record->roles[role].name, roles, profile->role_count),
			.threads = 1,
			.rate = pace_of(&record->roles[role]),
			.interleave = -1,
		};
		for (size_t i = 0; i < join->subject_count; i++)
			raise_threads(join, join->subjects[i], role, made);
		raise_threads(join, &join->others, role, made);
		most = made->rate > most ? made->rate : most;
		map[role] = (uint32_t)profile->role_count++;
	}
	for (size_t i = 0; i < profile->role_count; i++)
		roles[i].rate = three_digits(roles[i].rate / most);
	profile->roles = roles;
}

/* ---- the document ---- */

static const char *source_of(const struct join *join)
{
	const struct record *record = join->record;
	uint64_t operations = 0;
	for (size_t i = 0; i < record->role_count; i++)
		operations += record->roles[i].operations;
	struct buf text;
	buf_init(&text);
	buf_puts(&text, "recorded: ");
	buf_put_visible(&text, record->program);
	if (record->build_id)
		buf_printf(&text, ", build-id %.12s", record->build_id);
	buf_printf(&text, ", %" PRIu64 " operation%s", operations, number_s(operations));
	const char *source = arena_strdup(join->arena, text.data);
	buf_release(&text);
	return source;
}

static void add_threads(const struct join *join, const struct subject *subject, const uint32_t *map,
	struct profile_struct *entry)
{
	const struct profile *profile = entry->document;
	struct profile_threads *threads =
		arena_new(join->arena, profile->role_count, sizeof(*threads));
	entry->threads = threads;
	for (size_t role = 0; role < join->record->role_count; role++) {
		if (map[role] == UINT32_MAX || !subject->is_touched[role])
			continue;
		unsigned here = threads_of(subject, join->record, role);
		if (here != profile->roles[map[role]].threads)
			threads[entry->thread_count++] = (struct profile_threads){map[role], here};
	}
}

static struct error *make_entry(struct join *join, struct subject *subject, const uint32_t *map,
	const struct profile *profile, struct profile_struct *ret)
{
	struct error *error = subject_entry(subject, join->arena, join->record, map, ret);
	if (error)
		return error;
	ret->document = profile;
	ret->source = source_of(join);
	add_threads(join, subject, map, ret);
	return NULL;
}

static struct error *make_entries(struct join *join, struct profile *profile, const uint32_t *map)
{
	struct error *error = NULL;
	struct profile_struct *structs =
		arena_new(join->arena, join->subject_count, sizeof(*structs));
	for (size_t i = 0; i < join->subject_count && !error; i++) {
		struct profile_struct *entry = &structs[profile->struct_count];
		error = make_entry(join, join->subjects[i], map, profile, entry);
		if (!error && entry->field_count)
			profile->struct_count++;
		else if (!error)
			buf_printf(&join->remarks,
				"left out: '%s', which no operation accesses often enough\n",
				join->subjects[i]->name);
	}
	profile->structs = structs;
	struct profile_struct *vars = arena_new(join->arena, 1, sizeof(*vars));
	if (!error)
		error = make_entry(join, &join->others, map, profile, vars);
	if (!error && vars->field_count)
		profile->vars = vars;
	return error;
}

static void remark(struct join *join, const uint32_t *map)
{
	const struct record *record = join->record;
	struct buf *out = &join->remarks;
	for (size_t i = 0; i < record->role_count; i++)
		if (map[i] == UINT32_MAX && record->roles[i].operations)
			buf_printf(out,
				"left out: role %s, %" PRIu64
				" operation%s that access nothing tracked\n",
				record->roles[i].name, record->roles[i].operations,
				record->roles[i].operations == 1 ? "" : "s");
	if (record->outside)
		buf_printf(out, "left out: %" PRIu64 " access%s outside of operations\n",
			record->outside, record->outside == 1 ? "" : "es");
	if (join->nameless)
		buf_printf(out,
			"left out: %" PRIu64
			" accesses to addresses at which the debug information has no variable\n",
			join->nameless);
	for (size_t i = 0; i < record->loss_count; i++)
		buf_printf(out, "not counted by the recorder: %" PRIu64 " (%s)\n",
			record->losses[i].count, record->losses[i].what);
}

/* The same variable name in several files or functions: the first keeps it. */
static void drop_namesakes(struct join *join)
{
	struct intern names;
	intern_init(&names, join->arena);
	for (size_t i = 0; i < join->others.row_count; i++) {
		struct subject_row *row = &join->others.rows[i];
		size_t before = names.count;
		if (!row->counts)
			continue;
		intern_get(&names, row->path);
		if (names.count != before)
			continue;
		buf_printf(&join->others.remarks, "left out: another '%s', at 0x%" PRIx64 "\n",
			row->path, join->read[i].address);
		row->counts = NULL;
	}
	intern_release(&names);
}

struct error *join_document(struct join *join, struct profile *ret)
{
	const struct record *record = join->record;
	struct profile *profile = arena_new(join->arena, 1, sizeof(*profile));
	uint32_t *map = arena_new(join->arena, record->role_count, sizeof(*map));
	*profile = (struct profile){.path = join->record->path,
		.interleave = PROFILE_INTERLEAVE,
		.line_price = PROFILE_LINE_PRICE};
	drop_namesakes(join);
	for (size_t i = 0; i < join->subject_count; i++)
		subject_finish(join->subjects[i], record);
	subject_finish(&join->others, record);
	make_roles(join, profile, map);
	if (!profile->role_count)
		return error_new(
			"%s: no operation accesses a tracked object or a variable; "
			"LINELINT_TRACK() the objects before they are shared, and record again",
			join->record->path);
	remark(join, map);
	struct error *error = make_entries(join, profile, map);
	if (error)
		return error;
	profile->workloads = profile_all_roles(join->arena, profile->role_count);
	profile->workload_count = 1;
	profile->remarks = arena_strdup(join->arena, join->remarks.data);
	*ret = *profile;
	return NULL;
}

#include <string.h>

#include "access/join.h"
#include "base/nearest.h"

/* The last step of a name with scope: what a layout is named by. */
static const char *unscoped(const char *name, size_t length)
{
	const char *last = name;
	for (size_t i = 0; i + 1 < length; i++)
		if (name[i] == ':' && name[i + 1] == ':')
			last = name + i + 2;
	return last;
}

static bool names_layout(const char *name, size_t length, const struct layout *layout)
{
	const char *last = unscoped(name, length);
	size_t rest = length - (size_t)(last - name);
	return strlen(layout->name) == rest && strncmp(layout->name, last, rest) == 0;
}

const struct layout_member *join_find_elsewhere(
	const struct join *join, const char *name, const struct layout **ret)
{
	const char *dot = strchr(name, '.');
	if (!dot)
		return NULL;
	const struct access_others *others = &join->context->others;
	for (size_t i = 0; i <= others->count; i++) {
		const struct layout *layout = i < others->count ? others->layouts[i] : join->layout;
		if (!names_layout(name, (size_t)(dot - name), layout))
			continue;
		*ret = layout;
		const struct layout_member *member = layout_find(layout, dot + 1);
		if (member)
			return member;
	}
	return NULL;
}

static bool exists(const struct join *join, const char *name)
{
	const struct layout *layout;
	return layout_find(join->layout, name) || join_find_elsewhere(join, name, &layout);
}

bool join_holds(const struct join *join, const char *if_field, const char *unless_field)
{
	return (!if_field || exists(join, if_field)) &&
	       !(unless_field && exists(join, unless_field));
}

void join_add_missing(struct join *join, const char *path, const char *why, const char *advice,
	struct profile_position position)
{
	for (size_t i = 0; i < join->missing_count; i++)
		if (strcmp(join->missing[i].path, path) == 0)
			return;
	join->missing = arena_grow(join->arena, join->missing, &join->missing_capacity,
		join->missing_count + 1, sizeof(*join->missing));
	join->missing[join->missing_count++] = (struct access_missing){path, why, advice, position};
}

/* Only where accesses are stated can a field be marked as optional. */
static bool states_accesses(const struct join *join, const char *path)
{
	for (size_t i = 0; i < join->profile->field_count; i++)
		if (strcmp(join->profile->fields[i].path, path) == 0)
			return true;
	return false;
}

static const char *last_part(const char *path)
{
	const char *dot = strrchr(path, '.');
	return dot ? dot + 1 : path;
}

/* The same name in another base or member first: "r" is "base.r" in Fortran, "Base.v" is "v" in C++. */
static void offer_fields(const struct layout *layout, const char *path, struct nearest *nearest)
{
	for (size_t i = 0; i < layout->member_count; i++) {
		const char *other = layout->members[i].path;
		if (!*other)
			continue;
		if (strcmp(last_part(other), last_part(path)) == 0)
			nearest_prefer(nearest, other);
		else
			nearest_offer(nearest, other);
	}
}

static void no_such_field(struct join *join, const char *path, struct profile_position position)
{
	char text[512];
	struct nearest nearest;
	nearest_init(&nearest, path);
	offer_fields(join->layout, path, &nearest);
	nearest_text(&nearest, text, sizeof(text));
	join_add_missing(join, path, arena_printf(join->arena, "no such field%s", text),
		states_accesses(join, path)
			? "correct the name, or mark the field `optional: true` if only some "
			  "versions have it"
			: "correct the name; if only some versions have it, name it under "
			  "`fields` with `optional: true` as well",
		position);
}

/* May this field be absent, in this version of the struct? */
static bool is_excused(const struct join *join, const char *path)
{
	for (size_t i = 0; i < join->profile->field_count; i++) {
		const struct profile_field *field = &join->profile->fields[i];
		if (strcmp(field->path, path) == 0)
			return field->optional ||
			       !join_holds(join, field->if_field, field->unless_field);
	}
	return false;
}

const struct layout_member *join_resolve(
	struct join *join, const char *path, struct profile_position position)
{
	const struct layout_member *member = layout_find(join->layout, path);
	if (member && !member->is_dynamic)
		return member;
	if (member)
		join_add_missing(join, path,
			"only the running program knows where it lies, so that it is on no line "
			"here",
			"leave it out", position);
	else if (!is_excused(join, path))
		no_such_field(join, path, position);
	return NULL;
}

static void resolve_all(
	struct join *join, const char *const *paths, size_t count, struct profile_position position)
{
	for (size_t i = 0; i < count; i++)
		join_resolve(join, paths[i], position);
}

static void resolve_names(struct join *join, const struct profile_names *names)
{
	resolve_all(join, names->names, names->count, names->position);
}

void join_resolve_the_rest(struct join *join)
{
	const struct profile_struct *profile = join->profile;
	const struct profile_constraints *constraints = &profile->constraints;
	for (size_t i = 0; i < profile->sequence_count; i++)
		resolve_all(join, profile->sequences[i].fields, profile->sequences[i].field_count,
			profile->sequences[i].position);
	resolve_names(join, &constraints->first);
	resolve_names(join, &constraints->last);
	resolve_names(join, &constraints->pin);
	for (size_t i = 0; i < constraints->keep_together_count; i++)
		resolve_names(join, &constraints->keep_together[i]);
	for (size_t i = 0; i < profile->expect_count; i++)
		resolve_all(join, profile->expects[i].fields, profile->expects[i].field_count,
			profile->expects[i].position);
	for (size_t i = 0; i < profile->ignore_count; i++)
		resolve_all(join, profile->ignores[i].fields, profile->ignores[i].field_count,
			profile->ignores[i].position);
}

#include "cmd/session/many.h"
#include "cmd/session/parts.h"

#include "layout.h"
#include "read/info.h"

/* Which definitions to read, each once. */
struct reading {
	const struct session *session;
	const struct index_def **defs;
	size_t count;
	/* by index of the definition: place in defs, plus 1; 0 when it is not to be read */
	uint32_t *places;
	/* by index of a group's first definition (of those alike), of its tags and of its typedefs: their units, once they are
	 * wanted */
	const char **(*units)[2];
};

static void want(struct reading *reading, const struct index_def *def)
{
	uint32_t *place = &reading->places[def - reading->session->index.defs];
	if (*place)
		return;
	reading->defs[reading->count++] = def;
	*place = (uint32_t)reading->count;
}

static size_t place_of(const struct reading *reading, const struct index_def *def)
{
	return reading->places[def - reading->session->index.defs] - 1;
}

static const char ***units_slot(const struct reading *reading, const struct index_def *def)
{
	const struct session *session = reading->session;
	const struct index_def *defs = session->index.defs;
	size_t first = session->entries[def - defs].group;
	while (defs[first].alike != def->alike)
		first++;
	return &reading->units[first][def->is_typedef];
}

/* All layouts under the name of `def`, for their units. */
static void want_siblings(struct reading *reading, const struct index_def *def)
{
	const struct session *session = reading->session;
	const struct index *index = &session->index;
	const char ***units = units_slot(reading, def);
	if (*units)
		return;
	*units = arena_new(session->arena, def->layouts, sizeof(**units));
	for (size_t i = session->entries[def - index->defs].group;
		i < index->count && session_same_group(&index->defs[i], def); i++)
		if (session_same_entry(&index->defs[i], def))
			want(reading, &index->defs[i]);
}

/* Names that the profile entries of these definitions refer to. */
static struct session_names collect_needs(
	const struct session *session, const struct session_defs *defs)
{
	struct session_names names = {.arena = session->arena};
	for (size_t i = 0; i < defs->count && session->profiles.count; i++) {
		const struct index_def *def = defs->items[i];
		const struct index_alias *alias = session->asked_as[def - session->index.defs];
		const struct profile_struct *entry = profiles_find(&session->profiles, def->name,
			type_qualify(session->arena, def->scope, def->name));
		if (!entry && alias)
			entry = profiles_find(&session->profiles, alias->name,
				type_qualify(session->arena, alias->scope, alias->name));
		if (entry)
			session_names_add_needs(&names, entry);
	}
	return names;
}

/* Of several files, with the file. */
static const char *unit_text(
	const struct reading *reading, const struct info_type *types, const struct index_def *def)
{
	const struct session *session = reading->session;
	const struct info_type *type = &types[place_of(reading, def)];
	const char *unit = type->unit;
	if (!session_is_several(session))
		return unit;
	const char *path = session->frame.binaries[type->file].path;
	return unit && *unit ? arena_printf(session->arena, "%s of %s", unit, path) : path;
}

/* The units of all layouts under the name of `def`; NULL when it is the only one, and of BTF, which names none. */
static const char *const *units_of(
	const struct reading *reading, const struct info_type *types, const struct index_def *def)
{
	const struct session *session = reading->session;
	const struct index *index = &session->index;
	if (def->layouts < 2 || (session->info.form == INFO_BTF && !session_is_several(session)))
		return NULL;
	const char **units = *units_slot(reading, def);
	size_t count = 0;
	if (units[0])
		return units;
	for (size_t i = session->entries[def - index->defs].group; count < def->layouts; i++) {
		if (i < index->count && session_same_group(&index->defs[i], def)) {
			if (session_same_entry(&index->defs[i], def))
				units[count++] = unit_text(reading, types, &index->defs[i]);
		} else {
			units[count++] = "";
		}
	}
	return units;
}

/* The definitions of these names. */
static struct session_defs find_others(
	const struct session *session, const struct session_names *needs)
{
	const struct index *index = &session->index;
	struct session_defs others = {
		.items = arena_new(session->arena, index->count, sizeof(*others.items))};
	for (size_t i = 0; i < index->count && needs->count; i++)
		for (size_t j = 0; j < needs->count; j++)
			if (index_name_matches(
				    needs->items[j], index->defs[i].scope, index->defs[i].name)) {
				others.items[others.count++] = &index->defs[i];
				break;
			}
	return others;
}

static struct error *lay_out_others(struct session *session, const struct session_defs *others,
	const struct reading *reading, const struct info_type *types)
{
	const struct layout **layouts = arena_new(session->arena, others->count, sizeof(*layouts));
	struct layout *storage = arena_new(session->arena, others->count, sizeof(*storage));
	size_t count = 0;
	for (size_t i = 0; i < others->count; i++) {
		const char *name = others->items[i]->name;
		const struct info_type *type = &types[place_of(reading, others->items[i])];
		if (!type->types)
			continue;
		struct error *error = layout_build(session->arena, type->types, type->id, name,
			session->frame.line_bytes, &storage[count]);
		if (error)
			return error_wrap(error, "%s: struct %s", session->object.path, name);
		layouts[count] = &storage[count];
		count++;
	}
	session->options.context.others =
		(struct access_others){.layouts = layouts, .count = count};
	return NULL;
}

/* Are all layouts of that name among what is asked for? */
static bool is_all_asked(const struct session_defs *defs, const struct index_def *def)
{
	uint32_t count = 0;
	if (def->layouts < 2)
		return true;
	for (size_t i = 0; i < defs->count; i++)
		count += session_same_entry(defs->items[i], def);
	return count >= def->layouts;
}

struct error *session_read(
	struct session *session, const struct session_defs *defs, struct report_source **ret)
{
	struct arena *arena = session->arena;
	const struct index *index = &session->index;
	struct reading reading = {
		.session = session,
		.defs = arena_new(arena, index->count, sizeof(*reading.defs)),
		.places = arena_new(arena, index->count, sizeof(*reading.places)),
		.units = arena_new(arena, index->count, sizeof(*reading.units)),
	};
	struct session_names needs = collect_needs(session, defs);
	struct session_defs others = find_others(session, &needs);
	for (size_t i = 0; i < defs->count; i++)
		want(&reading, defs->items[i]);
	size_t asked = reading.count;
	for (size_t i = 0; i < defs->count; i++)
		if (defs->items[i]->layouts > 1)
			want_siblings(&reading, defs->items[i]);
	for (size_t i = 0; i < others.count; i++)
		want(&reading, others.items[i]);
	struct info_type *types = arena_new(arena, reading.count, sizeof(*types));
	struct error *error = NULL;
	if (session_is_several(session))
		many_read(session, reading.defs, reading.count, types);
	else
		error = info_read(
			arena, &session->info, reading.defs, reading.count, session->jobs, types);
	if (!error)
		error = session_tell_definitions(
			session, reading.defs, types, reading.count, asked);
	if (!error)
		error = lay_out_others(session, &others, &reading, types);
	if (error)
		return error;
	struct report_source *sources = arena_new(arena, defs->count, sizeof(*sources));
	for (size_t i = 0; i < defs->count; i++) {
		const struct index_def *def = defs->items[i];
		const struct info_type *type = &types[place_of(&reading, def)];
		const struct index_alias *alias = session->asked_as[def - index->defs];
		sources[i] = (struct report_source){
			.types = type->types,
			.type = type->id,
			.kind = def->kind,
			.name = def->name,
			.scope = def->scope,
			.alias = alias ? alias->name : NULL,
			.alias_scope = alias ? alias->scope : NULL,
			.is_local = def->is_local,
			.unit = type->unit,
			.comp_dir = type->comp_dir,
			.is_cxx = type->is_cxx,
			.layouts = def->layouts,
			.all_shown = is_all_asked(defs, def),
			.units = units_of(&reading, types, def),
		};
		if (session_is_several(session)) {
			sources[i].binary = type->file;
			sources[i].files = def->files;
			sources[i].line_bytes = session->files[type->file].line_bytes;
		}
	}
	if (session_split_text(session))
		session_note(session, "%s: %s", session->object.path, session_split_text(session));
	*ret = sources;
	return NULL;
}

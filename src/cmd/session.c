#include "cmd/session.h"

#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access.h"
#include "base/buf.h"
#include "base/nearest.h"
#include "layout.h"
#include "read/dwarf.h"

enum { LEVELS_MAX = 256, NEEDS_MAX = 64 };

static const char default_profile[] = ".linelint.yaml";

/* A growing list of names in an arena. */
struct names {
	struct arena *arena;
	const char **items;
	size_t count, capacity;
};

static void names_add(struct names *names, const char *name)
{
	names->items = arena_grow(names->arena, names->items, &names->capacity, names->count + 1,
		sizeof(*names->items));
	names->items[names->count++] = name;
}

static bool is_same_directory(const char *left, const char *right)
{
	struct stat a, b;
	return stat(left, &a) == 0 && stat(right, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/* The nearest .linelint.yaml, as a path from here ("../.linelint.yaml"); NULL when there is none. */
static const char *find_default_profile(struct arena *arena)
{
	const char *up = "";
	for (int level = 0; level < LEVELS_MAX; level++) {
		const char *path = arena_printf(arena, "%s%s", up, default_profile);
		if (access(path, F_OK) == 0)
			return path;
		const char *parent = arena_printf(arena, "%s../", up);
		if (is_same_directory(*up ? up : ".", parent))
			return NULL;
		up = parent;
	}
	return NULL;
}

static struct error *read_profiles(
	struct arena *arena, const char *const *paths, size_t count, struct profiles *ret)
{
	struct profile *documents = arena_new(arena, count, sizeof(*documents));
	const struct profile **items = arena_new(arena, count, sizeof(*items));
	for (size_t i = 0; i < count; i++) {
		struct error *error = profile_read(arena, paths[i], EVIDENCE_STATED, &documents[i]);
		if (error)
			return error;
		items[i] = &documents[i];
	}
	*ret = (struct profiles){.items = items, .count = count};
	return NULL;
}

static struct error *read_shipped_profile(struct arena *arena, struct profiles *ret)
{
	struct profile *document = arena_new(arena, 1, sizeof(*document));
	const struct profile **items = arena_new(arena, 1, sizeof(*items));
	struct error *error = profile_parse(arena, "linux.yaml (shipped)", profile_linux_text,
		profile_linux_length, EVIDENCE_SHIPPED, document);
	if (error)
		return error;
	items[0] = document;
	*ret = (struct profiles){.items = items, .count = 1};
	return NULL;
}

/* `shipped`: they are the compiled-in ones, and hold for kernels only. */
static struct error *choose_profiles(struct arena *arena, const struct session_request *request,
	struct profiles *ret, bool *shipped)
{
	*ret = (struct profiles){0};
	*shipped = false;
	if (request->no_profiles)
		return NULL;
	if (request->profile_count)
		return read_profiles(arena, request->profiles, request->profile_count, ret);
	const char *path = find_default_profile(arena);
	if (path)
		return read_profiles(arena, &path, 1, ret);
	*shipped = true;
	return read_shipped_profile(arena, ret);
}

static void add_needs(struct names *names, const struct profile_struct *entry)
{
	const char *needs[NEEDS_MAX];
	size_t count = access_needs(names->arena, entry, needs, NEEDS_MAX);
	for (size_t i = 0; i < count && i < NEEDS_MAX; i++)
		names_add(names, needs[i]);
}

/* Is the struct of this entry among what is asked for? Its name may have a scope that the pattern leaves out. */
static bool is_asked_for(const struct session_request *request, const struct profile_struct *entry)
{
	if (request->names_of_profiles)
		return true;
	const char *last = strrchr(entry->name, ':');
	for (size_t i = 0; i < request->name_count; i++)
		if (index_name_matches(request->names[i], NULL, entry->name) ||
			(last && index_name_matches(request->names[i], NULL, last + 1)))
			return true;
	return false;
}

/* What the index must look for: NAMEs, what profiles name, and what their entries refer to. */
static struct index_query build_query(struct arena *arena, const struct session_request *request,
	const struct profiles *profiles, unsigned jobs)
{
	struct index_query query = {.jobs = jobs};
	if (!request->names && !request->names_of_profiles)
		return query;
	struct names names = {.arena = arena};
	names.items = arena_grow(arena, NULL, &names.capacity, 1, sizeof(*names.items));
	for (size_t i = 0; i < request->name_count; i++)
		names_add(&names, request->names[i]);
	for (size_t i = 0; i < profiles->count; i++) {
		const struct profile *document = profiles->items[i];
		for (size_t j = 0; j < document->struct_count; j++) {
			const struct profile_struct *entry = &document->structs[j];
			if (!is_asked_for(request, entry))
				continue;
			if (request->names_of_profiles)
				names_add(&names, entry->name);
			add_needs(&names, entry);
		}
	}
	query.patterns = names.items;
	query.pattern_count = names.count;
	return query;
}

void session_note(const struct session *session, const char *format, ...)
{
	if (!session->notes)
		return;
	struct buf text, line;
	va_list args;
	buf_init(&text);
	buf_init(&line);
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	buf_put_visible(&line, text.data);
	fprintf(session->notes, "linelint: %s\n", line.data);
	buf_release(&line);
	buf_release(&text);
}

const char *session_path_word(const struct session *session)
{
	struct buf word;
	buf_init(&word);
	buf_put_word(&word, session->object.path);
	const char *kept = arena_strndup(session->arena, word.data, word.length);
	buf_release(&word);
	return kept;
}

const char *session_split_text(const struct session *session)
{
	const struct index *index = &session->index;
	if (!index->split_units)
		return NULL;
	return arena_printf(session->arena,
		"%llu of %llu units ha%s the debug information in other files; split DWARF is not "
		"read yet, so build without -gsplit-dwarf",
		(unsigned long long)index->split_units, (unsigned long long)index->unit_count,
		index->split_units == 1 ? "s" : "ve");
}

/* Variables are read, so that a profile need not be split, and nothing is done with them. */
static void note_vars(const struct session *session)
{
	for (size_t i = 0; i < session->profiles.count; i++) {
		const struct profile *document = session->profiles.items[i];
		if (document->vars)
			session_note(session,
				"%s:%u:%u: this version does not check 'vars'; nothing is said "
				"of these variables",
				document->path, document->vars->position.line,
				document->vars->position.col);
	}
}

static void describe_binary(struct session *session)
{
	const struct object *object = &session->object;
	session->binary = (struct report_binary){
		.path = object->path,
		.format = "dwarf",
		.dwarf_version = session->index.dwarf_version,
		.machine = object->machine,
		.big_endian = object->types.big_endian,
		.pointer_bytes = object->types.pointer_bytes,
		.build_id = object->build_id,
		.is_kernel = index_has_name(&session->index, "task_struct"),
	};
	session->frame.binaries = &session->binary;
	session->frame.binary_count = 1;
}

static bool equal_or_null(const char *left, const char *right)
{
	return left && right ? strcmp(left, right) == 0 : left == right;
}

static bool is_same_name(const struct index_def *left, const struct index_def *right)
{
	return strcmp(left->name, right->name) == 0 && equal_or_null(left->scope, right->scope);
}

static bool is_same_entry(const struct index_def *left, const struct index_def *right)
{
	return left->kind == right->kind && left->is_typedef == right->is_typedef &&
	       is_same_name(left, right);
}

/* The index is by name, kind and scope: definitions that have all of them in common are neighbours. */
static bool is_same_group(const struct index_def *left, const struct index_def *right)
{
	return left->kind == right->kind && is_same_name(left, right);
}

/* The first definition of a group; the definition itself where there is none of that kind. */
static size_t find_group(const struct session *session, size_t at, enum type_kind kind)
{
	const struct index *index = &session->index;
	const struct index_def *def = &index->defs[at];
	size_t low = 0, high = index->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct index_def *other = &index->defs[middle];
		int order = strcmp(other->name, def->name);
		if (!order)
			order = (other->kind > kind) - (other->kind < kind);
		if (!order)
			order = strcmp(
				other->scope ? other->scope : "", def->scope ? def->scope : "");
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	bool found = low < index->count && index->defs[low].kind == kind &&
		     is_same_name(&index->defs[low], def);
	return found ? low : at;
}

/* What each definition of the index is among those of its name. */
static void note_entries(struct session *session)
{
	static const enum type_kind kinds[] = {TYPE_STRUCT, TYPE_UNION, TYPE_CLASS};
	const struct index *index = &session->index;
	struct session_entry *entries = arena_new(session->arena, index->count, sizeof(*entries));
	for (size_t i = 0, group = 0; i < index->count; i++) {
		if (!is_same_group(&index->defs[group], &index->defs[i]))
			group = i;
		bool is_typedef = index->defs[i].is_typedef;
		entries[i].group = group;
		entries[i].is_further = entries[group].has[is_typedef];
		entries[group].has[is_typedef] = true;
	}
	for (size_t i = 0; i < index->count; i++)
		for (size_t k = 0; index->defs[i].is_typedef && k < sizeof(kinds) / sizeof(*kinds);
			k++)
			entries[i].is_shadowed |=
				entries[find_group(session, i, kinds[k])].has[false];
	session->entries = entries;
}

static struct error *fill(
	const struct opt *opt, const struct session_request *request, struct session *session)
{
	bool shipped;
	struct error *error = object_require_dwarf(&session->object);
	if (!error)
		error = choose_profiles(session->arena, request, &session->profiles, &shipped);
	if (error)
		return error;
	struct index_query query =
		build_query(session->arena, request, &session->profiles, opt->jobs);
	error = index_build(session->arena, &session->object, &query, &session->index);
	if (error)
		return error;
	describe_binary(session);
	if (shipped && !session->binary.is_kernel)
		session->profiles = (struct profiles){0};
	note_entries(session);
	session->asked_as =
		arena_new(session->arena, session->index.count, sizeof(*session->asked_as));
	session->jobs = opt->jobs;
	session->frame.line_bytes = opt->line_bytes ? opt->line_bytes : session->object.line_bytes;
	session->options = (struct report_options){
		.line_bytes = opt->line_bytes,
		.machine_line_bytes = session->object.line_bytes,
		.profiles = &session->profiles,
		.context = {.is_kernel = session->binary.is_kernel, .threads = opt->threads},
	};
	return NULL;
}

struct error *session_open(struct arena *arena, const struct opt *opt,
	const struct session_request *request, struct session *ret)
{
	*ret = (struct session){.arena = arena, .notes = request->notes};
	struct error *error = object_open(arena, request->binary, &ret->object);
	if (error)
		return error;
	error = fill(opt, request, ret);
	if (error)
		object_close(&ret->object);
	else
		note_vars(ret);
	return error;
}

void session_close(struct session *session)
{
	object_close(&session->object);
}

static bool is_alias(const char *name, const struct index_alias *alias)
{
	return index_name_matches(name, alias->scope, alias->name);
}

const char *session_nearest(const struct session *session, const char *name)
{
	struct nearest nearest;
	char text[512];
	bool declared = index_is_declared(&session->index, name);
	for (size_t i = 0; i < session->index.alias_count && !declared; i++)
		declared = is_alias(name, &session->index.aliases[i]);
	if (declared)
		return "; it is only declared there, and defined in no unit";
	const char *last = strrchr(name, ':');
	nearest_init(&nearest, last ? last + 1 : name);
	for (size_t i = 0; i < session->index.name_count; i++)
		nearest_offer(&nearest, session->index.names[i]);
	return arena_strdup(session->arena, nearest_text(&nearest, text, sizeof(text)));
}

static void take(struct session_collection *collection, size_t at, bool tags_only)
{
	const struct session *session = collection->session;
	const struct session_entry *entry = &session->entries[at];
	struct session_defs *defs = &collection->defs;
	if (collection->taken[at])
		return;
	if ((tags_only || !collection->all_definitions) && entry->is_shadowed)
		return;
	collection->taken[at] = true;
	if (!collection->all_definitions && entry->is_further)
		return;
	defs->items = arena_grow(session->arena, defs->items, &collection->capacity,
		defs->count + 1, sizeof(*defs->items));
	defs->items[defs->count++] = &session->index.defs[at];
}

/* "struct ns::x" */
static const char *target_text(struct arena *arena, const struct index_alias *alias)
{
	return arena_printf(arena, "%s %s%s%s", type_keyword(alias->kind),
		alias->target_scope ? alias->target_scope : "", alias->target_scope ? "::" : "",
		alias->target);
}

/* What is declared, and defined in a unit that is not here. */
static struct error *incomplete(const struct session *session, const char *name)
{
	static const char advice[] = "only declared here, so it is incomplete; give a binary with "
				     "a unit that defines it";
	const struct index *index = &session->index;
	for (size_t i = 0; i < index->alias_count; i++)
		if (is_alias(name, &index->aliases[i]))
			return error_new("%s: '%s' is a typedef of %s, which is %s",
				session->object.path, name,
				target_text(session->arena, &index->aliases[i]), advice);
	for (size_t i = 0; i < index->declared_count; i++)
		if (index_name_matches(name, NULL, index->declared[i]))
			return error_new("%s: '%s' is %s", session->object.path, name, advice);
	return NULL;
}

static struct error *not_there(const struct session *session, const char *name)
{
	const char *path = session->object.path, *split = session_split_text(session);
	if (split)
		return error_new(
			"%s: no struct, union or class '%s' here, but %s", path, name, split);
	struct error *error = incomplete(session, name);
	if (error)
		return error;
	if (session->index.name_count == 0)
		return error_new(
			"%s: no struct, union or class '%s', nor any other; was it built with -g?",
			path, name);
	if (index_is_glob(name))
		return error_new(
			"%s: no struct, union or class matches '%s'; 'linelint %s list' shows all",
			path, name, session_path_word(session));
	const char *near = session_nearest(session, name);
	if (!*near)
		near = arena_printf(session->arena, "; 'linelint %s list' shows all",
			session_path_word(session));
	return error_new("%s: no struct, union or class '%s'%s", path, name, near);
}

struct session_collection session_collect(const struct session *session, bool all_definitions)
{
	return (struct session_collection){
		.session = session,
		.all_definitions = all_definitions,
		.taken = arena_new(session->arena, session->index.count, sizeof(bool)),
	};
}

/* A bare identifier can only be the name itself: the entries are sorted by it. */
static bool is_identifier(const char *name)
{
	return !name[strspn(
		name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789")];
}

/* The first entry whose name is not before `name`. */
static size_t first_entry(const struct index *index, const char *name)
{
	size_t low = 0, high = index->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strcmp(index->defs[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Takes what a typedef of that name leads to; false when there is none, or no definition of it. */
static bool take_aliases(struct session_collection *collection, const char *name)
{
	const struct session *session = collection->session;
	const struct index *index = &session->index;
	bool found = false;
	for (size_t i = 0; i < index->alias_count; i++) {
		const struct index_alias *alias = &index->aliases[i];
		if (!is_alias(name, alias))
			continue;
		bool defined = false;
		for (size_t j = first_entry(index, alias->target); j < index->count; j++) {
			const struct index_def *def = &index->defs[j];
			if (strcmp(def->name, alias->target) != 0)
				break;
			if (def->kind != alias->kind ||
				!equal_or_null(def->scope, alias->target_scope))
				continue;
			take(collection, j, true);
			session->asked_as[j] = alias;
			defined = true;
		}
		if (defined)
			session_note(session, "%s: %s%s%s is a typedef of %s", session->object.path,
				alias->scope ? alias->scope : "", alias->scope ? "::" : "",
				alias->name, target_text(session->arena, alias));
		found |= defined;
	}
	return found;
}

struct error *session_collect_name(struct session_collection *collection, const char *name)
{
	const struct session *session = collection->session;
	const struct index *index = &session->index;
	bool found = false, glob = index_is_glob(name), bare = is_identifier(name);
	for (size_t i = bare ? first_entry(index, name) : 0; i < index->count; i++) {
		if (bare && strcmp(index->defs[i].name, name) != 0)
			break;
		if (index_name_matches(name, index->defs[i].scope, index->defs[i].name)) {
			take(collection, i, !glob);
			found = true;
		}
	}
	return found || take_aliases(collection, name) ? NULL : not_there(session, name);
}

struct error *session_find(const struct session *session, const char *const *names, size_t count,
	bool all_definitions, struct session_defs *ret)
{
	struct session_collection collection = session_collect(session, all_definitions);
	for (size_t i = 0; i < count; i++) {
		struct error *error = session_collect_name(&collection, names[i]);
		if (error)
			return error;
	}
	*ret = collection.defs;
	return NULL;
}

void session_find_all(const struct session *session, bool all_definitions, struct session_defs *ret)
{
	struct session_collection collection = session_collect(session, all_definitions);
	for (size_t i = 0; i < session->index.count; i++)
		take(&collection, i, false);
	*ret = collection.defs;
}

/* ---- reading ---- */

/* Which definitions to read, each once. */
struct reading {
	const struct session *session;
	const struct index_def **defs;
	size_t count;
	/* by index of the definition: place in defs, plus 1; 0 when it is not to be read */
	uint32_t *places;
	/* by index of a group's first definition, of its tags and of its typedefs: their units, once they are wanted */
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
	return &reading->units[session->entries[def - session->index.defs].group][def->is_typedef];
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
		i < index->count && is_same_group(&index->defs[i], def); i++)
		if (is_same_entry(&index->defs[i], def))
			want(reading, &index->defs[i]);
}

static const char *qualify(struct arena *arena, const char *scope, const char *name)
{
	return scope ? arena_printf(arena, "%s::%s", scope, name) : name;
}

/* Names that the profile entries of these definitions refer to. */
static struct names collect_needs(const struct session *session, const struct session_defs *defs)
{
	struct names names = {.arena = session->arena};
	for (size_t i = 0; i < defs->count && session->profiles.count; i++) {
		const struct index_def *def = defs->items[i];
		const struct index_alias *alias = session->asked_as[def - session->index.defs];
		const struct profile_struct *entry = profiles_find(&session->profiles, def->name,
			qualify(session->arena, def->scope, def->name));
		if (!entry && alias)
			entry = profiles_find(&session->profiles, alias->name,
				qualify(session->arena, alias->scope, alias->name));
		if (entry)
			add_needs(&names, entry);
	}
	return names;
}

/* The units of all layouts under the name of `def`; NULL when it is the only one. */
static const char *const *units_of(
	const struct reading *reading, const struct dwarf_type *types, const struct index_def *def)
{
	const struct session *session = reading->session;
	const struct index *index = &session->index;
	if (def->layouts < 2)
		return NULL;
	const char **units = *units_slot(reading, def);
	size_t count = 0;
	if (units[0])
		return units;
	for (size_t i = session->entries[def - index->defs].group; count < def->layouts; i++) {
		if (i < index->count && is_same_group(&index->defs[i], def)) {
			if (is_same_entry(&index->defs[i], def))
				units[count++] = types[place_of(reading, &index->defs[i])].unit;
		} else {
			units[count++] = "";
		}
	}
	return units;
}

/* The definitions of these names. */
static struct session_defs find_others(const struct session *session, const struct names *needs)
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
	const struct reading *reading, const struct dwarf_type *types)
{
	const struct layout **layouts = arena_new(session->arena, others->count, sizeof(*layouts));
	struct layout *storage = arena_new(session->arena, others->count, sizeof(*storage));
	for (size_t i = 0; i < others->count; i++) {
		const char *name = others->items[i]->name;
		const struct dwarf_type *type = &types[place_of(reading, others->items[i])];
		struct error *error = layout_build(session->arena, type->types, type->id, name,
			session->frame.line_bytes, &storage[i]);
		if (error)
			return error_wrap(error, "%s: struct %s", session->object.path, name);
		layouts[i] = &storage[i];
	}
	session->options.context.others =
		(struct access_others){.layouts = layouts, .count = others->count};
	return NULL;
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
	struct names needs = collect_needs(session, defs);
	struct session_defs others = find_others(session, &needs);
	for (size_t i = 0; i < defs->count; i++) {
		want(&reading, defs->items[i]);
		if (defs->items[i]->layouts > 1)
			want_siblings(&reading, defs->items[i]);
	}
	for (size_t i = 0; i < others.count; i++)
		want(&reading, others.items[i]);
	struct dwarf_type *types = arena_new(arena, reading.count, sizeof(*types));
	struct error *error = dwarf_read(
		arena, &session->object, reading.defs, reading.count, session->jobs, types);
	if (!error)
		error = lay_out_others(session, &others, &reading, types);
	if (error)
		return error;
	struct report_source *sources = arena_new(arena, defs->count, sizeof(*sources));
	for (size_t i = 0; i < defs->count; i++) {
		const struct index_def *def = defs->items[i];
		const struct dwarf_type *type = &types[place_of(&reading, def)];
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
			.layouts = def->layouts,
			.units = units_of(&reading, types, def),
		};
	}
	if (session_split_text(session))
		session_note(session, "%s: %s", session->object.path, session_split_text(session));
	*ret = sources;
	return NULL;
}

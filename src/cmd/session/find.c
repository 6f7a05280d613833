#include "cmd/session/many.h"
#include "cmd/session/parts.h"

#include <string.h>

#include "base/nearest.h"

static bool is_alias(const char *name, const struct index_alias *alias)
{
	return index_name_matches(name, alias->scope, alias->name);
}

/* Behind the scope, whose "::" stand in no brackets. */
static const char *bare_name(const char *name)
{
	size_t depth = 0;
	const char *bare = name;
	for (const char *p = name; *p; p++) {
		if (*p == '<' || *p == '(')
			depth++;
		else if ((*p == '>' || *p == ')') && depth)
			depth--;
		else if (!depth && p[0] == ':' && p[1] == ':' && p[2])
			bare = p++ + 2;
	}
	return bare;
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
	const char *bare = bare_name(name);
	struct index all = session->index;
	if (!all.has_names) { /* this name was not asked for */
		static const char *const none[1];
		struct index_query query = {.patterns = none, .jobs = session->jobs};
		if (session_is_several(session))
			many_names(session, &all);
		else
			error_free(info_index(session->arena, &session->info, &query, &all));
	}
	nearest_init(&nearest, bare);
	for (size_t i = 0; i < all.name_count; i++)
		nearest_offer(&nearest, all.names[i]);
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
	return arena_printf(arena, "%s %s", type_keyword(alias->kind),
		type_qualify(arena, alias->target_scope, alias->target));
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
			"%s: no struct, union or class '%s', nor any other (-g1 tells of none); build with -g",
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

/* A bare identifier can only be the name itself, where there are no packages: the entries are sorted by it. */
static bool is_identifier(const char *name)
{
	return !name[strspn(
		name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789")];
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
		for (size_t j = index_first(index, alias->target); j < index->count; j++) {
			const struct index_def *def = &index->defs[j];
			if (strcmp(def->name, alias->target) != 0)
				break;
			if (def->kind != alias->kind ||
				!session_same_scope(def->scope, alias->target_scope))
				continue;
			take(collection, j, true);
			session->asked_as[j] = alias;
			defined = true;
		}
		if (defined)
			session_note(session, "%s: %s is a typedef of %s", session->object.path,
				type_qualify(session->arena, alias->scope, alias->name),
				target_text(session->arena, alias));
		found |= defined;
	}
	return found;
}

struct error *session_collect_name(struct session_collection *collection, const char *name)
{
	const struct session *session = collection->session;
	const struct index *index = &session->index;
	bool found = false, glob = index_is_glob(name), bare = is_identifier(name) && !index->has_packages;
	for (size_t i = bare ? index_first(index, name) : 0; i < index->count; i++) {
		if (bare && strcmp(index->defs[i].name, name) != 0)
			break;
		if (index_name_matches(name, index->defs[i].scope, index->defs[i].name)) {
			take(collection, i, !glob);
			found = true;
		}
	}
	if (found || take_aliases(collection, name))
		return NULL;
	for (size_t i = 0; i < index->count; i++)
		if (index_name_is_respelt(name, index->defs[i].scope, index->defs[i].name)) {
			take(collection, i, true);
			found = true;
		}
	return found ? NULL : not_there(session, name);
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

#include "cmd/session/parts.h"

#include <string.h>

bool session_same_scope(const char *left, const char *right)
{
	return left && right ? strcmp(left, right) == 0 : left == right;
}

static bool is_same_name(const struct index_def *left, const struct index_def *right)
{
	return strcmp(left->name, right->name) == 0 &&
	       session_same_scope(left->scope, right->scope);
}

bool session_same_entry(const struct index_def *left, const struct index_def *right)
{
	return left->kind == right->kind && left->is_typedef == right->is_typedef &&
	       left->alike == right->alike && is_same_name(left, right);
}

bool session_same_group(const struct index_def *left, const struct index_def *right)
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

void session_note_entries(struct session *session)
{
	static const enum type_kind kinds[] = {TYPE_STRUCT, TYPE_UNION, TYPE_CLASS};
	const struct index *index = &session->index;
	struct session_entry *entries = arena_new(session->arena, index->count, sizeof(*entries));
	uint32_t last_file[2] = {0, 0};
	for (size_t i = 0, group = 0; i < index->count; i++) {
		if (!session_same_group(&index->defs[group], &index->defs[i]))
			group = i;
		bool is_typedef = index->defs[i].is_typedef;
		/* of several files each shows its first */
		entries[i].is_further = entries[group].has[is_typedef] &&
					last_file[is_typedef] == index->defs[i].file;
		last_file[is_typedef] = index->defs[i].file;
		entries[i].group = group;
		entries[group].has[is_typedef] = true;
	}
	for (size_t i = 0; i < index->count; i++)
		for (size_t k = 0; index->defs[i].is_typedef && k < sizeof(kinds) / sizeof(*kinds);
			k++)
			entries[i].is_shadowed |=
				entries[find_group(session, i, kinds[k])].has[false];
	session->entries = entries;
}

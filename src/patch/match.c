#include "patch/match.h"

#include <stdlib.h>
#include <string.h>

/* A declaration that may be the place's. */
struct candidate {
	uint32_t item, name;
};

struct matching {
	struct arena *arena;
	const struct body *body;
	const char *file;
	struct match_place *places;
	size_t count;
	const struct match_rules *rules;
	bool *transparent; /* by item: its members count one by one */
	bool *is_open;     /* by scope: braces whose branches are at the top */
};

static const struct body_item *item_at(const struct matching *m, size_t index)
{
	return &m->body->items[index];
}

/* Is a member of that name declared in the items [first, end)? */
static bool declares(const struct matching *m, size_t first, size_t end, const char *field)
{
	for (size_t i = first; i < end; i++)
		for (size_t k = 0; k < item_at(m, i)->name_count; k++)
			if (strcmp(item_at(m, i)->names[k].name, field) == 0)
				return true;
	return false;
}

static size_t count_inside(const struct matching *m, size_t index)
{
	size_t count = 0;
	for (size_t p = 0; p < m->count; p++)
		count += declares(m, index + 1, item_at(m, index)->inner_end, m->places[p].field);
	return count;
}

/* A sole unnamed struct, as mm_struct has, of which the members are moved. */
static void find_transparent(struct matching *m)
{
	for (size_t i = 0; i < m->body->item_count; i = item_at(m, i)->inner_end)
		if (item_at(m, i)->kind == BODY_UNNAMED && item_at(m, i)->is_struct)
			m->transparent[i] = count_inside(m, i) > 1;
}

static size_t next_item(const struct matching *m, size_t index)
{
	return m->transparent[index] ? index + 1 : item_at(m, index)->inner_end;
}

/* ---- by declaration ---- */

static bool has_word(const struct matching *m, const struct body_item *item, const char *word)
{
	for (uint32_t i = item->first; i <= item->last; i++)
		if (lex_is(m->body->lex, i, word))
			return true;
	return false;
}

/* A macro among the items [first, end) has the word. */
static bool is_in_macro(const struct matching *m, size_t first, size_t end, const char *word)
{
	for (size_t i = first; i < end; i++)
		if (item_at(m, i)->kind == BODY_MACRO && has_word(m, item_at(m, i), word))
			return true;
	return false;
}

static bool has_named_member(const struct layout_member *member)
{
	for (uint32_t i = 1; i <= member->descendants; i++)
		if (*member[i].name)
			return true;
	return false;
}

/* Do the items [first, end) declare nothing, as far as can be seen? */
static bool is_empty(const struct matching *m, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++)
		if (item_at(m, i)->name_count || item_at(m, i)->kind == BODY_MACRO)
			return false;
	return true;
}

/* Does one of the names that the member's own members go by stand in the items [first, end)? Of a member without any: none does. */
static bool declares_inner(
	const struct matching *m, size_t first, size_t end, const struct match_place *place)
{
	const struct layout_member *member = place->member;
	if (*member->name)
		return declares(m, first, end, place->field);
	if (!has_named_member(member))
		return is_empty(m, first, end);
	for (uint32_t i = 1; i <= member->descendants; i++) {
		if (!*member[i].name)
			continue;
		if (declares(m, first, end, member[i].name) ||
			is_in_macro(m, first, end, member[i].name))
			return true;
		i += member[i].descendants; /* those have paths of their own */
	}
	return false;
}

/* "struct tag;" is an unnamed member of that type under -fms-extensions. */
static bool is_embedded(
	const struct matching *m, const struct body_item *item, const struct match_place *place)
{
	const struct lex *lex = m->body->lex;
	const struct types *types = m->rules->types;
	uint32_t at = item->first;
	if (*place->member->name || item->kind != BODY_OTHER || !types)
		return false;
	while (at < item->last && lex_is_one_of(lex, at, "const volatile"))
		at++;
	const char *tag = types_get(types, types_strip(types, place->member->type))->name;
	return tag && at + 2 == item->last && lex_is_one_of(lex, at, "struct union") &&
	       lex_is(lex, at + 1, tag);
}

static size_t find_candidates(const struct matching *m, const struct match_place *place,
	struct candidate *ret, size_t room)
{
	const char *field = place->field;
	size_t count = 0;
	for (size_t i = 0; i < m->body->item_count && count < room; i = next_item(m, i)) {
		const struct body_item *item = item_at(m, i);
		if (item->kind == BODY_UNNAMED && !m->transparent[i] &&
			declares_inner(m, i + 1, item->inner_end, place))
			ret[count++] = (struct candidate){(uint32_t)i, 0};
		if (is_embedded(m, item, place))
			ret[count++] = (struct candidate){(uint32_t)i, 0};
		for (size_t k = 0; k < item->name_count && count < room; k++)
			if (strcmp(item->names[k].name, field) == 0)
				ret[count++] = (struct candidate){(uint32_t)i, (uint32_t)k};
	}
	return count;
}

/* Of one candidate: does the debug information mean its line? */
static bool is_on_line(const struct matching *m, const struct candidate *candidate, uint32_t line)
{
	const struct body_item *item = item_at(m, candidate->item);
	if (!m->rules->use_lines)
		return false;
	if (item->kind == BODY_MEMBER)
		return item->names[candidate->name].line == line;
	return item->line <= line && line <= m->body->lex->tokens[item->last].line;
}

/* ---- which branches were compiled ---- */

/* Number of a branch among those at the top; BODY_NONE for any other scope. */
static uint32_t branch_number(const struct matching *m, uint32_t scope)
{
	uint32_t number = 0;
	for (uint32_t i = 0; i <= scope; i++) {
		uint32_t braces = i;
		if (m->body->scopes[i].kind != BODY_SCOPE_BRANCH)
			continue;
		while (m->body->scopes[braces].kind != BODY_SCOPE_BRACES)
			braces = m->body->scopes[braces].parent;
		if (!m->is_open[braces])
			continue;
		if (i == scope)
			return number;
		number++;
	}
	return BODY_NONE;
}

/* In a branch that was not compiled, as far as that is known. */
static bool is_dead(const struct matching *m, uint32_t scope)
{
	while (m->rules->live && (scope = body_branch_of(m->body, scope)) != BODY_NONE) {
		uint32_t number = branch_number(m, scope);
		if (number != BODY_NONE && !m->rules->live[number])
			return true;
		scope = m->body->scopes[scope].parent;
	}
	return false;
}

static void find_open(struct matching *m)
{
	m->is_open = arena_new(m->arena, m->body->scope_count, sizeof(*m->is_open));
	m->is_open[0] = true;
	for (size_t i = 0; i < m->body->item_count; i++)
		if (m->transparent[i])
			m->is_open[item_at(m, i)->inner_scope] = true;
}

const bool *match_live(struct arena *arena, const struct body *body,
	const struct match_place *places, size_t count)
{
	struct matching m = {.arena = arena, .body = body};
	bool *live = arena_new(arena, body->scope_count, sizeof(*live));
	m.places = arena_copy(arena, places, count, sizeof(*places));
	m.count = count;
	m.transparent = arena_new(arena, body->item_count, sizeof(*m.transparent));
	find_transparent(&m);
	find_open(&m);
	for (size_t p = 0; p < count; p++) {
		uint32_t scope = item_at(&m, places[p].item)->scope;
		while ((scope = body_branch_of(body, scope)) != BODY_NONE) {
			uint32_t number = branch_number(&m, scope);
			if (number != BODY_NONE)
				live[number] = true;
			scope = body->scopes[scope].parent;
		}
	}
	return live;
}

/* Only those that were compiled, when there are such. */
static size_t keep_live(const struct matching *m, struct candidate *candidates, size_t count)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++)
		if (!is_dead(m, item_at(m, candidates[i].item)->scope))
			candidates[kept++] = candidates[i];
	return kept ? kept : count;
}

/* The one on its line; else the first that stands behind the place before. */
static void choose(
	const struct matching *m, const struct candidate *candidates, size_t count, size_t index)
{
	struct match_place *place = &m->places[index];
	size_t chosen = 0, fits = 0;
	while (index && chosen + 1 < count && candidates[chosen].item <= m->places[index - 1].item)
		chosen++;
	for (size_t i = 0; i < count; i++)
		if (is_on_line(m, &candidates[i], place->member->line)) {
			chosen = i;
			fits++;
		}
	place->item = candidates[chosen].item;
	place->name = candidates[chosen].name;
	place->is_uncertain = count > 1 && fits != 1;
}

/* ---- by macro ---- */

static bool is_part(const char *field, const char *word, size_t length)
{
	size_t whole = strlen(field);
	if (length > whole || length < 2)
		return false;
	bool at_end = memcmp(field + whole - length, word, length) == 0;
	bool at_start = memcmp(field, word, length) == 0;
	return length == whole ? at_end
			       : (at_end && field[whole - length - 1] == '_') ||
					 (at_start && field[length] == '_');
}

/* Among the macro's arguments is the name, or what it is pasted from. */
static bool names_field(const struct matching *m, const struct body_item *item, const char *field)
{
	const struct lex *lex = m->body->lex;
	for (uint32_t i = item->first + 1; i <= item->last; i++)
		if (lex->tokens[i].kind == LEX_WORD &&
			is_part(field, lex->bytes + lex->tokens[i].start,
				lex->tokens[i].end - lex->tokens[i].start))
			return true;
	return false;
}

/* The whole word in it counts more than a part. */
static bool macro_by_words(
	const struct matching *m, size_t from, size_t end, struct match_place *place)
{
	for (int whole = 1; whole >= 0; whole--)
		for (size_t i = from; i < end; i = next_item(m, i)) {
			const struct body_item *item = item_at(m, i);
			if (item->kind != BODY_MACRO ||
				!(whole ? has_word(m, item, place->field)
					: names_field(m, item, place->field)))
				continue;
			place->item = (uint32_t)i;
			place->by_words = true;
			return true;
		}
	return false;
}

/* The only macro between its neighbours, or the one on its line. */
static bool macro_by_place(
	const struct matching *m, size_t from, size_t end, struct match_place *place)
{
	size_t found = 0, on_line = 0, last = 0, last_on_line = 0;
	for (size_t i = from; i < end; i = next_item(m, i)) {
		const struct candidate candidate = {(uint32_t)i, 0};
		if (item_at(m, i)->kind != BODY_MACRO)
			continue;
		last = i;
		found++;
		if (is_on_line(m, &candidate, place->member->line)) {
			last_on_line = i;
			on_line++;
		}
	}
	if (on_line != 1 && found != 1)
		return false;
	place->item = (uint32_t)(on_line == 1 ? last_on_line : last);
	return true;
}

/* ---- by a macro that renames ---- */

static bool is_taken(const struct matching *m, const bool *matched, size_t item, size_t name)
{
	for (size_t p = 0; p < m->count; p++)
		if (matched[p] && m->places[p].item == item && m->places[p].name == name)
			return true;
	return false;
}

/* "struct X X" of which X is a macro: the member of the debug information has its type's name too. */
static bool is_renamed(
	const struct matching *m, const struct body_item *item, const struct match_place *place)
{
	const struct types *types = m->rules->types;
	const char *type = types_get(types, types_strip(types, place->member->type))->name;
	const struct lex *lex = m->body->lex;
	if (item->kind != BODY_MEMBER || item->name_count != 1 || !type ||
		strcmp(type, place->field) != 0)
		return false;
	for (uint32_t i = item->first; i < item->last; i++)
		if (lex_is_one_of(lex, i, "struct union enum") &&
			lex_is(lex, i + 1, item->names[0].name))
			return true;
	return false;
}

static bool renamed_member(const struct matching *m, const bool *matched, size_t from, size_t end,
	struct match_place *place)
{
	size_t found = 0;
	for (size_t i = from; i < end; i = next_item(m, i))
		if (is_renamed(m, item_at(m, i), place) && !is_taken(m, matched, i, 0) &&
			!is_dead(m, item_at(m, i)->scope)) {
			place->item = (uint32_t)i;
			found++;
		}
	return found == 1;
}

/* ---- what does not fit ---- */

static struct error *missing(const struct matching *m, const struct match_place *place)
{
	return error_new("%s:%u: '%s' of %s is in the debug information and not here; take the "
			 "source that was built",
		m->file, m->body->place.line, place->field, m->body->name);
}

static bool has_directive(const struct matching *m, const struct body_item *item)
{
	for (uint32_t i = item->first; i <= item->last; i++)
		if (m->body->lex->tokens[i].kind == LEX_DIRECTIVE)
			return true;
	return false;
}

static struct error *check_extra(const struct matching *m)
{
	for (size_t i = 0; i < m->body->item_count; i = next_item(m, i)) {
		const struct body_item *item = item_at(m, i);
		if (item->kind != BODY_MEMBER || body_branch_of(m->body, item->scope) != BODY_NONE)
			continue;
		for (size_t k = 0; k < item->name_count; k++) {
			size_t p = 0;
			while (p < m->count && !(m->places[p].item == i && m->places[p].name == k))
				p++;
			if (p == m->count && has_directive(m, item))
				return error_new("%s:%u: a conditional stands in the declaration "
						 "of '%s'; move the members by hand",
					m->file, item->line, item->names[k].name);
			if (p == m->count)
				return error_new("%s:%u: '%s' of %s is here and not in the debug "
						 "information; "
						 "take the source that was built",
					m->file, item->names[k].line, item->names[k].name,
					m->body->name);
		}
	}
	return NULL;
}

static struct error *check_order(const struct matching *m)
{
	for (size_t p = 1; p < m->count; p++) {
		const struct match_place *before = &m->places[p - 1], *place = &m->places[p];
		if (place->item > before->item ||
			(place->item == before->item &&
				(place->name > before->name ||
					item_at(m, place->item)->kind == BODY_MACRO)))
			continue;
		return error_new("%s:%u: '%s' stands before '%s' here and behind it in the debug "
				 "information; take the "
				 "source that was built, and a build without randomised layouts",
			m->file, item_at(m, place->item)->line, place->field, before->field);
	}
	return NULL;
}

static struct error *check_bit_fields(const struct matching *m)
{
	for (size_t p = 0; p < m->count; p++) {
		const struct match_place *place = &m->places[p];
		const struct body_item *item = item_at(m, place->item);
		if (item->kind != BODY_MEMBER ||
			item->names[place->name].is_bit_field == (place->member->bit_size != 0))
			continue;
		return error_new("%s:%u: '%s' is %s here and %s in the debug information; take the "
				 "source that was built",
			m->file, item->names[place->name].line, place->field,
			place->member->bit_size ? "no bit-field" : "a bit-field",
			place->member->bit_size ? "one" : "none");
	}
	return NULL;
}

static struct error *match_macros(struct matching *m, const bool *matched)
{
	for (size_t p = 0; p < m->count; p++) {
		if (matched[p])
			continue;
		size_t from = 0, end = m->body->item_count;
		for (size_t q = 0; q < p; q++)
			if (m->places[q].item >= from)
				from = m->places[q].item;
		for (size_t q = m->count; q-- > p + 1;)
			if (matched[q] && m->places[q].item < end)
				end = m->places[q].item;
		if (!renamed_member(m, matched, from, end, &m->places[p]) &&
			!macro_by_words(m, from, end, &m->places[p]) &&
			!macro_by_place(m, from, end, &m->places[p]))
			return missing(m, &m->places[p]);
	}
	return NULL;
}

struct error *match_places(struct arena *arena, const struct body *body, const char *file,
	const struct match_rules *rules, struct match_place *places, size_t count)
{
	enum { CANDIDATES_MAX = 16 };
	struct matching m = {.arena = arena,
		.body = body,
		.file = file,
		.rules = rules,
		.places = places,
		.count = count};
	m.transparent = arena_new(arena, body->item_count, sizeof(*m.transparent));
	bool *matched = arena_new(arena, count, sizeof(*matched));
	if (body->broken)
		return error_new("%s:%u: %s; move the members by hand", file, body->broken_line,
			body->broken);
	find_transparent(&m);
	find_open(&m);
	for (size_t p = 0; p < count; p++) {
		struct candidate candidates[CANDIDATES_MAX];
		size_t found = find_candidates(&m, &places[p], candidates, CANDIDATES_MAX);
		found = keep_live(&m, candidates, found);
		if (found)
			choose(&m, candidates, found, p);
		matched[p] = found > 0;
	}
	struct error *error = match_macros(&m, matched);
	if (!error)
		error = check_extra(&m);
	if (!error)
		error = check_order(&m);
	if (!error)
		error = check_bit_fields(&m);
	return error;
}

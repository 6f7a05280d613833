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
	bool use_lines;    /* those of the debug information are the text's */
	bool *transparent; /* by item: its members count one by one */
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

static size_t find_candidates(
	const struct matching *m, const char *field, struct candidate *ret, size_t room)
{
	size_t count = 0;
	for (size_t i = 0; i < m->body->item_count && count < room; i = next_item(m, i)) {
		const struct body_item *item = item_at(m, i);
		if (item->kind == BODY_UNNAMED && !m->transparent[i] &&
			declares(m, i + 1, item->inner_end, field))
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
	if (!m->use_lines)
		return false;
	if (item->kind == BODY_MEMBER)
		return item->names[candidate->name].line == line;
	return item->line <= line && line <= m->body->lex->tokens[item->last].line;
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

static bool has_word(const struct matching *m, const struct body_item *item, const char *word)
{
	for (uint32_t i = item->first; i <= item->last; i++)
		if (lex_is(m->body->lex, i, word))
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

/* ---- what does not fit ---- */

static struct error *missing(const struct matching *m, const struct match_place *place)
{
	return error_new("%s:%u: '%s' of %s is in the debug information and not here; take the "
			 "source that was built",
		m->file, m->body->place.line, place->field, m->body->name);
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
		if (!macro_by_words(m, from, end, &m->places[p]) &&
			!macro_by_place(m, from, end, &m->places[p]))
			return missing(m, &m->places[p]);
	}
	return NULL;
}

struct error *match_places(struct arena *arena, const struct body *body, const char *file,
	struct match_place *places, size_t count, bool use_lines)
{
	enum { CANDIDATES_MAX = 16 };
	struct matching m = {.arena = arena,
		.body = body,
		.file = file,
		.places = places,
		.count = count,
		.use_lines = use_lines};
	m.transparent = arena_new(arena, body->item_count, sizeof(*m.transparent));
	bool *matched = arena_new(arena, count, sizeof(*matched));
	if (body->broken)
		return error_new("%s:%u: %s; move the members by hand", file, body->broken_line,
			body->broken);
	find_transparent(&m);
	for (size_t p = 0; p < count; p++) {
		struct candidate candidates[CANDIDATES_MAX];
		size_t found = find_candidates(&m, places[p].field, candidates, CANDIDATES_MAX);
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

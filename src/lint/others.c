#include <string.h>

#include "base/mem.h"
#include "lint/rules.h"

/* How often a written field shares a line with which of the fields that it disturbs. */

enum { OTHERS_SHOWN = 4 };

struct others {
	const struct lint *lint;
	const char **names;
	size_t *shared; /* placements in which each lies on a line of the written field */
	size_t count, shown;
};

static size_t count_shared(const struct lint *lint, size_t written, size_t other)
{
	size_t count = 0;
	for (size_t i = 0; i < lint->start_count; i++)
		count += lint_spans_meet(lint_span(&lint->one, written, lint->starts[i]),
			lint_span(&lint->one, other, lint->starts[i]));
	return count;
}

static void others_init(
	struct others *others, const struct lint *lint, const struct lint_pair *pair)
{
	size_t count = pair->other_count;
	*others = (struct others){.lint = lint,
		.names = mem_new(count, sizeof(*others->names)),
		.shared = mem_new(count, sizeof(*others->shared)),
		.count = count,
		.shown = count > OTHERS_SHOWN ? OTHERS_SHOWN : count};
	for (size_t i = 0; i < count; i++) {
		others->names[i] = lint_field_name(lint, pair->others[i]);
		others->shared[i] = count_shared(lint, pair->written, pair->others[i]);
	}
}

static void others_release(struct others *others)
{
	mem_free(others->names);
	mem_free(others->shared);
}

static bool are_alike(const struct others *others)
{
	for (size_t i = 1; i < others->count; i++)
		if (others->shared[i] != others->shared[0])
			return false;
	return true;
}

static const char *places_text(const struct others *others, size_t places, const char *names)
{
	return arena_printf(others->lint->arena, "in %zu of %zu placements with %s", places,
		others->lint->start_count, names);
}

/* "in 4 of 4 placements with hash and key", of those that are shown; NULL: none */
static const char *group_text(const struct others *others, size_t places)
{
	const char *names[OTHERS_SHOWN];
	size_t count = 0;
	for (size_t i = 0; i < others->shown; i++)
		if (others->shared[i] == places)
			names[count++] = others->names[i];
	if (!count)
		return NULL;
	return places_text(others, places, lint_list(others->lint->arena, names, count, count));
}

/* "in at least 1 of 4 placements with 3 more"; NULL: all are shown */
static const char *rest_text(const struct others *others)
{
	struct arena *arena = others->lint->arena;
	size_t least = others->lint->start_count;
	for (size_t i = others->shown; i < others->count; i++)
		least = others->shared[i] < least ? others->shared[i] : least;
	if (others->shown == others->count)
		return NULL;
	return arena_printf(arena, "in at least %zu of %zu placements with %zu more", least,
		others->lint->start_count, others->count - others->shown);
}

static const char *groups_text(const struct others *others)
{
	struct arena *arena = others->lint->arena;
	const char *text = "", *rest = rest_text(others);
	for (size_t places = others->lint->start_count; places; places--) {
		const char *group = group_text(others, places);
		if (group)
			text = arena_printf(arena, "%s%s%s", text, *text ? ", " : "", group);
	}
	return rest ? arena_printf(arena, "%s, %s", text, rest) : text;
}

const char *lint_with_others(const struct lint *lint, const struct lint_pair *pair)
{
	struct others others;
	others_init(&others, lint, pair);
	const char *list = lint_list(lint->arena, others.names, others.count, OTHERS_SHOWN);
	const char *text = lint->start_count == 1 ? arena_printf(lint->arena, "with %s", list)
			   : are_alike(&others)   ? places_text(&others, others.shared[0], list)
						  : groups_text(&others);
	others_release(&others);
	return text;
}

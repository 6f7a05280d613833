#include "render/text_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/text.h"

static void put(struct text_pair_list *list, struct suggest_pair pair)
{
	list->pairs[list->count++] = pair;
	list->sum += pair.price;
}

static int compare_names(const struct suggest_pair *a, const struct suggest_pair *b)
{
	int by = strcmp(a->written, b->written);
	return by ? by : strcmp(a->other, b->other);
}

static int compare_dear(const void *left, const void *right)
{
	const struct suggest_pair *a = left, *b = right;
	if (fabs(a->price - b->price) > 1e-9)
		return a->price > b->price ? -1 : 1;
	return compare_names(a, b);
}

static int compare_paying(const void *left, const void *right)
{
	const struct suggest_pair *a = left, *b = right;
	if (fabs(a->price - b->price) > 1e-9)
		return a->price < b->price ? -1 : 1;
	return compare_names(a, b);
}

static void sort(struct text_pair_list *list, int (*compare)(const void *, const void *))
{
	if (list->count)
		qsort(list->pairs, list->count, sizeof(*list->pairs), compare);
}

/* The part of the placements in which they share a line grows. */
static bool comes_closer(const struct suggest_pair *pair, const struct text_parts *parts)
{
	return pair->places_after * parts->places_before >
	       pair->places_before * parts->places_after;
}

struct text_parts text_parts(
	struct arena *arena, const struct report_struct *report, const struct suggestion *s)
{
	struct text_parts parts = {.other = s->other,
		.all = s->cost_after - s->cost_before,
		.places_before = report->access.model.start_count,
		.places_after = s->placements_after};
	parts.gone.pairs =
		arena_new(arena, s->gone_count + s->changed_count, sizeof(*parts.gone.pairs));
	parts.fresh.pairs =
		arena_new(arena, s->fresh_count + s->changed_count, sizeof(*parts.fresh.pairs));
	parts.together.pairs =
		arena_new(arena, s->fresh_count + s->changed_count, sizeof(*parts.fresh.pairs));
	for (size_t i = 0; i < s->gone_count; i++)
		put(&parts.gone, s->gone[i]);
	for (size_t i = 0; i < s->fresh_count; i++)
		put(s->fresh[i].price <= -TEXT_NOTHING ? &parts.together : &parts.fresh,
			s->fresh[i]);
	for (size_t i = 0; i < s->changed_count; i++) {
		struct suggest_pair pair = s->changed[i];
		if (comes_closer(&pair, &parts)) {
			put(pair.price <= -TEXT_NOTHING ? &parts.together : &parts.fresh, pair);
		} else {
			pair.price = -pair.price;
			put(&parts.gone, pair);
		}
	}
	sort(&parts.gone, compare_dear);
	sort(&parts.fresh, compare_dear);
	sort(&parts.together, compare_paying);
	return parts;
}

static const char *add(struct arena *arena, const char *text, const char *name, double sum)
{
	if (fabs(sum) < TEXT_NOTHING)
		return text;
	return arena_printf(arena, "%s%s%s %s%s", text, *text ? ", " : "", name, sum > 0 ? "+" : "",
		text_cost(arena, sum));
}

const char *text_parts_sum(struct arena *arena, const struct text_parts *parts)
{
	const char *text = add(arena, "", "gone", -parts->gone.sum);
	text = add(arena, text, "new", parts->fresh.sum);
	text = add(arena, text, "together", parts->together.sum);
	if (!*text)
		return NULL;
	text = add(arena, text, "other", parts->other);
	return arena_printf(arena, "%s: in all %s%s", text, parts->all > 0 ? "+" : "",
		text_cost(arena, parts->all));
}

const char *text_parts_places(
	struct arena *arena, const struct text_parts *parts, const struct suggest_pair *pair)
{
	if (!pair->places_before)
		return "";
	if (parts->places_before == parts->places_after)
		return arena_printf(arena, " in %zu -> %zu of %zu placements", pair->places_before,
			pair->places_after, parts->places_after);
	return arena_printf(arena, " in %zu of %zu -> %zu of %zu placements", pair->places_before,
		parts->places_before, pair->places_after, parts->places_after);
}

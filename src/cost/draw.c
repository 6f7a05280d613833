#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "cost/pass.h"

enum {
	EDGES_MAX =
		16, /* elements of an array that lie partly on one line; of sane ones there are two */
	DRAWS_MAX = 64, /* of elements that differ on a line */
};

/* Elements of an array that look alike to the line at hand, and the share of them. */
struct draw {
	double chance;
	double *shares; /* [field of the array] */
};

/* An array of which the role at hand accesses elements more than once on the line at hand. */
struct drawn {
	uint32_t array;
	size_t *places; /* its fields, as indices into the pass' places */
	size_t place_count;
	struct draw draws[EDGES_MAX + 2];
	size_t draw_count; /* 0: there are too many; each access draws its own */
};

/* Elements [first, end). */
struct range {
	double first, end;
};

/* Those of a field that reach the line, and those that lie on it entirely. */
static void ranges_of(const struct pass *pass, const struct place *place, double line_off,
	struct range *reach, struct range *whole)
{
	const struct cost_field *field = &pass->model->fields[place->field];
	double apart = field->element_bytes, part = cost_part_bytes(field),
	       count = cost_element_count(field);
	double line_end = line_off + pass->model->line_bytes;
	*reach = (struct range){floor((line_off - place->from - part) / apart) + 1,
		ceil((line_end - place->from) / apart)};
	*whole = (struct range){ceil((line_off - place->from) / apart),
		floor((line_end - place->from - part) / apart) + 1};
	reach->first = cost_larger(reach->first, 0);
	whole->first = cost_larger(whole->first, 0);
	reach->end = cost_smaller(reach->end, count);
	whole->end = cost_smaller(whole->end, count);
}

static void draw_add(struct drawn *drawn, double chance, const double *shares)
{
	size_t bytes = drawn->place_count * sizeof(*shares);
	if (!(chance > 0))
		return;
	for (size_t i = 0; i < drawn->draw_count; i++) {
		if (memcmp(drawn->draws[i].shares, shares, bytes) == 0) {
			drawn->draws[i].chance += chance;
			return;
		}
	}
	struct draw *draw = &drawn->draws[drawn->draw_count++];
	draw->chance = chance;
	draw->shares = mem_new(drawn->place_count, sizeof(*shares));
	memcpy(draw->shares, shares, bytes);
}

/* All elements: those that reach the line partly one by one, those wholly on it, and the rest. */
static void draws_find(const struct pass *pass, struct drawn *drawn, size_t line)
{
	double line_bytes = pass->model->line_bytes, line_off = line * line_bytes, count = 1;
	struct range reach = {HUGE_VAL, 0}, whole = {0, HUGE_VAL};
	for (size_t i = 0; i < drawn->place_count; i++) {
		const struct place *place = &pass->places[drawn->places[i]];
		struct range one_reach, one_whole;
		ranges_of(pass, place, line_off, &one_reach, &one_whole);
		count = cost_larger(count, cost_element_count(&pass->model->fields[place->field]));
		reach.first = cost_smaller(reach.first, one_reach.first);
		reach.end = cost_larger(reach.end, one_reach.end);
		whole.first = cost_larger(whole.first, one_whole.first);
		whole.end = cost_smaller(whole.end, one_whole.end);
	}
	if (!(whole.first < whole.end))
		whole.first = whole.end = reach.end;
	reach.end = cost_larger(reach.end, reach.first);
	if (reach.end - reach.first - (whole.end - whole.first) > EDGES_MAX)
		return;
	double *shares = mem_new(drawn->place_count, sizeof(*shares));
	draw_add(drawn, (count - (reach.end - reach.first)) / count, shares);
	for (double k = reach.first; k < reach.end;) {
		double alike =
			k == whole.first && whole.end > whole.first ? whole.end - whole.first : 1;
		for (size_t i = 0; i < drawn->place_count; i++) {
			const struct place *place = &pass->places[drawn->places[i]];
			const struct cost_field *field = &pass->model->fields[place->field];
			shares[i] = cost_share_on(place->from + k * field->element_bytes,
				cost_part_bytes(field), line_off, line_bytes);
		}
		draw_add(drawn, alike / count, shares);
		k += alike;
	}
	mem_free(shares);
}

static void draws_drop(struct drawn *drawn)
{
	for (size_t i = 0; i < drawn->draw_count; i++)
		mem_free(drawn->draws[i].shares);
	drawn->draw_count = 0;
}

/* Accesses of the role at hand to an array on the line at hand. */
static size_t hits_of(const struct pass *pass, uint32_t role, uint32_t array)
{
	size_t hits = 0;
	for (size_t i = 0; i < pass->hit_count; i++) {
		uint32_t field = pass->model->roles[role].accesses[pass->hits[i]].field;
		hits += pass->model->fields[field].place == COST_SPREAD &&
			pass->model->fields[field].array == array;
	}
	return hits;
}

/* The arrays of which it matters that one operation draws one element; returns how many there are. */
size_t cost_drawn_find(
	const struct pass *pass, uint32_t role, size_t line, struct drawn **ret, size_t *ways)
{
	struct drawn *drawn = NULL;
	size_t count = 0, capacity = 0, draws = 1;
	for (size_t i = 0; i < pass->place_count; i++) {
		const struct cost_field *field = &pass->model->fields[pass->places[i].field];
		bool known = false;
		for (size_t k = 0; k < count; k++)
			known |= drawn[k].array == field->array;
		if (!cost_has_elements(field) || field->place != COST_SPREAD || !field->array ||
			known || hits_of(pass, role, field->array) < 2)
			continue;
		drawn = mem_grow(drawn, &capacity, count + 1, sizeof(*drawn));
		struct drawn *array = &drawn[count++];
		*array = (struct drawn){.array = field->array,
			.places = mem_new(pass->place_count, sizeof(*array->places))};
		for (size_t k = i; k < pass->place_count; k++) {
			const struct cost_field *other =
				&pass->model->fields[pass->places[k].field];
			if (cost_has_elements(other) && other->place == COST_SPREAD &&
				other->array == field->array)
				array->places[array->place_count++] = k;
		}
		draws_find(pass, array, line);
		if (draws * array->draw_count > DRAWS_MAX)
			draws_drop(array);
		draws *= array->draw_count ? array->draw_count : 1;
	}
	*ret = drawn;
	*ways = draws;
	return count;
}

void cost_drawn_free(struct drawn *drawn, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		draws_drop(&drawn[i]);
		mem_free(drawn[i].places);
	}
	mem_free(drawn);
}

/* Draws one element of each array: number `which` of all the ways to do so. Returns its chance. */
double cost_draw_elements(struct pass *pass, const struct drawn *drawn, size_t count, size_t which)
{
	double chance = 1;
	for (size_t i = 0; i < count; i++) {
		if (!drawn[i].draw_count)
			continue;
		const struct draw *draw = &drawn[i].draws[which % drawn[i].draw_count];
		which /= drawn[i].draw_count;
		chance *= draw->chance;
		for (size_t k = 0; k < drawn[i].place_count; k++)
			pass->shares[pass->places[drawn[i].places[k]].field] = draw->shares[k];
	}
	return chance;
}

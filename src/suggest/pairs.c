#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "suggest/second.h"

enum { PAIRS_MAX = 4096 };

struct span {
	uint64_t first, last;
};

static struct span span_of(const struct cost_model *model, size_t field, uint64_t start)
{
	uint64_t first = start + model->fields[field].off_bytes;
	return (struct span){first / model->line_bytes,
		(first + model->fields[field].size_bytes - 1) / model->line_bytes};
}

static bool meet(struct span a, struct span b)
{
	return a.first <= b.last && b.first <= a.last;
}

/* In some placement. */
static bool share(const struct cost_model *model, size_t a, size_t b)
{
	for (size_t i = 0; i < model->start_count; i++)
		if (meet(span_of(model, a, model->starts[i]), span_of(model, b, model->starts[i])))
			return true;
	return false;
}

/*
 * What it costs that two share a line: with both of them on lines of their own, as they lie to each other, against each
 * by itself. So what else is on that line does not count.
 */
static double price_of(const struct access_map *map, size_t a, size_t b)
{
	struct arena scratch;
	struct cost_model model = map->model;
	struct cost_field *fields = mem_new(model.field_count, sizeof(*fields));
	uint64_t end = model.size_bytes, line = model.line_bytes;
	memcpy(fields, model.fields, model.field_count * sizeof(*fields));
	for (size_t i = 0; i < model.field_count; i++) {
		uint64_t own = fields[i].off_bytes + fields[i].size_bytes;
		end = own > end ? own : end;
	}
	uint64_t lowest = fields[a].off_bytes < fields[b].off_bytes ? fields[a].off_bytes
								    : fields[b].off_bytes;
	uint64_t away = (end / line + 2 - lowest / line) * line;
	uint64_t size = fields[a].size_bytes > fields[b].size_bytes ? fields[a].size_bytes
								    : fields[b].size_bytes;
	arena_init(&scratch);
	model.fields = fields;
	if (model.instance == INSTANCE_ARRAY)
		model.instance = INSTANCE_SHARED;
	fields[a].off_bytes += away;
	fields[b].off_bytes += away;
	double together = cost_total(&scratch, &model);
	fields[b].off_bytes += (2 * size / line + 4) * line;
	double apart = cost_total(&scratch, &model);
	arena_release(&scratch);
	mem_free(fields);
	return together - apart;
}

static bool is_accessed(const struct access_field *field)
{
	return field->reads + field->writes > 0;
}

/* Some byte is both's: they are one. */
static bool overlap(const struct access_field *a, const struct access_field *b)
{
	return layout_first_byte(a->member) <= layout_last_byte(b->member) &&
	       layout_first_byte(b->member) <= layout_last_byte(a->member);
}

/* One that may matter: both are accessed, one of them is written, and they are not the same bytes. */
static bool is_pair(const struct access_field *a, const struct access_field *b)
{
	return is_accessed(a) && is_accessed(b) && a->writes + b->writes > 0 && !overlap(a, b);
}

static int compare_pairs(const void *left, const void *right)
{
	const struct suggest_pair *a = left, *b = right;
	if (a->price < b->price - 1e-9 || a->price > b->price + 1e-9)
		return a->price > b->price ? -1 : 1;
	int by = strcmp(a->written, b->written);
	return by ? by : strcmp(a->other, b->other);
}

/* [field of `here`]: the field of that name `there`; SIZE_MAX: there is none. */
static size_t *find_counterparts(const struct access_map *here, const struct access_map *there)
{
	size_t *ret = mem_new(here->field_count, sizeof(*ret));
	for (size_t i = 0; i < here->field_count; i++) {
		const char *path = here->fields[i].member->path;
		ret[i] = SIZE_MAX;
		for (size_t n = 0; n < there->field_count && ret[i] == SIZE_MAX; n++) {
			size_t k = (i + n) % there->field_count; /* mostly in the same place */
			if (strcmp(there->fields[k].member->path, path) == 0)
				ret[i] = k;
		}
	}
	return ret;
}

static bool share_there(const struct access_map *there, size_t a, size_t b)
{
	return a != SIZE_MAX && b != SIZE_MAX && share(&there->model, a, b);
}

const struct suggest_pair *suggest_pairs(struct arena *arena, const struct access_map *here,
	const struct access_map *there, size_t *ret)
{
	struct suggest_pair *pairs = NULL;
	size_t count = 0, capacity = 0;
	size_t *counterparts = find_counterparts(here, there);
	for (size_t i = 0; i < here->field_count; i++) {
		for (size_t k = i + 1; k < here->field_count && count < PAIRS_MAX; k++) {
			const struct access_field *a = &here->fields[i], *b = &here->fields[k];
			if (!is_pair(a, b) || !share(&here->model, i, k) ||
				share_there(there, counterparts[i], counterparts[k]))
				continue;
			bool first = a->writes >= b->writes;
			pairs = arena_grow(arena, pairs, &capacity, count + 1, sizeof(*pairs));
			pairs[count++] = (struct suggest_pair){
				.written = first ? a->member->path : b->member->path,
				.other = first ? b->member->path : a->member->path,
				.price = price_of(here, i, k),
			};
		}
	}
	mem_free(counterparts);
	if (count)
		qsort(pairs, count, sizeof(*pairs), compare_pairs);
	*ret = count;
	return pairs;
}

static size_t count_shares(const struct cost_model *model, size_t a, size_t b)
{
	size_t count = 0;
	for (size_t i = 0; i < model->start_count; i++)
		count += meet(
			span_of(model, a, model->starts[i]), span_of(model, b, model->starts[i]));
	return count;
}

/* Pairs that share a line in both, but not in the same part of the placements. */
static const struct suggest_pair *find_changed(struct arena *arena, const struct access_map *before,
	const struct access_map *after, size_t *ret)
{
	struct suggest_pair *pairs = NULL;
	size_t count = 0, capacity = 0;
	size_t *there = find_counterparts(before, after);
	for (size_t i = 0; i < before->field_count; i++) {
		for (size_t k = i + 1; k < before->field_count && count < PAIRS_MAX; k++) {
			const struct access_field *a = &before->fields[i], *b = &before->fields[k];
			if (there[i] == SIZE_MAX || there[k] == SIZE_MAX || !is_pair(a, b))
				continue;
			size_t old = count_shares(&before->model, i, k);
			size_t new = count_shares(&after->model, there[i], there[k]);
			if (!old || !new ||
				old * after->model.start_count == new * before->model.start_count)
				continue;
			bool first = a->writes >= b->writes;
			pairs = arena_grow(arena, pairs, &capacity, count + 1, sizeof(*pairs));
			pairs[count++] = (struct suggest_pair){
				.written = first ? a->member->path : b->member->path,
				.other = first ? b->member->path : a->member->path,
				.price = price_of(after, there[i], there[k]) -
					 price_of(before, i, k),
				.places_before = old,
				.places_after = new,
			};
		}
	}
	mem_free(there);
	if (count)
		qsort(pairs, count, sizeof(*pairs), compare_pairs);
	*ret = count;
	return pairs;
}

static double sum_of(const struct suggest_pair *pairs, size_t count)
{
	double sum = 0;
	for (size_t i = 0; i < count; i++)
		sum += pairs[i].price;
	return sum;
}

void second_pairs(struct arena *arena, const struct access_map *before,
	const struct access_map *after, struct suggestion *ret)
{
	if (before->field_count != after->field_count)
		return;
	ret->gone = suggest_pairs(arena, before, after, &ret->gone_count);
	ret->fresh = suggest_pairs(arena, after, before, &ret->fresh_count);
	ret->changed = find_changed(arena, before, after, &ret->changed_count);
	ret->other =
		ret->cost_after - ret->cost_before -
		(sum_of(ret->fresh, ret->fresh_count) + sum_of(ret->changed, ret->changed_count) -
			sum_of(ret->gone, ret->gone_count));
}

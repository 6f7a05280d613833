#include "render/json_value.h"

#include <string.h>

static cJSON *natural_or_null(uint64_t value)
{
	return value ? natural(value) : must(cJSON_CreateNull());
}

static cJSON *moves_item(const struct suggestion *suggestion)
{
	cJSON *array = must(cJSON_CreateArray());
	for (size_t i = 0; i < suggestion->move_count; i++) {
		cJSON *object = must(cJSON_CreateObject());
		add(object, "field", text(suggestion->moves[i].field));
		add(object, "after", text_or_null(suggestion->moves[i].after));
		add(object, "align", natural_or_null(suggestion->moves[i].align_bytes));
		add(object, "stays", boolean(suggestion->moves[i].stays));
		cJSON_AddItemToArray(array, object);
	}
	return array;
}

static cJSON *order_item(const struct suggestion *suggestion)
{
	cJSON *array = must(cJSON_CreateArray());
	for (size_t i = 0; i < suggestion->order_count; i++) {
		const struct suggest_place *place = &suggestion->order[i];
		cJSON *object = must(cJSON_CreateObject());
		add(object, "field", text(place->field));
		add(object, "offset", natural(place->off_bits / 8));
		if (place->member->bit_size)
			add(object, "bit_offset", natural(place->off_bits % 8));
		cJSON_AddItemToArray(array, object);
	}
	return array;
}

cJSON *json_pairs(const struct suggest_pair *pairs, size_t count)
{
	cJSON *array = must(cJSON_CreateArray());
	for (size_t i = 0; i < count; i++) {
		cJSON *object = must(cJSON_CreateObject());
		add(object, "written", text(pairs[i].written));
		add(object, "other", text(pairs[i].other));
		add(object, "price", real(pairs[i].price));
		cJSON_AddItemToArray(array, object);
	}
	return array;
}

static cJSON *changed_item(const struct suggestion *suggestion)
{
	cJSON *array = must(cJSON_CreateArray());
	for (size_t i = 0; i < suggestion->changed_count; i++) {
		const struct suggest_pair *it = &suggestion->changed[i];
		cJSON *object = must(cJSON_CreateObject());
		cJSON *placements = must(cJSON_CreateArray());
		cJSON_AddItemToArray(placements, natural(it->places_before));
		cJSON_AddItemToArray(placements, natural(it->places_after));
		add(object, "written", text(it->written));
		add(object, "other", text(it->other));
		add(object, "placements", placements);
		add(object, "price", real(it->price));
		cJSON_AddItemToArray(array, object);
	}
	return array;
}

static cJSON *lines_item(uint64_t first, uint64_t last)
{
	cJSON *array = must(cJSON_CreateArray());
	cJSON_AddItemToArray(array, natural(first));
	cJSON_AddItemToArray(array, natural(last));
	return array;
}

static cJSON *collateral_item(const struct suggestion *suggestion)
{
	cJSON *array = must(cJSON_CreateArray());
	for (size_t i = 0; i < suggestion->collateral_count; i++) {
		const struct suggest_collateral *it = &suggestion->collateral[i];
		cJSON *object = must(cJSON_CreateObject());
		add(object, "field", text(it->field));
		add(object, "lines_before",
			lines_item(it->first_line_before, it->last_line_before));
		add(object, "lines", lines_item(it->first_line_after, it->last_line_after));
		cJSON_AddItemToArray(array, object);
	}
	return array;
}

static cJSON *destinations_item(const struct suggestion *suggestion)
{
	cJSON *array = must(cJSON_CreateArray());
	for (size_t i = 0; i < suggestion->destination_count; i++) {
		const struct suggest_destination *it = &suggestion->destinations[i];
		cJSON *object = must(cJSON_CreateObject());
		add(object, "after", text_or_null(it->after));
		add(object, "line", natural(it->line));
		add(object, "size", natural(it->size_bytes));
		add(object, "cost", real(it->cost));
		add(object, "growth", real(it->growth));
		cJSON_AddItemToArray(array, object);
	}
	return array;
}

/* Fingerprints of the findings that it mends, in part or whole. */
static cJSON *mends_item(const struct report_struct *report, const struct suggestion *suggestion)
{
	cJSON *array = must(cJSON_CreateArray());
	for (size_t i = 0; i < report->lint.finding_count; i++) {
		const struct finding *finding = &report->lint.findings[i];
		if (!finding->ignored && report_mends(suggestion, finding))
			cJSON_AddItemToArray(array, text(finding->fingerprint));
	}
	return array;
}

struct figures {
	uint64_t size, align, lines, stride, objects;
	double cost;
	const double *roles;
};

static struct figures figures_before(const struct suggestion *it)
{
	return (struct figures){it->size_before, it->align_before, it->lines_before,
		it->stride_before, it->objects_before, it->cost_before, it->role_before};
}

static struct figures figures_after(const struct suggestion *it)
{
	return (struct figures){it->size_after, it->align_after, it->lines_after, it->stride_after,
		it->objects_after, it->cost_after, it->role_after};
}

static void add_figures(cJSON *object, const struct access_map *map, struct figures figures)
{
	cJSON *roles = must(cJSON_CreateObject());
	for (size_t i = 0; i < map->role_count; i++)
		add(roles, map->roles[i].name, real(figures.roles[i]));
	add(object, "size", natural(figures.size));
	add(object, "align", natural(figures.align));
	add(object, "lines", natural(figures.lines));
	add(object, "stride", natural_or_null(figures.stride));
	add(object, "objects", natural_or_null(figures.objects));
	add(object, "cost", real(figures.cost));
	add(object, "roles", roles);
}

/* Its line ends and tabs are ours. */
static cJSON *definition_item(const char *definition)
{
	struct buf all, part, visible;
	buf_init(&all);
	buf_init(&part);
	buf_init(&visible);
	while (*definition) {
		size_t length = strcspn(definition, "\n\t");
		buf_clear(&part);
		buf_clear(&visible);
		buf_printf(&part, "%.*s", (int)length, definition);
		buf_put_visible(&visible, part.data);
		buf_puts(&all, visible.data);
		definition += length;
		for (; *definition == '\n' || *definition == '\t'; definition++)
			buf_printf(&all, "%c", *definition);
	}
	cJSON *item = must(cJSON_CreateString(all.data));
	buf_release(&visible);
	buf_release(&part);
	buf_release(&all);
	return item;
}

static cJSON *moves_figures(const struct report_struct *report, const struct suggestion *direct)
{
	if (!direct)
		return must(cJSON_CreateNull());
	cJSON *object = must(cJSON_CreateObject());
	add(object, "moves", moves_item(direct));
	add_figures(object, &report->access, figures_after(direct));
	return object;
}

static cJSON *suggestion_item(const struct report_struct *report, const struct suggestion *it)
{
	cJSON *object = must(cJSON_CreateObject()), *before = must(cJSON_CreateObject());
	add(object, "kind", text(suggest_kind_name(it->kind)));
	add(object, "moves", moves_item(it));
	add(object, "order", order_item(it));
	add_figures(object, &report->access, figures_after(it));
	add_figures(before, &report->access, figures_before(it));
	add(object, "before", before);
	add(object, "mends", mends_item(report, it));
	add(object, "gone", json_pairs(it->gone, it->gone_count));
	add(object, "new", json_pairs(it->fresh, it->fresh_count));
	add(object, "changed", changed_item(it));
	add(object, "other", real(it->other));
	add(object, "collateral", collateral_item(it));
	add(object, "destinations", destinations_item(it));
	add(object, "shift", text_or_null(it->shift));
	add(object, "direct", moves_figures(report, it->direct));
	add(object, "definition", definition_item(it->definition));
	return object;
}

cJSON *json_suggestions(const struct report_struct *report)
{
	cJSON *array = must(cJSON_CreateArray());
	for (int kind = 0; kind < SUGGEST_KIND_COUNT; kind++) {
		const struct suggestion *it = report_suggestion(report, (enum suggest_kind)kind);
		if (it)
			cJSON_AddItemToArray(array, suggestion_item(report, it));
	}
	return array;
}

cJSON *json_trade(const struct report_struct *report)
{
	return moves_figures(report, report->suggest_kinds ? report->suggest.trade : NULL);
}

cJSON *json_padded(const struct report_struct *report)
{
	const struct suggestion *padded = report->suggest_kinds ? report->suggest.padded : NULL;
	if (!padded)
		return must(cJSON_CreateNull());
	cJSON *object = must(cJSON_CreateObject());
	add(object, "moves", moves_item(padded));
	add_figures(object, &report->access, figures_after(padded));
	add(object, "pays", boolean(report->suggest.padded_pays));
	return object;
}

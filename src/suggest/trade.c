#include "suggest/trade.h"

#include "suggest/second.h"

enum { TRIED_MAX = 64 }; /* orders that are laid out and linted */

struct trade {
	struct arena *arena;
	const struct suggest_input *input;
	const struct order *order;
	struct order_found best;
	double gain;
	size_t tried;
};

/* What the role gains that gains most, when another one loses. */
static double gain_of(const struct trade *trade, const struct cost_result *after)
{
	const struct cost_result *before = &trade->input->result->cost;
	double most = 0;
	bool loses = false;
	for (size_t i = 0; i < trade->order->map->role_count; i++) {
		double gain = before->roles[i] - after->roles[i];
		most = gain > most ? gain : most;
		loses |= gain < -ORDER_PAYS;
	}
	return loses ? most : 0;
}

static void look_at(struct trade *trade, const struct order_found *found)
{
	struct second *second = arena_new(trade->arena, 1, sizeof(*second));
	struct error *error =
		second_build(trade->arena, trade->order, trade->input->lint, found, second);
	if (error) {
		error_free(error);
		return;
	}
	double gain = gain_of(trade, &second->lint.cost);
	if (gain < TRADE_GAIN || gain < trade->gain + ORDER_PAYS)
		return;
	trade->gain = gain;
	trade->best = *found;
}

/* Those that come to the same are one. */
static void look_at_unit(struct trade *trade, size_t unit, uint32_t align_bytes)
{
	const struct order_priced *priced;
	size_t count;
	double today = trade->input->result->cost.total;
	order_destinations(trade->arena, trade->order, unit, align_bytes, &priced, &count);
	for (size_t i = 0; i < count && trade->tried < TRIED_MAX; i++) {
		const struct order_found *found = &priced[i].found;
		bool is_today = priced[i].place == unit && !align_bytes;
		if (is_today || found->cost + priced[i].growth < today - ORDER_PAYS ||
			(i && found->size_bytes == priced[i - 1].found.size_bytes &&
				found->cost - priced[i - 1].found.cost < 1e-9))
			continue;
		trade->tried++;
		look_at(trade, found);
	}
}

static bool may_move(const struct order *order, size_t unit)
{
	return unit != SIZE_MAX && !order->units[unit].is_fixed && !order->units[unit].is_pinned;
}

static bool may_align(const struct order *order, size_t unit)
{
	const struct order_member *member = &order->members[order->units[unit].first];
	return order->constraints && order->constraints->padding_allowed && !member->is_bits &&
	       *member->source->name;
}

struct order_found trade_find(
	struct arena *arena, const struct suggest_input *input, const struct order *order)
{
	struct trade trade = {.arena = arena, .input = input, .order = order};
	const struct access_map *map = order->map;
	uint32_t line_bytes = (uint32_t)order->layout->line_bytes;
	size_t last = SIZE_MAX;
	for (size_t i = 0; i < map->field_count && map->role_count > 1; i++) {
		const struct access_field *field = &map->fields[i];
		size_t unit = order_unit_of(order, field->member->path);
		if (!(field->writes > 0) || unit == last || !may_move(order, unit))
			continue;
		last = unit;
		look_at_unit(&trade, unit, 0);
		if (may_align(order, unit))
			look_at_unit(&trade, unit, line_bytes);
	}
	return trade.best;
}

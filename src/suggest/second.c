#include "suggest/second.h"

#include <assert.h>

struct error *second_build(struct arena *arena, const struct order *order,
	const struct lint_input *before, const struct order_found *found, struct second *ret)
{
	*ret = (struct second){.sequence = {found->units, found->aligns}};
	ret->place.off_bits = arena_new(arena, order->member_count, sizeof(uint64_t));
	bool certain = order_place(order, &ret->sequence, &ret->place);
	assert(certain && "an order that was found can be laid out");
	(void)certain;
	struct error *error =
		order_layout(arena, order, &ret->sequence, &ret->place, &ret->types, &ret->layout);
	if (error)
		return error;
	access_build(arena, &ret->layout, order->map->profile, order->context, &ret->map);
	struct lint_input input = *before;
	input.layout = &ret->layout;
	input.access = &ret->map;
	lint_run(arena, &input, &ret->lint);
	return NULL;
}

#include "order/constrain.h"

/* The unit in which a path lies; SIZE_MAX: nowhere (which lint tells). */
size_t order_unit_of(const struct order *order, const char *path)
{
	const struct layout_member *member = layout_find(order->layout, path);
	for (size_t i = 0; member && i < order->member_count; i++) {
		const struct layout_member *top = order->members[i].member;
		if (member >= top && member <= top + top->descendants)
			return order->members[i].unit;
	}
	return SIZE_MAX;
}

/* How many units were marked. */
static size_t mark_names(const struct order *order, struct order_unit *units,
	const struct profile_names *names, size_t field_off)
{
	size_t count = 0;
	for (size_t i = 0; i < names->count; i++) {
		size_t unit = order_unit_of(order, names->names[i]);
		if (unit == SIZE_MAX)
			continue;
		bool *flag = (bool *)((char *)&units[unit] + field_off);
		count += !*flag;
		*flag = true;
	}
	return count;
}

void order_constrain(struct order *order, struct order_unit *units)
{
	const struct profile_constraints *constraints = order->constraints;
	if (!constraints)
		return;
	order->first_count = mark_names(
		order, units, &constraints->first, offsetof(struct order_unit, is_first));
	order->last_count =
		mark_names(order, units, &constraints->last, offsetof(struct order_unit, is_last));
	mark_names(order, units, &constraints->pin, offsetof(struct order_unit, is_pinned));
	for (size_t i = 0; constraints->pin_all && i < order->unit_count; i++)
		units[i].is_pinned = true;
}

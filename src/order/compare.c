#include "order/compare.h"

#include "order/search.h"

/* With what added lines have to earn, and a little for added bytes: growth is never for nothing. */
double compare_price(const struct search *search, const struct order_found *found)
{
	const struct order_found *today = &search->ret->today;
	double price = found->cost;
	if (found->lines > today->lines)
		price += search->line_price * (double)(found->lines - today->lines);
	if (found->size_bytes > today->size_bytes)
		price += ORDER_BYTE_PRICE * (double)(found->size_bytes - today->size_bytes);
	return price;
}

int compare_numbers(double a, double b)
{
	return a < b - COMPARE_SAME ? -1 : a > b + COMPARE_SAME;
}

static int compare_sizes(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_units(const struct search *search, const size_t *a, const size_t *b)
{
	for (size_t i = 0; i < search->count; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

/* Below 0: a is better. */
int compare_best(
	const struct search *search, const struct order_found *a, const struct order_found *b)
{
	if (!b->is_found)
		return -1;
	int by = compare_numbers(compare_price(search, a), compare_price(search, b));
	by = by ? by : compare_sizes(a->size_bytes, b->size_bytes);
	by = by ? by : compare_sizes(a->moves, b->moves);
	by = by ? by : compare_sizes(a->relocated, b->relocated);
	by = by ? by : compare_numbers(a->touched, b->touched);
	return by ? by : compare_units(search, a->units, b->units);
}

/*
 * Where few moves are wanted: what is aligned where it stands before what is moved, then what tears nothing apart, what
 * stays where it is before locality, what keeps its neighbours, and the end before the near before the far.
 */
int compare_minimal(
	const struct search *search, const struct order_found *a, const struct order_found *b)
{
	if (!b->is_found)
		return -1;
	int by = compare_numbers(compare_price(search, a), compare_price(search, b));
	by = by ? by : compare_sizes(a->size_bytes, b->size_bytes);
	by = by ? by : compare_sizes(a->relocated, b->relocated);
	by = by ? by : compare_sizes(a->torn, b->torn);
	by = by ? by : compare_sizes(a->shifted, b->shifted);
	by = by ? by : compare_numbers(a->touched, b->touched);
	by = by ? by : compare_sizes(a->breaks, b->breaks);
	by = by ? by : compare_sizes(a->distance, b->distance);
	return by ? by : compare_units(search, b->units, a->units);
}

int compare_pack(
	const struct search *search, const struct order_found *a, const struct order_found *b)
{
	if (!b->is_found)
		return -1;
	int by = compare_sizes(a->size_bytes, b->size_bytes);
	by = by ? by : compare_numbers(a->cost, b->cost);
	by = by ? by : compare_sizes(a->moves, b->moves);
	by = by ? by : compare_numbers(a->touched, b->touched);
	return by ? by : compare_units(search, a->units, b->units);
}

double compare_saving(const struct search *search, const struct order_found *found)
{
	return found->is_found
		       ? compare_price(search, &search->ret->today) - compare_price(search, found)
		       : 0;
}

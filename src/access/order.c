#include "access/order.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

/* The accesses while they are put in order; on the heap. */
struct steps {
	struct cost_access *items;
	size_t count, capacity;
};

static struct cost_access *step(
	struct steps *steps, uint32_t field, enum access_kind kind, double weight)
{
	steps->items =
		mem_grow(steps->items, &steps->capacity, steps->count + 1, sizeof(*steps->items));
	struct cost_access *access = &steps->items[steps->count++];
	*access = (struct cost_access){
		.field = field,
		.kind = kind,
		.weight = weight,
		.acquires = COST_NO_LOCK,
		.releases = COST_NO_LOCK,
	};
	return access;
}

/* What the brackets leave to the middle of the operation. */
struct bracket {
	double whole_pairs; /* of rmw, at both ends */
	double taken,
		let_go; /* a lock's rmw at the beginning and write at the end: their probabilities */
};

static struct bracket bracket_of(const struct access_use *use)
{
	double rmw = use->counts[ACCESS_RMW], write = use->counts[ACCESS_WRITE];
	if (use->lock != COST_NO_LOCK && rmw > 0 && write > 0)
		return (struct bracket){.taken = fmin(1, rmw), .let_go = fmin(1, write)};
	return (struct bracket){.whole_pairs = floor(rmw / 2)};
}

static void open_bracket(struct steps *steps, uint32_t field, const struct access_use *use)
{
	struct bracket bracket = bracket_of(use);
	if (bracket.taken > 0)
		step(steps, field, ACCESS_RMW, bracket.taken)->acquires = use->lock;
	for (double pair = 0; pair < bracket.whole_pairs; pair++) {
		struct cost_access *access = step(steps, field, ACCESS_RMW, 1);
		if (pair < 1)
			access->acquires = use->lock;
	}
}

static void close_bracket(struct steps *steps, uint32_t field, const struct access_use *use)
{
	struct bracket bracket = bracket_of(use);
	for (double pair = bracket.whole_pairs; pair > 0; pair--) {
		struct cost_access *access = step(steps, field, ACCESS_RMW, 1);
		if (pair <= 1)
			access->releases = use->lock;
	}
	if (bracket.let_go > 0)
		step(steps, field, ACCESS_WRITE, bracket.let_go)->releases = use->lock;
}

static void whole_and_fractional(
	struct steps *steps, uint32_t field, enum access_kind kind, double count)
{
	for (; count >= 1; count--)
		step(steps, field, kind, 1);
	if (count > 1e-9) /* what is less comes from subtracting */
		step(steps, field, kind, count);
}

static void middle(struct steps *steps, uint32_t field, const struct access_use *use)
{
	struct bracket bracket = bracket_of(use);
	double rmw = use->counts[ACCESS_RMW] - bracket.taken - 2 * bracket.whole_pairs;
	double write = use->counts[ACCESS_WRITE] - bracket.let_go;
	whole_and_fractional(steps, field, ACCESS_READ, use->counts[ACCESS_READ]);
	whole_and_fractional(steps, field, ACCESS_UNKNOWN, use->counts[ACCESS_UNKNOWN]);
	for (; bracket.taken >= 1 && rmw >= 1 && write >= 1; rmw--, write--) {
		step(steps, field, ACCESS_WRITE, 1)->releases = use->lock;
		step(steps, field, ACCESS_RMW, 1)->acquires = use->lock;
	}
	whole_and_fractional(steps, field, ACCESS_RMW, rmw);
	whole_and_fractional(steps, field, ACCESS_WRITE, write);
}

static void order_by_default(struct steps *steps, const struct access_order *order)
{
	for (size_t i = 0; i < order->use_count; i++)
		open_bracket(steps, (uint32_t)i, &order->uses[i]);
	for (size_t i = 0; i < order->use_count; i++)
		middle(steps, (uint32_t)i, &order->uses[i]);
	for (size_t i = order->use_count; i-- > 0;)
		close_bracket(steps, (uint32_t)i, &order->uses[i]);
}

/* Moves the mentioned accesses to the front, in the order of their mentions. */
static void order_as_stated(
	struct cost_access *accesses, size_t count, const struct access_order *order)
{
	struct cost_access *result = mem_new(count, sizeof(*result));
	bool *used = mem_new(count, sizeof(*used));
	size_t *next = mem_new(order->use_count, sizeof(*next)); /* per field: where to look on */
	size_t done = 0;
	for (size_t i = 0; i < order->sequence_count; i++) {
		uint32_t field = order->sequence[i];
		size_t at = next[field];
		while (at < count && accesses[at].field != field)
			at++;
		next[field] = at + 1;
		if (at >= count)
			continue;
		used[at] = true;
		result[done++] = accesses[at];
	}
	for (size_t i = 0; i < count; i++)
		if (!used[i])
			result[done++] = accesses[i];
	memcpy(accesses, result, count * sizeof(*accesses));
	mem_free(next);
	mem_free(used);
	mem_free(result);
}

static void mark_held(struct cost_access *accesses, size_t count, const struct access_order *order)
{
	for (size_t lock = 0; lock < order->lock_count; lock++) {
		const bool *orders = &order->orders[lock * order->use_count];
		bool held = false;
		for (size_t i = 0; i + 1 < count; i++) {
			if (accesses[i].releases == lock)
				held = false;
			if (accesses[i].acquires == lock)
				held = true;
			if (held && orders[accesses[i].field] && orders[accesses[i + 1].field])
				accesses[i + 1].held = true;
		}
	}
}

void access_order_build(
	struct arena *arena, const struct access_order *order, struct cost_role *ret)
{
	struct steps steps = {0};
	order_by_default(&steps, order);
	if (order->sequence)
		order_as_stated(steps.items, steps.count, order);
	mark_held(steps.items, steps.count, order);
	ret->accesses = arena_copy(arena, steps.items, steps.count, sizeof(*steps.items));
	ret->access_count = steps.count;
	mem_free(steps.items);
}

#include "order/contradict.h"

#include <string.h>

#include "base/number.h"
#include "profile/wish.h"

struct contradict {
	struct arena *arena;
	const struct order *order;
	const char *path; /* of the profile */
	uint64_t line_bytes;
	/* what is at the ends, padding and all: units that are to be first, and bases before them, end here at the latest */
	uint64_t front_bytes;
	uint64_t
		middle_bytes; /* units that are to be neither first nor last take so much at least */
};

static struct wish_side side(const struct wish *wish, const char *field, const char *other)
{
	return (struct wish_side){wish, field, other};
}

static struct error *contradict(
	const struct contradict *c, struct wish_side one, struct wish_side two, const char *why)
{
	return wish_contradict(c->arena, c->path, one, two, why);
}

/* ---- where things are ---- */

static const struct order_unit *unit_of(const struct contradict *c, const char *field)
{
	size_t unit = order_unit_of(c->order, field);
	return unit == SIZE_MAX ? NULL : &c->order->units[unit];
}

/* Today's bytes of a field. */
struct extent {
	uint64_t first, last;
};

static bool extent_of(const struct contradict *c, const char *field, struct extent *ret)
{
	const struct layout_member *member = layout_find(c->order->layout, field);
	if (!member || !unit_of(c, field))
		return false;
	*ret = (struct extent){layout_first_byte(member), layout_last_byte(member)};
	return true;
}

static bool pinned(const struct contradict *c, const char *field, struct extent *ret)
{
	const struct order_unit *unit = unit_of(c, field);
	return unit && unit->is_pinned && extent_of(c, field, ret);
}

static bool on_one_line(const struct contradict *c, struct extent a, struct extent b)
{
	uint64_t first = a.first < b.first ? a.first : b.first;
	uint64_t last = a.last > b.last ? a.last : b.last;
	return first / c->line_bytes == last / c->line_bytes;
}

/* Constraints ask it only of what fits on one; expectations always do. */
static bool asks(const struct contradict *c, const struct wish *together)
{
	uint64_t bytes = 0;
	for (size_t i = 0; i < together->field_count; i++) {
		struct extent extent;
		if (extent_of(c, together->fields[i], &extent))
			bytes += extent.last - extent.first + 1;
	}
	return together->kind == WISH_SAME_LINE || bytes <= c->line_bytes;
}

/* As the wish names it; else the unit's own name. */
static const char *name_in(
	const struct contradict *c, const struct wish *wish, const struct order_unit *unit)
{
	for (size_t i = 0; i < wish->field_count; i++)
		if (unit_of(c, wish->fields[i]) == unit)
			return wish->fields[i];
	return unit->name;
}

/* ---- ends ---- */

static struct error *first_and_last(
	const struct contradict *c, const struct wish *a, const struct wish *b)
{
	for (size_t i = 0; i < c->order->unit_count; i++) {
		const struct order_unit *unit = &c->order->units[i];
		if (unit->is_first && unit->is_last)
			return contradict(c, side(a, name_in(c, a, unit), NULL),
				side(b, name_in(c, b, unit), NULL), "they move as one");
	}
	return NULL;
}

/* A unit that is not pinned is to be first, where one lies that is. */
static struct error *pin_at_the_front(
	const struct contradict *c, const struct wish *a, const struct wish *b)
{
	const struct order *order = c->order;
	size_t wanted = 0;
	while (wanted < order->unit_count &&
		(!order->units[wanted].is_first || wanted < order->first_count))
		wanted++;
	for (size_t i = 0; wanted < order->unit_count && i < order->first_count; i++)
		if (order->units[i].is_pinned && !order->units[i].is_first)
			return contradict(c, side(a, name_in(c, a, &order->units[wanted]), NULL),
				side(b, name_in(c, b, &order->units[i]), NULL),
				"that one lies at the front");
	return NULL;
}

/* A unit is to be last, and one behind it is pinned there. */
static struct error *pin_at_the_end(
	const struct contradict *c, const struct wish *a, const struct wish *b)
{
	const struct order *order = c->order;
	for (size_t i = 0; i < order->unit_count; i++) {
		for (size_t k = i + 1; order->units[i].is_last && k < order->unit_count; k++) {
			const struct order_unit *behind = &order->units[k];
			if (!behind->is_last && !behind->is_fixed && behind->is_pinned)
				return contradict(c, side(a, name_in(c, a, &order->units[i]), NULL),
					side(b, name_in(c, b, behind), NULL),
					"that one lies behind it");
		}
	}
	return NULL;
}

/* One at the front, another at the end, and more between them than a line holds. */
static const char *too_far(const struct contradict *c, const struct wish *together,
	const char **first, const char **last)
{
	struct extent a, b;
	*first = *last = NULL;
	for (size_t i = 0; asks(c, together) && i < together->field_count; i++) {
		const struct order_unit *unit = unit_of(c, together->fields[i]);
		*first = unit && unit->is_first ? together->fields[i] : *first;
		*last = unit && unit->is_last ? together->fields[i] : *last;
	}
	if (!*first || !*last || !extent_of(c, *first, &a) || !extent_of(c, *last, &b))
		return NULL;
	uint64_t bytes = c->middle_bytes + a.last - a.first + 1 + b.last - b.first + 1;
	return bytes <= c->line_bytes
		       ? NULL
		       : arena_printf(c->arena,
				 "'%s' is to be first, and %llu byte%s lie%s between them", *first,
				 (unsigned long long)c->middle_bytes, number_s(c->middle_bytes),
				 c->middle_bytes == 1 ? "s" : "");
}

static struct error *ends_together(
	const struct contradict *c, const struct wish *a, const struct wish *b)
{
	const char *first, *last, *why = too_far(c, b, &first, &last);
	return why ? contradict(c, side(a, last, NULL), side(b, first, last), why) : NULL;
}

/* Where nothing is put between them, the first ones are on line 0. */
static struct error *front_apart(
	const struct contradict *c, const struct wish *a, const struct wish *b)
{
	const char *one = NULL;
	if (c->front_bytes > c->line_bytes || c->order->constraints->padding_allowed)
		return NULL;
	for (size_t i = 0; i < b->field_count; i++) {
		const struct order_unit *unit = unit_of(c, b->fields[i]);
		if (!unit || !unit->is_first)
			continue;
		if (one)
			return contradict(c, side(a, one, NULL), side(b, one, b->fields[i]),
				arena_printf(c->arena,
					"'%s' is to be first too, and the first %llu bytes are on "
					"one "
					"line",
					b->fields[i], (unsigned long long)c->front_bytes));
		one = b->fields[i];
	}
	return NULL;
}

static struct error *front_on_line(
	const struct contradict *c, const struct wish *a, const struct wish *b)
{
	const struct order_unit *unit = unit_of(c, b->fields[0]);
	if (!unit || !unit->is_first || c->order->constraints->padding_allowed || !c->front_bytes ||
		b->value <= (c->front_bytes - 1) / c->line_bytes)
		return NULL;
	return contradict(c, side(a, b->fields[0], NULL), side(b, b->fields[0], NULL),
		arena_printf(c->arena, "what is to be first ends at byte %llu at the latest",
			(unsigned long long)c->front_bytes));
}

static struct error *end_on_line(
	const struct contradict *c, const struct wish *a, const struct wish *b)
{
	const struct order_unit *unit = unit_of(c, b->fields[0]);
	if (!unit || !unit->is_last || c->middle_bytes < (b->value + 1) * c->line_bytes)
		return NULL;
	return contradict(c, side(a, b->fields[0], NULL), side(b, b->fields[0], NULL),
		arena_printf(c->arena, "%llu byte%s come%s before what is to be last",
			(unsigned long long)c->middle_bytes, number_s(c->middle_bytes),
			c->middle_bytes == 1 ? "s" : ""));
}

/* ---- pins ---- */

/* Two pinned fields on two lines. */
static struct error *pins_together(
	const struct contradict *c, const struct wish *a, const struct wish *b)
{
	for (size_t i = 0; asks(c, b) && i < b->field_count; i++) {
		struct extent one, other;
		if (!pinned(c, b->fields[i], &one))
			continue;
		for (size_t k = i + 1; k < b->field_count; k++)
			if (pinned(c, b->fields[k], &other) && !on_one_line(c, one, other))
				return contradict(c, side(a, b->fields[k], NULL),
					side(b, b->fields[i], b->fields[k]),
					arena_printf(c->arena, "'%s' is pinned on another line",
						b->fields[i]));
	}
	return NULL;
}

static struct error *pin_and_size(
	const struct contradict *c, const struct wish *a, const struct wish *b)
{
	for (size_t i = 0; i < c->order->member_count; i++) {
		const struct order_member *member = &c->order->members[i];
		const struct order_unit *unit = &c->order->units[member->unit];
		uint64_t end = (member->member->off_bits + member->size_bits + 7) / 8;
		if (unit->is_pinned && end > b->value)
			return contradict(c, side(a, name_in(c, a, unit), NULL),
				side(b, NULL, NULL),
				arena_printf(c->arena, "'%s' ends at byte %llu",
					name_in(c, a, unit), (unsigned long long)end));
	}
	return NULL;
}

/* ---- sizes ---- */

static struct error *size_and_line(
	const struct contradict *c, const struct wish *a, const struct wish *b)
{
	if (!unit_of(c, b->fields[0]) || b->value < (a->value + c->line_bytes - 1) / c->line_bytes)
		return NULL;
	return contradict(c, side(a, NULL, NULL), side(b, b->fields[0], NULL),
		arena_printf(c->arena, "line %llu begins at byte %llu",
			(unsigned long long)b->value,
			(unsigned long long)(b->value * c->line_bytes)));
}

static struct error *size_and_apart(
	const struct contradict *c, const struct wish *a, const struct wish *b)
{
	size_t fields = 0;
	for (size_t i = 0; i < b->field_count; i++)
		fields += unit_of(c, b->fields[i]) != NULL;
	if (fields < 2 || fields <= (a->value + c->line_bytes - 1) / c->line_bytes)
		return NULL;
	return contradict(c, side(a, NULL, NULL), side(b, b->fields[0], b->fields[1]),
		arena_printf(c->arena, "%zu fields apart take %zu lines of %llu", fields, fields,
			(unsigned long long)c->line_bytes));
}

/* ---- */

struct rule {
	enum wish_kind a, b;
	struct error *(*check)(
		const struct contradict *c, const struct wish *a, const struct wish *b);
};

/*
 * A pin speaks of today's offset. That an expectation does not hold there is no contradiction, but what LL009 is for.
 */
static const struct rule rules[] = {
	{WISH_FIRST, WISH_LAST, first_and_last},
	{WISH_FIRST, WISH_PIN, pin_at_the_front},
	{WISH_LAST, WISH_PIN, pin_at_the_end},
	{WISH_LAST, WISH_KEEP_TOGETHER, ends_together},
	{WISH_LAST, WISH_SAME_LINE, ends_together},
	{WISH_FIRST, WISH_APART, front_apart},
	{WISH_FIRST, WISH_LINE, front_on_line},
	{WISH_LAST, WISH_LINE, end_on_line},
	{WISH_PIN, WISH_KEEP_TOGETHER, pins_together},
	{WISH_PIN, WISH_AT_MOST, pin_and_size},
	{WISH_PIN_ALL, WISH_KEEP_TOGETHER, pins_together},
	{WISH_PIN_ALL, WISH_AT_MOST, pin_and_size},
	{WISH_AT_MOST, WISH_LINE, size_and_line},
	{WISH_MAX_SIZE, WISH_LINE, size_and_line},
	{WISH_AT_MOST, WISH_APART, size_and_apart},
	{WISH_MAX_SIZE, WISH_APART, size_and_apart},
};

static void measure(struct contradict *c)
{
	const struct order *order = c->order;
	uint64_t middle_bits = 0;
	for (size_t i = 0; i < order->member_count; i++) {
		const struct order_member *member = &order->members[i];
		const struct order_unit *unit = &order->units[member->unit];
		bool base = member->member->is_base || member->member->is_artificial;
		if (unit->is_first || base)
			c->front_bytes += (member->size_bits + 7) / 8 + member->high - 1;
		else if (!unit->is_last)
			middle_bits += member->size_bits;
	}
	c->middle_bytes = middle_bits / 8;
}

struct error *order_contradict(struct arena *arena, const struct order *order)
{
	const struct profile_struct *profile = order->map->profile;
	struct error *error = NULL;
	size_t count;
	if (!profile)
		return NULL;
	struct contradict c = {.arena = arena,
		.order = order,
		.path = profile->document ? profile->document->path : "profile",
		.line_bytes = order->layout->line_bytes};
	const struct wish *wishes = wishes_of(arena, profile, &count);
	measure(&c);
	for (size_t i = 0; i < count && !error; i++)
		for (size_t k = 0; k < count && !error; k++)
			for (size_t r = 0; r < sizeof(rules) / sizeof(rules[0]) && !error; r++)
				if (rules[r].a == wishes[i].kind && rules[r].b == wishes[k].kind)
					error = rules[r].check(&c, &wishes[i], &wishes[k]);
	return error;
}

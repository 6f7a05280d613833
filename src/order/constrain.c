#include "order/constrain.h"

#include <string.h>

struct constrain {
	struct arena *arena;
	struct order *order;
	struct order_unit *units;
	const struct profile_constraints *constraints;
};

/* The unit in which a path lies; SIZE_MAX: nowhere (which lint tells). */
static size_t unit_of(const struct constrain *c, const char *path)
{
	const struct layout *layout = c->order->layout;
	const struct layout_member *member = layout_find(layout, path);
	for (size_t i = 0; member && i < c->order->member_count; i++) {
		const struct layout_member *top = c->order->members[i].member;
		if (member >= top && member <= top + top->descendants)
			return c->order->members[i].unit;
	}
	return SIZE_MAX;
}

/* One side of a contradiction. */
struct side {
	const char *text; /* "'a' is to be first" */
	struct profile_position position;
};

static struct error *contradict(const struct constrain *c, struct side a, struct side b)
{
	const char *path = c->order->map->profile->document ? c->order->map->profile->document->path
							    : "profile";
	return error_new("%s:%u:%u: %s, and %s (%s:%u:%u); keep one of the two", path,
		a.position.line, a.position.col, a.text, b.text, path, b.position.line,
		b.position.col);
}

static struct side side_of(const struct constrain *c, struct profile_position position,
	const char *name, const char *text)
{
	return (struct side){arena_printf(c->arena, "'%s' %s", name, text), position};
}

static size_t mark_names(struct constrain *c, const struct profile_names *names, size_t field_off)
{
	size_t count = 0;
	for (size_t i = 0; i < names->count; i++) {
		size_t unit = unit_of(c, names->names[i]);
		if (unit == SIZE_MAX)
			continue;
		bool *flag = (bool *)((char *)&c->units[unit] + field_off);
		count += !*flag;
		*flag = true;
	}
	return count;
}

static const char *named_in(
	const struct constrain *c, const struct profile_names *names, size_t unit)
{
	for (size_t i = 0; i < names->count; i++)
		if (unit_of(c, names->names[i]) == unit)
			return names->names[i];
	return c->units[unit].name;
}

static struct error *first_and_last(const struct constrain *c)
{
	const struct profile_constraints *constraints = c->constraints;
	for (size_t i = 0; i < c->order->unit_count; i++)
		if (c->units[i].is_first && c->units[i].is_last)
			return contradict(c,
				side_of(c, constraints->first.position,
					named_in(c, &constraints->first, i), "is to be first"),
				side_of(c, constraints->last.position,
					named_in(c, &constraints->last, i),
					"which moves with it, is to be last"));
	return NULL;
}

/* A unit that is not pinned is to be first, where one lies that is. */
static struct error *pin_against_first(const struct constrain *c)
{
	const struct profile_constraints *constraints = c->constraints;
	size_t wanted = 0;
	while (wanted < c->order->unit_count &&
		(!c->units[wanted].is_first || wanted < c->order->first_count))
		wanted++;
	if (wanted == c->order->unit_count)
		return NULL;
	for (size_t i = 0; i < c->order->first_count; i++)
		if (c->units[i].is_pinned && !c->units[i].is_first)
			return contradict(c,
				side_of(c, constraints->first.position,
					named_in(c, &constraints->first, wanted), "is to be first"),
				side_of(c, constraints->pin.position,
					named_in(c, &constraints->pin, i),
					"which lies there, is pinned"));
	return NULL;
}

/* A unit is to be last, and one behind it is pinned there. */
static struct error *pin_against_last(const struct constrain *c)
{
	const struct profile_constraints *constraints = c->constraints;
	for (size_t i = 0; i < c->order->unit_count; i++) {
		for (size_t k = i + 1; c->units[i].is_last && k < c->order->unit_count; k++) {
			const struct order_unit *behind = &c->units[k];
			if (behind->is_last || behind->is_fixed || !behind->is_pinned)
				continue;
			return contradict(c,
				side_of(c, constraints->last.position,
					named_in(c, &constraints->last, i), "is to be last"),
				side_of(c, constraints->pin.position,
					named_in(c, &constraints->pin, k),
					"which lies behind it, is pinned"));
		}
	}
	return NULL;
}

/* First to last byte of the fields, on lines; their bytes in sum. */
static bool is_on_one_line(
	const struct constrain *c, const char *const *names, size_t count, uint64_t *bytes)
{
	uint64_t line_bytes = c->order->layout->line_bytes, first = UINT64_MAX, last = 0;
	*bytes = 0;
	for (size_t i = 0; i < count; i++) {
		const struct layout_member *member = layout_find(c->order->layout, names[i]);
		if (!member)
			continue;
		uint64_t from = layout_first_byte(member), to = layout_last_byte(member);
		*bytes += to - from + 1;
		first = from / line_bytes < first ? from / line_bytes : first;
		last = to / line_bytes > last ? to / line_bytes : last;
	}
	return first >= last;
}

static bool is_pinned(const struct constrain *c, const char *name)
{
	size_t unit = unit_of(c, name);
	return unit != SIZE_MAX && c->units[unit].is_pinned;
}

/* Of what is to be on one line, two are pinned on two. */
static struct error *pin_against_together(const struct constrain *c)
{
	const struct profile_constraints *constraints = c->constraints;
	for (size_t i = 0; i < constraints->keep_together_count; i++) {
		const struct profile_names *group = &constraints->keep_together[i];
		const char *pinned = NULL;
		uint64_t bytes;
		(void)is_on_one_line(c, group->names, group->count, &bytes);
		if (bytes > c->order->layout->line_bytes)
			continue;
		for (size_t k = 0; k < group->count; k++) {
			if (!is_pinned(c, group->names[k]))
				continue;
			if (pinned && !is_on_one_line(c, (const char *[]){pinned, group->names[k]},
					      2, &bytes))
				return contradict(c,
					side_of(c, group->position, pinned,
						arena_printf(c->arena,
							"is to be kept together with '%s'",
							group->names[k])),
					side_of(c, constraints->pin.position, group->names[k],
						"is pinned on another line"));
			pinned = pinned ? pinned : group->names[k];
		}
	}
	return NULL;
}

/* The one at the front, the other at the end, and more than a line of bytes between them. */
static struct error *ends_against_together(const struct constrain *c)
{
	const struct profile_constraints *constraints = c->constraints;
	if (c->order->layout->size_bytes < 2 * c->order->layout->line_bytes)
		return NULL;
	for (size_t i = 0; i < constraints->keep_together_count; i++) {
		const struct profile_names *group = &constraints->keep_together[i];
		const char *first = NULL, *last = NULL;
		uint64_t bytes;
		(void)is_on_one_line(c, group->names, group->count, &bytes);
		for (size_t k = 0; k < group->count; k++) {
			size_t unit = unit_of(c, group->names[k]);
			if (unit != SIZE_MAX && c->units[unit].is_first)
				first = group->names[k];
			if (unit != SIZE_MAX && c->units[unit].is_last)
				last = group->names[k];
		}
		if (first && last && bytes <= c->order->layout->line_bytes)
			return contradict(c,
				side_of(c, constraints->last.position, last, "is to be last"),
				side_of(c, group->position, last,
					arena_printf(c->arena,
						"is to be kept together with '%s', which is to be "
						"first",
						first)));
	}
	return NULL;
}

static struct error *pin_against_size(const struct constrain *c)
{
	const struct profile_constraints *constraints = c->constraints;
	uint64_t most = constraints->max_size_bytes;
	for (size_t i = 0; most && i < c->order->member_count; i++) {
		const struct order_member *member = &c->order->members[i];
		uint64_t end = (member->member->off_bits + member->size_bits + 7) / 8;
		if (!c->units[member->unit].is_pinned || end <= most)
			continue;
		struct side size = {
			arena_printf(c->arena, "the struct is to have at most %llu bytes",
				(unsigned long long)most),
			constraints->position};
		return contradict(c, size,
			side_of(c, constraints->pin.position,
				named_in(c, &constraints->pin, member->unit),
				arena_printf(c->arena, "is pinned and ends at byte %llu",
					(unsigned long long)end)));
	}
	return NULL;
}

struct error *order_constrain(struct arena *arena, struct order *order, struct order_unit *units)
{
	struct constrain c = {arena, order, units, order->constraints};
	static struct error *(*const checks[])(const struct constrain *) = {first_and_last,
		pin_against_first, pin_against_last, pin_against_together, ends_against_together,
		pin_against_size};
	struct error *error = NULL;
	if (!c.constraints)
		return NULL;
	order->first_count =
		mark_names(&c, &c.constraints->first, offsetof(struct order_unit, is_first));
	order->last_count =
		mark_names(&c, &c.constraints->last, offsetof(struct order_unit, is_last));
	mark_names(&c, &c.constraints->pin, offsetof(struct order_unit, is_pinned));
	for (size_t i = 0; c.constraints->pin_all && i < order->unit_count; i++)
		units[i].is_pinned = true;
	for (size_t i = 0; !error && i < sizeof(checks) / sizeof(checks[0]); i++)
		error = checks[i](&c);
	return error;
}

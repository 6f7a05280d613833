#include "profile/contradict.h"

#include "profile/node.h"
#include "profile/wish.h"

/* Pairwise, so the work is bounded: nobody asserts so much by hand. */
enum { WISHES_MAX = 512, FIELDS_MAX = 4096 };

struct contradict {
	struct arena *arena;
	const char *path;
	const struct wish *wishes;
	size_t count;
	const struct wish **lines; /* of the wish at hand: the expected lines of its fields */
	size_t line_count;
};

static const char *find(const struct wish *wish, const char *field)
{
	for (size_t i = 0; i < wish->field_count; i++)
		if (profile_same_path(wish->fields[i], field))
			return wish->fields[i];
	return NULL;
}

static struct error *contradict(
	const struct contradict *c, struct wish_side one, struct wish_side two, const char *why)
{
	return wish_contradict(c->arena, c->path, one, two, why);
}

/* One field cannot be both. */
static struct error *same_field(
	const struct contradict *c, const struct wish *a, const struct wish *b)
{
	for (size_t i = 0; i < a->field_count; i++)
		if (find(b, a->fields[i]))
			return contradict(c, (struct wish_side){a, a->fields[i], NULL},
				(struct wish_side){b, a->fields[i], NULL}, NULL);
	return NULL;
}

static struct error *any_move(
	const struct contradict *c, const struct wish *a, const struct wish *b)
{
	return contradict(c, (struct wish_side){a, a->fields[0], NULL},
		(struct wish_side){b, NULL, NULL}, NULL);
}

static struct error *together_and_apart(
	const struct contradict *c, const struct wish *a, const struct wish *b)
{
	const char *one = NULL;
	for (size_t i = 0; i < a->field_count; i++) {
		if (!find(b, a->fields[i]))
			continue;
		if (one)
			return contradict(c, (struct wish_side){a, one, a->fields[i]},
				(struct wish_side){b, one, a->fields[i]}, NULL);
		one = a->fields[i];
	}
	return NULL;
}

static struct error *two_lines(
	const struct contradict *c, const struct wish *a, const struct wish *b)
{
	return a->value == b->value ? NULL : same_field(c, a, b);
}

/* Which of the fields are expected on some line? */
static void find_lines(struct contradict *c, const struct wish *wish)
{
	c->line_count = 0;
	for (size_t i = 0; i < c->count; i++)
		if (c->wishes[i].kind == WISH_LINE && find(wish, c->wishes[i].fields[0]))
			c->lines[c->line_count++] = &c->wishes[i];
}

/* `a` says that fields are on one line, or not; `b` that one is on a line where another is not, or is. */
static struct error *beside_a_line(
	const struct contradict *c, const struct wish *a, const struct wish *b)
{
	const char *field = find(a, b->fields[0]);
	for (size_t i = 0; field && i < c->line_count; i++) {
		const struct wish *other = c->lines[i];
		const char *name = other->fields[0];
		if (profile_same_path(name, field) ||
			(a->kind == WISH_APART) != (other->value == b->value))
			continue;
		return contradict(c, (struct wish_side){a, name, field},
			(struct wish_side){b, field, NULL},
			arena_printf(c->arena, "%s (%s:%u:%u)",
				wish_text(c->arena, other, name, NULL), c->path,
				other->position.line, other->position.col));
	}
	return NULL;
}

static struct error *line_behind_the_last(
	const struct contradict *c, const struct wish *a, const struct wish *b)
{
	return a->value < b->value
		       ? NULL
		       : contradict(c, (struct wish_side){a, a->fields[0], NULL},
				 (struct wish_side){b, NULL, NULL}, "lines are counted from 0");
}

static struct error *too_few_lines(
	const struct contradict *c, const struct wish *a, const struct wish *b)
{
	return a->field_count <= b->value
		       ? NULL
		       : contradict(c, (struct wish_side){a, a->fields[0], a->fields[1]},
				 (struct wish_side){b, NULL, NULL},
				 arena_printf(c->arena, "%zu fields apart take %zu lines",
					 a->field_count, a->field_count));
}

struct rule {
	enum wish_kind a, b;
	struct error *(*check)(
		const struct contradict *c, const struct wish *a, const struct wish *b);
};

static const struct rule rules[] = {
	{WISH_FIRST, WISH_LAST, same_field},
	{WISH_FIRST, WISH_PIN, same_field},
	{WISH_LAST, WISH_PIN, same_field},
	{WISH_FIRST, WISH_PIN_ALL, any_move},
	{WISH_LAST, WISH_PIN_ALL, any_move},
	{WISH_KEEP_TOGETHER, WISH_APART, together_and_apart},
	{WISH_SAME_LINE, WISH_APART, together_and_apart},
	{WISH_LINE, WISH_LINE, two_lines},
	{WISH_KEEP_TOGETHER, WISH_LINE, beside_a_line},
	{WISH_SAME_LINE, WISH_LINE, beside_a_line},
	{WISH_APART, WISH_LINE, beside_a_line},
	{WISH_LINE, WISH_MAX_LINES, line_behind_the_last},
	{WISH_APART, WISH_MAX_LINES, too_few_lines},
};

static struct error *check_pair(
	const struct contradict *c, const struct wish *a, const struct wish *b)
{
	struct error *error = NULL;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]) && !error; i++)
		if (rules[i].a == a->kind && rules[i].b == b->kind)
			error = rules[i].check(c, a, b);
	return error;
}

struct error *profile_contradict(
	struct arena *arena, const char *path, const struct profile_struct *entry)
{
	struct contradict c = {.arena = arena, .path = path};
	size_t fields = 0;
	struct error *error = NULL;
	c.wishes = wishes_of(arena, entry, &c.count);
	for (size_t i = 0; i < c.count; i++)
		fields += c.wishes[i].field_count;
	if (c.count > WISHES_MAX || fields > FIELDS_MAX)
		return profile_fault(path, entry->position,
			"'%s' has %zu constraints and expectations of %zu fields; expected at most "
			"%d of %d",
			entry->name, c.count, fields, WISHES_MAX, FIELDS_MAX);
	c.lines = arena_new(arena, c.count, sizeof(*c.lines));
	for (size_t i = 0; i < c.count && !error; i++) {
		find_lines(&c, &c.wishes[i]);
		for (size_t k = 0; k < c.count && !error; k++)
			if (i != k)
				error = check_pair(&c, &c.wishes[i], &c.wishes[k]);
	}
	return error;
}

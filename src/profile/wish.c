#include "profile/wish.h"

static struct wish of_names(enum wish_kind kind, const struct profile_names *names)
{
	return (struct wish){kind, names->names, names->count, 0, names->position};
}

static struct wish of_expect(const struct profile_expect *expect)
{
	static const enum wish_kind kinds[] = {
		[EXPECT_SAME_LINE] = WISH_SAME_LINE,
		[EXPECT_APART] = WISH_APART,
		[EXPECT_LINE] = WISH_LINE,
		[EXPECT_MAX_SIZE] = WISH_MAX_SIZE,
		[EXPECT_MAX_LINES] = WISH_MAX_LINES,
	};
	return (struct wish){kinds[expect->kind], expect->fields, expect->field_count,
		expect->value, expect->position};
}

const struct wish *wishes_of(
	struct arena *arena, const struct profile_struct *entry, size_t *ret_count)
{
	const struct profile_constraints *constraints = &entry->constraints;
	enum { OTHERS = 5 };
	size_t most = OTHERS + constraints->keep_together_count + entry->expect_count, count = 0;
	struct wish *wishes = arena_new(arena, most, sizeof(*wishes));
	if (constraints->first.count)
		wishes[count++] = of_names(WISH_FIRST, &constraints->first);
	if (constraints->last.count)
		wishes[count++] = of_names(WISH_LAST, &constraints->last);
	if (constraints->pin.count)
		wishes[count++] = of_names(WISH_PIN, &constraints->pin);
	if (constraints->pin_all)
		wishes[count++] =
			(struct wish){.kind = WISH_PIN_ALL, .position = constraints->pin.position};
	for (size_t i = 0; i < constraints->keep_together_count; i++)
		wishes[count++] = of_names(WISH_KEEP_TOGETHER, &constraints->keep_together[i]);
	if (constraints->max_size_bytes)
		wishes[count++] = (struct wish){.kind = WISH_AT_MOST,
			.value = constraints->max_size_bytes,
			.position = constraints->max_size_position};
	for (int kind = EXPECT_SAME_LINE; kind <= EXPECT_MAX_LINES; kind++)
		for (size_t i = 0; i < entry->expect_count; i++)
			if ((int)entry->expects[i].kind == kind)
				wishes[count++] = of_expect(&entry->expects[i]);
	*ret_count = count;
	return wishes;
}

const char *wish_text(
	struct arena *arena, const struct wish *wish, const char *field, const char *other)
{
	unsigned long long value = wish->value;
	switch (wish->kind) {
	case WISH_FIRST:
		return arena_printf(arena, "'%s' is to be first", field);
	case WISH_LAST:
		return arena_printf(arena, "'%s' is to be last", field);
	case WISH_PIN:
		return arena_printf(arena, "'%s' is pinned", field);
	case WISH_PIN_ALL:
		return "all fields are pinned";
	case WISH_KEEP_TOGETHER:
		return arena_printf(arena, "'%s' and '%s' are to be kept together", field, other);
	case WISH_SAME_LINE:
		return arena_printf(arena, "'%s' and '%s' are expected on one line", field, other);
	case WISH_APART:
		return arena_printf(arena, "'%s' and '%s' are expected apart", field, other);
	case WISH_LINE:
		return arena_printf(arena, "'%s' is expected on line %llu", field, value);
	case WISH_AT_MOST:
		return arena_printf(arena, "the struct is to have at most %llu bytes", value);
	case WISH_MAX_SIZE:
		return arena_printf(arena, "at most %llu bytes are expected", value);
	case WISH_MAX_LINES:
		return arena_printf(
			arena, "at most %llu line%s expected", value, value == 1 ? " is" : "s are");
	case WISH_KIND_COUNT:
		break;
	}
	return "";
}

struct error *wish_contradict(struct arena *arena, const char *path, struct wish_side one,
	struct wish_side two, const char *why)
{
	const struct profile_position *a = &one.wish->position, *b = &two.wish->position;
	return error_new("%s:%u:%u: %s, and %s (%s:%u:%u)%s%s; keep one of the two", path, a->line,
		a->col, wish_text(arena, one.wish, one.field, one.other),
		wish_text(arena, two.wish, two.field, two.other), path, b->line, b->col,
		why ? ": " : "", why ? why : "");
}

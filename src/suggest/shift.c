#include "suggest/shift.h"

#include <inttypes.h>
#include <string.h>

enum { NAMES_MAX = 3 };

struct names {
	const char *items[NAMES_MAX];
	size_t count, more;
};

static void add_name(struct names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (strcmp(names->items[i], name) == 0)
			return;
	if (names->count < NAMES_MAX)
		names->items[names->count++] = name;
	else
		names->more++;
}

static const char *names_text(struct arena *arena, const struct names *names)
{
	const char *text = names->items[0];
	for (size_t i = 1; i < names->count; i++) {
		bool last = i + 1 == names->count && !names->more;
		text = arena_printf(arena, "%s%s%s", text, last ? " and " : ", ", names->items[i]);
	}
	return names->more ? arena_printf(arena, "%s and others", text) : text;
}

static bool lies_in(const struct layout *layout, const char *path, const char *unit)
{
	const struct layout_member *member = layout_find(layout, path);
	const struct layout_member *top = layout_find(layout, unit);
	return member && top && member >= top && member <= top + top->descendants;
}

/* The unmoved member in which a field lies that is on another line now. */
static const struct suggest_collateral *pushed_with(
	const struct layout *layout, const struct suggestion *suggestion, const char *path)
{
	for (size_t i = 0; i < suggestion->collateral_count; i++)
		if (lies_in(layout, path, suggestion->collateral[i].field))
			return &suggestion->collateral[i];
	return NULL;
}

const char *shift_text(
	struct arena *arena, const struct layout *layout, const struct suggestion *suggestion)
{
	struct names pushed = {.count = 0}, left = {.count = 0};
	const struct suggest_collateral *first = NULL;
	double least = suggestion->gone_count ? suggestion->gone[0].price / 4 : 0;
	for (size_t i = 0; i < suggestion->gone_count; i++) {
		const struct suggest_pair *pair = &suggestion->gone[i];
		const struct suggest_collateral *it = pushed_with(layout, suggestion, pair->other);
		const char *goes = it ? pair->other : pair->written;
		it = it ? it : pushed_with(layout, suggestion, pair->written);
		/* the dear ones, and what is pushed along with the dearest */
		if (!it || !(pair->price > 0) || pair->price < least ||
			(first && it->first_line_after != first->first_line_after))
			continue;
		first = first ? first : it;
		add_name(&pushed, goes);
		add_name(&left, goes == pair->other ? pair->written : pair->other);
	}
	if (!first)
		return NULL;
	return arena_printf(arena,
		"%s %s pushed from line %" PRIu64 " to line %" PRIu64
		", off that of %s, as long as no size before %s changes",
		names_text(arena, &pushed), pushed.count + pushed.more == 1 ? "is" : "are",
		first->first_line_before, first->first_line_after, names_text(arena, &left),
		pushed.count + pushed.more == 1 ? "it" : "them");
}

#include <string.h>

#include "base/mem.h"
#include "lint/rules.h"

/*
 * Structs of the kernel that no profile mentions, but that mark groups of fields
 * (include/linux/cache.h): a group says who writes, not how often, so two on a line are an info
 * without a price. Names are STRUCT_{read,write}_{tx,rx,txrx,rxtx}.
 */

enum { TX = 1, RX = 2 };

/* More of either is hostile input. */
enum { GROUPS_MAX = 128, LINES_MAX = 64 };

struct group {
	const char *name;
	bool written;
	unsigned directions;
	size_t first, end; /* members [first, end) of the layout */
};

static bool parse_name(const char *name, struct group *group)
{
	static const struct {
		const char *word;
		unsigned directions;
	} endings[] = {{"_txrx", TX | RX}, {"_rxtx", TX | RX}, {"_tx", TX}, {"_rx", RX}};
	size_t length = strlen(name);
	group->name = name;
	group->written = strstr(name, "_write") != NULL;
	group->directions = TX | RX;
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		size_t ending = strlen(endings[i].word);
		if (length >= ending && strcmp(name + length - ending, endings[i].word) == 0) {
			group->directions = endings[i].directions;
			break;
		}
	}
	return group->written || strstr(name, "_read");
}

static size_t find_end(const struct layout *layout, size_t from, const char *name)
{
	for (size_t i = from; i < layout->member_count; i++) {
		const char *ended;
		if (layout_group_marker(&layout->members[i], &ended) < 0 &&
			strcmp(ended, name) == 0)
			return i;
	}
	return from;
}

static size_t find_groups(const struct layout *layout, struct group *groups)
{
	size_t count = 0;
	for (size_t i = 0; i < layout->member_count && count < GROUPS_MAX; i++) {
		struct group group;
		const char *name;
		if (layout_group_marker(&layout->members[i], &name) <= 0 ||
			!parse_name(name, &group))
			continue;
		group.first = i + 1;
		group.end = find_end(layout, group.first, name);
		if (group.end > group.first)
			groups[count++] = group;
	}
	return count;
}

static bool lies_on(const struct lint *lint, const struct layout_member *member, uint64_t line)
{
	uint64_t line_bytes = lint->layout->line_bytes;
	return member->size_bytes && *member->path &&
	       layout_first_byte(member) / line_bytes <= line &&
	       layout_last_byte(member) / line_bytes >= line;
}

/* Outermost members of a group on a line, appended. */
static size_t members_on(const struct lint *lint, const struct group *group, uint64_t line,
	const char **fields, size_t count)
{
	const struct layout_member *members = lint->layout->members;
	for (size_t i = group->first; i < group->end;
		i += 1 + (*members[i].name ? members[i].descendants : 0))
		if (lies_on(lint, &members[i], line))
			fields[count++] = members[i].path;
	return count;
}

static bool crosses(const struct group *a, const struct group *b)
{
	return a->directions != b->directions;
}

static void tell(struct lint *lint, const struct group *writes, const struct group *other,
	uint64_t line, const char **fields)
{
	size_t written = members_on(lint, writes, line, fields, 0);
	size_t count = members_on(lint, other, line, fields, written);
	if (!written || count == written)
		return;
	const char *subject = arena_printf(lint->arena, "%s>%s", writes->name, other->name);
	struct finding *finding =
		lint_add(lint, other->written ? "LL002" : "LL001", SEVERITY_INFO, subject);
	lint_set_fields(lint, finding, fields, count);
	finding->line = line;
	finding->message = arena_printf(lint->arena,
		"line %llu: the groups %s, written, and %s, %s, share a line, cost unmeasured%s",
		(unsigned long long)line, writes->name, other->name,
		other->written ? "written" : "read",
		crosses(writes, other) ? "" : ": one direction, often one CPU");
	finding->advice = "measure it: a profile with how often each field is read and written "
			  "says what it costs";
}

/* Lines from the first to the last byte of a group; none for an empty one. */
static bool lines_of(const struct lint *lint, const struct group *group, struct lint_span *ret)
{
	*ret = (struct lint_span){UINT64_MAX, 0};
	for (size_t i = group->first; i < group->end; i++) {
		const struct layout_member *member = &lint->layout->members[i];
		if (!member->size_bytes)
			continue;
		uint64_t first = layout_first_byte(member) / lint->layout->line_bytes;
		uint64_t last = layout_last_byte(member) / lint->layout->line_bytes;
		ret->first = first < ret->first ? first : ret->first;
		ret->last = last > ret->last ? last : ret->last;
	}
	return ret->first <= ret->last;
}

/* The first line that both lie on; groups share one or two, so that a few are looked at. */
static bool common_line(const struct lint *lint, const struct group *a, const struct group *b,
	uint64_t *line, const char **fields)
{
	struct lint_span of_a, of_b;
	if (!lines_of(lint, a, &of_a) || !lines_of(lint, b, &of_b) || !lint_spans_meet(of_a, of_b))
		return false;
	*line = of_a.first > of_b.first ? of_a.first : of_b.first;
	for (int i = 0; i < LINES_MAX && *line <= of_a.last && *line <= of_b.last; i++, ++*line)
		if (members_on(lint, a, *line, fields, 0) && members_on(lint, b, *line, fields, 0))
			return true;
	return false;
}

void lint_groups(struct lint *lint)
{
	if (!lint->profile || lint->map->evidence != EVIDENCE_GROUP)
		return;
	struct group *groups = mem_new(lint->layout->member_count, sizeof(*groups));
	const char **fields = mem_new(2 * lint->layout->member_count, sizeof(*fields));
	size_t count = find_groups(lint->layout, groups);
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < count; k++) {
			uint64_t line;
			/*
			 * what one direction writes belongs together; of two that are written,
			 * the first tells
			 */
			if (i == k || !groups[i].written ||
				(groups[k].written && (k < i || !crosses(&groups[i], &groups[k]))))
				continue;
			if (common_line(lint, &groups[i], &groups[k], &line, fields))
				tell(lint, &groups[i], &groups[k], line, fields);
		}
	}
	mem_free(groups);
	mem_free(fields);
}

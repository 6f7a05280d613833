#include "patch/diff.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

enum { CONTEXT = 3, STEPS_MAX = 4096, HEADING_MAX = 80 };

struct line {
	const char *start;
	size_t length; /* its newline included */
	uint64_t hash;
};

struct lines {
	struct line *items;
	size_t count;
};

/* A stretch of lines that differ: before[from, from + removed) became after[to, to + added). */
struct change {
	size_t from, removed, to, added;
};

struct diff {
	struct arena *arena;
	struct lines before, after;
	struct change *changes; /* ascending */
	size_t count, capacity;
};

static struct lines split(struct arena *arena, struct diff_text text)
{
	struct lines lines = {0};
	size_t count = 1;
	for (size_t i = 0; i < text.length; i++)
		count += text.bytes[i] == '\n';
	lines.items = arena_new(arena, count, sizeof(*lines.items));
	for (size_t at = 0; at < text.length;) {
		struct line *line = &lines.items[lines.count++];
		line->start = text.bytes + at;
		line->hash = 0xcbf29ce484222325u;
		do {
			line->hash = (line->hash ^ (unsigned char)text.bytes[at]) * 0x100000001b3u;
			line->length++;
		} while (text.bytes[at++] != '\n' && at < text.length);
	}
	return lines;
}

static bool equal(const struct diff *diff, size_t from, size_t to)
{
	const struct line *a = &diff->before.items[from], *b = &diff->after.items[to];
	return a->hash == b->hash && a->length == b->length &&
	       memcmp(a->start, b->start, a->length) == 0;
}

/* ---- what differs ---- */

/* Lines [from, +removed) against [to, +added), of which neither the first nor the last are equal. */
struct window {
	size_t from, removed, to, added;
};

/* Furthest places on each diagonal, for every number of steps. */
struct trace {
	int32_t **rows;
	int32_t steps; /* that it took; STEPS_MAX when that was not enough */
};

static int32_t reach(const struct diff *diff, const struct window *window, int32_t x, int32_t k)
{
	while (x < (int32_t)window->removed && x - k < (int32_t)window->added &&
		equal(diff, window->from + (size_t)x, window->to + (size_t)(x - k)))
		x++;
	return x;
}

static bool goes_down(const int32_t *row, int32_t k, int32_t steps)
{
	return k == -steps || (k != steps && row[k - 1] < row[k + 1]);
}

static void search(const struct diff *diff, const struct window *window, struct trace *trace)
{
	int32_t n = (int32_t)window->removed, m = (int32_t)window->added;
	int32_t *storage = mem_new(2 * STEPS_MAX + 3, sizeof(*storage)),
		*row = storage + STEPS_MAX + 1;
	for (int32_t d = 0; d < STEPS_MAX; d++) {
		trace->rows[d] = mem_new((size_t)(2 * d + 3), sizeof(**trace->rows));
		memcpy(trace->rows[d], row - d - 1, (size_t)(2 * d + 3) * sizeof(*row));
		trace->steps = d;
		for (int32_t k = -d; k <= d; k += 2) {
			int32_t x = d == 0 ? 0 : goes_down(row, k, d) ? row[k + 1] : row[k - 1] + 1;
			row[k] = reach(diff, window, x, k);
			if (row[k] >= n && row[k] - k >= m) {
				mem_free(storage);
				return;
			}
		}
	}
	trace->steps = STEPS_MAX;
	mem_free(storage);
}

static void change_add(struct diff *diff, struct change change)
{
	diff->changes = arena_grow(diff->arena, diff->changes, &diff->capacity, diff->count + 1,
		sizeof(*diff->changes));
	diff->changes[diff->count++] = change;
}

/* Marks, backwards through the trace, which lines are removed and added. */
static void walk_back(
	const struct window *window, const struct trace *trace, bool *removed, bool *added)
{
	int32_t x = (int32_t)window->removed, y = (int32_t)window->added;
	for (int32_t d = trace->steps; d > 0; d--) {
		const int32_t *row = trace->rows[d] + d + 1;
		int32_t k = x - y;
		bool down = goes_down(row, k, d);
		int32_t from_k = down ? k + 1 : k - 1, from_x = row[from_k],
			from_y = from_x - from_k;
		if (down)
			added[from_y] = true;
		else
			removed[from_x] = true;
		x = from_x;
		y = from_y;
	}
}

static void compare(struct diff *diff, const struct window *window)
{
	bool *removed = mem_new(window->removed + 1, sizeof(*removed));
	bool *added = mem_new(window->added + 1, sizeof(*added));
	struct trace trace = {.rows = mem_new(STEPS_MAX, sizeof(*trace.rows))};
	search(diff, window, &trace);
	if (trace.steps < STEPS_MAX) {
		walk_back(window, &trace, removed, added);
	} else {
		memset(removed, true, window->removed);
		memset(added, true, window->added);
	}
	for (size_t x = 0, y = 0; x < window->removed || y < window->added;) {
		struct change change = {window->from + x, 0, window->to + y, 0};
		while (x < window->removed && removed[x])
			x++;
		while (y < window->added && added[y])
			y++;
		change.removed = window->from + x - change.from;
		change.added = window->to + y - change.to;
		if (change.removed || change.added) {
			change_add(diff, change);
		} else {
			x++;
			y++;
		}
	}
	for (int32_t d = 0; d < STEPS_MAX; d++)
		mem_free(trace.rows[d]);
	mem_free(trace.rows);
	mem_free(removed);
	mem_free(added);
}

static void find_changes(struct diff *diff)
{
	size_t head = 0, tail = 0, n = diff->before.count, m = diff->after.count;
	while (head < n && head < m && equal(diff, head, head))
		head++;
	while (tail < n - head && tail < m - head && equal(diff, n - 1 - tail, m - 1 - tail))
		tail++;
	const struct window window = {head, n - head - tail, head, m - head - tail};
	if (window.removed + window.added < INT32_MAX / 2 && window.removed && window.added)
		compare(diff, &window);
	else if (window.removed || window.added)
		change_add(diff, (struct change){head, window.removed, head, window.added});
}

/* ---- how it is written ---- */

static bool needs_quotes(const char *name)
{
	for (; *name; name++)
		if ((unsigned char)*name < ' ' || (unsigned char)*name >= 0x7f || *name == '"' ||
			*name == '\\')
			return true;
	return false;
}

static void put_name(struct buf *out, const char *mark, const char *side, const char *name)
{
	if (!needs_quotes(name)) {
		/* a tab ends a name that has blanks */
		buf_printf(out, "%s %s/%s%s\n", mark, side, name, strchr(name, ' ') ? "\t" : "");
		return;
	}
	buf_printf(out, "%s \"%s/", mark, side);
	for (; *name; name++) {
		unsigned char c = (unsigned char)*name;
		if (c == '"' || c == '\\')
			buf_printf(out, "\\%c", c);
		else if (c < ' ' || c >= 0x7f)
			buf_printf(out, "\\%03o", c);
		else
			buf_putc(out, (char)c);
	}
	buf_puts(out, "\"\n");
}

static void put_lines(
	struct buf *out, char mark, const struct lines *lines, size_t from, size_t end)
{
	for (; from < end; from++) {
		const struct line *line = &lines->items[from];
		buf_putc(out, mark);
		buf_add(out, line->start, line->length);
		if (line->start[line->length - 1] != '\n')
			buf_puts(out, "\n\\ No newline at end of file\n");
	}
}

static void put_range(struct buf *out, char mark, size_t from, size_t count)
{
	buf_printf(out, "%c%zu", mark, count ? from + 1 : from);
	if (count != 1)
		buf_printf(out, ",%zu", count);
}

/* The line that git shows behind a hunk's figures: the last before it that begins with a letter. */
static void put_heading(struct buf *out, const struct lines *lines, size_t from)
{
	while (from--) {
		const struct line *line = &lines->items[from];
		if (!isalpha((unsigned char)*line->start) && *line->start != '_' &&
			*line->start != '$')
			continue;
		size_t length = line->length < HEADING_MAX ? line->length : HEADING_MAX;
		while (length && isspace((unsigned char)line->start[length - 1]))
			length--;
		buf_putc(out, ' ');
		buf_add(out, line->start, length);
		return;
	}
}

/* Changes [first, end) as one hunk. */
static void put_hunk(struct buf *out, const struct diff *diff, size_t first, size_t end)
{
	const struct change *head = &diff->changes[first], *last = &diff->changes[end - 1];
	size_t lead = head->from < CONTEXT ? head->from : CONTEXT;
	size_t behind = diff->before.count - (last->from + last->removed);
	size_t trail = behind < CONTEXT ? behind : CONTEXT;
	size_t from = head->from - lead, to = head->to - lead;
	buf_puts(out, "@@ ");
	put_range(out, '-', from, last->from + last->removed + trail - from);
	buf_putc(out, ' ');
	put_range(out, '+', to, last->to + last->added + trail - to);
	buf_puts(out, " @@");
	put_heading(out, &diff->before, from);
	buf_putc(out, '\n');
	for (size_t i = first; i < end; i++) {
		const struct change *change = &diff->changes[i];
		put_lines(out, ' ', &diff->before, from, change->from);
		put_lines(out, '-', &diff->before, change->from, change->from + change->removed);
		put_lines(out, '+', &diff->after, change->to, change->to + change->added);
		from = change->from + change->removed;
	}
	put_lines(out, ' ', &diff->before, from, from + trail);
}

void diff_build(struct arena *arena, const char *name, struct diff_text before,
	struct diff_text after, struct buf *out)
{
	struct diff diff = {
		.arena = arena, .before = split(arena, before), .after = split(arena, after)};
	find_changes(&diff);
	if (!diff.count)
		return;
	put_name(out, "---", "a", name);
	put_name(out, "+++", "b", name);
	for (size_t first = 0, end; first < diff.count; first = end) {
		end = first + 1;
		while (end < diff.count &&
			diff.changes[end].from <= diff.changes[end - 1].from +
							  diff.changes[end - 1].removed +
							  2 * CONTEXT)
			end++;
		put_hunk(out, &diff, first, end);
	}
}

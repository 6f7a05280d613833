#include "replay/record.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"

/* Events under construction, and on which line of all objects' each of them is, as a key. */
struct recorder {
	const struct replay_recording *recording;
	struct mesi_event *events;
	size_t event_count, event_capacity;
	uint64_t *keys;
	size_t key_capacity;
	size_t line_count;
};

/* Bytes of one access that lie in one member, or in none. */
struct piece {
	size_t field;
	uint64_t off_bytes, end_bytes; /* in the layout that they are put on */
	uint64_t bytes;                /* of the access */
};

static const struct layout_member *flexible_at(const struct layout *layout, uint64_t off_bytes)
{
	for (size_t i = layout->member_count; i > 0; i--) {
		const struct layout_member *member = &layout->members[i - 1];
		if (member->is_array && !member->size_bytes &&
			layout_first_byte(member) <= off_bytes &&
			off_bytes >= layout->size_bytes - layout->padding_bytes)
			return member;
	}
	return NULL;
}

static bool is_exactly(const struct layout_member *member, uint64_t off_bytes, uint64_t end_bytes)
{
	return member->size_bytes && layout_first_byte(member) == off_bytes &&
	       layout_last_byte(member) + 1 == end_bytes;
}

/* Of the alternatives of a union the one that is as large as the access, else the first. */
static const struct layout_member *member_at(
	const struct layout *layout, uint64_t off_bytes, uint64_t end_bytes)
{
	const struct layout_member *first = layout_find_at(layout, off_bytes);
	if (!first || !first->in_union || first->in_array ||
		is_exactly(first, off_bytes, end_bytes))
		return first;
	for (size_t i = 0; i < layout->member_count; i++) {
		const struct layout_member *member = &layout->members[i];
		if (member->in_union && !member->in_array && !member->descendants &&
			is_exactly(member, off_bytes, end_bytes))
			return member;
	}
	return first;
}

/* The outermost array around a member, or itself. */
static const struct layout_member *whole_of(
	const struct layout *layout, const struct layout_member *member)
{
	const struct layout_member *whole = member;
	for (const struct layout_member *at = member; at->parent != LAYOUT_NO_PARENT;) {
		at = &layout->members[at->parent];
		if (at->is_array)
			whole = at;
	}
	return whole;
}

/* The part of [off, end) that begins at `off` and lies in one member. */
static struct piece piece_at(
	const struct replay_recording *recording, uint64_t off_bytes, uint64_t end_bytes)
{
	const struct layout *layout = recording->recorded;
	const struct layout_member *member = member_at(layout, off_bytes, end_bytes);
	uint64_t piece_end = off_bytes + 1, from = off_bytes;
	size_t field = layout->member_count;
	if (!member && (member = flexible_at(layout, off_bytes)))
		piece_end = end_bytes;
	if (member) {
		const struct layout_member *whole = whole_of(layout, member);
		field = (size_t)(member - layout->members);
		if (piece_end < end_bytes && layout_last_byte(whole) >= off_bytes)
			piece_end = layout_last_byte(whole) + 1;
		from += layout_first_byte(&recording->layout->members[whole - layout->members]) -
			layout_first_byte(whole);
	}
	uint64_t bytes = (piece_end < end_bytes ? piece_end : end_bytes) - off_bytes;
	return (struct piece){field, from, from + bytes, bytes};
}

/* An object whose address is not known has keys of its own, which no address has. */
static uint64_t key_of(const struct replay_recording *recording, uint32_t object, uint64_t line)
{
	const struct layout *layout = recording->layout;
	uint64_t address = recording->trace->objects[object];
	bool stays = layout->size_bytes == recording->recorded->size_bytes;
	if (address && stays)
		return address / layout->line_bytes + line;
	return (uint64_t)1 << 63 | (uint64_t)object << 32 | line;
}

static uint64_t start_of(const struct replay_recording *recording, uint32_t object)
{
	uint64_t address = recording->trace->objects[object];
	return address ? address % recording->layout->line_bytes : recording->start_bytes;
}

static void add_event(struct recorder *recorder, const struct trace_event *event, size_t field,
	uint64_t line, size_t first)
{
	uint64_t key = key_of(recorder->recording, event->object, line);
	for (size_t i = first; i < recorder->event_count; i++)
		if (recorder->keys[i] == key)
			return;
	recorder->keys = mem_grow(recorder->keys, &recorder->key_capacity,
		recorder->event_count + 1, sizeof(*recorder->keys));
	recorder->events = mem_grow(recorder->events, &recorder->event_capacity,
		recorder->event_count + 1, sizeof(*recorder->events));
	recorder->keys[recorder->event_count] = key;
	recorder->events[recorder->event_count] = (struct mesi_event){
		.thread = event->thread,
		.line = (uint32_t)line,
		.field = (uint32_t)field,
		.writes = event->kind != ACCESS_READ,
		.begins = event->begins && recorder->event_count == first,
	};
	recorder->event_count++;
	if (line >= recorder->line_count)
		recorder->line_count = line + 1;
}

static void add_access(struct recorder *recorder, const struct trace_event *event)
{
	const struct replay_recording *recording = recorder->recording;
	uint64_t line_bytes = recording->layout->line_bytes;
	uint64_t start = start_of(recording, event->object);
	uint64_t end = (uint64_t)event->off_bytes + event->size_bytes;
	size_t first = recorder->event_count;
	for (uint64_t off = event->off_bytes; off < end;) {
		struct piece piece = piece_at(recording, off, end);
		uint64_t last = (start + piece.end_bytes - 1) / line_bytes;
		for (uint64_t line = (start + piece.off_bytes) / line_bytes; line <= last; line++)
			add_event(recorder, event, piece.field, line, first);
		off += piece.bytes;
	}
}

static int compare_keys(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;
	return *a < *b ? -1 : *a > *b;
}

/* Sorts and drops the double ones; returns how many are left. */
static size_t sort_keys(uint64_t *keys, size_t count)
{
	size_t kept = 0;
	qsort(keys, count, sizeof(*keys), compare_keys);
	for (size_t i = 0; i < count; i++)
		if (!kept || keys[kept - 1] != keys[i])
			keys[kept++] = keys[i];
	return kept;
}

/* Numbers the lines of all objects; returns how many there are. */
static size_t number_lines(struct arena *arena, struct recorder *recorder)
{
	size_t count = recorder->event_count;
	uint64_t *sorted = arena_copy(arena, recorder->keys, count, sizeof(*sorted));
	size_t lines = sort_keys(sorted, count);
	for (size_t i = 0; i < count; i++) {
		const uint64_t *found =
			bsearch(&recorder->keys[i], sorted, lines, sizeof(*sorted), compare_keys);
		recorder->events[i].cache_line = (uint32_t)(found - sorted);
	}
	return lines;
}

struct error *replay_record(
	struct arena *arena, const struct replay_recording *recording, struct mesi_record *ret)
{
	const struct trace *trace = recording->trace;
	struct recorder recorder = {.recording = recording};
	for (size_t i = 0; i < trace->event_count; i++)
		add_access(&recorder, &trace->events[i]);
	size_t lines = number_lines(arena, &recorder);
	struct error *error = NULL;
	if (trace->thread_count > MESI_CACHES_MAX / (lines ? lines : 1))
		error = error_new(
			"%s: %zu threads on %zu lines of %zu objects are more than can be "
			"simulated; record fewer objects",
			trace->path, trace->thread_count, lines, trace->object_count);
	else
		*ret = (struct mesi_record){
			.events = arena_copy(arena, recorder.events, recorder.event_count,
				sizeof(*recorder.events)),
			.event_count = recorder.event_count,
			.thread_roles = trace->thread_roles,
			.thread_count = trace->thread_count,
			.role_count = trace->role_count,
			.field_count = recording->recorded->member_count + 1,
			.line_count = recorder.line_count,
			.cache_line_count = lines,
		};
	mem_free(recorder.events);
	mem_free(recorder.keys);
	return error;
}

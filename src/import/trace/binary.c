#include <inttypes.h>
#include <string.h>

#include "import/trace/form.h"

enum {
	HEADER_BYTES = 64, /* without what is as long as it says */
	EVENT_BYTES = 16,
	FLAG_INCOMPLETE = 1,
	EVENT_KIND = 3,
	EVENT_BEGINS = 0x80,
};

/* The bytes between what was read and the end of the header, or of the file when that is nearer. */
struct cursor {
	const char *name;
	const unsigned char *at, *end;
};

static uint64_t number(const unsigned char *at, size_t bytes)
{
	uint64_t value = 0;
	for (size_t i = bytes; i > 0; i--)
		value = value << 8 | at[i - 1];
	return value;
}

static struct error *truncated(const char *name)
{
	return error_new("%s: ends within its header; copy it again, or record again and let the "
			 "program end by itself",
		name);
}

static struct error *take(struct cursor *cursor, size_t bytes, const unsigned char **ret)
{
	if ((size_t)(cursor->end - cursor->at) < bytes)
		return truncated(cursor->name);
	*ret = cursor->at;
	cursor->at += bytes;
	return NULL;
}

static struct error *take_u32(struct cursor *cursor, uint32_t *ret)
{
	const unsigned char *at = NULL;
	struct error *error = take(cursor, 4, &at);
	if (!error)
		*ret = (uint32_t)number(at, 4);
	return error;
}

static bool is_name(const unsigned char *at, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (at[i] < 0x20 || at[i] == 0x7f)
			return false;
	return length > 0;
}

static struct error *take_name(struct cursor *cursor, struct arena *arena, uint32_t length,
	const char *what, const char **ret)
{
	const unsigned char *at = NULL;
	struct error *error = length <= TRACE_NAME_MAX ? take(cursor, length, &at) : NULL;
	if (error)
		return error;
	if (length > TRACE_NAME_MAX || !is_name(at, length))
		return error_new("%s: the name of %s is none; the file is damaged, record again",
			cursor->name, what);
	*ret = arena_strndup(arena, (const char *)at, length);
	return NULL;
}

struct header {
	uint32_t flags, header_bytes, threads, roles, objects, build_id_bytes, name_bytes;
	uint64_t events, struct_bytes;
};

static struct error *out_of_bounds(
	const char *name, const char *what, uint64_t count, uint64_t most)
{
	return error_new("%s: says that it has %" PRIu64 " %s; expected 1 to %" PRIu64
			 ", the file is damaged",
		name, count, what, most);
}

static struct error *check_header(const char *name, const struct header *header)
{
	if (header->events > TRACE_EVENTS_MAX)
		return out_of_bounds(name, "events", header->events, TRACE_EVENTS_MAX);
	if (!header->threads || header->threads > TRACE_THREADS_MAX)
		return out_of_bounds(name, "threads", header->threads, TRACE_THREADS_MAX);
	if (!header->roles || header->roles > TRACE_ROLES_MAX)
		return out_of_bounds(name, "roles", header->roles, TRACE_ROLES_MAX);
	if (!header->objects || header->objects > TRACE_OBJECTS_MAX)
		return out_of_bounds(name, "objects", header->objects, TRACE_OBJECTS_MAX);
	if (header->build_id_bytes > TRACE_BUILD_ID_MAX)
		return error_new("%s: a build-id of %u bytes; at most %d are expected, the file is "
				 "damaged",
			name, header->build_id_bytes, TRACE_BUILD_ID_MAX);
	return NULL;
}

static struct error *read_header(
	const char *name, const unsigned char *at, size_t length, struct header *ret)
{
	if (length < HEADER_BYTES)
		return truncated(name);
	uint64_t version = number(at + 8, 2);
	if (version != TRACE_VERSION)
		return error_new("%s: a trace of version %" PRIu64
				 "; this linelint reads version %d: take a "
				 "newer one, or record again",
			name, version, TRACE_VERSION);
	*ret = (struct header){
		.flags = (uint32_t)number(at + 10, 2),
		.header_bytes = (uint32_t)number(at + 12, 4),
		.events = number(at + 16, 8),
		.struct_bytes = number(at + 24, 8),
		.threads = (uint32_t)number(at + 32, 4),
		.roles = (uint32_t)number(at + 36, 4),
		.objects = (uint32_t)number(at + 40, 4),
		.build_id_bytes = (uint32_t)number(at + 44, 4),
		.name_bytes = (uint32_t)number(at + 48, 4),
	};
	return check_header(name, ret);
}

/* The events begin where the header says, and end with the file. */
static struct error *check_length(const char *name, const struct header *header, size_t length)
{
	if (header->header_bytes > length)
		return truncated(name);
	if (header->header_bytes < HEADER_BYTES || header->header_bytes % 8)
		return error_new(
			"%s: says that its header has %u bytes; the file is damaged, record again",
			name, header->header_bytes);
	uint64_t there = (length - header->header_bytes) / EVENT_BYTES;
	if (there < header->events)
		return error_new("%s: truncated: %" PRIu64 " of %" PRIu64
				 " accesses are there; copy it again, or record again and let the "
				 "program end by itself",
			name, there, header->events);
	if (length - header->header_bytes != header->events * EVENT_BYTES)
		return error_new("%s: more bytes than its %" PRIu64
				 " accesses need; the file is damaged, "
				 "record again",
			name, header->events);
	return NULL;
}

static struct error *read_target(struct cursor *cursor, struct arena *arena,
	const struct header *header, const struct trace_target *target)
{
	const unsigned char *id = NULL;
	const char *name = NULL;
	char hex[2 * TRACE_BUILD_ID_MAX + 1] = "";
	struct error *error = take(cursor, header->build_id_bytes, &id);
	if (!error)
		error = take_name(cursor, arena, header->name_bytes, "its struct", &name);
	if (!error)
		error = trace_check_struct(target, cursor->name, name, header->struct_bytes);
	if (error || !header->build_id_bytes)
		return error;
	for (size_t i = 0; i < header->build_id_bytes; i++) {
		hex[2 * i] = "0123456789abcdef"[id[i] >> 4];
		hex[2 * i + 1] = "0123456789abcdef"[id[i] & 15];
	}
	return trace_check_build(target, cursor->name, hex);
}

static struct error *read_tables(
	struct cursor *cursor, struct arena *arena, const struct header *header, struct trace *ret)
{
	const unsigned char *at = NULL;
	const char **roles = arena_new(arena, header->roles, sizeof(*roles));
	uint32_t *threads = arena_new(arena, header->threads, sizeof(*threads));
	uint64_t *objects = arena_new(arena, header->objects, sizeof(*objects));
	struct error *error = NULL;
	for (size_t i = 0; i < header->roles && !error; i++) {
		uint32_t length = 0;
		error = take_u32(cursor, &length);
		if (!error)
			error = take_name(cursor, arena, length, "a role", &roles[i]);
	}
	for (size_t i = 0; i < header->threads && !error; i++) {
		error = take_u32(cursor, &threads[i]);
		if (!error && threads[i] >= header->roles)
			error = error_new(
				"%s: thread %zu has role %u of %u; the file is damaged, record "
				"again",
				cursor->name, i, threads[i], header->roles);
	}
	for (size_t i = 0; i < header->objects && !error; i++) {
		error = take(cursor, 8, &at);
		if (!error)
			objects[i] = number(at, 8);
	}
	*ret = (struct trace){
		.path = ret->path,
		.roles = roles,
		.role_count = header->roles,
		.thread_roles = threads,
		.thread_count = header->threads,
		.objects = objects,
		.object_count = header->objects,
		.is_incomplete = header->flags & FLAG_INCOMPLETE,
	};
	return error;
}

static struct error *damaged_event(const char *name, size_t index, const char *what)
{
	return error_new(
		"%s: access %zu: %s; the file is damaged, record again", name, index, what);
}

static struct error *read_event(const struct trace *trace, const struct trace_target *target,
	const unsigned char *at, size_t index, struct trace_event *ret)
{
	uint8_t bits = at[2];
	*ret = (struct trace_event){
		.thread = (uint32_t)number(at, 2),
		.object = (uint32_t)number(at + 4, 4),
		.off_bytes = (uint32_t)number(at + 8, 4),
		.size_bytes = (uint32_t)number(at + 12, 4),
		.kind = bits & EVENT_KIND,
		.begins = bits & EVENT_BEGINS,
	};
	if (ret->thread >= trace->thread_count)
		return damaged_event(trace->path, index, "of a thread that is not in the table");
	if (ret->object >= trace->object_count)
		return damaged_event(trace->path, index, "to an object that is not in the table");
	if ((bits & ~(EVENT_KIND | EVENT_BEGINS)) || ret->kind > ACCESS_RMW)
		return damaged_event(trace->path, index, "neither read, write nor rmw");
	return trace_check_event(target, trace->path, ret);
}

static struct error *read_events(struct arena *arena, const struct trace_target *target,
	const unsigned char *at, size_t count, struct trace *ret)
{
	struct trace_event *events = arena_new(arena, count, sizeof(*events));
	for (size_t i = 0; i < count; i++) {
		struct error *error = read_event(ret, target, at + i * EVENT_BYTES, i, &events[i]);
		if (error)
			return error;
	}
	ret->events = events;
	ret->event_count = count;
	return NULL;
}

struct error *trace_parse_binary(struct arena *arena, const char *name, const char *bytes,
	size_t length, const struct trace_target *target, struct trace *ret)
{
	const unsigned char *start = (const unsigned char *)bytes;
	struct header header = {0};
	struct error *error = read_header(name, start, length, &header);
	if (!error)
		error = check_length(name, &header, length);
	if (error)
		return error;
	struct cursor cursor = {name, start + HEADER_BYTES, start + header.header_bytes};
	error = read_target(&cursor, arena, &header, target);
	if (!error)
		error = read_tables(&cursor, arena, &header, ret);
	return error ? error : read_events(arena, target, cursor.end, header.events, ret);
}

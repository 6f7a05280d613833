#include "profile/field.h"

#include <stddef.h>
#include <string.h>

#include "base/nearest.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Accesses */

static const struct {
	const char *name;
	double count;
} words[] = {{"hot", 1}, {"warm", 0.1}, {"cold", 0.001}};

/* "hot", "2", "0.05": false when it is none, or out of range. */
static bool parse_count(const struct profile_node *value, double *ret)
{
	double count;
	if (value->kind != NODE_TEXT)
		return false;
	for (size_t i = 0; i < COUNT(words); i++) {
		if (strcmp(value->text, words[i].name) != 0)
			continue;
		*ret = words[i].count;
		return true;
	}
	if (!profile_node_real(value, &count) || count < 0 || count > PROFILE_COUNT_MAX)
		return false;
	*ret = count;
	return true;
}

static struct error *count_fault(const struct profile_reader *reader,
	const struct profile_node *key, const struct profile_node *value)
{
	struct nearest nearest;
	bool is_text = value->kind == NODE_TEXT && !profile_node_is_empty(value);
	nearest_init(&nearest, is_text ? value->text : "");
	for (size_t i = 0; i < COUNT(words); i++)
		nearest_offer(&nearest, words[i].name);
	return profile_mismatch(reader, key, value,
		arena_printf(reader->arena,
			"a number from 0 to %d, or one of hot, warm, cold%s%s%s", PROFILE_COUNT_MAX,
			nearest.count ? " (did you mean '" : "",
			nearest.count ? nearest.names[0] : "", nearest.count ? "'?)" : ""));
}

/* The key says which kind; `target` is an array of counts by kind. */
static struct error *read_count(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	double *counts = target;
	for (size_t kind = 0; kind < ACCESS_KIND_COUNT; kind++) {
		if (strcmp(key->text, access_kind_name((enum access_kind)kind)) != 0)
			continue;
		return parse_count(value, &counts[kind]) ? NULL : count_fault(reader, key, value);
	}
	return NULL;
}

static const struct profile_key access_keys[] = {
	{"read", read_count, offsetof(struct profile_access, counts)},
	{"write", read_count, offsetof(struct profile_access, counts)},
	{"rmw", read_count, offsetof(struct profile_access, counts)},
	{"access", read_count, offsetof(struct profile_access, counts)},
	{"why", profile_read_text, offsetof(struct profile_access, why)},
	{"if", profile_read_path, offsetof(struct profile_access, if_field)},
	{"unless", profile_read_path, offsetof(struct profile_access, unless_field)},
};

/* What is the field's, whoever accesses it. */
static const char *access_hint(const char *key)
{
	if (strcmp(key, "index") == 0 || strcmp(key, "bytes") == 0 || strcmp(key, "optional") == 0)
		return "; that key stands beside the roles, for all of them";
	return "";
}

static const struct profile_key_table access_table = {
	access_keys, COUNT(access_keys), NULL, access_hint};

/* The kinds that a short form stands for, as bits by enum access_kind; 0 when it is none. */
static unsigned short_kinds(const char *text, size_t length)
{
	static const struct {
		const char *name;
		unsigned kinds;
	} shorts[] = {
		{"r", 1u << ACCESS_READ},
		{"w", 1u << ACCESS_WRITE},
		{"rw", 1u << ACCESS_READ | 1u << ACCESS_WRITE},
		{"rmw", 1u << ACCESS_RMW},
		{"access", 1u << ACCESS_UNKNOWN},
	};
	for (size_t i = 0; i < COUNT(shorts); i++)
		if (strlen(shorts[i].name) == length && strncmp(shorts[i].name, text, length) == 0)
			return shorts[i].kinds;
	return 0;
}

/* "rw hot", "rmw 2" */
static struct error *read_short(const struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, double *counts)
{
	size_t length = strcspn(value->text, " ");
	unsigned kinds = short_kinds(value->text, length);
	struct profile_node number = {.kind = NODE_TEXT,
		.plain = true,
		.text = value->text + length + strspn(value->text + length, " ")};
	double count;
	if (!kinds || !parse_count(&number, &count))
		return profile_mismatch(reader, key, value,
			"accesses such as {read: 1, rmw: 2}, or in short r, w, rw, rmw or access "
			"with hot, warm, cold or a number, such as 'rw hot'");
	for (size_t kind = 0; kind < ACCESS_KIND_COUNT; kind++)
		if (kinds & 1u << kind)
			counts[kind] = count;
	return NULL;
}

static struct error *list_fault(const struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value)
{
	return profile_mismatch(
		reader, key, value, "accesses such as {read: 1, rmw: 2}, or in short 'rw hot'");
}

static struct error *read_access(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, struct profile_access *access)
{
	access->position = key->position;
	if (value->kind == NODE_LIST)
		return list_fault(reader, key, value);
	if (value->kind == NODE_TEXT && !profile_node_is_empty(value))
		return read_short(reader, key, value, access->counts);
	return profile_read_map(reader, key, value, &access_table, access);
}

/* Fields */

struct field_reading {
	struct profile_field field;
	double counts[ACCESS_KIND_COUNT]; /* of every role */
	struct profile_access *accesses;  /* of single roles, behind one place for every role */
	size_t count;
};

static struct error *read_field_access(struct profile_reader *reader, uint32_t role,
	const struct profile_node *key, const struct profile_node *value, void *target)
{
	struct field_reading *reading = target;
	struct profile_access *access = &reading->accesses[1 + reading->count++];
	access->role = role;
	return read_access(reader, key, value, access);
}

static struct error *read_index(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	struct profile_field *field = target;
	field->index_stated = true;
	if (value->kind == NODE_TEXT && strcmp(value->text, "spread") == 0)
		field->index = PROFILE_INDEX_SPREAD;
	else if (value->kind == NODE_TEXT && strcmp(value->text, "thread") == 0)
		field->index = PROFILE_INDEX_THREAD;
	else
		field->index = PROFILE_INDEX_ELEMENT;
	if (field->index != PROFILE_INDEX_ELEMENT)
		return NULL;
	struct profile_limits limits = {.most = PROFILE_SIZE_MAX};
	struct error *error = profile_read_uint(reader, key, value, limits, &field->element);
	if (!error)
		return NULL;
	error_free(error);
	return profile_mismatch(reader, key, value, "spread, thread, or the number of an element");
}

static const struct profile_key field_keys[] = {
	{"read", read_count, offsetof(struct field_reading, counts)},
	{"write", read_count, offsetof(struct field_reading, counts)},
	{"rmw", read_count, offsetof(struct field_reading, counts)},
	{"access", read_count, offsetof(struct field_reading, counts)},
	{"why", profile_read_text, offsetof(struct field_reading, field.why)},
	{"optional", profile_read_bool, offsetof(struct field_reading, field.optional)},
	{"if", profile_read_path, offsetof(struct field_reading, field.if_field)},
	{"unless", profile_read_path, offsetof(struct field_reading, field.unless_field)},
	{"bytes", profile_read_size, offsetof(struct field_reading, field.bytes)},
	{"index", read_index, offsetof(struct field_reading, field)},
};
static const struct profile_key_table field_table = {
	field_keys, COUNT(field_keys), read_field_access, NULL};

/* Does a role's own count of a kind stand beside every role's? Then it could mean "instead" or "as well". */
static struct error *check_twofold(
	const struct profile_reader *reader, const struct field_reading *reading)
{
	for (size_t i = 0; i < reading->count; i++) {
		const struct profile_access *access = &reading->accesses[1 + i];
		for (size_t kind = 0; kind < ACCESS_KIND_COUNT; kind++)
			if (reading->counts[kind] > 0 && access->counts[kind] > 0)
				return profile_fault(reader->path, access->position,
					"'%s' of '%s' is stated for every role and again for '%s'; "
					"keep one",
					access_kind_name((enum access_kind)kind),
					reading->field.path,
					reader->profile->roles[access->role].name);
	}
	return NULL;
}

static struct error *read_field_value(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, struct field_reading *reading)
{
	if (value->kind == NODE_LIST)
		return list_fault(reader, key, value);
	if (value->kind == NODE_TEXT && !profile_node_is_empty(value))
		return read_short(reader, key, value, reading->counts);
	return profile_read_map(reader, key, value, &field_table, reading);
}

static struct error *read_field(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, struct profile_field *ret)
{
	struct field_reading reading = {.field.position = key->position};
	reading.accesses = arena_new(reader->arena, value->count + 1, sizeof(*reading.accesses));
	struct error *error = profile_read_path(reader, key, key, &reading.field.path);
	if (!error)
		error = read_field_value(reader, key, value, &reading);
	if (!error)
		error = check_twofold(reader, &reading);
	if (error)
		return error;
	if (profile_any_count(reading.counts)) {
		reading.accesses[0].role = PROFILE_ALL_ROLES;
		reading.accesses[0].position = key->position;
		memcpy(reading.accesses[0].counts, reading.counts, sizeof(reading.counts));
		reading.field.accesses = reading.accesses;
		reading.field.access_count = reading.count + 1;
	} else {
		reading.field.accesses = reading.accesses + 1;
		reading.field.access_count = reading.count;
	}
	*ret = reading.field;
	return NULL;
}

struct error *profile_read_fields(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	struct profile_struct *entry = target;
	struct error *error = profile_expect_map(
		reader, key, value, "a mapping of fields to accesses, such as {f_op: r hot}");
	if (error)
		return error;
	struct profile_field *fields = arena_new(reader->arena, value->count, sizeof(*fields));
	for (size_t i = 0; i < value->count; i++) {
		error = read_field(reader, value->keys[i], value->items[i], &fields[i]);
		if (error)
			return error;
	}
	entry->fields = fields;
	entry->field_count = value->count;
	return NULL;
}

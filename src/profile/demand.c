#include "profile/demand.h"

#include <stddef.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Constraints */

static struct error *read_units(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	return profile_read_paths(reader, key, value, (struct profile_paths_rule){0}, target);
}

static struct error *read_pin(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	struct profile_constraints *constraints = target;
	constraints->pin.position = key->position;
	constraints->pin_all = value->kind == NODE_TEXT && strcmp(value->text, "all") == 0;
	if (constraints->pin_all)
		return NULL;
	if (value->kind != NODE_LIST && !profile_node_is_empty(value))
		return profile_mismatch(reader, key, value, "a list of fields, or all");
	return read_units(reader, key, value, &constraints->pin);
}

static struct error *read_groups(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	struct profile_constraints *constraints = target;
	bool empty = profile_node_is_empty(value);
	size_t count = empty ? 0 : value->count;
	if ((!empty && value->kind != NODE_LIST) || count > PROFILE_LIST_MAX)
		return profile_mismatch(
			reader, key, value, "a list of lists of fields, such as [[a, b], [c, d]]");
	struct profile_names *groups = arena_new(reader->arena, count, sizeof(*groups));
	for (size_t i = 0; i < count; i++) {
		struct error *error = profile_read_paths(reader, key, value->items[i],
			(struct profile_paths_rule){.least = 2}, &groups[i]);
		if (error)
			return error;
		groups[i].position = value->items[i]->position;
	}
	constraints->keep_together = groups;
	constraints->keep_together_count = count;
	return NULL;
}

static struct error *read_padding(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	static const char *const names[] = {"forbidden", "allowed"};
	size_t index;
	struct error *error = profile_read_choice(reader, key, value, names, COUNT(names), &index);
	if (!error)
		*(bool *)target = index == 1;
	return error;
}

static struct error *read_max_size(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	struct profile_constraints *constraints = target;
	constraints->max_size_position = key->position;
	return profile_read_size(reader, key, value, &constraints->max_size_bytes);
}

static const struct profile_key constraint_keys[] = {
	{"first", read_units, offsetof(struct profile_constraints, first)},
	{"last", read_units, offsetof(struct profile_constraints, last)},
	{"keep_together", read_groups, 0},
	{"pin", read_pin, 0},
	{"max_size", read_max_size, 0},
	{"padding", read_padding, offsetof(struct profile_constraints, padding_allowed)},
	{"why", profile_read_text, offsetof(struct profile_constraints, why)},
};
static const struct profile_key_table constraint_table = {
	constraint_keys, COUNT(constraint_keys), NULL, NULL};

struct error *profile_read_constraints(struct profile_reader *reader,
	const struct profile_node *key, const struct profile_node *value, void *target)
{
	struct profile_constraints *constraints = target;
	constraints->position = key->position;
	return profile_read_map(reader, key, value, &constraint_table, constraints);
}

/* Expectations */

struct expect_reading {
	struct profile_expect *expects; /* with room for all */
	size_t count;
	size_t assertions; /* of the item under reading */
	const char *why;
};

static struct profile_expect *add_expect(struct expect_reading *reading,
	const struct profile_node *key, enum profile_expect_kind kind)
{
	struct profile_expect *expect = &reading->expects[reading->count++];
	expect->kind = kind;
	expect->position = key->position;
	return expect;
}

static struct error *read_expect_fields(struct profile_reader *reader,
	const struct profile_node *key, const struct profile_node *value, void *target)
{
	struct expect_reading *reading = target;
	struct profile_names names;
	struct error *error = profile_read_paths(
		reader, key, value, (struct profile_paths_rule){.least = 2}, &names);
	if (error)
		return error;
	bool apart = strcmp(key->text, "apart") == 0;
	struct profile_expect *expect =
		add_expect(reading, key, apart ? EXPECT_APART : EXPECT_SAME_LINE);
	expect->fields = names.names;
	expect->field_count = names.count;
	reading->assertions++;
	return NULL;
}

static struct error *read_expect_lines(struct profile_reader *reader,
	const struct profile_node *key, const struct profile_node *value, void *target)
{
	struct expect_reading *reading = target;
	reading->assertions++;
	if (value->kind != NODE_MAP || !value->count)
		return profile_mismatch(reader, key, value,
			"a mapping of fields to line numbers, such as {f_lock: 0}");
	for (size_t i = 0; i < value->count; i++) {
		const struct profile_node *name = value->keys[i];
		struct profile_expect *expect = add_expect(reading, name, EXPECT_LINE);
		const char **path = arena_new(reader->arena, 1, sizeof(*path));
		struct error *error = profile_read_path(reader, name, name, path);
		if (!error)
			error = profile_read_uint(reader, name, value->items[i],
				(struct profile_limits){.most = PROFILE_SIZE_MAX}, &expect->value);
		if (error)
			return error;
		expect->fields = path;
		expect->field_count = 1;
	}
	return NULL;
}

static struct error *read_expect_number(struct profile_reader *reader,
	const struct profile_node *key, const struct profile_node *value, void *target)
{
	struct expect_reading *reading = target;
	bool lines = strcmp(key->text, "max_lines") == 0;
	struct profile_expect *expect =
		add_expect(reading, key, lines ? EXPECT_MAX_LINES : EXPECT_MAX_SIZE);
	reading->assertions++;
	struct profile_limits limits = {
		.least = 1, .most = PROFILE_SIZE_MAX, .unit = lines ? "lines" : "bytes"};
	return profile_read_uint(reader, key, value, limits, &expect->value);
}

static const struct profile_key expect_keys[] = {
	{"same_line", read_expect_fields, 0},
	{"apart", read_expect_fields, 0},
	{"line", read_expect_lines, 0},
	{"max_size", read_expect_number, 0},
	{"max_lines", read_expect_number, 0},
	{"why", profile_read_text, offsetof(struct expect_reading, why)},
};
static const struct profile_key_table expect_table = {expect_keys, COUNT(expect_keys), NULL, NULL};

static struct error *read_expect(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *item, struct expect_reading *reading)
{
	static const char form[] = "one of {same_line: [a, b]}, {apart: [a, b]}, {line: {a: 0}}, "
				   "{max_size: N}, {max_lines: N}";
	size_t first = reading->count;
	reading->assertions = 0;
	reading->why = NULL;
	if (item->kind != NODE_MAP)
		return profile_mismatch(reader, key, item, form);
	struct error *error = profile_read_map(reader, key, item, &expect_table, reading);
	if (error)
		return error;
	if (reading->assertions != 1)
		return profile_fault(reader->path, item->position,
			"an item of 'expect' with %zu assertions; expected %s", reading->assertions,
			form);
	for (size_t i = first; i < reading->count; i++)
		reading->expects[i].why = reading->why;
	return NULL;
}

/* One record an item, but one a field for `line`. */
static size_t count_expects(const struct profile_node *list)
{
	size_t count = 0;
	for (size_t i = 0; i < list->count; i++) {
		const struct profile_node *item = list->items[i];
		for (size_t j = 0; j < item->count; j++)
			count += 1 + item->items[j]->count;
	}
	return count;
}

struct error *profile_read_expects(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	struct profile_struct *entry = target;
	struct expect_reading reading = {0};
	struct error *error = profile_expect_list(
		reader, key, value, "a list of assertions, such as [{apart: [a, b]}]");
	if (error || profile_node_is_empty(value))
		return error;
	reading.expects = arena_new(reader->arena, count_expects(value), sizeof(*reading.expects));
	for (size_t i = 0; i < value->count && !error; i++)
		error = read_expect(reader, key, value->items[i], &reading);
	entry->expects = reading.expects;
	entry->expect_count = reading.count;
	return error;
}

/* Ignored findings */

static struct error *read_rule(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	enum { LAST_RULE = 13 };
	if (value->kind == NODE_TEXT && strlen(value->text) == 5 &&
		strncmp(value->text, "LL0", 3) == 0 && strspn(value->text + 3, "0123456789") == 2) {
		int number = (value->text[3] - '0') * 10 + (value->text[4] - '0');
		if (number >= 1 && number <= LAST_RULE) {
			*(const char **)target = value->text;
			return NULL;
		}
	}
	return profile_mismatch(reader, key, value,
		"the id of a rule, LL001 to LL013 ('linelint explain' lists them)");
}

static struct error *read_ignore_fields(struct profile_reader *reader,
	const struct profile_node *key, const struct profile_node *value, void *target)
{
	struct profile_ignore *ignore = target;
	struct profile_names names;
	struct error *error = profile_read_paths(
		reader, key, value, (struct profile_paths_rule){.least = 1}, &names);
	if (error)
		return error;
	ignore->fields = names.names;
	ignore->field_count = names.count;
	return NULL;
}

static const struct profile_key ignore_keys[] = {
	{"rule", read_rule, offsetof(struct profile_ignore, rule)},
	{"fields", read_ignore_fields, 0},
	{"reason", profile_read_text, offsetof(struct profile_ignore, reason)},
};
static const struct profile_key_table ignore_table = {ignore_keys, COUNT(ignore_keys), NULL, NULL};

struct error *profile_read_ignores(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	static const char form[] =
		"a mapping such as {rule: LL004, fields: [f_ep], reason: \"...\"}";
	struct profile_struct *entry = target;
	struct error *error = profile_expect_list(reader, key, value,
		"a list of findings to ignore, such as [{rule: LL004, reason: \"...\"}]");
	if (error || profile_node_is_empty(value))
		return error;
	struct profile_ignore *ignores = arena_new(reader->arena, value->count, sizeof(*ignores));
	for (size_t i = 0; i < value->count; i++) {
		const struct profile_node *item = value->items[i];
		ignores[i].position = item->position;
		if (item->kind != NODE_MAP)
			return profile_mismatch(reader, key, item, form);
		error = profile_read_map(reader, key, item, &ignore_table, &ignores[i]);
		if (error)
			return error;
		if (!ignores[i].rule || !ignores[i].reason)
			return profile_fault(reader->path, item->position,
				"an item of 'ignore' without '%s'; expected a rule and a reason, "
				"%s",
				ignores[i].rule ? "reason" : "rule", form);
	}
	entry->ignores = ignores;
	entry->ignore_count = value->count;
	return NULL;
}

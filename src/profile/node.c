#include "profile/node.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/nearest.h"

/* Long text in a message helps nobody. */
enum { SHOWN_MAX = 60 };

bool profile_node_is_empty(const struct profile_node *node)
{
	return node->kind == NODE_TEXT && node->plain &&
	       (!node->text[0] || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0);
}

static void describe(const struct profile_node *value, struct buf *out)
{
	if (value->kind == NODE_LIST && value->count > 1)
		buf_printf(out, "a list of %zu", value->count);
	else if (value->kind == NODE_LIST)
		buf_puts(out, value->count ? "a list of one" : "an empty list");
	else if (value->kind == NODE_MAP)
		buf_puts(out, value->count ? "a mapping" : "an empty mapping");
	else if (profile_node_is_empty(value))
		buf_puts(out, "empty");
	else if (strlen(value->text) > SHOWN_MAX)
		buf_printf(out, "'%.*s...'", SHOWN_MAX, value->text);
	else
		buf_printf(out, "%s'%s'", value->plain ? "" : "the quoted text ", value->text);
}

/* An empty value stands nowhere in particular: point at its key. */
static struct profile_position place(
	const struct profile_node *key, const struct profile_node *value)
{
	return profile_node_is_empty(value) ? key->position : value->position;
}

struct error *profile_mismatch(const struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, const char *expected)
{
	struct buf what;
	buf_init(&what);
	describe(value, &what);
	struct error *error = profile_fault(reader->path, place(key, value),
		"'%s' is %s; expected %s", key->text, what.data, expected);
	buf_release(&what);
	return error;
}

static void offer_roles(const struct profile_reader *reader, struct nearest *nearest)
{
	for (size_t i = 0; i < reader->profile->role_count; i++)
		nearest_offer(nearest, reader->profile->roles[i].name);
}

/* " (did you mean 'a' or 'b'?)" */
static void add_nearest(const struct nearest *nearest, struct buf *out)
{
	for (size_t i = 0; i < nearest->count; i++)
		buf_printf(out, "%s'%s'",
			i == 0                   ? " (did you mean "
			: i + 1 < nearest->count ? ", "
						 : " or ",
			nearest->names[i]);
	if (nearest->count)
		buf_puts(out, "?)");
}

static void add_roles(const struct profile_reader *reader, struct buf *out)
{
	enum { ROLES_SHOWN = 8 };
	const struct profile *profile = reader->profile;
	for (size_t i = 0; i < profile->role_count && i < ROLES_SHOWN; i++)
		buf_printf(out, "%s%s", i ? ", " : "", profile->roles[i].name);
	if (profile->role_count > ROLES_SHOWN)
		buf_printf(out, " and %zu more", profile->role_count - ROLES_SHOWN);
}

static struct error *unknown_key(const struct profile_reader *reader,
	const struct profile_node *key, const struct profile_key_table *table)
{
	struct buf text;
	struct nearest nearest;
	buf_init(&text);
	nearest_init(&nearest, key->text);
	for (size_t i = 0; i < table->count; i++) {
		buf_printf(&text, "%s%s", i ? ", " : "", table->keys[i].name);
		nearest_offer(&nearest, table->keys[i].name);
	}
	if (table->read_role && reader->roles_stated) {
		buf_puts(&text, " or a role: ");
		add_roles(reader, &text);
	} else if (table->read_role) {
		buf_puts(&text, " or the role all (no 'roles' are stated)");
	}
	if (table->read_role)
		offer_roles(reader, &nearest);
	if (table->hint)
		buf_puts(&text, table->hint(key->text));
	add_nearest(&nearest, &text);
	struct error *error = profile_fault(reader->path, key->position,
		"unknown key '%s'; expected one of %s", key->text, text.data);
	buf_release(&text);
	return error;
}

static bool find_role(const struct profile_reader *reader, const char *name, uint32_t *ret)
{
	for (size_t i = 0; i < reader->profile->role_count; i++) {
		if (strcmp(reader->profile->roles[i].name, name) != 0)
			continue;
		*ret = (uint32_t)i;
		return true;
	}
	return false;
}

static struct error *read_pair(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, const struct profile_key_table *table, void *target)
{
	uint32_t role;
	for (size_t i = 0; i < table->count; i++)
		if (strcmp(table->keys[i].name, key->text) == 0)
			return table->keys[i].read(
				reader, key, value, (char *)target + table->keys[i].offset);
	if (table->read_role && find_role(reader, key->text, &role))
		return table->read_role(reader, role, key, value, target);
	return unknown_key(reader, key, table);
}

struct error *profile_read_map(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, const struct profile_key_table *table, void *target)
{
	if (profile_node_is_empty(value))
		return NULL;
	if (value->kind != NODE_MAP) {
		struct buf expected;
		buf_init(&expected);
		buf_puts(&expected, "a mapping with ");
		for (size_t i = 0; i < table->count; i++)
			buf_printf(&expected, "%s%s", i ? ", " : "", table->keys[i].name);
		struct error *error = profile_mismatch(reader, key, value, expected.data);
		buf_release(&expected);
		return error;
	}
	for (size_t i = 0; i < value->count; i++) {
		struct error *error =
			read_pair(reader, value->keys[i], value->items[i], table, target);
		if (error)
			return error;
	}
	return NULL;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* strtoull takes signs, blanks and octal; a profile does not. */
static bool parse_uint(const char *text, uint64_t *ret)
{
	bool hex = text[0] == '0' && text[1] == 'x';
	const char *digits = hex ? text + 2 : text;
	if (!digits[0] ||
		strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789") != strlen(digits))
		return false;
	if (!hex && digits[0] == '0' && digits[1])
		return false;
	errno = 0;
	unsigned long long value = strtoull(digits, NULL, hex ? 16 : 10);
	if (errno)
		return false;
	*ret = value;
	return true;
}

/* Large powers of two as such: nobody reads 1099511627776. */
static void add_limit(struct buf *out, uint64_t limit)
{
	if (limit >= 1 << 20 && !(limit & (limit - 1)))
		buf_printf(out, "2^%d", __builtin_ctzll(limit));
	else
		buf_printf(out, "%llu", (unsigned long long)limit);
}

struct error *profile_read_uint(const struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, struct profile_limits limits, uint64_t *ret)
{
	uint64_t number;
	if (value->kind == NODE_TEXT && value->plain && parse_uint(value->text, &number) &&
		number >= limits.least && number <= limits.most) {
		*ret = number;
		return NULL;
	}
	struct buf expected;
	buf_init(&expected);
	buf_printf(&expected, "an integer from %llu to ", (unsigned long long)limits.least);
	add_limit(&expected, limits.most);
	if (limits.unit)
		buf_printf(&expected, " %s", limits.unit);
	struct error *error = profile_mismatch(reader, key, value, expected.data);
	buf_release(&expected);
	return error;
}

struct error *profile_read_size(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	struct profile_limits limits = {.least = 1, .most = PROFILE_SIZE_MAX, .unit = "bytes"};
	return profile_read_uint(reader, key, value, limits, target);
}

/* [-+]? (digits [. digits?]? | . digits) ([eE] [-+]? digits)? and nothing else: strtod would take inf, nan and 0x1p3. */
static bool is_number(const char *s)
{
	s += *s == '-' || *s == '+';
	size_t whole = strspn(s, "0123456789"), part = 0;
	s += whole;
	if (*s == '.') {
		part = strspn(s + 1, "0123456789");
		s += 1 + part;
	}
	if (whole + part == 0)
		return false;
	if (*s == 'e' || *s == 'E') {
		s++;
		s += *s == '-' || *s == '+';
		if (!is_digit(*s))
			return false;
		s += strspn(s, "0123456789");
	}
	return *s == '\0';
}

bool profile_node_real(const struct profile_node *value, double *ret)
{
	if (value->kind != NODE_TEXT || !value->plain || !is_number(value->text))
		return false;
	*ret = strtod(value->text, NULL);
	return true;
}

struct error *profile_read_real(const struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, struct profile_range range, double *ret)
{
	double number;
	if (profile_node_real(value, &number) && number <= range.most &&
		(range.open ? number > range.least : number >= range.least)) {
		*ret = number;
		return NULL;
	}
	char *expected = arena_printf(reader->arena, "a number %s %.10g %s %.10g",
		range.open ? "over" : "from", range.least, range.open ? "up to" : "to", range.most);
	return profile_mismatch(reader, key, value, expected);
}

struct error *profile_read_bool(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	if (value->kind != NODE_TEXT || !value->plain ||
		(strcmp(value->text, "true") != 0 && strcmp(value->text, "false") != 0))
		return profile_mismatch(reader, key, value, "true or false");
	*(bool *)target = value->text[0] == 't';
	return NULL;
}

struct error *profile_read_choice(const struct profile_reader *reader,
	const struct profile_node *key, const struct profile_node *value, const char *const *names,
	size_t count, size_t *ret)
{
	struct buf expected;
	struct nearest nearest;
	bool is_text = value->kind == NODE_TEXT && !profile_node_is_empty(value);
	buf_init(&expected);
	nearest_init(&nearest, is_text ? value->text : "");
	for (size_t i = 0; i < count; i++) {
		if (is_text && strcmp(value->text, names[i]) == 0) {
			buf_release(&expected);
			*ret = i;
			return NULL;
		}
		buf_printf(&expected, "%s%s",
			i == 0          ? ""
			: i + 1 < count ? ", "
					: " or ",
			names[i]);
		nearest_offer(&nearest, names[i]);
	}
	add_nearest(&nearest, &expected);
	struct error *error = profile_mismatch(reader, key, value, expected.data);
	buf_release(&expected);
	return error;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static char *squeeze(struct arena *arena, const char *text)
{
	char *copy = arena_strdup(arena, text), *end = copy;
	for (const char *s = text; *s; s++) {
		if (!is_space(*s))
			*end++ = *s;
		else if (end > copy && end[-1] != ' ')
			*end++ = ' ';
	}
	if (end > copy && end[-1] == ' ')
		end--;
	*end = '\0';
	return copy;
}

struct error *profile_read_text(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	if (value->kind == NODE_TEXT && !profile_node_is_empty(value)) {
		char *text = squeeze(reader->arena, value->text);
		if (text[0]) {
			*(const char **)target = text;
			return NULL;
		}
	}
	return profile_mismatch(reader, key, value, "text");
}

/* What is wrong with the path, NULL when it is well formed. Template arguments of a C++ base may hold anything. */
static const char *path_fault(const char *path)
{
	unsigned angles = 0;
	if (!path[0])
		return "an empty name";
	for (const char *s = path; *s; s++) {
		if ((unsigned char)*s < 0x20 || *s == 0x7f)
			return "a control character";
		if (*s == '<')
			angles++;
		else if (*s == '>' && angles)
			angles--;
		else if (angles)
			continue;
		else if (*s == ' ')
			return "a blank";
		else if (*s == '.' && (s == path || !s[1] || s[1] == '.'))
			return "an empty name beside '.'";
		else if (*s == '[' && (s == path || s[1] != ']' || (s[2] && s[2] != '.')))
			return "a subscript; write the array as 'name[]', and the element as "
			       "'index: N'";
		else if (*s == ']' && (s == path || s[-1] != '['))
			return "a ']' without '['";
	}
	return NULL;
}

bool profile_is_path(const char *path)
{
	return !path_fault(path);
}

struct error *profile_read_path(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	if (value->kind != NODE_TEXT || profile_node_is_empty(value))
		return profile_mismatch(reader, key, value, "the name of a field");
	const char *fault = path_fault(value->text);
	if (fault)
		return profile_fault(reader->path, value->position,
			"'%s' is no field: it has %s; expected 'member', 'member.member' or "
			"'array[]'",
			value->text, fault);
	*(const char **)target = value->text;
	return NULL;
}

static const char *skip_subscripts(const char *path)
{
	while (path[0] == '[' && path[1] == ']')
		path += 2;
	return path;
}

int profile_compare_paths(const char *a, const char *b)
{
	for (;; a++, b++) {
		a = skip_subscripts(a);
		b = skip_subscripts(b);
		if (*a != *b)
			return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
		if (!*a)
			return 0;
	}
}

bool profile_same_path(const char *a, const char *b)
{
	return profile_compare_paths(a, b) == 0;
}

static int by_path(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;
	return profile_compare_paths(*x, *y);
}

/* A path that stands twice; NULL when each stands once. */
static const char *find_repeated(const char *const *paths, size_t count)
{
	const char *repeated = NULL;
	if (count < 2)
		return NULL;
	const char **sorted = mem_new(count, sizeof(*sorted));
	memcpy(sorted, paths, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), by_path);
	for (size_t i = 1; i < count && !repeated; i++)
		if (profile_same_path(sorted[i - 1], sorted[i]))
			repeated = sorted[i];
	mem_free(sorted);
	return repeated;
}

struct error *profile_read_paths(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, struct profile_paths_rule rule, struct profile_names *ret)
{
	bool empty = profile_node_is_empty(value);
	size_t count = empty ? 0 : value->count;
	if ((!empty && value->kind != NODE_LIST) || count < rule.least)
		return profile_mismatch(reader, key, value,
			rule.least < 2 ? "a list of fields, such as [a, b]"
				       : "a list of two or more fields, such as [a, b]");
	if (count > PROFILE_LIST_MAX)
		return profile_mismatch(reader, key, value,
			arena_printf(reader->arena, "at most %d fields", PROFILE_LIST_MAX));
	const char **paths = arena_new(reader->arena, count, sizeof(*paths));
	for (size_t i = 0; i < count; i++) {
		struct error *error = profile_read_path(reader, key, value->items[i], &paths[i]);
		if (error)
			return error;
	}
	const char *repeated = rule.repeats ? NULL : find_repeated(paths, count);
	if (repeated)
		return profile_fault(reader->path, value->position,
			"'%s' names '%s' twice; expected each field once", key->text, repeated);
	*ret = (struct profile_names){paths, count, key->position};
	return NULL;
}

struct error *profile_read_role(
	const struct profile_reader *reader, const struct profile_node *name, uint32_t *ret)
{
	if (name->kind != NODE_TEXT)
		return profile_fault(reader->path, name->position,
			"a %s; expected the name of a role",
			name->kind == NODE_LIST ? "list" : "mapping");
	if (find_role(reader, name->text, ret))
		return NULL;
	struct buf text;
	struct nearest nearest;
	buf_init(&text);
	nearest_init(&nearest, name->text);
	offer_roles(reader, &nearest);
	add_roles(reader, &text);
	add_nearest(&nearest, &text);
	struct error *error = profile_fault(reader->path, name->position,
		"unknown role '%s'; expected one of %s", name->text, text.data);
	buf_release(&text);
	return error;
}

struct error *profile_expect_map(const struct profile_reader *reader,
	const struct profile_node *key, const struct profile_node *value, const char *expected)
{
	if (value->kind == NODE_MAP || profile_node_is_empty(value))
		return NULL;
	return profile_mismatch(reader, key, value, expected);
}

struct error *profile_expect_list(const struct profile_reader *reader,
	const struct profile_node *key, const struct profile_node *value, const char *expected)
{
	if (profile_node_is_empty(value))
		return NULL;
	if (value->kind == NODE_LIST && value->count <= PROFILE_LIST_MAX)
		return NULL;
	return profile_mismatch(reader, key, value, expected);
}

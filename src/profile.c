#include "profile.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "profile/node.h"
#include "profile/struct.h"
#include "type.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define DEFAULT_THREADS 16

/* Roles */

static struct error *read_rate(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	struct profile_range range = {.least = 0, .most = 1e9, .open = true};
	return profile_read_real(reader, key, value, range, target);
}

static struct error *read_interleave(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	struct profile_range range = {.least = 0, .most = 1, .open = true};
	return profile_read_real(reader, key, value, range, target);
}

static const struct profile_key role_keys[] = {
	{"threads", profile_read_threads, offsetof(struct profile_role, threads)},
	{"rate", read_rate, offsetof(struct profile_role, rate)},
	{"interleave", read_interleave, offsetof(struct profile_role, interleave)},
	{"why", profile_read_text, offsetof(struct profile_role, why)},
};
static const struct profile_key_table role_table = {role_keys, COUNT(role_keys), NULL, NULL};

static const struct profile_role default_role = {
	.name = "all", .threads = DEFAULT_THREADS, .rate = 1, .interleave = -1};

/* Keys that mean something else where the name of a role may stand. */
static bool is_reserved(const char *name)
{
	static const char *const reserved[] = {"read", "write", "rmw", "access", "why", "optional",
		"index", "bytes", "if", "unless"};
	for (size_t i = 0; i < COUNT(reserved); i++)
		if (strcmp(name, reserved[i]) == 0)
			return true;
	return false;
}

/* One word. */
static bool is_word(const char *name)
{
	for (const char *s = name; *s; s++)
		if ((unsigned char)*s <= 0x20 || *s == 0x7f)
			return false;
	return true;
}

bool profile_is_role_name(const char *name)
{
	return *name && is_word(name) && !is_reserved(name);
}

static struct error *check_name(
	const struct profile_reader *reader, const struct profile_node *key, const char *what)
{
	if (is_word(key->text))
		return NULL;
	return profile_fault(reader->path, key->position,
		"the name of a %s with a blank or control character; expected one word", what);
}

static struct error *read_role(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, struct profile_role *ret)
{
	*ret = default_role;
	ret->name = key->text;
	ret->position = key->position;
	if (is_reserved(key->text))
		return profile_fault(reader->path, key->position,
			"'%s' is no name for a role: accesses have that key; rename it", key->text);
	struct error *error = check_name(reader, key, "role");
	return error ? error : profile_read_map(reader, key, value, &role_table, ret);
}

static struct error *read_roles(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	struct profile *profile = target;
	if (value->kind != NODE_MAP || !value->count || value->count > PROFILE_ROLES_MAX)
		return profile_mismatch(reader, key, value,
			arena_printf(reader->arena,
				"a mapping of 1 to %d roles, such as {lookup: {threads: 24}}",
				PROFILE_ROLES_MAX));
	struct profile_role *roles = arena_new(reader->arena, value->count, sizeof(*roles));
	for (size_t i = 0; i < value->count; i++) {
		struct error *error = read_role(reader, value->keys[i], value->items[i], &roles[i]);
		if (error)
			return error;
	}
	profile->roles = roles;
	profile->role_count = value->count;
	reader->roles_stated = true;
	return NULL;
}

/* Workloads */

static struct error *read_workload(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, struct profile_workload *ret)
{
	ret->name = key->text;
	ret->position = key->position;
	struct error *error = check_name(reader, key, "workload");
	if (error)
		return error;
	if (value->kind != NODE_LIST || !value->count || value->count > PROFILE_ROLES_MAX)
		return profile_mismatch(reader, key, value,
			"a list of the roles that meet, such as [lookup, install]");
	uint32_t *roles = arena_new(reader->arena, value->count, sizeof(*roles));
	for (size_t i = 0; i < value->count; i++) {
		error = profile_read_role(reader, value->items[i], &roles[i]);
		if (error)
			return error;
		for (size_t j = 0; j < i; j++)
			if (roles[j] == roles[i])
				return profile_fault(reader->path, value->items[i]->position,
					"workload '%s' names role '%s' twice; raise its threads "
					"instead",
					ret->name, value->items[i]->text);
	}
	ret->roles = roles;
	ret->role_count = value->count;
	return NULL;
}

/* A role that meets nobody would be left out of every cost without a word. */
static struct error *check_roles_used(const struct profile_reader *reader)
{
	const struct profile *profile = reader->profile;
	bool used[PROFILE_ROLES_MAX] = {false};
	for (size_t i = 0; i < profile->workload_count; i++)
		for (size_t j = 0; j < profile->workloads[i].role_count; j++)
			used[profile->workloads[i].roles[j]] = true;
	for (size_t i = 0; i < profile->role_count; i++)
		if (!used[i])
			return profile_fault(reader->path, profile->roles[i].position,
				"role '%s' is in no workload; add it to one, or remove it",
				profile->roles[i].name);
	return NULL;
}

static struct error *read_workloads(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	struct profile *profile = target;
	if (value->kind != NODE_MAP || !value->count || value->count > PROFILE_LIST_MAX)
		return profile_mismatch(reader, key, value,
			"a mapping of names to lists of roles, such as {server: [lookup, "
			"install]}");
	struct profile_workload *workloads =
		arena_new(reader->arena, value->count, sizeof(*workloads));
	for (size_t i = 0; i < value->count; i++) {
		struct error *error =
			read_workload(reader, value->keys[i], value->items[i], &workloads[i]);
		if (error)
			return error;
	}
	profile->workloads = workloads;
	profile->workload_count = value->count;
	return check_roles_used(reader);
}

const struct profile_workload *profile_all_roles(struct arena *arena, size_t role_count)
{
	struct profile_workload *workload = arena_new(arena, 1, sizeof(*workload));
	uint32_t *roles = arena_new(arena, role_count, sizeof(*roles));
	for (uint32_t i = 0; i < role_count; i++)
		roles[i] = i;
	*workload =
		(struct profile_workload){.name = "all", .roles = roles, .role_count = role_count};
	return workload;
}

/* Structs */

/* "struct a" and "a" are one; sorting finds them without comparing every pair. */
static int by_name(const void *a, const void *b)
{
	const struct profile_struct *const *x = a, *const *y = b;
	int order = strcmp((*x)->name, (*y)->name);
	return order ? order : *x < *y ? -1 : *x > *y;
}

static struct error *check_structs(
	const struct profile_reader *reader, const struct profile_struct *structs, size_t count)
{
	const struct profile_struct **sorted = arena_new(reader->arena, count, sizeof(*sorted));
	for (size_t i = 0; i < count; i++)
		sorted[i] = &structs[i];
	qsort(sorted, count, sizeof(*sorted), by_name);
	for (size_t i = 1; i < count; i++)
		if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0)
			return profile_fault(reader->path, sorted[i]->position,
				"'%s' stands in line %u already; keep one entry a struct",
				sorted[i]->name, sorted[i - 1]->position.line);
	return NULL;
}

static struct error *read_structs(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	struct profile *profile = target;
	if (profile_node_is_empty(value))
		return NULL;
	if (value->kind != NODE_MAP)
		return profile_mismatch(reader, key, value,
			"a mapping of structs, such as {file: {fields: {f_op: r hot}}}");
	struct profile_struct *structs = arena_new(reader->arena, value->count, sizeof(*structs));
	for (size_t i = 0; i < value->count; i++) {
		struct error *error =
			profile_read_struct(reader, value->keys[i], value->items[i], &structs[i]);
		if (error)
			return error;
	}
	profile->structs = structs;
	profile->struct_count = value->count;
	return check_structs(reader, structs, value->count);
}

static struct error *read_vars(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	struct profile *profile = target;
	struct profile_struct *vars = arena_new(reader->arena, 1, sizeof(*vars));
	profile->vars = vars;
	return profile_read_vars(reader, key, value, vars);
}

/* The document */

static struct error *read_line_size(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	enum { LINE_MIN_BYTES = 8, LINE_MAX_BYTES = 4096 }; /* as --line-size */
	struct profile_limits limits = {.least = LINE_MIN_BYTES, .most = LINE_MAX_BYTES};
	uint64_t bytes;
	struct error *error = profile_read_uint(reader, key, value, limits, &bytes);
	if (!error && !(bytes & (bytes - 1))) {
		*(uint64_t *)target = bytes;
		return NULL;
	}
	error_free(error);
	return profile_mismatch(reader, key, value,
		arena_printf(reader->arena, "a power of two from %d to %d, such as 64 or 128",
			LINE_MIN_BYTES, LINE_MAX_BYTES));
}

static struct error *read_line_price(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	struct profile_range range = {.least = 0, .most = 1000};
	return profile_read_real(reader, key, value, range, target);
}

/* Evidence of the document goes to the reader, whence each struct takes it. */
static struct error *read_document_evidence(struct profile_reader *reader,
	const struct profile_node *key, const struct profile_node *value, void *target)
{
	(void)target;
	return profile_read_evidence(reader, key, value, &reader->evidence);
}

/* A key of another pass over the document. */
static struct error *skip(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	(void)reader, (void)key, (void)value, (void)target;
	return NULL;
}

static const struct profile_key document_keys[] = {
	{"version", skip, 0},
	{"evidence", read_document_evidence, 0},
	{"line_size", read_line_size, offsetof(struct profile, line_bytes)},
	{"interleave", read_interleave, offsetof(struct profile, interleave)},
	{"line_price", read_line_price, offsetof(struct profile, line_price)},
	{"roles", skip, 0},
	{"workloads", skip, 0},
	{"structs", skip, 0},
	{"vars", skip, 0},
};
static const struct profile_key_table document_table = {
	document_keys, COUNT(document_keys), NULL, NULL};

/* Version first, so that a later format is told as such; roles before what names them, wherever they stand. */
static const struct profile_key last_keys[] = {
	{"roles", read_roles, 0},
	{"workloads", read_workloads, 0},
	{"structs", read_structs, 0},
	{"vars", read_vars, 0},
};

static const struct profile_node *find_value(
	const struct profile_node *map, const char *name, const struct profile_node **key)
{
	for (size_t i = 0; i < map->count; i++) {
		if (strcmp(map->keys[i]->text, name) != 0)
			continue;
		*key = map->keys[i];
		return map->items[i];
	}
	return NULL;
}

static struct error *check_version(
	const struct profile_reader *reader, const struct profile_node *root)
{
	const struct profile_node *key, *value = find_value(root, "version", &key);
	if (!value)
		return profile_fault(reader->path, root->position,
			"no 'version'; expected 'version: 1' at the top");
	if (value->kind == NODE_TEXT && value->plain && strcmp(value->text, "1") == 0)
		return NULL;
	return profile_mismatch(
		reader, key, value, "1, the version of the format that this linelint reads");
}

static struct error *read_document(struct profile_reader *reader, const struct profile_node *root)
{
	struct profile *profile = reader->profile;
	const struct profile_node *key = root;
	if (root->kind != NODE_MAP)
		return profile_fault(reader->path, root->position,
			"the profile is %s; expected a mapping with 'version: 1' and 'structs'",
			root->kind == NODE_LIST ? "a list" : "text");
	struct error *error = check_version(reader, root);
	if (!error)
		error = profile_read_map(reader, key, root, &document_table, profile);
	for (size_t i = 0; i < COUNT(last_keys) && !error; i++) {
		const struct profile_node *value = find_value(root, last_keys[i].name, &key);
		if (value)
			error = last_keys[i].read(reader, key, value, profile);
	}
	if (error)
		return error;
	if (!profile->struct_count && !profile->vars)
		return profile_fault(reader->path, root->position,
			"no 'structs' and no 'vars'; 'linelint profile init BINARY NAME...' writes "
			"them");
	return NULL;
}

struct error *profile_parse(struct arena *arena, const char *name, const char *text, size_t length,
	enum evidence evidence, struct profile *ret)
{
	/* In the arena, since the structs point back to it; the caller gets a copy. */
	struct profile *profile = arena_new(arena, 1, sizeof(*profile));
	struct profile_reader reader = {
		.arena = arena, .path = name, .profile = profile, .evidence = evidence};
	const struct profile_node *root;
	if (length >= 4 && memcmp(text, "\177ELF", 4) == 0)
		return error_new("%s: an ELF file, not a profile; expected YAML", name);
	*profile = (struct profile){.path = arena_strdup(arena, name),
		.interleave = PROFILE_INTERLEAVE,
		.line_price = PROFILE_LINE_PRICE,
		.roles = &default_role,
		.role_count = 1};
	struct error *error = profile_yaml_read(arena, name, text, length, &root);
	if (error)
		return error;
	if (!root)
		return error_new("%s: an empty profile; write one with 'linelint profile init "
				 "BINARY NAME...'",
			name);
	error = read_document(&reader, root);
	if (error)
		return error;
	if (!profile->workloads) {
		profile->workloads = profile_all_roles(arena, profile->role_count);
		profile->workload_count = 1;
	}
	*ret = *profile;
	return NULL;
}

/* At most one byte more than a profile may have, so that a device without end ends. */
static struct error *read_file(const char *path, FILE *file, struct buf *text)
{
	char block[1 << 16];
	size_t length;
	while (text->length <= PROFILE_BYTES_MAX &&
		(length = fread(block, 1, sizeof(block), file)) > 0)
		buf_add(text, block, length);
	if (ferror(file))
		return error_new("%s: cannot read: %s; give a YAML file", path, strerror(errno));
	return NULL;
}

struct error *profile_read(
	struct arena *arena, const char *path, enum evidence evidence, struct profile *ret)
{
	if (strcmp(path, PROFILE_SHIPPED) == 0)
		return profile_parse(arena, "linux.yaml (shipped)", profile_linux_text,
			profile_linux_length, EVIDENCE_SHIPPED, ret);
	FILE *file = fopen(path, "rb");
	if (!file)
		return error_new("%s: cannot open: %s; give the path of a profile, or 'linux' for "
				 "the shipped one",
			path, strerror(errno));
	struct buf text;
	buf_init(&text);
	struct error *error = read_file(path, file, &text);
	fclose(file);
	if (!error)
		error = profile_parse(arena, path, text.data, text.length, evidence, ret);
	buf_release(&text);
	return error;
}

static const struct profile_struct *find_in(const struct profile *profile, const char *name)
{
	for (size_t i = 0; name && i < profile->struct_count; i++)
		if (strcmp(profile->structs[i].name, name) == 0)
			return &profile->structs[i];
	if (!name || !strchr(name, '<'))
		return NULL;
	for (size_t i = 0; i < profile->struct_count; i++)
		if (type_is_respelt(profile->structs[i].name, name))
			return &profile->structs[i];
	return NULL;
}

const struct profile_struct *profiles_find(
	const struct profiles *profiles, const char *name, const char *qualified)
{
	for (size_t i = profiles->count; i-- > 0;) {
		const struct profile_struct *found = find_in(profiles->items[i], qualified);
		for (const char *part = name; part && !found; part = type_without_package(part))
			found = find_in(profiles->items[i], part);
		if (found)
			return found;
	}
	return NULL;
}

uint64_t profile_slab_class(const struct profile_struct *profile, uint64_t bytes)
{
	for (size_t i = 0; i < profile->slab_class_count; i++)
		if (profile->slab_classes[i] >= bytes)
			return profile->slab_classes[i];
	return 0;
}

bool profile_any_count(const double counts[ACCESS_KIND_COUNT])
{
	for (size_t kind = 0; kind < ACCESS_KIND_COUNT; kind++)
		if (counts[kind] > 0)
			return true;
	return false;
}

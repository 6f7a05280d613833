#include "profile/struct.h"

#include <stddef.h>
#include <string.h>

#include "profile/check.h"
#include "profile/contradict.h"
#include "profile/demand.h"
#include "profile/field.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The caches of kmalloc in mm/slab_common.c of Linux, up to two pages. */
static const uint64_t kmalloc_classes[] = {
	8, 16, 32, 64, 96, 128, 192, 256, 512, 1024, 2048, 4096, 8192};

bool profile_has_default_classes(const struct profile_struct *entry)
{
	return !entry->slab_class_count ||
	       (entry->slab_class_count == COUNT(kmalloc_classes) &&
		       memcmp(entry->slab_classes, kmalloc_classes, sizeof(kmalloc_classes)) == 0);
}

struct error *profile_read_threads(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	uint64_t threads;
	struct profile_limits limits = {.least = 1, .most = PROFILE_THREADS_MAX};
	struct error *error = profile_read_uint(reader, key, value, limits, &threads);
	if (!error)
		*(unsigned *)target = (unsigned)threads;
	return error;
}

struct error *profile_read_evidence(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	const char *names[EVIDENCE_GROUP + 1];
	size_t index;
	for (size_t i = 0; i < COUNT(names); i++)
		names[i] = evidence_name((enum evidence)i);
	struct error *error = profile_read_choice(reader, key, value, names, COUNT(names), &index);
	if (!error)
		*(enum evidence *)target = (enum evidence)index;
	return error;
}

/* Placement and allocation */

static struct error *read_instance(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	static const char *const names[] = {
		[INSTANCE_SHARED] = "shared",
		[INSTANCE_PER_THREAD] = "per-thread",
		[INSTANCE_ARRAY] = "array",
	};
	size_t index;
	struct error *error = profile_read_choice(reader, key, value, names, COUNT(names), &index);
	if (!error)
		*(enum profile_instance *)target = (enum profile_instance)index;
	return error;
}

static struct error *read_allocator(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	static const char *const names[] = {"kmalloc", "slab", "none"};
	static const enum profile_allocator values[] = {
		ALLOCATOR_KMALLOC, ALLOCATOR_SLAB, ALLOCATOR_NONE};
	size_t index;
	struct error *error = profile_read_choice(reader, key, value, names, COUNT(names), &index);
	if (!error)
		*(enum profile_allocator *)target = values[index];
	return error;
}

static struct error *read_slab_classes(struct profile_reader *reader,
	const struct profile_node *key, const struct profile_node *value, void *target)
{
	struct profile_struct *entry = target;
	if (value->kind != NODE_LIST || !value->count || value->count > PROFILE_LIST_MAX)
		return profile_mismatch(reader, key, value,
			"a list of sizes in bytes, ascending, such as [32, 64, 128]");
	uint64_t *classes = arena_new(reader->arena, value->count, sizeof(*classes));
	for (size_t i = 0; i < value->count; i++) {
		struct error *error = profile_read_size(reader, key, value->items[i], &classes[i]);
		if (error)
			return error;
		if (i > 0 && classes[i] <= classes[i - 1])
			return profile_fault(reader->path, value->items[i]->position,
				"'slab_classes' has %llu after %llu; expected ascending sizes",
				(unsigned long long)classes[i], (unsigned long long)classes[i - 1]);
	}
	entry->slab_classes = classes;
	entry->slab_class_count = value->count;
	return NULL;
}

static struct error *read_alignment(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	uint64_t bytes;
	struct error *error = profile_read_size(reader, key, value, &bytes);
	if (error)
		return error;
	if (bytes & (bytes - 1))
		return profile_mismatch(reader, key, value, "a power of two, in bytes");
	*(uint64_t *)target = bytes;
	return NULL;
}

static struct error *read_container(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	struct error *error = profile_read_path(reader, key, value, target);
	if (!error && !strchr(*(const char **)target, '.'))
		return profile_mismatch(
			reader, key, value, "STRUCT.MEMBER, such as ext4_inode_info.vfs_inode");
	return error;
}

static const struct profile_key placement_keys[] = {
	{"alignment", read_alignment, offsetof(struct profile_struct, alignment_bytes)},
	{"stride", profile_read_size, offsetof(struct profile_struct, stride_bytes)},
	{"container", read_container, offsetof(struct profile_struct, container)},
	{"why", profile_read_text, offsetof(struct profile_struct, placement_why)},
};
static const struct profile_key_table placement_table = {
	placement_keys, COUNT(placement_keys), NULL, NULL};

static struct error *read_placement(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	return profile_read_map(reader, key, value, &placement_table, target);
}

/* Roles of this struct */

static struct error *read_overrides(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	struct profile_struct *entry = target;
	struct error *error = profile_expect_map(
		reader, key, value, "a mapping of roles to threads, such as {lookup: 64}");
	if (error)
		return error;
	struct profile_threads *threads = arena_new(reader->arena, value->count, sizeof(*threads));
	for (size_t i = 0; i < value->count && !error; i++) {
		error = profile_read_role(reader, value->keys[i], &threads[i].role);
		if (!error)
			error = profile_read_threads(
				reader, value->keys[i], value->items[i], &threads[i].threads);
	}
	entry->threads = threads;
	entry->thread_count = value->count;
	return error;
}

static struct error *read_sequence(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, struct profile_sequence *ret)
{
	struct profile_names names;
	struct profile_paths_rule rule = {.least = 1, .repeats = true};
	struct error *error = profile_read_role(reader, key, &ret->role);
	if (!error)
		error = profile_read_paths(reader, key, value, rule, &names);
	if (error)
		return error;
	ret->fields = names.names;
	ret->field_count = names.count;
	ret->position = names.position;
	return NULL;
}

static struct error *read_sequences(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	struct profile_struct *entry = target;
	struct error *error = profile_expect_map(reader, key, value,
		"a mapping of roles to fields in order, such as {lookup: [a, b, a]}");
	if (error)
		return error;
	struct profile_sequence *sequences =
		arena_new(reader->arena, value->count, sizeof(*sequences));
	for (size_t i = 0; i < value->count && !error; i++)
		error = read_sequence(reader, value->keys[i], value->items[i], &sequences[i]);
	entry->sequences = sequences;
	entry->sequence_count = value->count;
	return error;
}

/* Locks */

static struct error *read_protects(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	struct profile_lock *lock = target;
	struct profile_names names;
	struct error *error =
		profile_read_paths(reader, key, value, (struct profile_paths_rule){0}, &names);
	if (error)
		return error;
	lock->protects = names.names;
	lock->protect_count = names.count;
	return NULL;
}

static struct error *read_contended(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	return profile_read_real(
		reader, key, value, (struct profile_range){.least = 0, .most = 1}, target);
}

static const struct profile_key lock_keys[] = {
	{"protects", read_protects, 0},
	{"contended", read_contended, offsetof(struct profile_lock, contended)},
	{"why", profile_read_text, offsetof(struct profile_lock, why)},
};
static const struct profile_key_table lock_table = {lock_keys, COUNT(lock_keys), NULL, NULL};

static struct error *read_locks(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	struct profile_struct *entry = target;
	struct error *error = profile_expect_map(reader, key, value,
		"a mapping of locks, such as {file_lock: {protects: [next_fd], contended: 0.3}}");
	if (error)
		return error;
	struct profile_lock *locks = arena_new(reader->arena, value->count, sizeof(*locks));
	for (size_t i = 0; i < value->count && !error; i++) {
		const struct profile_node *name = value->keys[i];
		locks[i].position = name->position;
		error = profile_read_path(reader, name, name, &locks[i].path);
		if (!error)
			error = profile_read_map(
				reader, name, value->items[i], &lock_table, &locks[i]);
	}
	entry->locks = locks;
	entry->lock_count = value->count;
	return error;
}

/* The entry */

#define AT(member) offsetof(struct profile_struct, member)

static const struct profile_key struct_keys[] = {
	{"source", profile_read_text, AT(source)},
	{"evidence", profile_read_evidence, AT(evidence)},
	{"instance", read_instance, AT(instance)},
	{"placement", read_placement, 0},
	{"allocator", read_allocator, AT(allocator)},
	{"slab_classes", read_slab_classes, 0},
	{"threads", read_overrides, 0},
	{"sequence", read_sequences, 0},
	{"fields", profile_read_fields, 0},
	{"locks", read_locks, 0},
	{"constraints", profile_read_constraints, AT(constraints)},
	{"expect", profile_read_expects, 0},
	{"ignore", profile_read_ignores, 0},
};

/* Where a key that stands too far out belongs; whatever else is unknown is taken for a field. */
static const char *struct_hint(const char *key)
{
	static const struct {
		const char *key, *hint;
	} homes[] = {
		{"alignment", "; it goes under 'placement'"},
		{"stride", "; it goes under 'placement'"},
		{"container", "; it goes under 'placement'"},
		{"first", "; it goes under 'constraints'"},
		{"last", "; it goes under 'constraints'"},
		{"keep_together", "; it goes under 'constraints'"},
		{"pin", "; it goes under 'constraints'"},
		{"max_size", "; it goes under 'constraints' or 'expect'"},
		{"padding", "; it goes under 'constraints'"},
		{"same_line", "; it goes under 'expect'"},
		{"apart", "; it goes under 'expect'"},
		{"line", "; it goes under 'expect'"},
		{"max_lines", "; it goes under 'expect'"},
		{"protects", "; it goes under 'locks'"},
		{"contended", "; it goes under 'locks'"},
	};
	for (size_t i = 0; i < COUNT(homes); i++)
		if (strcmp(homes[i].key, key) == 0)
			return homes[i].hint;
	return "; accesses go under 'fields'";
}

static const struct profile_key_table struct_table = {
	struct_keys, COUNT(struct_keys), NULL, struct_hint};

static struct error *read_shared(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target)
{
	struct profile_struct *entry = target;
	return profile_read_paths(
		reader, key, value, (struct profile_paths_rule){.least = 1}, &entry->shared);
}

/* What is said of variables: the linker places them, so nothing about objects. */
static const struct profile_key vars_keys[] = {
	{"source", profile_read_text, AT(source)},
	{"evidence", profile_read_evidence, AT(evidence)},
	{"threads", read_overrides, 0},
	{"sequence", read_sequences, 0},
	{"fields", profile_read_fields, 0},
	{"locks", read_locks, 0},
	{"shared", read_shared, 0},
	{"expect", profile_read_expects, 0},
	{"ignore", profile_read_ignores, 0},
};

static const char *vars_hint(const char *key)
{
	(void)key;
	return "; variables go under 'fields'";
}

static const struct profile_key_table vars_table = {vars_keys, COUNT(vars_keys), NULL, vars_hint};

static struct error *read_entry(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, const struct profile_key_table *table,
	struct profile_struct *ret)
{
	ret->document = reader->profile;
	ret->evidence = reader->evidence;
	ret->position = key->position;
	struct error *error = profile_read_map(reader, key, value, table, ret);
	if (!error)
		error = profile_check(reader->path, ret);
	if (!error)
		error = profile_contradict(reader->arena, reader->path, ret);
	if (error)
		return error;
	if (ret->slab_classes && ret->allocator == ALLOCATOR_UNSTATED)
		ret->allocator = ALLOCATOR_KMALLOC;
	if (!ret->slab_classes) {
		ret->slab_classes = kmalloc_classes;
		ret->slab_class_count = COUNT(kmalloc_classes);
	}
	return NULL;
}

/* The name without a keyword before it, which is how C writes it. */
static const char *strip_keyword(const char *name)
{
	static const char *const keywords[] = {"struct ", "union ", "class "};
	for (size_t i = 0; i < COUNT(keywords); i++)
		if (strncmp(name, keywords[i], strlen(keywords[i])) == 0)
			return name + strlen(keywords[i]) + strspn(name + strlen(keywords[i]), " ");
	return name;
}

struct error *profile_read_struct(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, struct profile_struct *ret)
{
	ret->name = strip_keyword(key->text);
	for (const char *s = ret->name; *s; s++)
		if ((unsigned char)*s < 0x20 || *s == 0x7f)
			return profile_fault(reader->path, key->position,
				"the name of a struct with a control character; remove it");
	if (!ret->name[0])
		return profile_fault(reader->path, key->position,
			"'%s' without a name; expected the name of a struct", key->text);
	return read_entry(reader, key, value, &struct_table, ret);
}

struct error *profile_read_vars(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, struct profile_struct *ret)
{
	ret->name = "vars";
	struct error *error = read_entry(reader, key, value, &vars_table, ret);
	for (size_t i = 0; i < ret->expect_count && !error; i++)
		if (ret->expects[i].kind != EXPECT_SAME_LINE && ret->expects[i].kind != EXPECT_APART)
			error = profile_fault(reader->path, ret->expects[i].position,
				"variables have no line, size or number of lines to expect; expected "
				"'same_line' or 'apart'");
	return error;
}

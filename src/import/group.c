#include "import/group.h"

#include <string.h>

enum { ROLE_TX, ROLE_RX, ROLE_COUNT };

static const struct profile_role roles[ROLE_COUNT] = {
	[ROLE_TX] = {.name = "tx",
		.threads = 1,
		.rate = 1,
		.interleave = -1,
		.why = "the sending path"},
	[ROLE_RX] = {.name = "rx",
		.threads = 1,
		.rate = 1,
		.interleave = -1,
		.why = "the receiving path"},
};
static const uint32_t both_roles[] = {ROLE_TX, ROLE_RX};
static const struct profile_workload workload = {"all", both_roles, ROLE_COUNT, {0, 0}};

/* What a group's name says of its members. */
struct meaning {
	bool read, write;
	bool of[ROLE_COUNT];
};

static bool is_word(const char *text, size_t length, const char *word)
{
	return strlen(word) == length && strncmp(text, word, length) == 0;
}

/* NAME is words with _ between them, of which the last that means something counts. */
static struct meaning meaning_of(const char *name)
{
	struct meaning meaning = {0};
	for (const char *word = name; *word; word += *word == '_') {
		size_t length = strcspn(word, "_");
		bool twofold = is_word(word, length, "txrx") || is_word(word, length, "rxtx");
		if (is_word(word, length, "read") || is_word(word, length, "write")) {
			meaning = (struct meaning){.read = true, .write = *word == 'w'};
		} else if (twofold || is_word(word, length, "tx") || is_word(word, length, "rx")) {
			meaning.of[ROLE_TX] = twofold || *word == 't';
			meaning.of[ROLE_RX] = twofold || *word == 'r';
		}
		word += length;
	}
	if (!meaning.of[ROLE_TX] && !meaning.of[ROLE_RX])
		meaning.of[ROLE_TX] = meaning.of[ROLE_RX] = true;
	return meaning;
}

struct builder {
	struct arena *arena;
	const struct layout *layout;
	struct profile_field *fields;
	size_t count, capacity;
};

static void add_member(struct builder *builder, const struct layout_member *member,
	const struct meaning *meaning, const char *group)
{
	struct profile_access *accesses = arena_new(builder->arena, ROLE_COUNT, sizeof(*accesses));
	size_t count = 0;
	for (uint32_t role = 0; role < ROLE_COUNT; role++) {
		if (!meaning->of[role])
			continue;
		accesses[count].role = role;
		accesses[count].counts[ACCESS_READ] = meaning->read;
		accesses[count++].counts[ACCESS_WRITE] = meaning->write;
	}
	builder->fields = arena_grow(builder->arena, builder->fields, &builder->capacity,
		builder->count + 1, sizeof(*builder->fields));
	builder->fields[builder->count++] = (struct profile_field){
		.path = member->path,
		.why = arena_printf(builder->arena, "cacheline group %s", group),
		.accesses = accesses,
		.access_count = count,
	};
}

/* A member of a group, or of an unnamed aggregate in one; returns whether something was added. */
static bool add_named(
	struct builder *builder, size_t index, const struct meaning *meaning, const char *group)
{
	const struct layout_member *member = &builder->layout->members[index];
	bool any = false;
	if (*member->path) {
		if (member->size_bytes || member->bit_size)
			add_member(builder, member, meaning, group);
		return member->size_bytes || member->bit_size;
	}
	const struct type *type = types_get(
		builder->layout->types, types_strip(builder->layout->types, member->type));
	for (size_t i = index + 1; i <= index + member->descendants;
		i += 1 + builder->layout->members[i].descendants) {
		any |= add_named(builder, i, meaning, group);
		if (any && type->kind == TYPE_UNION)
			break;
	}
	return any;
}

/* The members [from, to) of one aggregate: those between markers; and what markers are inside the others. */
static void scan(struct builder *builder, size_t from, size_t to)
{
	const char *group = NULL;
	struct meaning meaning = {0};
	for (size_t i = from; i < to; i += 1 + builder->layout->members[i].descendants) {
		const struct layout_member *member = &builder->layout->members[i];
		const char *name;
		int marker = layout_group_marker(member, &name);
		if (marker > 0) {
			group = name;
			meaning = meaning_of(name);
		} else if (marker < 0) {
			group = NULL;
		} else if (group && meaning.read) {
			add_named(builder, i, &meaning, group);
		} else if (!member->is_array) {
			scan(builder, i + 1, i + 1 + member->descendants);
		}
	}
}

const struct profile_struct *group_profile(struct arena *arena, const struct layout *layout)
{
	struct builder builder = {.arena = arena, .layout = layout};
	scan(&builder, 0, layout->member_count);
	if (!builder.count)
		return NULL;
	struct profile *document = arena_new(arena, 1, sizeof(*document));
	struct profile_struct *entry = arena_new(arena, 1, sizeof(*entry));
	*document = (struct profile){
		.path = "cacheline groups",
		.interleave = 0.02,
		.line_price = 0.25,
		.roles = roles,
		.role_count = ROLE_COUNT,
		.workloads = &workload,
		.workload_count = 1,
		.structs = entry,
		.struct_count = 1,
	};
	*entry = (struct profile_struct){
		.document = document,
		.name = layout->name,
		.source = "the binary's cacheline group markers",
		.evidence = EVIDENCE_GROUP,
		.fields = builder.fields,
		.field_count = builder.count,
	};
	return entry;
}

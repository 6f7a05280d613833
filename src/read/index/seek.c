#include "read/index/seek.h"

#include <string.h>

typedef uint8_t block __attribute__((vector_size(16)));

static bool is_zero(block bytes)
{
	uint64_t halves[2];
	memcpy(halves, &bytes, sizeof(halves));
	return !(halves[0] | halves[1]);
}

/* Does one of the needles stand at `p`? All of its bytes must lie before `end`. */
static bool stands_at(const struct seek *seek, const uint8_t *p, const uint8_t *end)
{
	size_t left = (size_t)(end - p);
	for (size_t i = 0; i < seek->count; i++) {
		const struct seek_needle *needle = &seek->needles[i];
		if (left >= SEEK_BYTES && memcmp(needle->start, p, SEEK_BYTES) == 0 &&
			(!needle->text || (left >= needle->length &&
						  memcmp(needle->text, p, needle->length) == 0)))
			return true;
	}
	return false;
}

static const uint8_t *next_in(
	const struct seek *seek, const uint8_t *p, const uint8_t *limit, const uint8_t *end)
{
	for (; p < limit; p++)
		if (stands_at(seek, p, end))
			return p;
	return NULL;
}

static inline __attribute__((always_inline)) const uint8_t *next_of(
	const struct seek *seek, size_t count, const uint8_t *p, const uint8_t *end)
{
	block first[SEEK_MOST], second[SEEK_MOST];
	for (size_t i = 0; i < count; i++) {
		const uint8_t *pair = seek->needles[i].start + seek->pair;
		first[i] = pair[0] - (block){0};
		second[i] = pair[1] - (block){0};
	}
	for (; end - p >= (ptrdiff_t)(sizeof(block) + SEEK_BYTES); p += sizeof(block)) {
		block here, next, found = {0};
		memcpy(&here, p + seek->pair, sizeof(here));
		memcpy(&next, p + seek->pair + 1, sizeof(next));
		for (size_t i = 0; i < count; i++)
			found |= (block)(here == first[i]) & (block)(next == second[i]);
		if (is_zero(found))
			continue;
		const uint8_t *place = next_in(seek, p, p + sizeof(block), end);
		if (place)
			return place;
	}
	return next_in(seek, p, end, end);
}

const uint8_t *seek_next(const struct seek *seek, const uint8_t *p, const uint8_t *end)
{
	switch (seek->count) { /* so that each has its needles in registers */
	case 1:
		return next_of(seek, 1, p, end);
	case 2:
		return next_of(seek, 2, p, end);
	case 3:
		return next_of(seek, 3, p, end);
	default:
		return next_of(seek, SEEK_MOST, p, end);
	}
}

static struct seek_needle text_needle(const char *text)
{
	struct seek_needle needle = {.text = text, .length = strlen(text) + 1};
	memcpy(needle.start, text, SEEK_BYTES);
	return needle;
}

static bool add(struct seek *seek, struct seek_needle needle)
{
	if (seek->count == SEEK_MOST)
		return false;
	seek->needles[seek->count++] = needle;
	return true;
}

static struct seek_needle offset_needle(uint64_t off, bool big_endian)
{
	struct seek_needle needle = {.text = NULL};
	for (size_t i = 0; i < SEEK_BYTES; i++)
		needle.start[big_endian ? SEEK_BYTES - 1 - i : i] = (uint8_t)(off >> 8 * i);
	return needle;
}

static bool add_place(struct seek *seek, const struct object *object, const uint8_t *at)
{
	uint64_t off = (uint64_t)(at - object->sections[OBJECT_DEBUG_STR].data);
	return off <= UINT32_MAX && add(seek, offset_needle(off, object->types.big_endian));
}

/* Is it the end of a name with a package, which it may mean as well (pattern.h)? */
static bool has_package(const struct object_section *strings, const uint8_t *at)
{
	return at > strings->data && (at[-1] == '.' || at[-1] == '/');
}

static const uint8_t *string_start(const struct object_section *strings, const uint8_t *at)
{
	const uint8_t *before = memrchr(strings->data, 0, (size_t)(at - strings->data));
	return before ? before + 1 : strings->data;
}

/* The places of `name` in .debug_str, those at the end of a longer string too; *is_there: there is one. */
static bool add_name(
	struct seek *seek, const struct object *object, const char *name, bool *is_there)
{
	const struct object_section *strings = &object->sections[OBJECT_DEBUG_STR];
	const uint8_t *end = strings->data + strings->size;
	struct seek places = {.needles = {text_needle(name)}, .count = 1};
	if (!add(seek, places.needles[0]))
		return false;
	for (const uint8_t *p = strings->data; (p = seek_next(&places, p, end)); p++) {
		if (!add_place(seek, object, p) ||
			(has_package(strings, p) &&
				!add_place(seek, object, string_start(strings, p))))
			return false;
		*is_there = true;
	}
	return true;
}

bool seek_add(struct seek *seek, const struct object *object, const char *name)
{
	bool is_there;
	return strlen(name) >= SEEK_BYTES && add_name(seek, object, name, &is_there);
}

/* What stands behind each "::" may be the name, and the whole. */
static bool add_names(struct seek *seek, const struct object *object, const char *literal)
{
	bool is_there = false;
	for (const char *at = literal;; at += 2) {
		if (strlen(at) < SEEK_BYTES || !add_name(seek, object, at, &is_there))
			return false;
		at = strstr(at, "::");
		if (!at)
			return is_there;
	}
}

bool seek_init(struct seek *seek, const struct object *object, const struct patterns *patterns)
{
	memset(seek, 0, sizeof(*seek));
	seek->pair = object->types.big_endian ? SEEK_BYTES - 2 : 0;
	if (!patterns->items || !object->sections[OBJECT_DEBUG_STR].size)
		return false;
	for (size_t i = 0; i < patterns->count; i++)
		if (patterns->items[i].is_glob ||
			!add_names(seek, object, patterns->items[i].literal))
			return false;
	return seek->count > 0;
}

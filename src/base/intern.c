#include "base/intern.h"

#include <stdint.h>
#include <string.h>

#include "base/mem.h"

void intern_init(struct intern *intern, struct arena *arena)
{
	memset(intern, 0, sizeof(*intern));
	intern->arena = arena;
}

void intern_release(struct intern *intern)
{
	mem_free(intern->slots);
	memset(intern, 0, sizeof(*intern));
}

/* FNV-1a, 64 bits (Fowler, Noll, Vo). */
static uint64_t hash(const char *string)
{
	uint64_t h = 0xcbf29ce484222325u;
	for (const unsigned char *s = (const unsigned char *)string; *s; s++)
		h = (h ^ *s) * 0x100000001b3u;
	return h;
}

static const char **slot_of(const char **slots, size_t capacity, const char *string)
{
	size_t at = hash(string) & (capacity - 1);
	while (slots[at] && strcmp(slots[at], string) != 0)
		at = (at + 1) & (capacity - 1);
	return &slots[at];
}

const char *intern_get(struct intern *intern, const char *string)
{
	if (2 * intern->count >= intern->capacity) {
		size_t capacity = intern->capacity ? 2 * intern->capacity : 256;
		const char **slots = mem_new(capacity, sizeof(*slots));
		for (size_t i = 0; i < intern->capacity; i++)
			if (intern->slots[i])
				*slot_of(slots, capacity, intern->slots[i]) = intern->slots[i];
		mem_free(intern->slots);
		intern->slots = slots;
		intern->capacity = capacity;
	}
	const char **slot = slot_of(intern->slots, intern->capacity, string);
	if (!*slot) {
		*slot = arena_strdup(intern->arena, string);
		intern->count++;
	}
	return *slot;
}

#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

struct arena_block {
	struct arena_block *older;
	alignas(max_align_t) char bytes[];
};

/* Most arenas stay small, and what is never used need not be cleared: each block is twice the one before. */
enum { FIRST_BLOCK_BYTES = 2 * 1024, BLOCK_BYTES = 64 * 1024 };

void arena_init(struct arena *arena)
{
	memset(arena, 0, sizeof(*arena));
}

void arena_release(struct arena *arena)
{
	struct arena_block *block = arena->blocks;
	while (block) {
		struct arena_block *older = block->older;
		mem_free(block);
		block = older;
	}
	arena_init(arena);
}

static struct arena_block *block_new(size_t bytes)
{
	struct arena_block *block = mem_new(1, sizeof(*block) + bytes);
	return block;
}

void *arena_new(struct arena *arena, size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2)
		mem_exhausted();
	bytes = (bytes + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
	if ((size_t)(arena->end - arena->next) >= bytes && arena->next) {
		void *result = arena->next;
		arena->next += bytes;
		return result;
	}
	if (bytes > BLOCK_BYTES /
			    4) { /* large ones stand alone, behind the block that is being filled */
		struct arena_block *alone = block_new(bytes);
		if (arena->blocks) {
			alone->older = arena->blocks->older;
			arena->blocks->older = alone;
		} else {
			arena->blocks = alone;
			arena->next = arena->end = alone->bytes + bytes;
		}
		return alone->bytes;
	}
	size_t block_bytes = arena->block_bytes ? arena->block_bytes : FIRST_BLOCK_BYTES;
	while (block_bytes < bytes)
		block_bytes *= 2;
	struct arena_block *block = block_new(block_bytes);
	block->older = arena->blocks;
	arena->blocks = block;
	arena->next = block->bytes + bytes;
	arena->end = block->bytes + block_bytes;
	arena->block_bytes = block_bytes < BLOCK_BYTES ? 2 * block_bytes : BLOCK_BYTES;
	return block->bytes;
}

void *arena_copy(struct arena *arena, const void *source, size_t count, size_t size)
{
	if (!count)
		return NULL;
	void *copy = arena_new(arena, count, size);
	memcpy(copy, source, count * size);
	return copy;
}

char *arena_strndup(struct arena *arena, const char *string, size_t length)
{
	char *copy = arena_new(arena, length + 1, 1);
	memcpy(copy, string, length);
	return copy;
}

char *arena_strdup(struct arena *arena, const char *string)
{
	return arena_strndup(arena, string, strlen(string));
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	struct buf text;
	va_list args;
	buf_init(&text);
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	char *copy = arena_strndup(arena, text.data, text.length);
	buf_release(&text);
	return copy;
}

void *arena_grow(struct arena *arena, void *array, size_t *capacity, size_t need, size_t size)
{
	if (need <= *capacity)
		return array;
	size_t wanted = *capacity ? *capacity : 4;
	while (wanted < need) {
		if (wanted > SIZE_MAX / 2)
			mem_exhausted();
		wanted *= 2;
	}
	void *grown = arena_new(arena, wanted, size);
	if (*capacity)
		memcpy(grown, array, *capacity * size);
	*capacity = wanted;
	return grown;
}

void arena_absorb(struct arena *arena, struct arena *from)
{
	struct arena_block *block = from->blocks;
	if (!block)
		return;
	struct arena_block *oldest = block;
	while (oldest->older)
		oldest = oldest->older;
	if (arena->blocks) { /* keep filling our own newest block */
		oldest->older = arena->blocks->older;
		arena->blocks->older = block;
	} else {
		arena->blocks = block;
		arena->next = from->next;
		arena->end = from->end;
	}
	arena_init(from);
}

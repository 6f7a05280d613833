/*
 * arena: memory that lives until its arena goes; nothing in it is freed singly.
 *
 * One arena a run holds the model; a worker thread fills its own and hands it over at the join (arena_absorb).
 * Allocations are zeroed and aligned for any type. Out of memory ends the program.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first; owned */
	char *next;                 /* first free byte of the newest block */
	char *end;                  /* its end */
	size_t block_bytes;          /* of the next block; 0 before the first */
};

/* Nothing is allocated yet. Releasing frees all that lives in it, and leaves an arena that may be used again. */
void arena_init(struct arena *arena);
void arena_release(struct arena *arena);

/* `count` zeroed elements of `size` bytes. */
void *arena_new(struct arena *arena, size_t count, size_t size);

/* A copy of `count` elements of `size` bytes; NULL when count is 0. */
void *arena_copy(struct arena *arena, const void *source, size_t count, size_t size);

/* Copies of a string, of its first `length` bytes (a NUL is added), of what printf would print. */
char *arena_strdup(struct arena *arena, const char *string);
char *arena_strndup(struct arena *arena, const char *string, size_t length);
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Makes room for `need` elements in an array that lives in the arena (the old copy stays behind until release). */
void *arena_grow(struct arena *arena, void *array, size_t *capacity, size_t need, size_t size);

/* Moves everything that `from` owns into `arena`; `from` is empty afterwards. */
void arena_absorb(struct arena *arena, struct arena *from);

#endif

/*
 * places: where a file was looked for, and why it was not there. Private to companion.
 */
#ifndef READ_COMPANION_PLACES_H
#define READ_COMPANION_PLACES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"

struct places {
	struct arena *arena; /* not owned */
	struct buf text;     /* "A, B (of another build), C"; owned */
};

void places_init(struct places *places, struct arena *arena);
void places_release(struct places *places);

/* Is a regular file there? Notes it when not. */
bool places_try(struct places *places, const char *path);

/* What was there, and is not the file that is meant. */
void places_reject(struct places *places, const char *path, const char *reason);

/* The text in the arena; NULL when there was no place to look at. */
const char *places_text(const struct places *places);

/* The same file or directory, whatever the names; false where one is not there. */
bool places_are_same(const char *left, const char *right);

/* "a/b" of "a/b/c", "." of "c"; in the arena. */
const char *places_directory(struct arena *arena, const char *path);

/* The same of the file itself, behind all symbolic links; NULL when it has gone. */
const char *places_real_directory(struct arena *arena, const char *path);

#endif

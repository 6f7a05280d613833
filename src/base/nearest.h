/*
 * nearest: which of the names that exist did the user mean? Damerau-Levenshtein distance (optimal string alignment),
 * case-insensitive, plus names that contain the wanted one.
 */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

enum { NEAREST_MAX = 3 };

struct nearest {
	const char *wanted;             /* not owned */
	const char *names[NEAREST_MAX]; /* best first; not owned */
	unsigned distances[NEAREST_MAX];
	size_t count;
};

/* No candidates yet. Nothing is allocated, so that nothing is to be released. */
void nearest_init(struct nearest *nearest, const char *wanted);

/* Considers one candidate; keeps the best NEAREST_MAX (ties: alphabetical, so the order of calls does not matter). */
void nearest_offer(struct nearest *nearest, const char *name);

/* One that is meant whatever its distance: it comes before all of those. */
void nearest_prefer(struct nearest *nearest, const char *name);

/* "; did you mean 'a', 'b' or 'c'?" into `text` (at most `size` bytes with the NUL), "" when nothing is near. Returns text. */
char *nearest_text(const struct nearest *nearest, char *text, size_t size);

#endif

/*
 * replace: a file gets new bytes, whole or not at all.
 *
 * The new bytes go to a file beside it, with its mode and owner, and are renamed over it: whoever reads sees the old file
 * or the new one, and whatever fails leaves the old one. Symbolic links stay, and what they lead to is replaced.
 */
#ifndef CMD_REPLACE_H
#define CMD_REPLACE_H

#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

struct replace {
	const char *path;   /* as the user knows it */
	const char *before; /* what was read: if the file is no longer that, nothing is replaced */
	size_t before_length;
	const char *after;
	size_t after_length;
};

/*
 * All of them, or none when one cannot be prepared; each must lie below `root`. Errors: outside of it, changed meanwhile,
 * cannot be written.
 */
struct error *replace_files(
	struct arena *arena, const char *root, const struct replace *files, size_t count);

#endif

/*
 * source: the text in which a struct is declared.
 *
 * declaration's file (as the debug information spells it) + directories -> [source] -> patch. Paths of kernels and of
 * most builds are relative, and absolute ones are of the machine that built: so under a directory that the user gives,
 * the file with the longest common end counts. Only regular files, up to SOURCE_BYTES_MAX. Writes nothing.
 */
#ifndef READ_SOURCE_H
#define READ_SOURCE_H

#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

enum { SOURCE_BYTES_MAX = 16 << 20 };

struct source_query {
	const char *subject;  /* "struct file", for messages */
	const char *file;     /* of the declaration; NULL when unknown */
	const char *comp_dir; /* where it was compiled; "" when unknown */
	const char *root;     /* the directory that the user gave; NULL: none */
};

struct source {
	const char *path; /* to open it */
	const char
		*name; /* below the root, or below the working directory; without a leading "/" */
	const char *bytes; /* in the arena, a NUL behind them */
	size_t length;
};

/*
 * With a root: ROOT/FILE, then with leading directories of FILE left out one by one, then anywhere below ROOT where a path
 * ends like FILE. Without: FILE if it is absolute, in comp_dir, in the working directory. Errors: no such file, several
 * that end alike, not a regular file, too large, a NUL byte in it.
 */
struct error *source_read(
	struct arena *arena, const struct source_query *query, struct source *ret);

#endif

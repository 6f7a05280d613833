/*
 * collect: which files an archive, a directory or a list of both is made of.
 *
 * paths -> [collect] -> session. Directories are walked in the order of their names (bytes), to a bounded depth; links to
 * directories in them are not followed, and no file is listed twice, whatever links lead to it. Files in a directory count when they are ELF, raw
 * BTF or archives, which the first bytes tell, those of what is in a compressed file, too; members of archives when they are
 * ELF. Nothing else is read of them.
 */
#ifndef READ_COLLECT_H
#define READ_COLLECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "read/archive.h"
#include "read/map.h"

struct collect_file {
	const char *path; /* as the user gave it, or below a directory that he gave, or "lib.a(member.o)" */
	const struct archive_member *member; /* NULL: a file */
	bool is_asked;    /* given itself, not found in something */
};

struct collection {
	struct arena *arena; /* not owned */
	struct collect_file *files;
	size_t count, capacity;
	const char **others; /* what is neither, and links that lead nowhere, by path */
	size_t other_count, other_capacity;
	struct error **errors; /* of what could not be looked into; owned by whoever takes them */
	size_t error_count, error_capacity;
	struct map seen; /* files, by device and inode; owned */
};

/* The depth of a directory below the one given, and the files of one collection, at most. */
enum { COLLECT_DEPTH_MAX = 64, COLLECT_FILES_MAX = 1 << 20 };

void collection_init(struct collection *collection, struct arena *arena);
void collection_release(struct collection *collection);

/* Is it a directory or an archive? */
bool collect_is_several(const char *path);

/*
 * Adds what `path` is made of: itself when it is no directory and no archive, or is not there, so that whoever opens it says so.
 */
void collect_add(struct collection *collection, const char *path);

#endif

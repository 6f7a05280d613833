/*
 * archive: the members of an ar archive, and where their bytes are.
 *
 * file -> [archive] -> collect, object. The format of System V and GNU (ar.h: headers of 60 bytes, "//" with long names,
 * "/" and "/SYM64/" with symbols), thin archives, whose members are files of their own beside it or in other archives, and BSD's long names
 * ("#1/N"). Only headers and names are read. Offsets and sizes are bytes. The file is not trusted: nothing outside of it
 * is read, and every step goes on towards its end.
 */
#ifndef READ_ARCHIVE_H
#define READ_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

struct archive_member {
	const char *path; /* "lib.a(member.o)"; of further members of that name "lib.a(member.o:2)" */
	const char *name; /* "member.o" */
	const char *file; /* that holds the bytes: the archive, or of a thin one the member's own, or the archive that it is in */
	uint64_t off_bytes, size_bytes; /* in `file` */
	bool is_whole;    /* all of `file`: of a thin archive */
};

struct archive_members {
	struct archive_member *items; /* in the arena, in the order of the archive */
	size_t count, capacity;
};

/* Do these bytes, the first of a file, begin an archive of objects? A Debian package is none. */
bool archive_is(const uint8_t *head, size_t length);

enum { ARCHIVE_HEAD_BYTES = 21 }; /* as many as archive_is() looks at */

/*
 * Adds the members to `ret`, without tables of symbols. Errors: cannot open or read, a damaged or truncated header; what
 * comes before that is in `ret`.
 */
struct error *archive_list(struct arena *arena, const char *path, struct archive_members *ret);

/*
 * What "lib.a(member.o)" means. *found is false, without an error, when that is no such name of a member: no parentheses,
 * or no archive before them. Errors: no such member; archive_list.
 */
struct error *archive_find(struct arena *arena, const char *path, struct archive_member *ret, bool *found);

#endif

/*
 * lines: the names of the source files that a unit's entries refer to (DW_AT_decl_file).
 *
 * .debug_line -> [lines] -> dwarf. Reads the header of one line table only, DWARF 5 section 6.2.4 and its
 * predecessors back to version 2; the program of line numbers behind it is never run. (libdwarf's own
 * dwarf_srcfiles() keeps static buffers, so threads cannot use it.) A damaged table has no files: positions
 * are not worth an error.
 */
#ifndef READ_LINES_H
#define READ_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "read/object.h"

struct lines_file {
	const uint8_t *name; /* ends with NUL or with `limit` */
	const uint8_t *limit;
	uint64_t directory; /* index into directories */
	const char *path;   /* NULL until asked for */
};

struct lines_directory {
	const uint8_t *name;
	const uint8_t *limit;
};

struct lines {
	struct lines_file *files; /* owned, as is the next */
	size_t file_count, file_capacity;
	struct lines_directory *directories;
	size_t directory_count, directory_capacity;
	/* number of the first file and directory: 0 since version 5; 1 before, when 0 is no file, and comp_dir */
	unsigned first;
	const char *comp_dir; /* not owned */
};

/* The table at `off` of .debug_line; `comp_dir` is its unit's DW_AT_comp_dir, and must live as long. */
void lines_read(
	struct lines *lines, const struct object *object, uint64_t off, const char *comp_dir);
void lines_release(struct lines *lines);

/*
 * The path of file number `index` as the binary spells it: relative to the compilation directory where it
 * lies under it, without a leading "./". NULL when there is none. In the arena of `strings`.
 */
const char *lines_path(struct lines *lines, uint64_t index, struct intern *strings);

#endif

/*
 * input: what a run reads, it must not write: --output replaces its file at the end, and the binary would be gone.
 */
#ifndef CMD_INPUT_H
#define CMD_INPUT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "cmd/opt.h"
#include "read/archive.h"
#include "read/object.h"

/* The same file or directory, by whatever names and links (stat(2): device and inode)? False where one is not there. */
bool input_is_same(const char *left, const char *right);

/* For each file that is read, before the report is made. Error: --output is that file. */
struct error *input_check(const struct opt *opt, const char *path);

/* A binary with all files that belong to it, see --debug-dir. Errors: object_open, companion_attach, input_check. */
struct error *input_open(struct arena *arena, const struct opt *opt, const char *path, struct object *ret);

/* The same of an archive's member. */
struct error *input_open_member(struct arena *arena, const struct opt *opt, const struct archive_member *member,
	struct object *ret);

#endif

#include "cmd/input.h"

#include <string.h>
#include <sys/stat.h>

#include "read/companion.h"

bool input_is_same(const char *left, const char *right)
{
	struct stat a, b;
	return stat(left, &a) == 0 && stat(right, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

struct error *input_check(const struct opt *opt, const char *path)
{
	struct stat st;
	/* a terminal or a pipe may well be read and written */
	if (!opt->output || !input_is_same(opt->output, path) || stat(path, &st) != 0 ||
		!S_ISREG(st.st_mode))
		return NULL;
	if (strcmp(opt->output, path) == 0)
		return error_new(
			"%s: it is read, and --output would overwrite it; choose another --output",
			path);
	return error_new("%s: the same file as '%s', which is read, and --output would overwrite "
			 "it; choose another --output",
		opt->output, path);
}

struct error *input_open(
	struct arena *arena, const struct opt *opt, const char *path, struct object *ret)
{
	struct companion_options options = {.debug_dir = opt->debug_dir};
	struct error *error = object_open(arena, path, ret);
	if (error)
		return error;
	if (opt->from != INFO_BTF)
		error = companion_attach(arena, &options, ret);
	if (!error)
		error = input_check(opt, object_debug_path(ret));
	if (error)
		object_close(ret);
	return error;
}

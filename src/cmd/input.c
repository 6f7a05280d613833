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

/* What belongs to a file that was opened. */
static struct error *attach(struct arena *arena, const struct opt *opt, struct object *object)
{
	struct companion_options options = {.debug_dir = opt->debug_dir};
	struct error *error = NULL;
	object->trail = opt->trail;
	if (opt->from != INFO_BTF)
		error = companion_attach(arena, &options, object);
	if (!error)
		error = input_check(opt, object_debug_path(object));
	if (error)
		object_close(object);
	return error;
}

struct error *input_open(
	struct arena *arena, const struct opt *opt, const char *path, struct object *ret)
{
	struct error *error = object_open(arena, path, ret);
	return error ? error : attach(arena, opt, ret);
}

struct error *input_open_member(struct arena *arena, const struct opt *opt,
	const struct archive_member *member, struct object *ret)
{
	struct error *error = object_open_member(arena, member, ret);
	return error ? error : attach(arena, opt, ret);
}

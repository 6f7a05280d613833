#include "read/companion/places.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void places_init(struct places *places, struct arena *arena)
{
	places->arena = arena;
	buf_init(&places->text);
}

void places_release(struct places *places)
{
	buf_release(&places->text);
}

static void note(struct places *places, const char *path, const char *reason)
{
	if (places->text.length)
		buf_puts(&places->text, ", ");
	buf_puts(&places->text, path);
	if (reason)
		buf_printf(&places->text, " (%s)", reason);
}

bool places_try(struct places *places, const char *path)
{
	struct stat status;
	if (stat(path, &status) == 0 && S_ISREG(status.st_mode))
		return true;
	note(places, path, NULL);
	return false;
}

void places_reject(struct places *places, const char *path, const char *reason)
{
	note(places, path, reason);
}

const char *places_text(const struct places *places)
{
	return places->text.length ? arena_strdup(places->arena, places->text.data) : NULL;
}

bool places_are_same(const char *left, const char *right)
{
	struct stat a, b;
	return stat(left, &a) == 0 && stat(right, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

const char *places_directory(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');
	if (!slash)
		return ".";
	return slash == path ? "/" : arena_strndup(arena, path, (size_t)(slash - path));
}

const char *places_real_directory(struct arena *arena, const char *path)
{
	char real[PATH_MAX];
	return realpath(path, real) ? places_directory(arena, real) : NULL;
}

#include "cmd/session/parts.h"

#include <sys/stat.h>
#include <unistd.h>

enum { LEVELS_MAX = 256 };

static const char default_profile[] = ".linelint.yaml";

static bool is_same_directory(const char *left, const char *right)
{
	struct stat a, b;
	return stat(left, &a) == 0 && stat(right, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/* The nearest .linelint.yaml, as a path from here ("../.linelint.yaml"); NULL when there is none. */
static const char *find_default_profile(struct arena *arena)
{
	const char *up = "";
	for (int level = 0; level < LEVELS_MAX; level++) {
		const char *path = arena_printf(arena, "%s%s", up, default_profile);
		if (access(path, F_OK) == 0)
			return path;
		const char *parent = arena_printf(arena, "%s../", up);
		if (is_same_directory(*up ? up : ".", parent))
			return NULL;
		up = parent;
	}
	return NULL;
}

static struct error *read_profiles(
	struct arena *arena, const char *const *paths, size_t count, struct profiles *ret)
{
	struct profile *documents = arena_new(arena, count, sizeof(*documents));
	const struct profile **items = arena_new(arena, count, sizeof(*items));
	for (size_t i = 0; i < count; i++) {
		struct error *error = profile_read(arena, paths[i], EVIDENCE_STATED, &documents[i]);
		if (error)
			return error;
		items[i] = &documents[i];
	}
	*ret = (struct profiles){.items = items, .count = count};
	return NULL;
}

struct error *session_choose_profiles(struct arena *arena, const struct session_request *request,
	struct profiles *ret, bool *shipped)
{
	*ret = (struct profiles){0};
	*shipped = false;
	if (request->no_profiles)
		return NULL;
	if (request->profile_count)
		return read_profiles(arena, request->profiles, request->profile_count, ret);
	const char *path = find_default_profile(arena);
	if (path)
		return read_profiles(arena, &path, 1, ret);
	*shipped = true;
	path = PROFILE_SHIPPED;
	return read_profiles(arena, &path, 1, ret);
}

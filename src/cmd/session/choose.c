#include "cmd/session/parts.h"

#include <string.h>
#include <unistd.h>

#include "cmd/input.h"

enum { LEVELS_MAX = 256 };

static const char default_profile[] = ".linelint.yaml";

/* The nearest .linelint.yaml, as a path from here ("../.linelint.yaml"); NULL when there is none. */
static const char *find_default_profile(struct arena *arena)
{
	const char *up = "";
	for (int level = 0; level < LEVELS_MAX; level++) {
		const char *path = arena_printf(arena, "%s%s", up, default_profile);
		if (access(path, F_OK) == 0)
			return path;
		const char *parent = arena_printf(arena, "%s../", up);
		if (input_is_same(*up ? up : ".", parent))
			return NULL;
		up = parent;
	}
	return NULL;
}

static struct error *read_profiles(struct arena *arena, const struct opt *opt,
	const char *const *paths, size_t count, struct profiles *ret)
{
	struct profile *documents = arena_new(arena, count, sizeof(*documents));
	const struct profile **items = arena_new(arena, count, sizeof(*items));
	for (size_t i = 0; i < count; i++) {
		bool is_file = strcmp(paths[i], PROFILE_SHIPPED) != 0;
		struct error *error = is_file ? input_check(opt, paths[i]) : NULL;
		if (!error)
			error = profile_read(arena, paths[i], EVIDENCE_STATED, &documents[i]);
		if (error)
			return error;
		items[i] = &documents[i];
	}
	*ret = (struct profiles){.items = items, .count = count};
	return NULL;
}

struct error *session_choose_profiles(struct arena *arena, const struct opt *opt,
	const struct session_request *request, struct profiles *ret, bool *shipped)
{
	*ret = (struct profiles){0};
	*shipped = false;
	if (request->no_profiles)
		return NULL;
	if (request->profile_count)
		return read_profiles(arena, opt, request->profiles, request->profile_count, ret);
	const char *path = find_default_profile(arena);
	if (path)
		return read_profiles(arena, opt, &path, 1, ret);
	*shipped = true;
	path = PROFILE_SHIPPED;
	return read_profiles(arena, opt, &path, 1, ret);
}

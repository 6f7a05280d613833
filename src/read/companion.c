#include "read/companion.h"

#include <string.h>

#include "read/companion/alternate.h"
#include "read/companion/debug_file.h"
#include "read/companion/split.h"

static const char default_debug_dir[] = "/usr/lib/debug";

struct error *companion_attach(
	struct arena *arena, const struct companion_options *options, struct object *object)
{
	const char *debug_dir = options->debug_dir ? options->debug_dir : default_debug_dir;
	struct companion_list list = {.arena = arena, .object = object};
	struct error *error = debug_file_attach(arena, debug_dir, object);
	if (!error)
		error = alternate_attach(&list, debug_dir);
	if (!error)
		error = split_attach(&list);
	return error;
}

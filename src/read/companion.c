#include "read/companion.h"

#include <string.h>

#include "read/companion/debug_file.h"

static const char default_debug_dir[] = "/usr/lib/debug";

struct error *companion_attach(
	struct arena *arena, const struct companion_options *options, struct object *object)
{
	const char *debug_dir = options->debug_dir ? options->debug_dir : default_debug_dir;
	return debug_file_attach(arena, debug_dir, object);
}

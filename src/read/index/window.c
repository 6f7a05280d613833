#include "read/index/window.h"

#include <stdbool.h>
#include <string.h>

#include "base/mem.h"
#include "read/index/unit.h"

enum { MOST_BYTES = 4 << 20 }; /* no more memory than this; and what is larger stays in no cache */

void window_init(struct window *window, const struct object *object)
{
	memset(window, 0, sizeof(*window));
	window->object = object;
}

void window_release(struct window *window)
{
	mem_free(window->bytes);
	window_init(window, window->object);
}

/* False when the object has to be asked itself. */
static bool fill(struct window *window, uint64_t off, uint64_t end)
{
	const struct object *file = object_at(window->object, off);
	uint64_t info = file->start + file->sections[OBJECT_DEBUG_INFO].size;
	uint64_t limit = file->start + object_span(file);
	bool in_types = off >= info;
	if (!in_types)
		limit = info;
	if (end > limit)
		end = limit;
	window->end = window->off; /* nothing, until it is there */
	if (end - off > MOST_BYTES)
		return false;
	if (end - off > window->capacity) {
		mem_free(window->bytes);
		window->bytes = NULL;
		window->capacity = 0;
		window->bytes = mem_grow(NULL, &window->capacity, end - off, 1);
	}
	if (!object_copy(file, in_types ? OBJECT_DEBUG_TYPES : OBJECT_DEBUG_INFO,
		    off - (in_types ? info : file->start), end - off, window->bytes))
		return false;
	window->off = off;
	window->end = end;
	return true;
}

const uint8_t *window_base(struct window *window, uint64_t off, uint64_t end, uint64_t ahead)
{
	bool is_there = off >= window->off && end <= window->end;
	if (!is_there && !fill(window, off, ahead > end ? ahead : end))
		return unit_base(window->object, off);
	return (const uint8_t *)((uintptr_t)window->bytes - window->off);
}

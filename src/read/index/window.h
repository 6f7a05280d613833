/*
 * window: a stretch of .debug_info or .debug_types, copied to where the processor has it at hand.
 *
 * object -> [window] -> unit, die. All of .debug_info passes through a few hundred kilobytes of memory that stay in the
 * cache: no page of the mapping is touched, and none has to be given back. Offsets as unit.h has them.
 */
#ifndef READ_WINDOW_H
#define READ_WINDOW_H

#include <stddef.h>
#include <stdint.h>

#include "read/object.h"

struct window {
	const struct object *object; /* not owned */
	uint8_t *bytes;              /* owned */
	size_t capacity;
	uint64_t off, end; /* what is in it */
};

void window_init(struct window *window, const struct object *object);
void window_release(struct window *window);

/*
 * What offset 0 is when the bytes [off, end) are to be found: in the window, which then holds what lies up to `ahead`
 * too, or in the object itself. Until the next call; all of it must lie in the sections, [off, end) in one of them.
 */
const uint8_t *window_base(struct window *window, uint64_t off, uint64_t end, uint64_t ahead);

#endif

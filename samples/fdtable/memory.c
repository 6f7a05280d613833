#include "memory.h"

#include <stdlib.h>
#include <string.h>

#include "fdtable.h"

static struct fdtable_memory memory = {aligned_alloc, free};

void fdtable_set_memory(const struct fdtable_memory *functions)
{
	memory = functions ? *functions : (struct fdtable_memory){aligned_alloc, free};
}

void *memory_new(size_t size_bytes)
{
	/* aligned_alloc wants a multiple of the alignment. */
	size_t rounded = (size_bytes + FDTABLE_LINE - 1) / FDTABLE_LINE * FDTABLE_LINE;
	void *result = memory.allocate(FDTABLE_LINE, rounded);

	return result ? memset(result, 0, rounded) : NULL;
}

void memory_free(void *object)
{
	memory.release(object);
}

void (*memory_releaser(void))(void *object)
{
	return memory.release;
}

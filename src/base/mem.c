#include "base/mem.h"

#include <stdlib.h>

#include "base/error.h"

void *mem_new(size_t count, size_t size)
{
	void *pointer = calloc(count ? count : 1, size ? size : 1);
	if (!pointer)
		error_out_of_memory();
	return pointer;
}

void *mem_grow(void *array, size_t *capacity, size_t need, size_t size)
{
	if (need <= *capacity)
		return array;
	size_t wanted = *capacity ? *capacity : 8;
	while (wanted < need) {
		if (wanted > (size_t)-1 / 2)
			error_out_of_memory();
		wanted *= 2;
	}
	void *grown = reallocarray(array, wanted, size);
	if (!grown)
		error_out_of_memory();
	*capacity = wanted;
	return grown;
}

void mem_free(void *pointer)
{
	free(pointer);
}

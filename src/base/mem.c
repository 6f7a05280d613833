#include "base/mem.h"

#include <stdlib.h>
#include <unistd.h>

static int exit_status = 2;

void mem_exhausted_exits_with(int status)
{
	exit_status = status;
}

noreturn void mem_exhausted(void)
{
	static const char text[] =
		"linelint: out of memory; read fewer structs at once or raise the memory limit\n";
	ssize_t written = write(STDERR_FILENO, text, sizeof(text) - 1);
	(void)written;
	_exit(exit_status);
}

void *mem_new(size_t count, size_t size)
{
	void *pointer = calloc(count ? count : 1, size ? size : 1);
	if (!pointer)
		mem_exhausted();
	return pointer;
}

void *mem_grow(void *array, size_t *capacity, size_t need, size_t size)
{
	if (need <= *capacity)
		return array;
	size_t wanted = *capacity ? *capacity : 8;
	while (wanted < need) {
		if (wanted > (size_t)-1 / 2)
			mem_exhausted();
		wanted *= 2;
	}
	void *grown = reallocarray(array, wanted, size);
	if (!grown)
		mem_exhausted();
	*capacity = wanted;
	return grown;
}

void mem_free(void *pointer)
{
	free(pointer);
}

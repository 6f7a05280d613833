/*
 * record/wrap_alloc: malloc and its kin as the program calls them when it is linked with -Wl,--wrap=malloc and so on. An object
 * is over before its memory goes back, and begins when it has come: no other thread's object is there in between.
 */
#include <stddef.h>
#include <stdint.h>

#include "record/heap.h"

#define EXPORT __attribute__((visibility("default")))

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__real_reallocarray(void *memory, size_t count, size_t bytes);
void __real_free(void *memory);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__real_memalign(size_t alignment, size_t bytes);
void *__real_valloc(size_t bytes);
int __real_posix_memalign(void **ret, size_t alignment, size_t bytes);

EXPORT void *__wrap_malloc(size_t bytes);
EXPORT void *__wrap_calloc(size_t count, size_t bytes);
EXPORT void *__wrap_realloc(void *memory, size_t bytes);
EXPORT void *__wrap_reallocarray(void *memory, size_t count, size_t bytes);
EXPORT void __wrap_free(void *memory);
EXPORT void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
EXPORT void *__wrap_memalign(size_t alignment, size_t bytes);
EXPORT void *__wrap_valloc(size_t bytes);
EXPORT int __wrap_posix_memalign(void **ret, size_t alignment, size_t bytes);

static void *begin(void *memory, size_t bytes)
{
	llrec_heap_begin(memory, bytes);
	return memory;
}

void *__wrap_malloc(size_t bytes)
{
	return begin(__real_malloc(bytes), bytes);
}

/* The product has not overflowed where there is memory. */
void *__wrap_calloc(size_t count, size_t bytes)
{
	return begin(__real_calloc(count, bytes), count * bytes);
}

/* What was there before is over, even if it stays where it is, or there is no memory to move it to. */
void *__wrap_realloc(void *memory, size_t bytes)
{
	llrec_heap_end(memory);
	return begin(__real_realloc(memory, bytes), bytes);
}

void *__wrap_reallocarray(void *memory, size_t count, size_t bytes)
{
	llrec_heap_end(memory);
	return begin(__real_reallocarray(memory, count, bytes), count * bytes);
}

void __wrap_free(void *memory)
{
	llrec_heap_end(memory);
	__real_free(memory);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
	return begin(__real_aligned_alloc(alignment, bytes), bytes);
}

void *__wrap_memalign(size_t alignment, size_t bytes)
{
	return begin(__real_memalign(alignment, bytes), bytes);
}

void *__wrap_valloc(size_t bytes)
{
	return begin(__real_valloc(bytes), bytes);
}

int __wrap_posix_memalign(void **ret, size_t alignment, size_t bytes)
{
	int fault = __real_posix_memalign(ret, alignment, bytes);
	if (!fault)
		llrec_heap_begin(*ret, bytes);
	return fault;
}

/*
 * mem: the heap, for what does not live in an arena. Out of memory ends the program (mem_exhausted).
 * Sizes are bytes; products are checked.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>
#include <stdnoreturn.h>

/* `count` zeroed elements of `size` bytes; the caller frees with mem_free. */
void *mem_new(size_t count, size_t size);

/* Makes room for `need` elements of `size` bytes in `array` (grown by doubling, *capacity updated); returns the array. */
void *mem_grow(void *array, size_t *capacity, size_t need, size_t size);

/* NULL is fine. */
void mem_free(void *pointer);

/* Out of memory: one message on standard error, exit status 2. For libraries that report it themselves. */
noreturn void mem_exhausted(void);

/* The exit status from now on, for a parent that has to know. */
void mem_exhausted_exits_with(int status);

#endif

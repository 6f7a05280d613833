/*
 * mem: the heap, for what does not live in an arena. Out of memory ends the program (error_out_of_memory).
 * Sizes are bytes; products are checked.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

/* `count` zeroed elements of `size` bytes; the caller frees with mem_free. */
void *mem_new(size_t count, size_t size);

/* Makes room for `need` elements of `size` bytes in `array` (grown by doubling, *capacity updated); returns the array. */
void *mem_grow(void *array, size_t *capacity, size_t need, size_t size);

/* NULL is fine. */
void mem_free(void *pointer);

#endif

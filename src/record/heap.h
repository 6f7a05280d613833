/*
 * record/heap: allocations of the sizes that LINELINT_RECORD_HEAP names are objects; what is given back is none any more.
 * For the functions that the linker puts in the place of malloc and its kin (-Wl,--wrap=malloc).
 */
#ifndef RECORD_HEAP_H
#define RECORD_HEAP_H

#include <stddef.h>

/* NULL is fine for both. */
void llrec_heap_begin(void *memory, size_t bytes);
void llrec_heap_end(void *memory);

#endif

/* All memory of the library comes through here (fdtable_set_memory). */
#ifndef FDTABLE_MEMORY_H
#define FDTABLE_MEMORY_H

#include <stddef.h>

void *memory_new(size_t size_bytes); /* zeroed, starts on a cache line; NULL when there is none */
void memory_free(void *memory);      /* NULL is fine */

/* What memory_free calls now: for what outlives the tables that it was made for. */
void (*memory_releaser(void))(void *memory);

#endif

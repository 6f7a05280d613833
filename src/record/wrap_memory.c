/*
 * record/wrap_memory: memcpy and its kin as the program calls them when it is linked with -Wl,--wrap=memcpy and so on: the
 * compilers leave them as calls, and libc has no hooks. One access to all the bytes of an object that they touch.
 */
#include <stddef.h>

#include "record/access.h"

#define EXPORT __attribute__((visibility("default")))

void *__real_memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *__real_memmove(void *to, const void *from, size_t bytes);
void *__real_memset(void *to, int byte, size_t bytes);

EXPORT void *__wrap_memcpy(void *restrict to, const void *restrict from, size_t bytes);
EXPORT void *__wrap_memmove(void *to, const void *from, size_t bytes);
EXPORT void *__wrap_memset(void *to, int byte, size_t bytes);

void *__wrap_memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
	llrec_access_range((uintptr_t)from, bytes, LLREC_READ);
	llrec_access_range((uintptr_t)to, bytes, LLREC_WRITE);
	return __real_memcpy(to, from, bytes);
}

void *__wrap_memmove(void *to, const void *from, size_t bytes)
{
	llrec_access_range((uintptr_t)from, bytes, LLREC_READ);
	llrec_access_range((uintptr_t)to, bytes, LLREC_WRITE);
	return __real_memmove(to, from, bytes);
}

void *__wrap_memset(void *to, int byte, size_t bytes)
{
	llrec_access_range((uintptr_t)to, bytes, LLREC_WRITE);
	return __real_memset(to, byte, bytes);
}

/*
 * record/hooks: the plain accesses that gcc and clang report with -fsanitize=thread (gcc/sanitizer.def, LLVM's
 * ThreadSanitizer.cpp), before they do them.
 */
#include <stddef.h>

#include "record/access.h"
#include "record/start.h"

#define EXPORT __attribute__((visibility("default")))

/* Nobody includes a header of these: they are the compilers' to call. */
#define HOOK(name, size, kind)                                                                     \
	EXPORT void name(void *address);                                                           \
	EXPORT void name(void *address)                                                            \
	{                                                                                          \
		llrec_access(address, size, kind);                                                 \
	}
#define HOOK_READ_WRITE(name, size)                                                                \
	EXPORT void name(void *address);                                                           \
	EXPORT void name(void *address)                                                            \
	{                                                                                          \
		llrec_access(address, size, LLREC_READ);                                           \
		llrec_access(address, size, LLREC_WRITE);                                          \
	}
#define HOOK_PC(name, size, kind)                                                                  \
	EXPORT void name(void *address, void *pc);                                                 \
	EXPORT void name(void *address, void *pc)                                                  \
	{                                                                                          \
		(void)pc;                                                                          \
		llrec_access(address, size, kind);                                                 \
	}
#define HOOKS(size)                                                                                \
	HOOK(__tsan_read##size, size, LLREC_READ)                                                  \
	HOOK(__tsan_write##size, size, LLREC_WRITE)                                                \
	HOOK(__tsan_volatile_read##size, size, LLREC_READ)                                         \
	HOOK(__tsan_volatile_write##size, size, LLREC_WRITE)                                       \
	HOOK(__tsan_unaligned_read##size, size, LLREC_READ)                                        \
	HOOK(__tsan_unaligned_write##size, size, LLREC_WRITE)                                      \
	HOOK(__tsan_unaligned_volatile_read##size, size, LLREC_READ)                               \
	HOOK(__tsan_unaligned_volatile_write##size, size, LLREC_WRITE)                             \
	HOOK_READ_WRITE(__tsan_read_write##size, size)                                             \
	HOOK_READ_WRITE(__tsan_unaligned_read_write##size, size)                                   \
	HOOK_PC(__tsan_read##size##_pc, size, LLREC_READ)                                          \
	HOOK_PC(__tsan_write##size##_pc, size, LLREC_WRITE)

HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

#define HOOK_RANGE(name, kind)                                                                     \
	EXPORT void name(void *address, size_t size);                                              \
	EXPORT void name(void *address, size_t size)                                               \
	{                                                                                          \
		llrec_access_range((uintptr_t)address, size, kind);                                \
	}
#define HOOK_RANGE_PC(name, kind)                                                                  \
	EXPORT void name(void *address, size_t size, void *pc);                                    \
	EXPORT void name(void *address, size_t size, void *pc)                                     \
	{                                                                                          \
		(void)pc;                                                                          \
		llrec_access_range((uintptr_t)address, size, kind);                                \
	}

HOOK_RANGE(__tsan_read_range, LLREC_READ)
HOOK_RANGE(__tsan_write_range, LLREC_WRITE)
HOOK_RANGE_PC(__tsan_read_range_pc, LLREC_READ)
HOOK_RANGE_PC(__tsan_write_range_pc, LLREC_WRITE)

/* A constructor's or destructor's store to the vptr; the store is done whether or not it changes anything. */
EXPORT void __tsan_vptr_update(void **vptr, void *value);
EXPORT void __tsan_vptr_update(void **vptr, void *value)
{
	(void)value;
	llrec_access(vptr, sizeof(*vptr), LLREC_WRITE);
}

EXPORT void __tsan_vptr_read(void **vptr);
EXPORT void __tsan_vptr_read(void **vptr)
{
	llrec_access(vptr, sizeof(*vptr), LLREC_READ);
}

EXPORT void __tsan_init(void);
EXPORT void __tsan_init(void)
{
	llrec_start();
}

/* Who calls whom does not matter. */
EXPORT void __tsan_func_entry(void *caller);
EXPORT void __tsan_func_entry(void *caller)
{
	(void)caller;
}

EXPORT void __tsan_func_exit(void);
EXPORT void __tsan_func_exit(void)
{
}

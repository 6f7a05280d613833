/*
 * record/annotate: what programs and compilers tell -fsanitize=thread about synchronisation (sanitizer/tsan_interface.h,
 * dynamic_annotations.h). A recorder of accesses has no use for it; it must be there to link.
 */
#include <stddef.h>

#define EXPORT __attribute__((visibility("default")))

#define IGNORED(name, ...)                                                                         \
	EXPORT void name(__VA_ARGS__);                                                             \
	EXPORT void name(__VA_ARGS__)                                                              \
	{                                                                                          \
	}

/* The parameters are never looked at. */
#define UNUSED(type, name) type name __attribute__((unused))

IGNORED(__tsan_ignore_thread_begin, void)
IGNORED(__tsan_ignore_thread_end, void)
IGNORED(__tsan_acquire, UNUSED(void *, address))
IGNORED(__tsan_release, UNUSED(void *, address))
IGNORED(__tsan_flush_memory, void)
IGNORED(__tsan_mutex_create, UNUSED(void *, address), UNUSED(unsigned, flags))
IGNORED(__tsan_mutex_destroy, UNUSED(void *, address), UNUSED(unsigned, flags))
IGNORED(__tsan_mutex_pre_lock, UNUSED(void *, address), UNUSED(unsigned, flags))
IGNORED(__tsan_mutex_post_lock, UNUSED(void *, address), UNUSED(unsigned, flags),
	UNUSED(int, recursion))
IGNORED(__tsan_mutex_post_unlock, UNUSED(void *, address), UNUSED(unsigned, flags))
IGNORED(__tsan_mutex_pre_signal, UNUSED(void *, address), UNUSED(unsigned, flags))
IGNORED(__tsan_mutex_post_signal, UNUSED(void *, address), UNUSED(unsigned, flags))
IGNORED(__tsan_mutex_pre_divert, UNUSED(void *, address), UNUSED(unsigned, flags))
IGNORED(__tsan_mutex_post_divert, UNUSED(void *, address), UNUSED(unsigned, flags))
IGNORED(__tsan_external_register_header, UNUSED(void *, tag), UNUSED(const char *, header))
IGNORED(__tsan_external_assign_tag, UNUSED(void *, address), UNUSED(void *, tag))
IGNORED(__tsan_external_read, UNUSED(void *, address), UNUSED(void *, pc), UNUSED(void *, tag))
IGNORED(__tsan_external_write, UNUSED(void *, address), UNUSED(void *, pc), UNUSED(void *, tag))
IGNORED(__tsan_destroy_fiber, UNUSED(void *, fiber))
IGNORED(__tsan_switch_to_fiber, UNUSED(void *, fiber), UNUSED(unsigned, flags))
IGNORED(__tsan_set_fiber_name, UNUSED(void *, fiber), UNUSED(const char *, name))

/* How often a recursive mutex was held, to be held again so often: only the runtime that asks would know. */
EXPORT int __tsan_mutex_pre_unlock(void *address, unsigned flags);
EXPORT int __tsan_mutex_pre_unlock(UNUSED(void *, address), UNUSED(unsigned, flags))
{
	return 1;
}

/* A tag and fibers that are good enough to be given back. */
static char token;

EXPORT void *__tsan_external_register_tag(const char *type);
EXPORT void *__tsan_external_register_tag(UNUSED(const char *, type))
{
	return &token;
}

EXPORT void *__tsan_get_current_fiber(void);
EXPORT void *__tsan_get_current_fiber(void)
{
	return &token;
}

EXPORT void *__tsan_create_fiber(unsigned flags);
EXPORT void *__tsan_create_fiber(UNUSED(unsigned, flags))
{
	return &token;
}

/* All begin with the place in the source; what follows differs, and is not looked at. */
#define ANNOTATION(name) IGNORED(name, UNUSED(const char *, file), UNUSED(int, line))

ANNOTATION(AnnotateBenignRace)
ANNOTATION(AnnotateBenignRaceSized)
ANNOTATION(AnnotateCondVarSignal)
ANNOTATION(AnnotateCondVarSignalAll)
ANNOTATION(AnnotateCondVarWait)
ANNOTATION(AnnotateEnableRaceDetection)
ANNOTATION(AnnotateExpectRace)
ANNOTATION(AnnotateFlushExpectedRaces)
ANNOTATION(AnnotateFlushState)
ANNOTATION(AnnotateHappensAfter)
ANNOTATION(AnnotateHappensBefore)
ANNOTATION(AnnotateIgnoreReadsBegin)
ANNOTATION(AnnotateIgnoreReadsEnd)
ANNOTATION(AnnotateIgnoreSyncBegin)
ANNOTATION(AnnotateIgnoreSyncEnd)
ANNOTATION(AnnotateIgnoreWritesBegin)
ANNOTATION(AnnotateIgnoreWritesEnd)
ANNOTATION(AnnotateMemoryIsInitialized)
ANNOTATION(AnnotateMemoryIsUninitialized)
ANNOTATION(AnnotateMutexIsNotPHB)
ANNOTATION(AnnotateMutexIsUsedAsCondVar)
ANNOTATION(AnnotateNewMemory)
ANNOTATION(AnnotateNoOp)
ANNOTATION(AnnotatePCQCreate)
ANNOTATION(AnnotatePCQDestroy)
ANNOTATION(AnnotatePCQGet)
ANNOTATION(AnnotatePCQPut)
ANNOTATION(AnnotatePublishMemoryRange)
ANNOTATION(AnnotateRWLockAcquired)
ANNOTATION(AnnotateRWLockCreate)
ANNOTATION(AnnotateRWLockCreateStatic)
ANNOTATION(AnnotateRWLockDestroy)
ANNOTATION(AnnotateRWLockReleased)
ANNOTATION(AnnotateThreadName)
ANNOTATION(AnnotateTraceMemory)
ANNOTATION(AnnotateUnpublishMemoryRange)

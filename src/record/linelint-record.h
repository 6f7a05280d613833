/*
 * linelint-record: marks in a program's source for the recorder of its accesses, linelint-record(3).
 *
 * For C and C++. Without -DLINELINT_RECORD every mark is nothing at all: they may stay in the source. With it, the program
 * must be compiled with -fsanitize=thread and linked without it, with -llinelint-record.
 */
#ifndef LINELINT_RECORD_H
#define LINELINT_RECORD_H

#include <stddef.h>

/*
 * LINELINT_TRACK(pointer)              count accesses to the bytes of *pointer, under its type
 * LINELINT_TRACK_SIZE(pointer, bytes)  the same for a struct that a flexible array makes longer (or shorter) than sizeof
 * LINELINT_UNTRACK(pointer)            the object's life is over: before its memory is given back
 * LINELINT_ROLE(name)                  what the calling thread does from here on; the operation that it was in is over
 * LINELINT_OP()                        begins an operation of the calling thread, and ends the one before
 * LINELINT_OP_END()                    what follows belongs to no operation
 */
#ifdef LINELINT_RECORD

#ifdef __cplusplus
extern "C" {
#endif
void linelint_record_track(
	const volatile void *object, size_t bytes, size_t type_bytes, const void *tag);
void linelint_record_untrack(const volatile void *object, size_t type_bytes);
void linelint_record_role(const char *name);
void linelint_record_operation(void);
void linelint_record_operation_end(void);
#ifdef __cplusplus
}
#endif

/* The tag is never read: its address finds its type, which is the object's, in the debug information. */
#define LINELINT_TRACK_SIZE(pointer, bytes)                                                        \
	do {                                                                                       \
		static __typeof__(*(pointer)) *const linelint_tag __attribute__((used)) = 0;       \
		linelint_record_track((pointer), (bytes), sizeof(*(pointer)), &linelint_tag);      \
	} while (0)
#define LINELINT_TRACK(pointer)   LINELINT_TRACK_SIZE(pointer, sizeof(*(pointer)))
#define LINELINT_UNTRACK(pointer) linelint_record_untrack((pointer), sizeof(*(pointer)))
#define LINELINT_ROLE(name)       linelint_record_role(name)
#define LINELINT_OP()             linelint_record_operation()
#define LINELINT_OP_END()         linelint_record_operation_end()

#else

/* sizeof evaluates nothing, and keeps a variable that is there for the mark alone from being called unused. */
#define LINELINT_TRACK_SIZE(pointer, bytes) ((void)sizeof(pointer), (void)sizeof(bytes))
#define LINELINT_TRACK(pointer)             ((void)sizeof(pointer))
#define LINELINT_UNTRACK(pointer)           ((void)sizeof(pointer))
#define LINELINT_ROLE(name)                 ((void)sizeof(name))
#define LINELINT_OP()                       ((void)0)
#define LINELINT_OP_END()                   ((void)0)

#endif
#endif

/*
 * buf: a growing string of bytes on the heap, always NUL-terminated. Lengths are bytes. Out of memory ends the program.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct buf {
	char *data;      /* NUL-terminated; "" when empty; owned */
	size_t length;   /* bytes without the NUL */
	size_t capacity; /* bytes allocated */
};

/* buf_release() frees `data`, and must follow every buf_init(); buf_clear() keeps the memory. */
void buf_init(struct buf *buf);
void buf_release(struct buf *buf);
void buf_clear(struct buf *buf);

/* Add at the end. What is added must not lie in the buffer itself. */
void buf_add(struct buf *buf, const void *bytes, size_t length);
void buf_puts(struct buf *buf, const char *string);
void buf_putc(struct buf *buf, char byte);
void buf_pad(struct buf *buf, char byte, size_t count);
void buf_printf(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *buf, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

/* Adds `string` with control bytes, DEL and invalid UTF-8 written as \xNN: what came from an input may not steer a terminal. */
void buf_put_visible(struct buf *buf, const char *string);

/* Would that add it as it is? */
bool buf_is_visible(const char *string);

/* Adds `word` as a shell takes it: in double quotes where it must be, for it may stand in single ones of a sentence. */
void buf_put_word(struct buf *buf, const char *word);

#endif

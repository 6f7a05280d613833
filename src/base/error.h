/*
 * error: what went wrong in the input or the world, as one line for the user.
 *
 * Every fallible function returns a struct error *, NULL for fine; its results come last, through a pointer that is
 * untouched on failure. The text follows one shape: "SUBJECT[:LINE[:COL]]: what is wrong; what to do". Callers add
 * context on the way up with error_wrap(); only main() prints. A fault of our own is an assert, never a struct error.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

struct error {
	char *message; /* one line without newline; control bytes already neutralised */
};

/* A new error; the caller owns it. */
struct error *error_new(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "CONTEXT: MESSAGE"; consumes `error`, the caller owns the result. */
struct error *error_wrap(struct error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Releases an error that was dealt with; NULL is fine. */
void error_free(struct error *error);

#endif

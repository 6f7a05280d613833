/*
 * record/os: what the recorder needs of the system. No malloc and no stdio: hooks run before main, inside of malloc and in
 * signal handlers.
 */
#ifndef RECORD_OS_H
#define RECORD_OS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LLREC_LIKELY(condition)   __builtin_expect(!!(condition), 1)
#define LLREC_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* Pages of zeroes that cost memory only where they are touched. NULL: the system has none left. */
void *llrec_map(size_t bytes);
void llrec_unmap(void *pages, size_t bytes);

/*
 * The one lock, of all that changes seldom: objects, classes, roles, the list of threads. Signals are blocked while it is
 * held, so that a handler may take it too. `mask` keeps what to restore.
 */
void llrec_lock(sigset_t *mask);
void llrec_unlock(const sigset_t *mask);

/* The calling thread holds it: what it does then is the recorder's own doing. */
extern __thread bool llrec_has_lock __attribute__((tls_model("initial-exec")));

/* One line on standard error: "linelint-record: SUBJECT: TEXT". */
void llrec_complain(const char *subject, const char *text);

/* Makes what other processors have not stored yet visible, before and after: the other side of a compiler barrier. */
void llrec_barrier_all(void);

void llrec_sleep_ms(long milliseconds);

/* Appends to a string of `capacity` bytes, cut at its end; returns the new length. */
size_t llrec_append(char *text, size_t length, size_t capacity, const char *more);
size_t llrec_append_number(char *text, size_t length, size_t capacity, uint64_t number);

#endif

/*
 * guard: tells the faults of libdwarf from ours.
 *
 * libdwarf 20210528 crashes on some hostile input, asks for absurd amounts of memory, or goes on for ever; the program
 * survives that in its guarded child (src/main/guard.h), and no fuzzer of ours can mend it. A crash or a lack of progress at an
 * instruction of libdwarf, or of the C library that libdwarf has called, is counted and left behind with siglongjmp();
 * everything else goes the usual way, to the sanitizer, libFuzzer or the shell. What was allocated until then is lost.
 */
#ifndef FUZZ_GUARD_H
#define FUZZ_GUARD_H

#include <stdbool.h>
#include <stddef.h>

/* Runs it. False when libdwarf has broken off. Errors in it abort. */
bool guard_run(void (*run)(void *context), void *context);

/* Inputs that libdwarf has broken off: by a signal, or because they took it too long. */
struct guard_count {
	size_t crashes, hangs;
};
struct guard_count guard_counts(void);

#endif

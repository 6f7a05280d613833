/*
 * target: what each fuzz_NAME.c is, and what it is checked by.
 *
 * A target runs one reader on bytes that nobody vouches for. It may refuse them with an error; it must not crash, run for
 * ever, use much more memory than the input is long for, or leave memory behind. Linked with libFuzzer (make fuzz), and with
 * replay.c, which needs only a C compiler (make check).
 */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What must hold of any input. */
#define HOLDS(condition)                                                                           \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

/* Refused: every error is one line. True when there was one; it is gone then. */
static inline int refused(struct error *error)
{
	if (!error)
		return 0;
	HOLDS(error->message[0]);
	for (const char *at = error->message; *at; at++)
		HOLDS((unsigned char)*at >= 0x20 && *at != 0x7f);
	error_free(error);
	return 1;
}

#endif

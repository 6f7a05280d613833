/*
 * record/settings: the environment's variables -> what is to be recorded, and into which files. Read once, at the start.
 */
#ifndef RECORD_SETTINGS_H
#define RECORD_SETTINGS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	LLREC_HEAP_MAX = 64,  /* kinds of allocations */
	LLREC_NAME_MAX = 128, /* bytes of a name, with the 0 at its end */
};

struct llrec_heap {
	char name[LLREC_NAME_MAX]; /* of the struct */
	uint64_t bytes;            /* of an allocation that is one */
};

struct llrec_settings {
	char file
		[PATH_MAX]; /* absolute where the working directory was known; may have %p; "": record nothing */
	char trace[PATH_MAX];  /* the same, the beginning of the traces' names; "": none */
	uint64_t trace_events; /* most of a class */
	uint64_t counters;     /* most of a thread */
	uint64_t objects;      /* most at a time */
	bool globals;
	struct llrec_heap heap[LLREC_HEAP_MAX];
	size_t heap_count;
};

extern struct llrec_settings llrec_settings;

void llrec_settings_read(void);

/* Whether a name of files has a %p, and then the name for this process. */
bool llrec_has_pid(const char *name);
void llrec_expand_pid(const char *name, char *ret, size_t capacity);

#endif

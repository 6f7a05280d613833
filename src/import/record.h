/*
 * record: what the recorder counted in a run of a program, as a profile.
 *
 * file -> [record_read] -> struct record; with the binary -> [record_profile] -> struct profile. The format is
 * linelint-record(5): text, an item a line. Untrusted input: every number is checked while it is read, so that whoever uses
 * the result need not; what refers to the binary is checked where they are joined.
 */
#ifndef IMPORT_RECORD_H
#define IMPORT_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "profile.h"
#include "read/object.h"
#include "read/variables.h"
#include "type.h"

enum {
	RECORD_VERSION = 1,
	RECORD_BYTES_MAX = 64 << 20, /* of a file */
	RECORD_ROLES_MAX = 256,
	RECORD_CLASSES_MAX = 4096,
	RECORD_THREADS_MAX = 1 << 20,
	RECORD_ACCESS_MAX = 1 << 20, /* bytes of one access */
	RECORD_SEQUENCE_MAX = 256,   /* accesses of a kept operation */
};
#define RECORD_OFFSET_MAX (UINT64_C(1) << 32) /* bytes from the start of an object */
#define RECORD_GLOBALS                                                                             \
	UINT32_MAX /* the class of variables that nobody tracks: offsets are addresses */

struct record_role {
	const char *name; /* as the program gave it: any bytes but NUL */
	uint64_t threads; /* at most RECORD_THREADS_MAX */
	uint64_t operations;
};

/* The objects of one LINELINT_TRACK(), or of one size of the heap. */
struct record_class {
	uint32_t number;  /* as the file has it */
	const char *name; /* LINELINT_RECORD_HEAP's; NULL: by its tag */
	uint64_t
		tag; /* link-time address of the variable whose type points to that of the objects */
	uint64_t size_bytes;   /* of its type, or of the allocations */
	uint64_t objects;      /* tracked */
	uint64_t shared;       /* of those: touched by more than one thread */
	uint64_t threads_most; /* on one object */
	size_t line;           /* of the file */
};

/* A stretch of .data or .bss. */
struct record_global {
	uint64_t address, size_bytes; /* do not wrap */
	bool is_shared;               /* touched by more than one thread */
};

/* Distinct threads of a role on the busiest object of a class. */
struct record_threads {
	uint32_t class_index, role; /* indices; RECORD_GLOBALS */
	uint64_t threads;
};

struct record_access {
	enum access_kind kind; /* ACCESS_READ, ACCESS_WRITE or ACCESS_RMW */
	uint64_t off_bytes;    /* below RECORD_OFFSET_MAX; of globals the link-time address */
	uint32_t size_bytes;   /* 1 to RECORD_ACCESS_MAX; off_bytes + size_bytes does not wrap */
};

struct record_count {
	uint32_t class_index, role;
	struct record_access access;
	uint64_t count;
	size_t line;
};

/* A sequence of accesses, and how many operations had just this one. */
struct record_operation {
	uint32_t class_index, role;
	uint64_t count;
	const struct record_access *steps;
	size_t step_count; /* 1 to RECORD_SEQUENCE_MAX */
	size_t line;
};

/* What the recorder could not count. */
struct record_loss {
	const char *what;
	uint64_t count;
};

struct record {
	const char *path;
	const char *build_id; /* small hexadecimal digits; NULL: the program has none */
	const char *program;  /* base name */
	const struct record_role *roles;
	size_t role_count;
	const struct record_class *classes; /* by number */
	size_t class_count;
	const struct record_global *globals;
	size_t global_count;
	const struct record_threads *threads;
	size_t thread_count;
	const struct record_count *counts; /* inside of operations */
	size_t count_count;
	const struct record_operation *operations;
	size_t operation_count;
	const struct record_loss *losses;
	size_t loss_count;
	uint64_t outside; /* accesses outside of operations */
};

/*
 * Reads a file, or bytes under a name. Errors: cannot be read, no recording, of another version, truncated (no `end`), too
 * long; "FILE:LINE: ..." for what is malformed, out of range, or refers to a role or class that no line has.
 */
struct error *record_read(struct arena *arena, const char *path, struct record *ret);
struct error *record_parse(struct arena *arena, const char *name, const char *bytes, size_t length,
	struct record *ret);

/* A struct of the binary. */
struct record_type {
	const struct types *types;
	type_id type;     /* of an aggregate, complete */
	const char *name; /* with scope */
};

/* What it is joined with. */
struct record_binary {
	const struct object *object;
	uint64_t line_bytes;
	unsigned jobs; /* threads that look for variables; 0: one a processor */
	/* Finds a struct by NAME, as the command line takes it; errors when there is none. */
	struct error *(*find)(void *context, const char *name, struct record_type *ret);
	void *context;
};

/*
 * The profile, in `arena`: evidence measured, counts per operation, a sequence where most operations agree on one, remarks
 * about what was left out. Errors: of another build; no operations; no accesses within them; a tag that is not in the debug
 * information, or leads to no struct; sizes that differ; accesses behind the end of their struct.
 */
struct error *record_profile(struct arena *arena, const struct record *record,
	const struct record_binary *binary, struct profile *ret);

/* What is recorded has addresses. Error: a relocatable object. */
struct error *record_require_linked(const struct object *object);

/*
 * The struct that the variable at an address is, or points to: LINELINT_TRACK()'s tag, or a global of struct type.
 * Errors: no variable begins there; no struct with a name.
 */
struct error *record_type_at(struct arena *arena, const struct object *object,
	const struct variables *variables, uint64_t address, struct record_type *ret,
	bool *is_array);

#endif

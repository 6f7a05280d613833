/*
 * trace: a recording of who accessed which bytes of a struct's objects, in the order in which it happened.
 *
 * file x layout -> [trace] -> replay. Two forms, both linelint-trace(5): the binary one that a recorder writes, and text
 * that a person can write. A trace holds for one struct of one program: what was recorded from another is an error, as is
 * all that is truncated, malformed or out of bounds. Untrusted input: every number is checked here, so that whoever uses
 * the result need not.
 */
#ifndef IMPORT_TRACE_H
#define IMPORT_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "layout.h"
#include "profile.h"

enum {
	TRACE_VERSION = 1,
	TRACE_THREADS_MAX = 1 << 16,
	TRACE_ROLES_MAX = 1 << 10,
	TRACE_OBJECTS_MAX = 1 << 20,
	TRACE_EVENTS_MAX = 1 << 25,
	TRACE_NAME_MAX = 4096, /* bytes of a name */
	TRACE_OFFSET_MAX =
		1
		<< 22, /* bytes from the start of an object, where a flexible array makes it long */
	TRACE_BUILD_ID_MAX = 64, /* bytes */
};

struct trace_event {
	uint32_t thread;     /* below thread_count */
	uint32_t object;     /* below object_count */
	uint32_t off_bytes;  /* from the start of the object */
	uint32_t size_bytes; /* at least 1; inside of the object */
	uint8_t kind;        /* enum access_kind: ACCESS_READ, ACCESS_WRITE or ACCESS_RMW */
	bool begins;         /* an operation of its thread */
};

struct trace {
	const char *path;
	const char *const *roles;
	size_t role_count;
	const uint32_t *thread_roles; /* [thread] */
	size_t thread_count;
	const uint64_t *objects; /* [object]: address of its first byte; 0: not known */
	size_t object_count;
	const struct trace_event *events;
	size_t event_count;
	uint64_t operations; /* events that begin one; at least 1 */
	bool is_incomplete;  /* the recorder ran out of room and stopped */
};

/* What it must be a recording of. */
struct trace_target {
	const struct layout *layout;
	const char *qualified_name; /* of the struct */
	const char *binary;         /* path, for messages */
	const char *build_id;       /* hexadecimal; NULL when the binary has none */
	/* The struct, with scope, that the variable at a link-time address is, or points to: what "@0xADDRESS" stands for in
	 * the trace of a recorder. Errors: no such variable, no struct. NULL: traces of that form are refused. */
	struct error *(*name_at)(void *context, uint64_t address, const char **ret);
	void *context;
};

/*
 * Reads a file, or bytes under a name. Errors: cannot be read, no trace, of another version, truncated, too long, no
 * operation; another build-id, struct or size than the target's; "FILE:LINE: ..." for malformed text.
 */
struct error *trace_read(struct arena *arena, const char *path, const struct trace_target *target,
	struct trace *ret);
struct error *trace_parse(struct arena *arena, const char *name, const char *bytes, size_t length,
	const struct trace_target *target, struct trace *ret);

#endif

/*
 * session/many: several binaries as one: the files of an archive, of a directory and of --also.
 *
 * paths -> collect -> [many] -> one index, types. Private to cmd/session.c and cmd/session/. Files are opened one at a time, and
 * closed before the next: what is kept of them lives in the session's arena. A file that cannot be read is told on
 * `session->complaints` and counts as unread; one without debug information, which nobody asked for by its name, only
 * counts as passed over.
 */
#ifndef CMD_SESSION_MANY_H
#define CMD_SESSION_MANY_H

#include "base/error.h"
#include "cmd/session.h"
#include "read/collect.h"

/* One of them that has debug information. */
struct session_file {
	const struct collect_file *file;
	uint64_t line_bytes; /* of its machine */
	bool is_damaged;     /* its index has told so */
};

/*
 * Collects, opens and indexes all, into session->files, object (a path and a machine, nothing to read), index and frame.
 * Errors: --output is one of them, --btf-base is none; nothing with debug information.
 */
struct error *many_open(
	struct session *session, const struct session_request *request, const struct index_query *query);

/* session_open_file() of several; many_close() closes all of them. */
struct error *many_reopen(struct session *session, size_t binary, const struct object **object,
	const struct info **info);
void many_close(struct session *session);

/* The names of all structs, where the index has none: index.names of `ret`, nothing else. */
void many_names(const struct session *session, struct index *ret);

/*
 * As info_read(), of definitions in any of the files; what is damaged in one is read in another that has the same layout, and
 * what could not be read has no types (many_read.c).
 */
void many_read(struct session *session, const struct index_def *const *defs, size_t count, struct info_type *ret);

#endif

/*
 * session/parts: what the files of a session share. Private to cmd/session.c and cmd/session/.
 *
 * session.c opens one binary, many.c several; choose.c says which profiles hold; group.c what a definition of the index is
 * among those of its name; find.c which ones a NAME means; read.c reads them; tell.c says what is not read. Everything lives
 * in the session's arena.
 */
#ifndef CMD_SESSION_PARTS_H
#define CMD_SESSION_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "cmd/session.h"
#include "profile.h"
#include "read/index.h"

/* A growing list of names. */
struct session_names {
	struct arena *arena; /* not owned */
	const char **items;  /* the names are not owned */
	size_t count, capacity;
};

void session_names_add(struct session_names *names, const char *name);

/* The structs that a profile's entry refers to: containers, conditions. */
void session_names_add_needs(struct session_names *names, const struct profile_struct *entry);

/*
 * The profiles of a request, see session.h. `shipped`: they are the compiled-in ones, and hold for kernels only.
 * Errors: profile_read, input_check.
 */
struct error *session_choose_profiles(struct arena *arena, const struct opt *opt,
	const struct session_request *request, struct profiles *ret, bool *shipped);

/* Says how many lines of session_leave_out() were too many. */
void session_tell_untold(struct session *session);

/*
 * Says which of defs[0..count) are damaged: types[i].damage. An error, the first, where it is one of the first `asked`,
 * which the verb wants, and it cannot go on without, or nothing of them is left.
 */
struct error *session_tell_definitions(struct session *session, const struct index_def *const *defs,
	const struct info_type *types, size_t count, size_t asked);

/* Sets session->entries, from its index. */
void session_note_entries(struct session *session);

/* NULL is the scope of a file. */
bool session_same_scope(const char *left, const char *right);

/* The index is by name, kind and scope: definitions that have all of them in common are neighbours, a group. */
bool session_same_group(const struct index_def *left, const struct index_def *right);

/* And both tags, or both typedefs, of files that compare. */
bool session_same_entry(const struct index_def *left, const struct index_def *right);

#endif

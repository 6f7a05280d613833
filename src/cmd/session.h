/*
 * session: what every verb does first: open a binary, find the profiles that hold for it, find and read definitions.
 *
 * options -> [session] -> report_source, report_options. Everything lives in the arena given until session_close().
 * Profiles: those that the request names; else the nearest .linelint.yaml from the working directory upwards; else,
 * for a binary that defines struct task_struct, the kernel profile that is compiled in.
 */
#ifndef CMD_SESSION_H
#define CMD_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/intern.h"
#include "cmd/cmd.h"
#include "cmd/opt.h"
#include "profile.h"
#include "read/index.h"
#include "read/info.h"
#include "read/object.h"
#include "report.h"

struct session_request {
	const char *binary;            /* path */
	const char *const *names;      /* NAMEs and globs that will be looked for; NULL: every name */
	size_t name_count;
	bool names_of_profiles;        /* also what the profiles name (check without NAMEs) */
	bool no_profiles;              /* none at all (profile init) */
	const char *const *profiles;   /* files; count 0: the defaults above */
	size_t profile_count;
	FILE *notes;                   /* what is no error and should be known, a line each; NULL: not wanted */
	FILE *several;                 /* archives, directories and --also are welcome, and what cannot be read of them is
	                                * told there, a line each; NULL: one binary only */
	bool goes_on;                  /* also without a definition of one binary that is damaged, which is told there; else
	                                * that is an error. Of several binaries the rest is always read */
};

/* What a definition of the index is among those of its name. */
struct session_entry {
	size_t group;     /* the first definition of the same name, scope and kind, tag or typedef */
	bool is_further;  /* an earlier layout of the same file under the same kind, scope and name stands for it */
	bool is_shadowed; /* a typedef, and a tag of the same name and scope exists */
	bool has[2];      /* of a group's first definition: has it tags [0], typedefs [1]? */
};

struct session_file;
struct session_opened;

struct session {
	struct arena *arena;           /* not owned */
	struct object object;          /* of several: a path and a machine, nothing that can be read */
	struct info info;              /* of the object; of several: nothing */
	const struct session_file *files; /* session/many.h: by index_def.file; NULL: one binary only */
	const struct index_def *folded; /* of several: all definitions of all files, before those alike became one: what can be
	                                 * read in place of one that is damaged; sorted as the index, then by file */
	size_t folded_count;
	const struct opt *opt;
	FILE *complaints;              /* see session_request.several */
	bool goes_on;                  /* likewise */
	struct intern texts;           /* that were kept of several */
	struct info_base *base;        /* of split BTF, see --btf-base */
	struct session_opened *opened; /* files of several that stay open: see session_open_file() */
	struct index index;
	struct report_binary binary;
	struct report_frame frame;     /* with that binary, or all of several */
	struct profiles profiles;      /* that hold for this binary; none is possible */
	struct report_options options; /* for report_build: lines, profiles, context */
	unsigned jobs;                 /* threads, 0: one a processor */
	FILE *notes;                   /* of the request */
	const struct index_alias **asked_as; /* by definition: the typedef by which it was asked for; NULL: its own name */
	const struct session_entry *entries; /* by definition */
	uint64_t unread;               /* what was asked for and is in files that are not read */
	uint64_t told, untold;         /* lines on complaints, and those that were too many without --verbose */
};

/* Definitions, in the order in which they are shown. */
struct session_defs {
	const struct index_def **items; /* in the index */
	size_t count;
};

/*
 * Opens, finds the profiles, indexes. `opt` gives --line-size, --threads, --jobs, --from, --btf-base and --output. Errors: input_check,
 * object_open, info_open, profile_read, index_build; several where one is wanted. On error nothing stays open.
 */
struct error *session_open(struct arena *arena, const struct opt *opt, const struct session_request *request,
	struct session *ret);
void session_close(struct session *session);

/* What a verb does in a session that is open. Returns an error, or sets the exit status. */
typedef struct error *session_body(struct session *session, const struct opt *opt, const struct cmd_io *io,
	int *status);

/* Opens a session in an arena of its own, does that, and closes it. Errors: session_open, the body's. */
struct error *session_run(const struct opt *opt, const struct cmd_io *io, const struct session_request *request,
	session_body *body, int *status);

/* Archives, directories, --also: may there be more than one binary? */
static inline bool session_is_several(const struct session *session)
{
	return session->files != NULL;
}

/*
 * Opens the file `binary` of frame.binaries to read more of it than definitions; it stays open until session_close(). Of one
 * binary only, that one, which is open. Errors: object_open, info_open.
 */
struct error *session_open_file(struct session *session, size_t binary, const struct object **object,
	const struct info **info);

/*
 * Closes the BTF of the file of several that was opened last, whose types nobody looks at any more: each has all of its base, and a
 * kernel has thousands of modules. Of one binary nothing happens.
 */
void session_drop_types(struct session *session);

/* A line on the session's notes: "linelint: ...". */
void session_note(const struct session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "linelint: MESSAGE; WHAT" on session->complaints: something asked for is not read, and the exit status will be 2. Frees the error.
 * Of an archive with thousands of damaged members only so many are told without --verbose; session_run() says how many there were. */
void session_leave_out(struct session *session, struct error *error, const char *what);

/* Says which units of the file `path` are damaged, an error's text each. An error, the first, where the verb cannot go on without. */
struct error *session_tell_damage(
	struct session *session, const char *path, const char *const *damage, size_t count);

/* Has damage in the units of the file `binary` been told? */
bool session_is_damaged(const struct session *session, size_t binary);

/* The path of the binary, as a shell takes it; in the arena. */
const char *session_path_word(const struct session *session);

/* Says what lies in other files (-gsplit-dwarf); NULL when nothing does. */
const char *session_split_text(const struct session *session);

/* Definitions that are being collected, each once. */
struct session_collection {
	const struct session *session;
	bool all_definitions;
	bool *taken; /* by definition of the index */
	struct session_defs defs;
	size_t capacity; /* of defs.items */
};

/* A collection of nothing yet. */
struct session_collection session_collect(const struct session *session, bool all_definitions);

/* Adds the definitions that a NAME asks for; see session_find. */
struct error *session_collect_name(struct session_collection *collection, const char *name);

/*
 * The definitions that NAMEs ask for, by argument and then by name; each once. Of several layouts under one kind, scope
 * and name only the first in file order unless `all_definitions`; tags win over typedefs of the same name. A NAME that is a
 * typedef of a tagged struct means that struct, with a note. Error: a NAME that matches nothing, with the nearest names;
 * that is only declared; or that may be in a file which is not read.
 */
struct error *session_find(const struct session *session, const char *const *names, size_t count,
	bool all_definitions, struct session_defs *ret);

/* The same for everything in the index (which is by name). */
void session_find_all(const struct session *session, bool all_definitions, struct session_defs *ret);

/*
 * Reads definitions: ret[i] for defs->items[i], in the arena; without types where one of several files failed, which has been
 * told. Reads along what their profile entries refer to
 * (containers, conditions) and puts it into session->options.context.others, for report_build.
 */
struct error *session_read(struct session *session, const struct session_defs *defs, struct report_source **ret);

/* "; did you mean 'a' or 'b'?" over the names of structs in the binary, "" when nothing is near; in the arena. */
const char *session_nearest(const struct session *session, const char *name);

#endif

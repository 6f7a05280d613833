/*
 * profile_verbs: what 'linelint profile' does, a function a verb. Arguments are those behind the verb, BINARY among them.
 */
#ifndef CMD_PROFILE_VERBS_H
#define CMD_PROFILE_VERBS_H

#include <stddef.h>

#include "base/error.h"
#include "cmd/cmd.h"

/*
 * init BINARY NAME...: a profile, valid as it is, with every field of the structs, by cache line, and no accesses yet.
 * Fields are leaves. A lock counts as one (pthread_mutex_t, spinlock_t), and so does an aggregate with a name that is no
 * larger than a pointer (atomic_t), or any around one member.
 */
struct error *profile_init_run(const struct opt *opt, const struct cmd_io *io, int *status);

/* init --vars BINARY NAME...: the same of variables, and of all that lies on their lines. */
struct error *profile_init_vars_run(const struct opt *opt, const struct cmd_io *io, int *status);

/* import record FILE BINARY: what the recorder counted, as a profile of that binary (import/record.h). */
struct error *profile_import_run(const struct opt *opt, const struct cmd_io *io, int *status);

/* merge FILE...: one profile that says what all of them say together (profile/merge.h). */
struct error *profile_merge_run(const struct opt *opt, const struct cmd_io *io, int *status);

/*
 * show FILE BINARY: what a profile says about a binary: roles, threads, fields with their lines and counts, placement,
 * locks, demands, and what does not resolve (LL010). FILE may be `linux`, the shipped one. Exit status 1 when a name
 * does not resolve, unless the profile is the shipped one.
 */
struct error *profile_show_run(const struct opt *opt, const struct cmd_io *io, int *status);

#endif

/*
 * profile/struct: one entry under `structs`, or `vars`, as a record.
 *
 * profile/node -> [struct] -> profile. The grammar is the key tables in the .c file, and linelint-profile(5).
 * Contradictions inside an entry are errors too (profile/check).
 */
#ifndef PROFILE_STRUCT_H
#define PROFILE_STRUCT_H

#include "base/error.h"
#include "profile.h"
#include "profile/node.h"

enum {
	PROFILE_ROLES_MAX = 256,
	PROFILE_THREADS_MAX = 1 << 20, /* of a role */
};

/* `ret` is zeroed. Everything it points to lives in the reader's arena. */
struct error *profile_read_struct(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, struct profile_struct *ret);

/* The one record of `vars`: its fields are variables. */
struct error *profile_read_vars(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, struct profile_struct *ret);

/* Are the classes of its allocator those that hold when none are stated? */
bool profile_has_default_classes(const struct profile_struct *entry);

/* A number of threads, into an unsigned. */
struct error *profile_read_threads(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target);

/* measured, stated, shipped or group, into an enum evidence. */
struct error *profile_read_evidence(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target);

#endif

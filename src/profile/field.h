/*
 * profile/field: the fields of an entry and who accesses them how often.
 *
 * profile/node -> [profile/field] -> profile_struct. Counts are accesses per operation, words among them: hot 1, warm 0.1,
 * cold 0.001. Grammar: linelint-profile(5), "fields".
 */
#ifndef PROFILE_FIELD_H
#define PROFILE_FIELD_H

#include "base/error.h"
#include "profile.h"
#include "profile/node.h"

enum { PROFILE_COUNT_MAX = 10000 }; /* accesses of one kind to one field per operation */

/* `fields`, into a struct profile_struct. */
struct error *profile_read_fields(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target);

#endif

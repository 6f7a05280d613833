/*
 * profile/demand: what an entry demands of a layout, and what it lets pass: constraints, expect, ignore.
 *
 * profile/node -> [profile/demand] -> profile_struct. Sizes are bytes. Grammar: linelint-profile(5).
 */
#ifndef PROFILE_DEMAND_H
#define PROFILE_DEMAND_H

#include "base/error.h"
#include "profile.h"
#include "profile/node.h"

/* `constraints`, into a struct profile_constraints. */
struct error *profile_read_constraints(struct profile_reader *reader,
	const struct profile_node *key, const struct profile_node *value, void *target);

/* `expect` and `ignore`, into a struct profile_struct. */
struct error *profile_read_expects(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target);
struct error *profile_read_ignores(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target);

#endif

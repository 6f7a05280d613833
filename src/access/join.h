/*
 * access/join: a layout and a profile while they are joined. Private to access.c and access/.
 *
 * access.c finds fields, roles, locks and the place of the object; resolve.c names in the layouts; model.c makes of it all
 * what cost takes; needs.c says before which other structs must be read.
 */
#ifndef ACCESS_JOIN_H
#define ACCESS_JOIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access.h"
#include "access/place.h"

#define JOIN_NO_ROLE UINT32_MAX

/* A join under construction. */
struct join {
	struct arena *arena;
	const struct layout *layout;
	const struct profile_struct *profile;
	const struct profile *document;
	const struct access_context *context;
	struct access_map *map;
	struct access_place place;

	struct access_field *fields;
	size_t field_count, field_capacity;
	struct access_lock *locks;
	size_t lock_count, lock_capacity;
	struct access_missing *missing;
	size_t missing_count, missing_capacity;
	uint32_t *role_of; /* [role of the document]: of the map, or JOIN_NO_ROLE */
};

/* ---- names (resolve.c) ---- */

/* The member; NULL when it is not there or has no fixed place, and then it is missing unless that is excused. */
const struct layout_member *join_resolve(
	struct join *join, const char *path, struct profile_position position);

/* STRUCT.path of one of the other structs, or of this one; the layout through *ret. NULL when there is none. */
const struct layout_member *join_find_elsewhere(
	const struct join *join, const char *name, const struct layout **ret);

/* Does the condition hold (fields that must be there, or must not; NULL: none)? */
bool join_holds(const struct join *join, const char *if_field, const char *unless_field);

/* Notes what does not resolve, once a path. `advice` may be NULL: correct the name. */
void join_add_missing(struct join *join, const char *path, const char *why, const char *advice,
	struct profile_position position);

/* What is named beside the accesses must exist as well. */
void join_resolve_the_rest(struct join *join);

/* ---- the model (model.c) ---- */

/* Is the member `outer`, or inside of it? */
bool join_lies_in(const struct join *join, const struct layout_member *member,
	const struct layout_member *outer);

/* Sets map->model and map->workloads from fields, roles, locks and place. */
void join_build_model(struct join *join);

#endif

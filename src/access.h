/*
 * access: the join of a layout and a profile.
 *
 * layout x profile -> [access] -> cost, lint. Resolves the profile's names against the layout (what does not resolve is a
 * fault that lint reports as LL010, never dropped), puts each role's accesses into the order of one operation
 * (linelint-profile(5), "sequence"), works out placements, and hands cost a model of plain numbers. Pure.
 */
#ifndef ACCESS_H
#define ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "cost.h"
#include "layout.h"
#include "profile.h"

/* A field that is accessed: one per profile field that resolved; same index as model.fields. */
struct access_field {
	const struct layout_member *member;
	const struct profile_field *profile; /* where it was stated */
	double (*counts)[ACCESS_KIND_COUNT]; /* per role of the map: accesses per operation */
	double reads;    /* per operation, the largest of the roles: read + rmw + unknown */
	double writes;   /* write + rmw */
	bool is_lock;    /* named under `locks`, or part of what is */
};

/* A role that touches the struct. */
struct access_role {
	const char *name;
	uint32_t document_role; /* index into the document's roles */
	unsigned threads;       /* on one object, after overrides */
	double rate;
	double interleave;
};

/* A name of the profile that the binary does not have, has as something else, or has at no fixed place. */
struct access_missing {
	const char *path;            /* as written */
	const char *why;             /* what is wrong: "no such field; did you mean 'f_mode'?" */
	const char *advice;          /* what to do about it; NULL: correct the name */
	struct profile_position position;
};

struct access_lock {
	uint32_t field;              /* index into fields: its word, of several the one that is changed atomically most
	                              * often; an entry without accesses where the profile states none */
	const struct layout_member *member; /* the whole lock */
	const struct layout_member *const *protects;
	size_t protect_count;
	double contended;
};

struct access_map {
	const struct layout *layout;
	const struct profile_struct *profile; /* NULL: no profile for this struct; everything below is empty */
	enum evidence evidence;
	const struct access_field *fields;
	size_t field_count;
	const struct access_role *roles;
	size_t role_count;
	const struct access_lock *locks;
	size_t lock_count;
	const struct access_missing *missing;
	size_t missing_count;
	/* Placement */
	uint64_t align_bytes;        /* guaranteed alignment of an object */
	uint64_t stride_bytes;       /* from one object to the next; 0: unknown */
	uint64_t container_off_bytes; /* where it lies in its container; 0 without */
	bool placement_stated;       /* by the profile; false: by default */
	struct cost_model model;     /* starts, roles, fields ...; valid when role_count > 0 */
	const uint32_t *workloads;   /* [workload of the model]: index into the document's */
};

/* Layouts of other structs that a profile names (placement.container, if: STRUCT.field), for access_build to look into. */
struct access_others {
	const struct layout *const *layouts;
	size_t count;
};

/* What else must be known about the binary. */
struct access_context {
	bool is_kernel;             /* defines struct task_struct */
	double interleave;          /* 0: the profile's; else instead of all (lint halves and doubles it) */
	unsigned threads;           /* --threads; 0: the profile's */
	struct access_others others;
};

/*
 * Names of other structs that this entry refers to (containers; conditions, where the first step of a path
 * may also be a field's name), for the caller to read first. Writes at most `capacity` of them, in `arena`;
 * returns how many there are.
 */
size_t access_needs(struct arena *arena, const struct profile_struct *profile, const char **names, size_t capacity);

/* Joins; `profile` may be NULL. Never fails: what does not resolve stands in `missing`. */
void access_build(struct arena *arena, const struct layout *layout, const struct profile_struct *profile,
	const struct access_context *context, struct access_map *ret);

/* The entry of a member, or NULL when the profile does not mention it. */
const struct access_field *access_find(const struct access_map *map, const struct layout_member *member);

#endif

/*
 * profile/node: nodes -> values, with the errors that an author of a profile reads.
 *
 * profile/yaml -> [profile/node] -> profile, profile_struct. A grammar is a table of keys: each names the function that
 * reads its value into a place of the record. Errors: "FILE:LINE:COL: 'KEY' is X; expected Y (did you mean 'Z'?)".
 */
#ifndef PROFILE_NODE_H
#define PROFILE_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "profile.h"
#include "profile/yaml.h"

enum { PROFILE_LIST_MAX = 4096 };             /* items of one list */
#define PROFILE_SIZE_MAX (UINT64_C(1) << 40) /* bytes, whatever they measure */

/* What all functions share while one document is read. */
struct profile_reader {
	struct arena *arena;
	const char *path;        /* for messages */
	struct profile *profile; /* being built: roles are complete before structs are read */
	bool roles_stated;
	enum evidence evidence; /* of the document */
};

struct profile_key {
	const char *name;
	/* `key` for the message and its position, `value` to read, `target` is the record plus `offset`. */
	struct error *(*read)(struct profile_reader *reader, const struct profile_node *key,
		const struct profile_node *value, void *target);
	size_t offset; /* of the place in the record */
};

struct profile_key_table {
	const struct profile_key *keys;
	size_t count;
	/* Any other key that names a role is read by this one; NULL: other keys are errors. */
	struct error *(*read_role)(struct profile_reader *reader, uint32_t role,
		const struct profile_node *key, const struct profile_node *value, void *target);
	const char *(*hint)(const char *key); /* what to append to the error of an unknown key; NULL: nothing */
};

/* "FILE:LINE:COL: 'KEY' is VALUE; expected EXPECTED" */
struct error *profile_mismatch(const struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, const char *expected);

/* Nothing written, `~` or `null`. */
bool profile_node_is_empty(const struct profile_node *node);

/* Reads a mapping by its table; an empty value is an empty mapping. */
struct error *profile_read_map(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, const struct profile_key_table *table, void *target);

/* Errors unless a value is a mapping, or a list of at most PROFILE_LIST_MAX items, or empty; `expected` for the message. */
struct error *profile_expect_map(const struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, const char *expected);
struct error *profile_expect_list(const struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, const char *expected);

struct profile_limits {
	uint64_t least, most;
	const char *unit; /* for the message, "bytes"; NULL: none */
};

/* An integer without quotes, decimal or 0x. */
struct error *profile_read_uint(const struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, struct profile_limits limits, uint64_t *ret);

/* Bytes, 1 to PROFILE_SIZE_MAX, into a uint64_t. */
struct error *profile_read_size(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target);

struct profile_range {
	double least, most;
	bool open; /* `least` itself is outside */
};

/* A number without quotes, as in JSON (and .5, 1.). */
struct error *profile_read_real(const struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, struct profile_range range, double *ret);

/* The value of plain text, where it is a number as above; false otherwise. */
bool profile_node_real(const struct profile_node *value, double *ret);

/* true or false, into a bool. */
struct error *profile_read_bool(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target);

/* One of `names`: its index. */
struct error *profile_read_choice(const struct profile_reader *reader,
	const struct profile_node *key, const struct profile_node *value, const char *const *names,
	size_t count, size_t *ret);

/*
 * Text that is not empty, into a const char *; runs of blanks and newlines become one blank, so that a message stays one
 * line.
 */
struct error *profile_read_text(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target);

/* The path of a field, into a const char *: "member", "member.member", "array[]". */
struct error *profile_read_path(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, void *target);

/* A list of such paths, at least `least` of them, each once unless `repeats`. An empty value is an empty list. */
struct profile_paths_rule {
	size_t least;
	bool repeats;
};
struct error *profile_read_paths(struct profile_reader *reader, const struct profile_node *key,
	const struct profile_node *value, struct profile_paths_rule rule,
	struct profile_names *ret);

/* Two paths that name one field: "[]" does not count. */
bool profile_same_path(const char *a, const char *b);

/* Orders paths so that those of one field are neighbours; for qsort over const char *. */
int profile_compare_paths(const char *a, const char *b);

/* The role that a key or an item names; an error offers the nearest. */
struct error *profile_read_role(
	const struct profile_reader *reader, const struct profile_node *name, uint32_t *ret);

#endif

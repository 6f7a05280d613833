/*
 * profile/yaml: text -> a small tree of nodes that know where they stand.
 *
 * YAML 1.1 as libyaml 0.2 reads it, less what a profile has no use for: one document, no tags, no merge keys, keys are
 * text, UTF-8 only. Anchors and aliases work; a node that is aliased is shared, not copied, and counts again each time.
 * Keys of a mapping are distinct. Knows nothing of profiles: what the nodes mean is profile/node's and profile's work.
 * The only user of libyaml.
 */
#ifndef PROFILE_YAML_H
#define PROFILE_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "profile.h"

enum {
	PROFILE_BYTES_MAX = 16 << 20, /* of a file */
	PROFILE_DEPTH_MAX = 32,       /* of nested lists and mappings; the format itself needs 7 */
	PROFILE_NODES_MAX = 1 << 21,  /* with every alias written out */
};

enum profile_node_kind { NODE_TEXT, NODE_LIST, NODE_MAP };

struct profile_node {
	enum profile_node_kind kind;
	struct profile_position
		position; /* where it starts; of an aliased node: where the anchor is */
	const char *text; /* NODE_TEXT; NULL otherwise */
	bool plain;       /* NODE_TEXT: without quotes, so it may be a number or nothing */
	const struct profile_node *const *keys;  /* NODE_MAP: NODE_TEXT each */
	const struct profile_node *const *items; /* NODE_LIST: items; NODE_MAP: values */
	size_t count;
	size_t weight; /* nodes in here, itself included, aliases written out */
	bool complete; /* its end was read: false while an alias in it could name it */
};

/*
 * Reads the one document of `text`; everything lives in `arena`. NULL through ret when there is no document or an empty
 * one. Errors: "NAME:LINE:COL: ..." for bad YAML, bad UTF-8, and what is listed at the top.
 */
struct error *profile_yaml_read(struct arena *arena, const char *name, const char *text,
	size_t length, const struct profile_node **ret);

/* "NAME:LINE:COL: ..." */
struct error *profile_fault(const char *name, struct profile_position position, const char *format,
	...) __attribute__((format(printf, 3, 4)));

#endif

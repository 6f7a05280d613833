/*
 * session/unite: the indexes of several files as one. Private to cmd/session/.
 *
 * indexes, file by file -> [unite] -> one index. Definitions of one name, kind and scope that are one layout become the first
 * of them, which counts the others; hashes compare only between files that are alike, see session_same_entry(). All is kept
 * in the arena of `texts`.
 */
#ifndef CMD_SESSION_UNITE_H
#define CMD_SESSION_UNITE_H

#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "read/index.h"

/* So far; nothing but `texts` is set at first. */
struct unite {
	struct intern *texts;   /* not owned */
	struct index_def *defs; /* of all files; after unite_finish() by unite_compare(), then by file */
	size_t def_count, def_capacity;
	struct index_alias *aliases;
	size_t alias_count, alias_capacity;
	const char **names, **declared;
	size_t name_count, name_capacity, declared_count, declared_capacity;
};

/* `alike`: the first file whose hashes say something of this one's. The index may go then. */
void unite_add(struct unite *unite, const struct index *index, uint32_t file, uint32_t alike);

/* Sets what is united in *ret, and nothing else: has_names is for the caller to say. */
void unite_finish(struct unite *unite, struct index *ret);

/* As strcmp(): by name, kind and scope. */
int unite_compare(const struct index_def *a, const struct index_def *b);

#endif

/*
 * session/keep: what was read of a file, made to outlive it. Private to cmd/session/.
 *
 * Texts in an index and in types may lie in the mapping of their file: they are copied into the arena of `texts`, each once.
 */
#ifndef CMD_SESSION_KEEP_H
#define CMD_SESSION_KEEP_H

#include "base/intern.h"
#include "read/index.h"
#include "read/info.h"

/* NULL stays NULL. */
const char *keep_text(struct intern *texts, const char *text);

struct index_def keep_def(struct intern *texts, const struct index_def *def);
struct index_alias keep_alias(struct intern *texts, const struct index_alias *alias);

/* In place: the types of these become copies, those that they share one. Their tables must live in the arena already. */
void keep_types(struct intern *texts, struct info_type *types, size_t count);

#endif

/*
 * profile/contradict: wishes of one entry that contradict each other in any layout. What a binary would have to say is not asked
 * here (order/contradict).
 */
#ifndef PROFILE_CONTRADICT_H
#define PROFILE_CONTRADICT_H

#include "base/arena.h"
#include "base/error.h"
#include "profile.h"

/* `path` is for messages; `arena` for what is thrown away. Error: two of them, with their positions. */
struct error *profile_contradict(struct arena *arena, const char *path, const struct profile_struct *entry);

#endif

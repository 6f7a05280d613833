/*
 * profile/merge: several profiles as one.
 *
 * struct profile[] -> [profile_merge] -> struct profile. Of a struct that several have the last entry holds, whole; every
 * entry goes on meaning what it meant in its own document: its roles, how they meet, its evidence.
 */
#ifndef PROFILE_MERGE_H
#define PROFILE_MERGE_H

#include "base/arena.h"
#include "base/error.h"
#include "profile.h"

/*
 * Documents with the same roles (name, rate, interleave) and workloads share them; where they differ in threads the entries
 * say theirs (`threads`). Else each keeps its own, and a name that is taken becomes NAME-2. Counts of every role become
 * counts of the roles of their document where others have joined. Entries stand where the first of their name stood. The
 * result points into the documents, which must live as long. Errors: documents that state different line sizes or line
 * prices; a field with counts of every role beside conditional ones of one role; more roles than a profile may have.
 */
struct error *profile_merge(struct arena *arena, const struct profile *const *documents,
	size_t count, struct profile *ret);

#endif

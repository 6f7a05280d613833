/*
 * profile/write: a profile as text, in the format that profile_parse() reads.
 *
 * struct profile -> [profile_write] -> YAML, linelint-profile(5). What is read again means the same: every record, in its
 * order, and no more keys than needed. Positions are not kept, nor are the words and short forms of whoever wrote it.
 */
#ifndef PROFILE_WRITE_H
#define PROFILE_WRITE_H

#include "base/buf.h"
#include "profile.h"

/* Remarks (profile.remarks, profile_struct.remarks) become comments, a line each. */
void profile_write(const struct profile *profile, struct buf *out);

/* A name or path as YAML takes it, in double quotes where it must be. */
void profile_write_key(struct buf *out, const char *text);

#endif

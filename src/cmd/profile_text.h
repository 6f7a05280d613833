/*
 * profile_text: a profile that was made, onto standard output, once it is sure that it can be read.
 */
#ifndef CMD_PROFILE_TEXT_H
#define CMD_PROFILE_TEXT_H

#include <stdio.h>

#include "base/arena.h"
#include "base/error.h"
#include "profile.h"

/* Errors: what the reader of profiles would say to it. */
struct error *profile_text_write(struct arena *arena, const struct profile *profile, FILE *out);

#endif

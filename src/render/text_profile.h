/*
 * text_profile: what a profile says about a binary, as text for people: the picture of 'linelint profile show'.
 *
 * profile + reports -> [text_profile] -> bytes, piece by piece: the document, then its structs in its order, then its
 * variables. Decides nothing; what comes from the profile is written with control characters made visible.
 */
#ifndef RENDER_TEXT_PROFILE_H
#define RENDER_TEXT_PROFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "profile.h"
#include "report.h"
#include "vars.h"

struct text_profile {
	FILE *out;
	const struct profile *profile;
	const char *binary; /* path, as the user gave it */
	bool verbose;       /* reasons too */
};

/* Roles, workloads, and what holds for all structs. */
void text_profile_document(const struct text_profile *view);

/* A struct that the binary has, with its accesses joined. */
void text_profile_struct(const struct text_profile *view, const struct report_struct *report);

/* A struct that it lacks; `nearest` is "; did you mean 'x'?" or "". */
void text_profile_lacking(
	const struct text_profile *view, const struct profile_struct *entry, const char *nearest);

/* Variables, where the profile names some, with what they were found to mean; NULL: nobody looked. */
void text_profile_vars(const struct text_profile *view, const struct report_vars *vars);

#endif

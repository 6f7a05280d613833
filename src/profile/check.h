/*
 * profile/check: what one entry of a profile says of accesses and objects, held against itself. Its constraints and expectations:
 * profile/contradict. What a binary would have to say is not asked here.
 */
#ifndef PROFILE_CHECK_H
#define PROFILE_CHECK_H

#include "base/error.h"
#include "profile.h"

/*
 * A sequence that does not agree with the counts; a lock that protects itself; conditions that never hold; more accesses than
 * PROFILE_STEPS_MAX in an operation, or than PROFILE_ALL_STEPS_MAX in one of each role in each workload, which is what
 * each price of a layout walks. `path` is for messages.
 */
enum { PROFILE_STEPS_MAX = 100000, PROFILE_ALL_STEPS_MAX = 200000 };
struct error *profile_check(const char *path, const struct profile_struct *entry);

/*
 * How many accesses a role makes to a field in one operation: each kind's count as whole accesses and one fractional
 * one. This is how often a sequence mentions it.
 */
size_t profile_steps(const struct profile_field *field, uint32_t role);

#endif

/*
 * layout/extent: is there an end to what lies in an aggregate? Private to layout.c.
 *
 * types -> [extent]. Asked before anything else is about a type: what contains itself, or doubles at each level, would be
 * walked again and again for each of its members.
 */
#ifndef LAYOUT_EXTENT_H
#define LAYOUT_EXTENT_H

#include "base/error.h"
#include "type.h"

/* Errors: extent_too_deep(), extent_too_many(). Virtual bases do not count: there is one of each, however many ways lead to it. */
struct error *extent_check(const struct types *types, type_id aggregate);

/* LAYOUT_DEPTH_MAX and LAYOUT_MEMBERS_MAX are exceeded; without the name of the struct. */
struct error *extent_too_deep(void);
struct error *extent_too_many(void);

#endif

/*
 * tag: what tags and languages of DWARF mean to a reader of types. Private to dwarf.
 *
 * DWARF 5 section 7.5.3 (tags) and 7.12 (languages).
 */
#ifndef READ_DWARF_TAG_H
#define READ_DWARF_TAG_H

#include <stdbool.h>
#include <stdint.h>

#include "type.h"

/* A struct, union, class or interface? */
bool tag_is_aggregate(uint16_t tag);

/* The kind of type that an entry of this tag is; TYPE_UNSPECIFIED for tags that are none we know. */
enum type_kind tag_kind(uint16_t tag);

/* Names at file scope are all there is to know in this language (C and its kin): types need no search for a scope. */
bool tag_is_c(uint16_t language);

#endif

/*
 * type/alike: one spelling of a name, whoever compiled. Private to type.h's declarations.
 *
 * DW_AT_name of base types is what each compiler likes, and so are the names of templates: gcc has
 * "long unsigned int", "complex float" and "Tab<short int, void(long int)>" where clang has
 * "unsigned long", "complex" and "Tab<short, void (long)>"; and "pair<int const, char const*>" is "pair<const int, const char *>".
 */
#ifndef TYPE_ALIKE_H
#define TYPE_ALIKE_H

#include "base/buf.h"

/*
 * Appends the name with base types as C shortens them (C11 6.7.2), and with blanks only where words
 * need them; const and volatile stand before the type that they are of.
 */
void alike_put(const char *name, struct buf *out);

#endif

/*
 * suggest/shift: why an order helps whose moved members are not those that had to part. Private to suggest.c and suggest/.
 */
#ifndef SUGGEST_SHIFT_H
#define SUGGEST_SHIFT_H

#include "base/arena.h"
#include "suggest.h"

/*
 * Which members it pushes to another line, and away from which: a sentence, of pairs and collateral, which are filled in.
 * NULL: no member that nobody moved leaves one that it cost something to be beside.
 */
const char *shift_text(struct arena *arena, const struct layout *layout, const struct suggestion *suggestion);

#endif

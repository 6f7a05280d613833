/*
 * explain: what a rule finds, why, and what to do, as text.
 *
 * rule -> [explain] -> text. The short form of linelint-rules(7), a page a rule: what, why, an
 * example, how to fix it, when to ignore it. Offsets in the examples are those of the kernels and
 * threads that they name. Lines of at most 80 columns.
 */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include <stddef.h>

#include "base/buf.h"
#include "lint.h"

/* All rules, a line each: id, name, the most severe that it can be, summary. */
void explain_table(struct buf *out);

/* The page of one rule. */
void explain_page(const struct lint_rule_info *rule, struct buf *out);

/*
 * "; did you mean 'false-sharing'?" over the ids and names of rules, "" when nothing is near.
 * Returns text.
 */
char *explain_nearest(const char *wanted, char *text, size_t size);

#endif

/*
 * scoped: in which namespace, class or function an entry lies.
 *
 * Private to dwarf. Entries do not know their parents; this finds them from the top of the unit, one level
 * at a time, and remembers each level that it has seen. Units in C need none of it.
 */
#ifndef READ_SCOPED_H
#define READ_SCOPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/intern.h"
#include "read/dwarf/opened.h"

/*
 * "ns::Outer", "ns::function()"; NULL at file scope. The text is in the arena of `strings`. `off` is of an entry in the
 * unit. Errors, here and below: damaged entries, with the offset.
 */
struct error *scoped_text(struct opened *units, struct opened_unit *unit, uint64_t off,
	struct intern *strings, const char **ret);

/*
 * The definition in this unit of the aggregate that is only declared at `off`: the one that specifies it,
 * or the one with the same tag, name and scope. *ret is 0 when there is none.
 */
struct error *scoped_find_definition(struct opened *units, struct opened_unit *unit, uint64_t off,
	struct intern *strings, uint64_t *ret);

/*
 * Is it an instance of a template under the bare name of that, as clang's -gsimple-template-names has them? Equal names do
 * not mean the same type then.
 */
struct error *scoped_is_bare_template(
	struct opened *units, struct opened_unit *unit, const struct entry *entry, bool *ret);

/* Releases what was remembered. */
void scoped_free(struct scoped *root);

#endif

/*
 * alias: the aggregate with a name of its own that a typedef leads to.
 *
 * die, scan -> [alias] -> worker. Through typedefs and qualifiers (DWARF 5 sections 5.2 and 5.3), to an aggregate with a
 * tag, or to an unnamed one that an inner typedef names: spinlock_t -> struct spinlock. Declarations count: where the
 * definition is, another unit may know.
 */
#ifndef READ_ALIAS_H
#define READ_ALIAS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "read/index/die.h"
#include "type.h"

struct alias_target {
	const char *name;  /* tag, or the inner typedef's; in the mapping */
	const char *scope; /* one copy of each in `texts`; NULL at file scope */
	enum type_kind
		kind; /* TYPE_VOID: the typedef leads to nothing of the kind, or directly names an aggregate */
};

/* Follows the typedef at `off`. False after damage. */
bool alias_follow(struct dies *dies, struct intern *texts, uint64_t off, struct alias_target *ret);

#endif

#include "read/index/alias.h"

#include "read/dw.h"
#include "read/index/scan.h"

enum { HOP_LIMIT = 32 }; /* typedefs and qualifiers on the way */

/* The name and scope of the DIE at `off`, or of the one that it completes; a name is "" when there is none. */
static bool read_target(struct dies *dies, struct intern *texts, uint64_t off, enum type_kind kind,
	struct alias_target *ret)
{
	struct die named;
	bool is_local;
	if (!scan_read_named(dies, off, &named))
		return false;
	if (!die_has(&named, SLOT_NAME))
		return !dies->error;
	const char *name = die_kept_string(dies, named.view, &named.values[SLOT_NAME]);
	const char *scope = scan_scope_text(dies, texts, named.off, &is_local);
	if (!dies->error && *name)
		*ret = (struct alias_target){.name = name, .scope = scope, .kind = kind};
	return !dies->error;
}

bool alias_follow(struct dies *dies, struct intern *texts, uint64_t off, struct alias_target *ret)
{
	uint64_t first = off, inner = off; /* the last typedef on the way */
	*ret = (struct alias_target){.kind = TYPE_VOID};
	for (int hops = 0; hops < HOP_LIMIT; hops++) {
		struct die die;
		if (!die_read_at(dies, off, &die))
			return false;
		enum type_kind kind = scan_kind(die.abbrev->tag);
		if (kind != TYPE_VOID) {
			bool named = die_has(&die, SLOT_NAME) || die_has(&die, SLOT_SPECIFICATION);
			if (!named && inner == first)
				return true;
			return read_target(dies, texts, named ? off : inner, kind, ret);
		}
		if (die.abbrev->tag == DW_TAG_typedef)
			inner = off;
		else if (!scan_is_qualifier(die.abbrev->tag))
			return true;
		if (!die_refers(dies, &die, SLOT_TYPE, &off))
			return true;
	}
	return true;
}

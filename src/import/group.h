/*
 * group: the kernel's cacheline group markers as a profile.
 *
 * layout -> [group] -> access. Pure. Networking structs of Linux 6.8 and later bracket members with
 * zero-size ones, __cacheline_group_begin__NAME and __cacheline_group_end__NAME (include/linux/cache.h),
 * where NAME ends in {read,write}_{tx,rx,txrx,rxtx} or names a kind alone. What is in a read group is read
 * once an operation, what is in a write group read and written once (the kernel's tables call it
 * read_write); tx and rx are roles of one thread each that meet; txrx, rxtx and no direction are both.
 * Nothing else is known: evidence is `group`.
 */
#ifndef IMPORT_GROUP_H
#define IMPORT_GROUP_H

#include "base/arena.h"
#include "layout.h"
#include "profile.h"

/*
 * The profile that the markers of `layout` are, with a document of its own, in `arena`; it points into the
 * layout. NULL when there are no markers, or none that names a kind of access. Members of unnamed aggregates
 * count one by one, of unnamed unions the first; groups inside nested structs count, those inside arrays do
 * not.
 */
const struct profile_struct *group_profile(struct arena *arena, const struct layout *layout);

#endif

/*
 * record/track: the marks in the program's source, linelint-record.h.
 */
#define LINELINT_RECORD
#include "record/linelint-record.h"

#include "record/access.h"
#include "record/class.h"
#include "record/module.h"
#include "record/object.h"
#include "record/start.h"

#define EXPORT __attribute__((visibility("default")))

/* The class of a tag; a tag of another module has no address in this one's debug information. */
static int find_class(const void *tag, size_t type_bytes)
{
	sigset_t mask;
	llrec_lock(&mask);
	int found = llrec_module_has((uintptr_t)tag)
			    ? llrec_class_find_locked(tag, NULL, type_bytes)
			    : -1;
	llrec_lost[LLREC_LOST_CLASSES] += found < 0;
	llrec_unlock(&mask);
	return found;
}

EXPORT void linelint_record_track(
	const volatile void *object, size_t bytes, size_t type_bytes, const void *tag)
{
	if (!object || !llrec_start())
		return;
	int found = find_class(tag, type_bytes);
	if (found >= 0)
		llrec_object_track((uintptr_t)object, bytes, (unsigned)found, type_bytes);
}

EXPORT void linelint_record_untrack(const volatile void *object, size_t type_bytes)
{
	if (object && llrec_start())
		llrec_object_untrack((uintptr_t)object, type_bytes);
}

EXPORT void linelint_record_role(const char *name)
{
	if (!llrec_start() || !name || !*name)
		return;
	int role = llrec_role_find(name);
	if (role >= 0) {
		llrec_mark(LLREC_MARK_ROLE, (unsigned)role);
		return;
	}
	sigset_t mask;
	llrec_lock(&mask);
	llrec_lost[LLREC_LOST_ROLES]++;
	llrec_unlock(&mask);
}

EXPORT void linelint_record_operation(void)
{
	llrec_mark(LLREC_MARK_OPERATION, 0);
}

EXPORT void linelint_record_operation_end(void)
{
	llrec_mark(LLREC_MARK_OPERATION_END, 0);
}

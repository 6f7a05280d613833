/*
 * record/access: one access of the program's -> counters, sequence and trace of its thread.
 */
#ifndef RECORD_ACCESS_H
#define RECORD_ACCESS_H

#include <stddef.h>
#include <stdint.h>

#include "record/key.h"
#include "record/module.h"
#include "record/object.h"
#include "record/thread.h"

/* An access that begins in an object, or in a variable of the program's that is none yet: 0. */
void llrec_access_found(
	uint32_t object, uintptr_t address, size_t size_bytes, enum llrec_kind kind);

/* Any number of bytes; of several objects, and of none. */
void llrec_access_range(uintptr_t address, size_t size_bytes, enum llrec_kind kind);

/* LLREC_MARK_ROLE, _OPERATION or _OPERATION_END; `role` for the first. */
void llrec_mark(enum llrec_mark mark, unsigned role);

/* 1 to 16 bytes. Most accesses concern nothing that is recorded: those end here, in a few instructions. */
static inline void llrec_access(
	const volatile void *pointer, size_t size_bytes, enum llrec_kind kind)
{
	uintptr_t address = (uintptr_t)pointer;
	uint32_t object = llrec_object_at(address);
	if (LLREC_UNLIKELY(object || llrec_module_has_data(address)))
		llrec_access_found(object, address, size_bytes, kind);
}

#endif

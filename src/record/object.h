/*
 * record/object: which object lies at an address. Looked up by every access without a lock; changed under the lock.
 *
 * A map from addresses to objects in two steps: 64 MiB of addresses have a chunk, whose slots say for each 4 bytes which
 * object lies there (the innermost, where one is tracked inside of another), or which crowd, where it is not the same one
 * for all four. Everything is mapped and touched only where there are objects. Objects never lie across each other's ends:
 * one that would ends the other.
 */
#ifndef RECORD_OBJECT_H
#define RECORD_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/class.h"
#include "record/os.h"

enum {
	LLREC_ADDRESS_BITS = sizeof(uintptr_t) == 8 ? 48 : 32,
	LLREC_CHUNK_BITS = 26,
	LLREC_SLOT_BITS = 2,
	LLREC_PAGE_BITS = 12,
};

#define LLREC_CROWDED UINT32_C(0x80000000) /* + number of a crowd, in a slot */

struct llrec_object {
	uintptr_t begin, end;
	uintptr_t base;      /* what offsets are counted from: begin, or that of all variables */
	uint64_t stamp;      /* of this life of this record, above LLREC_ROLES; 0: free */
	uint32_t parent;     /* the object that this one lies in; 0: none */
	uint32_t type_bytes; /* sizeof its type */
	uint16_t class_index;
	uint32_t trace_number; /* 1 + its number in its class's trace; 0: none yet */
	struct llrec_users users;
} __attribute__((aligned(64)));

/* Objects that begin or end within 4 bytes: who has each. */
struct llrec_crowd {
	uint32_t objects[1 << LLREC_SLOT_BITS];
};

struct llrec_chunk {
	uint32_t slots[1 << (LLREC_CHUNK_BITS - LLREC_SLOT_BITS)];
	uint32_t pages[1 << (LLREC_CHUNK_BITS - LLREC_PAGE_BITS)]; /* objects that lie in each */
};

extern struct llrec_chunk *llrec_chunks[(uintptr_t)1 << (LLREC_ADDRESS_BITS - LLREC_CHUNK_BITS)];
extern struct llrec_object *llrec_objects; /* [0] is none */
extern struct llrec_crowd *llrec_crowds;   /* [0] is none */

/* At the start; false: no memory. */
bool llrec_objects_init(size_t limit);

/* The rest takes and gives back the lock itself where it is not named _locked. */

/* False: it was not tracked, and counted as lost. */
bool llrec_object_track(uintptr_t begin, uint64_t bytes, unsigned class_index, uint64_t type_bytes);

/* The object of a variable of the program's that nobody tracks: 8 bytes. 0: no place. */
uint32_t llrec_object_global(uintptr_t address);

/* Ends the object that begins there, of that size of type when there are several. */
void llrec_object_untrack(uintptr_t begin, uint64_t type_bytes);

/* Ends all that lies in these bytes, or across their ends. Cheap where there are none. */
void llrec_object_clear(uintptr_t begin, uint64_t bytes);

/* Whether an object lies in these bytes. */
bool llrec_object_any(uintptr_t begin, uint64_t bytes);

/* Counts the users of all objects that still live for their classes. */
void llrec_objects_fold_locked(void);

/* After a fork: nobody has used any of them. */
void llrec_objects_forget_locked(void);

/* Calls `visit` for every object of a class within the addresses, in their order. */
void llrec_objects_visit_locked(uintptr_t begin, uintptr_t end, unsigned class_index,
	void (*visit)(const struct llrec_object *));

/* The innermost object at an address; 0: none. */
static inline uint32_t llrec_object_at(uintptr_t address)
{
	if (LLREC_UNLIKELY(address >> (LLREC_ADDRESS_BITS - 1) > 1))
		return 0;
	const struct llrec_chunk *chunk =
		__atomic_load_n(&llrec_chunks[address >> LLREC_CHUNK_BITS], __ATOMIC_ACQUIRE);
	if (!chunk)
		return 0;
	uintptr_t slot = (address & (((uintptr_t)1 << LLREC_CHUNK_BITS) - 1)) >> LLREC_SLOT_BITS;
	uint32_t object = __atomic_load_n(&chunk->slots[slot], __ATOMIC_ACQUIRE);
	if (LLREC_UNLIKELY(object & LLREC_CROWDED))
		object = __atomic_load_n(&llrec_crowds[object & ~LLREC_CROWDED]
						  .objects[address & ((1 << LLREC_SLOT_BITS) - 1)],
			__ATOMIC_ACQUIRE);
	/* It may have ended since. */
	uintptr_t begin = llrec_objects ? llrec_objects[object].begin : 0;
	return object && address - begin < llrec_objects[object].end - begin ? object : 0;
}

#endif

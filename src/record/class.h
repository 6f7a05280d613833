/*
 * record/class: the kinds of objects, one for each tag or named allocation; the roles of threads; and who has used an
 * object. All names and numbers that the record file has.
 */
#ifndef RECORD_CLASS_H
#define RECORD_CLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/key.h"

enum {
	LLREC_ACTORS = 1 << 12,               /* pairs of a thread and a role; 0 is nobody */
	LLREC_ROLE_NAME_MAX = 64,             /* bytes, with the 0 at its end */
	LLREC_ROLE_UNKNOWN = LLREC_ROLES - 1, /* of a thread that has not done anything yet */
};

/* Of one object. Threads write here only when they use it for the first time in a role. */
struct llrec_users {
	uint32_t first;   /* actor; 0: nobody yet */
	uint32_t several; /* set of actors, of more than one; 0: none */
};

struct llrec_class {
	const void *tag;  /* NULL: a named allocation, or globals */
	const char *name; /* NULL: a tag */
	uint64_t type_bytes;
	uint64_t objects, shared;
	uint32_t threads_max;
	uint32_t role_threads_max[LLREC_ROLES];
};

struct llrec_role {
	char name[LLREC_ROLE_NAME_MAX];
	uint64_t threads;
};

extern struct llrec_class llrec_classes[LLREC_CLASSES];
extern unsigned llrec_class_count; /* without LLREC_GLOBALS */
extern struct llrec_role llrec_roles[LLREC_ROLES];
extern unsigned llrec_role_count;
extern uint64_t llrec_lost[]; /* by enum llrec_lost: what no thread counts; under the lock */

bool llrec_classes_init(void);

/* Under the lock. -1: no place. `tag` or `name`; the name stays the caller's. */
int llrec_class_find_locked(const void *tag, const char *name, uint64_t type_bytes);

/* -1: no place. */
int llrec_role_find(const char *name);

/* A new actor, of a thread whose last one is `previous` (0: none); 0: no place. */
uint32_t llrec_actor_new_locked(uint32_t previous, unsigned role);

/* Notes that an actor uses an object; false: there was no place to note it. Takes the lock the second time only. */
bool llrec_users_add(struct llrec_users *users, uint32_t actor);

/* Counts for the class, and forgets. */
void llrec_users_fold_locked(struct llrec_users *users, unsigned class_index);
void llrec_users_forget_locked(struct llrec_users *users);

/* After a fork: classes and roles stay, what was counted goes, and so do all actors. */
void llrec_classes_forget_locked(void);

#endif

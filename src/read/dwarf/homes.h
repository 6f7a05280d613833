/*
 * homes: where a class is defined that the unit in hand only declares.
 *
 * object, index -> [homes] -> reader. clang describes a class with a constructor in the units that have its constructor,
 * one with virtual functions where its vtable is, and declares it everywhere else, even where it is a member or a base.
 * C++ has one definition under one name (ISO C++ [basic.def.odr]), so that this one is it. The whole file is indexed for
 * that, once, and only when a unit needs it.
 */
#ifndef READ_DWARF_HOMES_H
#define READ_DWARF_HOMES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "read/index.h"
#include "read/object.h"
#include "type.h"

/* Shared by the workers. */
struct homes {
	pthread_mutex_t lock;
	bool ready;
	struct arena arena;
	struct index index; /* of everything; empty when the file cannot be indexed; in the arena */
};

/* While there is one thread. */
void homes_init(struct homes *homes);
void homes_release(struct homes *homes);

/*
 * `worker` asks, whose step of the trail ends meanwhile. NULL: there is none, or several that differ, or no other unit can
 * mean this name (it is local to a function or in an unnamed namespace). Good until homes_release().
 */
const struct index_def *homes_find(struct homes *homes, const struct object *object, size_t worker,
	enum type_kind kind, const char *scope, const char *name);

#endif

/*
 * info: the debug information of a binary, DWARF or BTF: which it is, and both behind the same questions.
 *
 * object -> [info] -> index, types. What is asked of either is in read/index.h; DWARF says more, and wins where both are there.
 */
#ifndef READ_INFO_H
#define READ_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "read/index.h"
#include "read/object.h"
#include "type.h"

enum info_form { INFO_ANY, INFO_DWARF, INFO_BTF };

struct btf_file;

struct info {
	const struct object *object; /* not owned */
	enum info_form form;         /* what is read: never INFO_ANY */
	struct type_machine types;   /* the object's, or what raw BTF tells of it */
	struct btf_file *btf;        /* INFO_BTF only; owned */
};

/*
 * The file that split BTF builds on, for all files of a run: opened when the first one needs it, and then kept, for there may be
 * a thousand modules of one kernel.
 */
struct info_base {
	const char *path;    /* NULL: what a module has along, else /sys/kernel/btf/vmlinux */
	struct arena *arena; /* not owned */
	struct object object;
	bool is_open;
};

void info_base_close(struct info_base *base);

/* A definition that was read. */
struct info_type {
	const struct types *types; /* in the arena */
	type_id id;                /* the aggregate */
	const char *unit;          /* of its compilation unit, "" when there is none, as of BTF */
	const char *comp_dir;      /* where that was compiled, "" likewise */
	bool is_cxx;
	uint32_t file;             /* set by whoever reads of several binaries: which one; else 0 */
	const char *damage;        /* NULL, or why it could not be read, as an error says it: nothing else is known then, unless it was read in
	                            * another binary, where it is the same; in the arena */
};

/*
 * `form` is what is wanted; INFO_ANY: what is there. `base` is of the run. Errors: not that form there (see object_require_dwarf), btf_file_open, object_open of
 * the base. The object must stay open as long.
 */
struct error *info_open(struct arena *arena, const struct object *object, enum info_form form,
	struct info_base *base, struct info *ret);
void info_close(struct info *info);

/* As index_build(). */
struct error *info_index(struct arena *arena, const struct info *info, const struct index_query *query,
	struct index *ret);

/* As dwarf_read(). */
struct error *info_read(struct arena *arena, const struct info *info, const struct index_def *const *defs,
	size_t count, unsigned jobs, struct info_type *ret);

/* "dwarf" or "btf" */
const char *info_form_name(enum info_form form);

#endif

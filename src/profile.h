/*
 * profile: who accesses which field how often, and what is expected of a layout.
 *
 * YAML -> [profile] -> access. The only user of libyaml. The format is linelint-profile(5). Every record keeps the place
 * it came from, so that a later complaint can name file, line and column. Names of structs and fields are not resolved
 * here: that is access's work.
 */
#ifndef PROFILE_H
#define PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/* Strongest first. */
enum evidence { EVIDENCE_MEASURED, EVIDENCE_STATED, EVIDENCE_SHIPPED, EVIDENCE_GROUP };
const char *evidence_name(enum evidence evidence); /* "measured", "stated", "shipped", "group" */

enum access_kind { ACCESS_READ, ACCESS_WRITE, ACCESS_RMW, ACCESS_UNKNOWN, ACCESS_KIND_COUNT };
const char *access_kind_name(enum access_kind kind); /* "read", "write", "rmw", "access" */

struct profile_position {
	uint32_t line; /* from 1; 0: not from a file */
	uint32_t col;  /* from 1 */
};

struct profile_role {
	const char *name;
	unsigned threads;   /* at least 1; default 16 */
	double rate;        /* operations a second of each thread, relative; over 0; default 1 */
	double interleave;  /* per role; negative: the document's */
	const char *why;    /* what the role is, or why it is so many; NULL when not said */
	struct profile_position position;
};

struct profile_workload {
	const char *name;
	const uint32_t *roles; /* indices into the document's roles */
	size_t role_count;
	struct profile_position position;
};

/* Accesses of one role to one field. */
struct profile_access {
	uint32_t role;                   /* index into the document's roles; PROFILE_ALL_ROLES: each role */
	double counts[ACCESS_KIND_COUNT]; /* per operation, at least 0 */
	const char *if_field;            /* this role's accesses only where that field exists (as profile_field's); NULL: always */
	const char *unless_field;
	const char *why;                 /* reason; NULL when none */
	struct profile_position position;
};
#define PROFILE_ALL_ROLES UINT32_MAX

enum profile_index {
	PROFILE_INDEX_SPREAD,  /* any element, all alike (default for arrays) */
	PROFILE_INDEX_THREAD,  /* each thread its own */
	PROFILE_INDEX_ELEMENT, /* the one that `element` says */
};

struct profile_field {
	const char *path;        /* as written, "fd_array[]" */
	bool optional;           /* absent in some versions: no LL010 */
	const char *if_field;    /* only where this field (of the struct, or STRUCT.field) exists; NULL: always */
	const char *unless_field;
	uint64_t bytes;          /* only the first bytes are accessed; 0: all */
	enum profile_index index;
	bool index_stated;
	uint64_t element;
	const char *why;         /* reason, NULL when none */
	const struct profile_access *accesses;
	size_t access_count;
	struct profile_position position;
};

struct profile_lock {
	const char *path;             /* the lock's field */
	const char *const *protects;  /* field paths */
	size_t protect_count;
	double contended;             /* 0..1: share of acquisitions that wait; default 0 */
	const char *why;              /* NULL when none */
	struct profile_position position;
};

struct profile_names {
	const char *const *names;
	size_t count;
	struct profile_position position;
};

struct profile_constraints {
	struct profile_names first, last, pin;
	bool pin_all;
	const struct profile_names *keep_together;
	size_t keep_together_count;
	uint64_t max_size_bytes;  /* 0: none */
	struct profile_position max_size_position;
	bool padding_allowed;     /* default: forbidden */
	const char *why;          /* NULL when none */
	struct profile_position position;
};

enum profile_expect_kind { EXPECT_SAME_LINE, EXPECT_APART, EXPECT_LINE, EXPECT_MAX_SIZE, EXPECT_MAX_LINES };

struct profile_expect {
	enum profile_expect_kind kind;
	const char *const *fields; /* same_line, apart: two or more; line: one */
	size_t field_count;
	uint64_t value;            /* line: the line; max_size: bytes; max_lines: lines */
	const char *why;           /* NULL when none */
	struct profile_position position;
};

struct profile_ignore {
	const char *rule;          /* "LL004", valid */
	const char *const *fields; /* none: the whole struct */
	size_t field_count;
	const char *reason;        /* never empty */
	struct profile_position position;
};

struct profile_sequence {
	uint32_t role;
	const char *const *fields; /* in order; each mention is one access of that field */
	size_t field_count;
	struct profile_position position;
};

struct profile_threads {
	uint32_t role;
	unsigned threads;
};

enum profile_instance { INSTANCE_SHARED, INSTANCE_PER_THREAD, INSTANCE_ARRAY };
enum profile_allocator { ALLOCATOR_UNSTATED, ALLOCATOR_KMALLOC, ALLOCATOR_SLAB, ALLOCATOR_NONE };

struct profile_struct {
	const struct profile *document; /* whose roles, interleave ... hold */
	const char *name;               /* with scope, without "struct" */
	const char *source;             /* where this comes from; NULL when not said */
	enum evidence evidence;
	enum profile_instance instance;
	uint64_t alignment_bytes;       /* placement; 0: not stated */
	uint64_t stride_bytes;          /* 0: not stated */
	const char *container;          /* "ext4_inode_info.vfs_inode"; NULL when not stated */
	const char *placement_why;      /* NULL when none */
	enum profile_allocator allocator;
	const uint64_t *slab_classes;   /* bytes, ascending; the kernel's kmalloc classes when not stated */
	size_t slab_class_count;
	const struct profile_threads *threads;
	size_t thread_count;
	const struct profile_sequence *sequences;
	size_t sequence_count;
	const struct profile_field *fields; /* in profile order */
	size_t field_count;
	const struct profile_lock *locks;
	size_t lock_count;
	struct profile_constraints constraints;
	const struct profile_expect *expects;
	size_t expect_count;
	const struct profile_ignore *ignores;
	size_t ignore_count;
	struct profile_names shared;       /* of variables: per-CPU ones that other processors use as well */
	const char *remarks;               /* as profile.remarks */
	struct profile_position position;
};

enum { PROFILE_PAGE_BYTES = 4096 }; /* of memory: what slabs are made of, and kmalloc's larger sizes */

/* One document. */
struct profile {
	const char *path;          /* file name, "linux.yaml (shipped)" for the one compiled in */
	uint64_t line_bytes;       /* 0: not stated */
	double interleave;         /* default 0.02 */
	double line_price;         /* transactions an added line must save; default 0.25 */
	const struct profile_role *roles; /* at least one: `all` when none is stated */
	size_t role_count;
	const struct profile_workload *workloads; /* at least one: all roles when none is stated */
	size_t workload_count;
	const struct profile_struct *structs;
	size_t struct_count;
	const struct profile_struct *vars; /* `vars:`: one record, its fields are variables; NULL when none */
	const char *remarks;       /* comments of whoever made it, a line each, for profile_write(); NULL: none, as in what was read */
};

/* What holds where a document says nothing. */
#define PROFILE_INTERLEAVE 0.02
#define PROFILE_LINE_PRICE 0.25

/* The documents of a run; later ones win, struct by struct. */
struct profiles {
	const struct profile *const *items;
	size_t count;
};

/*
 * Reads a file, or text under a name. Evidence is what the caller says (a file of the user: stated) unless the document
 * says `evidence: measured` as importers write it. Errors: "FILE:LINE:COL: what; what was expected (did you mean 'x'?)"
 * for bad YAML, unknown or duplicate keys, wrong types and ranges, reserved role names, contradictions, roles in no
 * workload, an empty document. Depth, size (16 MiB), aliases and list lengths are bounded. profile_read takes the path
 * PROFILE_SHIPPED for the profile that is compiled in, with its own evidence.
 */
#define PROFILE_SHIPPED "linux"
struct error *profile_read(struct arena *arena, const char *path, enum evidence evidence, struct profile *ret);
struct error *profile_parse(struct arena *arena, const char *name, const char *text, size_t length,
	enum evidence evidence, struct profile *ret);

/* The smallest of kmalloc's classes that holds so many bytes; 0: they are more than each. */
uint64_t profile_slab_class(const struct profile_struct *profile, uint64_t bytes);

/* Does any of the counts say an access? */
bool profile_any_count(const double counts[ACCESS_KIND_COUNT]);

/* Well formed as the path of a field: what a profile may name. */
bool profile_is_path(const char *path);

/* Is it one word, and none of the keys of an access: what a role may be called? */
bool profile_is_role_name(const char *name);

/* The workload that holds where none is stated: all roles meet. */
const struct profile_workload *profile_all_roles(struct arena *arena, size_t role_count);

/* The entry for a struct: of the last document that has one; NULL when none. `qualified` may be NULL. */
const struct profile_struct *profiles_find(const struct profiles *profiles, const char *name, const char *qualified);

/* The profile of Linux kernels that is compiled in (layouts/linux.yaml). */
extern const char profile_linux_text[];
extern const size_t profile_linux_length;

#endif

/*
 * diff: what became of one struct from a binary to another.
 *
 * report x report -> [diff] -> render. Pure. Members are compared by name, those of unnamed aggregates as if they stood
 * in their places; findings by fingerprint; costs by role; pairs of fields that share a line by their names. One side may be missing.
 */
#ifndef DIFF_H
#define DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "report.h"
#include "suggest.h"

struct diff_member {
	const char *path;
	const struct layout_member *before; /* NULL: added */
	const struct layout_member *after;  /* NULL: removed */
	bool is_moved;     /* its place among the members that both have and its offset are others; of the fewest that
	                * explain it */
	bool is_retyped;   /* its declared type or its size is another one */
	bool is_elsewhere; /* neither of these, and on other lines: collateral */
};

struct diff_finding {
	const struct finding *before; /* NULL: new */
	const struct finding *after;  /* NULL: gone */
};

struct diff_role {
	const char *name;
	bool has_before, has_after;
	double before, after; /* transactions per operation */
};

struct diff {
	const struct report_struct *before; /* NULL: the struct is new */
	const struct report_struct *after;  /* NULL: the struct is gone */
	const char *name;                   /* qualified, with its keyword: "struct file" */
	const struct diff_member *members;  /* added, removed, moved, retyped or elsewhere; in the new order, removed last */
	size_t member_count;
	const struct diff_finding *findings; /* gone, new, or of another severity; those of `after` first */
	size_t finding_count;
	const struct diff_role *roles;      /* of both, those of `before` first */
	size_t role_count;
	/* Fields that share a line on one side only, as in a suggestion; none where a side has no cost. */
	const struct suggest_pair *gone;
	size_t gone_count;
	const struct suggest_pair *fresh;
	size_t fresh_count;
	uint64_t objects_before, objects_after; /* in 4096 bytes of a slab; 0: unknown */
	double cost_before, cost_after;     /* 0 without a profile */
	bool has_cost;                      /* both have one, so that they can be compared */
	bool is_changed;                    /* anything of this, or size and alignment */
	bool is_cost_worse;                 /* by more than one in a hundred */
	bool is_finding_worse;              /* one at or above the threshold is new or more severe */
	bool is_lost;                       /* gone, and somebody relied on it: asked for by name, or in a profile */
};

enum diff_demand {
	DIFF_BY_CHANCE, /* a glob found it */
	DIFF_BY_NAME,
};

/* Is it cost, findings, or that it is there no more? */
bool diff_is_worse(const struct diff *diff);

/*
 * Findings below `threshold` make nothing worse, with SEVERITY_NONE none does; those of a struct that is gone are not mended, and left out.
 */
void diff_run(struct arena *arena, const struct report_struct *before, const struct report_struct *after,
	enum severity threshold, enum diff_demand demand, struct diff *ret);

#endif

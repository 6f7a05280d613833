/*
 * suggest: orders of a struct's members that cost less, and all that a reviewer asks about them.
 *
 * lint + order -> [suggest] -> patch, report. Pure. A suggestion is an order that was laid out and linted again: what it
 * says of sizes, offsets, gone and new pairs is read off that second layout, never guessed. Deterministic.
 */
#ifndef SUGGEST_H
#define SUGGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access.h"
#include "base/arena.h"
#include "layout.h"
#include "lint.h"

enum suggest_kind { SUGGEST_MINIMAL, SUGGEST_BEST, SUGGEST_PACK, SUGGEST_KIND_COUNT };
const char *suggest_kind_name(enum suggest_kind kind); /* "minimal", "best", "pack" */

/* One unit (a top-level member; a run of bit-fields; an unnamed aggregate) goes elsewhere. */
struct suggest_move {
	const char *field;         /* the unit's first named member */
	const char *after;         /* first named member of the unit that it comes behind; NULL: to the front */
	size_t unit;               /* index into suggest_order.units of today's order */
	uint32_t align_bytes;      /* an alignment to be put on it; 0: none (padding: forbidden never has one) */
	bool stays;                /* where it stands: it is only aligned */
};

/* A named top-level member in the proposed order, group markers, empty members and each bit-field included. */
struct suggest_place {
	const char *field;
	const struct layout_member *member; /* of today's layout */
	uint64_t off_bits;
	uint64_t before_bits;
};

/* Two fields, the first of them written, that share a line in one of the two layouts only, or in other placements. */
struct suggest_pair {
	const char *written;
	const char *other;
	double price;        /* transactions an operation that sharing costs; negative: one operation writes both, it pays.
	                      * Of `changed`: by how much that changes */
	size_t places_before, places_after; /* of `changed`: in so many placements they share a line; else 0, 0 */
};

/* A member that nobody moved and that lies on other lines now. */
struct suggest_collateral {
	const char *field;
	uint64_t first_line_before, last_line_before, first_line_after, last_line_after;
};

/* A place that the single moved unit could go to. */
struct suggest_destination {
	const char *after;   /* NULL: to the front */
	bool is_here;        /* where it stands today, aligned */
	uint64_t line;       /* on which the unit starts then */
	uint64_t size_bytes;
	double cost;
	double growth;       /* what the added lines and bytes have to earn, in transactions an operation */
};

struct suggestion {
	enum suggest_kind kind;
	const struct suggest_move *moves;
	size_t move_count;
	const struct suggest_place *order;
	size_t order_count;
	const size_t *units;       /* today's units in the proposed order */
	size_t unit_count;
	uint64_t size_before, size_after;    /* bytes */
	uint64_t lines_before, lines_after;
	uint64_t align_before, align_after;  /* bytes: of the struct, which whoever allocates or embeds it keeps to */
	uint64_t stride_before, stride_after; /* bytes from one object to the next; 0: unknown */
	uint64_t objects_before, objects_after; /* in a slab page of 4096 bytes; 0: unknown */
	double cost_before, cost_after;      /* transactions an operation */
	const double *role_before, *role_after; /* [role of the access map] */
	size_t placements_after;             /* in so many places of a line an object may start then */
	const double *line_costs;            /* [line]: what each costs then, as cost_result has it */
	size_t line_cost_count;
	const struct suggest_pair *gone;
	size_t gone_count;
	const struct suggest_pair *fresh;    /* "new" in JSON */
	size_t fresh_count;
	const struct suggest_pair *changed;  /* they share a line in both, in another part of the placements */
	size_t changed_count;
	double other;                        /* of the change of cost, what gone, new and changed pairs do not make up: a pair
	                                      * is priced by itself, and a line with more than two has its fetches once */
	const struct suggest_collateral *collateral;
	size_t collateral_count;
	const struct suggest_destination *destinations; /* of one moved unit: every legal one, least
	                                                 * cost and growth first; else none */
	size_t destination_count;
	const char *shift;         /* it helps by what it pushes to other lines: what that is, a sentence; NULL: by its moves */
	const struct suggestion *direct; /* of a minimal one that is a shift: what it would be to move what has to part,
	                            * where that saves less; else NULL */
	const struct finding *findings;      /* of the proposed layout */
	size_t finding_count;
	const char *definition;              /* the struct in C */
};

struct suggest_result {
	const struct suggestion *items;      /* in the order of enum suggest_kind */
	size_t count;
	const char *why_none;                /* when count is 0, or there is no minimal one: the reason, one sentence, and
	                                      * what would help; NULL: there is a minimal one */
	double avoidable;                    /* what `best` saves; 0 without */
	const char *const *lowered;          /* [finding of the input's result]: an error that nothing which is allowed
	                                      * removes, a warning then: the reason, one sentence; NULL: stays as it is.
	                                      * NULL: all do */
	bool padding_tried;                  /* LL001 or LL002 is told of, and no order helps: with padding, too */
	const struct suggestion *padded;     /* what that came to, with the fewest moves, minimal; NULL: nothing */
	bool padded_pays;                    /* and `padding: allowed` would suggest it; false: an added line has to earn
	                                      * more (the profile's line_price) */
	bool is_unknown;                     /* members cannot be put in order here, by others perhaps: nothing is known of what
	                                      * other orders cost, `avoidable` neither */
	const struct suggestion *trade;      /* where no order costs less: one that a role gains by, and another pays for;
	                                      * NULL: none is known */
	bool is_exact;                       /* every order was tried; else the best that was found */
};

struct suggest_input {
	const struct lint_input *lint;       /* the layout as it is, its accesses */
	const struct lint_result *result;    /* what lint says of it */
	unsigned kinds;                      /* bits 1 << enum suggest_kind: which are wanted */
};

/*
 * Errors: constraints that contradict each other, naming both, with the profile's position. A struct that nothing can be
 * said about (a union, no accesses, a layout that cannot be reproduced, nothing to gain) is no error: see why_none.
 */
struct error *suggest_run(struct arena *arena, const struct suggest_input *input, struct suggest_result *ret);

/* Only those errors: nothing is searched. */
struct error *suggest_contradictions(struct arena *arena, const struct access_map *map,
	const struct access_context *context);

/*
 * What it would be to take another destination of a minimal suggestion, which suggest_run made of the same input: all but
 * the destinations. For whoever cannot make the best one. False: it cannot be had (an alignment goes with the move).
 */
bool suggest_instead(struct arena *arena, const struct suggest_input *input, const struct suggestion *minimal,
	size_t destination, struct suggestion *ret);

/*
 * Pairs of accessed fields, one of them written, that share a line `here` and, by the same names, do not `there`: dearest
 * first. Both maps have roles; the layouts may be of different definitions.
 */
const struct suggest_pair *suggest_pairs(struct arena *arena, const struct access_map *here,
	const struct access_map *there, size_t *ret);

#endif

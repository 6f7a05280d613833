/*
 * cost/pass: the pricing of a model, line by line. Private to cost.c and cost/.
 *
 * cost.c goes through workloads, placements and lines; for each line cost/place.c says which fields
 * are there, cost/draw.c which elements of arrays an operation may have drawn, and cost/turns.c what
 * the operations do to it. The sums are those of cost.h.
 */
#ifndef COST_PASS_H
#define COST_PASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cost.h"

/* What one operation does to one line, as expected values. */
struct turns {
	double all;   /* turns begun: u */
	double fetch; /* reads that begin one */
	double own;   /* writes that begin one, and first writes after reads */
	double polls; /* by waiters, of the locks it takes */
};

/* Threads of a role that touch every line alike. */
struct agent {
	uint32_t role;
	double threads;
	uint64_t element; /* of COST_THREAD fields */
	struct turns turns;
};

/* What does not depend on where things lie. */
struct script {
	size_t *first;   /* [field]: index into `order` of its first access; one more at the end */
	uint32_t *order; /* accesses, field by field, ascending */
	bool by_thread;  /* accesses a COST_THREAD field */
	bool waits;      /* takes a contended lock */
	double breaks;   /* b, the chance that another thread comes between two accesses */
	double *fades; /* [access]: log of the chance that a turn lasts over all before it, elsewhere */
};

/* A field that is somewhere on the line at hand. */
struct place {
	uint32_t field;
	double from; /* of its first element */
	double share;
};

struct pass {
	const struct cost_model *model;
	const struct cost_workload *workload;
	size_t object_lines; /* of the longest placement */
	size_t line_count;
	uint64_t stride_bytes; /* to the neighbours; 0: there are none */
	uint64_t *alone_lines; /* [field]: where it lies when alone */
	uint32_t *
		ordered; /* fields that lie in the object, by offset; then those that lie alone, by line */
	size_t inside_count;
	struct script *scripts; /* [role] */
	double *contended;      /* [lock] */
	struct agent *agents;   /* those of a role follow each other */
	size_t agent_count;
	double operations; /* of the workload's roles: what their costs are weighted with, in sum */

	/* the line at hand */
	struct place *places;
	size_t place_count;
	double *shares; /* [field]: of its accesses on the line at hand; 0 elsewhere */
	uint32_t *hits; /* accesses of the role at hand on the line, ascending */
	size_t hit_count;

	double total; /* the results */
	double *starts;
	double *role_lines; /* NULL: nobody asked */
};

/* One object, the one at hand or a neighbour, on one line. */
struct spot {
	int64_t start; /* of the object, from the first line of the one at hand */
	size_t line;
};

static inline double cost_smaller(double a, double b)
{
	return a < b ? a : b;
}

static inline double cost_larger(double a, double b)
{
	return a > b ? a : b;
}

/* ---- a pass (cost.c) ---- */

/* Everything that does not depend on the workload. */
void cost_pass_init(struct pass *pass, const struct cost_model *model);
void cost_pass_release(struct pass *pass);

/* What all lines of one workload have in common. */
void cost_workload_begin(struct pass *pass, const struct cost_workload *workload);

/* Adds the writes and the turns a unit of time of an object's agents, all of them. */
void cost_pressure_add(const struct pass *pass, double *writes, double *turns);

/* What the line at hand costs an operation of an agent, which meets all these, its own among them. */
double cost_agent_price(const struct agent *agent, double rate, double writes, double turns);

/* ---- where fields lie (cost/place.c) ---- */

/* The part of [from, from + bytes) that lies on the line at line_off. */
double cost_share_on(double from, double bytes, double line_off, double line_bytes);

bool cost_has_elements(const struct cost_field *field);
uint64_t cost_part_bytes(const struct cost_field *field);
uint64_t cost_element_count(const struct cost_field *field);

/* Where a field begins, from the first line, of an object that starts at `start`. */
double cost_from(const struct pass *pass, uint32_t field, int64_t start);

/* The share of its accesses on a line, of a field that begins at `from`; of a COST_THREAD field 0. */
double cost_place_share(const struct pass *pass, uint32_t field, double from, size_t line);

/*
 * Adds a field to the line at hand, if it is there; of a COST_THREAD field it may be, with some element,
 * and its share is left to who knows that.
 */
void cost_place_add(struct pass *pass, uint32_t field, const struct spot *spot);
void cost_places_clear(struct pass *pass);

/* ---- draws of elements (cost/draw.c) ---- */

struct drawn;

/*
 * The arrays of which it matters that one operation of the role at hand draws one element: it accesses them
 * more than once on the line. Returns how many there are; freed with cost_drawn_free. `ways`: to draw from
 * all of them.
 */
size_t cost_drawn_find(
	const struct pass *pass, uint32_t role, size_t line, struct drawn **ret, size_t *ways);
void cost_drawn_free(struct drawn *drawn, size_t count);

/* Sets the shares for draw number `which` of all the ways to draw. Returns its chance. */
double cost_draw_elements(struct pass *pass, const struct drawn *drawn, size_t count, size_t which);

/* ---- what operations do (cost/turns.c) ---- */

/* Every agent's turns on the line at hand, for one object; does any touch it? */
bool cost_agents_walk(struct pass *pass, size_t line);

#endif

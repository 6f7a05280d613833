/*
 * order: the members of a struct in another order, as a compiler would lay them out.
 *
 * layout x access -> [order] -> suggest. Pure; knows costs, no rules. Members are put together into units that move as
 * one: a top-level member; a run of consecutive bit-fields; an unnamed aggregate, named by its first named member; of a
 * struct whose only member (but for empty ones behind it) is an unnamed struct, the members of that. A placement is that
 * of the System V psABI as gcc and clang implement it, with their bit-field rules and attributes (aligned, packed), and
 * of the Itanium C++ ABI for classes without virtual bases.
 *
 * Debug information does not tell all that placement depends on: packed structs, unnamed bit-fields, before DWARF 5 (and
 * in BTF) alignments. So order_build first reproduces today's offsets, size and alignment; where it cannot, it says why.
 * What today's layout leaves open is kept as a range: an aggregate without a gap may be packed (but not a type with a name
 * and pointers in it, which nobody packs); between a bit-field and the next member there may be unnamed bits. An order is
 * legal only if its offsets are the same over all of it. So a stated offset is right, or there is none.
 */
#ifndef ORDER_H
#define ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access.h"
#include "base/arena.h"
#include "base/error.h"
#include "layout.h"

/* One of the members that are put in order. */
struct order_member {
	const struct layout_member *member; /* today's */
	const struct type_member *source;
	uint64_t off_bits;  /* today's, from the start of the aggregate in which order is made */
	uint64_t size_bits; /* a bit-field's width; 0 of flexible and empty ones */
	uint64_t type_bits; /* bit-fields: size of the declared type */
	bool is_bits;
	uint32_t stated;       /* alignment that the source states; 0: none that is known */
	uint32_t low, high;    /* bytes: alignment is in this range */
	uint64_t gap_bits;     /* so many bits of unnamed bit-fields, or for alignment, are before it: it is tied to what it
	                        * comes behind */
	bool is_tied;
	uint64_t lead_bits;    /* the first one of a run: there may be so many before it */
	uint64_t slack_bits;   /* there may be so many unnamed bits behind its end */
	uint32_t phase_bits;   /* the first bit-field of a run begins where it does today, modulo this: unnamed ones in
	                        * it or beside it lie as they do today then; 0: others */
	uint64_t reused_bits;  /* a base: so many of its last bits may hold what comes next */
	size_t unit;
};

/* May a unit stand here? */
#define ORDER_NOWHERE UINT32_MAX

struct order_unit {
	const char *name;     /* its first named member; the type's keyword when there is none */
	size_t first, count;  /* in members */
	bool is_fixed;        /* keeps its place among the fixed ones */
	uint32_t zone;        /* it may stand where the zone is the same */
	uint32_t zone_behind; /* fixed ones: what may stand between it and the next fixed one */
	uint64_t block_bytes; /* the last of an aligned block: from the block's start to the end of its line; else 0 */
	size_t block_first;   /* that block's first unit */
	bool is_accessed;     /* by the profile */
	bool is_pinned, is_first, is_last; /* the profile's constraints */
};

struct order {
	const struct layout *layout;
	const struct access_map *map;
	const struct access_context *context;
	const struct profile_constraints *constraints; /* NULL: none */
	const struct order_member *members;
	size_t member_count;
	const struct order_unit *units;
	size_t unit_count;
	const size_t *entries;    /* [field of the map's model]: which of the members it lies in */
	bool is_packed_perhaps;   /* bit-fields may be packed without gaps */
	bool is_packed;           /* they are */
	uint32_t low, high;       /* alignment of the aggregate */
	const struct layout_member *inner; /* the unnamed struct in which order is made; NULL: the struct itself */
	uint64_t size_bytes;      /* of the aggregate in which order is made, today */
	size_t first_count, last_count; /* units that the profile wants there */
	const char *why_none;     /* nothing can be put in order: the reason, a sentence; NULL: all of the above holds */
	bool is_settled;          /* why_none: there is no other order, for anybody; false: there may be, and it is not known */
};

/*
 * The units, and today's layout reproduced. Error: constraints that contradict each other. Refuses (why_none) unions,
 * classes with virtual bases, members that lie elsewhere than their declarations say.
 */
struct error *order_build(struct arena *arena, const struct access_map *map, const struct access_context *context,
	struct order *ret);

/* The name that a top-level member goes by: an unnamed aggregate's is that of its first named member. */
const char *order_name(const struct layout *layout, const struct layout_member *member);

/* The unit in which a field lies; SIZE_MAX: in none, or there is no such field. */
size_t order_unit_of(const struct order *order, const char *path);

/* An order of the units, and alignments put on them. */
struct order_sequence {
	const size_t *units;     /* today's units, each once */
	const uint32_t *aligns;  /* [unit]: bytes, 0: none; NULL: on none */
};

/* Where everything lies then. */
struct order_place {
	uint64_t *off_bits;   /* [member], provided by the caller */
	uint64_t size_bytes;  /* of the outermost struct */
	uint32_t align_bytes;
	uint64_t inner_bytes; /* of the aggregate in which order is made; mostly the same */
	uint32_t inner_align;
};

/* May the units stand in this order: fixed ones, zones, first and last? */
bool order_is_allowed(const struct order *order, const size_t *units);

/* Lays out; false: not every offset is certain, or something enters an aligned block. */
bool order_place(const struct order *order, const struct order_sequence *sequence, struct order_place *ret);

/* Do pins, keep_together, max_size and the expectations that hold today hold for it? */
bool order_fulfils(const struct order *order, const struct order_place *place);

/* How many units have been moved, the fewest that explain the order; moved[unit] when not NULL. */
size_t order_moves(const struct order *order, const size_t *units, bool *moved);

struct order_found;

/* The same, the moves that are meant where there are several ways; returns how many. */
size_t order_found_moves(const struct order *order, const struct order_found *found, bool *moved);

/* The second layout, of types of its own (`types` is provided by the caller, in `arena`). */
struct error *order_layout(struct arena *arena, const struct order *order, const struct order_sequence *sequence,
	const struct order_place *place, struct types *types, struct layout *ret);

/* ---- search (order/run.c) ---- */

struct order_found {
	const size_t *units;
	const uint32_t *aligns; /* [unit] */
	const bool *moved;      /* [unit]: of as many moves that lead to it, these; NULL: those of order_moves */
	double cost;            /* transactions an operation */
	double touched;         /* lines touched by an operation: of equal costs the smaller one counts */
	uint64_t size_bytes, lines;
	size_t moves;
	size_t relocated;       /* moves that are no mere alignment of a member where it stands */
	size_t torn;            /* accessed fields and locks across lines, locks off the lines of what they protect */
	size_t shifted;         /* units that lie on other lines than today */
	size_t breaks;          /* units that come behind another than today: parts of a patch */
	size_t distance;        /* how many units the moved ones pass; none to the end */
	bool moves_others;      /* units that nobody accesses are among the moved ones */
	bool is_direct;         /* most of what it saves comes of the moved units' own new places, some of each of them,
	                         * or is held by an alignment; else of others that they push to other lines */
	bool is_found;
};

struct order_priced {
	size_t place;         /* behind so many of the other units */
	double growth;        /* what its added lines and bytes have to earn, in transactions an operation */
	struct order_found found;
};

struct order_search {
	struct order_found today;   /* as it is */
	struct order_found minimal, best, pack; /* each only when it pays */
	struct order_found direct;  /* the cheapest that is_direct, of about as few moves, where minimal is not; when it pays */
	const struct order_priced *destinations; /* of minimal's one moved unit; best first */
	size_t destination_count;
	size_t moved;               /* which that is */
	bool is_exact;              /* everything was tried */
	bool none_allowed;          /* no order fulfils the constraints */
	unsigned long evaluations;
};

/* A suggestion saves at least this, in transactions an operation. */
#define ORDER_PAYS 0.001

/* What is not direct has to save more than what is, by this share: the next change of a size may undo it. */
#define ORDER_DIRECT_MARGIN 0.15

/* An added line has to earn the profile's line_price; each added byte this, besides. */
#define ORDER_BYTE_PRICE (ORDER_PAYS / 8)

/*
 * Every place that a unit could be moved to, priced, least cost and growth first (today's is among them); with an alignment
 * put on it, in bytes; 0: none.
 */
void order_destinations(struct arena *arena, const struct order *order, size_t unit, uint32_t align_bytes,
	const struct order_priced **ret, size_t *count);

/* `order` without why_none, of a map with roles. */
void order_search(struct arena *arena, const struct order *order, struct order_search *ret);

#endif

/*
 * profile/wish: what an entry wants of a layout, one by one: its constraints and its expectations; and two that cannot both be had.
 *
 * profile_struct -> [profile/wish] -> profile/contradict, order/contradict. They speak of one struct, and an error says of
 * two of them where both stand.
 */
#ifndef PROFILE_WISH_H
#define PROFILE_WISH_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "profile.h"

enum wish_kind {
	/* constraints */
	WISH_FIRST,
	WISH_LAST,
	WISH_PIN,
	WISH_PIN_ALL,
	WISH_KEEP_TOGETHER,
	WISH_AT_MOST,
	/* expectations */
	WISH_SAME_LINE,
	WISH_APART,
	WISH_LINE,
	WISH_MAX_SIZE,
	WISH_MAX_LINES,
	WISH_KIND_COUNT,
};

struct wish {
	enum wish_kind kind;
	const char *const *fields; /* none of pin: all and of sizes */
	size_t field_count;
	uint64_t value;            /* a line, bytes, lines; else 0 */
	struct profile_position position;
};

/* In the order of enum wish_kind, those of a kind as they stand; in `arena`. */
const struct wish *wishes_of(struct arena *arena, const struct profile_struct *entry, size_t *ret_count);

/* "'a' is to be first"; `other`, of two fields that are to be together or apart; both may be NULL for sizes. */
const char *wish_text(struct arena *arena, const struct wish *wish, const char *field, const char *other);

/* "FILE:1:2: A, and B (FILE:3:4): WHY; keep one of the two": the side `one` first. `why` NULL: it is plain. */
struct wish_side {
	const struct wish *wish;
	const char *field, *other; /* of which it is said; as wish_text takes them */
};
struct error *wish_contradict(struct arena *arena, const char *path, struct wish_side one, struct wish_side two, const char *why);

#endif

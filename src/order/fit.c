#include "order/fit.h"

#include "order/align.h"

struct fit {
	struct arena *arena;
	struct order *order;
	struct order_member *members;
	size_t count;
	uint64_t size_bytes;
	uint32_t stated; /* for the aggregate as a whole; 0: nothing */
	bool lowered;    /* a member lies where its alignment does not allow it */
};

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* ---- the struct as if it were packed ---- */

/*
 * Only what an attribute of its own asks for. A compiler may state for it what its type asks for, which packing does
 * away with.
 */
static struct align_range packed_range(const struct fit *fit, const struct order_member *member)
{
	uint32_t stated = larger(member->stated, 1);
	bool own = member->is_bits || align_is_own(fit->order->layout->types, member->source);
	return (struct align_range){own ? stated : 1, stated};
}

/* Is it a bit-field with unnamed ones between it and the one before it? */
static bool may_hide(const struct fit *fit, size_t index, uint64_t cursor)
{
	const struct order_member *member = &fit->members[index];
	return member->is_bits && index > 0 && fit->members[index - 1].is_bits &&
	       member->off_bits > cursor && !member->stated;
}

enum packing { PACKING_NO, PACKING_HIDES, PACKING_FITS };

/* Would all lie as it does, were it packed? For certain, or only with unnamed bit-fields behind others. */
static enum packing fits_packed(const struct fit *fit)
{
	uint64_t cursor = 0;
	uint32_t low = larger(fit->stated, 1), high = low;
	enum packing packing = PACKING_FITS;
	for (size_t i = 0; i < fit->count; i++) {
		const struct order_member *member = &fit->members[i];
		struct align_range range = packed_range(fit, member);
		uint64_t from = (cursor + 7) / 8;
		bool behind_bits = i > 0 && fit->members[i - 1].is_bits;
		bool fits = member->is_bits
				    ? order_bits_start(member, true, cursor) == member->off_bits ||
					      may_hide(fit, i, cursor)
				    : 8 * align_up(from, range.low) == member->off_bits ||
					      8 * align_up(from, range.high) == member->off_bits;
		if (!fits && (!behind_bits || member->is_bits || member->off_bits % 8 ||
				     member->off_bits < cursor))
			return PACKING_NO;
		packing = fits ? packing : PACKING_HIDES;
		cursor = member->off_bits + member->size_bits;
		low = larger(low, range.low);
		high = larger(high, range.high);
	}
	uint64_t end = (cursor + 7) / 8;
	if (align_up(end, low) == fit->size_bytes || align_up(end, high) == fit->size_bytes)
		return packing;
	bool ends_in_bits = fit->members[fit->count - 1].is_bits && fit->size_bytes > end &&
			    fit->size_bytes % low == 0;
	return ends_in_bits ? PACKING_HIDES : PACKING_NO;
}

/* ---- and as it is by default ---- */

/* Do the types of this binary, or their members, state any alignment? Then those that are not stated are natural. */
static bool states_alignments(const struct types *types)
{
	for (size_t i = 0; i < types->count; i++) {
		const struct type *type = &types->items[i];
		if (type->align_bytes)
			return true;
		for (size_t k = 0; k < type->member_count; k++)
			if (type->members[k].align_bytes)
				return true;
	}
	return false;
}

static const char *name_of(const struct fit *fit, size_t index)
{
	return order_name(fit->order->layout, fit->members[index].member);
}

/* A gap of `gap` bytes before `off` that natural alignment does not explain. */
static const char *infer(struct fit *fit, size_t index, uint64_t gap, uint64_t off)
{
	struct order_member *member = &fit->members[index];
	uint32_t most = smaller(align_allowed(off), align_allowed(fit->size_bytes));
	uint32_t least = member->high;
	while (least <= gap && least < most)
		least *= 2;
	if (states_alignments(fit->order->layout->types) || least <= gap || most < least)
		return arena_printf(fit->arena,
			"no declaration explains the gap before '%s'; unnamed members, or an "
			"alignment that the debug information does not have",
			name_of(fit, index));
	member->low = least;
	member->high = most;
	return NULL;
}

/* `from` is the end of what is before it, in bytes. */
static const char *fit_member(struct fit *fit, size_t index, uint64_t from, bool behind_bits)
{
	struct order_member *member = &fit->members[index];
	uint64_t off = member->off_bits / 8;
	if (member->off_bits % 8 || off < from)
		return arena_printf(fit->arena,
			"'%s' does not lie behind the member that is declared before it",
			name_of(fit, index));
	if (off > align_up(from, member->high)) {
		if (behind_bits)
			return arena_printf(fit->arena,
				"no declaration explains the gap before '%s'; unnamed bit-fields, "
				"which debug information does not have",
				name_of(fit, index));
		return infer(fit, index, off - from, off);
	}
	if (off % member->low) {
		fit->lowered = true;
		/* packed, or of a type that asks for less than we know */
		member->low = align_is_own(fit->order->layout->types, member->source) &&
					      off % member->stated == 0
				      ? member->stated
				      : 1;
		member->high = larger(member->low, smaller(member->high, align_allowed(off)));
	}
	member->high = smaller(member->high, align_allowed(off));
	/* the gap behind a bit-field may be one of unnamed ones, and shows nothing */
	while (!behind_bits && member->low < member->high && align_up(from, member->low) < off)
		member->low *= 2;
	return align_up(from, behind_bits ? member->high : member->low) == off
		       ? NULL
		       : arena_printf(fit->arena, "'%s' lies where its declaration does not put it",
				 name_of(fit, index));
}

/* Between two bit-fields there may be unnamed ones: the second is where it is, from the first. */
static const char *fit_bits(struct fit *fit, size_t index, uint64_t cursor)
{
	struct order_member *member = &fit->members[index];
	if (order_bits_start(member, false, cursor) == member->off_bits)
		return NULL;
	if (may_hide(fit, index, cursor) &&
		order_bits_start(member, false, member->off_bits) == member->off_bits) {
		member->gap_bits = member->off_bits - cursor;
		return NULL;
	}
	return arena_printf(fit->arena,
		"'%s' lies where its declaration does not put it; unnamed bit-fields, which debug "
		"information does not have",
		name_of(fit, index));
}

/* Of a base the bytes behind its data may hold the next member, or not: the next one shows it. */
static uint64_t base_end(struct fit *fit, size_t index, uint64_t from, uint64_t data_end)
{
	struct order_member *base = &fit->members[index];
	if (index + 1 == fit->count) {
		base->reused_bits = 8 * (from - data_end);
		return from;
	}
	const struct order_member *next = &fit->members[index + 1];
	uint64_t reused = align_up(data_end, next->high), kept = align_up(from, next->high);
	if (reused == kept)
		base->reused_bits = 8 * (from - data_end);
	else if (!next->is_bits && next->off_bits / 8 == reused)
		base->size_bits -= 8 * (from - data_end);
	return (base->off_bits + base->size_bits) / 8;
}

static bool is_last_of_run(const struct fit *fit, size_t index)
{
	return fit->members[index].is_bits &&
	       (index + 1 == fit->count || !fit->members[index + 1].is_bits);
}

static uint64_t next_bits(const struct fit *fit, size_t index)
{
	return index + 1 < fit->count ? fit->members[index + 1].off_bits : 8 * fit->size_bytes;
}

/* The largest boundary on which a bit lies: what a bit-field of no width before it may have aligned it to. */
static uint32_t boundary(uint64_t bit)
{
	enum { MOST = 64 };
	return smaller(align_allowed(bit), MOST);
}

/* The smallest aligned word that holds all of the bits: unnamed ones among them do not cross a larger one. */
static uint32_t word_around(uint64_t from, uint64_t end)
{
	uint32_t word = 8;
	while (word < 64 && from / word != (end - 1) / word)
		word *= 2;
	return word;
}

/* How far the place of a run of bit-fields is tied to where unnamed ones may be: order.h, phase_bits. */
static void find_phases(struct fit *fit)
{
	struct order_member *first = NULL;
	uint64_t before = 0;
	for (size_t i = 0; i < fit->count; i++) {
		struct order_member *member = &fit->members[i];
		uint64_t end = member->off_bits + member->size_bits;
		if (!member->is_bits) {
			before = end;
			continue;
		}
		if (i == 0 || !fit->members[i - 1].is_bits) {
			first = member;
			first->lead_bits = member->off_bits - before;
		}
		before = end;
		first->phase_bits = larger(first->phase_bits, boundary(member->off_bits));
		if (member->gap_bits) {
			uint32_t word =
				word_around(member->off_bits - member->gap_bits, member->off_bits);
			word = larger(word, 8 * member->high);
			first->phase_bits = larger(first->phase_bits,
				fit->order->is_packed_perhaps ? larger(64, word) : word);
		}
		if (!is_last_of_run(fit, i))
			continue;
		first->phase_bits = larger(first->phase_bits, boundary(next_bits(fit, i)));
		if (member->slack_bits)
			first->phase_bits = larger(
				first->phase_bits, word_around(end, end + member->slack_bits));
	}
}

/*
 * What comes behind a bit-field, and may be aligned or pushed there by unnamed ones, nobody knows, keeps its distance:
 * the run's place, modulo what it may be aligned to, stays what it is.
 */
static void tie(struct fit *fit)
{
	size_t run = 0;
	for (size_t i = 1; i < fit->count; i++) {
		struct order_member *member = &fit->members[i], *before = &fit->members[i - 1];
		if (member->is_bits && !before->is_bits)
			run = i;
		if (member->is_bits || !before->is_bits)
			continue;
		uint64_t end = before->off_bits + before->size_bits;
		uint64_t off = align_up((end + 7) / 8, member->low);
		if (8 * off == member->off_bits || member->low == member->high)
			continue;
		member->is_tied = true;
		member->gap_bits = member->off_bits - end;
		before->slack_bits = 0;
		fit->members[run].phase_bits =
			larger(fit->members[run].phase_bits, larger(64, 8 * member->high));
	}
}

/* One that is packed shows that others may be. */
static void loosen(struct fit *fit)
{
	uint64_t end = 0;
	for (size_t i = 0; i < fit->count; i++) {
		struct order_member *member = &fit->members[i];
		if (!member->is_bits && 8 * end == member->off_bits)
			member->low = smaller(member->low, packed_range(fit, member).low);
		end = (member->off_bits + member->size_bits + 7) / 8;
	}
}

/* Bytes at the end show an alignment, unless unnamed bit-fields may be there. */
static void raise_low(struct fit *fit, uint64_t end)
{
	struct order *order = fit->order;
	while (!fit->members[fit->count - 1].is_bits && order->low < order->high &&
		align_up(end, order->low) < fit->size_bytes)
		order->low *= 2;
}

static const char *fit_end(struct fit *fit, uint64_t end)
{
	struct order *order = fit->order;
	for (size_t i = 0; i < fit->count; i++) {
		struct order_member *member = &fit->members[i];
		if (!member->is_bits)
			member->high = smaller(member->high, align_allowed(fit->size_bytes));
		if (member->high < member->low)
			return "its size is not what its members make of it";
		order->low = larger(order->low, larger(member->low, member->stated));
		order->high = larger(order->high, larger(member->high, member->stated));
	}
	if (fit->size_bytes > align_up(end, order->high)) {
		uint32_t most = align_allowed(fit->size_bytes);
		while (order->low <= fit->size_bytes - end && order->low < most)
			order->low *= 2;
		if (states_alignments(order->layout->types) ||
			fit->members[fit->count - 1].is_bits ||
			align_up(end, order->low) != fit->size_bytes)
			return "no declaration explains the bytes at its end; unnamed members, or "
			       "an alignment that the debug information does not have";
		order->high = most;
		/* or one of the members is aligned so, wherever it lies on a multiple */
		for (size_t i = 0; i < fit->count; i++)
			if (!fit->members[i].is_bits)
				fit->members[i].high = larger(fit->members[i].high,
					smaller(most, align_allowed(fit->members[i].off_bits / 8)));
	}
	order->high = smaller(order->high, align_allowed(fit->size_bytes));
	raise_low(fit, end);
	if (order->low > order->high)
		return "its size is not what its members make of it";
	bool in_bits = fit->members[fit->count - 1].is_bits;
	return align_up(end, in_bits ? order->high : order->low) == fit->size_bytes
		       ? NULL
		       : "its size is not what its members make of it";
}

/* Is the size a multiple of what those members ask for that lie where alignment puts them? */
static bool divides_size(const struct fit *fit)
{
	for (size_t i = 0; i < fit->count; i++)
		if (fit->size_bytes % fit->members[i].low)
			return false;
	return true;
}

static const char *fit_natural(struct fit *fit)
{
	uint64_t cursor = 0;
	for (size_t i = 0; i < fit->count; i++) {
		struct order_member *member = &fit->members[i];
		bool behind_bits = i > 0 && fit->members[i - 1].is_bits;
		const char *why = member->is_bits
					  ? fit_bits(fit, i, cursor)
					  : fit_member(fit, i, (cursor + 7) / 8, behind_bits);
		if (why)
			return why;
		cursor = member->off_bits + member->size_bits;
		if (member->source->is_base)
			cursor = 8 * base_end(fit, i, cursor / 8,
					     member->off_bits / 8 +
						     align_data_bytes(fit->order->layout->types,
							     member->source->type));
		if (is_last_of_run(fit, i) && next_bits(fit, i) > cursor)
			member->slack_bits = next_bits(fit, i) - cursor;
	}
	if (fit->lowered && !divides_size(fit))
		return "its size is not what alignment makes of it"; /* but packing does */
	if (fit->lowered)
		loosen(fit);
	return fit_end(fit, (cursor + 7) / 8);
}

/* Where a member lies shows more of its alignment: `from` is the end of what is before it. */
static void narrow(struct order_member *member, uint64_t from, bool behind_bits)
{
	uint64_t off = member->off_bits / 8;
	while (!behind_bits && member->low < member->high && align_up(from, member->low) < off)
		member->low *= 2;
	member->high = larger(member->low, smaller(member->high, align_allowed(off)));
}

static void set_packed(struct fit *fit, bool for_certain)
{
	struct order *order = fit->order;
	uint64_t cursor = 0;
	uint32_t low = larger(fit->stated, 1), high = low;
	order->is_packed = for_certain;
	order->is_packed_perhaps = !for_certain;
	for (size_t i = 0; i < fit->count; i++) {
		struct order_member *member = &fit->members[i];
		struct align_range range = packed_range(fit, member);
		uint64_t end = member->off_bits + member->size_bits;
		if (!member->is_bits) {
			member->low = smaller(member->low, range.low);
			member->high = for_certain ? range.high : member->high;
			member->low = for_certain ? range.low : member->low;
		}
		if (!member->is_bits)
			narrow(member, (cursor + 7) / 8, i > 0 && fit->members[i - 1].is_bits);
		if (!member->is_bits || member->stated) {
			low = larger(low, member->is_bits ? member->stated : member->low);
			high = larger(high, member->is_bits ? member->stated : member->high);
		}
		member->slack_bits = is_last_of_run(fit, i) ? next_bits(fit, i) - end : 0;
		member->gap_bits = may_hide(fit, i, cursor) ? member->off_bits - cursor : 0;
		cursor = end;
	}
	order->low = low;
	if (for_certain)
		order->high = smaller(high, align_allowed(fit->size_bytes));
	raise_low(fit, (cursor + 7) / 8);
}

const char *order_fit(struct arena *arena, struct order *order, struct order_member *members)
{
	const struct type *type = types_get(order->layout->types,
		order->inner ? types_strip(order->layout->types, order->inner->type)
			     : order->layout->type);
	struct fit fit = {arena, order, members, order->member_count, order->size_bytes,
		type->align_bytes, false};
	for (size_t i = 0; i < fit.count; i++) {
		const struct types *types = order->layout->types;
		/* what is stated for a bit-field moves it, and is no alignment of its type's */
		struct align_range range = members[i].is_bits
						   ? align_of_type(types, members[i].source->type)
						   : align_of_member(types, members[i].source);
		members[i].low = range.low;
		members[i].high = range.high;
	}
	order->low = order->high = larger(fit.stated, 1);
	enum packing packing = fits_packed(&fit);
	const char *why = fit_natural(&fit);
	if (packing == PACKING_FITS || (packing == PACKING_HIDES && !why))
		set_packed(&fit, why != NULL);
	else if (why)
		return why;
	find_phases(&fit);
	tie(&fit);
	return NULL;
}

#include "import/record/place.h"

#include "base/mem.h"
#include "import/fields.h"

/* A field that covers the byte at hand. */
struct candidate {
	uint32_t member;
	uint64_t begin, end; /* of the element, where it is an array */
	uint64_t all_end;    /* of the array */
	bool is_bits;
};

struct seek {
	const struct layout *layout;
	uint32_t pointer_bytes;
	uint64_t begin, end; /* of the access */
	uint64_t at;         /* the byte at hand */
	struct candidate best;
	size_t found, bits;
};

void record_spots_release(struct record_spots *spots)
{
	mem_free(spots->members);
	*spots = (struct record_spots){.members = NULL};
}

/* 0 is best: the access itself; then what is around all of it, the smaller the better; then the rest, in their order. */
static unsigned rank(const struct seek *seek, const struct candidate *candidate)
{
	if (candidate->begin == seek->begin && candidate->end == seek->end)
		return 0;
	return candidate->begin <= seek->begin && candidate->end >= seek->end ? 1 : 2;
}

static bool is_better(const struct seek *seek, const struct candidate *a, const struct candidate *b)
{
	unsigned x = rank(seek, a), y = rank(seek, b);
	if (x != y)
		return x < y;
	return x == 1 && a->end - a->begin < b->end - b->begin;
}

static void offer(struct seek *seek, const struct candidate *candidate)
{
	if (!seek->found++ || is_better(seek, candidate, &seek->best))
		seek->best = *candidate;
	seek->bits += candidate->is_bits;
}

static bool is_flexible(const struct layout_member *member)
{
	return member->is_array && !member->size_bytes && member->element_bytes;
}

/* Members [first, last), moved up by `shift`: those that cover the byte. */
static void seek_members(struct seek *seek, size_t first, size_t last, uint64_t shift)
{
	const struct layout *layout = seek->layout;
	for (size_t i = first; i < last; i += 1 + layout->members[i].descendants) {
		const struct layout_member *member = &layout->members[i];
		uint64_t begin = layout_first_byte(member) + shift, end, within = shift;
		if (member->is_dynamic || seek->at < begin)
			continue;
		if (is_flexible(member))
			end = UINT64_MAX;
		else if (member->bit_size || member->size_bytes)
			end = layout_last_byte(member) + shift + 1;
		else
			continue;
		if (seek->at >= end)
			continue;
		struct candidate candidate = {(uint32_t)i, begin, end, end, member->bit_size != 0};
		if (member->is_array && member->element_bytes) {
			uint64_t skipped =
				(seek->at - begin) / member->element_bytes * member->element_bytes;
			candidate.begin = begin + skipped;
			candidate.end = candidate.begin + member->element_bytes;
			within += skipped;
		}
		if (fields_is_leaf(layout, member, seek->pointer_bytes))
			offer(seek, &candidate);
		else
			seek_members(seek, i + 1, i + 1 + member->descendants, within);
	}
}

static void add(struct record_spots *spots, uint32_t member)
{
	for (size_t i = 0; i < spots->count; i++)
		if (spots->members[i] == member)
			return;
	spots->members = mem_grow(
		spots->members, &spots->capacity, spots->count + 1, sizeof(*spots->members));
	spots->members[spots->count++] = member;
}

static void note_gap(struct record_spots *spots, uint64_t at)
{
	if (!spots->gap_bytes)
		spots->gap_off_bytes = at;
	if (spots->gap_off_bytes + spots->gap_bytes == at)
		spots->gap_bytes++;
}

void record_place(const struct layout *layout, uint32_t pointer_bytes, uint64_t off_bytes,
	uint64_t size_bytes, struct record_spots *ret)
{
	struct seek seek = {.layout = layout,
		.pointer_bytes = pointer_bytes,
		.begin = off_bytes,
		.end = off_bytes + size_bytes};
	bool had_bits = false;
	ret->count = 0;
	ret->gap_bytes = 0;
	ret->has_bits = false;
	for (seek.at = seek.begin; seek.at < seek.end;) {
		seek.found = seek.bits = 0;
		seek_members(&seek, 0, layout->member_count, 0);
		if (!seek.found) {
			note_gap(ret, seek.at++);
			continue;
		}
		/* the bit-fields of one access are read and written together */
		ret->has_bits |= seek.bits > 1 || (seek.best.is_bits && had_bits);
		if (!seek.best.is_bits || !had_bits)
			add(ret, seek.best.member);
		had_bits |= seek.best.is_bits;
		/* of an array that goes on with the access it is the same field */
		seek.at = layout->members[seek.best.member].descendants ? seek.best.end
									: seek.best.all_end;
	}
}

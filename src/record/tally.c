#include "record/tally.h"

#include <string.h>

enum {
	CAPACITY_FIRST = 1 << 10,
	SEQUENCE_SLOTS = 1 << 16,
	BLOCK_BYTES = 1 << 18,
};

struct llrec_block {
	struct llrec_block *next;
	size_t used; /* of keys */
	uint64_t keys[];
};

enum { BLOCK_KEYS = (BLOCK_BYTES - sizeof(struct llrec_block)) / sizeof(uint64_t) };

static bool set_capacity(struct llrec_tally *tally, size_t capacity)
{
	struct llrec_counter *counters = llrec_map(capacity * sizeof(*counters));
	if (!counters)
		return false;
	struct llrec_counter *old = tally->counters;
	size_t old_capacity = tally->capacity;
	tally->counters = counters;
	tally->capacity = capacity;
	tally->shift = 64 - (unsigned)__builtin_ctzll(capacity);
	tally->used = 0;
	for (size_t i = 0; i < old_capacity; i++)
		if (old[i].key)
			llrec_tally_count_slow(tally, old[i].key, old[i].count);
	llrec_unmap(old, old_capacity * sizeof(*old));
	return true;
}

bool llrec_tally_init(struct llrec_tally *tally, size_t limit, bool keeps_all)
{
	memset(tally, 0, sizeof(*tally));
	tally->limit = limit;
	if (!keeps_all && !(tally->kept = llrec_map(LLREC_CLASSES * LLREC_ROLES)))
		return false;
	return set_capacity(tally, CAPACITY_FIRST);
}

void llrec_tally_release(struct llrec_tally *tally)
{
	llrec_unmap(tally->counters, tally->capacity * sizeof(*tally->counters));
	llrec_unmap(tally->sequences, SEQUENCE_SLOTS * sizeof(*tally->sequences));
	llrec_unmap(tally->kept, LLREC_CLASSES * LLREC_ROLES);
	while (tally->block) {
		struct llrec_block *next = tally->block->next;
		llrec_unmap(tally->block, BLOCK_BYTES);
		tally->block = next;
	}
	memset(tally, 0, sizeof(*tally));
}

void llrec_tally_count_slow(struct llrec_tally *tally, uint64_t key, uint64_t count)
{
	size_t mask = tally->capacity - 1, at = llrec_tally_home(tally, key);
	while (tally->counters[at].key && tally->counters[at].key != key)
		at = (at + 1) & mask;
	if (!tally->counters[at].key) {
		if (tally->used == tally->limit) {
			tally->lost[LLREC_LOST_COUNTERS] += count;
			return;
		}
		if (tally->used >= tally->capacity / 2 &&
			set_capacity(tally, 2 * tally->capacity)) {
			llrec_tally_count_slow(tally, key, count);
			return;
		}
		if (tally->used + 1 == tally->capacity) { /* probing ends at a free one */
			tally->lost[LLREC_LOST_COUNTERS] += count;
			return;
		}
		tally->counters[at].key = key;
		tally->used++;
	}
	tally->counters[at].count += count;
}

/* ---- sequences ---- */

static uint64_t hash_keys(const uint64_t *keys, uint32_t length)
{
	uint64_t hash = length;
	for (uint32_t i = 0; i < length; i++)
		hash = (hash ^ keys[i] ^ hash >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	return hash ? hash : 1;
}

static const uint64_t *keep_keys(struct llrec_tally *tally, const uint64_t *keys, uint32_t length)
{
	struct llrec_block *block = tally->block;
	if (!block || block->used + length > BLOCK_KEYS) {
		block = llrec_map(BLOCK_BYTES);
		if (!block)
			return NULL;
		block->next = tally->block;
		tally->block = block;
	}
	uint64_t *copy = block->keys + block->used;
	memcpy(copy, keys, length * sizeof(*keys));
	block->used += length;
	return copy;
}

static struct llrec_sequence *find_sequence(
	struct llrec_tally *tally, uint64_t hash, const uint64_t *keys, uint32_t length)
{
	size_t at = hash % SEQUENCE_SLOTS;
	for (;; at = (at + 1) % SEQUENCE_SLOTS) {
		struct llrec_sequence *sequence = &tally->sequences[at];
		if (!sequence->hash ||
			(sequence->hash == hash && sequence->length == length &&
				memcmp(sequence->keys, keys, length * sizeof(*keys)) == 0))
			return sequence;
	}
}

static bool add_sequence(
	struct llrec_tally *tally, const uint64_t *keys, uint32_t length, uint64_t count)
{
	if (!tally->sequences &&
		!(tally->sequences = llrec_map(SEQUENCE_SLOTS * sizeof(*tally->sequences))))
		return false;
	uint64_t hash = hash_keys(keys, length);
	struct llrec_sequence *sequence = find_sequence(tally, hash, keys, length);
	if (!sequence->hash) {
		uint8_t *kept = tally->kept ? &tally->kept[llrec_key_class(*keys) * LLREC_ROLES +
							   llrec_key_role(*keys)]
					    : NULL;
		if ((kept && *kept == LLREC_SEQUENCES_KEPT) ||
			tally->sequence_count == SEQUENCE_SLOTS / 2)
			return false;
		const uint64_t *copy = keep_keys(tally, keys, length);
		if (!copy)
			return false;
		*sequence = (struct llrec_sequence){.hash = hash, .keys = copy, .length = length};
		tally->sequence_count++;
		if (kept)
			++*kept;
	}
	sequence->count += count;
	return true;
}

void llrec_tally_sequence(
	struct llrec_tally *tally, const uint64_t *keys, uint32_t length, uint64_t count)
{
	if (!add_sequence(tally, keys, length, count))
		llrec_tally_count_slow(tally,
			llrec_key(llrec_key_class(*keys), llrec_key_role(*keys), LLREC_OTHER, 0, 0),
			count);
}

void llrec_tally_merge(struct llrec_tally *into, const struct llrec_tally *from)
{
	for (size_t i = 0; i < from->capacity; i++)
		if (from->counters[i].key)
			llrec_tally_count_slow(
				into, from->counters[i].key, from->counters[i].count);
	for (size_t i = 0; from->sequences && i < SEQUENCE_SLOTS; i++) {
		const struct llrec_sequence *sequence = &from->sequences[i];
		if (sequence->hash)
			llrec_tally_sequence(
				into, sequence->keys, sequence->length, sequence->count);
	}
	for (size_t i = 0; i < LLREC_ROLES; i++)
		into->operations[i] += from->operations[i];
	for (size_t i = 0; i < LLREC_LOST_COUNT; i++)
		into->lost[i] += from->lost[i];
}

/* ---- order ---- */

static bool counter_before(const void *left, const void *right)
{
	return ((const struct llrec_counter *)left)->key <
	       ((const struct llrec_counter *)right)->key;
}

static bool sequence_before(const void *left, const void *right)
{
	const struct llrec_sequence *a = left, *b = right;
	uint64_t group = llrec_key_class(*a->keys) * LLREC_ROLES + llrec_key_role(*a->keys);
	uint64_t other = llrec_key_class(*b->keys) * LLREC_ROLES + llrec_key_role(*b->keys);
	if (group != other)
		return group < other;
	if (a->count != b->count)
		return a->count > b->count;
	for (uint32_t i = 0; i < a->length && i < b->length; i++)
		if (a->keys[i] != b->keys[i])
			return a->keys[i] < b->keys[i];
	return a->length < b->length;
}

static void swap(char *left, char *right, size_t bytes)
{
	while (bytes--) {
		char byte = left[bytes];
		left[bytes] = right[bytes];
		right[bytes] = byte;
	}
}

static void sink(char *items, size_t at, size_t count, size_t bytes,
	bool (*before)(const void *, const void *))
{
	for (size_t child; (child = 2 * at + 1) < count; at = child) {
		if (child + 1 < count && before(items + child * bytes, items + (child + 1) * bytes))
			child++;
		if (!before(items + at * bytes, items + child * bytes))
			return;
		swap(items + at * bytes, items + child * bytes, bytes);
	}
}

/* A heap sort: qsort may allocate, and malloc is the program's. */
static void sort(
	void *array, size_t count, size_t bytes, bool (*before)(const void *, const void *))
{
	char *items = array;
	for (size_t i = count / 2; i > 0; i--)
		sink(items, i - 1, count, bytes, before);
	for (size_t left = count; left > 1; left--) {
		swap(items, items + (left - 1) * bytes, bytes);
		sink(items, 0, left - 1, bytes, before);
	}
}

void llrec_tally_sort(struct llrec_tally *tally)
{
	size_t count = 0;
	for (size_t i = 0; i < tally->capacity; i++)
		if (tally->counters[i].key)
			tally->counters[count++] = tally->counters[i];
	sort(tally->counters, count, sizeof(*tally->counters), counter_before);
	count = 0;
	for (size_t i = 0; tally->sequences && i < SEQUENCE_SLOTS; i++)
		if (tally->sequences[i].hash)
			tally->sequences[count++] = tally->sequences[i];
	if (count)
		sort(tally->sequences, count, sizeof(*tally->sequences), sequence_before);
}

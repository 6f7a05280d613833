#include "record/object.h"

#include "record/module.h"
#include "record/tally.h"

enum { SLOT_BYTES = 1 << LLREC_SLOT_BITS, GLOBAL_BYTES = 8, CROWDS = 1 << 20 };

struct llrec_chunk *llrec_chunks[(uintptr_t)1 << (LLREC_ADDRESS_BITS - LLREC_CHUNK_BITS)];
struct llrec_object *llrec_objects;
struct llrec_crowd *llrec_crowds;

/* What changes with every object, on a line of its own. */
static struct {
	uint32_t limit;
	uint32_t count;
	uint32_t first_free; /* they are linked by parent */
	uint32_t globals;
	uint32_t crowds;
	uint32_t first_free_crowd; /* they are linked by their first object */
	uint64_t last_stamp;
} __attribute__((aligned(64))) pool = {.count = 1, .crowds = 1};

static bool has_all_globals; /* no more: half of the objects are variables already */

bool llrec_objects_init(size_t limit)
{
	pool.limit = (uint32_t)limit + 1;
	llrec_objects = llrec_map(pool.limit * sizeof(*llrec_objects));
	llrec_crowds = llrec_map(CROWDS * sizeof(*llrec_crowds));
	return llrec_objects && llrec_crowds;
}

static bool contains(const struct llrec_object *object, uintptr_t begin, uintptr_t end)
{
	return object->begin <= begin && end <= object->end;
}

static bool is_global(const struct llrec_object *object)
{
	return object->class_index == LLREC_GLOBALS;
}

/* ---- the map ---- */

static uintptr_t slot_of(uintptr_t address)
{
	return address & ~(uintptr_t)(SLOT_BYTES - 1);
}

static struct llrec_chunk *chunk_of(uintptr_t address)
{
	return llrec_chunks[address >> LLREC_CHUNK_BITS];
}

/* Where the map has the 4 bytes at an address; their chunk must be there. */
static uint32_t *slot_at(uintptr_t address)
{
	uintptr_t offset = address & (((uintptr_t)1 << LLREC_CHUNK_BITS) - 1);
	return &chunk_of(address)->slots[offset >> LLREC_SLOT_BITS];
}

static uint32_t new_crowd(uint32_t everybody)
{
	uint32_t crowd = pool.first_free_crowd;
	if (crowd)
		pool.first_free_crowd = llrec_crowds[crowd].objects[0];
	else
		crowd = pool.crowds++;
	for (size_t i = 0; i < SLOT_BYTES; i++)
		llrec_crowds[crowd].objects[i] = everybody;
	return crowd;
}

/* An object needs one for its first and one for its last bytes, at most. */
static bool has_crowds(void)
{
	return pool.crowds + 2 <= CROWDS;
}

/* Whose the byte is. */
static uint32_t owner_at(uintptr_t address)
{
	uint32_t slot = *slot_at(address);
	return slot & LLREC_CROWDED
		       ? llrec_crowds[slot & ~LLREC_CROWDED].objects[address & (SLOT_BYTES - 1)]
		       : slot;
}

/* A crowd that has become one is none. */
static void close_crowd(uint32_t *slot)
{
	uint32_t number = *slot & ~LLREC_CROWDED;
	struct llrec_crowd *crowd = &llrec_crowds[number];
	for (size_t i = 1; i < SLOT_BYTES; i++)
		if (crowd->objects[i] != crowd->objects[0])
			return;
	__atomic_store_n(slot, crowd->objects[0], __ATOMIC_RELEASE);
	crowd->objects[0] = pool.first_free_crowd;
	pool.first_free_crowd = number;
}

static void set_owner(uintptr_t address, uint32_t object)
{
	uint32_t *slot = slot_at(address);
	if (!(*slot & LLREC_CROWDED)) {
		if (*slot == object)
			return;
		__atomic_store_n(slot, new_crowd(*slot) | LLREC_CROWDED, __ATOMIC_RELEASE);
	}
	__atomic_store_n(&llrec_crowds[*slot & ~LLREC_CROWDED].objects[address & (SLOT_BYTES - 1)],
		object, __ATOMIC_RELEASE);
	close_crowd(slot);
}

/* Bytes from an address on, up to `end`, that have one owner for sure. */
static uintptr_t owned_together(uintptr_t address, uintptr_t end)
{
	uintptr_t next = slot_of(address) + SLOT_BYTES;
	bool is_whole =
		address == slot_of(address) && next <= end && !(*slot_at(address) & LLREC_CROWDED);
	return is_whole ? SLOT_BYTES : 1;
}

static void set_owners(uintptr_t address, uintptr_t bytes, uint32_t object)
{
	if (bytes == SLOT_BYTES)
		__atomic_store_n(slot_at(address), object, __ATOMIC_RELEASE);
	else
		set_owner(address, object);
}

static bool make_chunks(uintptr_t begin, uintptr_t end)
{
	for (uintptr_t at = begin >> LLREC_CHUNK_BITS; at <= (end - 1) >> LLREC_CHUNK_BITS; at++) {
		if (llrec_chunks[at])
			continue;
		struct llrec_chunk *chunk = llrec_map(sizeof(*chunk));
		if (!chunk)
			return false;
		__atomic_store_n(&llrec_chunks[at], chunk, __ATOMIC_RELEASE);
	}
	return true;
}

static void count_pages(const struct llrec_object *object, uint32_t by)
{
	for (uintptr_t page = object->begin >> LLREC_PAGE_BITS;
		page <= (object->end - 1) >> LLREC_PAGE_BITS; page++) {
		uintptr_t address = page << LLREC_PAGE_BITS;
		uintptr_t offset = address & (((uintptr_t)1 << LLREC_CHUNK_BITS) - 1);
		chunk_of(address)->pages[offset >> LLREC_PAGE_BITS] += by;
	}
}

/* The next address from `begin` on where an object lies in the map; `end` when there is none. */
static uintptr_t next_used(uintptr_t begin, uintptr_t end)
{
	uintptr_t page_bytes = (uintptr_t)1 << LLREC_PAGE_BITS;
	uintptr_t chunk_bytes = (uintptr_t)1 << LLREC_CHUNK_BITS;
	for (uintptr_t at = begin; at < end;) {
		const struct llrec_chunk *chunk =
			__atomic_load_n(&llrec_chunks[at >> LLREC_CHUNK_BITS], __ATOMIC_ACQUIRE);
		uintptr_t offset = at & (chunk_bytes - 1);
		if (!chunk) {
			at = (at | (chunk_bytes - 1)) + 1;
		} else if (!__atomic_load_n(
				   &chunk->pages[offset >> LLREC_PAGE_BITS], __ATOMIC_RELAXED)) {
			at = (at | (page_bytes - 1)) + 1;
		} else if (!__atomic_load_n(
				   &chunk->slots[offset >> LLREC_SLOT_BITS], __ATOMIC_RELAXED)) {
			at = slot_of(at) + SLOT_BYTES;
		} else {
			return at;
		}
	}
	return end;
}

/* ---- the end of an object ---- */

/* What lay in it lies in what it lay in. */
static void take_from_map(uint32_t index)
{
	const struct llrec_object *object = &llrec_objects[index];
	for (uintptr_t at = object->begin, bytes; at < object->end; at += bytes) {
		bytes = owned_together(at, object->end);
		uint32_t owner = owner_at(at);
		if (owner == index) {
			set_owners(at, bytes, object->parent);
			continue;
		}
		while (owner && llrec_objects[owner].parent != index)
			owner = llrec_objects[owner].parent;
		if (owner)
			llrec_objects[owner].parent = object->parent;
	}
}

static void end_object(uint32_t index)
{
	struct llrec_object *object = &llrec_objects[index];
	take_from_map(index);
	count_pages(object, UINT32_MAX);
	llrec_users_fold_locked(&object->users, object->class_index);
	llrec_users_forget_locked(&object->users);
	object->stamp = 0;
	object->parent = pool.first_free;
	pool.first_free = index;
}

/* An object that has bytes of [begin, end) and for which `unwanted` is true; 0: none. */
static uint32_t find_unwanted(uintptr_t begin, uintptr_t end,
	bool (*unwanted)(
		const struct llrec_object *, uintptr_t begin, uintptr_t end, unsigned class_index),
	unsigned class_index)
{
	for (uintptr_t at = begin, bytes; (at = next_used(at, end)) < end; at += bytes) {
		bytes = owned_together(at, end);
		for (uint32_t in = owner_at(at); in; in = llrec_objects[in].parent)
			if (unwanted(&llrec_objects[in], begin, end, class_index))
				return in;
	}
	return 0;
}

/* ---- the beginning of an object ---- */

/* An allocation that only its size has given a name, and a mark says now what it is: one object, not two. */
static bool is_named_anew(const struct llrec_object *object, unsigned class_index)
{
	return llrec_classes[object->class_index].name && llrec_classes[class_index].tag;
}

/*
 * What was tracked before at the same place is over when it is of the same class, or lies across an end; otherwise one of
 * the two lies in the other.
 */
static bool is_in_the_way(
	const struct llrec_object *object, uintptr_t begin, uintptr_t end, unsigned class_index)
{
	if (is_global(object))
		return true;
	if (object->begin == begin && object->end == end)
		return object->class_index == class_index || is_named_anew(object, class_index);
	return !contains(object, begin, end) && !(begin <= object->begin && object->end <= end);
}

static uint32_t new_object(void)
{
	uint32_t index = pool.first_free;
	if (index)
		pool.first_free = llrec_objects[index].parent;
	else if (pool.count < pool.limit)
		index = pool.count++;
	return index;
}

/* Bytes of what it lies in become its own; what lies in it already gets it as its parent. */
static void put_in_map(uint32_t index)
{
	const struct llrec_object *object = &llrec_objects[index];
	for (uintptr_t at = object->begin, bytes; at < object->end; at += bytes) {
		bytes = owned_together(at, object->end);
		uint32_t owner = owner_at(at);
		if (owner == object->parent) {
			set_owners(at, bytes, index);
			continue;
		}
		while (llrec_objects[owner].parent != object->parent &&
			llrec_objects[owner].parent != index)
			owner = llrec_objects[owner].parent;
		llrec_objects[owner].parent = index;
	}
}

/* The innermost object that holds all of these bytes; 0: none. */
static uint32_t innermost_around(uintptr_t begin, uintptr_t end)
{
	uint32_t at = llrec_object_at(begin);
	while (at && !contains(&llrec_objects[at], begin, end))
		at = llrec_objects[at].parent;
	return at;
}

static uint32_t begin_object(
	uintptr_t begin, uint64_t bytes, unsigned class_index, uint64_t type_bytes)
{
	uintptr_t end = begin + bytes;
	uint32_t other;
	while ((other = find_unwanted(begin, end, is_in_the_way, class_index))) {
		const struct llrec_object *old = &llrec_objects[other];
		bool is_same = old->begin == begin && old->end == end && !is_global(old) &&
			       is_named_anew(old, class_index);
		bool is_reused = old->begin == begin && old->class_index == class_index;
		llrec_lost[LLREC_LOST_OVERLAPS] += !is_global(old) && !is_reused && !is_same;
		llrec_classes[old->class_index].objects -= is_same;
		end_object(other);
	}
	uint32_t index = has_crowds() && make_chunks(begin, end) ? new_object() : 0;
	if (!index)
		return 0;
	llrec_objects[index] = (struct llrec_object){
		.begin = begin,
		.end = end,
		.base = class_index == LLREC_GLOBALS ? llrec_module.data_begin : begin,
		.stamp = ++pool.last_stamp * LLREC_ROLES,
		.parent = innermost_around(begin, end),
		.type_bytes = (uint32_t)type_bytes,
		.class_index = (uint16_t)class_index,
	};
	count_pages(&llrec_objects[index], 1);
	put_in_map(index);
	llrec_classes[class_index].objects++;
	return index;
}

static bool can_be_mapped(uintptr_t begin, uint64_t bytes)
{
	return bytes && bytes <= LLREC_OFFSET_MAX && begin &&
	       (begin + bytes) >> (LLREC_ADDRESS_BITS - 1) <= 1 && begin + bytes > begin;
}

bool llrec_object_track(uintptr_t begin, uint64_t bytes, unsigned class_index, uint64_t type_bytes)
{
	sigset_t mask;
	llrec_lock(&mask);
	bool done = llrec_objects && can_be_mapped(begin, bytes) &&
		    begin_object(begin, bytes, class_index, type_bytes);
	llrec_lost[LLREC_LOST_OBJECTS] += !done;
	llrec_unlock(&mask);
	return done;
}

uint32_t llrec_object_global(uintptr_t address)
{
	uintptr_t begin = address & ~(uintptr_t)(GLOBAL_BYTES - 1);
	if (__atomic_load_n(&has_all_globals, __ATOMIC_RELAXED))
		return 0;
	sigset_t mask;
	llrec_lock(&mask);
	uint32_t index = llrec_object_at(address);
	/* A tracked object may begin or end within the 8 bytes. */
	if (!index && llrec_objects && can_be_mapped(begin, GLOBAL_BYTES)) {
		uintptr_t end = begin + GLOBAL_BYTES;
		for (uintptr_t at = begin; at < end; at++)
			if (llrec_object_at(at)) {
				if (at < address)
					begin = at + 1;
				else
					end = at < end ? at : end;
			}
		if (pool.globals < pool.limit / 2)
			index = begin_object(begin, end - begin, LLREC_GLOBALS, GLOBAL_BYTES);
		if (index)
			pool.globals++;
		else
			__atomic_store_n(&has_all_globals, true, __ATOMIC_RELAXED);
	}
	llrec_unlock(&mask);
	return index;
}

void llrec_object_untrack(uintptr_t begin, uint64_t type_bytes)
{
	sigset_t mask;
	llrec_lock(&mask);
	uint32_t found = 0;
	for (uint32_t at = llrec_objects ? llrec_object_at(begin) : 0; at;
		at = llrec_objects[at].parent)
		if (llrec_objects[at].begin == begin && !is_global(&llrec_objects[at]) &&
			(!found || llrec_objects[at].type_bytes == type_bytes)) {
			found = at;
			if (llrec_objects[at].type_bytes == type_bytes)
				break;
		}
	if (found)
		end_object(found);
	llrec_unlock(&mask);
}

bool llrec_object_any(uintptr_t begin, uint64_t bytes)
{
	return llrec_objects && can_be_mapped(begin, bytes) &&
	       next_used(begin, begin + bytes) < begin + bytes;
}

static bool is_any(
	const struct llrec_object *object, uintptr_t begin, uintptr_t end, unsigned class_index)
{
	(void)class_index;
	return !(contains(object, begin, end) && (object->begin < begin || object->end > end));
}

void llrec_object_clear(uintptr_t begin, uint64_t bytes)
{
	uintptr_t end = begin + bytes;
	if (!llrec_object_any(begin, bytes))
		return;
	sigset_t mask;
	llrec_lock(&mask);
	uint32_t other;
	while ((other = find_unwanted(begin, end, is_any, 0)))
		end_object(other);
	llrec_unlock(&mask);
}

/* ---- all of them ---- */

void llrec_objects_fold_locked(void)
{
	for (uint32_t i = 1; llrec_objects && i < pool.count; i++)
		if (llrec_objects[i].stamp)
			llrec_users_fold_locked(
				&llrec_objects[i].users, llrec_objects[i].class_index);
}

void llrec_objects_forget_locked(void)
{
	for (uint32_t i = 1; llrec_objects && i < pool.count; i++) {
		struct llrec_object *object = &llrec_objects[i];
		if (!object->stamp)
			continue;
		llrec_users_forget_locked(&object->users);
		object->trace_number = 0;
		object->stamp = ++pool.last_stamp * LLREC_ROLES;
		llrec_classes[object->class_index].objects++;
	}
}

void llrec_objects_visit_locked(uintptr_t begin, uintptr_t end, unsigned class_index,
	void (*visit)(const struct llrec_object *))
{
	for (uintptr_t at = begin; llrec_objects && (at = next_used(at, end)) < end;) {
		uint32_t index = llrec_object_at(at);
		if (!index) {
			at++;
			continue;
		}
		if (llrec_objects[index].class_index == class_index)
			visit(&llrec_objects[index]);
		at = llrec_objects[index].end;
	}
}

#include "record/object.h"

#include "record/module.h"
#include "record/tally.h"

enum { SLOT_BYTES = 1 << LLREC_SLOT_BITS, GLOBAL_BYTES = 8 };

struct llrec_chunk *llrec_chunks[(uintptr_t)1 << (LLREC_ADDRESS_BITS - LLREC_CHUNK_BITS)];
struct llrec_object *llrec_objects;

/* What changes with every object, on a line of its own. */
static struct {
	uint32_t limit;
	uint32_t count;
	uint32_t first_free; /* they are linked by parent */
	uint32_t globals;
	uint64_t last_stamp;
} __attribute__((aligned(64))) pool = {.count = 1};

static bool has_all_globals; /* no more: half of the objects are variables already */

bool llrec_objects_init(size_t limit)
{
	pool.limit = (uint32_t)limit + 1;
	llrec_objects = llrec_map(pool.limit * sizeof(*llrec_objects));
	return llrec_objects != NULL;
}

static bool contains(const struct llrec_object *object, uintptr_t begin, uintptr_t end)
{
	return object->begin <= begin && end <= object->end;
}

static bool overlaps(const struct llrec_object *object, uintptr_t begin, uintptr_t end)
{
	return object->begin < end && begin < object->end;
}

static bool is_global(const struct llrec_object *object)
{
	return object->class_index == LLREC_GLOBALS;
}

/* ---- looking up ---- */

/* First those that share the slot, then what they lie in: whoever is further in comes first. */
uint32_t llrec_object_search(uint32_t first, uintptr_t address)
{
	const struct llrec_object *objects = llrec_objects;
	for (uint32_t at = first; at; at = objects[at].before)
		if (contains(&objects[at], address, address + 1))
			return at;
	for (uint32_t at = first; at; at = objects[at].before)
		for (uint32_t around = objects[at].parent; around; around = objects[around].parent)
			if (contains(&objects[around], address, address + 1))
				return around;
	return 0;
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

static void set_slot(uint32_t *slot, uint32_t object)
{
	__atomic_store_n(slot, object, __ATOMIC_RELEASE);
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

static void unlink_before(uint32_t first, uint32_t object)
{
	for (uint32_t at = first; at; at = llrec_objects[at].before)
		if (llrec_objects[at].before == object)
			llrec_objects[at].before = llrec_objects[object].before;
}

/* What lay in it lies in what it lay in. */
static void unlink_parent(uint32_t first, uint32_t object)
{
	for (uint32_t other = first; other; other = llrec_objects[other].before)
		for (uint32_t at = other; at; at = llrec_objects[at].parent)
			if (llrec_objects[at].parent == object)
				llrec_objects[at].parent = llrec_objects[object].parent;
}

static void take_from_map(uint32_t index)
{
	const struct llrec_object *object = &llrec_objects[index];
	for (uintptr_t at = slot_of(object->begin); at < object->end; at += SLOT_BYTES) {
		uint32_t *slot = slot_at(at);
		bool is_first = at <= object->begin;
		if (*slot == index)
			set_slot(
				slot, is_first && object->before ? object->before : object->parent);
		unlink_before(*slot, index);
		unlink_parent(*slot, index);
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
	for (uintptr_t at = begin; (at = next_used(at, end)) < end; at = slot_of(at) + SLOT_BYTES)
		for (uint32_t other = *slot_at(at); other; other = llrec_objects[other].before)
			for (uint32_t in = other; in; in = llrec_objects[in].parent)
				if (overlaps(&llrec_objects[in], begin, end) &&
					unwanted(&llrec_objects[in], begin, end, class_index))
					return in;
	return 0;
}

/* ---- the beginning of an object ---- */

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
		return object->class_index == class_index;
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

/* The outermost object from `inner` outwards that does not contain `index`; 0: `inner` itself contains it. */
static uint32_t outermost_within(uint32_t inner, const struct llrec_object *object)
{
	uint32_t found = 0;
	for (uint32_t at = inner; at && !contains(&llrec_objects[at], object->begin, object->end);
		at = llrec_objects[at].parent)
		found = at;
	return found;
}

static void put_in_slot(uint32_t *slot, uint32_t index)
{
	struct llrec_object *object = &llrec_objects[index];
	uint32_t other = *slot;
	uint32_t outermost = other ? outermost_within(other, object) : 0;
	if (!outermost) {
		set_slot(slot, index);
	} else if (overlaps(&llrec_objects[outermost], object->begin, object->end)) {
		if (outermost != index)
			llrec_objects[outermost].parent = index;
	} else if (llrec_objects[other].begin < object->begin) {
		object->before = other;
		set_slot(slot, index);
	} else {
		while (llrec_objects[other].before &&
			llrec_objects[llrec_objects[other].before].begin > object->begin)
			other = llrec_objects[other].before;
		if (llrec_objects[other].before != index) {
			if (llrec_objects[other].before)
				object->before = llrec_objects[other].before;
			llrec_objects[other].before = index;
		}
	}
}

static void put_in_map(uint32_t index)
{
	struct llrec_object *object = &llrec_objects[index];
	for (uintptr_t at = slot_of(object->begin); at < object->end; at += SLOT_BYTES)
		put_in_slot(slot_at(at), index);
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
		bool is_reused = old->begin == begin && old->class_index == class_index;
		llrec_lost[LLREC_LOST_OVERLAPS] += !is_global(old) && !is_reused;
		end_object(other);
	}
	uint32_t index = make_chunks(begin, end) ? new_object() : 0;
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

#include "record/access.h"

#include <string.h>

#include "record/settings.h"
#include "record/start.h"
#include "record/trace.h"

#define COMPILER_BARRIER() __atomic_signal_fence(__ATOMIC_SEQ_CST)

/* ---- one access to one object ---- */

__attribute__((noinline)) static void use_object(struct llrec_thread *thread, uint32_t index)
{
	struct llrec_object *object = &llrec_objects[index];
	uint32_t actor = llrec_thread_actor(thread);
	if (!actor || !llrec_users_add(&object->users, actor))
		thread->tally.lost[LLREC_LOST_THREADS]++;
	thread->seen[index % LLREC_SEEN] = object->stamp | thread->role;
}

__attribute__((noinline)) static struct llrec_run *begin_run(
	struct llrec_thread *thread, unsigned class_index)
{
	if (thread->run_count == LLREC_RUNS)
		return NULL;
	struct llrec_run *run = &thread->runs[thread->run_count++];
	run->class_index = class_index;
	run->length = 0;
	run->is_cut = false;
	thread->run_of_class[class_index] = (uint8_t)thread->run_count;
	return run;
}

/* In an operation: its sequence, and the trace. */
static inline void follow(struct llrec_thread *thread, uint32_t index, uint64_t key)
{
	unsigned class_index = llrec_key_class(key);
	unsigned number = thread->run_of_class[class_index];
	bool begins = !number;
	struct llrec_run *run = number ? &thread->runs[number - 1] : begin_run(thread, class_index);
	if (!run)
		llrec_tally_count(
			&thread->tally, llrec_key(class_index, thread->role, LLREC_OTHER, 0, 0));
	else if (run->length == LLREC_SEQUENCE_MAX)
		run->is_cut = true;
	else
		run->keys[run->length++] = key;
	if (*llrec_settings.trace && run)
		llrec_trace_access(thread, index, key, begins);
}

/* Inlined into the one place that matters. */
__attribute__((always_inline)) static inline void count_access(struct llrec_thread *thread,
	uint32_t index, uint64_t off_bytes, size_t size_bytes, enum llrec_kind kind)
{
	const struct llrec_object *object = &llrec_objects[index];
	if (LLREC_UNLIKELY(thread->seen[index % LLREC_SEEN] != (object->stamp | thread->role)))
		use_object(thread, index);
	if (LLREC_UNLIKELY(off_bytes >= LLREC_OFFSET_MAX)) {
		thread->tally.lost[LLREC_LOST_OFFSETS]++;
		return;
	}
	uint64_t key = llrec_key(object->class_index, thread->role, kind, off_bytes, size_bytes);
	llrec_tally_count(&thread->tally, thread->is_in_operation ? key : key | LLREC_OUTSIDE);
	if (thread->is_in_operation && object->class_index != LLREC_GLOBALS)
		follow(thread, index, key);
}

__attribute__((noinline)) static void count_seldom(struct llrec_thread *thread, uint32_t index,
	uint64_t off_bytes, size_t size_bytes, enum llrec_kind kind)
{
	count_access(thread, index, off_bytes, size_bytes, kind);
}

/* ---- the bytes of an access ---- */

/* Bytes from `address` on that are one access to the object there and to those around it. */
static size_t count_piece(struct llrec_thread *thread, uint32_t index, uintptr_t address,
	size_t size_bytes, enum llrec_kind kind)
{
	size_t left = llrec_objects[index].end - address;
	size_t piece = size_bytes < left ? size_bytes : left;
	if (piece > LLREC_SIZE_MAX)
		piece = LLREC_SIZE_MAX;
	for (; index; index = llrec_objects[index].parent)
		count_seldom(thread, index, address - llrec_objects[index].begin, piece, kind);
	return piece;
}

/* Variables have no ends that the recorder knows: one access, up to the next object that is tracked. */
static size_t count_global(struct llrec_thread *thread, uint32_t first, uintptr_t address,
	size_t size_bytes, enum llrec_kind kind)
{
	uintptr_t at = address,
		  end = address + (size_bytes < LLREC_SIZE_MAX ? size_bytes : LLREC_SIZE_MAX);
	uint32_t index = first;
	do {
		if (thread->seen[index % LLREC_SEEN] != (llrec_objects[index].stamp | thread->role))
			use_object(thread, index);
		at = llrec_objects[index].end;
		index = at < end && llrec_module_has_data(at) ? llrec_object_at(at) : 0;
		if (!index && at < end && llrec_module_has_data(at))
			index = llrec_object_global(at);
	} while (index && llrec_objects[index].class_index == LLREC_GLOBALS);
	end = at < end ? at : end;
	count_seldom(thread, first, address - llrec_module.data_begin, end - address, kind);
	return end - address;
}

/* Counts what lies at `address`; returns how many bytes that were. */
static size_t count_at(
	struct llrec_thread *thread, uintptr_t address, size_t size_bytes, enum llrec_kind kind)
{
	uint32_t index = llrec_object_at(address);
	if (!index && llrec_settings.globals && llrec_module_has_data(address)) {
		index = llrec_object_global(address);
		if (!index) {
			thread->tally.lost[LLREC_LOST_GLOBALS]++;
			return size_bytes;
		}
	}
	if (!index)
		return ((size_t)1 << LLREC_SLOT_BITS) -
		       (address & (((size_t)1 << LLREC_SLOT_BITS) - 1));
	return llrec_objects[index].class_index == LLREC_GLOBALS
		       ? count_global(thread, index, address, size_bytes, kind)
		       : count_piece(thread, index, address, size_bytes, kind);
}

__attribute__((noinline)) static void record_bytes(
	struct llrec_thread *thread, uintptr_t address, size_t size_bytes, enum llrec_kind kind)
{
	while (size_bytes) {
		size_t done = count_at(thread, address, size_bytes, kind);
		if (done >= size_bytes)
			return;
		address += done;
		size_bytes -= done;
	}
}

/* Most are within one object that lies in no other. */
__attribute__((always_inline)) static inline void record(struct llrec_thread *thread,
	uint32_t index, uintptr_t address, size_t size_bytes, enum llrec_kind kind)
{
	const struct llrec_object *object = &llrec_objects[index];
	bool is_simple = index && !object->parent &&
			 address - object->begin < object->end - object->begin &&
			 size_bytes <= object->end - address;
	if (LLREC_LIKELY(is_simple))
		count_access(thread, index, address - object->base, size_bytes, kind);
	else
		record_bytes(thread, address, size_bytes, kind);
}

/* ---- marks ---- */

static void set_role(struct llrec_thread *thread, unsigned role)
{
	llrec_thread_end_operation(thread);
	thread->role = role;
}

static void begin_operation(struct llrec_thread *thread)
{
	llrec_thread_end_operation(thread);
	llrec_thread_settle(thread);
	if (LLREC_UNLIKELY(!thread->has_actor[thread->role]))
		llrec_thread_actor(thread);
	thread->tally.operations[thread->role]++;
	thread->is_in_operation = true;
}

static void perform(struct llrec_thread *thread, const struct llrec_pending *what)
{
	switch ((enum llrec_mark)what->mark) {
	case LLREC_MARK_ACCESS:
		record(thread, what->object, what->address, what->size_bytes,
			(enum llrec_kind)what->kind);
		break;
	case LLREC_MARK_ROLE:
		set_role(thread, what->role);
		break;
	case LLREC_MARK_OPERATION:
		begin_operation(thread);
		break;
	case LLREC_MARK_OPERATION_END:
		llrec_thread_end_operation(thread);
		break;
	}
}

/* ---- from hooks and handlers ---- */

/* A handler has interrupted the recorder: it notes what it has for whom it interrupted. */
__attribute__((noinline)) static void wait_for_thread(
	struct llrec_thread *thread, const struct llrec_pending *what)
{
	uint32_t at = __atomic_fetch_add(&thread->pending_count, 1, __ATOMIC_RELAXED);
	if (at < LLREC_PENDING)
		thread->pending[at] = *what;
}

static inline bool is_stopped(void)
{
	return LLREC_UNLIKELY(__atomic_load_n(&llrec_is_stopped, __ATOMIC_RELAXED));
}

__attribute__((noinline)) static void perform_pending(struct llrec_thread *thread)
{
	uint32_t done = 0, count;
	do {
		count = __atomic_load_n(&thread->pending_count, __ATOMIC_RELAXED);
		COMPILER_BARRIER();
		for (; done < count; done++)
			if (is_stopped())
				continue;
			else if (done < LLREC_PENDING)
				perform(thread, &thread->pending[done]);
			else
				thread->tally.lost[LLREC_LOST_SIGNALS]++;
	} while (!__atomic_compare_exchange_n(
		&thread->pending_count, &count, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

/* Whoever stops all threads stores that they are stopped, then looks who is busy; here it is the other way round. */
static inline void enter(struct llrec_thread *thread)
{
	__atomic_store_n(&thread->is_busy, 1, __ATOMIC_RELAXED);
	COMPILER_BARRIER();
}

/* What handlers noted before the thread was no longer busy. */
__attribute__((noinline)) static void perform_left(struct llrec_thread *thread)
{
	do {
		enter(thread);
		perform_pending(thread);
		COMPILER_BARRIER();
		__atomic_store_n(&thread->is_busy, 0, __ATOMIC_RELEASE);
		COMPILER_BARRIER();
	} while (__atomic_load_n(&thread->pending_count, __ATOMIC_RELAXED));
}

static inline void leave(struct llrec_thread *thread)
{
	COMPILER_BARRIER();
	__atomic_store_n(&thread->is_busy, 0, __ATOMIC_RELEASE);
	COMPILER_BARRIER();
	if (LLREC_UNLIKELY(__atomic_load_n(&thread->pending_count, __ATOMIC_RELAXED)))
		perform_left(thread);
}

__attribute__((noinline)) static void perform_or_wait(const struct llrec_pending *what)
{
	struct llrec_thread *thread = llrec_self ? llrec_self : llrec_thread_start();
	if (!thread)
		return;
	if (thread->is_busy) {
		wait_for_thread(thread, what);
		return;
	}
	enter(thread);
	if (!is_stopped())
		perform(thread, what);
	leave(thread);
}

void llrec_access_found(uint32_t object, uintptr_t address, size_t size_bytes, enum llrec_kind kind)
{
	struct llrec_thread *thread = llrec_self;
	if (LLREC_UNLIKELY(!thread || thread->is_busy)) {
		struct llrec_pending what = {
			.address = address,
			.size_bytes = (uint32_t)size_bytes,
			.object = object,
			.mark = LLREC_MARK_ACCESS,
			.kind = (uint8_t)kind,
		};
		perform_or_wait(&what);
		return;
	}
	enter(thread);
	if (!is_stopped())
		record(thread, object, address, size_bytes, kind);
	leave(thread);
}

/* Replaced functions come here too, and the recorder calls them itself. */
void llrec_access_range(uintptr_t address, size_t size_bytes, enum llrec_kind kind)
{
	if (llrec_has_lock)
		return;
	for (uintptr_t at = address, end = address + size_bytes; at < end;) {
		size_t piece = end - at < LLREC_SIZE_MAX ? end - at : LLREC_SIZE_MAX;
		if (llrec_object_any(at, piece) || llrec_module_has_data(at))
			llrec_access_found(llrec_object_at(at), at, piece, kind);
		at += piece;
	}
}

void llrec_mark(enum llrec_mark mark, unsigned role)
{
	struct llrec_pending what = {.role = role, .mark = (uint8_t)mark};
	perform_or_wait(&what);
}

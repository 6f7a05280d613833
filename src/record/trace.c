#include "record/trace.h"

#include <limits.h>
#include <string.h>

#include "record/file.h"
#include "record/module.h"
#include "record/object.h"
#include "record/os.h"
#include "record/settings.h"

enum {
	VERSION = 1,
	THREADS = 1 << 16,
	OBJECTS = 1 << 20,
	OFFSET_MAX = 1 << 22,
	BEGINS = 128,
	OVERRUN = 1,
	HEADER_BYTES = 64,
};

struct event { /* as in the file, on a little-endian machine */
	uint16_t thread;
	uint8_t kind; /* enum llrec_kind, + BEGINS */
	uint8_t zero;
	uint32_t object;
	uint32_t off_bytes;
	uint32_t size_bytes; /* 0: not written yet */
};

struct trace {
	struct event *events; /* NULL: none yet */
	uintptr_t *objects;   /* addresses by number */
	uint32_t object_count;
	bool is_written;
	/* All threads draw from it; may exceed the limit: those were not kept. */
	uint64_t event_count __attribute__((aligned(64)));
};

static struct trace traces[LLREC_CLASSES];
static uint8_t *roles; /* by thread: what it has mostly done */
static uint64_t *role_operations;
static bool has_left_out; /* accesses that no trace can hold */

/* ---- recording ---- */

static bool begin_locked(struct trace *trace)
{
	if (!trace->events) {
		trace->objects = llrec_map(OBJECTS * sizeof(*trace->objects));
		struct event *events = llrec_map(llrec_settings.trace_events * sizeof(*events));
		if (trace->objects && events)
			__atomic_store_n(&trace->events, events, __ATOMIC_RELEASE);
	}
	return trace->events;
}

static bool begin(struct trace *trace)
{
	sigset_t mask;
	llrec_lock(&mask);
	bool is_fine = begin_locked(trace);
	llrec_unlock(&mask);
	return is_fine;
}

/* 1 + the number of the object; 0: too many. */
static uint32_t object_number(struct trace *trace, struct llrec_object *object)
{
	uint32_t number = __atomic_load_n(&object->trace_number, __ATOMIC_RELAXED);
	if (number)
		return number;
	sigset_t mask;
	llrec_lock(&mask);
	if (!object->trace_number && trace->object_count < OBJECTS) {
		trace->objects[trace->object_count] = object->begin;
		__atomic_store_n(&object->trace_number, ++trace->object_count, __ATOMIC_RELAXED);
	}
	number = object->trace_number;
	llrec_unlock(&mask);
	return number;
}

void llrec_trace_access(struct llrec_thread *thread, uint32_t object, uint64_t key, bool begins)
{
	struct trace *trace = &traces[llrec_key_class(key)];
	if (LLREC_UNLIKELY(!__atomic_load_n(&trace->events, __ATOMIC_ACQUIRE)) && !begin(trace))
		return;
	uint32_t number = object_number(trace, &llrec_objects[object]);
	uint64_t offset = llrec_key_offset(key);
	if (!number || thread->number >= THREADS || offset + llrec_key_size(key) > OFFSET_MAX) {
		__atomic_store_n(&has_left_out, true, __ATOMIC_RELAXED);
		return;
	}
	uint64_t at = __atomic_fetch_add(&trace->event_count, 1, __ATOMIC_RELAXED);
	if (at >= llrec_settings.trace_events)
		return;
	struct event *event = &trace->events[at];
	event->thread = (uint16_t)thread->number;
	event->kind = (uint8_t)(llrec_key_kind(key) | (begins ? BEGINS : 0));
	event->object = number - 1;
	event->off_bytes = (uint32_t)offset;
	event->size_bytes = llrec_key_size(key);
}

void llrec_trace_thread_locked(const struct llrec_thread *thread)
{
	if (!*llrec_settings.trace || thread->number >= THREADS)
		return;
	if (!roles) {
		roles = llrec_map(THREADS * sizeof(*roles));
		role_operations = llrec_map(THREADS * sizeof(*role_operations));
	}
	if (!roles || !role_operations)
		return;
	for (unsigned i = 0; i < LLREC_ROLES; i++)
		if (thread->tally.operations[i] > role_operations[thread->number]) {
			role_operations[thread->number] = thread->tally.operations[i];
			roles[thread->number] = (uint8_t)i;
		}
}

/* ---- the file ---- */

static void put_number(struct llrec_file *file, uint64_t number, size_t bytes)
{
	unsigned char little[8];
	for (size_t i = 0; i < bytes; i++)
		little[i] = (unsigned char)(number >> 8 * i);
	llrec_file_put(file, little, bytes);
}

/* The name of the struct, or where its tag is. */
static void name_of(const struct llrec_class *class, char *ret, size_t capacity)
{
	static const char digits[] = "0123456789abcdef";
	if (class->name) {
		llrec_append(ret, 0, capacity, class->name);
		return;
	}
	uintptr_t address = (uintptr_t) class->tag - llrec_module.bias;
	char hex[2 * sizeof(address) + 1];
	size_t at = sizeof(hex);
	hex[--at] = '\0';
	do
		hex[--at] = digits[address & 15];
	while (address >>= 4);
	size_t length = llrec_append(ret, 0, capacity, "@0x");
	llrec_append(ret, length, capacity, hex + at);
}

static size_t role_bytes(void)
{
	size_t bytes = 0;
	for (unsigned i = 0; i < llrec_role_count; i++)
		bytes += 4 + strlen(llrec_roles[i].name);
	return bytes;
}

/* Numbers the threads that are in it from 0; returns how many. `numbers`: 1 + the new number. */
static uint32_t number_threads(
	const struct event *events, uint64_t count, uint32_t *numbers, uint16_t *threads)
{
	uint32_t found = 0;
	for (uint64_t i = 0; i < count; i++)
		if (!numbers[events[i].thread]) {
			threads[found] = events[i].thread;
			numbers[events[i].thread] = ++found;
		}
	return found;
}

static void put_build_id(struct llrec_file *file)
{
	for (const char *at = llrec_module.build_id; *at; at += 2) {
		unsigned high = (unsigned)(at[0] <= '9' ? at[0] - '0' : at[0] - 'a' + 10);
		unsigned low = (unsigned)(at[1] <= '9' ? at[1] - '0' : at[1] - 'a' + 10);
		put_number(file, high << 4 | low, 1);
	}
}

static void put_header(struct llrec_file *file, const struct llrec_class *class,
	const struct trace *trace, uint64_t event_count, uint32_t thread_count, bool has_overrun)
{
	char name[LLREC_NAME_MAX];
	name_of(class, name, sizeof(name));
	size_t build_id = strlen(llrec_module.build_id) / 2;
	size_t bytes = HEADER_BYTES + build_id + strlen(name) + role_bytes() +
		       4 * (size_t)thread_count + 8 * (size_t)trace->object_count;
	llrec_file_put(file, "\177LLTRACE", 8);
	put_number(file, VERSION, 2);
	put_number(file, has_overrun ? OVERRUN : 0, 2);
	put_number(file, (bytes + 7) / 8 * 8, 4);
	put_number(file, event_count, 8);
	put_number(file, class->type_bytes, 8);
	put_number(file, thread_count, 4);
	put_number(file, llrec_role_count, 4);
	put_number(file, trace->object_count, 4);
	put_number(file, build_id, 4);
	put_number(file, strlen(name), 4);
	put_number(file, 0, 8);
	put_number(file, 0, 4);
	put_build_id(file);
	llrec_file_text(file, name);
}

static void put_tables(struct llrec_file *file, const struct trace *trace, const uint16_t *threads,
	uint32_t thread_count)
{
	for (unsigned i = 0; i < llrec_role_count; i++) {
		put_number(file, strlen(llrec_roles[i].name), 4);
		llrec_file_text(file, llrec_roles[i].name);
	}
	for (uint32_t i = 0; i < thread_count; i++)
		put_number(file, roles ? roles[threads[i]] : 0, 4);
	for (uint32_t i = 0; i < trace->object_count; i++)
		put_number(file, trace->objects[i], 8);
	size_t tables = strlen(llrec_module.build_id) / 2 + role_bytes() +
			4 * (size_t)thread_count + 8 * (size_t)trace->object_count;
	char name[LLREC_NAME_MAX];
	name_of(&llrec_classes[trace - traces], name, sizeof(name));
	put_number(file, 0, (8 - (tables + strlen(name)) % 8) % 8);
}

static void put_events(struct llrec_file *file, const struct event *events, uint64_t count,
	const uint32_t *numbers)
{
	for (uint64_t i = 0; i < count; i++) {
		put_number(file, numbers[events[i].thread] - 1, 2);
		put_number(file, events[i].kind, 1);
		put_number(file, 0, 1);
		put_number(file, events[i].object, 4);
		put_number(file, events[i].off_bytes, 4);
		put_number(file, events[i].size_bytes, 4);
	}
}

static void suffix_of(unsigned class_index, char *ret, size_t capacity)
{
	size_t length = llrec_append(ret, 0, capacity, ".");
	length = llrec_append_number(ret, length, capacity, class_index);
	llrec_append(ret, length, capacity, ".trace");
}

static bool write_trace(unsigned class_index, uint32_t *numbers, uint16_t *threads)
{
	static struct llrec_file file;
	struct trace *trace = &traces[class_index];
	uint64_t count = trace->event_count;
	bool has_overrun = has_left_out || count > llrec_settings.trace_events;
	if (count > llrec_settings.trace_events)
		count = llrec_settings.trace_events;
	/* A thread that could not be stopped may have drawn a place and not used it. */
	for (uint64_t i = 0; i < count; i++)
		if (!trace->events[i].size_bytes) {
			count = i;
			has_overrun = true;
		}
	if (!count)
		return false;
	uint32_t thread_count = number_threads(trace->events, count, numbers, threads);
	char suffix[32];
	suffix_of(class_index, suffix, sizeof(suffix));
	llrec_file_open(&file, "LINELINT_RECORD_TRACE", llrec_settings.trace, suffix);
	put_header(&file, &llrec_classes[class_index], trace, count, thread_count, has_overrun);
	put_tables(&file, trace, threads, thread_count);
	put_events(&file, trace->events, count, numbers);
	return llrec_file_close(&file);
}

void llrec_traces_write(void)
{
	uint16_t *threads = llrec_map(THREADS * sizeof(*threads));
	for (unsigned i = 0; threads && i < llrec_class_count; i++) {
		uint32_t *numbers = traces[i].events ? llrec_map(THREADS * sizeof(*numbers)) : NULL;
		traces[i].is_written = numbers && write_trace(i, numbers, threads);
		llrec_unmap(numbers, THREADS * sizeof(*numbers));
	}
	llrec_unmap(threads, THREADS * sizeof(*threads));
}

bool llrec_trace_file(unsigned class_index, const char **ret)
{
	static char name[PATH_MAX];
	char suffix[32];
	if (!traces[class_index].is_written)
		return false;
	suffix_of(class_index, suffix, sizeof(suffix));
	llrec_expand_pid(llrec_settings.trace, name, sizeof(name));
	llrec_append(name, strlen(name), sizeof(name), suffix);
	*ret = name;
	return true;
}

void llrec_traces_forget_locked(void)
{
	for (unsigned i = 0; i < LLREC_CLASSES; i++) {
		llrec_unmap(
			traces[i].events, llrec_settings.trace_events * sizeof(*traces[i].events));
		llrec_unmap(traces[i].objects, OBJECTS * sizeof(*traces[i].objects));
		traces[i] = (struct trace){0};
	}
	llrec_unmap(roles, THREADS * sizeof(*roles));
	llrec_unmap(role_operations, THREADS * sizeof(*role_operations));
	roles = NULL;
	role_operations = NULL;
	has_left_out = false;
}

#include "record/output.h"

#include "record/class.h"
#include "record/file.h"
#include "record/module.h"
#include "record/object.h"
#include "record/settings.h"
#include "record/trace.h"

enum { VERSION = 1, LINE_BYTES = 64 };

static struct llrec_file file;
static uint64_t lines;

/* ---- words ---- */

static void word(const char *text)
{
	llrec_file_text(&file, text);
}

static void number(uint64_t value)
{
	word(" ");
	llrec_file_number(&file, value);
}

static void named(const char *name, uint64_t value)
{
	word(" ");
	word(name);
	number(value);
}

static void address(uintptr_t value)
{
	word(" ");
	llrec_file_hex(&file, value - llrec_module.bias);
}

static void name(const char *text)
{
	word(" ");
	llrec_file_word(&file, text);
}

static void class_number(unsigned class_index)
{
	if (class_index == LLREC_GLOBALS)
		word(" g");
	else
		number(class_index);
}

static void end_line(void)
{
	word("\n");
	lines++;
}

static const char *kind_name(enum llrec_kind kind)
{
	static const char *const names[] = {"r", "w", "x", "?"};
	return names[kind];
}

/* ---- lines ---- */

static void put_head(void)
{
	word("linelint-record");
	number(VERSION);
	end_line();
	if (*llrec_module.build_id) {
		word("build-id ");
		word(llrec_module.build_id);
		end_line();
	}
	word("program");
	name(llrec_module.name);
	end_line();
}

static void put_roles(const struct llrec_tally *tally)
{
	for (unsigned i = 0; i < llrec_role_count; i++) {
		word("role");
		number(i);
		name(llrec_roles[i].name);
		named("threads", llrec_roles[i].threads);
		named("operations", tally->operations[i]);
		end_line();
	}
}

static void put_class(unsigned class_index)
{
	const struct llrec_class *class = &llrec_classes[class_index];
	word("class");
	class_number(class_index);
	word(class->name ? " name" : " tag");
	if (class->name)
		name(class->name);
	else
		address((uintptr_t) class->tag);
	named("size", class->type_bytes);
	named("objects", class->objects);
	named("shared", class->shared);
	named("threads-max", class->threads_max);
	end_line();
}

/* Neighbours of one line that are both shared, or both not, are one. */
static struct {
	uintptr_t begin, end;
	bool is_shared;
} run;

static void put_run(void)
{
	if (run.begin == run.end)
		return;
	word("global g");
	address(run.begin);
	named("bytes", run.end - run.begin);
	named("shared", run.is_shared);
	end_line();
}

static void add_global(const struct llrec_object *object)
{
	bool is_shared = object->users.several != 0;
	bool is_next = object->begin == run.end && object->begin % LINE_BYTES &&
		       is_shared == run.is_shared;
	if (!is_next) {
		put_run();
		run.begin = object->begin;
		run.is_shared = is_shared;
	}
	run.end = object->end;
}

static void put_globals(void)
{
	llrec_objects_visit_locked(
		llrec_module.data_begin, llrec_module.data_end, LLREC_GLOBALS, add_global);
	put_run();
}

static void put_threads(unsigned class_index)
{
	const struct llrec_class *class = &llrec_classes[class_index];
	for (unsigned i = 0; i < llrec_role_count; i++) {
		if (!class->role_threads_max[i])
			continue;
		word("threads");
		class_number(class_index);
		number(i);
		number(class->role_threads_max[i]);
		end_line();
	}
}

static void put_offset(uint64_t key)
{
	if (llrec_key_class(key) == LLREC_GLOBALS)
		llrec_file_hex(
			&file, llrec_module.data_begin - llrec_module.bias + llrec_key_offset(key));
	else
		llrec_file_number(&file, llrec_key_offset(key));
}

/* Those within operations, or outside. */
static void put_counters(const struct llrec_tally *tally, const char *what, bool is_outside)
{
	for (size_t i = 0; i < tally->used; i++) {
		uint64_t key = tally->counters[i].key;
		if (llrec_key_kind(key) == LLREC_OTHER || llrec_key_is_outside(key) != is_outside)
			continue;
		word(what);
		class_number(llrec_key_class(key));
		number(llrec_key_role(key));
		word(" ");
		word(kind_name(llrec_key_kind(key)));
		word(" ");
		put_offset(key);
		number(llrec_key_size(key));
		number(tally->counters[i].count);
		end_line();
	}
}

static void put_sequence(const struct llrec_sequence *sequence)
{
	word("operation");
	class_number(llrec_key_class(*sequence->keys));
	number(llrec_key_role(*sequence->keys));
	number(sequence->count);
	for (uint32_t i = 0; i < sequence->length; i++) {
		word(" ");
		word(kind_name(llrec_key_kind(sequence->keys[i])));
		word(":");
		put_offset(sequence->keys[i]);
		word(":");
		llrec_file_number(&file, llrec_key_size(sequence->keys[i]));
	}
	end_line();
}

static void put_other(uint64_t group_key, uint64_t count)
{
	word("other");
	class_number(llrec_key_class(group_key));
	number(llrec_key_role(group_key));
	number(count);
	end_line();
}

static uint64_t group_of(uint64_t key)
{
	return llrec_key(llrec_key_class(key), llrec_key_role(key), LLREC_OTHER, 0, 0);
}

static void put_sequences(const struct llrec_tally *tally)
{
	uint64_t group = 0;
	size_t in_group = 0;
	for (size_t i = 0; i < tally->sequence_count; i++) {
		const struct llrec_sequence *sequence = &tally->sequences[i];
		in_group = group_of(*sequence->keys) == group ? in_group + 1 : 0;
		group = group_of(*sequence->keys);
		if (in_group < LLREC_SEQUENCES_KEPT)
			put_sequence(sequence);
	}
}

/* The counters are sorted. */
static uint64_t find_count(const struct llrec_tally *tally, uint64_t key)
{
	size_t low = 0, high = tally->used;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (tally->counters[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low < tally->used && tally->counters[low].key == key ? tally->counters[low].count
								    : 0;
}

/* Operations of which the sequence was not kept by its thread, or is not among the most frequent. */
static void put_others(const struct llrec_tally *tally)
{
	size_t at = 0;
	for (unsigned class_index = 0; class_index < llrec_class_count; class_index++)
		for (unsigned role = 0; role < llrec_role_count; role++) {
			uint64_t group = llrec_key(class_index, role, LLREC_OTHER, 0, 0);
			uint64_t count = find_count(tally, group);
			size_t in_group = 0;
			for (; at < tally->sequence_count &&
				group_of(*tally->sequences[at].keys) == group;
				at++)
				if (in_group++ >= LLREC_SEQUENCES_KEPT)
					count += tally->sequences[at].count;
			if (count)
				put_other(group, count);
		}
}

static void put_lost(const struct llrec_tally *tally)
{
	static const char *const names[] = {
		[LLREC_LOST_COUNTERS] = "counters",
		[LLREC_LOST_SIGNALS] = "signals",
		[LLREC_LOST_THREADS] = "threads",
		[LLREC_LOST_OBJECTS] = "objects",
		[LLREC_LOST_OVERLAPS] = "overlaps",
		[LLREC_LOST_CLASSES] = "classes",
		[LLREC_LOST_ROLES] = "roles",
		[LLREC_LOST_GLOBALS] = "globals",
		[LLREC_LOST_OFFSETS] = "offsets",
	};
	for (unsigned i = 0; i < LLREC_LOST_COUNT; i++) {
		if (!tally->lost[i])
			continue;
		word("saturated ");
		word(names[i]);
		number(tally->lost[i]);
		end_line();
	}
}

static void put_traces(void)
{
	const char *path;
	for (unsigned i = 0; i < llrec_class_count; i++)
		if (llrec_trace_file(i, &path)) {
			word("trace");
			number(i);
			name(path);
			end_line();
		}
}

void llrec_output_write(const struct llrec_tally *tally)
{
	llrec_file_open(&file, "LINELINT_RECORD", llrec_settings.file, "");
	put_head();
	put_roles(tally);
	for (unsigned i = 0; i < llrec_class_count; i++)
		put_class(i);
	put_globals();
	for (unsigned i = 0; i < llrec_class_count; i++)
		put_threads(i);
	put_threads(LLREC_GLOBALS);
	put_counters(tally, "count", false);
	put_sequences(tally);
	put_others(tally);
	put_counters(tally, "outside", true);
	put_lost(tally);
	put_traces();
	uint64_t before = lines;
	word("end");
	number(before);
	end_line();
	llrec_file_close(&file);
}

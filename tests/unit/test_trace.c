/* Traces: both forms read alike, and whatever is wrong with one is an error that says what to do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "import/trace.h"

static struct arena arena;
static struct types types;
static struct layout layout, open_ended;
static struct trace_target target;

/* struct pair { long count; int flags; char tail[4]; } and the same with tail[] */
static void lay_out(uint64_t elements, struct layout *ret)
{
	type_id base[3];
	static const char *const names[] = {"char", "int", "long"};
	static const uint64_t sizes[] = {1, 4, 8};
	for (size_t i = 0; i < 3; i++)
		base[i] = types_add(&types, &(struct type){.kind = TYPE_BASE,
						    .name = names[i],
						    .size_bytes = sizes[i],
						    .size_known = true});
	type_id array = types_add(
		&types, &(struct type){.kind = TYPE_ARRAY,
				.target = base[0],
				.dims = arena_copy(&arena, &elements, 1, sizeof(elements)),
				.dim_count = 1});
	const struct type_member members[] = {
		{.name = "count", .type = base[2], .off_bits = 0},
		{.name = "flags", .type = base[1], .off_bits = 64},
		{.name = "tail", .type = array, .off_bits = 96},
	};
	type_id type = types_add(
		&types, &(struct type){.kind = TYPE_STRUCT,
				.name = "pair",
				.size_bytes = 16,
				.size_known = true,
				.members = arena_copy(&arena, members, 3, sizeof(members[0])),
				.member_count = 3});
	assert_null(layout_build(&arena, &types, type, "pair", 64, ret));
}

static int setup(void **state)
{
	(void)state;
	arena_init(&arena);
	types_init(
		&types, &arena, (struct type_machine){.pointer_bytes = 8, .scalar_align_max = 16});
	lay_out(4, &layout);
	lay_out(TYPE_NO_COUNT, &open_ended);
	target = (struct trace_target){
		.layout = &layout,
		.qualified_name = "ns::pair",
		.binary = "x.o",
		.build_id = "0123abcd",
	};
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

/* ---- the binary form ---- */

static void put(struct buf *buf, uint64_t value, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		buf_putc(buf, (char)(value >> (8 * i) & 0xff));
}

static void put_event(struct buf *buf, unsigned thread, unsigned bits, unsigned object,
	uint32_t off, uint32_t size)
{
	put(buf, thread, 2);
	put(buf, bits, 1);
	put(buf, 0, 1);
	put(buf, object, 4);
	put(buf, off, 4);
	put(buf, size, 4);
}

/* Two threads (a reader, one that works), two objects, three accesses. */
static void binary(struct buf *buf)
{
	buf_init(buf);
	buf_add(buf, "\x7fLLTRACE", 8);
	put(buf, 1, 2);   /* 8: version */
	put(buf, 0, 2);   /* 10: flags */
	put(buf, 120, 4); /* 12: where the accesses begin */
	put(buf, 3, 8);   /* 16: how many they are */
	put(buf, 16, 8);  /* 24: size of the struct */
	put(buf, 2, 4);   /* 32: threads */
	put(buf, 2, 4);   /* 36: roles */
	put(buf, 2, 4);   /* 40: objects */
	put(buf, 4, 4);   /* 44: build-id */
	put(buf, 4, 4);   /* 48: name */
	buf_pad(buf, '\0', 12);
	buf_add(buf, "\x01\x23\xab\xcd", 4); /* 64 */
	buf_add(buf, "pair", 4);
	put(buf, 6, 4); /* 72 */
	buf_add(buf, "reader", 6);
	put(buf, 4, 4); /* 82 */
	buf_add(buf, "work", 4);
	put(buf, 0, 4); /* 90 */
	put(buf, 1, 4);
	put(buf, 0x1000, 8); /* 98 */
	put(buf, 0x1010, 8); /* 106 */
	buf_pad(buf, '\0', 6);
	put_event(buf, 0, 0x80, 0, 0, 8); /* 120 */
	put_event(buf, 1, 0x82, 1, 8, 4);
	put_event(buf, 1, 1, 1, 12, 1);
}

static struct error *parse(const char *bytes, size_t length, struct trace *ret)
{
	return trace_parse(&arena, "t", bytes, length, &target, ret);
}

/* Both forms of the same recording come to this. */
static void check_good(const struct trace *trace)
{
	assert_int_equal(trace->role_count, 2);
	assert_string_equal(trace->roles[0], "reader");
	assert_string_equal(trace->roles[1], "work");
	assert_int_equal(trace->thread_count, 2);
	assert_int_equal(trace->thread_roles[0], 0);
	assert_int_equal(trace->thread_roles[1], 1);
	assert_int_equal(trace->object_count, 2);
	assert_int_equal(trace->objects[0], 0x1000);
	assert_int_equal(trace->objects[1], 0x1010);
	assert_int_equal(trace->event_count, 3);
	assert_int_equal(trace->operations, 2);
	const struct trace_event *events = trace->events;
	assert_int_equal(events[0].kind, ACCESS_READ);
	assert_true(events[0].begins && events[1].begins && !events[2].begins);
	assert_true(events[0].off_bytes == 0 && events[0].size_bytes == 8 && events[0].object == 0);
	assert_int_equal(events[1].kind, ACCESS_RMW);
	assert_true(events[1].off_bytes == 8 && events[1].size_bytes == 4 && events[1].object == 1);
	assert_int_equal(events[2].kind, ACCESS_WRITE);
	assert_true(
		events[2].off_bytes == 12 && events[2].size_bytes == 1 && events[2].thread == 1);
}

static void binary_is_read(void **state)
{
	(void)state;
	struct buf buf;
	struct trace trace;
	binary(&buf);
	struct error *error = parse(buf.data, buf.length, &trace);
	if (error)
		fail_msg("%s", error->message);
	check_good(&trace);
	assert_false(trace.is_incomplete);
	buf.data[10] = 1;
	assert_null(parse(buf.data, buf.length, &trace));
	assert_true(trace.is_incomplete);
	buf_release(&buf);
}

/* A copy on the heap, so that a sanitizer sees what is read behind it. */
static struct error *parse_exactly(const char *bytes, size_t length)
{
	struct trace trace;
	char *copy = malloc(length ? length : 1);
	assert_non_null(copy);
	memcpy(copy, bytes, length);
	struct error *error = parse(copy, length, &trace);
	free(copy);
	return error;
}

static void truncated_is_an_error(void **state)
{
	(void)state;
	struct buf buf;
	binary(&buf);
	for (size_t length = 0; length < buf.length; length++) {
		struct error *error = parse_exactly(buf.data, length);
		if (!error)
			fail_msg("%zu of %zu bytes are taken for a trace", length, buf.length);
		error_free(error);
	}
	buf_putc(&buf, 0);
	struct error *error = parse_exactly(buf.data, buf.length);
	assert_non_null(error);
	error_free(error);
	buf_release(&buf);
}

/* Each byte set to each of some values: an error or a trace, never anything else. */
static void damaged_never_crashes(void **state)
{
	(void)state;
	static const unsigned char values[] = {0, 1, 2, 3, 7, 0x7f, 0x80, 0xfe, 0xff};
	struct buf buf;
	binary(&buf);
	for (size_t i = 0; i < buf.length; i++) {
		char before = buf.data[i];
		for (size_t k = 0; k < sizeof(values); k++) {
			buf.data[i] = (char)values[k];
			error_free(parse_exactly(buf.data, buf.length));
		}
		buf.data[i] = before;
	}
	buf_release(&buf);
}

static void assert_error(struct error *error, const char *part)
{
	if (!error)
		fail_msg("no error; expected '%s'", part);
	if (!strstr(error->message, part))
		fail_msg("'%s' does not say '%s'", error->message, part);
	assert_null(strchr(error->message, '\n'));
	error_free(error);
}

static void binary_errors(void **state)
{
	(void)state;
	static const struct {
		size_t at;
		unsigned char value;
		const char *says;
	} cases[] = {
		{8, 2, "of version 2; this linelint reads version 1"},
		{12, 0, "says that its header has 0 bytes"},
		{16, 4, "truncated: 3 of 4 accesses are there; copy it again"},
		{16, 2, "more bytes than its 2 accesses need"},
		{23, 0x7f, "expected 1 to 33554432"},
		{24, 24, "a 'pair' of 24 bytes, in x.o it has 16; record again"},
		{32, 0, "says that it has 0 threads"},
		{38, 1, "roles; expected 1 to"},
		{43, 1, "objects; expected 1 to"},
		{44, 65, "a build-id of 65 bytes"},
		{48, 0, "the name of its struct is none"},
		{64, 2, "recorded from another build (0223abcd) than x.o (0123abcd)"},
		{68, 'f', "a recording of 'fair', not of 'ns::pair'"},
		{90, 2, "thread 0 has role 2 of 2"},
		{120, 2, "access 0: of a thread that is not in the table"},
		{122, 3, "access 0: neither read, write nor rmw"},
		{122, 4, "access 0: neither read, write nor rmw"},
		{124, 2, "access 0: to an object that is not in the table"},
		{128, 9, "reaches up to byte 17 of a struct of 16"},
		{132, 0, "an access of 0 bytes"},
		{135, 0xff, "at most 4194304 can be replayed"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf buf;
		binary(&buf);
		buf.data[cases[i].at] = (char)cases[i].value;
		assert_error(parse_exactly(buf.data, buf.length), cases[i].says);
		buf_release(&buf);
	}
}

static void builds(void **state)
{
	(void)state;
	struct buf buf;
	struct trace trace;
	binary(&buf);
	target.build_id = NULL;
	assert_error(parse(buf.data, buf.length, &trace), "x.o has no build-id; link with");
	target.build_id = "0123abcd";
	buf_release(&buf);
}

static void no_operation(void **state)
{
	(void)state;
	struct buf buf;
	struct trace trace;
	binary(&buf);
	buf.data[122] = 0;
	buf.data[138] = 2;
	assert_error(parse(buf.data, buf.length, &trace), "no access begins an operation");
	buf_release(&buf);
}

/* ---- text ---- */

static struct error *parse_text(const char *text, struct trace *ret)
{
	return parse(text, strlen(text), ret);
}

static void text_is_read(void **state)
{
	(void)state;
	struct trace trace;
	struct error *error = parse_text("# by hand\n"
					 "linelint-trace 1\n"
					 "struct pair 16\n"
					 "build-id 0123abcd\n"
					 "thread 0 reader\n"
					 "thread 1 work\n"
					 "object 0 0x1000\n"
					 "object 1 4112\n"
					 "\n"
					 "0 op r count 0   # the first\n"
					 "1\top x flags 1\r\n"
					 "1 . w 0xc:1 1",
		&trace);
	if (error)
		fail_msg("%s", error->message);
	check_good(&trace);
	error = parse_text("linelint-trace 1\nstruct ns::pair\n3 op w tail\n0 op r 12\n0 . r "
			   "tail:4\n",
		&trace);
	if (error)
		fail_msg("%s", error->message);
	assert_int_equal(trace.thread_count, 4);
	assert_int_equal(trace.role_count, 1);
	assert_string_equal(trace.roles[0], "all");
	assert_int_equal(trace.object_count, 1);
	assert_int_equal(trace.objects[0], 0);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(trace.events[i].off_bytes, 12);
		assert_int_equal(trace.events[i].size_bytes, i < 2 ? 1 : 4);
	}
}

static void flexible_arrays_reach_behind(void **state)
{
	(void)state;
	struct trace trace;
	target.layout = &open_ended;
	assert_null(parse_text("linelint-trace 1\nstruct pair\n0 op w 4000:8\n", &trace));
	assert_error(parse_text("linelint-trace 1\nstruct pair\n0 op w 4194300:8\n", &trace),
		"at most 4194304 can be replayed");
	target.layout = &layout;
}

static void text_errors(void **state)
{
	(void)state;
#define START "linelint-trace 1\nstruct pair\n"
	static const struct {
		const char *text, *says;
	} cases[] = {
		{"", "t: empty; a trace is"},
		{"# nothing\n", "t: no line in it; expected 'linelint-trace 1'"},
		{"pair\n", "t:1: not a trace; expected its first line"},
		{"linelint-trace 2\n", "t:1: a trace of another version"},
		{"linelint-trace 1\n0 op r count\n", "t:2: an access before 'struct NAME'"},
		{"linelint-trace 1\nstruct pear\n", "t:2: a recording of 'pear', not of"},
		{"linelint-trace 1\nstruct pair 17\n", "t:2: recorded from a 'pair' of 17 bytes"},
		{"linelint-trace 1\nstruct pair x\n", "t:2: 'x' is no size"},
		{"linelint-trace 1\nstruct\n", "t:2: 1 word; expected 'struct NAME [BYTES]'"},
		{START "strict\n", "t:3: 'strict' is no word of a trace; expected struct"},
		{START "build-id 0123\n", "t:3: recorded from another build (0123)"},
		{START "build-id xyz\n", "t:3: 'xyz' is no build-id"},
		{START "thread 65536 a\n", "t:3: '65536' is no thread; expected a number from 0"},
		{START "thread -1 a\n", "t:3: '-1' is no thread"},
		{START "object 0 here\n", "t:3: 'here' is no address"},
		{START "0 op r count\nthread 0 a\n", "t:4: 'thread' behind an access"},
		{START "0 op r\n", "t:3: 3 words; expected 'THREAD op|. r|w|x"},
		{START "0 op r count 0 0\n", "t:3: 6 words"},
		{START "0 op r count 0 0 0 0 0 0 0\n", "t:3: 11 words"},
		{START "0 begin r count\n", "t:3: 'begin' instead of op"},
		{START "0 op rw count\n", "t:3: 'rw' is no kind of access; expected r, w or x"},
		{START "0 op r cuont\n", "t:3: 'pair' has no field 'cuont'"},
		{START "0 op r 16\n", "t:3: reaches up to byte 17 of a struct of 16"},
		{START "0 op r 0:0\n", "t:3: an access of 0 bytes"},
		{START "0 op r 0:\n", "t:3: '' is no size"},
		{START "0 op r 99999999999999999999999\n", "t:3: '99999999999999999999999' is no "
							   "offset"},
		{START "0 op r count 1048576\n", "t:3: '1048576' is no object"},
		{START "0x op r count\n", "t:3: '0x' is no thread"},
		{START "0 . r count\n",
			"t:3: thread 0 goes on with an operation that it has not begun; write op"},
		{START "0 op r count\n1 op r count\n0 . r count\n2 . r count\n",
			"t:6: thread 2 goes on with an operation that it has not begun; write op"},
		{START, "t: no access begins an operation"},
		{START "struct pair 16\n", "t:3: a second 'struct'; a trace is of one"},
		{START "thread 0 a\nthread 0 a\nthread 0 b\n",
			"t:5: thread 0 is 'a' already; give it"},
		{START "object 1 0x10\nobject 1 16\nobject 1 0\n",
			"t:5: object 1 lies at 0x10 already"},
		{START, "t: no access begins an operation"},
	};
	struct trace trace;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_error(parse_text(cases[i].text, &trace), cases[i].says);
	assert_error(parse("linelint-trace 1\n\0", 18, &trace), "t: not a trace; a trace is");
	assert_error(parse("\x7f"
			   "ELF",
			     4, &trace),
		"t:1: not a trace");
}

static void files(void **state)
{
	(void)state;
	struct trace trace;
	char path[] = "trace-XXXXXX";
	struct buf buf;
	binary(&buf);
	int file = mkstemp(path);
	assert_true(file >= 0);
	assert_int_equal(write(file, buf.data, buf.length), (ssize_t)buf.length);
	close(file);
	struct error *error = trace_read(&arena, path, &target, &trace);
	unlink(path);
	assert_null(error);
	check_good(&trace);
	assert_error(trace_read(&arena, path, &target, &trace), "cannot be opened: No such file");
	assert_error(trace_read(&arena, "/", &target, &trace), "/: cannot be read: Is a directory");
	buf_release(&buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(binary_is_read),
		cmocka_unit_test(truncated_is_an_error),
		cmocka_unit_test(damaged_never_crashes),
		cmocka_unit_test(binary_errors),
		cmocka_unit_test(builds),
		cmocka_unit_test(no_operation),
		cmocka_unit_test(text_is_read),
		cmocka_unit_test(flexible_arrays_reach_behind),
		cmocka_unit_test(text_errors),
		cmocka_unit_test(files),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}

/* base: errors, buffers, arenas, interned strings, nearest names. */
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/mem.h"
#include "base/nearest.h"

static void errors_are_one_visible_line(void **state)
{
	(void)state;
	struct error *error = error_new("bad byte '%s'", "a\x1b[31m\nb");
	assert_string_equal(error->message, "bad byte 'a\\x1b[31m\\x0ab'");
	error = error_wrap(error, "%s:%d", "p.yaml", 14);
	assert_string_equal(error->message, "p.yaml:14: bad byte 'a\\x1b[31m\\x0ab'");
	error_free(error);
	error_free(NULL);
	error = error_new("%s", "");
	assert_string_equal(error->message, "");
	error_free(error);
}

static void visible_text_keeps_utf8_and_nothing_else(void **state)
{
	(void)state;
	struct buf buf;
	buf_init(&buf);
	buf_put_visible(&buf, "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
	assert_string_equal(buf.data, "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
	buf_clear(&buf);
	buf_put_visible(&buf, "\xc3|\xff|\xc0\xaf|\xed\xa0\x80|\xc2\x9b|\x7f|\xe2\x82");
	assert_string_equal(
		buf.data, "\\xc3|\\xff|\\xc0\\xaf|\\xed\\xa0\\x80|\\xc2\\x9b|\\x7f|\\xe2\\x82");
	assert_true(buf_is_visible(buf.data));
	buf_release(&buf);
	assert_string_equal(buf.data, "");
	assert_true(buf_is_visible(""));
	assert_true(buf_is_visible("caf\xc3\xa9"));
	assert_false(buf_is_visible("a\tb"));
	assert_false(buf_is_visible("caf\xc3"));
}

static void buffers_grow(void **state)
{
	(void)state;
	struct buf buf;
	buf_init(&buf);
	assert_string_equal(buf.data, "");
	for (int i = 0; i < 1000; i++)
		buf_printf(&buf, "%d,", i);
	buf_pad(&buf, '.', 3);
	buf_putc(&buf, '!');
	assert_int_equal(buf.length, 10 * 2 + 90 * 3 + 900 * 4 + 4);
	assert_int_equal(strlen(buf.data), buf.length);
	assert_string_equal(buf.data + buf.length - 8, "999,...!");
	buf_release(&buf);
}

static void arenas_zero_align_and_hand_over(void **state)
{
	(void)state;
	struct arena a, b;
	arena_init(&a);
	arena_init(&b);
	for (size_t size = 1; size < 100000; size = size * 3 + 1) {
		unsigned char *p = arena_new(&a, 1, size);
		assert_int_equal((uintptr_t)p % alignof(max_align_t), 0);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(p[i], 0);
		memset(p, 0xff, size);
	}
	const char *kept = arena_printf(&b, "%s-%d", "kept", 7);
	arena_absorb(&a, &b);
	assert_null(b.blocks);
	arena_release(&b);
	assert_string_equal(kept, "kept-7");
	const char *later = arena_strdup(&a, "later");
	assert_string_equal(later, "later");
	arena_absorb(&b, &a);
	assert_string_equal(kept, "kept-7");
	assert_null(arena_copy(&b, "x", 0, 1));
	size_t capacity = 0;
	int *numbers = NULL;
	for (int i = 0; i < 100; i++) {
		numbers = arena_grow(&b, numbers, &capacity, (size_t)i + 1, sizeof(*numbers));
		numbers[i] = i;
	}
	for (int i = 0; i < 100; i++)
		assert_int_equal(numbers[i], i);
	arena_release(&b);
}

static void equal_strings_are_one(void **state)
{
	(void)state;
	struct arena arena;
	struct intern intern;
	char name[16];
	arena_init(&arena);
	intern_init(&intern, &arena);
	const char *first = intern_get(&intern, "n7");
	for (int i = 0; i < 5000; i++) {
		snprintf(name, sizeof(name), "n%d", i);
		assert_string_equal(intern_get(&intern, name), name);
	}
	assert_ptr_equal(intern_get(&intern, "n7"), first);
	assert_int_equal(intern.count, 5000);
	intern_release(&intern);
	assert_string_equal(first, "n7");
	arena_release(&arena);
}

static void near_names_are_offered_best_first(void **state)
{
	(void)state;
	static const char *const names[] = {
		"file_lock", "files_struct", "fiel", "file", "inode", "FILE", "profile", "page"};
	struct nearest nearest;
	char text[128];
	nearest_init(&nearest, "flie");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		nearest_offer(&nearest, names[i]);
	assert_string_equal(nearest_text(&nearest, text, sizeof(text)),
		"; did you mean 'FILE', 'file' or 'fiel'?");
	nearest_init(&nearest, "files_strcut");
	for (size_t i = sizeof(names) / sizeof(*names); i-- > 0;)
		nearest_offer(&nearest, names[i]);
	assert_string_equal(
		nearest_text(&nearest, text, sizeof(text)), "; did you mean 'files_struct'?");
	nearest_init(&nearest, "zzzzzz");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		nearest_offer(&nearest, names[i]);
	assert_string_equal(nearest_text(&nearest, text, sizeof(text)), "");
	nearest_init(&nearest, "lock"); /* contained, though far */
	nearest_offer(&nearest, "file_lock");
	assert_string_equal(
		nearest_text(&nearest, text, sizeof(text)), "; did you mean 'file_lock'?");
	nearest_prefer(&nearest, "far.from.it");
	assert_string_equal(nearest_text(&nearest, text, sizeof(text)),
		"; did you mean 'far.from.it' or 'file_lock'?");
	assert_string_equal(
		nearest_text(&nearest, text, 8), ""); /* no room: nothing rather than half */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors_are_one_visible_line),
		cmocka_unit_test(visible_text_keeps_utf8_and_nothing_else),
		cmocka_unit_test(buffers_grow),
		cmocka_unit_test(arenas_zero_align_and_hand_over),
		cmocka_unit_test(equal_strings_are_one),
		cmocka_unit_test(near_names_are_offered_best_first),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * seek: the places of needles in bytes, compared with a search byte by byte.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "read/index/seek.h"

static const char strings[] =
	"\0alpha\0xxalpha\0beta_beta\0gamma\0tail_gamma\0abc\0delta\0delta\0ddelta\0main.Omega\0";

/* A seek for NAMEs in an object that has those strings; false as seek_init() has it. */
static bool seek_for(struct arena *arena, struct seek *seek, bool big_endian,
	const char *const *names, size_t count)
{
	struct object object = {.types = {.big_endian = big_endian}};
	struct patterns patterns;
	object.sections[OBJECT_DEBUG_STR].data = (const uint8_t *)strings;
	object.sections[OBJECT_DEBUG_STR].size = sizeof(strings) - 1;
	patterns_init(&patterns, arena, names, count);
	bool good = seek_init(seek, &object, &patterns);
	patterns_release(&patterns);
	return good;
}

static const uint8_t *naive(const struct seek *seek, const uint8_t *p, const uint8_t *end)
{
	for (; p < end; p++)
		for (size_t i = 0; i < seek->count; i++) {
			const struct seek_needle *needle = &seek->needles[i];
			const void *bytes =
				needle->text ? (const void *)needle->text : needle->start;
			size_t length = needle->text ? needle->length : SEEK_BYTES;
			if ((size_t)(end - p) >= length && memcmp(p, bytes, length) == 0)
				return p;
		}
	return NULL;
}

/* Random bytes of few values, needles whole and cut off among them; a block of exactly the right size. */
static void must_find_all(const struct seek *seek)
{
	unsigned seed = 1;
	for (size_t length = 0; length < 300; length++) {
		uint8_t *bytes = malloc(length ? length : 1);
		size_t found = 0;
		for (size_t i = 0; i < length; i++)
			bytes[i] = (uint8_t)((seed = seed * 1103515245 + 12345) >> 16 & 3);
		for (size_t i = 0; i + 12 < length; i += 9 + (seed >> 20) % 31) {
			seed = seed * 1103515245 + 12345;
			const struct seek_needle *needle =
				&seek->needles[(seed >> 16) % seek->count];
			size_t size = needle->text && seed >> 24 & 1 ? needle->length : SEEK_BYTES;
			memcpy(bytes + i,
				size > SEEK_BYTES ? (const void *)needle->text : needle->start,
				size <= length - i ? size : length - i);
		}
		for (const uint8_t *p = bytes;; p++, found++) {
			const uint8_t *next = seek_next(seek, p, bytes + length);
			assert_ptr_equal(next, naive(seek, p, bytes + length));
			if (!next)
				break;
			p = next;
		}
		assert_true(length < 200 || found > 0);
		free(bytes);
	}
}

static void test_next(void **state)
{
	static const struct {
		const char *names[2];
		size_t count, needles; /* 0: no help */
	} cases[] = {
		{{"alpha"}, 1, 3}, /* inline, and at two places */
		{{"beta_beta"}, 1, 2},
		{{"gamma"}, 1, 3},
		{{"xxalpha"}, 1, 2},
		{{"beta_beta", "xxalpha"}, 2, 4},
		{{"delta"}, 1, 4},          /* twice, and once at the end of another */
		{{"Omega"}, 1, 3},          /* the end of a name with a package, and the whole */
		{{"main.Omega"}, 1, 2},
		{{"alpha", "gamma"}, 2, 0}, /* too many places */
		{{"abc"}, 1, 0},            /* short: its NUL counts, but not for seek_init() */
		{{"nosuch"}, 1, 0},
		{{"beta_*"}, 1, 0},
		{{"ns::beta_beta"}, 1, 3}, /* "ns::beta_beta" and "beta_beta" inline */
		{{"beta_beta", "nosuch"}, 2, 0},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		for (int big_endian = 0; big_endian < 2; big_endian++) {
			struct arena arena;
			struct seek seek;
			arena_init(&arena);
			bool good =
				seek_for(&arena, &seek, big_endian, cases[i].names, cases[i].count);
			assert_int_equal(good, cases[i].needles > 0);
			if (good) {
				assert_int_equal(seek.count, cases[i].needles);
				must_find_all(&seek);
			}
			arena_release(&arena);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_next),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* type: sizes, alignments and declarations, against what the compiler says of the same types. */
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "type.h"

struct world {
	struct arena arena;
	struct types types;
	type_id t_char, t_short, t_int, t_long, t_ldouble, t_int128;
};

static type_id base(struct types *types, const char *name, uint64_t size)
{
	return types_add(types,
		&(struct type){
			.kind = TYPE_BASE, .name = name, .size_bytes = size, .size_known = true});
}

static type_id to(struct types *types, enum type_kind kind, type_id target)
{
	return types_add(types, &(struct type){.kind = kind, .target = target});
}

static type_id array(struct types *types, type_id target, const uint64_t *dims, size_t count)
{
	uint64_t *copy = arena_copy(types->arena, dims, count, sizeof(*dims));
	return types_add(types,
		&(struct type){
			.kind = TYPE_ARRAY, .target = target, .dims = copy, .dim_count = count});
}

static type_id aggregate(struct types *types, enum type_kind kind, const char *name, uint64_t size,
	const struct type_member *members, size_t count)
{
	struct type type = {.kind = kind, .name = name, .size_bytes = size, .size_known = true};
	type.members = arena_copy(types->arena, members, count, sizeof(*members));
	type.member_count = count;
	return types_add(types, &type);
}

static int setup(void **state)
{
	static struct world w;
	arena_init(&w.arena);
	types_init(&w.types, &w.arena,
		(struct type_machine){.pointer_bytes = 8, .scalar_align_max = 16});
	w.t_char = base(&w.types, "char", 1);
	w.t_short = base(&w.types, "short int", 2);
	w.t_int = base(&w.types, "int", 4);
	w.t_long = base(&w.types, "long int", 8);
	w.t_ldouble = base(&w.types, "long double", 16);
	w.t_int128 = base(&w.types, "__int128", 16);
	*state = &w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;
	arena_release(&w->arena);
	return 0;
}

static void expect_declaration(
	struct types *types, type_id id, const char *name, const char *wanted)
{
	struct buf text;
	buf_init(&text);
	type_declare(types, id, name, &text);
	assert_string_equal(text.data, wanted);
	buf_release(&text);
}

static void declarations_are_written_as_c_writes_them(void **state)
{
	struct world *w = *state;
	struct types *t = &w->types;
	type_id file = types_add(
		t, &(struct type){.kind = TYPE_STRUCT, .name = "file", .is_declaration = true});
	type_id file_pointer = to(t, TYPE_POINTER, file);
	expect_declaration(t, 0, NULL, "void");
	expect_declaration(t, file_pointer, "f", "struct file *f");
	expect_declaration(t, file_pointer, NULL, "struct file *");
	type_id fd_array = array(t, file_pointer, (uint64_t[]){64}, 1);
	expect_declaration(t, fd_array, "fd_array", "struct file *fd_array[64]");
	expect_declaration(t, fd_array, "", "struct file *[64]");
	expect_declaration(t, to(t, TYPE_POINTER, fd_array), "p", "struct file *(*p)[64]");
	expect_declaration(
		t, array(t, w->t_int, (uint64_t[]){2, 3, TYPE_NO_COUNT}, 3), "m", "int m[2][3][]");
	expect_declaration(t, array(t, w->t_int, (uint64_t[]){0}, 1), "z", "int z[0]");

	type_id one_int[] = {w->t_int};
	type_id fn = types_add(t, &(struct type){.kind = TYPE_FUNCTION,
					  .params = one_int,
					  .param_count = 1,
					  .is_prototyped = true});
	type_id fn_pointer = to(t, TYPE_POINTER, fn);
	expect_declaration(t, fn_pointer, "fn", "void (*fn)(int)");
	expect_declaration(t, fn_pointer, NULL, "void (*)(int)");
	expect_declaration(
		t, array(t, fn_pointer, (uint64_t[]){4}, 1), "table", "void (*table[4])(int)");
	type_id none = types_add(t,
		&(struct type){.kind = TYPE_FUNCTION, .target = fn_pointer, .is_prototyped = true});
	expect_declaration(t, to(t, TYPE_POINTER, none), "signal", "void (*(*signal)(void))(int)");
	type_id old = types_add(t, &(struct type){.kind = TYPE_FUNCTION, .target = w->t_int});
	expect_declaration(t, to(t, TYPE_POINTER, old), "old", "int (*old)()");
	type_id variadic = types_add(t, &(struct type){.kind = TYPE_FUNCTION,
						.target = w->t_int,
						.params = one_int,
						.param_count = 1,
						.is_variadic = true,
						.is_prototyped = true});
	expect_declaration(t, to(t, TYPE_POINTER, variadic), "log", "int (*log)(int, ...)");
}

static void qualifiers_stand_where_they_belong(void **state)
{
	struct world *w = *state;
	struct types *t = &w->types;
	type_id const_char = to(t, TYPE_CONST, w->t_char);
	type_id pointer = to(t, TYPE_POINTER, const_char);
	expect_declaration(t, pointer, "s", "const char *s");
	expect_declaration(t, to(t, TYPE_CONST, pointer), "s", "const char *const s");
	expect_declaration(t, to(t, TYPE_CONST, pointer), NULL, "const char *const");
	expect_declaration(t, to(t, TYPE_ATOMIC, w->t_long), "a", "_Atomic long int a");
	expect_declaration(t, to(t, TYPE_ATOMIC, pointer), "a", "const char *_Atomic a");
	expect_declaration(t, to(t, TYPE_VOLATILE, const_char), "v", "volatile const char v");
	expect_declaration(t, to(t, TYPE_POINTER, 0), "p", "void *p");
	expect_declaration(t, to(t, TYPE_POINTER, to(t, TYPE_CONST, 0)), "p", "const void *p");
	type_id restrict_pointer = to(t, TYPE_RESTRICT, to(t, TYPE_POINTER, w->t_int));
	expect_declaration(t, restrict_pointer, "r", "int *restrict r");

	uint64_t three[] = {3};
	expect_declaration(
		t, to(t, TYPE_CONST, array(t, w->t_int, three, 1)), "a", "const int a[3]");
	expect_declaration(
		t, to(t, TYPE_CONST, array(t, const_char, three, 1)), "a", "const char a[3]");
	expect_declaration(t, to(t, TYPE_VOLATILE, array(t, const_char, three, 1)), "a",
		"volatile const char a[3]");
	type_id const_pointer = to(t, TYPE_CONST, to(t, TYPE_POINTER, w->t_char));
	expect_declaration(
		t, to(t, TYPE_CONST, array(t, const_pointer, three, 1)), "a", "char *const a[3]");
	expect_declaration(
		t, to(t, TYPE_CONST, array(t, pointer, three, 1)), "a", "const char *const a[3]");
}

static void aggregates_and_vectors_have_names(void **state)
{
	struct world *w = *state;
	struct types *t = &w->types;
	expect_declaration(t, aggregate(t, TYPE_UNION, NULL, 4, NULL, 0), "u", "union {...} u");
	expect_declaration(t,
		types_add(t, &(struct type){.kind = TYPE_ENUM,
				     .name = "mode",
				     .size_bytes = 4,
				     .size_known = true}),
		"m", "enum mode m");
	type_id scoped = types_add(
		t, &(struct type){.kind = TYPE_CLASS, .name = "Type<int, 3>", .scope = "ns"});
	expect_declaration(t, to(t, TYPE_REFERENCE, scoped), "r", "class ns::Type<int, 3> &r");
	expect_declaration(t, to(t, TYPE_RVALUE_REFERENCE, w->t_int), "r", "int &&r");
	expect_declaration(t,
		types_add(t, &(struct type){.kind = TYPE_MEMBER_POINTER,
				     .target = w->t_int,
				     .container = scoped}),
		"p", "int ns::Type<int, 3>::*p");
	uint64_t four[] = {4};
	type_id vector = types_add(t, &(struct type){.kind = TYPE_ARRAY,
					      .target = w->t_int,
					      .dims = four,
					      .dim_count = 1,
					      .is_vector = true});
	expect_declaration(t, vector, "v", "int __attribute__((vector_size(16))) v");
	assert_int_equal(type_align(t, vector), 16);
}

static void cycles_and_deep_chains_end(void **state)
{
	struct world *w = *state;
	struct types *t = &w->types;
	type_id next = (type_id)t->count;
	type_id self =
		types_add(t, &(struct type){.kind = TYPE_TYPEDEF, .name = "self", .target = next});
	uint64_t size = 1;
	assert_int_equal(types_strip(t, self), 0);
	assert_false(type_size(t, self, &size));
	assert_int_equal(type_align(t, self), 1);
	type_id pointer = (type_id)t->count;
	types_add(t, &(struct type){.kind = TYPE_POINTER, .target = pointer});
	struct buf text;
	buf_init(&text);
	type_declare(t, pointer, "p", &text);
	assert_non_null(strstr(text.data, "..."));
	buf_release(&text);
	type_id fn = w->t_int; /* each takes the one before twice: 2^48 types to print */
	for (int i = 0; i < 24; i++) {
		type_id two[] = {fn, fn};
		fn = types_add(t, &(struct type){.kind = TYPE_FUNCTION,
					  .params = arena_copy(t->arena, two, 2, sizeof(*two)),
					  .param_count = 2,
					  .is_prototyped = true});
		fn = to(t, TYPE_POINTER, fn);
	}
	buf_init(&text);
	type_declare(t, fn, "f", &text);
	assert_non_null(strstr(text.data, "..."));
	assert_true(text.length < 1 << 16);
	buf_release(&text);
	uint64_t huge[] = {UINT64_MAX / 2, 8};
	assert_false(type_size(t, array(t, w->t_long, huge, 2), &size));
}

static void sizes_follow_typedefs_qualifiers_and_dimensions(void **state)
{
	struct world *w = *state;
	struct types *t = &w->types;
	type_id grid = array(t, w->t_int, (uint64_t[]){3, 5}, 2);
	type_id named = types_add(
		t, &(struct type){.kind = TYPE_TYPEDEF, .name = "grid_t", .target = grid});
	uint64_t size = 0;
	assert_true(type_size(t, to(t, TYPE_CONST, named), &size));
	assert_int_equal(size, sizeof(int[3][5]));
	assert_true(type_size(t, array(t, w->t_int, (uint64_t[]){TYPE_NO_COUNT}, 1), &size));
	assert_int_equal(size, 0);
	assert_true(type_size(t, to(t, TYPE_POINTER, 0), &size));
	assert_int_equal(size, 8);
	assert_false(type_size(t, 0, &size));
}

static void alignments_are_the_compilers(void **state)
{
	struct world *w = *state;
	struct types *t = &w->types;
	assert_int_equal(type_align(t, w->t_ldouble), alignof(long double));
	assert_int_equal(type_align(t, w->t_int128), 16);
	assert_int_equal(type_align(t, base(t, "complex double", 16)), alignof(_Complex double));

	struct plain {
		char a;
		long b;
		short c;
	};
	struct type_member plain[] = {
		{.name = "a", .type = w->t_char, .off_bits = 8 * offsetof(struct plain, a)},
		{.name = "b", .type = w->t_long, .off_bits = 8 * offsetof(struct plain, b)},
		{.name = "c", .type = w->t_short, .off_bits = 8 * offsetof(struct plain, c)},
	};
	assert_int_equal(
		type_align(t, aggregate(t, TYPE_STRUCT, "plain", sizeof(struct plain), plain, 3)),
		alignof(struct plain));

	struct __attribute__((packed)) packed {
		short a;
		int b;
		short c;
	};
	struct type_member packed[] = {
		{.name = "a", .type = w->t_short, .off_bits = 8 * offsetof(struct packed, a)},
		{.name = "b", .type = w->t_int, .off_bits = 8 * offsetof(struct packed, b)},
		{.name = "c", .type = w->t_short, .off_bits = 8 * offsetof(struct packed, c)},
	};
	assert_int_equal(type_align(t, aggregate(t, TYPE_STRUCT, "packed", sizeof(struct packed),
					       packed, 3)),
		alignof(struct packed));

	struct one_packed {
		char a;
		int b __attribute__((packed));
		long c;
	};
	struct type_member one[] = {
		{.name = "a", .type = w->t_char, .off_bits = 8 * offsetof(struct one_packed, a)},
		{.name = "b", .type = w->t_int, .off_bits = 8 * offsetof(struct one_packed, b)},
		{.name = "c", .type = w->t_long, .off_bits = 8 * offsetof(struct one_packed, c)},
	};
	type_id one_id = aggregate(t, TYPE_STRUCT, "one_packed", sizeof(struct one_packed), one, 3);
	assert_int_equal(type_align(t, one_id), alignof(struct one_packed));
	assert_int_equal(type_member_align(t, &one[1]), 1);

	struct line {
		char a;
		_Alignas(64) char b;
	};
	struct type_member line[] = {
		{.name = "a", .type = w->t_char, .off_bits = 8 * offsetof(struct line, a)},
		{.name = "b",
			.type = w->t_char,
			.off_bits = 8 * offsetof(struct line, b),
			.align_bytes = 64},
	};
	assert_int_equal(
		type_align(t, aggregate(t, TYPE_STRUCT, "line", sizeof(struct line), line, 2)), 64);

	struct types i386;
	types_init(
		&i386, &w->arena, (struct type_machine){.pointer_bytes = 4, .scalar_align_max = 4});
	assert_int_equal(type_align(&i386, base(&i386, "long long int", 8)), 4);
	assert_int_equal(type_align(&i386, base(&i386, "long double", 12)), 4);
	assert_int_equal(
		type_align(&i386, to(&i386, TYPE_ATOMIC, base(&i386, "long long int", 8))), 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			declarations_are_written_as_c_writes_them, setup, teardown),
		cmocka_unit_test_setup_teardown(
			qualifiers_stand_where_they_belong, setup, teardown),
		cmocka_unit_test_setup_teardown(aggregates_and_vectors_have_names, setup, teardown),
		cmocka_unit_test_setup_teardown(cycles_and_deep_chains_end, setup, teardown),
		cmocka_unit_test_setup_teardown(
			sizes_follow_typedefs_qualifiers_and_dimensions, setup, teardown),
		cmocka_unit_test_setup_teardown(alignments_are_the_compilers, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* layout: members on lines, holes, paths; offsets are the compiler's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "layout.h"

struct world {
	struct arena arena;
	struct types types;
	type_id t_char, t_int, t_long;
};

static int setup(void **state)
{
	static struct world w;
	arena_init(&w.arena);
	types_init(&w.types, &w.arena,
		(struct type_machine){.pointer_bytes = 8, .scalar_align_max = 16});
	w.t_char = types_add(&w.types,
		&(struct type){
			.kind = TYPE_BASE, .name = "char", .size_bytes = 1, .size_known = true});
	w.t_int = types_add(&w.types,
		&(struct type){
			.kind = TYPE_BASE, .name = "int", .size_bytes = 4, .size_known = true});
	w.t_long = types_add(&w.types,
		&(struct type){
			.kind = TYPE_BASE, .name = "long", .size_bytes = 8, .size_known = true});
	*state = &w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;
	arena_release(&w->arena);
	return 0;
}

static type_id aggregate(struct types *types, enum type_kind kind, const char *name, uint64_t size,
	const struct type_member *members, size_t count)
{
	struct type type = {.kind = kind, .name = name, .size_bytes = size, .size_known = true};
	type.members = arena_copy(types->arena, members, count, sizeof(*members));
	type.member_count = count;
	return types_add(types, &type);
}

static type_id array(struct types *types, type_id target, uint64_t count)
{
	return types_add(types, &(struct type){.kind = TYPE_ARRAY,
					.target = target,
					.dims = arena_copy(types->arena, &count, 1, sizeof(count)),
					.dim_count = 1});
}

#define AT(type, member) (8 * offsetof(struct type, member))

static void holes_bit_holes_and_padding_are_what_no_member_uses(void **state)
{
	struct world *w = *state;
	struct holey {
		char a;
		int b;
		unsigned c : 3;
		unsigned d : 7;
		long e;
		char f;
	};
	struct type_member members[] = {
		{.name = "a", .type = w->t_char, .off_bits = AT(holey, a)},
		{.name = "b", .type = w->t_int, .off_bits = AT(holey, b)},
		{.name = "c", .type = w->t_int, .off_bits = 64, .bit_size = 3},
		{.name = "d", .type = w->t_int, .off_bits = 67, .bit_size = 7},
		{.name = "e", .type = w->t_long, .off_bits = AT(holey, e)},
		{.name = "f", .type = w->t_char, .off_bits = AT(holey, f)},
	};
	struct layout layout;
	type_id id = aggregate(&w->types, TYPE_STRUCT, "holey", sizeof(struct holey), members, 6);
	assert_null(layout_build(&w->arena, &w->types, id, "holey", 64, &layout));
	assert_int_equal(layout.size_bytes, sizeof(struct holey));
	assert_int_equal(layout.line_count, 1);
	assert_int_equal(layout.hole_count, 2);
	assert_int_equal(layout.holes[0].off_bytes, 1);
	assert_int_equal(layout.holes[0].size_bytes, 3);
	assert_int_equal(
		layout.holes[1].off_bytes, 10); /* behind the byte that holds d's last bits */
	assert_int_equal(layout.holes[1].size_bytes, offsetof(struct holey, e) - 10);
	assert_int_equal(layout.bit_hole_count, 1);
	assert_int_equal(layout.bit_holes[0].off_bytes, 9);
	assert_int_equal(layout.bit_holes[0].bit_offset, 2);
	assert_int_equal(layout.bit_holes[0].bit_size, 6);
	assert_int_equal(
		layout.padding_bytes, sizeof(struct holey) - offsetof(struct holey, f) - 1);
	assert_string_equal(layout_find_at(&layout, 8)->name, "c");
	assert_string_equal(layout_find_at(&layout, 9)->name, "d");
	assert_null(layout_find_at(&layout, 2));
}

static void what_is_unused_before_a_flexible_array_is_a_hole(void **state)
{
	struct world *w = *state;
	struct flexible {
		long a;
		char b;
		long rest[];
	};
	struct type_member flexible[] = {
		{.name = "a", .type = w->t_long, .off_bits = AT(flexible, a)},
		{.name = "b", .type = w->t_char, .off_bits = AT(flexible, b)},
		{.name = "rest",
			.type = array(&w->types, w->t_long, TYPE_NO_COUNT),
			.off_bits = AT(flexible, rest)},
	};
	struct layout layout;
	type_id id =
		aggregate(&w->types, TYPE_STRUCT, "flexible", sizeof(struct flexible), flexible, 3);
	assert_null(layout_build(&w->arena, &w->types, id, "flexible", 64, &layout));
	assert_int_equal(layout.hole_count, 1);
	assert_int_equal(layout.holes[0].off_bytes, sizeof(long) + 1);
	assert_int_equal(
		layout.holes[0].size_bytes, offsetof(struct flexible, rest) - sizeof(long) - 1);
	assert_int_equal(layout.padding_bytes, 0);
}

/* struct outer { int head; union { long whole; struct { int low, high; }; }; struct cell { int key; long value; } cells[3]; char tail[]; } */
static type_id nested(struct world *w)
{
	struct types *t = &w->types;
	struct type_member halves[] = {{.name = "low", .type = w->t_int},
		{.name = "high", .type = w->t_int, .off_bits = 32}};
	type_id pair = aggregate(t, TYPE_STRUCT, NULL, 8, halves, 2);
	struct type_member ways[] = {
		{.name = "whole", .type = w->t_long}, {.name = "", .type = pair}};
	type_id either = aggregate(t, TYPE_UNION, NULL, 8, ways, 2);
	struct type_member cell[] = {{.name = "key", .type = w->t_int},
		{.name = "value", .type = w->t_long, .off_bits = 64}};
	type_id cells = array(t, aggregate(t, TYPE_STRUCT, "cell", 16, cell, 2), 3);
	type_id tail = array(t, w->t_char, TYPE_NO_COUNT);
	struct type_member outer[] = {
		{.name = "head", .type = w->t_int},
		{.name = "", .type = either, .off_bits = 64},
		{.name = "cells", .type = cells, .off_bits = 128},
		{.name = "tail", .type = tail, .off_bits = 512},
	};
	return aggregate(t, TYPE_STRUCT, "outer", 64, outer, 4);
}

static void nested_members_are_reached_by_path(void **state)
{
	struct world *w = *state;
	struct layout layout;
	assert_null(layout_build(&w->arena, &w->types, nested(w), "outer", 32, &layout));
	assert_int_equal(layout.line_count, 2);
	assert_int_equal(layout.member_count, 10);
	assert_int_equal(layout_find(&layout, "whole")->off_bits, 64);
	assert_int_equal(layout_find(&layout, "high")->off_bits, 96);
	assert_true(layout_find(&layout, "high")->in_union);
	const struct layout_member *cells = layout_find(&layout, "cells[]");
	assert_ptr_equal(cells, layout_find(&layout, "cells"));
	assert_int_equal(cells->elements, 3);
	assert_int_equal(cells->element_bytes, 16);
	assert_int_equal(cells->descendants, 2);
	assert_true(layout_straddles(&layout, cells));
	assert_int_equal(layout_find(&layout, "cells[].value")->off_bits, 192);
	assert_int_equal(layout_find(&layout, "cells[2].value")->off_bits, 192);
	assert_true(layout_find(&layout, "cells.value")->in_array);
	assert_int_equal(layout_find(&layout, "tail")->size_bytes, 0);
	assert_int_equal(layout_find(&layout, "tail")->elements, 0);
	assert_null(layout_find(&layout, "cell"));
	assert_null(layout_find(&layout, ""));
	assert_null(layout_find(&layout, "cells.valu"));
	/* the hole inside struct cell is that struct's own */
	assert_int_equal(layout.hole_count, 1);
	assert_int_equal(layout.padding_bytes, 0);
	/* bytes of later elements belong to the members of element 0 */
	assert_string_equal(layout_find_at(&layout, 16 + 16 + 8)->path, "cells.value");
	assert_string_equal(layout_find_at(&layout, 12)->path, "whole");
}

static void a_packed_struct_has_no_aligned_member(void **state)
{
	struct world *w = *state;
	struct __attribute__((packed)) packed {
		int a;
		char b;
		int c;
	};
	struct type_member members[] = {
		{.name = "a", .type = w->t_int, .off_bits = AT(packed, a)},
		{.name = "b", .type = w->t_char, .off_bits = AT(packed, b)},
		{.name = "c", .type = w->t_int, .off_bits = AT(packed, c)},
	};
	struct layout layout;
	type_id id = aggregate(&w->types, TYPE_STRUCT, "packed", sizeof(struct packed), members, 3);
	assert_null(layout_build(&w->arena, &w->types, id, "packed", 64, &layout));
	assert_int_equal(layout.align_bytes, 1);
	assert_int_equal(layout.members[0].align_bytes, 1);
	assert_int_equal(layout.hole_count, 0);
}

static void damaged_types_are_errors(void **state)
{
	struct world *w = *state;
	struct types *t = &w->types;
	type_id self = (type_id)t->count;
	struct type_member inside[] = {{.name = "again", .type = self}};
	aggregate(t, TYPE_STRUCT, "self", 8, inside, 1);
	struct layout layout;
	struct error *error = layout_build(&w->arena, t, self, "self", 64, &layout);
	assert_non_null(error);
	assert_non_null(strstr(error->message, "nested deeper"));
	error_free(error);
	error = layout_build(&w->arena, t, w->t_int, "int", 64, &layout);
	assert_non_null(error);
	error_free(error);
	/* a member outside its struct is kept, and is no reason to count nonsense */
	struct type_member outside[] = {{.name = "a", .type = w->t_int, .off_bits = 8 * 4096}};
	assert_null(layout_build(&w->arena, t, aggregate(t, TYPE_STRUCT, "short", 8, outside, 1),
		"short", 64, &layout));
	assert_int_equal(layout.member_count, 1);
	assert_int_equal(layout.padding_bytes, 8);
	/* a very large hole is counted in full */
	struct type_member large[] = {{.name = "a", .type = w->t_char},
		{.name = "b", .type = w->t_char, .off_bits = 8 * 131072}};
	assert_null(layout_build(&w->arena, t, aggregate(t, TYPE_STRUCT, "large", 262144, large, 2),
		"large", 64, &layout));
	assert_int_equal(layout.hole_bytes, 131071);
	assert_int_equal(layout.padding_bytes, 131071);
}

static void group_markers_are_recognised(void **state)
{
	struct world *w = *state;
	type_id none = array(&w->types, w->t_char, 0);
	struct type_member members[] = {
		{.name = "__cacheline_group_begin__sock_read_rx", .type = none},
		{.name = "a", .type = w->t_int},
		{.name = "__cacheline_group_end__sock_read_rx", .type = none, .off_bits = 32},
	};
	struct layout layout;
	const char *group = NULL;
	type_id id = aggregate(&w->types, TYPE_STRUCT, "groups", 4, members, 3);
	assert_null(layout_build(&w->arena, &w->types, id, "groups", 64, &layout));
	assert_int_equal(layout_group_marker(&layout.members[0], &group), 1);
	assert_string_equal(group, "sock_read_rx");
	assert_int_equal(layout_group_marker(&layout.members[1], &group), 0);
	assert_int_equal(layout_group_marker(&layout.members[2], &group), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			holes_bit_holes_and_padding_are_what_no_member_uses, setup, teardown),
		cmocka_unit_test_setup_teardown(
			what_is_unused_before_a_flexible_array_is_a_hole, setup, teardown),
		cmocka_unit_test_setup_teardown(
			nested_members_are_reached_by_path, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_packed_struct_has_no_aligned_member, setup, teardown),
		cmocka_unit_test_setup_teardown(damaged_types_are_errors, setup, teardown),
		cmocka_unit_test_setup_teardown(group_markers_are_recognised, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * order: units, what keeps its place, what is refused, and placements. That placements are those of compilers is proven
 * by the suite `prove`.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "structs.h"

static struct world w;
static struct order order;

static int setup(void **state)
{
	(void)state;
	world_init(&w);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_release(&w.arena);
	return 0;
}

static void build(const char *fields, const char *entry)
{
	world_build(&w, fields, "", entry, EVIDENCE_STATED);
	struct error *error = order_build(&w.arena, &w.map, &w.context, &order);
	if (error)
		fail_msg("%s", error->message);
}

/* Units by name in an order of names; offsets in bytes of each unit come back; false: not allowed, or not certain. */
static bool place(const char *names, uint64_t *offs, uint64_t *size)
{
	size_t units[32], count = 0;
	char text[256], *next = text;
	snprintf(text, sizeof(text), "%s", names);
	for (char *name; (name = strsep(&next, " "));)
		for (size_t i = 0; i < order.unit_count; i++)
			if (strcmp(order.units[i].name, name) == 0)
				units[count++] = i;
	assert_int_equal(count, order.unit_count);
	uint64_t bits[64];
	struct order_place ret = {.off_bits = bits};
	if (!order_is_allowed(&order, units) ||
		!order_place(&order, &(struct order_sequence){units, NULL}, &ret))
		return false;
	for (size_t i = 0; i < count; i++)
		offs[i] = bits[order.units[units[i]].first] / 8;
	*size = ret.size_bytes;
	return true;
}

static void units_are_members_runs_and_unnamed(void **state)
{
	(void)state;
	build("z:1 a:8 b:4/3 c:4/5 d:4 {u:4 v:4} e:8", NULL);
	assert_null(order.why_none);
	assert_int_equal(order.unit_count, 6);
	assert_string_equal(order.units[2].name, "b");
	assert_int_equal(order.units[2].count, 2);
	assert_string_equal(order.units[4].name, "u");
}

static void sole_unnamed_struct_is_transparent(void **state)
{
	uint64_t offs[8], size;
	(void)state;
	build("{a:8 b:4 c:8} tail:8*?", NULL);
	assert_null(order.why_none);
	assert_non_null(order.inner);
	assert_int_equal(order.unit_count, 3);
	assert_true(place("b a c", offs, &size));
	assert_int_equal(offs[1], 8);
	assert_int_equal(size, 24);
}

static void natural_placement(void **state)
{
	uint64_t offs[8], size;
	(void)state;
	build("a:1 b:8 c:2 d:4", NULL);
	assert_int_equal(w.layout.size_bytes, 24);
	assert_true(place("b d c a", offs, &size));
	assert_int_equal(offs[1], 8);
	assert_int_equal(offs[2], 12);
	assert_int_equal(offs[3], 14);
	assert_int_equal(size, 16);
}

static void what_may_be_packed_gets_no_gap(void **state)
{
	uint64_t offs[8], size;
	(void)state;
	build("a:8 b:4 c:4 d:8", NULL); /* no gap: nobody knows whether it is packed */
	assert_true(order.is_packed_perhaps);
	assert_true(place("b c a d", offs, &size));
	assert_false(place("b a c d", offs, &size));
}

static void an_aggregate_that_may_be_packed(void **state)
{
	uint64_t offs[8], size;
	(void)state;
	build("a:1 n:8 l{p:8 q:8} b:4 c:4", NULL);
	assert_true(place("b c l n a", offs, &size));
	assert_false(place("a l n b c", offs, &size)); /* would it be aligned? */
}

static void flexible_arrays_stay_last(void **state)
{
	uint64_t offs[8], size;
	(void)state;
	build("a:8 b:1 n{x:4 y:1*?}", NULL);
	assert_true(order.units[2].is_fixed);
	assert_false(place("a n b", offs, &size));
	assert_true(place("b a n", offs, &size));
}

static void groups_keep_their_members(void **state)
{
	uint64_t offs[16], size;
	(void)state;
	build("a:8 x:1 __cacheline_group_begin__g:0 b:8 c:8 __cacheline_group_end__g:0 d:8 e:8",
		NULL);
	assert_true(place(
		"a x __cacheline_group_begin__g c b __cacheline_group_end__g d e", offs, &size));
	assert_true(place(
		"x __cacheline_group_begin__g b c __cacheline_group_end__g a d e", offs, &size));
	assert_false(place(
		"a x __cacheline_group_begin__g b __cacheline_group_end__g c d e", offs, &size));
	assert_false(place(
		"x __cacheline_group_begin__g b c a __cacheline_group_end__g d e", offs, &size));
}

static void aligned_blocks_keep_their_line(void **state)
{
	uint64_t offs[16], size;
	(void)state;
	build("a:8 b:8 l:8^64 c:8 d:8", NULL);
	assert_int_equal(w.layout.size_bytes, 128);
	assert_true(order.units[2].is_fixed && order.units[4].is_fixed);
	assert_true(place("b a l c d", offs, &size));
	assert_false(place("b l c d a", offs, &size)); /* into the line */
	assert_false(place("a b d l c", offs, &size)); /* out of it */
	build("a:8 b:8 l:8^64 c:8*7 d:8 e:8", NULL);
	assert_false(order.units[4].is_fixed); /* on the next line */
	assert_true(place("b l c d e a", offs, &size));
	assert_int_equal(offs[5], 144);
}

static void a_base_stays_first(void **state)
{
	(void)state;
	build("base{next:8 prev:8} a:8 b:1", NULL);
	assert_true(order.units[0].is_fixed);
	build("count{value:8} a:8 b:1", NULL); /* a counter is a struct of one */
	assert_false(order.units[0].is_fixed);
	build("base{next:8 prev:8} a:8 b:1",
		"    constraints: {first: [a]}\n    fields: {a: r hot}\n");
	assert_false(order.units[0].is_fixed);
}

static void unnamed_bit_fields(void **state)
{
	uint64_t offs[8], size;
	(void)state;
	/* behind three bits there may be unnamed ones: what comes behind must lie the same */
	build("a:8 b:4/3 c:4 d:1 e:8", NULL);
	assert_true(place("a b c e d", offs, &size));
	assert_false(place("a b d c e", offs, &size));
}

static void reasons(void **state)
{
	(void)state;
	build("a:8", NULL);
	assert_string_equal(order.why_none, "it has one member only");
	const char *text = "a:8 b:8|";
	uint64_t align;
	type_id id = aggregate_of(&w, "u", &text, '|', &align);
	w.types.items[id].kind = TYPE_UNION;
	assert_null(layout_build(&w.arena, &w.types, id, "u", 64, &w.layout));
	access_build(&w.arena, &w.layout, NULL, &w.context, &w.map);
	assert_null(order_build(&w.arena, &w.map, &w.context, &order));
	assert_non_null(strstr(order.why_none, "union"));
}

static void elsewhere_than_declared(void **state)
{
	(void)state;
	const char *text = "a:8 b:8 c:1";
	uint64_t align;
	type_id id = aggregate_of(&w, "s", &text, '\0', &align);
	struct type *type = &w.types.items[id];
	struct type_member *members = arena_copy(&w.arena, type->members, 3, sizeof(*members));
	members[0].off_bits = 64; /* as Rust does */
	members[1].off_bits = 0;
	type->members = members;
	assert_null(layout_build(&w.arena, &w.types, id, "s", 64, &w.layout));
	access_build(&w.arena, &w.layout, NULL, &w.context, &w.map);
	assert_null(order_build(&w.arena, &w.map, &w.context, &order));
	assert_non_null(order.why_none);
}

static void moves_are_the_fewest(void **state)
{
	bool moved[6];
	(void)state;
	build("a:8 b:8 c:8 d:8 e:8", "    fields: {c: r hot}\n");
	assert_int_equal(order_moves(&order, (size_t[]){0, 1, 3, 4, 2}, moved), 1);
	assert_true(moved[2]);
	assert_int_equal(order_moves(&order, (size_t[]){0, 2, 1, 3, 4}, moved), 1);
	assert_true(moved[2]); /* that of which the profile speaks */
}

/* Of struct s below; both sides with their positions, or none. */
static struct error *constrained(const char *constraints)
{
	char entry[512];
	snprintf(entry, sizeof(entry), "    fields: {a: r hot}\n%s", constraints);
	arena_release(&w.arena);
	world_init(&w);
	world_build(&w, "a:8 b:8 c:8*16 {u:4 v:4} d:8 e:8", "", entry, EVIDENCE_STATED);
	return order_build(&w.arena, &w.map, &w.context, &order);
}

static void contradiction(const char *constraints, const char *message)
{
	struct error *error = constrained(constraints);
	assert_non_null(error);
	assert_string_equal(error->message, message);
	error_free(error);
}

#define C "    constraints:\n      "
#define E "    expect:\n      - "

static void contradictions_name_both(void **state)
{
	(void)state;
	contradiction(C "first: [u]\n      last: [v]\n",
		"p.yaml:7:7: 'u' is to be first, and 'v' is to be last (p.yaml:8:7): they move as "
		"one; "
		"keep one of the two");
	contradiction(C "pin: [a]\n      first: [b]\n",
		"p.yaml:8:7: 'b' is to be first, and 'a' is pinned (p.yaml:7:7): that one lies at "
		"the "
		"front; keep one of the two");
	contradiction(C "last: [d]\n      pin: [e]\n",
		"p.yaml:7:7: 'd' is to be last, and 'e' is pinned (p.yaml:8:7): that one lies "
		"behind it; "
		"keep one of the two");
	contradiction(C "keep_together: [[a, e]]\n      pin: [a, e]\n",
		"p.yaml:8:7: 'e' is pinned, and 'a' and 'e' are to be kept together (p.yaml:7:23): "
		"'a' is "
		"pinned on another line; keep one of the two");
	contradiction(C "keep_together: [[a, e]]\n      pin: all\n",
		"p.yaml:8:7: all fields are pinned, and 'a' and 'e' are to be kept together "
		"(p.yaml:7:23): 'a' is pinned on another line; keep one of the two");
	contradiction(C "first: [a]\n      last: [e]\n      keep_together: [[a, e]]\n",
		"p.yaml:8:7: 'e' is to be last, and 'a' and 'e' are to be kept together "
		"(p.yaml:9:23): "
		"'a' is to be first, and 152 bytes lie between them; keep one of the two");
	contradiction(C "first: [a]\n      last: [e]\n" E "same_line: [e, a]\n",
		"p.yaml:8:7: 'e' is to be last, and 'a' and 'e' are expected on one line "
		"(p.yaml:10:9): "
		"'a' is to be first, and 152 bytes lie between them; keep one of the two");
	contradiction(C "max_size: 64\n      pin: [e]\n",
		"p.yaml:8:7: 'e' is pinned, and the struct is to have at most 64 bytes "
		"(p.yaml:7:7): 'e' "
		"ends at byte 168; keep one of the two");
	contradiction(C "max_size: 64\n      pin: all\n",
		"p.yaml:8:7: all fields are pinned, and the struct is to have at most 64 bytes "
		"(p.yaml:7:7): 'c' ends at byte 144; keep one of the two");
	contradiction(C "first: [a, b]\n" E "apart: [b, a]\n",
		"p.yaml:7:7: 'b' is to be first, and 'b' and 'a' are expected apart (p.yaml:9:9): "
		"'a' is to "
		"be first too, and the first 30 bytes are on one line; keep one of the two");
	contradiction(C "first: [b]\n" E "line: {b: 1}\n",
		"p.yaml:7:7: 'b' is to be first, and 'b' is expected on line 1 (p.yaml:9:16): what "
		"is to "
		"be first ends at byte 15 at the latest; keep one of the two");
	contradiction(C "last: [a]\n" E "line: {a: 0}\n",
		"p.yaml:7:7: 'a' is to be last, and 'a' is expected on line 0 (p.yaml:9:16): 160 "
		"bytes come "
		"before what is to be last; keep one of the two");
	contradiction(C "max_size: 192\n" E "line: {a: 3}\n",
		"p.yaml:7:7: the struct is to have at most 192 bytes, and 'a' is expected on line "
		"3 "
		"(p.yaml:9:16): line 3 begins at byte 192; keep one of the two");
	contradiction(E "max_size: 192\n      - line: {a: 3}\n",
		"p.yaml:7:9: at most 192 bytes are expected, and 'a' is expected on line 3 "
		"(p.yaml:8:16): line 3 begins at byte 192; keep one of the two");
	contradiction(C "max_size: 192\n" E "apart: [a, b, d, e]\n",
		"p.yaml:7:7: the struct is to have at most 192 bytes, and 'a' and 'b' are expected "
		"apart "
		"(p.yaml:9:9): 4 fields apart take 4 lines of 64; keep one of the two");
	contradiction(E "max_size: 192\n      - apart: [a, b, d, e]\n",
		"p.yaml:7:9: at most 192 bytes are expected, and 'a' and 'b' are expected apart "
		"(p.yaml:8:9): 4 fields apart take 4 lines of 64; keep one of the two");
}

/* Close to a contradiction, but none: least of all what only today's layout is against. */
static void what_can_be_had(void **state)
{
	static const char *const entries[] = {
		C "first: [a]\n      last: [e]\n      keep_together: [[a, b], [c, e], [a, c, e]]\n",
		C "keep_together: [[a, c, e]]\n      pin: [a, e]\n",
		C "first: [a]\n      pin: [a2, b]\n",
		C "last: [d, e]\n      pin: [c]\n",
		C "max_size: 168\n      pin: all\n",
		C "pin: all\n" E
		  "line: {a: 1}\n      - same_line: [a, e]\n      - apart: [a, b]\n      - "
		  "max_size: 65\n      - max_lines: 2\n",
		C "first: [a, b]\n      padding: allowed\n" E "apart: [a, b]\n",
		C "first: [b]\n" E "line: {b: 0}\n",
		C "last: [a]\n" E "line: {a: 2}\n      - line: {b: 1}\n",
		C "max_size: 193\n" E "line: {a: 3}\n      - apart: [a, b, d, e]\n",
	};
	(void)state;
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		struct error *error = constrained(entries[i]);
		if (error)
			fail_msg("%s%s", entries[i], error->message);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(units_are_members_runs_and_unnamed),
		TEST(sole_unnamed_struct_is_transparent),
		TEST(natural_placement),
		TEST(what_may_be_packed_gets_no_gap),
		TEST(an_aggregate_that_may_be_packed),
		TEST(flexible_arrays_stay_last),
		TEST(groups_keep_their_members),
		TEST(aligned_blocks_keep_their_line),
		TEST(a_base_stays_first),
		TEST(unnamed_bit_fields),
		TEST(reasons),
		TEST(elsewhere_than_declared),
		TEST(moves_are_the_fewest),
		TEST(contradictions_name_both),
		TEST(what_can_be_had),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

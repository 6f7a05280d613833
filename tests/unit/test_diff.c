/*
 * diff: what became of a struct. Members, findings, costs and pairs of two layouts written down here, each value by hand.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "diff.h"
#include "structs.h"

static struct world worlds[2];
static struct report_struct reports[2];
static struct diff diff;

static const char roles[] = "roles: {reader: {threads: 16}, writer: {threads: 2}}\n";
static const char accesses[] = "    placement: {alignment: 64}\n"
			       "    fields:\n"
			       "      count: {writer: {write: 1}}\n"
			       "      ops: {reader: {read: 4}}\n"
			       "      mode: {reader: {read: 1}}\n";

static int setup(void **state)
{
	(void)state;
	world_init(&worlds[0]);
	world_init(&worlds[1]);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_release(&worlds[0].arena);
	arena_release(&worlds[1].arena);
	return 0;
}

static void side(size_t at, const char *fields, const char *entry)
{
	struct world *w = &worlds[at];
	world_build(w, fields, roles, entry, EVIDENCE_STATED);
	reports[at] = (struct report_struct){
		.source = {.types = &w->types, .type = w->layout.type, .kind = TYPE_STRUCT},
		.qualified_name = "s",
		.layout = w->layout,
		.access = w->map,
		.lint = w->lint,
		.has_cost = entry != NULL,
	};
}

static void compare(const char *before, const char *after, const char *entry)
{
	side(0, before, entry);
	side(1, after, entry);
	diff_run(&worlds[0].arena, &reports[0], &reports[1], SEVERITY_WARNING, DIFF_BY_NAME, &diff);
}

static const struct diff_member *member_of(const char *path)
{
	for (size_t i = 0; i < diff.member_count; i++)
		if (strcmp(diff.members[i].path, path) == 0)
			return &diff.members[i];
	return NULL;
}

/* "moved retyped elsewhere added removed", of which the first letters. */
static void expect_member(const char *path, const char *what)
{
	const struct diff_member *member = member_of(path);
	char found[8] = "";
	if (member) {
		strcat(found, member->is_moved ? "m" : "");
		strcat(found, member->is_retyped ? "r" : "");
		strcat(found, member->is_elsewhere ? "e" : "");
		strcat(found, member->before ? "" : "a");
		strcat(found, member->after ? "" : "g");
	}
	if (strcmp(found, what) != 0)
		fail_msg("%s: '%s', not '%s'", path, found, what);
}

static void expect_pair(const struct suggest_pair *pairs, size_t count, size_t at,
	const char *written, const char *other)
{
	assert_true(at < count);
	assert_string_equal(pairs[at].written, written);
	assert_string_equal(pairs[at].other, other);
}

static void nothing_changed(void **state)
{
	(void)state;
	const char *fields = "count:8 ops:8 mode:4 {u:4 v:4} cold:8*8";
	compare(fields, fields, accesses);
	assert_false(diff.is_changed || diff.is_cost_worse || diff.is_finding_worse);
	assert_int_equal(
		diff.member_count + diff.finding_count + diff.gone_count + diff.fresh_count, 0);
	assert_int_equal(diff.role_count, 2);
	assert_true(diff.has_cost && diff.cost_before > 0);
}

/* One move: the fewest members that explain it, and what it carries along. */
static void one_move(void **state)
{
	(void)state;
	compare("count:8 ops:8 mode:8 cold:8*5 tail:8*2", "ops:8 mode:8 cold:8*5 tail:8*2 count:8",
		accesses);
	assert_int_equal(diff.member_count, 2);
	expect_member("count", "m");
	expect_member("tail", "e"); /* 64..80 becomes 56..72 */
	expect_member("ops", "");
	assert_true(diff.is_changed);
	assert_false(diff.is_cost_worse || diff.is_finding_worse);
	/* the error about count is gone, with both of its pairs, those dearest first that are read more */
	assert_int_equal(diff.fresh_count, 0);
	assert_int_equal(diff.gone_count, 2);
	expect_pair(diff.gone, diff.gone_count, 0, "count", "ops");
	expect_pair(diff.gone, diff.gone_count, 1, "count", "mode");
	assert_true(diff.gone[0].price >= diff.gone[1].price && diff.gone[1].price > 0);
	bool is_gone = false;
	for (size_t i = 0; i < diff.finding_count; i++)
		is_gone |= diff.findings[i].before && !diff.findings[i].after &&
			   strcmp(diff.findings[i].before->rule->id, "LL001") == 0;
	assert_true(is_gone);
	assert_true(diff.cost_after < diff.cost_before);
}

/* The same backwards is worse, by cost and by findings. */
static void and_back(void **state)
{
	(void)state;
	compare("ops:8 mode:8 cold:8*5 tail:8*2 count:8", "count:8 ops:8 mode:8 cold:8*5 tail:8*2",
		accesses);
	assert_int_equal(diff.gone_count, 0);
	assert_int_equal(diff.fresh_count, 2);
	expect_pair(diff.fresh, diff.fresh_count, 0, "count", "ops");
	assert_true(diff.is_cost_worse && diff.is_finding_worse);
	/* a threshold that no finding reaches */
	diff_run(&worlds[0].arena, &reports[0], &reports[1], SEVERITY_NONE, DIFF_BY_NAME, &diff);
	assert_true(diff.is_cost_worse);
	assert_false(diff.is_finding_worse);
}

static void added_removed_retyped(void **state)
{
	(void)state;
	compare("count:8 old:4 mode:4 cold:8*6", "count:8 mode:8 cold:8*6 ops:8", accesses);
	expect_member("old", "g");
	expect_member("ops", "a");
	expect_member("mode", "r");
	expect_member("cold", "");
	assert_string_equal(
		diff.members[diff.member_count - 1].path, "old"); /* removed ones last */
	/* ops is not there before, and lies on line 1 after: no pair; mode was beside count and is */
	assert_int_equal(diff.gone_count + diff.fresh_count, 0);
	/* a field that comes to lie beside the written one is a new pair */
	compare("count:8 mode:4 cold:8*7", "count:8 ops:8 mode:4 cold:8*7", accesses);
	assert_int_equal(diff.fresh_count, 1);
	expect_pair(diff.fresh, diff.fresh_count, 0, "count", "ops");
	/* and one that goes away takes its pair along */
	compare("count:8 ops:8 mode:4 cold:8*7", "count:8 mode:4 cold:8*7", accesses);
	assert_int_equal(diff.gone_count, 1);
	expect_pair(diff.gone, diff.gone_count, 0, "count", "ops");
}

/* Members of unnamed aggregates as if they stood in their places. */
static void unnamed(void **state)
{
	(void)state;
	compare("{count:8 a:8} ops:8 |u:8 v:4| cold:8*8", "ops:8 count:8 a:8 v:4 w:4 cold:8*8",
		accesses);
	expect_member("ops", "m");
	expect_member("count", "");
	expect_member("u", "g");
	expect_member("v", "");
	expect_member("w", "a");
	assert_int_equal(diff.gone_count + diff.fresh_count, 0);
}

/* A struct that one side lacks, and structs of which no accesses are known. */
static void one_side(void **state)
{
	(void)state;
	side(0, "count:8 ops:8", accesses);
	diff_run(&worlds[0].arena, &reports[0], NULL, SEVERITY_WARNING, DIFF_BY_NAME, &diff);
	assert_true(diff.is_changed && !diff.has_cost && !diff.is_cost_worse);
	assert_int_equal(diff.gone_count, 0);
	assert_string_equal(diff.name, "struct s");
	diff_run(&worlds[0].arena, NULL, &reports[0], SEVERITY_WARNING, DIFF_BY_NAME, &diff);
	assert_true(diff.is_changed && !diff.before && diff.is_finding_worse);
	compare("count:8 ops:8 cold:8*8", "count:8 cold:8*8 ops:8", NULL);
	assert_true(diff.is_changed && !diff.has_cost);
	assert_int_equal(diff.gone_count + diff.fresh_count + diff.role_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(nothing_changed),
		TEST(one_move),
		TEST(and_back),
		TEST(added_removed_retyped),
		TEST(unnamed),
		TEST(one_side),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

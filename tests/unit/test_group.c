/* group: cacheline group markers as a profile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "access.h"
#include "import/group.h"

#define BEGIN "__cacheline_group_begin__"
#define END   "__cacheline_group_end__"

struct scene {
	struct arena arena;
	struct types types;
	type_id t_int, t_long, t_marker;
	struct layout layout;
};

static int setup(void **state)
{
	static struct scene scene;
	memset(&scene, 0, sizeof(scene));
	arena_init(&scene.arena);
	types_init(&scene.types, &scene.arena,
		(struct type_machine){.pointer_bytes = 8, .scalar_align_max = 16});
	type_id t_byte = types_add(&scene.types, &(struct type){.kind = TYPE_BASE,
							 .name = "unsigned char",
							 .size_bytes = 1,
							 .size_known = true});
	scene.t_int = types_add(&scene.types,
		&(struct type){
			.kind = TYPE_BASE, .name = "int", .size_bytes = 4, .size_known = true});
	scene.t_long = types_add(&scene.types,
		&(struct type){
			.kind = TYPE_BASE, .name = "long", .size_bytes = 8, .size_known = true});
	static const uint64_t none[] = {0};
	scene.t_marker = types_add(&scene.types,
		&(struct type){.kind = TYPE_ARRAY, .target = t_byte, .dims = none, .dim_count = 1});
	*state = &scene;
	return 0;
}

static int teardown(void **state)
{
	struct scene *scene = *state;
	arena_release(&scene->arena);
	return 0;
}

static type_id aggregate(struct scene *scene, enum type_kind kind, const char *name, uint64_t size,
	const struct type_member *members, size_t count)
{
	return types_add(&scene->types,
		&(struct type){.kind = kind,
			.name = name,
			.size_bytes = size,
			.size_known = true,
			.members = arena_copy(&scene->arena, members, count, sizeof(*members)),
			.member_count = count});
}

static const struct profile_struct *profile_of(struct scene *scene, type_id type, const char *name)
{
	assert_null(layout_build(&scene->arena, &scene->types, type, name, 64, &scene->layout));
	return group_profile(&scene->arena, &scene->layout);
}

/* Finds the entry of a path; what it says of each role ("tx", "rx") as r and w. */
static void assert_says(
	const struct profile_struct *entry, const char *path, const char *tx, const char *rx)
{
	for (size_t i = 0; i < entry->field_count; i++) {
		const struct profile_field *field = &entry->fields[i];
		if (strcmp(field->path, path) != 0)
			continue;
		char said[2][3] = {"", ""};
		for (size_t k = 0; k < field->access_count; k++) {
			const double *counts = field->accesses[k].counts;
			assert_true(field->accesses[k].role < 2);
			if (counts[ACCESS_READ] > 0)
				strcat(said[field->accesses[k].role], "r");
			if (counts[ACCESS_WRITE] > 0)
				strcat(said[field->accesses[k].role], "w");
		}
		assert_string_equal(said[0], tx);
		assert_string_equal(said[1], rx);
		return;
	}
	fail_msg("no entry for %s", path);
}

static void no_markers_no_profile(void **state)
{
	struct scene *scene = *state;
	struct type_member members[] = {{.name = "a", .type = scene->t_int}};
	assert_null(profile_of(scene, aggregate(scene, TYPE_STRUCT, "s", 4, members, 1), "s"));
}

static void markers_without_a_kind_say_nothing(void **state)
{
	struct scene *scene = *state;
	struct type_member members[] = {
		{.name = BEGIN "frag", .type = scene->t_marker},
		{.name = "a", .type = scene->t_int},
		{.name = END "frag", .type = scene->t_marker, .off_bits = 32},
	};
	assert_null(profile_of(scene, aggregate(scene, TYPE_STRUCT, "s", 4, members, 3), "s"));
}

static void groups_say_who_reads_and_writes(void **state)
{
	struct scene *scene = *state;
	struct type_member members[] = {
		{.name = "before", .type = scene->t_long},
		{.name = BEGIN "my_read_tx", .type = scene->t_marker, .off_bits = 64},
		{.name = "a", .type = scene->t_long, .off_bits = 64},
		{.name = END "my_read_tx", .type = scene->t_marker, .off_bits = 128},
		{.name = "between", .type = scene->t_long, .off_bits = 128},
		{.name = BEGIN "my_write_rx", .type = scene->t_marker, .off_bits = 192},
		{.name = "b", .type = scene->t_long, .off_bits = 192},
		{.name = "c", .type = scene->t_int, .off_bits = 256, .bit_size = 3},
		{.name = END "my_write_rx", .type = scene->t_marker, .off_bits = 320},
		{.name = BEGIN "my_read_rxtx", .type = scene->t_marker, .off_bits = 320},
		{.name = "d", .type = scene->t_long, .off_bits = 320},
		{.name = END "my_read_rxtx", .type = scene->t_marker, .off_bits = 384},
		{.name = BEGIN "tx_read_write_txrx", .type = scene->t_marker, .off_bits = 384},
		{.name = "e", .type = scene->t_long, .off_bits = 384},
		{.name = END "tx_read_write_txrx", .type = scene->t_marker, .off_bits = 448},
		{.name = BEGIN "my_tx_read_mostly", .type = scene->t_marker, .off_bits = 448},
		{.name = "f", .type = scene->t_long, .off_bits = 448},
		{.name = END "my_tx_read_mostly", .type = scene->t_marker, .off_bits = 512},
	};
	const struct profile_struct *entry =
		profile_of(scene, aggregate(scene, TYPE_STRUCT, "s", 64, members, 18), "s");
	assert_non_null(entry);
	assert_int_equal(entry->evidence, EVIDENCE_GROUP);
	assert_string_equal(entry->name, "s");
	assert_int_equal(entry->field_count, 6);
	assert_says(entry, "a", "r", "");
	assert_says(entry, "b", "", "rw");
	assert_says(entry, "c", "", "rw");
	assert_says(entry, "d", "r", "r");
	assert_says(entry, "e", "rw", "rw");
	assert_says(entry, "f", "r", "r");
	assert_int_equal(entry->document->role_count, 2);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(entry->document->roles[i].threads, 1);
}

/* struct outer { struct { BEGIN; union { long u; int v; }; struct { int x, y; }; END; } inner; long z; } */
static void nested_groups_and_unnamed_members(void **state)
{
	struct scene *scene = *state;
	struct type_member either[] = {
		{.name = "u", .type = scene->t_long}, {.name = "v", .type = scene->t_int}};
	struct type_member both[] = {{.name = "x", .type = scene->t_int},
		{.name = "y", .type = scene->t_int, .off_bits = 32}};
	struct type_member inner[] = {
		{.name = BEGIN "in_write_tx", .type = scene->t_marker},
		{.name = "", .type = aggregate(scene, TYPE_UNION, NULL, 8, either, 2)},
		{.name = "",
			.type = aggregate(scene, TYPE_STRUCT, NULL, 8, both, 2),
			.off_bits = 64},
		{.name = END "in_write_tx", .type = scene->t_marker, .off_bits = 128},
	};
	struct type_member outer[] = {
		{.name = "inner", .type = aggregate(scene, TYPE_STRUCT, "inner", 16, inner, 4)},
		{.name = "z", .type = scene->t_long, .off_bits = 128},
	};
	const struct profile_struct *entry =
		profile_of(scene, aggregate(scene, TYPE_STRUCT, "outer", 24, outer, 2), "outer");
	assert_int_equal(entry->field_count, 3);
	assert_says(entry, "inner.u", "rw", "");
	assert_says(entry, "inner.x", "rw", "");
	assert_says(entry, "inner.y", "rw", "");
}

static void it_joins_like_any_profile(void **state)
{
	struct scene *scene = *state;
	struct type_member members[] = {
		{.name = BEGIN "s_read_rx", .type = scene->t_marker},
		{.name = "a", .type = scene->t_long},
		{.name = END "s_read_rx", .type = scene->t_marker, .off_bits = 64},
		{.name = BEGIN "s_write_tx", .type = scene->t_marker, .off_bits = 64},
		{.name = "b", .type = scene->t_long, .off_bits = 64},
		{.name = END "s_write_tx", .type = scene->t_marker, .off_bits = 128},
	};
	const struct profile_struct *entry =
		profile_of(scene, aggregate(scene, TYPE_STRUCT, "s", 16, members, 6), "s");
	struct access_map map;
	struct access_context context = {.is_kernel = true};
	access_build(&scene->arena, &scene->layout, entry, &context, &map);
	assert_int_equal(map.missing_count, 0);
	assert_int_equal(map.role_count, 2);
	assert_int_equal(map.evidence, EVIDENCE_GROUP);
	assert_true(cost_total(&scene->arena, &map.model) > 0);
}

int main(void)
{
#define test(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		test(no_markers_no_profile),
		test(markers_without_a_kind_say_nothing),
		test(groups_say_who_reads_and_writes),
		test(nested_groups_and_unnamed_members),
		test(it_joins_like_any_profile),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

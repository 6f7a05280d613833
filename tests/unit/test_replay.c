/* Before and after: what a suggestion moves, moves in the simulation, whether the accesses are of roles or recorded. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "replay.h"

/* struct s { long hot; struct { long a, b; }; long rest[6]; char tail[8]; }, which moves hot to the end */
enum { HOT, UNNAMED, A, B, REST, TAIL, MEMBERS };

struct scene {
	struct arena arena;
	struct types types;
	struct layout layout;
	struct profile document;
	struct access_context context;
	struct access_map map;
	struct suggest_place places[4];
	struct suggest_move move;
	struct suggestion suggestion;
	struct trace trace;
	struct replay_input input;
	struct replay replay;
};

static type_id add_array(struct scene *scene, type_id target, uint64_t count)
{
	return types_add(
		&scene->types, &(struct type){.kind = TYPE_ARRAY,
				       .target = target,
				       .dims = arena_copy(&scene->arena, &count, 1, sizeof(count)),
				       .dim_count = 1});
}

static type_id add_struct(struct scene *scene, const char *name, uint64_t size,
	const struct type_member *members, size_t count)
{
	return types_add(&scene->types,
		&(struct type){.kind = TYPE_STRUCT,
			.name = name,
			.size_bytes = size,
			.size_known = true,
			.members = arena_copy(&scene->arena, members, count, sizeof(*members)),
			.member_count = count});
}

static void lay_out(struct scene *scene)
{
	type_id base[2];
	for (size_t i = 0; i < 2; i++)
		base[i] = types_add(&scene->types, &(struct type){.kind = TYPE_BASE,
							   .name = i ? "long" : "char",
							   .size_bytes = i ? 8 : 1,
							   .size_known = true});
	const struct type_member inner[] = {
		{.name = "a", .type = base[1]}, {.name = "b", .type = base[1], .off_bits = 64}};
	const struct type_member members[] = {
		{.name = "hot", .type = base[1]},
		{.name = "", .type = add_struct(scene, NULL, 16, inner, 2), .off_bits = 64},
		{.name = "rest", .type = add_array(scene, base[1], 6), .off_bits = 192},
		{.name = "tail", .type = add_array(scene, base[0], 8), .off_bits = 576},
	};
	type_id type = add_struct(scene, "s", 80, members, 4);
	assert_null(layout_build(&scene->arena, &scene->types, type, "s", 64, &scene->layout));
	assert_int_equal(scene->layout.member_count, MEMBERS);
}

/* hot behind tail: the unnamed struct is named by its first member */
static void suggest(struct scene *scene)
{
	static const uint64_t offsets[] = {0, 16, 64, 72};
	static const size_t members[] = {A, REST, TAIL, HOT};
	for (size_t i = 0; i < 4; i++) {
		const struct layout_member *member = &scene->layout.members[members[i]];
		scene->places[i] = (struct suggest_place){
			.field = member->path,
			.member = member,
			.off_bits = offsets[i] * 8,
			.before_bits = member->off_bits,
		};
	}
	scene->move = (struct suggest_move){.field = "hot", .after = "tail"};
	scene->suggestion = (struct suggestion){
		.moves = &scene->move,
		.move_count = 1,
		.order = scene->places,
		.order_count = 4,
		.size_before = 80,
		.size_after = 80,
		.lines_after = 2,
	};
	scene->input.suggestion = &scene->suggestion;
}

static int setup(void **state)
{
	static struct scene scene;
	memset(&scene, 0, sizeof(scene));
	arena_init(&scene.arena);
	types_init(&scene.types, &scene.arena,
		(struct type_machine){.pointer_bytes = 8, .scalar_align_max = 16});
	lay_out(&scene);
	scene.input = (struct replay_input){
		.layout = &scene.layout,
		.access = &scene.map,
		.context = &scene.context,
		.seed = 1,
		.operations = 50000,
	};
	*state = &scene;
	return 0;
}

static int teardown(void **state)
{
	struct scene *scene = *state;
	arena_release(&scene->arena);
	return 0;
}

static void join(struct scene *scene, const char *fields)
{
	const char *yaml = arena_printf(&scene->arena,
		"version: 1\n"
		"roles: {get: {threads: 8}, put: {threads: 2}}\n"
		"structs:\n"
		"  s:\n"
		"    placement: {alignment: 64}\n"
		"    fields: {%s}\n",
		fields);
	struct error *error = profile_parse(
		&scene->arena, "p.yaml", yaml, strlen(yaml), EVIDENCE_STATED, &scene->document);
	if (error)
		fail_msg("%s", error->message);
	access_build(&scene->arena, &scene->layout, &scene->document.structs[0], &scene->context,
		&scene->map);
	assert_int_equal(scene->map.missing_count, 0);
}

static const struct replay *run(struct scene *scene)
{
	struct error *error = replay_run(&scene->arena, &scene->input, &scene->replay);
	if (error)
		fail_msg("%s", error->message);
	return &scene->replay;
}

static const struct replay_field *field_named(
	const struct replay *replay, const char *role, const char *path)
{
	for (size_t i = 0; i < replay->field_count; i++)
		if (replay->fields[i].path && strcmp(replay->fields[i].path, path) == 0 &&
			strcmp(replay->roles[replay->fields[i].role].name, role) == 0)
			return &replay->fields[i];
	fail_msg("no %s of %s", path, role);
	return NULL;
}

static void assert_near(double got, double want)
{
	if (!(fabs(got - want) <= 0.02))
		fail_msg("%.4f is not %.4f", got, want);
}

/* ---- roles ---- */

static void roles_before_and_after(void **state)
{
	struct scene *scene = *state;
	join(scene, "hot: {put: {write: 1}}, a: {get: {read: 1}}, 'rest[]': {get: {read: 1}}");
	suggest(scene);
	const struct replay *replay = run(scene);
	assert_int_equal(replay->after.members[HOT].off_bits, 72 * 8);
	assert_int_equal(replay->after.members[UNNAMED].off_bits, 0);
	assert_int_equal(replay->after.members[A].off_bits, 0);
	assert_int_equal(replay->after.members[B].off_bits, 8 * 8);
	assert_int_equal(replay->after.members[REST].off_bits, 16 * 8);
	assert_int_equal(replay->after.members[TAIL].off_bits, 64 * 8);
	/* the readers' line is nobody else's any more; two writers are left to each other */
	assert_true(replay->total.before.simulated > 0.5);
	assert_near(replay->roles[0].cost.after.simulated, 0);
	assert_near(replay->roles[1].cost.after.simulated, 0.5);
	assert_near(replay->lines[0].after.simulated, 0);
	assert_near(replay->lines[1].after.simulated, 0.1);
	const struct replay_field *hot = field_named(replay, "put", "hot");
	assert_true(hot->before.line == 0 && hot->after.line == 1);
	assert_near(hot->after.owned, 0.5);
	assert_true(hot->before.owned > 0.8 && hot->before.fetches == 0);
	assert_near(field_named(replay, "get", "a")->after.fetches, 0);
	assert_int_equal(replay->row_count, 7);
	for (size_t i = 0; i < replay->row_count; i++) {
		const struct replay_row *row = &replay->rows[i];
		assert_int_equal(row->threads, 2u << i);
		assert_true(row->total.before.simulated > row->total.after.simulated);
		assert_near(row->total.before.simulated, row->total.before.closed);
		assert_near(row->total.after.simulated, row->total.after.closed);
	}
}

static void roles_without_suggestion(void **state)
{
	struct scene *scene = *state;
	scene->context.threads = 4;
	join(scene, "hot: {put: {write: 1}, get: {read: 1}}");
	const struct replay *replay = run(scene);
	assert_true(replay->total.after.simulated == 0 && replay->total.after.closed == 0);
	assert_int_equal(replay->row_count, 0);
	assert_int_equal(replay->roles[0].threads, 4);
	assert_int_equal(replay->line_count, 2);
}

static void nobody(void **state)
{
	struct scene *scene = *state;
	struct error *error = replay_run(&scene->arena, &scene->input, &scene->replay);
	assert_non_null(error);
	assert_non_null(strstr(error->message, "nobody accesses it"));
	error_free(error);
}

static void too_many_threads(void **state)
{
	struct scene *scene = *state;
	join(scene, "hot: {put: {write: 1}}");
	struct cost_role *roles = arena_copy(
		&scene->arena, scene->map.model.roles, scene->map.model.role_count, sizeof(*roles));
	roles[0].threads = 1u << 31;
	scene->map.model.roles = roles;
	struct error *error = replay_run(&scene->arena, &scene->input, &scene->replay);
	assert_non_null(error);
	assert_non_null(strstr(error->message, "give fewer with --threads"));
	error_free(error);
}

/* ---- recordings ---- */

static void record(struct scene *scene, const struct trace_event *events, size_t count,
	uint64_t first_address, uint64_t second_address)
{
	static const char *const roles[] = {"get", "put"};
	static const uint32_t thread_roles[] = {0, 1};
	const uint64_t objects[] = {first_address, second_address};
	scene->trace = (struct trace){
		.path = "t",
		.roles = roles,
		.role_count = 2,
		.thread_roles = thread_roles,
		.thread_count = 2,
		.objects = arena_copy(&scene->arena, objects, 2, sizeof(*objects)),
		.object_count = 2,
		.events = events,
		.event_count = count,
		.operations = count,
	};
	scene->input.trace = &scene->trace;
}

#define EVENT(thread, object, off, size, kind)                                                     \
	{                                                                                          \
		thread, object, off, size, kind, true                                              \
	}

/* hot and b are on one line before, on two afterwards. */
static void recording_before_and_after(void **state)
{
	static const struct trace_event events[] = {
		EVENT(1, 0, 0, 8, ACCESS_WRITE),
		EVENT(0, 0, 16, 8, ACCESS_READ),
		EVENT(1, 0, 0, 8, ACCESS_WRITE),
		EVENT(0, 0, 16, 8, ACCESS_READ),
	};
	struct scene *scene = *state;
	suggest(scene);
	record(scene, events, 4, 0, 0);
	const struct replay *replay = run(scene);
	assert_near(replay->total.before.simulated, 3.0 / 4);
	assert_near(replay->total.after.simulated, 0);
	assert_near(field_named(replay, "get", "b")->before.fetches, 1);
	assert_near(field_named(replay, "put", "hot")->before.owned, 0.5);
	assert_true(field_named(replay, "put", "hot")->after.line == 1);
	assert_int_equal(replay->row_count, 0);
	assert_true(replay->total.before.closed == 0);
}

/* What touches several members goes with each of them; a line counts once for an access. */
static void recording_of_ranges(void **state)
{
	static const struct trace_event events[] = {
		EVENT(1, 0, 0, 24, ACCESS_WRITE), /* hot, a and b: line 0, then lines 0 and 1 */
		EVENT(0, 0, 0, 80, ACCESS_READ),  /* everything: lines 0 and 1 */
		EVENT(1, 0, 0, 24, ACCESS_WRITE),
	};
	struct scene *scene = *state;
	suggest(scene);
	record(scene, events, 3, 0, 0);
	const struct replay *replay = run(scene);
	assert_near(replay->total.before.simulated, 2.0 / 3);
	assert_near(replay->total.after.simulated, 4.0 / 3);
	assert_int_equal(replay->roles[1].operations, 2);
}

/* Neighbours share a line where their addresses say so. */
static void recording_of_neighbours(void **state)
{
	static const struct trace_event events[] = {
		EVENT(1, 0, 72, 8, ACCESS_WRITE),
		EVENT(0, 1, 0, 8, ACCESS_WRITE),
		EVENT(1, 0, 72, 8, ACCESS_WRITE),
		EVENT(0, 1, 0, 8, ACCESS_WRITE),
	};
	struct scene *scene = *state;
	record(scene, events, 4, 0x1000, 0x1050);
	assert_near(run(scene)->total.before.simulated, 3.0 / 4);
	record(scene, events, 4, 0x1000, 0x1080);
	assert_near(run(scene)->total.before.simulated, 0);
	record(scene, events, 4, 0, 0);
	assert_near(run(scene)->total.before.simulated, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(roles_before_and_after),
		TEST(roles_without_suggestion),
		TEST(nobody),
		TEST(too_many_threads),
		TEST(recording_before_and_after),
		TEST(recording_of_ranges),
		TEST(recording_of_neighbours),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The simulation: caches by hand, small recordings counted by hand, and properties that every model must have. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "mesi.h"

static struct arena arena;

static int setup(void **state)
{
	(void)state;
	arena_init(&arena);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

/* ---- caches ---- */

static void states(void **state)
{
	(void)state;
	static const struct {
		size_t thread;
		bool writes;
		enum mesi_transaction transaction;
		enum mesi_state after[3];
	} steps[] = {
		{0, false, MESI_NONE, {MESI_EXCLUSIVE, MESI_INVALID, MESI_INVALID}},
		{0, true, MESI_NONE, {MESI_MODIFIED, MESI_INVALID, MESI_INVALID}},
		{0, false, MESI_NONE, {MESI_MODIFIED, MESI_INVALID, MESI_INVALID}},
		{1, false, MESI_FETCH, {MESI_SHARED, MESI_SHARED, MESI_INVALID}},
		{2, false, MESI_FETCH, {MESI_SHARED, MESI_SHARED, MESI_SHARED}},
		{2, false, MESI_NONE, {MESI_SHARED, MESI_SHARED, MESI_SHARED}},
		{1, true, MESI_OWN, {MESI_INVALID, MESI_MODIFIED, MESI_INVALID}},
		{1, true, MESI_NONE, {MESI_INVALID, MESI_MODIFIED, MESI_INVALID}},
		{0, true, MESI_OWN, {MESI_MODIFIED, MESI_INVALID, MESI_INVALID}},
		{1, false, MESI_FETCH, {MESI_SHARED, MESI_SHARED, MESI_INVALID}},
		{0, true, MESI_OWN, {MESI_MODIFIED, MESI_INVALID, MESI_INVALID}},
	};
	struct mesi_caches caches;
	mesi_caches_init(&caches, 3, 2);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		assert_int_equal(mesi_access(&caches, steps[i].thread, 1, steps[i].writes),
			steps[i].transaction);
		for (size_t thread = 0; thread < 3; thread++) {
			assert_int_equal(mesi_state(&caches, thread, 1), steps[i].after[thread]);
			assert_int_equal(mesi_state(&caches, thread, 0), MESI_INVALID);
		}
	}
	mesi_caches_release(&caches);
}

/* What nobody has written yet is fetched from memory, not from a cache: free. Its first write is not, when others have it. */
static void clean_lines(void **state)
{
	(void)state;
	struct mesi_caches caches;
	mesi_caches_init(&caches, 3, 1);
	assert_int_equal(mesi_access(&caches, 0, 0, false), MESI_NONE);
	assert_int_equal(mesi_access(&caches, 1, 0, false), MESI_NONE);
	assert_int_equal(mesi_state(&caches, 0, 0), MESI_SHARED);
	assert_int_equal(mesi_access(&caches, 2, 0, true), MESI_OWN);
	mesi_caches_release(&caches);
}

/* ---- recordings ---- */

/* "0+w0a": thread 0 begins an operation ('.' goes on) and writes field 0 (its digit) on cache line a. */
static struct mesi_result replay(const char *text, size_t threads)
{
	static const uint32_t roles[] = {0, 1, 1, 1};
	struct mesi_event events[64];
	struct mesi_record record = {
		.events = events,
		.thread_roles = roles,
		.thread_count = threads,
		.role_count = 2,
		.field_count = 3,
		.line_count = 3,
		.cache_line_count = 3,
	};
	for (const char *at = text; *at; at += at[5] ? 6 : 5)
		events[record.event_count++] = (struct mesi_event){
			.thread = (uint32_t)(at[0] - '0'),
			.begins = at[1] == '+',
			.writes = at[2] == 'w',
			.field = (uint32_t)(at[3] - '0'),
			.line = (uint32_t)(at[4] - 'a'),
			.cache_line = (uint32_t)(at[4] - 'a'),
		};
	return mesi_record(&arena, &record);
}

static void expect(const struct mesi_tally *tally, uint64_t fetches, uint64_t owned)
{
	assert_int_equal(tally->fetches, fetches);
	assert_int_equal(tally->owned, owned);
	assert_int_equal(tally->polls, 0);
}

static void recorded_by_hand(void **state)
{
	(void)state;
	/* thread 0 (role 0) writes field 0 and reads 1; thread 1 (role 1) reads 1: all on line a */
	struct mesi_result result =
		replay("0+w0a 0.r1a 1+r1a 0+w0a 0.r1a 1+r1a 1+r1a 0+w0a 1+r1a", 2);
	assert_int_equal(result.operations[0], 3);
	assert_int_equal(result.operations[1], 4);
	expect(&result.role_fields[0 * 3 + 0], 0, 2);
	expect(&result.role_fields[0 * 3 + 1], 0, 0);
	expect(&result.role_fields[1 * 3 + 1], 3, 0);
	expect(&result.role_lines[0 * 3 + 0], 0, 2);
	expect(&result.role_lines[1 * 3 + 0], 3, 0);
	assert_true(fabs(result.roles[0] - 2.0 / 3) < 1e-12);
	assert_true(fabs(result.roles[1] - 3.0 / 4) < 1e-12);
	assert_true(fabs(result.total - 5.0 / 7) < 1e-12);
	assert_true(fabs(result.lines[0] - 5.0 / 7) < 1e-12);
	/* the same with the written field on a line of its own: nobody else goes there */
	result = replay("0+w0b 0.r1a 1+r1a 0+w0b 0.r1a 1+r1a 1+r1a 0+w0b 1+r1a", 2);
	assert_true(result.total == 0 && result.lines[0] == 0 && result.lines[1] == 0);
}

/* Two writers in turn pay for each write; a third thread that reads between them does not change what they pay. */
static void recorded_ping_pong(void **state)
{
	(void)state;
	struct mesi_result result = replay("0+w0a 1+w0a 0+w0a 1+w0a 0+w0a 1+w0a", 2);
	expect(&result.role_fields[0], 0, 2);
	expect(&result.role_fields[3], 0, 3);
	result = replay("0+w0a 1+w0a 2+r0a 0+w0a 1+w0a 2+r0a 0+w0a", 3);
	expect(&result.role_fields[0], 0, 2);
	expect(&result.role_fields[3], 2, 2);
	/* reading before writing costs the fetch and then the ownership */
	result = replay("0+w0a 1+r0a 1.w0a 0+r0a 0.w0a", 2);
	expect(&result.role_fields[0], 1, 1);
	expect(&result.role_fields[3], 1, 1);
}

static void recorded_nothing(void **state)
{
	(void)state;
	struct mesi_result result = replay("", 2);
	assert_true(result.total == 0);
	/* accesses outside of any operation count, but are nobody's operation */
	result = replay("0.w0a 1.w0a", 2);
	assert_int_equal(result.operations[1], 0);
	expect(&result.role_fields[3], 0, 1);
	assert_true(result.total == 0);
}

/* ---- models ---- */

enum { FIELDS = 4, ACCESSES = 8 };

/* Roles of accesses such as "w0 r1 " to fields of 8 bytes, each on the line that `lines` says. */
struct scene {
	struct cost_model model;
	struct cost_field fields[FIELDS];
	struct cost_role roles[2];
	struct cost_access accesses[2][ACCESSES];
	struct cost_lock lock;
	struct cost_workload workload;
	uint64_t start;
};

static void scene_init(struct scene *scene, const char *lines)
{
	static const uint32_t together[] = {0, 1};
	memset(scene, 0, sizeof(*scene));
	for (size_t i = 0; lines[i]; i++)
		scene->fields[scene->model.field_count++] = (struct cost_field){
			.off_bytes = (uint64_t)(lines[i] - 'a') * 64 + i * 8, .size_bytes = 8};
	scene->workload.roles = together;
	scene->lock = (struct cost_lock){.field = 0};
	scene->model.line_bytes = 64;
	scene->model.size_bytes = 192;
	scene->model.fields = scene->fields;
	scene->model.roles = scene->roles;
	scene->model.locks = &scene->lock;
	scene->model.lock_count = 1;
	scene->model.workloads = &scene->workload;
	scene->model.workload_count = 1;
	scene->model.starts = &scene->start;
	scene->model.start_count = 1;
}

static void role(struct scene *scene, unsigned threads, double rate, const char *operation)
{
	size_t index = scene->model.role_count++;
	struct cost_role *ret = &scene->roles[index];
	scene->workload.role_count = scene->model.role_count;
	*ret = (struct cost_role){.name = "role",
		.threads = threads,
		.rate = rate,
		.interleave = 0.02,
		.accesses = scene->accesses[index]};
	for (const char *at = operation; *at; at += at[2] ? 3 : 2)
		scene->accesses[index][ret->access_count++] =
			(struct cost_access){.field = (uint32_t)(at[1] - '0'),
				.kind = *at == 'w' ? ACCESS_WRITE : ACCESS_READ,
				.weight = 1,
				.acquires = COST_NO_LOCK,
				.releases = COST_NO_LOCK};
}

static struct mesi_result run(const struct scene *scene, uint64_t seed)
{
	return mesi_model(
		&arena, &scene->model, &(struct mesi_options){.seed = seed, .operations = 200000});
}

static void assert_near(double got, double want, double epsilon)
{
	if (!(fabs(got - want) <= epsilon))
		fail_msg("%.6f is not %.6f", got, want);
}

static void deterministic(void **state)
{
	(void)state;
	struct scene scene;
	scene_init(&scene, "aab");
	role(&scene, 5, 1, "w0 r1 r2");
	role(&scene, 2, 0.3, "r0 w2");
	scene.accesses[0][1].weight = 0.4;
	struct mesi_result first = run(&scene, 7), again = run(&scene, 7), other = run(&scene, 8);
	size_t fields = sizeof(*first.role_fields) * 2 * scene.model.field_count;
	size_t lines = sizeof(*first.role_lines) * 2 * first.line_count;
	assert_memory_equal(first.role_fields, again.role_fields, fields);
	assert_memory_equal(first.role_lines, again.role_lines, lines);
	assert_true(first.total == again.total);
	assert_memory_not_equal(first.role_fields, other.role_fields, fields);
	assert_near(other.total, first.total, 0.02 * first.total);
	assert_true(first.operations[0] + first.operations[1] == 200000);
}

/* One write an operation: of n threads alike, n - 1 were there last. */
static void one_write(void **state)
{
	(void)state;
	for (unsigned threads = 1; threads <= 128; threads *= 4) {
		struct scene scene;
		scene_init(&scene, "a");
		role(&scene, threads, 1, "w0");
		assert_near(run(&scene, 1).total, 1 - 1.0 / threads, 0.005);
	}
}

/* Readers beside a writer: a fetch for each time that the write came in between. */
static void readers_and_writer(void **state)
{
	(void)state;
	struct scene scene;
	scene_init(&scene, "a");
	role(&scene, 8, 1, "r0");
	role(&scene, 1, 1, "w0");
	struct mesi_result result = run(&scene, 1);
	assert_near(result.roles[0], 0.5,
		0.01); /* its own operation, or the writer's: equally often last */
	assert_near(result.roles[1], 8.0 / 9, 0.01);
	assert_near(result.total, (8 * 0.5 + 8.0 / 9) / 9, 0.01);
}

/* What nobody writes, and what only one thread or nobody else touches, costs nothing. */
static void free_of_cost(void **state)
{
	(void)state;
	struct scene scene;
	scene_init(&scene, "aaa");
	role(&scene, 32, 1, "r0 r1 r2");
	assert_true(run(&scene, 1).total == 0);
	scene_init(&scene, "ab");
	role(&scene, 16, 1, "r0");
	role(&scene, 1, 1, "w1");
	assert_true(run(&scene, 1).total == 0);
	scene_init(&scene, "aa");
	role(&scene, 16, 1, "w0 r1");
	scene.model.instance = INSTANCE_PER_THREAD;
	assert_true(run(&scene, 1).total == 0);
}

/* Parts add up to the whole; so do fields and lines. */
static void adds_up(void **state)
{
	(void)state;
	struct scene scene;
	scene_init(&scene, "aabc");
	role(&scene, 4, 1, "w0 r1 w2");
	role(&scene, 3, 0.5, "r0 w3 r2");
	struct mesi_result result = run(&scene, 3);
	uint64_t fields = 0, lines = 0;
	double total = 0;
	for (size_t i = 0; i < 2 * result.field_count; i++)
		fields += mesi_tally_sum(&result.role_fields[i]);
	for (size_t i = 0; i < 2 * result.line_count; i++)
		lines += mesi_tally_sum(&result.role_lines[i]);
	for (size_t i = 0; i < result.line_count; i++)
		total += result.lines[i];
	assert_int_equal(fields, lines);
	assert_near(total, result.total, 1e-9);
	assert_near((4 * result.roles[0] + 1.5 * result.roles[1]) / 5.5, result.total, 1e-9);
}

/* A contended lock: two transactions for each write to its line while it is held; nobody waits for the only thread. */
static void polling(void **state)
{
	(void)state;
	struct scene scene;
	scene_init(&scene, "aab");
	role(&scene, 8, 1, "w0 w1 w2 w0");
	scene.accesses[0][0].acquires = 0;
	scene.accesses[0][3].releases = 0;
	double quiet = run(&scene, 1).total;
	scene.lock.contended = 0.25;
	struct mesi_result result = run(&scene, 1);
	assert_near(result.total - quiet, 0.25 * 2 * 2, 0.02);
	assert_int_equal(result.role_fields[1].polls + result.role_fields[2].polls, 0);
	assert_true(result.role_fields[0].polls > 0);
	scene.roles[0].threads = 1;
	assert_true(run(&scene, 1).total == 0);
}

/* Elements of an array: neighbours on one line disturb, those that are a line apart do not. */
static void neighbours(void **state)
{
	(void)state;
	struct scene scene;
	scene_init(&scene, "a");
	role(&scene, 1, 1, "w0");
	scene.model.size_bytes = 16;
	scene.model.instance = INSTANCE_ARRAY;
	assert_near(run(&scene, 1).total, 1 - 1.0 / 4, 0.01);
	scene.model.stride_bytes = 32;
	assert_near(run(&scene, 1).total, 1 - 1.0 / 2, 0.01);
	scene.model.stride_bytes = 64;
	assert_true(run(&scene, 1).total == 0);
}

/* A field across two lines is on each as often as its bytes are; with more starts, at each as often. */
static void placements(void **state)
{
	(void)state;
	static const uint64_t starts[] = {0, 60};
	struct scene scene;
	scene_init(&scene, "a");
	role(&scene, 4, 1, "w0");
	scene.model.starts = starts;
	scene.model.start_count = 2;
	struct mesi_result result = run(&scene, 1);
	double first = (double)mesi_tally_sum(&result.role_lines[0]);
	double second = (double)mesi_tally_sum(&result.role_lines[1]);
	assert_near(second / (first + second), 0.25, 0.01);
	assert_near(result.total, 0.75, 0.01);
}

/* Of several workloads the worst counts, of a role the worst in which it takes part. */
static void workloads(void **state)
{
	(void)state;
	static const uint32_t first[] = {0}, second[] = {1};
	static const struct cost_workload both[] = {{first, 1}, {second, 1}};
	struct scene scene;
	scene_init(&scene, "ab");
	role(&scene, 2, 1, "w0");
	role(&scene, 8, 1, "w1");
	scene.model.workloads = both;
	scene.model.workload_count = 2;
	struct mesi_result result = run(&scene, 1);
	assert_int_equal(result.workload, 1);
	assert_near(result.total, 7.0 / 8, 0.01);
	assert_near(result.lines[1], result.total, 1e-9);
	assert_true(result.lines[0] == 0);
	assert_near(result.roles[0], 1.0 / 2, 0.01);
	assert_near(result.roles[1], 7.0 / 8, 0.01);
	assert_int_equal(result.operations[0], 200000);
	assert_true(result.role_fields[0].owned > 90000);
	assert_true(result.role_lines[result.line_count + 1].owned > 170000);
}

static void caches_needed(void **state)
{
	(void)state;
	struct scene scene;
	scene_init(&scene, "a");
	role(&scene, 10, 1, "w0");
	assert_int_equal(mesi_model_caches(&scene.model), 10 * 3);
	scene.roles[0].threads = UINT32_MAX;
	assert_true(mesi_model_caches(&scene.model) > MESI_CACHES_MAX);
	scene.model.instance = INSTANCE_ARRAY;
	scene.model.size_bytes = UINT64_MAX;
	assert_true(mesi_model_caches(&scene.model) > MESI_CACHES_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states),
		cmocka_unit_test(clean_lines),
		cmocka_unit_test(recorded_by_hand),
		cmocka_unit_test(recorded_ping_pong),
		cmocka_unit_test(recorded_nothing),
		cmocka_unit_test(deterministic),
		cmocka_unit_test(one_write),
		cmocka_unit_test(readers_and_writer),
		cmocka_unit_test(free_of_cost),
		cmocka_unit_test(adds_up),
		cmocka_unit_test(polling),
		cmocka_unit_test(neighbours),
		cmocka_unit_test(placements),
		cmocka_unit_test(workloads),
		cmocka_unit_test(caches_needed),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}

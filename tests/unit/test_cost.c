/* The closed form: its known points, and properties that every model must have. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "cost.h"

enum { FIELDS_MAX = 16, ROLES_MAX = 4, ACCESSES_MAX = 32 };

/* A model with its tables: fields of 8 bytes on lines of 64, by one-letter names. */
struct scene {
	struct arena arena;
	struct cost_model model;
	struct cost_field fields[FIELDS_MAX];
	char names[FIELDS_MAX];
	struct cost_role roles[ROLES_MAX];
	struct cost_access accesses[ROLES_MAX][ACCESSES_MAX];
	struct cost_lock locks[1];
	struct cost_workload workloads[ROLES_MAX];
	uint32_t together[ROLES_MAX];
	uint64_t starts[16];
};

/* "abc|d": a, b and c on line 0, d on line 1. */
static void place(struct scene *scene, const char *lines)
{
	uint64_t line = 0, slot = 0;
	scene->model.field_count = 0;
	for (const char *at = lines; *at; at++) {
		if (*at == '|') {
			line++;
			slot = 0;
			continue;
		}
		size_t i = scene->model.field_count++;
		scene->names[i] = *at;
		scene->fields[i] =
			(struct cost_field){.off_bytes = line * 64 + slot++ * 8, .size_bytes = 8};
	}
	scene->model.size_bytes = (line + 1) * 64;
}

static uint32_t field_named(const struct scene *scene, char name)
{
	for (uint32_t i = 0; i < scene->model.field_count; i++)
		if (scene->names[i] == name)
			return i;
	fail_msg("no field %c", name);
	return 0;
}

/* "Xa ra wa ": rmw, read and write of a, in this order; each role's fields must be placed already. */
static struct cost_role *role(
	struct scene *scene, unsigned threads, double rate, const char *operation)
{
	size_t index = scene->model.role_count++;
	struct cost_role *ret = &scene->roles[index];
	*ret = (struct cost_role){.name = "role",
		.threads = threads,
		.rate = rate,
		.interleave = 0.02,
		.accesses = scene->accesses[index]};
	for (const char *at = operation; *at; at += at[2] ? 3 : 2)
		scene->accesses[index][ret->access_count++] =
			(struct cost_access){.field = field_named(scene, at[1]),
				.kind = *at == 'X'   ? ACCESS_RMW
					: *at == 'w' ? ACCESS_WRITE
					: *at == '?' ? ACCESS_UNKNOWN
						     : ACCESS_READ,
				.weight = 1,
				.acquires = COST_NO_LOCK,
				.releases = COST_NO_LOCK};
	scene->together[index] = (uint32_t)index;
	scene->workloads[0].role_count = scene->model.role_count;
	return ret;
}

static int scene_setup(void **state)
{
	static struct scene scene;
	memset(&scene, 0, sizeof(scene));
	arena_init(&scene.arena);
	scene.model = (struct cost_model){.line_bytes = 64,
		.fields = scene.fields,
		.roles = scene.roles,
		.locks = scene.locks,
		.workloads = scene.workloads,
		.workload_count = 1,
		.starts = scene.starts,
		.start_count = 1};
	scene.workloads[0].roles = scene.together;
	*state = &scene;
	return 0;
}

static int scene_teardown(void **state)
{
	struct scene *scene = *state;
	arena_release(&scene->arena);
	return 0;
}

static double total(struct scene *scene)
{
	return cost_total(&scene->arena, &scene->model);
}

static struct cost_result run(struct scene *scene)
{
	return cost_run(&scene->arena, &scene->model);
}

static double run_on(struct scene *scene, const char *lines)
{
	place(scene, lines);
	return total(scene);
}

/* Each role's b, whatever the threads: i = b (K - 1) / N. */
static void fix_breaks(struct scene *scene, double breaks)
{
	double operations = 0;
	for (size_t i = 0; i < scene->model.role_count; i++)
		operations += scene->roles[i].rate * scene->roles[i].threads;
	for (size_t i = 0; i < scene->model.role_count; i++) {
		struct cost_role *r = &scene->roles[i];
		r->interleave = breaks * ((double)r->access_count - 1) / (operations - r->rate);
	}
}

#define assert_near(got, want, epsilon)                                                            \
	do {                                                                                       \
		double got_ = (got), want_ = (want);                                               \
		if (!(fabs(got_ - want_) <= (epsilon)))                                            \
			fail_msg("%s is %.9f, not %.9f", #got, got_, want_);                       \
	} while (0)

/* Equal to the digits given. */
#define assert_3_digits(got, want) assert_near(got, want, 0.0005)

static void known_pread(void **state)
{
	static const struct {
		unsigned threads;
		double together, apart;
	} points[] = {
		{2, 0.518, 0.510},
		{16, 1.422, 1.186},
		{32, 1.937, 1.434},
		{64, 2.764, 1.729},
		{128, 4.042, 1.948},
	};
	struct scene *scene = *state;
	place(scene, "cabdef");
	struct cost_role *pread = role(scene, 1, 1, "Xc ra rb rd re rf Xc");
	for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++) {
		pread->threads = points[i].threads;
		assert_3_digits(run_on(scene, "cabdef"), points[i].together);
		assert_3_digits(run_on(scene, "c|abdef"), points[i].apart);
	}
	pread->threads = 64;
	fix_breaks(scene, 0.2);
	assert_3_digits(run_on(scene, "cabdef"), 2.697);
	assert_3_digits(run_on(scene, "c|abdef"), 1.711);
}

static void known_writers_and_readers(void **state)
{
	struct scene *scene = *state;
	place(scene, "lnbfmd");
	role(scene, 4, 0.2, "Xl rn wn rb wb wl");
	role(scene, 24, 1, "rf rm rd");
	assert_3_digits(run_on(scene, "lnbfmd"), 0.686);
	assert_3_digits(run_on(scene, "lnb|fmd"), 0.040);
	assert_3_digits(run_on(scene, "l|n|b|fmd"), 0.131);
	fix_breaks(scene, 0.2);
	assert_3_digits(run_on(scene, "lnbfmd"), 0.780);
	assert_3_digits(run_on(scene, "lnb|fmd"), 0.056);
	assert_3_digits(run_on(scene, "l|n|b|fmd"), 0.137);
}

static void known_rates(void **state)
{
	static const double points[][2] = {
		{1, 0.671676}, {0.1, 0.096648}, {0.01, 0.010105}, {0.001, 0.001015}};
	struct scene *scene = *state;
	place(scene, "x");
	role(scene, 64, 1, "rx rx rx");
	struct cost_role *writer = role(scene, 1, 1, "wx");
	for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++) {
		writer->rate = points[i][0];
		assert_near(total(scene), points[i][1], 0.0000005);
	}
	writer->rate = 1e-12;
	assert_true(total(scene) > 0 && total(scene) < 1e-10);
}

static void nobody_else(void **state)
{
	struct scene *scene = *state;
	place(scene, "ab");
	struct cost_role *only = role(scene, 1, 1, "Xa rb wb Xa");
	assert_true(total(scene) == 0);
	only->threads = 2;
	assert_true(total(scene) > 0);
	scene->model.instance = INSTANCE_PER_THREAD;
	struct cost_result result = run(scene);
	assert_true(result.total == 0 && result.roles[0] == 0 && result.lines[0] == 0);
}

static void readers_alone_cost_nothing(void **state)
{
	struct scene *scene = *state;
	place(scene, "ab");
	role(scene, 64, 1, "ra rb ra");
	struct cost_role *other = role(scene, 4, 1, "?a ?b"); /* of unknown kind: never a writer */
	assert_true(total(scene) == 0);
	scene->accesses[1][0].kind = ACCESS_RMW;
	assert_true(total(scene) > 0);
	assert_true(run(scene).roles[1] > 0);
	double as_unknown = total(scene);
	scene->accesses[1][1].kind = ACCESS_READ;
	assert_true(total(scene) == as_unknown);
	assert_int_equal(other->access_count, 2);
}

static void rate_towards_zero(void **state)
{
	struct scene *scene = *state;
	place(scene, "abc");
	role(scene, 8, 1, "Xa rb Xa");
	double without = total(scene);
	struct cost_role *rare = role(scene, 8, 1, "wb rc");
	double before = HUGE_VAL;
	for (double rate = 0.1; rate > 1e-9; rate /= 10) {
		rare->rate = rate;
		double distance = fabs(total(scene) - without);
		assert_true(distance < before);
		before = distance;
	}
	assert_near(before, 0, 1e-6);
}

static void access_towards_zero(void **state)
{
	struct scene *scene = *state;
	place(scene, "ab");
	role(scene, 8, 1, "Xa ra rb");
	double with_two = total(scene);
	role(scene, 8, 1, "ra wb ra");
	scene->accesses[1][1].weight = 1e-9;
	double fractional = total(scene);
	scene->model.role_count = scene->workloads[0].role_count = 1;
	assert_true(total(scene) == with_two);
	role(scene, 8, 1, "ra ra");
	assert_near(fractional, total(scene), 1e-6);
}

static void sums(void **state)
{
	struct scene *scene = *state;
	place(scene, "ab|c|de");
	scene->fields[1].size_bytes = 60; /* onto the next line */
	role(scene, 8, 1, "Xa rb wc rd Xa");
	role(scene, 3, 0.25, "wb re we");
	struct cost_result result = run(scene);
	double lines = 0, weighted = 0;
	for (size_t i = 0; i < result.line_count; i++)
		lines += result.lines[i];
	assert_int_equal(result.line_count, 3);
	assert_near(lines, result.total, 1e-12);
	assert_near(total(scene), result.total, 0);
	for (size_t i = 0; i < 2; i++) {
		double of_role = 0;
		for (size_t line = 0; line < result.line_count; line++)
			of_role += result.role_lines[i * result.line_count + line];
		assert_near(of_role, result.roles[i], 1e-12);
		weighted += of_role * scene->roles[i].rate * scene->roles[i].threads;
	}
	assert_near(weighted / (8 + 0.75), result.total, 1e-12);
}

static void idle_roles_do_not_dilute(void **state)
{
	struct scene *scene = *state;
	place(scene, "a");
	role(scene, 8, 1, "Xa");
	double without = total(scene);
	role(scene, 64, 1, "");
	assert_true(total(scene) == without);
	assert_true(run(scene).roles[1] == 0);
}

static void worst_workload(void **state)
{
	static const uint32_t first[] = {0}, second[] = {1, 2};
	struct scene *scene = *state;
	place(scene, "ab");
	role(scene, 4, 1, "Xa");
	role(scene, 16, 1, "ra rb ra");
	role(scene, 16, 1, "Xb");
	scene->workloads[0] = (struct cost_workload){first, 1};
	double cheap = total(scene);
	scene->workloads[0] = (struct cost_workload){second, 2};
	double dear = total(scene);
	assert_true(cheap < dear);
	scene->workloads[0] = (struct cost_workload){first, 1};
	scene->workloads[1] = (struct cost_workload){second, 2};
	scene->model.workload_count = 2;
	struct cost_result result = run(scene);
	assert_true(result.total == dear);
	assert_int_equal(result.workload, 1);
	assert_true(result.roles[0] == cheap); /* of the workload that it takes part in */
	assert_true(result.role_lines[0] == 0);
}

static void placements_average(void **state)
{
	struct scene *scene = *state;
	place(scene, "aaaaaaab"); /* a at 0, b at 56 */
	scene->model.size_bytes = 64;
	role(scene, 8, 1, "Xa rb Xa");
	double together = total(scene);
	scene->starts[0] = 32;
	double apart = total(scene);
	assert_true(apart < together);
	scene->starts[0] = 0;
	scene->starts[1] = 32;
	scene->model.start_count = 2;
	struct cost_result result = run(scene);
	assert_near(result.total, (together + apart) / 2, 1e-12);
	assert_int_equal(result.line_count, 2);
}

static void straddling_member(void **state)
{
	struct scene *scene = *state;
	place(scene, "a|b");
	role(scene, 8, 1, "Xa");
	role(scene, 8, 1, "rb");
	assert_true(total(scene) > 0);
	double alone = total(scene);
	scene->fields[1] =
		(struct cost_field){.off_bytes = 48, .size_bytes = 24}; /* 16 on a's line */
	double mostly = total(scene);
	scene->fields[1].off_bytes = 56; /* 8 */
	double partly = total(scene);
	assert_true(alone < partly && partly < mostly);
}

/* One read of a line after many threads' writes: what remains is what happens at all. */
static void fractional_read(void **state)
{
	struct scene *scene = *state;
	place(scene, "a");
	role(scene, 1, 1, "ra");
	role(scene, 1, 1e9, "wa");
	assert_near(run(scene).roles[0], 1, 1e-6);
	scene->accesses[0][0].weight = 0.25;
	assert_near(run(scene).roles[0], 0.25, 1e-6);
}

/* Read with chance v, then written with chance w; others write all the time, and nothing comes between. */
static void fractional_upgrade(void **state)
{
	struct scene *scene = *state;
	const double v = 0.5, w = 0.25;
	place(scene, "a");
	role(scene, 1, 1, "ra wa");
	role(scene, 1, 1e9, "wa");
	scene->roles[0].interleave = 0;
	scene->accesses[0][0].weight = v;
	scene->accesses[0][1].weight = w;
	/* fetch v; own: w (1 - v) begins a turn, w v goes on with a clean one */
	assert_near(run(scene).roles[0], v + w, 1e-6);
	scene->accesses[0][0].kind =
		ACCESS_WRITE; /* then the second costs only when the first did not happen */
	assert_near(run(scene).roles[0], v + w * (1 - v), 1e-6);
}

static void neighbours(void **state)
{
	struct scene *scene = *state;
	place(scene, "a");
	role(scene, 1, 1, "Xa");
	scene->model.instance = INSTANCE_ARRAY;
	scene->model.size_bytes = 16;
	for (uint64_t i = 0; i < 4; i++)
		scene->starts[i] = i * 16;
	scene->model.start_count = 4;
	scene->model.stride_bytes = 16;
	/* Four elements on a line, one thread each: as four threads on one object. */
	double four = total(scene);
	assert_near(four, 0.75, 1e-12);
	scene->model.stride_bytes = 64;
	scene->model.start_count = 1;
	assert_true(total(scene) == 0);
	/* Elements of 48 bytes meet the next one's first field only where they straddle. */
	scene->model.size_bytes = scene->model.stride_bytes = 48;
	for (uint64_t i = 0; i < 4; i++)
		scene->starts[i] = i * 48 % 64;
	scene->model.start_count = 4;
	double straddling = total(scene);
	assert_true(straddling > 0 && straddling < four);
}

static void neighbours_do_not_interrupt(void **state)
{
	struct scene *scene = *state;
	place(scene, "ab");
	role(scene, 1, 1, "Xa ra ra rb Xa");
	scene->model.instance = INSTANCE_ARRAY;
	scene->model.size_bytes = 16;
	scene->model.stride_bytes = 16;
	double little = total(scene);
	scene->roles[0].interleave = 0.5;
	assert_true(total(scene) == little);
}

static void contended_lock(void **state)
{
	struct scene *scene = *state;
	place(scene, "lab");
	role(scene, 16, 1, "Xl wa rb wb Xl");
	double uncontended = total(scene);
	scene->model.lock_count = 1;
	scene->accesses[0][0].acquires = 0;
	scene->accesses[0][4].releases = 0;
	assert_true(total(scene) == uncontended);
	scene->locks[0].contended = 0.3;
	assert_near(total(scene) - uncontended, 0.3 * 2 * 3, 1e-12);
	/* What the waiters poll is the lock's line only. */
	double free_apart;
	scene->locks[0].contended = 0;
	free_apart = run_on(scene, "l|ab");
	scene->locks[0].contended = 0.3;
	assert_near(total(scene) - free_apart, 0.3 * 2 * 1, 1e-12);
	/* A write before the acquisition or after the release is no concern of theirs. */
	scene->accesses[0][1].releases = 0;
	assert_near(run_on(scene, "lab") - uncontended, 0.3 * 2 * 1, 1e-12);
	/* Nobody to wait for. */
	scene->roles[0].threads = 1;
	assert_true(total(scene) == 0);
}

static void rarely_contended_lock(void **state)
{
	struct scene *scene = *state;
	place(scene, "l");
	role(scene, 16, 1, "Xl wl");
	scene->accesses[0][0].weight = scene->accesses[0][1].weight = 0.1;
	double uncontended = total(scene);
	scene->model.lock_count = 1;
	scene->locks[0].contended = 0.5;
	scene->accesses[0][0].acquires = scene->accesses[0][1].releases = 0;
	assert_near(total(scene) - uncontended, 0.5 * 2 * 0.1, 1e-12);
}

static void held_accesses(void **state)
{
	struct scene *scene = *state;
	place(scene, "la");
	role(scene, 16, 1, "Xl ra wa wl");
	double loose = total(scene);
	for (size_t i = 1; i < 4; i++)
		scene->accesses[0][i].held = true;
	/* One turn, which writes first: n - 1 of n times another was there. */
	assert_near(total(scene), 15.0 / 16, 1e-12);
	assert_true(total(scene) < loose);
}

static void alone(void **state)
{
	struct scene *scene = *state;
	place(scene, "cab|d");
	role(scene, 16, 1, "Xc ra rb rd Xc");
	double apart = run_on(scene, "c|ab|d");
	place(scene, "cab|d");
	double together = total(scene);
	scene->fields[0].alone = true;
	struct cost_result result = run(scene);
	assert_near(result.total, apart, 1e-12);
	assert_true(apart < together);
	assert_int_equal(result.line_count, 3);
	assert_near(result.lines[2], result.total, 1e-12);
	/* As many lines as it needs, and wherever the object starts. */
	scene->fields[0].size_bytes = 65;
	scene->starts[0] = 56;
	result = run(scene);
	assert_int_equal(result.line_count, 3 + 2);
	assert_near(result.lines[3] + result.lines[4], result.total, 1e-12);
	assert_true(result.lines[3] > result.lines[4] && result.lines[4] > 0);
}

static void alone_in_an_array(void **state)
{
	struct scene *scene = *state;
	place(scene, "ab");
	scene->model.size_bytes = scene->model.stride_bytes = 16;
	scene->model.instance = INSTANCE_ARRAY;
	role(scene, 1, 1, "Xa rb");
	assert_true(total(scene) > 0);
	scene->fields[0].alone = true;
	assert_true(total(scene) == 0);
}

static void spread_array(void **state)
{
	struct scene *scene = *state;
	place(scene, "|a");
	scene->fields[0] = (struct cost_field){
		.off_bytes = 0, .size_bytes = 256, .element_bytes = 8, .place = COST_SPREAD};
	scene->model.size_bytes = 256;
	role(scene, 16, 1, "Xa");
	struct cost_result result = run(scene);
	assert_int_equal(result.line_count, 4);
	for (size_t i = 1; i < 4; i++)
		assert_near(result.lines[i], result.lines[0], 1e-12);
	/* A write of one of many lines begins a turn there, and the line belongs to the last of the others. */
	assert_near(result.total, 15.0 / 16, 1e-12);
}

/* The first bytes of elements: none on every other line, and never beside what lies behind them. */
static void spread_over_parts(void **state)
{
	struct scene *scene = *state;
	place(scene, "ab");
	scene->fields[0] = (struct cost_field){
		.size_bytes = 384 + 8, .element_bytes = 128, .part_bytes = 8, .place = COST_SPREAD};
	scene->fields[1] = scene->fields[0];
	scene->fields[1].off_bytes = 64;
	scene->model.size_bytes = 512;
	role(scene, 16, 1, "Xa");
	role(scene, 16, 1, "rb");
	struct cost_result result = run(scene);
	assert_int_equal(result.line_count, 8);
	for (size_t i = 0; i < 8; i++)
		assert_near(result.lines[i], i % 2 ? 0 : result.total / 4, 1e-12);
	assert_true(result.roles[1] == 0);
	scene->fields[1].off_bytes = 60; /* half of it on a's line */
	assert_true(run(scene).roles[1] > 0);
	scene->fields[1].off_bytes = 8;
	assert_true(run(scene).roles[1] > 0.5);
}

/* What role 0 does to the lines, whatever it meets there: others write all of them at once. */
static double turns_of_first(struct scene *scene)
{
	return run(scene).roles[0];
}

static const struct cost_field all_lines = {
	.size_bytes = 4096, .element_bytes = 8, .place = COST_SPREAD};

/* An array of two fields per element, beside a plain field; the others write everything. */
static void two_fields_of_an_array(struct scene *scene, uint64_t off_bytes, uint64_t apart)
{
	place(scene, "nbx*");
	for (size_t i = 0; i < 2; i++)
		scene->fields[i] = (struct cost_field){.off_bytes = off_bytes + 8 * i,
			.size_bytes = 7 * apart + 8,
			.element_bytes = apart,
			.part_bytes = 8,
			.place = COST_SPREAD,
			.array = 1};
	scene->fields[3] = all_lines;
	scene->model.size_bytes = 4096;
	role(scene, 1, 1, "rn wn rx rb wb rn");
	role(scene, 1, 1e12, "w*");
	scene->roles[0].interleave = 1e-13;
}

/* One operation draws one element: the average of the operations on each. */
static void one_element_an_operation(void **state)
{
	static const uint64_t shapes[][2] = {
		{0, 16}, {8, 24}, {40, 64}, {4, 96}, {56, 16}, {60, 24}};
	struct scene *scene = *state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		uint64_t off = shapes[i][0], apart = shapes[i][1];
		scene->model.role_count = 0;
		two_fields_of_an_array(scene, off, apart);
		double drawn = turns_of_first(scene), average = 0;
		scene->fields[0].array = scene->fields[1].array = 0;
		double independent = turns_of_first(scene);
		for (uint64_t k = 0; k < 8; k++) {
			for (size_t field = 0; field < 2; field++)
				scene->fields[field] = (struct cost_field){
					.off_bytes = off + 8 * field + k * apart, .size_bytes = 8};
			average += turns_of_first(scene) / 8;
		}
		assert_near(drawn, average, 1e-9);
		assert_true(independent > drawn + 1e-3);
	}
}

/* Elements that fill lines of their own: as if all took one and the same. */
static void padded_elements(void **state)
{
	struct scene *scene = *state;
	two_fields_of_an_array(scene, 0, 64);
	scene->model.role_count = 0;
	role(scene, 8, 1, "rn wn rb wb");
	scene->model.role_count = scene->workloads[0].role_count = 1;
	double spread = total(scene);
	for (size_t i = 0; i < 2; i++)
		scene->fields[i] = (struct cost_field){.off_bytes = 8 * i, .size_bytes = 8};
	assert_near(spread, total(scene), 1e-12);
	assert_3_digits(spread, 1.871);
}

/* With one access to the array it does not matter who draws. */
static void one_access_draws_alike(void **state)
{
	struct scene *scene = *state;
	two_fields_of_an_array(scene, 8, 24);
	scene->model.role_count = 0;
	role(scene, 8, 1, "Xx rn rx");
	role(scene, 8, 1, "wx wb");
	double drawn = total(scene);
	scene->fields[0].array = scene->fields[1].array = 0;
	assert_near(drawn, total(scene), 1e-12);
}

static void arrays_draw_independently(void **state)
{
	struct scene *scene = *state;
	place(scene, "ab*");
	for (size_t i = 0; i < 2; i++)
		scene->fields[i] = (struct cost_field){.off_bytes = 96 * i,
			.size_bytes = 96,
			.element_bytes = 24,
			.place = COST_SPREAD,
			.array = (uint32_t)i + 1};
	scene->fields[2] = all_lines;
	scene->model.size_bytes = 4096;
	role(scene, 1, 1, "ra wb wa rb");
	role(scene, 1, 1e12, "w*");
	scene->roles[0].interleave = 1e-13;
	double drawn = turns_of_first(scene), average = 0;
	for (uint64_t i = 0; i < 16; i++) {
		scene->fields[0] = (struct cost_field){.off_bytes = i / 4 * 24, .size_bytes = 24};
		scene->fields[1] =
			(struct cost_field){.off_bytes = 96 + i % 4 * 24, .size_bytes = 24};
		average += turns_of_first(scene) / 16;
	}
	assert_near(drawn, average, 1e-9);
}

/* Of more ways than are told apart, what exceeds them draws for each access. */
static void too_many_draws(void **state)
{
	struct scene *scene = *state;
	place(scene, "abcdefg");
	for (size_t i = 0; i < 7; i++) /* on each of two lines it is there or not: 128 ways */
		scene->fields[i] = (struct cost_field){.off_bytes = 8 * i,
			.size_bytes = 72,
			.element_bytes = 64,
			.part_bytes = 8,
			.place = COST_SPREAD,
			.array = (uint32_t)i + 1};
	scene->model.size_bytes = 128;
	role(scene, 8, 1, "ra rb rc rd re rf rg wa wb wc wd we wf wg");
	double all = total(scene);
	scene->fields[6].array = 0;
	assert_near(all, total(scene), 1e-12);
	scene->fields[5].array = 0;
	assert_true(fabs(total(scene) - all) > 1e-9);
}

static void a_lock_in_each_element(void **state)
{
	struct scene *scene = *state;
	two_fields_of_an_array(scene, 0, 64);
	scene->model.role_count = 0;
	role(scene, 16, 1, "Xn wb wn");
	scene->model.role_count = scene->workloads[0].role_count = 1;
	double uncontended = total(scene);
	scene->model.lock_count = 1;
	scene->locks[0].contended = 0.3;
	scene->accesses[0][0].acquires = scene->accesses[0][2].releases = 0;
	assert_near(total(scene) - uncontended, 0.3 * 2 * 2, 1e-12);
}

/* A group lies elsewhere as it is: like the same bytes in an object of their own lines. */
static void a_group_alone(void **state)
{
	struct scene *scene = *state;
	place(scene, "xnb");
	role(scene, 8, 1, "rx rn wn rb wb");
	for (size_t i = 1; i < 3; i++)
		scene->fields[i] = (struct cost_field){.off_bytes = 64 + 40 * (i - 1),
			.size_bytes = 200 - 40 * (i - 1),
			.element_bytes = 48,
			.part_bytes = 8,
			.place = COST_SPREAD,
			.array = 1};
	scene->model.size_bytes = 320;
	double placed = total(scene);
	for (size_t i = 1; i < 3; i++) {
		scene->fields[i].off_bytes -= 64;
		scene->fields[i].alone = true;
		scene->fields[i].group = 7;
	}
	scene->model.size_bytes = 64;
	scene->starts[0] = 32;
	struct cost_result result = run(scene);
	assert_near(result.total, placed, 1e-12);
	assert_int_equal(result.line_count, 2 + 4);
	scene->fields[2].group = 8; /* apart from each other it is dearer */
	assert_true(total(scene) > placed + 0.01);
}

static void each_placement(void **state)
{
	struct scene *scene = *state;
	place(scene, "aaaaaaab");
	scene->model.size_bytes = 64;
	role(scene, 8, 1, "Xa rb Xa");
	scene->starts[0] = 0;
	double together = total(scene);
	scene->starts[0] = 32;
	double apart = total(scene);
	scene->starts[1] = 0;
	scene->model.start_count = 2;
	struct cost_result result = run(scene);
	assert_near(result.starts[0], apart, 1e-12);
	assert_near(result.starts[1], together, 1e-12);
	scene->fields[7].alone = true; /* what lies alone costs the same everywhere */
	result = run(scene);
	assert_near((result.starts[0] + result.starts[1]) / 2, result.total, 1e-12);
	assert_near(result.starts[0], result.starts[1], 1e-12);
}

static void array_by_thread(void **state)
{
	struct scene *scene = *state;
	place(scene, "a");
	scene->fields[0] =
		(struct cost_field){.size_bytes = 256, .element_bytes = 64, .place = COST_THREAD};
	scene->model.size_bytes = 256;
	role(scene, 4, 1, "Xa");
	assert_true(total(scene) == 0); /* a line each */
	scene->roles[0].threads = 8;    /* two of them to an element */
	assert_near(total(scene), 0.5, 1e-12);
	scene->roles[0].threads = 4;
	scene->fields[0].element_bytes = 8; /* four of them on the first line */
	assert_near(total(scene), 0.75, 1e-12);
	/* Another role's threads have elements of their own. */
	scene->fields[0].element_bytes = 64;
	scene->roles[0].threads = 2;
	role(scene, 2, 1, "Xa");
	assert_true(total(scene) == 0);
	scene->roles[1].threads = 4; /* two of them meet the first role's */
	assert_true(total(scene) > 0);
}

static void many_threads_by_element(void **state)
{
	struct scene *scene = *state;
	place(scene, "a");
	scene->fields[0] =
		(struct cost_field){.size_bytes = 128, .element_bytes = 64, .place = COST_THREAD};
	scene->model.size_bytes = 128;
	role(scene, 1000000, 1, "Xa");
	assert_near(total(scene), 1, 1e-3);
}

static void huge_objects_are_bounded(void **state)
{
	struct scene *scene = *state;
	place(scene, "ab");
	role(scene, 16, 1, "Xa rb Xa");
	double small = total(scene);
	scene->fields[1].off_bytes = UINT64_MAX - 8;
	scene->model.size_bytes = UINT64_MAX;
	struct cost_result result = run(scene);
	assert_int_equal(result.line_count, COST_LINES_MAX);
	assert_true(result.total > 0 && result.total < small);
	scene->model.instance = INSTANCE_ARRAY;
	assert_near(total(scene), result.total, 1e-12);
}

int main(void)
{
#define test(name) cmocka_unit_test_setup_teardown(name, scene_setup, scene_teardown)
	const struct CMUnitTest tests[] = {
		test(known_pread),
		test(known_writers_and_readers),
		test(known_rates),
		test(nobody_else),
		test(readers_alone_cost_nothing),
		test(rate_towards_zero),
		test(access_towards_zero),
		test(sums),
		test(idle_roles_do_not_dilute),
		test(worst_workload),
		test(placements_average),
		test(straddling_member),
		test(fractional_read),
		test(fractional_upgrade),
		test(neighbours),
		test(neighbours_do_not_interrupt),
		test(contended_lock),
		test(rarely_contended_lock),
		test(held_accesses),
		test(alone),
		test(alone_in_an_array),
		test(spread_array),
		test(spread_over_parts),
		test(one_element_an_operation),
		test(padded_elements),
		test(one_access_draws_alike),
		test(arrays_draw_independently),
		test(too_many_draws),
		test(a_lock_in_each_element),
		test(a_group_alone),
		test(each_placement),
		test(array_by_thread),
		test(many_threads_by_element),
		test(huge_objects_are_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

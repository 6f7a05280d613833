/* The join: names to members, accesses to the order of an operation, placements to starts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "access.h"

enum { LAYOUTS_MAX = 4 };

struct scene {
	struct arena arena;
	struct types types;
	type_id t_char, t_int, t_long;
	struct layout layouts[LAYOUTS_MAX]; /* [0] is the one that is joined */
	size_t layout_count;
	const struct layout *others[LAYOUTS_MAX];
	struct access_context context;
	struct profile document;
	struct access_map map;
};

static type_id add_base(struct scene *scene, const char *name, uint64_t size)
{
	return types_add(&scene->types,
		&(struct type){
			.kind = TYPE_BASE, .name = name, .size_bytes = size, .size_known = true});
}

static int setup(void **state)
{
	static struct scene scene;
	memset(&scene, 0, sizeof(scene));
	arena_init(&scene.arena);
	types_init(&scene.types, &scene.arena,
		(struct type_machine){.pointer_bytes = 8, .scalar_align_max = 16});
	scene.t_char = add_base(&scene, "char", 1);
	scene.t_int = add_base(&scene, "int", 4);
	scene.t_long = add_base(&scene, "long", 8);
	*state = &scene;
	return 0;
}

static int teardown(void **state)
{
	struct scene *scene = *state;
	arena_release(&scene->arena);
	return 0;
}

static type_id array_of(struct scene *scene, type_id target, uint64_t count)
{
	return types_add(
		&scene->types, &(struct type){.kind = TYPE_ARRAY,
				       .target = target,
				       .dims = arena_copy(&scene->arena, &count, 1, sizeof(count)),
				       .dim_count = 1});
}

struct at {
	const char *name;
	type_id type;
	uint64_t off_bytes;
};

static type_id aggregate(struct scene *scene, const char *name, uint64_t size,
	const struct at *members, size_t count)
{
	struct type_member *copy = arena_new(&scene->arena, count, sizeof(*copy));
	for (size_t i = 0; i < count; i++)
		copy[i] = (struct type_member){.name = members[i].name,
			.type = members[i].type,
			.off_bits = members[i].off_bytes * 8};
	return types_add(&scene->types, &(struct type){.kind = TYPE_STRUCT,
						.name = name,
						.size_bytes = size,
						.size_known = true,
						.members = copy,
						.member_count = count});
}

static const struct layout *lay_out(
	struct scene *scene, type_id type, const char *name, uint64_t line_bytes)
{
	struct layout *layout = &scene->layouts[scene->layout_count++];
	assert_null(layout_build(&scene->arena, &scene->types, type, name, line_bytes, layout));
	return layout;
}

/* struct s { long a, b, c, d, e, f, g, h; } or as many, on lines of 64 */
static void plain(struct scene *scene, size_t count)
{
	static const char *const names[] = {
		"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
	struct at members[12];
	for (size_t i = 0; i < count; i++)
		members[i] = (struct at){names[i], scene->t_long, i * 8};
	lay_out(scene, aggregate(scene, "s", count * 8, members, count), "s", 64);
}

static const struct access_map *join(struct scene *scene, const char *yaml)
{
	struct error *error = profile_parse(
		&scene->arena, "p.yaml", yaml, strlen(yaml), EVIDENCE_STATED, &scene->document);
	if (error)
		fail_msg("%s", error->message);
	for (size_t i = 1; i < scene->layout_count; i++)
		scene->others[i - 1] = &scene->layouts[i];
	if (scene->layout_count > 1)
		scene->context.others =
			(struct access_others){scene->others, scene->layout_count - 1};
	access_build(&scene->arena, &scene->layouts[0], &scene->document.structs[0],
		&scene->context, &scene->map);
	return &scene->map;
}

/* "a:r b:w(0.5) c:m* ": the operation of a role; * when held, <n and >n where lock n is taken and let go. */
static const char *operation(struct scene *scene, size_t role)
{
	struct buf text;
	buf_init(&text);
	const struct cost_role *r = &scene->map.model.roles[role];
	for (size_t i = 0; i < r->access_count; i++) {
		const struct cost_access *access = &r->accesses[i];
		buf_printf(&text, "%s%s:%c", i ? " " : "",
			scene->map.fields[access->field].member->path, "rwm?"[access->kind]);
		if (access->weight < 1)
			buf_printf(&text, "(%g)", access->weight);
		if (access->releases != COST_NO_LOCK)
			buf_printf(&text, ">%u", access->releases);
		if (access->acquires != COST_NO_LOCK)
			buf_printf(&text, "<%u", access->acquires);
		if (access->held)
			buf_putc(&text, '*');
	}
	const char *copy = arena_strdup(&scene->arena, text.data);
	buf_release(&text);
	return copy;
}

#define STARTS(...)                                                                                \
	((const uint64_t[]){__VA_ARGS__}),                                                         \
		sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t)

static void assert_starts(const struct access_map *map, const uint64_t *starts, size_t count)
{
	assert_int_equal(map->model.start_count, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(map->model.starts[i], starts[i]);
}

/* ---- names ---- */

static void no_profile_joins_to_nothing(void **state)
{
	struct scene *scene = *state;
	plain(scene, 2);
	access_build(&scene->arena, &scene->layouts[0], NULL, &scene->context, &scene->map);
	assert_null(scene->map.profile);
	assert_ptr_equal(scene->map.layout, &scene->layouts[0]);
	assert_int_equal(
		scene->map.field_count + scene->map.role_count + scene->map.missing_count, 0);
}

static void nested_and_unnamed(struct scene *scene)
{
	struct at pair[] = {{"low", scene->t_int, 0}, {"high", scene->t_int, 4}};
	struct at path[] = {{"mnt", scene->t_long, 0}, {"dentry", scene->t_long, 8}};
	struct at members[] = {
		{"", aggregate(scene, NULL, 8, pair, 2), 0},
		{"f_path", aggregate(scene, "path", 16, path, 2), 8},
		{"table", array_of(scene, scene->t_long, 8), 24},
	};
	lay_out(scene, aggregate(scene, "s", 88, members, 3), "s", 64);
}

static void names_resolve(void **state)
{
	struct scene *scene = *state;
	nested_and_unnamed(scene);
	const struct access_map *map =
		join(scene, "version: 1\n"
			    "structs:\n"
			    "  s:\n"
			    "    fields:\n"
			    "      high: r hot\n"
			    "      f_path.dentry: {read: 2, why: deep}\n"
			    "      'table[]': w hot\n"
			    "      f_path: {read: warm, write: warm, if: high}\n");
	assert_int_equal(map->missing_count, 0);
	assert_int_equal(map->field_count, 4);
	assert_string_equal(map->fields[0].member->path, "high");
	assert_int_equal(map->model.fields[0].off_bytes, 4);
	assert_int_equal(map->model.fields[0].size_bytes, 4);
	assert_int_equal(map->model.fields[1].off_bytes, 16);
	assert_true(map->fields[1].reads == 2 && map->fields[1].writes == 0);
	assert_int_equal(map->model.fields[2].place, COST_SPREAD);
	assert_int_equal(map->model.fields[2].off_bytes, 24);
	assert_int_equal(map->model.fields[2].size_bytes, 64);
	assert_int_equal(map->model.fields[2].element_bytes, 8);
	assert_int_equal(map->model.fields[3].size_bytes, 16);
	assert_ptr_equal(access_find(map, map->fields[2].member), &map->fields[2]);
	assert_null(access_find(map, layout_find(&scene->layouts[0], "low")));
	assert_int_equal(map->evidence, EVIDENCE_STATED);
}

static void missing_names_are_told(void **state)
{
	struct scene *scene = *state;
	plain(scene, 3);
	const struct access_map *map = join(scene,
		"version: 1\n"
		"structs:\n"
		"  s:\n"
		"    fields:\n"
		"      a: r hot\n"
		"      zzzz: r hot\n"
		"      gone: {optional: true, read: 1}\n"
		"      elsewhere: {if: nothing, read: 1}\n"
		"      table: {unless: a, read: 1}\n"
		"    locks:\n"
		"      lock: {protects: [a, data, gone]}\n"
		"    constraints: {first: [head, elsewhere], keep_together: [[a, zzzz]]}\n"
		"    expect: [{apart: [a, tail]}]\n"
		"    ignore: [{rule: LL004, fields: [old], reason: cold}]\n");
	static const char *const names[] = {"zzzz", "lock", "data", "head", "tail", "old"};
	assert_int_equal(map->missing_count, 6);
	for (size_t i = 0; i < 6; i++)
		assert_string_equal(map->missing[i].path, names[i]);
	assert_int_equal(map->missing[0].position.line, 6);
	assert_int_equal(map->missing[0].position.col, 7);
	assert_int_equal(map->missing[1].position.line, 11);
	assert_string_equal(map->missing[0].why, "no such field");
	assert_int_equal(map->field_count, 1);
	assert_int_equal(map->lock_count, 0);
}

static void the_nearest_names_are_offered(void **state)
{
	struct scene *scene = *state;
	struct at members[] = {{"f_mode", scene->t_int, 0}, {"f_count", scene->t_long, 8}};
	lay_out(scene, aggregate(scene, "file", 16, members, 2), "file", 64);
	const struct access_map *map =
		join(scene, "{version: 1, structs: {file: {fields: {f_moed: r hot}}}}");
	assert_int_equal(map->missing_count, 1);
	assert_string_equal(map->missing[0].why, "no such field; did you mean 'f_mode'?");
	/* the same name elsewhere comes before what is only spelt alike */
	map = join(scene, "{version: 1, structs: {file: {fields: {f_count.f_mode: r hot}}}}");
	assert_int_equal(map->missing_count, 1);
	assert_string_equal(map->missing[0].why, "no such field; did you mean 'f_mode'?");
}

static void conditions(void **state)
{
	struct scene *scene = *state;
	plain(scene, 4);
	struct at vma[] = {{"vm_lock", scene->t_long, 0}};
	lay_out(scene, aggregate(scene, "vma", 8, vma, 1), "vma", 64);
	const struct access_map *map =
		join(scene, "version: 1\n"
			    "roles: {x: {}, y: {}}\n"
			    "structs:\n"
			    "  s:\n"
			    "    fields:\n"
			    "      a: {if: vma.vm_lock, x: r hot}\n"
			    "      b: {unless: vma.vm_lock, x: r hot}\n"
			    "      c: {if: vma.other, x: r hot}\n"
			    "      d: {x: {read: 1, if: a}, y: {read: 1, unless: s.a}}\n");
	assert_int_equal(map->missing_count, 0);
	assert_int_equal(map->role_count, 1);
	assert_string_equal(map->roles[0].name, "x");
	assert_string_equal(operation(scene, 0), "a:r d:r");
	assert_int_equal(map->field_count, 2);
}

static void other_structs_that_are_needed(void **state)
{
	struct scene *scene = *state;
	const char *names[8];
	plain(scene, 1);
	join(scene, "version: 1\n"
		    "roles: {x: {}}\n"
		    "structs:\n"
		    "  s:\n"
		    "    placement: {container: big.inner.s}\n"
		    "    fields:\n"
		    "      a: {if: vma.vm_lock, x: {read: 1, unless: mm.seq}}\n"
		    "      b: {unless: vma.other, x: {read: 1, if: plain}}\n");
	const struct profile_struct *entry = &scene->document.structs[0];
	assert_int_equal(access_needs(&scene->arena, entry, names, 8), 3);
	assert_string_equal(names[0], "big");
	assert_string_equal(names[1], "vma");
	assert_string_equal(names[2], "mm");
	names[1] = NULL;
	assert_true(access_needs(&scene->arena, entry, names, 1) >= 3);
	assert_null(names[1]);
}

/* ---- roles ---- */

static void roles_that_touch_the_struct(void **state)
{
	struct scene *scene = *state;
	plain(scene, 2);
	static const char yaml[] = "version: 1\n"
				   "interleave: 0.05\n"
				   "roles: {idle: {}, x: {threads: 3, rate: 0.5, interleave: 0.1}, "
				   "y: {}, z: {threads: 2}}\n"
				   "workloads: {one: [idle], two: [x, idle, y], three: [z, x]}\n"
				   "structs:\n"
				   "  s:\n"
				   "    threads: {y: 7}\n"
				   "    fields: {a: {x: r hot, y: {write: 1}}, b: {z: {rmw: 1, "
				   "read: 0.5, access: 0.25}}}\n";
	const struct access_map *map = join(scene, yaml);
	assert_int_equal(map->role_count, 3);
	assert_string_equal(map->roles[0].name, "x");
	assert_int_equal(map->roles[0].document_role, 1);
	assert_int_equal(map->roles[0].threads, 3);
	assert_true(map->roles[0].rate == 0.5 && map->roles[0].interleave == 0.1);
	assert_int_equal(map->roles[1].threads, 7);
	assert_true(map->roles[1].interleave == 0.05);
	assert_int_equal(map->model.workload_count, 2);
	assert_int_equal(map->workloads[0], 1);
	assert_int_equal(map->workloads[1], 2);
	assert_int_equal(map->model.workloads[0].role_count, 2);
	assert_int_equal(map->model.workloads[0].roles[1], 1);
	assert_int_equal(map->model.workloads[1].roles[0], 2);
	assert_true(map->fields[1].reads == 1.75 && map->fields[1].writes == 1);
	assert_true(map->fields[0].counts[1][ACCESS_WRITE] == 1 &&
		    map->fields[0].counts[0][ACCESS_WRITE] == 0);

	scene->context.threads = 128;
	scene->context.interleave = 0.3;
	map = join(scene, yaml);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(map->model.roles[i].threads, 128);
		assert_true(map->model.roles[i].interleave == 0.3);
	}
}

static void a_struct_that_nobody_touches(void **state)
{
	struct scene *scene = *state;
	plain(scene, 2);
	const struct access_map *map =
		join(scene, "{version: 1, structs: {s: {fields: {a: {read: 0}}}}}");
	assert_int_equal(map->role_count, 0);
	assert_int_equal(map->field_count, 1);
	assert_int_equal(map->missing_count, 0);
}

/* ---- the order of one operation ---- */

static void default_order(void **state)
{
	struct scene *scene = *state;
	plain(scene, 4);
	join(scene, "version: 1\n"
		    "structs:\n"
		    "  s:\n"
		    "    fields:\n"
		    "      c: {write: 1, read: 1.5}\n"
		    "      a: {rmw: 5, read: 1}\n"
		    "      b: {rmw: 2.5}\n"
		    "      d: {access: 1, read: 1, rmw: 1, write: 1}\n");
	assert_string_equal(operation(scene, 0),
		"a:m a:m b:m "
		"c:r c:r(0.5) c:w a:r a:m b:m(0.5) d:r d:? d:m d:w "
		"b:m a:m a:m");
}

static void stated_order(void **state)
{
	struct scene *scene = *state;
	plain(scene, 4);
	join(scene, "version: 1\n"
		    "structs:\n"
		    "  s:\n"
		    "    sequence: {all: [b, a, b, a, a]}\n"
		    "    fields:\n"
		    "      a: {rmw: 2, read: 1}\n"
		    "      b: {write: 0.5, read: 1}\n"
		    "      c: {rmw: 2, read: 1}\n");
	assert_string_equal(operation(scene, 0), "b:r a:m b:w(0.5) a:r a:m c:m c:r c:m");
}

static void lock_brackets(void **state)
{
	struct scene *scene = *state;
	plain(scene, 4);
	const struct access_map *map =
		join(scene, "version: 1\n"
			    "structs:\n"
			    "  s:\n"
			    "    fields:\n"
			    "      a: {read: 1}\n"
			    "      b: {rmw: 1, write: 1}\n"
			    "      c: {read: 1, write: 1}\n"
			    "    locks: {b: {protects: [c], contended: 0.25}}\n");
	assert_string_equal(operation(scene, 0), "b:m<0 a:r c:r c:w* b:w>0*");
	assert_int_equal(map->lock_count, 1);
	assert_int_equal(map->locks[0].field, 1);
	assert_string_equal(map->locks[0].protects[0]->path, "c");
	assert_true(map->locks[0].contended == 0.25 && map->model.locks[0].contended == 0.25);
	assert_int_equal(map->model.locks[0].field, 1);
	assert_true(map->fields[1].is_lock && !map->fields[2].is_lock);
}

static void lock_taken_twice(void **state)
{
	struct scene *scene = *state;
	plain(scene, 3);
	join(scene, "version: 1\n"
		    "structs:\n"
		    "  s:\n"
		    "    fields:\n"
		    "      a: {read: 1, write: 1}\n"
		    "      b: {rmw: 2, write: 2}\n"
		    "      c: {write: 1}\n"
		    "    locks: {b: {protects: [a, c]}}\n");
	assert_string_equal(operation(scene, 0), "b:m<0 a:r* a:w* b:w>0* b:m<0 c:w* b:w>0*");
}

static void lock_taken_rarely(void **state)
{
	struct scene *scene = *state;
	plain(scene, 2);
	join(scene, "version: 1\n"
		    "structs:\n"
		    "  s:\n"
		    "    fields:\n"
		    "      a: {rmw: 0.1, write: 0.1}\n"
		    "      b: {read: 1}\n"
		    "    locks: {a: {protects: []}}\n");
	assert_string_equal(operation(scene, 0), "a:m(0.1)<0 b:r a:w(0.1)>0");
}

/* A semaphore with a count that is changed atomically, an owner that is written, and what it protects. */
static void lock_of_several_words(void **state)
{
	struct scene *scene = *state;
	struct at words[] = {{"owner", scene->t_long, 0}, {"count", scene->t_long, 8}};
	struct at members[] = {{"tree", scene->t_long, 0},
		{"sem", aggregate(scene, "sem", 16, words, 2), 8}, {"other", scene->t_long, 24}};
	lay_out(scene, aggregate(scene, "s", 32, members, 3), "s", 64);
	const struct access_map *map = join(scene, "version: 1\n"
						   "structs:\n"
						   "  s:\n"
						   "    fields:\n"
						   "      sem.owner: {write: 2}\n"
						   "      sem.count: {rmw: 2}\n"
						   "      tree: {read: 1}\n"
						   "      other: {read: 1}\n"
						   "    locks: {sem: {protects: [tree]}}\n");
	assert_string_equal(operation(scene, 0),
		"sem.count:m<0 sem.owner:w* sem.owner:w* tree:r* other:r sem.count:m>0");
	assert_int_equal(map->locks[0].field, 1);
	assert_string_equal(map->locks[0].member->path, "sem");
	assert_true(map->fields[0].is_lock && map->fields[1].is_lock);
}

static void lock_without_accesses(void **state)
{
	struct scene *scene = *state;
	plain(scene, 3);
	const struct access_map *map = join(scene, "version: 1\n"
						   "structs:\n"
						   "  s:\n"
						   "    fields: {a: rw hot}\n"
						   "    locks: {c: {protects: [a]}}\n");
	assert_int_equal(map->lock_count, 1);
	assert_int_equal(map->field_count, 2);
	assert_string_equal(map->fields[map->locks[0].field].profile->path, "c");
	assert_true(map->fields[1].reads == 0 && map->fields[1].writes == 0);
	assert_string_equal(operation(scene, 0), "a:r a:w");
}

/* ---- where fields lie ---- */

/* struct { char name[40]; struct slot { int seq; struct { long v[2]; } in; long tail; } slots[4] at 64; long bits[]; } */
static void with_arrays(struct scene *scene)
{
	struct at inner[] = {{"v", array_of(scene, scene->t_long, 2), 0}};
	struct at slot[] = {{"seq", scene->t_int, 0},
		{"in", aggregate(scene, NULL, 16, inner, 1), 8}, {"tail", scene->t_long, 24}};
	struct at members[] = {
		{"name", array_of(scene, scene->t_char, 40), 8},
		{"slots", array_of(scene, aggregate(scene, "slot", 32, slot, 3), 4), 64},
		{"bits", array_of(scene, scene->t_long, TYPE_NO_COUNT), 192},
	};
	lay_out(scene, aggregate(scene, "s", 192, members, 3), "s", 64);
}

static struct cost_field only_field(struct scene *scene, const char *placement, const char *field)
{
	char yaml[512];
	snprintf(yaml, sizeof(yaml), "version: 1\nstructs:\n  s:\n    %s\n    fields:\n      %s\n",
		placement, field);
	const struct access_map *map = join(scene, yaml);
	assert_int_equal(map->missing_count, 0);
	assert_int_equal(map->field_count, 1);
	return map->model.fields[0];
}

static void assert_place(struct cost_field field, enum cost_place place, uint64_t off,
	uint64_t size, uint64_t element, uint64_t part)
{
	assert_int_equal(field.place, place);
	assert_int_equal(field.off_bytes, off);
	assert_int_equal(field.size_bytes, size);
	assert_int_equal(field.element_bytes, element);
	assert_int_equal(field.part_bytes, part);
	assert_false(field.alone);
}

static void arrays(void **state)
{
	struct scene *scene = *state;
	with_arrays(scene);
#define place_of(field) only_field(scene, "instance: shared", field)
	assert_place(place_of("'name[]': r hot"), COST_SPREAD, 8, 40, 1, 0);
	assert_place(place_of("name: {read: 1, bytes: 24}"), COST_BYTES, 8, 24, 0, 0);
	assert_place(place_of("name: {read: 1, bytes: 400}"), COST_BYTES, 8, 40, 0, 0);
	assert_place(place_of("name: {read: 1, index: 3}"), COST_BYTES, 11, 1, 0, 0);
	assert_place(place_of("slots: {read: 1, index: thread}"), COST_THREAD, 64, 128, 32, 0);
	assert_place(place_of("slots: {read: 1, index: 2}"), COST_BYTES, 128, 32, 0, 0);
	assert_place(place_of("slots: {read: 1, index: 2, bytes: 8}"), COST_BYTES, 128, 8, 0, 0);
	assert_place(place_of("slots: {read: 1, index: thread, bytes: 8}"), COST_THREAD, 64, 96 + 8,
		32, 8);
	assert_place(place_of("'slots[].seq': {read: 1}"), COST_SPREAD, 64, 96 + 4, 32, 4);
	assert_place(place_of("'slots[].tail': {read: 1, index: thread}"), COST_THREAD, 88, 96 + 8,
		32, 8);
	assert_place(place_of("'slots[].tail': {read: 1, index: 1}"), COST_BYTES, 120, 8, 0, 0);
	assert_place(place_of("'slots[].in.v[]': {read: 1}"), COST_SPREAD, 72, 96 + 16, 32, 16);
	assert_place(place_of("'bits[]': {read: 1}"), COST_SPREAD, 192, 8, 8, 0);
	assert_place(place_of("'bits[]': {read: 1, index: 9}"), COST_BYTES, 192 + 72, 8, 0, 0);
	assert_place(only_field(scene, "placement: {stride: 256}", "bits: {read: 1}"), COST_SPREAD,
		192, 64, 8, 0);
	/* fields of one array draw one element an operation */
	assert_true(place_of("'slots[].seq': {read: 1}").array > 0);
	assert_int_equal(place_of("'slots[].seq': {read: 1}").array,
		place_of("'slots[].in.v[]': {read: 1}").array);
	assert_int_not_equal(
		place_of("'slots[].seq': {read: 1}").array, place_of("'bits[]': {read: 1}").array);
}

static void no_such_element(void **state)
{
	struct scene *scene = *state;
	with_arrays(scene);
	const struct access_map *map =
		join(scene, "{version: 1, structs: {s: {fields: {slots: {read: 1, index: 4}}}}}");
	assert_int_equal(map->field_count, 0);
	assert_int_equal(map->missing_count, 1);
	assert_string_equal(map->missing[0].path, "slots");
	assert_non_null(strstr(map->missing[0].why, "4 elements"));
}

static void bit_fields(void **state)
{
	struct scene *scene = *state;
	struct type_member members[] = {{.name = "low", .type = scene->t_int, .bit_size = 12},
		{.name = "high", .type = scene->t_int, .off_bits = 12, .bit_size = 3}};
	lay_out(scene,
		types_add(&scene->types, &(struct type){.kind = TYPE_STRUCT,
						 .name = "s",
						 .size_bytes = 4,
						 .size_known = true,
						 .members = members,
						 .member_count = 2}),
		"s", 64);
	const struct access_map *map =
		join(scene, "{version: 1, structs: {s: {fields: {low: r hot, high: r hot}}}}");
	assert_place(map->model.fields[0], COST_BYTES, 0, 2, 0, 0);
	assert_place(map->model.fields[1], COST_BYTES, 1, 1, 0, 0);
}

/* ---- where objects start ---- */

static const struct access_map *placed(struct scene *scene, const char *placement)
{
	char yaml[512];
	snprintf(yaml, sizeof(yaml), "version: 1\nstructs:\n  s:\n    fields: {a: rw hot}\n%s",
		placement);
	return join(scene, yaml);
}

static void default_placements(void **state)
{
	struct scene *scene = *state;
	plain(scene, 3);
	const struct access_map *map = placed(scene, "");
	assert_starts(map, STARTS(0, 8, 16, 24, 32, 40, 48, 56));
	assert_int_equal(map->align_bytes, 8);
	assert_false(map->placement_stated);
	scene->context.is_kernel = true; /* 24 bytes are less than half a line */
	assert_starts(placed(scene, ""), STARTS(0, 8, 16, 24, 32, 40, 48, 56));
	scene->layout_count = 0;
	plain(scene, 4);
	map = placed(scene, "");
	assert_starts(map, STARTS(0));
	assert_int_equal(map->align_bytes, 64);
	assert_false(map->placement_stated);
	assert_int_equal(map->stride_bytes, 0);
	map = placed(scene, "    allocator: none\n"); /* something is stated */
	assert_int_equal(map->model.start_count, 8);
	assert_true(map->placement_stated);
	scene->context.is_kernel = false;
	scene->layouts[0].align_bytes = 128;
	map = placed(scene, "");
	assert_starts(map, STARTS(0));
	assert_int_equal(map->align_bytes, 128);
}

static void stated_placements(void **state)
{
	struct scene *scene = *state;
	plain(scene, 10);
	const struct access_map *map = placed(scene, "    placement: {alignment: 32}\n");
	assert_starts(map, STARTS(0, 32));
	assert_int_equal(map->align_bytes, 32);
	assert_true(map->placement_stated);
	assert_starts(placed(scene, "    placement: {alignment: 128}\n"), STARTS(0));
	map = placed(scene, "    placement: {stride: 192}\n");
	assert_starts(map, STARTS(0));
	assert_int_equal(map->align_bytes, 64);
	assert_int_equal(map->stride_bytes, 192);
	assert_starts(placed(scene, "    placement: {alignment: 8, stride: 752}\n"),
		STARTS(0, 16, 32, 48));
	assert_int_equal(placed(scene, "    placement: {alignment: 8}\n")->model.start_count, 8);
}

static void allocators(void **state)
{
	struct scene *scene = *state;
	plain(scene, 10);
	const struct access_map *map =
		placed(scene, "    allocator: kmalloc\n"); /* 80 bytes: of the class of 96 */
	assert_starts(map, STARTS(0, 32));
	assert_int_equal(map->stride_bytes, 96);
	map = placed(scene, "    slab_classes: [64, 128]\n");
	assert_starts(map, STARTS(0));
	assert_int_equal(map->align_bytes, 128);
	map = placed(scene, "    slab_classes: [64]\n"); /* too large for any: whole pages */
	assert_int_equal(map->stride_bytes, 4096);
	map = placed(scene, "    allocator: slab\n"); /* 80 bytes apart */
	assert_starts(map, STARTS(0, 16, 32, 48));
	assert_int_equal(map->stride_bytes, 80);
	map = placed(scene, "    allocator: slab\n    placement: {alignment: 64}\n");
	assert_starts(map, STARTS(0));
	assert_int_equal(map->stride_bytes, 128);
	map = placed(scene, "    allocator: none\n    placement: {alignment: 16}\n");
	assert_starts(map, STARTS(0, 16, 32, 48));
	assert_int_equal(map->stride_bytes, 0);
}

static void containers(void **state)
{
	struct scene *scene = *state;
	plain(scene, 10);
	struct at members[] = {
		{"head", array_of(scene, scene->t_char, 40), 0}, {"s", scene->layouts[0].type, 40}};
	lay_out(scene, aggregate(scene, "big", 128, members, 2), "big", 64);
	const struct access_map *map =
		placed(scene, "    placement: {container: big.s, alignment: 64}\n");
	assert_starts(map, STARTS(40));
	assert_int_equal(map->align_bytes, 8);
	assert_int_equal(map->container_off_bytes, 40);
	assert_starts(
		placed(scene, "    placement: {container: big.s, alignment: 32}\n"), STARTS(40, 8));
	map = placed(scene, "    placement: {container: big.s}\n    allocator: kmalloc\n");
	assert_int_equal(map->stride_bytes, 128);
	assert_starts(map, STARTS(40));
	assert_int_equal(
		placed(scene, "    placement: {container: big.s}\n")->model.start_count, 8);
	map = placed(scene, "    placement: {container: big.t}\n");
	assert_int_equal(map->missing_count, 1);
	assert_string_equal(map->missing[0].path, "big.t");
	assert_string_equal(map->missing[0].why, "the container has no such field");
	assert_int_equal(map->model.start_count, 8);
	map = placed(scene, "    placement: {container: none.s, alignment: 64}\n");
	assert_string_equal(map->missing[0].why, "no such struct with that field");
}

static void array_placements(void **state)
{
	struct scene *scene = *state;
	plain(scene, 5);
	const struct access_map *map =
		placed(scene, "    instance: array\n    placement: {alignment: 32}\n");
	assert_int_equal(map->stride_bytes, 40);
	assert_int_equal(map->model.stride_bytes, 40);
	assert_int_equal(map->model.instance, INSTANCE_ARRAY);
	assert_int_equal(map->align_bytes, 8);
	assert_int_equal(map->model.start_count, 8);
	map = placed(scene, "    instance: array\n    placement: {alignment: 64, stride: 48}\n");
	assert_starts(map, STARTS(0, 16, 32, 48));
	map = placed(scene, "    instance: array\n    placement: {alignment: 64, stride: 64}\n");
	assert_starts(map, STARTS(0));
	map = placed(scene, "    instance: array\n    placement: {alignment: 32, stride: 64}\n");
	assert_starts(map, STARTS(0, 32));
}

static void many_starts_are_bounded(void **state)
{
	struct scene *scene = *state;
	struct at members[] = {{"a", scene->t_char, 0}};
	lay_out(scene, aggregate(scene, "s", 1, members, 1), "s", 4096);
	assert_int_equal(placed(scene, "")->model.start_count, 64);
}

/* ---- the whole ---- */

/* The known point of the cost model, from YAML: 16 threads that take a reference, read five fields and drop it. */
static void known_cost(void **state)
{
	struct scene *scene = *state;
	plain(scene, 9);
	const struct access_map *map = join(scene, "version: 1\n"
						   "structs:\n"
						   "  s:\n"
						   "    placement: {alignment: 64}\n"
						   "    fields:\n"
						   "      a: {rmw: 2}\n"
						   "      b: r hot\n"
						   "      c: r hot\n"
						   "      d: r hot\n"
						   "      e: r hot\n"
						   "      f: r hot\n");
	assert_true(fabs(cost_total(&scene->arena, &map->model) - 1.422) < 0.0005);
	struct cost_field fields[6];
	memcpy(fields, map->model.fields, sizeof(fields));
	fields[0].off_bytes = 64;
	scene->map.model.fields = fields;
	assert_true(fabs(cost_total(&scene->arena, &map->model) - 1.186) < 0.0005);
}

int main(void)
{
#define test(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		test(no_profile_joins_to_nothing),
		test(names_resolve),
		test(missing_names_are_told),
		test(the_nearest_names_are_offered),
		test(conditions),
		test(other_structs_that_are_needed),
		test(roles_that_touch_the_struct),
		test(a_struct_that_nobody_touches),
		test(default_order),
		test(stated_order),
		test(lock_brackets),
		test(lock_taken_twice),
		test(lock_taken_rarely),
		test(lock_of_several_words),
		test(lock_without_accesses),
		test(arrays),
		test(no_such_element),
		test(bit_fields),
		test(default_placements),
		test(stated_placements),
		test(allocators),
		test(containers),
		test(array_placements),
		test(many_starts_are_bounded),
		test(known_cost),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

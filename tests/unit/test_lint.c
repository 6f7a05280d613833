/*
 * lint: when each rule speaks, how loudly, and when it must be silent. Layouts from C structs,
 * profiles from text.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "explain.h"
#include "lint.h"
#include "structs.h"

static int setup(void **state)
{
	static struct world w;
	world_init(&w);
	*state = &w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;
	arena_release(&w->arena);
	return 0;
}

/* Lints struct `s` with a profile: `head`, and what stands under structs: s:. */
static void lint_type(
	struct world *w, type_id id, const char *head, const char *entry, enum evidence evidence)
{
	world_join_type(w, id, head, entry, evidence);
	world_lint(w);
}

static void lint_sized(struct world *w, uint64_t size, const char *fields, const char *head,
	const char *entry, enum evidence evidence)
{
	lint_type(w, struct_of(w, "s", fields, size), head, entry, evidence);
}

static void lint_text(struct world *w, const char *fields, const char *head, const char *entry)
{
	lint_sized(w, 0, fields, head, entry, EVIDENCE_STATED);
}

static const struct finding *find(const struct world *w, const char *rule)
{
	for (size_t i = 0; i < w->lint.finding_count; i++)
		if (strcmp(w->lint.findings[i].rule->id, rule) == 0)
			return &w->lint.findings[i];
	return NULL;
}

/* The first finding of a rule, which must be there. */
static const struct finding *the(const struct world *w, const char *rule)
{
	const struct finding *finding = find(w, rule);
	if (!finding) {
		fail_msg("no %s", rule);
		abort();
	}
	return finding;
}

static size_t count(const struct world *w, const char *rule)
{
	size_t found = 0;
	for (size_t i = 0; i < w->lint.finding_count; i++)
		found += strcmp(w->lint.findings[i].rule->id, rule) == 0;
	return found;
}

static const struct finding *expect(
	const struct world *w, const char *rule, enum severity severity, const char *first)
{
	const struct finding *finding = the(w, rule);
	assert_string_equal(finding->fields[0], first);
	if (finding->severity != severity)
		fail_msg("%s is %s: %s; %s", rule, severity_name(finding->severity),
			finding->message, finding->price);
	return finding;
}

static void expect_none(const struct world *w, const char *rule)
{
	const struct finding *finding = find(w, rule);
	if (finding)
		fail_msg("%s %s: %s; %s", severity_name(finding->severity), rule, finding->message,
			finding->price ? finding->price : "");
}

static bool names(const struct finding *finding, const char *field)
{
	for (size_t i = 0; i < finding->field_count; i++)
		if (strcmp(finding->fields[i], field) == 0)
			return true;
	return false;
}

/* ---- LL001 ---- */

#define FILE_FIELDS                                                                                \
	"f_count:8 f_lock:4 f_mode:4 f_op:8 f_mapping:8 private:8 f_inode:8 f_flags:4 rest:8*10 "  \
	"prev_pos:8"
#define FILE_ENTRY                                                                                 \
	"    placement: {alignment: 64}\n    fields:\n      f_count: {rmw: 2}\n      f_mode: "     \
	"{read: 4}\n      f_op: {read: 2}\n"                                                       \
	"      f_mapping: {read: 2}\n      f_inode: {read: 1}\n      f_flags: {read: 1}\n      "   \
	"prev_pos: {read: 1, write: 1}\n"

static void a_counter_beside_what_its_own_operation_reads(void **state)
{
	struct world *w = *state;
	lint_text(w, FILE_FIELDS, "roles: {pread: {threads: 16}}", FILE_ENTRY);
	const struct finding *finding = expect(w, "LL001", SEVERITY_WARNING, "f_count");
	assert_int_equal(count(w, "LL001"), 1);
	assert_int_equal(finding->line, 0);
	assert_int_equal(finding->field_count, 6);
	assert_string_equal(finding->fields[1], "f_mode"); /* read most */
	assert_string_equal(finding->fields[5], "f_flags");
	assert_string_equal(finding->message,
		"line 0: f_count, written by pread, shares a line with f_mode, f_op, "
		"f_mapping, f_inode and 1 more that it reads");
	assert_string_equal(finding->advice,
		"move f_count to a line of its own, or beside what the "
		"same operations write (prev_pos)");
	assert_int_equal(finding->placements_hold, 1);
	assert_int_equal(finding->placements, 1);
}

static void avoidable_is_the_cost_minus_the_cost_with_the_field_alone(void **state)
{
	struct world *w = *state;
	struct cost_field fields[16];
	lint_text(w, FILE_FIELDS, "roles: {pread: {threads: 16}}", FILE_ENTRY);
	struct cost_model model = w->map.model;
	memcpy(fields, model.fields, model.field_count * sizeof(*fields));
	double before = cost_total(&w->arena, &model);
	fields[0].alone = true; /* f_count stands first in the profile */
	model.fields = fields;
	double after = cost_total(&w->arena, &model);
	const struct finding *finding = the(w, "LL001");
	assert_true(before - after > 0.2);
	assert_true(fabs(finding->avoidable - (before - after)) < 1e-12);
	assert_true(fabs(finding->cost - w->lint.cost.lines[0]) < 1e-12);
	assert_true(fabs(w->lint.cost.total - before) < 1e-12);
}

static void more_threads_make_an_error_of_it_but_not_of_a_shipped_profile(void **state)
{
	struct world *w = *state;
	lint_text(w, FILE_FIELDS, "roles: {pread: {threads: 64}}", FILE_ENTRY);
	expect(w, "LL001", SEVERITY_ERROR, "f_count");
	lint_sized(
		w, 0, FILE_FIELDS, "roles: {pread: {threads: 64}}", FILE_ENTRY, EVIDENCE_SHIPPED);
	const struct finding *finding = expect(w, "LL001", SEVERITY_WARNING, "f_count");
	assert_int_equal(finding->evidence, EVIDENCE_SHIPPED);
	lint_sized(
		w, 0, FILE_FIELDS, "roles: {pread: {threads: 64}}", FILE_ENTRY, EVIDENCE_MEASURED);
	expect(w, "LL001", SEVERITY_ERROR, "f_count");
}

static void the_verdict_holds_over_the_interval_that_it_states(void **state)
{
	struct world *w = *state;
	lint_text(w, FILE_FIELDS, "roles: {pread: {threads: 16}}", FILE_ENTRY);
	double low = the(w, "LL001")->interleave_low, high = the(w, "LL001")->interleave_high;
	assert_true(low > 0.001 && low < 0.02 && high >= 0.02 && high <= 0.5);
	w->context.interleave = low;
	lint_text(w, FILE_FIELDS, "roles: {pread: {threads: 16}}", FILE_ENTRY);
	expect(w, "LL001", SEVERITY_WARNING, "f_count");
	w->context.interleave = 0.8 * low;
	lint_text(w, FILE_FIELDS, "roles: {pread: {threads: 16}}", FILE_ENTRY);
	expect(w, "LL001", SEVERITY_INFO, "f_count"); /* both are hot */
	w->context.interleave = high;
	lint_text(w, FILE_FIELDS, "roles: {pread: {threads: 16}}", FILE_ENTRY);
	assert_true(the(w, "LL001")->severity <= SEVERITY_WARNING);
}

static void roles_with_interleaves_of_their_own_are_scaled_together(void **state)
{
	struct world *w = *state;
	lint_text(w, FILE_FIELDS, "roles: {pread: {threads: 16}}", FILE_ENTRY);
	double low = the(w, "LL001")->interleave_low;
	assert_null(the(w, "LL001")->interleave_role);
	/* the document's is nobody's: the same verdict */
	lint_text(w, FILE_FIELDS,
		"interleave: 0.4\nroles: {pread: {threads: 16, interleave: 0.02}}", FILE_ENTRY);
	assert_null(the(w, "LL001")->interleave_role);
	assert_true(fabs(the(w, "LL001")->interleave_low - low) < 1e-9);
	assert_null(strstr(the(w, "LL001")->price, "in proportion"));
	lint_text(w, "a:8 b:8",
		"roles: {lookup: {threads: 8, interleave: 0.04}, change: {threads: 2}}",
		"    placement: {alignment: 64}\n    fields:\n      a: {change: {rmw: 1}}\n"
		"      b: {lookup: {read: 2}}\n");
	assert_string_equal(the(w, "LL001")->interleave_role, "lookup");
	assert_true(the(w, "LL001")->interleave_low <= 0.04);
	assert_true(the(w, "LL001")->interleave_high >= 0.04);
	assert_non_null(
		strstr(the(w, "LL001")->price, " of lookup, and the other roles' in proportion"));
}

#define READER_WRITER "roles: {lookup: {threads: 8}, change: {threads: 2, rate: 0.5}}"
#define PAIR_ENTRY                                                                                 \
	"    placement: {alignment: 64}\n    fields:\n      a: {change: {rmw: 1}}\n      b: "      \
	"{lookup: {read: 2}}\n"

static void others_readers_suffer(void **state)
{
	struct world *w = *state;
	lint_text(w, "a:8 b:8", READER_WRITER, PAIR_ENTRY);
	const struct finding *finding = expect(w, "LL001", SEVERITY_ERROR, "a");
	assert_string_equal(finding->message,
		"line 0: a, written by change, shares a line with b that lookup reads");
	assert_string_equal(finding->advice, "move a to a line of its own");
	lint_text(w, "a:8 b@64:8", READER_WRITER, PAIR_ENTRY);
	expect_none(w, "LL001");
}

/* Where a field is told to go, there must be such a place. */
static void advice_that_can_be_followed(void **state)
{
	struct world *w = *state;
	lint_text(w, "a:8 b:8 rest:8*8", READER_WRITER, PAIR_ENTRY);
	assert_string_equal(the(w, "LL001")->advice, "move a to a line that lookup does not read");
	lint_text(w, "a:8 b:8 rest:8*7 c:8", READER_WRITER,
		PAIR_ENTRY "      c: {lookup: {read: 1}}\n");
	assert_string_equal(the(w, "LL001")->advice, "move a to a line of its own");
	lint_text(w, "a:8 b:8 rest:8*7 c:8 d:8", READER_WRITER,
		PAIR_ENTRY "      c: {lookup: {read: 1}}\n      d: {change: {write: 1}}\n");
	assert_string_equal(the(w, "LL001")->advice,
		"move a to a line of its own, or beside what the same operations write (d)");
	/* all that goes along is named */
	lint_text(w, "a:8 b:8 c:8 d:8 e:8 f:8 g:8", READER_WRITER,
		"    placement: {alignment: 64}\n    fields:\n"
		"      a: {change: {rmw: 1, write: 1}}\n      b: {change: rw 1}\n"
		"      c: {change: rw 1}\n      d: {change: rw 1}\n      e: {change: rw 1}\n"
		"      f: {change: rw 1}\n      g: {lookup: {read: 2}}\n");
	assert_true(count(w, "LL001") > 1);
	for (size_t i = 0; i < w->lint.finding_count; i++) {
		const struct finding *finding = &w->lint.findings[i];
		if (strcmp(finding->rule->id, "LL001") != 0)
			continue;
		for (const char *name = "abcdef"; *name; name++)
			assert_non_null(memchr(finding->advice, *name,
				(size_t)(strstr(finding->advice, " to a line") - finding->advice)));
		assert_non_null(strstr(finding->advice, "; one move for the findings of a, b, c"));
	}
}

static void who_never_meets_does_not_disturb(void **state)
{
	struct world *w = *state;
	lint_text(w, "a:8 b:8", READER_WRITER "\nworkloads: {day: [lookup], night: [change]}",
		PAIR_ENTRY);
	expect_none(w, "LL001");
	/* one thread alone */
	lint_text(w, FILE_FIELDS, "roles: {pread: {threads: 1}}", FILE_ENTRY);
	expect_none(w, "LL001");
	lint_text(w, FILE_FIELDS, "roles: {pread: {threads: 16}}",
		"    instance: per-thread\n" FILE_ENTRY);
	assert_int_equal(w->lint.finding_count, 0);
}

static void the_workload_that_pays_decides(void **state)
{
	struct world *w = *state;
	const char *head = READER_WRITER "\nworkloads: {worse: [busy], pair: [lookup, change]}";
	char roles[256];
	snprintf(roles, sizeof(roles),
		"roles: {lookup: {threads: 8}, change: {threads: 2, rate: 0.5}, busy: {threads: "
		"64}}%s",
		strchr(head, '\n'));
	lint_text(w, "a:8 b:8 c@128:8", roles, PAIR_ENTRY "      c: {busy: {rmw: 4}}\n");
	const struct finding *finding = expect(w, "LL001", SEVERITY_ERROR, "a");
	assert_non_null(strstr(finding->price, "with 10 threads on one s in workload pair; "));
}

static void accesses_of_unknown_kind_are_no_writes(void **state)
{
	struct world *w = *state;
	lint_text(w, "a:8 b:8", READER_WRITER,
		"    placement: {alignment: 64}\n    fields:\n      a: {change: {access: 4}}\n     "
		" b: {lookup: {read: 2}}\n");
	expect_none(w, "LL001");
	lint_text(w, "a:8 b:8", READER_WRITER,
		"    placement: {alignment: 64}\n    fields:\n      a: {change: {rmw: 1}}\n      "
		"b: {lookup: {access: 2}}\n");
	assert_string_equal(expect(w, "LL001", SEVERITY_ERROR, "a")->message,
		"line 0: a, written by change, shares a line with b that lookup accesses");
}

static void a_profile_without_roles_speaks_of_all_threads(void **state)
{
	struct world *w = *state;
	lint_text(w, "a:8 b:8", "",
		"    placement: {alignment: 64}\n    fields:\n      a: {rmw: 2}\n      b: {read: "
		"4}\n");
	assert_string_equal(expect(w, "LL001", SEVERITY_WARNING, "a")->message,
		"line 0: a, written by all threads, shares a line with b that they read");
}

static void what_is_written_together_moves_together(void **state)
{
	struct world *w = *state;
	const char *entry = "    placement: {alignment: 64}\n    fields:\n"
			    "      lock: {change: {rmw: 1, write: 1}}\n      next: {change: {read: "
			    "1, write: 1}}\n"
			    "      fdt: {lookup: {read: 1}}\n      max: {lookup: {read: 1}}\n";
	lint_text(w, "lock:4 next:4 fdt:8 max:4", READER_WRITER, entry);
	/* one alone helps nobody while the other stays */
	assert_int_equal(count(w, "LL001"), 2);
	const struct finding *finding = expect(w, "LL001", SEVERITY_ERROR, "lock");
	assert_string_equal(finding->message, "line 0: lock, written by change together with next, "
					      "shares a line with fdt and max that lookup reads");
	assert_string_equal(finding->advice, "move lock and next to a line of their own; one move "
					     "for the findings of lock and next");
	/* together on another line they are at home */
	lint_text(w, "fdt:8 max:4 lock@64:4 next:4", READER_WRITER, entry);
	expect_none(w, "LL001");
	expect_none(w, "LL002");
}

static void who_only_goes_along_is_not_named(void **state)
{
	struct world *w = *state;
	const char *entry =
		"    placement: {alignment: 64}\n    fields:\n"
		"      lock: {change: {rmw: 1, write: 1}}\n"
		"      next: {change: {read: 1, write: 1}}\n"
		"      rare: {change: {write: 0.001}}\n      fdt: {lookup: {read: 1}}\n";
	lint_text(w, "lock:4 next:4 rare:8 fdt:8", READER_WRITER, entry);
	assert_int_equal(count(w, "LL001"), 2);
	for (size_t i = 0; i < w->lint.finding_count; i++)
		assert_string_not_equal(w->lint.findings[i].fields[0], "rare");
}

static void a_victim_is_no_culprit(void **state)
{
	struct world *w = *state;
	/* `seldom` gains by moving, but because of `often` */
	lint_text(w, "often:8 seldom:8", "roles: {lookup: {threads: 8}, w: {threads: 4}}",
		"    placement: {alignment: 64}\n    fields:\n      often: {w: {rmw: 2}}\n"
		"      seldom: {lookup: {read: 2}, w: {write: 0.001}}\n");
	expect(w, "LL001", SEVERITY_ERROR, "often");
	assert_int_equal(count(w, "LL001"), 1);
	assert_int_equal(count(w, "LL002"), 0);
}

static void a_lock_belongs_beside_its_data_unless_it_is_contended(void **state)
{
	struct world *w = *state;
	const char *roles = "roles: {use: {threads: 16}}";
	const char *fields =
		"    placement: {alignment: 64}\n    fields:\n      lock: {rmw: 1, write: 1}\n"
		"      head: {read: 2, write: 0.1}\n      tail: {read: 1}\n";
	char entry[1024];
	snprintf(entry, sizeof(entry), "%s    locks:\n      lock: {protects: [head, tail]}\n",
		fields);
	lint_text(w, "lock:8 head:8 tail:8", roles, entry);
	expect_none(w, "LL001");
	expect_none(w, "LL002");
	/* waiting threads poll it while the holder writes */
	snprintf(entry, sizeof(entry),
		"    placement: {alignment: 64}\n    fields:\n      lock: {rmw: 1, write: 1}\n"
		"      head: {read: 8, write: 8}\n      tail: {read: 8}\n"
		"    locks:\n      lock: {protects: [head, tail], contended: 0.5}\n");
	lint_text(w, "lock:8 head:8 tail:8", roles, entry);
	assert_non_null(find(w, "LL001"));
}

static void one_line_that_may_not_grow_is_true_sharing(void **state)
{
	struct world *w = *state;
	lint_text(w, "a:8 b:8", READER_WRITER,
		PAIR_ENTRY "    constraints: {max_size: 64, pin: all}\n");
	expect_none(w, "LL001");
	lint_text(w, "a:8 b:8 c:8*8", READER_WRITER, PAIR_ENTRY "    constraints: {pin: all}\n");
	expect(w, "LL001", SEVERITY_ERROR, "a");
}

/* An array of structs by hand: its fields are all there is in the layout. */
static type_id shards(struct world *w)
{
	type_id shard = struct_of(w, "shard", "lk:8*7 bucket:8 nb:8 lru:8*2 hits:8", 96);
	struct type_member members[] = {
		{.name = "nshard", .type = base_of(w, 4)},
		{.name = "sh", .off_bits = 64, .type = array_of(w, shard, 16)},
	};
	return types_add(
		&w->types, &(struct type){.kind = TYPE_STRUCT,
				   .name = "s",
				   .size_known = true,
				   .size_bytes = 8 + 16 * 96,
				   .members = arena_copy(&w->arena, members, 2, sizeof(*members)),
				   .member_count = 2});
}

static void lint_shards(struct world *w, const char *head, const char *entry)
{
	lint_type(w, shards(w), head, entry, EVIDENCE_STATED);
}

/* The array moves as it is: whatever else of it is accessed silences nothing. */
static void an_array_beside_what_is_read(void **state)
{
	struct world *w = *state;
	const char *roles = "roles: {get: {threads: 16}}";
	const char *fields = "    placement: {alignment: 64}\n    fields:\n      nshard: r hot\n"
			     "      \"sh[].lk\": {rmw: 2, bytes: 56}\n";
	char entry[512];
	lint_shards(w, roles, fields);
	double alone = expect(w, "LL001", SEVERITY_ERROR, "sh.lk")->avoidable;
	snprintf(entry, sizeof(entry), "%s      \"sh[].hits\": rmw 1\n", fields);
	lint_shards(w, roles, entry);
	const struct finding *finding = expect(w, "LL001", SEVERITY_ERROR, "sh.lk");
	assert_true(finding->avoidable > 0.5 && finding->avoidable < alone);
	assert_string_equal(finding->fields[1], "nshard");
	assert_string_equal(finding->advice,
		"move nshard to a line of its own, or give the array sh lines of its own");
	assert_int_equal(count(w, "LL001"), 1);
	/* what lies in the same elements is not parted by that, and is not named */
	snprintf(entry, sizeof(entry),
		"%s      \"sh[].hits\": rmw 1\n      \"sh[].bucket\": r hot\n", fields);
	lint_shards(w, roles, entry);
	finding = expect(w, "LL001", SEVERITY_ERROR, "sh.lk");
	assert_false(names(finding, "sh.bucket"));
	/* where nobody reads what lies beside the array there is nothing */
	snprintf(entry, sizeof(entry), "%s      \"sh[].hits\": rmw 1\n",
		"    placement: {alignment: 64}\n    fields:\n      \"sh[].lk\": {rmw: 2, bytes: "
		"56}\n");
	lint_shards(w, roles, entry);
	expect_none(w, "LL001");
}

/* ---- LL002 ---- */

#define TWO_WRITERS "roles: {produce: {threads: 1}, consume: {threads: 1}}"

static void two_counters_of_two_roles(void **state)
{
	struct world *w = *state;
	const char *entry =
		"    placement: {alignment: 64}\n    fields:\n"
		"      produced: {produce: {rmw: 1}}\n      consumed: {consume: {rmw: 1}}\n";
	lint_text(w, "produced:8 consumed:8", TWO_WRITERS, entry);
	const struct finding *finding = expect(w, "LL002", SEVERITY_ERROR, "produced");
	assert_int_equal(w->lint.finding_count, 1); /* not again from the other side */
	assert_string_equal(finding->message, "line 0: produced, written by produce, shares a line "
					      "with consumed, written by consume");
	assert_string_equal(finding->advice, "move produced to a line of its own");
	lint_text(w, "produced:8 consumed@64:8", TWO_WRITERS, entry);
	expect_none(w, "LL001");
	expect_none(w, "LL002");
}

static void a_common_lock_orders_writers(void **state)
{
	struct world *w = *state;
	const char *fields =
		"    placement: {alignment: 64}\n    fields:\n"
		"      lock: {produce: {rmw: 1, write: 1}, consume: {rmw: 1, write: 1}}\n"
		"      a: {produce: {write: 1}}\n      b: {consume: {write: 1}}\n";
	char entry[1024];
	snprintf(entry, sizeof(entry), "%s    locks:\n      lock: {protects: [a, b]}\n", fields);
	lint_text(w, "a:8 b:8 lock@64:8", TWO_WRITERS, fields);
	expect(w, "LL002", SEVERITY_ERROR, "a");
	lint_text(w, "a:8 b:8 lock@64:8", TWO_WRITERS, entry);
	expect_none(w, "LL002");
	lint_text(w, "a:8 b:8 lock:8", TWO_WRITERS, entry);
	expect_none(w, "LL002");
	expect_none(w, "LL001");
}

/* ---- placements, LL007, LL012 ---- */

static void objects_that_may_start_anywhere(void **state)
{
	struct world *w = *state;
	const char *entry = "    placement: {alignment: 8}\n    fields:\n      a: {change: {rmw: "
			    "1}}\n      b: {lookup: {read: 2}}\n";
	/* neighbours share a line at seven places of eight */
	lint_text(w, "a:8 b:8", READER_WRITER, entry);
	const struct finding *finding = expect(w, "LL001", SEVERITY_ERROR, "a");
	assert_int_equal(finding->placements_hold, 7);
	assert_int_equal(finding->placements, 8);
	assert_string_equal(finding->message, "offset 0: a, written by change, shares a line in 7 "
					      "of 8 placements with b that lookup reads");
	expect_none(w, "LL007");
	/* each field with the places at which it really shares: c 24 bytes behind at five, d before at seven */
	lint_text(w, "d:8 a:8 b:8 gap:8 c:8", READER_WRITER,
		"    placement: {alignment: 8}\n    fields:\n      a: {change: {rmw: 1}}\n"
		"      b: {lookup: {read: 2}}\n      c: {lookup: {read: 4}}\n      d: {lookup: {read: 1}}\n");
	assert_string_equal(expect(w, "LL001", SEVERITY_ERROR, "a")->message,
		"offset 8: a, written by change, shares a line in 7 of 8 placements with b and d, "
		"in 5 of 8 placements with c that lookup reads");
	lint_text(w, "a:8 b:8 c:8 d:8 e:8 f:8", READER_WRITER,
		"    placement: {alignment: 8}\n    fields:\n      a: {change: {rmw: 1}}\n"
		"      b: {lookup: {read: 6}}\n      c: {lookup: {read: 5}}\n      d: {lookup: {read: 4}}\n"
		"      e: {lookup: {read: 3}}\n      f: {lookup: {read: 2}}\n");
	assert_string_equal(expect(w, "LL001", SEVERITY_ERROR, "a")->message,
		"offset 0: a, written by change, shares a line in 7 of 8 placements with b, in 6 of 8 "
		"placements with c, in 5 of 8 placements with d, in 4 of 8 placements with e, in at "
		"least 3 of 8 placements with 1 more that lookup reads");
	/* 48 bytes apart at two: told once, as a matter of placement */
	lint_text(w, "a:8 gap:8*5 b:8", READER_WRITER, entry);
	expect_none(w, "LL001");
	finding = expect(w, "LL007", SEVERITY_WARNING, "a");
	assert_int_equal(count(w, "LL007"), 1);
	assert_int_equal(finding->placements_hold, 2);
	assert_string_equal(finding->message,
		"objects start at 8 places of a line, and it depends on the place whether a, "
		"which is written, shares a line with what others use");
	/* 64 bytes apart at none */
	lint_text(w, "a:8 gap:8*7 b:8", READER_WRITER, entry);
	assert_int_equal(w->lint.finding_count, 0);
}

/* Of much, a little more or less is no warning; and what LL005 says is not said again. */
static void placements_that_hardly_differ(void **state)
{
	struct world *w = *state;
	const char *roles = "roles: {lookup: {threads: 8}, change: {threads: 2, rate: 0.05}}";
	const char *entry = "    placement: {alignment: 8}\n    fields:\n      a: {change: {rmw: "
			    "1}}\n      b: {lookup: {read: 2}}\n";
	char more[512];
	lint_text(w, "a:8 gap:8*5 b:8", roles, entry);
	expect(w, "LL007", SEVERITY_WARNING, "a");
	snprintf(more, sizeof(more), "%s      c: {lookup: {rmw: 1}}\n", entry);
	lint_text(w, "a:8 gap:8*5 b:8 far:8*9 c:8", roles, more);
	expect(w, "LL007", SEVERITY_INFO, "a");
	snprintf(more, sizeof(more), "    instance: array\n%s", entry);
	lint_sized(w, 56, "a:8 gap:8*5 b:8", READER_WRITER, more, EVIDENCE_STATED);
	assert_non_null(find(w, "LL005"));
	expect_none(w, "LL007");
}

static void a_type_that_asks_for_more_than_it_gets(void **state)
{
	struct world *w = *state;
	type_id id = struct_of(w, "s", "a:8 b@64:8", 128);
	w->types.items[id].align_bytes = 64;
	lint_type(w, id, READER_WRITER,
		"    placement: {alignment: 16}\n    fields:\n      a: r hot\n", EVIDENCE_STATED);
	assert_int_equal(count(w, "LL007"), 1);
	assert_non_null(strstr(the(w, "LL007")->message,
		"aligned to 64 bytes, and the profile says that they are aligned to 16"));
}

static void lines_that_are_fetched_in_pairs(void **state)
{
	struct world *w = *state;
	const char *roles = "roles: {left: {threads: 8}, right: {threads: 8}}";
	const char *fields = "    fields:\n      a: {left: {rmw: 1}}\n      b: {right: {rmw: 1}}\n";
	char entry[512];
	snprintf(entry, sizeof(entry), "    placement: {alignment: 128}\n%s", fields);
	lint_text(w, "a:8 b@64:8", roles, entry);
	assert_true(names(expect(w, "LL012", SEVERITY_INFO, "a"), "b"));
	lint_text(w, "a:8 b@128:8", roles, entry); /* another pair */
	expect_none(w, "LL012");
	snprintf(entry, sizeof(entry), "    placement: {alignment: 64, stride: 192}\n%s", fields);
	lint_text(w, "a:8 b@64:8", roles, entry); /* either line may begin the pair */
	expect_none(w, "LL012");
	w->line_bytes = 128;
	snprintf(entry, sizeof(entry), "    placement: {alignment: 128}\n%s", fields);
	lint_text(w, "a:8 b@64:8", roles, entry);
	expect_none(w, "LL012");
	expect(w, "LL002", SEVERITY_WARNING, "a");
}

static void a_line_that_never_misses_is_not_fetched(void **state)
{
	struct world *w = *state;
	lint_text(w, "a:8 b@64:8", READER_WRITER,
		"    placement: {alignment: 128}\n    fields:\n      a: {change: {rmw: 1}}\n      "
		"b: {lookup: {read: 2}}\n");
	expect_none(w, "LL012");
}

/* ---- LL003, LL004 ---- */

static void scalars_across_lines(void **state)
{
	struct world *w = *state;
	const char *entry = "    placement: {alignment: 64}\n    fields:\n      x: r hot\n";
	lint_text(w, "pad:4*15 x@60:8", "", entry);
	const struct finding *finding = expect(w, "LL003", SEVERITY_WARNING, "x");
	assert_string_equal(
		finding->message, "offset 60: x, 8 bytes and aligned to 4, lies across two lines");
	lint_text(w, "pad:4*15 x@60:8 y:8", "",
		"    placement: {alignment: 64}\n    fields:\n      y: r hot\n");
	expect(w, "LL003", SEVERITY_INFO, "x"); /* nobody is known to use it */
	lint_text(w, "pad:4*15 x@60:8", "", NULL);
	expect(w, "LL003", SEVERITY_INFO, "x");
	lint_text(w, "pad:4*14 x:8", "", entry);
	expect_none(w, "LL003");
	lint_text(w, "pad:4*14 x:4*4", "", entry); /* an array is no scalar */
	expect_none(w, "LL003");
}

static void fields_to_be_kept_together(void **state)
{
	struct world *w = *state;
	const char *entry = "    placement: {alignment: 64}\n    fields:\n      a: r hot\n    "
			    "constraints: {keep_together: [[a, b]]}\n";
	lint_text(w, "a:8 pad:8*7 b:8", "", entry);
	const struct finding *finding = expect(w, "LL003", SEVERITY_WARNING, "a");
	assert_string_equal(finding->message, "a and b are to be kept together and would fit one "
					      "line (16 of 64 bytes), but do not lie on one");
	lint_text(w, "a:8 b:8", "", entry);
	expect_none(w, "LL003");
	lint_text(w, "a:8 pad:8*7 b:8*8", "", entry); /* do not fit */
	expect_none(w, "LL003");
}

static void hot_fields_on_more_lines_than_they_need(void **state)
{
	struct world *w = *state;
	const char *entry = "    placement: {alignment: 64}\n    fields:\n      a: {read: 1}\n     "
			    " b: {read: 1}\n      c: {read: 0.1}\n";
	lint_text(w, "a:8 pad:8*7 b:8 pad2:8*7 c:8", "roles: {walk: {threads: 4}}", entry);
	const struct finding *finding = expect(w, "LL004", SEVERITY_INFO, "a");
	assert_string_equal(
		finding->message, "walk touches 2 fields on 2 lines; 1 would hold them");
	assert_int_equal(finding->field_count, 2);
	lint_text(w, "a:8 b:8 pad:8*7 c:8", "roles: {walk: {threads: 4}}", entry);
	expect_none(w, "LL004");
	/* what LL001 wants apart is not scattered */
	lint_text(w, "a:8 pad:8*7 b:8", "roles: {walk: {threads: 4}}",
		"    placement: {alignment: 64}\n    fields:\n      a: {read: 1}\n      b: {rmw: "
		"1}\n");
	expect_none(w, "LL004");
}

/* ---- LL005 ---- */

#define ARRAY_ENTRY                                                                                \
	"    instance: array\n    placement: {alignment: 32}\n    fields:\n      a: {rmw: 1}\n   " \
	"   b: {read: 1}\n"

static void elements_and_lines(void **state)
{
	struct world *w = *state;
	w->line_bytes = 32;
	lint_sized(w, 40, "a:4 b@36:4", "roles: {use: {threads: 1}}", ARRAY_ENTRY, EVIDENCE_STATED);
	const struct finding *finding = expect(w, "LL005", SEVERITY_ERROR, "a");
	assert_string_equal(finding->message,
		"elements of 40 bytes lie across lines of 32 at 3 of 4 places, and neighbours "
		"share lines on which a is written");
	assert_string_equal(finding->advice,
		"give each element 64 bytes, 24 more, and let the array start a line, which saves 0.75 "
		"transactions an operation");
	lint_sized(w, 48, "a:4 b@44:4", "roles: {use: {threads: 1}}", ARRAY_ENTRY, EVIDENCE_STATED);
	assert_non_null(find(w, "LL005"));
	lint_sized(w, 64, "a:4 b@60:4", "roles: {use: {threads: 1}}", ARRAY_ENTRY, EVIDENCE_STATED);
	expect_none(w, "LL005");
	/* a divisor: nothing lies across lines, but two share one */
	lint_sized(w, 16, "a:4 b:4", "roles: {use: {threads: 1}}", ARRAY_ENTRY, EVIDENCE_STATED);
	finding = expect(w, "LL005", SEVERITY_ERROR, "a");
	assert_string_equal(finding->message, "elements of 16 bytes share lines of 32 with their "
					      "neighbours, on which a is written");
	/* the same that is only read */
	lint_sized(w, 16, "a:4 b:4", "roles: {use: {threads: 1}}",
		"    instance: array\n    placement: {alignment: 32}\n    fields:\n      b: {read: "
		"1}\n",
		EVIDENCE_STATED);
	expect_none(w, "LL005");
	/* the shipped profile is capped, here too */
	lint_sized(w, 16, "a:4 b:4", "roles: {use: {threads: 1}}", ARRAY_ENTRY, EVIDENCE_SHIPPED);
	expect(w, "LL005", SEVERITY_WARNING, "a");
}

static void a_stride_of_whole_lines_parts_neighbours(void **state)
{
	struct world *w = *state;
	lint_sized(w, 40, "a:4 b@36:4", "roles: {use: {threads: 4}}",
		"    instance: array\n    placement: {alignment: 64, stride: 64}\n    fields:\n    "
		"  a: {rmw: 1}\n",
		EVIDENCE_STATED);
	expect_none(w, "LL005");
}

static void elements_of_a_member_one_a_thread(void **state)
{
	struct world *w = *state;
	const char *entry = "    placement: {alignment: 64}\n    fields:\n      \"slots[]\": {rmw: "
			    "1, index: thread}\n";
	lint_text(w, "slots:8*16", "roles: {use: {threads: 16}}", entry);
	const struct finding *finding = expect(w, "LL005", SEVERITY_ERROR, "slots");
	assert_string_equal(finding->message, "slots: elements of 8 bytes share lines of 64 with "
					      "their neighbours, on which slots is written");
	assert_true(finding->avoidable > 0.5);
	/* each thread any element: nothing is gained by padding */
	lint_text(w, "slots:8*16", "roles: {use: {threads: 16}}",
		"    placement: {alignment: 64}\n    fields:\n      \"slots[]\": {rmw: 1}\n");
	expect_none(w, "LL005");
}

/* The price decides, where there is one. */
static void padding_that_gains_nothing(void **state)
{
	struct world *w = *state;
	/* one thread has no neighbours */
	lint_text(w, "slots:8*16", "roles: {use: {threads: 1}}",
		"    placement: {alignment: 64}\n    fields:\n      \"slots[]\": {rmw: 1, index: "
		"thread}\n");
	expect_none(w, "LL005");
	lint_text(w, "slots:8*16", "roles: {use: {threads: 4}}",
		"    placement: {alignment: 64}\n    fields:\n      \"slots[]\": {write: 0.01, "
		"index: thread}\n");
	expect(w, "LL005", SEVERITY_INFO, "slots");
	assert_true(the(w, "LL005")->avoidable > 0 && the(w, "LL005")->avoidable < 0.05);
	/* 96 bytes lie across lines, and on two lines of their own they cost more */
	lint_sized(w, 96, "lk:8*7 bucket:8 nb:8 lru:8*2 hits:8",
		"roles: {get: {threads: 15}, put: {threads: 1, rate: 0.05}}",
		"    instance: array\n    fields:\n      lk: {get: {rmw: 2}, put: {rmw: 1, write: "
		"1}, "
		"bytes: 56}\n      bucket: r hot\n      nb: r hot\n      hits: {get: rmw 1}\n",
		EVIDENCE_STATED);
	expect_none(w, "LL005");
}

/* What the array saves by lying elsewhere is not padding's: it is told once, by LL001. */
static void an_array_is_not_priced_twice(void **state)
{
	struct world *w = *state;
	lint_text(w, "cfg:8 slots:8*16", "roles: {use: {threads: 8}}",
		"    placement: {alignment: 64}\n    fields:\n      cfg: {read: 1}\n"
		"      \"slots[]\": {rmw: 1, index: thread}\n");
	double shared = expect(w, "LL001", SEVERITY_ERROR, "slots")->avoidable;
	double padded = expect(w, "LL005", SEVERITY_ERROR, "slots")->avoidable;
	assert_true(shared + padded <= w->lint.cost.total + 1e-9);
	/* padding parts threads; reading cfg costs nothing then */
	lint_text(w, "cfg:8 slots:8*16", "roles: {use: {threads: 8}, look: {threads: 8}}",
		"    placement: {alignment: 64}\n    fields:\n      cfg: {look: {read: 1}}\n"
		"      \"slots[]\": {use: {rmw: 0.001}, index: thread}\n");
	assert_true(!find(w, "LL005") || the(w, "LL005")->severity == SEVERITY_INFO);
}

/* ---- LL006, LL008 ---- */

static void holes_that_cost_a_line(void **state)
{
	struct world *w = *state;
	lint_text(w, "a:4 b:8*5 c:1 d:8 e:8", "", NULL); /* 72; 64 with c behind a */
	const struct finding *finding = expect(w, "LL006", SEVERITY_INFO, "a");
	assert_string_equal(finding->message,
		"11 bytes in 2 holes and 0 of padding: the same members take 64 bytes in another "
		"order, not 72: 1 line instead of 2");
	lint_text(w, "a:4 b:8*3 c:1 d:8 e:8", "", NULL); /* one line before and after */
	expect_none(w, "LL006");
	lint_text(w, "a:4 c:1 b:8*7", "", NULL);
	expect_none(w, "LL006");
}

static void holes_that_were_made_on_purpose(void **state)
{
	struct world *w = *state;
	type_id id = struct_of(w, "s", "a:8 b@64:8", 128);
	struct type_member *members =
		arena_copy(&w->arena, w->types.items[id].members, 2, sizeof(*members));
	members[1].align_bytes = 64;
	w->types.items[id].members = members;
	w->types.items[id].align_bytes = 64;
	lint_type(w, id, "", NULL, EVIDENCE_STATED);
	expect_none(w, "LL006");
}

static void sizes_that_just_miss_an_allocation(void **state)
{
	struct world *w = *state;
	const char *kmalloc = "    allocator: kmalloc\n    slab_classes: [32, 64, 128, 192, 256]\n "
			      "   placement: {alignment: 64}\n"
			      "    fields:\n      a: r hot\n";
	lint_text(w, "a:8 b:8*7 next_fd:8", "", kmalloc);
	const struct finding *finding = expect(w, "LL008", SEVERITY_INFO, "next_fd");
	assert_string_equal(finding->message,
		"72 bytes take 128 bytes of kmalloc, 32 objects a page; 8 bytes less would take "
		"64 bytes of kmalloc, 64 objects a page");
	lint_text(w, "a:1 b:1*63 next_fd:1", "", kmalloc);
	finding = expect(w, "LL008", SEVERITY_INFO, "next_fd");
	assert_non_null(strstr(finding->message, "; 1 byte less would take 64 bytes"));
	assert_non_null(strstr(finding->advice, "find 1 byte: "));
	lint_text(w, "a:8 b:8*7", "", kmalloc);
	expect_none(w, "LL008");
	lint_text(w, "a:8 b:8*11", "", kmalloc); /* 96 misses 64 by far */
	expect_none(w, "LL008");
	/* line and alignment of the slab are two things */
	const char *slab = "    allocator: slab\n    placement: {alignment: 128}\n    fields:\n    "
			   "  a: r hot\n";
	lint_sized(w, 436, "a:4 b:4*108", "", slab, EVIDENCE_STATED);
	assert_non_null(strstr(
		the(w, "LL008")->message, "436 bytes take 512 bytes of slab, 8 objects a page"));
	lint_sized(w, 2052, "a:4 b:4*512", "", slab, EVIDENCE_STATED);
	assert_non_null(strstr(the(w, "LL008")->message, " bytes of slab, 1 object a page; "));
	lint_sized(w, 256, "a:4 b:4*63", "", slab, EVIDENCE_STATED);
	expect_none(w, "LL008");
	lint_sized(w, 436, "a:4 b:4*108", "",
		"    placement: {alignment: 128}\n    fields:\n      a: r hot\n", EVIDENCE_STATED);
	expect_none(w, "LL008"); /* nobody says how it is allocated */
}

/* ---- LL009, LL010, LL011 ---- */

static void expectations(void **state)
{
	struct world *w = *state;
	const char *entry =
		"    placement: {alignment: 64}\n    fields:\n      a: r hot\n    expect:\n"
		"      - {same_line: [a, b]}\n      - {apart: [a, c]}\n      - {line: {c: 0}}\n"
		"      - {max_size: 128}\n      - {max_lines: 2}\n";
	lint_text(w, "a:8 b:8 pad:8*6 c:8 tail:8", "", entry);
	assert_string_equal(expect(w, "LL009", SEVERITY_ERROR, "c")->message,
		"expected c on line 0: it lies on line 1");
	assert_int_equal(count(w, "LL009"), 1);
	assert_int_equal(the(w, "LL009")->position.line, 11);
	assert_string_equal(the(w, "LL009")->file, "p.yaml");
	lint_text(w, "a:8 c:8 pad:8*14 b:8", "", entry);
	assert_int_equal(count(w, "LL009"), 4);
	for (size_t i = 0, next = 0; i < w->lint.finding_count; i++) { /* as the profile has them */
		static const char *const messages[] = {
			"expected a and b on the same line: a lies on line 0, b on line 2",
			"expected a and c apart: a and c both lie on line 0",
			"expected at most 128 bytes: there are 136",
			"expected at most 2 lines: there are 3"};
		if (strcmp(w->lint.findings[i].rule->id, "LL009") == 0)
			assert_string_equal(w->lint.findings[i].message, messages[next++]);
	}
}

static void names_that_are_not_there(void **state)
{
	struct world *w = *state;
	lint_text(w, "f_mode:4 f_op:8", "",
		"    fields:\n      f_mod: r hot\n      f_op: r hot\n      gone: {optional: true, "
		"read: 1}\n");
	const struct finding *finding = expect(w, "LL010", SEVERITY_ERROR, "f_mod");
	assert_int_equal(count(w, "LL010"), 1);
	assert_non_null(strstr(finding->message, "did you mean 'f_mode'"));
	assert_int_equal(finding->position.line, 6);
	assert_int_equal(finding->position.col, 7);
}

static void the_shipped_profile_is_nobodys_to_correct(void **state)
{
	struct world *w = *state;
	lint_sized(w, 0, "f_mode:4 f_op:8", "",
		"    fields:\n      f_mod: r hot\n      f_op: r hot\n", EVIDENCE_SHIPPED);
	expect(w, "LL010", SEVERITY_INFO, "f_mod");
}

static void an_index_without_an_array(void **state)
{
	struct world *w = *state;
	lint_text(w, "a:8 b:8*4", "",
		"    fields:\n      a: {read: 1, index: thread}\n      \"b[]\": {read: 1, index: "
		"thread}\n");
	const struct finding *finding = expect(w, "LL010", SEVERITY_ERROR, "a");
	assert_string_equal(finding->message, "a: an index, but it is no array and lies in none");
	assert_string_equal(finding->advice, "delete `index`, or name the array");
	assert_int_equal(finding->position.line, 6);
	assert_int_equal(count(w, "LL010"), 1);
	assert_int_equal(w->map.field_count, 2); /* it is read all the same */
}

static void ignores_that_match_nothing(void **state)
{
	struct world *w = *state;
	lint_text(w, "a:8 b:8", READER_WRITER,
		PAIR_ENTRY "    ignore:\n      - {rule: LL001, fields: [a], reason: \"known\"}\n"
			   "      - {rule: LL002, fields: [a, b], reason: \"old\"}\n");
	const struct finding *finding = expect(w, "LL010", SEVERITY_INFO, "a");
	assert_int_equal(count(w, "LL010"), 1);
	assert_string_equal(finding->message,
		"the profile ignores LL002 of a and b, and there is no such finding");
	assert_int_equal(finding->position.line, 11);
	lint_sized(w, 0, "a:8 b:8", READER_WRITER,
		PAIR_ENTRY "    ignore:\n      - {rule: LL002, reason: \"old\"}\n",
		EVIDENCE_SHIPPED);
	expect_none(w, "LL010");
}

static void two_layouts_under_one_name(void **state)
{
	struct world *w = *state;
	w->layouts = 2;
	lint_text(w, "a:8", "", NULL);
	assert_string_equal(
		expect(w, "LL011", SEVERITY_INFO, "a")->message, "s has 2 layouts in this binary");
	w->layouts = 1;
	lint_text(w, "a:8", "", NULL);
	expect_none(w, "LL011");
}

/* ---- groups ---- */

static void groups_of_the_kernel_are_infos_without_a_price(void **state)
{
	struct world *w = *state;
	lint_sized(w, 0,
		"__cacheline_group_begin__s_write_tx:0 a:8 __cacheline_group_end__s_write_tx:0 "
		"__cacheline_group_begin__s_read_tx:0 b:8 __cacheline_group_end__s_read_tx:0 "
		"__cacheline_group_begin__s_write_rx:0 c:8 __cacheline_group_end__s_write_rx:0 "
		"__cacheline_group_begin__s_read_rx@64:0 d@64:8 "
		"__cacheline_group_end__s_read_rx@72:0",
		"roles: {tx: {threads: 16}, rx: {threads: 16}}",
		"    placement: {alignment: 64}\n    fields:\n      a: {tx: {write: 1}}\n      b: "
		"{tx: {read: 1}}\n"
		"      c: {rx: {write: 1}}\n      d: {rx: {read: 1}}\n",
		EVIDENCE_GROUP);
	for (size_t i = 0; i < w->lint.finding_count; i++) {
		assert_int_equal(w->lint.findings[i].severity, SEVERITY_INFO);
		assert_true(w->lint.findings[i].cost == 0);
	}
	assert_int_equal(count(w, "LL001"), 2); /* write_tx and write_rx beside read_tx */
	assert_string_equal(the(w, "LL001")->message,
		"line 0: the groups s_write_tx, written, and s_read_tx, read, share a line, "
		"cost unmeasured: one direction, often one CPU");
	assert_string_equal(the(w, "LL001")->fields[0], "a");
	assert_string_equal(the(w, "LL001")->fields[1], "b");
	assert_int_equal(count(w, "LL002"), 1);
	assert_string_equal(the(w, "LL002")->message,
		"line 0: the groups s_write_tx, written, and "
		"s_write_rx, written, share a line, cost unmeasured");
}

/* ---- the frame ---- */

static void ignored_with_a_reason(void **state)
{
	struct world *w = *state;
	lint_text(w, "a:8 b:8", READER_WRITER,
		PAIR_ENTRY "    ignore:\n      - {rule: LL001, fields: [a], reason: \"known\"}\n");
	const struct finding *finding = expect(w, "LL001", SEVERITY_ERROR, "a");
	assert_true(finding->ignored);
	assert_string_equal(finding->ignore_reason, "known");
	lint_text(w, "a:8 b:8", READER_WRITER,
		PAIR_ENTRY "    ignore:\n      - {rule: LL001, fields: [b], reason: \"cold\"}\n");
	assert_true(the(w, "LL001")->ignored); /* the only one that suffers */
	lint_text(w, "a:8 b:8 c:8", READER_WRITER,
		PAIR_ENTRY "      c: {lookup: {read: 1}}\n    ignore:\n      - {rule: LL001, "
			   "fields: [b], reason: \"cold\"}\n");
	assert_false(the(w, "LL001")->ignored); /* c suffers, too */
	lint_text(w, "a:8 b:8", READER_WRITER,
		PAIR_ENTRY "    ignore:\n      - {rule: LL002, reason: \"known\"}\n");
	assert_false(the(w, "LL001")->ignored);
	lint_text(w, "a:8 b:8", READER_WRITER,
		PAIR_ENTRY "    ignore:\n      - {rule: LL001, reason: \"all of it\"}\n");
	assert_true(the(w, "LL001")->ignored);
}

static void fingerprints(void **state)
{
	struct world *w = *state;
	char first[17];
	lint_text(w, "a:8 b:8", READER_WRITER, PAIR_ENTRY);
	assert_int_equal(strlen(the(w, "LL001")->fingerprint), 16);
	assert_int_equal(strspn(the(w, "LL001")->fingerprint, "0123456789abcdef"), 16);
	strcpy(first, the(w, "LL001")->fingerprint);
	/* a new reader, another line */
	lint_text(w, "gap:8*8 a:8 b:8 c:8", READER_WRITER,
		PAIR_ENTRY "      c: {lookup: {read: 1}}\n");
	assert_string_equal(the(w, "LL001")->fingerprint, first);
	lint_text(w, "x:8 b:8", READER_WRITER,
		"    placement: {alignment: 64}\n    fields:\n      x: {change: {rmw: 1}}\n      "
		"b: {lookup: {read: 2}}\n");
	assert_string_not_equal(the(w, "LL001")->fingerprint, first);
}

static void the_worst_stands_first(void **state)
{
	struct world *w = *state;
	w->layouts = 2;
	lint_text(w, "pad:4*14 c@60:8 a@128:8 b@136:8", READER_WRITER,
		PAIR_ENTRY "      c: {lookup: {read: 1}}\n");
	assert_true(w->lint.finding_count >= 4);
	for (size_t i = 1; i < w->lint.finding_count; i++) {
		const struct finding *before = &w->lint.findings[i - 1],
				     *after = &w->lint.findings[i];
		assert_true(before->severity < after->severity ||
			    (before->severity == after->severity &&
				    strcmp(before->rule->id, after->rule->id) <= 0));
	}
	for (size_t i = 0; i < w->lint.finding_count; i++)
		assert_true(w->lint.findings[i].severity >= w->lint.findings[i].rule->at_most);
}

static void every_rule_has_a_page(void **state)
{
	(void)state;
	struct buf text;
	buf_init(&text);
	assert_int_equal(lint_rule_count, 13);
	for (size_t i = 0; i < lint_rule_count; i++) {
		static const char *const sections[] = {"\nWhat\n", "\nWhy\n", "\nExample\n",
			"\nHow to fix it\n", "\nWhen to ignore it\n"};
		assert_ptr_equal(lint_rule_find(lint_rules[i].id), &lint_rules[i]);
		assert_ptr_equal(lint_rule_find(lint_rules[i].name), &lint_rules[i]);
		buf_clear(&text);
		explain_page(&lint_rules[i], &text);
		for (size_t k = 0; k < 5; k++)
			assert_non_null(strstr(text.data, sections[k]));
	}
	assert_ptr_equal(lint_rule_find("ll001"), &lint_rules[0]);
	assert_null(lint_rule_find("LL014"));
	char near[128];
	assert_ptr_equal(strstr(explain_nearest("false-sharin", near, sizeof(near)),
				 "; did you mean 'false-sharing'"),
		near);
	buf_clear(&text);
	explain_table(&text);
	assert_non_null(strstr(text.data, "LL013  neighbouring-variables"));
	buf_release(&text);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_counter_beside_what_its_own_operation_reads),
		TEST(avoidable_is_the_cost_minus_the_cost_with_the_field_alone),
		TEST(more_threads_make_an_error_of_it_but_not_of_a_shipped_profile),
		TEST(the_verdict_holds_over_the_interval_that_it_states),
		TEST(roles_with_interleaves_of_their_own_are_scaled_together),
		TEST(others_readers_suffer),
		TEST(advice_that_can_be_followed),
		TEST(who_never_meets_does_not_disturb),
		TEST(the_workload_that_pays_decides),
		TEST(accesses_of_unknown_kind_are_no_writes),
		TEST(a_profile_without_roles_speaks_of_all_threads),
		TEST(what_is_written_together_moves_together),
		TEST(who_only_goes_along_is_not_named),
		TEST(a_victim_is_no_culprit),
		TEST(a_lock_belongs_beside_its_data_unless_it_is_contended),
		TEST(one_line_that_may_not_grow_is_true_sharing),
		TEST(an_array_beside_what_is_read),
		TEST(two_counters_of_two_roles),
		TEST(a_common_lock_orders_writers),
		TEST(objects_that_may_start_anywhere),
		TEST(placements_that_hardly_differ),
		TEST(a_type_that_asks_for_more_than_it_gets),
		TEST(lines_that_are_fetched_in_pairs),
		TEST(a_line_that_never_misses_is_not_fetched),
		TEST(scalars_across_lines),
		TEST(fields_to_be_kept_together),
		TEST(hot_fields_on_more_lines_than_they_need),
		TEST(elements_and_lines),
		TEST(a_stride_of_whole_lines_parts_neighbours),
		TEST(elements_of_a_member_one_a_thread),
		TEST(padding_that_gains_nothing),
		TEST(an_array_is_not_priced_twice),
		TEST(holes_that_cost_a_line),
		TEST(holes_that_were_made_on_purpose),
		TEST(sizes_that_just_miss_an_allocation),
		TEST(expectations),
		TEST(names_that_are_not_there),
		TEST(the_shipped_profile_is_nobodys_to_correct),
		TEST(an_index_without_an_array),
		TEST(ignores_that_match_nothing),
		TEST(two_layouts_under_one_name),
		TEST(groups_of_the_kernel_are_infos_without_a_price),
		TEST(ignored_with_a_reason),
		TEST(fingerprints),
		TEST(the_worst_stands_first),
		TEST(every_rule_has_a_page),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

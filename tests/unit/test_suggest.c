/*
 * suggest: never worse than today, the same every time; and the layouts that people fixed.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "structs.h"

static struct world w;

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

static void world_again(void)
{
	arena_release(&w.arena);
	world_init(&w);
}

/* ---- random structs of scalars, and every order of them ---- */

static uint64_t seed;

static unsigned below(unsigned n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)(seed % n);
}

enum { UNITS_MAX = 32 };

struct member {
	char text[32];
	uint64_t size, align;
};

static struct member members[UNITS_MAX];
static size_t member_count;

/* The text of the struct with its members in an order. */
static const char *fields_in(const size_t *order, char *text)
{
	*text = '\0';
	for (size_t i = 0; i < member_count; i++) {
		strcat(text, members[order[i]].text);
		strcat(text, " ");
	}
	return text;
}

static void random_struct(size_t count, char *profile)
{
	static const unsigned sizes[] = {8, 8, 8, 4, 4, 2, 1};
	member_count = count;
	for (size_t i = 0; i < count; i++) {
		struct member *member = &members[i];
		member->align = sizes[below(7)];
		unsigned dim = below(3) ? 0 : 2 + below(7);
		member->size = member->align * (dim ? dim : 1);
		snprintf(member->text, sizeof(member->text), dim ? "m%zu:%u*%u" : "m%zu:%u", i,
			(unsigned)member->align, dim);
	}
	strcpy(profile, "    fields:\n");
	unsigned accessed = 2 + below(4);
	for (size_t i = 0; i < count && accessed; i++) {
		if (below((unsigned)(count - i)) >= accessed)
			continue;
		accessed--;
		static const char *const uses[] = {"{a: {read: 2}}", "{b: {rmw: 2}}",
			"{b: {write: 1}, a: {read: 1}}", "{a: {rmw: 1}}",
			"{a: {read: 1}, b: {read: 1, write: 1}}", "{b: {read: 3}}"};
		sprintf(profile + strlen(profile), "      m%zu: %s\n", i, uses[below(6)]);
	}
}

static const char head[] = "roles:\n  a: {threads: 8}\n  b: {threads: 3, rate: 0.5}\n";

/* What growth has to earn. */
static double growth_price(uint64_t before, uint64_t after)
{
	uint64_t lines = (before + 63) / 64, lines_after = (after + 63) / 64;
	double price = lines_after > lines ? 0.25 * (double)(lines_after - lines) : 0;
	return price + (after > before ? ORDER_BYTE_PRICE * (double)(after - before) : 0);
}

/* What an order costs by a layout and a join of its own, with what added lines have to earn; `gaps` are its unused bytes. */
static double cost_of(const size_t *order, const char *profile, uint64_t size, uint64_t *gaps)
{
	static struct world other;
	char text[1024];
	world_init(&other);
	world_join(&other, fields_in(order, text), head, profile, EVIDENCE_STATED);
	double cost = cost_total(&other.arena, &other.map.model);
	*gaps = other.layout.hole_bytes + other.layout.padding_bytes;
	cost += growth_price(size, other.layout.size_bytes);
	arena_release(&other.arena);
	return cost;
}

/* A suggestion's places are those of the members in that order, without gaps but those of alignment. */
static void check_places(const struct suggestion *it)
{
	uint64_t end = 0;
	for (size_t i = 0; i < it->order_count; i++) {
		size_t index = strtoul(it->order[i].field + 1, NULL, 10);
		assert_int_equal(it->order[i].off_bits / 8, up(end, members[index].align));
		end = it->order[i].off_bits / 8 + members[index].size;
	}
	assert_true(it->size_after >= end && it->size_after < end + 8);
}

/* The cost of a destination, with what added lines have to earn. */
static double with_lines(const struct suggestion *it, size_t index)
{
	return it->destinations[index].cost +
	       growth_price(it->size_before, it->destinations[index].size_bytes);
}

static void check_suggestion(const struct suggestion *it)
{
	assert_true(it->move_count > 0);
	assert_true(isfinite(it->cost_after));
	assert_true(it->cost_after <= it->cost_before + 1e-9);
	if (it->kind == SUGGEST_PACK)
		assert_true(it->size_after < it->size_before);
	else
		assert_true(it->cost_after < it->cost_before);
	for (size_t i = 0; i + 1 < it->destination_count; i++)
		assert_true(with_lines(it, i) <= with_lines(it, i + 1) + 1e-6);
	check_places(it);
}

static void same(const struct suggest_result *a, const struct suggest_result *b)
{
	assert_int_equal(a->count, b->count);
	for (size_t i = 0; i < a->count; i++) {
		assert_string_equal(a->items[i].definition, b->items[i].definition);
		assert_true(a->items[i].cost_after == b->items[i].cost_after);
		assert_int_equal(a->items[i].fresh_count, b->items[i].fresh_count);
	}
}

static size_t moves_of(const size_t *order)
{
	size_t longest[UNITS_MAX] = {0}, most = 0;
	for (size_t i = 0; i < member_count; i++) {
		for (size_t k = 0; k < i; k++)
			if (order[k] < order[i] && longest[k] > longest[i])
				longest[i] = longest[k];
		longest[i]++;
		most = longest[i] > most ? longest[i] : most;
	}
	return member_count - most;
}

/* No member that was moved could stay where it is, at the same cost, size and lines. */
static void check_tidy(const struct suggestion *it, const char *profile)
{
	size_t order[UNITS_MAX], trial[UNITS_MAX];
	uint64_t gaps, bytes, size = w.layout.size_bytes;
	for (size_t i = 0; i < member_count; i++)
		order[i] = it->units[i];
	assert_int_equal(moves_of(order), it->move_count);
	double price = cost_of(order, profile, size, &gaps);
	for (size_t m = 0; m < it->move_count; m++) {
		for (size_t to = 0; to < member_count; to++) {
			size_t rest = 0;
			bytes = 0;
			for (size_t i = 0; i < member_count; i++) {
				if (order[i] == it->moves[m].unit)
					continue;
				if (rest == to)
					trial[rest++] = it->moves[m].unit;
				trial[rest++] = order[i];
			}
			if (rest < member_count)
				trial[rest] = it->moves[m].unit;
			if (moves_of(trial) >= it->move_count)
				continue;
			double other_price = cost_of(trial, profile, size, &gaps);
			for (size_t i = 0; i < member_count; i++)
				bytes += members[i].size;
			if (bytes + gaps == it->size_after && other_price <= price + 1e-9)
				fail_msg("%s: %s was moved for nothing",
					suggest_kind_name(it->kind), it->moves[m].field);
		}
	}
}

static void no_needless_moves(void **state)
{
	size_t order[UNITS_MAX], checked = 0;
	char profile[1024], text[1024];
	(void)state;
	seed = 88172645463325254ULL;
	for (unsigned n = 0; n < 60; n++) {
		random_struct(9 + below(UNITS_MAX - 9), profile);
		for (size_t i = 0; i < member_count; i++)
			order[i] = i;
		world_again();
		world_build(&w, fields_in(order, text), head, profile, EVIDENCE_STATED);
		assert_null(world_suggest(&w));
		for (int kind = SUGGEST_BEST; kind <= SUGGEST_PACK; kind++) {
			const struct suggestion *it = world_find(&w, (enum suggest_kind)kind);
			if (it)
				check_tidy(it, profile);
			checked += it != NULL;
		}
	}
	assert_true(checked > 60);
}

static void never_worse_and_always_the_same(void **state)
{
	size_t order[UNITS_MAX];
	char profile[1024], text[1024];
	(void)state;
	seed = 88172645463325253ULL;
	for (unsigned n = 0; n < 150; n++) {
		random_struct(9 + below(UNITS_MAX - 9), profile);
		for (size_t i = 0; i < member_count; i++)
			order[i] = i;
		world_again();
		world_build(&w, fields_in(order, text), head, profile, EVIDENCE_STATED);
		assert_null(world_suggest(&w));
		struct suggest_result first = w.result;
		for (size_t i = 0; i < first.count; i++)
			check_suggestion(&first.items[i]);
		const struct suggestion *minimal = world_find(&w, SUGGEST_MINIMAL),
					*best = world_find(&w, SUGGEST_BEST);
		assert_true(!best == !minimal);
		if (best) {
			assert_true(best->cost_after <= minimal->cost_after + 1e-9 ||
				    minimal->lines_after < best->lines_after);
			assert_true(minimal->move_count <= best->move_count);
		} else {
			assert_true(first.count > 0 || first.why_none);
		}
		assert_null(world_suggest(&w));
		same(&first, &w.result);
	}
}

/* ---- one struct ---- */

/* `pattern` with `value` for its @. */
static void fill(char text[512], const char *pattern, const char *value)
{
	size_t before = strcspn(pattern, "@");
	snprintf(text, 512, "%.*s%s%s", (int)before, pattern, value, pattern + before + 1);
}

static const struct suggestion *sure(const struct suggestion *it)
{
	if (!it) {
		fail_msg("nothing is suggested: %s", w.result.why_none ? w.result.why_none : "?");
		abort();
	}
	return it;
}

static const struct suggestion *minimal_of(const char *fields, const char *roles, const char *entry)
{
	world_build(&w, fields, roles, entry, EVIDENCE_STATED);
	const char *message = world_suggest(&w);
	if (message)
		fail_msg("%s", message);
	return world_find(&w, SUGGEST_MINIMAL);
}

static bool has_pair(const struct suggest_pair *pairs, size_t count, const char *written,
	const char *other, double *price)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(pairs[i].written, written) == 0 && strcmp(pairs[i].other, other) == 0) {
			if (price)
				*price = pairs[i].price;
			return true;
		}
	return false;
}

static double cost_on(const struct suggestion *it, uint64_t line)
{
	for (size_t i = 0; i < it->destination_count; i++)
		if (it->destinations[i].line == line)
			return it->destinations[i].cost;
	return (double)NAN;
}

static bool warns_of(const struct suggestion *it, const char *written)
{
	for (size_t i = 0; i < it->finding_count; i++)
		if (it->findings[i].severity <= SEVERITY_WARNING &&
			strcmp(it->findings[i].fields[0], written) == 0)
			return true;
	return false;
}

#define FILE_6_12                                                                                  \
	"f_count{counter:8} f_lock{val:4} f_mode:4 f_op:8 f_mapping:8 private:8 f_inode:8 "        \
	"f_flags:4 "                                                                               \
	"f_iocb_flags:4 f_cred:8 f_path{mnt:8 dentry:8} f_pos_lock{owner:8 rest:8*3} f_pos:8 "     \
	"f_security:8 f_owner:8 f_wb_err:4 f_sb_err:4 f_ep:8 "                                     \
	"f_ra{start:8 size:4 async:4 pages:4 mmap_miss:4 prev_pos:8}"
#define PREAD                                                                                      \
	"    placement: {alignment: 64, stride: 192}\n    fields:\n      f_count: {rmw: 2}\n"      \
	"      f_mode: {read: 4}\n      f_op: {read: 2}\n      f_iocb_flags: {read: 1}\n"          \
	"      f_inode: {read: 1}\n      f_mapping: {read: 2}\n      f_flags: {read: 1}\n"         \
	"      f_path.mnt: {read: 1}\n      f_path.dentry: {read: 1}\n      f_security: {read: "   \
	"1}\n"                                                                                     \
	"      f_ra.prev_pos: {read: 1, write: 1}\n"

/* G3: one counter goes to the third line, beside what the same operation writes. */
static void file_of_6_12(void **state)
{
	double price;
	(void)state;
	const struct suggestion *it =
		sure(minimal_of(FILE_6_12, "roles:\n  pread: {threads: 16}\n", PREAD));
	assert_int_equal(it->move_count, 1);
	assert_string_equal(it->moves[0].field, "f_count");
	assert_int_equal(it->size_after, 184);
	assert_int_equal(it->lines_after, 3);
	assert_int_equal(it->stride_after, 192);
	assert_int_equal(it->objects_after, 21);
	assert_float_equal(it->cost_before, 3.24, 0.01);
	assert_float_equal(it->cost_after, 1.41, 0.01);
	assert_float_equal(cost_on(it, 0), 3.24, 0.01);
	assert_float_equal(cost_on(it, 1), 3.27, 0.01);
	assert_float_equal(cost_on(it, 2), 1.41, 0.01);
	assert_true(has_pair(it->fresh, it->fresh_count, "f_count", "f_ra.prev_pos", &price));
	assert_true(price < -1);
	assert_true(has_pair(it->gone, it->gone_count, "f_count", "f_mode", &price));
	assert_true(price > 0);
	assert_int_equal(offset_in(it, "f_count"), 176);
	bool crosses = false;
	for (size_t i = 0; i < it->collateral_count; i++)
		crosses |= strcmp(it->collateral[i].field, "f_path") == 0 &&
			   it->collateral[i].first_line_after == 0 &&
			   it->collateral[i].last_line_after == 1;
	assert_true(crosses);
	assert_false(warns_of(it, "f_count"));
}

/* G1: 6.1's file, count and lock behind what open and read walk. */
static void file_of_6_1(void **state)
{
	(void)state;
	const struct suggestion *it = sure(minimal_of(
		"f_u{a:8 b:8} f_path{mnt:8 dentry:8} f_inode:8 f_op:8 f_lock{val:4} x:4 "
		"f_count{c:8} f_flags:4 "
		"f_mode:4 f_pos_lock{owner:8 rest:8*3} f_pos:8 f_owner{a:8*4} f_cred:8 f_ra{a:8*4}",
		"roles:\n  rw: {threads: 16}\n",
		"    placement: {alignment: 64, stride: 256}\n    fields:\n      f_count: {rmw: "
		"2}\n      f_op: {read: 2}\n"
		"      f_inode: {read: 2}\n      f_path.dentry: {read: 1}\n      f_mode: {read: "
		"2}\n"));
	assert_int_equal(it->move_count, 1);
	assert_string_equal(it->moves[0].field, "f_count");
	assert_int_equal(it->size_after, it->size_before);
	assert_true(has_pair(it->gone, it->gone_count, "f_count", "f_op", NULL));
	assert_true(offset_in(it, "f_count") / 64 != offset_in(it, "f_mode") / 64);
}

/* G4: a name's bytes on the line of the reference count; people moved the count to a line of its own. */
static void dentry_of_6_1(void **state)
{
	(void)state;
	const struct suggestion *it = sure(
		minimal_of("d_flags:4 d_seq:4 d_hash{next:8 pprev:8} d_parent:8 d_name{hash:8 "
			   "name:8} d_inode:8 d_iname:1*32 "
			   "d_lockref{lock:8} d_op:8 d_sb:8 d_time:8 d_fsdata:8 d_lru{a:8 b:8} "
			   "d_child{a:8 b:8} d_subdirs{a:8 b:8} d_u{a:8 b:8}",
			"roles:\n  stat: {threads: 20}\n",
			"    placement: {alignment: 64, stride: 192}\n    fields:\n      d_flags: "
			"{read: 3}\n      d_seq: {read: 3}\n"
			"      d_hash.pprev: {read: 1}\n      d_parent: {read: 1}\n      "
			"d_name.hash: {read: 1}\n      d_name.name: {read: 1}\n"
			"      d_inode: {read: 2}\n      d_iname: {bytes: 24, read: 1}\n      "
			"d_lockref: {rmw: 2}\n"));
	assert_int_equal(it->move_count, 1);
	assert_string_equal(it->moves[0].field, "d_lockref");
	assert_int_equal(offset_in(it, "d_lockref") / 64, 2);
	assert_int_equal(it->size_after, 192);
	assert_true(has_pair(it->gone, it->gone_count, "d_lockref", "d_iname", NULL));
}

/* G5: waiters poll a lock beside the tree that it protects. */
static void address_space_of_6_1(void **state)
{
	(void)state;
	const struct suggestion *it = sure(
		minimal_of("host:8 i_pages{lock:8 head:8} invalidate_lock{count:8 owner:8 a:8*3} "
			   "gfp_mask:4 writable:4 "
			   "i_mmap{root:8 left:8} i_mmap_rwsem{count:8 owner:8 a:8*3} nrpages:8 "
			   "writeback:8 a_ops:8 flags:8 wb_err:4 "
			   "private_lock:4 private_list{a:8 b:8} private_data:8",
			"roles:\n  mapfile: {threads: 8}\n",
			"    placement: {alignment: 64}\n    fields:\n      i_mmap.root: {read: 2, "
			"write: 0.1}\n      i_mmap.left: {read: 1, write: 0.1}\n"
			"      i_mmap_rwsem.count: {rmw: 2}\n      i_mmap_rwsem.owner: {write: 2}\n"
			"    locks:\n      i_mmap_rwsem: {protects: [i_mmap.root, i_mmap.left], "
			"contended: 0.3}\n"));
	assert_int_equal(it->move_count, 1);
	assert_true(strcmp(it->moves[0].field, "i_mmap_rwsem") == 0 ||
		    strcmp(it->moves[0].field, "i_mmap") == 0);
	assert_int_equal(it->size_after, it->size_before);
	assert_true(has_pair(it->gone, it->gone_count, "i_mmap_rwsem.count", "i_mmap.root", NULL) ||
		    has_pair(it->gone, it->gone_count, "i_mmap_rwsem.owner", "i_mmap.root", NULL));
}

/* G6: a counter's parent, walked up on every charge, on the line that is charged. */
static void page_counter(void **state)
{
	(void)state;
	const char *entry = "    placement: {alignment: 64}\n    fields:\n      usage: {rmw: 1}\n  "
			    "    parent: {read: 1}\n"
			    "      max: {read: 1}\n    constraints: {padding: @, max_size: 192}\n";
	char text[512];
	fill(text, entry, "allowed");
	const char *fields = "usage{c:8} min:8 low:8 high:8 max:8 parent:8 emin:8 min_usage:8 "
			     "children_min:8 elow:8 low_usage:8 "
			     "children_low:8 watermark:8 failcnt:8";
	const struct suggestion *it = sure(minimal_of(fields, "", text));
	assert_true(has_pair(it->gone, it->gone_count, "usage", "parent", NULL));
	fill(text, entry, "forbidden");
	world_again();
	it = sure(minimal_of(fields, "", text));
	for (size_t i = 0; i < it->move_count; i++)
		assert_int_equal(it->moves[i].align_bytes, 0);
	assert_int_equal(it->move_count, 1);
	assert_string_equal(it->moves[0].field, "usage"); /* takes max from its line as well */
	assert_int_equal(it->size_after, it->size_before);
}

/* G7: the halves of a lock are wanted apart: only a profile may keep them together. */
static void halves_of_a_lock(void **state)
{
	(void)state;
	const char *fields = "a:8*7 count:8 owner:8 b:8*7";
	const char *entry = "    placement: {alignment: 64}\n    fields:\n      count: {rmw: 2}\n  "
			    "    owner: {read: 2}\n@";
	char text[512];
	fill(text, entry, "");
	assert_null(minimal_of(fields, "", text));
	assert_non_null(w.result.why_none);
	fill(text, entry, "    constraints: {keep_together: [[count, owner]]}\n");
	const struct suggestion *it = minimal_of(fields, "", text);
	assert_null(it); /* it would cost more */
}

/* G8: a lock of its own line has a price in bytes; it is shown, and can be forbidden. */
static void a_line_has_a_price(void **state)
{
	(void)state;
	const char *fields = "start:8 end:8 mm:8 prot:8 flags:8 lock{c:8} ops:8 pgoff:8";
	const char *entry =
		"    placement: {alignment: 64}\n    fields:\n      lock: {rmw: 2}\n      start: "
		"{read: 2}\n      end: {read: 2}\n"
		"      mm: {read: 2}\n      flags: {read: 2}\n    constraints: {padding: @}\n";
	char text[512];
	fill(text, entry, "forbidden");
	assert_null(minimal_of(fields, "roles:\n  fault: {threads: 64}\n", text));
	assert_non_null(w.result.why_none);
	fill(text, entry, "allowed");
	world_again();
	const struct suggestion *it =
		sure(minimal_of(fields, "roles:\n  fault: {threads: 64}\n", text));
	assert_int_equal(it->size_before, 64);
	assert_int_equal(it->size_after, 128);
	assert_int_equal(it->moves[0].align_bytes, 64);
	assert_true(it->cost_before - it->cost_after >= 0.25); /* an added line has to earn that */
	world_again();
	assert_null(minimal_of(fields, "line_price: 50\nroles:\n  fault: {threads: 64}\n", text));
}

/* G10: what every context switch writes beside what it reads. */
static void mm_of_6_1(void **state)
{
	(void)state;
	const struct suggestion *it =
		sure(minimal_of("mmap:8 rb:8 seq:8 area:8 base:8 legacy:8 size:8 highest:8 pgd:8 "
				"membarrier:4 users:4 count:4 c:4 pg:8 map_count:4 "
				"ptl:4 sem:8*5 list{a:8 b:8} hi:8*12 z:1",
			"roles:\n  switch: {threads: 32}\n",
			"    placement: {alignment: 64}\n    fields:\n      count: {rmw: 0.5}\n    "
			"  pgd: {read: 1}\n      membarrier: {read: 0.5}\n"));
	assert_int_equal(it->move_count, 1);
	assert_string_equal(it->moves[0].field, "count");
	assert_int_equal(it->size_after, it->size_before);
	assert_true(has_pair(it->gone, it->gone_count, "count", "pgd", NULL));
	assert_false(warns_of(it, "count"));
}

/* ---- constraints, and reasons ---- */

static void constraints_hold(void **state)
{
	(void)state;
	const char *fields = "c:8 r:8 a:8*6 x:8 y:8 b:8*6 t:1";
	const char *entry = "    placement: {alignment: 64}\n    fields: {c: {rmw: 2}, r: {read: "
			    "4}}\n    constraints: {@}\n";
	char text[512];
	fill(text, entry, "pin: [c]");
	const struct suggestion *it = sure(minimal_of(fields, "", text));
	assert_int_equal(offset_in(it, "c"), 0);
	fill(text, entry, "first: [c]");
	it = sure(minimal_of(fields, "", text));
	assert_int_equal(offset_in(it, "c"), 0);
	fill(text, entry, "last: [c]");
	it = sure(minimal_of(fields, "", text));
	assert_string_equal(it->order[it->order_count - 1].field, "c");
	fill(text, entry, "keep_together: [[c, x]]");
	minimal_of(fields, "", text);
	it = sure(world_find(&w, SUGGEST_BEST));
	assert_int_equal(offset_in(it, "c") / 64, offset_in(it, "x") / 64);
	fill(text, entry, "pin: all");
	assert_null(minimal_of(fields, "", text));
	assert_string_equal(w.result.why_none, "the profile pins all fields");
}

static void expectations_are_kept(void **state)
{
	(void)state;
	const struct suggestion *it = sure(minimal_of("c:8 r:8 a:8*6 x:8 y:8 b:8*6 t:1", "",
		"    placement: {alignment: 64}\n    fields: {c: {rmw: 2}, r: {read: 4}}\n    "
		"expect: [{line: {c: 0}}]\n"));
	assert_int_equal(offset_in(it, "c") / 64, 0);
	assert_int_equal(offset_in(it, "r") / 64, 1);
}

static void says_why_not(void **state)
{
	(void)state;
	assert_null(minimal_of("a:8 b:8*8 c:8", "", NULL));
	assert_non_null(strstr(w.result.why_none, "profile"));
	assert_null(minimal_of("a:8 b:8*8 c:8", "",
		"    instance: per-thread\n    fields: {a: rmw hot, b: r hot}\n"));
	assert_non_null(strstr(w.result.why_none, "each thread"));
	assert_null(minimal_of(
		"a:8 b:8*8 c:8", "", "    placement: {alignment: 64}\n    fields: {a: r hot}\n"));
	assert_non_null(strstr(w.result.why_none, "saved"));
	assert_null(minimal_of("a:8 b:8 c:8", "",
		"    placement: {alignment: 64}\n    fields: {a: rmw hot, b: r hot}\n"));
	assert_non_null(strstr(w.result.why_none, "no order"));
}

/* An error that no order of the same size removes is a warning. */
static void errors_that_stay(void **state)
{
	(void)state;
	const char *entry = "    placement: {alignment: 64}\n    fields: {c: {rmw: 2}, r: {read: "
			    "4}, q: {read: 4}}\n";
	minimal_of("c:8 r:8 q:8 a:8*5", "roles:\n  all: {threads: 64}\n", entry);
	assert_int_equal(w.lint.findings[0].severity, SEVERITY_ERROR);
	assert_non_null(w.result.lowered);
	assert_non_null(strstr(w.result.lowered[0], "no order of the same size"));
	world_again();
	minimal_of("c:8 r:8 q:8 a:8*5 b:8*8", "roles:\n  all: {threads: 64}\n", entry);
	assert_int_equal(w.lint.findings[0].severity, SEVERITY_ERROR);
	assert_null(w.result.lowered);
}

static void packs(void **state)
{
	(void)state;
	world_build(&w, "a:1 c:8 b:1 d:8 e:2 f:8 g:4", "",
		"    placement: {alignment: 64}\n    fields: {c: rmw hot}\n", EVIDENCE_STATED);
	assert_null(world_suggest(&w));
	const struct suggestion *it = sure(world_find(&w, SUGGEST_PACK));
	assert_int_equal(it->size_before, 56);
	assert_int_equal(it->size_after, 32);
	assert_true(it->cost_after <= it->cost_before + 1e-9);
}

/* The cache prices as cost_total does. */
static void cache_agrees(void **state)
{
	(void)state;
	seed = 7;
	minimal_of(FILE_6_12,
		"roles:\n  pread: {threads: 16}\n  seq: {threads: 2, rate: 0.1}\nworkloads: {a: "
		"[pread], b: [pread, seq]}\n",
		PREAD);
	uint64_t starts[] = {0, 8, 24, 40};
	struct cost_model model = w.map.model;
	model.starts = starts;
	model.start_count = 4;
	struct cost_cache *cache = cost_cache_new(&model);
	struct cost_field *fields =
		arena_copy(&w.arena, model.fields, model.field_count, sizeof(*fields));
	for (int n = 0; n < 200; n++) {
		for (size_t i = 0; i < model.field_count; i++)
			fields[i].off_bytes = below(300);
		struct cost_model moved = model;
		moved.fields = fields;
		assert_float_equal(
			cost_cache_total(cache, fields), cost_total(&w.arena, &moved), 1e-9);
	}
	cost_cache_free(cache);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(never_worse_and_always_the_same),
		TEST(no_needless_moves),
		TEST(file_of_6_12),
		TEST(file_of_6_1),
		TEST(dentry_of_6_1),
		TEST(address_space_of_6_1),
		TEST(page_counter),
		TEST(halves_of_a_lock),
		TEST(a_line_has_a_price),
		TEST(mm_of_6_1),
		TEST(constraints_hold),
		TEST(expectations_are_kept),
		TEST(says_why_not),
		TEST(errors_that_stay),
		TEST(packs),
		TEST(cache_agrees),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

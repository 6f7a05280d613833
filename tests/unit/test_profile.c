/* profile: what is read from good YAML, field by field, and the exact words about bad YAML. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "profile.h"

#define V         "version: 1\n"
#define ROLES     V "roles: {lookup: {threads: 24}, install: {}}\n"
#define IN_STRUCT V "structs:\n  file:\n"
#define IN_FIELDS IN_STRUCT "    fields:\n"
#define IN_ROLES  ROLES "structs:\n  file:\n"

struct world {
	struct arena arena;
	struct profile profile;
};

static int setup(void **state)
{
	static struct world w;
	memset(&w, 0, sizeof(w));
	arena_init(&w.arena);
	*state = &w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;
	arena_release(&w->arena);
	return 0;
}

static const struct profile *good(struct world *w, const char *text)
{
	struct error *error = profile_parse(
		&w->arena, "p.yaml", text, strlen(text), EVIDENCE_STATED, &w->profile);
	if (error)
		fail_msg("%s", error->message);
	return &w->profile;
}

static void bad(const char *text, size_t length, const char *message)
{
	struct arena arena;
	struct profile profile, before;
	memset(&profile, 0x5a, sizeof(profile));
	before = profile;
	arena_init(&arena);
	struct error *error =
		profile_parse(&arena, "p.yaml", text, length, EVIDENCE_STATED, &profile);
	if (!error)
		fail_msg("accepted:\n%s", text);
	assert_memory_equal(&profile, &before, sizeof(profile));
	assert_int_equal(strncmp(error->message, "p.yaml", 6), 0);
	if (strcmp(error->message + 6, message) != 0)
		fail_msg("for:\n%s\nexpected: %s\nsaid:     %s", text, message, error->message + 6);
	error_free(error);
	arena_release(&arena);
}

static const struct profile_field *field(const struct profile_struct *entry, const char *path)
{
	for (size_t i = 0; i < entry->field_count; i++)
		if (strcmp(entry->fields[i].path, path) == 0)
			return &entry->fields[i];
	fail_msg("no field %s", path);
	return NULL;
}

static void counts(
	const struct profile_access *access, double read, double write, double rmw, double unknown)
{
	assert_true(access->counts[ACCESS_READ] == read);
	assert_true(access->counts[ACCESS_WRITE] == write);
	assert_true(access->counts[ACCESS_RMW] == rmw);
	assert_true(access->counts[ACCESS_UNKNOWN] == unknown);
}

static void at(struct profile_position position, unsigned line, unsigned col)
{
	assert_int_equal(position.line, line);
	assert_int_equal(position.col, col);
}

/* The sample of the format's description: every key, every form. */
static const char sample[] =
	"version: 1\n"
	"line_size: 64                      # optional\n"
	"interleave: 0.03\n"
	"line_price: 0.5\n"
	"roles:\n"
	"  lookup:  {threads: 24, why: \"any  system\\n call\"}\n"
	"  install: {threads: 4, rate: 0.1, interleave: 0.5}\n"
	"  plain:\n"
	"workloads:\n"
	"  server: [lookup, install]\n"
	"  other: [plain, lookup]\n"
	"structs:\n"
	"  file:\n"
	"    source: \"fdbench -t 24, recorded\"\n"
	"    instance: shared\n"
	"    placement: {alignment: 64, stride: 192, container: ext4_inode_info.vfs_inode, why: "
	"slab}\n"
	"    allocator: kmalloc\n"
	"    slab_classes: [32, 64, 128, 256, 512, 1024]\n"
	"    threads: {lookup: 64}\n"
	"    sequence: {lookup: [f_count, f_mode, f_op, f_count]}\n"
	"    fields:\n"
	"      f_count: {rmw: 2, why: \"fget, fput\"}\n"
	"      f_mode:  {lookup: {read: 1}}\n"
	"      f_op:    {read: hot}\n"
	"      f_pos_lock: rw hot\n"
	"      \"fd_array[]\": {read: 2, index: spread}\n"
	"      d_iname: {read: 1, bytes: 24}\n"
	"      f_ref: {optional: true, rmw: 2}\n"
	"      mm_lock_seq: {if: vm_lock, read: 2}\n"
	"      untouched: {}\n"
	"      empty:\n"
	"      mixed: {read: warm, install: {write: cold, unless: x.y, why: rare}, lookup: rmw 3}\n"
	"      slots[].next: {access: 0.5, index: 3}\n"
	"      mine: {unless: vm_lock, write: 1e-3, index: thread}\n"
	"    locks:\n"
	"      file_lock: {protects: [next_fd, open_fds_init], contended: 0.3, why: waits}\n"
	"      other_lock:\n"
	"    constraints: {first: [f_lock], last: [], keep_together: [[a, b], [c, d, e]], pin: "
	"[c],\n"
	"                  max_size: 256, padding: allowed, why: abi}\n"
	"    expect:\n"
	"      - {same_line: [f_mode, f_op, f_inode]}\n"
	"      - {apart: [f_count, f_mode], why: fix}\n"
	"      - {line: {f_lock: 0, f_op: 1}}\n"
	"      - {max_size: 0x100}\n"
	"      - max_lines: 3\n"
	"    ignore:\n"
	"      - {rule: LL004, fields: [f_ep], reason: \"cold in our build\"}\n"
	"      - {rule: LL012, reason: known}\n"
	"  struct ns::Type<int, 3>:\n"
	"    evidence: measured\n"
	"    constraints: {pin: all}\n"
	"    allocator: slab\n"
	"    instance: array\n"
	"  nothing:\n"
	"vars:\n"
	"  source: ours\n"
	"  fields: {jiffies: {read: hot}}\n";

static void document(void **state)
{
	const struct profile *p = good(*state, sample);
	assert_string_equal(p->path, "p.yaml");
	assert_int_equal(p->line_bytes, 64);
	assert_true(p->interleave == 0.03);
	assert_true(p->line_price == 0.5);

	assert_int_equal(p->role_count, 3);
	assert_string_equal(p->roles[0].name, "lookup");
	assert_int_equal(p->roles[0].threads, 24);
	assert_true(p->roles[0].rate == 1);
	assert_true(p->roles[0].interleave < 0);
	assert_string_equal(p->roles[0].why, "any system call");
	at(p->roles[0].position, 6, 3);
	assert_int_equal(p->roles[1].threads, 4);
	assert_true(p->roles[1].rate == 0.1);
	assert_true(p->roles[1].interleave == 0.5);
	assert_null(p->roles[1].why);
	assert_string_equal(p->roles[2].name, "plain");
	assert_int_equal(p->roles[2].threads, 16);
	assert_true(p->roles[2].rate == 1);

	assert_int_equal(p->workload_count, 2);
	assert_string_equal(p->workloads[0].name, "server");
	assert_int_equal(p->workloads[0].role_count, 2);
	assert_int_equal(p->workloads[0].roles[0], 0);
	assert_int_equal(p->workloads[0].roles[1], 1);
	assert_int_equal(p->workloads[1].roles[0], 2);
	at(p->workloads[1].position, 11, 3);

	assert_int_equal(p->struct_count, 3);
	assert_non_null(p->vars);
	assert_int_equal(p->vars->field_count, 1);
	assert_string_equal(p->vars->fields[0].path, "jiffies");
	assert_string_equal(p->vars->source, "ours");
}

static void entry(void **state)
{
	const struct profile *p = good(*state, sample);
	const struct profile_struct *s = &p->structs[0];
	assert_string_equal(s->name, "file");
	at(s->position, 13, 3);
	assert_int_equal(s->document->role_count, 3);
	assert_string_equal(s->source, "fdbench -t 24, recorded");
	assert_int_equal(s->evidence, EVIDENCE_STATED);
	assert_int_equal(s->instance, INSTANCE_SHARED);
	assert_int_equal(s->alignment_bytes, 64);
	assert_int_equal(s->stride_bytes, 192);
	assert_string_equal(s->container, "ext4_inode_info.vfs_inode");
	assert_string_equal(s->placement_why, "slab");
	assert_int_equal(s->allocator, ALLOCATOR_KMALLOC);
	assert_int_equal(s->slab_class_count, 6);
	assert_int_equal(s->slab_classes[0], 32);
	assert_int_equal(s->slab_classes[5], 1024);
	assert_int_equal(s->thread_count, 1);
	assert_int_equal(s->threads[0].role, 0);
	assert_int_equal(s->threads[0].threads, 64);
	assert_int_equal(s->sequence_count, 1);
	assert_int_equal(s->sequences[0].role, 0);
	assert_int_equal(s->sequences[0].field_count, 4);
	assert_string_equal(s->sequences[0].fields[3], "f_count");
	at(s->sequences[0].position, 20, 16);
	assert_int_equal(s->field_count, 13);

	assert_int_equal(s->lock_count, 2);
	assert_string_equal(s->locks[0].path, "file_lock");
	assert_int_equal(s->locks[0].protect_count, 2);
	assert_string_equal(s->locks[0].protects[1], "open_fds_init");
	assert_true(s->locks[0].contended == 0.3);
	assert_string_equal(s->locks[0].why, "waits");
	at(s->locks[0].position, 36, 7);
	assert_int_equal(s->locks[1].protect_count, 0);
	assert_true(s->locks[1].contended == 0);

	s = &p->structs[1];
	assert_string_equal(s->name, "ns::Type<int, 3>");
	assert_int_equal(s->evidence, EVIDENCE_MEASURED);
	assert_int_equal(s->instance, INSTANCE_ARRAY);
	assert_int_equal(s->allocator, ALLOCATOR_SLAB);
	assert_true(s->constraints.pin_all);
	assert_int_equal(s->slab_class_count, 13);

	s = &p->structs[2];
	assert_string_equal(s->name, "nothing");
	assert_int_equal(s->field_count, 0);
	assert_null(s->source);
	assert_null(s->container);
	assert_int_equal(s->allocator, ALLOCATOR_UNSTATED);
	assert_int_equal(s->alignment_bytes, 0);
	assert_int_equal(s->stride_bytes, 0);
	assert_int_equal(s->slab_class_count, 13);
	assert_int_equal(s->slab_classes[0], 8);
	assert_int_equal(s->slab_classes[12], 8192);
}

static void fields(void **state)
{
	const struct profile_struct *s = &good(*state, sample)->structs[0];
	const struct profile_field *f = &s->fields[0];
	assert_string_equal(f->path, "f_count");
	assert_string_equal(f->why, "fget, fput");
	at(f->position, 22, 7);
	assert_int_equal(f->access_count, 1);
	assert_int_equal(f->accesses[0].role, PROFILE_ALL_ROLES);
	counts(&f->accesses[0], 0, 0, 2, 0);
	assert_false(f->optional || f->index_stated);
	assert_int_equal(f->bytes, 0);
	assert_null(f->if_field);
	assert_null(f->unless_field);

	f = field(s, "f_mode");
	assert_int_equal(f->access_count, 1);
	assert_int_equal(f->accesses[0].role, 0);
	counts(&f->accesses[0], 1, 0, 0, 0);
	at(f->accesses[0].position, 23, 17);

	counts(&field(s, "f_op")->accesses[0], 1, 0, 0, 0);
	counts(&field(s, "f_pos_lock")->accesses[0], 1, 1, 0, 0);
	f = field(s, "fd_array[]");
	assert_true(f->index_stated);
	assert_int_equal(f->index, PROFILE_INDEX_SPREAD);
	assert_int_equal(field(s, "d_iname")->bytes, 24);
	assert_true(field(s, "f_ref")->optional);
	assert_string_equal(field(s, "mm_lock_seq")->if_field, "vm_lock");
	assert_int_equal(field(s, "untouched")->access_count, 0);
	assert_int_equal(field(s, "empty")->access_count, 0);

	f = field(s, "mixed");
	assert_int_equal(f->access_count, 3);
	assert_int_equal(f->accesses[0].role, PROFILE_ALL_ROLES);
	counts(&f->accesses[0], 0.1, 0, 0, 0);
	assert_int_equal(f->accesses[1].role, 1);
	counts(&f->accesses[1], 0, 0.001, 0, 0);
	assert_string_equal(f->accesses[1].unless_field, "x.y");
	assert_string_equal(f->accesses[1].why, "rare");
	assert_int_equal(f->accesses[2].role, 0);
	counts(&f->accesses[2], 0, 0, 3, 0);

	f = field(s, "slots[].next");
	counts(&f->accesses[0], 0, 0, 0, 0.5);
	assert_int_equal(f->index, PROFILE_INDEX_ELEMENT);
	assert_int_equal(f->element, 3);
	f = field(s, "mine");
	assert_int_equal(f->index, PROFILE_INDEX_THREAD);
	assert_string_equal(f->unless_field, "vm_lock");
	counts(&f->accesses[0], 0, 0.001, 0, 0);
}

static void short_forms(void **state)
{
	const struct profile_struct *s =
		&good(*state, IN_FIELDS "      a: r hot\n      b: w warm\n      c: rw cold\n      "
					"d: rmw hot\n      e: access 2.5\n"
					"      f: rw   0\n      g: {all: rw hot}\n      h: {read: "
					".5, write: 2., rmw: 1e1}\n"
					"      i: 'rmw hot'\n      j: {read: \"hot\"}\n")
			 ->structs[0];
	counts(&field(s, "a")->accesses[0], 1, 0, 0, 0);
	counts(&field(s, "b")->accesses[0], 0, 0.1, 0, 0);
	counts(&field(s, "c")->accesses[0], 0.001, 0.001, 0, 0);
	counts(&field(s, "d")->accesses[0], 0, 0, 1, 0);
	counts(&field(s, "e")->accesses[0], 0, 0, 0, 2.5);
	assert_int_equal(field(s, "f")->access_count, 0);
	assert_int_equal(field(s, "g")->accesses[0].role, 0);
	counts(&field(s, "g")->accesses[0], 1, 1, 0, 0);
	counts(&field(s, "h")->accesses[0], 0.5, 2, 10, 0);
	counts(&field(s, "i")->accesses[0], 0, 0, 1, 0);
	counts(&field(s, "j")->accesses[0], 1, 0, 0, 0);
}

static void demands(void **state)
{
	const struct profile_struct *s = &good(*state, sample)->structs[0];
	const struct profile_constraints *c = &s->constraints;
	assert_true(c->padding_allowed && !c->pin_all);
	assert_int_equal(c->first.count, 1);
	assert_string_equal(c->first.names[0], "f_lock");
	assert_int_equal(c->last.count, 0);
	assert_int_equal(c->keep_together_count, 2);
	assert_int_equal(c->keep_together[1].count, 3);
	assert_string_equal(c->keep_together[1].names[2], "e");
	assert_string_equal(c->pin.names[0], "c");
	assert_int_equal(c->max_size_bytes, 256);
	assert_string_equal(c->why, "abi");

	static const enum profile_expect_kind kinds[] = {EXPECT_SAME_LINE, EXPECT_APART,
		EXPECT_LINE, EXPECT_LINE, EXPECT_MAX_SIZE, EXPECT_MAX_LINES};
	assert_int_equal(s->expect_count, 6);
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(s->expects[i].kind, kinds[i]);
	assert_int_equal(s->expects[0].field_count, 3);
	assert_string_equal(s->expects[0].fields[2], "f_inode");
	assert_null(s->expects[0].why);
	assert_string_equal(s->expects[1].why, "fix");
	assert_string_equal(s->expects[3].fields[0], "f_op");
	assert_int_equal(s->expects[3].field_count, 1);
	assert_int_equal(s->expects[3].value, 1);
	assert_int_equal(s->expects[4].value, 256);
	assert_int_equal(s->expects[5].value, 3);
	at(s->expects[5].position, 45, 9);

	assert_int_equal(s->ignore_count, 2);
	assert_string_equal(s->ignores[0].rule, "LL004");
	assert_string_equal(s->ignores[0].fields[0], "f_ep");
	assert_string_equal(s->ignores[0].reason, "cold in our build");
	at(s->ignores[0].position, 47, 9);
	assert_int_equal(s->ignores[1].field_count, 0);
}

static void defaults(void **state)
{
	const struct profile *p =
		good(*state, V "structs: {file: {fields: {a: r hot}, slab_classes: [64]}}\n");
	assert_int_equal(p->line_bytes, 0);
	assert_true(p->interleave == 0.02);
	assert_true(p->line_price == 0.25);
	assert_int_equal(p->role_count, 1);
	assert_string_equal(p->roles[0].name, "all");
	assert_int_equal(p->roles[0].threads, 16);
	assert_int_equal(p->workload_count, 1);
	assert_int_equal(p->workloads[0].role_count, 1);
	assert_int_equal(p->structs[0].allocator, ALLOCATOR_KMALLOC);
	assert_null(p->vars);
	p = good(*state, ROLES "structs: {a: {}}\n");
	assert_int_equal(p->workload_count, 1);
	assert_int_equal(p->workloads[0].role_count, 2);
	assert_int_equal(p->workloads[0].roles[1], 1);
}

static void evidence(void **state)
{
	struct world *w = *state;
	const char *text = V "structs: {a: {}, b: {evidence: stated}}\nevidence: measured\n";
	const struct profile *p = good(w, text);
	assert_int_equal(p->structs[0].evidence, EVIDENCE_MEASURED);
	assert_int_equal(p->structs[1].evidence, EVIDENCE_STATED);
	text = V "structs: {a: {}}\n";
	assert_null(
		profile_parse(&w->arena, "x", text, strlen(text), EVIDENCE_SHIPPED, &w->profile));
	assert_int_equal(w->profile.structs[0].evidence, EVIDENCE_SHIPPED);
	assert_string_equal(evidence_name(EVIDENCE_GROUP), "group");
	assert_string_equal(access_kind_name(ACCESS_UNKNOWN), "access");
}

static void sequences(void **state)
{
	/* a mention an access: fractions are one more, and what is not mentioned needs none */
	good(*state, IN_ROLES
		"    sequence: {lookup: [l, f, g, f, 'h[]', l], install: [f]}\n"
		"    fields: {f: {lookup: {read: 1.1}, install: {write: warm}}, g: {access: 1},\n"
		"             h: {rmw: 0.2}, l: {lookup: {rmw: 1, write: 1}}, rest: r hot}\n");
}

static void aliases(void **state)
{
	const struct profile_struct *s =
		&good(*state, V "structs:\n  file:\n    fields:\n      a: &hot {read: 1, why: "
				"both}\n      b: *hot\n"
				"    expect: [{apart: &names [a, b]}]\n    ignore: [{rule: LL001, "
				"reason: x, fields: *names}]\n")
			 ->structs[0];
	assert_string_equal(s->fields[1].path, "b");
	assert_string_equal(s->fields[1].why, "both");
	at(s->fields[1].position, 6, 7);
	assert_string_equal(s->ignores[0].fields[1], "b");
}

static void yaml_styles(void **state)
{
	/* JSON is YAML, keys may be quoted, text may be folded, a directive and an end may stand around it all */
	const struct profile *p =
		good(*state, "%YAML 1.1\n---\n{\"version\": 1, \"structs\": {\"file\": "
			     "{\"fields\": {\"f\": {\"read\": 1}}}}}\n...\n");
	assert_string_equal(p->structs[0].name, "file");
	p = good(*state,
		V "structs:\n  a:\n    source: >\n      one\n      two\n\n  b: {source: 'it''s'}\n"
		  "  \"\\u00e9\": {source: \"caf\303\251\"}\n");
	assert_string_equal(p->structs[0].source, "one two");
	assert_string_equal(p->structs[1].source, "it's");
	assert_string_equal(p->structs[2].name, "\303\251");
	p = good(*state, "\xef\xbb\xbf" V "structs: {a: {}}\n");
	assert_int_equal(p->struct_count, 1);
	p = good(*state, "version: 1\r\nstructs:\r\n  a: {}\r\n");
	assert_string_equal(p->structs[0].name, "a");
}

static void agreeing(void **state)
{
	/* close to a contradiction, but none */
	good(*state, IN_STRUCT "    constraints: {first: [a], last: [b], pin: [c], keep_together: "
			       "[[a, b], [b, d]]}\n"
			       "    expect: [{same_line: [a, b]}, {apart: [b, c]}, {line: {a: 0}}, "
			       "{line: {a: 0}}, {max_size: 64},\n"
			       "             {max_size: 128}]\n"
			       "    placement: {alignment: 64, stride: 128}\n");
	good(*state, IN_STRUCT "    instance: array\n    placement: {alignment: 64, stride: 40}\n");
	good(*state, IN_STRUCT "    placement: {alignment: 64, stride: 40, container: a.b}\n");
	good(*state, IN_STRUCT "    locks: {l: {protects: [unknown], contended: 1}}\n");
	good(*state, IN_STRUCT "    constraints: {pin: all, keep_together: [[a, b]], first: []}\n");
	good(*state, IN_FIELDS "      f: {optional: false, if: x, read: 1}\n");
	good(*state, IN_FIELDS "      in: {read: 1, unless: in.a}\n      in.a: {rmw: 1}\n");
	good(*state, IN_FIELDS "      in: {}\n      in.a: {rmw: 1}\n      ina: r hot\n");
	good(*state, IN_ROLES "    fields:\n      in: {lookup: {read: 1}}\n"
			      "      in.a: {install: {rmw: 1}}\n");
	good(*state, IN_FIELDS "      f: {optional: true, all: {if: x, read: 1}}\n");
	good(*state, IN_FIELDS "      \"Base<int[3], a.b>.x\": r hot\n      _vptr.Base: r hot\n");
	good(*state, IN_ROLES "    fields: {f: {read: 1, lookup: {write: 1}}}\n");
}

struct malformed {
	const char *text;
	size_t length;
	const char *message; /* behind "p.yaml" */
};
#define T(text) text, sizeof(text) - 1

static const struct malformed malformed[] = {
	{T(""), ": an empty profile; write one with 'linelint profile init BINARY NAME...'"},
	{T("# nothing\n"),
		": an empty profile; write one with 'linelint profile init BINARY NAME...'"},
	{T("- a\n"),
		":1:1: the profile is a list; expected a mapping with 'version: 1' and 'structs'"},
	{T("text\n"),
		":1:1: the profile is text; expected a mapping with 'version: 1' and 'structs'"},
	{T("structs: {a: {}}\n"), ":1:1: no 'version'; expected 'version: 1' at the top"},
	{T("version: 2\nstructs: {a: {}}\n"), ":1:10: 'version' is '2'; expected 1, the version of "
					      "the format that this linelint reads"},
	{T("version: \"1\"\nstructs: {a: {}}\n"),
		":1:10: 'version' is the quoted text '1'; expected 1, the version of the format "
		"that this linelint reads"},
	{T("version: 1.0\n"), ":1:10: 'version' is '1.0'; expected 1, the version of the format "
			      "that this linelint reads"},
	{T(V ""), ":1:1: no 'structs' and no 'vars'; 'linelint profile init BINARY NAME...' writes "
		  "them"},
	{T(V "structs: {}\n"), ":1:1: no 'structs' and no 'vars'; 'linelint profile init BINARY "
			       "NAME...' writes them"},
	{T(V "structs: file\n"), ":2:10: 'structs' is 'file'; expected a mapping of structs, such "
				 "as {file: {fields: {f_op: r hot}}}"},
	{T(V "struct: {a: {}}\n"), ":2:1: unknown key 'struct'; expected one of version, evidence, "
				   "line_size, interleave, line_price, roles, workloads, structs, "
				   "vars (did you mean 'structs'?)"},
	{T(V "structs: {a: {}}\n---\nversion: 1\n"),
		":3:1: a second YAML document; expected one a file, and --profile for each"},
	{T(V "structs: {a: {}}\n...\n---\n"),
		":4:1: a second YAML document; expected one a file, and --profile for each"},
	{T(V "structs: {a: {}, a: {}}\n"),
		":2:18: duplicate key 'a'; it stands in line 2 already, keep one"},
	{T(V "structs: {a: {}, struct a: {}}\n"),
		":2:18: 'a' stands in line 2 already; keep one entry a struct"},
	{T(V "structs: {\"struct \": {}}\n"),
		":2:11: 'struct ' without a name; expected the name of a struct"},
	{T(V "structs: {\"a\\x01\": {}}\n"),
		":2:11: the name of a struct with a control character; remove it"},
	{T(V "version: 1\nstructs: {a: {}}\n"),
		":2:1: duplicate key 'version'; it stands in line 1 already, keep one"},
	{T(V "line_size: 63\nstructs: {a: {}}\n"), ":2:12: 'line_size' is '63'; expected a power "
						   "of two from 8 to 4096, such as 64 or 128"},
	{T(V "line_size: 4\nstructs: {a: {}}\n"), ":2:12: 'line_size' is '4'; expected a power "
						  "of two from 8 to 4096, such as 64 or 128"},
	{T(V "line_size: 0\nstructs: {a: {}}\n"), ":2:12: 'line_size' is '0'; expected a power of "
						  "two from 8 to 4096, such as 64 or 128"},
	{T(V "line_size: '64'\nstructs: {a: {}}\n"), ":2:12: 'line_size' is the quoted text '64'; "
						     "expected a power of two from 8 to 4096, "
						     "such as 64 or 128"},
	{T(V "line_size: 64.0\nstructs: {a: {}}\n"),
		":2:12: 'line_size' is '64.0'; expected a "
		"power of two from 8 to 4096, such as 64 or 128"},
	{T(V "line_size: \nstructs: {a: {}}\n"), ":2:1: 'line_size' is empty; expected a power of "
						 "two from 8 to 4096, such as 64 or 128"},
	{T(V "line_size: 064\nstructs: {a: {}}\n"), ":2:12: 'line_size' is '064'; expected a power "
						    "of two from 8 to 4096, such as 64 or 128"},
	{T(V "interleave: 0\nstructs: {a: {}}\n"),
		":2:13: 'interleave' is '0'; expected a number over 0 up to 1"},
	{T(V "interleave: 2\nstructs: {a: {}}\n"),
		":2:13: 'interleave' is '2'; expected a number over 0 up to 1"},
	{T(V "interleave: nan\nstructs: {a: {}}\n"),
		":2:13: 'interleave' is 'nan'; expected a number over 0 up to 1"},
	{T(V "interleave: .inf\nstructs: {a: {}}\n"),
		":2:13: 'interleave' is '.inf'; expected a number over 0 up to 1"},
	{T(V "line_price: -1\nstructs: {a: {}}\n"),
		":2:13: 'line_price' is '-1'; expected a number from 0 to 1000"},
	{T(V "line_price: 1001\nstructs: {a: {}}\n"),
		":2:13: 'line_price' is '1001'; expected a number from 0 to 1000"},
	{T(V "evidence: measrued\nstructs: {a: {}}\n"),
		":2:11: 'evidence' is 'measrued'; expected measured, stated, shipped or group (did "
		"you mean 'measured'?)"},
	{T(V "evidence: [measured]\nstructs: {a: {}}\n"),
		":2:11: 'evidence' is a list of one; expected measured, stated, shipped or group"},
	{T(V "structs:\n\ta: {}\n"),
		":3:1: a tab where YAML allows only blanks; indent with blanks"},
	{T(V "structs: {a: {}\n"),
		":3:1: not valid YAML: did not find expected ',' or '}', while parsing a flow "
		"mapping that starts in line 2; check indentation, quotes and brackets"},
	{T(V "structs:\n  a: {}\n b: {}\n"),
		":4:2: not valid YAML: did not find expected key, while parsing a block mapping "
		"that starts in line 1; check indentation, quotes and brackets"},
	{T(V "structs: {a: \"b\n"),
		":3:1: not valid YAML: found unexpected end of stream, while scanning a quoted "
		"scalar that starts in line 2; check indentation, quotes and brackets"},
	{T(V "structs: {a: 'it's'}\n"), ":2:18: not valid YAML: did not find expected ',' or '}'; "
					"check quotes, brackets and colons"},
	{T(V "structs: !!map {a: {}}\n"), ":2:10: tag 'tag:yaml.org,2002:map'; tags are no part of "
					  "the format, so leave it out"},
	{T(V "structs: {a: !x {}}\n"),
		":2:14: tag '!x'; tags are no part of the format, so leave it out"},
	{T(V "structs: {? [a] : {}}\n"), ":2:13: a key is a list; expected a name"},
	{T(V "structs: {'': {}}\n"), ":2:11: an empty key; expected a name"},
	{T(V "structs: {: {}}\n"), ":2:11: not valid YAML: did not find expected node content; "
				   "check quotes, brackets and colons"},
	{T(V "structs: {a: &x {fields: *x}}\n"),
		":2:26: alias '*x' stands inside what it names; write it out"},
	{T(V "structs: {a: *nowhere}\n"), ":2:14: alias '*nowhere' without an anchor '&nowhere' "
					  "before it; add one, or quote a leading '*'"},
	{T(V "structs: {a: {fields: {<<: {b: r hot}}}}\n"),
		":2:24: merge keys ('<<') are no part of the format; alias whole values"},
	{T(V "structs: {a: {source: \"a\\0b\"}}\n"), ":2:23: text with a NUL character; remove it"},
	{T(V "source: a: b\n"), ":2:10: not valid YAML: mapping values are not allowed in this "
				"context; check quotes, brackets and colons"},
	{T("%YAML 3.0\n---\nversion: 1\n"), ":1:1: not valid YAML: found incompatible YAML "
					    "document; check quotes, brackets and colons"},
	{T(V "structs: {a: {source: @x}}\n"), ":2:23: not valid YAML: found character that cannot "
					      "start any token; check quotes, brackets and colons"},
	{T(V "structs:\n  a: {}\n  - b\n"),
		":4:3: not valid YAML: did not find expected key, while parsing a block mapping "
		"that starts in line 3; check indentation, quotes and brackets"},
	{T(V "roles: {}\nstructs: {a: {}}\n"),
		":2:8: 'roles' is an empty mapping; expected a mapping of 1 to 256 roles, such as "
		"{lookup: {threads: 24}}"},
	{T(V "roles: \nstructs: {a: {}}\n"), ":2:1: 'roles' is empty; expected a mapping of 1 to "
					     "256 roles, such as {lookup: {threads: 24}}"},
	{T(V "roles: {read: {threads: 2}}\nstructs: {a: {}}\n"),
		":2:9: 'read' is no name for a role: accesses have that key; rename it"},
	{T(V "roles: {write: {threads: 2}}\nstructs: {a: {}}\n"),
		":2:9: 'write' is no name for a role: accesses have that key; rename it"},
	{T(V "roles: {access: {threads: 2}}\nstructs: {a: {}}\n"),
		":2:9: 'access' is no name for a role: accesses have that key; rename it"},
	{T(V "roles: {bytes: {threads: 2}}\nstructs: {a: {}}\n"),
		":2:9: 'bytes' is no name for a role: accesses have that key; rename it"},
	{T(V "roles: {if: {threads: 2}}\nstructs: {a: {}}\n"),
		":2:9: 'if' is no name for a role: accesses have that key; rename it"},
	{T(V "roles: {unless: {threads: 2}}\nstructs: {a: {}}\n"),
		":2:9: 'unless' is no name for a role: accesses have that key; rename it"},
	{T(V "roles: {lookup: {threads: 0}}\nstructs: {a: {}}\n"),
		":2:27: 'threads' is '0'; expected an integer from 1 to 2^20"},
	{T(V "roles: {lookup: {threads: 1.5}}\nstructs: {a: {}}\n"),
		":2:27: 'threads' is '1.5'; expected an integer from 1 to 2^20"},
	{T(V "roles: {lookup: {threads: 9999999}}\nstructs: {a: {}}\n"),
		":2:27: 'threads' is '9999999'; expected an integer from 1 to 2^20"},
	{T(V "roles: {lookup: {rate: 0}}\nstructs: {a: {}}\n"),
		":2:24: 'rate' is '0'; expected a number over 0 up to 1000000000"},
	{T(V "roles: {lookup: {rate: 1e10}}\nstructs: {a: {}}\n"),
		":2:24: 'rate' is '1e10'; expected a number over 0 up to 1000000000"},
	{T(V "roles: {lookup: {interleave: 0}}\nstructs: {a: {}}\n"),
		":2:30: 'interleave' is '0'; expected a number over 0 up to 1"},
	{T(V "roles: {lookup: {thread: 2}}\nstructs: {a: {}}\n"),
		":2:18: unknown key 'thread'; expected one of threads, rate, interleave, why (did "
		"you mean 'threads'?)"},
	{T(V "roles: {lookup: 24}\nstructs: {a: {}}\n"),
		":2:17: 'lookup' is '24'; expected a mapping with threads, rate, interleave, why"},
	{T(V "roles: {lookup: {threads: 2, threads: 3}}\nstructs: {a: {}}\n"),
		":2:30: duplicate key 'threads'; it stands in line 2 already, keep one"},
	{T(V "roles: {lookup: {why: []}}\nstructs: {a: {}}\n"),
		":2:23: 'why' is an empty list; expected text"},
	{T(V "roles: {\"two words\": {}}\nstructs: {a: {}}\n"),
		":2:9: the name of a role with a blank or control character; expected one word"},
	{T(V "roles: {a: {}, a: {}}\nstructs: {a: {}}\n"),
		":2:16: duplicate key 'a'; it stands in line 2 already, keep one"},
	{T(ROLES "workloads: {}\nstructs: {a: {}}\n"),
		":3:12: 'workloads' is an empty mapping; expected a mapping of names to lists of "
		"roles, such as {server: [lookup, install]}"},
	{T(ROLES "workloads: {s: []}\nstructs: {a: {}}\n"),
		":3:16: 's' is an empty list; expected a list of the roles that meet, such as "
		"[lookup, install]"},
	{T(ROLES "workloads: {s: [lokup, install]}\nstructs: {a: {}}\n"),
		":3:17: unknown role 'lokup'; expected one of lookup, install (did you mean "
		"'lookup'?)"},
	{T(ROLES "workloads: {s: [lookup]}\nstructs: {a: {}}\n"),
		":2:32: role 'install' is in no workload; add it to one, or remove it"},
	{T(ROLES "workloads: {s: [lookup, lookup, install]}\nstructs: {a: {}}\n"),
		":3:25: workload 's' names role 'lookup' twice; raise its threads instead"},
	{T(ROLES "workloads: {s: [[lookup]]}\nstructs: {a: {}}\n"),
		":3:17: a list; expected the name of a role"},
	{T(ROLES "workloads: {'a b': [lookup]}\nstructs: {a: {}}\n"),
		":3:13: the name of a workload with a blank or control character; expected one "
		"word"},
	{T(IN_STRUCT "    alignment: 64\n"),
		":4:5: unknown key 'alignment'; expected one of source, evidence, instance, "
		"placement, allocator, slab_classes, threads, sequence, fields, locks, "
		"constraints, expect, ignore; it goes under 'placement' (did you mean "
		"'placement'?)"},
	{T(IN_STRUCT "    f_mode: {read: 1}\n"),
		":4:5: unknown key 'f_mode'; expected one of source, evidence, instance, "
		"placement, allocator, slab_classes, threads, sequence, fields, locks, "
		"constraints, expect, ignore; accesses go under 'fields'"},
	{T(V "structs: {file: [a]}\n"),
		":2:17: 'file' is a list of one; expected a mapping with source, evidence, "
		"instance, placement, allocator, slab_classes, threads, sequence, fields, locks, "
		"constraints, expect, ignore"},
	{T(V "structs: {file: text}\n"),
		":2:17: 'file' is 'text'; expected a mapping with source, evidence, instance, "
		"placement, allocator, slab_classes, threads, sequence, fields, locks, "
		"constraints, expect, ignore"},
	{T(IN_STRUCT "    source: ''\n"), ":4:13: 'source' is the quoted text ''; expected text"},
	{T(IN_STRUCT "    source: '  '\n"),
		":4:13: 'source' is the quoted text '  '; expected text"},
	{T(IN_STRUCT "    evidence: sure\n"),
		":4:15: 'evidence' is 'sure'; expected measured, stated, shipped or group (did you "
		"mean 'measured'?)"},
	{T(IN_STRUCT "    instance: pre-thread\n"),
		":4:15: 'instance' is 'pre-thread'; expected shared, per-thread or array (did you "
		"mean 'per-thread'?)"},
	{T(IN_STRUCT "    allocator: malloc\n"), ":4:16: 'allocator' is 'malloc'; expected "
						 "kmalloc, slab or none (did you mean 'kmalloc'?)"},
	{T(IN_STRUCT "    placement: {alignment: 48}\n"),
		":4:28: 'alignment' is '48'; expected a power of two, in bytes"},
	{T(IN_STRUCT "    placement: {alignment: 0}\n"),
		":4:28: 'alignment' is '0'; expected an integer from 1 to 2^40 bytes"},
	{T(IN_STRUCT "    placement: {align: 64}\n"),
		":4:17: unknown key 'align'; expected one of alignment, stride, container, why "
		"(did you mean 'alignment'?)"},
	{T(IN_STRUCT "    placement: {container: ext4_inode_info}\n"),
		":4:28: 'container' is 'ext4_inode_info'; expected STRUCT.MEMBER, such as "
		"ext4_inode_info.vfs_inode"},
	{T(IN_STRUCT "    placement: {container: 'a b.c'}\n"),
		":4:28: 'a b.c' is no field: it has a blank; expected 'member', 'member.member' or "
		"'array[]'"},
	{T(IN_STRUCT "    placement: 64\n"), ":4:16: 'placement' is '64'; expected a mapping with "
					     "alignment, stride, container, why"},
	{T(IN_STRUCT "    placement: {alignment: 64, stride: 100}\n"),
		":3:3: 'file' cannot be aligned to 64 with a stride of 100; expected a multiple, "
		"or 'instance: array'"},
	{T(IN_STRUCT "    placement: {container: [a.b]}\n"),
		":4:28: 'container' is a list of one; expected the name of a field"},
	{T(IN_STRUCT "    slab_classes: []\n"),
		":4:19: 'slab_classes' is an empty list; expected a list of sizes in bytes, "
		"ascending, such as [32, 64, 128]"},
	{T(IN_STRUCT "    slab_classes: [64, 32]\n"),
		":4:24: 'slab_classes' has 32 after 64; expected ascending sizes"},
	{T(IN_STRUCT "    slab_classes: [64, 64]\n"),
		":4:24: 'slab_classes' has 64 after 64; expected ascending sizes"},
	{T(IN_STRUCT "    slab_classes: [a]\n"),
		":4:20: 'slab_classes' is 'a'; expected an integer from 1 to 2^40 bytes"},
	{T(IN_STRUCT "    slab_classes: [0]\n"),
		":4:20: 'slab_classes' is '0'; expected an integer from 1 to 2^40 bytes"},
	{T(IN_STRUCT "    allocator: slab\n    slab_classes: [64]\n"),
		":3:3: 'file' has its own slab and 'slab_classes' too; classes are kmalloc's, keep "
		"one"},
	{T(IN_STRUCT "    allocator: none\n    slab_classes: [64]\n"),
		":3:3: 'file' has no allocator but 'slab_classes'; keep one"},
	{T(IN_ROLES "    threads: {lokup: 64}\n"), ":5:15: unknown role 'lokup'; expected one of "
						   "lookup, install (did you mean 'lookup'?)"},
	{T(IN_ROLES "    threads: {lookup: 0}\n"),
		":5:23: 'lookup' is '0'; expected an integer from 1 to 2^20"},
	{T(IN_ROLES "    threads: 64\n"), ":5:14: 'threads' is '64'; expected a mapping of roles "
					  "to threads, such as {lookup: 64}"},
	{T(IN_ROLES "    threads: {all: 3}\n"), ":5:15: unknown role 'all'; expected one of "
						"lookup, install (did you mean 'install'?)"},
	{T(IN_STRUCT "    fields: [a]\n"), ":4:13: 'fields' is a list of one; expected a mapping "
					   "of fields to accesses, such as {f_op: r hot}"},
	{T(IN_FIELDS "      f: hot\n"),
		":5:10: 'f' is 'hot'; expected accesses such as {read: 1, rmw: 2}, or in short r, "
		"w, rw, rmw or access with hot, warm, cold or a number, such as 'rw hot'"},
	{T(IN_FIELDS "      f: rx hot\n"),
		":5:10: 'f' is 'rx hot'; expected accesses such as {read: 1, rmw: 2}, or in short "
		"r, w, rw, rmw or access with hot, warm, cold or a number, such as 'rw hot'"},
	{T(IN_FIELDS "      f: rw\n"),
		":5:10: 'f' is 'rw'; expected accesses such as {read: 1, rmw: 2}, or in short r, "
		"w, rw, rmw or access with hot, warm, cold or a number, such as 'rw hot'"},
	{T(IN_FIELDS "      f: rw -1\n"),
		":5:10: 'f' is 'rw -1'; expected accesses such as {read: 1, rmw: 2}, or in short "
		"r, w, rw, rmw or access with hot, warm, cold or a number, such as 'rw hot'"},
	{T(IN_FIELDS "      f: rw 10001\n"),
		":5:10: 'f' is 'rw 10001'; expected accesses such as {read: 1, rmw: 2}, or in "
		"short r, w, rw, rmw or access with hot, warm, cold or a number, such as 'rw hot'"},
	{T(IN_FIELDS "      f: [read]\n"), ":5:10: 'f' is a list of one; expected accesses such as "
					   "{read: 1, rmw: 2}, or in short 'rw hot'"},
	{T(IN_FIELDS "      f: {wrtie: 1}\n"),
		":5:11: unknown key 'wrtie'; expected one of read, write, rmw, access, why, "
		"optional, if, unless, bytes, index or the role all (no 'roles' are stated) (did "
		"you mean 'write'?)"},
	{T(IN_FIELDS "      f: {read: 1, read: 2}\n"),
		":5:20: duplicate key 'read'; it stands in line 5 already, keep one"},
	{T(IN_FIELDS "      f: {read: -1}\n"), ":5:17: 'read' is '-1'; expected a number from 0 to "
					       "10000, or one of hot, warm, cold"},
	{T(IN_FIELDS "      f: {read: 10001}\n"), ":5:17: 'read' is '10001'; expected a number "
						  "from 0 to 10000, or one of hot, warm, cold"},
	{T(IN_FIELDS "      f: {read: lots}\n"),
		":5:17: 'read' is 'lots'; expected a number from 0 to 10000, or one of hot, warm, "
		"cold (did you mean 'hot'?)"},
	{T(IN_FIELDS "      f: {read: }\n"), ":5:11: 'read' is empty; expected a number from 0 to "
					     "10000, or one of hot, warm, cold"},
	{T(IN_FIELDS "      f: {read: htt}\n"),
		":5:17: 'read' is 'htt'; expected a number from 0 to 10000, or one of hot, warm, "
		"cold (did you mean 'hot'?)"},
	{T(IN_FIELDS "      f: {lookup: {read: 1}}\n"),
		":5:11: unknown key 'lookup'; expected one of read, write, rmw, access, why, "
		"optional, if, unless, bytes, index or the role all (no 'roles' are stated)"},
	{T(IN_FIELDS "      f: {optional: yes}\n"),
		":5:21: 'optional' is 'yes'; expected true or false"},
	{T(IN_FIELDS "      f: {optional: 'true'}\n"),
		":5:21: 'optional' is the quoted text 'true'; expected true or false"},
	{T(IN_FIELDS "      f: {bytes: 0}\n"),
		":5:18: 'bytes' is '0'; expected an integer from 1 to 2^40 bytes"},
	{T(IN_FIELDS "      f: {index: all}\n"),
		":5:18: 'index' is 'all'; expected spread, thread, or the number of an element"},
	{T(IN_FIELDS "      f: {index: -1}\n"),
		":5:18: 'index' is '-1'; expected spread, thread, or the number of an element"},
	{T(IN_FIELDS "      f: {index: 1.5}\n"),
		":5:18: 'index' is '1.5'; expected spread, thread, or the number of an element"},
	{T(IN_FIELDS "      f: {if: [a]}\n"),
		":5:15: 'if' is a list of one; expected the name of a field"},
	{T(IN_FIELDS "      f: {if: 'a b'}\n"), ":5:15: 'a b' is no field: it has a blank; "
						"expected 'member', 'member.member' or 'array[]'"},
	{T(IN_FIELDS "      f: {if: x, unless: x, read: 1}\n"),
		":5:7: 'f' counts if and unless 'x' exists, so never; expected one of the two"},
	{T(IN_FIELDS "      f: {unless: f, read: 1}\n"),
		":5:7: 'f' counts unless it exists, so never; name another field"},
	{T(IN_FIELDS "      f: {if: f, read: 1}\n"),
		":5:7: 'f' counts if it exists; say that with 'optional: true'"},
	{T(IN_FIELDS "      f: {optional: true, if: x, read: 1}\n"),
		":5:7: 'f' is optional and has 'if' too; keep one: where the condition holds the "
		"field must be there"},
	{T(IN_FIELDS "      f: {optional: true, unless: x, read: 1}\n"),
		":5:7: 'f' is optional and has 'unless' too; keep one: where the condition holds "
		"the field must be there"},
	{T(IN_FIELDS "      f: {read: .nan}\n"), ":5:17: 'read' is '.nan'; expected a number from "
						 "0 to 10000, or one of hot, warm, cold"},
	{T(IN_FIELDS "      f: {read: 0x10}\n"), ":5:17: 'read' is '0x10'; expected a number from "
						 "0 to 10000, or one of hot, warm, cold"},
	{T(IN_ROLES "    fields:\n      f: {wrtie: 1}\n"),
		":6:11: unknown key 'wrtie'; expected one of read, write, rmw, access, why, "
		"optional, if, unless, bytes, index or a role: lookup, install (did you mean "
		"'write'?)"},
	{T(IN_ROLES "    fields:\n      f: {lokup: {read: 1}}\n"),
		":6:11: unknown key 'lokup'; expected one of read, write, rmw, access, why, "
		"optional, if, unless, bytes, index or a role: lookup, install (did you mean "
		"'lookup'?)"},
	{T(IN_ROLES "    fields:\n      f: {lookup: {wrtie: 1}}\n"),
		":6:20: unknown key 'wrtie'; expected one of read, write, rmw, access, why, if, "
		"unless (did you mean 'write'?)"},
	{T(IN_ROLES "    fields:\n      f: {lookup: hot}\n"),
		":6:19: 'lookup' is 'hot'; expected accesses such as {read: 1, rmw: 2}, or in "
		"short r, w, rw, rmw or access with hot, warm, cold or a number, such as 'rw hot'"},
	{T(IN_ROLES "    fields:\n      f: {lookup: [r]}\n"),
		":6:19: 'lookup' is a list of one; expected accesses such as {read: 1, rmw: 2}, or "
		"in short 'rw hot'"},
	{T(IN_ROLES "    fields:\n      f: {read: 1, lookup: {read: 2}}\n"),
		":6:20: 'read' of 'f' is stated for every role and again for 'lookup'; keep one"},
	{T(IN_FIELDS "      in: rw 1\n      in.a: {rmw: 1}\n"),
		":6:7: 'in.a' lies in 'in' of line 5, and every role accesses both, which would "
		"count twice; keep one, or state the accesses by members"},
	{T(IN_FIELDS "      'in[].a.b': r hot\n      in: {write: 1}\n"),
		":5:7: 'in[].a.b' lies in 'in' of line 6, and every role accesses both, which "
		"would count twice; keep one, or state the accesses by members"},
	{T(IN_ROLES "    fields:\n      in: {read: 1}\n      in.a: {lookup: {rmw: 1}}\n"),
		":7:7: 'in.a' lies in 'in' of line 6, and 'lookup' accesses both, which would "
		"count twice; keep one, or state the accesses by members"},
	{T(IN_ROLES "    fields:\n      f: {lookup: {optional: true}}\n"),
		":6:20: unknown key 'optional'; expected one of read, write, rmw, access, why, if, "
		"unless; that key stands beside the roles, for all of them"},
	{T(IN_ROLES "    fields:\n      f: {lookup: {read: 1, if: a, unless: a}}\n"),
		":6:11: 'f' counts if and unless 'a' exists, so never; expected one of the two"},
	{T(IN_ROLES "    fields:\n      f: {lookup: {read: 1, unless: f}}\n"),
		":6:11: 'f' counts unless it exists, so never; name another field"},
	{T(IN_FIELDS "      '.a': r hot\n"),
		":5:7: '.a' is no field: it has an empty name beside '.'; expected 'member', "
		"'member.member' or 'array[]'"},
	{T(IN_FIELDS "      'a..b': r hot\n"),
		":5:7: 'a..b' is no field: it has an empty name beside '.'; expected 'member', "
		"'member.member' or 'array[]'"},
	{T(IN_FIELDS "      'a[3]': r hot\n"),
		":5:7: 'a[3]' is no field: it has a subscript; write the array as 'name[]', and "
		"the element as 'index: N'; expected 'member', 'member.member' or 'array[]'"},
	{T(IN_FIELDS "      'a[]b': r hot\n"),
		":5:7: 'a[]b' is no field: it has a subscript; write the array as 'name[]', and "
		"the element as 'index: N'; expected 'member', 'member.member' or 'array[]'"},
	{T(IN_FIELDS "      'a b': r hot\n"), ":5:7: 'a b' is no field: it has a blank; expected "
					      "'member', 'member.member' or 'array[]'"},
	{T(IN_FIELDS "      'a]': r hot\n"), ":5:7: 'a]' is no field: it has a ']' without '['; "
					     "expected 'member', 'member.member' or 'array[]'"},
	{T(IN_FIELDS "      '[]': r hot\n"),
		":5:7: '[]' is no field: it has a subscript; write the array as 'name[]', and the "
		"element as 'index: N'; expected 'member', 'member.member' or 'array[]'"},
	{T(IN_FIELDS "      a: r hot\n      'a[]': w hot\n"),
		":6:7: 'a[]' is 'a' of line 5 again; keep one"},
	{T(IN_FIELDS
		 "      f0: {read: 10000, write: 10000}\n      f1: {read: 10000, write: 10000}\n   "
		 "   f2: {read: 10000, write: 10000}\n      f3: {read: 10000, write: 10000}\n      "
		 "f4: {read: 10000, write: 10000}\n      f5: {read: 10000, write: 10000}\n"),
		":3:3: 120000 accesses by an operation of 'all' to 'file'; expected at most "
		"100000"},
	{T(IN_ROLES "    sequence: {lookup: []}\n    fields:\n      f: {rmw: 2}\n      h: "
		    "{install: {read: 1}}\n"),
		":5:24: 'lookup' is an empty list; expected a list of fields, such as [a, b]"},
	{T(IN_ROLES "    sequence: {lookup: f}\n    fields:\n      f: {rmw: 2}\n      h: {install: "
		    "{read: 1}}\n"),
		":5:24: 'lookup' is 'f'; expected a list of fields, such as [a, b]"},
	{T(IN_ROLES "    sequence: {lokup: [f]}\n    fields:\n      f: {rmw: 2}\n      h: "
		    "{install: {read: 1}}\n"),
		":5:16: unknown role 'lokup'; expected one of lookup, install (did you mean "
		"'lookup'?)"},
	{T(IN_ROLES "    sequence: {lookup: [g]}\n    fields:\n      f: {rmw: 2}\n      h: "
		    "{install: {read: 1}}\n"),
		":5:16: the sequence of 'lookup' names 'g', which is not under 'fields'; did you "
		"mean 'f' or 'h'?"},
	{T(IN_ROLES "    sequence: {lookup: [h]}\n    fields:\n      f: {rmw: 2}\n      h: "
		    "{install: {read: 1}}\n"),
		":5:16: the sequence of 'lookup' names 'h', which 'lookup' does not access; state "
		"how it does"},
	{T(IN_ROLES "    sequence: {lookup: [f, f, f]}\n    fields:\n      f: {rmw: 2}\n      h: "
		    "{install: {read: 1}}\n"),
		":5:16: the sequence of 'lookup' names 'f' 3 times, its counts make 2 accesses an "
		"operation; expected one mention an access"},
	{T(IN_ROLES "    sequence: {lookup: [f]}\n    fields:\n      f: {rmw: 2}\n      h: "
		    "{install: {read: 1}}\n"),
		":5:16: the sequence of 'lookup' names 'f' 1 time, its counts make 2 accesses an "
		"operation; expected one mention an access"},
	{T(IN_ROLES "    sequence: {lookup: ['f[1]']}\n    fields:\n      f: {rmw: 2}\n      h: "
		    "{install: {read: 1}}\n"),
		":5:25: 'f[1]' is no field: it has a subscript; write the array as 'name[]', and "
		"the element as 'index: N'; expected 'member', 'member.member' or 'array[]'"},
	{T(IN_STRUCT "    locks: [a]\n"),
		":4:12: 'locks' is a list of one; expected a mapping of locks, such as {file_lock: "
		"{protects: [next_fd], contended: 0.3}}"},
	{T(IN_STRUCT "    locks: {a: {protects: b}}\n"),
		":4:27: 'protects' is 'b'; expected a list of fields, such as [a, b]"},
	{T(IN_STRUCT "    locks: {a: {protects: [a]}}\n"),
		":4:13: lock 'a' protects itself; expected the fields that it orders"},
	{T(IN_STRUCT "    locks: {a: {protects: [b, b]}}\n"),
		":4:27: 'protects' names 'b' twice; expected each field once"},
	{T(IN_STRUCT "    locks: {a: {contended: 2}}\n"),
		":4:28: 'contended' is '2'; expected a number from 0 to 1"},
	{T(IN_STRUCT "    locks: {a: {contention: 1}}\n"),
		":4:17: unknown key 'contention'; expected one of protects, contended, why (did "
		"you mean 'contended'?)"},
	{T(IN_STRUCT "    locks: {'a b': {}}\n"),
		":4:13: 'a b' is no field: it has a blank; expected 'member', 'member.member' or "
		"'array[]'"},
	{T(IN_STRUCT "    constraints: [first]\n"),
		":4:18: 'constraints' is a list of one; expected a mapping with first, last, "
		"keep_together, pin, max_size, padding, why"},
	{T(IN_STRUCT "    constraints: {frist: [a]}\n"),
		":4:19: unknown key 'frist'; expected one of first, last, keep_together, pin, "
		"max_size, padding, why (did you mean 'first'?)"},
	{T(IN_STRUCT "    constraints: {first: a}\n"),
		":4:26: 'first' is 'a'; expected a list of fields, such as [a, b]"},
	{T(IN_STRUCT "    constraints: {first: [a], last: [a]}\n"),
		":4:19: 'a' is to be first, and 'a' is to be last (p.yaml:4:31); keep one of the "
		"two"},
	{T(IN_STRUCT "    constraints: {first: [a, a]}\n"),
		":4:26: 'first' names 'a' twice; expected each field once"},
	{T(IN_STRUCT "    constraints: {pin: all, first: [a]}\n"),
		":4:29: 'a' is to be first, and all fields are pinned (p.yaml:4:19); keep one of "
		"the two"},
	{T(IN_STRUCT "    constraints: {pin: [a], first: [a]}\n"),
		":4:29: 'a' is to be first, and 'a' is pinned (p.yaml:4:19); keep one of the two"},
	{T(IN_STRUCT "    constraints: {pin: [a], last: ['a[]']}\n"),
		":4:29: 'a[]' is to be last, and 'a[]' is pinned (p.yaml:4:19); keep one of the "
		"two"},
	{T(IN_STRUCT "    constraints: {pin: a}\n"),
		":4:24: 'pin' is 'a'; expected a list of fields, or all"},
	{T(IN_STRUCT "    constraints: {keep_together: [a, b]}\n"),
		":4:35: 'keep_together' is 'a'; expected a list of two or more fields, such as [a, "
		"b]"},
	{T(IN_STRUCT "    constraints: {keep_together: [[a]]}\n"),
		":4:35: 'keep_together' is a list of one; expected a list of two or more fields, "
		"such as [a, b]"},
	{T(IN_STRUCT "    constraints: {keep_together: [[a, a]]}\n"),
		":4:35: 'keep_together' names 'a' twice; expected each field once"},
	{T(IN_STRUCT "    constraints: {keep_together: a}\n"),
		":4:34: 'keep_together' is 'a'; expected a list of lists of fields, such as [[a, "
		"b], [c, d]]"},
	{T(IN_STRUCT "    constraints: {max_size: 0}\n"),
		":4:29: 'max_size' is '0'; expected an integer from 1 to 2^40 bytes"},
	{T(IN_STRUCT "    constraints: {padding: maybe}\n"),
		":4:28: 'padding' is 'maybe'; expected forbidden or allowed"},
	{T(IN_STRUCT "    expect: {apart: [a, b]}\n"),
		":4:13: 'expect' is a mapping; expected a list of assertions, such as [{apart: [a, "
		"b]}]"},
	{T(IN_STRUCT "    expect: [apart]\n"),
		":4:14: 'expect' is 'apart'; expected one of {same_line: [a, b]}, {apart: [a, b]}, "
		"{line: {a: 0}}, {max_size: N}, {max_lines: N}"},
	{T(IN_STRUCT "    expect: [{}]\n"),
		":4:14: an item of 'expect' with 0 assertions; expected one of {same_line: [a, "
		"b]}, {apart: [a, b]}, {line: {a: 0}}, {max_size: N}, {max_lines: N}"},
	{T(IN_STRUCT "    expect: [{why: x}]\n"),
		":4:14: an item of 'expect' with 0 assertions; expected one of {same_line: [a, "
		"b]}, {apart: [a, b]}, {line: {a: 0}}, {max_size: N}, {max_lines: N}"},
	{T(IN_STRUCT "    expect: [{apart: [a]}]\n"), ":4:22: 'apart' is a list of one; expected a "
						      "list of two or more fields, such as [a, b]"},
	{T(IN_STRUCT "    expect: [{apart: [a, a]}]\n"),
		":4:22: 'apart' names 'a' twice; expected each field once"},
	{T(IN_STRUCT "    expect: [{apart: a}]\n"),
		":4:22: 'apart' is 'a'; expected a list of two or more fields, such as [a, b]"},
	{T(IN_STRUCT "    expect: [{together: [a, b]}]\n"),
		":4:15: unknown key 'together'; expected one of same_line, apart, line, max_size, "
		"max_lines, why"},
	{T(IN_STRUCT "    expect: [{apart: [a, b], same_line: [a, c]}]\n"),
		":4:14: an item of 'expect' with 2 assertions; expected one of {same_line: [a, "
		"b]}, {apart: [a, b]}, {line: {a: 0}}, {max_size: N}, {max_lines: N}"},
	{T(IN_STRUCT "    expect: [{line: 0}]\n"), ":4:21: 'line' is '0'; expected a mapping of "
						   "fields to line numbers, such as {f_lock: 0}"},
	{T(IN_STRUCT "    expect: [{line: {a: -1}}]\n"),
		":4:25: 'a' is '-1'; expected an integer from 0 to 2^40"},
	{T(IN_STRUCT "    expect: [{max_size: 0}]\n"),
		":4:25: 'max_size' is '0'; expected an integer from 1 to 2^40 bytes"},
	{T(IN_STRUCT "    expect: [{same_line: [a, b]}, {apart: [b, c, a]}]\n"),
		":4:15: 'a' and 'b' are expected on one line, and 'a' and 'b' are expected apart "
		"(p.yaml:4:36); keep one of the two"},
	{T(IN_STRUCT "    expect: [{apart: [a, b]}, {same_line: [a, b]}]\n"),
		":4:32: 'a' and 'b' are expected on one line, and 'a' and 'b' are expected apart "
		"(p.yaml:4:15); keep one of the two"},
	{T(IN_STRUCT "    expect: [{line: {a: 0}}, {line: {a: 1}}]\n"),
		":4:22: 'a' is expected on line 0, and 'a' is expected on line 1 (p.yaml:4:38); "
		"keep one of the two"},
	{T(IN_STRUCT "    constraints: {pin: all, last: [a]}\n"),
		":4:29: 'a' is to be last, and all fields are pinned (p.yaml:4:19); keep one of "
		"the two"},
	{T(IN_STRUCT
		 "    constraints: {keep_together: [[a, c, b]]}\n    expect: [{apart: [b, a]}]\n"),
		":4:35: 'a' and 'b' are to be kept together, and 'a' and 'b' are expected apart "
		"(p.yaml:5:15); keep one of the two"},
	{T(IN_STRUCT "    constraints: {keep_together: [[a, b]]}\n    expect: [{line: {a: 0, b: "
		     "1}}]\n"),
		":4:35: 'b' and 'a' are to be kept together, and 'a' is expected on line 0 "
		"(p.yaml:5:22): 'b' is expected on line 1 (p.yaml:5:28); keep one of the two"},
	{T(IN_STRUCT "    expect: [{same_line: [a, b]}, {line: {b: 1}}, {line: {a: 0}}]\n"),
		":4:15: 'a' and 'b' are expected on one line, and 'b' is expected on line 1 "
		"(p.yaml:4:43): 'a' is expected on line 0 (p.yaml:4:59); keep one of the two"},
	{T(IN_STRUCT "    expect: [{line: {b: 1, a: 1}}, {apart: [a, b]}]\n"),
		":4:37: 'a' and 'b' are expected apart, and 'b' is expected on line 1 "
		"(p.yaml:4:22): 'a' is expected on line 1 (p.yaml:4:28); keep one of the two"},
	{T(IN_STRUCT "    expect: [{line: {a: 2}}, {max_lines: 2}]\n"),
		":4:22: 'a' is expected on line 2, and at most 2 lines are expected (p.yaml:4:31): "
		"lines "
		"are counted from 0; keep one of the two"},
	{T(IN_STRUCT "    expect: [{max_lines: 1}, {apart: [a, b]}]\n"),
		":4:31: 'a' and 'b' are expected apart, and at most 1 line is expected "
		"(p.yaml:4:15): 2 "
		"fields apart take 2 lines; keep one of the two"},
	{T(IN_STRUCT "    ignore: {rule: LL004}\n"),
		":4:13: 'ignore' is a mapping; expected a list of findings to ignore, such as "
		"[{rule: LL004, reason: \"...\"}]"},
	{T(IN_STRUCT "    ignore: [LL004]\n"),
		":4:14: 'ignore' is 'LL004'; expected a mapping such as {rule: LL004, fields: "
		"[f_ep], reason: \"...\"}"},
	{T(IN_STRUCT "    ignore: [{rule: LL004}]\n"),
		":4:14: an item of 'ignore' without 'reason'; expected a rule and a reason, a "
		"mapping such as {rule: LL004, fields: [f_ep], reason: \"...\"}"},
	{T(IN_STRUCT "    ignore: [{reason: x}]\n"),
		":4:14: an item of 'ignore' without 'rule'; expected a rule and a reason, a "
		"mapping such as {rule: LL004, fields: [f_ep], reason: \"...\"}"},
	{T(IN_STRUCT "    ignore: [{rule: LL014, reason: x}]\n"),
		":4:21: 'rule' is 'LL014'; expected the id of a rule, LL001 to LL013 ('linelint "
		"explain' lists them)"},
	{T(IN_STRUCT "    ignore: [{rule: false-sharing, reason: x}]\n"),
		":4:21: 'rule' is 'false-sharing'; expected the id of a rule, LL001 to LL013 "
		"('linelint explain' lists them)"},
	{T(IN_STRUCT "    ignore: [{rule: LL004, reason: ''}]\n"),
		":4:36: 'reason' is the quoted text ''; expected text"},
	{T(IN_STRUCT "    ignore: [{rule: LL004, fields: [], reason: x}]\n"),
		":4:36: 'fields' is an empty list; expected a list of fields, such as [a, b]"},
	{T(IN_STRUCT "    ignore: [{rule: LL004, fields: a, reason: x}]\n"),
		":4:36: 'fields' is 'a'; expected a list of fields, such as [a, b]"},
	{T(IN_STRUCT "    ignore: [{rule: LL004, field: [a], reason: x}]\n"),
		":4:28: unknown key 'field'; expected one of rule, fields, reason (did you mean "
		"'fields'?)"},
	{T(IN_STRUCT "    ignore: [{rule: [LL004], reason: x}]\n"),
		":4:21: 'rule' is a list of one; expected the id of a rule, LL001 to LL013 "
		"('linelint explain' lists them)"},
	{T(V "vars: {jiffies: {read: 1}}\n"),
		":2:8: unknown key 'jiffies'; expected one of source, evidence, threads, sequence, "
		"fields, locks, shared, expect, ignore; variables go under 'fields'"},
	{T(V "vars: {fields: {jiffies: {raed: 1}}}\n"),
		":2:27: unknown key 'raed'; expected one of read, write, rmw, access, why, "
		"optional, if, unless, bytes, index or the role all (no 'roles' are stated) (did "
		"you mean 'read'?)"},
	{T("version: 1\nstructs: {a: {source: \"\377\"}}\n"),
		":2:24: not UTF-8 (invalid leading UTF-8 octet); save the file as UTF-8"},
	{T("\377\376v\000e\000r\000"),
		":1:1: not UTF-8 (invalid leading UTF-8 octet); save the file as UTF-8"},
	{T("version: 1\n# \007\n"),
		":2:3: control character 0x07; expected printable text, so remove it"},
	{T("version: 1\nstructs: {a\000: {}}\n"),
		":2:12: control character 0x00; expected printable text, so remove it"},
	{T("\357\273\277version: 1\nstructs: {}\n"), ":1:1: no 'structs' and no 'vars'; 'linelint "
						     "profile init BINARY NAME...' writes them"},
	{T("version: 1\n# caf\303\n"),
		":2:7: not UTF-8 (invalid trailing UTF-8 octet); save the file as UTF-8"},
	{T("version: 1\n# \303\251\303\251 \355\240\200\n"),
		":2:6: not UTF-8 (invalid Unicode character); save the file as UTF-8"},
};

static void malformed_input(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++)
		bad(malformed[i].text, malformed[i].length, malformed[i].message);
}

static void bad_buf(struct buf *text, const char *message)
{
	bad(text->data, text->length, message);
	buf_release(text);
}

static void limits(void **state)
{
	struct buf text;
	(void)state;

	buf_init(&text); /* 9^8 values in 300 bytes */
	buf_puts(&text, V "structs:\n - &a [x]\n");
	for (char c = 'b'; c < 'j'; c++) {
		buf_printf(&text, " - &%c [", c);
		for (int i = 0; i < 9; i++)
			buf_printf(&text, "*%c%s", c - 1, i < 8 ? ", " : "]\n");
	}
	bad_buf(&text, ":9:4: more than 2097152 values, aliases written out; split the profile");

	buf_init(&text);
	buf_puts(&text, V "structs: ");
	buf_pad(&text, '[', 100000);
	bad_buf(&text, ":2:41: nested deeper than 32 levels; a profile needs 7");

	buf_init(&text);
	buf_puts(&text, V "structs: ");
	for (int i = 0; i < 5000; i++)
		buf_puts(&text, "{a: ");
	bad_buf(&text, ":2:134: nested deeper than 32 levels; a profile needs 7");

	buf_init(&text);
	buf_puts(&text, V "structs: {a: {locks: {l: {protects: [");
	for (int i = 0; i < 4097; i++)
		buf_printf(&text, "f%d, ", i);
	buf_puts(&text, "]}}}}\n");
	bad_buf(&text, ":2:37: 'protects' is a list of 4097; expected at most 4096 fields");

	buf_init(&text);
	buf_puts(&text, V "# ");
	buf_pad(&text, 'x', 16 << 20);
	bad_buf(&text, ": a profile of more than 16 MiB; split it into several files");

	buf_init(&text);
	buf_puts(&text, V "roles: {");
	for (int i = 0; i < 257; i++)
		buf_printf(&text, "r%d: {}, ", i);
	buf_puts(&text, "}\nstructs: {a: {}}\n");
	bad_buf(&text, ":2:8: 'roles' is a mapping; expected a mapping of 1 to 256 roles, such as "
		       "{lookup: "
		       "{threads: 24}}");

	buf_init(&text);
	buf_puts(&text, V "structs: {a: {expect: [");
	for (int i = 0; i < 513; i++)
		buf_puts(&text, "{max_lines: 3}, ");
	buf_puts(&text, "]}}\n");
	bad_buf(&text, ":2:11: 'a' has 513 constraints and expectations of 0 fields; expected at "
		       "most 512 of 4096");

	buf_init(&text);
	buf_puts(&text, V "structs:\n");
	for (int i = 0; i < 1025; i++)
		buf_printf(&text, "  s%d: &a%d {}\n", i, i);
	bad_buf(&text, ":1027:10: more than 1024 anchors; write values out");

	buf_init(&text);
	buf_puts(&text, IN_FIELDS);
	for (int i = 0; i < 6; i++)
		buf_printf(&text, "      f%d: {read: 10000, write: 10000}\n", i);
	bad_buf(&text, ":3:3: 120000 accesses by an operation of 'all' to 'file'; expected at most "
		       "100000");

	buf_init(&text); /* each of the roles in each of the workloads is priced */
	buf_puts(&text, V "roles: {x: {}, y: {}}\nworkloads: {a: [x, y], b: [x, y], c: [x, y]}\n");
	buf_puts(&text, "structs:\n  s:\n    fields:\n");
	for (int i = 0; i < 2; i++)
		buf_printf(&text, "      f%d: {read: 10000, write: 10000}\n", i);
	bad_buf(&text, ":5:3: 240000 accesses to 's' by one operation of each role in each "
		       "workload; expected at most 200000");

	buf_init(&text); /* long text is cut in a message */
	buf_puts(&text, V "line_size: ");
	buf_pad(&text, '7', 100);
	bad_buf(&text, ":2:12: 'line_size' is "
		       "'777777777777777777777777777777777777777777777777777777777777...'; "
		       "expected a power of two from 8 to 4096, such as 64 or 128");
}

/* A large honest profile is read, and quickly: 20,000 structs of 10 fields. */
static void large(void **state)
{
	struct buf text;
	buf_init(&text);
	buf_puts(&text, V "structs:\n");
	for (int i = 0; i < 20000; i++) {
		buf_printf(&text, "  struct_%d:\n    fields:\n", i);
		for (int k = 0; k < 10; k++)
			buf_printf(&text, "      field_%d: {read: 1}\n", k);
	}
	const struct profile *p = good(*state, text.data);
	assert_int_equal(p->struct_count, 20000);
	assert_string_equal(p->structs[19999].fields[9].path, "field_9");
	buf_release(&text);
}

static void files(void **state)
{
	struct world *w = *state;
	char path[] = "profile-test-XXXXXX";
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	const char *text = V "structs: {a: {}}\n";
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	assert_null(profile_read(&w->arena, path, EVIDENCE_MEASURED, &w->profile));
	assert_string_equal(w->profile.path, path);
	assert_int_equal(w->profile.structs[0].evidence, EVIDENCE_MEASURED);
	unlink(path);

	struct error *error = profile_read(&w->arena, "no/such.yaml", EVIDENCE_STATED, &w->profile);
	assert_non_null(error);
	assert_string_equal(error->message,
		"no/such.yaml: cannot open: No such file or directory; give the path "
		"of a profile, or 'linux' for the shipped one");
	error_free(error);
	error = profile_read(&w->arena, ".", EVIDENCE_STATED, &w->profile);
	assert_non_null(error);
	assert_string_equal(error->message, ".: cannot read: Is a directory; give a YAML file");
	error_free(error);
	error = profile_read(&w->arena, "/dev/zero", EVIDENCE_STATED, &w->profile);
	assert_non_null(error);
	assert_string_equal(error->message,
		"/dev/zero: a profile of more than 16 MiB; split it into several files");
	error_free(error);
}

static void shipped(void **state)
{
	struct world *w = *state;
	struct error *error =
		profile_read(&w->arena, PROFILE_SHIPPED, EVIDENCE_STATED, &w->profile);
	if (error)
		fail_msg("%s", error->message);
	assert_string_equal(w->profile.path, "linux.yaml (shipped)");
	struct profiles profiles = {(const struct profile *const[]){&w->profile}, 1};
	static const char *const names[] = {"file", "files_struct", "fdtable", "dentry", "inode",
		"address_space", "page", "mm_struct", "vm_area_struct"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct profile_struct *s = profiles_find(&profiles, names[i], NULL);
		assert_non_null(s);
		assert_int_equal(s->evidence, EVIDENCE_SHIPPED);
		assert_non_null(s->source);
	}
	for (size_t i = 0; i < w->profile.role_count; i++)
		assert_non_null(w->profile.roles[i].why);
	const struct profile_struct *s = profiles_find(&profiles, "page", "page");
	assert_int_equal(s->instance, INSTANCE_ARRAY);
	assert_true(s->constraints.pin_all);
	assert_int_equal(profiles_find(&profiles, "inode", NULL)->alignment_bytes, 8);
	s = profiles_find(&profiles, "address_space", NULL);
	assert_true(s->locks[0].contended == 0.3);
}

static void finding_entries(void **state)
{
	struct world *w = *state;
	static const char *const texts[] = {
		V "structs: {a: {source: one}, ns::b: {source: one}, c: {source: one}}\n",
		V "structs: {a: {source: two}, b: {source: two}}\n",
		V "structs: {'ns::a': {source: three}, a: {source: four}}\n",
	};
	struct profile read[3];
	const struct profile *items[3];
	for (size_t i = 0; i < 3; i++) {
		assert_null(profile_parse(
			&w->arena, "x", texts[i], strlen(texts[i]), EVIDENCE_STATED, &read[i]));
		items[i] = &read[i];
	}
	struct profiles all = {items, 2};
	assert_string_equal(profiles_find(&all, "a", NULL)->source, "two");
	assert_string_equal(profiles_find(&all, "c", "c")->source, "one");
	assert_string_equal(profiles_find(&all, "b", "ns::b")->source, "two");
	assert_null(profiles_find(&all, "d", "ns::d"));
	all.count = 3;
	assert_string_equal(profiles_find(&all, "a", "ns::a")->source, "three");
	assert_string_equal(profiles_find(&all, "a", "other::a")->source, "four");
	assert_null(profiles_find(&(struct profiles){NULL, 0}, "a", "a"));
}

/* The displays of linelint-profile(5) that begin with "version: 1" are profiles. */
static void manual(void **state)
{
	FILE *page = fopen("man/linelint-profile.5", "r");
	if (!page)
		skip();
	struct buf text;
	char line[1024];
	bool inside = false;
	size_t examples = 0;
	buf_init(&text);
	while (fgets(line, sizeof(line), page)) {
		if (strncmp(line, ".Bd -literal", 12) == 0) {
			buf_clear(&text);
			inside = true;
		} else if (strncmp(line, ".Ed", 3) == 0 && inside) {
			inside = false;
			if (strncmp(text.data, "version: 1\n", 11) != 0)
				continue;
			good(*state, text.data);
			examples++;
		} else if (inside) {
			assert_null(strchr(line, '\\')); /* an escape of roff would not be YAML */
			buf_puts(&text, line);
		}
	}
	assert_true(examples >= 3);
	buf_release(&text);
	fclose(page);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(document),
		TEST(entry),
		TEST(fields),
		TEST(short_forms),
		TEST(demands),
		TEST(defaults),
		TEST(evidence),
		TEST(sequences),
		TEST(aliases),
		TEST(yaml_styles),
		TEST(agreeing),
		TEST(malformed_input),
		TEST(limits),
		TEST(large),
		TEST(files),
		TEST(shipped),
		TEST(finding_entries),
		TEST(manual),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

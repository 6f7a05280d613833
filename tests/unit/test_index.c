/*
 * index: every definition is found, under its name and scope, whatever compiler and DWARF version; equal
 * layouts are one and others are not; the same comes out whatever the number of threads; and damage is an
 * error with its place.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "read/dw.h"
#include "read/index.h"
#include "read/object.h"
#include "toolchain.h"

struct opened {
	struct arena arena;
	struct object object;
	struct index index;
};

static void must(struct error *error)
{
	if (error)
		fprintf(stderr, "%s\n", error->message);
	assert_null(error);
}

static void open_query(struct opened *opened, const char *name, unsigned jobs,
	const char *const *patterns, size_t count)
{
	struct index_query query = {.patterns = patterns, .pattern_count = count, .jobs = jobs};
	arena_init(&opened->arena);
	must(object_open(&opened->arena, tool_path(name), &opened->object));
	must(index_build(&opened->arena, &opened->object, &query, &opened->index));
}

static void open_all(struct opened *opened, const char *name, unsigned jobs)
{
	open_query(opened, name, jobs, NULL, 0);
}

static void close_all(struct opened *opened)
{
	object_close(&opened->object);
	arena_release(&opened->arena);
}

static void must_run(bool fine)
{
	if (!fine)
		tool_show_log();
	assert_true(fine);
}

/* "struct ns::Outer [typedef] [local]" */
static void put_identity(struct buf *text, const struct index_def *def)
{
	buf_printf(text, "%s %s%s%s%s%s", type_keyword(def->kind), def->scope ? def->scope : "",
		def->scope ? "::" : "", def->name, def->is_typedef ? " [typedef]" : "",
		def->is_local ? " [local]" : "");
}

/* A line a definition; `places`: with offsets and hashes. */
static char *listing(const struct index *index, bool copies, bool places)
{
	struct buf text;
	buf_init(&text);
	for (size_t i = 0; i < index->count; i++) {
		const struct index_def *def = &index->defs[i];
		put_identity(&text, def);
		if (copies)
			buf_printf(&text, " x%u of %u", (unsigned)def->copies, def->layouts);
		if (places)
			buf_printf(&text, " %llx %llx", (unsigned long long)def->die_off,
				(unsigned long long)def->unit_off);
		buf_printf(&text, " %llx\n", (unsigned long long)def->hash);
	}
	buf_putc(&text, '\0');
	return text.data;
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Link-time optimisation moves units about: the lines in an order of their own. */
static void sort_lines(char *text)
{
	char *lines[64];
	size_t count = 0;
	struct buf sorted;
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		lines[count++] = line;
	qsort(lines, count, sizeof(*lines), compare_lines);
	buf_init(&sorted);
	for (size_t i = 0; i < count; i++)
		buf_printf(&sorted, "%s\n", lines[i]);
	memcpy(text, sorted.data, sorted.length + 1);
	buf_release(&sorted);
}

/* The lines without the hashes at their ends. */
static char *without_hashes(const char *lines)
{
	struct buf text;
	buf_init(&text);
	for (const char *p = lines; *p;) {
		size_t length = strcspn(p, "\n");
		size_t last = length;
		while (last && p[last] != ' ')
			last--;
		buf_add(&text, p, last);
		buf_putc(&text, '\n');
		p += length + 1;
	}
	buf_putc(&text, '\0');
	return text.data;
}

static bool have(const char *program)
{
	return tool_run("command -v %s", program);
}

/* ---- by name ---- */

/* What of everything a bare NAME means, as index.h has it: tags before typedefs. */
static char *listing_of(const struct index *all, const char *name)
{
	struct index_def defs[64];
	struct index some = {.defs = defs};
	bool has_tag = false;
	for (size_t i = 0; i < all->count; i++)
		has_tag |= strcmp(all->defs[i].name, name) == 0 && !all->defs[i].is_typedef;
	for (size_t i = 0; i < all->count; i++)
		if (strcmp(all->defs[i].name, name) == 0 && !(has_tag && all->defs[i].is_typedef))
			defs[some.count++] = all->defs[i];
	return listing(&some, true, true);
}

/* Asked for by its name, which looks at parts of the file only, each definition is what it is among all. */
static void must_find_each(const char *file)
{
	struct opened all;
	open_all(&all, file, 1);
	assert_true(all.index.count > 0);
	for (size_t i = 0; i < all.index.count; i++) {
		struct opened one;
		const char *name = all.index.defs[i].name;
		open_query(&one, file, 1 + (i & 1), &name, 1);
		char *expected = listing_of(&all.index, name);
		char *found = listing(&one.index, true, true);
		assert_string_equal(found, expected);
		assert_int_equal(one.index.split_units, all.index.split_units);
		mem_free(expected);
		mem_free(found);
		close_all(&one);
	}
	close_all(&all);
}

/* ---- C, by every compiler ---- */

static const char first_c[] =
	"struct conf { int a; long long b; };\n"
	"typedef struct { int x, y; } point, *point_pointer;\n"
	"typedef volatile struct { int r; } reg;\n"
	"typedef struct tagged { char c; } tagged_t;\n"
	"struct twin { int tag; };\n"
	"typedef struct { long long not_tag; } twin;\n"
	"struct incomplete;\n"
	"union u { int i; float f; };\n"
	"struct bits { unsigned a : 3, b : 5; int c : 7; long long d : 40; };\n"
	"struct nest { int k; union { int p; struct { char q, r; }; }; struct { int s; } t[3];\n"
	"  int (*fn)(struct conf *, const char *, ...); unsigned long fl[]; };\n"
	"static inline int twice(int v) { struct local { int a, b; } l = {v, v}; return l.a + l.b; "
	"}\n"
	"int f(int v) { struct local { long long q; } l = {v};\n"
	"  { struct inner { char z[9]; } i = {{(char)v}}; union in_block { int a; float b; } u; "
	"u.a = i.z[0];\n"
	"    return (int)l.q + twice(v) + u.a; } }\n"
	"struct conf c; point p; point_pointer pp; reg r; tagged_t t; union u uu; struct bits b; "
	"twin tw; struct twin tt;\n"
	"struct incomplete *in; int g(struct nest *m) { return m->k; }\n";

static const char second_c[] =
	"struct conf { int a; long long b; int cc; };\n"
	"typedef struct { int x, y; } point;\n"
	"struct conf c2; point p2; struct bits { unsigned a : 3, b : 5; int c : 7; long long d : "
	"40; } bb;\n"
	"extern int f(int); int main(void) { return f(c2.a + p2.x + (int)bb.a); }\n";

static const char first_listing[] = "struct bits\n"
				    "struct conf\n"
				    "struct f()::inner [local]\n"
				    "struct f()::local [local]\n"
				    "struct nest\n"
				    "struct point [typedef]\n"
				    "struct reg [typedef]\n"
				    "struct tagged\n"
				    "struct twice()::local [local]\n"
				    "struct twin\n"
				    "struct twin [typedef]\n"
				    "union f()::in_block [local]\n"
				    "union u\n";

static const char linked_listing[] = "struct bits x2 of 1\n"
				     "struct conf x1 of 2\n"
				     "struct conf x1 of 2\n"
				     "struct f()::inner [local] x1 of 1\n"
				     "struct f()::local [local] x1 of 1\n"
				     "struct nest x1 of 1\n"
				     "struct point [typedef] x2 of 1\n"
				     "struct reg [typedef] x1 of 1\n"
				     "struct tagged x1 of 1\n"
				     "struct twice()::local [local] x1 of 1\n"
				     "struct twin [typedef] x1 of 1\n"
				     "struct twin x1 of 1\n"
				     "union f()::in_block [local] x1 of 1\n"
				     "union u x1 of 1\n";

/* The file has these definitions; their hashes are those of *reference, which the first call sets. */
static void must_list(const char *file, const char *expected, bool copies, char **reference)
{
	struct opened opened;
	open_all(&opened, file, 1);
	char *lines = listing(&opened.index, copies, false);
	char *bare = without_hashes(lines);
	sort_lines(lines);
	sort_lines(bare);
	assert_string_equal(bare, expected);
	if (*reference) {
		assert_string_equal(lines, *reference);
		mem_free(lines);
	} else {
		*reference = lines;
	}
	mem_free(bare);
	close_all(&opened);
	must_find_each(file);
}

static void test_compilers(void **state)
{
	static const char *const compilers[] = {"gcc", "clang"};
	static const char *const flags[] = {"-gdwarf-4", "-gdwarf-5", "-gdwarf-2 -gstrict-dwarf",
		"-gdwarf-4 -fdebug-types-section", "-gdwarf-5 -fdebug-types-section", "-gdwarf-3",
		"-g -gdwarf64", "-gdwarf-5 -gz=zlib"};
	char *object = NULL, *linked = NULL;
	(void)state;
	tool_write_text("first.c", first_c);
	tool_write_text("second.c", second_c);
	for (size_t c = 0; c < 2; c++) {
		if (!have(compilers[c]))
			continue;
		for (size_t f = 0; f < sizeof(flags) / sizeof(*flags); f++)
			for (int level = 0; level <= 2; level += 2) {
				if (!tool_run("%s %s -O%d -fno-inline -c first.c && %s %s -O%d -c "
					      "second.c",
					    compilers[c], flags[f], level, compilers[c], flags[f],
					    level)) {
					assert_true(f >=
						    6); /* an old compiler may lack the last ones */
					continue;
				}
				must_list("first.o", first_listing, false, &object);
				if (strstr(flags[f],
					    "types")) /* the linker leaves one copy of each */
					continue;
				must_run(tool_run("%s first.o second.o -o linked", compilers[c]));
				must_list("linked", linked_listing, true, &linked);
			}
	}
	mem_free(object);
	mem_free(linked);
}

/*
 * Units that refer to each other, and definitions in partial and type units: nothing is lost, nothing seen
 * twice.
 */
static void test_shared_units(void **state)
{
	char *linked = NULL;
	(void)state;
	tool_write_text("first.c", first_c);
	tool_write_text("second.c", second_c);
	must_run(tool_run("gcc -g -fno-inline first.c second.c -o linked"));
	must_list("linked", linked_listing, true, &linked);
	if (tool_run("gcc -g -O1 -fno-inline -flto first.c second.c -o lto"))
		must_list("lto", linked_listing, true, &linked);
	if (tool_run("clang -g -gdwarf-5 -fdebug-types-section first.c second.c -o types"))
		must_list("types", linked_listing, true, &linked);
	tool_write_text("many.h", first_c);
	tool_write_text("many1.c", "#include \"many.h\"\nint main(void) { return 0; }\n");
	tool_write_text("many2.c",
		"#define f f2\n#define g g2\n#define c c2\n#define p p2\n#include \"many.h\"\n");
	must_run(tool_run("gcc -g -fcommon many1.c many2.c -o many"));
	if (tool_run("cp many shared && dwz shared")) {
		struct opened plain, shared;
		open_all(&plain, "many", 1);
		open_all(&shared, "shared", 2);
		char *a = listing(&plain.index, false, false),
		     *b = listing(&shared.index, false, false);
		assert_string_equal(a, b);
		mem_free(a);
		mem_free(b);
		close_all(&plain);
		close_all(&shared);
		must_find_each("shared");
	}
	must_find_each("many");
	mem_free(linked);
}

/* A skeleton unit and a file without debug information have nothing, which is no error here. */
static void test_nothing_there(void **state)
{
	struct opened opened;
	(void)state;
	tool_write_text("first.c", first_c);
	must_run(tool_run(
		"gcc -g -gsplit-dwarf -c first.c -o split.o && gcc -g0 -c first.c -o bare.o"));
	open_all(&opened, "split.o", 0);
	assert_int_equal(opened.index.count, 0);
	assert_int_equal(opened.index.unit_count, 1);
	close_all(&opened);
	open_all(&opened, "bare.o", 0);
	assert_int_equal(opened.index.count + opened.index.name_count + opened.index.unit_count, 0);
	assert_false(index_has_name(&opened.index, "conf"));
	close_all(&opened);
}

static void test_names_and_numbers(void **state)
{
	struct opened opened;
	static const char *const none[] = {"nosuch"};
	(void)state;
	tool_write_text("first.c", first_c);
	tool_write_text("second.c", second_c);
	must_run(tool_run("gcc -gdwarf-4 -c first.c && gcc -gdwarf-5 -c second.c && gcc first.o "
			  "second.o -o linked"));
	open_query(&opened, "linked", 1, none, 1);
	assert_int_equal(opened.index.count, 0);
	assert_int_equal(opened.index.definitions_seen, 16);
	assert_int_equal(opened.index.unit_count, 2);
	assert_int_equal(opened.index.dwarf_version, 5);
	assert_int_equal(opened.index.name_count, 11); /* whatever the query was */
	for (size_t i = 1; i < opened.index.name_count; i++)
		assert_true(strcmp(opened.index.names[i - 1], opened.index.names[i]) < 0);
	for (size_t i = 0; i < opened.index.name_count; i++)
		assert_true(index_has_name(&opened.index, opened.index.names[i]));
	assert_true(index_has_name(&opened.index, "reg"));
	assert_false(index_has_name(&opened.index, "incomplete"));
	assert_false(index_has_name(&opened.index, "tagged_t"));
	assert_false(index_has_name(&opened.index, ""));
	close_all(&opened);
}

/* ---- what is one layout, and what is not ---- */

/* How many layouts has `struct s` whose members are `a` in one unit and `b` in another? */
static unsigned layouts_of(const char *flags, const char *a, const char *b)
{
	static const char source[] = "typedef int t1; typedef int t2; struct o1 { int x; }; struct "
				     "o2 { int x; }; enum e1 { A1 }; enum e2 { A2 };\n"
				     "struct s { %s } v; int n%d;\n";
	char text[1024];
	struct opened opened;
	snprintf(text, sizeof(text), source, a, 1);
	tool_write_text("a.c", text);
	snprintf(text, sizeof(text), source, b, 2);
	tool_write_text("b.c", text);
	must_run(tool_run(
		"gcc %s -fcommon -c a.c && gcc %s -fcommon -c b.c && ld -r a.o b.o -o ab.o", flags,
		flags));
	static const char *const pattern[] = {"struct s"};
	open_query(&opened, "ab.o", 1, pattern, 1);
	assert_int_equal(opened.index.count, opened.index.defs[0].layouts);
	unsigned layouts = opened.index.defs[0].layouts;
	uint64_t copies = 0;
	for (size_t i = 0; i < opened.index.count; i++)
		copies += opened.index.defs[i].copies;
	assert_int_equal(copies, 2);
	close_all(&opened);
	return layouts;
}

static void test_folding(void **state)
{
	static const struct {
		const char *a, *b;
		unsigned layouts;
	} pairs[] = {
		{"int a; int b;", "\n\nint a;\n int b;", 1},
		{"long unsigned int a; short b;", "unsigned long a; short int b;", 1},
		{"const volatile int a;", "volatile const int a;", 1},
		{"struct { int x; union { int y; }; } a;", "struct { int x; union { int y; }; } a;",
			1},
		{"int a; int b;", "int b; int a;", 2},
		{"int a; int b;", "int a; unsigned b;", 2},
		{"int a; int b;", "int a; int c;", 2},
		{"int a;", "int a; int b;", 2},
		{"char a; int b;", "char a; int b __attribute__((aligned(8)));", 2},
		{"int a : 3; int b : 4;", "int a : 4; int b : 3;", 2},
		{"int a : 3; int : 1; int b : 4;", "int a : 3; int b : 4;", 2},
		{"int a : 3;", "int a;", 2},
		{"t1 a;", "t2 a;", 2},
		{"t1 a;", "int a;", 2},
		{"struct o1 a;", "struct o2 a;", 2},
		{"struct o1 *a;", "struct o2 *a;", 2},
		{"struct q *a;", "union q *a;", 2},
		{"struct o1 **a;", "struct o1 *a;", 2},
		{"void *a;", "char *a;", 2},
		{"const char *a;", "char *a;", 2},
		{"const char *a;", "char *const a;", 2},
		{"enum e1 a;", "enum e2 a;", 2},
		{"enum { X } a;", "enum { X = 1 } a;", 2},
		{"enum { X } a;", "enum { Y } a;", 2},
		{"int a[2][3];", "int a[3][2];", 2},
		{"int a[6];", "int a[2][3];", 2},
		{"int n; int a[];", "int n; int a[0];", 2},
		{"int (*a)(int);", "int (*a)(long);", 2},
		{"int (*a)(int);", "int (*a)(int, ...);", 2},
		{"int (*a)(int);", "void (*a)(int);", 2},
		{"struct { int x; } a;", "struct { int y; } a;", 2},
		{"struct { struct { int x; } z; } a;", "struct { struct { short x, y; } z; } a;",
			2},
		{"struct { int x; } *a;", "struct { int y; } *a;", 2},
		{"struct { int x; } a;", "union { int x; } a;", 2},
		{"char a; signed char b;", "char a; char b;", 2},
		{"long a;", "long long a;", 2},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		unsigned layouts = layouts_of("-gdwarf-5", pairs[i].a, pairs[i].b);
		if (layouts != pairs[i].layouts)
			fprintf(stderr, "%s | %s\n", pairs[i].a, pairs[i].b);
		assert_int_equal(layouts, pairs[i].layouts);
	}
	assert_int_equal(layouts_of("-gdwarf-2 -gstrict-dwarf", "int a : 3; int b : 4;",
				 "int a : 4; int b : 3;"),
		2);
	assert_int_equal(
		layouts_of("-gdwarf-2 -gstrict-dwarf", "int x; int b : 4;", "char x; int b : 4;"),
		2);
}

/* What gcc and clang write differently is the same to a reader. */
static void test_folding_across_compilers(void **state)
{
	char *reference = NULL;
	(void)state;
	if (!have("clang"))
		skip();
	tool_write_text("first.c", first_c);
	tool_write_text("second.c", second_c);
	must_run(tool_run("gcc -gdwarf-4 -c first.c && clang -gdwarf-5 -c second.c && gcc first.o "
			  "second.o -o linked"));
	must_list("linked", linked_listing, true, &reference);
	mem_free(reference);
}

/*
 * Definitions everywhere that a walk which goes by the places of names could miss: before, in and behind functions, in
 * blocks, behind other things of the same name, under names that are the end of longer strings.
 */
static void test_seeking(void **state)
{
	static const char source[] =
		"struct early { int a; }; struct only_declared; struct only_declared *od;\n"
		"struct longer_early { struct early early; int b; } le;\n"
		"static int named(int named) { struct named { char named[7]; } n = {{named}}; "
		"return n.named[0]; }\n"
		"int outer(int inside) { struct before { int x; } b = {inside};\n"
		"  { struct inside { long inside; } i = {b.x}; { union deepest { int inside; float "
		"f; } d;\n"
		"    d.inside = (int)i.inside; return d.inside + named(inside); } } }\n"
		"typedef struct { int early; } hidden_t; hidden_t hidden;\n"
		"int behind(void) { typedef struct { char q[3]; } local_t; local_t l = {{1}}; "
		"return l.q[0]; }\n"
		"enum early_enum { one_early, two_early }; enum early_enum ee;\n"
		"struct behind_all { struct { int un; } un; union { int p; char only_here; }; } "
		"ba;\n";
	static const char *const compilers[] = {"gcc", "clang"};
	static const char *const flags[] = {
		"-gdwarf-4", "-gdwarf-5", "-gdwarf-5 -m32", "-gdwarf-5 -gdwarf64"};
	(void)state;
	tool_write_text("seek.c", source);
	tool_write_text("other.c",
		"struct xlonger_early { int z; } x; struct early { long a; } e;\n"
		"extern int outer(int), behind(void); int main(void) { return outer(1) + behind(); "
		"}\n");
	for (size_t c = 0; c < 2; c++)
		for (size_t f = 0; have(compilers[c]) && f < sizeof(flags) / sizeof(*flags); f++)
			for (int level = 0; level <= 2; level++) {
				if (!tool_run("%s %s -O%d -fno-inline -c seek.c && %s %s -O%d -c "
					      "other.c",
					    compilers[c], flags[f], level, compilers[c], flags[f],
					    level)) {
					assert_true(f >=
						    2); /* an old compiler may lack the last ones */
					continue;
				}
				must_find_each("seek.o");
				must_run(tool_run("%s %s seek.o other.o -Wl,-O2 -o seek",
					compilers[c], flags[f]));
				must_find_each("seek");
			}
}

/* Is a name there at all? Whatever the others are by which the file is read. */
static void test_probe(void **state)
{
	static const char *const wanted[] = {"conf", "nest", "u", "nosuch"};
	static const struct {
		const char *name;
		bool is_there;
	} probes[] = {{"conf", true}, {"tagged", true}, {"tagged_t", false}, {"incomplete", false},
		{"point", true}, {"nosuch", false}, {"inner", true}, {"u", true}, {"nes", false}};
	(void)state;
	tool_write_text("first.c", first_c);
	tool_write_text("second.c", second_c);
	must_run(tool_run("gcc -g second.c first.c -o linked"));
	for (size_t w = 0; w < sizeof(wanted) / sizeof(*wanted); w++)
		for (size_t i = 0; i < sizeof(probes) / sizeof(*probes); i++) {
			struct opened opened;
			struct index_query query = {.patterns = &wanted[w],
				.pattern_count = 1,
				.probe = probes[i].name,
				.jobs = 1 + (i & 1)};
			arena_init(&opened.arena);
			must(object_open(&opened.arena, tool_path("linked"), &opened.object));
			must(index_build(&opened.arena, &opened.object, &query, &opened.index));
			assert_int_equal(opened.index.has_probe, probes[i].is_there);
			assert_int_equal(opened.index.has_names, !opened.index.count);
			close_all(&opened);
		}
}

/* ---- threads ---- */

static void must_be_equal(const struct index *a, const struct index *b)
{
	char *x = listing(a, true, true), *y = listing(b, true, true);
	assert_string_equal(x, y);
	mem_free(x);
	mem_free(y);
	assert_int_equal(a->name_count, b->name_count);
	for (size_t i = 0; i < a->name_count; i++)
		assert_string_equal(a->names[i], b->names[i]);
	assert_int_equal(a->definitions_seen, b->definitions_seen);
	assert_int_equal(a->unit_count, b->unit_count);
}

static void test_threads(void **state)
{
	enum { STRUCTS = 4000 };
	struct buf text;
	(void)state;
	buf_init(&text);
	for (int i = 0; i < STRUCTS; i++)
		buf_printf(&text,
			"struct s%d { long a; struct s%d *next; union { int b; char c[%d]; }; int "
			"(*f)(struct s%d *);\n"
			"#ifdef SECOND\n struct s%d *prev[%d];\n#endif\n};\n",
			i, (i + 7) % STRUCTS, i % 9 + 1, i, i, i % 3);
	tool_write("many.c", text.data, text.length);
	buf_release(&text);
	must_run(tool_run("gcc -g -fno-eliminate-unused-debug-types -c many.c -o m1.o && "
			  "gcc -g -fno-eliminate-unused-debug-types -DSECOND -c many.c -o m2.o && "
			  "ld -r m1.o m2.o m1.o m2.o m2.o -o many.o"));
	struct opened one;
	open_all(&one, "many.o", 1);
	assert_int_equal(one.index.unit_count, 5);
	assert_int_equal(one.index.count, 2 * STRUCTS);
	assert_int_equal(one.index.definitions_seen, 5 * STRUCTS);
	for (unsigned jobs = 2; jobs <= 8; jobs += 2) {
		struct opened more;
		open_all(&more, "many.o", jobs);
		must_be_equal(&one.index, &more.index);
		close_all(&more);
	}
	for (size_t i = 0; i < one.index.count; i++)
		assert_int_equal(one.index.defs[i].copies, i % 2 ? 3 : 2);
	close_all(&one);
}

/* ---- C++ ---- */

static const char scopes_cc[] =
	"namespace ns { struct Outer { struct Inner { int x; }; struct Later; Inner i; int m(int); "
	"static int s;\n"
	"  private: class Secret { char q; } p; };\n"
	"struct Outer::Later { long z; Inner *in; };\n"
	"namespace { struct Hidden { int h; } hidden; }\n"
	"template<class T, int N> struct Tpl { T v[N]; struct Nest { T n; } nn; };\n"
	"Tpl<int, 3> t3; Tpl<Tpl<char, 2>, 1> t4;\n"
	"int Outer::m(int a) { struct InMethod { int b; } l = {a};\n"
	"  auto lambda = [&](int q) { struct InLambda { int w; } k = {q}; return k.w + l.b; }; "
	"return lambda(a) + hidden.h; }\n"
	"inline namespace v1 { union Versioned { int a; float b; } ver; } }\n"
	"template<class T> struct alias_of { typedef T type; };\n"
	"struct Derived : ns::Outer { int d; typedef struct { int un; } Unnamed; Unnamed u; static "
	"ns::Outer shared; };\n"
	"typedef struct { int q; } CStyle; CStyle cs; Derived derived; ns::Outer::Later later;\n"
	"auto closure = [](int v) { return v; }; alias_of<decltype(closure)> al; "
	"alias_of<decltype(closure)>::type *cl;\n"
	"int main() { return derived.m(1) + closure(2) + (cl != nullptr); }\n";

static const char *const scopes_expected[] = {
	"struct CStyle [typedef]",
	"struct Derived",
	"struct Derived::Unnamed [typedef]",
	"struct ns::(anonymous namespace)::Hidden",
	"struct ns::Outer",
	"struct ns::Outer::Inner",
	"struct ns::Outer::Later",
	"class ns::Outer::Secret",
	"struct ns::Outer::m()::InMethod [local]",
	"struct ns::Tpl<int, 3>",
	"struct ns::Tpl<int, 3>::Nest",
	"struct ns::Tpl<char, 2>",
	"union ns::v1::Versioned",
};

static bool lists(const struct index *index, const char *identity)
{
	bool found = false;
	for (size_t i = 0; i < index->count && !found; i++) {
		struct buf text;
		buf_init(&text);
		put_identity(&text, &index->defs[i]);
		found = strcmp(text.data, identity) == 0;
		buf_release(&text);
	}
	return found;
}

static void must_find_scopes(const char *file)
{
	struct opened opened;
	open_all(&opened, file, 1);
	for (size_t i = 0; i < sizeof(scopes_expected) / sizeof(*scopes_expected); i++) {
		if (!lists(&opened.index, scopes_expected[i]))
			fprintf(stderr, "%s: no '%s'\n", file, scopes_expected[i]);
		assert_true(lists(&opened.index, scopes_expected[i]));
	}
	for (size_t i = 0; i < opened.index.count; i++) {
		const struct index_def *def = &opened.index.defs[i];
		assert_string_not_equal(
			def->name, "type"); /* the closure is not named by what aliases it */
		if (strcmp(def->name, "InLambda") == 0) {
			assert_true(def->is_local);
			assert_int_equal(strncmp(def->scope, "ns::Outer::m()::", 16), 0);
		}
		assert_int_equal(def->layouts, 1);
	}
	assert_true(index_has_name(&opened.index, "InLambda"));
	close_all(&opened);
	must_find_each(file);
}

static void test_cxx(void **state)
{
	static const char *const compilers[] = {"g++", "clang++"};
	static const char *const flags[] = {"-gdwarf-4", "-gdwarf-5",
		"-gdwarf-4 -fdebug-types-section", "-gdwarf-5 -fdebug-types-section"};
	bool any = false;
	(void)state;
	tool_write_text("scopes.cc", scopes_cc);
	for (size_t c = 0; c < 2; c++)
		for (size_t f = 0; f < sizeof(flags) / sizeof(*flags); f++) {
			if (!have(compilers[c]))
				continue;
			any = true;
			must_run(tool_run("%s -std=c++17 %s -c scopes.cc -o scopes.o", compilers[c],
				flags[f]));
			must_find_scopes("scopes.o");
			must_run(tool_run("%s scopes.o -o scopes", compilers[c]));
			must_find_scopes("scopes");
		}
	if (!any)
		skip();
}

/* ---- what a NAME means ---- */

/* A line an alias and a declaration: "x_t -> struct x", "x declared". */
static void must_alias(const char *file, const char *name, const char *expected, size_t defs)
{
	for (unsigned jobs = 1; jobs <= 3; jobs++) {
		struct opened opened;
		struct buf text;
		open_query(&opened, file, jobs, &name, 1);
		buf_init(&text);
		for (size_t i = 0; i < opened.index.alias_count; i++) {
			const struct index_alias *alias = &opened.index.aliases[i];
			buf_printf(&text, "%s%s%s -> %s %s%s%s\n", alias->scope ? alias->scope : "",
				alias->scope ? "::" : "", alias->name, type_keyword(alias->kind),
				alias->target_scope ? alias->target_scope : "",
				alias->target_scope ? "::" : "", alias->target);
		}
		for (size_t i = 0; i < opened.index.declared_count; i++)
			buf_printf(&text, "%s declared\n", opened.index.declared[i]);
		assert_string_equal(text.data, expected);
		assert_int_equal(opened.index.count, defs);
		buf_release(&text);
		close_all(&opened);
	}
}

/* Typedefs lead to a tag through typedefs and qualifiers; tags win; a declaration is none of it. */
static void test_aliases(void **state)
{
	(void)state;
	static const char source[] =
		"struct tagged { int a; }; typedef struct tagged tagged_t;\n"
		"typedef const volatile tagged_t *pointer_t; typedef const tagged_t const_t;\n"
		"typedef const_t again_t; typedef struct same { int a; } same;\n"
		"typedef struct { int q; } unnamed_t; typedef unnamed_t renamed_t;\n"
		"typedef union either { int i; float f; } either_t; typedef int number_t;\n"
		"struct opaque; typedef struct opaque opaque_t;\n"
		"tagged_t t; pointer_t p; again_t *g; same s; renamed_t r; either_t e; number_t "
		"n;\n"
		"opaque_t *o;\n";
	tool_write_text("alias.c", source);
	must_run(tool_run(
		"gcc -g -c alias.c -o alias.o && clang -gdwarf-4 -c alias.c -o alias-clang.o && "
		"gcc -gdwarf-3 -gstrict-dwarf -c alias.c -o alias-3.o"));
	static const char *const files[] = {"alias.o", "alias-clang.o", "alias-3.o"};
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		must_alias(files[i], "tagged_t", "tagged_t -> struct tagged\n", 1);
		must_alias(files[i], "struct again_t", "again_t -> struct tagged\n", 1);
		must_alias(files[i], "union again_t", "", 0);
		must_alias(files[i], "either_t", "either_t -> union either\n", 1);
		must_alias(files[i], "renamed_t", "renamed_t -> struct unnamed_t\n", 1);
		must_alias(files[i], "unnamed_t", "", 1);
		must_alias(files[i], "same", "", 1);
		must_alias(files[i], "tagged*", "", 1);
		must_alias(files[i], "pointer_t", "", 0);
		must_alias(files[i], "number_t", "", 0);
		must_alias(files[i], "opaque_t", "opaque_t -> struct opaque\nopaque declared\n", 0);
		must_alias(files[i], "opaque", "opaque declared\n", 0);
	}
	tool_write_text("alias.cc",
		"namespace ns { template <class T> struct box { T t; }; struct in { int i; };\n"
		"typedef box<in> box_t; using in_t = const in; struct out { typedef in value; "
		"value v; }; }\n"
		"ns::box_t b; ns::in_t i = {1}; ns::out o;\n");
	must_run(tool_run("g++ -g -c alias.cc -o alias-cc.o"));
	must_alias("alias-cc.o", "ns::box_t", "ns::box_t -> struct ns::box<ns::in>\n", 1);
	must_alias("alias-cc.o", "in_t", "ns::in_t -> struct ns::in\n", 1);
	must_alias("alias-cc.o", "out::value", "ns::out::value -> struct ns::in\n", 1);
}

/* -gsplit-dwarf: the units are there, the definitions are not. */
static void test_split(void **state)
{
	(void)state;
	static const char *const commands[] = {
		"gcc -gdwarf-5 -gsplit-dwarf -c split.c -o split.o",
		"gcc -gdwarf-4 -gsplit-dwarf -c split.c -o split.o",
		"clang -gdwarf-5 -gsplit-dwarf -c split.c -o split.o",
	};
	tool_write_text("split.c", "struct x { int a; } x; int f(void) { return x.a; }\n");
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		struct opened opened;
		must_run(tool_run("%s", commands[i]));
		open_all(&opened, "split.o", 1);
		assert_int_equal(opened.index.split_units, 1);
		assert_int_equal(opened.index.count, 0);
		close_all(&opened);
	}
}

static void must_select(const char *file, const char *pattern, const char *expected)
{
	struct opened opened;
	const char *const patterns[] = {pattern};
	struct buf text;
	open_query(&opened, file, 1, patterns, 1);
	buf_init(&text);
	for (size_t i = 0; i < opened.index.count; i++) {
		put_identity(&text, &opened.index.defs[i]);
		buf_puts(&text, "; ");
	}
	if (strcmp(text.data, expected) != 0)
		fprintf(stderr, "pattern %s\n", pattern);
	assert_string_equal(text.data, expected);
	buf_release(&text);
	close_all(&opened);
}

static void test_patterns(void **state)
{
	(void)state;
	tool_write_text("first.c", first_c);
	must_run(tool_run("gcc -g -c first.c"));
	must_select("first.o", "conf", "struct conf; ");
	must_select("first.o", "struct conf", "struct conf; ");
	must_select("first.o", "class  conf", "struct conf; ");
	must_select("first.o", "union conf", "");
	must_select("first.o", "union u", "union u; ");
	must_select("first.o", "point", "struct point [typedef]; ");
	must_select("first.o", "twin", "struct twin; "); /* tags win over typedefs */
	must_select("first.o", "twi[n]", "struct twin; struct twin [typedef]; ");
	must_select("first.o", "tagged_t", "struct tagged; "); /* see test_aliases */
	must_select("first.o", "t*", "struct tagged; struct twin; struct twin [typedef]; ");
	must_select("first.o", "in_block", "union f()::in_block [local]; ");
	must_select(
		"first.o", "local", "struct f()::local [local]; struct twice()::local [local]; ");
	must_select("first.o", "f::local", "struct f()::local [local]; ");
	must_select("first.o", "f()::local", "struct f()::local [local]; ");
	must_select(
		"first.o", "struct f::*", "struct f()::inner [local]; struct f()::local [local]; ");
	must_select("first.o", "*::local",
		"struct f()::local [local]; struct twice()::local [local]; ");
	must_select("first.o", "::conf", "struct conf; ");
	must_select("first.o", "::local", "");
	must_select("first.o", "::f::local", "struct f()::local [local]; ");
	must_select("first.o", "conf*", "struct conf; ");
	must_select("first.o", "con\\f", "struct conf; ");
	must_select("first.o", "", "");
}

static void test_patterns_cxx(void **state)
{
	(void)state;
	if (!have("g++"))
		skip();
	tool_write_text("scopes.cc", scopes_cc);
	must_run(tool_run("g++ -std=c++17 -g -c scopes.cc -o scopes.o"));
	must_select("scopes.o", "Outer::Inner", "struct ns::Outer::Inner; ");
	must_select("scopes.o", "ns::Outer::Inner", "struct ns::Outer::Inner; ");
	must_select("scopes.o", "::ns::Outer::Inner", "struct ns::Outer::Inner; ");
	must_select("scopes.o", "::Outer::Inner", "");
	must_select("scopes.o", "uter::Inner", "");
	must_select("scopes.o", "struct Secret", "class ns::Outer::Secret; ");
	must_select("scopes.o", "ns::Tpl<int, 3>", "struct ns::Tpl<int, 3>; ");
	must_select("scopes.o", "Tpl<int, 3>::Nest", "struct ns::Tpl<int, 3>::Nest; ");
	must_select("scopes.o", "Tpl<int*", "struct ns::Tpl<int, 3>; ");
	must_select("scopes.o", "Outer::m::InMethod", "struct ns::Outer::m()::InMethod [local]; ");
	must_select("scopes.o", "n*Secret", "class ns::Outer::Secret; ");
	must_select("scopes.o", "ns*Tpl<int, 3>?:N*", "struct ns::Tpl<int, 3>::Nest; ");
	must_select("scopes.o", "ns::(anonymous namespace)::*",
		"struct ns::(anonymous namespace)::Hidden; ");
	must_select(
		"scopes.o", "Outer::[IL]*r", "struct ns::Outer::Inner; struct ns::Outer::Later; ");
}

static void test_name_matches(void **state)
{
	static const struct {
		const char *pattern, *scope, *name;
		bool matches;
	} cases[] = {
		{"file", NULL, "file", true},
		{"file", "f()", "file", true},
		{"struct file", NULL, "file", true},
		{"union file", NULL, "file", true}, /* the kind is not asked here */
		{"structfile", NULL, "file", false},
		{"struct", NULL, "struct", true},
		{"file", NULL, "files", false},
		{"fil?", NULL, "file", true},
		{"f::x", "f()", "x", true},
		{"f()::x", "f()", "x", true},
		{"g::f::x", "g()::f()", "x", true},
		{"f::x", "g()::f()", "x", true},
		{"g::x", "g()::f()", "x", false},
		{"ff::x", "f()", "x", false},
		{"f::x", "ff()", "x", false},
		{"f::x", NULL, "x", false},
		{"f::*", "f()", "x", true},
		{"a::f::*", "a::f()", "x", true},
		{"a::*", "a::b::c", "x", true},
		{"b::*", "a::b::c", "x", true},
		{"::b::*", "a::b::c", "x", false},
		{"a*", "a", "x", true}, /* as lists show it */
		{"a*", "b::a", "x", false},
		{"a*x<*", "a::b", "x<int>", true},
		{"::a*", "a", "x", false},
		{"f*", "f()", "x", false},
		{"Option<&str>", "core::option", "Option<&str>", true},
		{"Map<int*, ns::T<3> >", NULL, "Map<int*, ns::T<3> >", true},
		{"x::Map<int*, ns::T<3> >", "x", "Map<int*, ns::T<3> >", true},
		{"&dyn core::fmt::Write", NULL, "&dyn core::fmt::Write", true},
		{"&[u8]", NULL, "&[u8]", true},
		{"Server", NULL, "net/http.Server", true},
		{"http.Server", NULL, "net/http.Server", true},
		{"net/http.Server", NULL, "net/http.Server", true},
		{"::Server", NULL, "net/http.Server", false},
		{"::net/http.Server", NULL, "net/http.Server", true},
		{"erver", NULL, "net/http.Server", false},
		{"http", NULL, "net/http.Server", false},
		{"S*r", NULL, "net/http.Server", true},
		{"::S*r", NULL, "net/http.Server", false},
		{"struct g", NULL, ".runtime.g", true},
		{"runtime.g", NULL, ".runtime.g", true},
		{"Node", NULL, "gopkg.in/yaml%2ev3.Node", true},
		{"yaml%2ev3.Node", NULL, "gopkg.in/yaml%2ev3.Node", true},
		{"Pair[int,main.T]", NULL, "main.Pair[int,main.T]", true},
		{"T]", NULL, "main.Pair[int,main.T]", false},
		{"T", NULL, "[]main.T", false},
		{"T", NULL, "map[a/b]main.T", false},
		{"y", NULL, "x.", false},
		{"", NULL, "x.", false},
		{"b", "ns", "a.b", false}, /* no such language has both */
		{"", NULL, "x", false},
		{"::", NULL, "x", false},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		bool matches = index_name_matches(cases[i].pattern, cases[i].scope, cases[i].name);
		if (matches != cases[i].matches)
			fprintf(stderr, "%s against %s, %s\n", cases[i].pattern, cases[i].scope,
				cases[i].name);
		assert_int_equal(matches, cases[i].matches);
	}
}

static void test_name_is_respelt(void **state)
{
	static const struct {
		const char *pattern, *scope, *name;
		bool is_respelt;
	} cases[] = {
		{"Buf<long,3>", NULL, "Buf<long int, 3>", true},
		{"Buf<long,3>", "ns", "Buf<long int, 3>", true},
		{"ns::Buf<long,3>", "ns", "Buf<long int, 3>", true},
		{"struct ns::Buf<long,3>", "ns", "Buf<long int, 3>", true},
		{"::Buf<long,3>", "ns", "Buf<long int, 3>", false},
		{"mns::Buf<long,3>", "ns", "Buf<long int, 3>", false},
		{"ns::Buf<long,3>", "mns", "Buf<long int, 3>", false},
		{"Buf<unsigned long,3>", NULL, "Buf<long int, 3>", false},
		{"Map<A<B>>", NULL, "Map<A<B> >", true},
		{"Map<A<B> >", NULL, "Map<A<B>>", true},
		{"Map<int *>", NULL, "Map<int*>", true},
		{"Map<int,2>::Nest", "Map<int, 2>", "Nest", true},
		{"Map<int,3>::Nest", "Map<int, 2>", "Nest", false},
		{"A<B>>", NULL, "Map<A<B> >", false},
		{"file", NULL, "file", false}, /* of a template only */
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		bool respelt = index_name_is_respelt(
			cases[i].pattern, cases[i].scope, cases[i].name);
		if (respelt != cases[i].is_respelt)
			fprintf(stderr, "%s against %s, %s\n", cases[i].pattern, cases[i].scope,
				cases[i].name);
		assert_int_equal(respelt, cases[i].is_respelt);
	}
}

static void test_is_glob(void **state)
{
	(void)state;
	assert_true(index_is_glob("file*"));
	assert_true(index_is_glob("fil?"));
	assert_true(index_is_glob("[ab]c"));
	assert_true(index_is_glob("ns::*"));
	assert_true(index_is_glob("Vec<int*")); /* no template arguments: they do not end */
	assert_false(index_is_glob("file"));
	assert_false(index_is_glob("Vec<int*, T[3]>"));
	assert_false(index_is_glob("Fn<fn(*u8) -> *u8>"));
	assert_true(index_is_glob("Vec<int*>*"));
	assert_false(index_is_glob("ns::operator*()::x"));
	assert_false(index_is_glob("operator[]()::x"));
	assert_false(index_is_glob("operator()()::x"));
	assert_true(index_is_glob("myoperator*"));
	assert_true(index_is_glob("operator_*"));
	assert_false(index_is_glob("a\\*"));
	assert_false(index_is_glob("a\\"));
	assert_false(index_is_glob(""));
}

/* ---- sections made by hand ---- */

struct made {
	struct buf info, abbrev, str, line_str, str_offsets;
	bool big_endian;
};

static void made_init(struct made *made)
{
	memset(made, 0, sizeof(*made));
	buf_init(&made->info);
	buf_init(&made->abbrev);
	buf_init(&made->str);
	buf_init(&made->line_str);
	buf_init(&made->str_offsets);
}

static void made_release(struct made *made)
{
	buf_release(&made->info);
	buf_release(&made->abbrev);
	buf_release(&made->str);
	buf_release(&made->line_str);
	buf_release(&made->str_offsets);
}

static void put_bytes(struct buf *out, const uint8_t *bytes, size_t count)
{
	buf_add(out, bytes, count);
}

#define PUT(out, ...)                                                                              \
	put_bytes(out, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static void put_uint(struct made *made, struct buf *out, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		buf_putc(out, (char)(value >> 8 * (made->big_endian ? size - 1 - i : i)));
}

/* The unit around a body: DWARF 4 or 5, abbreviations at 0. */
static void put_unit(struct made *made, unsigned version, bool is_64bit, const struct buf *body)
{
	struct buf *out = &made->info;
	unsigned offset = is_64bit ? 8 : 4;
	if (is_64bit)
		put_uint(made, out, 0xffffffff, 4);
	put_uint(made, out, 2 + (version >= 5 ? 2u : 1u) + offset + body->length, offset);
	put_uint(made, out, version, 2);
	if (version >= 5)
		PUT(out, DW_UT_compile, 8);
	put_uint(made, out, 0, offset);
	if (version < 5)
		PUT(out, 8);
	buf_add(out, body->data, body->length);
}

/* Copies of exactly the right size, so that a sanitizer sees each byte too many. */
static struct error *build_made(
	struct arena *arena, const struct made *made, unsigned jobs, struct index *ret)
{
	static const struct {
		enum object_section_id id;
		size_t member;
	} sections[] = {
		{OBJECT_DEBUG_INFO, offsetof(struct made, info)},
		{OBJECT_DEBUG_ABBREV, offsetof(struct made, abbrev)},
		{OBJECT_DEBUG_STR, offsetof(struct made, str)},
		{OBJECT_DEBUG_LINE_STR, offsetof(struct made, line_str)},
		{OBJECT_DEBUG_STR_OFFSETS, offsetof(struct made, str_offsets)},
	};
	struct object object = {
		.path = "made", .types = {.pointer_bytes = 8, .big_endian = made->big_endian}};
	char *copies[5];
	for (size_t i = 0; i < 5; i++) {
		const struct buf *buf = (const void *)((const char *)made + sections[i].member);
		copies[i] = malloc(buf->length ? buf->length : 1);
		memcpy(copies[i], buf->data, buf->length);
		object.sections[sections[i].id].data =
			buf->length ? (const uint8_t *)copies[i] : NULL;
		object.sections[sections[i].id].size = buf->length;
	}
	struct index_query query = {.jobs = jobs};
	struct error *error = index_build(arena, &object, &query, ret);
	/* of a damaged file, who asks for one name sees less of the damage */
	for (size_t i = 0; !error && !ret->damage_count && i < ret->count; i++) {
		const char *name = ret->defs[i].name;
		struct index_query by_name = {.patterns = &name, .pattern_count = 1, .jobs = jobs};
		struct index one;
		if (strchr(name, ':') || index_is_glob(name))
			continue;
		must(index_build(arena, &object, &by_name, &one));
		char *expected = listing_of(ret, name), *found = listing(&one, true, true);
		assert_string_equal(found, expected);
		mem_free(expected);
		mem_free(found);
	}
	if (!error) { /* names point into the sections */
		char *text = listing(ret, true, true);
		const char **lines = arena_new(arena, 1, sizeof(*lines));
		*lines = arena_strdup(arena, text);
		ret->names = lines;
		mem_free(text);
	}
	for (size_t i = 0; i < 5; i++)
		free(copies[i]);
	return error;
}

/* All forms before the name of a struct, so that one that is skipped wrongly loses it. */
static void put_all_forms(struct made *made, struct buf *body, unsigned version, bool is_64bit)
{
	unsigned offset = is_64bit ? 8 : 4;
	static const uint8_t ignored[] = {DW_FORM_addr, DW_FORM_block2, DW_FORM_block4,
		DW_FORM_data2, DW_FORM_data4, DW_FORM_data8, DW_FORM_string, DW_FORM_block,
		DW_FORM_block1, DW_FORM_data1, DW_FORM_flag, DW_FORM_sdata, DW_FORM_strp,
		DW_FORM_udata, DW_FORM_ref_addr, DW_FORM_ref1, DW_FORM_ref2, DW_FORM_ref4,
		DW_FORM_ref8, DW_FORM_ref_udata, DW_FORM_indirect, DW_FORM_sec_offset,
		DW_FORM_exprloc, DW_FORM_flag_present, DW_FORM_strx, DW_FORM_addrx,
		DW_FORM_ref_sup4, DW_FORM_strp_sup, DW_FORM_data16, DW_FORM_line_strp,
		DW_FORM_ref_sig8, DW_FORM_implicit_const, DW_FORM_loclistx, DW_FORM_rnglistx,
		DW_FORM_ref_sup8, DW_FORM_strx1, DW_FORM_strx2, DW_FORM_strx3, DW_FORM_strx4,
		DW_FORM_addrx1, DW_FORM_addrx2, DW_FORM_addrx3, DW_FORM_addrx4};
	struct buf *abbrev = &made->abbrev;
	(void)version;
	PUT(abbrev, 1, 0x11, 1, 0, 0); /* compile unit */
	PUT(abbrev, 2, DW_TAG_structure_type, 0);
	for (size_t i = 0; i < sizeof(ignored); i++) {
		PUT(abbrev, 0x31 + (i & 1 ? 0x0f : 0x2b),
			ignored[i]); /* attributes that nobody reads */
		if (ignored[i] == DW_FORM_implicit_const)
			PUT(abbrev, 0x80, 0x7f);
	}
	PUT(abbrev, 0x40, 0x81, 0x3e, 0x40, 0x82, 0x3e, 0x40, 0xa0, 0x3e, 0x40, 0xa1,
		0x3e); /* GNU forms */
	PUT(abbrev, DW_AT_name, DW_FORM_string, DW_AT_byte_size, DW_FORM_data1, 0, 0, 0);
	PUT(body, 1, 2);
	for (size_t i = 0; i < sizeof(ignored); i++) {
		switch (ignored[i]) {
		case DW_FORM_addr:
		case DW_FORM_data8:
		case DW_FORM_ref8:
		case DW_FORM_ref_sig8:
		case DW_FORM_ref_sup8:
			put_uint(made, body, 0x0202020202020202, 8);
			break;
		case DW_FORM_block2:
			put_uint(made, body, 3, 2);
			PUT(body, 2, 2, 2);
			break;
		case DW_FORM_block4:
			put_uint(made, body, 1, 4);
			PUT(body, 2);
			break;
		case DW_FORM_data2:
		case DW_FORM_ref2:
		case DW_FORM_strx2:
		case DW_FORM_addrx2:
			put_uint(made, body, 0x0202, 2);
			break;
		case DW_FORM_data4:
		case DW_FORM_ref4:
		case DW_FORM_ref_sup4:
		case DW_FORM_strx4:
		case DW_FORM_addrx4:
			put_uint(made, body, 0x02020202, 4);
			break;
		case DW_FORM_string:
			PUT(body, 'a', 2, 0);
			break;
		case DW_FORM_block:
		case DW_FORM_exprloc:
		case DW_FORM_block1:
			PUT(body, 2, 2, 2);
			break;
		case DW_FORM_strp:
		case DW_FORM_ref_addr:
		case DW_FORM_sec_offset:
		case DW_FORM_strp_sup:
		case DW_FORM_line_strp:
			put_uint(made, body, 0x02020202, offset);
			break;
		case DW_FORM_sdata:
		case DW_FORM_udata:
		case DW_FORM_ref_udata:
		case DW_FORM_strx:
		case DW_FORM_addrx:
		case DW_FORM_loclistx:
		case DW_FORM_rnglistx:
			PUT(body, 0x82, 0x82, 0x02);
			break;
		case DW_FORM_indirect:
			PUT(body, DW_FORM_block1, 1, 2);
			break;
		case DW_FORM_flag_present:
		case DW_FORM_implicit_const:
			break;
		case DW_FORM_data16:
			put_uint(made, body, 0x0202020202020202, 8);
			put_uint(made, body, 0x0202020202020202, 8);
			break;
		case DW_FORM_strx3:
		case DW_FORM_addrx3:
			PUT(body, 2, 2, 2);
			break;
		default: /* one byte */
			PUT(body, 2);
			break;
		}
	}
	PUT(body, 0x82, 0x02, 0x82, 0x02);
	put_uint(made, body, 0x02020202, offset);
	put_uint(made, body, 0x02020202, offset);
	buf_add(body, "found\0\x08\0", 8);
}

static void test_all_forms(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < 8; kind++) {
		struct made made;
		struct buf body;
		struct arena arena;
		struct index index;
		made_init(&made);
		buf_init(&body);
		arena_init(&arena);
		made.big_endian = kind & 1;
		put_all_forms(&made, &body, kind & 2 ? 5 : 4, kind & 4);
		put_unit(&made, kind & 2 ? 5 : 4, kind & 4, &body);
		must(build_made(&arena, &made, 1, &index));
		assert_int_equal(index.count, 1);
		assert_int_equal(strncmp(index.names[0], "struct found x1 of 1 ", 21), 0);
		arena_release(&arena);
		buf_release(&body);
		made_release(&made);
	}
}

/* A name by each form of string, two to each other's test. */
static void test_string_forms(void **state)
{
	static const uint8_t forms[] = {DW_FORM_string, DW_FORM_strp, DW_FORM_line_strp,
		DW_FORM_strx, DW_FORM_strx1, DW_FORM_strx2, DW_FORM_strx3, DW_FORM_strx4,
		DW_FORM_indirect};
	(void)state;
	for (size_t i = 0; i < sizeof(forms); i++) {
		struct made made;
		struct buf body;
		struct arena arena;
		struct index index;
		made_init(&made);
		buf_init(&body);
		arena_init(&arena);
		made.big_endian = i & 1;
		PUT(&made.abbrev, 1, 0x11, 1, DW_AT_str_offsets_base, DW_FORM_sec_offset, 0, 0);
		PUT(&made.abbrev, 2, DW_TAG_union_type, 0, DW_AT_name, forms[i], DW_AT_byte_size,
			DW_FORM_data1, 0, 0, 0);
		buf_add(&made.str, "x\0by_place\0", 11);
		buf_add(&made.line_str, "y\0by_place\0", 11);
		put_uint(&made, &made.str_offsets, 0xffff, 4); /* before the base */
		put_uint(&made, &made.str_offsets, 0, 4);
		put_uint(&made, &made.str_offsets, 2, 4);
		PUT(&body, 1);
		put_uint(&made, &body, 4, 4);
		PUT(&body, 2);
		switch (forms[i]) {
		case DW_FORM_string:
			buf_add(&body, "by_place", 9);
			break;
		case DW_FORM_strp:
		case DW_FORM_line_strp:
			put_uint(&made, &body, 2, 4);
			break;
		case DW_FORM_indirect:
			PUT(&body, DW_FORM_strp);
			put_uint(&made, &body, 2, 4);
			break;
		case DW_FORM_strx2:
			put_uint(&made, &body, 1, 2);
			break;
		case DW_FORM_strx3:
			put_uint(&made, &body, 1, 3);
			break;
		case DW_FORM_strx4:
			put_uint(&made, &body, 1, 4);
			break;
		default:
			PUT(&body, 1);
			break;
		}
		PUT(&body, 8, 0);
		put_unit(&made, 5, false, &body);
		must(build_made(&arena, &made, 1, &index));
		assert_int_equal(index.count, 1);
		assert_int_equal(strncmp(index.names[0], "union by_place x1 of 1 ", 23), 0);
		arena_release(&arena);
		buf_release(&body);
		made_release(&made);
	}
}

/* Codes of abbreviations in any order, with gaps, and more than a byte long. */
static void test_sparse_codes(void **state)
{
	struct made made;
	struct buf body;
	struct arena arena;
	struct index index;
	(void)state;
	made_init(&made);
	buf_init(&body);
	arena_init(&arena);
	PUT(&made.abbrev, 1, 0x11, 1, 0, 0);
	PUT(&made.abbrev, 0xff, 0xff, 0x7f, DW_TAG_structure_type, 0, DW_AT_name, DW_FORM_string, 0,
		0);
	PUT(&made.abbrev, 7, DW_TAG_union_type, 0, DW_AT_name, DW_FORM_string, 0, 0);
	PUT(&made.abbrev, 2, DW_TAG_class_type, 0, DW_AT_name, DW_FORM_string, 0, 0, 0);
	PUT(&body, 1, 7, 'a', 0, 0xff, 0xff, 0x7f, 'b', 0, 2, 'c', 0, 0x82, 0x80, 0x00, 'd', 0, 0);
	put_unit(&made, 4, false, &body);
	must(build_made(&arena, &made, 1, &index));
	assert_int_equal(index.count, 4);
	assert_non_null(strstr(index.names[0], "union a "));
	assert_non_null(strstr(index.names[0], "struct b "));
	assert_non_null(strstr(index.names[0], "class c "));
	assert_non_null(strstr(index.names[0], "class d "));
	arena_release(&arena);
	buf_release(&body);
	made_release(&made);
}

/* ---- damage ---- */

/* The first damage names its place and says `what`, and does so with any number of threads. */
static void must_fail(const struct made *made, const char *section, const char *what)
{
	char *first = NULL;
	for (unsigned jobs = 1; jobs <= 4; jobs += 3) {
		struct arena arena;
		struct index index;
		arena_init(&arena);
		struct error *error = build_made(&arena, made, jobs, &index);
		if (!error) { /* what is beside it is there */
			assert_true(index.damage_count && index.count);
			error = error_new("%s", index.damage[0]);
		}
		if (!strstr(error->message, what))
			fprintf(stderr, "%s\n", error->message);
		assert_int_equal(strncmp(error->message, "made: ", 6), 0);
		assert_int_equal(strncmp(error->message + 6, section, strlen(section)), 0);
		assert_non_null(strstr(error->message, "+0x"));
		assert_non_null(strstr(error->message, what));
		assert_non_null(strstr(error->message, "; ")); /* what to do */
		assert_null(strchr(error->message, '\n'));
		if (first)
			assert_string_equal(first, error->message);
		else
			first = strdup(error->message);
		error_free(error);
		arena_release(&arena);
	}
	free(first);
}

/* Abbreviations for the bodies below. */
static void put_abbrevs(struct made *made)
{
	PUT(&made->abbrev, 1, 0x11, 1, 0, 0);
	PUT(&made->abbrev, 2, DW_TAG_structure_type, 1, DW_AT_name, DW_FORM_string, DW_AT_byte_size,
		DW_FORM_data1, 0, 0);
	PUT(&made->abbrev, 3, DW_TAG_member, 0, DW_AT_name, DW_FORM_string, DW_AT_type,
		DW_FORM_ref4, 0, 0);
	PUT(&made->abbrev, 4, DW_TAG_structure_type, 1, DW_AT_sibling, DW_FORM_ref4, DW_AT_name,
		DW_FORM_strp, 0, 0);
	PUT(&made->abbrev, 5, DW_TAG_pointer_type, 0, DW_AT_type, DW_FORM_ref4, 0, 0);
	PUT(&made->abbrev, 6, 0x0b, 1, 0, 0); /* lexical block */
	PUT(&made->abbrev, 7, DW_TAG_structure_type, 1, DW_AT_byte_size, DW_FORM_data1, 0, 0);
	PUT(&made->abbrev, 8, DW_TAG_base_type, 0, DW_AT_name, DW_FORM_block, 0, 0);
	PUT(&made->abbrev, 9, 0x34, 0, 0x02, DW_FORM_exprloc, 0, 0);
	PUT(&made->abbrev, 10, DW_TAG_structure_type, 0, DW_AT_name, DW_FORM_strx, 0, 0);
	PUT(&made->abbrev, 11, 0x34, 0, 0x02, DW_FORM_indirect, 0, 0);
	PUT(&made->abbrev, 12, DW_TAG_array_type, 1, DW_AT_sibling, DW_FORM_ref4, 0, 0);
	PUT(&made->abbrev, 13, DW_TAG_array_type, 1, DW_AT_sibling, DW_FORM_ref_udata, 0, 0, 0);
	buf_add(&made->str, "ab", 2); /* without its NUL */
}

static void body_must_fail(const uint8_t *bytes, size_t count, const char *what)
{
	struct made made;
	struct buf body;
	made_init(&made);
	buf_init(&body);
	put_abbrevs(&made);
	buf_add(&body, bytes, count);
	put_unit(&made, 4, false, &body);
	must_fail(&made, ".debug_info", what);
	buf_release(&body);
	made_release(&made);
}

#define BODY_MUST_FAIL(what, ...)                                                                  \
	body_must_fail((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}), what)

static void test_damaged_dies(void **state)
{
	(void)state;
	/* the first DIE is at 0xb of the unit */
	BODY_MUST_FAIL("a DIE has a code that its abbreviation table lacks", 1, 99, 0);
	BODY_MUST_FAIL("the code of a DIE runs past the end", 1, 0x80);
	BODY_MUST_FAIL("the code of a DIE", 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0xff, 0xff, 0x01, 0);
	BODY_MUST_FAIL("past the end of", 1, 2, 'a', 'b');   /* name without its end */
	BODY_MUST_FAIL("past the end of", 1, 2, 'a', 0);     /* no size */
	BODY_MUST_FAIL("past the end of", 1, 9, 0x05, 1, 2); /* block too long */
	BODY_MUST_FAIL("past the end of", 1, 9, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0xff, 0x01, 1);
	BODY_MUST_FAIL("past the end of", 1, 11, 0x16, 0x0b, 1); /* indirect of indirect */
	BODY_MUST_FAIL("past the end of", 1, 11, 0x7e, 1);       /* indirect of nothing known */
	BODY_MUST_FAIL("sibling", 1, 12, 0x0c, 0, 0, 0, 0, 0);   /* backwards: to itself */
	BODY_MUST_FAIL("sibling", 1, 12, 0x0d, 0, 0, 0, 0, 0);   /* into its attributes */
	BODY_MUST_FAIL("sibling", 1, 12, 0xff, 0, 0, 0, 0, 0);   /* out of the unit */
	BODY_MUST_FAIL("sibling", 1, 13, 0x0c, 0, 0);
	BODY_MUST_FAIL("sibling", 1, 13, 0xff, 1, 0, 0);
	BODY_MUST_FAIL("outside of its string section", 1, 4, 0x16, 0, 0, 0, 9, 0, 0, 0, 0, 0);
	BODY_MUST_FAIL("outside of its string section", 1, 4, 0x16, 0, 0, 0, 0, 0, 0, 0, 0,
		0); /* no NUL */
	BODY_MUST_FAIL(".debug_str_offsets", 1, 10, 5, 0);
	BODY_MUST_FAIL("refers to a place where no DIE is", 1, 2, 's', 0, 8, 3, 'm', 0, 0xff, 0xff,
		0, 0, 0, 0);
	BODY_MUST_FAIL("there is none", 1, 2, 's', 0, 8, 3, 'm', 0, 0x16, 0, 0, 0, 0, 0);
	/* an unnamed struct that contains itself; a pointer to itself */
	BODY_MUST_FAIL("nested more than 128 deep", 1, 2, 's', 0, 8, 3, 'm', 0, 0x18, 0, 0, 0, 0, 7,
		8, 3, 'n', 0, 0x18, 0, 0, 0, 0, 0);
	BODY_MUST_FAIL("nested more than 128 deep", 1, 2, 's', 0, 8, 3, 'm', 0, 0x18, 0, 0, 0, 0, 5,
		0x18, 0, 0, 0, 0);
}

static void test_deep_nesting(void **state)
{
	struct made made;
	struct buf body;
	(void)state;
	for (int depth = 1023; depth <= 1024; depth++) {
		made_init(&made);
		buf_init(&body);
		put_abbrevs(&made);
		PUT(&body, 1);
		buf_pad(&body, 6, (size_t)depth);
		buf_pad(&body, 0, (size_t)depth + 1);
		put_unit(&made, 4, false, &body);
		if (depth == 1024) {
			must_fail(&made, ".debug_info", "nested more than 1024 deep");
		} else {
			struct arena arena;
			struct index index;
			arena_init(&arena);
			must(build_made(&arena, &made, 1, &index));
			arena_release(&arena);
		}
		buf_release(&body);
		made_release(&made);
	}
}

static void header_must_fail(const char *what, const uint8_t *bytes, size_t count)
{
	struct made made;
	made_init(&made);
	put_abbrevs(&made);
	buf_add(&made.info, bytes, count);
	must_fail(&made, strstr(what, "table") ? ".debug_abbrev" : ".debug_info", what);
	made_release(&made);
}

#define HEADER_MUST_FAIL(what, ...)                                                                \
	header_must_fail(                                                                          \
		what, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static void test_damaged_headers(void **state)
{
	(void)state;
	HEADER_MUST_FAIL("cut off", 1, 2, 3);
	HEADER_MUST_FAIL("past the end of the section", 200, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8, 0);
	HEADER_MUST_FAIL("reserved", 0xf0, 0xff, 0xff, 0xff, 4, 0, 0, 0, 0, 0, 8, 0);
	HEADER_MUST_FAIL("cut off", 0xff, 0xff, 0xff, 0xff, 8, 0, 0, 0);
	HEADER_MUST_FAIL("past the end of the section", 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0xff, 0xff, 0xff, 0xff, 0xff, 4, 0);
	HEADER_MUST_FAIL("shorter than its header", 0, 0, 0, 0);
	HEADER_MUST_FAIL("shorter than its header", 4, 0, 0, 0, 4, 0, 0, 0);
	HEADER_MUST_FAIL("shorter than its header", 8, 0, 0, 0, 5, 0, 4, 8, 0, 0, 0, 0);
	HEADER_MUST_FAIL("version 6 is not known", 8, 0, 0, 0, 6, 0, 1, 8, 0, 0, 0, 0);
	HEADER_MUST_FAIL("version 1 is not known", 8, 0, 0, 0, 1, 0, 1, 8, 0, 0, 0, 0);
	HEADER_MUST_FAIL("a type that DWARF 5 does not know", 8, 0, 0, 0, 5, 0, 9, 8, 0, 0, 0, 0);
	HEADER_MUST_FAIL("1, 2, 4 or 8 bytes", 7, 0, 0, 0, 4, 0, 0, 0, 0, 0, 3);
	HEADER_MUST_FAIL("abbreviation table is outside", 8, 0, 0, 0, 4, 0, 0, 9, 0, 0, 8, 1);
}

static void abbrev_must_fail(const char *what, const uint8_t *bytes, size_t count)
{
	struct made made;
	struct buf body;
	made_init(&made);
	buf_init(&body);
	buf_add(&made.abbrev, bytes, count);
	PUT(&body, 1, 0);
	put_unit(&made, 5, false, &body);
	must_fail(&made, ".debug_abbrev", what);
	buf_release(&body);
	made_release(&made);
}

#define ABBREV_MUST_FAIL(what, ...)                                                                \
	abbrev_must_fail(                                                                          \
		what, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static void test_damaged_abbrevs(void **state)
{
	(void)state;
	ABBREV_MUST_FAIL("does not end", 1, 0x11, 1, 0, 0);
	ABBREV_MUST_FAIL("cut off", 1);
	ABBREV_MUST_FAIL("cut off", 1, 0x11);
	ABBREV_MUST_FAIL("cut off", 1, 0x11, 1, 3);
	ABBREV_MUST_FAIL("cut off", 1, 0x11, 1, 3, 0x8e);
	ABBREV_MUST_FAIL("cut off", 1, 0x11, 1, 3, DW_FORM_implicit_const, 0x80);
	ABBREV_MUST_FAIL("form 0x2d is not known", 1, 0x11, 1, 3, 0x2d, 0, 0, 0);
	ABBREV_MUST_FAIL("form 0x2 is not known", 1, 0x11, 1, 3, 2, 0, 0, 0);
	ABBREV_MUST_FAIL("form 0x1f03 is not known", 1, 0x11, 1, 3, 0x83, 0x3e, 0, 0, 0);
}

/* The first damage in the file is what is reported, although a later unit may be read before. */
static void test_first_damage(void **state)
{
	enum { UNITS = 400, BAD = 300 };
	struct made made;
	(void)state;
	made_init(&made);
	put_abbrevs(&made);
	for (int i = 0; i < UNITS; i++) {
		struct buf body;
		buf_init(&body);
		PUT(&body, 1);
		for (int j = 0; j < 2000; j++)
			buf_add(&body, "\2s\0\10\0", 5);
		PUT(&body, i >= BAD ? 99 : 0, 0);
		put_unit(&made, 4, false, &body);
		buf_release(&body);
	}
	char place[64];
	snprintf(place, sizeof(place),
		"+0x%zx:", made.info.length / UNITS * BAD + 11 + 1 + 2000 * 5);
	for (int repeat = 0; repeat < 5; repeat++)
		must_fail(&made, ".debug_info", place);
	made_release(&made);
}

/* Whatever the bytes are: an index or an error of one line. */
static void test_mutations(void **state)
{
	uint64_t seed = 0x1234567;
	(void)state;
	tool_write_text("first.c", first_c);
	must_run(tool_run("gcc -g -c first.c && clang -gdwarf-5 -c first.c -o second.o || cp "
			  "first.o second.o"));
	for (int i = 0; i < 1000; i++) {
		struct opened opened;
		struct made made;
		arena_init(&opened.arena);
		must(object_open(
			&opened.arena, tool_path(i & 1 ? "first.o" : "second.o"), &opened.object));
		made_init(&made);
		const struct object_section *s = opened.object.sections;
		buf_add(&made.info, s[OBJECT_DEBUG_INFO].data, s[OBJECT_DEBUG_INFO].size);
		buf_add(&made.abbrev, s[OBJECT_DEBUG_ABBREV].data, s[OBJECT_DEBUG_ABBREV].size);
		buf_add(&made.str, s[OBJECT_DEBUG_STR].data, s[OBJECT_DEBUG_STR].size);
		if (s[OBJECT_DEBUG_LINE_STR].size)
			buf_add(&made.line_str, s[OBJECT_DEBUG_LINE_STR].data,
				s[OBJECT_DEBUG_LINE_STR].size);
		if (s[OBJECT_DEBUG_STR_OFFSETS].size)
			buf_add(&made.str_offsets, s[OBJECT_DEBUG_STR_OFFSETS].data,
				s[OBJECT_DEBUG_STR_OFFSETS].size);
		for (int hit = 0; hit < 3; hit++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			struct buf *target = seed >> 60 & 1 ? &made.info : &made.abbrev;
			target->data[(seed >> 20) % target->length] = (char)(seed >> 40);
		}
		struct error *error = build_made(&opened.arena, &made, 1 + (i & 2), &opened.index);
		if (error)
			assert_null(strchr(error->message, '\n'));
		error_free(error);
		made_release(&made);
		close_all(&opened);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_compilers),
		cmocka_unit_test(test_shared_units),
		cmocka_unit_test(test_nothing_there),
		cmocka_unit_test(test_names_and_numbers),
		cmocka_unit_test(test_folding),
		cmocka_unit_test(test_folding_across_compilers),
		cmocka_unit_test(test_seeking),
		cmocka_unit_test(test_probe),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_cxx),
		cmocka_unit_test(test_aliases),
		cmocka_unit_test(test_split),
		cmocka_unit_test(test_patterns),
		cmocka_unit_test(test_patterns_cxx),
		cmocka_unit_test(test_name_matches),
		cmocka_unit_test(test_name_is_respelt),
		cmocka_unit_test(test_is_glob),
		cmocka_unit_test(test_all_forms),
		cmocka_unit_test(test_string_forms),
		cmocka_unit_test(test_sparse_codes),
		cmocka_unit_test(test_damaged_dies),
		cmocka_unit_test(test_deep_nesting),
		cmocka_unit_test(test_damaged_headers),
		cmocka_unit_test(test_damaged_abbrevs),
		cmocka_unit_test(test_first_damage),
		cmocka_unit_test(test_mutations),
	};
	return cmocka_run_group_tests(tests, tool_setup, tool_teardown);
}

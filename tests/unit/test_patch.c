/*
 * patch: declarations moved in real text. Each case is compiled for its layout, patched by a suggestion made by hand,
 * compiled again: the compiler says whether the members stand in the wanted order. The diff is applied with git apply and
 * with patch -p1, and must give the same bytes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "patch.h"
#include "patch/diff.h"
#include "patch/lex.h"
#include "read/dwarf.h"
#include "read/index.h"
#include "read/object.h"
#include "toolchain.h"

enum { PLACES_MAX = 64 };

/* ---- a struct of a compiled file ---- */

struct compiled {
	struct arena arena;
	struct object object;
	struct layout layout;
	enum type_kind kind;
};

static void must(struct error *error)
{
	if (error)
		fail_msg("%s", error->message);
}

static void compile(const char *file, const char *flags)
{
	bool is_cxx = strstr(file, ".cc") != NULL;
	if (tool_run("%s -g -O0 %s -c %s -o x.o", is_cxx ? "g++" : "gcc", flags, file))
		return;
	tool_show_log();
	fail_msg("%s does not compile", file);
}

static void compiled_open(struct compiled *c, const char *name)
{
	struct index_query query = {.patterns = &name, .pattern_count = 1, .jobs = 1};
	struct index index;
	struct dwarf_type type;
	memset(c, 0, sizeof(*c));
	arena_init(&c->arena);
	must(object_open(&c->arena, tool_path("x.o"), &c->object));
	must(index_build(&c->arena, &c->object, &query, &index));
	if (index.count != 1)
		fail_msg("%zu definitions of '%s'", index.count, name);
	const struct index_def *def = &index.defs[0];
	c->kind = def->kind;
	must(dwarf_read(&c->arena, &c->object, &def, 1, 1, &type));
	must(layout_build(&c->arena, type.types, type.id, def->name, 64, &c->layout));
}

static void compiled_close(struct compiled *c)
{
	object_close(&c->object);
	arena_release(&c->arena);
}

/* ---- suggestions by hand ---- */

/* The first name in a member: its own, or of an unnamed aggregate the first inside. */
static const char *field_of(const struct layout *layout, size_t index)
{
	while (index < layout->member_count && !*layout->members[index].name)
		index++;
	return layout->members[index].name;
}

struct wanted {
	struct suggest_place order[PLACES_MAX];
	struct suggest_move moves[PLACES_MAX];
	struct suggestion suggestion;
};

/* Members at the top, or in a sole unnamed struct (`depth` 1). */
static size_t list_places(const struct layout *layout, uint32_t depth, struct suggest_place *places)
{
	size_t count = 0;
	for (size_t i = 0; i < layout->member_count && count < PLACES_MAX; i++) {
		const struct layout_member *member = &layout->members[i];
		bool is_shell = depth == 1 && member->depth == 0 && !*member->name;
		if (member->depth > depth || is_shell ||
			(member->depth == 0 && member->is_artificial))
			continue;
		places[count++] = (struct suggest_place){.field = field_of(layout, i),
			.member = member,
			.before_bits = member->off_bits,
			.off_bits = member->off_bits};
	}
	return count;
}

/* `order` is every field by name, parted by blanks; "name@64" puts an alignment on it, "name!" says that this is what moves. */
static void want(struct compiled *c, uint32_t depth, const char *order, struct wanted *w)
{
	struct suggest_place today[PLACES_MAX];
	size_t count = list_places(&c->layout, depth, today);
	memset(w, 0, sizeof(*w));
	for (const char *at = order; *at; at += strspn(at, " ")) {
		size_t length = strcspn(at, " "), name = strcspn(at, " @!"), i = 0;
		while (i < count &&
			!(strlen(today[i].field) == name && memcmp(today[i].field, at, name) == 0))
			i++;
		if (i == count)
			fail_msg("no member '%.*s'", (int)name, at);
		if (name < length)
			w->moves[w->suggestion.move_count++] = (struct suggest_move){
				.field = today[i].field,
				.align_bytes = at[name] == '@' ? (uint32_t)atoi(at + name + 1) : 0};
		w->order[w->suggestion.order_count++] = today[i];
		at += length;
	}
	assert_int_equal(w->suggestion.order_count, count);
	w->suggestion.order = w->order;
	w->suggestion.moves = w->moves;
}

/* ---- one case ---- */

struct given {
	const char *text; /* of the file */
	const char *name; /* of the struct */
	const char *order;
	const char *file;    /* x.c without */
	const char *flags;   /* of the compiler */
	const char *expect;  /* the file afterwards; NULL: whatever compiles to that order */
	const char *refused; /* part of the error instead */
	uint32_t depth;
	bool is_kernel;
	const char *now; /* the text to be patched, when it is another than was compiled */
};

static struct error *run_patch(const struct given *g, struct compiled *c, struct wanted *w,
	struct patch_input *input, struct patch_result *result)
{
	static struct patch_change change;
	const char *keyword = type_keyword(c->kind);
	change = (struct patch_change){
		.layout = &c->layout, .keyword = keyword, .suggestion = &w->suggestion};
	*input = (struct patch_input){
		.file = g->file ? g->file : "x.c",
		.bytes = g->now ? g->now : g->text,
		.length = strlen(g->now ? g->now : g->text),
		.changes = &change,
		.change_count = 1,
		.is_kernel = g->is_kernel,
	};
	return patch_build(&c->arena, input, result);
}

/* Both tools make of the old text the new one. */
static void check_diff(
	struct compiled *c, const struct patch_input *input, const struct patch_result *result)
{
	static const char *const tools[] = {
		"git apply --whitespace=nowarn", "patch -s -p1 --binary -i"};
	struct buf diff;
	buf_init(&diff);
	patch_diff(&c->arena, input->file, input, result, &diff);
	tool_write("x.diff", diff.data, diff.length);
	tool_write("new", result->bytes, result->length);
	for (size_t i = 0; i < 2; i++) {
		tool_run("rm -rf tree && mkdir -p $(dirname tree/%s)", input->file);
		char name[80];
		snprintf(name, sizeof(name), "tree/%s", input->file);
		tool_write(name, input->bytes, input->length);
		if (!tool_run("(cd tree && GIT_DIR=/nonexistent GIT_CEILING_DIRECTORIES=/ %s "
			      "../x.diff) && "
			      "cmp 'tree/%s' new",
			    tools[i], input->file)) {
			tool_show_log();
			fail_msg("%s:\n%s", tools[i], diff.data);
		}
	}
	buf_release(&diff);
}

static void check_order(const struct given *g, const struct wanted *w)
{
	struct compiled c;
	struct suggest_place places[PLACES_MAX];
	compiled_open(&c, g->name);
	size_t count = list_places(&c.layout, g->depth, places);
	assert_int_equal(count, w->suggestion.order_count);
	for (size_t i = 0; i < count; i++) {
		assert_string_equal(places[i].field, w->order[i].field);
		if (i && places[i].off_bits < places[i - 1].off_bits)
			fail_msg("'%s' lies before '%s'", places[i].field, places[i - 1].field);
	}
	for (size_t i = 0; i < w->suggestion.move_count; i++)
		for (size_t k = 0; k < count && w->moves[i].align_bytes; k++)
			if (strcmp(places[k].field, w->moves[i].field) == 0)
				assert_int_equal(
					places[k].off_bits % (8 * w->moves[i].align_bytes), 0);
	compiled_close(&c);
}

static void run(const struct given *g)
{
	const char *file = g->file ? g->file : "x.c", *flags = g->flags ? g->flags : "";
	struct compiled c;
	struct wanted w;
	struct patch_input input;
	struct patch_result result;
	tool_write_text(file, g->text);
	compile(file, flags);
	compiled_open(&c, g->name);
	want(&c, g->depth, g->order, &w);
	struct error *error = run_patch(g, &c, &w, &input, &result);
	if (g->refused) {
		if (!error)
			fail_msg("not refused, but:\n%.*s", (int)result.length, result.bytes);
		if (!strstr(error->message, g->refused) || !strstr(error->message, "; "))
			fail_msg("'%s' lacks '%s', or a next step", error->message, g->refused);
		error_free(error);
		compiled_close(&c);
		return;
	}
	must(error);
	char *text = arena_strndup(&c.arena, result.bytes, result.length);
	if (g->expect && strcmp(text, g->expect) != 0)
		fail_msg("expected:\n%s\nis:\n%s", g->expect, text);
	if (result.is_changed)
		check_diff(&c, &input, &result);
	tool_write(file, result.bytes, result.length);
	compile(file, flags);
	check_order(g, &w);
	compiled_close(&c);
}

/* ---- comments and blank lines ---- */

static void test_comments(void **state)
{
	(void)state;
	run(&(struct given){
		.text = "struct s {\n"
			"\tint first;\t/* the first */\n"
			"\n"
			"\t/* How many there are,\n"
			"\t * and were. */\n"
			"\tlong count;\t/* counted */\n"
			"\tshort next;\t// the next\n"
			"\t\t\t// one\n"
			"\tchar *name;\n"
			"};\n"
			"struct s s;\n",
		.name = "s",
		.order = "first next name count",
		.expect = "struct s {\n"
			  "\tint first;\t/* the first */\n"
			  "\n"
			  "\tshort next;\t// the next\n"
			  "\t\t\t// one\n"
			  "\tchar *name;\n"
			  "\t/* How many there are,\n"
			  "\t * and were. */\n"
			  "\tlong count;\t/* counted */\n"
			  "};\n"
			  "struct s s;\n",
	});
	run(&(struct given){
		.text = "struct s {\n\tint a;\n\n\t/* all the rest */\n\n\tlong b;\n\tshort c;\t/* "
			"x */\n"
			"\t\t\t/* y */\n};\nstruct s s;\n",
		.name = "s",
		.order = "c! a b",
		.expect = "struct s {\n\tshort c;\t/* x */\n\t\t\t/* y */\n\tint a;\n\n\t/* all "
			  "the rest */\n\n"
			  "\tlong b;\n};\nstruct s s;\n",
	});
}

static void test_headings(void **state)
{
	(void)state;
	run(&(struct given){
		.text = "struct s {\n\t/*< private >*/\n\tint a;\n\tint b;\n\t/* x */\n\tint "
			"c;\n};\nstruct s s;\n",
		.name = "s",
		.order = "c! b a!",
		.expect = "struct s {\n\t/*< private >*/\n\t/* x */\n\tint c;\n\tint b;\n"
			  "\tint a;\n};\nstruct s s;\n",
	});
	/* it speaks of several, and stays with them; a boundary is a place */
	run(&(struct given){
		.text = "struct s {\n\t/* The following are read-mostly */\n\tint a;\n\tint b;\n"
			"\t/* --- cacheline 1 boundary (64 bytes) --- */\n\tint c;\n\tint "
			"d;\n};\nstruct s s;\n",
		.name = "s",
		.order = "b c a! d",
		.expect = "struct s {\n\t/* The following are read-mostly */\n\tint b;\n"
			  "\t/* --- cacheline 1 boundary (64 bytes) --- */\n"
			  "\tint c;\n\tint a;\n\tint d;\n};\nstruct s s;\n",
	});
}

static void test_blank_lines(void **state)
{
	(void)state;
	run(&(struct given){
		.text = "struct s {\n\tint a;\n\n\tint b;\n\n\tint c;\n};\nstruct s s;\n",
		.name = "s",
		.order = "a c b!",
		.expect = "struct s {\n\tint a;\n\n\tint c;\n\tint b;\n};\nstruct s s;\n",
	});
	run(&(struct given){
		.text = "struct s {\n\tint a;\n\n\tint b;\n\n\tint c;\n};\nstruct s s;\n",
		.name = "s",
		.order = "b c a!",
		.expect = "struct s {\n\tint b;\n\n\tint c;\n\tint a;\n};\nstruct s s;\n",
	});
	run(&(struct given){
		.text = "struct s {\n\tint a;\n\n\tint b;\n\n\tint c;\n};\nstruct s s;\n",
		.name = "s",
		.order = "c! a b",
		.expect = "struct s {\n\tint c;\n\tint a;\n\n\tint b;\n};\nstruct s s;\n",
	});
}

/* ---- declarations ---- */

static void test_declarations(void **state)
{
	(void)state;
	static const char head[] =
		"#include <stdint.h>\n#define ALIGNED(n) __attribute__((aligned(n)))\n"
		"struct list { struct list *next, *prev; };\n";
	static const struct {
		const char *body, *order;
	} cases[] = {
		{"\tint (*open)(int mode, const char *path);\n\tchar *names[4][2];\n\tuint8_t x;\n",
			"x names open"},
		{"\tint (*(*get)(int))[3];\n\tvoid (*handlers[8])(void);\n\tint a;\n",
			"a handlers get"},
		{"\tstruct list list;\n\tconst struct list *const "
		 "*list_of;\n\tunsigned\n\t\tlong\n\t\tlong_one;\n",
			"long_one list list_of"},
		{"\tunion {\n\t\tint i;\n\t\tfloat f;\n\t};\n\tstruct {\n\t\tchar c;\n\t\tlong "
		 "l;\n\t};\n\tchar d;\n",
			"d c i"},
		{"\tstruct {\n\t\tint x;\n\t} inner;\n\tenum { RED, GREEN } color;\n\tchar d;\n",
			"d color inner"},
		{"\tint a ALIGNED(16);\n\tALIGNED(32) int b;\n\t__attribute__((aligned(8))) char "
		 "c;\n\tchar d;\n",
			"d a b c"},
		{"\t_Alignas(16) char a;\n\t_Atomic int b;\n\t_Atomic(int) c;\n\t__typeof__(int) "
		 "d;\n",
			"d c b a"},
		{"\tunsigned a : 3;\n\tunsigned b : 5,\n\t\tc : 2;\n\tchar d;\n", "d a b c"},
		{"\tunsigned a : 3;\n\tunsigned : 0;\n\tunsigned b : 5;\n\tunsigned : 4;\n\tchar "
		 "d;\n",
			"d a b"},
		{"\tchar c;\n\tint n;\n\tlong tail[];\n", "n c tail"},
		{"\tconst volatile char c;\n\tint volatile n;\n\tchar *restrict_me, "
		 "\n\t\t*other;\n\tlong double x;\n",
			"x n c restrict_me other"},
		{"\tint a __attribute__((unused)), b;\n\tchar s[sizeof(struct { int q; })];\n",
			"s a b"},
		{"\tchar x[sizeof(\"a;b}{\")];\n\tchar y['}'];\n\tint z; // }\n", "z y x"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[2048];
		snprintf(text, sizeof(text), "%sstruct s {\n%s};\nstruct s s;\n", head,
			cases[i].body);
		run(&(struct given){.text = text, .name = "s", .order = cases[i].order});
	}
}

static void test_definitions(void **state)
{
	(void)state;
	/* the right one of several, however it is named */
	static const struct {
		const char *text, *name;
	} cases[] = {
		{"typedef struct {\n\tint a;\n\tchar b;\n} t, *tp;\nt x;\n", "t"},
		{"typedef struct t_tag {\n\tint a;\n\tchar b;\n} t;\nt x;\n", "t_tag"},
		{"struct __attribute__((packed)) s {\n\tint a;\n\tchar b;\n};\nstruct s x;\n", "s"},
		{"#define P __attribute__((packed))\nstruct P s {\n\tint a;\n\tchar b;\n};\nstruct "
		 "s x;\n",
			"s"},
		{"#ifdef NO\nstruct s {\n\tint a;\n\tchar b;\n};\n#else\nstruct s {\n\tint "
		 "a;\n\tchar b;\n};\n#endif\n"
		 "struct s x;\n",
			"s"},
		{"struct s;\nstruct s *p;\nstruct o {\n\tstruct s {\n\t\tint a;\n\t\tchar b;\n\t} "
		 "in;\n} x;\n",
			"s"},
		{"struct r { int q; } r; struct s { int a; char b; } x;\n", "s"},
		{"struct s { /* x */ int a; // first\n\tchar b; } x;\n", "s"},
		{"struct s\n{\n    int a; char b;\n};\nstruct s x;\n", "s"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		run(&(struct given){.text = cases[i].text, .name = cases[i].name, .order = "b a"});
	run(&(struct given){
		.text = "struct s { int a; char b; long c; } x;\n",
		.name = "s",
		.order = "a c b!",
		.expect = "struct s { int a; long c; char b; } x;\n",
	});
}

static void test_transparent(void **state)
{
	(void)state;
	run(&(struct given){
		.text = "struct mm {\n\tstruct {\n\t\tint a;\n\t\t/* b */\n\t\tlong b;\n\t\tchar "
			"c;\n\t} "
			"__attribute__((aligned(8)));\n\tunsigned long bits[];\n};\nstruct mm m;\n",
		.name = "mm",
		.order = "b! a c bits",
		.depth = 1,
		.expect =
			"struct mm {\n\tstruct {\n\t\t/* b */\n\t\tlong b;\n\t\tint a;\n\t\tchar "
			"c;\n\t} "
			"__attribute__((aligned(8)));\n\tunsigned long bits[];\n};\nstruct mm m;\n",
	});
}

/* ---- several on one line ---- */

static void test_split(void **state)
{
	(void)state;
	run(&(struct given){
		.text = "struct s {\n\tint\ta, *b, c[3];\t/* three */\n\tchar d;\n};\nstruct s "
			"s;\n",
		.name = "s",
		.order = "a c d b!",
		.expect = "struct s {\n\tint\ta, c[3];\t/* three */\n\tchar "
			  "d;\n\tint\t*b;\n};\nstruct s s;\n",
	});
	run(&(struct given){
		.text = "struct s {\n\tint a, b;\n\tchar d;\n};\nstruct s s;\n",
		.name = "s",
		.order = "a d! b",
		.expect = "struct s {\n\tint a;\n\tchar d;\n\tint b;\n};\nstruct s s;\n",
	});
	run(&(struct given){
		.text = "struct s {\n\tchar d;\n\t/* both */\n\tint a, b;\n};\nstruct s s;\n",
		.name = "s",
		.order = "b! d a",
	});
	run(&(struct given){
		.text = "struct s { int a, b; char d; } s;\n",
		.name = "s",
		.order = "b d! a!",
		.expect = "struct s { int b; char d; int a; } s;\n",
	});
	run(&(struct given){
		.text = "struct s {\n\tstruct p { int x; } a, b;\n\tchar d;\n};\nstruct s s;\n",
		.name = "s",
		.order = "b d a",
		.refused = "x.c:2: 'a' cannot be moved: it shares its declaration with others, and "
			   "they are declared "
			   "with the definition of their type; move it by hand",
	});
	run(&(struct given){
		.text = "struct s {\n\tunsigned a : 1, : 3, b : 2;\n\tchar d;\n};\nstruct s s;\n",
		.name = "s",
		.order = "a d b",
		.refused = "an unnamed bit-field stands between them",
	});
}

/* ---- conditionals ---- */

static void test_conditionals(void **state)
{
	(void)state;
	static const char text[] =
		"struct s {\n\tint a;\n#ifdef A\n\tint b;\n\n\tint c;\n#else\n\tlong b;\n#endif\n"
		"#ifndef A\n\tint ghost;\n#endif\n\tint d;\n\tint e;\n};\nstruct s s;\n";
	/* past a branch, and within one */
	run(&(struct given){
		.text = text,
		.name = "s",
		.flags = "-DA",
		.order = "b c a! d e",
		.expect = "struct s {\n#ifdef A\n\tint b;\n\n\tint c;\n#else\n\tlong "
			  "b;\n#endif\n\tint a;\n"
			  "#ifndef A\n\tint ghost;\n#endif\n\tint d;\n\tint e;\n};\nstruct s s;\n",
	});
	run(&(struct given){.text = text, .name = "s", .flags = "-DA", .order = "a c b d e"});
	run(&(struct given){.text = text, .name = "s", .flags = "-DA", .order = "d! a b c e"});
	run(&(struct given){.text = text, .name = "s", .order = "e a b ghost d"});
	run(&(struct given){
		.text = text,
		.name = "s",
		.flags = "-DA",
		.order = "a c d b! e",
		.refused = "x.c:4: 'b' cannot be moved: it would have to go beside 'd', out of "
			   "'#ifdef A' of line 3; "
			   "move it by hand",
	});
	run(&(struct given){
		.text = text,
		.name = "s",
		.flags = "-DA",
		.order = "a b e! c d",
		.refused = "x.c:14: 'e' cannot be moved: it would have to go beside 'c', into "
			   "'#ifdef A' of line 3; "
			   "move it by hand",
	});
	/* the comment above a conditional is about it */
	run(&(struct given){
		.text = "struct s {\n\t/* of A */\n#ifdef A\n\tint b;\n#endif\n\tint "
			"c;\n};\nstruct s s;\n",
		.name = "s",
		.flags = "-DA",
		.order = "c! b",
		.expect = "struct s {\n\tint c;\n\t/* of A */\n#ifdef A\n\tint "
			  "b;\n#endif\n};\nstruct s s;\n",
	});
	/* a conditional in a declaration goes with it; one that cuts through is refused */
	run(&(struct given){
		.text = "struct s {\n\tint a[\n#ifdef A\n\t\t1\n#else\n\t\t2\n#endif\n\t];\n\tint "
			"b;\n};\nstruct s s;\n",
		.name = "s",
		.order = "b a",
	});
	run(&(struct given){
		.text = "struct s {\n#ifdef A\n\tlong\n#else\n\tint\n#endif\n\ta;\n\tint "
			"b;\n};\nstruct s s;\n",
		.name = "s",
		.order = "b a",
		.refused =
			"x.c:4: a conditional cuts through a declaration; move the members by hand",
	});
}

static void test_conditional_attributes(void **state)
{
	(void)state;
	run(&(struct given){
		.text = "struct s {\n\tint a;\n\t/* b */\n#ifdef A\n\t_Alignas(64)\n#endif\n\tint "
			"b;\n\tint c;\n};\n"
			"struct s s;\n",
		.name = "s",
		.order = "a c b!",
		.expect = "struct s {\n\tint a;\n\tint c;\n\t/* b */\n#ifdef "
			  "A\n\t_Alignas(64)\n#endif\n\tint b;\n};\n"
			  "struct s s;\n",
	});
	run(&(struct given){
		.text = "struct s {\n\tint a;\n#ifdef A\n\t_Alignas(64)\n#endif\n\tint "
			"b;\n};\nstruct s s;\n",
		.name = "s",
		.order = "a b@64",
		.refused = "its declaration begins with a conditional",
	});
}

static void test_defines(void **state)
{
	(void)state;
	run(&(struct given){
		.text = "struct s {\n\tint flags;\n#define F_A 1\n#define F_B 2\n\tchar n;\n\tlong "
			"l;\n};\n"
			"struct s s; int q = F_B;\n",
		.name = "s",
		.order = "n l flags!",
		.expect = "struct s {\n\tchar n;\n\tlong l;\n\tint flags;\n#define F_A 1\n#define "
			  "F_B 2\n};\n"
			  "struct s s; int q = F_B;\n",
	});
	run(&(struct given){
		.text = "struct s {\n\tint flags;\n#define N 4\n\tchar n[N];\n};\nstruct s s;\n",
		.name = "s",
		.order = "n flags",
		.refused = "'N' would be used before it is defined",
	});
	run(&(struct given){
		.text = "struct s {\n\tstruct in { int x; } a;\n\tstruct in b;\n\tstruct in "
			"*c;\n};\nstruct s s;\n",
		.name = "s",
		.order = "b a c",
		.refused = "x.c:1: the members of struct s cannot be moved safely: 'in' would be "
			   "used before it is defined",
	});
	run(&(struct given){
		.text = "struct s {\n\tenum { A, B = 3, C } a;\n\tchar b[C];\n\tint c;\n};\nstruct "
			"s s;\n",
		.name = "s",
		.order = "b a c",
		.refused = "'C' would be used before it is defined",
	});
}

/* ---- macros ---- */

static const char kernel_head[] =
	"#define DECLARE_BITMAP(name, bits) unsigned long name[((bits) + 63) / 64]\n"
	"#define __cacheline_group_begin(g) char __cacheline_group_begin__##g[0]\n"
	"#define __cacheline_group_end(g) char __cacheline_group_end__##g[0]\n"
	"#define randomized_struct_fields_start\n#define randomized_struct_fields_end\n"
	"#define struct_group(name, ...) union { struct { __VA_ARGS__ }; struct { __VA_ARGS__ } "
	"name; }\n"
	"#define COMMON int head; long tail\n#define PAIR(x) int x##_a; int x##_b\n#define PAD(x) "
	"char x[64];\n"
	"#define ____cacheline_aligned_in_smp __attribute__((aligned(64)))\n"
	"#define __aligned(n) __attribute__((aligned(n)))\n#define __rcu\n#define __percpu\n"
	"typedef struct { int lock; } spinlock_t;\n";

static void run_kernel(const char *body, const char *order, const char *expect, const char *refused)
{
	char text[4096], wanted[4096];
	snprintf(text, sizeof(text), "%sstruct s {\n%s};\nstruct s s;\n", kernel_head, body);
	snprintf(wanted, sizeof(wanted), "%sstruct s {\n%s};\nstruct s s;\n", kernel_head,
		expect ? expect : "");
	run(&(struct given){.text = text,
		.name = "s",
		.order = order,
		.expect = expect ? wanted : NULL,
		.refused = refused,
		.is_kernel = true});
}

static void test_macros(void **state)
{
	(void)state;
	run_kernel("\tDECLARE_BITMAP(map, 128);\n\tspinlock_t lock ____cacheline_aligned_in_smp;\n"
		   "\tvoid __rcu *ptr;\n\tint __percpu *counters;\n",
		"ptr counters map lock", NULL, NULL);
	run_kernel("\t__cacheline_group_begin(rd);\n\tint a;\n\tint "
		   "b;\n\t__cacheline_group_end(rd);\n\tint c;\n",
		"__cacheline_group_begin__rd b a! __cacheline_group_end__rd c",
		"\t__cacheline_group_begin(rd);\n\tint b;\n\tint "
		"a;\n\t__cacheline_group_end(rd);\n\tint c;\n",
		NULL);
	run_kernel("\tint a;\n\tint b;\n\tPAD(_pad1_)\n\tint c;\n", "b a! _pad1_ c",
		"\tint b;\n\tint a;\n\tPAD(_pad1_)\n\tint c;\n", NULL);
	run_kernel("\tint a;\n\t/*\n\t * group\n\t */\n\tstruct_group(hdr,\n\t\tint x;\n\t\tint "
		   "y;\n\t);\n\tint c;\n",
		"a c x",
		"\tint a;\n\tint c;\n\t/*\n\t * group\n\t */\n\tstruct_group(hdr,\n\t\tint "
		"x;\n\t\tint y;\n\t);\n",
		NULL);
	run_kernel("\tint a;\n\tCOMMON;\n\tint c;\n", "a head c tail", NULL,
		"'tail' cannot be moved: it is one of several that COMMON declares; move it by "
		"hand");
	run_kernel("\tint a;\n\tPAIR(z);\n\tint c;\n", "z_a a z_b c", NULL,
		"it is one of several that PAIR declares");
	run_kernel("\tint a;\n\tCOMMON;\n\tint c;\n", "c a head tail",
		"\tint c;\n\tint a;\n\tCOMMON;\n", NULL);
	run_kernel("\tint a;\n\tCOMMON;\n\tint c;\n", "head tail a c", NULL, NULL);
	run_kernel("\tint a;\n\tCOMMON;\n\tint b;\n\tint c;\n", "a b c head! tail!", NULL,
		"'head' cannot be moved: it comes out of COMMON; move it by hand");
}

/* Words of C++ are names in C; macros rename, stand before "}", and in unnamed aggregates. */
static void test_oddities(void **state)
{
	(void)state;
	static const struct {
		const char *body, *order;
	} cases[] = {
		{"\tint class, final;\n\tint *override;\n\tint explicit;\n\tint template;\n",
			"template override class explicit final"},
		{"\tint a;\n\tstruct rcu_head rcu_head;\n\tint b;\n", "callback_head a b"},
		{"\tint a;\n\tint HINT(fast);\n\tint b;\n", "fast__unsafe b a"},
		{"\tint a;\n\tunion {\n\t\tFLEX(char, bytes);\n\t\tFLEX(long, words);\n\t};\n",
			NULL},
		{"\tunsigned w : 1;\n\tunsigned : 1,\t/* unused */\n\t\tx : 1,\n\t\ty : 2;\n\tint "
		 "a;\n",
			"a w x y"},
		{"\tint a, /* of a */\n\t\t*b, // of b\n\t\tc; /* of c */\n\tint d;\n", "a c d b"},
		{"\tint a, b,\t/* of b */\n\t\tc;\n\tint d;\n", "c d b a"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[2048];
		snprintf(text, sizeof(text),
			"#define rcu_head callback_head\n#define HINT(n) n##__unsafe\n"
			"#define FLEX(t, n) struct { struct { } empty_##n; t n[]; }\n"
			"struct callback_head { void *next; };\nstruct s {\n%s};\nstruct s s;\n",
			cases[i].body);
		run(&(struct given){.text = text,
			.name = "s",
			.order = cases[i].order ? cases[i].order : "a empty_bytes"});
	}
	run(&(struct given){
		.text = "struct s {\n\tint a, /* of a */\n\t\t*b, // of b\n\t\tc; /* of c "
			"*/\n\tint d;\n};\nstruct s s;\n",
		.name = "s",
		.order = "a c d b!",
		.expect = "struct s {\n\tint a; /* of a */\n\tint c; /* of c */\n\tint d;\n\tint "
			  "*b; // of b\n};\nstruct s s;\n",
	});
	run(&(struct given){
		.text = "#define COMMON int a; int b;\nstruct s {\n\tCOMMON};\nstruct s s;\n",
		.name = "s",
		.order = "b a",
		.refused = "it is one of several that COMMON declares",
	});
	/* which branch was compiled is known from the lines, however the text changes */
	run(&(struct given){
		.text = "struct s {\n\tint z;\n#ifdef A\n\tint y;\n\tint x;\n#else\n\tint "
			"x;\n\tint y;\n#endif\n"
			"\tint a;\n\tint b;\n};\nstruct s s;\n",
		.name = "s",
		.order = "b! z x y a",
	});
}

static void test_randomized(void **state)
{
	(void)state;
	static const char body[] =
		"\tint info;\n\t/* from here */\n\trandomized_struct_fields_start\n\n\tvoid "
		"*stack;\n"
		"\tint usage;\n\n\t/* to here */\n\trandomized_struct_fields_end\n\tint thread;\n";
	run_kernel(body, "info usage stack! thread",
		"\tint info;\n\t/* from here */\n\trandomized_struct_fields_start\n\n\tint "
		"usage;\n\tvoid *stack;\n\n"
		"\t/* to here */\n\trandomized_struct_fields_end\n\tint thread;\n",
		NULL);
	run_kernel(body, "info stack thread usage!", NULL,
		"it would have to go beside 'thread', out of 'randomized_struct_fields_start'");
}

static void test_alignment(void **state)
{
	(void)state;
	run_kernel("\tint a;\n\tint b[2];\t/* b */\n\tint c;\n", "a b c@64",
		"\tint a;\n\tint b[2];\t/* b */\n\tint c ____cacheline_aligned_in_smp;\n", NULL);
	run_kernel("\tint a;\n\tint b[2];\t/* b */\n\tint c;\n", "a c b@32",
		"\tint a;\n\tint c;\n\tint b[2] __aligned(32);\t/* b */\n", NULL);
	run_kernel("\tint a;\n\tDECLARE_BITMAP(map, 3);\n", "a map@64", NULL,
		"'map' cannot be aligned: a macro declares it; align it by hand");
	run(&(struct given){
		.text = "struct s { int a, b, c; } s;\n",
		.name = "s",
		.order = "a b@64 c",
		.expect = "struct s { int a, b __attribute__((aligned(64))), c; } s;\n",
	});
	run(&(struct given){
		.text = "struct s {\n\t_Alignas(8) int a;\n\tint b, c;\n};\nstruct s s;\n",
		.name = "s",
		.order = "a b@64 c",
		.expect = "struct s {\n\t_Alignas(8) int a;\n\t_Alignas(64) int b;\n\tint "
			  "c;\n};\nstruct s s;\n",
	});
	run(&(struct given){
		.text = "struct s {\n\tint a;\n\tunion { int b; long l; };\n};\nstruct s s;\n",
		.name = "s",
		.order = "a b@64",
		.refused = "'b' cannot be aligned: it is in an unnamed aggregate, which would grow",
	});
	run(&(struct given){
		.text = "class s {\npublic:\n\tint a = 1;\n\tint b{2};\n\tunsigned c : 2;\n};\ns "
			"x;\n",
		.name = "s",
		.file = "x.cc",
		.order = "a b@64 c@8",
		.expect = "class s {\npublic:\n\tint a = 1;\n\talignas(64) int b{2};\n"
			  "\tunsigned c : 2 __attribute__((aligned(8)));\n};\ns x;\n",
	});
}

/* ---- C++ ---- */

static void test_cxx(void **state)
{
	(void)state;
	static const char text[] =
		"#include <map>\n#include <vector>\nnamespace ns {\nstruct Base { virtual ~Base() "
		"{} long base; };\n"
		"class Table final : public Base {\npublic:\n\tTable() : used(0), size{1} { used = "
		"size; }\n"
		"\tint count() const { return used; }\n\tvirtual void clear();\n\tstatic int "
		"instances;\n"
		"\tusing Map = std::map<int, long>;\n\tenum class Kind { A, B };\n\n"
		"\t// how many\n\tint used = 0;\n\tMap map;\n\tstd::vector<std::pair<int, int>> "
		"rows;\n"
		"\tKind kind{Kind::A};\nprivate:\n\tvoid (Table::*hook)(int) = nullptr;\n\tint "
		"size;\n"
		"\tTable &operator=(const Table &) = delete;\n\tchar flag;\n};\nvoid "
		"Table::clear() {}\n}\n"
		"ns::Table table;\n";
	run(&(struct given){.text = text,
		.name = "Table",
		.file = "x.cc",
		.flags = "-Wno-reorder",
		.order = "Base kind rows map used hook flag size"});
	run(&(struct given){.text = text,
		.name = "Table",
		.file = "x.cc",
		.order = "Base map rows kind hook size used flag",
		.refused = "'used' cannot be moved: it would have to go beside 'size', out of "
			   "'public' of line 6"});
	run(&(struct given){
		.text = "struct s {\n\tint a = 1;\n\tint b = a + 1;\n\tchar c[sizeof(a)];\n};\ns "
			"x;\n",
		.name = "s",
		.file = "x.cc",
		.order = "b a c",
		.refused = "'a' would be used before it is defined",
	});
	run(&(struct given){
		.text = "template <typename T, int N> struct box {\n\tT first;\n\tint "
			"second[N];\n\tchar third;\n};\n"
			"box<long, 3> x;\n",
		.name = "box<long int, 3>",
		.file = "x.cc",
		.order = "third first second",
	});
}

/* ---- bytes ---- */

static void test_bytes(void **state)
{
	(void)state;
	run(&(struct given){
		.text = "/* caf\xe9 \xff */\r\nstruct s {\r\n  int a;   /* \xe4 */\r\n  char "
			"b;\r\n\r\n  long c;\r\n};\r\n"
			"struct s s;",
		.name = "s",
		.order = "c a b",
		.expect = "/* caf\xe9 \xff */\r\nstruct s {\r\n  long c;\r\n  int a;   /* \xe4 "
			  "*/\r\n  char b;\r\n};\r\n"
			  "struct s s;",
	});
	run(&(struct given){
		.text = "struct s { int a; char b; } s;",
		.name = "s",
		.order = "b a",
		.expect = "struct s { char b; int a; } s;",
	});
	run(&(struct given){
		.text = "struct s {\n\tint a; \\\n\tchar b;\n\tlong \\\n\tc;\n};\nstruct s s;\n",
		.name = "s",
		.order = "c a b",
	});
}

/* ---- another source ---- */

static void test_other_source(void **state)
{
	(void)state;
	static const char text[] = "struct s {\n\tint a;\n\tint b;\n\tint c;\n};\nstruct s s;\n";
	static const struct {
		const char *now, *refused;
	} cases[] = {
		{"struct s {\n\tint a;\n\tint b;\n};\n",
			"x.c:1: 'c' of struct s is in the debug information and not here; take the "
			"source that was built"},
		{"struct s {\n\tint a;\n\tint b;\n\tint c;\n\tint d;\n};\n",
			"x.c:5: 'd' of struct s is here and not in the debug information; take the "
			"source that was built"},
		{"struct s {\n\tint b;\n\tint a;\n\tint c;\n};\n",
			"x.c:2: 'b' stands before 'a' here and behind it in the debug information"},
		{"struct s {\n\tint a;\n\tint b : 4;\n\tint c;\n};\n",
			"x.c:3: 'b' is a bit-field here and none in the debug information"},
		{"struct t {\n\tint a;\n\tint b;\n\tint c;\n};\n",
			"x.c: no definition of struct s here"},
		{"struct s {\n\tint a;\n\tint b;\n\tint c;\n",
			"x.c: no definition of struct s here"},
		{"\n\nstruct s {\n\tint a, b, c;\n};\nunion u {\n\tstruct s {\n\t\tint a, b, "
		 "c;\n\t} x;\n};\n",
			"x.c: struct s is defined 2 times here, and none is on line 1"},
		{"", "x.c: no definition of struct s here"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		run(&(struct given){.text = text,
			.name = "s",
			.order = "b a c",
			.now = cases[i].now,
			.refused = cases[i].refused});
}

static void test_untold(void **state)
{
	(void)state;
	run(&(struct given){
		.text = "struct s {\n\tint a;\n\tint b __attribute__((packed));\n\tchar "
			"c;\n};\nstruct s s;\n",
		.name = "s",
		.order = "c a b",
		.refused = "x.c:3: 'b' is packed, which the debug information does not tell, so "
			   "that the offsets that "
			   "were said may be wrong; move the members by hand",
	});
	run(&(struct given){
		.text = "struct s {\n\tint a;\n\tstruct { char x; int y; } __attribute__((packed)) "
			"b;\n\tchar c;\n};\n"
			"struct s s;\n",
		.name = "s",
		.order = "c a b",
	});
	static const struct {
		const char *body, *refused;
	} cases[] = {
		{"\tchar a;\n\tint : 0;\n\tchar b;\n\tint c;\n",
			"x.c:3: an unnamed bit-field stands here"},
		{"\tchar a;\n\tint : 3, b : 2;\n\tint c;\n",
			"x.c:3: an unnamed bit-field stands here"},
		{"\tchar a;\n\tchar b : 2;\n\tlong : 0;\n\tchar c;\n",
			"x.c:4: an unnamed bit-field stands here"},
	};
	for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
		char text[256];
		snprintf(text, sizeof(text), "struct s {\n%s};\nstruct s s;\n", cases[n].body);
		run(&(struct given){
			.text = text, .name = "s", .order = "c a b", .refused = cases[n].refused});
	}
}

static void test_nothing(void **state)
{
	(void)state;
	struct compiled c;
	struct wanted w;
	struct patch_input input;
	struct patch_result result;
	const struct given g = {
		.text = "struct s { int a; int b; } s;\n", .name = "s", .order = "a b"};
	tool_write_text("x.c", g.text);
	compile("x.c", "");
	compiled_open(&c, "s");
	want(&c, 0, g.order, &w);
	must(run_patch(&g, &c, &w, &input, &result));
	assert_false(result.is_changed);
	assert_ptr_equal(result.bytes, g.text);
	compiled_close(&c);
}

/* ---- damage: whatever the bytes are, it ends, and says yes or no ---- */

static void test_damage(void **state)
{
	(void)state;
	static const char text[] = "#define M(x) int x\nstruct s {\n\tint a, *b; /* c */\n#ifdef "
				   "X\n\tint q;\n#else\n\tM(d);\n#endif\n"
				   "\tunion { int u; struct { char v; }; };\n\tunsigned e : 3, f : "
				   "2;\n\tint (*fn)(int, char);\n"
				   "\tchar g[sizeof(\"x\")];\n} s;\n";
	struct compiled c;
	struct wanted w;
	struct patch_input input;
	struct patch_result result;
	struct given g = {.text = text, .name = "s", .order = "g fn e f u d b a"};
	tool_write_text("x.c", text);
	compile("x.c", "");
	compiled_open(&c, "s");
	want(&c, 0, g.order, &w);
	unsigned seed = 1, refused = 0;
	for (int round = 0; round < 4000; round++) {
		char now[sizeof(text)];
		memcpy(now, text, sizeof(text));
		size_t length = sizeof(text) - 1;
		for (int i = 0; i < 1 + round % 3; i++) {
			seed = seed * 1103515245 + 12345;
			size_t at = (seed >> 8) % length;
			seed = seed * 1103515245 + 12345;
			now[at] = "{}()[];,:*#\n/\"'\\ax \x80"[(seed >> 8) % 20];
		}
		if (round % 7 == 0)
			now[(seed >> 8) % length] = '\0';
		g.now = now;
		struct error *error = run_patch(&g, &c, &w, &input, &result);
		refused += error != NULL;
		error_free(error);
	}
	assert_true(refused > 1000);
	compiled_close(&c);
}

/* ---- diffs of texts that have nothing to do with structs ---- */

static void check_texts(const char *name, const char *before, const char *after)
{
	struct compiled c;
	const struct patch_input input = {.file = name, .bytes = before, .length = strlen(before)};
	const struct patch_result result = {
		.bytes = after, .length = strlen(after), .is_changed = true};
	arena_init(&c.arena);
	check_diff(&c, &input, &result);
	arena_release(&c.arena);
}

static void test_diff(void **state)
{
	(void)state;
	check_texts("a", "1\n2\n3\n", "1\n3\n");
	check_texts("a", "1\n2\n3", "1\n2\n3\n");
	check_texts("a", "1\n2\n3\n", "0\n1\n2\n3");
	check_texts("a", "1\n", "2\n3\n4\n");
	check_texts(
		"dir/with.h", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");
	/* texts of random lines out of few */
	unsigned seed = 7;
	for (int round = 0; round < 40; round++) {
		char before[600] = "", after[600] = "";
		for (int i = 0; i < 80; i++) {
			seed = seed * 1103515245 + 12345;
			char line[3] = {(char)('a' + (seed >> 16) % 5), '\n', '\0'};
			if ((seed >> 8) % 4 != 0)
				strcat(before, line);
			if ((seed >> 12) % 4 != 0)
				strcat(after, line);
		}
		check_texts("a", before, after);
	}
}

/* ---- tokens ---- */

static void test_lex(void **state)
{
	(void)state;
	static const char text[] =
		"a/*b\n*/ c//d\\\ne\nf \"g\\\"h\" 'i' 1'000.5e+3 R\"x(y)\" )x\" ::: \\\n#k\n"
		" /**/ # define X /* y\n */ z\n\xe9m";
	static const char *const words[] = {"a", "/*b\n*/", "c", "//d\\\ne", "f", "\"g\\\"h\"",
		"'i'", "1'000.5e+3", "R\"x(y)\" )x\"", "::", ":", "#", "k", "/**/",
		"# define X /* y\n */ z", "\xe9m"};
	struct arena arena;
	struct lex lex;
	arena_init(&arena);
	lex_build(&arena, text, sizeof(text) - 1, &lex);
	assert_int_equal(lex.count, sizeof(words) / sizeof(words[0]));
	for (size_t i = 0; i < lex.count; i++)
		assert_string_equal(lex_text(&arena, &lex, i), words[i]);
	assert_int_equal(lex.tokens[lex.count - 1].line, 8);
	assert_int_equal(lex.tokens[14].kind, LEX_DIRECTIVE);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lex),
		cmocka_unit_test(test_diff),
		cmocka_unit_test(test_comments),
		cmocka_unit_test(test_headings),
		cmocka_unit_test(test_blank_lines),
		cmocka_unit_test(test_declarations),
		cmocka_unit_test(test_definitions),
		cmocka_unit_test(test_transparent),
		cmocka_unit_test(test_split),
		cmocka_unit_test(test_conditionals),
		cmocka_unit_test(test_conditional_attributes),
		cmocka_unit_test(test_defines),
		cmocka_unit_test(test_macros),
		cmocka_unit_test(test_oddities),
		cmocka_unit_test(test_randomized),
		cmocka_unit_test(test_alignment),
		cmocka_unit_test(test_cxx),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_other_source),
		cmocka_unit_test(test_untold),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_damage),
	};
	return cmocka_run_group_tests(tests, tool_setup, tool_teardown);
}

/*
 * variables: what lies at which address. The oracle is the program itself: linked without PIE, it prints the address and
 * size of each variable by name.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "read/variables.h"
#include "toolchain.h"

struct binary {
	struct arena arena;
	struct object object;
	struct variables variables;
	struct variable *all;
};

static void must(struct error *error)
{
	if (error)
		fprintf(stderr, "%s\n", error->message);
	assert_null(error);
}

static void binary_open(struct binary *b, const char *name)
{
	arena_init(&b->arena);
	must(object_open(&b->arena, tool_path(name), &b->object));
	must(variables_find(&b->arena, &b->object, 2, &b->variables));
	size_t count = b->variables.count;
	const struct variable_place **places = arena_new(&b->arena, count + 1, sizeof(*places));
	b->all = arena_new(&b->arena, count + 1, sizeof(*b->all));
	for (size_t i = 0; i < count; i++)
		places[i] = &b->variables.places[i];
	must(variables_read(&b->arena, &b->object, &b->variables, places, count, b->all));
}

static void binary_close(struct binary *b)
{
	object_close(&b->object);
	arena_release(&b->arena);
}

static const struct variable *at_address(const struct binary *b, uint64_t address)
{
	size_t first, count = variables_near(&b->variables, address, &first);
	for (size_t i = first; i < first + count; i++)
		if (address >= b->all[i].address &&
			address - b->all[i].address < b->all[i].size_bytes)
			return &b->all[i];
	return NULL;
}

/* "scope::name" */
static const char *full_name(const struct variable *variable)
{
	static char text[256];
	snprintf(text, sizeof(text), "%s%s%s", variable->scope ? variable->scope : "",
		variable->scope ? "::" : "", variable->name);
	return text;
}

/* Each line of the program's: name, address, size. */
static size_t check_against_program(const struct binary *b, const char *program)
{
	char command[256], name[128];
	unsigned long address, size;
	size_t lines = 0;
	snprintf(command, sizeof(command), "%s/%s", tool_dir, program);
	FILE *out = popen(command, "r");
	assert_non_null(out);
	while (fscanf(out, "%127s %lx %lu", name, &address, &size) == 3) {
		const struct variable *variable = at_address(b, address);
		lines++;
		if (!variable) {
			fprintf(stderr, "%s: nothing at 0x%lx, where '%s' is\n", program, address,
				name);
			fail();
		}
		/* clang 14 does not name a method that it has inlined everywhere */
		if (!variable->scope || strcmp(variable->scope, "?()") != 0)
			assert_string_equal(full_name(variable), name);
		else
			assert_string_equal(variable->name, strrchr(name, ':') + 1);
		assert_int_equal(variable->address, address);
		assert_int_equal(variable->size_bytes, size);
		assert_non_null(variable->symbol);
		assert_ptr_equal(at_address(b, address + size - 1), variable);
	}
	assert_int_equal(pclose(out), 0);
	return lines;
}

static const char case_c[] =
	"#include <stdio.h>\n"
	"#define SAY(name, object) printf(\"%s %lx %lu\\n\", name, (unsigned long)&(object), "
	"(unsigned long)sizeof(object))\n"
	"struct pair { long a; char b; };\n"
	"typedef struct { int x, y; } point;\n"
	"struct flex { long n; int tail[]; };\n"
	"int zeroed; static long hidden = 3; const char letters[] = \"abc\";\n"
	"struct pair pairs[3]; point origin = {1, 2};\n"
	"extern int declared_first; int declared_first = 4;\n"
	"_Thread_local int not_listed = 5;\n"
	"struct flex open_ended = {1, {1, 2, 3, 4}};\n"
	"static int used(void) { static int counter; SAY(\"used()::counter\", counter); return "
	"counter++; }\n"
	"static inline __attribute__((always_inline)) int inlined(int i) { static struct pair "
	"kept; kept.a += i;\n"
	"  { static short inner; inner++; SAY(\"inlined()::inner\", inner); }\n"
	"  SAY(\"inlined()::kept\", kept); return (int)kept.a; }\n"
	"static int other(void) { static int counter = 7; SAY(\"other()::counter\", counter); "
	"return counter; }\n"
	"int main(void) { int local = 1; not_listed++;\n"
	"  static struct pair *const linelint_tag __attribute__((used)) = 0; "
	"SAY(\"main()::linelint_tag\", linelint_tag);\n"
	"  SAY(\"zeroed\", zeroed); SAY(\"hidden\", hidden); SAY(\"letters\", letters); "
	"SAY(\"pairs\", pairs);\n"
	"  SAY(\"origin\", origin); SAY(\"declared_first\", declared_first);\n"
	"  hidden++; open_ended.n++; return used() + inlined(local) + inlined(2) + other() == 12345; }\n";

enum { LINES_OF_C = 12 };

static void check_c(const char *compiler, const char *options)
{
	struct binary b;
	if (!tool_run("%s -g %s -no-pie -fno-common case.c -o case", compiler, options)) {
		tool_show_log();
		fail();
	}
	binary_open(&b, "case");
	assert_true(check_against_program(&b, "case") >= LINES_OF_C);
	bool saw_flex = false, saw_tag = false, saw_thread_local = false;
	for (size_t i = 0; i < b.variables.count; i++) {
		const struct variable *variable = &b.all[i];
		const struct type *type =
			types_get(variable->types, types_strip(variable->types, variable->type));
		saw_thread_local |= strcmp(variable->name, "not_listed") == 0;
		if (strcmp(variable->name, "open_ended") == 0) {
			saw_flex = true;
			assert_int_equal(variable->size_bytes,
				24); /* 8 without what it is initialised with */
			assert_true(variable->symbol_differs);
			assert_int_equal(type->member_count, 2);
		}
		if (strcmp(variable->name, "linelint_tag") == 0) {
			saw_tag = true;
			const struct type *pointee = types_get(
				variable->types, types_strip(variable->types, type->target));
			assert_int_equal(type->kind, TYPE_POINTER);
			assert_string_equal(pointee->name, "pair");
			assert_int_equal(pointee->size_bytes, 16);
			assert_int_equal(pointee->member_count, 2);
		}
		if (strcmp(variable->name, "hidden") == 0) {
			assert_string_equal(variable->area->name, ".data");
			assert_true(variable->area->is_writable);
			assert_true(variable->symbol->is_local);
			assert_false(variable->is_external);
			assert_false(variable->symbol_differs);
			assert_string_equal(variable->file, "case.c");
			assert_int_equal(variable->line, 6);
			assert_true(strcmp(variable->unit, "case.c") == 0 ||
				    strcmp(variable->unit, "<artificial>") == 0); /* LTO */
		}
		if (strcmp(variable->name, "declared_first") == 0) {
			assert_true(variable->is_external);
			assert_int_equal(variable->line, 8);
		}
		if (strcmp(variable->name, "letters") == 0)
			assert_false(variable->area->is_writable);
		assert_true(i == 0 || variable->address >= b.all[i - 1].address);
	}
	assert_true(saw_flex && saw_tag && !saw_thread_local);
	binary_close(&b);
}

static void test_c(void **state)
{
	(void)state;
	tool_write_text("case.c", case_c);
	for (int version = 2; version <= 5; version++) {
		char options[64];
		snprintf(options, sizeof(options), "-gdwarf-%d -O0", version);
		check_c("gcc", options);
		check_c("clang", options);
		snprintf(options, sizeof(options), "-gdwarf-%d -O2", version);
		check_c("gcc", options);
		check_c("clang", options);
	}
	check_c("gcc", "-O1 -flto -ffat-lto-objects");
	check_c("gcc", "-g -gz -O1 -fdata-sections -ffunction-sections -Wl,--gc-sections");
	check_c("clang", "-g -O1 -fdata-sections -ffunction-sections -Wl,--gc-sections");
	check_c("gcc", "-O1 -gdwarf64");
}

static const char case_cc[] =
	"#include <cstdio>\n"
	"#define SAY(name, object) printf(\"%s %lx %lu\\n\", name, (unsigned long)&(object), "
	"(unsigned long)sizeof(object))\n"
	"namespace ns { int global = 1; struct Outer { static long shared; static inline int late "
	"= 3;\n"
	"  int method() { static int calls; SAY(\"ns::Outer::method()::calls\", calls); return "
	"calls++; } };\n"
	"  long Outer::shared = 2; namespace { short anonymous = 9; } short *peek() { return "
	"&anonymous; } }\n"
	"template <typename T> struct Box { static T value; }; template <typename T> T "
	"Box<T>::value = 5;\n"
	"int main() { using namespace ns; Outer o; struct Local { int f() { static char deep[40];\n"
	"    SAY(\"main()::Local::f()::deep\", deep); return deep[0]; } } l;\n"
	"  SAY(\"ns::global\", global); SAY(\"ns::Outer::shared\", Outer::shared); "
	"SAY(\"ns::Outer::late\", Outer::late);\n"
	"  SAY(\"ns::(anonymous_namespace)::anonymous\", *peek()); SAY(\"Box<int>::value\", "
	"Box<int>::value);\n"
	"  return o.method() + l.f(); }\n";

static void check_cc(const char *compiler, const char *options)
{
	struct binary b;
	if (!tool_run("%s -g %s -std=c++17 -no-pie case.cc -o case_cc", compiler, options)) {
		tool_show_log();
		fail();
	}
	binary_open(&b, "case_cc");
	bool saw_shared = false;
	for (size_t i = 0; i < b.variables.count; i++) {
		if (b.all[i].scope && strcmp(b.all[i].scope, "ns::(anonymous namespace)") == 0)
			b.all[i].scope =
				"ns::(anonymous_namespace)"; /* one word in what the program prints */
		if (strcmp(b.all[i].name, "shared") == 0) {
			saw_shared = true;
			assert_string_equal(b.all[i].linkage_name, "_ZN2ns5Outer6sharedE");
			assert_string_equal(b.all[i].symbol->name, "_ZN2ns5Outer6sharedE");
			assert_true(b.all[i].is_external);
		}
	}
	assert_true(saw_shared);
	assert_int_equal(check_against_program(&b, "case_cc"), 7);
	binary_close(&b);
}

static void test_cc(void **state)
{
	(void)state;
	tool_write_text("case.cc", case_cc);
	check_cc("g++", "-gdwarf-5 -O0");
	check_cc("g++", "-gdwarf-4 -O2");
	check_cc("g++", "-gdwarf-4 -O0 -fdebug-types-section");
	check_cc("clang++", "-gdwarf-5 -O0");
	check_cc("clang++", "-gdwarf-4 -O2");
}

/* Variables of several units that the linker keeps once, and one that it drops, which must not be found at address 0. */
static void test_units(void **state)
{
	struct binary b;
	size_t hits = 0;
	(void)state;
	tool_write_text("one.cc",
		"inline int twice() { static int once = 1; return once++; }\n"
		"int dropped_data = 7; int other(); int main() { return twice() + "
		"other() == 99; }\n");
	tool_write_text("two.cc", "inline int twice() { static int once = 1; return once++; }\n"
				  "int other() { return twice(); }\n");
	assert_true(tool_run(
		"g++ -g -O0 -no-pie -fdata-sections -Wl,--gc-sections one.cc two.cc -o units"));
	binary_open(&b, "units");
	for (size_t i = 0; i < b.variables.count; i++) {
		hits += strcmp(b.all[i].name, "once") == 0;
		assert_string_not_equal(b.all[i].name, "dropped_data");
		assert_true(b.all[i].address != 0);
	}
	assert_int_equal(hits, 1);
	binary_close(&b);
}

static void test_near(void **state)
{
	static const struct variable_place places[] = {
		{16, 1, 0, "a"}, {16, 2, 0, "b"}, {32, 3, 0, "c"}};
	const struct variables variables = {.places = places, .count = 3};
	size_t first;
	(void)state;
	assert_int_equal(variables_near(&variables, 15, &first), 0);
	assert_int_equal(variables_near(&variables, 16, &first), 2);
	assert_int_equal(first, 0);
	assert_int_equal(variables_near(&variables, 31, &first), 2);
	assert_int_equal(variables_near(&variables, UINT64_MAX, &first), 1);
	assert_int_equal(first, 2);
}

/* Nothing has an address yet, but each variable its section, and its place in it: what the assembler says. */
static void test_not_linked(void **state)
{
	struct binary b;
	(void)state;
	tool_write_text("lone.c", "long first = 1, second = 2; static int zero; long third[4] = {1};\n"
				  "_Thread_local int own; int *use(void) { zero++; own++; return &zero; }\n");
	assert_true(tool_run("gcc -g -c -fno-toplevel-reorder lone.c -o lone.o"));
	binary_open(&b, "lone.o");
	assert_int_equal(b.variables.count, 4);
	for (size_t i = 0; i < b.variables.count; i++) {
		const struct variable *variable = &b.all[i];
		bool is_zero = strcmp(variable->name, "zero") == 0;
		uint64_t off = variable->address - variable->area->address;
		assert_non_null(variable->symbol);
		assert_string_equal(variable->symbol->name, variable->name);
		assert_string_equal(variable->area->name, is_zero ? ".bss" : ".data");
		assert_int_equal(off, strcmp(variable->name, "second") == 0  ? 8
				      : strcmp(variable->name, "third") == 0 ? 32
									      : 0);
	}
	assert_false(b.variables.symbols.is_stripped);
	assert_int_equal(b.variables.symbols.thread_local_count, 1);
	assert_string_equal(b.variables.symbols.thread_locals[0], "own");
	binary_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_c),
		cmocka_unit_test(test_cc),
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_near),
		cmocka_unit_test(test_not_linked),
	};
	return cmocka_run_group_tests(tests, tool_setup, tool_teardown);
}

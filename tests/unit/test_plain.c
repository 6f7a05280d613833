/*
 * plain: what is read without libdwarf is what libdwarf reads, of every entry of every unit; and what compilers write takes
 * no libdwarf.
 *
 *     test_plain [FILE...]
 *
 * With files, the same of each of them, whatever made it; what of it took libdwarf is counted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "read/companion.h"
#include "read/dwarf/attribute.h"
#include "read/dwarf/handle.h"
#include "toolchain.h"

static uint64_t entries_seen, units_with_libdwarf;

static void must(struct error *error)
{
	if (error)
		fprintf(stderr, "%s\n", error->message);
	assert_null(error);
}

static bool any(uint16_t tag)
{
	(void)tag;
	return true;
}

static void same_text(const char *a, const char *b)
{
	assert_int_equal(!a, !b);
	if (a)
		assert_string_equal(a, b);
}

static void same_ref(const struct entry_ref *a, const struct entry_ref *b)
{
	assert_int_equal(a->kind, b->kind);
	assert_true(a->value == b->value);
}

static void same_number(const struct entry_number *a, const struct entry_number *b)
{
	assert_int_equal(a->state, b->state);
	assert_true(a->value == b->value);
}

static void same_entry(const struct entry *a, const struct entry *b)
{
	entries_seen++;
	assert_true(a->off == b->off);
	assert_int_equal(a->tag, b->tag);
	same_text(a->name, b->name);
	same_text(a->linkage_name, b->linkage_name);
	same_ref(&a->type, &b->type);
	same_ref(&a->origin, &b->origin);
	same_ref(&a->signature, &b->signature);
	same_ref(&a->container, &b->container);
	same_ref(&a->discr, &b->discr);
	same_number(&a->byte_size, &b->byte_size);
	same_number(&a->bit_size, &b->bit_size);
	same_number(&a->bit_offset, &b->bit_offset);
	same_number(&a->data_bit_offset, &b->data_bit_offset);
	same_number(&a->location, &b->location);
	same_number(&a->lower_bound, &b->lower_bound);
	same_number(&a->upper_bound, &b->upper_bound);
	same_number(&a->count, &b->count);
	same_number(&a->discr_value, &b->discr_value);
	assert_true(a->discr_list_length == b->discr_list_length);
	assert_true(a->align_bytes == b->align_bytes);
	assert_true(a->decl_file == b->decl_file && a->decl_line == b->decl_line);
	assert_true(a->accessibility == b->accessibility);
	assert_int_equal(a->has_decl_file, b->has_decl_file);
	assert_int_equal(a->is_declaration, b->is_declaration);
	assert_int_equal(a->is_external, b->is_external);
	assert_int_equal(a->is_artificial, b->is_artificial);
	assert_int_equal(a->is_virtual, b->is_virtual);
	assert_int_equal(a->is_prototyped, b->is_prototyped);
	assert_int_equal(a->is_vector, b->is_vector);
}

/* All that lies in the entry at `off`: `a` reads as it can, `b` by libdwarf. */
static void same_tree(struct entry_unit *a, struct entry_unit *b, uint64_t off)
{
	struct entry_list left = {0}, right = {0};
	must(entry_children(a, off, any, &left));
	must(entry_children(b, off, any, &right));
	assert_true(left.count == right.count);
	for (size_t i = 0; i < left.count; i++) {
		struct entry one;
		same_entry(&left.items[i], &right.items[i]);
		must(entry_read(a, left.items[i].off, &one));
		same_entry(&one, &right.items[i]);
		same_tree(a, b, left.items[i].off);
	}
	entry_list_release(&left);
	entry_list_release(&right);
}

/* As if plain had not been able to read anything. */
static void without_plain(struct entry_unit *unit, struct field_root *ret)
{
	unit->handle->plain.next = NULL;
	unit->handle->plain.count = 0;
	must(handle_open(unit));
	must(attribute_read_root(unit, ret));
}

static const char *text_of(const char *text)
{
	return text ? text : "";
}

static void same_root(const struct entry_unit *unit, const struct field_root *root)
{
	const struct entry_handle *handle = unit->handle;
	assert_string_equal(unit->name, text_of(root->name));
	assert_string_equal(unit->producer, text_of(root->producer));
	if (!handle->skeleton)
		assert_string_equal(unit->comp_dir, text_of(root->comp_dir));
	assert_int_equal(unit->language, root->language);
	if (unit->extent.version < 5) /* later the header says it */
		assert_true(unit->extent.dwo_id == root->dwo_id);
	assert_int_equal(handle->has_lines, root->has_lines);
	if (root->has_lines)
		assert_true(handle->line_off ==
			    root->line_off + (handle->part ? handle->part->line_off : 0));
}

static void same_unit(const struct object *object, uint64_t off)
{
	struct entry_unit a, b;
	struct field_root root;
	struct entry x, y;
	must(entry_unit_open(object, off, &a));
	must(entry_unit_open(object, off, &b));
	without_plain(&b, &root);
	same_root(&a, &root);
	assert_true(a.extent.root_off == b.extent.root_off);
	must(entry_read(&a, a.extent.root_off, &x));
	must(entry_read(&b, b.extent.root_off, &y));
	same_entry(&x, &y);
	same_tree(&a, &b, a.extent.root_off);
	units_with_libdwarf += a.handle->debug != NULL;
	entry_unit_close(&a);
	entry_unit_close(&b);
}

static void same_file(const char *path)
{
	struct arena arena;
	struct object object;
	arena_init(&arena);
	must(object_open(&arena, path, &object));
	must(companion_attach(&arena, &(struct companion_options){NULL}, &object));
	must(object_require_dwarf(&object));
	entry_begin();
	for (uint64_t off = 0; off < object_limit(&object);) {
		struct entry_extent extent;
		must(entry_extent_read(&object, off, &extent));
		same_unit(&object, off);
		off = extent.end;
	}
	object_close(&object);
	arena_release(&arena);
}

static const char c_source[] =
	"#include <stdatomic.h>\n#include <stdint.h>\n"
	"typedef float v4 __attribute__((vector_size(16)));\n"
	"enum colour { RED, GREEN = -3, BLUE = 1 << 20 };\n"
	"union u { int i; double d; struct { short s; char c[3][4]; }; };\n"
	"struct bits { unsigned a:3, b:7; long long c:40; signed char d:2; _Bool e:1; };\n"
	"struct node { struct node *next; const volatile union u *u; int (*call)(struct node *, ...);\n"
	"  atomic_int count; v4 vector; enum colour colour; struct bits bits; _Alignas(64) char line[7]; int tail[]; };\n"
	"typedef struct { struct node *first; long double x; _Complex double z; } list_t;\n"
	"struct incomplete; struct incomplete *nowhere; list_t lists[4];\n"
	"static inline int twice(int x) { return 2 * x; }\n"
	"int run(int n, list_t *l) { struct local { int v[3]; } *p = 0; static struct node here; int v[n]; v[0] = n;\n"
	"  for (int i = 0; i < n; i++) { int t = twice(i); l->first = &here; n += t; } return n + (p != 0) + v[n / 2]; }\n";

static const char cxx_source[] =
	"namespace a { namespace { struct hidden { int x; }; } inline namespace v1 { enum class e : char { A, B }; } }\n"
	"struct base { virtual ~base(); int b; static int shared; protected: char c; };\n"
	"struct other { long o; }; struct empty {};\n"
	"struct derived : base, virtual other, private empty { a::v1::e p; int base::*m; int (base::*f)() const; int &r; int &&rr;\n"
	"  struct inner { double d; } i; template <class T> struct box { T t; }; box<int> bi; alignas(32) char last; };\n"
	"base::~base() {} int base::shared; a::hidden h; template <class T, int N> struct array { T t[N]; }; array<derived *, 3> x;\n"
	"derived *make(); int main() { auto l = [](int k) { struct local { int q; }; return local{k}.q; }; return l(3) + h.x + !!make(); }\n"
	"derived *make() { return nullptr; }\n";

struct build {
	const char *what;
	const char *command;
	const char *file; /* NULL: a.out */
};

static void must_build(const struct build *build)
{
	tool_write_text("a.c", c_source);
	tool_write_text("b.cc", cxx_source);
	if (!tool_run("%s", build->command)) {
		fprintf(stderr, "%s\n", build->what);
		tool_show_log();
		fail();
	}
}

/* Of these nothing takes libdwarf. */
static void test_compilers(void **state)
{
	static const struct build builds[] = {
		{"gcc, DWARF 2", "gcc -gdwarf-2 -gstrict-dwarf -O2 -c a.c -o a.out", NULL},
		{"gcc, DWARF 3", "gcc -gdwarf-3 -c a.c -o a.out", NULL},
		{"gcc, DWARF 4", "gcc -gdwarf-4 -O2 -c a.c -o a.out", NULL},
		{"gcc, DWARF 5", "gcc -gdwarf-5 -O2 -c a.c -o a.out", NULL},
		{"gcc, 64-bit DWARF", "gcc -g -gdwarf64 -O2 -c a.c -o a.out", NULL},
		{"gcc, 32 bits", "gcc -m32 -g -c a.c -ffreestanding -o a.out", NULL},
		{"g++, DWARF 4", "g++ -gdwarf-4 -w -O2 -c b.cc -o a.out", NULL},
		{"g++, DWARF 5", "g++ -gdwarf-5 -w -O2 -c b.cc -o a.out", NULL},
		{"g++, type units", "g++ -g -w -fdebug-types-section -c b.cc -o a.out", NULL},
		{"g++, type units of DWARF 4",
			"g++ -gdwarf-4 -w -fdebug-types-section -c b.cc -o a.out", NULL},
		{"gcc, LTO", "gcc -g -O2 -flto -shared -fPIC a.c -o a.out", NULL},
		{"clang, DWARF 2", "clang -gdwarf-2 -c a.c -o a.out", NULL},
		{"clang, DWARF 4", "clang -gdwarf-4 -O2 -c a.c -o a.out", NULL},
		{"clang, DWARF 5", "clang -gdwarf-5 -O2 -c a.c -o a.out", NULL},
		{"clang, big endian",
			"clang --target=s390x-linux-gnu -ffreestanding -gdwarf-5 -c a.c -o a.out",
			NULL},
		{"clang++, DWARF 5", "clang++ -gdwarf-5 -w -std=c++17 -c b.cc -o a.out", NULL},
		{"dwz", "gcc -g -O2 -c a.c && gcc -g -shared a.o -o a.out -Wl,-z,notext && cp a.out b.out && dwz a.out",
			NULL},
		{"dwz, a file for two",
			"gcc -g -fPIC -shared a.c -o a.out && cp a.out b.out && dwz -m m.dwz a.out b.out",
			NULL},
		{"gcc, split",
			"gcc -g -O2 -gsplit-dwarf -c a.c -o a.o && gcc -shared a.o -o a.out -Wl,-z,notext",
			NULL},
		{"clang, split", "clang -gdwarf-5 -gsplit-dwarf -c a.c -o a.o && cp a.o a.out",
			NULL},
		{"gcc, split, DWARF 4", "gcc -gdwarf-4 -gsplit-dwarf -c a.c -o a.o && cp a.o a.out",
			NULL},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(builds) / sizeof(*builds); i++) {
		must_build(&builds[i]);
		entries_seen = units_with_libdwarf = 0;
		print_message("%s\n", builds[i].what);
		same_file(tool_path("a.out"));
		if (entries_seen < 50 || units_with_libdwarf)
			fprintf(stderr, "%s: %llu entries, %llu units took libdwarf\n",
				builds[i].what, (unsigned long long)entries_seen,
				(unsigned long long)units_with_libdwarf);
		assert_true(entries_seen >= 50);
		assert_true(units_with_libdwarf == 0);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_compilers)};
	for (int i = 1; i < argc; i++) {
		same_file(argv[i]);
		printf("%s: %llu entries are the same, %llu units took libdwarf\n", argv[i],
			(unsigned long long)entries_seen, (unsigned long long)units_with_libdwarf);
	}
	return argc > 1 ? 0 : cmocka_run_group_tests(tests, tool_setup, tool_teardown);
}

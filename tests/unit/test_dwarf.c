/*
 * dwarf: what is read must be what the compiler did. Each case is compiled; what linelint reads of it becomes
 * _Static_asserts and, for bit-fields, objects with all bits of one field set, which the same compiler compiles again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <gelf.h>
#include <fcntl.h>

#include "base/buf.h"
#include "read/dwarf.h"
#include "read/dwarf/entry.h"
#include "read/index.h"
#include "read/object.h"
#include "toolchain.h"
#include "type.h"

/* ---- a binary, read ---- */

struct binary {
	struct arena arena;
	struct object object;
	struct index index;
	const struct index_def **defs;
	struct dwarf_type *types; /* one for each def */
};

static void must(struct error *error)
{
	if (error)
		fprintf(stderr, "%s\n", error->message);
	assert_null(error);
}

static void binary_open(struct binary *b, const char *name, unsigned jobs)
{
	struct index_query query = {.jobs = 1};
	arena_init(&b->arena);
	must(object_open(&b->arena, tool_path(name), &b->object));
	must(index_build(&b->arena, &b->object, &query, &b->index));
	b->defs = arena_new(&b->arena, b->index.count + 1, sizeof(*b->defs));
	b->types = arena_new(&b->arena, b->index.count + 1, sizeof(*b->types));
	for (size_t i = 0; i < b->index.count; i++)
		b->defs[i] = &b->index.defs[i];
	must(dwarf_read(&b->arena, &b->object, b->defs, b->index.count, jobs, b->types));
}

static void binary_close(struct binary *b)
{
	object_close(&b->object);
	arena_release(&b->arena);
}

static size_t find_def(const struct binary *b, const char *name)
{
	for (size_t i = 0; i < b->index.count; i++)
		if (strcmp(b->defs[i]->name, name) == 0)
			return i;
	fprintf(stderr, "no definition of '%s'\n", name);
	fail();
	return 0;
}

static const struct type *find_type(const struct binary *b, const char *name)
{
	const struct dwarf_type *found = &b->types[find_def(b, name)];
	return types_get(found->types, found->id);
}

static const struct type_member *find_member(const struct type *type, const char *name)
{
	for (size_t i = 0; i < type->member_count; i++)
		if (strcmp(type->members[i].name, name) == 0)
			return &type->members[i];
	static const struct type_member missing = {.name = ""};
	fprintf(stderr, "no member '%s'\n", name);
	fail();
	return &missing;
}

/* ---- the case in C ---- */

static const char case_h[] =
	"#include <stddef.h>\n"
	"enum color { RED, GREEN, BLUE };\n"
	"enum __attribute__((packed)) tiny { ONE = 1 };\n"
	"typedef struct { int t; char u; } tdef_t;\n"
	"typedef int vec4 __attribute__((vector_size(16)));\n"
	"struct elsewhere;\n"
	"struct bits { unsigned a : 3; unsigned b : 5; int c : 9; unsigned d : 15; unsigned long long e : 40;\n"
	"  _Bool f : 1; unsigned char g : 4; unsigned char h : 4; unsigned full : 32; unsigned : 5; unsigned i : 2;\n"
	"  enum color k : 2; unsigned : 0; unsigned m : 1; };\n"
	"struct __attribute__((packed)) pbits { char pre; unsigned a : 7; unsigned long long b : 50; int c;\n"
	"  unsigned d : 20; short e; };\n"
	"union ubits { unsigned a : 5; unsigned long long b : 33; int c; };\n"
	"struct nest { int a; union { struct { int x; char y; }; long z; struct { short q; unsigned r : 3; } named; };\n"
	"  struct { union { int u1; float u2; }; char t[3]; } inner[2]; struct bits b; };\n"
	"struct arrays { int a[3]; char b[2][5]; short c[2][3][4]; struct { char x; int w : 6; } d[2]; int flex[]; };\n"
	"struct zero { int n; char z[0]; long after; int zz[0][3]; };\n"
	"struct __attribute__((packed)) packed { char a; int b; long long c; struct nest n; };\n"
	"struct aligned { char a; int b __attribute__((aligned(32))); char c; };\n"
	"struct outer_align { char c; struct aligned al; } __attribute__((aligned(128)));\n"
	"struct has_typedef { char c; tdef_t t; tdef_t *p; const tdef_t ct; };\n"
	"struct pointers { void (*fn)(int); int (*vf)(const char *, ...); struct elsewhere *(*get)(struct elsewhere *);\n"
	"  int (*arr[3])(void); void (*(*ff)(int))(char); int (*pa)[4]; struct elsewhere *e; struct pointers *self; };\n"
	"struct qualified { const int c; volatile int v; _Atomic int at; int *restrict r; const char *const cv;\n"
	"  const char *const names[2]; struct elsewhere *fd_array[64]; };\n"
	"struct scalars { _Bool b; signed char s; short h; long l; long long ll; float f; double d; char pad;\n"
	"  long double ld; _Complex double cd; enum color color; enum tiny tiny; vec4 v; vec4 w[2]; void *p; };\n"
	"#ifdef __SIZEOF_INT128__\n"
	"struct wide { char c; __int128 i; unsigned __int128 bits : 100; };\n"
	"#endif\n"
	"struct empty { };\n"
	"struct with_empty { int a; struct empty e; int b; };\n"
	"struct positions {\n"
	"  int first;\n"
	"  int second; };\n";

static const char case_c[] =
	"#include \"case.h\"\n"
	"#define USE(n) struct n use_##n;\n"
	"USE(bits) USE(pbits) union ubits use_ubits; USE(nest) USE(arrays) USE(zero) USE(packed) USE(aligned)\n"
	"USE(outer_align) USE(has_typedef) USE(pointers) USE(qualified) USE(scalars) USE(with_empty) USE(positions)\n"
	"#ifdef __SIZEOF_INT128__\nUSE(wide)\n#endif\n"
	"int local(int x) { struct local_s { char c; int v; } l = {1, x}; return l.v + l.c; }\n"
	"#ifdef WITH_MAIN\nint main(void) { return local(0); }\n#endif\n";

/* What must be there, so that nothing is missed in silence. */
static const struct {
	const char *name;
	size_t members;
} expected[] = {
	{"bits", 12},
	{"pbits", 6},
	{"ubits", 3},
	{"nest", 4},
	{"arrays", 5},
	{"zero", 4},
	{"packed", 4},
	{"aligned", 3},
	{"outer_align", 2},
	{"has_typedef", 4},
	{"pointers", 8},
	{"qualified", 7},
	{"scalars", 15},
	{"empty", 0},
	{"with_empty", 3},
	{"positions", 2},
	{"tdef_t", 2},
	{"local_s", 2},
};

/* How types must be written. */
static const struct {
	const char *type, *member, *declaration;
} declared[] = {
	{"pointers", "fn", "void (*fn)(int)"},
	{"pointers", "vf", "int (*vf)(const char *, ...)"},
	{"pointers", "get", "struct elsewhere *(*get)(struct elsewhere *)"},
	{"pointers", "arr", "int (*arr[3])(void)"},
	{"pointers", "ff", "void (*(*ff)(int))(char)"},
	{"pointers", "pa", "int (*pa)[4]"},
	{"pointers", "e", "struct elsewhere *e"},
	{"pointers", "self", "struct pointers *self"},
	{"qualified", "c", "const int c"},
	{"qualified", "v", "volatile int v"},
	{"qualified", "at", "_Atomic int at"},
	{"qualified", "r", "int *restrict r"},
	{"qualified", "cv", "const char *const cv"},
	{"qualified", "names", "const char *const names[2]"},
	{"qualified", "fd_array", "struct elsewhere *fd_array[64]"},
	{"arrays", "flex", "int flex[]"},
	{"arrays", "b", "char b[2][5]"},
	{"zero", "z", "char z[0]"},
	{"zero", "zz", "int zz[0][3]"},
	{"has_typedef", "t", "tdef_t t"},
	{"has_typedef", "p", "tdef_t *p"},
	{"has_typedef", "ct", "const tdef_t ct"},
	{"scalars", "color", "enum color color"},
	{"scalars", "p", "void *p"},
	{"scalars", "w", "vec4 w[2]"},
	{"bits", "k", "enum color k"},
};

/* ---- the compiler checks what was read ---- */

/* A bit-field and the object that shows where it lies. */
struct probe {
	uint64_t off_bits;
	uint32_t bit_size;
	char path[160];
};

struct checks {
	struct buf text;
	struct probe probes[200];
	size_t probe_count;
};

static void check_members(struct checks *checks, const struct types *types, const char *name,
	const struct type *type, const char *path, uint64_t off_bits);

/* Through typedefs and qualifiers, and the elements of an array, which the path then names. */
static const struct type *inside(const struct types *types, type_id id, struct buf *path)
{
	const struct type *type = types_get(types, types_strip(types, id));
	if (type->kind != TYPE_ARRAY || type->is_vector)
		return type;
	for (size_t i = 0; i < type->dim_count; i++)
		buf_puts(path, "[0]");
	return types_get(types, types_strip(types, type->target));
}

static void check_member(struct checks *checks, const struct types *types, const char *name,
	const struct type_member *member, const char *path, uint64_t off_bits)
{
	struct buf inner;
	uint64_t size, at = off_bits + member->off_bits;
	buf_init(&inner);
	buf_printf(&inner, "%s%s%s", path, *path && *member->name ? "." : "", member->name);
	/* clang tells a bit-field as wide as its type as a plain member */
	uint32_t bits = member->bit_size                    ? member->bit_size
			: strcmp(member->name, "full") == 0 ? 32
							    : 0;
	if (bits) {
		struct probe *probe = &checks->probes[checks->probe_count];
		assert_true(
			checks->probe_count < sizeof(checks->probes) / sizeof(checks->probes[0]));
		*probe = (struct probe){at, bits, ""};
		snprintf(probe->path, sizeof(probe->path), "%s.%s", name, inner.data);
		buf_printf(&checks->text,
			"%s probe_%zu __attribute__((section(\".probe.%zu\"))) = {.%s = -1};\n",
			name, checks->probe_count, checks->probe_count, inner.data);
		checks->probe_count++;
	} else {
		assert_int_equal(at % 8, 0);
		if (*member->name)
			buf_printf(&checks->text,
				"_Static_assert(offsetof(%s, %s) == %llu, \"%s.%s\");\n", name,
				inner.data, (unsigned long long)(at / 8), name, inner.data);
		if (*member->name && type_size(types, member->type, &size) &&
			!strstr(inner.data, "flex"))
			buf_printf(&checks->text,
				"_Static_assert(sizeof(((%s *)0)->%s) == %llu, \"size of %s.%s\");\n",
				name, inner.data, (unsigned long long)size, name, inner.data);
		const struct type *type = inside(types, member->type, &inner);
		if (type_is_aggregate(type)) {
			assert_false(type->is_declaration);
			check_members(checks, types, name, type, inner.data, at);
		}
	}
	buf_release(&inner);
}

static void check_members(struct checks *checks, const struct types *types, const char *name,
	const struct type *type, const char *path, uint64_t off_bits)
{
	for (size_t i = 0; i < type->member_count; i++)
		check_member(checks, types, name, &type->members[i], path, off_bits);
}

/* Are exactly the bits of the field set in its object? */
static void check_probe(
	const struct probe *probe, const uint8_t *bytes, uint64_t size, bool big_endian)
{
	for (uint64_t bit = 0; bit < 8 * size; bit++) {
		bool is_set = bytes[bit / 8] >> (big_endian ? 7 - bit % 8 : bit % 8) & 1;
		bool must_be = bit >= probe->off_bits && bit < probe->off_bits + probe->bit_size;
		if (is_set != must_be)
			fprintf(stderr, "%s: read as %u bits at bit %llu, but bit %llu is %d\n",
				probe->path, probe->bit_size, (unsigned long long)probe->off_bits,
				(unsigned long long)bit, is_set);
		assert_int_equal(is_set, must_be);
	}
}

static size_t check_probes(const struct checks *checks, const char *name, bool big_endian)
{
	int fd = open(tool_path(name), O_RDONLY);
	size_t names, seen = 0;
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	assert_int_equal(elf_getshdrstrndx(elf, &names), 0);
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		GElf_Shdr header;
		size_t number;
		assert_non_null(gelf_getshdr(section, &header));
		const char *text = elf_strptr(elf, names, header.sh_name);
		if (!text || sscanf(text, ".probe.%zu", &number) != 1)
			continue;
		assert_true(number < checks->probe_count);
		const Elf_Data *data = elf_rawdata(section, NULL);
		check_probe(&checks->probes[number], data->d_buf, data->d_size, big_endian);
		seen++;
	}
	elf_end(elf);
	close(fd);
	return seen;
}

static void generate(struct checks *checks, const struct binary *b)
{
	buf_init(&checks->text);
	checks->probe_count = 0;
	buf_puts(&checks->text, "#include \"case.h\"\n");
	for (size_t i = 0; i < b->index.count; i++) {
		const struct index_def *def = b->defs[i];
		const struct type *type = types_get(b->types[i].types, b->types[i].id);
		char name[100];
		if (def->is_local)
			continue;
		snprintf(name, sizeof(name), "%s %s",
			def->is_typedef ? "" : type_keyword(type->kind), def->name);
		assert_true(type->size_known);
		buf_printf(&checks->text, "_Static_assert(sizeof(%s) == %llu, \"size of %s\");\n",
			name, (unsigned long long)type->size_bytes, name);
		check_members(checks, b->types[i].types, name, type, "", 0);
	}
}

static bool can_say(unsigned version, const char *declaration)
{
	return version >= 5 || (!strstr(declaration, "_Atomic") &&
				       (version >= 3 || !strstr(declaration, "restrict")));
}

static void check_case(const struct binary *b)
{
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		const struct type *type = find_type(b, expected[i].name);
		if (type->member_count != expected[i].members)
			fprintf(stderr, "%s\n", expected[i].name);
		assert_int_equal(type->member_count, expected[i].members);
	}
	for (size_t i = 0; i < sizeof(declared) / sizeof(declared[0]); i++) {
		const struct dwarf_type *type = &b->types[find_def(b, declared[i].type)];
		const struct type_member *member =
			find_member(types_get(type->types, type->id), declared[i].member);
		struct buf text;
		if (!can_say(type->dwarf_version, declared[i].declaration))
			continue;
		buf_init(&text);
		type_declare(type->types, member->type, member->name, &text);
		assert_string_equal(text.data, declared[i].declaration);
		buf_release(&text);
	}
	const struct type *positions = find_type(b, "positions");
	assert_string_equal(positions->file, "case.h");
	assert_string_equal(positions->members[1].file, "case.h");
	assert_true(positions->line > 0);
	assert_int_equal(positions->members[0].line, positions->line + 1);
	assert_int_equal(positions->members[1].line, positions->line + 2);
	assert_string_equal(b->types[find_def(b, "bits")].unit, "case.c");
	assert_true(b->defs[find_def(b, "local_s")]->is_local);
}

/* Compiles the case, reads it, and has the compiler check it; false when this compiler is not here. */
static bool check_compiler(
	const char *compiler, const char *flags, bool is_linked, unsigned version)
{
	struct binary b;
	struct checks checks;
	if (!tool_run(
		    "%s %s %s case.c -o case.o", compiler, flags, is_linked ? "-DWITH_MAIN" : "-c"))
		return false;
	binary_open(&b, "case.o", 1);
	check_case(&b);
	if (version)
		assert_int_equal(b.types[find_def(&b, "bits")].dwarf_version, version);
	generate(&checks, &b);
	assert_true(checks.probe_count >= 28);
	tool_write("check.c", checks.text.data, checks.text.length);
	bool good = tool_run("%s -w %s -fno-lto -c check.c -o check.o", compiler, flags);
	if (!good)
		tool_show_log();
	assert_true(good);
	assert_int_equal(
		check_probes(&checks, "check.o", b.object.types.big_endian), checks.probe_count);
	buf_release(&checks.text);
	binary_close(&b);
	return true;
}

static void try_compiler(const char *compiler, const char *flags, bool is_linked, unsigned version)
{
	fprintf(stderr, "%s %s%s\n", compiler, flags, is_linked ? " (linked)" : "");
	if (!check_compiler(compiler, flags, is_linked, version))
		fprintf(stderr, "  skipped: no such compiler or target\n");
}

static int write_case(void **state)
{
	if (tool_setup(state) != 0)
		return -1;
	tool_write_text("case.h", case_h);
	tool_write_text("case.c", case_c);
	return 0;
}

static void test_versions(void **state)
{
	static const char *const compilers[] = {"gcc", "clang"};
	(void)state;
	assert_true(check_compiler("gcc", "-gdwarf-5", false, 5) ||
		    check_compiler("clang", "-gdwarf-5", false, 5));
	for (size_t i = 0; i < 2; i++)
		for (unsigned version = 2; version <= 5; version++)
			for (unsigned bits = 32; bits <= 64; bits += 32) {
				char flags[100];
				snprintf(flags, sizeof(flags), "-gdwarf-%u -gstrict-dwarf -m%u",
					version, bits);
				try_compiler(compilers[i], flags, false, version);
				snprintf(
					flags, sizeof(flags), "-gdwarf-%u -m%u -O2", version, bits);
				try_compiler(compilers[i], flags, version % 2, version);
			}
}

static void test_forms(void **state)
{
	(void)state;
	try_compiler("gcc", "-gdwarf-5 -gdwarf64", false, 5);
	try_compiler("gcc", "-gdwarf-5 -gz", false, 5);
	try_compiler("gcc", "-gdwarf-4 -gz=zlib-gnu", false, 4);
	try_compiler("gcc", "-gdwarf-5 -O2 -flto -Wl,--emit-relocs", true, 5);
	try_compiler("clang", "-gdwarf-5 -gdwarf64", false, 5);
	try_compiler("clang", "-gdwarf-5 -gz", true, 5);
}

static void test_machines(void **state)
{
	static const char *const machines[] = {"aarch64-linux-gnu", "arm-linux-gnueabihf",
		"riscv64-linux-gnu", "powerpc64-linux-gnu", "powerpc64le-linux-gnu",
		"powerpc-linux-gnu", "s390x-linux-gnu", "mips-linux-gnu", "mipsel-linux-gnu",
		"mips64-linux-gnuabi64", "mips64el-linux-gnuabi64", "aarch64_be-linux-gnu"};
	(void)state;
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		for (unsigned version = 2; version <= 5; version += 1) {
			char compiler[100], flags[40];
			snprintf(compiler, sizeof(compiler), "clang --target=%s", machines[i]);
			snprintf(flags, sizeof(flags), "-gdwarf-%u -gstrict-dwarf", version);
			try_compiler(compiler, flags, false, version);
		}
}

/* ---- C++ ---- */

static const char case_cc[] =
	"#include <stdio.h>\n"
	"namespace ns { struct Outer { struct Inner; struct In2 { int a; char b; } in2; int x; static int st;\n"
	"  enum class E : unsigned char { A } e; Inner *ip; };\n"
	"struct Outer::Inner { long l; Outer *o; };\n"
	"struct User { Outer::Inner i; Outer::In2 *p; Outer::E e; };\n"
	"namespace { struct Hidden { int z; }; } Hidden hidden; }\n"
	"struct A { int a; }; struct B : virtual A { int b; }; struct E {}; struct EB : E { int x; };\n"
	"struct V { virtual ~V(); virtual void f(); int v; }; V::~V() {} void V::f() {}\n"
	"struct W : V, A { char w; int &r; int &&rr; int V::*mp; void (V::*mf)(int); W(int &i) : r(i), rr((int &&)i) {} };\n"
	"template <class T, int N> struct Tm { T t[N]; struct Node { Node *n; T v; } node; };\n"
	"class K { int a : 3; bool b : 1; public: int c; static const int k = 3; };\n"
	"ns::User user; ns::Outer outer; int ns::Outer::st; B b; EB eb; Tm<int, 3> tm; K k;\n"
	"struct M { int m() { struct Local { int y; char c; } l = {2, 1}; return l.y + l.c; } };\n"
	"#define AT(o, m) (long)((char *)&(o).m - (char *)&(o))\n"
	"int main() { int i = 0; W w(i); M m; V *v = &w; A *a = &w;\n"
	"  printf(\"User.p %ld\\nUser.e %ld\\nOuter.x %ld\\nOuter.e %ld\\nOuter.ip %ld\\n\", AT(user, p), AT(user, e),\n"
	"    AT(outer, x), AT(outer, e), AT(outer, ip));\n"
	"  printf(\"B.b %ld\\nEB.x %ld\\nV.v %ld\\nW.w %ld\\nW.mp %ld\\nW.mf %ld\\n\", AT(b, b), AT(eb, x), AT(w, v),\n"
	"    AT(w, w), AT(w, mp), AT(w, mf));\n"
	"  printf(\"W.V %ld\\nW.A %ld\\nK.c %ld\\n\", (long)((char *)v - (char *)&w), (long)((char *)a - (char *)&w), AT(k, c));\n"
	"  return m.m() == 0; }\n";

static const struct {
	const char *type, *scope;
	size_t members;
} expected_cc[] = {
	{"Outer", "ns", 4},
	{"Inner", "ns::Outer", 2},
	{"In2", "ns::Outer", 2},
	{"User", "ns", 3},
	{"A", NULL, 1},
	{"B", NULL, 3},
	{"EB", NULL, 2},
	{"V", NULL, 2},
	{"W", NULL, 7},
	{"Tm<int, 3>", NULL, 2},
	{"Node", "Tm<int, 3>", 2},
	{"K", NULL, 3},
	{"Local", "M::m()", 2},
	{"M", NULL, 0},
};

static const struct {
	const char *type, *member, *declaration;
} declared_cc[] = {
	{"W", "r", "int &r"},
	{"W", "rr", "int &&rr"},
	{"W", "mp", "int V::*mp"},
	{"W", "mf", "void (V::*mf)(int)"},
	{"Outer", "e", "enum ns::Outer::E e"},
	{"User", "p", "struct ns::Outer::In2 *p"},
	{"Node", "n", "struct Tm<int, 3>::Node *n"},
	{"K", "b", "bool b"},
};

static void check_cc(const char *compiler, const char *flags)
{
	struct binary b;
	char type_name[40], member_name[40];
	unsigned long off;
	int length;
	if (!tool_run("%s %s case.cc -o case && ./case >offsets", compiler, flags)) {
		fprintf(stderr, "  skipped: no such compiler\n");
		return;
	}
	binary_open(&b, "case", 1);
	for (size_t i = 0; i < sizeof(expected_cc) / sizeof(expected_cc[0]); i++) {
		const struct type *type = find_type(&b, expected_cc[i].type);
		if (type->member_count != expected_cc[i].members)
			fprintf(stderr, "%s\n", expected_cc[i].type);
		assert_int_equal(type->member_count, expected_cc[i].members);
		if (expected_cc[i].scope)
			assert_string_equal(type->scope, expected_cc[i].scope);
		else
			assert_null(type->scope);
	}
	for (size_t i = 0; i < sizeof(declared_cc) / sizeof(declared_cc[0]); i++) {
		const struct dwarf_type *type = &b.types[find_def(&b, declared_cc[i].type)];
		const struct type_member *member =
			find_member(types_get(type->types, type->id), declared_cc[i].member);
		struct buf text;
		buf_init(&text);
		type_declare(type->types, member->type, member->name, &text);
		assert_string_equal(text.data, declared_cc[i].declaration);
		buf_release(&text);
	}
	size_t have, lines = 0;
	char *offsets = tool_read("offsets", &have);
	for (const char *at = offsets;
		sscanf(at, "%39[^.].%39s %lu %n", type_name, member_name, &off, &length) == 3;
		at += length, lines++) {
		const struct type_member *member =
			find_member(find_type(&b, type_name), member_name);
		if (member->off_bits != 8 * off)
			fprintf(stderr, "%s.%s\n", type_name, member_name);
		assert_int_equal(member->off_bits, 8 * off);
	}
	free(offsets);
	assert_int_equal(lines, 14);

	const struct type_member *virtual_base = find_member(find_type(&b, "B"), "A");
	assert_true(virtual_base->is_base && virtual_base->is_virtual && virtual_base->is_dynamic);
	assert_int_equal(virtual_base->off_bits, 8 * find_type(&b, "B")->size_bytes);
	const struct type_member *base = find_member(find_type(&b, "W"), "V");
	assert_true(base->is_base && !base->is_virtual && !base->is_dynamic);
	assert_true(find_type(&b, "V")->members[0].is_artificial);
	binary_close(&b);
}

static void test_cc(void **state)
{
	(void)state;
	tool_write_text("case.cc", case_cc);
	check_cc("g++", "-gdwarf-4");
	check_cc("g++", "-gdwarf-5 -O2");
	check_cc("clang++", "-gdwarf-4");
	check_cc("clang++", "-gdwarf-5");
}

/* Types in units of their own: names and scopes as without. Only members are compared: the index has its own tests. */
static void test_type_units(void **state)
{
	(void)state;
	tool_write_text("case.cc", case_cc);
	if (!tool_run("g++ -gdwarf-5 -fdebug-types-section case.cc -o case"))
		skip();
	struct binary b;
	binary_open(&b, "case", 1);
	const struct type *user = find_type(&b, "User");
	const struct dwarf_type *read = &b.types[find_def(&b, "User")];
	assert_int_equal(user->member_count, 3);
	const struct type *inner = types_get(read->types, user->members[0].type);
	assert_string_equal(inner->name, "Inner");
	assert_string_equal(inner->scope, "ns::Outer");
	assert_int_equal(inner->member_count, 2);
	assert_int_equal(types_get(read->types, user->members[2].type)->size_bytes, 1);
	binary_close(&b);
}

/* ---- many units, many threads ---- */

/* Everything that was read, as text. */
static void dump(const struct binary *b, struct buf *out)
{
	for (size_t i = 0; i < b->index.count; i++) {
		const struct types *types = b->types[i].types;
		const struct type *type = types_get(types, b->types[i].id);
		buf_printf(out, "%s %s:%u %llu %s %s %u %u\n", b->defs[i]->name,
			type->file ? type->file : "", type->line,
			(unsigned long long)type->size_bytes, b->types[i].unit,
			b->types[i].producer, b->types[i].dwarf_version, b->types[i].language);
		for (size_t k = 0; k < type->member_count; k++) {
			const struct type_member *member = &type->members[k];
			type_declare(types, member->type, member->name, out);
			buf_printf(out, " %llu %u %s:%u\n", (unsigned long long)member->off_bits,
				member->bit_size, member->file ? member->file : "", member->line);
		}
	}
}

static void test_jobs(void **state)
{
	(void)state;
	for (int i = 0; i < 12; i++) {
		char name[40], text[400];
		snprintf(name, sizeof(name), "unit%d.c", i);
		snprintf(text, sizeof(text),
			"#include \"case.h\"\nstruct own%d { struct nest n; char c[%d]; struct bits b; };\n"
			"struct own%d use%d; struct scalars scalars%d;\n",
			i, i + 1, i, i, i);
		tool_write_text(name, text);
	}
	if (!tool_run("gcc -g -shared -fPIC unit*.c -o units.so"))
		skip();
	struct buf texts[3];
	static const unsigned jobs[] = {1, 2, 9};
	for (size_t i = 0; i < 3; i++) {
		struct binary b;
		binary_open(&b, "units.so", jobs[i]);
		assert_true(b.index.count >= 12);
		buf_init(&texts[i]);
		dump(&b, &texts[i]);
		binary_close(&b);
	}
	assert_string_equal(texts[0].data, texts[1].data);
	assert_string_equal(texts[0].data, texts[2].data);
	for (size_t i = 0; i < 3; i++)
		buf_release(&texts[i]);
}

/* A definition that is not where it is said to be. */
static void test_bad_definition(void **state)
{
	struct binary b;
	(void)state;
	if (!tool_run("gcc -g -c case.c -o case.o"))
		skip();
	binary_open(&b, "case.o", 1);
	struct index_def wrong = *b.defs[find_def(&b, "bits")];
	const struct index_def *const defs[] = {&wrong};
	struct dwarf_type read;
	wrong.die_off = b.object.sections[OBJECT_DEBUG_INFO].size + 10;
	must(dwarf_read(&b.arena, &b.object, defs, 1, 1, &read));
	assert_non_null(strstr(read.damage, "out of its unit"));
	assert_null(read.types);
	wrong.die_off = wrong.unit_off + 12; /* the unit itself */
	must(dwarf_read(&b.arena, &b.object, defs, 1, 1, &read));
	assert_non_null(strstr(read.damage, "not a struct, union or class"));
	assert_null(read.types);
	binary_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_machines),
		cmocka_unit_test(test_cc),
		cmocka_unit_test(test_type_units),
		cmocka_unit_test(test_jobs),
		cmocka_unit_test(test_bad_definition),
	};
	return cmocka_run_group_tests(tests, write_case, tool_teardown);
}

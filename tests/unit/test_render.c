/* render: what the verbs print of small programs that are compiled here; offsets are the compiler's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "cmd/cmd.h"
#include "cmd/opt.h"
#include "toolchain.h"

#define PROGRAM                                                                                    \
	"struct pair { short x; int y; };\n"                                                       \
	"struct holey { char a; int b; unsigned c : 3; unsigned d : 7; long e; char f; };\n"       \
	"union way { int i; char raw[13]; double d; };\n"                                          \
	"struct across { char fill[60]; long v; char more[200]; } __attribute__((packed));\n"      \
	"struct nest { char c; struct pair arr[2][3]; union way w; struct { int p; union { float " \
	"q; long r; }; }; };\n"                                                                    \
	"struct only { struct { int a; long b; }; int tail[]; };\n"                                \
	"struct vast { char a; char rest[1UL << 54]; };\n"

#define OBJECTS                                                                                    \
	"struct pair pair; struct holey holey; union way way; struct across across; struct nest "  \
	"nest;\n"                                                                                  \
	"struct only only; struct vast *vast;\n"

/* The same declarations for this file, as the truth. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpadded"
struct pair {
	short x;
	int y;
};
union way {
	int i;
	char raw[13];
	double d;
};
struct nest {
	char c;
	struct pair arr[2][3];
	union way w;
	struct {
		int p;
		union {
			float q;
			long r;
		};
	};
};
#pragma GCC diagnostic pop

static int setup(void **state)
{
	if (tool_setup(state) != 0)
		return -1;
	tool_write_text("x.c", PROGRAM OBJECTS);
	if (!tool_run("gcc -g -c x.c -o x.o")) {
		tool_show_log();
		return -1;
	}
	return 0;
}

/* What `linelint WORDS` renders; @ stands for the test's directory. The caller frees. NULL: an error, in *error. */
static char *run(const char *words, int *status, struct error **error)
{
	enum { MOST = 32 };
	char *argv[MOST + 1] = {0}, *text = NULL;
	int argc = 0;
	size_t length = 0;
	struct arena arena;
	struct opt opt;
	arena_init(&arena);
	argv[argc++] = arena_strdup(&arena, "linelint");
	for (const char *at = words; *at && argc < MOST; at += strspn(at, " ")) {
		size_t word = strcspn(at, " ");
		argv[argc++] =
			*at == '@' ? arena_printf(&arena, "%s%.*s", tool_dir, (int)word - 1, at + 1)
				   : arena_strndup(&arena, at, word);
		at += word;
	}
	*error = opt_parse(&arena, argc, argv, &opt);
	if (!*error) {
		FILE *out = open_memstream(&text, &length);
		const struct cmd_io io = {
			.out = out, .notes = stderr, .color = opt.color == COLOR_ALWAYS};
		*error = opt.cmd->run(&opt, &io, status);
		fclose(out);
	}
	if (*error) {
		free(text);
		text = NULL;
	}
	arena_release(&arena);
	return text;
}

static char *good(const char *words)
{
	int status = 0;
	struct error *error;
	char *text = run(words, &status, &error);
	if (error)
		fail_msg("%s: %s", words, error->message);
	return text;
}

static void has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no '%s' in:\n%s", part, text);
}

static void has_not(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("'%s' in:\n%s", part, text);
}

static void lines_are_drawn(void **state)
{
	(void)state;
	char *text = good("@/x.o struct holey across way");
	has(text, "line 0  +...+---+-......+-------+_______ ");
	has(text, "16 of 32 used\n");
	has(text, "     8:0    unsigned int c:3\n");
	has(text, "     8:3    unsigned int d:7\n");
	has(text, "     9:2    hole of 6 bits\n");
	has(text, "    25   7  padding\n");
	has(text, "line 0  +-----------------------------------------------------------+-->\n");
	has(text, "line 1  <---+---------------");
	has(text, "goes on to line 1\n");
	has(text, "lines 2-3  128 bytes of more\n");
	has(text, "line 0  +------------___");
	free(text);
}

static void heat_is_drawn(void **state)
{
	(void)state;
	tool_write_text("p.yaml", "version: 1\n"
				  "roles: {in: {threads: 4}, out: {threads: 2}}\n"
				  "structs:\n"
				  "  holey:\n"
				  "    fields:\n"
				  "      a: {in: {read: 2}}\n"
				  "      b: {out: {rmw: 1}}\n"
				  "      e: {in: {read: 1}, out: {write: 1}}\n"
				  "      f: {in: {read: 0.01}}\n"
				  "  nest: {fields: {\"arr[].y\": {in: {write: 1}}}}\n");
	char *text = good("--profile @/p.yaml @/x.o struct holey");
	has(text, "line 0  R...W---+-......B-------r_______ ");
	has(text, "R stated  read 2: in\n");
	has(text, "W stated  rmw 1: out\n");
	has(text, "B stated  read 1: in; write 1: out\n");
	has(text, "r stated  read 0.01: in\n");
	free(text);
	/* each element of the array, not the first only; the aggregate, with its hole, shows through between them */
	text = good("--profile @/p.yaml @/x.o struct nest --quiet");
	has(text, "line 0  +...+-..W---+-..W---+-..W---+-..W---+-..W---+-..W---....");
	free(text);
	text = good("--profile @/p.yaml @/x.o struct holey --color=always");
	has(text, "\033[97;41mW---\033[0m");
	has(text, "\033[30;42mR\033[0m");
	free(text);
}

static void lines_keep_to_the_width(void **state)
{
	(void)state;
	char *text = good("--profile @/p.yaml @/x.o struct * --line-size 4096 --expand --verbose");
	size_t column = 0;
	for (const char *at = text; *at; at++) {
		column = *at == '\n' ? 0 : column + 1;
		if (column > 110)
			fail_msg("a line of more than 110 columns:\n%s", text);
	}
	has_not(text, "\033");
	has_not(text, " \n");
	free(text);
}

static void a_sole_unnamed_struct_stands_for_its_members(void **state)
{
	(void)state;
	char *text = good("@/x.o struct only");
	has(text, "\n     0 4  int a\n");
	has(text, "\n     8 8  long int b\n");
	has(text, "\n    16 0  int tail[]\n");
	free(text);
}

/* Every byte of every element is found at its path. */
static void offsets_are_located(void **state)
{
	(void)state;
	for (size_t i = 0; i < 6; i++) {
		size_t element = offsetof(struct nest, arr) + i * sizeof(struct pair);
		const struct {
			const char *name;
			size_t off, size;
		} members[] = {{"x", offsetof(struct pair, x), sizeof(short)},
			{"y", offsetof(struct pair, y), sizeof(int)}};
		for (size_t m = 0; m < 2; m++)
			for (size_t byte = 0; byte < members[m].size; byte++) {
				char words[64], wanted[64];
				snprintf(words, sizeof(words), "@/x.o struct nest --at %zu",
					element + members[m].off + byte);
				snprintf(wanted, sizeof(wanted), "= arr[%zu].%s  byte %zu of %zu\n",
					i, members[m].name, byte, members[m].size);
				char *text = good(words);
				has(text, wanted);
				free(text);
			}
	}
	char words[64];
	snprintf(
		words, sizeof(words), "@/x.o struct nest --at 0x%zx", offsetof(struct nest, r) + 1);
	char *text = good(words);
	has(text, "float q  byte 1 of 4\n");
	has(text, "long int r  byte 1 of 8\n");
	free(text);
	text = good("@/x.o struct nest --at 2");
	has(text, "in the 3-byte hole at 1\n");
	free(text);
	text = good("@/x.o struct way --at 14");
	has(text, "in the padding behind the last member (3 bytes)\n");
	free(text);
	int status = 0;
	struct error *error;
	assert_null(run("@/x.o struct way --at 16", &status, &error));
	has(error->message, "16");
	error_free(error);
}

static const cJSON *item(const cJSON *object, const char *key)
{
	const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, key);
	if (!found)
		fail_msg("no key '%s'", key);
	return found;
}

static const cJSON *struct_named(const cJSON *document, const char *name)
{
	const cJSON *one;
	cJSON_ArrayForEach(
		one, item(document, "structs")) if (strcmp(item(one, "name")->valuestring, name) ==
						    0) return one;
	fail_msg("no struct '%s'", name);
	return NULL;
}

static void json_says_what_the_compiler_says(void **state)
{
	(void)state;
	char *text = good("--format json @/x.o list");
	has(text, "\"size\":18014398509481985,"); /* beyond what a double holds */
	cJSON *document = cJSON_Parse(text);
	assert_non_null(document);
	assert_int_equal(cJSON_GetArraySize(item(document, "structs")), 7);
	const cJSON *nest = struct_named(document, "nest");
	assert_int_equal(item(nest, "size")->valueint, sizeof(struct nest));
	assert_int_equal(item(nest, "align")->valueint, _Alignof(struct nest));
	const cJSON *members = item(nest, "members");
	assert_int_equal(cJSON_GetArraySize(members), 4);
	const cJSON *arr = cJSON_GetArrayItem(members, 1),
		    *unnamed = cJSON_GetArrayItem(members, 3);
	assert_int_equal(item(arr, "offset")->valueint, offsetof(struct nest, arr));
	assert_string_equal(item(arr, "type")->valuestring, "struct pair [2][3]");
	assert_int_equal(cJSON_GetArraySize(item(arr, "members")), 2);
	assert_string_equal(item(unnamed, "name")->valuestring, "");
	assert_int_equal(item(unnamed, "offset")->valueint, offsetof(struct nest, p));
	const cJSON *holey = struct_named(document, "holey"),
		    *d = cJSON_GetArrayItem(item(holey, "members"), 3);
	assert_int_equal(item(d, "offset")->valueint, 8);
	assert_int_equal(item(d, "bit_offset")->valueint, 3);
	assert_int_equal(item(d, "bit_size")->valueint, 7);
	assert_true(cJSON_IsNull(item(d, "access")));
	assert_true(cJSON_IsNull(item(holey, "cost")));
	assert_int_equal(item(item(document, "summary"), "structs")->valueint, 7);
	cJSON_Delete(document);
	free(text);
}

static void the_bytes_do_not_depend_on_jobs(void **state)
{
	(void)state;
	FILE *source = fopen(tool_path("many.c"), "w");
	for (int i = 0; i < 3000; i++)
		fprintf(source, "struct s%d { char a; int b[%d]; long c : %d; } v%d;\n", i,
			i % 97 + 1, i % 63 + 1, i);
	fclose(source);
	assert_true(tool_run("gcc -g -c many.c -o many.o"));
	static const char *const forms[] = {"--format json @/many.o list",
		"@/many.o list --sort holes", "@/many.o list --min-size 128", "@/many.o struct s1*",
		"--format json @/many.o check s*"};
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		char words[128];
		snprintf(words, sizeof(words), "%s --jobs 1", forms[i]);
		char *one = good(words);
		for (unsigned jobs = 2; jobs < 10; jobs += 3) {
			snprintf(words, sizeof(words), "%s --jobs %u", forms[i], jobs);
			char *many = good(words);
			assert_string_equal(one, many);
			free(many);
		}
		free(one);
	}
}

static void rows_are_sorted_and_filtered(void **state)
{
	(void)state;
	char *text = good("@/x.o list --quiet");
	const char *before = "";
	static const char *const names[] = {"struct across ", "struct holey ", "struct nest ",
		"struct only ", "struct pair ", "struct vast ", "union way "};
	for (size_t i = 0; i < 7; i++) {
		const char *at = strstr(text, names[i]);
		assert_true(at && at >= before);
		before = at;
	}
	free(text);
	text = good("@/x.o list --sort size --quiet");
	assert_true(strncmp(text, "struct vast ", 12) == 0);
	free(text);
	text = good("@/x.o list --min-size 32 --min-holes 1");
	has(text, "struct holey ");
	has(text, "struct nest ");
	has_not(text, "struct pair ");
	has_not(text, "struct across ");
	has(text, "\n2 rows\n");
	free(text);
	text = good("@/x.o list --min-holes 9");
	has(text, "\n0 rows\n");
	free(text);
}

static void what_is_not_there_is_refused(void **state)
{
	(void)state;
	static const char *const lines[][2] = {
		{"@/x.o struct hole", "did you mean 'holey'?"},
		{"@/x.o struct holey nests", "did you mean 'nest'?"},
		{"@/x.o list zz*", "list' shows all"},
		{"@/x.o check", "profile init"},
		{"@/x.o struct", "no NAME"},
		{"@/nothing struct x", "No such file"},
		{"--profile @/nothing.yaml @/x.o struct holey", "nothing.yaml"},
	};
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		int status = 0;
		struct error *error;
		assert_null(run(lines[i][0], &status, &error));
		has(error->message, lines[i][1]);
		error_free(error);
	}
}

static void check_tells_what_the_profile_names_in_vain(void **state)
{
	(void)state;
	tool_write_text("stale.yaml", "version: 1\nstructs:\n  hole:\n    fields: {a: r hot}\n  "
				      "pair:\n    fields: {z: r hot}\n");
	int status = 0;
	struct error *error;
	char *text = run("--profile @/stale.yaml @/x.o check", &status, &error);
	assert_null(error);
	assert_int_equal(status, 1);
	has(text, "stale.yaml:3:3: error LL010 stale-profile: struct hole: ");
	has(text, "stale.yaml:6:14: error LL010 stale-profile: struct pair: ");
	has(text, "'holey'");
	has(text, "2 structs: 2 errors, 0 warnings, 0 infos\n");
	free(text);
	text = run("--profile @/stale.yaml @/x.o check --fail-on never --quiet", &status, &error);
	assert_int_equal(status, 0);
	has_not(text, "2 structs");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_drawn),
		cmocka_unit_test(heat_is_drawn),
		cmocka_unit_test(lines_keep_to_the_width),
		cmocka_unit_test(a_sole_unnamed_struct_stands_for_its_members),
		cmocka_unit_test(offsets_are_located),
		cmocka_unit_test(json_says_what_the_compiler_says),
		cmocka_unit_test(the_bytes_do_not_depend_on_jobs),
		cmocka_unit_test(rows_are_sorted_and_filtered),
		cmocka_unit_test(what_is_not_there_is_refused),
		cmocka_unit_test(check_tells_what_the_profile_names_in_vain),
	};
	return cmocka_run_group_tests(tests, setup, tool_teardown);
}

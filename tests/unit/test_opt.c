#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "cmd/cmd.h"
#include "cmd/opt.h"

enum { WORDS_MAX = 32 };

/* A command line of words parted by blanks; '' is an empty one. */
struct line {
	struct arena arena;
	char *argv[WORDS_MAX + 1];
	int argc;
	struct opt opt;
	struct error *error;
};

static void line_parse(struct line *line, const char *words)
{
	*line = (struct line){0};
	arena_init(&line->arena);
	line->argv[line->argc++] = arena_strdup(&line->arena, "linelint");
	for (const char *at = words; *at && line->argc < WORDS_MAX; at += strspn(at, " ")) {
		size_t length = strcspn(at, " ");
		bool empty = length == 2 && strncmp(at, "''", 2) == 0;
		line->argv[line->argc++] = arena_strndup(&line->arena, at, empty ? 0 : length);
		at += length;
	}
	line->error = opt_parse(&line->arena, line->argc, line->argv, &line->opt);
}

static void line_release(struct line *line)
{
	error_free(line->error);
	arena_release(&line->arena);
}

/* The words are refused, and the message has every one of `parts` (parted by '|'). */
static void refused(const char *words, const char *parts)
{
	struct line line;
	line_parse(&line, words);
	if (!line.error)
		fail_msg("'%s' is accepted", words);
	for (const char *at = parts; *at;) {
		size_t length = strcspn(at, "|");
		char *part = arena_strndup(&line.arena, at, length);
		if (!strstr(line.error->message, part))
			fail_msg("'%s': '%s' lacks '%s'", words, line.error->message, part);
		at += length + (at[length] == '|');
	}
	if (!strstr(line.error->message, "; "))
		fail_msg("'%s': '%s' says no next step", words, line.error->message);
	line_release(&line);
}

static void accepted(struct line *line, const char *words)
{
	line_parse(line, words);
	if (line->error)
		fail_msg("'%s': %s", words, line->error->message);
}

static void test_defaults(void **state)
{
	(void)state;
	struct line line;
	accepted(&line, "vmlinux struct file page");
	assert_ptr_equal(line.opt.cmd, cmd_find("struct"));
	assert_string_equal(line.opt.binary, "vmlinux");
	assert_int_equal(line.opt.arg_count, 2);
	assert_string_equal(line.opt.args[0], "file");
	assert_string_equal(line.opt.args[1], "page");
	assert_ptr_equal(line.opt.renderer, &render_text);
	assert_int_equal(line.opt.fail_on, SEVERITY_ERROR);
	assert_int_equal(line.opt.sort, SORT_NAME);
	assert_int_equal(line.opt.color, COLOR_AUTO);
	assert_int_equal(line.opt.profile_count, 0);
	assert_int_equal(line.opt.line_bytes, 0);
	assert_int_equal(line.opt.jobs, 0);
	assert_int_equal(line.opt.threads, 0);
	assert_null(line.opt.output);
	assert_false(line.opt.has_at);
	assert_false(line.opt.expand || line.opt.hex || line.opt.all_definitions ||
		     line.opt.quiet || line.opt.verbose || line.opt.help || line.opt.version);
	line_release(&line);
}

static void test_anywhere(void **state)
{
	(void)state;
	static const char *const lines[] = {
		"--at 72 --profile a.yaml --profile=b.yaml --format json vmlinux struct file",
		"vmlinux --at=0x48 --profile a.yaml struct --format=json file --profile b.yaml",
		"vmlinux struct file --format json --profile=a.yaml --profile=b.yaml --at 0X48",
	};
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct line line;
		accepted(&line, lines[i]);
		assert_string_equal(line.opt.binary, "vmlinux");
		assert_ptr_equal(line.opt.cmd, cmd_find("struct"));
		assert_int_equal(line.opt.arg_count, 1);
		assert_string_equal(line.opt.args[0], "file");
		assert_ptr_equal(line.opt.renderer, &render_json);
		assert_int_equal(line.opt.profile_count, 2);
		assert_string_equal(line.opt.profiles[0], "a.yaml");
		assert_string_equal(line.opt.profiles[1], "b.yaml");
		assert_true(line.opt.has_at);
		assert_int_equal(line.opt.at_bytes, 72);
		line_release(&line);
	}
}

static void test_end_of_options(void **state)
{
	(void)state;
	struct line line;
	accepted(&line, "--hex -- --odd-name struct --help");
	assert_string_equal(line.opt.binary, "--odd-name");
	assert_string_equal(line.opt.args[0], "--help");
	assert_true(line.opt.hex);
	assert_false(line.opt.help);
	line_release(&line);
	accepted(&line, "- list"); /* a lone dash is a word */
	assert_string_equal(line.opt.binary, "-");
	line_release(&line);
}

static void test_values(void **state)
{
	(void)state;
	struct line line;
	accepted(&line,
		"x list --sort padding --min-size 0x100 --min-holes 2 --jobs 3 --color never "
		"--quiet "
		"--verbose --output out --hex --all-definitions --line-size 128 --threads 7 g*");
	assert_int_equal(line.opt.sort, SORT_PADDING);
	assert_int_equal(line.opt.min_size_bytes, 256);
	assert_int_equal(line.opt.min_holes, 2);
	assert_int_equal(line.opt.jobs, 3);
	assert_int_equal(line.opt.color, COLOR_NEVER);
	assert_true(line.opt.quiet && line.opt.verbose && line.opt.hex && line.opt.all_definitions);
	assert_string_equal(line.opt.output, "out");
	assert_int_equal(line.opt.line_bytes, 128);
	assert_int_equal(line.opt.threads, 7);
	assert_string_equal(line.opt.args[0], "g*");
	line_release(&line);
	accepted(&line, "x struct y --at 18446744073709551615");
	assert_true(line.opt.at_bytes == UINT64_MAX);
	line_release(&line);
	accepted(&line, "x struct y --at 010"); /* decimal: no octal */
	assert_int_equal(line.opt.at_bytes, 10);
	line_release(&line);
	static const struct {
		const char *word;
		enum severity severity;
	} levels[] = {{"error", SEVERITY_ERROR}, {"warning", SEVERITY_WARNING},
		{"info", SEVERITY_INFO}, {"never", SEVERITY_NONE}};
	for (size_t i = 0; i < 4; i++) {
		char words[64];
		snprintf(words, sizeof(words), "x check --fail-on=%s", levels[i].word);
		accepted(&line, words);
		assert_int_equal(line.opt.fail_on, levels[i].severity);
		line_release(&line);
	}
	accepted(&line, "x check --fail-on info --fail-on never"); /* the last one counts */
	assert_int_equal(line.opt.fail_on, SEVERITY_NONE);
	line_release(&line);
}

static void test_line_sizes(void **state)
{
	(void)state;
	for (unsigned size = 1; size <= 8192; size++) {
		struct line line;
		char words[64];
		snprintf(words, sizeof(words), "x list --line-size %u", size);
		line_parse(&line, words);
		bool good = size >= 8 && size <= 4096 && (size & (size - 1)) == 0;
		if (good != !line.error)
			fail_msg("--line-size %u is %s", size, good ? "refused" : "accepted");
		if (good)
			assert_int_equal(line.opt.line_bytes, size);
		line_release(&line);
	}
}

static void test_verbs(void **state)
{
	(void)state;
	static const char *const lines[][2] = {
		{"x struct y", "struct"},
		{"x union y", "struct"},
		{"x class y", "struct"},
		{"x list", "list"},
		{"x check", "check"},
		{"list list", "list"}, /* a file named list */
		{"profile init x y", "profile"},
		{"explain", "explain"},
		{"explain LL001", "explain"},
	};
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct line line;
		accepted(&line, lines[i][0]);
		assert_string_equal(line.opt.cmd->name, lines[i][1]);
		if (line.opt.cmd->needs_binary)
			assert_non_null(line.opt.binary);
		else
			assert_null(line.opt.binary);
		line_release(&line);
	}
	struct line line;
	accepted(&line, "profile init x y");
	assert_int_equal(line.opt.arg_count, 3);
	assert_string_equal(line.opt.args[0], "init");
	line_release(&line);
}

static void test_help_and_version(void **state)
{
	(void)state;
	static const char *const helps[] = {
		"--help", "-h", "x --help", "x struct y -h", "x nonsense --help"};
	for (size_t i = 0; i < sizeof(helps) / sizeof(helps[0]); i++) {
		struct line line;
		accepted(&line, helps[i]);
		assert_true(line.opt.help);
		line_release(&line);
	}
	struct line line;
	accepted(&line, "--version");
	assert_true(line.opt.version);
	line_release(&line);
}

static void test_help_is_complete(void **state)
{
	(void)state;
	static const char *const wanted[] = {"--profile FILE", "--format NAME", "--output FILE",
		"--line-size N", "--fail-on error|warning|info|never", "--at OFFSET", "--expand",
		"--hex", "--all-definitions", "--sort name|size|lines|holes|padding",
		"--min-size N", "--min-holes N", "--threads N", "--jobs N",
		"--color auto|always|never", "--quiet", "--verbose", "--version", "--help, -h",
		"text", "json", "linelint [OPTION...] BINARY struct NAME...",
		"linelint [OPTION...] BINARY list [GLOB...]",
		"linelint [OPTION...] BINARY check [NAME...]", "linelint [OPTION...] profile",
		"linelint [OPTION...] explain"};
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	opt_help(out, 100);
	fclose(out);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		if (!strstr(text, wanted[i]))
			fail_msg("--help lacks '%s'", wanted[i]);
	size_t column = 0;
	for (const char *at = text; *at; at++) {
		column = *at == '\n' ? 0 : column + 1;
		if (column > 100)
			fail_msg("--help has a line of more than 100 columns");
	}
	free(text);
}

static void test_unknown_options(void **state)
{
	(void)state;
	refused("x struct y --frmat json", "--frmat|did you mean '--format'");
	refused("x struct y --hexx", "--hexx|--hex");
	refused("x struct y --format=sarif", "sarif|text, json");
	refused("x struct y --format jsn", "did you mean 'json'");
	refused("x struct y --suggset minimal", "--suggset|--suggest");
	refused("x struct y --zzzzzzzzzzzz", "linelint --help");
	refused("x struct y -x", "-x");
}

static void test_bad_values(void **state)
{
	(void)state;
	refused("x struct y --profile", "--profile FILE");
	refused("x struct y --profile --hex", "--profile FILE");
	refused("x struct y --profile=", "--profile");
	refused("x struct y --profile ''", "--profile");
	refused("x struct y --output=", "--output");
	refused("x struct y --hex=1", "--hex takes no value");
	refused("x struct y --at here", "here");
	refused("x struct y --at 12q", "12q");
	refused("x struct y --at 0x", "0x");
	refused("x struct y --at -1", "-1");
	refused("x struct y --at ''", "--at");
	refused("x struct y --at 18446744073709551616", "18446744073709551616");
	refused("x list --min-size 0xg", "0xg");
	refused("x list --sort colour", "name|size|lines|holes|padding");
	refused("x list --sort siz", "siz");
	refused("x check --fail-on warn", "error|warning|info|never");
	refused("x list --color=yes", "auto|always|never");
	refused("x list --threads 0", "--threads");
	refused("x list --jobs 99999999", "--jobs");
	refused("x list --line-size 63", "63|power of two");
}

static void test_applicability(void **state)
{
	(void)state;
	refused("x list --at 3", "--at|list|struct");
	refused("x check --expand", "--expand|check|struct");
	refused("x struct y --sort size", "--sort|struct|list");
	refused("x list --fail-on error", "--fail-on|list");
	refused("explain --profile p", "--profile|explain");
	refused("profile show p x --min-size 3", "--min-size|profile");
}

static void test_patch(void **state)
{
	(void)state;
	struct line line;
	accepted(&line, "vmlinux patch file");
	assert_int_equal(line.opt.suggest, SUGGEST_KIND_COUNT);
	assert_null(line.opt.source);
	assert_false(line.opt.in_place);
	line_release(&line);
	accepted(&line, "--suggest=pack vmlinux patch file --source linux --in-place");
	assert_int_equal(line.opt.suggest, SUGGEST_PACK);
	assert_string_equal(line.opt.source, "linux");
	assert_true(line.opt.in_place);
	line_release(&line);
	refused("vmlinux patch file --suggest most", "--suggest 'most'|minimal|best|pack");
	refused("vmlinux struct file --source linux", "--source|struct");
	refused("vmlinux patch file --source ''", "--source");
}

static void test_usage(void **state)
{
	(void)state;
	refused("", "no BINARY");
	refused("--hex", "no BINARY");
	refused("vmlinux", "vmlinux|no verb|struct, list, check");
	refused("vmlinux strcut file", "strcut|did you mean 'struct'");
	refused("vmlinux zzzzzz file", "zzzzzz|struct, list, check");
	refused("vmlinux dfif other", "dfif|did you mean 'diff'");
	refused("vmlinux pitch file", "pitch|did you mean 'patch'");
	refused("struct file", "BINARY|struct NAME...");
	refused("union", "BINARY");
	refused("vmlinux explain LL001", "explain|linelint explain");
	refused("vmlinux profile init", "profile|no BINARY");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_anywhere),
		cmocka_unit_test(test_end_of_options),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_line_sizes),
		cmocka_unit_test(test_verbs),
		cmocka_unit_test(test_help_and_version),
		cmocka_unit_test(test_help_is_complete),
		cmocka_unit_test(test_unknown_options),
		cmocka_unit_test(test_bad_values),
		cmocka_unit_test(test_applicability),
		cmocka_unit_test(test_patch),
		cmocka_unit_test(test_usage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

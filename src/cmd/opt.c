#include "cmd/opt.h"

#include <limits.h>
#include <string.h>

#include "base/nearest.h"
#include "cmd/opt/option.h"

enum {
	LINE_SIZE_MIN = 8,
	LINE_SIZE_MAX = 4096,
	THREADS_MAX = 1 << 20,
	JOBS_MAX = 1024,
};

static void *field_of(const struct option *option, struct opt *opt)
{
	return (char *)opt + option->field;
}

static struct error *set_flag(const struct option *option, const char *text, struct opt *opt)
{
	(void)text;
	*(bool *)field_of(option, opt) = true;
	return NULL;
}

static struct error *set_text(const struct option *option, const char *text, struct opt *opt)
{
	if (!*text)
		return error_new("%s: empty; give a %s", option->name, option->value);
	*(const char **)field_of(option, opt) = text;
	return NULL;
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return INT_MAX;
}

/* Decimal, or hexadecimal after 0x; nothing else, so that 010 is ten and a typing error is no number. */
static bool parse_number(const char *text, uint64_t *ret)
{
	unsigned base = 10;
	uint64_t value = 0;
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		text += 2;
	}
	if (!*text)
		return false;
	for (; *text; text++) {
		unsigned digit = (unsigned)digit_of(*text);
		if (digit >= base || value > (UINT64_MAX - digit) / base)
			return false;
		value = value * base + digit;
	}
	*ret = value;
	return true;
}

static struct error *set_number(const struct option *option, const char *text, struct opt *opt)
{
	if (!parse_number(text, field_of(option, opt)))
		return error_new(
			"%s '%s': not a number; expected digits, or 0x and hexadecimal ones",
			option->name, text);
	return NULL;
}

static struct error *set_at(const struct option *option, const char *text, struct opt *opt)
{
	opt->has_at = true;
	return set_number(option, text, opt);
}

static struct error *set_line_size(const struct option *option, const char *text, struct opt *opt)
{
	uint64_t value;
	if (!parse_number(text, &value) || value < LINE_SIZE_MIN || value > LINE_SIZE_MAX ||
		(value & (value - 1)) != 0)
		return error_new(
			"%s '%s': not a power of two from %d to %d; usual are 32, 64, 128 and 256",
			option->name, text, LINE_SIZE_MIN, LINE_SIZE_MAX);
	opt->line_bytes = value;
	return NULL;
}

static struct error *set_count(
	const struct option *option, const char *text, unsigned least, unsigned most, unsigned *ret)
{
	uint64_t value;
	if (!parse_number(text, &value) || value < least || value > most)
		return error_new("%s '%s': not a number in range; expected one from %u to %u",
			option->name, text, least, most);
	*ret = (unsigned)value;
	return NULL;
}

static struct error *set_threads(const struct option *option, const char *text, struct opt *opt)
{
	return set_count(option, text, 1, THREADS_MAX, &opt->threads);
}

static struct error *set_jobs(const struct option *option, const char *text, struct opt *opt)
{
	return set_count(option, text, 0, JOBS_MAX, &opt->jobs);
}

/* The place of `text` among the alternatives in option->value. */
static struct error *choose(const struct option *option, const char *text, int *ret)
{
	const char *at = option->value;
	for (int i = 0;; i++) {
		size_t length = strcspn(at, "|");
		if (strlen(text) == length && strncmp(text, at, length) == 0) {
			*ret = i;
			return NULL;
		}
		if (!at[length])
			break;
		at += length + 1;
	}
	return error_new(
		"%s '%s': no such choice; expected one of %s", option->name, text, option->value);
}

static struct error *set_fail_on(const struct option *option, const char *text, struct opt *opt)
{
	static const enum severity values[] = {
		SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_INFO, SEVERITY_NONE};
	int chosen = 0;
	struct error *error = choose(option, text, &chosen);
	if (!error)
		opt->fail_on = values[chosen];
	opt->has_fail_on = true;
	return error;
}

static struct error *set_sort(const struct option *option, const char *text, struct opt *opt)
{
	static const enum opt_sort values[] = {
		SORT_NAME, SORT_SIZE, SORT_LINES, SORT_HOLES, SORT_PADDING};
	int chosen = 0;
	struct error *error = choose(option, text, &chosen);
	if (!error)
		opt->sort = values[chosen];
	return error;
}

static struct error *set_suggest(const struct option *option, const char *text, struct opt *opt)
{
	static const enum suggest_kind values[] = {
		SUGGEST_MINIMAL, SUGGEST_BEST, SUGGEST_PACK, SUGGEST_KIND_COUNT};
	int chosen = 0;
	struct error *error = choose(option, text, &chosen);
	if (error)
		return error;
	opt->no_suggest = values[chosen] == SUGGEST_KIND_COUNT;
	opt->suggest = values[chosen];
	return error;
}

static struct error *set_from(const struct option *option, const char *text, struct opt *opt)
{
	static const enum info_form values[] = {INFO_DWARF, INFO_BTF};
	int chosen = 0;
	struct error *error = choose(option, text, &chosen);
	if (!error)
		opt->from = values[chosen];
	return error;
}

static struct error *set_color(const struct option *option, const char *text, struct opt *opt)
{
	static const enum opt_color values[] = {COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER};
	int chosen = 0;
	struct error *error = choose(option, text, &chosen);
	if (!error)
		opt->color = values[chosen];
	return error;
}

static struct error *set_format(const struct option *option, const char *text, struct opt *opt)
{
	opt->renderer = render_find(text);
	if (opt->renderer)
		return NULL;
	struct buf names;
	struct nearest nearest;
	char near[256];
	buf_init(&names);
	nearest_init(&nearest, text);
	for (size_t i = 0; i < renderer_count; i++) {
		buf_printf(&names, "%s%s", i ? ", " : "", renderers[i]->name);
		nearest_offer(&nearest, renderers[i]->name);
	}
	struct error *error = error_new("%s '%s': unknown format; expected one of %s%s",
		option->name, text, names.data, nearest_text(&nearest, near, sizeof(near)));
	buf_release(&names);
	return error;
}

/* The parser makes room for as many as there are arguments. */
static struct error *set_profile(const struct option *option, const char *text, struct opt *opt)
{
	if (!*text)
		return error_new("%s: empty; give a %s", option->name, option->value);
	opt->profiles[opt->profile_count++] = text;
	return NULL;
}

static struct error *set_also(const struct option *option, const char *text, struct opt *opt)
{
	if (!*text)
		return error_new("%s: empty; give a %s", option->name, option->value);
	opt->also[opt->also_count++] = text;
	return NULL;
}

#define FIELD(name) offsetof(struct opt, name)

const struct option options[] = {
	{"--profile", "FILE", "struct list check diff patch replay vars profile", set_profile,
		FIELD(profiles),
		"access profile; again for more, a later entry for a struct replaces an earlier "
		"one"},
	{"--also", "FILE", "struct list check vars", set_also, FIELD(also),
		"one more binary, archive or directory, in the same report; again for more"},
	{"--format", "NAME", "struct list check diff replay vars", set_format, FIELD(renderer),
		"form of the report:"},
	{"--output", "FILE", NULL, set_text, FIELD(output),
		"write the report there, whole or not at all"},
	{"--line-size", "N", "struct list check diff patch replay vars profile", set_line_size,
		FIELD(line_bytes),
		"bytes of a cache line, a power of two; default: the profile's, else the "
		"machine's"},
	{"--fail-on", "error|warning|info|never", "struct check diff vars", set_fail_on, FIELD(fail_on),
		"least severity that makes the exit status 1; default error, for diff (what is new "
		"or worse) warning"},
	{"--at", "OFFSET", "struct vars", set_at, FIELD(at_bytes),
		"which member is at this offset; of vars, what lies on the line of this address"},
	{"--all", NULL, "vars", set_flag, FIELD(all), "every line of what is written, and no limit"},
	{"--expand", NULL, "struct", set_flag, FIELD(expand), "members of members too"},
	{"--hex", NULL, "struct list diff vars", set_flag, FIELD(hex),
		"offsets and sizes in hexadecimal"},
	{"--all-definitions", NULL, "struct list check", set_flag, FIELD(all_definitions),
		"every distinct layout under a name, each with its compilation unit"},
	{"--sort", "name|size|lines|holes|padding", "list", set_sort, FIELD(sort),
		"order of the rows; default name, the others largest first"},
	{"--min-size", "N", "list", set_number, FIELD(min_size_bytes),
		"only structs of at least N bytes"},
	{"--min-holes", "N", "list", set_number, FIELD(min_holes),
		"only structs with at least N holes"},
	{"--threads", "N", "struct list check diff patch replay vars profile", set_threads,
		FIELD(threads), "threads of every role, instead of the profile's"},
	{"--seed", "N", "replay", set_number, FIELD(seed), "of the simulation's chance; default 1"},
	{"--jobs", "N", "struct list check diff patch replay vars profile", set_jobs, FIELD(jobs),
		"threads that read; default 0: one a processor"},
	{"--from", "dwarf|btf", "struct list check diff patch replay vars profile", set_from,
		FIELD(from), "which debug information; default: DWARF where it is there, else BTF"},
	{"--btf-base", "FILE", "struct list check diff patch replay vars profile", set_text,
		FIELD(btf_base),
		"the vmlinux (or its BTF) that a kernel module was built for; default "
		"/sys/kernel/btf/vmlinux"},
	{"--suggest", "minimal|best|pack|none", "struct list check patch", set_suggest,
		FIELD(suggest),
		"which suggestion: few moves, least cost, or least size; default: minimal in the "
		"text of struct and for patch, all in JSON (not in that of list)"},
	{"--debug-dir", "DIR", "struct list check diff patch replay vars profile", set_text,
		FIELD(debug_dir),
		"where separate debug files are looked for, instead of /usr/lib/debug"},
	{"--vars", NULL, "profile", set_flag, FIELD(vars),
		"of profile init: NAMEs are variables, and so is all that shares their lines"},
	{"--source", "DIR", "patch", set_text, FIELD(source),
		"top of the sources that were built; files are found by the ends of their paths"},
	{"--in-place", NULL, "patch", set_flag, FIELD(in_place),
		"change the sources instead of printing a diff"},
	{"--color", "auto|always|never", NULL, set_color, FIELD(color),
		"colours; default auto: on a terminal, unless NO_COLOR is set"},
	{"--quiet", NULL, NULL, set_flag, FIELD(quiet), "no notes and no summary"},
	{"--verbose", NULL, NULL, set_flag, FIELD(verbose),
		"infos, ignored findings and reasons too"},
	{"--version", NULL, NULL, set_flag, FIELD(version), "print the version"},
	{"--help", NULL, NULL, set_flag, FIELD(help), "print this"},
};
const size_t option_count = sizeof(options) / sizeof(options[0]);
_Static_assert(sizeof(options) / sizeof(options[0]) <= OPTIONS_MAX, "OPTIONS_MAX is too small");

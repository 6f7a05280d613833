#include "cmd/opt.h"

#include <limits.h>
#include <string.h>

#include "base/buf.h"
#include "base/nearest.h"
#include "cmd/cmd.h"

enum {
	LINE_SIZE_MIN = 8,
	LINE_SIZE_MAX = 4096,
	THREADS_MAX = 1 << 20,
	JOBS_MAX = 1024,
	HELP_COLUMN = 26,
	HELP_WIDTH = 100,
};

struct option;

/* Stores `text` (NULL for options without a value) in the field; the complaint is about `--name text`. */
typedef struct error *option_set(const struct option *option, const char *text, struct opt *opt);

struct option {
	const char *name;
	const char *value; /* NULL: takes none; alternatives are "a|b|c" */
	const char *verbs; /* words; NULL: every verb */
	option_set *set;
	size_t field; /* offset in struct opt */
	const char *help;
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

#define FIELD(name) offsetof(struct opt, name)

static const struct option options[] = {
	{"--profile", "FILE", "struct list check diff patch replay profile", set_profile, FIELD(profiles),
		"access profile; again for more, a later entry for a struct replaces an earlier "
		"one"},
	{"--format", "NAME", "struct list check diff replay", set_format, FIELD(renderer),
		"form of the report:"},
	{"--output", "FILE", NULL, set_text, FIELD(output),
		"write the report there, whole or not at all"},
	{"--line-size", "N", "struct list check diff patch replay profile", set_line_size, FIELD(line_bytes),
		"bytes of a cache line, a power of two; default: the profile's, else the "
		"machine's"},
	{"--fail-on", "error|warning|info|never", "struct check diff", set_fail_on, FIELD(fail_on),
		"least severity that makes the exit status 1; default error, for diff (what is new "
		"or worse) warning"},
	{"--at", "OFFSET", "struct", set_at, FIELD(at_bytes), "which member is at this offset"},
	{"--expand", NULL, "struct", set_flag, FIELD(expand), "members of members too"},
	{"--hex", NULL, "struct list diff", set_flag, FIELD(hex), "offsets and sizes in hexadecimal"},
	{"--all-definitions", NULL, "struct list check", set_flag, FIELD(all_definitions),
		"every distinct layout under a name, each with its compilation unit"},
	{"--sort", "name|size|lines|holes|padding", "list", set_sort, FIELD(sort),
		"order of the rows; default name, the others largest first"},
	{"--min-size", "N", "list", set_number, FIELD(min_size_bytes),
		"only structs of at least N bytes"},
	{"--min-holes", "N", "list", set_number, FIELD(min_holes),
		"only structs with at least N holes"},
	{"--threads", "N", "struct list check diff patch replay profile", set_threads, FIELD(threads),
		"threads of every role, instead of the profile's"},
	{"--seed", "N", "replay", set_number, FIELD(seed),
		"of the simulation's chance; default 1"},
	{"--jobs", "N", "struct list check diff patch replay profile", set_jobs, FIELD(jobs),
		"threads that read; default 0: one a processor"},
	{"--suggest", "minimal|best|pack|none", "struct list check patch", set_suggest,
		FIELD(suggest),
		"which suggestion: few moves, least cost, or least size; default: minimal in the "
		"text of struct and for patch, all in JSON (not in that of list)"},
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
enum { OPTION_COUNT = sizeof(options) / sizeof(options[0]) };

static const struct option *option_find(const char *name, size_t length)
{
	for (size_t i = 0; i < OPTION_COUNT; i++)
		if (strlen(options[i].name) == length &&
			strncmp(options[i].name, name, length) == 0)
			return &options[i];
	return NULL;
}

static struct error *unknown_option(const char *argument)
{
	struct nearest nearest;
	char near[256], name[128];
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(argument, "="), argument);
	nearest_init(&nearest, name);
	for (size_t i = 0; i < OPTION_COUNT; i++)
		nearest_offer(&nearest, options[i].name);
	nearest_text(&nearest, near, sizeof(near));
	return error_new(
		"unknown option '%s'%s", name, *near ? near : "; 'linelint --help' lists them");
}

/* A parse under way. */
struct parse {
	char **argv;
	int argc;
	int next;                /* index of the argument to look at */
	const char **positional; /* BINARY, verb, the verb's arguments */
	size_t positional_count;
	bool seen[OPTION_COUNT];
};

/* One argument that begins with "-". */
static struct error *parse_option(struct parse *parse, struct opt *opt)
{
	const char *argument = parse->argv[parse->next++];
	const char *name = strcmp(argument, "-h") == 0 ? "--help" : argument;
	size_t length = strcspn(name, "=");
	const char *value = name[length] == '=' ? name + length + 1 : NULL;
	const struct option *option = option_find(name, length);
	if (!option)
		return unknown_option(argument);
	parse->seen[option - options] = true;
	if (!option->value && value)
		return error_new("%s takes no value; write %s alone", option->name, option->name);
	if (option->value && !value) {
		value = parse->next < parse->argc ? parse->argv[parse->next] : NULL;
		if (!value || option_find(value, strcspn(value, "=")))
			return error_new("%s needs a value; write %s %s", option->name,
				option->name, option->value);
		parse->next++;
	}
	return option->set(option, value, opt);
}

static struct error *parse_arguments(struct parse *parse, struct opt *opt)
{
	bool ended = false;
	while (parse->next < parse->argc) {
		const char *argument = parse->argv[parse->next];
		if (ended || argument[0] != '-' || !argument[1]) {
			parse->positional[parse->positional_count++] = argument;
			parse->next++;
			continue;
		}
		if (strcmp(argument, "--") == 0) {
			ended = true;
			parse->next++;
			continue;
		}
		struct error *error = parse_option(parse, opt);
		if (error)
			return error;
		if (opt->help || opt->version)
			return NULL;
	}
	return NULL;
}

/* "struct, list or check": the verbs that do (or do not) take a BINARY. */
static const char *verb_names(struct arena *arena, bool needs_binary)
{
	const char *text = "";
	size_t last = cmd_count;
	for (size_t i = cmd_count; i > 0; i--)
		if (cmds[i - 1].needs_binary == needs_binary) {
			text = last == cmd_count ? cmds[i - 1].name
						 : arena_printf(arena, "%s%s%s", cmds[i - 1].name,
							   strchr(text, ' ') ? ", " : " or ", text);
			last = i - 1;
		}
	return text;
}

static struct error *unknown_verb(struct arena *arena, const char *binary, const char *verb)
{
	struct nearest nearest;
	char near[256];
	nearest_init(&nearest, verb);
	for (size_t i = 0; i < cmd_count; i++)
		if (cmds[i].needs_binary)
			nearest_offer(&nearest, cmds[i].name);
	nearest_text(&nearest, near, sizeof(near));
	if (!*near)
		return error_new("unknown verb '%s' after %s; expected %s", verb, binary,
			verb_names(arena, true));
	return error_new("unknown verb '%s' after %s%s", verb, binary, near);
}

/* BINARY and verb from the positional arguments. */
static struct error *find_verb(struct arena *arena, struct parse *parse, struct opt *opt)
{
	const char **positional = parse->positional;
	size_t count = parse->positional_count, used = 2;
	if (count == 0)
		return error_new("no BINARY and no verb; try 'linelint BINARY struct NAME' or "
				 "'linelint --help'");
	const struct cmd *first = cmd_find(positional[0]);
	const struct cmd *second = count > 1 ? cmd_find(positional[1]) : NULL;
	if (first && !first->needs_binary) {
		opt->cmd = first;
		used = 1;
	} else if (second && second->needs_binary) {
		opt->cmd = second;
		opt->binary = positional[0];
	} else if (first) {
		return error_new("no BINARY before '%s'; write 'linelint BINARY %s %s'",
			positional[0], positional[0], first->arguments);
	} else if (second) {
		return error_new("%s takes no BINARY before it; write 'linelint %s %s'",
			second->name, second->name, second->arguments);
	} else if (count > 1) {
		return unknown_verb(arena, positional[0], positional[1]);
	} else {
		return error_new("%s: no verb after BINARY; add %s (see 'linelint --help')",
			positional[0], verb_names(arena, true));
	}
	opt->args = positional + used;
	opt->arg_count = count - used;
	return NULL;
}

static bool has_word(const char *words, const char *word)
{
	size_t length = strlen(word);
	for (const char *at = words; *at; at += strspn(at, " ")) {
		size_t here = strcspn(at, " ");
		if (here == length && strncmp(at, word, length) == 0)
			return true;
		at += here;
	}
	return false;
}

static struct error *check_applicable(const struct parse *parse, const struct opt *opt)
{
	for (size_t i = 0; i < OPTION_COUNT; i++)
		if (parse->seen[i] && options[i].verbs &&
			!has_word(options[i].verbs, opt->cmd->name))
			return error_new(
				"%s does not apply to %s; leave it out (it belongs to: %s)",
				options[i].name, opt->cmd->name, options[i].verbs);
	if (opt->renderer->verbs && !has_word(opt->renderer->verbs, opt->cmd->name))
		return error_new("--format %s does not apply to %s; leave it out (it belongs to: %s)",
			opt->renderer->name, opt->cmd->name, opt->renderer->verbs);
	return NULL;
}

struct error *opt_parse(struct arena *arena, int argc, char **argv, struct opt *ret)
{
	size_t room = argc > 0 ? (size_t)argc : 1;
	struct parse parse = {.argv = argv,
		.argc = argc,
		.next = 1,
		.positional = arena_new(arena, room, sizeof(char *))};
	struct opt opt = {
		.renderer = render_find("text"),
		.fail_on = SEVERITY_ERROR,
		.seed = 1,
		.suggest = SUGGEST_KIND_COUNT,
		.profiles = arena_new(arena, room, sizeof(char *)),
	};
	struct error *error = parse_arguments(&parse, &opt);
	if (!error && !opt.help && !opt.version) {
		error = find_verb(arena, &parse, &opt);
		if (!error)
			error = check_applicable(&parse, &opt);
	}
	if (!error)
		*ret = opt;
	return error;
}

/* `text` from HELP_COLUMN on, wrapped at HELP_WIDTH; the cursor stands at `column`. */
static void help_text(FILE *out, size_t column, const char *text)
{
	if (column + 2 > HELP_COLUMN) {
		fputc('\n', out);
		column = 0;
	}
	fprintf(out, "%*s", (int)(HELP_COLUMN - column), "");
	column = HELP_COLUMN;
	while (*text) {
		size_t word = strcspn(text, " ");
		if (column > HELP_COLUMN && column + 1 + word > HELP_WIDTH) {
			fprintf(out, "\n%*s", HELP_COLUMN, "");
			column = HELP_COLUMN;
		} else if (column > HELP_COLUMN) {
			fputc(' ', out);
			column++;
		}
		fprintf(out, "%.*s", (int)word, text);
		column += word;
		text += word + strspn(text + word, " ");
	}
	fputc('\n', out);
}

static void help_option(FILE *out, const struct option *option)
{
	int column = fprintf(out, "  %s%s%s", option->name, option->value ? " " : "",
		option->value                         ? option->value
		: strcmp(option->name, "--help") == 0 ? ", -h"
						      : "");
	struct buf text;
	buf_init(&text);
	buf_puts(&text, option->help);
	if (option->set == set_format)
		for (size_t i = 0; i < renderer_count; i++)
			buf_printf(&text, "%s%s (%s)", i ? ", " : " ", renderers[i]->name,
				renderers[i]->summary);
	if (option->verbs)
		buf_printf(&text, " [%s]", option->verbs);
	help_text(out, (size_t)column, text.data);
	buf_release(&text);
}

void opt_help(FILE *out)
{
	fputs("linelint: data structures on cache lines, and who shares them\n\nusage:\n", out);
	for (size_t i = 0; i < cmd_count; i++)
		fprintf(out, "  linelint [OPTION...] %s%s %s\n",
			cmds[i].needs_binary ? "BINARY " : "", cmds[i].name, cmds[i].arguments);
	fputs("\nBINARY is an ELF file with DWARF: vmlinux, a module, an executable, a library, an "
	      "object file.\n"
	      "NAME may have a scope (ns::Type) and may be a glob in quotes. Options may stand "
	      "anywhere.\n\nverbs:\n",
		out);
	for (size_t i = 0; i < cmd_count; i++) {
		int column = fprintf(out, "  %s", cmds[i].name);
		help_text(out, (size_t)column, cmds[i].summary);
	}
	fputs("\noptions (in brackets: the verbs that know it):\n", out);
	for (size_t i = 0; i < OPTION_COUNT; i++)
		help_option(out, &options[i]);
	fputs("\nexit status: 0 nothing at or above --fail-on; 1 findings; 2 usage, input or "
	      "profile error\n",
		out);
}

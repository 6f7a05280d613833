#include <limits.h>
#include <string.h>

#include "base/nearest.h"
#include "cmd/cmd.h"
#include "cmd/opt/option.h"

static const struct option *option_find(const char *name, size_t length)
{
	for (size_t i = 0; i < option_count; i++)
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
	for (size_t i = 0; i < option_count; i++)
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
	bool seen[OPTIONS_MAX];
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
	for (size_t i = 0; i < option_count; i++)
		if (parse->seen[i] && options[i].verbs &&
			!has_word(options[i].verbs, opt->cmd->name))
			return error_new(
				"%s does not apply to %s; leave it out (it belongs to: %s)",
				options[i].name, opt->cmd->name, options[i].verbs);
	if (opt->renderer->verbs && !has_word(opt->renderer->verbs, opt->cmd->name))
		return error_new(
			"--format %s does not apply to %s; leave it out (it belongs to: %s)",
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
		.also = arena_new(arena, room, sizeof(char *)),
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

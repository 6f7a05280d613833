#include <string.h>

#include "base/nearest.h"
#include "cmd/cmd.h"
#include "cmd/profile_verbs.h"

static const struct {
	const char *name;
	const char *arguments;
	size_t least, most; /* arguments, the verb not among them */
	struct error *(*run)(const struct opt *opt, const struct cmd_io *io, int *status);
} verbs[] = {
	{"init", "[--vars] BINARY NAME...", 2, (size_t)-1, profile_init_run},
	{"import", "record FILE BINARY", 2, 3, profile_import_run},
	{"merge", "FILE...", 1, (size_t)-1, profile_merge_run},
	{"show", "FILE BINARY", 1, 2, profile_show_run},
};

struct error *cmd_profile(const struct opt *opt, const struct cmd_io *io, int *status)
{
	struct nearest nearest;
	char text[256];
	if (!opt->arg_count)
		return error_new("profile: no verb; expected init, import, merge or show");
	nearest_init(&nearest, opt->args[0]);
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		nearest_offer(&nearest, verbs[i].name);
		if (strcmp(verbs[i].name, opt->args[0]) != 0)
			continue;
		if (opt->arg_count - 1 < verbs[i].least || opt->arg_count - 1 > verbs[i].most)
			return error_new(
				"profile %s: too %s arguments; write 'linelint profile %s %s'",
				verbs[i].name, opt->arg_count - 1 < verbs[i].least ? "few" : "many",
				verbs[i].name, verbs[i].arguments);
		if (opt->vars && verbs[i].run != profile_init_run)
			return error_new(
				"profile %s: --vars is for 'linelint profile init --vars BINARY "
				"NAME...'; leave it out",
				verbs[i].name);
		return verbs[i].run(opt, io, status);
	}
	nearest_text(&nearest, text, sizeof(text));
	return error_new("profile: unknown verb '%s'%s", opt->args[0],
		*text ? text : "; expected init, import, merge or show");
}

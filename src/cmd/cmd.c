#include "cmd/cmd.h"

#include <string.h>

const struct cmd cmds[] = {
	{"struct", "NAME...",
		"layout on cache lines, accesses and findings of structs (also: union, class)",
		true, cmd_struct},
	{"list", "[GLOB...]", "a row a struct: size, lines, holes, padding, definitions", true,
		cmd_list},
	{"check", "[NAME...]", "findings of what the profile names, or of NAMEs: the gate for CI",
		true, cmd_check},
	{"diff", "OTHER [NAME...]",
		"layouts, findings and cost, in BINARY before and in OTHER after: 1 when it got worse",
		true, cmd_diff},
	{"patch", "NAME...",
		"the suggestion as a unified diff of the sources, for git apply and patch -p1",
		true, cmd_patch},
	{"replay", "NAME [TRACE]",
		"who pays for which line in a simulation: of the profile's roles, or of a recording",
		true, cmd_replay},
	{"vars", "[GLOB...]",
		"global variables by section and cache line: who lies beside whom, and LL013",
		true, cmd_vars},
	{"profile",
		"init [--vars] BINARY NAME... | import record FILE BINARY | merge FILE... | "
		"show FILE BINARY",
		"a skeleton to fill in; a recording, or several, as one; what one says about a binary",
		false, cmd_profile},
	{"explain", "[RULE]",
		"a rule: what it finds, why, and what to do; all of them without RULE", false,
		cmd_explain},
};
const size_t cmd_count = sizeof(cmds) / sizeof(cmds[0]);

const struct cmd *cmd_find(const char *name)
{
	if (strcmp(name, "union") == 0 || strcmp(name, "class") == 0)
		name = "struct";
	for (size_t i = 0; i < cmd_count; i++)
		if (strcmp(cmds[i].name, name) == 0)
			return &cmds[i];
	return NULL;
}

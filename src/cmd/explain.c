/*
 * explain: all rules, or a page a rule.
 */
#include "explain.h"

#include <stdio.h>

#include "base/buf.h"
#include "cmd/cmd.h"

struct error *cmd_explain(const struct opt *opt, const struct cmd_io *io, int *status)
{
	struct error *error = NULL;
	struct buf text;
	buf_init(&text);
	if (!opt->arg_count)
		explain_table(&text);
	for (size_t i = 0; !error && i < opt->arg_count; i++) {
		const struct lint_rule_info *rule = lint_rule_find(opt->args[i]);
		char near[256];
		if (!rule) {
			error = error_new("no rule is called '%s'; expected %s to %s or a name%s",
				opt->args[i], lint_rules[0].id, lint_rules[lint_rule_count - 1].id,
				explain_nearest(opt->args[i], near, sizeof(near)));
			break;
		}
		if (i)
			buf_puts(&text, "\n\n");
		explain_page(rule, &text);
	}
	if (!error)
		fputs(text.data, io->out);
	buf_release(&text);
	*status = 0;
	return error;
}

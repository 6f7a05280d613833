#include <string.h>

#include "base/buf.h"
#include "cmd/cmd.h"
#include "cmd/opt/option.h"

enum { COLUMN = 26 };

/* `text` from COLUMN on, wrapped at `width`; the cursor stands at `column`. */
static void help_text(FILE *out, unsigned width, size_t column, const char *text)
{
	if (column + 2 > COLUMN) {
		fputc('\n', out);
		column = 0;
	}
	fprintf(out, "%*s", (int)(COLUMN - column), "");
	column = COLUMN;
	while (*text) {
		size_t word = strcspn(text, " ");
		if (column > COLUMN && column + 1 + word > width) {
			fprintf(out, "\n%*s", COLUMN, "");
			column = COLUMN;
		} else if (column > COLUMN) {
			fputc(' ', out);
			column++;
		}
		fprintf(out, "%.*s", (int)word, text);
		column += word;
		text += word + strspn(text + word, " ");
	}
	fputc('\n', out);
}

static void help_option(FILE *out, unsigned width, const struct option *option)
{
	int column = fprintf(out, "  %s%s%s", option->name, option->value ? " " : "",
		option->value                         ? option->value
		: strcmp(option->name, "--help") == 0 ? ", -h"
						      : "");
	struct buf text;
	buf_init(&text);
	buf_puts(&text, option->help);
	if (strcmp(option->name, "--format") == 0)
		for (size_t i = 0; i < renderer_count; i++)
			buf_printf(&text, "%s%s (%s)", i ? ", " : " ", renderers[i]->name,
				renderers[i]->summary);
	if (option->verbs)
		buf_printf(&text, " [%s]", option->verbs);
	help_text(out, width, (size_t)column, text.data);
	buf_release(&text);
}

/* A line for each form of its arguments, which stand between " | ". */
static void put_usage(FILE *out, const struct cmd *cmd)
{
	for (const char *form = cmd->arguments; form;) {
		const char *next = strstr(form, " | ");
		int length = next ? (int)(next - form) : (int)strlen(form);
		fprintf(out, "  linelint [OPTION...] %s%s %.*s\n",
			cmd->needs_binary ? "BINARY " : "", cmd->name, length, form);
		form = next ? next + strlen(" | ") : NULL;
	}
}

void opt_help(FILE *out, unsigned columns)
{
	fputs("linelint: data structures on cache lines, and who shares them\n\nusage:\n", out);
	for (size_t i = 0; i < cmd_count; i++)
		put_usage(out, &cmds[i]);
	fputs("\nBINARY is an ELF file with DWARF or BTF: vmlinux, a module, an executable, a library, "
	      "an object\n"
	      "file; or raw BTF: /sys/kernel/btf/vmlinux.\n"
	      "NAME may have a scope (ns::Type) and may be a glob in quotes. Options may stand "
	      "anywhere.\n\nverbs:\n",
		out);
	for (size_t i = 0; i < cmd_count; i++) {
		int column = fprintf(out, "  %s", cmds[i].name);
		help_text(out, columns, (size_t)column, cmds[i].summary);
	}
	fputs("\noptions (in brackets: the verbs that know it):\n", out);
	for (size_t i = 0; i < option_count; i++)
		help_option(out, columns, &options[i]);
	fputs("\nexit status: 0 nothing at or above --fail-on; 1 findings; 2 usage, input or "
	      "profile error\n",
		out);
}

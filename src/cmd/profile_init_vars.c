#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/intern.h"
#include "cmd/profile_verbs.h"
#include "cmd/session.h"
#include "cmd/variables.h"
#include "import/fields.h"
#include "layout.h"
#include "profile/write.h"

enum { COMMENT_COLUMN = 44 };

/* The skeleton of one file's variables under construction. */
struct skeleton {
	const struct variables_found *found;
	struct layout layout;
	struct intern *names;           /* written so far, in any file */
	struct buf path;                /* of the member at hand */
	const struct object_area *area; /* whose heading stands; NULL: none */
	uint64_t line;                  /* likewise */
	struct buf *out;
};

static void add_headings(struct skeleton *s, const struct vars_item *item, uint64_t address)
{
	uint64_t line = address & ~(s->found->catalog->line_bytes - 1);
	bool is_linked = s->found->catalog->is_linked;
	if (s->area != item->area) {
		buf_puts(s->out, "    # ");
		buf_put_visible(s->out, item->area->name);
		buf_puts(s->out, " of ");
		buf_put_visible(s->out, s->found->object->path);
		buf_puts(s->out, vars_is_per_cpu(item->area)
					 ? ": each processor has its own; `shared: [NAME]` else\n"
					 : "\n");
	}
	if (s->area != item->area || s->line != line)
		buf_printf(s->out, "      # %s 0x%" PRIx64 "\n", is_linked ? "line" : "offset",
			line - (is_linked ? 0 : item->area->address));
	s->area = item->area;
	s->line = line;
}

static bool is_new_path(struct skeleton *s)
{
	size_t before = s->names->count;
	intern_get(s->names, s->path.data);
	return s->names->count != before;
}

/* "# offset on the line, size, type" */
static void add_place(struct skeleton *s, const struct vars_item *item,
	const struct layout_member *member, uint64_t address)
{
	struct buf type;
	uint64_t line_bytes = s->found->catalog->line_bytes;
	buf_printf(s->out, "# %4" PRIu64 "    %5" PRIu64 "  ", address & (line_bytes - 1),
		member->size_bytes);
	buf_init(&type);
	if (item->variable)
		type_declare(s->layout.types, member->type, NULL, &type);
	buf_put_visible(s->out, item->variable ? type.data : "no debug information");
	buf_release(&type);
	if (item->is_static)
		buf_puts(s->out, ", static");
	if (strchr(s->path.data, '['))
		buf_puts(s->out, "  # index: thread | spread | N");
	buf_putc(s->out, '\n');
}

/* A variable, or what is a profile's business of its members; `address` is where it lies. */
static void add_field(struct skeleton *s, const struct vars_item *item,
	const struct layout_member *member, uint64_t address)
{
	if (!*member->name || member->is_base || member->is_dynamic)
		return;
	add_headings(s, item, address);
	fields_path(&s->layout, member, &s->path);
	const char *path = s->path.data;
	size_t start = s->out->length;
	bool is_good = buf_is_visible(path) && profile_is_path(path);
	if (!is_good || !is_new_path(s)) {
		buf_puts(s->out, is_good ? "      # there already: "
					 : "      # no name for a profile: ");
		buf_put_visible(s->out, path);
		buf_putc(s->out, '\n');
		return;
	}
	buf_puts(s->out, "      ");
	profile_write_key(s->out, path);
	buf_puts(s->out, ": {}");
	size_t columns = s->out->length - start;
	buf_pad(s->out, ' ', columns < COMMENT_COLUMN ? COMMENT_COLUMN - columns : 1);
	add_place(s, item, member, address);
}

static void add_variable(
	struct skeleton *s, const struct vars_item *item, const struct layout_member *top)
{
	uint32_t pointer_bytes = s->layout.types->machine.pointer_bytes;
	for (uint32_t i = 0; i <= top->descendants; i++) {
		const struct layout_member *member = top + i;
		if (!fields_is_leaf(&s->layout, member, pointer_bytes))
			continue;
		add_field(s, item, member,
			item->address + (layout_first_byte(member) - layout_first_byte(top)));
		i += member->descendants;
	}
}

static struct error *add_file(const struct session *session, const struct variables_found *found,
	struct intern *names, struct buf *out)
{
	struct skeleton s = {.found = found, .names = names, .out = out};
	const size_t *items;
	struct error *error = vars_layout(
		session->arena, found->catalog, found->items, found->count, &s.layout, &items);
	if (error)
		return error;
	buf_init(&s.path);
	for (size_t i = 0, at = 0; i < found->count && at < s.layout.member_count; i++) {
		const struct layout_member *top = &s.layout.members[at];
		add_variable(&s, &found->catalog->items[items[i]], top);
		at += 1 + top->descendants;
	}
	buf_release(&s.path);
	return NULL;
}

static void add_head(const struct session *session, const struct opt *opt, struct buf *out)
{
	static const char *const lines[] = {
		"#",
		"# Replace {} by what one operation does to the variable. Of every role:",
		"#   hits: {rmw: 2, why: \"counted\"}",
		"#   limit: r hot # r, w, rw, rmw; hot is 1, warm 0.1, cold 0.001, or a number",
		"# or of single roles, once they are stated below. A variable left at {} is not",
		"# accessed: it may be deleted. Initialising is no access.",
		"version: 1",
	};
	static const char *const roles[] = {
		"",
		"# Who runs at the same time. threads: how many at once; rate: operations a second",
		"# of EACH of them, relative to the threads of other roles. The default is one role:",
		"roles:",
		"  all: {threads: 16, rate: 1}",
		"",
		"vars:",
		"  # source: \"how the counts were found\"",
		"  # locks: {LOCK: {protects: [NAME], contended: 0.1}}",
		"  # expect: [{apart: [NAME, NAME]}]",
		"  fields:                                   # offset  size  type",
	};
	buf_puts(out,
		"# An access profile to fill in, see linelint-profile(5), VARIABLES. Variables as\n# ");
	buf_put_visible(out, session->object.path);
	buf_printf(out, " (%s) has them, with all that shares their lines.\n",
		session->object.machine);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		buf_printf(out, "%s\n", lines[i]);
	if (opt->line_bytes)
		buf_printf(out, "line_size: %" PRIu64 "\n", opt->line_bytes);
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
		buf_printf(out, "%s\n", roles[i]);
}

static struct error *write_skeleton(
	struct session *session, const struct opt *opt, const struct cmd_io *io, int *status)
{
	const struct variables_request request = {
		.names = opt->args + 2, .name_count = opt->arg_count - 2};
	const struct variables_found *found;
	struct intern names;
	struct buf out;
	size_t count;
	struct error *error = variables_look(session, &request, &found, &count);
	if (error)
		return error;
	buf_init(&out);
	intern_init(&names, session->arena);
	add_head(session, opt, &out);
	for (size_t i = 0; i < count && !error; i++)
		error = add_file(session, &found[i], &names, &out);
	if (!names.count)
		buf_puts(&out, "    {}\n");
	if (!error)
		fwrite(out.data, 1, out.length, io->out);
	intern_release(&names);
	buf_release(&out);
	*status = session->unread ? 2 : 0;
	return error;
}

struct error *profile_init_vars_run(const struct opt *opt, const struct cmd_io *io, int *status)
{
	static const char *const no_structs[1] = {NULL};
	const struct session_request request = {
		.binary = opt->args[1],
		.names = no_structs,
		.no_profiles = true,
		.notes = opt->quiet ? NULL : io->notes,
		.several = io->notes,
	};
	return session_run(opt, io, &request, write_skeleton, status);
}

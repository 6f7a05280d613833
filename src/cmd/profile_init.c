#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/intern.h"
#include "cmd/profile_verbs.h"
#include "cmd/session.h"
#include "import/fields.h"
#include "layout.h"
#include "profile/write.h"

enum { COMMENT_COLUMN = 44 };

/* The skeleton of one struct under construction. */
struct skeleton {
	const struct layout *layout;
	uint32_t pointer_bytes;
	struct intern paths; /* written so far: C++ bases may repeat a name */
	struct buf path;     /* of the member at hand */
	uint64_t line;       /* whose heading stands */
	bool any_line;
	const struct unused *holes; /* ascending */
	size_t hole_count, next_hole;
	struct buf *out;
};

/* Bytes that nothing uses, of the struct or in a member whose members stand in the skeleton. */
struct unused {
	uint64_t off_bytes, size_bytes;
	const struct layout_member *inside; /* NULL: the struct itself */
	bool is_padding;                    /* at the end of that member */
};

static void add_line_heading(struct skeleton *skeleton, uint64_t off_bytes)
{
	uint64_t line_bytes = skeleton->layout->line_bytes, line = off_bytes / line_bytes;
	if (skeleton->any_line && line == skeleton->line)
		return;
	skeleton->any_line = true;
	skeleton->line = line;
	buf_printf(skeleton->out, "      # line %" PRIu64 ", bytes %" PRIu64 " to %" PRIu64 "\n",
		line, line * line_bytes, line * line_bytes + line_bytes - 1);
}

static int compare_unused(const void *left, const void *right)
{
	const struct unused *a = left, *b = right;
	return a->off_bytes < b->off_bytes ? -1 : a->off_bytes > b->off_bytes;
}

/* Do the members of this one stand in the skeleton, not it or what it lies in? */
static bool is_opened(const struct skeleton *skeleton, uint32_t index)
{
	const struct layout_member *members = skeleton->layout->members;
	for (; index != LAYOUT_NO_PARENT; index = members[index].parent)
		if (fields_is_leaf(skeleton->layout, &members[index], skeleton->pointer_bytes))
			return false;
	return true;
}

static void find_holes(struct skeleton *skeleton, struct arena *arena)
{
	const struct layout *layout = skeleton->layout;
	const struct layout_gap *gaps;
	size_t gap_count = layout_inner_gaps(arena, layout, &gaps), count = 0;
	struct unused *holes = arena_new(arena, layout->hole_count + gap_count, sizeof(*holes));
	for (size_t i = 0; i < layout->hole_count; i++)
		holes[count++] = (struct unused){
			layout->holes[i].off_bytes, layout->holes[i].size_bytes, NULL, false};
	for (size_t i = 0; i < gap_count; i++)
		if (gaps[i].size_bytes && is_opened(skeleton, gaps[i].parent))
			holes[count++] = (struct unused){gaps[i].off_bytes, gaps[i].size_bytes,
				&layout->members[gaps[i].parent], gaps[i].is_padding};
	if (count)
		qsort(holes, count, sizeof(*holes), compare_unused);
	skeleton->holes = holes;
	skeleton->hole_count = count;
}

/* The member; a base or an unnamed one, which have no path, by its type. */
static void add_inside(struct skeleton *skeleton, const struct layout_member *member)
{
	struct buf type;
	fields_path(skeleton->layout, member, &skeleton->path);
	if (*skeleton->path.data) {
		buf_put_visible(skeleton->out, skeleton->path.data);
		return;
	}
	buf_init(&type);
	type_declare(skeleton->layout->types, member->type, NULL, &type);
	buf_puts(skeleton->out, member->is_base ? "the base " : "");
	buf_put_visible(skeleton->out, type.data);
	buf_release(&type);
}

static void add_holes_before(struct skeleton *skeleton, uint64_t off_bytes)
{
	for (; skeleton->next_hole < skeleton->hole_count; skeleton->next_hole++) {
		const struct unused *hole = &skeleton->holes[skeleton->next_hole];
		if (hole->off_bytes >= off_bytes)
			return;
		add_line_heading(skeleton, hole->off_bytes);
		buf_printf(skeleton->out, "      # %s of %" PRIu64 " byte%s at %" PRIu64,
			hole->is_padding ? "padding" : "hole", hole->size_bytes,
			hole->size_bytes == 1 ? "" : "s", hole->off_bytes);
		if (hole->inside) {
			buf_puts(skeleton->out, hole->inside->is_array ? ", in each of " : ", in ");
			add_inside(skeleton, hole->inside);
		}
		buf_putc(skeleton->out, '\n');
	}
}

static void add_place(struct skeleton *skeleton, const struct layout_member *member)
{
	struct buf *out = skeleton->out;
	uint64_t off_bytes = layout_first_byte(member);
	if (member->bit_size)
		buf_printf(out, "# %4" PRIu64 ":%-2" PRIu64 " %2u bit%s ", off_bytes,
			member->off_bits % 8, member->bit_size,
			member->bit_size == 1 ? "  " : "s ");
	else if (member->is_open && !member->size_bytes)
		buf_printf(out, "# %4" PRIu64 "        ?  ", off_bytes);
	else
		buf_printf(out, "# %4" PRIu64 "    %5" PRIu64 "  ", off_bytes, member->size_bytes);
}

/* "  type", and where it lies when that is on two lines. */
static void add_type(struct skeleton *skeleton, const struct layout_member *member)
{
	struct buf type;
	buf_init(&type);
	type_declare(skeleton->layout->types, member->type, NULL, &type);
	buf_put_visible(skeleton->out, type.data);
	buf_release(&type);
	if (layout_straddles(skeleton->layout, member))
		buf_printf(skeleton->out, ", to line %" PRIu64,
			layout_last_byte(member) / skeleton->layout->line_bytes);
	if (member->in_union)
		buf_puts(skeleton->out, ", in a union");
	if (strchr(skeleton->path.data, '['))
		buf_puts(skeleton->out, "  # index: thread | spread | N");
	buf_putc(skeleton->out, '\n');
}

static bool is_new_path(struct skeleton *skeleton)
{
	size_t before = skeleton->paths.count;
	intern_get(&skeleton->paths, skeleton->path.data);
	return skeleton->paths.count != before;
}

static void add_field(struct skeleton *skeleton, const struct layout_member *member)
{
	const char *group, *path;
	struct buf *out = skeleton->out;
	int marker = layout_group_marker(member, &group);
	fields_path(skeleton->layout, member, &skeleton->path);
	if (!*member->name || member->is_base || !is_new_path(skeleton))
		return;
	if (member->is_dynamic) {
		buf_puts(out, "      # on no line that is known before the program runs: ");
		buf_put_visible(out, skeleton->path.data);
		buf_putc(out, '\n');
		return;
	}
	add_holes_before(skeleton, layout_first_byte(member));
	add_line_heading(skeleton, layout_first_byte(member));
	fields_path(
		skeleton->layout, member, &skeleton->path); /* again: a hole may have had another */
	path = skeleton->path.data;
	size_t start = out->length;
	if (marker || !buf_is_visible(path) || !profile_is_path(path)) {
		buf_puts(out, marker ? "      # the kernel's cacheline group: "
				     : "      # no name for a profile: ");
		buf_put_visible(out, path);
		buf_putc(out, '\n');
		return;
	}
	buf_puts(out, "      ");
	profile_write_key(out, path);
	buf_puts(out, ": {}");
	size_t columns = out->length - start;
	buf_pad(out, ' ', columns < COMMENT_COLUMN ? COMMENT_COLUMN - columns : 1);
	add_place(skeleton, member);
	add_type(skeleton, member);
}

static void add_fields(struct skeleton *skeleton)
{
	const struct layout *layout = skeleton->layout;
	for (size_t i = 0; i < layout->member_count; i++) {
		const struct layout_member *member = &layout->members[i];
		if (!fields_is_leaf(skeleton->layout, member, skeleton->pointer_bytes))
			continue;
		add_field(skeleton, member);
		i += member->descendants;
	}
	add_holes_before(skeleton, UINT64_MAX);
}

static void add_lines(struct buf *out, const char *const *lines, size_t count)
{
	for (size_t i = 0; i < count; i++)
		buf_printf(out, "%s\n", lines[i]);
}

static void add_struct_head(struct buf *out, const struct report_source *source,
	const struct layout *layout, const char *name)
{
	static const char *const lines[] = {
		"    # source: \"how the counts were found\"",
		"    # instance: shared # or per-thread; array: neighbours belong to other threads",
		"    # placement: {alignment: 64, stride: 192, container: STRUCT.MEMBER}",
		"    # allocator: slab # or kmalloc, none",
		"    # locks: {LOCK: {protects: [FIELD], contended: 0.1}}",
		"    # constraints: {padding: allowed, max_size: N} # for suggestions; else forbidden",
		"    # expect: [{apart: [FIELD, FIELD]}, {max_lines: N}]",
		"    fields:                                 # offset  size  type",
	};
	buf_puts(out, "  ");
	profile_write_key(out, name);
	buf_printf(out, ": # %s of %" PRIu64 " byte%s in %" PRIu64 " line%s of %" PRIu64,
		type_keyword(source->kind), layout->size_bytes, layout->size_bytes == 1 ? "" : "s",
		layout->line_count, layout->line_count == 1 ? "" : "s", layout->line_bytes);
	if (source->layouts > 1)
		buf_printf(out, "; the first of %u definitions", source->layouts);
	buf_putc(out, '\n');
	add_lines(out, lines, sizeof(lines) / sizeof(lines[0]));
}

static void add_struct(struct buf *out, const struct report_source *source,
	const struct layout *layout, const char *name, uint32_t pointer_bytes)
{
	struct arena arena;
	arena_init(&arena);
	struct skeleton skeleton = {.layout = layout, .pointer_bytes = pointer_bytes, .out = out};
	intern_init(&skeleton.paths, &arena);
	buf_init(&skeleton.path);
	find_holes(&skeleton, &arena);
	add_struct_head(out, source, layout, name);
	add_fields(&skeleton);
	buf_release(&skeleton.path);
	intern_release(&skeleton.paths);
	arena_release(&arena);
}

static void add_head(struct buf *out, const struct opt *opt, const struct session *session)
{
	static const char *const lines[] = {
		"#",
		"# Replace {} by what one operation does to the field. Of every role:",
		"#   f_count: {rmw: 2, why: \"a reference is taken and dropped\"}",
		"#   f_op: r hot # r, w, rw, rmw; hot is 1, warm 0.1, cold 0.001, or a number",
		"# or of single roles, once they are stated below:",
		"#   next_fd: {open: {read: 3, write: 2}, close: rw 1}",
		"# A field left at {} is not accessed. Initialising and freeing are no accesses.",
		"# Of an array say which element, where it matters (default: spread over all):",
		"#   \"fd_array[]\": {read: 1, index: thread} # each thread its own; or a number",
		"#   \"slots[].n\": {open: rw 1, close: r 1, index: thread} # beside the roles",
		"version: 1",
	};
	static const char *const roles[] = {
		"",
		"# Who runs at the same time ON ONE OBJECT. threads: how many at once; rate:",
		"# operations a second of EACH of them, relative to the threads of other roles.",
		"# The default is one role:",
		"roles:",
		"  all: {threads: 16, rate: 1}",
		"# workloads: {NAME: [all]} # sets of roles that meet; default: all roles in one",
		"",
		"structs:",
	};
	buf_puts(out, "# An access profile to fill in, see linelint-profile(5). Structs as ");
	buf_put_visible(out, session->object.path);
	buf_printf(out, " (%s) has them.\n", session->object.machine);
	add_lines(out, lines, sizeof(lines) / sizeof(lines[0]));
	if (opt->line_bytes)
		buf_printf(out, "line_size: %" PRIu64 "\n", opt->line_bytes);
	add_lines(out, roles, sizeof(roles) / sizeof(roles[0]));
}

static struct error *add_structs(const struct session *session, const struct report_source *sources,
	size_t count, const struct cmd_io *io, struct buf *out)
{
	enum { FURTHER_TOLD = 8 };
	struct intern names;
	struct error *error = NULL;
	size_t further = 0; /* of a name that was there before */
	uint64_t line_bytes = session->frame.line_bytes;
	intern_init(&names, session->arena);
	for (size_t i = 0; i < count && !error; i++) {
		const struct report_source *source = &sources[i];
		const char *name = type_qualify(session->arena, source->scope, source->name);
		struct layout layout;
		size_t before = names.count;
		intern_get(&names, name);
		if (!buf_is_visible(name))
			continue; /* no editor could show it */
		if (names.count == before) {
			if (further++ < FURTHER_TOLD)
				fprintf(io->notes,
					"linelint: %s: a second '%s' is left out: one entry a name\n",
					session->object.path, name);
			continue;
		}
		error = layout_build(session->arena, source->types, source->type, source->name,
			line_bytes, &layout);
		if (!error)
			add_struct(out, source, &layout, name, session->binary.pointer_bytes);
	}
	intern_release(&names);
	if (further > FURTHER_TOLD)
		fprintf(io->notes, "linelint: %s: %zu more are left out: one entry a name\n",
			session->object.path, further - FURTHER_TOLD);
	return error;
}

static struct error *write_skeleton(
	struct session *session, const struct opt *opt, const struct cmd_io *io, int *status)
{
	struct session_defs defs;
	struct report_source *sources;
	struct buf out;
	struct error *error =
		session_find(session, opt->args + 2, opt->arg_count - 2, false, &defs);
	if (!error)
		error = session_read(session, &defs, &sources);
	if (error)
		return error;
	buf_init(&out);
	add_head(&out, opt, session);
	error = add_structs(session, sources, defs.count, io, &out);
	if (!error)
		fwrite(out.data, 1, out.length, io->out);
	buf_release(&out);
	*status = 0;
	return error;
}

struct error *profile_init_run(const struct opt *opt, const struct cmd_io *io, int *status)
{
	if (opt->threads)
		return error_new(
			"profile init: --threads changes nothing in a skeleton; leave it out "
			"and write the threads into the profile");
	if (opt->profile_count)
		return error_new("profile init: --profile changes nothing in a skeleton; leave it "
				 "out, or write 'linelint profile show FILE BINARY'");
	if (opt->vars)
		return profile_init_vars_run(opt, io, status);
	const struct session_request request = {
		.binary = opt->args[1],
		.names = opt->args + 2,
		.name_count = opt->arg_count - 2,
		.no_profiles = true,
		.notes = opt->quiet ? NULL : io->notes,
	};
	return session_run(opt, io, &request, write_skeleton, status);
}

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "locate.h"
#include "render/text.h"

/* ---- declarations ---- */

/* Stands for the name while a type is declared, to find the place of the name again; no input has it. */
static const char placeholder[] = "\001";

/* A declarator of a function without its parameters: ")(int, long)" -> ")(...)". */
static void shorten_parameters(struct buf *right)
{
	char *open = strrchr(right->data, ')') ? strchr(right->data, '(') : NULL;
	if (!open || strlen(open) <= strlen("(...)"))
		return;
	size_t keep = (size_t)(open - right->data);
	struct buf shorter;
	buf_init(&shorter);
	buf_add(&shorter, right->data, keep);
	buf_puts(&shorter, "(...)");
	buf_release(right);
	*right = shorter;
}

/* The type's beginning, dots, and its pointers, which say more than the end of a long name: up to `room` columns. */
static void shorten_type(struct buf *left, size_t room)
{
	static const char dots[] = "... ";
	size_t pointers = strcspn(left->data, "*");
	size_t tail = left->length - pointers;
	if (left->length <= room || room <= strlen(dots) + tail)
		return;
	struct buf shorter;
	buf_init(&shorter);
	buf_add(&shorter, left->data, room - strlen(dots) - tail);
	buf_puts(&shorter, dots);
	buf_puts(&shorter, left->data + pointers);
	buf_release(left);
	*left = shorter;
}

const char *text_declaration(struct arena *arena, const struct layout *layout,
	const struct layout_member *member, size_t columns)
{
	struct buf whole, left, right;
	buf_init(&whole);
	buf_init(&left);
	buf_init(&right);
	type_declare(layout->types, member->type, placeholder, &whole);
	size_t at = strcspn(whole.data, placeholder);
	buf_add(&left, whole.data, at);
	if (whole.data[at])
		buf_puts(&right, whole.data + at + 1);
	const char *name = member->is_base           ? "(base)"
			   : member->is_discriminant ? "(discriminant)"
						     : member->name;
	if (member->bit_size)
		buf_printf(&right, ":%" PRIu32, member->bit_size);
	if (left.length + strlen(name) + right.length > columns)
		shorten_parameters(&right);
	if (left.length + strlen(name) + right.length > columns)
		shorten_type(&left, columns > strlen(name) + right.length
					    ? columns - strlen(name) - right.length
					    : 0);
	buf_clear(&whole);
	buf_printf(&whole, "%s%s%s", left.data, name, right.data);
	while (whole.length && whole.data[whole.length - 1] == ' ')
		whole.data[--whole.length] = '\0';
	const char *result = text_visible(arena, arena_strdup(arena, whole.data));
	buf_release(&whole);
	buf_release(&left);
	buf_release(&right);
	return result;
}

/* ---- accesses ---- */

/* "read 2, write 1" */
static const char *counts_text(struct arena *arena, const double counts[ACCESS_KIND_COUNT])
{
	const char *text = "";
	for (int kind = 0; kind < ACCESS_KIND_COUNT; kind++)
		if (counts[kind] > 0)
			text = arena_printf(arena, "%s%s%s %s", text, *text ? ", " : "",
				access_kind_name((enum access_kind)kind),
				text_number(arena, counts[kind]));
	return text;
}

static bool same_counts(const double a[ACCESS_KIND_COUNT], const double b[ACCESS_KIND_COUNT])
{
	for (int kind = 0; kind < ACCESS_KIND_COUNT; kind++)
		if (a[kind] < b[kind] || a[kind] > b[kind])
			return false;
	return true;
}

const char *text_accesses(
	struct arena *arena, const struct access_map *map, const struct access_field *field)
{
	const char *text = "";
	/* The role of a profile that states none is called all. */
	bool nameless = map->role_count == 1 && strcmp(map->roles[0].name, "all") == 0;
	for (size_t i = 0; i < map->role_count; i++) {
		if (!profile_any_count(field->counts[i]))
			continue;
		bool said = false;
		for (size_t j = 0; j < i && !said; j++)
			said = same_counts(field->counts[j], field->counts[i]);
		if (said)
			continue;
		text = arena_printf(arena, "%s%s%s", text, *text ? "; " : "",
			counts_text(arena, field->counts[i]));
		for (size_t j = i; j < map->role_count && !nameless; j++)
			if (same_counts(field->counts[j], field->counts[i]))
				text = arena_printf(arena, "%s%s%s", text, j == i ? ": " : ", ",
					map->roles[j].name);
	}
	return *text ? text : "no access";
}

/* ---- --at ---- */

/* "byte 2 of 8", "bit 4 of 12" is not asked for: a bit-field says how many bits it has. */
static const char *place_text(
	struct arena *arena, const struct render_style *style, const struct locate_step *step)
{
	const struct layout_member *member = step->member;
	const char *inside =
		text_bytes(arena, style, step->has_element ? step->element_inside : step->inside);
	if (member->bit_size)
		return "";
	if (step->has_element)
		return arena_printf(arena, "  element %" PRIu64 ", byte %s of %s", step->element,
			inside, text_bytes(arena, style, member->element_bytes));
	if (!step->is_leaf && !*member->name)
		return "";
	return arena_printf(
		arena, "  byte %s of %s", inside, text_bytes(arena, style, member->size_bytes));
}

static const char *step_text(struct arena *arena, const struct render_style *style,
	const struct layout *layout, const struct locate_step *step)
{
	const struct layout_member *member = step->member;
	const char *text = text_declaration(arena, layout, member, RENDER_COLUMNS_MOST);
	if (step->is_leaf && *step->path && strcmp(step->path, member->name) != 0)
		text = arena_printf(arena, "%s  = %s", text, text_visible(arena, step->path));
	text = arena_printf(arena, "%s%s", text, place_text(arena, style, step));
	if (step->in_gap)
		text = arena_printf(arena, "%s, in %s of %s byte%s at %s of it", text,
			step->gap.is_padding ? "padding" : "a hole",
			text_bytes(arena, style, step->gap.size_bytes),
			step->gap.size_bytes == 1 ? "" : "s",
			text_bytes(arena, style, step->gap.off_bytes));
	return text;
}

/* The member whose size is not known and behind which nothing else begins before that byte; NULL: none. */
static const struct layout_member *open_before(const struct layout *layout, uint64_t off_bytes)
{
	const struct layout_member *last = NULL;
	for (size_t i = 0; i < layout->member_count; i += 1 + layout->members[i].descendants) {
		const struct layout_member *member = &layout->members[i];
		if (!member->is_dynamic && layout_first_byte(member) <= off_bytes &&
			(!last || layout_first_byte(member) >= layout_first_byte(last)))
			last = member;
	}
	return last && last->is_open ? last : NULL;
}

static const char *nowhere_text(
	struct arena *arena, const struct layout *layout, uint64_t off_bytes)
{
	const struct layout_member *open = open_before(layout, off_bytes);
	if (!open)
		return "nothing is known of this byte";
	return arena_printf(arena, "in or behind '%s', which begins at %" PRIu64
				   " and whose size is not known",
		text_visible(arena, open->path), layout_first_byte(open));
}

void text_at(FILE *out, const struct render_style *style, const struct report_struct *report)
{
	const struct layout *layout = &report->layout;
	struct arena arena;
	struct locate at;
	arena_init(&arena);
	locate_build(&arena, layout, style->at_bytes, &at);
	fprintf(out, "%s %s at %s: line %" PRIu64 ", byte %s of it\n",
		type_keyword(report->source.kind), text_visible(&arena, report->qualified_name),
		text_bytes(&arena, style, at.off_bytes), at.line,
		text_bytes(&arena, style, at.line_offset));
	for (size_t i = 0; i < at.step_count; i++) {
		const struct locate_step *step = &at.steps[i];
		const char *offset = text_bytes(&arena, style, step->off_bytes),
			   *size = text_bytes(&arena, style, step->member->size_bytes);
		if (step->member->bit_size) {
			offset = arena_printf(
				&arena, "%s:%" PRIu64, offset, step->member->off_bits % 8);
			size = text_plural(&arena, step->member->bit_size, "bit");
		}
		fprintf(out, "  %6s %7s  %*s%s\n", offset, size, (int)(2 * step->depth), "",
			step_text(&arena, style, layout, step));
		const struct access_field *field = access_find(&report->access, step->member);
		if (field)
			fprintf(out, "  %14s  %*s%s\n", "", (int)(2 * step->depth + 2), "",
				text_visible(
					&arena, text_accesses(&arena, &report->access, field)));
	}
	if (at.hole)
		fprintf(out, "  in the %s-byte hole at %s\n",
			text_bytes(&arena, style, at.hole->size_bytes),
			text_bytes(&arena, style, at.hole->off_bytes));
	else if (at.in_padding)
		fprintf(out, "  in the padding behind the last member (%s bytes)\n",
			text_bytes(&arena, style, layout->padding_bytes));
	else if (!at.step_count)
		fprintf(out, "  %s\n", nowhere_text(&arena, layout, at.off_bytes));
	arena_release(&arena);
}

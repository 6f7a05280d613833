#include <string.h>

#include "base/buf.h"
#include "order/align.h"
#include "order/fit.h"
#include "suggest/second.h"

enum { DEPTH_MAX = 32 };

static void put_members(
	const struct types *types, const struct type *type, int depth, struct buf *out);

static void indent(struct buf *out, int depth)
{
	buf_pad(out, '\t', (size_t)depth);
}

/* The aggregate without a name that a declaration spells out, through arrays, pointers and qualifiers; NULL: none. */
static const struct type *spelled_out(const struct types *types, type_id id)
{
	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		const struct type *type = types_get(types, id);
		if (type_is_aggregate(type))
			return type->name ? NULL : type;
		if (type->kind == TYPE_TYPEDEF || type->kind == TYPE_BASE ||
			type->kind == TYPE_ENUM || type->kind == TYPE_VOID ||
			type->kind == TYPE_UNSPECIFIED || type->kind == TYPE_FUNCTION)
			return NULL;
		id = type->target;
	}
	return NULL;
}

static void put_attributes(uint32_t align, bool packed, struct buf *out)
{
	if (packed)
		buf_puts(out, " __attribute__((packed))");
	if (align)
		buf_printf(out, " __attribute__((aligned(%u)))", align);
}

/* A member's attributes, and what its type is aligned to at most: an aggregate without a name may be packed. */
struct written {
	uint32_t align;
	bool packed;
	uint32_t most;
	uint32_t least; /* and at least: what packing must not take */
};

/* How the body of an aggregate without a name is written, so that it is what it is. */
enum body { BODY_PLAIN, BODY_PACKED, BODY_UNKNOWN };

/* Written like that, do its members lie where they do, and is it aligned to no more than `most`? */
static bool body_fits(
	const struct types *types, const struct type *type, bool packed, uint32_t most)
{
	uint64_t cursor = 0, end = 0;
	uint32_t align = type->align_bytes > 1 ? type->align_bytes : 1;
	for (size_t i = 0; i < type->member_count; i++) {
		const struct type_member *member = &type->members[i];
		uint32_t own = member->bit_size ? align_of_type(types, member->type).high
						: align_of_member(types, member).high;
		uint64_t size = 0, start;
		type_size(types, member->type, &size);
		if (packed)
			own = align_is_own(types, member) ? member->align_bytes : 1;
		if (member->bit_size) {
			struct order_member bits = {.size_bits = member->bit_size,
				.type_bits = 8 * size,
				.stated = member->align_bytes,
				.high = own};
			start = order_bits_start(&bits, packed, cursor);
			size = member->bit_size;
		} else {
			uint64_t from = (cursor + 7) / 8;
			uint32_t least = align_of_member(types, member).low;
			/* one without a name is written packed itself, where that is what it is */
			while (!packed && spelled_out(types, member->type) && own > least &&
				8 * align_up(from, own) != member->off_bits)
				own /= 2;
			start = 8 * align_up(from, own);
			size *= 8;
		}
		if (start != member->off_bits)
			return false;
		align = own > align ? own : align;
		end = start + size > end ? start + size : end;
		cursor = type->kind == TYPE_UNION ? 0 : start + size;
	}
	return align_up((end + 7) / 8, align) == type->size_bytes && align <= most;
}

static enum body body_of(const struct types *types, const struct type *type, uint32_t most)
{
	return body_fits(types, type, false, most)  ? BODY_PLAIN
	       : body_fits(types, type, true, most) ? BODY_PACKED
						    : BODY_UNKNOWN;
}

static void put_body(const struct types *types, const struct type *type, enum body body,
	uint32_t least, int depth, struct buf *out)
{
	uint32_t of_members = 1;
	for (size_t i = 0; i < type->member_count; i++) {
		uint32_t align = align_of_member(types, &type->members[i]).low;
		of_members = align > of_members && body != BODY_PACKED ? align : of_members;
	}
	buf_puts(out, "{\n");
	put_members(types, type, depth + 1, out);
	indent(out, depth);
	buf_putc(out, '}');
	uint32_t align = type->align_bytes;
	if (body == BODY_PACKED && least > align)
		align = least;
	put_attributes(align > of_members ? align : 0, body == BODY_PACKED, out);
}

static void put_member(const struct types *types, const struct type_member *member,
	struct written written, int depth, struct buf *out)
{
	const struct type *inner = spelled_out(types, member->type);
	struct buf text;
	buf_init(&text);
	type_declare(types, member->type, member->name, &text);
	indent(out, depth);
	const char *mark = inner ? strstr(text.data, "{...}") : NULL;
	enum body body = mark ? body_of(types, inner, written.most) : BODY_UNKNOWN;
	if (body != BODY_UNKNOWN && depth < DEPTH_MAX) {
		buf_add(out, text.data, (size_t)(mark - text.data));
		put_body(types, inner, body, written.least, depth, out);
		buf_puts(out, mark + strlen("{...}"));
	} else {
		buf_puts(out, text.data);
	}
	if (member->bit_size) {
		buf_printf(out, ":%u", member->bit_size);
		written.align = member->align_bytes;
	}
	put_attributes(written.align, written.packed, out);
	buf_puts(out, ";\n");
	buf_release(&text);
}

/* What has to be written: what the type does not bring along. */
static uint32_t attribute_of(const struct types *types, const struct type_member *member)
{
	return member->align_bytes > align_of_type(types, member->type).low ? member->align_bytes
									    : 0;
}

static struct written written_of(const struct types *types, const struct type_member *member)
{
	return (struct written){
		.align = attribute_of(types, member),
		.most = align_allowed(member->off_bits / 8),
	};
}

static void put_members(
	const struct types *types, const struct type *type, int depth, struct buf *out)
{
	for (size_t i = 0; i < type->member_count; i++)
		put_member(
			types, &type->members[i], written_of(types, &type->members[i]), depth, out);
}

/* Packed, or aligned to less than its type, in a struct that is not packed. */
static bool is_packed_alone(const struct order *order, const struct order_member *member)
{
	return !order->is_packed && !member->is_bits &&
	       member->high < align_of_type(order->layout->types, member->source->type).high;
}

static uint32_t alignment_of(const struct order *order, const struct order_sequence *sequence,
	const struct order_member *member)
{
	const struct types *types = order->layout->types;
	uint32_t align = attribute_of(types, member->source);
	if (order->is_packed)
		align = member->low > 1 ? member->low : 0;
	uint32_t put = sequence->aligns && order->units[member->unit].first ==
						   (size_t)(member - order->members)
			       ? sequence->aligns[member->unit]
			       : 0;
	/* what was inferred from a gap, and what packing would take */
	if (!align && !member->is_bits &&
		member->low > align_of_type(types, member->source->type).high)
		align = member->low;
	if (!align && is_packed_alone(order, member) && member->high > 1)
		align = member->high;
	return put > align ? put : align;
}

static void put_filler(uint64_t at, uint64_t end, int depth, struct buf *out)
{
	while (at < end) {
		uint64_t bits = 8 - at % 8;
		bits = bits < end - at ? bits : end - at;
		indent(out, depth);
		buf_printf(out, "char :%u;\n", (unsigned)bits);
		at += bits;
	}
}

/* The unnamed bit-fields before one: of no width where that puts it into its place, else of a few bits. */
static void put_gap(
	const struct types *types, const struct order_member *member, int depth, struct buf *out)
{
	uint64_t at = member->off_bits - member->gap_bits;
	if (member->is_bits && align_up(at, 8 * (uint64_t)member->high) == member->off_bits) {
		indent(out, depth);
		type_declare(types, member->source->type, NULL, out);
		buf_puts(out, " :0;\n");
		return;
	}
	put_filler(at, member->off_bits, depth, out);
}

static void put_units(const struct order *order, const struct order_sequence *sequence, int depth,
	struct buf *out)
{
	for (size_t i = 0; i < order->unit_count; i++) {
		const struct order_unit *unit = &order->units[sequence->units[i]];
		for (size_t k = unit->first; k < unit->first + unit->count; k++) {
			const struct order_member *member = &order->members[k];
			if (member->source->is_base || member->source->is_artificial)
				continue;
			if (member->gap_bits)
				put_gap(order->layout->types, member, depth, out);
			put_member(order->layout->types, member->source,
				(struct written){alignment_of(order, sequence, member),
					is_packed_alone(order, member), member->high, member->low},
				depth, out);
		}
	}
	/* what makes the size what it is, when that is not alignment for certain */
	const struct order_member *last = &order->members[order->member_count - 1];
	uint64_t end = last->off_bits + last->size_bits;
	if (last->slack_bits && order->low < order->high &&
		sequence->units[order->unit_count - 1] == last->unit)
		put_filler(end, end + last->slack_bits, depth, out);
}

static void put_bases(const struct order *order, struct buf *out)
{
	const char *before = " : ";
	for (size_t i = 0; i < order->member_count; i++) {
		if (!order->members[i].source->is_base)
			continue;
		buf_puts(out, before);
		type_declare(order->layout->types, order->members[i].source->type, NULL, out);
		before = ", ";
	}
}

/* More than its members ask for, stated or shown by its size. */
static uint32_t own_alignment(const struct order *order, const struct type *type)
{
	uint32_t most = 1;
	bool packed = order->is_packed;
	uint32_t own = type->align_bytes > order->low ? type->align_bytes : order->low;
	for (size_t i = 0; i < order->member_count; i++) {
		const struct order_member *member = &order->members[i];
		uint32_t align = member->low;
		if (packed && member->is_bits)
			align = 1;
		if (!packed && member->stated > align && !is_packed_alone(order, member))
			align = member->stated;
		most = align > most ? align : most;
	}
	return own > most ? own : 0;
}

const char *second_definition(
	struct arena *arena, const struct order *order, const struct order_sequence *sequence)
{
	const struct types *types = order->layout->types;
	const struct type *type = types_get(types, order->layout->type);
	struct buf out;
	buf_init(&out);
	bool is_typedef = !type->name;
	buf_printf(&out, "%s%s", is_typedef ? "typedef " : "", type_keyword(type->kind));
	if (!is_typedef)
		buf_printf(&out, " %s", type->name);
	put_bases(order, &out);
	buf_puts(&out, " {\n");
	if (order->inner) {
		const struct type *inner = types_get(types, types_strip(types, order->inner->type));
		buf_puts(&out, "\tstruct {\n");
		put_units(order, sequence, 2, &out);
		buf_puts(&out, "\t}");
		put_attributes(own_alignment(order, inner), order->is_packed, &out);
		buf_puts(&out, ";\n");
		for (size_t i = 1; i < type->member_count; i++)
			put_member(types, &type->members[i], written_of(types, &type->members[i]),
				1, &out);
		buf_puts(&out, "}");
		put_attributes(type->align_bytes, false, &out);
	} else {
		put_units(order, sequence, 1, &out);
		buf_puts(&out, "}");
		put_attributes(own_alignment(order, type), order->is_packed, &out);
	}
	if (is_typedef)
		buf_printf(&out, " %s", order->layout->name);
	buf_puts(&out, ";\n");
	char *text = arena_strdup(arena, out.data);
	buf_release(&out);
	return text;
}

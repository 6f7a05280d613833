#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "locate.h"
#include "render/json_value.h"
#include "render/render.h"

/* ---- members ---- */

static cJSON *counts(const double values[ACCESS_KIND_COUNT])
{
	cJSON *object = must(cJSON_CreateObject());
	for (int kind = 0; kind < ACCESS_KIND_COUNT; kind++)
		add(object, access_kind_name((enum access_kind)kind), real(values[kind]));
	return object;
}

cJSON *json_access(const struct access_map *map, const struct layout_member *member)
{
	const struct access_field *field = map->field_count ? access_find(map, member) : NULL;
	if (!field)
		return must(cJSON_CreateNull());
	double most[ACCESS_KIND_COUNT] = {0};
	cJSON *roles = must(cJSON_CreateObject());
	for (size_t i = 0; i < map->role_count; i++) {
		for (int kind = 0; kind < ACCESS_KIND_COUNT; kind++)
			most[kind] = fmax(most[kind], field->counts[i][kind]);
		if (profile_any_count(field->counts[i]))
			add(roles, map->roles[i].name, counts(field->counts[i]));
	}
	cJSON *object = counts(most);
	add(object, "roles", roles);
	add(object, "evidence", text(evidence_name(map->evidence)));
	return object;
}

cJSON *json_declared(const char *file, uint32_t line)
{
	cJSON *object = must(cJSON_CreateObject());
	add(object, "file", text_or_null(file));
	add(object, "line", line ? natural(line) : cJSON_CreateNull());
	return object;
}

/* Where a member lies; null when only the running program knows. */
static cJSON *place(const struct layout_member *member, uint64_t number)
{
	return member->is_dynamic ? must(cJSON_CreateNull()) : natural(number);
}

/* Members [begin, end) of one level: of alternative number `variant`, or (0) what is always there. */
static cJSON *members_item(struct arena *arena, const struct report_struct *report, size_t begin,
	size_t end, uint32_t variant, struct buf *scratch);

static cJSON *variants_item(struct arena *arena, const struct report_struct *report,
	const struct type *aggregate, size_t begin, size_t end, struct buf *scratch);

/* What a member is made of, through typedefs and arrays. */
static const struct type *aggregate_of(
	const struct layout *layout, const struct layout_member *member)
{
	const struct type *type =
		types_get(layout->types, types_strip(layout->types, member->type));
	return type->kind == TYPE_ARRAY
		       ? types_get(layout->types, types_strip(layout->types, type->target))
		       : type;
}

/* One member. Strings of the document are kept in `arena`. */
static cJSON *member_item(
	struct arena *arena, const struct report_struct *report, size_t index, struct buf *scratch)
{
	const struct layout *layout = &report->layout;
	const struct layout_member *member = &layout->members[index];
	size_t inner_end = index + 1 + member->descendants;
	uint64_t first = layout_first_byte(member);
	cJSON *object = must(cJSON_CreateObject());
	buf_clear(scratch);
	type_declare(layout->types, member->type, NULL, scratch);
	add(object, "name", text(member->name));
	add(object, "type", text(arena_strndup(arena, scratch->data, scratch->length)));
	add(object, "offset", place(member, first));
	add(object, "size",
		member->is_open ? must(cJSON_CreateNull()) : natural(member->size_bytes));
	add(object, "align", natural(member->align_bytes));
	add(object, "line", place(member, first / layout->line_bytes));
	add(object, "line_offset", place(member, first % layout->line_bytes));
	add(object, "declared", json_declared(member->file, member->line));
	if (member->bit_size) {
		add(object, "bit_offset", place(member, member->off_bits % 8));
		add(object, "bit_size", natural(member->bit_size));
	}
	add(object, "members", members_item(arena, report, index + 1, inner_end, 0, scratch));
	if (aggregate_of(layout, member)->variant_count)
		add(object, "variants",
			variants_item(arena, report, aggregate_of(layout, member), index + 1,
				inner_end, scratch));
	add(object, "access", json_access(&report->access, member));
	return object;
}

/* A value of a discriminant: negative where its size says that it is. */
static cJSON *discriminant_value(uint64_t value, uint64_t size_bytes)
{
	char digits[24];
	if (size_bytes >= sizeof(value) || !(value >> (8 * size_bytes)))
		return natural(value);
	snprintf(digits, sizeof(digits), "%" PRId64, (int64_t)value);
	return must(cJSON_CreateRaw(digits));
}

static size_t end_of(const struct layout *layout, size_t at)
{
	return at + 1 + layout->members[at].descendants;
}

/* What tells the alternatives among members [begin, end) apart, if it has no name. */
static const struct layout_member *discriminant_of(
	const struct layout *layout, size_t begin, size_t end)
{
	for (size_t i = begin; i < end; i = end_of(layout, i))
		if (layout->members[i].is_discriminant)
			return &layout->members[i];
	return NULL;
}

static cJSON *discriminant_item(
	struct arena *arena, const struct layout *layout, size_t begin, size_t end)
{
	const struct layout_member *member = discriminant_of(layout, begin, end);
	struct buf name;
	cJSON *object = must(cJSON_CreateObject());
	buf_init(&name);
	type_declare(layout->types, member->type, NULL, &name);
	add(object, "type", text(arena_strdup(arena, name.data)));
	add(object, "offset", place(member, layout_first_byte(member)));
	add(object, "size", natural(member->size_bytes));
	buf_release(&name);
	return object;
}

/* The alternatives of `aggregate`, whose members are [begin, end). */
static cJSON *variants_item(struct arena *arena, const struct report_struct *report,
	const struct type *aggregate, size_t begin, size_t end, struct buf *scratch)
{
	const struct layout *layout = &report->layout;
	const struct layout_member *discriminant = discriminant_of(layout, begin, end);
	cJSON *array = must(cJSON_CreateArray());
	for (size_t v = 0; v < aggregate->variant_count; v++) {
		const struct type_variant *variant = &aggregate->variants[v];
		cJSON *object = must(cJSON_CreateObject());
		cJSON *values = must(cJSON_CreateArray());
		uint64_t size = discriminant ? discriminant->size_bytes : sizeof(uint64_t);
		for (size_t i = 0; i < variant->value_count; i++) {
			cJSON *range = must(cJSON_CreateObject());
			add(range, "low", discriminant_value(variant->values[i].low, size));
			add(range, "high", discriminant_value(variant->values[i].high, size));
			cJSON_AddItemToArray(values, range);
		}
		add(object, "name", text(variant->name));
		add(object, "values", values);
		add(object, "members",
			members_item(arena, report, begin, end, (uint32_t)v + 1, scratch));
		cJSON_AddItemToArray(array, object);
	}
	return array;
}

/* Appends members [begin, end) of one level; see members_item(). */
static void add_members(cJSON *array, struct arena *arena, const struct report_struct *report,
	size_t begin, size_t end, uint32_t variant, struct buf *scratch)
{
	const struct layout *layout = &report->layout;
	for (size_t i = begin; i < end; i = end_of(layout, i)) {
		const struct layout_member *member = &layout->members[i];
		if (member->is_base || member->is_discriminant || member->variant != variant)
			continue;
		if (member->is_body)
			add_members(array, arena, report, i + 1, end_of(layout, i), 0, scratch);
		else
			cJSON_AddItemToArray(array, member_item(arena, report, i, scratch));
	}
}

static cJSON *members_item(struct arena *arena, const struct report_struct *report, size_t begin,
	size_t end, uint32_t variant, struct buf *scratch)
{
	cJSON *array = must(cJSON_CreateArray());
	add_members(array, arena, report, begin, end, variant, scratch);
	return array;
}

/* "ns::Base" */
static const char *base_name(
	struct arena *arena, const struct layout *layout, const struct layout_member *member)
{
	const struct type *type =
		types_get(layout->types, types_strip(layout->types, member->type));
	const char *name = type->name ? type->name : "";
	return type_qualify(arena, type->scope, name);
}

/* The bases among members [begin, end) of one level, each with what it brings. */
static cJSON *bases_item(struct arena *arena, const struct report_struct *report, size_t begin,
	size_t end, struct buf *scratch)
{
	const struct layout *layout = &report->layout;
	cJSON *array = must(cJSON_CreateArray());
	for (size_t i = begin; i < end; i = end_of(layout, i)) {
		const struct layout_member *member = &layout->members[i];
		if (!member->is_base)
			continue;
		cJSON *object = must(cJSON_CreateObject());
		add(object, "name", text(base_name(arena, layout, member)));
		add(object, "offset", place(member, layout_first_byte(member)));
		add(object, "size",
			member->is_open ? must(cJSON_CreateNull()) : natural(member->size_bytes));
		add(object, "virtual", boolean(member->is_virtual));
		add(object, "dynamic", boolean(member->is_dynamic));
		add(object, "bases", bases_item(arena, report, i + 1, end_of(layout, i), scratch));
		add(object, "members",
			members_item(arena, report, i + 1, end_of(layout, i), 0, scratch));
		cJSON_AddItemToArray(array, object);
	}
	return array;
}

/* ---- the rest of a struct ---- */

static cJSON *declared_item(const struct layout *layout)
{
	const struct type *type = layout->types ? types_get(layout->types, layout->type) : NULL;
	return json_declared(type ? type->file : NULL, type ? type->line : 0);
}

static cJSON *holes_item(const struct layout *layout)
{
	cJSON *array = must(cJSON_CreateArray());
	for (size_t i = 0; i < layout->hole_count; i++) {
		cJSON *object = must(cJSON_CreateObject());
		add(object, "offset", natural(layout->holes[i].off_bytes));
		add(object, "size", natural(layout->holes[i].size_bytes));
		cJSON_AddItemToArray(array, object);
	}
	return array;
}

static cJSON *bit_holes_item(const struct layout *layout)
{
	cJSON *array = must(cJSON_CreateArray());
	for (size_t i = 0; i < layout->bit_hole_count; i++) {
		cJSON *object = must(cJSON_CreateObject());
		add(object, "offset", natural(layout->bit_holes[i].off_bytes));
		add(object, "bit_offset", natural(layout->bit_holes[i].bit_offset));
		add(object, "bit_size", natural(layout->bit_holes[i].bit_size));
		cJSON_AddItemToArray(array, object);
	}
	return array;
}

static const char *instance_name(enum profile_instance instance)
{
	switch (instance) {
	case INSTANCE_PER_THREAD:
		return "per-thread";
	case INSTANCE_ARRAY:
		return "array";
	case INSTANCE_SHARED:
		break;
	}
	return "shared";
}

cJSON *json_profile(const struct access_map *map)
{
	if (!map->profile)
		return must(cJSON_CreateNull());
	cJSON *object = must(cJSON_CreateObject());
	add(object, "file",
		text_or_null(map->profile->document ? map->profile->document->path : NULL));
	add(object, "evidence", text(evidence_name(map->evidence)));
	add(object, "source", text_or_null(map->profile->source));
	add(object, "instance", text(instance_name(map->profile->instance)));
	return object;
}

static cJSON *placements_item(const struct access_map *map)
{
	cJSON *array = must(cJSON_CreateArray());
	for (size_t i = 0; i < map->model.start_count; i++)
		cJSON_AddItemToArray(array, natural(map->model.starts[i]));
	return array;
}

static cJSON *cost_item(const struct report_struct *report)
{
	const struct access_map *map = &report->access;
	const struct cost_result *cost = &report->lint.cost;
	if (!report->has_cost)
		return must(cJSON_CreateNull());
	cJSON *object = must(cJSON_CreateObject());
	cJSON *lines = must(cJSON_CreateArray()), *roles = must(cJSON_CreateObject());
	for (size_t i = 0; i < cost->line_count; i++)
		cJSON_AddItemToArray(lines, real(cost->lines[i]));
	for (size_t i = 0; i < map->role_count; i++)
		add(roles, map->roles[i].name, real(cost->roles[i]));
	add(object, "total", real(cost->total));
	add(object, "avoidable", real(report->avoidable));
	add(object, "lines", lines);
	add(object, "roles", roles);
	return object;
}

static cJSON *position_item(const struct finding *finding)
{
	if (!finding->position.line)
		return must(cJSON_CreateNull());
	cJSON *object = must(cJSON_CreateObject());
	add(object, "file", text_or_null(finding->file));
	add(object, "line", natural(finding->position.line));
	add(object, "column", natural(finding->position.col));
	return object;
}

static cJSON *interleave_item(const struct finding *finding)
{
	if (!(finding->interleave_high > 0))
		return must(cJSON_CreateNull());
	cJSON *array = must(cJSON_CreateArray());
	cJSON_AddItemToArray(array, real(finding->interleave_low));
	cJSON_AddItemToArray(array, real(finding->interleave_high));
	return array;
}

cJSON *json_finding(const struct report_struct *report, const struct finding *finding)
{
	const char *file;
	uint32_t line;
	report_declared(report, finding, &file, &line);
	cJSON *object = must(cJSON_CreateObject());
	cJSON *fields = must(cJSON_CreateArray()), *placements = must(cJSON_CreateArray());
	for (size_t i = 0; i < finding->field_count; i++)
		cJSON_AddItemToArray(fields, text(finding->fields[i]));
	cJSON_AddItemToArray(placements, natural(finding->placements_hold));
	cJSON_AddItemToArray(placements, natural(finding->placements));
	add(object, "rule", text(finding->rule->id));
	add(object, "name", text(finding->rule->name));
	add(object, "severity", text(severity_name(finding->severity)));
	add(object, "evidence", text(evidence_name(finding->evidence)));
	add(object, "line", natural(finding->line));
	add(object, "fields", fields);
	add(object, "message", text(finding->message));
	add(object, "price", text_or_null(finding->price));
	add(object, "lowered", text_or_null(finding->lowered));
	add(object, "advice", text_or_null(finding->advice));
	add(object, "cost", real(finding->cost));
	add(object, "parting", real(finding->parting));
	add(object, "avoidable", real(finding->avoidable));
	add(object, "placements", placements);
	add(object, "interleave", interleave_item(finding));
	add(object, "interleave_role", text_or_null(finding->interleave_role));
	add(object, "position", position_item(finding));
	add(object, "declared", json_declared(file, line));
	add(object, "fingerprint", text(finding->fingerprint));
	return object;
}

static cJSON *findings_item(const struct report_struct *report)
{
	const struct lint_result *lint = &report->lint;
	cJSON *array = must(cJSON_CreateArray());
	for (size_t i = 0; i < lint->finding_count; i++)
		if (!lint->findings[i].ignored)
			cJSON_AddItemToArray(array, json_finding(report, &lint->findings[i]));
	return array;
}

static cJSON *at_item(
	struct arena *arena, const struct layout *layout, uint64_t off_bytes, struct buf *scratch)
{
	struct locate at;
	locate_build(arena, layout, off_bytes, &at);
	cJSON *object = must(cJSON_CreateObject()), *members = must(cJSON_CreateArray());
	for (size_t i = 0; i < at.step_count; i++) {
		const struct locate_step *step = &at.steps[i];
		if (!step->is_leaf)
			continue;
		cJSON *member = must(cJSON_CreateObject());
		buf_clear(scratch);
		type_declare(layout->types, step->member->type, NULL, scratch);
		add(member, "path", text(step->path));
		add(member, "type", text(arena_strndup(arena, scratch->data, scratch->length)));
		add(member, "offset", natural(step->off_bytes));
		add(member, "size", natural(step->member->size_bytes));
		add(member, "inside", natural(step->inside));
		add(member, "element",
			step->has_element ? natural(step->element) : cJSON_CreateNull());
		cJSON_AddItemToArray(members, member);
	}
	add(object, "offset", natural(at.off_bytes));
	add(object, "line", natural(at.line));
	add(object, "line_offset", natural(at.line_offset));
	add(object, "members", members);
	return object;
}

cJSON *json_struct(
	struct arena *arena, const struct render_style *style, const struct report_struct *report)
{
	const struct report_source *source = &report->source;
	const struct layout *layout = &report->layout;
	struct buf scratch;
	buf_init(&scratch);
	cJSON *object = must(cJSON_CreateObject());
	add(object, "binary", natural(source->binary));
	add(object, "name", text(source->name));
	add(object, "qualified_name", text(report->qualified_name));
	add(object, "kind", text(type_keyword(source->kind)));
	add(object, "size", layout->size_known ? natural(layout->size_bytes) : cJSON_CreateNull());
	add(object, "align", natural(layout->align_bytes));
	add(object, "line_size", natural(layout->line_bytes));
	add(object, "lines", layout->size_known ? natural(layout->line_count) : cJSON_CreateNull());
	add(object, "declared", declared_item(layout));
	add(object, "local", boolean(source->is_local));
	add(object, "unit", text_or_null(source->unit && *source->unit ? source->unit : NULL));
	add(object, "definitions", natural(source->layouts));
	if (source->files)
		add(object, "files", natural(source->files));
	add(object, "bases", bases_item(arena, report, 0, layout->member_count, &scratch));
	add(object, "variants",
		layout->types ? variants_item(arena, report, types_get(layout->types, layout->type),
					0, layout->member_count, &scratch)
			      : must(cJSON_CreateArray()));
	if (discriminant_of(layout, 0, layout->member_count))
		add(object, "discriminant",
			discriminant_item(arena, layout, 0, layout->member_count));
	add(object, "placements", placements_item(&report->access));
	add(object, "members", members_item(arena, report, 0, layout->member_count, 0, &scratch));
	add(object, "holes", holes_item(layout));
	add(object, "bit_holes", bit_holes_item(layout));
	add(object, "padding", natural(layout->padding_bytes));
	add(object, "profile", json_profile(&report->access));
	add(object, "cost", cost_item(report));
	add(object, "findings", findings_item(report));
	add(object, "suggestions", json_suggestions(report));
	add(object, "why_no_suggestion",
		text_or_null(report->suggest_kinds ? report->suggest.why_none : NULL));
	add(object, "padded", json_padded(report));
	add(object, "trade_off", json_trade(report));
	if (style->has_at)
		add(object, "at", at_item(arena, layout, style->at_bytes, &scratch));
	buf_release(&scratch);
	return object;
}

/* ---- the document ---- */

static cJSON *binary_item(const struct report_binary *binary)
{
	cJSON *object = must(cJSON_CreateObject());
	add(object, "path", text(binary->path));
	add(object, "format", text(binary->format));
	add(object, "dwarf_version",
		binary->dwarf_version ? natural(binary->dwarf_version) : cJSON_CreateNull());
	add(object, "machine", text(binary->machine));
	add(object, "endian", text(binary->big_endian ? "big" : "little"));
	add(object, "pointer_size", natural(binary->pointer_bytes));
	add(object, "build_id", text_or_null(binary->build_id));
	return object;
}

void json_open(FILE *out, const struct report_frame *frame)
{
	cJSON *tool = must(cJSON_CreateObject()), *binaries = must(cJSON_CreateArray());
	add(tool, "name", text("linelint"));
	add(tool, "version", text(LINELINT_VERSION));
	for (size_t i = 0; i < frame->binary_count; i++)
		cJSON_AddItemToArray(binaries, binary_item(&frame->binaries[i]));
	fputs("{\"schema_version\":1,\"tool\":", out);
	print(out, tool);
	fputs(",\"binaries\":", out);
	print(out, binaries);
}

static void begin(FILE *out, const struct render_style *style, const struct report_frame *frame)
{
	(void)style;
	json_open(out, frame);
	fprintf(out, ",\"line_size\":%" PRIu64 ",\"structs\":[", frame->line_bytes);
}

/* A struct a line, so that tools for lines see structs. */
static void one(FILE *out, const struct render_style *style, const struct report_frame *frame,
	const struct report_struct *report, size_t number)
{
	(void)frame;
	struct arena arena;
	arena_init(&arena);
	fputs(number ? ",\n" : "\n", out);
	print(out, json_struct(&arena, style, report));
	arena_release(&arena);
}

static void end(FILE *out, const struct render_style *style, const struct report_frame *frame,
	const struct report_summary *summary)
{
	(void)style;
	cJSON *object = must(cJSON_CreateObject());
	add(object, "structs", natural(summary->structs));
	add(object, "errors", natural(summary->errors));
	add(object, "warnings", natural(summary->warnings));
	add(object, "infos", natural(summary->infos));
	add(object, "baselined", natural(summary->baselined));
	add(object, "unread", natural(summary->unread));
	fputs(summary->structs ? "\n]" : "]", out);
	if (frame->vars_count)
		json_vars(out, frame);
	fputs(",\"summary\":", out);
	print(out, object);
	fputs("}\n", out);
}

const struct renderer render_json = {
	.name = "json",
	.summary = "for programs, see the schema",
	.struct_kinds = (1U << SUGGEST_KIND_COUNT) - 1,
	.check_kinds = (1U << SUGGEST_KIND_COUNT) - 1,
	.begin = begin,
	.one = one,
	.end = end,
	.replay = json_replay,
	.diff = json_diff,
};

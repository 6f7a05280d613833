#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "render/json_value.h"

/* Addresses of a kernel do not fit the doubles of most readers. */
static cJSON *address_item(struct arena *arena, uint64_t address)
{
	return text(arena_printf(arena, "0x%" PRIx64, address));
}

static uint64_t base_of(const struct report_vars *vars, const struct object_area *area)
{
	return vars->catalog->is_linked ? 0 : area->address;
}

static cJSON *aliases_item(const struct vars_item *item)
{
	cJSON *array = must(cJSON_CreateArray());
	const char *own = item->variable && item->variable->symbol ? item->variable->symbol->name
								   : item->name;
	for (size_t i = 0; i < item->symbol_count; i++)
		if (strcmp(item->symbols[i].name, own) != 0)
			cJSON_AddItemToArray(array, text(item->symbols[i].name));
	return array;
}

static cJSON *type_item(struct arena *arena, const struct vars_item *item)
{
	if (!item->variable)
		return must(cJSON_CreateNull());
	struct buf buf;
	buf_init(&buf);
	type_declare(item->variable->types, item->variable->type, NULL, &buf);
	const char *kept = arena_strndup(arena, buf.data, buf.length);
	buf_release(&buf);
	return text(kept);
}

static cJSON *members_item(const struct report_vars *vars, size_t index)
{
	cJSON *array = must(cJSON_CreateArray());
	const struct vars_judged *judged = vars->judged;
	uint32_t first = judged->members ? judged->members[index] : UINT32_MAX;
	if (first == UINT32_MAX)
		return array;
	const struct layout_member *top = &judged->layout.members[first];
	for (uint32_t i = 1; i <= top->descendants; i++) {
		const struct layout_member *member = &judged->layout.members[first + i];
		if (!access_find(&judged->access, member))
			continue;
		cJSON *object = must(cJSON_CreateObject());
		add(object, "path", text(member->path));
		add(object, "offset", natural(layout_first_byte(member) - layout_first_byte(top)));
		add(object, "size", natural(member->size_bytes));
		add(object, "access", json_access(&judged->access, member));
		cJSON_AddItemToArray(array, object);
	}
	return array;
}

static cJSON *variable_item(struct arena *arena, const struct report_vars *vars,
	const struct report_vars_line *line, size_t index)
{
	const struct vars_item *item = &vars->catalog->items[index];
	const struct vars_judged *judged = vars->judged;
	const struct variable *variable = item->variable;
	uint32_t member = judged->members ? judged->members[index] : UINT32_MAX;
	cJSON *object = must(cJSON_CreateObject());
	add(object, "name", text(item->name));
	add(object, "aliases", aliases_item(item));
	add(object, "address", address_item(arena, item->address - base_of(vars, item->area)));
	add(object, "line_offset",
		item->address < line->address ? cJSON_CreateNull()
					      : natural(item->address - line->address));
	add(object, "size", natural(item->size_bytes));
	add(object, "cut", boolean(item->is_cut));
	add(object, "type", type_item(arena, item));
	add(object, "static", boolean(item->is_static));
	add(object, "unit", text_or_null(variable && *variable->unit ? variable->unit : NULL));
	add(object, "declared",
		json_declared(variable ? variable->file : NULL, variable ? variable->line : 0));
	add(object, "access",
		member == UINT32_MAX
			? cJSON_CreateNull()
			: json_access(&judged->access, &judged->layout.members[member]));
	add(object, "members", members_item(vars, index));
	return object;
}

static cJSON *gaps_item(const struct report_vars *vars, const struct report_vars_line *line)
{
	cJSON *array = must(cJSON_CreateArray());
	uint64_t at = line->address, end = line->address + vars->catalog->line_bytes;
	for (size_t i = 0; i <= line->item_count && at < end; i++) {
		const struct vars_item *item =
			i < line->item_count ? &vars->catalog->items[line->items[i]] : NULL;
		uint64_t next = item ? item->address : end;
		if (next > at) {
			cJSON *object = must(cJSON_CreateObject());
			add(object, "offset", natural(at - line->address));
			add(object, "size", natural(next - at));
			cJSON_AddItemToArray(array, object);
		}
		if (item && item->address + item->size_bytes > at)
			at = item->address + item->size_bytes;
	}
	return array;
}

static cJSON *line_item(
	struct arena *arena, const struct report_vars *vars, const struct report_vars_line *line)
{
	cJSON *object = must(cJSON_CreateObject()), *variables = must(cJSON_CreateArray());
	for (size_t i = 0; i < line->item_count; i++)
		cJSON_AddItemToArray(variables, variable_item(arena, vars, line, line->items[i]));
	add(object, "address", address_item(arena, line->address - base_of(vars, line->area)));
	add(object, "used", natural(line->used_bytes));
	add(object, "gaps", gaps_item(vars, line));
	add(object, "variables", variables);
	return object;
}

static cJSON *area_item(
	struct arena *arena, const struct report_vars *vars, const struct report_vars_area *area)
{
	cJSON *object = must(cJSON_CreateObject());
	add(object, "binary", natural(vars->binary));
	add(object, "linked", boolean(vars->catalog->is_linked));
	add(object, "line_size", natural(vars->catalog->line_bytes));
	add(object, "name", text(area->area->name));
	add(object, "address",
		vars->catalog->is_linked ? address_item(arena, area->area->address)
					 : cJSON_CreateNull());
	add(object, "size", natural(area->area->size_bytes));
	add(object, "align", natural(area->area->align_bytes));
	add(object, "writable", boolean(area->area->is_writable));
	add(object, "per_cpu", boolean(area->is_per_cpu));
	add(object, "line_count", natural(area->lines));
	add(object, "variables", natural(area->variables));
	add(object, "static", natural(area->statics));
	add(object, "used", natural(area->used_bytes));
	return object;
}

static void put_area(FILE *out, const struct report_vars *vars, const struct report_vars_area *area)
{
	struct arena arena;
	arena_init(&arena);
	cJSON *object = area_item(&arena, vars, area);
	char *bytes = cJSON_PrintUnformatted(object);
	if (!bytes)
		mem_exhausted();
	/* its lines, one by one: a section may have a million */
	fprintf(out, "%.*s,\"lines\":[", (int)strlen(bytes) - 1, bytes);
	cJSON_free(bytes);
	cJSON_Delete(object);
	for (size_t i = 0; i < area->shown_count; i++) {
		struct arena scratch;
		arena_init(&scratch);
		fputs(i ? ",\n" : "\n", out);
		print(out, line_item(&scratch, vars, &area->shown[i]));
		arena_release(&scratch);
	}
	fputs("]}", out);
	arena_release(&arena);
}

static void add_findings(struct arena *arena, const struct report_vars *vars, cJSON *array)
{
	const struct vars_judged *judged = vars->judged;
	const struct report_struct report = {.layout = judged->layout};
	for (size_t i = 0; i < judged->finding_count; i++) {
		uint64_t line = judged->lines[i], bytes = vars->catalog->line_bytes;
		const struct object_area *area = line ? vars_area_of_line(vars->catalog, line) : NULL;
		if (judged->findings[i].ignored)
			continue;
		cJSON *object = json_finding(&report, &judged->findings[i]);
		uint64_t first = area ? area->address & ~(bytes - 1) : 0;
		cJSON_ReplaceItemInObject(
			object, "line", natural(area ? (line - first) / bytes : 0));
		add(object, "binary", natural(vars->binary));
		add(object, "section", text_or_null(area ? area->name : NULL));
		add(object, "address",
			area ? address_item(arena, line - base_of(vars, area))
			     : cJSON_CreateNull());
		cJSON_AddItemToArray(array, object);
	}
}

static cJSON *findings_item(struct arena *arena, const struct report_frame *frame)
{
	cJSON *array = must(cJSON_CreateArray());
	for (size_t i = 0; i < frame->vars_count; i++)
		add_findings(arena, &frame->vars[i], array);
	return array;
}

/* Of all files: what each of them costs adds up, and one finding saves at most so much. */
static cJSON *cost_item(const struct report_frame *frame)
{
	double cost = 0, avoidable = 0;
	bool has_cost = false;
	for (size_t i = 0; i < frame->vars_count; i++) {
		const struct vars_judged *judged = frame->vars[i].judged;
		has_cost |= judged->has_cost;
		cost += judged->has_cost ? judged->cost : 0;
		if (judged->avoidable > avoidable)
			avoidable = judged->avoidable;
	}
	if (!has_cost)
		return must(cJSON_CreateNull());
	cJSON *object = must(cJSON_CreateObject());
	add(object, "total", real(cost));
	add(object, "avoidable", real(avoidable));
	return object;
}

static void put_sections(FILE *out, const struct report_frame *frame)
{
	size_t count = 0;
	for (size_t i = 0; i < frame->vars_count; i++)
		for (size_t k = 0; k < frame->vars[i].area_count; k++) {
			fputs(count++ ? ",\n" : "\n", out);
			put_area(out, &frame->vars[i], &frame->vars[i].areas[k]);
		}
}

void json_vars(FILE *out, const struct report_frame *frame)
{
	struct arena arena;
	bool is_linked = true;
	arena_init(&arena);
	for (size_t i = 0; i < frame->vars_count; i++)
		is_linked &= frame->vars[i].catalog->is_linked;
	fprintf(out, ",\"vars\":{\"line_size\":%" PRIu64 ",\"linked\":%s,\"sections\":[",
		frame->vars[0].catalog->line_bytes, is_linked ? "true" : "false");
	put_sections(out, frame);
	fputs("],\"profile\":", out);
	print(out, json_profile(&frame->vars[0].judged->access));
	fputs(",\"cost\":", out);
	print(out, cost_item(frame));
	fputs(",\"findings\":", out);
	print(out, findings_item(&arena, frame));
	fputc('}', out);
	arena_release(&arena);
}

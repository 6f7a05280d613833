#include "render/json_value.h"

static cJSON *place_item(const struct layout_member *member, const struct report_struct *report)
{
	if (!member)
		return must(cJSON_CreateNull());
	uint64_t first = layout_first_byte(member);
	cJSON *object = must(cJSON_CreateObject());
	add(object, "offset", natural(first));
	add(object, "size", natural(member->size_bytes));
	add(object, "line", natural(first / report->layout.line_bytes));
	return object;
}

static const char *member_change(const struct diff_member *member)
{
	if (!member->before)
		return "added";
	if (!member->after)
		return "removed";
	if (member->is_moved)
		return "moved";
	return member->is_retyped ? "retyped" : "collateral";
}

static cJSON *members_item(const struct diff *diff)
{
	cJSON *array = must(cJSON_CreateArray());
	for (size_t i = 0; i < diff->member_count; i++) {
		const struct diff_member *member = &diff->members[i];
		cJSON *object = must(cJSON_CreateObject());
		add(object, "field", text(member->path));
		add(object, "change", text(member_change(member)));
		add(object, "retyped", boolean(member->is_retyped));
		add(object, "before", place_item(member->before, diff->before));
		add(object, "after", place_item(member->after, diff->after));
		cJSON_AddItemToArray(array, object);
	}
	return array;
}

static const char *finding_change(const struct diff_finding *item)
{
	if (!item->before)
		return "new";
	if (!item->after)
		return "gone";
	return item->after->severity < item->before->severity ? "worse" : "better";
}

static cJSON *findings_item(const struct diff *diff)
{
	cJSON *array = must(cJSON_CreateArray());
	for (size_t i = 0; i < diff->finding_count; i++) {
		const struct diff_finding *item = &diff->findings[i];
		const struct finding *finding = item->after ? item->after : item->before;
		cJSON *object = must(cJSON_CreateObject());
		add(object, "change", text(finding_change(item)));
		add(object, "rule", text(finding->rule->id));
		add(object, "severity_before",
			text_or_null(item->before ? severity_name(item->before->severity) : NULL));
		add(object, "severity",
			text_or_null(item->after ? severity_name(item->after->severity) : NULL));
		add(object, "message", text(finding->message));
		add(object, "fingerprint", text(finding->fingerprint));
		cJSON_AddItemToArray(array, object);
	}
	return array;
}

static cJSON *two(cJSON *before, cJSON *after)
{
	cJSON *object = must(cJSON_CreateObject());
	add(object, "before", before);
	add(object, "after", after);
	return object;
}

static cJSON *natural_if(bool has, uint64_t value)
{
	return has ? natural(value) : must(cJSON_CreateNull());
}

static cJSON *real_if(bool has, double value)
{
	return has ? real(value) : must(cJSON_CreateNull());
}

static cJSON *cost_item(const struct diff *diff)
{
	cJSON *roles = must(cJSON_CreateObject());
	for (size_t i = 0; i < diff->role_count; i++) {
		const struct diff_role *role = &diff->roles[i];
		add(roles, role->name,
			two(real_if(role->has_before, role->before),
				real_if(role->has_after, role->after)));
	}
	cJSON *object =
		two(real_if(diff->before && diff->before->access.role_count, diff->cost_before),
			real_if(diff->after && diff->after->access.role_count, diff->cost_after));
	add(object, "roles", roles);
	return object;
}

static cJSON *change_item(const struct diff *diff, size_t before, size_t after)
{
	const struct layout *old = diff->before ? &diff->before->layout : NULL;
	const struct layout *new = diff->after ? &diff->after->layout : NULL;
	cJSON *object = must(cJSON_CreateObject());
	add(object, "struct", text(diff->name));
	add(object, "before", natural_if(old, before));
	add(object, "after", natural_if(new, after));
	add(object, "changed", boolean(diff->is_changed));
	add(object, "cost_worse", boolean(diff->is_cost_worse));
	add(object, "findings_worse", boolean(diff->is_finding_worse));
	add(object, "lost", boolean(diff->is_lost));
	add(object, "size",
		two(natural_if(old && old->size_known, old ? old->size_bytes : 0),
			natural_if(new &&new->size_known, new ? new->size_bytes : 0)));
	add(object, "lines",
		two(natural_if(old && old->size_known, old ? old->line_count : 0),
			natural_if(new &&new->size_known, new ? new->line_count : 0)));
	add(object, "objects",
		two(natural_if(diff->objects_before, diff->objects_before),
			natural_if(diff->objects_after, diff->objects_after)));
	add(object, "members", members_item(diff));
	add(object, "findings", findings_item(diff));
	add(object, "gone", json_pairs(diff->gone, diff->gone_count));
	add(object, "new", json_pairs(diff->fresh, diff->fresh_count));
	add(object, "cost", cost_item(diff));
	return object;
}

static void print_side(FILE *out, const struct render_style *style, const struct diff *diffs,
	size_t count, bool is_after)
{
	bool first = true;
	for (size_t i = 0; i < count; i++) {
		const struct report_struct *report = is_after ? diffs[i].after : diffs[i].before;
		if (!report)
			continue;
		struct arena arena;
		arena_init(&arena);
		fputs(first ? "\n" : ",\n", out);
		print(out, json_struct(&arena, style, report));
		arena_release(&arena);
		first = false;
	}
}

void json_diff(FILE *out, const struct render_style *style, const struct report_frame *frame,
	const struct diff *diffs, size_t count)
{
	size_t before = 0, after = 0, changed = 0, worse = 0;
	json_open(out, frame);
	fputs(",\"before\":[", out);
	print_side(out, style, diffs, count, false);
	fputs("],\"after\":[", out);
	print_side(out, style, diffs, count, true);
	fputs("],\"changes\":[", out);
	for (size_t i = 0; i < count; i++) {
		fputs(i ? ",\n" : "\n", out);
		print(out, change_item(&diffs[i], before, after));
		before += diffs[i].before != NULL;
		after += diffs[i].after != NULL;
		changed += diffs[i].is_changed;
		worse += diff_is_worse(&diffs[i]);
	}
	cJSON *summary = must(cJSON_CreateObject());
	add(summary, "structs", natural(count));
	add(summary, "changed", natural(changed));
	add(summary, "worse", natural(worse));
	fputs("],\"summary\":", out);
	print(out, summary);
	fputs("}\n", out);
}

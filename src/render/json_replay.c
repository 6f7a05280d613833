#include "render/json_value.h"

static cJSON *numbers(const struct replay *replay, const struct replay_numbers *numbers)
{
	cJSON *object = must(cJSON_CreateObject());
	add(object, "simulated", real(numbers->simulated));
	add(object, "closed_form",
		replay->input->trace ? cJSON_CreateNull() : real(numbers->closed));
	return object;
}

/* {"before", "after"}, the latter null without a suggestion. */
static void add_pair(cJSON *object, const struct replay *replay, const struct replay_pair *pair)
{
	add(object, "before", numbers(replay, &pair->before));
	add(object, "after",
		replay->input->suggestion ? numbers(replay, &pair->after) : cJSON_CreateNull());
}

static cJSON *pair_item(const struct replay *replay, const struct replay_pair *pair)
{
	cJSON *object = must(cJSON_CreateObject());
	add_pair(object, replay, pair);
	return object;
}

static cJSON *tally_item(const struct replay_tally *tally)
{
	cJSON *object = must(cJSON_CreateObject());
	add(object, "line", natural(tally->line));
	add(object, "fetches", real(tally->fetches));
	add(object, "owned", real(tally->owned));
	add(object, "polls", real(tally->polls));
	return object;
}

static cJSON *source_item(const struct replay *replay, const struct report_struct *report)
{
	const struct trace *trace = replay->input->trace;
	const struct profile_struct *profile = report->access.profile;
	const char *path = profile && profile->document ? profile->document->path : NULL;
	cJSON *object = must(cJSON_CreateObject());
	add(object, "kind", text(trace ? "trace" : "roles"));
	add(object, "file", text_or_null(trace ? trace->path : path));
	add(object, "evidence",
		trace ? cJSON_CreateNull() : text(evidence_name(report->access.evidence)));
	add(object, "workload", text_or_null(replay->workload));
	add(object, "incomplete", boolean(trace && trace->is_incomplete));
	add(object, "seed", trace ? cJSON_CreateNull() : natural(replay->input->seed));
	add(object, "operations", natural(trace ? trace->operations : replay->input->operations));
	return object;
}

static cJSON *suggestion_item(const struct suggestion *suggestion)
{
	if (!suggestion)
		return must(cJSON_CreateNull());
	cJSON *object = must(cJSON_CreateObject()), *moves = must(cJSON_CreateArray());
	for (size_t i = 0; i < suggestion->move_count; i++) {
		cJSON *move = must(cJSON_CreateObject());
		add(move, "field", text(suggestion->moves[i].field));
		add(move, "after", text_or_null(suggestion->moves[i].after));
		cJSON_AddItemToArray(moves, move);
	}
	add(object, "moves", moves);
	add(object, "size", natural(suggestion->size_after));
	return object;
}

static cJSON *struct_item(const struct report_struct *report)
{
	cJSON *object = must(cJSON_CreateObject());
	add(object, "name", text(report->source.name));
	add(object, "qualified_name", text(report->qualified_name));
	add(object, "kind", text(type_keyword(report->source.kind)));
	add(object, "size", natural(report->layout.size_bytes));
	add(object, "line_size", natural(report->layout.line_bytes));
	return object;
}

static cJSON *roles_item(const struct replay *replay)
{
	cJSON *array = must(cJSON_CreateArray());
	for (size_t i = 0; i < replay->role_count; i++) {
		const struct replay_role *role = &replay->roles[i];
		cJSON *object = must(cJSON_CreateObject());
		add(object, "name", text(role->name));
		add(object, "threads", natural(role->threads));
		add(object, "operations", natural(role->operations));
		add_pair(object, replay, &role->cost);
		cJSON_AddItemToArray(array, object);
	}
	return array;
}

static cJSON *lines_item(const struct replay *replay)
{
	cJSON *array = must(cJSON_CreateArray());
	for (size_t i = 0; i < replay->line_count; i++) {
		cJSON *object = must(cJSON_CreateObject());
		add(object, "line", natural(i));
		add_pair(object, replay, &replay->lines[i]);
		cJSON_AddItemToArray(array, object);
	}
	return array;
}

static cJSON *fields_item(const struct replay *replay)
{
	cJSON *array = must(cJSON_CreateArray());
	for (size_t i = 0; i < replay->field_count; i++) {
		const struct replay_field *field = &replay->fields[i];
		cJSON *object = must(cJSON_CreateObject());
		add(object, "field", text_or_null(field->path));
		add(object, "role", text(replay->roles[field->role].name));
		add(object, "before", tally_item(&field->before));
		add(object, "after",
			replay->input->suggestion ? tally_item(&field->after) : cJSON_CreateNull());
		cJSON_AddItemToArray(array, object);
	}
	return array;
}

static cJSON *rows_item(const struct replay *replay)
{
	cJSON *array = must(cJSON_CreateArray());
	for (size_t i = 0; i < replay->row_count; i++) {
		cJSON *object = must(cJSON_CreateObject());
		add(object, "threads", natural(replay->rows[i].threads));
		add_pair(object, replay, &replay->rows[i].total);
		cJSON_AddItemToArray(array, object);
	}
	return array;
}

void json_replay(FILE *out, const struct render_style *style, const struct report_frame *frame,
	const struct report_struct *report, const struct replay *replay)
{
	(void)style;
	cJSON *object = must(cJSON_CreateObject());
	add(object, "struct", struct_item(report));
	add(object, "source", source_item(replay, report));
	add(object, "suggestion", suggestion_item(replay->input->suggestion));
	add(object, "why_none",
		text_or_null(replay->input->suggestion ? NULL : replay->input->why_none));
	add(object, "total", pair_item(replay, &replay->total));
	add(object, "roles", roles_item(replay));
	add(object, "lines", lines_item(replay));
	add(object, "fields", fields_item(replay));
	add(object, "threads", rows_item(replay));
	json_open(out, frame);
	fputs(",\n\"replay\":", out);
	print(out, object);
	fputs("}\n", out);
}

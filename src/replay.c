#include "replay.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cost.h"
#include "mesi.h"
#include "replay/record.h"

/* One layout, both ways. */
struct side {
	struct mesi_result simulated;
	struct cost_result closed; /* all zero of a trace */
};

/* ---- the suggested layout ---- */

/* Does anything but `except` that is placed lie in this one? */
static bool holds_others(const struct layout *layout, const struct layout_member *outer,
	const struct suggestion *suggestion, const struct suggest_place *except)
{
	size_t first = (size_t)(outer - layout->members);
	for (size_t i = 0; i < suggestion->order_count; i++) {
		size_t index = (size_t)(suggestion->order[i].member - layout->members);
		if (&suggestion->order[i] != except && index >= first &&
			index - first <= outer->descendants)
			return true;
	}
	return false;
}

/* What moves with a placed member: an unnamed aggregate goes by its first named member. */
static const struct layout_member *moved_with(const struct layout *layout,
	const struct suggestion *suggestion, const struct suggest_place *place)
{
	const struct layout_member *moved = place->member;
	while (moved->parent != LAYOUT_NO_PARENT) {
		const struct layout_member *outer = &layout->members[moved->parent];
		if (*outer->name || holds_others(layout, outer, suggestion, place))
			break;
		moved = outer;
	}
	return moved;
}

/* The same members, by index, at their proposed offsets: what accesses are joined with. Holes are not worked out. */
static void lay_out_again(struct arena *arena, const struct layout *layout,
	const struct suggestion *suggestion, struct layout *ret)
{
	struct layout_member *members =
		arena_copy(arena, layout->members, layout->member_count, sizeof(*members));
	for (size_t i = 0; i < suggestion->order_count; i++) {
		const struct suggest_place *place = &suggestion->order[i];
		const struct layout_member *moved = moved_with(layout, suggestion, place);
		size_t first = (size_t)(moved - layout->members);
		for (size_t k = 0; k <= moved->descendants; k++)
			members[first + k].off_bits += place->off_bits - place->member->off_bits;
	}
	*ret = *layout;
	ret->members = members;
	ret->size_bytes = suggestion->size_after;
	ret->line_count = suggestion->lines_after;
	for (size_t i = 0; i < suggestion->move_count; i++)
		if (suggestion->moves[i].align_bytes > ret->align_bytes)
			ret->align_bytes = suggestion->moves[i].align_bytes;
}

/* ---- simulations ---- */

static struct error *too_many(const struct replay_input *input)
{
	return error_new(
		"%s: the threads of the profile's roles are more than can be simulated; give "
		"fewer with --threads, 128 for example",
		input->layout->name);
}

static struct error *run_model(struct arena *arena, const struct replay_input *input,
	const struct access_map *map, struct side *ret)
{
	const struct mesi_options options = {.seed = input->seed, .operations = input->operations};
	if (mesi_model_caches(&map->model) > MESI_CACHES_MAX)
		return too_many(input);
	ret->closed = cost_run(arena, &map->model);
	ret->simulated = mesi_model(arena, &map->model, &options);
	return NULL;
}

static struct error *run_trace(struct arena *arena, const struct replay_input *input,
	const struct layout *layout, struct side *ret)
{
	struct mesi_record record;
	const struct access_map *map = input->access;
	const struct replay_recording recording = {
		.trace = input->trace,
		.recorded = input->layout,
		.layout = layout,
		.start_bytes = map->role_count ? map->model.starts[0] : 0,
	};
	struct error *error = replay_record(arena, &recording, &record);
	if (error)
		return error;
	ret->closed = (struct cost_result){0};
	ret->simulated = mesi_record(arena, &record);
	return NULL;
}

static struct error *run_side(struct arena *arena, const struct replay_input *input,
	const struct layout *layout, struct side *ret)
{
	if (input->trace)
		return run_trace(arena, input, layout, ret);
	if (layout == input->layout)
		return run_model(arena, input, input->access, ret);
	struct access_map map;
	access_build(arena, layout, input->access->profile, input->context, &map);
	return run_model(arena, input, &map, ret);
}

/* ---- what they say ---- */

static struct replay_numbers total_of(const struct side *side)
{
	return (struct replay_numbers){side->simulated.total, side->closed.total};
}

static double at_or_0(const double *values, size_t count, size_t index)
{
	return values && index < count ? values[index] : 0;
}

static struct replay_numbers line_of(const struct side *side, size_t line)
{
	return (struct replay_numbers){
		at_or_0(side->simulated.lines, side->simulated.line_count, line),
		at_or_0(side->closed.lines, side->closed.line_count, line),
	};
}

static struct replay_numbers role_of(const struct side *side, size_t role)
{
	return (struct replay_numbers){
		at_or_0(side->simulated.roles, side->simulated.role_count, role),
		side->closed.roles ? side->closed.roles[role] : 0,
	};
}

static unsigned threads_of(const struct replay_input *input, size_t role)
{
	unsigned count = 0;
	if (!input->trace)
		return input->access->roles[role].threads;
	for (size_t i = 0; i < input->trace->thread_count; i++)
		count += input->trace->thread_roles[i] == role;
	return count;
}

static void tell_roles(struct arena *arena, const struct replay_input *input,
	const struct side *before, const struct side *after, struct replay *ret)
{
	size_t count = input->trace ? input->trace->role_count : input->access->role_count;
	struct replay_role *roles = arena_new(arena, count, sizeof(*roles));
	for (size_t i = 0; i < count; i++)
		roles[i] = (struct replay_role){
			.name = input->trace ? input->trace->roles[i]
					     : input->access->roles[i].name,
			.threads = threads_of(input, i),
			.operations = before->simulated.operations[i],
			.cost = {role_of(before, i), role_of(after, i)},
		};
	ret->roles = roles;
	ret->role_count = count;
}

static void tell_lines(struct arena *arena, const struct replay_input *input,
	const struct side *before, const struct side *after, struct replay *ret)
{
	size_t counts[] = {input->layout->line_count, before->simulated.line_count,
		after->simulated.line_count};
	for (size_t i = 0; i < 3; i++)
		if (counts[i] > ret->line_count)
			ret->line_count = counts[i];
	struct replay_pair *lines = arena_new(arena, ret->line_count, sizeof(*lines));
	for (size_t i = 0; i < ret->line_count; i++)
		lines[i] = (struct replay_pair){line_of(before, i), line_of(after, i)};
	ret->lines = lines;
}

static const struct layout_member *member_of(
	const struct replay_input *input, const struct layout *layout, size_t field)
{
	size_t index = field;
	if (!input->trace)
		index = (size_t)(input->access->fields[field].member - input->layout->members);
	return index < layout->member_count ? &layout->members[index] : NULL;
}

static struct replay_tally tally_of(const struct side *side, size_t role, size_t field,
	const struct layout *layout, const struct layout_member *member)
{
	struct replay_tally tally = {0};
	const struct mesi_result *result = &side->simulated;
	if (member)
		tally.line = layout_first_byte(member) / layout->line_bytes;
	if (role >= result->role_count || !result->operations[role])
		return tally;
	const struct mesi_tally *counts = &result->role_fields[role * result->field_count + field];
	double operations = (double)result->operations[role];
	tally.fetches = (double)counts->fetches / operations;
	tally.owned = (double)counts->owned / operations;
	tally.polls = (double)counts->polls / operations;
	return tally;
}

static double sum_of(const struct replay_tally *tally)
{
	return tally->fetches + tally->owned + tally->polls;
}

static double larger(double a, double b)
{
	return a > b ? a : b;
}

/* By role, then the most first, then by where they lie. */
static int compare_fields(const void *left, const void *right)
{
	const struct replay_field *a = left, *b = right;
	double most_a = larger(sum_of(&a->before), sum_of(&a->after));
	double most_b = larger(sum_of(&b->before), sum_of(&b->after));
	if (a->role != b->role)
		return a->role < b->role ? -1 : 1;
	if (most_a > most_b || most_a < most_b)
		return most_a > most_b ? -1 : 1;
	return strcmp(a->path ? a->path : "", b->path ? b->path : "");
}

static void tell_fields(struct arena *arena, const struct replay_input *input,
	const struct side *before, const struct side *after, struct replay *ret)
{
	const struct layout *after_layout = input->suggestion ? &ret->after : input->layout;
	size_t per_role = before->simulated.field_count;
	struct replay_field *fields = arena_new(arena, ret->role_count * per_role, sizeof(*fields));
	for (size_t i = 0; i < ret->role_count * per_role; i++) {
		size_t role = i / per_role, index = i % per_role;
		const struct layout_member *member = member_of(input, input->layout, index);
		struct replay_field field = {
			.path = member ? member->path : NULL,
			.role = role,
			.before = tally_of(before, role, index, input->layout, member),
			.after = tally_of(after, role, index, after_layout,
				member_of(input, after_layout, index)),
		};
		if (sum_of(&field.before) > 0 || sum_of(&field.after) > 0)
			fields[ret->field_count++] = field;
	}
	qsort(fields, ret->field_count, sizeof(*fields), compare_fields);
	ret->fields = fields;
}

static const char *workload_name(const struct replay_input *input, const struct side *before)
{
	const struct access_map *map = input->access;
	if (input->trace || map->model.workload_count < 2)
		return NULL;
	return map->profile->document->workloads[map->workloads[before->simulated.workload]].name;
}

/* ---- from few threads to many ---- */

static struct error *one_row(struct arena *arena, const struct replay_input *input,
	const struct layout *after, struct replay_row *row)
{
	struct access_context context = *input->context;
	struct access_map map;
	struct side sides[2] = {0};
	context.threads = row->threads;
	access_build(arena, input->layout, input->access->profile, &context, &map);
	struct error *error = run_model(arena, input, &map, &sides[0]);
	if (!error && input->suggestion) {
		access_build(arena, after, input->access->profile, &context, &map);
		error = run_model(arena, input, &map, &sides[1]);
	}
	row->total = (struct replay_pair){total_of(&sides[0]), total_of(&sides[1])};
	return error;
}

static struct error *tell_rows(
	struct arena *arena, const struct replay_input *input, struct replay *ret)
{
	struct replay_row *rows = arena_new(arena, REPLAY_THREADS_MOST, sizeof(*rows));
	struct error *error = NULL;
	if (input->trace || input->context->threads)
		return NULL;
	for (unsigned threads = REPLAY_THREADS_LEAST; threads <= REPLAY_THREADS_MOST && !error;
		threads *= 2) {
		rows[ret->row_count].threads = threads;
		error = one_row(arena, input, &ret->after, &rows[ret->row_count++]);
	}
	ret->rows = rows;
	return error;
}

struct error *replay_run(struct arena *arena, const struct replay_input *input, struct replay *ret)
{
	struct replay replay = {.input = input};
	struct side before = {0}, after = {0};
	if (!input->trace && !input->access->role_count)
		return error_new("%s: nobody accesses it, as far as is known; name a profile with "
				 "--profile, or a recorded trace",
			input->layout->name);
	struct error *error = run_side(arena, input, input->layout, &before);
	if (!error && input->suggestion) {
		lay_out_again(arena, input->layout, input->suggestion, &replay.after);
		error = run_side(arena, input, &replay.after, &after);
	}
	if (error)
		return error;
	replay.workload = workload_name(input, &before);
	replay.total = (struct replay_pair){total_of(&before), total_of(&after)};
	tell_roles(arena, input, &before, &after, &replay);
	tell_lines(arena, input, &before, &after, &replay);
	tell_fields(arena, input, &before, &after, &replay);
	error = tell_rows(arena, input, &replay);
	if (!error)
		*ret = replay;
	return error;
}

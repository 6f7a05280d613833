#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "lint/rules.h"

/*
 * LL005, for two kinds of arrays: of the struct itself (`instance: array`), and of a member of
 * which each thread has an element of its own (`index: thread`). Both are a row of elements at a
 * stride, of which fields are parts.
 */
struct row {
	const struct lint *lint;
	const struct layout_member *array; /* NULL: the struct is the element */
	uint64_t element_bytes, stride_bytes, line_bytes;
	uint64_t off_bytes; /* of element 0 in the object */
	uint64_t count;     /* of elements; 0: many */
	bool *parts;        /* [field]: lies in an element */
	bool *written;      /* [field]: and some neighbour's line has it written: the result */
};

/* ---- geometry ---- */

/*
 * Neither a divisor nor a multiple of the line: an element that begins at `place` of a line ends
 * on another.
 */
static bool straddles(const struct row *row, uint64_t place)
{
	return row->line_bytes % row->stride_bytes && row->stride_bytes % row->line_bytes &&
	       place && place + row->element_bytes > row->line_bytes;
}

struct extent {
	uint64_t off_bytes, size_bytes;
};

/* Of a field in its element. */
static struct extent part_of(const struct row *row, size_t field)
{
	const struct cost_field *place = &row->lint->one.fields[field];
	struct extent part = {place->off_bytes - row->off_bytes, place->size_bytes};
	if (row->array)
		part.size_bytes = place->part_bytes ? place->part_bytes : place->element_bytes;
	return part;
}

/*
 * The lines of a part that begins `from` bytes behind the start of a line; elements before that
 * one are negative.
 */
static bool meet(
	int64_t from, struct extent a, int64_t other_from, struct extent b, int64_t line_bytes)
{
	int64_t bias = (int64_t)1 << 40; /* a multiple of every line: division rounds down */
	int64_t a_first = (bias + from + (int64_t)a.off_bytes) / line_bytes;
	int64_t a_last = (bias + from + (int64_t)(a.off_bytes + a.size_bytes) - 1) / line_bytes;
	int64_t b_first = (bias + other_from + (int64_t)b.off_bytes) / line_bytes;
	int64_t b_last =
		(bias + other_from + (int64_t)(b.off_bytes + b.size_bytes) - 1) / line_bytes;
	return a_first <= b_last && b_first <= a_last;
}

/* Does a neighbour use a line on which this element's field is written? */
static bool written_beside(const struct row *row, size_t field, uint64_t place)
{
	int64_t reach = (int64_t)(row->element_bytes + row->line_bytes);
	for (int64_t away = (int64_t)row->stride_bytes; away < reach;
		away += (int64_t)row->stride_bytes) {
		for (size_t i = 0; i < row->lint->map->field_count; i++) {
			if (row->parts[i] &&
				(meet((int64_t)place, part_of(row, field), (int64_t)place + away,
					 part_of(row, i), (int64_t)row->line_bytes) ||
					meet((int64_t)place, part_of(row, field),
						(int64_t)place - away, part_of(row, i),
						(int64_t)row->line_bytes)))
				return true;
		}
	}
	return false;
}

/* What is wrong with elements at the places given. */
struct fault {
	size_t places, straddle,
		share; /* of so many, so many lie across lines, and so many share one that is written */
};

static void inspect(struct row *row, uint64_t place, struct fault *fault)
{
	bool shares = false;
	for (size_t i = 0; row->stride_bytes % row->line_bytes && i < row->lint->map->field_count;
		i++) {
		if (row->parts[i] && lint_is_written(row->lint, i) && written_beside(row, i, place))
			row->written[i] = shares = true;
	}
	fault->places++;
	fault->straddle += straddles(row, place);
	fault->share += shares;
}

/* ---- price ---- */

/* How the elements lie when they are priced. */
enum shape {
	AS_IS,
	APART,  /* a member: the array lies on lines of its own, otherwise as it is */
	PADDED, /* each element starts a line */
};

static struct cost_result measure(
	struct arena *arena, const struct row *row, enum shape shape, double factor)
{
	static const uint64_t line_start[] = {0};
	struct cost_model model = row->lint->map->model;
	struct cost_field *fields =
		arena_copy(arena, model.fields, model.field_count, sizeof(*fields));
	uint64_t stride = number_round_up(row->stride_bytes, row->line_bytes);
	model.fields = fields;
	if (!row->array && shape == PADDED) {
		model.stride_bytes = stride;
		model.starts = line_start;
		model.start_count = 1;
	}
	for (size_t i = 0; row->array && shape == PADDED && i < model.field_count; i++) {
		struct extent part = part_of(row, i);
		if (!row->parts[i])
			continue;
		fields[i].off_bytes = part.off_bytes;
		fields[i].element_bytes = stride;
		fields[i].part_bytes = part.size_bytes;
		fields[i].size_bytes = (row->count - 1) * stride + part.size_bytes;
		fields[i].alone = true;
		fields[i].group = 1;
	}
	struct lint_trial trial = {.model = &model,
		.block = shape == APART ? row->parts : NULL,
		.interleave = factor,
		.start = LINT_ALL,
		.workload = LINT_ALL};
	return lint_trial_run(arena, &trial);
}

/* Before padding: what the array would save by lying elsewhere is LL001's and LL002's. */
static struct cost_result measure_now(struct arena *arena, const struct row *row, double factor)
{
	struct cost_result now = measure(arena, row, AS_IS, factor);
	if (!row->array || !lint_block_shift(&row->lint->one))
		return now;
	struct cost_result apart = measure(arena, row, APART, factor);
	return apart.total < now.total ? apart : now;
}

/* Negative where padding costs more. */
static double saves(const struct row *row, double factor)
{
	struct arena scratch;
	arena_init(&scratch);
	double saved = measure_now(&scratch, row, factor).total -
		       measure(&scratch, row, PADDED, factor).total;
	arena_release(&scratch);
	return saved;
}

static bool is_warning(const void *what, double factor)
{
	return saves(what, factor) >= LINT_WARNING_FROM;
}

static bool is_error(const struct row *row)
{
	struct arena scratch;
	arena_init(&scratch);
	struct cost_result before = measure_now(&scratch, row, 1),
			   after = measure(&scratch, row, PADDED, 1);
	bool grave = lint_is_grave(row->lint, row->lint->cost.workload, &before, &after);
	arena_release(&scratch);
	return grave && is_warning(row, 0.5) && is_warning(row, 2);
}

/* Where the profile prices it, the price decides. */
static enum severity judge(const struct row *row, double saved)
{
	if (!row->lint->priced || !(row->lint->cost.total > 0))
		return SEVERITY_WARNING;
	if (saved <= -LINT_NOTHING)
		return SEVERITY_NONE;
	if (saved < LINT_WARNING_FROM)
		return SEVERITY_INFO;
	return is_error(row) ? SEVERITY_ERROR : SEVERITY_WARNING;
}

/* ---- findings ---- */

static size_t names_of(const struct row *row, const bool *chosen, const char **fields)
{
	size_t count = 0;
	for (size_t i = 0; i < row->lint->map->field_count; i++)
		if (chosen[i])
			fields[count++] = row->lint->map->fields[i].member->path;
	return count;
}

static const char *describe(
	const struct row *row, const struct fault *fault, const char *const *fields, size_t count)
{
	struct arena *arena = row->lint->arena;
	const char *name = row->array ? arena_printf(arena, "%s: ", row->array->path) : "";
	const char *apart =
		row->stride_bytes == row->element_bytes
			? ""
			: arena_printf(arena, " every %llu", (unsigned long long)row->stride_bytes);
	const char *elements = arena_printf(arena, "%selements of %llu byte%s%s", name,
		(unsigned long long)row->element_bytes, number_s(row->element_bytes), apart);
	const char *across = arena_printf(arena, " lie across lines of %llu at %zu of %zu places",
		(unsigned long long)row->line_bytes, fault->straddle, fault->places);
	if (!fault->share)
		return arena_printf(arena, "%s%s", elements, across);
	const char *list = lint_list(arena, fields, count, 4);
	if (fault->straddle)
		return arena_printf(arena,
			"%s%s, and neighbours share lines on which %s %s written", elements, across,
			list, count == 1 ? "is" : "are");
	return arena_printf(arena,
		"%s share lines of %llu with their neighbours, on which %s %s written", elements,
		(unsigned long long)row->line_bytes, list, count == 1 ? "is" : "are");
}

static const char *advise(const struct row *row, double saved)
{
	uint64_t padded = number_round_up(row->stride_bytes, row->line_bytes);
	const char *saves = saved < LINT_NOTHING
				    ? ""
				    : arena_printf(row->lint->arena,
					      ", which saves %s transactions an operation",
					      lint_number(row->lint->arena, saved));
	return arena_printf(row->lint->arena,
		"give each element %llu bytes, %llu more, and let the array start a line%s",
		(unsigned long long)padded, (unsigned long long)(padded - row->stride_bytes),
		saves);
}

static void tell(struct lint *lint, const struct row *row, const struct fault *fault)
{
	double saved = lint->priced ? saves(row, 1) : 0;
	enum severity severity = judge(row, saved);
	if (severity == SEVERITY_NONE)
		return;
	const char **fields = mem_new(lint->map->field_count + 1, sizeof(*fields));
	size_t count = names_of(row, row->written, fields);
	if (!count)
		count = names_of(row, row->parts, fields);
	if (!count)
		fields[count++] = row->array ? row->array->path : lint_any_field(lint);
	struct finding *finding =
		lint_add(lint, "LL005", severity, row->array ? row->array->path : "");
	lint_set_fields(lint, finding, fields, count);
	finding->line = row->off_bytes / row->line_bytes;
	finding->placements = fault->places;
	finding->placements_hold = fault->straddle > fault->share ? fault->straddle : fault->share;
	finding->message = describe(row, fault, fields, count);
	finding->advice = advise(row, saved);
	if (lint->priced && lint->cost.total > 0) {
		finding->cost = lint->cost.total;
		finding->avoidable = saved > 0 ? saved : 0;
		if (severity <= SEVERITY_WARNING)
			lint_interval(lint, is_warning, row, finding);
		lint_price(lint, lint->cost.workload, finding, LINT_PLACES_TOLD);
	}
	mem_free(fields);
}

static void judge_struct(struct lint *lint, struct row *row)
{
	struct fault fault = {0};
	row->element_bytes = lint->layout->size_bytes;
	row->stride_bytes = lint->map->stride_bytes ? lint->map->stride_bytes : row->element_bytes;
	memset(row->parts, true, lint->map->field_count * sizeof(*row->parts));
	/* where elements begin: what the stride makes of where the array begins */
	uint64_t step = number_common_divisor(
		number_common_divisor(lint->map->align_bytes, row->stride_bytes), row->line_bytes);
	for (uint64_t place = 0; !lint->priced && step && place < row->line_bytes; place += step)
		inspect(row, place, &fault);
	for (size_t i = 0; lint->priced && i < lint->start_count; i++)
		inspect(row, lint->starts[i], &fault);
	if (fault.straddle || fault.share)
		tell(lint, row, &fault);
}

/* The place ends with its part of the last element. */
static uint64_t elements_of(const struct cost_field *place)
{
	return place->size_bytes / place->element_bytes +
	       (place->size_bytes % place->element_bytes != 0);
}

static void judge_member(struct lint *lint, struct row *row)
{
	struct fault fault = {0};
	row->element_bytes = row->stride_bytes = row->array->element_bytes;
	row->off_bytes = layout_first_byte(row->array);
	for (size_t i = 0; i < lint->map->field_count; i++) {
		bool inside = lint_array_of(lint, i) == row->array &&
			      lint->one.fields[i].place != COST_BYTES;
		row->parts[i] = inside;
		if (inside)
			row->count = elements_of(&lint->one.fields[i]);
	}
	if (row->count < 2)
		return;
	for (size_t i = 0; i < lint->start_count; i++) {
		uint64_t at = lint->starts[i] + row->off_bytes;
		for (uint64_t k = 0; k < row->count && k < row->line_bytes;
			k++, at += row->stride_bytes)
			inspect(row, at % row->line_bytes, &fault);
	}
	if (fault.straddle || fault.share)
		tell(lint, row, &fault);
}

/* With fewer than two threads that have an element each, no element has a neighbour. */
static bool has_neighbours(const struct lint *lint, const struct layout_member *array)
{
	for (size_t i = 0; i < lint->one.workload_count; i++) {
		const struct cost_workload *workload = &lint->one.workloads[i];
		double threads = 0;
		for (size_t k = 0; k < workload->role_count; k++) {
			size_t role = workload->roles[k];
			bool uses = false;
			for (size_t field = 0; field < lint->map->field_count; field++)
				uses |= lint->one.fields[field].place == COST_THREAD &&
					lint_array_of(lint, field) == array &&
					lint_writes(lint, field, role) +
							lint_reads(lint, field, role) >
						0;
			threads += uses ? lint->one.roles[role].threads : 0;
		}
		if (threads > 1)
			return true;
	}
	return false;
}

void lint_array(struct lint *lint)
{
	size_t count = lint->map->field_count;
	if (!lint->profile || !lint->layout->size_bytes || lint->map->evidence == EVIDENCE_GROUP ||
		lint->profile->instance == INSTANCE_PER_THREAD)
		return;
	struct row row = {.lint = lint,
		.line_bytes = lint->layout->line_bytes,
		.parts = mem_new(count, sizeof(bool)),
		.written = mem_new(count, sizeof(bool))};
	if (lint->profile->instance == INSTANCE_ARRAY)
		judge_struct(lint, &row);
	for (size_t i = 0; lint->priced && i < count; i++) {
		const struct layout_member *array = lint_array_of(lint, i);
		bool known = false;
		for (size_t k = 0; k < i; k++)
			known |= lint->one.fields[k].place == COST_THREAD &&
				 lint_array_of(lint, k) == array;
		if (lint->one.fields[i].place != COST_THREAD || known || !array ||
			!array->element_bytes || !has_neighbours(lint, array))
			continue;
		memset(row.written, false, count * sizeof(bool));
		row.array = array;
		row.count = 0;
		judge_member(lint, &row);
	}
	mem_free(row.parts);
	mem_free(row.written);
}

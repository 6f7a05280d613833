#include "patch.h"

#include <stdlib.h>
#include <string.h>

#include "patch/diff.h"
#include "patch/lex.h"
#include "patch/match.h"
#include "patch/move.h"
#include "patch/uses.h"

enum { PLACES_MAX = 1 << 14, TOKENS_MAX = 1 << 18 };

/* One struct under way. */
struct job {
	struct arena *arena;
	const struct patch_input *input;
	const struct patch_change *change;
	const struct lex *lex;
	struct body_known known;
	struct match_place *places; /* in today's order */
	struct move_wish *wishes;
	size_t count;
	const struct body_place *definitions;
	size_t definition_count, definition; /* which of them it is */
	struct body body;
	const struct move_edit *edits;
	size_t edit_count;
};

static const char *struct_name(const struct job *job)
{
	return arena_printf(job->arena, "%s %s", job->change->keyword, job->change->layout->name);
}

/* ---- what is wanted ---- */

static int compare_names(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static struct body_known known_names(struct arena *arena, const struct layout *layout)
{
	const char **names = arena_new(arena, layout->member_count, sizeof(*names));
	size_t count = 0;
	for (size_t i = 0; i < layout->member_count; i++)
		if (*layout->members[i].name)
			names[count++] = layout->members[i].name;
	if (count)
		qsort(names, count, sizeof(*names), compare_names);
	return (struct body_known){names, count};
}

static int compare_places(const void *left, const void *right)
{
	const struct match_place *a = left, *b = right;
	return a->member < b->member ? -1 : a->member > b->member;
}

/* Bases and what the compiler adds are not in the body. */
static bool is_in_text(const struct suggest_place *place)
{
	return place->member && !place->member->is_base && !place->member->is_artificial;
}

static struct error *take_order(struct job *job)
{
	const struct suggestion *suggestion = job->change->suggestion;
	if (suggestion->order_count > PLACES_MAX)
		return error_new("%s: %s has more than %d members; nobody wrote that by hand",
			job->input->file, struct_name(job), PLACES_MAX);
	job->places = arena_new(job->arena, suggestion->order_count, sizeof(*job->places));
	for (size_t i = 0; i < suggestion->order_count; i++) {
		const struct suggest_place *place = &suggestion->order[i];
		if (!is_in_text(place))
			continue;
		job->places[job->count] = (struct match_place){
			.field = place->field, .member = place->member, .rank = job->count};
		job->count++;
	}
	if (job->count)
		qsort(job->places, job->count, sizeof(*job->places), compare_places);
	job->wishes = arena_new(job->arena, job->count, sizeof(*job->wishes));
	return NULL;
}

/* The places of the unit that begins with this one: bit-fields that follow each other in both orders go as one. */
static size_t unit_end(const struct job *job, size_t first)
{
	size_t end = first + 1;
	while (end < job->count && job->places[end - 1].member->bit_size &&
		job->places[end].member->bit_size &&
		job->places[end].rank == job->places[end - 1].rank + 1)
		end++;
	return end;
}

static bool is_used(const struct lex *lex, const char *word)
{
	for (size_t i = 0; i < lex->count; i++)
		if (lex_is(lex, i, word))
			return true;
	return false;
}

static void wish_alignment(struct job *job, size_t place, uint32_t align_bytes)
{
	struct move_wish *wish = &job->wishes[place];
	const struct layout_member *member = job->places[place].member;
	if (job->input->is_kernel)
		wish->suffix = align_bytes == job->change->layout->line_bytes
				       ? " ____cacheline_aligned_in_smp"
				       : arena_printf(job->arena, " __aligned(%u)", align_bytes);
	else if (!member->bit_size && job->body.is_cxx)
		wish->prefix = arena_printf(job->arena, "alignas(%u) ", align_bytes);
	else if (!member->bit_size && is_used(job->lex, "_Alignas"))
		wish->prefix = arena_printf(job->arena, "_Alignas(%u) ", align_bytes);
	else
		wish->suffix =
			arena_printf(job->arena, " __attribute__((aligned(%u)))", align_bytes);
}

static void take_moves(struct job *job)
{
	const struct suggestion *suggestion = job->change->suggestion;
	for (size_t i = 0; i < suggestion->move_count; i++) {
		const struct suggest_move *move = &suggestion->moves[i];
		size_t place = 0;
		while (place < job->count && strcmp(job->places[place].field, move->field) != 0)
			place++;
		if (place == job->count)
			continue;
		for (size_t end = unit_end(job, place), p = place; p < end; p++)
			job->wishes[p].is_hinted = true;
		if (move->align_bytes)
			wish_alignment(job, place, move->align_bytes);
	}
}

/* ---- where it is ---- */

static bool is_cxx_text(const struct lex *lex, const char *file, const char *keyword)
{
	static const char *const endings[] = {
		".cc", ".cpp", ".cxx", ".C", ".hh", ".hpp", ".hxx", ".H", ".ipp", ".inl", ".tcc"};
	const char *ending = strrchr(file, '.');
	for (size_t i = 0; ending && i < sizeof(endings) / sizeof(endings[0]); i++)
		if (strcmp(ending, endings[i]) == 0)
			return true;
	if (strcmp(keyword, "class") == 0)
		return true;
	for (size_t i = 1; i < lex->count; i++) /* "[[gnu::packed]]" is C too */
		if (lex->tokens[i].punct == 'S' && !(i > 1 && lex->tokens[i - 2].punct == '['))
			return true;
	return false;
}

static struct error *read_definition(struct job *job, size_t index)
{
	const struct lex *lex = job->lex;
	const struct body_place *place = &job->definitions[index];
	if (place->close - place->open > TOKENS_MAX)
		return error_new("%s:%u: the definition of %s has more than %d words; nobody wrote "
				 "that by hand",
			job->input->file, place->line, struct_name(job), TOKENS_MAX);
	bool is_cxx =
		job->change->is_cxx || is_cxx_text(lex, job->input->file, job->change->keyword);
	body_build(job->arena, lex, struct_name(job), is_cxx, place, &job->known, &job->body);
	job->definition = index;
	const struct match_rules rules = {.types = job->change->layout->types, .use_lines = true};
	return match_places(
		job->arena, &job->body, job->input->file, &rules, job->places, job->count);
}

/* An attribute of a member itself, not of the type that its declaration defines. */
static bool is_packed_itself(const struct lex *lex, const struct body_item *item)
{
	size_t depth = 0, from = item->start;
	for (uint32_t i = item->first; i <= item->last; i++)
		if (lex->tokens[i].punct == '{')
			from = item->names[0].start;
	for (uint32_t i = item->first; i <= item->last; i++) {
		depth += lex->tokens[i].punct == '{';
		depth -= lex->tokens[i].punct == '}';
		if (!depth && lex->tokens[i].start >= from &&
			lex_is_one_of(lex, i, "packed __packed __packed__"))
			return true;
	}
	return false;
}

static bool is_bit_field(const struct body_item *item)
{
	return item->kind == BODY_PADDING ||
	       (item->kind == BODY_MEMBER && item->names[0].is_bit_field);
}

/* An unnamed bit-field behind one of the same type is a gap in a run, as the debug information shows it. */
static bool is_loose_padding(
	const struct job *job, const struct body_item *item, const struct body_item *before)
{
	if (item->kind != BODY_PADDING && !item->begins_unnamed)
		return false;
	return !before || !is_bit_field(before) || !body_is_same_type(&job->body, before, item);
}

static struct error *not_told(const struct job *job, uint32_t line, const char *what)
{
	return error_new("%s:%u: %s, which the debug information does not tell, so that the "
			 "offsets that were said "
			 "may be wrong; move the members by hand",
		job->input->file, line, what);
}

/* Are the members inside of this item what is moved? */
static bool is_entered(const struct job *job, size_t index)
{
	for (size_t i = 0; i < job->count; i++)
		if (job->places[i].item > index &&
			job->places[i].item < job->body.items[index].inner_end)
			return true;
	return false;
}

/*
 * What offsets depend on, and cannot be seen where it happens to change nothing today: a member that is packed by itself,
 * an unnamed bit-field that aligns what follows.
 */
static struct error *check_told(const struct job *job)
{
	const struct body_item *before = NULL;
	for (size_t i = 0; i < job->body.item_count;) {
		const struct body_item *item = &job->body.items[i];
		if (item->kind == BODY_MEMBER && is_packed_itself(job->lex, item))
			return not_told(job, item->names[0].line,
				arena_printf(job->arena, "'%s' is packed", item->names[0].name));
		if (is_loose_padding(job, item, before))
			return not_told(job, item->line, "an unnamed bit-field stands here");
		if (item->kind != BODY_OTHER)
			before = item;
		i = is_entered(job, i) ? i + 1 : item->inner_end;
	}
	return NULL;
}

static bool covers(const struct body_place *place, uint32_t line)
{
	return place->line <= line && line <= place->line_open;
}

static size_t count_on_line(const struct job *job, uint32_t line, size_t *last)
{
	size_t count = 0;
	for (size_t i = 0; i < job->definition_count; i++)
		if (covers(&job->definitions[i], line)) {
			*last = i;
			count++;
		}
	return count;
}

/* The definition on the line that the debug information gives, or the only one that has its members. */
static struct error *choose_definition(struct job *job)
{
	const struct layout *layout = job->change->layout;
	uint32_t line = types_get(layout->types, layout->type)->line;
	size_t last = 0, fits = 0;
	if (job->definition_count == 0)
		return error_new("%s: no definition of %s here, or a macro writes it; take the "
				 "source that was built",
			job->input->file, struct_name(job));
	if (job->definition_count == 1 || count_on_line(job, line, &last) == 1)
		return read_definition(job, last);
	struct error *first = NULL;
	for (size_t i = 0; i < job->definition_count; i++) {
		struct error *error = read_definition(job, i);
		if (!error) {
			last = i;
			fits++;
		} else if (!first) {
			first = error;
		} else {
			error_free(error);
		}
	}
	if (fits == 0)
		return first;
	error_free(first);
	if (fits > 1)
		return error_new("%s: %s is defined %zu times here, and none is on line %u as the "
				 "debug information says; "
				 "take the source that was built",
			job->input->file, struct_name(job), fits, line);
	return read_definition(job, last);
}

/* ---- the new text ---- */

static bool ends_with_blank_line(const struct buf *out)
{
	size_t at = out->length, newlines = 0;
	while (at && strchr(" \t\r\n", out->data[at - 1]))
		newlines += out->data[--at] == '\n';
	return newlines > 1;
}

/* Behind what opens a scope, where no blank line belongs. */
static bool ends_with_opening(const struct buf *out)
{
	size_t end = out->length;
	while (end && strchr(" \t\r\n", out->data[end - 1]))
		end--;
	size_t start = end;
	while (start && out->data[start - 1] != '\n')
		start--;
	return end &&
	       (out->data[end - 1] == '{' || out->data[end - 1] == ':' || out->data[start] == '#');
}

static bool is_closing(const struct lex *lex, size_t at)
{
	static const char *const closings[] = {"}", "#endif", "#el"};
	while (at < lex->length && (lex->bytes[at] == ' ' || lex->bytes[at] == '\t'))
		at++;
	for (size_t i = 0; i < sizeof(closings) / sizeof(closings[0]); i++)
		if (lex->length - at >= strlen(closings[i]) &&
			memcmp(lex->bytes + at, closings[i], strlen(closings[i])) == 0)
			return true;
	return false;
}

static void drop_blank_line(struct buf *out)
{
	size_t end = out->length - 1;
	while (end && out->data[end - 1] != '\n')
		end--;
	out->length = end;
	out->data[end] = '\0';
}

/* Lines went at `at`: no two blank lines where there was one, none at the edges of a scope. Returns where to go on. */
static size_t tidy(const struct lex *lex, size_t at, struct buf *out)
{
	bool blank_before = ends_with_blank_line(out);
	if (lex_is_blank_line(lex, at) && (blank_before || ends_with_opening(out)))
		return lex_line_end(lex, at);
	if (blank_before && is_closing(lex, at))
		drop_blank_line(out);
	return at;
}

static void apply(
	const struct lex *lex, const struct move_edit *edits, size_t count, struct buf *out)
{
	size_t at = 0;
	for (size_t i = 0; i < count; i++) {
		if (edits[i].at > at) {
			buf_add(out, lex->bytes + at, edits[i].at - at);
			at = edits[i].at;
		}
		buf_add(out, edits[i].text, edits[i].length);
		if (!edits[i].remove || edits[i].at + edits[i].remove <= at)
			continue;
		at = edits[i].at + edits[i].remove;
		bool more = i + 1 < count && edits[i + 1].at <= at;
		if (edits[i].is_line && !more)
			at = tidy(lex, at, out);
	}
	buf_add(out, lex->bytes + at, lex->length - at);
}

/* ---- the new text, read again ---- */

static int compare_ranks(const void *left, const void *right)
{
	const struct match_place *a = left, *b = right;
	return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static struct error *unsafe(const struct job *job, const char *what)
{
	return error_new("%s:%u: the members of %s cannot be moved safely: %s; move them by hand",
		job->input->file, job->body.place.line, struct_name(job), what);
}

/* The text with this struct's edits alone must have the wanted order, by the same reading. */
static struct error *prove(struct job *job)
{
	struct buf text;
	struct lex lex;
	struct body body;
	const struct body_place *definitions;
	struct error *error = NULL;
	buf_init(&text);
	apply(job->lex, job->edits, job->edit_count, &text);
	lex_build(job->arena, text.data, text.length, &lex);
	size_t found = body_find(
		job->arena, &lex, job->change->keyword, job->change->layout->name, &definitions);
	if (found != job->definition_count) {
		error = unsafe(job, "their definition would not be found again");
	} else {
		struct match_place *wanted =
			arena_copy(job->arena, job->places, job->count, sizeof(*wanted));
		if (job->count)
			qsort(wanted, job->count, sizeof(*wanted), compare_ranks);
		body_build(job->arena, &lex, job->body.name, job->body.is_cxx,
			&definitions[job->definition], &job->known, &body);
		const struct match_rules rules = {
			.types = job->change->layout->types,
			.live = match_live(job->arena, &job->body, job->places, job->count),
		};
		error = match_places(
			job->arena, &body, job->input->file, &rules, wanted, job->count);
		if (error) {
			error_free(error);
			error = unsafe(job, "the text would not have the wanted order");
		}
	}
	const char *broken = error ? NULL : uses_find_broken(job->arena, &job->body, &body);
	if (broken)
		error = unsafe(job, arena_printf(job->arena,
					    "'%s' would be used before it is defined", broken));
	buf_release(&text);
	return error;
}

/* ---- one file ---- */

static struct error *run_job(struct job *job)
{
	struct error *error = take_order(job);
	if (error)
		return error;
	job->known = known_names(job->arena, job->change->layout);
	job->definition_count = body_find(job->arena, job->lex, job->change->keyword,
		job->change->layout->name, &job->definitions);
	error = choose_definition(job);
	if (error)
		return error;
	take_moves(job);
	error = move_build(job->arena, &job->body, job->input->file, job->places, job->wishes,
		job->count, &job->edits, &job->edit_count);
	if (error || !job->edit_count)
		return error;
	error = check_told(job);
	return error ? error : prove(job);
}

static struct error *check_apart(const struct job *jobs, size_t count)
{
	for (size_t i = 1; i < count; i++)
		for (size_t k = 0; k < i; k++) {
			const struct body_place *a = &jobs[i].body.place, *b = &jobs[k].body.place;
			if (a->close < b->open || b->close < a->open)
				continue;
			return error_new("%s:%u: %s and %s lie in each other; patch one, build, "
					 "then the other",
				jobs[i].input->file, a->line, struct_name(&jobs[k]),
				struct_name(&jobs[i]));
		}
	return NULL;
}

static int compare_edits(const void *left, const void *right)
{
	const struct move_edit *a = left, *b = right;
	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	if (!a->remove != !b->remove)
		return a->remove ? 1 : -1;
	return a->rank < b->rank ? -1 : a->rank > b->rank;
}

struct notes {
	struct patch_note *items;
	size_t count, capacity;
};

/* Comments that say which line begins where. */
static void note_boundaries(const struct job *job, struct notes *notes)
{
	for (uint32_t i = job->body.place.open; i < job->body.place.close && job->edit_count; i++) {
		if (!body_is_boundary(job->lex, i))
			continue;
		notes->items = arena_grow(job->arena, notes->items, &notes->capacity,
			notes->count + 1, sizeof(*notes->items));
		notes->items[notes->count++] = (struct patch_note){job->lex->tokens[i].line,
			"this comment says how members lie, and may be wrong now; check it"};
	}
}

static void finish(struct arena *arena, const struct lex *lex, struct job *jobs, size_t count,
	struct patch_result *ret)
{
	size_t total = 0, at = 0;
	struct notes notes = {0};
	struct buf out;
	for (size_t i = 0; i < count; i++)
		total += jobs[i].edit_count;
	if (!total)
		return;
	struct move_edit *edits = arena_new(arena, total, sizeof(*edits));
	for (size_t i = 0; i < count; i++) {
		if (jobs[i].edit_count)
			memcpy(edits + at, jobs[i].edits, jobs[i].edit_count * sizeof(*edits));
		at += jobs[i].edit_count;
		note_boundaries(&jobs[i], &notes);
	}
	qsort(edits, total, sizeof(*edits), compare_edits);
	buf_init(&out);
	apply(lex, edits, total, &out);
	ret->bytes = arena_copy(arena, out.data, out.length, 1);
	ret->length = out.length;
	ret->is_changed = true;
	ret->notes = notes.items;
	ret->note_count = notes.count;
	buf_release(&out);
}

struct error *patch_build(
	struct arena *arena, const struct patch_input *input, struct patch_result *ret)
{
	struct lex lex;
	struct job *jobs = arena_new(arena, input->change_count, sizeof(*jobs));
	struct patch_result result = {.bytes = input->bytes, .length = input->length};
	lex_build(arena, input->bytes, input->length, &lex);
	for (size_t i = 0; i < input->change_count; i++) {
		jobs[i] = (struct job){
			.arena = arena, .input = input, .change = &input->changes[i], .lex = &lex};
		struct error *error = run_job(&jobs[i]);
		if (error)
			return error;
	}
	struct error *error = check_apart(jobs, input->change_count);
	if (error)
		return error;
	finish(arena, &lex, jobs, input->change_count, &result);
	*ret = result;
	return NULL;
}

void patch_diff(struct arena *arena, const char *name, const struct patch_input *before,
	const struct patch_result *after, struct buf *out)
{
	diff_build(arena, name, (struct diff_text){before->bytes, before->length},
		(struct diff_text){after->bytes, after->length}, out);
}

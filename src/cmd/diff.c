#include "diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/session.h"
#include "read/index.h"

/* The two binaries, and what of them is compared. */
struct comparison {
	struct arena *arena;
	const struct opt *opt;
	struct session sessions[2];
	struct report_binary binaries[2];
	struct report_frame frame;
	const char *const *names;
	size_t name_count;
	struct pair *pairs;
	size_t pair_count, pair_capacity;
};

/* A struct in both; NULL: in one only. */
struct pair {
	const struct index_def *defs[2];
	struct report_struct *reports[2];
	enum diff_demand demand;
};

/* ---- names ---- */

static int by_text(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* What the profiles name that hold; each once. */
static void name_profiles(struct comparison *c)
{
	const struct profiles *profiles = &c->sessions[0].profiles;
	const char **names = NULL;
	size_t count = 0, capacity = 0;
	for (size_t i = 0; i < profiles->count; i++)
		for (size_t k = 0; k < profiles->items[i]->struct_count; k++) {
			const struct profile_struct *entry = &profiles->items[i]->structs[k];
			if (profiles_find(profiles, entry->name, NULL) != entry)
				continue;
			names = arena_grow(c->arena, names, &capacity, count + 1, sizeof(*names));
			names[count++] = entry->name;
		}
	if (count)
		qsort(names, count, sizeof(*names), by_text);
	c->names = names;
	c->name_count = count;
}

static int compare_defs(const struct index_def *a, const struct index_def *b)
{
	int by = type_compare_names(a->name, b->name);
	if (!by)
		by = type_compare_names(a->scope ? a->scope : "", b->scope ? b->scope : "");
	return by ? by : (a->kind > b->kind) - (a->kind < b->kind);
}

static int by_name(const void *left, const void *right)
{
	return compare_defs(
		*(const struct index_def *const *)left, *(const struct index_def *const *)right);
}

static bool is_taken(const struct comparison *c, const struct pair *pair)
{
	for (size_t i = 0; i < c->pair_count; i++)
		for (int side = 0; side < 2; side++)
			if (pair->defs[side] && c->pairs[i].defs[side] == pair->defs[side])
				return true;
	return false;
}

/* Both lists are by name; the pairs of one argument are not looked for twice. */
static void add_pairs(
	struct comparison *c, const struct session_defs found[2], enum diff_demand demand)
{
	bool check = c->pair_count > 0;
	for (size_t i = 0, k = 0; i < found[0].count || k < found[1].count;) {
		int by = i == found[0].count   ? 1
			 : k == found[1].count ? -1
					       : compare_defs(found[0].items[i], found[1].items[k]);
		struct pair pair = {
			{by <= 0 ? found[0].items[i] : NULL, by >= 0 ? found[1].items[k] : NULL},
			{NULL, NULL}, demand};
		i += by <= 0;
		k += by >= 0;
		if (check && is_taken(c, &pair))
			continue;
		c->pairs = arena_grow(c->arena, c->pairs, &c->pair_capacity, c->pair_count + 1,
			sizeof(*c->pairs));
		c->pairs[c->pair_count++] = pair;
	}
}

/* Of what the profiles name, both may lack something; of what was asked for, one only. */
static struct error *find_pairs(struct comparison *c)
{
	for (size_t i = 0; i < c->name_count; i++) {
		struct session_defs found[2] = {{NULL, 0}, {NULL, 0}};
		struct error *errors[2];
		for (int side = 0; side < 2; side++) {
			errors[side] = session_find(
				&c->sessions[side], &c->names[i], 1, false, &found[side]);
			if (!errors[side] && found[side].count)
				qsort(found[side].items, found[side].count,
					sizeof(*found[side].items), by_name);
		}
		bool is_lacking = errors[0] && errors[1] && c->opt->arg_count > 1;
		error_free(errors[1]);
		if (is_lacking)
			return errors[0];
		error_free(errors[0]);
		add_pairs(c, found, index_is_glob(c->names[i]) ? DIFF_BY_CHANCE : DIFF_BY_NAME);
	}
	return NULL;
}

/* ---- reports ---- */

static struct error *build_reports(struct comparison *c, size_t side)
{
	struct session *session = &c->sessions[side];
	struct report_source *sources;
	struct session_defs defs = {arena_new(c->arena, c->pair_count, sizeof(*defs.items)), 0};
	for (size_t i = 0; i < c->pair_count; i++)
		if (c->pairs[i].defs[side])
			defs.items[defs.count++] = c->pairs[i].defs[side];
	struct error *error = session_read(session, &defs, &sources);
	size_t next = 0;
	for (size_t i = 0; i < c->pair_count && !error; i++) {
		if (!c->pairs[i].defs[side])
			continue;
		struct report_struct *report = arena_new(c->arena, 1, sizeof(*report));
		struct report_source *source = &sources[next++];
		source->binary = side;
		c->pairs[i].reports[side] = report;
		error = report_build(c->arena, source, &session->options, report);
		error = error ? error_wrap(error, "%s", session->object.path)
			      : report_suggest(c->arena, &session->options, report);
	}
	return error;
}

static struct error *compare(
	struct comparison *c, const struct opt *opt, const struct cmd_io *io, int *status)
{
	if (opt->arg_count > 1) {
		c->names = opt->args + 1;
		c->name_count = opt->arg_count - 1;
	} else {
		name_profiles(c);
	}
	if (!c->name_count)
		return error_new("%s: no profile says what to compare; give NAMEs, '*' for all, or "
				 "--profile FILE",
			opt->binary);
	struct error *error = find_pairs(c);
	if (!error)
		error = build_reports(c, 0);
	if (!error)
		error = build_reports(c, 1);
	if (error)
		return error;
	struct diff *diffs = arena_new(c->arena, c->pair_count, sizeof(*diffs));
	enum severity threshold = opt->has_fail_on ? opt->fail_on : SEVERITY_WARNING;
	*status = 0;
	for (size_t i = 0; i < c->pair_count; i++) {
		diff_run(c->arena, c->pairs[i].reports[0], c->pairs[i].reports[1], threshold,
			c->pairs[i].demand, &diffs[i]);
		if (threshold != SEVERITY_NONE && diff_is_worse(&diffs[i]))
			*status = 1;
	}
	for (size_t side = 0; side < 2; side++)
		c->binaries[side] = c->sessions[side].binary;
	c->frame = c->sessions[0].frame;
	c->frame.binaries = c->binaries;
	c->frame.binary_count = 2;
	const struct render_style style = {.color = io->color,
		.columns = io->columns,
		.hex = opt->hex,
		.verbose = opt->verbose,
		.quiet = opt->quiet,
		.repeat = ""};
	opt->renderer->diff(io->out, &style, &c->frame, diffs, c->pair_count);
	return NULL;
}

static struct error *open_side(struct comparison *c, const struct opt *opt, size_t side)
{
	const struct session_request request = {
		.binary = side ? opt->args[0] : opt->binary,
		.names = opt->arg_count > 1 ? opt->args + 1 : NULL,
		.name_count = opt->arg_count - 1,
		.names_of_profiles = opt->arg_count == 1,
		.profiles = opt->profiles,
		.profile_count = opt->profile_count,
	};
	return session_open(c->arena, opt, &request, &c->sessions[side]);
}

struct error *cmd_diff(const struct opt *opt, const struct cmd_io *io, int *status)
{
	struct arena arena;
	if (!opt->arg_count)
		return error_new(
			"no OTHER binary after diff; write 'linelint %s diff OTHER [NAME...]'",
			opt->binary);
	if (!opt->renderer->diff)
		return error_new("--format %s does not apply to diff; take text or json",
			opt->renderer->name);
	arena_init(&arena);
	struct comparison *c = arena_new(&arena, 1, sizeof(*c));
	*c = (struct comparison){.arena = &arena, .opt = opt};
	struct error *error = open_side(c, opt, 0);
	if (!error) {
		error = open_side(c, opt, 1);
		if (!error) {
			error = compare(c, opt, io, status);
			session_close(&c->sessions[1]);
		}
		session_close(&c->sessions[0]);
	}
	arena_release(&arena);
	return error;
}

#include "vars.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"

/* ---- variables as the members of one struct ---- */

struct placed {
	size_t item;
	uint64_t off_bytes;
};

/* Lines with the profile's variables, one behind the other; what is between them is left out. */
struct builder {
	struct arena *arena;
	const struct vars_catalog *catalog;
	const struct object_area *area; /* the one that is judged; NULL: all of them together */
	struct placed *placed;
	size_t count;
	uint64_t end_bytes;
	uint64_t last_line; /* address of the last line of the variables so far */
	uint64_t last_off;  /* of that line */
};

static uint64_t line_of(const struct builder *b, uint64_t address)
{
	return address & ~(b->catalog->line_bytes - 1);
}

/* Distances are kept from line to line, and where objects may start anywhere to the next one, too. */
static void place(struct builder *b, size_t index, bool apart)
{
	const struct vars_item *item = &b->catalog->items[index];
	uint64_t bytes = b->catalog->line_bytes, line = line_of(b, item->address);
	uint64_t size = item->size_bytes ? item->size_bytes : 1;
	uint64_t last = line_of(b, item->address + size - 1), line_off;
	bool is_near = b->count && !apart && line <= b->last_line + bytes && line >= b->last_line;
	bool is_inside =
		b->count && !apart && line < b->last_line && b->last_line - line <= b->last_off;
	if (is_near)
		line_off = b->last_off + (line - b->last_line);
	else if (is_inside) /* of one that is larger, and begins before it */
		line_off = b->last_off - (b->last_line - line);
	else
		line_off = b->count ? number_round_up(b->end_bytes, bytes) + bytes : 0;
	uint64_t off = line_off + (item->address - line);
	b->placed[b->count++] = (struct placed){index, off};
	if (!is_inside || last > b->last_line) {
		b->last_line = last;
		b->last_off = line_off + (last - line);
	}
	if (off + size > b->end_bytes)
		b->end_bytes = off + size;
}

/* What has so many lines goes last: where the lines that are priced end, it is its own inner ones that are lost. */
static bool is_long(const struct builder *b, size_t index)
{
	return b->catalog->items[index].size_bytes / b->catalog->line_bytes > COST_LINES_MAX / 16;
}

static void place_all(struct builder *b, const struct vars_entry *entry)
{
	for (int long_ones = 0; long_ones < 2; long_ones++)
		for (size_t i = 0; i < entry->item_count; i++) {
			const struct vars_item *item = &b->catalog->items[entry->items[i]];
			if (is_long(b, entry->items[i]) == long_ones &&
				(!b->area || b->area == item->area))
				place(b, entry->items[i], false);
		}
}

/* Those of other sections count, as locks do, but lie on no line of this one. */
static void place_others(struct builder *b, const struct vars_entry *entry)
{
	for (size_t i = 0; b->area && i < entry->item_count; i++)
		if (b->catalog->items[entry->items[i]].area != b->area)
			place(b, entry->items[i], true);
}

static const struct types *types_of(
	const struct vars_catalog *catalog, const struct vars_entry *entry)
{
	for (size_t i = 0; i < entry->item_count; i++)
		if (catalog->items[entry->items[i]].variable)
			return catalog->items[entry->items[i]].variable->types;
	return NULL;
}

static type_id add_unknown(struct types *types, uint64_t size_bytes)
{
	const struct type unknown = {.kind = TYPE_BASE,
		.name = "(no type)",
		.size_bytes = size_bytes,
		.size_known = true};
	return types_add(types, &unknown);
}

static type_id type_of_item(struct types *types, const struct vars_item *item)
{
	uint64_t size = 0;
	if (!item->variable || item->variable->types->count > types->count ||
		!type_size(types, item->variable->type, &size) || !size)
		return add_unknown(types, item->size_bytes ? item->size_bytes : 1);
	return item->variable->type;
}

/* A copy of the table, which is const, with one struct more. */
static struct error *build_layout(
	struct builder *b, const struct vars_entry *entry, struct layout *ret)
{
	const struct types *known = types_of(b->catalog, entry);
	struct types *types = arena_new(b->arena, 1, sizeof(*types));
	struct type_member *members = arena_new(b->arena, b->count, sizeof(*members));
	types_init(types, b->arena,
		known ? known->machine
		      : (struct type_machine){.pointer_bytes = 8, .scalar_align_max = 16});
	if (known) {
		*types = *known;
		types->arena = b->arena;
		types->items =
			arena_copy(b->arena, known->items, known->count, sizeof(*known->items));
		types->capacity = known->count;
	}
	for (size_t i = 0; i < b->count; i++) {
		const struct vars_item *item = &b->catalog->items[b->placed[i].item];
		members[i] = (struct type_member){
			.name = item->name,
			.type = type_of_item(types, item),
			.off_bits = b->placed[i].off_bytes * 8,
			.file = item->variable ? item->variable->file : NULL,
			.line = item->variable ? item->variable->line : 0,
		};
	}
	const struct type all = {.kind = TYPE_STRUCT,
		.name = "vars",
		.size_bytes = number_round_up(b->end_bytes, b->catalog->line_bytes),
		.size_known = true,
		.align_bytes = (uint32_t)b->catalog->line_bytes,
		.members = members,
		.member_count = b->count};
	type_id id = types_add(types, &all);
	return layout_build(b->arena, types, id, "vars", b->catalog->line_bytes, ret);
}

struct error *vars_layout(struct arena *arena, const struct vars_catalog *catalog,
	const size_t *items, size_t count, struct layout *ret, const size_t **ret_items)
{
	const struct vars_entry entry = {.items = items, .item_count = count};
	struct builder b = {.arena = arena, .catalog = catalog};
	size_t *order = arena_new(arena, count, sizeof(*order));
	b.placed = arena_new(arena, count, sizeof(*b.placed));
	place_all(&b, &entry);
	for (size_t i = 0; i < b.count; i++)
		order[i] = b.placed[i].item;
	*ret_items = order;
	return build_layout(&b, &entry, ret);
}

/* ---- lines ---- */

struct line_names {
	uint64_t *addresses; /* [line of the layout] */
	const char **texts;
	size_t count;
};

static const char *line_text(
	struct arena *arena, const struct vars_catalog *catalog, uint64_t address)
{
	const struct object_area *area = vars_area_of_line(catalog, address);
	uint64_t start = !catalog->is_linked && area ? area->address : 0;
	return arena_printf(arena, "%s 0x%llx of %s", catalog->is_linked ? "line" : "offset",
		(unsigned long long)(address - start), area ? area->name : "no section");
}

static struct line_names name_lines(const struct builder *b)
{
	uint64_t bytes = b->catalog->line_bytes;
	struct line_names names = {.count = number_parts(b->end_bytes, bytes)};
	if (names.count > COST_LINES_MAX)
		names.count = COST_LINES_MAX;
	names.addresses = arena_new(b->arena, names.count, sizeof(*names.addresses));
	names.texts = arena_new(b->arena, names.count, sizeof(*names.texts));
	for (size_t i = 0; i < b->count; i++) {
		const struct vars_item *item = &b->catalog->items[b->placed[i].item];
		uint64_t first = b->placed[i].off_bytes / bytes,
			 address = line_of(b, item->address);
		uint64_t last = item->address + (item->size_bytes ? item->size_bytes - 1 : 0);
		for (uint64_t line = first; line < names.count && address <= last;
			line++, address += bytes) {
			names.addresses[line] = address;
			if (!names.texts[line])
				names.texts[line] = line_text(b->arena, b->catalog, address);
		}
	}
	for (size_t i = 0; i < names.count; i++)
		if (!names.texts[i])
			names.texts[i] = "a line between";
	return names;
}

/* ---- one layout judged ---- */

struct judging {
	struct arena *arena;
	const struct vars_catalog *catalog;
	const struct vars_entry *entry;
	const struct access_context *context;
	struct vars_judged *ret;
	struct finding *findings;
	uint64_t *lines; /* [finding] */
	size_t capacity, line_capacity;
};

/* Names of variables are known better here. */
static void explain_missing(const struct judging *j, struct access_map *map)
{
	struct access_missing *missing =
		arena_copy(j->arena, map->missing, map->missing_count, sizeof(*missing));
	for (size_t i = 0; i < map->missing_count; i++)
		vars_explain(
			j->arena, j->catalog, missing[i].path, &missing[i].why, &missing[i].advice);
	map->missing = missing;
}

static bool is_about_profile(const struct finding *finding)
{
	return strcmp(finding->rule->id, "LL009") == 0 || strcmp(finding->rule->id, "LL010") == 0;
}

static bool lies_in(const struct judging *j, const struct layout *layout, const struct builder *b,
	const struct finding *finding)
{
	const struct layout_member *member = layout_find(layout, finding->fields[0]);
	while (member && member->parent != LAYOUT_NO_PARENT)
		member = &layout->members[member->parent];
	for (size_t i = 0; member && i < b->count; i++)
		if (b->placed[i].off_bytes * 8 == member->off_bits)
			return j->catalog->items[b->placed[i].item].area == b->area;
	return false;
}

static void keep(struct judging *j, const struct finding *finding, uint64_t line)
{
	struct vars_judged *ret = j->ret;
	j->findings = arena_grow(
		j->arena, j->findings, &j->capacity, ret->finding_count + 1, sizeof(*j->findings));
	j->lines = arena_grow(
		j->arena, j->lines, &j->line_capacity, ret->finding_count + 1, sizeof(*j->lines));
	j->findings[ret->finding_count] = *finding;
	j->lines[ret->finding_count++] = line;
	if (!finding->ignored && finding->avoidable > ret->avoidable)
		ret->avoidable = finding->avoidable;
}

/* Of the language of all whose debug information says one. */
static enum lint_words words_for(const struct builder *b)
{
	bool any[VARIABLE_OF_OTHERS + 1] = {false};
	for (size_t i = 0; i < b->count; i++) {
		const struct variable *variable =
			b->catalog->items[b->placed[i].item].variable;
		if (variable)
			any[variable->language] = true;
	}
	if (any[VARIABLE_OF_OTHERS] || (any[VARIABLE_OF_C] && any[VARIABLE_OF_RUST]))
		return LINT_WORDS_PLAIN;
	return any[VARIABLE_OF_RUST] ? LINT_WORDS_RUST : LINT_WORDS_C;
}

/* Of a section; NULL: of the whole file, whose lines are exact. */
static struct error *judge(struct judging *j, const struct object_area *area, bool is_first)
{
	struct builder b = {.arena = j->arena, .catalog = j->catalog, .area = area};
	struct layout *layout = arena_new(j->arena, 1, sizeof(*layout));
	struct access_map *all = arena_new(j->arena, 1, sizeof(*all));
	struct access_map *shared = arena_new(j->arena, 1, sizeof(*shared));
	struct profile_struct *entries = arena_new(j->arena, 2, sizeof(*entries));
	struct lint_result lint;
	b.placed = arena_new(j->arena, j->entry->item_count, sizeof(*b.placed));
	place_all(&b, j->entry);
	size_t own_lines = number_parts(b.end_bytes, j->catalog->line_bytes) + 1;
	place_others(&b, j->entry);
	struct error *error = build_layout(&b, j->entry, layout);
	if (error)
		return error;
	entries[0] = j->entry->all;
	entries[1] = j->entry->shared;
	for (int i = 0; i < 2; i++)
		entries[i].alignment_bytes = area ? area->align_bytes : j->catalog->line_bytes;
	access_build(j->arena, layout, &entries[0], j->context, all);
	access_build(j->arena, layout, &entries[1], j->context, shared);
	explain_missing(j, all);
	shared->missing = all->missing;
	shared->missing_count = all->missing_count;
	struct line_names names = name_lines(&b);
	const struct lint_variables variables = {
		names.texts, names.count, words_for(&b)};
	const struct lint_input input = {.layout = layout,
		.qualified_name = "vars",
		.access = shared,
		.context = j->context,
		.variables = &variables};
	lint_run(j->arena, &input, &lint);
	for (size_t i = 0; i < lint.finding_count; i++) {
		const struct finding *finding = &lint.findings[i];
		if (is_about_profile(finding) ? is_first : !area || lies_in(j, layout, &b, finding))
			keep(j, finding,
				finding->line < names.count ? names.addresses[finding->line] : 0);
	}
	j->ret->has_cost |= shared->role_count && shared->evidence != EVIDENCE_GROUP;
	for (size_t i = 0; shared->role_count && i < lint.cost.line_count; i++)
		j->ret->cost += !area || i < own_lines ? lint.cost.lines[i] : 0;
	if (is_first) {
		j->ret->layout = *layout;
		j->ret->access = *all;
		j->ret->access.layout = &j->ret->layout;
		uint32_t *members = arena_new(j->arena, j->catalog->count, sizeof(*members));
		memset(members, 0xff, j->catalog->count * sizeof(*members));
		for (size_t at = 0, i = 0; i < b.count && at < layout->member_count; i++) {
			members[b.placed[i].item] = (uint32_t)at;
			at += 1 + layout->members[at].descendants;
		}
		j->ret->members = members;
	}
	return NULL;
}

/* ---- all of it ---- */

struct sorted {
	struct finding finding;
	uint64_t line;
	size_t index;
};

static int compare_sorted(const void *left, const void *right)
{
	const struct sorted *a = left, *b = right;
	if (a->finding.severity != b->finding.severity)
		return a->finding.severity < b->finding.severity ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/* Several sections' findings as one list. */
static void sort_findings(struct judging *j)
{
	size_t count = j->ret->finding_count;
	struct sorted *sorted = mem_new(count, sizeof(*sorted));
	for (size_t i = 0; i < count; i++)
		sorted[i] = (struct sorted){j->findings[i], j->lines[i], i};
	if (count)
		qsort(sorted, count, sizeof(*sorted), compare_sorted);
	for (size_t i = 0; i < count; i++) {
		j->findings[i] = sorted[i].finding;
		j->lines[i] = sorted[i].line;
	}
	mem_free(sorted);
	j->ret->findings = j->findings;
	j->ret->lines = j->lines;
}

struct error *vars_judge(struct arena *arena, const struct vars_catalog *catalog,
	const struct vars_entry *entry, const struct access_context *context,
	struct vars_judged *ret)
{
	struct judging judging = {
		.arena = arena, .catalog = catalog, .entry = entry, .context = context, .ret = ret};
	struct error *error = NULL;
	*ret = (struct vars_judged){.has_cost = false};
	if (!entry->profile)
		return NULL;
	const struct object_area *done = NULL;
	bool is_first = true;
	for (size_t i = 0; i < entry->item_count && !error && !catalog->is_linked; i++) {
		const struct object_area *area = catalog->items[entry->items[i]].area;
		if (area == done)
			continue;
		error = judge(&judging, area, is_first);
		is_first = false;
		done = area; /* items are by address, and areas lie apart */
	}
	if (is_first && !error)
		error = judge(&judging, NULL, true);
	sort_findings(&judging);
	return error;
}

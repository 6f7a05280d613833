#include "diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

enum { SLAB_BYTES = 4096 };
static const double COST_WORSE = 0.01, COST_NOTHING = 0.0005;

/* ---- members ---- */

/* The members that a name in the source stands for, in order. */
struct list {
	const struct layout_member **items;
	size_t count;
};

static struct list list_members(struct arena *arena, const struct report_struct *report)
{
	struct list list = {NULL, 0};
	if (!report)
		return list;
	const struct layout *layout = &report->layout;
	list.items = arena_new(arena, layout->member_count, sizeof(*list.items));
	for (size_t i = 0; i < layout->member_count;) {
		const struct layout_member *member = &layout->members[i];
		bool is_open = !*member->name && member->descendants;
		if (*member->name && !member->is_base)
			list.items[list.count++] = member;
		i += is_open ? 1 : 1 + member->descendants;
	}
	return list;
}

struct entry {
	const char *path;
	size_t place;
};

/* What compilers add goes by their own names: gcc's _vptr.s is clang's _vptr$s. */
static int compare_names(const char *a, const char *b)
{
	for (;; a++, b++) {
		char left = *a == '$' ? '.' : *a, right = *b == '$' ? '.' : *b;
		if (left != right || !left)
			return (left > right) - (left < right);
	}
}

static int by_path(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int by = compare_names(a->path, b->path);
	return by ? by : (a->place > b->place) - (a->place < b->place);
}

/* [place in `from`]: place in `to`, SIZE_MAX for none. */
static size_t *match(const struct list *from, const struct list *to)
{
	struct entry *sorted = mem_new(to->count, sizeof(*sorted));
	size_t *places = mem_new(from->count, sizeof(*places));
	for (size_t i = 0; i < to->count; i++)
		sorted[i] = (struct entry){to->items[i]->path, i};
	if (to->count)
		qsort(sorted, to->count, sizeof(*sorted), by_path);
	for (size_t i = 0; i < from->count; i++) {
		size_t low = 0, high = to->count;
		while (low < high) {
			size_t middle = low + (high - low) / 2;
			if (compare_names(sorted[middle].path, from->items[i]->path) < 0)
				low = middle + 1;
			else
				high = middle;
		}
		bool is_there = low < to->count &&
				compare_names(sorted[low].path, from->items[i]->path) == 0;
		places[i] = is_there ? sorted[low].place : SIZE_MAX;
	}
	mem_free(sorted);
	return places;
}

/*
 * [place in the new order]: stays in the longest run of members whose order is the old one; what is not in it has moved.
 * Patience sorting, as in Fredman, "On computing the length of longest increasing subsequences", 1975.
 */
static bool *find_stays(const size_t *old_places, size_t count)
{
	bool *stays = mem_new(count, sizeof(*stays));
	size_t *tops = mem_new(count, sizeof(*tops)), *under = mem_new(count, sizeof(*under));
	size_t piles = 0;
	for (size_t i = 0; i < count; i++) {
		if (old_places[i] == SIZE_MAX)
			continue;
		size_t low = 0, high = piles;
		while (low < high) {
			size_t middle = low + (high - low) / 2;
			if (old_places[tops[middle]] < old_places[i])
				low = middle + 1;
			else
				high = middle;
		}
		under[i] = low ? tops[low - 1] : SIZE_MAX;
		tops[low] = i;
		piles += low == piles;
	}
	for (size_t at = piles ? tops[piles - 1] : SIZE_MAX; at != SIZE_MAX; at = under[at])
		stays[at] = true;
	mem_free(under);
	mem_free(tops);
	return stays;
}

static bool is_retyped(const struct report_struct *before, const struct layout_member *old,
	const struct report_struct *after, const struct layout_member *new)
{
	struct buf left, right;
	if (old->is_artificial && new->is_artificial)
		return old->size_bytes != new->size_bytes;
	buf_init(&left);
	buf_init(&right);
	type_declare_alike(before->layout.types, old->type, &left);
	type_declare_alike(after->layout.types, new->type, &right);
	bool resized = old->size_bytes != new->size_bytes && old->size_bytes &&new->size_bytes;
	bool differ =
		strcmp(left.data, right.data) != 0 || old->bit_size != new->bit_size ||
		resized; /* of a type that is only declared in one of them, it has none there */
	buf_release(&right);
	buf_release(&left);
	return differ;
}

static bool is_elsewhere(const struct report_struct *before, const struct layout_member *old,
	const struct report_struct *after, const struct layout_member *new)
{
	if (!old->size_bytes || !new->size_bytes)
		return false;
	uint64_t was = before->layout.line_bytes, is = after->layout.line_bytes;
	return layout_first_byte(old) / was != layout_first_byte(new) / is ||
	       layout_last_byte(old) / was != layout_last_byte(new) / is;
}

static void compare_members(struct arena *arena, struct diff *ret)
{
	struct list old = list_members(arena, ret->before), new = list_members(arena, ret->after);
	struct diff_member *members = arena_new(arena, old.count + new.count, sizeof(*members));
	size_t *old_places = match(&new, &old), *new_places = match(&old, &new);
	bool *stays = find_stays(old_places, new.count);
	for (size_t i = 0; i < new.count; i++) {
		struct diff_member member = {.path = new.items[i]->path, .after = new.items[i]};
		if (old_places[i] != SIZE_MAX) {
			member.before = old.items[old_places[i]];
			member.is_moved =
				!stays[i] && member.before->off_bits != member.after->off_bits;
			member.is_retyped =
				is_retyped(ret->before, member.before, ret->after, member.after);
			member.is_elsewhere =
				!member.is_moved && !member.is_retyped &&
				is_elsewhere(ret->before, member.before, ret->after, member.after);
			ret->is_changed |= member.before->off_bits != member.after->off_bits;
		}
		if (!member.before || member.is_moved || member.is_retyped || member.is_elsewhere)
			members[ret->member_count++] = member;
	}
	for (size_t i = 0; i < old.count; i++)
		if (new_places[i] == SIZE_MAX)
			members[ret->member_count++] = (struct diff_member){
				.path = old.items[i]->path, .before = old.items[i]};
	ret->members = members;
	mem_free(stays);
	mem_free(new_places);
	mem_free(old_places);
}

/* ---- findings ---- */

static const struct finding *find_finding(
	const struct report_struct *report, const struct finding *wanted)
{
	for (size_t i = 0; report && i < report->lint.finding_count; i++) {
		const struct finding *finding = &report->lint.findings[i];
		if (!finding->ignored && strcmp(finding->fingerprint, wanted->fingerprint) == 0)
			return finding;
	}
	return NULL;
}

static void compare_findings(struct arena *arena, enum severity threshold, struct diff *ret)
{
	size_t capacity = (ret->before ? ret->before->lint.finding_count : 0) +
			  (ret->after ? ret->after->lint.finding_count : 0);
	struct diff_finding *findings = arena_new(arena, capacity, sizeof(*findings));
	for (size_t i = 0; ret->after && i < ret->after->lint.finding_count; i++) {
		const struct finding *after = &ret->after->lint.findings[i];
		const struct finding *before = find_finding(ret->before, after);
		if (after->ignored || (before && before->severity == after->severity))
			continue;
		findings[ret->finding_count++] = (struct diff_finding){before, after};
		ret->is_finding_worse |= threshold != SEVERITY_NONE &&
					 after->severity <= threshold &&
					 (!before || after->severity < before->severity);
	}
	for (size_t i = 0; ret->before && ret->after && i < ret->before->lint.finding_count; i++) {
		const struct finding *before = &ret->before->lint.findings[i];
		if (!before->ignored && !find_finding(ret->after, before))
			findings[ret->finding_count++] = (struct diff_finding){before, NULL};
	}
	ret->findings = findings;
}

/* ---- cost ---- */

static double total_of(const struct report_struct *report)
{
	return report && report->access.role_count ? report->lint.cost.total : 0;
}

static size_t role_count(const struct report_struct *report)
{
	return report ? report->access.role_count : 0;
}

static void compare_costs(struct arena *arena, struct diff *ret)
{
	size_t old = role_count(ret->before), new = role_count(ret->after);
	struct diff_role *roles = arena_new(arena, old + new, sizeof(*roles));
	for (size_t i = 0; i < old; i++)
		roles[ret->role_count++] = (struct diff_role){
			.name = ret->before->access.roles[i].name,
			.has_before = true,
			.before = ret->before->lint.cost.roles[i],
		};
	for (size_t i = 0; i < new; i++) {
		const char *name = ret->after->access.roles[i].name;
		size_t at = 0;
		while (at < old && strcmp(roles[at].name, name) != 0)
			at++;
		if (at == old)
			at = ret->role_count++;
		roles[at].name = name;
		roles[at].has_after = true;
		roles[at].after = ret->after->lint.cost.roles[i];
	}
	ret->roles = roles;
	ret->cost_before = total_of(ret->before);
	ret->cost_after = total_of(ret->after);
	ret->has_cost = old && new;
	double more = ret->cost_after - ret->cost_before;
	ret->is_cost_worse =
		ret->has_cost && more > COST_NOTHING && more > COST_WORSE * ret->cost_before;
}

static void compare_pairs(struct arena *arena, struct diff *ret)
{
	const struct report_struct *before = ret->before, *after = ret->after;
	if (!ret->has_cost || !before->has_cost || !after->has_cost)
		return;
	ret->gone = suggest_pairs(arena, &before->access, &after->access, &ret->gone_count);
	ret->fresh = suggest_pairs(arena, &after->access, &before->access, &ret->fresh_count);
}

/* ---- */

static uint64_t objects_of(const struct report_struct *report)
{
	uint64_t stride = report ? report->access.stride_bytes : 0;
	return stride ? SLAB_BYTES / stride : 0;
}

/* Cacheline groups alone, which the binary has itself, make no demand on it. */
static bool is_profiled(const struct report_struct *report)
{
	return report->access.profile && report->access.evidence != EVIDENCE_GROUP;
}

bool diff_is_worse(const struct diff *diff)
{
	return diff->is_cost_worse || diff->is_finding_worse || diff->is_lost;
}

void diff_run(struct arena *arena, const struct report_struct *before,
	const struct report_struct *after, enum severity threshold, enum diff_demand demand,
	struct diff *ret)
{
	const struct report_struct *either = after ? after : before;
	*ret = (struct diff){
		.before = before,
		.after = after,
		.name = arena_printf(
			arena, "%s %s", type_keyword(either->source.kind), either->qualified_name),
		.objects_before = objects_of(before),
		.objects_after = objects_of(after),
		.is_lost = !after && (demand == DIFF_BY_NAME || is_profiled(before)),
	};
	compare_members(arena, ret);
	compare_findings(arena, threshold, ret);
	compare_costs(arena, ret);
	compare_pairs(arena, ret);
	ret->is_changed |= !before || !after || ret->member_count || ret->finding_count ||
			   before->layout.size_bytes != after->layout.size_bytes ||
			   before->layout.align_bytes != after->layout.align_bytes ||
			   ret->cost_after - ret->cost_before > COST_NOTHING ||
			   ret->cost_before - ret->cost_after > COST_NOTHING;
}

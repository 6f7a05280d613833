#include "suggest/judge.h"

#include <inttypes.h>
#include <string.h>

#include "base/number.h"
#include "suggest/second.h"

enum { TRIED_MAX = 8 };

static bool allows_padding(const struct judge *judge)
{
	const struct profile_constraints *constraints = judge->order->constraints;
	return constraints && constraints->padding_allowed;
}

/* ---- errors that stay ---- */

static bool has_error(const struct finding *findings, size_t count, const struct finding *wanted)
{
	for (size_t i = 0; i < count; i++)
		if (findings[i].severity == SEVERITY_ERROR && !findings[i].ignored &&
			strcmp(findings[i].fingerprint, wanted->fingerprint) == 0)
			return true;
	return false;
}

/* The unit of a finding's written field. */
static size_t unit_of(const struct judge *judge, const struct finding *finding)
{
	const struct layout_member *member = layout_find(judge->order->layout, finding->fields[0]);
	for (size_t i = 0; member && i < judge->order->member_count; i++) {
		const struct layout_member *top = judge->order->members[i].member;
		if (member >= top && member <= top + top->descendants)
			return judge->order->members[i].unit;
	}
	return SIZE_MAX;
}

/* The struct may grow where the profile allows padding, and then as far as that pays: a suggestion does. */
static bool is_way_out(const struct judge *judge, const struct suggestion *suggestion,
	const struct finding *finding)
{
	return (allows_padding(judge) ||
		       suggestion->size_after <= judge->order->layout->size_bytes) &&
	       !has_error(suggestion->findings, suggestion->finding_count, finding);
}

/* Does an order without the finding exist: one of the suggested, or with its written field elsewhere? */
static bool can_go(const struct judge *judge, const struct finding *finding)
{
	const struct order *order = judge->order;
	for (size_t i = 0; i < judge->result->count; i++)
		if (is_way_out(judge, &judge->result->items[i], finding))
			return true;
	size_t unit = unit_of(judge, finding), count = 0, tried = 0;
	const struct order_priced *priced;
	if (unit == SIZE_MAX || order->units[unit].is_fixed)
		return false;
	order_destinations(judge->arena, order, unit, 0, &priced, &count);
	double last = -1;
	for (size_t i = 0; i < count && tried < TRIED_MAX; i++) {
		struct second second;
		if (priced[i].found.size_bytes > order->layout->size_bytes ||
			priced[i].found.cost - last < 1e-9)
			continue; /* on the same line as the one before */
		last = priced[i].found.cost;
		tried++;
		struct error *error = second_build(
			judge->arena, order, judge->input->lint, &priced[i].found, &second);
		if (error) {
			error_free(error);
			continue;
		}
		if (!has_error(second.lint.findings, second.lint.finding_count, finding))
			return true;
	}
	return false;
}

static bool is_about_sharing(const struct finding *finding)
{
	return strcmp(finding->rule->id, "LL001") == 0 || strcmp(finding->rule->id, "LL002") == 0;
}

bool judge_is_loud(const struct finding *finding)
{
	return is_about_sharing(finding) && !finding->ignored &&
	       finding->severity <= SEVERITY_WARNING;
}

const bool *judge_unavoidable(const struct judge *judge)
{
	const struct lint_result *lint = judge->input->result;
	bool *flags = arena_new(judge->arena, lint->finding_count, sizeof(*flags));
	bool any = false;
	for (size_t i = 0; i < lint->finding_count; i++) {
		const struct finding *finding = &lint->findings[i];
		flags[i] = finding->severity == SEVERITY_ERROR && judge_is_loud(finding) &&
			   !can_go(judge, finding);
		any |= flags[i];
	}
	return any ? flags : NULL;
}

/* ---- what padding would do ---- */

static const char *figure(struct arena *arena, double transactions)
{
	int digits = transactions < 0.0095 ? 4 : transactions < 0.095 ? 3 : 2;
	return transactions < ORDER_PAYS / 2 ? "0"
					     : arena_printf(arena, "%.*f", digits, transactions);
}

static const char *cost_change(struct arena *arena, const struct suggestion *padded)
{
	return arena_printf(arena, "%s -> %s", figure(arena, padded->cost_before),
		figure(arena, padded->cost_after));
}

static const char *line_price(const struct judge *judge)
{
	return arena_printf(judge->arena,
		"less than an added line has to earn (line_price %.3g of the profile)",
		judge->order->map->profile->document->line_price);
}

const char *judge_lowered(const struct judge *judge, const struct finding *finding)
{
	struct arena *arena = judge->arena;
	const struct suggestion *padded = judge->result->padded;
	const char *text = "a warning, not an error: no order of the same size avoids it";
	if (!padded || has_error(padded->findings, padded->finding_count, finding))
		return arena_printf(arena, "%s, %s", text,
			allows_padding(judge) ? "and no padding that pays does"
					      : "and padding would not either");
	const char *price = arena_printf(arena, "%" PRIu64 " byte%s more: %s",
		padded->size_after - padded->size_before,
		number_s(padded->size_after - padded->size_before), cost_change(arena, padded));
	if (!judge->result->padded_pays)
		return arena_printf(arena, "%s; padding would, %s, which is %s", text, price,
			line_price(judge));
	return arena_printf(
		arena, "%s; 'padding: allowed' in the constraints would, %s", text, price);
}

/* "; 'padding: allowed' in its constraints would help: 24 -> 128 bytes, cost 1.15 -> 0.15"; "": that was not asked */
static const char *padding_text(const struct judge *judge)
{
	struct arena *arena = judge->arena;
	const struct suggestion *padded = judge->result->padded;
	if (!judge->result->padding_tried)
		return "";
	if (!padded)
		return allows_padding(judge) ? "; padding, which is allowed, saves nothing either"
					     : "; padding would save nothing either";
	const char *text = arena_printf(arena,
		"%" PRIu64 " -> %" PRIu64 " bytes, %" PRIu64 " -> %" PRIu64 " line%s, cost %s",
		padded->size_before, padded->size_after, padded->lines_before, padded->lines_after,
		padded->lines_after == 1 ? "" : "s", cost_change(arena, padded));
	if (!judge->result->padded_pays)
		return arena_printf(arena, "; padding would save %s (%s), %s",
			figure(arena, padded->cost_before - padded->cost_after), text,
			line_price(judge));
	return arena_printf(arena, "; 'padding: allowed' in its constraints would help: %s", text);
}

/* ---- reasons ---- */

const char *judge_why_not(const struct judge *judge)
{
	const struct order *order = judge->order;
	const struct access_map *map = judge->input->lint->access;
	if (order->layout &&
		types_get(order->layout->types, order->layout->type)->kind == TYPE_UNION)
		return order->why_none;
	if (!map->profile || !map->role_count)
		return "no accesses are known: a profile has to say who reads and writes its "
		       "fields";
	if (map->evidence == EVIDENCE_GROUP)
		return "its cacheline groups say who accesses what, and not how often; a profile "
		       "has to";
	if (map->model.instance == INSTANCE_PER_THREAD)
		return "each thread has objects of its own, so that no order costs anything";
	if (order->why_none)
		return order->why_none;
	if (order->constraints && order->constraints->pin_all)
		return "the profile pins all fields";
	return NULL;
}

bool judge_is_settled(const struct judge *judge)
{
	const struct order *order = judge->order;
	return !order->why_none || order->is_settled;
}

const char *judge_settled(const struct judge *judge, const struct finding *finding)
{
	if (finding->severity != SEVERITY_ERROR || !judge_is_loud(finding))
		return NULL;
	return arena_printf(judge->arena, "a warning, not an error: %s", judge->result->why_none);
}

/* Smaller at the same cost, which is no answer to a finding. */
static const char *pack_text(const struct judge *judge)
{
	const struct order_found *pack = &judge->search->pack;
	if (!pack->is_found || judge->input->kinds & 1U << SUGGEST_PACK)
		return "";
	return arena_printf(judge->arena,
		"; --suggest pack makes it smaller: %" PRIu64 " -> %" PRIu64 " bytes",
		judge->order->layout->size_bytes, pack->size_bytes);
}

const char *judge_why_nothing(const struct judge *judge)
{
	const struct order_search *search = judge->search;
	const char *packed = judge->order->is_packed ? "it is packed, and stays so; " : "";
	if (search->none_allowed)
		return "no order of its members fulfils the profile's constraints";
	if (judge->input->kinds == 1U << SUGGEST_PACK)
		return "no order of its members is smaller and costs no more";
	if (search->best.is_found) /* but no minimal one */
		return "no few moves save most of what can be saved; --suggest best saves it";
	if (search->today.cost < ORDER_PAYS)
		return arena_printf(judge->arena, "its order costs nothing that could be saved%s",
			pack_text(judge));
	return arena_printf(judge->arena, "%s%s%s%s", packed,
		search->is_exact ? "no order of its members costs less than this one"
				 : "no order was found that costs less than this one",
		padding_text(judge), pack_text(judge));
}

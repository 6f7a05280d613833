#include "order/every.h"

#include "base/mem.h"
#include "order/search.h"

struct permute {
	struct search *search;
	size_t *units;
	bool *used;
	size_t *twins; /* [unit]: one before it that is as good in every place; SIZE_MAX: none */
};

/* Nobody accesses either, and they are laid out alike: their order among themselves makes no difference. */
static bool are_twins(const struct order *order, size_t a, size_t b)
{
	const struct order_unit *x = &order->units[a], *y = &order->units[b];
	const struct order_member *m = &order->members[x->first], *n = &order->members[y->first];
	return !x->is_accessed && !y->is_accessed && !x->is_fixed && !y->is_fixed &&
	       x->zone == y->zone && x->is_first == y->is_first && x->is_last == y->is_last &&
	       !x->is_pinned && !y->is_pinned && x->count == 1 && y->count == 1 && !m->is_bits &&
	       !n->is_bits && m->size_bits == n->size_bits && m->low == n->low &&
	       m->high == n->high && !m->slack_bits && !n->slack_bits;
}

/* Fields that constraints or expectations name are not alike, whoever accesses them. */
static bool is_told_apart(const struct order *order)
{
	const struct profile_struct *profile = order->map->profile;
	return profile->expect_count || profile->constraints.keep_together_count;
}

static void permute(struct permute *p, size_t depth)
{
	struct search *search = p->search;
	if (depth == search->count) {
		struct order_found found;
		if (!search_try(search, p->units, NULL, &found))
			return;
		search_count_moves(search, &found);
		search_offer(search, &found, true);
		return;
	}
	for (size_t unit = 0; unit < search->count; unit++) {
		if (p->used[unit] || (p->twins[unit] != SIZE_MAX && !p->used[p->twins[unit]]))
			continue;
		p->used[unit] = true;
		p->units[depth] = unit;
		permute(p, depth + 1);
		p->used[unit] = false;
	}
}

void every_try(struct search *search)
{
	struct permute p = {.search = search};
	bool apart = is_told_apart(search->order);
	p.units = mem_new(search->count, sizeof(*p.units));
	p.used = mem_new(search->count, sizeof(*p.used));
	p.twins = mem_new(search->count, sizeof(*p.twins));
	for (size_t i = 0; i < search->count; i++) {
		p.twins[i] = SIZE_MAX;
		for (size_t k = 0; k < i && !apart; k++)
			if (are_twins(search->order, k, i))
				p.twins[i] = k;
	}
	permute(&p, 0);
	mem_free(p.units);
	mem_free(p.used);
	mem_free(p.twins);
	search->ret->is_exact = true;
}

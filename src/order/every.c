#include "order/every.h"

#include "base/mem.h"
#include "order/search.h"

struct permute {
	struct search *search;
	size_t *units;
	bool *used;
};

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
		if (p->used[unit])
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
	p.units = mem_new(search->count, sizeof(*p.units));
	p.used = mem_new(search->count, sizeof(*p.used));
	permute(&p, 0);
	mem_free(p.units);
	mem_free(p.used);
	search->ret->is_exact = true;
}

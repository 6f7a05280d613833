/*
 * order: what an order costs by search, by a greedy clustering, and as it was declared.
 *
 *     order [STRUCTS]
 *
 * The greedy one is a plain version of "Structure Layout Optimization for Multithreaded Programs" (Raman, Hundt, Mannarswamy,
 * CGO 2007): fields are nodes, an edge gains what two fields are accessed together by one role, and loses what one is
 * written while another thread uses the other; the hottest field that is left starts a line, and the field that gains most
 * joins it until it is full or none gains. Random structs of scalars and arrays, and random profiles of two roles; all
 * three orders are laid out, and priced by the same model, with what growth has to earn (an added line 0.25 transactions an
 * operation, an added byte 1/2000 of that: linelint-profile(5), line_price). Prices are on the average, and at worst as a ratio to the
 * search's. An order whose offsets are not certain (a struct without gaps may be packed, order.h) is none: it is counted, and
 * left out. Counted too: orders that cost less and are larger than that earns, and those that save less than is worth a
 * move (ORDER_PAYS); what is left would be a better one. Where every order is tried there must be none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "../unit/structs.h"

enum { UNITS_MAX = 48, EXACT_UNITS = 8 /* as order/run.c */ };

static uint64_t seed = 88172645463325252ULL;

static unsigned below(unsigned n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)(seed % n);
}

static char texts[UNITS_MAX][32];
static uint64_t sizes[UNITS_MAX];

static void random_struct(size_t count, char *fields, char *profile)
{
	static const unsigned scalars[] = {8, 8, 8, 4, 4, 2, 1};
	static const char *const uses[] = {"{a: {read: 2}}", "{b: {rmw: 2}}",
		"{b: {write: 1}, a: {read: 1}}", "{a: {rmw: 1}}",
		"{a: {read: 1}, b: {read: 1, write: 1}}", "{b: {read: 3}}", "{a: {read: 0.1}}",
		"{b: {write: 0.2}}"};
	*fields = '\0';
	strcpy(profile, "    placement: {alignment: 64}\n    fields:\n");
	for (size_t i = 0; i < count; i++) {
		unsigned scalar = scalars[below(7)], dim = below(3) ? 0 : 2 + below(7);
		sizes[i] = scalar * (dim ? dim : 1);
		snprintf(
			texts[i], sizeof(texts[i]), dim ? "m%zu:%u*%u" : "m%zu:%u", i, scalar, dim);
		strcat(strcat(fields, texts[i]), " ");
		if (i == 0 || below(3) == 0)
			sprintf(profile + strlen(profile), "      m%zu: %s\n", i, uses[below(8)]);
	}
}

static const char head[] = "roles:\n  a: {threads: 16}\n  b: {threads: 4, rate: 0.5}\n";

static double accesses(const struct access_field *field, size_t role)
{
	double sum = 0;
	for (size_t kind = 0; kind < ACCESS_KIND_COUNT; kind++)
		sum += field->counts[role][kind];
	return sum;
}

static double writes(const struct access_field *field, size_t role)
{
	return field->counts[role][ACCESS_WRITE] + field->counts[role][ACCESS_RMW];
}

/* What two fields gain on one line, less what they lose. */
static double gain(const struct access_map *map, size_t a, size_t b)
{
	double sum = 0;
	for (size_t r = 0; r < map->role_count; r++) {
		const struct access_field *x = &map->fields[a], *y = &map->fields[b];
		double both = accesses(x, r) < accesses(y, r) ? accesses(x, r) : accesses(y, r);
		sum += map->roles[r].rate * map->roles[r].threads * both;
		for (size_t s = 0; s < map->role_count; s++) {
			double others = map->roles[s].threads - (r == s);
			sum -= map->roles[r].rate * map->roles[s].rate * others *
			       (writes(x, r) * accesses(y, s) + writes(y, r) * accesses(x, s));
		}
	}
	return sum;
}

static size_t unit_of(const struct access_map *map, size_t field)
{
	return strtoul(map->fields[field].member->name + 1, NULL, 10);
}

/* The clusters one behind the other, what nobody accesses at the end; a cluster begins a line where cold ones can fill up. */
static void greedy(const struct access_map *map, size_t count, size_t *order)
{
	bool used[UNITS_MAX] = {false}, hot[UNITS_MAX] = {false};
	size_t next = 0, cold = 0;
	uint64_t end = 0;
	for (size_t i = 0; i < map->field_count; i++)
		hot[unit_of(map, i)] = true;
	for (;;) {
		size_t seed_field = SIZE_MAX, cluster[UNITS_MAX], members = 0;
		double hottest = -1;
		for (size_t i = 0; i < map->field_count; i++) {
			double heat = 0;
			for (size_t r = 0; r < map->role_count; r++)
				heat += accesses(&map->fields[i], r) * map->roles[r].rate *
					map->roles[r].threads;
			if (!used[unit_of(map, i)] && heat > hottest) {
				hottest = heat;
				seed_field = i;
			}
		}
		if (seed_field == SIZE_MAX)
			break;
		/* fill the line before with what is cold */
		while (end % 64) {
			while (cold < count && (hot[cold] || used[cold]))
				cold++;
			if (cold == count)
				break;
			used[cold] = true;
			order[next++] = cold;
			end += sizes[cold];
			if (end / 64 * 64 == end)
				break;
		}
		uint64_t bytes = 0;
		for (size_t field = seed_field; field != SIZE_MAX;) {
			size_t unit = unit_of(map, field);
			used[unit] = true;
			order[next++] = unit;
			bytes += sizes[unit];
			cluster[members++] = field;
			field = SIZE_MAX;
			double most = 0;
			for (size_t i = 0; i < map->field_count; i++) {
				double sum = 0;
				for (size_t k = 0; k < members; k++)
					sum += gain(map, i, cluster[k]);
				if (!used[unit_of(map, i)] &&
					bytes + sizes[unit_of(map, i)] <= 64 && sum > most) {
					most = sum;
					field = i;
				}
			}
		}
		end += bytes;
	}
	for (size_t i = 0; i < count; i++)
		if (!used[i])
			order[next++] = i;
}

struct priced {
	double cost;  /* transactions an operation */
	double price; /* with what growth has to earn */
};

static struct priced priced(double cost, uint64_t before, uint64_t after)
{
	struct priced ret = {cost, cost};
	uint64_t lines = (before + 63) / 64, lines_after = (after + 63) / 64;
	if (lines_after > lines)
		ret.price += 0.25 * (double)(lines_after - lines);
	if (after > before)
		ret.price += ORDER_BYTE_PRICE * (double)(after - before);
	return ret;
}

static struct priced price_of(
	const size_t *order, size_t count, const char *profile, uint64_t before)
{
	static struct world other;
	char fields[2048] = "";
	world_init(&other);
	for (size_t i = 0; i < count; i++)
		strcat(strcat(fields, texts[order[i]]), " ");
	world_join(&other, fields, head, profile, EVIDENCE_STATED);
	struct priced ret =
		priced(cost_total(&other.arena, &other.map.model), before, other.layout.size_bytes);
	arena_release(&other.arena);
	return ret;
}

/* Is it certain where everything lies then? */
static bool is_legal(struct world *w, const size_t *units)
{
	struct order order;
	struct order_sequence sequence = {units, NULL};
	uint64_t off_bits[UNITS_MAX];
	struct order_place place = {.off_bits = off_bits};
	if (order_build(&w->arena, &w->map, &w->context, &order))
		exit(1);
	return order_is_allowed(&order, units) && order_place(&order, &sequence, &place);
}

struct sums {
	double today, greedy, ours, worst, seconds;
	unsigned structs, illegal, larger, too_little, better;
};

static void compare(struct sums *sums, struct priced ours, struct priced theirs)
{
	if (theirs.price < ours.price - ORDER_PAYS)
		sums->better++;
	else if (theirs.price < ours.price - 1e-9)
		sums->too_little++;
	else if (theirs.cost < ours.cost - 1e-9)
		sums->larger++;
	if (ours.price > 0.01 && theirs.price / ours.price > sums->worst)
		sums->worst = theirs.price / ours.price;
}

static void one(size_t count, struct sums *sums)
{
	static struct world w;
	char fields[2048], profile[4096];
	size_t order[UNITS_MAX];
	struct timespec begin, end;
	random_struct(count, fields, profile);
	world_init(&w);
	world_build(&w, fields, head, profile, EVIDENCE_STATED);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	const char *message = world_suggest(&w);
	clock_gettime(CLOCK_MONOTONIC, &end);
	if (message)
		exit(1);
	sums->seconds +=
		(double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
	sums->structs++;
	greedy(&w.map, count, order);
	uint64_t size = w.layout.size_bytes;
	const struct suggestion *best = world_find(&w, SUGGEST_BEST);
	struct priced ours = best ? priced(best->cost_after, size, best->size_after)
				  : priced(w.lint.cost.total, size, size);
	if (is_legal(&w, order)) {
		struct priced theirs = price_of(order, count, profile, size);
		compare(sums, ours, theirs);
		sums->today += w.lint.cost.total;
		sums->greedy += theirs.price;
		sums->ours += ours.price;
	} else {
		sums->illegal++;
	}
	arena_release(&w.arena);
}

int main(int argc, char **argv)
{
	unsigned structs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 200;
	static const size_t counts[] = {6, 8, 12, 20, 32, 48};
	unsigned wrong = 0;
	printf("| units | structs | declared | greedy (CGO 2007) | search | greedy / search, worst "
	       "| greedy: not certain | cheaper, but larger than that earns | saves under %g more "
	       "| "
	       "better | ms each |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
		ORDER_PAYS);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		struct sums sums = {0};
		for (unsigned n = 0; n < structs; n++)
			one(counts[i], &sums);
		printf("| %zu | %u | %.2f | %.2f | 1 | %.1f | %u | %u | %u | %u | %.2f |\n",
			counts[i], structs, sums.today / sums.ours, sums.greedy / sums.ours,
			sums.worst, sums.illegal, sums.larger, sums.too_little, sums.better,
			1e3 * sums.seconds / structs);
		wrong += counts[i] <= EXACT_UNITS ? sums.better : 0;
	}
	if (wrong)
		fprintf(stderr, "order: %u of greedy's orders beat all that were tried\n", wrong);
	return wrong != 0;
}

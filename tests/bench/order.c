/*
 * order: what an order costs by search, by a greedy clustering, and as it was declared.
 *
 *     order [STRUCTS]
 *
 * The greedy one is a plain version of "Structure Layout Optimization for Multithreaded Programs" (Raman, Hundt, Mannarswamy,
 * CGO 2007): fields are nodes, an edge gains what two fields are accessed together by one role, and loses what one is
 * written while another thread uses the other; the hottest field that is left starts a line, and the field that gains most
 * joins it until it is full or none gains. Random structs of scalars and arrays, and random profiles of two roles; all
 * three orders are laid out, and priced by the same model. Costs are those of the struct, on the average and at worst as a
 * ratio to the search's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "../unit/structs.h"

enum { UNITS_MAX = 48 };

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

static double cost_of(const size_t *order, size_t count, const char *profile)
{
	static struct world other;
	char fields[2048] = "";
	world_init(&other);
	for (size_t i = 0; i < count; i++)
		strcat(strcat(fields, texts[order[i]]), " ");
	world_join(&other, fields, head, profile, EVIDENCE_STATED);
	double cost = cost_total(&other.arena, &other.map.model);
	arena_release(&other.arena);
	return cost;
}

struct sums {
	double today, greedy, ours, worst, seconds;
	unsigned structs, greedy_better;
};

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
	greedy(&w.map, count, order);
	double theirs = cost_of(order, count, profile), today = w.lint.cost.total;
	double ours = today - w.result.avoidable;
	sums->today += today;
	sums->greedy += theirs;
	sums->ours += ours;
	sums->seconds +=
		(double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
	sums->structs++;
	sums->greedy_better += theirs < ours - 1e-6;
	if (ours > 0.01 && theirs / ours > sums->worst)
		sums->worst = theirs / ours;
	arena_release(&w.arena);
}

int main(int argc, char **argv)
{
	unsigned structs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 200;
	static const size_t counts[] = {6, 8, 12, 20, 32, 48};
	printf("| units | structs | declared | greedy (CGO 2007) | search | greedy / search, worst "
	       "| greedy better | ms each |\n"
	       "|---|---|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		struct sums sums = {0};
		for (unsigned n = 0; n < structs; n++)
			one(counts[i], &sums);
		printf("| %zu | %u | %.2f | %.2f | 1 | %.1f | %u | %.2f |\n", counts[i], structs,
			sums.today / sums.ours, sums.greedy / sums.ours, sums.worst,
			sums.greedy_better, 1e3 * sums.seconds / structs);
	}
	return 0;
}

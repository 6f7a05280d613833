/*
 * orders: what order and suggest say of structs, as JSON, for tests that hold it against a compiler.
 *
 *     orders [-p PROFILE]... [-n COUNT] [-s SEED] [-d FIELD]... BINARY NAME...
 *
 * Of each struct: why it cannot be put in order; or COUNT random orders that are legal, with every offset; what is
 * suggested, when a profile names it; and every place that FIELD could be moved to.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "cmd/session.h"
#include "order.h"
#include "report.h"
#include "suggest.h"

static uint64_t seed = 1;

static uint64_t random_below(uint64_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % n;
}

static void put_string(const char *string)
{
	putchar('"');
	for (; *string; string++) {
		if (*string == '"' || *string == '\\')
			putchar('\\');
		if (*string == '\n')
			printf("\\n");
		else if (*string == '\t')
			printf("\\t");
		else
			putchar(*string);
	}
	putchar('"');
}

static void put_key(const char *key, const char *string)
{
	printf("\"%s\": ", key);
	put_string(string);
}

static void put_places(
	const struct order *order, const size_t *units, const struct order_place *place)
{
	printf("{\"size\": %llu, \"align\": %u, \"units\": [",
		(unsigned long long)place->size_bytes,
		order->low == order->high ? place->align_bytes : 0); /* 0: not certain */
	for (size_t i = 0; i < order->unit_count; i++)
		printf("%s%zu", i ? ", " : "", units[i]);
	printf("], \"bits\": [");
	for (size_t i = 0; i < order->member_count; i++)
		printf("%s%llu", i ? ", " : "", (unsigned long long)place->off_bits[i]);
	printf("]}");
}

/* A unit, or a run of them, goes somewhere else; again and again. */
static void shuffle(size_t *units, size_t count)
{
	size_t moves = 1 + random_below(random_below(3) ? 4 : count + 1);
	while (moves--) {
		size_t from = random_below(count), to = random_below(count), unit = units[from];
		memmove(&units[from], &units[from + 1], (count - from - 1) * sizeof(*units));
		memmove(&units[to + 1], &units[to], (count - to - 1) * sizeof(*units));
		units[to] = unit;
	}
}

static void put_orders(const struct order *order, unsigned wanted)
{
	size_t *units = mem_new(order->unit_count, sizeof(*units));
	struct order_place place = {
		.off_bits = mem_new(order->member_count, sizeof(*place.off_bits))};
	unsigned found = 0;
	printf(", \"orders\": [");
	for (unsigned tries = 0; found < wanted && tries < 60 * wanted; tries++) {
		for (size_t i = 0; i < order->unit_count; i++)
			units[i] = i;
		if (tries)
			shuffle(units, order->unit_count);
		if (!order_is_allowed(order, units) ||
			!order_place(order, &(struct order_sequence){units, NULL}, &place))
			continue;
		printf("%s", found++ ? ", " : "");
		put_places(order, units, &place);
	}
	printf("]");
	mem_free(units);
	mem_free(place.off_bits);
}

static void put_units(const struct order *order)
{
	printf(", \"members\": [");
	for (size_t i = 0; i < order->member_count; i++) {
		printf("%s", i ? ", " : "");
		const char *name = order->members[i].source->name;
		put_string(*name ? name : order_name(order->layout, order->members[i].member));
	}
	printf("], \"member_units\": [");
	for (size_t i = 0; i < order->member_count; i++)
		printf("%s%zu", i ? ", " : "", order->members[i].unit);
	printf("], \"fixed\": [");
	for (size_t i = 0; i < order->unit_count; i++)
		printf("%s%d", i ? ", " : "", order->units[i].is_fixed);
	printf("]");
}

static void put_pairs(const char *key, const struct suggest_pair *pairs, size_t count)
{
	printf(", \"%s\": [", key);
	for (size_t i = 0; i < count; i++)
		printf("%s[\"%s\", \"%s\", %.6f]", i ? ", " : "", pairs[i].written, pairs[i].other,
			pairs[i].price);
	printf("]");
}

static void put_suggestion(const struct suggestion *it)
{
	printf("{\"kind\": \"%s\", \"size\": %llu, \"lines\": %llu, \"before\": %.9f, \"after\": "
	       "%.9f",
		suggest_kind_name(it->kind), (unsigned long long)it->size_after,
		(unsigned long long)it->lines_after, it->cost_before, it->cost_after);
	printf(", \"stride\": [%llu, %llu], \"objects\": [%llu, %llu], \"moves\": [",
		(unsigned long long)it->stride_before, (unsigned long long)it->stride_after,
		(unsigned long long)it->objects_before, (unsigned long long)it->objects_after);
	for (size_t i = 0; i < it->move_count; i++) {
		printf("%s[\"%s\", ", i ? ", " : "", it->moves[i].field);
		printf(it->moves[i].after ? "\"%s\", %u]" : "null%s, %u]",
			it->moves[i].after ? it->moves[i].after : "", it->moves[i].align_bytes);
	}
	printf("], \"order\": [");
	for (size_t i = 0; i < it->order_count; i++)
		printf("%s[\"%s\", %llu]", i ? ", " : "", it->order[i].field,
			(unsigned long long)it->order[i].off_bits);
	printf("]");
	put_pairs("gone", it->gone, it->gone_count);
	put_pairs("new", it->fresh, it->fresh_count);
	printf(", \"collateral\": [");
	for (size_t i = 0; i < it->collateral_count; i++)
		printf("%s[\"%s\", %llu, %llu, %llu, %llu]", i ? ", " : "", it->collateral[i].field,
			(unsigned long long)it->collateral[i].first_line_before,
			(unsigned long long)it->collateral[i].last_line_before,
			(unsigned long long)it->collateral[i].first_line_after,
			(unsigned long long)it->collateral[i].last_line_after);
	printf("], \"destinations\": [");
	for (size_t i = 0; i < it->destination_count; i++)
		printf("%s[\"%s\", %llu, %llu, %.6f]", i ? ", " : "",
			it->destinations[i].after ? it->destinations[i].after : "",
			(unsigned long long)it->destinations[i].line,
			(unsigned long long)it->destinations[i].size_bytes,
			it->destinations[i].cost);
	printf("], \"findings\": [");
	for (size_t i = 0; i < it->finding_count; i++)
		printf("%s[\"%s\", \"%s\", \"%s\"]", i ? ", " : "", it->findings[i].rule->id,
			severity_name(it->findings[i].severity), it->findings[i].fields[0]);
	printf("], ");
	put_key("definition", it->definition);
	printf("}");
}

static void put_suggestions(struct arena *arena, const struct report_struct *report,
	const struct report_options *options)
{
	struct timespec begin, end;
	const struct lint_input lint = {
		.layout = &report->layout,
		.qualified_name = report->qualified_name,
		.access = &report->access,
		.context = &options->context,
	};
	const struct suggest_input input = {&lint, &report->lint, 7};
	struct suggest_result result;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	struct error *error = suggest_run(arena, &input, &result);
	clock_gettime(CLOCK_MONOTONIC, &end);
	printf(", \"milliseconds\": %.3f", 1e3 * (double)(end.tv_sec - begin.tv_sec) +
						   1e-6 * (double)(end.tv_nsec - begin.tv_nsec));
	if (error) {
		printf(", ");
		put_key("error", error->message);
		error_free(error);
		return;
	}
	printf(", \"cost\": %.9f, \"avoidable\": %.9f, \"suggestions\": [", report->lint.cost.total,
		result.avoidable);
	for (size_t i = 0; i < result.count; i++) {
		printf("%s", i ? ", " : "");
		put_suggestion(&result.items[i]);
	}
	printf("]");
	if (result.why_none) {
		printf(", ");
		put_key("none", result.why_none);
	}
}

/* Every place of the unit of that name: behind which, line, size, cost. */
static void put_destinations(struct arena *arena, const struct order *order, const char *field)
{
	const struct order_priced *priced;
	size_t unit = 0, count;
	while (unit < order->unit_count && strcmp(order->units[unit].name, field) != 0)
		unit++;
	if (unit == order->unit_count || !order->map->role_count)
		return;
	struct order_place place = {
		.off_bits = mem_new(order->member_count, sizeof(*place.off_bits))};
	order_destinations(arena, order, unit, 0, &priced, &count);
	printf(", \"to %s\": [", field);
	for (size_t i = 0; i < count; i++) {
		const size_t *units = priced[i].found.units;
		struct order_sequence sequence = {units, NULL};
		order_place(order, &sequence, &place);
		uint64_t line =
			place.off_bits[order->units[unit].first] / 8 / order->layout->line_bytes;
		const char *after =
			priced[i].place ? order->units[units[priced[i].place - 1]].name : "";
		printf("%s[\"%s\", %llu, %llu, %.6f]", i ? ", " : "", after,
			(unsigned long long)line, (unsigned long long)priced[i].found.size_bytes,
			priced[i].found.cost);
	}
	printf("]");
	mem_free(place.off_bits);
}

static const char *destinations_of[8];
static size_t destination_count;

static struct error *put_struct(
	const struct session *session, const struct report_source *source, unsigned orders)
{
	struct arena arena;
	struct report_struct report;
	struct order order;
	arena_init(&arena);
	struct error *error = report_build(&arena, source, &session->options, &report);
	if (!error) {
		printf("{");
		put_key("name", report.layout.name);
		printf(", \"size\": %llu, \"align\": %u",
			(unsigned long long)report.layout.size_bytes, report.layout.align_bytes);
		error = order_build(&arena, &report.access, &session->options.context, &order);
		if (error) {
			printf(", ");
			put_key("error", error->message);
			error_free(error);
			error = NULL;
		} else if (order.why_none) {
			printf(", ");
			put_key("why_none", order.why_none);
		} else {
			put_units(&order);
			put_orders(&order, orders);
			for (size_t i = 0; i < destination_count; i++)
				put_destinations(&arena, &order, destinations_of[i]);
		}
		if (report.access.profile || !orders)
			put_suggestions(&arena, &report, &session->options);
		printf("}");
	}
	arena_release(&arena);
	return error;
}

static struct error *put_all(
	struct session *session, const char *const *names, size_t count, unsigned orders)
{
	struct session_defs defs;
	struct report_source *sources;
	struct error *error = session_find(session, names, count, false, &defs);
	if (!error)
		error = session_read(session, &defs, &sources);
	printf("[");
	for (size_t i = 0; !error && i < defs.count; i++) {
		printf("%s", i ? ",\n" : "");
		error = put_struct(session, &sources[i], orders);
	}
	printf("]\n");
	return error;
}

int main(int argc, char **argv)
{
	struct arena arena;
	struct session session;
	struct opt opt = {.jobs = 1};
	const char *profiles[8];
	size_t profile_count = 0;
	unsigned orders = 0;
	for (int c; (c = getopt(argc, argv, "p:n:s:l:d:")) != -1;) {
		if (c == 'p' && profile_count < 8)
			profiles[profile_count++] = optarg;
		else if (c == 'd' && destination_count < 8)
			destinations_of[destination_count++] = optarg;
		else if (c == 'n')
			orders = (unsigned)strtoul(optarg, NULL, 10);
		else if (c == 's')
			seed = 88172645463325252ULL ^ strtoull(optarg, NULL, 10);
		else if (c == 'l')
			opt.line_bytes = strtoull(optarg, NULL, 10);
		else
			return 2;
	}
	if (argc - optind < 2)
		return 2;
	arena_init(&arena);
	const char *const *names = (const char *const *)&argv[optind + 1];
	const struct session_request request = {
		.binary = argv[optind],
		.names = names,
		.name_count = (size_t)(argc - optind - 1),
		.profiles = profiles,
		.profile_count = profile_count,
	};
	struct error *error = session_open(&arena, &opt, &request, &session);
	if (!error) {
		error = put_all(&session, names, request.name_count, orders);
		session_close(&session);
	}
	if (error)
		fprintf(stderr, "orders: %s\n", error->message);
	int status = error != NULL;
	error_free(error);
	arena_release(&arena);
	return status;
}

#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "lint/rules.h"

/* Where variables would lie as the members of one struct of their own (LL013). */

/* The variable's place in the struct, if it is there. */
static bool find_place(const struct layout_member *const *variables, const uint64_t *places,
	size_t count, const struct layout_member *variable, uint64_t *place)
{
	for (size_t i = 0; i < count; i++)
		if (variables[i] == variable) {
			*place = places[i];
			return true;
		}
	return false;
}

struct lint_apart lint_apart(const struct lint *lint, const bool *fields)
{
	size_t count = lint->map->field_count;
	const struct layout_member **variables = mem_new(count, sizeof(*variables));
	uint64_t *places = mem_new(count, sizeof(*places)), place;
	uint64_t *offs = arena_new(lint->arena, count, sizeof(*offs));
	bool *parts = arena_new(lint->arena, count, sizeof(*parts));
	struct lint_apart apart = {.offs = offs, .fields = parts};
	for (size_t i = 0; i < count; i++) {
		const struct layout_member *variable = lint_top_of(lint, i);
		if (!fields[i] || find_place(variables, places, apart.variables, variable, &place))
			continue;
		place = number_round_up(apart.size_bytes, variable->align_bytes);
		variables[apart.variables] = variable;
		places[apart.variables++] = place;
		apart.size_bytes = place + variable->size_bytes;
		apart.used_bytes += variable->size_bytes;
	}
	for (size_t i = 0; i < count; i++) {
		const struct layout_member *variable = lint_top_of(lint, i);
		offs[i] = LINT_STAYS;
		parts[i] = find_place(variables, places, apart.variables, variable, &place);
		if (parts[i])
			offs[i] =
				place + lint->one.fields[i].off_bytes - layout_first_byte(variable);
	}
	apart.size_bytes = number_round_up(apart.size_bytes, lint->one.line_bytes);
	mem_free(variables);
	mem_free(places);
	return apart;
}

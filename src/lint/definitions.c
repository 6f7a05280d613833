#include "lint/rules.h"

void lint_definitions(struct lint *lint)
{
	const struct lint_input *input = lint->input;
	if (input->layouts < 2)
		return;
	const char *field = lint_any_field(lint);
	const char *units =
		input->unit_count
			? arena_printf(lint->arena, ": in %s",
				  lint_list(lint->arena, input->units, input->unit_count, 4))
			: "";
	struct finding *finding = lint_add(lint, "LL011", SEVERITY_INFO, "");
	lint_set_fields(lint, finding, &field, 1);
	finding->message = arena_printf(lint->arena, "%s has %u layouts in %s%s",
		lint->layout->name, input->layouts,
		input->is_several ? "these binaries" : "this binary", units);
	finding->advice = "look at each of them with --all-definitions";
}
